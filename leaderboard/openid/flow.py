"""Authorization code flow of visitors, and verification of tokens from the device flow."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from leaderboard.openid.attempts import Attempt, AttemptCookies, begin_attempt
from leaderboard.openid.errors import SignInError
from leaderboard.openid.provider import Metadata, Provider
from submissions.accounts.openid_users import IdentityClaims

CALLBACK_PATH = "/login/callback"
SCOPES = ("openid", "profile")
MEMBERSHIP_SCOPE = "read-memberships"
_MAINTAINER_ROLES = frozenset({"admin", "write"})
_MAX_CODE_CHARACTERS = 2_000
_MAX_NAME_CHARACTERS = 255
_MAX_ORGANISATIONS = 1_000


@dataclass(frozen=True, slots=True)
class Begun:
    """A begun sign-in: the address to send the visitor to, and the cookie for their browser."""

    url: str
    cookie_name: str
    cookie: str


@dataclass(frozen=True, slots=True)
class Finished:
    """A sign-in confirmed by the provider."""

    profile: IdentityClaims
    next_path: str


class SignInFlow:
    """Sends visitors to the provider and verifies their return."""

    def __init__(
        self,
        provider: Provider,
        cookies: AttemptCookies,
        client_id: str,
        public_url: str,
        maintainer_org: str | None,
    ) -> None:
        """Configure the flow.

        Args:
            provider: The provider.
            cookies: Storage of attempts.
            client_id: Our client id at the provider.
            public_url: Our public address.
            maintainer_org: Organisation whose members with a certain role are maintainers.
        """
        self.provider = provider
        self.client_id = client_id
        self.cookies = cookies
        self._redirect_uri = public_url + CALLBACK_PATH
        self._maintainer_org = maintainer_org

    @property
    def scopes(self) -> tuple[str, ...]:
        """Requested scopes: memberships only if they matter."""
        return SCOPES if self._maintainer_org is None else (*SCOPES, MEMBERSHIP_SCOPE)

    async def begin(self, next_path: str) -> Begun:
        """Begin a sign-in.

        Raises:
            SignInError: The provider does not answer.
        """
        metadata = await self.provider.find_metadata()
        attempt = begin_attempt(next_path)
        query = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self._redirect_uri,
            "scope": " ".join(self.scopes),
            "state": attempt.state,
            "nonce": attempt.nonce,
            "code_challenge": attempt.challenge,
            "code_challenge_method": "S256",
        }
        separator = "&" if urlsplit(metadata.authorization_endpoint).query else "?"
        url = f"{metadata.authorization_endpoint}{separator}{urlencode(query)}"
        return Begun(url, self.cookies.name_cookie(attempt.state), self.cookies.seal(attempt))

    async def finish(self, query: Mapping[str, str], cookies: Mapping[str, str]) -> Finished:
        """Verify a visitor's return from the provider.

        Raises:
            SignInError: This browser did not begin the sign-in, or the provider does not confirm it.
        """
        attempt = self.cookies.find_attempt(cookies, query.get("state", ""))
        if attempt is None:
            message = "This sign-in was not started in this browser, or took longer than 10 minutes. Try again."
            raise SignInError(message, "no attempt in this browser belongs to the state")
        try:
            profile = await self._redeem(query, attempt)
        except SignInError as error:
            error.next_path = attempt.next_path
            raise
        return Finished(profile, attempt.next_path)

    async def verify_device(self, id_token: str, access_token: str) -> IdentityClaims:
        """Return the user of tokens from the device flow.

        Raises:
            SignInError: The tokens are for another client, belong to two users, expired, or are not the provider's.
        """
        return await self._find_profile(id_token, access_token, None)

    async def _redeem(self, query: Mapping[str, str], attempt: Attempt) -> IdentityClaims:
        metadata = await self.provider.find_metadata()
        code = _read_code(query, metadata)
        id_token, access_token = await self.provider.redeem_code(code, attempt.verifier, self._redirect_uri)
        return await self._find_profile(id_token, access_token, attempt.nonce)

    async def _find_profile(self, id_token: str, access_token: str, nonce: str | None) -> IdentityClaims:
        subject = await self.provider.verify(id_token, nonce)
        info = await self.provider.find_user_info(access_token, subject)
        name = info.get("preferred_username")
        is_name = isinstance(name, str) and len(name) <= _MAX_NAME_CHARACTERS
        organisation = self._maintainer_org if self._has_role(info.get("orgs")) else None
        return IdentityClaims(self.provider.issuer, subject, str(name) if is_name else None, organisation)

    def _has_role(self, organisations: Any) -> bool:
        if self._maintainer_org is None or not isinstance(organisations, list):
            return False
        return any(
            isinstance(one, dict)
            and one.get("preferred_username") == self._maintainer_org
            and one.get("roleInOrg") in _MAINTAINER_ROLES
            for one in organisations[:_MAX_ORGANISATIONS]
        )


def _read_code(query: Mapping[str, str], metadata: Metadata) -> str:
    if query.get("iss", metadata.issuer) != metadata.issuer:
        raise SignInError("The sign-in could not be verified. Try again.", "another issuer sent the visitor back")
    if query.get("error") == "access_denied":
        raise SignInError(
            "You declined the sign-in. Try again, or continue without signing in.", "the visitor declined"
        )
    if "error" in query:
        raise SignInError("The sign-in service reported an error. Try again.", "the provider sent an error back")
    code = query.get("code", "")
    if not 0 < len(code) <= _MAX_CODE_CHARACTERS or not code.isprintable():
        raise SignInError("The sign-in could not be verified. Try again.", "the visitor came back without a code")
    return code
