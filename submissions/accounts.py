"""Who somebody is: tokens for programs, sessions for browsers. Only digests of either are stored."""

import hashlib
import re
import secrets
from datetime import UTC, datetime, timedelta

from db.records import UserRecord
from db.repositories import audit, people
from db.session import Database
from submissions.errors import BadRequestError

TOKEN_PREFIX = "esh_"  # noqa: S105 - what every token begins with
SYSTEM_USER = "earshot"
# Who acts in the events of a submission beside people; nobody may pass for one of them.
OPERATOR = "system"  # who works at the machine itself
RESERVED_NAMES = frozenset({SYSTEM_USER, OPERATOR, "evaluator", "maintainer", "scheduler"})
_SESSION_LIFETIME = timedelta(days=30)
# Names end up in pages, events and paths of other people's tools: letters, digits and three marks.
_USER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,38}")


class Accounts:
    """Makes and recognises tokens and sessions."""

    def __init__(self, database: Database, maintainers: tuple[str, ...]) -> None:
        """Take the database and the names that have the maintainer role."""
        self._database = database
        self._maintainers = frozenset(maintainers)

    def is_maintainer(self, user: UserRecord | None) -> bool:
        """Tell whether somebody has the maintainer role."""
        return user is not None and user.name in self._maintainers

    def create_token(self, user_name: str, label: str = "", actor: str | None = None) -> str:
        """Make a personal token and return it; it cannot be shown again.

        Args:
            user_name: Whose it is.
            label: What it is for.
            actor: Who makes it; its owner unless somebody else is named.
        """
        token = TOKEN_PREFIX + secrets.token_urlsafe(32)
        now = datetime.now(UTC)
        with self._database.write() as transaction:
            user = people.get_or_add_user(transaction, check_user_name(user_name), now)
            people.add_token(transaction, user.id, label, _digest(token), now)
            audit.append(transaction, actor or user.name, "create-token", user.name, {"label": label}, now)
        return token

    def find_by_token(self, token: str) -> UserRecord | None:
        """Return whose token this is."""
        if not token.startswith(TOKEN_PREFIX):
            return None
        with self._database.read() as transaction:
            return people.find_user_by_token(transaction, _digest(token))

    def sign_in(self, user_name: str) -> tuple[UserRecord, str]:
        """Begin a session and return its owner and its cookie."""
        cookie = secrets.token_urlsafe(32)
        now = datetime.now(UTC)
        with self._database.write() as transaction:
            user = people.get_or_add_user(transaction, check_user_name(user_name), now)
            people.add_session(transaction, user.id, _digest(cookie), now, now + _SESSION_LIFETIME)
        return user, cookie

    def find_by_session(self, cookie: str) -> UserRecord | None:
        """Return who is signed in by a cookie."""
        with self._database.read() as transaction:
            return people.find_user_by_session(transaction, _digest(cookie), datetime.now(UTC))

    def sign_out(self, cookie: str) -> None:
        """End a session for good."""
        with self._database.write() as transaction:
            people.revoke_session(transaction, _digest(cookie), datetime.now(UTC))


def check_user_name(name: str) -> str:
    """Return a name that may be used.

    Raises:
        BadRequestError: It may not, or it is the installation's own.
    """
    if name.casefold() in RESERVED_NAMES:
        raise BadRequestError("name", f"The name `{name}` is kept for the installation itself. Choose another one.")
    if not _USER_NAME.fullmatch(name):
        raise BadRequestError(
            "name",
            "A name has 1 to 39 letters, digits, dots, hyphens or underscores, and begins with a letter or digit.",
        )
    return name


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
