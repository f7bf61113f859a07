"""Errors of submissions. Every message is fit for the person it is about."""

from datetime import datetime


class SubmissionError(Exception):
    """Root of the errors of this package."""


class NotSignedInError(SubmissionError):
    """Something was asked for that needs to know who asks."""


class NotFoundError(SubmissionError):
    """There is no such thing, or it is not the user's to see; the two are not told apart."""


class NotAllowedError(SubmissionError):
    """The user may see it and may not do this with it."""


class UnfitVolumeError(SubmissionError):
    """The data folder is on a volume that cannot hold a database."""


class NotReadyError(SubmissionError):
    """The installation is still preparing what was asked for."""


class StateError(SubmissionError):
    """The submission is in a state in which this cannot be done."""


class ClosedVersionError(SubmissionError):
    """A version of a benchmark that takes no submissions; `open_version` is one that does, or None."""

    def __init__(self, message: str, benchmark: str, open_version: str | None) -> None:
        """Take the sentence to show, the id of the benchmark, and the version to use instead."""
        self.benchmark = benchmark
        self.open_version = open_version
        super().__init__(message)


class AlreadySubmittedError(StateError):
    """The same file is already on its way, or scored, for the same board and model; `submission_id` names that one."""

    def __init__(self, submission_id: str, message: str) -> None:
        """Name the earlier submission and say where it stands."""
        self.submission_id = submission_id
        super().__init__(message)


class BadRequestError(SubmissionError):
    """A field with a value that is not allowed; `field` names it."""

    def __init__(self, field: str, message: str) -> None:
        """Name the field and say what is allowed."""
        self.field = field
        super().__init__(message)


class LimitError(SubmissionError):
    """Somebody has used all the submissions that he has; the attributes say of which kind and until when."""

    def __init__(
        self, message: str, *, span: str, limit: int, used: int, renewed_at: datetime | None, retry_after: int | None
    ) -> None:
        """Take the sentence and what it was made from; `retry_after` is in seconds, None where waiting is no help."""
        self.span = span
        self.limit = limit
        self.used = used
        self.renewed_at = renewed_at
        self.retry_after = retry_after
        super().__init__(message)


class BackupError(SubmissionError):
    """A backup that cannot be made, read or restored; nothing was changed."""


class FolderInUseError(SubmissionError):
    """The data folder is used by others in a way that does not allow what was asked."""


class TooManyWaitingError(SubmissionError):
    """So much waits already that nothing more is taken; `retry_after` is in seconds."""

    retry_after = 5
