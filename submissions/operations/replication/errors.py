"""Errors of the database replica."""


class ReplicaError(Exception):
    """The configured replica cannot be used; the message says what to do."""


class ReplicaAwayError(Exception):
    """The replica is temporarily unreachable."""


class LeaseConflictError(Exception):
    """Another holder changed the lease since it was read."""
