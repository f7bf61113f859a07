"""Simulated error rates between editions: rank ranges of joint boards, and comparisons of independent samples."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from evaluation.simulated_answers import MeasuredShare, Sizes, Table, draw_answers, label_items
from evaluation.statistics import (
    Clusters,
    HarmonicMeanOf,
    ItemMean,
    JointBoard,
    MeanOf,
    Resampling,
    ScoreComparison,
    ScoreFormula,
    ScoreSample,
    compare_unpaired_scores,
)

N_EDITIONS = (10, 3)
CORRELATIONS = (0.0, 0.3, 0.6)
CLIPS = (20, 80, 200)
RECORDINGS = ((56, 4), (56, 12), (168, 12))
_RESAMPLES = 999
_BOARDS_PER_DRAW = 20
_N_SYSTEMS = 10
_EQUAL, _MIXED = (0.5, 0.8, 0.95), (0.9, 0.9, 0.85, 0.8, 0.8, 0.7, 0.6, 0.5, 0.5, 0.3)
_PAIRS = ((0.5, 0.5), (0.8, 0.8), (0.95, 0.95), (0.9, 0.7))
_FORMULA_ITEMS, _FORMULA_CORRELATION = 240, 0.2
_FORMULA_PAIRS = ((0.5, 0.5), (0.9, 0.9), (0.8, 0.6))


def list_designs() -> Iterator[tuple[str, Sizes, float]]:
    """Yield name, items per recording and correlation within recordings of the simulated editions."""
    for n in CLIPS:
        yield f"{n} clips", np.ones(n, np.int64), 0.0
    uneven = [("120 recordings of 1 to 8", np.arange(120) % 8 + 1)]
    even = [(f"{n} recordings of {per}", np.full(n, per)) for n, per in RECORDINGS]
    for (name, sizes), correlation in itertools.product((*even, *uneven), CORRELATIONS):
        yield f"{name}, correlation {correlation:g}", sizes, correlation


def simulate_editions(times: int, seed: int) -> Iterator[MeasuredShare]:
    """Simulate boards of ten systems in several editions, and count those whose ranges all contain the true ranks."""
    for name, sizes, correlation in list_designs():
        for accuracies in (*((accuracy,) * _N_SYSTEMS for accuracy in _EQUAL), _MIXED):
            for n_editions in N_EDITIONS:
                rng = np.random.default_rng(
                    [seed, int(sizes.sum()), round(1000 * accuracies[0]), round(10 * correlation), n_editions]
                )
                held = fmean(_count_boards_held(sizes, correlation, accuracies, n_editions, times, rng))
                kind = f"all {accuracies[0]:g}" if len(set(accuracies)) == 1 else "mixed, 0.3 to 0.9"
                what = f"{name}, ten systems in {n_editions} editions, {kind}"
                yield MeasuredShare("editions", what, held, 0.94, 1.0, times)


def _count_boards_held(
    sizes: Sizes, correlation: float, accuracies: Sequence[float], n_editions: int, times: int, rng: np.random.Generator
) -> Iterator[bool]:
    best = np.array([1 + sum(other > accuracy for other in accuracies) for accuracy in accuracies])
    last = np.array([sum(other >= accuracy for other in accuracies) for accuracy in accuracies])
    members = [np.arange(at, len(accuracies), n_editions) for at in range(n_editions)]
    order = np.concatenate(members)
    for number in range(times):
        if number % _BOARDS_PER_DRAW == 0:
            draws = [Resampling.draw(label_items(sizes), _RESAMPLES, rng) for _ in members]
        board = JointBoard()
        for drawn, systems in zip(draws, members, strict=True):
            columns = [draw_answers(sizes, accuracies[system], correlation, 1, rng) for system in systems.tolist()]
            board.add_edition(drawn, np.hstack(columns))
        found = board.standings()
        yield bool(((found.rank_low <= best[order]) & (last[order] <= found.rank_high)).all())


def simulate_samples(times: int, seed: int) -> Iterator[MeasuredShare]:
    """Count rejections of equal systems with different items, and the coverage of intervals of their differences."""
    for name, sizes, correlation in list_designs():
        formula = ItemMean("right", np.ones(int(sizes.sum()), np.int64))
        for pair in _PAIRS:
            rng = np.random.default_rng(
                [seed, int(sizes.sum()), round(1000 * pair[0]), round(1000 * pair[1]), round(10 * correlation)]
            )
            a, b = (draw_answers(sizes, accuracy, correlation, times, rng) for accuracy in pair)
            compared = _compare_all(formula, sizes, a, b)
            yield from _measure_differences(f"{name}, {pair[0]:g} and {pair[1]:g}", compared, pair[0] - pair[1], times)
    yield from _simulate_formulas(times, seed)


def _simulate_formulas(times: int, seed: int) -> Iterator[MeasuredShare]:
    """Simulate scores of several means over the thirds of an edition."""
    sizes = np.full(_FORMULA_ITEMS // 2, 2)
    first, second = (ItemMean("right", (np.arange(_FORMULA_ITEMS) % 3 == third).astype(np.int64)) for third in range(2))
    formulas: Mapping[str, ScoreFormula] = {
        "mean of two means": MeanOf((first, second)),
        "harmonic mean": HarmonicMeanOf(first, second),
    }
    for (name, formula), pair in itertools.product(formulas.items(), _FORMULA_PAIRS):
        rng = np.random.default_rng([seed, len(name), round(1000 * pair[0])])
        a, b = (draw_answers(sizes, accuracy, _FORMULA_CORRELATION, times, rng) for accuracy in pair)
        what = f"{name} of {_FORMULA_ITEMS} items, {pair[0]:g} and {pair[1]:g}"
        yield from _measure_differences(what, _compare_all(formula, sizes, a, b), pair[0] - pair[1], times)


def _compare_all(formula: ScoreFormula, sizes: Sizes, a: Table, b: Table) -> list[ScoreComparison]:
    clusters = Clusters.of(label_items(sizes))

    def make_sample(answers: NDArray[np.float64]) -> ScoreSample:
        return ScoreSample([formula], clusters, {"right": answers})

    return [
        compare_unpaired_scores(make_sample(first), make_sample(second))[0]
        for first, second in zip(a.T, b.T, strict=True)
    ]


def _measure_differences(
    what: str, compared: Sequence[ScoreComparison], truth: float, times: int
) -> Iterator[MeasuredShare]:
    """Yield coverage and rejections of the pairs that have a test, if these are at least a quarter."""
    tested = [comparison for comparison in compared if comparison.p_value is not None]
    if len(tested) < times / 4:
        return
    covered = fmean((comparison.low or 0) <= truth <= (comparison.high or 0) for comparison in tested)
    yield MeasuredShare("samples", f"{what}, covered", covered, 0.935, 0.965, len(tested))
    if truth == 0:
        rejected = fmean((comparison.p_value or 0) <= 0.05 for comparison in tested)
        yield MeasuredShare("samples", f"{what}, rejected", rejected, 0.035, 0.065, len(tested))
