"""Identifiers of submissions, and the keys that make requests repeatable."""

import re
import secrets

from submissions.errors import BadRequestError

_IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,200}")
_ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_ID_LETTERS = 14


def check_idempotency_key(key: str | None) -> str | None:
    """Validate and return an idempotency key.

    Raises:
        BadRequestError: The key is invalid.
    """
    if key is not None and not _IDEMPOTENCY_KEY.fullmatch(key):
        raise BadRequestError("Idempotency-Key", "An Idempotency-Key must have 1 to 200 visible ASCII characters.")
    return key


def new_submission_id() -> str:
    """Return an unguessable id: 70 random bits."""
    return "s-" + "".join(secrets.choice(_ID_ALPHABET) for _ in range(_ID_LETTERS))
