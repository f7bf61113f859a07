"""Public scores over secret answers: minimum number of items, and rounding."""

from itertools import combinations

import numpy as np
import pytest

from evaluation import Benchmark, Prediction, Report, get_benchmark
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import all_benchmarks
from evaluation.benchmarks.audio_motion_bench.slices import layout
from evaluation.benchmarks.disclosure_rule import round_down, round_up
from evaluation.types import Score

MOTION = get_benchmark("audio-motion-bench")


@pytest.fixture(scope="module")
def key() -> AnswerKey:
    return MOTION.make_key("test", "disclosed")


def list_disclosed(benchmark: Benchmark, key: AnswerKey, predictions: list[Prediction]) -> dict[str, Score]:
    report = benchmark.score(key, predictions)
    return {f"{name}|{metric}": score for name, metric, score in benchmark.disclose(report)}


def answer_at_random(benchmark: Benchmark, key: AnswerKey) -> list[Prediction]:
    rng = np.random.default_rng(5)
    predictions = []
    for item in benchmark.content(key).items:
        for run in item.runs:
            if item.n_steps:
                response = str([bool(value) for value in rng.integers(2, size=item.n_steps)]).lower()
            else:
                response = "ABCDE"[rng.integers(len(item.options))] if item.options else str(bool(rng.integers(2)))
            predictions.append(Prediction(item.id, run, response))
    return predictions


def test_disclose_shows_no_score_over_fewer_than_100_secret_items_or_with_more_than_three_decimals(
    subtests: pytest.Subtests,
) -> None:
    secret = [benchmark for benchmark in all_benchmarks() if benchmark.answers_are_secret and benchmark.made_parts]
    assert {benchmark.id for benchmark in secret} == {"audio-motion-bench", "star-bench", "audio-process-bench"}
    for benchmark in secret:
        with subtests.test(benchmark=benchmark.id):
            own = benchmark.make_key("test", "disclosed")
            shown = list(benchmark.disclose(benchmark.score(own, answer_at_random(benchmark, own))))
            assert f"{benchmark.parts[0].id}" in {name for name, _, _ in shown} or benchmark.id == "audio-process-bench"
            for name, metric, score in shown:
                assert score.n >= 100, (name, metric)
                for value in (score.value, score.std):
                    assert value is None or value == round(value, 3), (name, metric)
                assert score.std is None or score.n >= 500, (name, metric)


def test_disclose_shows_everything_if_answers_are_public() -> None:
    benchmark = get_benchmark("star-bench", "demo")
    assert not benchmark.answers_are_secret
    report = Report.__new__(Report)
    object.__setattr__(report, "scores", {"perception": {"aa": Score(1 / 3, 3, 1 / 7)}})
    assert list(benchmark.disclose(report)) == [("perception", "aa", Score(1 / 3, 3, 1 / 7))]


def test_disclose_shows_no_directions_and_only_confusions_of_whole_variants(key: AnswerKey) -> None:
    shown = list_disclosed(MOTION, key, answer_at_random(MOTION, key))
    confusions = {name for name in shown if name.endswith(("confusion", "reversal"))}
    assert confusions
    assert {name.split("|")[0] for name in confusions} <= {f"{head}/mcq" for head in ("overall", "sct", "sdt", "tat")}
    assert not [name for name in shown if name.startswith("direction/")]


def test_shown_accuracies_differ_by_100_items_or_more(key: AnswerKey) -> None:
    rows = {item.name: frozenset(item.rows.tolist()) for item in layout("test", key.seed).slices}
    shown = [
        name.split("|")[0] for name in list_disclosed(MOTION, key, answer_at_random(MOTION, key)) if "|accuracy" in name
    ]
    assert len(shown) == 36
    for first, second in combinations(shown, 2):
        smaller, larger = sorted((rows[first], rows[second]), key=len)
        assert not smaller < larger or len(larger - smaller) >= 100, (first, second)


def test_ends_are_rounded_outwards_and_round_values_are_kept() -> None:
    assert [round_down(0.4129), round_down(0.412), round_down(-0.0001), round_down(None)] == [
        0.412,
        0.412,
        -0.001,
        None,
    ]
    assert [round_up(0.4121), round_up(0.412), round_up(0.0002), round_up(None)] == [0.413, 0.412, 0.001, None]
