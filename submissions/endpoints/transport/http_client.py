"""HTTP client for untrusted hosts: sends bodies without copying, reads within limits of size and time."""

import asyncio
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import NoReturn, Self

import aiohttp
from aiohttp.abc import AbstractStreamWriter

from evaluation.signature import CODE_VERSION
from submissions.endpoints.transport.allowed_addresses import Target
from submissions.endpoints.transport.errors import TransportError
from submissions.endpoints.transport.failures import explain_failure
from submissions.endpoints.transport.pinning import PinnedConnector, Pins, Resolve, resolve_name
from submissions.endpoints.vault import Secret

_MAX_HEADERS = 64
_LONGEST_HEADER = 8_000
_OK = range(200, 300)
_REDIRECTS = range(300, 400)


@dataclass(frozen=True, slots=True)
class CallLimits:
    """Limits of a call.

    Attributes:
        max_bytes: Maximum size of a response body.
        max_seconds: Timeout of the whole call.
        connect_seconds: Timeout of resolving, connecting and TLS.
        grace_seconds: How long the body may take after the headers at any rate.
        min_bytes_per_second: Minimum rate after that.
    """

    max_bytes: int = 4_000_000
    max_seconds: float = 600.0
    connect_seconds: float = 20.0
    grace_seconds: float = 30.0
    min_bytes_per_second: int = 2_000


@dataclass(frozen=True, slots=True)
class TransportResponse:
    """A response. Headers and body are untrusted."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport:
    """Sends calls to one target over persistent connections."""

    def __init__(
        self,
        target: Target,
        key: Secret | None = None,
        *,
        limits: CallLimits | None = None,
        resolve: Resolve = resolve_name,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        """Take the target; must be called inside the event loop that will run the calls.

        Args:
            target: Result of `parse_base_url`.
            key: API key, sent as a bearer token.
            limits: Limits of a call.
            resolve: Resolves host names.
            trust: Trusted certificates; None for the system's.
        """
        self._target = target
        self._limits = limits or CallLimits()
        headers = {
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "Content-Type": "application/json",
            "User-Agent": f"Earshot/{CODE_VERSION}",
        }
        if key is not None:
            headers["Authorization"] = f"Bearer {key.reveal()}"
        self._session = aiohttp.ClientSession(
            connector=PinnedConnector(Pins(target, resolve), trust or make_trust(loads=target.scheme == "https")),
            headers=headers,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=self._limits.max_seconds, connect=self._limits.connect_seconds),
            auto_decompress=False,
            trust_env=False,
            max_line_size=_LONGEST_HEADER,
            max_field_size=_LONGEST_HEADER,
            max_headers=_MAX_HEADERS,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._session.close()

    async def post(self, route: str, pieces: Sequence[bytes]) -> TransportResponse:
        """Send a body in chunks, and read the response.

        Args:
            route: Path added to the base URL, such as `/chat/completions`.
            pieces: The body.

        Raises:
            TransportError: The call failed or exceeded a limit; the message never contains the key.
        """
        url = f"{self._target.url}{route}"
        try:
            async with self._session.post(url, data=_Spliced(pieces), allow_redirects=False) as response:
                self._check(response)
                return TransportResponse(response.status, response.headers, await self._read_body(response))
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
            failure = explain_failure(error, self._target.host, is_own=self._target.is_own)
        # Raised here: an aiohttp error holds the request with the key, and would become the context above.
        raise failure

    def _check(self, response: aiohttp.ClientResponse) -> None:
        host = self._target.host
        if response.status in _REDIRECTS:
            raise TransportError(
                "redirect",
                f"{host} redirects (status {response.status}), but Earshot does not follow redirects. Enter the final "
                "base URL.",
            )
        if response.status not in _OK and response.status < _REDIRECTS.stop:
            raise TransportError("protocol", f"{host} sent the unexpected status {response.status}.")
        # All of them: a proxy may have added its own.
        encodings = {value.strip().lower() for value in response.headers.getall("Content-Encoding", [])}
        if encodings - {"identity", ""}:
            raise TransportError(
                "encoding", f"{host} compressed its response although we asked for none. Turn off compression."
            )
        if (response.content_length or 0) > self._limits.max_bytes:
            self._refuse_size()

    async def _read_body(self, response: aiohttp.ClientResponse) -> bytes:
        limits = self._limits
        begun = asyncio.get_running_loop().time()
        pieces, size = [], 0
        deadline = asyncio.timeout_at(begun + limits.grace_seconds)
        try:
            async with deadline:
                async for piece in response.content.iter_any():
                    pieces.append(piece)
                    size += len(piece)
                    if size > limits.max_bytes:
                        self._refuse_size()
                    # Every byte extends the time: a trickle ends soon, a long response does not.
                    deadline.reschedule(begun + limits.grace_seconds + size / limits.min_bytes_per_second)
        except TimeoutError:
            if not deadline.expired():
                raise
            raise TransportError(
                "slow",
                f"{self._target.host} sent its response too slowly: {size:,} bytes in more than "
                f"{limits.grace_seconds:g} s. Turn off streaming, or speed up the server.",
            ) from None
        return b"".join(pieces)

    def _refuse_size(self) -> NoReturn:
        megabytes = self._limits.max_bytes / 1_000_000
        raise TransportError(
            "too-large",
            f"{self._target.host} sent a response of more than {megabytes:g} MB. Limit the length of responses.",
        )


class _Spliced(aiohttp.Payload):
    """A body of chunks that are written unchanged: the clip in the middle is the cached one."""

    _autoclose = True

    def __init__(self, pieces: Sequence[bytes]) -> None:
        super().__init__(pieces, content_type="application/json")
        self._size = sum(map(len, pieces))

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        return b"".join(self._value).decode(encoding, errors)

    async def write(self, writer: AbstractStreamWriter) -> None:
        for piece in self._value:
            await writer.write(piece)


def make_trust(*, loads: bool = True) -> ssl.SSLContext:
    """Return a TLS context that verifies certificates and names against the system's authorities.

    Loading them takes a tenth of a second, which is skipped without TLS; then no certificate is trusted. It is not
    `create_default_context`, which would write session secrets to a file named by an environment variable.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if loads:
        context.load_default_certs()
    return context
