"""Client of a judge's server, based on the openai client, with strict limits on requests and replies.

By default that client adds headers from the environment, follows redirects with the key, uses configured proxies, and
looks up a key elsewhere if it gets none. Here every request has a fixed set of headers and goes to the given address;
replies are limited in size and time.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import httpx2
import openai
from openai.types.chat import ChatCompletion

from evaluation.judge.errors import AllowanceSpentError, JudgeRefusedError, JudgeUnreachableError
from evaluation.judge.protocol import Message

MAX_REPLY_BYTES = 1_000_000
_HEADERS = frozenset({"host", "accept", "content-type", "content-length", "connection"})
_USER_AGENT = "earshot-judge"
# These do not change until a maintainer changes something.
_HOPELESS = frozenset({401, 402, 403, 404, 405})
_UNWANTED_FIELD = frozenset({400, 415, 422, 501})
_FIRST_ERROR = 400


class CallAllowance(Protocol):
    """Number of calls that may still be made today."""

    def spend_call(self) -> bool:
        """Count one call, or raise an error if none is left."""


class Unlimited:
    """An unlimited budget."""

    def spend_call(self) -> bool:
        """Take one call."""
        return True


@dataclass(frozen=True, slots=True)
class ClientOptions:
    """Options of the judge's client.

    Attributes:
        base_url: Base URL, with `/v1` if the server has it.
        model: Name of the model.
        api_key: API key; None if the server needs none.
        concurrency: Maximum number of parallel calls.
        timeout_seconds: Time limit of one call, from its start to the last byte.
        n_tries: Maximum number of attempts per call.
        longest_wait_seconds: Maximum pause between attempts, whatever `Retry-After` says.
        first_wait_seconds: Pause before the second attempt; doubled for each further one.
        max_failures: After this many consecutive calls without a reply, the server counts as unreachable.
    """

    base_url: str
    model: str
    api_key: str | None = None
    concurrency: int = 16
    timeout_seconds: float = 120.0
    n_tries: int = 6
    longest_wait_seconds: float = 60.0
    first_wait_seconds: float = 1.0
    max_failures: int = 8


@dataclass(slots=True)
class JudgeUsage:
    """Cost of calls.

    Attributes:
        calls: Number of sent requests, including failed ones.
        prompt_tokens: Input tokens, as the server reports them.
        completion_tokens: Output tokens.
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(slots=True)
class _State:
    """What is known about a server so far."""

    takes_schema: bool | None = None
    failures: int = 0
    paused_until: float = 0.0


class _TooLongError(httpx2.TransportError):
    """The body exceeds `MAX_REPLY_BYTES`."""


class _Bounded(httpx2.AsyncByteStream):
    """A body that stops when it gets too long."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        n_bytes = 0
        async for chunk in self._stream:
            n_bytes += len(chunk)
            if n_bytes > MAX_REPLY_BYTES:
                raise _TooLongError(f"the response is larger than {MAX_REPLY_BYTES:,} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


class _Guarded(httpx2.AsyncHTTPTransport):
    """Sends only our own headers, and accepts only plain, bounded bodies."""

    def __init__(self, api_key: str | None, connections: int) -> None:
        limits = httpx2.Limits(max_connections=connections, max_keepalive_connections=connections)
        super().__init__(trust_env=False, limits=limits)
        self._authorization = f"Bearer {api_key}" if api_key else None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        sent_headers = {name: value for name, value in request.headers.items() if name.lower() in _HEADERS}
        sent_headers |= {"user-agent": _USER_AGENT, "accept-encoding": "identity"}
        if self._authorization:
            sent_headers["authorization"] = self._authorization
        request.headers = httpx2.Headers(sent_headers)
        response = await super().handle_async_request(request)
        stream = response.stream
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            await response.aclose()
            raise httpx2.RemoteProtocolError("the response is compressed, which was not requested", request=request)
        if not isinstance(stream, httpx2.AsyncByteStream):
            raise httpx2.RemoteProtocolError("the response has no body", request=request)
        headers, extensions = response.headers, response.extensions
        return httpx2.Response(response.status_code, headers=headers, stream=_Bounded(stream), extensions=extensions)


@dataclass(slots=True)
class JudgeClient:
    """Client of one judge. Use it as an asynchronous context manager, in one event loop.

    Attributes:
        options: Options of the client.
        allowance: Remaining calls of today.
        usage: Cost so far.
    """

    options: ClientOptions
    allowance: CallAllowance = field(default_factory=Unlimited)
    usage: JudgeUsage = field(default_factory=JudgeUsage)
    _state: _State = field(default_factory=_State)
    _slots: asyncio.Semaphore = field(init=False)
    _learning: asyncio.Lock = field(default_factory=asyncio.Lock)
    _openai: openai.AsyncOpenAI = field(init=False)

    def __post_init__(self) -> None:
        options = self.options
        self._slots = asyncio.Semaphore(options.concurrency)
        http = httpx2.AsyncClient(
            transport=_Guarded(options.api_key, options.concurrency),
            follow_redirects=False,
            trust_env=False,
            timeout=options.timeout_seconds,
        )
        # The transport replaces this key; without any, the client would look for one.
        self._openai = openai.AsyncOpenAI(
            api_key="unused",
            base_url=options.base_url,
            http_client=http,
            max_retries=0,
            timeout=options.timeout_seconds,
        )

    async def __aenter__(self) -> "JudgeClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._openai.close()

    @property
    def model(self) -> str:
        """Name of the model."""
        return self.options.model

    async def ask(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> str:
        """Return the judge's reply.

        Args:
            messages: Messages to send.
            schema: Format of the reply, requested if the server supports it.

        Raises:
            AllowanceSpentError: The day's budget is used up.
            JudgeUnreachableError: All attempts failed.
            JudgeRefusedError: Calls will fail until the key, model or address changes.
        """
        async with self._slots:
            if self._state.takes_schema is None:
                # One call probes the server; the others wait for it rather than fail all at once.
                async with self._learning:
                    if self._state.takes_schema is None:
                        return await self._ask_with_retries(messages, schema)
            return await self._ask_with_retries(messages, schema)

    async def _ask_with_retries(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> str:
        reason = ""
        for number in range(self.options.n_tries):
            if self._state.failures >= self.options.max_failures:
                break
            await self._pause()
            try:
                reply = await self._ask_once(messages, schema)
            except openai.APIStatusError as error:
                reason = self._judge_status(error, number)
            except (openai.APIError, httpx2.HTTPError, TimeoutError, ValueError) as error:
                reason = _describe(error)
                self._note_failure(number, None)
            else:
                self._state.failures = 0
                return reply
        raise JudgeUnreachableError(f"The judge is unreachable: {reason or 'its last calls all failed'}.")

    async def _ask_once(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> str:
        if not self.allowance.spend_call():
            raise AllowanceSpentError
        self.usage.calls += 1
        form: dict[str, Any] = {}
        if self._state.takes_schema is not False:
            described = {"name": "verdict", "strict": True, "schema": dict(schema)}
            form = {"response_format": {"type": "json_schema", "json_schema": described}}
        async with asyncio.timeout(self.options.timeout_seconds):
            sent: Any = {"messages": [dict(message) for message in messages], "temperature": 0, **form}
            answer: ChatCompletion = await self._openai.chat.completions.create(model=self.options.model, **sent)
        return self._read_text(answer)

    def _read_text(self, answer: ChatCompletion) -> str:
        """Return the text of a completion; other bodies are not replies."""
        choices = getattr(answer, "choices", None)
        message = getattr(choices[0], "message", None) if isinstance(choices, list) and choices else None
        content = getattr(message, "content", None)
        if not isinstance(content, str):
            raise ValueError("the response is not a chat completion with text")
        if self._state.takes_schema is None:
            self._state.takes_schema = True
        self.usage.prompt_tokens += _read_count(answer, "prompt_tokens")
        self.usage.completion_tokens += _read_count(answer, "completion_tokens")
        return content

    def _judge_status(self, error: openai.APIStatusError, number: int) -> str:
        """Interpret a status: another attempt, one without the schema, or none."""
        status = error.status_code
        if status in _UNWANTED_FIELD:
            if self._state.takes_schema is not None:
                raise JudgeUnreachableError(f"The judge's server rejected the request with HTTP {status}.") from None
            self._state.takes_schema = False
            return f"HTTP {status}"
        if status in _HOPELESS or status < _FIRST_ERROR:
            raise JudgeRefusedError(
                f"The judge's server returned HTTP {status}. Check EARSHOT_JUDGE_BASE_URL, _MODEL and _API_KEY."
            ) from None
        self._note_failure(number, error.response.headers.get("retry-after"))
        return f"HTTP {status}"

    def _note_failure(self, number: int, retry_after: str | None) -> None:
        """Delay all calls: more calls do not help a server in trouble."""
        if number == self.options.n_tries - 1:
            self._state.failures += 1
        wait = self.options.first_wait_seconds * 2**number * random.uniform(0.5, 1.5)  # noqa: S311 - spreads retries
        wait = min(max(wait, _seconds(retry_after)), self.options.longest_wait_seconds)
        self._state.paused_until = max(self._state.paused_until, asyncio.get_running_loop().time() + wait)

    async def _pause(self) -> None:
        wait = self._state.paused_until - asyncio.get_running_loop().time()
        if wait > 0:
            # Add jitter, so that calls do not resume at the same moment.
            await asyncio.sleep(wait * random.uniform(1.0, 1.2))  # noqa: S311 - spreads retries


def _read_count(answer: ChatCompletion, name: str) -> int:
    n_tokens = getattr(getattr(answer, "usage", None), name, None)
    return n_tokens if isinstance(n_tokens, int) and n_tokens > 0 else 0


def _seconds(retry_after: str | None) -> float:
    """Return the seconds of a `Retry-After`; dates are ignored, as our own pause applies anyway."""
    digits = (retry_after or "").strip()
    return float(digits[:9]) if digits.isascii() and digits.isdigit() else 0.0


def _describe(error: Exception) -> str:
    """Describe an error in our own words: a foreign message may contain what was sent."""
    cause = error.__cause__ or error
    if isinstance(cause, _TooLongError):
        return str(cause)
    if isinstance(error, TimeoutError | openai.APITimeoutError):
        return "the request timed out"
    if isinstance(error, openai.APIConnectionError | httpx2.TransportError):
        return "the connection failed"
    return "the response is not a chat completion"
