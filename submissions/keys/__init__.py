"""Answer keys of an installation: their identity, their place in remote storage, and how they are replaced."""
