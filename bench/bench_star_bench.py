"""Scoring speed of messy STAR-Bench answers, in total and by phase, compared with decoding the lines alone."""

import io
import json
import random
import statistics
import tempfile
import time
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import psutil

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks.collecting import collect_answers
from evaluation.benchmarks.star_bench import StarBench
from evaluation.benchmarks.star_bench.design import CLIP_ORDERS, PARTS, SUB_TASKS
from evaluation.benchmarks.star_bench.importer import FILES
from evaluation.extraction import read_choice
from evaluation.predictions import (
    Catalogue,
    CatalogueItem,
    Problems,
    Validator,
    catalogue_of,
    read_checked_predictions,
)
from evaluation.predictions.jsonl import read_jsonl
from evaluation.types import Prediction

N_RUNS = 100_000
ROUNDS = 5
_TIMES = 13  # 13 × 7,986 runs of version 1.0, cut to N_RUNS
# {L} a letter, {T} its text, {Q} another option's text.
SHORT = (
    "{L}",
    "({L})",
    "<{L}>",
    "<{L}>: {T}",
    "**{L}**",
    "Answer: {L}",
    "The answer is {L}.",
    "{T}",
    "Option {L}",
    "?",
)
LONG = (
    *SHORT,
    "I listened to the recording twice. The level rises on one side first, so the correct option is <{L}>: {T}.",
    "<think>It could be {Q}, but the second half does not fit that.</think>\n\nFinal answer: **{L}**",
    "At first it seems to be {Q}. Listening again, it is not: the right answer is {T}.",
    "I cannot hear anything in this recording that would let me decide between the options that were given.",
)
_LETTERS = "ABCDEFG"


class _Line(msgspec.Struct):
    id: str
    response: str | None
    run: int = 0


def measure() -> list[dict[str, object]]:
    """Return one row for each phase and for the whole, for short answers and for a mix with long ones."""
    benchmark, key = StarBench("1.0"), _make_key()
    catalogue = catalogue_of(benchmark, key, "default")
    rows = []
    for name, templates in (("short answers", SHORT), ("short and long answers", LONG)):
        data = _make_file(benchmark, key, templates)
        rows += _measure_file(f"STAR-Bench, {name}", benchmark, key, catalogue, data)
    return [*rows, _measure_memory()]


class _Lines(io.RawIOBase):
    """A prediction file that is generated while it is read."""

    def __init__(self, n_items: int, n_runs: int) -> None:
        places = ((item, run) for item in range(n_items) for run in range(n_runs))
        self._lines = (_line(item, run) for item, run in places)
        self._left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer).cast("B")  # type: ignore[arg-type]
        while len(self._left) < len(view) and (line := next(self._lines, b"")):
            self._left += line
        head, self._left = self._left[: len(view)], self._left[len(view) :]
        view[: len(head)] = head
        return len(head)


def _line(item: int, run: int) -> bytes:
    response = f"({_LETTERS[(item + run) % 4]}) is right."
    return f'{{"id": "item-{item}", "run": {run}, "response": "{response}"}}\n'.encode()


def _measure_memory() -> dict[str, object]:
    """Return the memory for reading and checking a million rows, without the catalogue of IDs."""
    n_items, n_runs, options = 250_000, 4, ("left", "right", "above", "behind")
    shared = CatalogueItem("all", "choice", tuple(range(n_runs)))
    catalogue = Catalogue("A million runs", {f"item-{item}": shared for item in range(n_items)})
    process = psutil.Process()
    before = peak = process.memory_info().rss
    read = array("b")
    lines = read_jsonl(io.BufferedReader(_Lines(n_items, n_runs)), problems := Problems())
    validator = Validator(catalogue, problems)
    for prediction in validator.check(lines):
        reading = read_choice(prediction.response, options)
        read.append(-1 if reading.index is None else reading.index)
        if len(read) % 50_000 == 0:
            peak = max(peak, process.memory_info().rss)
    verdict = validator.verdict()
    peak = max(peak, process.memory_info().rss)
    if not verdict.ok or len(read) != n_items * n_runs:
        raise RuntimeError(f"{len(read):,} rows were read: {verdict.totals}")
    return {
        "what": "a million rows read and checked, peak memory",
        "value": round((peak - before) / 1e6),
        "unit": "MB",
        "target": "< 300",
        "note": "resident, above the catalogue of 250,000 ids",
    }


def _measure_file(
    name: str, benchmark: StarBench, key: AnswerKey, catalogue: Catalogue, data: bytes
) -> list[dict[str, object]]:
    def check() -> Iterator[Prediction]:
        return read_checked_predictions(io.BytesIO(data), catalogue, allow_missing=True)

    decoder = msgspec.json.Decoder(_Line)
    predictions = list(check())
    items = benchmark.content(key).items
    options = {(item.id, run): benchmark.run(item, run, "default").options for item in items for run in item.runs}
    shown_options = [options[prediction.id, prediction.run] for prediction in predictions]
    responses = [prediction.response for prediction in predictions]
    nothing = read_choice("A", ("a", "b"))
    phases: dict[str, Callable[[], object]] = {
        "whole": lambda: benchmark.score(key, check()),
        "floor: typed decode alone": lambda: [None for line in io.BytesIO(data) if decoder.decode(line) is None],
        "decode and check": lambda: [None for prediction in check() if prediction is None],
        "read": lambda: [None for pair in zip(responses, shown_options, strict=True) if read_choice(*pair) is None],
        "collect and aggregate": lambda: (
            collect_answers(items, predictions, lambda *_: nothing, PARTS, runs_are_seeds=False),
            benchmark.score(key, ()),
        ),
    }
    rates = _rates(len(predictions), phases)
    note = f"{len(predictions):,} runs, {len(data) / 1e6:.0f} MB, median of {ROUNDS}"
    targets = {"whole": "≥ 120,000" if "long" not in name else "–"}
    return [_row(f"{name}: {phase}", rate, targets.get(phase, "–"), note) for phase, rate in rates.items()]


def _rates(n: int, phases: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Return rows per second of each phase; phases alternate, so that noise affects all of them."""
    seconds: dict[str, list[float]] = {phase: [] for phase in phases}
    for turn in range(ROUNDS + 1):
        for phase, work in phases.items():
            began = time.perf_counter()
            work()
            if turn:  # The first round fills caches that later submissions find full.
                seconds[phase].append(time.perf_counter() - began)
    return {phase: n / statistics.median(spent) for phase, spent in seconds.items()}


def _row(what: str, rate: float, target: str, note: str) -> dict[str, object]:
    return {"what": what, "value": round(rate), "unit": "rows/s", "target": target, "note": note}


def _make_file(benchmark: StarBench, key: AnswerKey, templates: tuple[str, ...]) -> bytes:
    rng = random.Random(1)  # noqa: S311 - answers to measure with
    lines = []
    for item in benchmark.content(key).items:
        for number in item.runs:
            options = benchmark.run(item, number, "default").options
            chosen_option, other = rng.sample(range(len(options)), 2)
            response = rng.choice(templates).format(
                L=_LETTERS[chosen_option], T=options[chosen_option], Q=options[other]
            )
            lines.append(json.dumps({"id": item.id, "run": number, "response": response}) + "\n")
    rng.shuffle(lines)
    return "".join(lines[:N_RUNS]).encode()


def _make_key() -> AnswerKey:
    """Import official files of many times the official size, without audio."""
    with tempfile.TemporaryDirectory() as name:
        for part in PARTS:
            path = Path(name) / FILES[part]
            path.parent.mkdir(exist_ok=True)
            tasks = [task for task in SUB_TASKS if task.part == part]
            path.write_text(json.dumps([_entry(task.slice, n) for task in tasks for n in range(_TIMES * task.items)]))
        return StarBench("1.0").import_folder(Path(name), "bench").key


def _entry(slice_name: str, number: int) -> dict[str, object]:
    task = next(task for task in SUB_TASKS if task.slice == slice_name)
    leaf = slice_name.split("/")[-1]
    options = [f"{word} of the {leaf}" for word in ("Far left", "Near left", "Middle", "Near right", "Far right")]
    options = options[: task.options]
    item_id = f"{slice_name.replace('/', '_')}_{number}"
    if task.part == "temporal":
        options = [" -> ".join(f"clip {place}" for place in order) for order in CLIP_ORDERS] + ["None of these"]
        item_id = f"temporal_{leaf.upper()}_{number}"
    return {
        "id": item_id,
        "task": task.part,
        "category": task.group.split("/")[-1] if task.group != "spatial" else leaf,
        "sub-category": leaf,
        "question": "Which one is it?",
        "options": options,
        "answer": None if task.part == "temporal" else options[number % len(options)],
        "audio_paths": [f"{item_id}_{place}.wav" for place in range(3 if task.part == "temporal" else 1)],
    }
