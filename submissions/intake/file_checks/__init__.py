"""File checks: the reading of untrusted files, in the calling process or in processes that can be stopped."""
