"""Errors of the database replica."""


class ReplicaError(Exception):
    """The replica cannot be used as it is set up; the message says what to do."""


class ReplicaAwayError(Exception):
    """The replica cannot be reached for the moment."""


class LeaseConflictError(Exception):
    """The lease was changed by another holder since it was read."""
