"""Errors of publishing; each message is one or two sentences and says what to do."""

from evaluation.errors import EvaluationError


class PublishError(EvaluationError):
    """Something cannot be published, or a target cannot be written."""


class PublishUsageError(EvaluationError):
    """A target or option is invalid."""
