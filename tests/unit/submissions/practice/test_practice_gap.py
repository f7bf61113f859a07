"""Gap between practice and test: its interval covers, and tells memorised questions from honest answers."""

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.benchmarks.practice_comparison import PRACTICE_COLUMN, PRACTICE_GAP, is_practice_gap
from evaluation.benchmarks.practice_figures import find_practice_figure
from evaluation.metrics import practice_gap
from evaluation.statistics import (
    Clusters,
    ItemMean,
    ScoreSample,
    compare_unpaired,
    compare_unpaired_scores,
    estimate_standard_error,
)
from evaluation.types import Outcomes, Score
from submissions.comparisons.independent_differences import (
    IndependentDifferences,
    ScoredQuestions,
    estimate_score_error,
)
from submissions.ranking.gap_intervals import find_gap_interval

BENCHMARK = get_benchmark("audio-motion-bench")
FIGURE = BENCHMARK.headline.key
PRACTICE, TEST = BENCHMARK.make_key("practice"), BENCHMARK.make_key("test", "t" * 64)
N_REPEATS = 200


class Sides:
    """Practice and test questions of a benchmark, with the recordings that their items are about."""

    def __init__(self, benchmark: Benchmark, practice: AnswerKey, test: AnswerKey) -> None:
        self._benchmark = benchmark
        self._keys = practice, test
        self._ids = [tuple(item.id for item in benchmark.content(key).items) for key in self._keys]
        self._clusters = [benchmark.cluster_items(key) for key in self._keys]

    def answer(self, side: int, accuracy: float, rng: np.random.Generator) -> ScoredQuestions:
        """Answer a side: a recording that is misheard makes all of its items more likely to be wrong."""
        clusters = self._clusters[side]
        heard = np.clip(accuracy + rng.normal(0, 0.12, clusters.max() + 1), 0, 1)[clusters]
        right = (rng.random(len(clusters)) < heard)[:, None].astype(np.float32)
        choices = np.zeros((len(clusters), 1), np.int16)
        return ScoredQuestions(self._keys[side], Outcomes(self._ids[side], right, choices))

    def find_gap(self, practice: float, test: float, rng: np.random.Generator) -> tuple[float, float, float]:
        """Return the gap of a simulated system, and its interval."""
        pair = IndependentDifferences(self._benchmark, self.answer(0, practice, rng), self.answer(1, test, rng))
        assert pair.find_refusal(FIGURE) is None
        gap = pair.compare_figures([FIGURE])[0].difference
        assert gap is not None
        ends = find_gap_interval(pair, FIGURE, gap)
        assert ends is not None
        return gap, *ends


@pytest.fixture(scope="module")
def sides() -> Sides:
    return Sides(BENCHMARK, PRACTICE, TEST)


def test_gap_is_practice_minus_test_over_the_smaller_set() -> None:
    assert practice_gap(Score(0.75, 500), Score(0.5, 400)) == Score(0.25, 400)
    assert practice_gap(Score(0.4, 10), Score(0.6, 20)).value == pytest.approx(-0.2)
    assert practice_gap(Score(None, 500), Score(0.6, 400)) == Score(None, 400)
    assert practice_gap(Score(0.9, 500), Score(None, 400)) == Score(None, 400)


def test_interval_of_an_honest_system_covers_0_as_often_as_it_states(sides: Sides) -> None:
    rng = np.random.default_rng(20261127)
    intervals = [sides.find_gap(0.7, 0.7, rng) for _ in range(N_REPEATS)]
    covered = sum(low <= 0 <= high for _, low, high in intervals)
    assert 0.915 * N_REPEATS <= covered <= 0.985 * N_REPEATS, "95 % ± 2.3 standard errors"
    assert abs(np.mean([gap for gap, _, _ in intervals])) < 0.004


@pytest.mark.parametrize(("practice", "test"), [(0.97, 0.7), (0.8, 0.6), (0.75, 0.6)])
def test_interval_of_a_memorising_system_excludes_0(practice: float, test: float, sides: Sides) -> None:
    rng = np.random.default_rng(7)
    for _ in range(20):
        gap, low, high = sides.find_gap(practice, test, rng)
        assert 0 < low < gap < high <= 1


def test_standard_error_is_that_of_repeated_systems(sides: Sides) -> None:
    rng = np.random.default_rng(3)
    answered = [sides.answer(0, 0.7, rng) for _ in range(N_REPEATS)]
    means = [float(one.outcomes.correct.mean()) for one in answered]
    errors = [estimate_score_error(BENCHMARK, one, FIGURE) for one in answered]
    assert np.mean([error or 0.0 for error in errors]) == pytest.approx(float(np.std(means)), rel=0.12)


def _sample(outcomes: NDArray[np.float64], clusters: list[int]) -> ScoreSample:
    return ScoreSample([ItemMean("x", np.ones(len(outcomes), np.int64))], Clusters.of(clusters), {"x": outcomes})


def test_standard_error_by_hand() -> None:
    independent = _sample(np.array([1.0, 1, 1, 0, 0]), [0, 1, 2, 3, 4])
    assert estimate_standard_error(independent) == pytest.approx((0.6 * 0.4 / 4) ** 0.5)
    assert estimate_standard_error(_sample(np.ones(3), [0, 0, 0])) is None
    # Copies of an item on the same recording add nothing.
    copies = _sample(np.array([1.0, 1, 1, 0, 0]).repeat(2), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
    assert estimate_standard_error(copies) == pytest.approx(estimate_standard_error(independent) or 0.0)


def test_variance_of_the_comparison_is_the_sum_of_both_squared_errors() -> None:
    rng = np.random.default_rng(11)
    a, b = (rng.random(400) < share for share in (0.5, 0.5))
    clusters = list(range(400))
    errors = [estimate_standard_error(_sample(one.astype(float), clusters)) or 0.0 for one in (a, b)]
    compared = compare_unpaired(a, b, clusters, clusters)
    assert compared.low is not None
    assert compared.high is not None
    assert (compared.high - compared.low) / (2 * 1.96) == pytest.approx(float(np.hypot(errors[0], errors[1])), rel=0.02)
    samples = [_sample(one.astype(float), clusters) for one in (a, b)]
    assert compare_unpaired_scores(*samples)[0].difference == compared.difference


@pytest.mark.parametrize(
    ("name", "version", "setting", "figure"),
    [
        ("audio-motion-bench", "1.0", "default", "overall|accuracy"),
        ("star-bench", "1.0", "default", "perception|aa"),
        ("star-bench", "1.0", "pseudo-stereo", "perception/tones|aa"),
        ("star-bench", "1.0", "channel-wise", None),
        ("star-bench", "demo", "default", None),
        ("audio-process-bench", "synthetic-3", "few-shot", "overall|overall"),
        ("audio-process-bench", "1.0", "few-shot", None),
        ("mdar", "demo", "default", None),
    ],
)
def test_score_in_which_practice_and_test_are_compared(
    name: str, version: str, setting: str, figure: str | None
) -> None:
    column = find_practice_figure(get_benchmark(name, version), setting)
    assert (None if column is None else column.key) == figure


def test_benchmarks_with_editions_have_the_column_and_can_fill_it() -> None:
    for name in ("audio-motion-bench", "star-bench", "audio-process-bench"):
        benchmark = get_benchmark(name)
        assert PRACTICE_COLUMN in benchmark.columns
        assert PRACTICE_GAP in benchmark.metrics
        assert "public practice questions" in benchmark.define(PRACTICE_COLUMN)
    assert PRACTICE_COLUMN not in get_benchmark("mdar").columns
    assert is_practice_gap("practice_gap")
    assert not is_practice_gap("few_shot_gap")
