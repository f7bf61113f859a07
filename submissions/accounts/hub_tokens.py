"""Authentication by Hub access tokens: verified with the Hub, bounded, cached for a minute, never stored.

Only a keyed digest of a token is held; the key is new at every start.
"""

import asyncio
import hashlib
import hmac
import re
import secrets
import ssl
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakValueDictionary

import anyio
import httpx2

from submissions.accounts.openid_users import IdentityClaims
from submissions.accounts.whoami import WhoamiError, read_identity
from submissions.errors import NotSignedInError, SubmissionError
from submissions.hub.errors import HubBusyError, HubUnavailableError

_TOKEN = re.compile(r"hf_[A-Za-z0-9]{20,200}")
_PATH = "/api/whoami-v2"
_DEFAULT_PAUSE_SECONDS, _MAX_PAUSE_SECONDS = 10, 3_600
_UNAVAILABLE = "The Hub cannot confirm your token right now. Try again later, or use a token from the Account tab."


class RefusedHubTokenError(NotSignedInError):
    """The Hub does not know the token, or no longer."""

    challenge = 'Bearer error="invalid_token"'


@dataclass(frozen=True, slots=True)
class TokenLimits:
    """Limits of verification; times are in seconds.

    Attributes:
        timeout: Timeout of a verification.
        max_bytes: Maximum size of an answer.
        max_at_once: Maximum number of concurrent verifications.
        max_new_per_minute: Maximum number of verifications per minute of tokens that were not accepted before.
        max_known_per_minute: The same for tokens that were accepted before.
        cached_for: How long an answer is cached, which is how long a revoked token may still work.
        away_for: How long to send no requests after the Hub failed.
        max_cached: Maximum number of answers in the cache.
    """

    timeout: float = 5.0
    max_bytes: int = 1_000_000
    max_at_once: int = 8
    max_new_per_minute: int = 60
    max_known_per_minute: int = 600
    cached_for: float = 60.0
    away_for: float = 5.0
    max_cached: int = 1_000


_DEFAULT_LIMITS = TokenLimits()


def is_hub_token(text: str) -> bool:
    """Tell whether a text looks like a Hub access token."""
    return _TOKEN.fullmatch(text) is not None


class HubTokens:
    """Finds the owners of Hub tokens. Used from one event loop."""

    def __init__(
        self, endpoint: str, limits: TokenLimits = _DEFAULT_LIMITS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Take the address of the Hub, which is also the issuer of its users' identities."""
        self._endpoint = endpoint.rstrip("/")
        self._limits = limits
        self._clock = clock
        self._key = secrets.token_bytes(32)
        self._cache: OrderedDict[bytes, tuple[float, IdentityClaims | SubmissionError]] = OrderedDict()
        self._locks: WeakValueDictionary[bytes, asyncio.Lock] = WeakValueDictionary()
        self._new, self._known = deque[float](), deque[float]()
        self._n_under_way = 0
        self._away_until = 0.0

    async def identify(self, token: str) -> IdentityClaims:
        """Return the owner of a token.

        Raises:
            RefusedHubTokenError: The Hub does not accept the token.
            NotAllowedError: The token lacks permissions.
            HubUnavailableError, HubBusyError: The token cannot be verified now.
        """
        digest = hmac.digest(self._key, token.encode(), hashlib.sha256)
        # Requests with the same token share one verification.
        async with self._locks.setdefault(digest, asyncio.Lock()):
            until, result = self._cache.get(digest, (0.0, None))
            if result is None or until <= self._clock():
                self._admit(is_known=isinstance(result, IdentityClaims))
                result = await self._check(token)
                self._cache_result(digest, result)
        if isinstance(result, SubmissionError):
            raise result
        return result

    def _admit(self, *, is_known: bool) -> None:
        """Raise an error if too many tokens are being verified. Unknown tokens use no capacity of known ones."""
        now = self._clock()
        if now < self._away_until:
            raise HubUnavailableError(_UNAVAILABLE)
        if self._n_under_way >= self._limits.max_at_once:
            raise _make_busy(1)
        sent = self._known if is_known else self._new
        limit = self._limits.max_known_per_minute if is_known else self._limits.max_new_per_minute
        while sent and sent[0] <= now - 60:
            sent.popleft()
        if len(sent) >= limit:
            raise _make_busy(max(1, round(60 - (now - sent[0]))))
        sent.append(now)

    def _cache_result(self, digest: bytes, result: IdentityClaims | SubmissionError) -> None:
        self._cache[digest] = (self._clock() + self._limits.cached_for, result)
        self._cache.move_to_end(digest)
        while len(self._cache) > self._limits.max_cached:
            self._cache.popitem(last=False)

    async def _check(self, token: str) -> IdentityClaims | SubmissionError:
        """Return the owner of a token, or why it is refused.

        Raises:
            HubUnavailableError, HubBusyError: The Hub does not answer.
        """
        self._n_under_way += 1
        try:
            with anyio.fail_after(self._limits.timeout):
                status, headers, body = await self._send(token)
        except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError):
            raise self._note_failure() from None
        finally:
            self._n_under_way -= 1
        if status in (401, 403):
            return RefusedHubTokenError(
                "The Hub does not accept the token in the Authorization header. Create a new one at "
                f"{self._endpoint}/settings/tokens."
            )
        if status == 429:
            raise _make_busy(_read_pause(headers.get("retry-after", "")))
        if status != 200:
            raise self._note_failure()
        try:
            return read_identity(body, self._endpoint)
        except SubmissionError as error:
            return error
        except WhoamiError:
            raise self._note_failure() from None

    def _note_failure(self) -> HubUnavailableError:
        self._away_until = self._clock() + self._limits.away_for
        return HubUnavailableError(_UNAVAILABLE)

    async def _send(self, token: str) -> tuple[int, httpx2.Headers, bytes]:
        # The size of a compressed answer is known only after decompression. Redirects are not followed: they could send
        # the token to another host.
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json", "Accept-Encoding": "identity"}
        client = httpx2.AsyncClient(verify=self._tls, trust_env=False, timeout=self._limits.timeout)
        async with client, client.stream("GET", self._endpoint + _PATH, headers=headers) as response:
            body = bytearray()
            async for chunk in response.aiter_raw():
                body += chunk
                if len(body) > self._limits.max_bytes:
                    return 502, response.headers, b""
            return response.status_code, response.headers, bytes(body)

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return httpx2.create_ssl_context(trust_env=False)


def _make_busy(seconds: int) -> HubBusyError:
    return HubBusyError(f"The server is checking too many Hub tokens. Try again in {seconds} s.", seconds)


def _read_pause(text: str) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) <= 6
    return max(1, min(int(text), _MAX_PAUSE_SECONDS)) if is_number else _DEFAULT_PAUSE_SECONDS
