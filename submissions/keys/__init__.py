"""Answer keys of an installation: their identity, their place in remote storage, their replacement; and sealing."""
