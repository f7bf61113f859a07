"""Client of an OpenID provider: metadata, keys, tokens and user info, with limits on time and size."""

import asyncio
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import anyio
import httpx2
import orjson

from leaderboard.openid.errors import ProviderError, RefusedGrantError, SignInError
from leaderboard.openid.id_tokens import Expected, PublicKey, UnknownKeyError, read_keys, verify_id_token
from settings import is_https_or_loopback

CALL_SECONDS = 10.0
MAX_ANSWER_BYTES = 262_144
CACHE_SECONDS = 3_600.0
MAX_CALLS_AT_ONCE = 32
_METADATA_PATH = "/.well-known/openid-configuration"
_BUSY = "Too many people are signing in at once. Try again in a moment."
_MAX_ENDPOINT_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True)
class Metadata:
    """Endpoints of a provider."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    userinfo_endpoint: str
    jwks_uri: str
    device_authorization_endpoint: str | None


@dataclass(frozen=True, slots=True)
class ClientCredentials:
    """Our client id and secret at the provider."""

    client_id: str
    client_secret: str

    def __repr__(self) -> str:
        return f"Client({self.client_id!r})"


class Provider:
    """An OpenID provider. Metadata and keys are cached for an hour; an unknown key triggers reading the keys again."""

    def __init__(self, issuer: str, client: ClientCredentials, seconds: float = CALL_SECONDS) -> None:
        """Take the provider's address without a trailing slash, our credentials, and the timeout of a call."""
        self.issuer = issuer
        self._client = client
        self._seconds = seconds
        self._metadata: tuple[float, Metadata] | None = None
        self._keys: tuple[float, dict[str | None, list[PublicKey]]] | None = None
        self._reading = asyncio.Lock()
        self._failed_at = 0.0
        self._calls = asyncio.Semaphore(MAX_CALLS_AT_ONCE)

    async def find_metadata(self) -> Metadata:
        """Return the provider's endpoints.

        Raises:
            ProviderError: The provider does not publish valid metadata.
        """
        asked_at = time.monotonic()
        async with self._reading:
            if self._metadata is None or _is_old(self._metadata[0]):
                answer = await self._read(self.issuer + _METADATA_PATH, asked_at)
                self._metadata = (time.monotonic(), _read_metadata(answer, self.issuer))
            return self._metadata[1]

    async def redeem_code(self, code: str, verifier: str, redirect_uri: str) -> tuple[str, str]:
        """Exchange an authorization code; return the ID token and the access token.

        Raises:
            RefusedGrantError: The code has expired, was used before, or is for another attempt.
            ProviderError: The provider does not answer, or not as specified.
        """
        metadata = await self.find_metadata()
        fields = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
        }
        credentials = httpx2.BasicAuth(self._client.client_id, self._client.client_secret)
        answer = await self._call("POST", metadata.token_endpoint, data=fields, auth=credentials)
        id_token, access_token = answer.get("id_token"), answer.get("access_token")
        if not isinstance(id_token, str) or not isinstance(access_token, str):
            raise ProviderError("the token endpoint answered without tokens")
        return id_token, access_token

    async def verify(self, id_token: str, nonce: str | None) -> str:
        """Return the subject of an ID token; an unknown key triggers reading the keys again, once.

        Raises:
            SignInError: The token fails verification, or the provider does not answer.
        """
        metadata = await self.find_metadata()
        expected = Expected(metadata.issuer, self._client.client_id, nonce)
        try:
            return verify_id_token(id_token, await self._find_keys(metadata), expected)
        except UnknownKeyError:
            return verify_id_token(id_token, await self._find_keys(metadata, is_fresh=True), expected)

    async def find_user_info(self, access_token: str, subject: str) -> Mapping[str, Any]:
        """Return the provider's claims about a user.

        Raises:
            ProviderError: There are none, or they are about another user.
        """
        metadata = await self.find_metadata()
        headers = {"Authorization": f"Bearer {access_token}"}
        answer = await self._call("GET", metadata.userinfo_endpoint, headers=headers)
        if answer.get("sub") != subject:
            raise ProviderError("the user info is about another subject than the ID token")
        return answer

    async def _find_keys(self, metadata: Metadata, *, is_fresh: bool = False) -> dict[str | None, list[PublicKey]]:
        asked_at = time.monotonic()
        async with self._reading:
            is_read_since = self._keys is not None and self._keys[0] > asked_at
            if self._keys is None or _is_old(self._keys[0]) or (is_fresh and not is_read_since):
                answer = await self._read(metadata.jwks_uri, asked_at)
                self._keys = (time.monotonic(), read_keys(answer))
            return self._keys[1]

    async def _read(self, url: str, asked_at: float) -> dict[str, Any]:
        """Read metadata or keys once for all concurrent callers; if that fails, waiting callers do not each retry."""
        if self._failed_at > asked_at:
            raise ProviderError("another call to the provider failed at the same time")
        try:
            return await self._call("GET", url)
        except SignInError:
            self._failed_at = time.monotonic()
            raise

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return httpx2.create_ssl_context(trust_env=False)

    async def _call(self, method: str, url: str, **options: Any) -> dict[str, Any]:
        """Return the JSON object at an address of the provider.

        Raises:
            RefusedGrantError: The provider refuses the request.
            ProviderError: The provider's answer is late, too large or invalid.
        """
        if self._calls.locked():
            raise SignInError(_BUSY, "too many calls to the provider at once", 503)
        async with self._calls:
            try:
                with anyio.fail_after(self._seconds):
                    status, body = await self._send(method, url, options)
            except (TimeoutError, httpx2.HTTPError, httpx2.InvalidURL) as error:
                raise ProviderError(f"a call to the provider failed ({type(error).__name__})") from None
        if status == 400 and method == "POST":
            raise RefusedGrantError("the provider refused a grant")
        if status != 200:
            raise ProviderError(f"the provider answered with status {status}")
        return _read_object(body)

    async def _send(self, method: str, url: str, options: dict[str, Any]) -> tuple[int, bytes]:
        # The size of a compressed answer is known only after decompression.
        headers = {"Accept": "application/json", "Accept-Encoding": "identity", **options.pop("headers", {})}
        client = httpx2.AsyncClient(verify=self._tls, trust_env=False, timeout=self._seconds)
        async with client, client.stream(method, url, headers=headers, **options) as response:
            body = bytearray()
            async for chunk in response.aiter_raw():
                body += chunk
                if len(body) > MAX_ANSWER_BYTES:
                    raise ProviderError("an answer of the provider is too large")
            return response.status_code, bytes(body)


def _is_old(read_at: float) -> bool:
    return time.monotonic() - read_at > CACHE_SECONDS


def _read_object(body: bytes) -> dict[str, Any]:
    try:
        answer = orjson.loads(body)
    except orjson.JSONDecodeError:
        answer = None
    if not isinstance(answer, dict):
        raise ProviderError("an answer of the provider is not a JSON object")
    return answer


def _read_metadata(answer: Mapping[str, Any], issuer: str) -> Metadata:
    named = answer.get("issuer")
    if not isinstance(named, str) or named.rstrip("/") != issuer:
        raise ProviderError("the metadata are of another issuer")
    names = ("authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri")
    endpoints = [_read_endpoint(answer.get(name), issuer) for name in names]
    authorization, token, user_info, keys = endpoints
    if authorization is None or token is None or user_info is None or keys is None:
        raise ProviderError("the metadata lack an endpoint")
    device = _read_endpoint(answer.get("device_authorization_endpoint"), issuer)
    return Metadata(named, authorization, token, user_info, keys, device)


def _read_endpoint(value: object, issuer: str) -> str | None:
    """Return an address as trustworthy as the issuer; plain HTTP only if the issuer is on loopback."""
    if not isinstance(value, str) or len(value) > _MAX_ENDPOINT_CHARACTERS or not value.isascii():
        return None
    if not value.isprintable() or not is_https_or_loopback(value):
        return None
    return value if value.startswith("https://") or issuer.startswith("http://") else None
