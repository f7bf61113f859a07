"""Speed of reading, checking and scoring a file of AudioMotionBench, on one core."""

import io
import json
import statistics
import time
from collections.abc import Callable

from evaluation import get_benchmark
from evaluation.packs import example_predictions
from evaluation.predictions import catalogue_of, read_checked_predictions
from evaluation.types import Prediction

ROUNDS = 7
TEMPLATES = ("{}", "({})", "The answer is {}.", "**{}**", "I listened twice. It gets louder on the right, so {}.")


def measure() -> list[dict[str, object]]:
    """Return one row for scoring alone, and one for the whole path from the bytes of a file."""
    benchmark = get_benchmark("audio-motion-bench")
    key = benchmark.make_key("practice")
    rows = list(example_predictions(benchmark.content(key)))
    messy = [row | {"response": TEMPLATES[n % len(TEMPLATES)].format(row["response"])} for n, row in enumerate(rows)]
    data = "".join(json.dumps(row) + "\n" for row in messy).encode()
    predictions = [Prediction(str(row["id"]), int(str(row["run"])), str(row["response"])) for row in messy]
    catalogue = catalogue_of(benchmark, key, "default")
    alone = _per_second(len(rows), lambda: benchmark.score(key, predictions))
    whole = _per_second(len(rows), lambda: benchmark.score(key, read_checked_predictions(io.BytesIO(data), catalogue)))
    note = f"{len(rows):,} predictions, {len(TEMPLATES)} phrasings, median of {ROUNDS}"
    return [
        {"what": "scoring", "value": round(alone), "unit": "predictions/s", "target": "≥ 100,000", "note": note},
        {
            "what": "reading, checking, scoring",
            "value": round(whole),
            "unit": "predictions/s",
            "target": "–",
            "note": note,
        },
    ]


def _per_second(n: int, work: Callable[[], object]) -> float:
    work()  # The first round fills caches that later submissions find full.
    seconds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return n / statistics.median(seconds)
