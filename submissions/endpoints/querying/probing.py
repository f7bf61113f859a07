"""Endpoint probe before the first question: what the endpoint supports, in terms that its owner can act on."""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import uvloop

from evaluation.audio import encode_wav
from evaluation.types import AudioPart, PromptPart, TextPart
from submissions.endpoints.querying.engine import Caller, Means
from submissions.endpoints.querying.query_records import CallFailure, EndpointConfig, EndpointReply, ItemQuery
from submissions.endpoints.querying.retry_policy import find_pause

_RATE = 16_000
_MONO, _STEREO = "one tone", "a tone on each side"
_HEAR = "Describe in a few words what you hear."

Check = Literal["reachable", "authorised", "answers", "takes audio", "takes two", "takes stereo"]
# Failures in which no model responded.
_UNREACHED = frozenset({"address", "dns", "connect", "tls", "timeout"})


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """Result of a check.

    Attributes:
        check: Id of the check.
        is_ok: Result; None if an earlier check made it unnecessary.
        detail: What the endpoint said, or what is wrong.
    """

    check: Check
    is_ok: bool | None
    detail: str


@dataclass(frozen=True, slots=True)
class Probe:
    """Results of a probe.

    Attributes:
        findings: One per check, in order.
        repeats: Whether the nonce came back, as from a model that follows instructions; reference systems need not.
    """

    findings: tuple[ProbeResult, ...]
    repeats: bool

    @property
    def is_ready(self) -> bool:
        """Whether the run can start: every check passed, except perhaps several clips or stereo."""
        needed = {"reachable", "authorised", "answers", "takes audio"}
        return all(finding.is_ok for finding in self.findings if finding.check in needed)


def probe(endpoint: EndpointConfig, means: Means | None = None, tell: Callable[[], None] = lambda: None) -> Probe:
    """Ask an endpoint to repeat a nonce, and to hear a tone, two clips, and a stereo clip.

    Args:
        endpoint: The endpoint.
        means: Configuration.
        tell: Called regularly, because even this may take long; it stops the probe by raising.

    Raises:
        BaseException: Whatever `tell` raised.
    """
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_probe_and_tell(endpoint, means or Means(), tell))


async def _probe_and_tell(endpoint: EndpointConfig, means: Means, tell: Callable[[], None]) -> Probe:
    probing = asyncio.create_task(_probe(endpoint, means))
    try:
        while not (await asyncio.wait({probing}, timeout=means.report_seconds))[0]:
            await asyncio.to_thread(tell)
        return probing.result()
    finally:
        probing.cancel()
        await asyncio.wait({probing})  # its connections are closed before the event loop


async def _probe(endpoint: EndpointConfig, means: Means) -> Probe:
    nonce = secrets.token_hex(4)
    clips = _make_clips()
    one, two = AudioPart(_MONO), (AudioPart(_MONO), AudioPart(_MONO))
    async with Caller(endpoint, clips.__getitem__, means) as caller:
        told = await _try(caller, means, TextPart(f"Repeat this word and say nothing else: {nonce}"))
        findings = list(_judge_first(told, caller))
        if not all(finding.is_ok for finding in findings):
            rest: tuple[Check, ...] = ("takes audio", "takes two", "takes stereo")
            findings += [ProbeResult(check, None, "Skipped because of the problem above.") for check in rest]
            return Probe(tuple(findings), repeats=False)
        findings += [
            _judge("takes audio", await _try(caller, means, TextPart(_HEAR), one), caller),
            _judge("takes two", await _try(caller, means, TextPart(_HEAR), *two), caller),
            _judge("takes stereo", await _try(caller, means, TextPart(_HEAR), AudioPart(_STEREO)), caller),
        ]
    return Probe(tuple(findings), repeats=isinstance(told, EndpointReply) and nonce in told.text)


async def _try(caller: Caller, means: Means, *prompt: PromptPart) -> EndpointReply | CallFailure:
    body = await caller.build(ItemQuery("probe", 0, prompt))
    n_calls = 0
    while True:
        n_calls += 1
        outcome = await caller.call(body)
        if isinstance(outcome, EndpointReply):
            return outcome
        pause = find_pause(outcome, n_calls, means.retry_policy, means.chance)
        if pause is None:
            return outcome
        await asyncio.sleep(pause)


def _judge_first(outcome: EndpointReply | CallFailure, caller: Caller) -> tuple[ProbeResult, ProbeResult, ProbeResult]:
    """Read three findings from the first call."""
    if isinstance(outcome, EndpointReply):
        yes = (
            ProbeResult("reachable", True, "The endpoint responds."),
            ProbeResult("authorised", True, "The API key works."),
        )
        return *yes, _judge("answers", outcome, caller)
    is_reached, is_shut_out = outcome.kind not in _UNREACHED, outcome.kind == "unauthorised"
    return (
        ProbeResult("reachable", is_reached, "The endpoint responds." if is_reached else outcome.message),
        ProbeResult("authorised", not is_shut_out if is_reached else None, outcome.message),
        ProbeResult("answers", False if is_reached and not is_shut_out else None, outcome.message),
    )


def _judge(check: Check, outcome: EndpointReply | CallFailure, caller: Caller) -> ProbeResult:
    if isinstance(outcome, CallFailure):
        return ProbeResult(check, False, outcome.message)
    # An untrusted server's words, which may be millions of characters or change the text direction.
    said = caller.show(outcome.text)
    if outcome.finish == "refusal" or not said:
        return ProbeResult(check, False, f"The model refuses: {said}" if said else "The model's response is empty.")
    return ProbeResult(check, True, said)


def _make_clips() -> Mapping[str, bytes]:
    """Return a one-second tone, and a clip that is first on the left, then on the right."""
    times = np.arange(_RATE) / _RATE
    tone = np.round(8_000 * np.sin(2 * np.pi * 440 * times)).astype(np.int16)
    is_left = times < 0.5
    sides = np.stack([np.where(is_left, tone, 0), np.where(is_left, 0, tone)], axis=1).astype(np.int16)
    return {_MONO: encode_wav(tone, _RATE), _STEREO: encode_wav(sides, _RATE)}
