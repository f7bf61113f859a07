"""The Admin tab's section of groups of listeners."""
