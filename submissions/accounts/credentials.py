"""Credentials: tokens for programs, sessions for browsers. Only digests of either are stored."""

import hashlib
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from db.errors import DatabaseUnableError
from db.identity_records import SessionRecord
from db.records import TokenRecord, UserRecord
from db.repositories import audit, identities, sessions, users
from db.repositories.look_alikes import fold_name
from db.session import Database, Transaction
from submissions.accounts.maintainers import ProviderRules
from submissions.errors import BadRequestError, NotAllowedError, NotFoundError

TOKEN_PREFIX = "esh_"  # noqa: S105 - what every token begins with
SYSTEM_USER = "earshot"
# Actors in the events of a submission other than users; no user may have these names.
OPERATOR = "system"  # an operator at the machine itself
RESERVED_NAMES = frozenset({SYSTEM_USER, OPERATOR, "evaluator", "maintainer", "scheduler"})
SESSION_LIFETIME = timedelta(days=30)
MAX_SESSIONS = 50
MAX_TOKENS = 50
_LARGEST_ID = 2**31 - 1
_MAX_LABEL_CHARACTERS = 100
_SESSION_ID = re.compile(rf"[0-9a-f]{{{sessions.ID_CHARACTERS}}}")
# Names appear in pages, events and paths of other tools: letters, digits and three symbols.
_USER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,38}")


@dataclass(frozen=True, slots=True)
class NewToken:
    """A new token with its secret, which is shown only once."""

    record: TokenRecord
    secret: str = field(repr=False)


class Accounts:
    """Creates and verifies tokens and sessions."""

    def __init__(self, database: Database, maintainers: tuple[str, ...], provider: ProviderRules | None = None) -> None:
        """Take the database and the maintainers: names, or the rules of an OpenID provider."""
        self.database = database
        self._maintainers = frozenset(name.lower() for name in maintainers)
        self._provider = provider

    @property
    def _issuer(self) -> str | None:
        return None if self._provider is None else self._provider.issuer

    def is_maintainer(self, user: UserRecord | None) -> bool:
        """Tell whether a user has the maintainer role."""
        if user is None:
            return False
        if self._provider is not None:
            return self._provider.is_maintainer(user, datetime.now(UTC))
        return user.name.lower() in self._maintainers

    def require_maintainer(self, user: UserRecord) -> None:
        """Raise an error unless the user is a maintainer.

        Raises:
            NotAllowedError: The user is not a maintainer.
        """
        if not self.is_maintainer(user):
            raise NotAllowedError("Only a maintainer can do this.")

    def create_token(self, user_name: str, label: str = "", actor: str | None = None) -> str:
        """Create a personal token for a user name; its secret is shown only once.

        Args:
            user_name: Owner of the token.
            label: Purpose of the token.
            actor: Who creates it; by default the owner.

        Raises:
            BadRequestError: The name or label is invalid, or the user has too many tokens.
        """
        check_user_name(user_name)
        with self.database.write() as transaction:
            user = _get_user(transaction, user_name, datetime.now(UTC))
        return self.add_token(user, label, actor).secret

    def add_token(
        self, user: UserRecord, label: str, actor: str | None = None, exchange_digest: str | None = None
    ) -> NewToken:
        """Create another personal token, whose secret is shown only once. By default the actor is the owner.

        Args:
            user: Owner of the token.
            label: Purpose of the token.
            actor: Who creates it.
            exchange_digest: Digest of the provider's token it is exchanged for; each can be exchanged once.

        Raises:
            BadRequestError: The label is invalid, or the user has too many tokens.
            DuplicateError: The provider's token has already been exchanged.
        """
        secret = TOKEN_PREFIX + secrets.token_urlsafe(32)
        now = datetime.now(UTC)
        with self.database.write() as transaction:
            users.lock_user(transaction, user.id)
            if len(users.list_tokens(transaction, user.id)) >= MAX_TOKENS:
                raise BadRequestError(
                    "label", f"{user.name} has {MAX_TOKENS} tokens, which is the maximum. Revoke one first."
                )
            token_id = users.add_token(
                transaction, user.id, _check_label(label), digest_secret(secret), now, exchange_digest
            )
            audit.append(transaction, actor or user.name, "create-token", user.name, {"label": label}, now)
        return NewToken(TokenRecord(token_id, label, now), secret)

    def list_tokens(self, user: UserRecord) -> list[TokenRecord]:
        """Return a user's tokens, oldest first, without secrets."""
        with self.database.read() as transaction:
            return users.list_tokens(transaction, user.id)

    def revoke_token(self, user: UserRecord, token_id: int, actor: str | None = None) -> None:
        """Revoke a token: the next request with it is refused.

        Raises:
            NotFoundError: The user has no such token, or it is already revoked.
        """
        now = datetime.now(UTC)
        with self.database.write() as transaction:
            if not 0 < token_id <= _LARGEST_ID or not users.revoke_token(transaction, user.id, token_id, now):
                raise NotFoundError(f"You have no token {token_id}. You may have revoked it already.")
            audit.append(transaction, actor or user.name, "revoke-token", user.name, {"token": token_id}, now)

    def find_by_name(self, user_name: str) -> UserRecord:
        """Return the user with a name.

        Raises:
            NotFoundError: There is no such user.
        """
        with self.database.read() as transaction:
            user = users.find_user(transaction, user_name)
        if user is None:
            raise NotFoundError(f"Unknown user `{user_name}`.")
        return user

    def find_by_token(self, token: str) -> UserRecord | None:
        """Return the owner of a token."""
        if not token.startswith(TOKEN_PREFIX):
            return None
        with self.database.read() as transaction:
            return users.find_user_by_token(transaction, digest_secret(token), self._issuer)

    def sign_in(self, user_name: str) -> tuple[UserRecord, str]:
        """Start a session; return its owner and its cookie."""
        cookie = secrets.token_urlsafe(32)
        now = datetime.now(UTC)
        with self.database.write() as transaction:
            user = _get_user(transaction, check_user_name(user_name), now)
            sessions.delete_ended_sessions(transaction, user.id, now, MAX_SESSIONS - 1)
            sessions.add_session(transaction, user.id, digest_secret(cookie), now, now + SESSION_LIFETIME)
        return user, cookie

    def find_by_session(self, cookie: str) -> UserRecord | None:
        """Return the user of a session cookie. If a provider signs users in, sessions by name are invalid."""
        digest, now = digest_secret(cookie), datetime.now(UTC)
        with self.database.read() as transaction:
            found = sessions.find_user_by_session(transaction, digest, now, self._issuer)
        if found is None:
            return None
        user, is_first_use = found
        if is_first_use:
            self._note_use(digest, now)
        return user

    def _note_use(self, digest: str, now: datetime) -> None:
        # A full disk must not sign users out; an unavailable replica or a busy database must not prevent reading.
        with suppress(DatabaseUnableError), self.database.write(acknowledged=False, waits=False) as transaction:
            sessions.note_use(transaction, digest, now)

    def sign_out(self, cookie: str) -> None:
        """End a session."""
        with self.database.write() as transaction:
            sessions.revoke_session(transaction, digest_secret(cookie), datetime.now(UTC))

    def list_sessions(self, user: UserRecord) -> list[SessionRecord]:
        """Return a user's sessions, newest first."""
        with self.database.read() as transaction:
            return sessions.list_sessions(transaction, user.id, datetime.now(UTC))

    def revoke_session(self, user: UserRecord, session_id: str) -> None:
        """End a session by its listed id.

        Raises:
            NotFoundError: The user has no such session, or it has ended.
        """
        now = datetime.now(UTC)
        with self.database.write() as transaction:
            is_id = _SESSION_ID.fullmatch(session_id) is not None
            if not is_id or not sessions.revoke_listed_session(transaction, user.id, session_id, now):
                raise NotFoundError("You have no such session. It may have ended already.")
            audit.append(transaction, user.name, "revoke-session", user.name, {"session": session_id}, now)


def get_session_id(cookie: str) -> str:
    """Return the listed id of a cookie's session."""
    return digest_secret(cookie)[: sessions.ID_CHARACTERS]


def _get_user(transaction: Transaction, name: str, now: datetime) -> UserRecord:
    """Return the user with a name, in upper or lower case; create one for a new name.

    Raises:
        BadRequestError: The name looks like that of another user, or belonged to a user who was renamed.
    """
    user = users.find_user(transaction, name)
    if user is not None:
        return user
    identities.lock_names(transaction)
    similar = identities.find_look_alike(transaction, name)
    if similar is not None and similar.name.lower() == name.lower():
        return similar
    if similar is not None:
        raise BadRequestError("name", f"`{name}` looks like the name of the user `{similar.name}`. Choose another one.")
    holder = identities.find_former_holder(transaction, name)
    if holder is not None:
        raise BadRequestError("name", f"`{name}` is now called `{holder.name}`. Old names cannot be reused.")
    return users.get_or_add_user(transaction, name, now)


def is_reserved(name: str) -> bool:
    """Tell whether no user may have a name, because it is or looks like the name of a part of Earshot."""
    return fold_name(name) in {fold_name(reserved) for reserved in RESERVED_NAMES}


def check_user_name(name: str) -> str:
    """Validate and return a user name.

    Raises:
        BadRequestError: The name is invalid or reserved.
    """
    if is_reserved(name):
        raise BadRequestError("name", f"The name `{name}` is reserved. Choose another one.")
    if not _USER_NAME.fullmatch(name):
        raise BadRequestError(
            "name",
            "Invalid user name. Use 1 to 39 letters, digits, dots, hyphens or underscores, and begin with a letter "
            "or digit.",
        )
    return name


def _check_label(label: str) -> str:
    if len(label) > _MAX_LABEL_CHARACTERS or not label.isprintable():
        raise BadRequestError("label", f"Invalid token name. Use up to {_MAX_LABEL_CHARACTERS} printable characters.")
    return label


def digest_secret(secret: str) -> str:
    """Return the stored digest of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()
