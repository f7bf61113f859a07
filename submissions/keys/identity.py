"""Identity of answer keys: a database that knows a key accepts no other without an operator's confirmation.

Question ids follow from a key's seed. Under another seed every distributed pack would be useless and valid files would
be rejected. Each benchmark version therefore stores a fingerprint of the seed it was registered with.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterable
from datetime import datetime

from db.repositories import audit, catalogue
from db.session import Database
from evaluation.answer_keys import AnswerKey
from evaluation.errors import AnswerKeyError
from submissions.errors import NotFoundError

_PURPOSE = b"earshot key fingerprint "


class ForeignKeyError(AnswerKeyError):
    """The installed answer keys are not those known to the database."""


def fingerprint_key(key: AnswerKey) -> str:
    """Return a fingerprint of a key's seed that reveals nothing about it. Correcting answers does not change it."""
    named = _PURPOSE + f"{key.benchmark} {key.version} {key.split}".encode()
    return hmac.new(key.seed.encode(), named, hashlib.sha256).hexdigest()


def find_conflict(
    known: catalogue.KnownKey | None, key: AnswerKey | None, digest_content: Callable[[AnswerKey], str]
) -> str | None:
    """Return the conflict between the known and the installed key, if any.

    Args:
        known: The database's record of the benchmark version; None if it was never registered.
        key: The installed key.
        digest_content: Returns the digest of the questions that a key generates.
    """
    if known is None or known.fingerprint == catalogue.ANY_KEY or not known.content_digest:
        return None
    if key is None:
        return "key missing"
    if known.fingerprint is None:  # registered by a release without fingerprints
        return None if known.content_digest == digest_content(key) else "the key belongs to other questions"
    return None if hmac.compare_digest(known.fingerprint, fingerprint_key(key)) else "different key"


def require_no_conflicts(conflicts: Iterable[tuple[str, str]]) -> None:
    """Raise an error if keys differ from those known to the database.

    Raises:
        ForeignKeyError: There is a conflict; the message says what to do.
    """
    texts = [f"{name}: {conflict}" for name, conflict in conflicts]
    if texts:
        raise ForeignKeyError(
            f"The answer keys on this server do not match its database ({'; '.join(texts)}). Scoring is paused so "
            "that valid files are not rejected. Restore the keys from a backup, or set EARSHOT_ANSWER_KEYS to their "
            "folder. If they are lost, run `python -m submissions keys replace --benchmark B --yes` to accept the "
            "new ones; this invalidates all question packs downloaded before."
        )


def accept_any_key(database: Database, benchmark: str, actor: str, now: datetime) -> list[str]:
    """Let the next evaluator register a benchmark with its own key; return the affected versions.

    Raises:
        NotFoundError: The benchmark is not registered.
    """
    with database.write() as transaction:
        versions = catalogue.forget_keys(transaction, benchmark)
        if not versions:
            raise NotFoundError(f"Unknown benchmark `{benchmark}`: it is not registered in this database.")
        audit.append(transaction, actor, "replace-keys", benchmark, {"versions": versions}, now)
    return versions
