"""Throughput of the answer parsers, by kind of answer and mixed, on one core."""

import random
import time
from collections.abc import Callable, Sequence

from evaluation.extraction import read_choice, read_steps
from evaluation.extraction.choice import weigh
from evaluation.extraction.language.normalize import clean
from evaluation.extraction.option_reviews.letters import spread_lists
from evaluation.extraction.option_texts.options import mark_texts, prepare
from tests.support.samples.messy_answers import KINDS, MessyAnswer, messy_answers

N_ANSWERS, N_TRACES = 400_000, 20_000
_FULL_SAMPLE = 4_000
_TARGETS = {"mix": "≥ 250,000"}
_VERDICTS = {False: ("correct", "Correct.", "ok"), True: ("incorrect", "wrong", "Incorrect, nothing is heard.")}


def measure() -> list[dict[str, object]]:
    """Return parses per second for each kind and for the mix, the same without shortcuts, and traces per second.

    The first half of the answers fills the caches, as earlier submissions do; the second half, other answers to the
    same questions, is timed.
    """
    answers = list(messy_answers(N_ANSWERS, seed=1))
    warm, timed = answers[: N_ANSWERS // 2], answers[N_ANSWERS // 2 :]
    _seconds_to_read(warm, read_choice)
    mix = len(timed) / _seconds_to_read(timed, read_choice)
    full = _FULL_SAMPLE / _seconds_to_read(timed[:_FULL_SAMPLE], _read_in_full)
    rows = [_row("mix", mix, f"{len(timed):,} answers, {mix / full:.1f} × as fast as without shortcuts")]
    for kind in KINDS:
        other = [answer for answer in messy_answers(N_ANSWERS // 4, seed=2) if answer.kind == kind]
        rows.append(_row(kind, len(other) / _seconds_to_read(other, read_choice), f"{len(other):,} answers"))
    traces = _make_traces()
    began = time.process_time()
    assert all(read_steps(response, len(verdicts)).verdicts == verdicts for response, verdicts in traces)
    steps_note = f"{N_TRACES:,} traces of 1–12 steps, lines or JSON"
    return [*rows, _row("verdicts of a trace", N_TRACES / (time.process_time() - began), steps_note)]


def _row(what: str, value: float, note: str) -> dict[str, object]:
    target = _TARGETS.get(what, "–")
    return {"what": f"reading: {what}", "value": round(value), "unit": "readings/s", "target": target, "note": note}


def _seconds_to_read(answers: Sequence[MessyAnswer], read: Callable[[str, tuple[str, ...]], object]) -> float:
    """Return the CPU time, which other work on the machine does not affect."""
    began = time.process_time()
    for answer in answers:
        read(answer.response, answer.options)
    return time.process_time() - began


def _read_in_full(response: str, options: tuple[str, ...]) -> object:
    """Parse with every stage and no shortcut."""
    prepared = prepare(options)
    spread, echoed = spread_lists(mark_texts(clean(response), prepared), prepared.profile)
    return weigh(spread, prepared.profile, echoed)


def _make_traces() -> list[tuple[str, tuple[bool, ...]]]:
    rng = random.Random(3)  # noqa: S311 (made-up verdicts)
    traces = []
    for n in range(N_TRACES):
        verdicts = tuple(rng.random() < 0.3 for _ in range(rng.randint(1, 12)))
        if n % 2:
            response = "\n".join(f"Step {k}: {rng.choice(_VERDICTS[v])}" for k, v in enumerate(verdicts, 1))
        else:
            objects = (f'{{"step": {k}, "erroneous": {str(v).lower()}}}' for k, v in enumerate(verdicts, 1))
            response = f"```json\n[{', '.join(objects)}]\n```"
        traces.append((response, verdicts))
    return traces
