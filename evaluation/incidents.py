"""Incident references: what a reader reports of an unexpected error, and what finds it in the log."""

import logging
import secrets

_LOG = logging.getLogger(__name__)


def log_incident(message: str, error: Exception | None = None, level: int = logging.ERROR) -> str:
    """Write an incident into the log and return its reference.

    Args:
        message: What happened, in words for an operator. It may contain a request's path: what is not printable is
            escaped, so that it can neither begin an entry of its own nor control a terminal.
        error: What caused it. It is logged with its traceback, once: it carries its reference from then on.
        level: Of the entry in the log.
    """
    known: str | None = getattr(error, "earshot_incident", None)
    if known is not None:
        return known
    reference = secrets.token_hex(4)
    _LOG.log(level, "incident %s: %s", reference, _escape_controls(message), exc_info=error)
    if error is not None:
        error.earshot_incident = reference  # type: ignore[attr-defined]
    return reference


def _escape_controls(message: str) -> str:
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in message)
