"""Records of OpenID identities and of sessions."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class IdentityRecord:
    """Identity of a user at an OpenID provider. Neither a new user name nor a reused one changes it.

    Attributes:
        id: Number of the identity.
        user_id: Whose identity it is.
        issuer: The provider.
        subject: Their identifier there, which is never reassigned.
        handle: The user name derived from what the provider called them last; None before their first sign-in.
        maintainer_org: Organisation that gave them the maintainer role at their last sign-in.
        maintainer_until: When that role ends; None without one.
    """

    id: int
    user_id: int
    issuer: str
    subject: str
    handle: str | None
    maintainer_org: str | None = None
    maintainer_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A signed-in browser.

    Attributes:
        id: Identifies the session in lists and for revoking; it cannot be used to sign in.
        created_at: When its owner signed in.
        last_used_at: Start of the hour in which it was last used; None where that is not known.
        expires_at: When it ends at the latest.
    """

    id: str
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime
