"""Identifiers of submissions, and the keys that make requests repeatable."""

import hashlib
import json
import re
import secrets
from collections.abc import Mapping
from pathlib import Path

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


def derive_idempotency_key(file: Path, fields: Mapping[str, str]) -> str:
    """Return a key that is the same for the same file and fields, so that a repeated command submits once."""
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256")
    digest.update(json.dumps(fields, sort_keys=True).encode())
    return digest.hexdigest()
