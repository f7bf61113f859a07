"""Records of OpenID identities and sessions."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class IdentityRecord:
    """Identity of a user at an OpenID provider. It stays the same when user names change or are reused.

    Attributes:
        id: Number of the identity.
        user_id: User that owns it.
        issuer: Issuer URL of the provider.
        subject: Subject identifier at the provider, which is never reassigned.
        handle: User name derived from the provider's latest name for the user; None before the first sign-in.
        maintainer_org: Organisation that granted the maintainer role at the last sign-in.
        maintainer_until: Expiry of that role; None without one.
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
        id: ID for listing and revoking the session. It does not authenticate.
        created_at: When its owner signed in.
        last_used_at: Start of the hour of its last use; None if unknown.
        expires_at: Latest expiry.
    """

    id: str
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime
