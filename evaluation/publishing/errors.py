"""Errors of publishing; each message is one sentence or two and says what to do."""

from evaluation.errors import EvaluationError


class PublishError(EvaluationError):
    """Something that cannot be published, or a target that cannot be written."""


class PublishUsageError(EvaluationError):
    """A target or an option that means nothing."""
