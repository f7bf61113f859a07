"""The maintainer role: whom an operator lists, and who has a role in an organisation at the OpenID provider."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from db.identity_records import IdentityRecord
from db.records import UserRecord

ROLE_LIFETIME = timedelta(hours=12)
"""How long a role in an organisation counts after a sign-in, in sessions and tokens alike; then it is read again."""


@dataclass(frozen=True, slots=True)
class ProviderRules:
    """Who are maintainers where people sign in with an OpenID provider.

    Attributes:
        issuer: The provider.
        subjects: Maintainers that the operator lists.
        organisation: Organisation whose members with the role admin or write are maintainers.
    """

    issuer: str
    subjects: frozenset[str] = frozenset()
    organisation: str | None = None

    def is_maintainer(self, user: UserRecord, now: datetime) -> bool:
        """Tell whether a user is a maintainer by identity; a name proves nothing here."""
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
