"""Scoring speed of a critic's file of the size of AudioProcessBench, on one core."""

import statistics
import time

import numpy as np

from evaluation.answer_keys import AnswerKey, TraceLabels
from evaluation.benchmarks.audio_process_bench import AudioProcessBench
from evaluation.benchmarks.audio_process_bench.generators import GENERATORS
from evaluation.benchmarks.audio_process_bench.importer import ERROR_TYPES
from evaluation.streams import stream
from evaluation.types import Prediction

ROUNDS = 15
N_TRACES, N_STEPS = 3_872, 23_497
SHARE_ERRONEOUS = 0.4127


def measure() -> list[dict[str, object]]:
    """Return one row for verdicts alone and one for verdicts with scores."""
    benchmark = AudioProcessBench("1.0")
    key = _make_key(stream("bench", "traces"))
    note = f"{N_TRACES:,} traces, {N_STEPS:,} steps, median of {ROUNDS}"
    rows: list[dict[str, object]] = []
    for what, with_scores in (("scoring a critic", False), ("scoring a critic, scores too", True)):
        predictions = _make_predictions(key, stream("bench", "critic"), with_scores=with_scores)
        seconds = _median_seconds(benchmark, key, predictions)
        rows.append(
            {
                "what": what,
                "value": round(N_TRACES / seconds),
                "unit": "traces/s",
                "target": f"≥ {round(N_TRACES / 0.05):,}",
                "note": f"{note}: {seconds * 1000:.0f} ms",
            }
        )
    return rows


def _median_seconds(benchmark: AudioProcessBench, key: AnswerKey, predictions: list[Prediction]) -> float:
    assert benchmark.score(key, predictions).missing == 0  # The first round fills caches of the key.
    seconds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        benchmark.score(key, predictions)
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds)


def _make_key(rng: np.random.Generator) -> AnswerKey:
    cuts = np.sort(rng.permutation(np.arange(1, N_STEPS))[: N_TRACES - 1])
    lengths = np.diff(cuts, prepend=0, append=N_STEPS).tolist()
    questions, answers = [], {}
    for number, length in enumerate(lengths):
        kinds = [ERROR_TYPES[rng.integers(6)] if rng.random() < SHARE_ERRONEOUS else None for _ in range(length)]
        answers[f"t{number}"] = TraceLabels(tuple(kind is not None for kind in kinds), tuple(kinds), "yes")
        questions.append(
            {
                "id": f"t{number}",
                "question_id": f"q{number // len(GENERATORS)}",
                "generator": GENERATORS[number % len(GENERATORS)],
                "question": "Is it so?",
                "options": ["yes", "no"],
                "final_answer": ("yes", "no")[rng.integers(2)],
                "audio": f"{number // len(GENERATORS)}.wav",
                "steps": ["A step."] * length,
            }
        )
    return AnswerKey(AudioProcessBench.id, "1.0", "test", "bench", answers, tuple(questions))


def _make_predictions(key: AnswerKey, rng: np.random.Generator, *, with_scores: bool) -> list[Prediction]:
    predictions = []
    for question in key.questions:
        scores = tuple(rng.random() for _ in question["steps"])
        flags = tuple(score > 1 / 2 for score in scores)
        predictions.append(Prediction(question["id"], 0, None, None, flags, scores if with_scores else None))
    return predictions
