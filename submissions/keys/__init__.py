"""Answer keys of an installation: identity, remote storage, replacement, and sealing."""
