"""Maintainer role: users listed by the operator, and members with a role in an organisation at the OpenID provider."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from db.identity_records import IdentityRecord
from db.records import UserRecord

ROLE_LIFETIME = timedelta(hours=12)
"""How long an organisation role counts after a sign-in, in sessions and tokens; then it is read again."""


@dataclass(frozen=True, slots=True)
class ProviderRules:
    """Rules that decide who is a maintainer under sign-in with an OpenID provider.

    Attributes:
        issuer: The provider.
        subjects: Subjects of maintainers listed by the operator.
        organisation: Organisation whose members with the role admin or write are maintainers.
    """

    issuer: str
    subjects: frozenset[str] = frozenset()
    organisation: str | None = None

    def is_maintainer(self, user: UserRecord, now: datetime) -> bool:
        """Tell whether a user is a maintainer by identity; names prove nothing here."""
        identity = user.identity
        if identity is None or identity.issuer != self.issuer:
            return False
        return identity.subject in self.subjects or self._has_role(identity, now)

    def is_listed(self, subject: str) -> bool:
        """Tell whether the operator lists a subject."""
        return subject in self.subjects

    def _has_role(self, identity: IdentityRecord, now: datetime) -> bool:
        if self.organisation is None or identity.maintainer_org != self.organisation:
            return False
        return identity.maintainer_until is not None and now < identity.maintainer_until
