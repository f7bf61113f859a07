"""Errors of submissions. Every message is meant for the user."""

from datetime import datetime


class SubmissionError(Exception):
    """Base class of this package's errors."""


class NotSignedInError(SubmissionError):
    """The request requires a signed-in user."""


class NotFoundError(SubmissionError):
    """It does not exist, or the user may not see it; the two are indistinguishable."""


class NotAllowedError(SubmissionError):
    """The user may see it but not do this."""


class UnfitVolumeError(SubmissionError):
    """The volume of the data folder cannot hold a database."""


class NotReadyError(SubmissionError):
    """The installation is still preparing it."""


class RenderingLimitError(NotReadyError):
    """Visitors of a gallery caused as many renderings of its pack as they may.

    Attributes:
        retry_after: Seconds until they may cause another one.
    """

    def __init__(self, message: str, retry_after: int) -> None:
        """Take the message and the seconds."""
        super().__init__(message)
        self.retry_after = retry_after


class StateError(SubmissionError):
    """The submission's state does not allow this."""


class ClosedVersionError(SubmissionError):
    """The version of a benchmark accepts no submissions; `open_version` is one that does, or None."""

    def __init__(self, message: str, benchmark: str, open_version: str | None) -> None:
        """Take the message, the benchmark's id, and the version to use instead."""
        self.benchmark = benchmark
        self.open_version = open_version
        super().__init__(message)


class SplitEndedError(SubmissionError):
    """The shared test split of a rendered benchmark is not offered any more."""


class AlreadySubmittedError(StateError):
    """The same file is being scored, or is scored, for the same board and model; `submission_id` identifies it."""

    def __init__(self, submission_id: str, message: str) -> None:
        """Take the earlier submission and its state."""
        self.submission_id = submission_id
        super().__init__(message)


class BadRequestError(SubmissionError):
    """The field `field` has an invalid value."""

    def __init__(self, field: str, message: str) -> None:
        """Take the field's name and what is allowed."""
        self.field = field
        super().__init__(message)


class LimitError(SubmissionError):
    """The user's submission limit is reached; the attributes say which and until when."""

    def __init__(
        self, message: str, *, span: str, limit: int, used: int, renewed_at: datetime | None, retry_after: int | None
    ) -> None:
        """Take the message and its parts; `retry_after` is in seconds, None if waiting does not help."""
        self.span = span
        self.limit = limit
        self.used = used
        self.renewed_at = renewed_at
        self.retry_after = retry_after
        super().__init__(message)


class BackupError(SubmissionError):
    """A backup cannot be created, read or restored; nothing was changed."""


class FolderInUseError(SubmissionError):
    """Another process uses the data folder in a way that does not allow this."""


class TooManyWaitingError(SubmissionError):
    """The queue is full; `retry_after` is in seconds."""

    retry_after = 5
