"""Errors of lookups on the Hub; each message says what to do."""

from submissions.errors import NotAllowedError, NotFoundError, NotReadyError, TooManyWaitingError


class HubNotFoundError(NotFoundError):
    """The Hub has no public model of this id."""


class HubGatedError(NotAllowedError):
    """The Hub shows this model only to people with access to it."""


class HubUnavailableError(NotReadyError):
    """The Hub cannot be reached, or its answer cannot be read."""


class HubBusyError(TooManyWaitingError):
    """The Hub, or this server, limits the rate of lookups."""

    def __init__(self, message: str, retry_after: int) -> None:
        self.retry_after = retry_after
        super().__init__(message)
