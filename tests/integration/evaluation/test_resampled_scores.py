"""Resampled scores: the declared item formulas of benchmarks reproduce the scores of scoring."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, list_versions
from evaluation.benchmarks.audio_process_bench import AudioProcessBench
from evaluation.benchmarks.clustering import number_clusters
from evaluation.benchmarks.mdar import Mdar
from evaluation.metrics import Judgement
from evaluation.packs import example_predictions
from evaluation.statistics import Estimator, Resampling, list_item_means
from evaluation.types import Outcomes, Prediction, Report
from tests.support.samples.mdar_sets import FOLDERS, import_set
from tests.support.samples.process_traces import N_TRACES, key_of, paper_shaped_traces

# Metrics that are not means over items; all others on a board must follow from items.
NOT_RESAMPLED = {
    "audio-motion-bench": {"left_right_confusion", "front_back_confusion", "reversal"},
    "star-bench": {"option_concentration"},
    "mdar": {"judge_raw", "judge_spread", "position_effect", "option_concentration"},
    "audio-process-bench": {"auroc", "self_critique_gap", "accuracy"},
}

LARGE = {"mdar 1.0", "star-bench 1.0"}


@cache
def keys() -> dict[str, tuple[Benchmark, AnswerKey]]:
    result = {
        f"{benchmark.id} {benchmark.version}": (benchmark, benchmark.make_key("practice"))
        for name in NOT_RESAMPLED
        for benchmark in list_versions(name)
        if "practice" in benchmark.splits
    }
    result |= {f"mdar {version}": (Mdar(version), import_set(version)) for version in FOLDERS}
    return result | {"audio-process-bench 1.0": (AudioProcessBench("1.0"), key_of(paper_shaped_traces()))}


def answer(benchmark: Benchmark, key: AnswerKey, seed: int, missing: float = 0.5) -> Iterator[Prediction]:
    """Yield guesses, many of them missing and some unreadable, over two seeds if there are several."""
    rng = np.random.default_rng(seed)
    rows: Iterator[Mapping[str, Any]] = iter(example_predictions(benchmark.content(key), f"guesses {seed}"))
    for row in rows:
        if rng.random() < missing or (benchmark.runs_are_seeds and row["run"] == 2):
            continue
        fields: Mapping[str, Any] = {"response": "I would rather not say."} if rng.random() < 0.05 else dict(row)
        verdicts, scores = fields.get("erroneous"), None
        if verdicts is not None:
            scores = tuple((rng.integers(0, 1001, len(verdicts)) / 1000).tolist())
        yield Prediction(
            row["id"], row.get("run", 0), fields.get("response"), None, verdicts and tuple(verdicts), scores
        )


@cache
def reports(name: str) -> tuple[Report, ...]:
    """Score two systems, or one where a set of the same benchmark is smaller."""
    benchmark, key = keys()[name]
    seeds, missing = ((1,), 0.75) if name in LARGE else ((1, 2), 0.5)
    return tuple(_score(benchmark, key, list(answer(benchmark, key, seed, missing))) for seed in seeds)


def _score(benchmark: Benchmark, key: AnswerKey, predictions: Sequence[Prediction]) -> Report:
    report = benchmark.score(key, predictions)
    if not isinstance(benchmark, Mdar):
        return report
    judged = {item_id: [Judgement(len(item_id) % 9, 8, True)] for item_id in report.awaiting_judge}
    return benchmark.score(key, predictions, judgements=judged)


def estimate(name: str, slice_name: str, metric: str) -> tuple[float, ...] | None:
    benchmark, key = keys()[name]
    formula = benchmark.find_formula(key, slice_name, metric)
    if formula is None:
        return None
    scores = {leaf.score: score_items(name, leaf.score) for leaf in list_item_means(formula)}
    return tuple(Estimator(formula, draw_resampling(name)).estimate(scores).value.tolist())


@cache
def draw_resampling(name: str) -> Resampling:
    benchmark, key = keys()[name]
    return Resampling.draw(benchmark.cluster_items(key), 40, np.random.default_rng(1))


@cache
def score_items(name: str, score: str) -> NDArray[np.floating[Any]]:
    benchmark, key = keys()[name]
    return np.stack([benchmark.score_items(key, report.outcomes, score) for report in reports(name)], axis=1)


def test_resampled_scores_equal_those_of_scoring(subtests: pytest.Subtests) -> None:
    for name in sorted(keys()):
        with subtests.test(name=name):
            benchmark, _ = keys()[name]
            n_checked = 0
            for column in benchmark.columns:
                scored = [report.scores.get(column.slice, {}).get(column.metric) for report in reports(name)]
                if any(score is None or score.value is None for score in scored):
                    continue
                estimates = estimate(name, column.slice, column.metric)
                assert (estimates is None) == (column.metric in NOT_RESAMPLED[benchmark.id]), column.key
                if estimates is not None:
                    assert estimates == pytest.approx([score.value for score in scored if score], abs=2e-7), column.key
                    n_checked += 1
            assert n_checked > len(benchmark.columns) / 3


def test_unknown_slices_and_metrics_have_no_resampled_score(subtests: pytest.Subtests) -> None:
    for name in sorted(keys()):
        with subtests.test(name=name):
            benchmark, key = keys()[name]
            assert benchmark.find_formula(key, "no/such/slice", benchmark.headline.metric) is None
            assert benchmark.find_formula(key, benchmark.headline.slice, "no-such-metric") is None
            with pytest.raises(KeyError):
                benchmark.score_items(key, reports(name)[0].outcomes, "no-such-score")


def test_benchmark_without_item_scores_has_no_resampled_scores() -> None:
    benchmark, key = keys()["audio-motion-bench 1.0"]
    outcomes = Outcomes((), np.zeros((0, 1), np.float32), np.zeros((0, 1), np.int16))
    assert Benchmark.find_formula(benchmark, key, "overall", "accuracy") is None
    with pytest.raises(KeyError):
        Benchmark.score_items(benchmark, key, outcomes, "right")


def test_step_scores_of_many_decimals_change_chain_scores_by_less_than_half_a_point() -> None:
    benchmark, key = keys()["audio-process-bench 1.0"]
    rng = np.random.default_rng(4)
    predictions = [
        Prediction(item.id, 0, None, None, tuple((scores > 0.5).tolist()), tuple(scores.tolist()))
        for item in benchmark.content(key).items
        for scores in [rng.random(item.n_steps or 0)]
    ]
    report = benchmark.score(key, predictions)
    drawn = Resampling.draw(np.arange(N_TRACES), 40, np.random.default_rng(1))
    for metric in ("bon", "mv"):
        formula = benchmark.find_formula(key, "chain", metric)
        assert formula is not None
        scores = {
            leaf.score: benchmark.score_items(key, report.outcomes, leaf.score)[:, None]
            for leaf in list_item_means(formula)
        }
        (value,) = Estimator(formula, drawn).estimate(scores).value
        assert value == pytest.approx(report.scores["chain"][metric].value, abs=0.005)


def test_items_connected_by_shared_clips_form_one_cluster() -> None:
    a, b, c, d, e, f = number_clusters(["x", "y", "zx", "q", "yz", ""]).tolist()
    assert a == b == c == e
    assert len({a, d, f}) == 3
