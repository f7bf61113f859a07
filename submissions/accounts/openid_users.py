"""Users of an OpenID provider: identified by issuer and subject, shown under a name that may change."""

import re
import secrets
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from db.errors import DuplicateError
from db.identity_records import IdentityRecord
from db.records import UserRecord
from db.repositories import audit, identities, sessions, users
from db.session import Transaction
from submissions.accounts.credentials import (
    MAX_SESSIONS,
    OPERATOR,
    SESSION_LIFETIME,
    Accounts,
    NewToken,
    check_user_name,
    digest_secret,
    is_reserved,
)
from submissions.accounts.maintainers import ROLE_LIFETIME, ProviderRules
from submissions.errors import BadRequestError, NotFoundError, StateError

MAX_NAME_CHARACTERS = 39
MAX_SUBJECT_CHARACTERS = 255
_NUMBERED_NAMES = 20
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")
_NAMELESS = "user"


@dataclass(frozen=True, slots=True)
class IdentityClaims:
    """Verified claims of a provider about a user who signs in.

    Attributes:
        issuer: The provider.
        subject: The user's identifier there.
        preferred_username: The user's name there; it may change, and may have been another user's.
        organisation: The maintainers' organisation, if the user has a role in it that makes them a maintainer.
    """

    issuer: str
    subject: str
    preferred_username: str | None = None
    organisation: str | None = None


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A new session."""

    user: UserRecord
    cookie: str = field(repr=False)
    lifetime: timedelta


class Identities:
    """Signs users in by their provider's claims, and links existing users to an identity."""

    def __init__(self, accounts: Accounts, rules: ProviderRules) -> None:
        self._database = accounts.database
        self._accounts = accounts
        self._rules = rules

    def sign_in(self, profile: IdentityClaims) -> SignedIn:
        """Start a session; create the user at their first sign-in."""
        cookie = secrets.token_urlsafe(32)
        now = datetime.now(UTC)
        by_role = profile.organisation is not None and not self._rules.is_listed(profile.subject)
        lifetime = ROLE_LIFETIME if by_role else SESSION_LIFETIME
        with self._database.write() as transaction:
            user = _recognise(transaction, profile, now)
            identity_id = user.identity.id if user.identity else None
            sessions.delete_ended_sessions(transaction, user.id, now, MAX_SESSIONS - 1)
            sessions.add_session(transaction, user.id, digest_secret(cookie), now, now + lifetime, identity_id)
        return SignedIn(user, cookie, lifetime)

    def find_or_add_user(self, profile: IdentityClaims) -> UserRecord:
        """Return the user of an identity without a sign-in. Roles stay as of the last sign-in."""
        handle = make_handle(profile.preferred_username)
        with self._database.read() as transaction:
            known = identities.find_identity(transaction, profile.issuer, profile.subject)
            if known is not None and known.handle == handle:
                return identities.get_user(transaction, known)
        now = datetime.now(UTC)
        with self._database.write() as transaction:
            known = _recognise_identity(transaction, profile, handle, now)
            org, until = known.maintainer_org, known.maintainer_until
            updated = identities.update_identity(
                transaction, known.id, handle=handle, maintainer_org=org, maintainer_until=until, now=now
            )
            return identities.get_user(transaction, updated)

    def exchange(self, profile: IdentityClaims, provider_token: str, label: str) -> NewToken:
        """Create a personal token in exchange for a provider's token, once.

        Raises:
            StateError: The provider's token has already been exchanged.
            BadRequestError: The label is invalid, or the user has too many tokens.
        """
        with self._database.write() as transaction:
            user = _recognise(transaction, profile, datetime.now(UTC))
        try:
            return self._accounts.add_token(user, label, exchange_digest=digest_secret(provider_token))
        except DuplicateError:
            raise StateError("This sign-in was already exchanged for a token. Sign in again.") from None

    def link(self, user_name: str, subject: str) -> IdentityRecord:
        """Link an existing user to an identity; only operators do this.

        Raises:
            NotFoundError: The user does not exist.
            BadRequestError: The subject is invalid.
            StateError: The user has another identity, or the identity belongs to a user with submissions or tokens.
        """
        check_user_name(user_name)
        if not is_subject(subject):
            raise BadRequestError(
                "subject", f"Invalid subject. Use 1 to {MAX_SUBJECT_CHARACTERS} printable characters."
            )
        issuer, now = self._rules.issuer, datetime.now(UTC)
        with self._database.write() as transaction:
            identities.lock_names(transaction)
            user = users.find_user(transaction, user_name)
            if user is None:
                raise NotFoundError(f"Unknown user `{user_name}`.")
            linked = _link(transaction, user, issuer, subject, now)
            details = {"issuer": issuer, "subject": subject}
            audit.append(transaction, OPERATOR, "link-account", user.name, details, now)
        return linked


def make_handle(preferred_username: str | None) -> str:
    """Return the available user name closest to the provider's name."""
    ascii_name = unicodedata.normalize("NFKD", preferred_username or "").encode("ascii", "ignore").decode()
    handle = _NOT_IN_NAMES.sub("-", ascii_name[:1_000]).strip("._-")[:MAX_NAME_CHARACTERS].rstrip("._-")
    return handle or _NAMELESS


def is_subject(value: object) -> bool:
    """Tell whether a value is a valid subject."""
    return isinstance(value, str) and 0 < len(value) <= MAX_SUBJECT_CHARACTERS and value.isprintable()


def _recognise(transaction: Transaction, profile: IdentityClaims, now: datetime) -> UserRecord:
    """Return the user who signs in, with the role and name that the provider states now."""
    handle = make_handle(profile.preferred_username)
    known = _recognise_identity(transaction, profile, handle, now)
    organisation = profile.organisation
    updated = identities.update_identity(
        transaction,
        known.id,
        handle=handle,
        maintainer_org=organisation,
        maintainer_until=now + ROLE_LIFETIME if organisation is not None else None,
        now=now,
    )
    return identities.get_user(transaction, updated)


def _recognise_identity(
    transaction: Transaction, profile: IdentityClaims, handle: str, now: datetime
) -> IdentityRecord:
    """Return the identity of a profile; create or rename its user as needed."""
    identities.lock_names(transaction)
    known = identities.find_identity(transaction, profile.issuer, profile.subject)
    if known is None:
        return _add_user(transaction, profile, handle, now)
    if known.handle not in (None, handle):
        _rename(transaction, identities.get_user(transaction, known), handle, now)
    return known


def _add_user(transaction: Transaction, profile: IdentityClaims, handle: str, now: datetime) -> IdentityRecord:
    name = _find_free_name(transaction, handle, None)
    user = users.get_or_add_user(transaction, name, now)
    identity = identities.add_identity(transaction, user.id, profile.issuer, profile.subject, now)
    details = {"issuer": profile.issuer, "subject": profile.subject}
    audit.append(transaction, name, "create-account", name, details, now)
    return identity


def _rename(transaction: Transaction, user: UserRecord, handle: str, now: datetime) -> None:
    name = _find_free_name(transaction, handle, user.id)
    if name != user.name:
        identities.rename_user(transaction, user.id, name)
        audit.append(transaction, name, "rename-account", name, {"before": user.name}, now)


def _find_free_name(transaction: Transaction, handle: str, user_id: int | None) -> str:
    """Return the first name similar to a handle that no other user has or had."""
    for name in _list_names(handle):
        if not is_reserved(name) and not identities.is_name_taken(transaction, name, user_id):
            return name
    raise AssertionError("random names do not run out")


def _list_names(handle: str) -> Iterator[str]:
    yield handle
    for number in range(2, _NUMBERED_NAMES + 1):
        yield f"{handle[: MAX_NAME_CHARACTERS - 3]}-{number}"
    while True:
        yield f"{handle[: MAX_NAME_CHARACTERS - 9]}-{secrets.token_hex(4)}"


def _link(transaction: Transaction, user: UserRecord, issuer: str, subject: str, now: datetime) -> IdentityRecord:
    own = identities.find_identity_of(transaction, user.id, issuer)
    if own is not None and own.subject == subject:
        return own
    if own is not None:
        raise StateError(f"`{user.name}` is already linked to another identity of {issuer}.")
    known = identities.find_identity(transaction, issuer, subject)
    if known is None:
        return identities.add_identity(transaction, user.id, issuer, subject, now)
    holder = identities.get_user(transaction, known)
    if identities.has_left_traces(transaction, holder.id):
        raise StateError(f"This identity belongs to `{holder.name}`, who has submissions or tokens.")
    identities.move_identity(transaction, known.id, user.id)
    sessions.revoke_sessions_of(transaction, known.id, now)
    return known
