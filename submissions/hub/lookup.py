"""Lookups of model metadata on the Hub: anonymous, bounded in time, size and rate, and cached for minutes.

It replaces `HfApi.model_info`, which reads answers of any size and limits only the time of each read.
"""

import ssl
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urljoin, urlsplit

import anyio
import httpx2

from db.records import NewModel
from submissions.errors import SubmissionError
from submissions.hub.errors import HubBusyError, HubGatedError, HubNotFoundError, HubUnavailableError
from submissions.hub.metadata import EXPANDED, MetadataError, read_metadata
from submissions.hub.repository_checks import check_repo_id

DEFAULT_ENDPOINT = "https://huggingface.co"
_FILL_IN = "Fill in the fields yourself"
_UNAVAILABLE = f"The Hub does not respond. {_FILL_IN}, or try again later."
_UNREADABLE = f"The Hub sent an invalid response. {_FILL_IN}, or try again later."
_NOT_FOUND = f"The Hub has no public model with this ID. Check the spelling. For a private model: {_FILL_IN.lower()}."
_GATED = f"This model is gated, so the Hub does not show it without permission. {_FILL_IN}."
_MAX_RETRY_AFTER_SECONDS = 3_600


@dataclass(frozen=True, slots=True)
class LookupLimits:
    """Limits of lookups; times are in seconds.

    Attributes:
        timeout: Timeout of a whole lookup.
        max_bytes: Maximum size of an answer.
        max_redirects: Maximum number of redirects of a lookup; renamed repositories redirect to their new names.
        max_per_minute: Maximum number of lookups sent to the Hub per minute.
        cached_for: How long a description stays in the cache.
        missing_for: How long an error stays in the cache.
        max_cached: Maximum number of answers in the cache.
    """

    timeout: float = 10.0
    max_bytes: int = 1_000_000
    max_redirects: int = 2
    max_per_minute: int = 60
    cached_for: float = 300.0
    missing_for: float = 30.0
    max_cached: int = 256


_DEFAULT_LIMITS = LookupLimits()


class HubModels:
    """Descriptions of public models by repository id."""

    def __init__(
        self,
        endpoint: str = DEFAULT_ENDPOINT,
        limits: LookupLimits = _DEFAULT_LIMITS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the address of the Hub, which only operators can set."""
        self._endpoint = endpoint.rstrip("/")
        self._limits = limits
        self._clock = clock
        self._cache: OrderedDict[str, tuple[float, NewModel | SubmissionError]] = OrderedDict()
        self._sent: deque[float] = deque()

    async def find_model(self, repo_id: str) -> NewModel:
        """Return the Hub's metadata of a model, including its revision.

        Raises:
            BadRequestError, HubNotFoundError, HubGatedError, HubUnavailableError, HubBusyError: The lookup failed.
        """
        name = check_repo_id(repo_id)
        now = self._clock()
        until, result = self._cache.get(name, (now, None))
        if result is None or until <= now:
            self._count_request(now)
            result = await self._look_up(name)
            self._cache_result(name, result)
        if isinstance(result, SubmissionError):
            raise result
        return result

    def _count_request(self, now: float) -> None:
        while self._sent and self._sent[0] <= now - 60:
            self._sent.popleft()
        if len(self._sent) >= self._limits.max_per_minute:
            wait = max(1, round(60 - (now - self._sent[0])))
            raise HubBusyError(f"Too many lookups on the Hub. Try again in {wait} s.", wait)
        self._sent.append(now)

    def _cache_result(self, name: str, result: NewModel | SubmissionError) -> None:
        is_known = isinstance(result, NewModel)
        self._cache[name] = (
            self._clock() + (self._limits.cached_for if is_known else self._limits.missing_for),
            result,
        )
        self._cache.move_to_end(name)
        while len(self._cache) > self._limits.max_cached:
            self._cache.popitem(last=False)

    async def _look_up(self, name: str) -> NewModel | SubmissionError:
        try:
            with anyio.fail_after(self._limits.timeout):
                body = await self._read(name)
            return read_metadata(body, self._endpoint)
        except SubmissionError as error:
            return error
        except MetadataError:
            return HubUnavailableError(_UNREADABLE)
        except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError):
            return HubUnavailableError(_UNAVAILABLE)

    async def _read(self, name: str) -> bytes:
        query = "&".join(f"expand={field}" for field in EXPANDED)
        url = f"{self._endpoint}/api/models/{name}?{query}"
        # Without credentials from the environment: lookups return public data only.
        async with httpx2.AsyncClient(verify=self._tls, trust_env=False, timeout=self._limits.timeout) as client:
            for _ in range(self._limits.max_redirects + 1):
                async with client.stream("GET", url, headers={"Accept": "application/json"}) as response:
                    if not response.is_redirect:
                        return await self._read_body(response)
                    url = self._follow(url, response.headers.get("location", ""))
        raise HubUnavailableError(_UNREADABLE)

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return httpx2.create_ssl_context(trust_env=False)

    def _follow(self, url: str, location: str) -> str:
        """Return the target of a redirect, which must be the same API on the same host."""
        target = urljoin(url, location)
        origin = urlsplit(self._endpoint)
        if urlsplit(target)[:2] != origin[:2] or not target.startswith(f"{self._endpoint}/api/models/"):
            raise HubUnavailableError(_UNREADABLE)
        return target

    async def _read_body(self, response: httpx2.Response) -> bytes:
        self._require_success(response)
        body = bytearray()
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > self._limits.max_bytes:
                raise HubUnavailableError(_UNREADABLE)
        return bytes(body)

    @staticmethod
    def _require_success(response: httpx2.Response) -> None:
        status, code = response.status_code, response.headers.get("x-error-code")
        if status == 403 or code == "GatedRepo":
            raise HubGatedError(_GATED)
        # The Hub gives anonymous requests the same answer for private and for missing repositories.
        if status in (401, 404):
            raise HubNotFoundError(_NOT_FOUND)
        if status == 429:
            wait = _read_wait(response.headers.get("retry-after", ""))
            raise HubBusyError(f"The Hub limits requests. Try again in {wait} s, or fill in the fields yourself.", wait)
        if not response.is_success:
            raise HubUnavailableError(_UNAVAILABLE)


def _read_wait(text: str) -> int:
    """Return the seconds of a Retry-After header, clamped to a range."""
    seconds = int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 60
    return max(1, min(seconds, _MAX_RETRY_AFTER_SECONDS))
