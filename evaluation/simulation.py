"""Simulated coverage of intervals, rank ranges, tests and detectable differences.

Each cluster has its own probability that its items are right, drawn from a beta distribution with the requested
accuracy and correlation within clusters. Everything uses the functions that build boards and comparisons. See
docs/methods.md for the results.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from evaluation.benchmarks import get_benchmark
from evaluation.edition_simulation import simulate_editions, simulate_samples
from evaluation.simulated_answers import (
    MeasuredShare,
    Sizes,
    Table,
    draw_answers,
    label_items,
    list_structures,
    list_trace_clusters,
)
from evaluation.statistics import (
    Clusters,
    Estimator,
    HarmonicMeanOf,
    ItemMean,
    MeanOf,
    ResampledBoard,
    Resampling,
    ScoreFormula,
    combine_means,
    compare_on,
    detectable_on_board,
    has_interval,
    list_item_means,
)

ACCURACIES = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.93, 0.95, 0.97)
CORRELATIONS = (0.0, 0.1, 0.3, 0.6)
KINDS = ("interval", "figure", "ranks", "test", "power", "editions", "samples")
_AT_ONCE = 500
_RESAMPLES = 999
_BOARDS_PER_DRAW = 20
_BOARD_CLIPS = (20, 40, 80, 200, 800)
_FEW_RECORDINGS = 56
_PER_RECORDING = (4, 8, 12)
_EQUAL, _MIXED = (0.3, 0.5, 0.8, 0.9), (0.9, 0.9, 0.85, 0.8, 0.8, 0.7, 0.6, 0.5, 0.5, 0.3)
_N_SYSTEMS = 10
_COMPOSITES = (
    ("overall", "overall"),
    ("type", "prmscore"),
    ("type", "recall"),
    ("type/reasoning", "prmscore"),
    ("step", "aei"),
    ("chain", "overall"),
    ("generator/cedar-audio-r1", "aei"),
    ("position/7", "aei"),
)


def simulate(times: float, seed: int, kinds: Sequence[str] = ()) -> Iterator[MeasuredShare]:
    """Yield measured proportions.

    Args:
        times: Multiple of the default numbers: 4,000 intervals, 1,000 boards, 4,000 comparisons each.
        seed: Seed of all random numbers.
        kinds: Kinds to simulate; empty for all.
    """
    structures = list_structures()
    parts: Mapping[str, Callable[[], Iterator[MeasuredShare]]] = {
        "interval": lambda: _simulate_intervals(structures, round(4000 * times), seed),
        "figure": lambda: itertools.chain(
            _simulate_formulas(round(4000 * times), seed), _simulate_composites(round(1000 * times), seed)
        ),
        "ranks": lambda: _simulate_ranks(round(1000 * times), seed),
        "test": lambda: _simulate_tests(structures, round(4000 * times), seed),
        "power": lambda: _simulate_power(structures, round(4000 * times), seed),
        "editions": lambda: simulate_editions(round(1000 * times), seed),
        "samples": lambda: simulate_samples(round(4000 * times), seed),
    }
    for name, part in parts.items():
        if not kinds or name in kinds:
            yield from part()


def _list_correlations(sizes: Sizes) -> tuple[float, ...]:
    return CORRELATIONS if sizes.max() > 1 else (0.0,)


def _simulate_intervals(structures: Mapping[str, Sizes], times: int, seed: int) -> Iterator[MeasuredShare]:
    for name, sizes in structures.items():
        formula = ItemMean("right", np.ones(int(sizes.sum()), np.int64))
        if not has_interval(formula, Clusters.of(label_items(sizes))):
            continue
        for correlation in _list_correlations(sizes):
            for accuracy in ACCURACIES:
                rng = np.random.default_rng([seed, len(sizes), round(1000 * accuracy), round(10 * correlation)])
                draw = _Draw(sizes, accuracy, correlation)
                share = _count_covered(formula, {"right": draw}, accuracy, times, rng)
                what = f"{name}, accuracy {accuracy:g}, correlation {correlation:g}"
                yield MeasuredShare("interval", what, share, 0.935, 0.965, times)


@dataclass(frozen=True, slots=True)
class _Draw:
    """A score to simulate: 1 or 0, or the mean of several such answers to an item."""

    sizes: Sizes
    accuracy: float
    correlation: float
    runs: int = 1

    def make(self, n: int, rng: np.random.Generator) -> Table:
        answers = draw_answers(self.sizes * self.runs, self.accuracy, self.correlation, n, rng)
        means: Table = answers.reshape(-1, self.runs, n).mean(axis=1)
        return means


def _count_covered(
    formula: ScoreFormula, draws: Mapping[str, _Draw], truth: float, times: int, rng: np.random.Generator
) -> float:
    labels = label_items(next(iter(draws.values())).sizes)
    covered = 0
    for at in range(0, times, _AT_ONCE):
        n = min(_AT_ONCE, times - at)
        resampling = Resampling.draw(labels, 40, rng)
        estimate = Estimator(formula, resampling).estimate({name: draw.make(n, rng) for name, draw in draws.items()})
        covered += int(((estimate.low <= truth) & (truth <= estimate.high)).sum())
    return covered / times


def _simulate_formulas(times: int, seed: int) -> Iterator[MeasuredShare]:
    """Simulate scores other than shares of right answers: means of runs, means of means and harmonic means."""
    for n_items, rates in ((60, (0.5, 0.8)), (60, (0.9, 0.95)), (240, (0.1, 0.7)), (240, (0.9, 0.95))):
        sizes = np.repeat(np.int64(2), n_items // 2) if n_items > 60 else np.ones(n_items, np.int64)
        thirds = [(np.arange(n_items) % 3 == place).astype(np.int64) for place in range(2)]
        halves = ItemMean("a", thirds[0]), ItemMean("b", thirds[1])
        draws = {name: _Draw(sizes, rate, 0.2) for name, rate in zip("ab", rates, strict=True)}
        a, b = rates
        every = ItemMean("a", np.ones(n_items, np.int64))
        cases: Mapping[str, tuple[ScoreFormula, Mapping[str, _Draw], float]] = {
            "mean of two means": (MeanOf(halves), draws, fmean(rates)),
            "harmonic mean": (HarmonicMeanOf(*halves), draws, 2 * a * b / (a + b)),
            "mean of three runs": (every, {"a": _Draw(sizes, a, 0.4, runs=3)}, a),
        }
        for name, (formula, scores, truth) in cases.items():
            if has_interval(formula, Clusters.of(label_items(sizes))):
                rng = np.random.default_rng([seed, n_items, round(1000 * a), len(name)])
                share = _count_covered(formula, scores, truth, times, rng)
                yield MeasuredShare("figure", f"{name}, {n_items} items, {a:g} and {b:g}", share, 0.935, 0.965, times)


def _simulate_composites(times: int, seed: int) -> Iterator[MeasuredShare]:
    """Simulate composite scores of AudioProcessBench, whose members cover different clusters."""
    process = get_benchmark("audio-process-bench", "synthetic-3")
    key = process.make_key("practice")
    for (of_pairs, labels), (name, metric) in itertools.product(list_trace_clusters(process, key).items(), _COMPOSITES):
        formula = process.find_formula(key, name, metric)
        if formula is None or not has_interval(formula, Clusters.of(labels)):
            continue
        members = list(dict.fromkeys(list_item_means(formula)))
        for correlation in (0.0, 0.3):
            for accuracies in ((0.5,), (0.8,), (0.95,), (0.4, 0.95)):
                rates = dict(zip(members, itertools.cycle(accuracies)))
                rng = np.random.default_rng([seed, len(members), round(10 * correlation), len(accuracies)])
                share = _count_composites(formula, rates, labels, correlation, times, rng)
                what = f"{name}|{metric}{of_pairs}, accuracies {accuracies}, correlation {correlation:g}"
                yield MeasuredShare("figure", what, share, 0.935, 0.965, times)


def _count_composites(
    formula: ScoreFormula,
    rates: Mapping[ItemMean, float],
    labels: NDArray[np.int64],
    correlation: float,
    times: int,
    rng: np.random.Generator,
) -> float:
    truth = combine_means(formula, {mean: np.array([rate]) for mean, rate in rates.items()})[0]
    covered = 0
    for at in range(0, times, _AT_ONCE):
        n = min(_AT_ONCE, times - at)
        scores: dict[str, Table] = {}
        for mean, rate in rates.items():
            shares = _draw_shares(mean.weights, labels, rate, correlation, n, rng)
            scores[mean.score] = np.where(mean.weights[:, None] > 0, shares, scores.get(mean.score, shares))
        estimate = Estimator(formula, Resampling.draw(labels, 40, rng)).estimate(scores)
        covered += int(((estimate.low <= truth) & (truth <= estimate.high)).sum())
    return covered / times


def _draw_shares(
    weights: Sizes, labels: NDArray[np.int64], rate: float, correlation: float, n: int, rng: np.random.Generator
) -> Table:
    """Return the right share of each trace's items (traces × n systems), correlated within clusters."""
    _, clusters = np.unique(labels, return_inverse=True)
    shape = int(clusters.max()) + 1, n
    scale = (1 - correlation) / correlation if correlation else 0.0
    rates = rng.beta(rate * scale, (1 - rate) * scale, size=shape) if correlation else np.full(shape, rate)
    right = rng.binomial(weights[:, None], rates[clusters])
    return right / np.maximum(weights, 1)[:, None]


def _simulate_ranks(times: int, seed: int) -> Iterator[MeasuredShare]:
    """Simulate boards and count those whose ranges all contain the true ranks, with single and several clips."""
    boards = [(f"{n} clips", np.ones(n, np.int64), 0.0) for n in _BOARD_CLIPS]
    for per_recording, correlation in itertools.product(_PER_RECORDING, CORRELATIONS):
        name = f"{_FEW_RECORDINGS} recordings of {per_recording}, correlation {correlation:g}"
        boards.append((name, np.full(_FEW_RECORDINGS, per_recording), correlation))
    for name, sizes, correlation in boards:
        for accuracies in (*((accuracy,) * _N_SYSTEMS for accuracy in _EQUAL), _MIXED):
            rng = np.random.default_rng([seed, len(sizes), round(1000 * accuracies[0]), len(set(accuracies))])
            share_held = fmean(_count_boards_held(sizes, correlation, accuracies, times, rng))
            kind = f"all {accuracies[0]:g}" if len(set(accuracies)) == 1 else "mixed, 0.3 to 0.9"
            yield MeasuredShare("ranks", f"{name}, ten systems, {kind}", share_held, 0.94, 1.0, times)


def _count_boards_held(
    sizes: Sizes, correlation: float, accuracies: Sequence[float], times: int, rng: np.random.Generator
) -> Iterator[bool]:
    best = np.array([1 + sum(other > accuracy for other in accuracies) for accuracy in accuracies])
    last = np.array([sum(other >= accuracy for other in accuracies) for accuracy in accuracies])
    for number in range(times):
        if number % _BOARDS_PER_DRAW == 0:
            resampling = Resampling.draw(label_items(sizes), _RESAMPLES, rng)
        table = np.hstack([draw_answers(sizes, accuracy, correlation, 1, rng) for accuracy in accuracies])
        board = ResampledBoard(resampling, table).standings()
        yield bool(((board.rank_low <= best) & (last <= board.rank_high)).all())


def _simulate_tests(structures: Mapping[str, Sizes], times: int, seed: int) -> Iterator[MeasuredShare]:
    """Count rejections of equal systems, and the coverage of intervals of differences, where they exist."""
    for name, sizes in structures.items():
        clusters = Clusters.of(label_items(sizes))
        if not has_interval(ItemMean("right", np.ones(clusters.n_items, np.int64)), clusters):
            continue
        for correlation in _list_correlations(sizes)[::3]:
            for first, second in ((0.5, 0.5), (0.8, 0.8), (0.95, 0.95), (0.9, 0.7)):
                rng = np.random.default_rng([seed, len(sizes), round(1000 * first), round(10 * correlation)])
                a, b = (draw_answers(sizes, comparison, correlation, times, rng) for comparison in (first, second))
                comparisons = [compare_on(clusters, a[:, at], b[:, at]) for at in range(times)]
                tested = [comparison for comparison in comparisons if comparison.p_value is not None]
                if len(tested) < times / 4:
                    continue
                what = f"{name}, {first:g} and {second:g}, correlation {correlation:g}"
                share_held = fmean(
                    (comparison.low or 0) <= first - second <= (comparison.high or 0) for comparison in tested
                )
                yield MeasuredShare("difference", what, share_held, 0.935, 0.965, len(tested))
                if first == second:
                    rejected = fmean((comparison.p_value or 0) <= 0.05 for comparison in tested)
                    yield MeasuredShare("test", what, rejected, 0.04, 0.06, len(tested))


def _simulate_power(structures: Mapping[str, Sizes], times: int, seed: int) -> Iterator[MeasuredShare]:
    """Count how often two systems that differ by the detectable difference are distinguished."""
    for name, sizes in structures.items():
        labels = label_items(sizes)
        clusters = Clusters.of(labels)
        if (sizes != sizes[0]).any():
            continue  # The score only uses the mean cluster size.
        for correlation in _list_correlations(sizes):
            difference = detectable_on_board(len(labels), len(sizes), correlation=correlation)
            if difference is None:
                continue
            rng = np.random.default_rng([seed, len(sizes), len(labels), round(10 * correlation)])
            n_found = 0
            for _ in range(times):
                marks = _draw_differences(labels, difference, correlation, rng)
                comparison = compare_on(clusters, marks, np.full(len(labels), 0.5))
                n_found += (
                    comparison.p_value is not None and comparison.p_value <= 0.05 and (comparison.difference or 0) > 0
                )
            yield MeasuredShare("power", f"{name}, correlation {correlation:g}", n_found / times, 0.78, 0.82, times)


def _draw_differences(labels: Sizes, difference: float, correlation: float, rng: np.random.Generator) -> Table:
    """Return scores around 1/2 of a system that wins more often than it loses, with half of the items tied.

    Wins, ties and losses per cluster follow a Dirichlet distribution, as accuracies follow a beta distribution.
    """
    often = np.array([(0.5 - difference) / 2, 0.5, (0.5 + difference) / 2])
    n_clusters = int(labels.max()) + 1
    if correlation == 0:
        rates = np.tile(often, (n_clusters, 1))
    else:
        rates = rng.dirichlet(often * (1 - correlation) / correlation, size=n_clusters)
    drawn, loses, ties = rng.random(len(labels)), rates[labels, 0], rates[labels, 1]
    return np.where(drawn < loses, 0.0, np.where(drawn < loses + ties, 0.5, 1.0))
