"""Query engine: sends all questions to an endpoint concurrently until each is answered or given up."""

import asyncio
import random
import secrets
import ssl
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import uvloop

from submissions.endpoints.querying.clips import ClipCache, LoadClip
from submissions.endpoints.querying.query_records import (
    CallFailure,
    EndpointConfig,
    EndpointReply,
    ItemQuery,
    ItemResponse,
    Progress,
    QueryRunResult,
    RunFailure,
)
from submissions.endpoints.querying.rate_control import ConcurrencyLimiter, RateController
from submissions.endpoints.querying.redaction import Redactor
from submissions.endpoints.querying.replies import read_answer
from submissions.endpoints.querying.request_bodies import RequestBody, build_body, list_sounds
from submissions.endpoints.querying.response_writer import Keep, Report, ResponseWriter
from submissions.endpoints.querying.retry_policy import RetryPolicy, find_pause, is_lasting
from submissions.endpoints.querying.run_stats import RunStats, end_with
from submissions.endpoints.transport.errors import TransportError
from submissions.endpoints.transport.http_client import CallLimits, Transport
from submissions.endpoints.transport.pinning import Resolve, resolve_name

ROUTE = "/chat/completions"
# Errors that affect every question alike.
_FATAL = frozenset({"unauthorised", "not-found", "address", "redirect"})


@dataclass(frozen=True, slots=True)
class Means:
    """Configuration of querying; none of it changes the questions.

    Attributes:
        retry_policy: Retry policy.
        limits: Limits of a call.
        cache_bytes: Size of the clip cache.
        report_seconds: How often progress is reported.
        resolve: Resolves host names.
        trust: Trusted certificates; None for the system's.
        chance: Random source for delays.
    """

    retry_policy: RetryPolicy = field(default_factory=RetryPolicy)
    limits: CallLimits = field(default_factory=CallLimits)
    cache_bytes: int = 128_000_000
    report_seconds: float = 1.0
    resolve: Resolve = resolve_name
    trust: ssl.SSLContext | None = None
    chance: random.Random = field(default_factory=lambda: random.Random(secrets.randbits(64)))  # noqa: S311 - pauses


def query_all(
    endpoint: EndpointConfig,
    questions: Sequence[ItemQuery],
    load_clip: LoadClip,
    keep: Keep,
    report: Report,
    means: Means | None = None,
) -> QueryRunResult:
    """Send questions to an endpoint until all are answered or continuing is pointless.

    Args:
        endpoint: The endpoint.
        questions: Unanswered questions. Questions about the same clips are adjacent, so that a clip is rendered once.
        load_clip: Returns the WAV file of a clip.
        keep: Stores responses; a killed run is resumed by leaving out stored questions.
        report: Called with the progress.
        means: Configuration.

    Raises:
        BaseException: Whatever `load_clip`, `keep` or `report` raised; stored responses stay stored.
    """
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(ask(endpoint, questions, load_clip, keep, report, means or Means()))


async def ask(
    endpoint: EndpointConfig,
    questions: Sequence[ItemQuery],
    load_clip: LoadClip,
    keep: Keep,
    report: Report,
    means: Means,
) -> QueryRunResult:
    """Do the work of `query_all` inside an event loop."""
    async with Caller(endpoint, load_clip, means) as caller:
        return await _QueryRun(caller, questions, keep, report, means).run()


class Caller:
    """Sends single calls to an endpoint."""

    def __init__(self, endpoint: EndpointConfig, load_clip: LoadClip, means: Means) -> None:
        """Open the connections; leaving `async with` closes them."""
        self.endpoint = endpoint
        self._clips = ClipCache(load_clip, means.cache_bytes)
        self._redactor = Redactor(endpoint.key)
        self._transport = Transport(
            endpoint.target, endpoint.key, limits=means.limits, resolve=means.resolve, trust=means.trust
        )

    async def __aenter__(self) -> "Caller":
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._transport.__aexit__(None, None, None)
        self._clips.close()

    async def build(self, question: ItemQuery) -> RequestBody:
        """Return the request for a question."""
        names = list_sounds(question, multi_audio=self.endpoint.multi_audio)
        return build_body(self.endpoint, question, [await self._clips.get(sound) for sound in names])

    async def call(self, body: RequestBody) -> EndpointReply | CallFailure:
        """Send a question once."""
        try:
            answer = await self._transport.post(ROUTE, body.pieces)
        except TransportError as error:
            return CallFailure(error.kind, str(error))
        return read_answer(answer, self._redactor)

    def show(self, text: str) -> str:
        """Return the endpoint's words, redacted for use in a message."""
        return self._redactor.show(text)


class _QueryRun:
    """A run of questions."""

    def __init__(
        self, caller: Caller, questions: Sequence[ItemQuery], keep: Keep, report: Report, means: Means
    ) -> None:
        self._caller = caller
        self._means = means
        self._n_workers = min(caller.endpoint.concurrency, len(questions))
        self._left: Iterator[ItemQuery] = iter(questions)
        self._stats = RunStats(len(questions), means.retry_policy.abandoned_rate)
        self._controller = RateController(caller.endpoint.concurrency, means.retry_policy, means.chance)
        self._limiter = ConcurrencyLimiter(self._controller)
        # A killed process loses responses in flight, and at most as many that are not stored yet.
        self._writer = ResponseWriter(
            keep, report, self._snapshot, means.report_seconds, self._stop, max_unkept=caller.endpoint.concurrency
        )
        self._workers: list[asyncio.Task[None]] = []
        self._ending: RunFailure | None = None

    async def run(self) -> QueryRunResult:
        """Query all questions."""
        keeping = asyncio.create_task(self._writer.run())
        # When nothing can be stored any more, no more questions are sent.
        keeping.add_done_callback(lambda _done: self._stop())
        self._workers = [asyncio.create_task(self._work()) for _ in range(self._n_workers)]
        for worker in self._workers:
            worker.add_done_callback(self._stop_after_error)
        try:
            await asyncio.gather(*self._workers, return_exceptions=True)
        finally:
            # Received responses are stored even if the run is cancelled.
            self._writer.close()
            await asyncio.shield(keeping)
        for worker in self._workers:
            if not worker.cancelled() and (error := worker.exception()) is not None:
                raise error
        return QueryRunResult(self._snapshot(), self._ending or self._stats.find_ending())

    def _snapshot(self) -> Progress:
        return self._stats.snapshot(time.monotonic())

    def _stop_after_error(self, worker: asyncio.Task[None]) -> None:
        if not worker.cancelled() and worker.exception() is not None:
            self._stop()

    def _stop(self) -> None:
        for worker in self._workers:
            worker.cancel()

    def _end(self, ending: RunFailure) -> None:
        self._ending = self._ending or ending
        self._stop()

    async def _work(self) -> None:
        for question in self._left:
            # A worker that ended the run is cancelled only at its next wait, which would be after another call.
            if self._ending is not None:
                return
            await self._writer.wait_for_room()
            body = await self._caller.build(question)
            await self._ask_until_answered(question, body)

    async def _ask_until_answered(self, question: ItemQuery, body: RequestBody) -> None:
        n_calls = n_tries = 0
        while True:
            n_calls += 1
            outcome, seconds = await self._call(body)
            if isinstance(outcome, EndpointReply):
                self._writer.add_response(
                    ItemResponse(question.id, question.run, outcome, body.digest, n_calls, seconds)
                )
                return
            if outcome.kind in _FATAL or self._controller.is_dead:
                self._end(end_with(outcome))
                return
            # While the circuit is open the endpoint is failing, and the question is not to blame.
            n_tries += not self._controller.n_rests
            pause = find_pause(outcome, max(1, n_tries), self._means.retry_policy, self._means.chance)
            if pause is None:
                if (ending := self._stats.abandon(outcome)) is not None:
                    self._end(ending)
                return
            await asyncio.sleep(pause)

    async def _call(self, body: RequestBody) -> tuple[EndpointReply | CallFailure, float]:
        """Send a call when the window allows it, and count the result."""
        began = await self._limiter.enter()
        self._stats.n_calls += 1
        try:
            outcome = await self._caller.call(body)
        finally:
            self._limiter.leave()
        now = time.monotonic()
        if isinstance(outcome, EndpointReply):
            self._controller.succeed()
            self._stats.count_reply(outcome, now)
        else:
            self._stats.count_failure(outcome)
            if is_lasting(outcome):
                self._controller.close()
            else:
                self._controller.fail(outcome, began, now)
        return outcome, now - began
