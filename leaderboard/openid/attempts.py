"""Sign-in attempts: the state that the callback needs, sealed in a cookie of the browser that began the sign-in.

A cookie instead of a database row: visitors cannot fill a table, it survives restarts, and other browsers lack it.
"""

import base64
import binascii
import hashlib
import re
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from urllib.parse import urlsplit

import orjson

from submissions.keys.sealing import SealError, seal, unseal

ATTEMPT_SECONDS = 600
MAX_ATTEMPTS = 5
"""Sign-ins that one browser may have under way, in several tabs."""
_PURPOSE = "openid-attempt"
_PREFIX = "earshot_attempt_"
_NAME_CHARACTERS = 12
# The state arrives in an address that anyone can construct.
_STATE = re.compile(r"[A-Za-z0-9_-]{20,100}")
_MAX_PATH_CHARACTERS = 1_500
_OWN_PATHS = ("/auth/", "/login/")


@dataclass(frozen=True, slots=True)
class Attempt:
    """A sign-in in progress."""

    state: str
    nonce: str
    next_path: str
    begun_at: int
    verifier: str = field(repr=False)

    @property
    def challenge(self) -> str:
        """The PKCE challenge of the verifier (S256)."""
        return _to_base64(hashlib.sha256(self.verifier.encode()).digest())


class AttemptCookies:
    """Stores attempts in cookies and reads them back."""

    def __init__(self, server_secrets: Sequence[str], *, is_secure: bool) -> None:
        """Take the server's secrets, the current one first, and whether visitors use HTTPS."""
        self._secrets = tuple(server_secrets)
        self._prefix = f"__Host-{_PREFIX}" if is_secure else _PREFIX

    def name_cookie(self, state: str) -> str:
        """Return the name of an attempt's cookie; every tab has its own."""
        return self._prefix + (state[:_NAME_CHARACTERS] if _STATE.fullmatch(state) else "none")

    def seal(self, attempt: Attempt) -> str:
        """Return the value of an attempt's cookie."""
        return _to_base64(seal(self._secrets[0], _PURPOSE, orjson.dumps(asdict(attempt))))

    def find_attempt(self, cookies: Mapping[str, str], state: str) -> Attempt | None:
        """Return the attempt that a state belongs to, if this browser began it and it has not expired."""
        sealed = cookies.get(self.name_cookie(state))
        attempt = self._open(sealed) if sealed else None
        if attempt is None or not secrets.compare_digest(attempt.state.encode(), state.encode()):
            return None
        age = time.time() - attempt.begun_at
        return attempt if -ATTEMPT_SECONDS < age < ATTEMPT_SECONDS else None

    def list_surplus(self, cookies: Mapping[str, str]) -> list[str]:
        """Return the names of cookies to delete before another attempt, so that they do not accumulate."""
        names = [name for name in cookies if name.startswith(self._prefix)]
        return names if len(names) >= MAX_ATTEMPTS else []

    def _open(self, sealed: str) -> Attempt | None:
        try:
            raw = base64.urlsafe_b64decode(sealed + "=" * (-len(sealed) % 4))
        except (ValueError, binascii.Error):
            return None
        for secret in self._secrets:
            try:
                return Attempt(**orjson.loads(unseal(secret, _PURPOSE, raw)))
            except SealError:
                continue
        return None


def begin_attempt(next_path: str) -> Attempt:
    """Return a new attempt with unguessable values."""
    state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
    return Attempt(state, nonce, next_path, int(time.time()), verifier)


def read_next_path(value: str) -> str:
    """Return the path on this site to open after signing in; the start page for anything else."""
    is_path = value.startswith("/") and not value.startswith("//") and len(value) <= _MAX_PATH_CHARACTERS
    if not is_path or not value.isascii() or not value.isprintable() or "\\" in value or " " in value:
        return "/"
    parts = urlsplit(value)
    if parts.scheme or parts.netloc or "//" in parts.path or parts.path.startswith(_OWN_PATHS):
        return "/"
    return value


def _to_base64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
