"""Equivalence of editions: whether test splits from different secret seeds differ by more than chance.

    .venv/bin/python -m bench.edition_equivalence [--benchmark audio-motion-bench] [--editions 50] [--step 3]

Every reference system answers every edition. For each score with an interval, two chi-square tests compare its spread
over the editions with a prediction, X² = Σ (x − mean)² / SE², with one degree of freedom less than editions:

* *Interval.* SE is the standard error that the interval is built from: it treats recordings as drawn at random. More
  spread means that editions differ, or that intervals are too narrow. Less spread is expected, because the design fixes
  much of a recording (path, level, type of question) and the seed draws only the rest.
* *Design.* SE² is the variance of what the seed draws, measured unit by unit over the editions. It predicts the spread
  if units are drawn independently. More spread means that something shifts whole editions.

SE² is the mean over the editions, not that of each one, because an edition with fewer errors by chance has a smaller
standard error too. p-values are two-sided, and adjusted by Holm's method over all tests of the table.
"""

import argparse
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from bench.edition_listening import VERSIONS, Answers, DesignPlace, PlacedEdition, find_answers, make_edition
from evaluation import get_benchmark
from evaluation.benchmarks import Benchmark
from evaluation.benchmarks.column_specs import Column
from evaluation.listeners import LISTENERS
from evaluation.statistics import (
    Estimator,
    HarmonicMeanOf,
    ItemMean,
    MeanOf,
    Resampling,
    ScoreFormula,
    adjust_p_values,
    has_interval,
    list_item_means,
)
from evaluation.statistics.clusters import UNIT
from evaluation.statistics.intervals import estimate_design_effect
from evaluation.statistics.linear import LinearFormula
from evaluation.statistics.score_formulas import list_slopes
from evaluation.types import Prediction

STEPS: Mapping[str, int] = {"audio-motion-bench": 3, "star-bench": 6, "audio-process-bench": 1}
"""Benchmark → of how many clusters one is answered."""
FURTHER_COLUMNS: Mapping[str, Sequence[str]] = {
    "star-bench": ("perception|acr", "perception/range|aa", "perception/sensitivity|aa")
}
"""Scores besides the default columns, of which STAR-Bench has one without its imported parts."""
N_EDITIONS = 50
FOLDER = Path(__file__).with_name("editions")
P_SHOWN = 0.001
_MIN_RESAMPLES = 40
_NOTHING = 1e-18
_TURNS = 50
"""Alternating fits of factors, after which the effects of crossed factors have converged."""

_Column = NDArray[np.float64]


class EditionScore(NamedTuple):
    """A score of a system on one edition.

    Attributes:
        value: The score.
        error: Standard error of its interval.
        low: Lower end of its interval.
        high: Upper end.
        by_unit: Place of each unit of the design → what it adds to the score, less what is expected of it.
    """

    value: float
    error: float
    low: float
    high: float
    by_unit: Mapping[DesignPlace, float]


class EditionSpread(NamedTuple):
    """Spread of a score over editions.

    Attributes:
        mean: Mean over editions.
        deviation: Standard deviation over editions.
        error: Root mean square of the standard errors of the intervals.
        p_interval: p-value of the spread that the intervals predict.
        design_error: Standard error that the variance within the design predicts.
        p_design: p-value of the spread that it predicts.
        covered: Share of intervals that contain the mean over editions.
    """

    mean: float
    deviation: float
    error: float
    p_interval: float
    design_error: float
    p_design: float
    covered: float


def score_edition(
    benchmark: Benchmark, edition: PlacedEdition, predictions: Sequence[Prediction], columns: Sequence[Column]
) -> dict[str, EditionScore]:
    """Return the scores of columns that have an interval, over the items that a system answered."""
    outcomes = benchmark.score(edition.key, predictions).outcomes
    answered_ids = {prediction.id for prediction in predictions}
    is_answered = np.array([item.id in answered_ids for item in edition.items])
    labels = benchmark.cluster_items(edition.key)
    resampling = Resampling.draw(labels, _MIN_RESAMPLES, np.random.default_rng(0))
    _, firsts = np.unique(labels, return_index=True)
    scores = {}
    for column in columns:
        whole = benchmark.find_formula(edition.key, column.slice, column.metric)
        if whole is None or not has_interval(whole, resampling.clusters):
            continue
        formula = restrict_formula(whole, is_answered)
        item_scores = {
            mean.score: benchmark.score_items(edition.key, outcomes, mean.score)[:, None]
            for mean in list_item_means(formula)
        }
        estimate = Estimator(formula, resampling).estimate(item_scores)
        linear = LinearFormula(formula, resampling.clusters)
        contributions = find_contributions(linear, item_scores)
        by_unit: dict[DesignPlace, float] = {}
        for cluster, contribution in zip(linear.used.tolist(), contributions.tolist(), strict=True):
            place = edition.places[firsts[cluster]]
            by_unit[place] = by_unit.get(place, 0.0) + contribution
        error = estimate_error(linear, item_scores)
        scores[column.key] = EditionScore(
            float(estimate.value[0]), error, float(estimate.low[0]), float(estimate.high[0]), by_unit
        )
    return scores


def restrict_formula(formula: ScoreFormula, is_answered: NDArray[np.bool_]) -> ScoreFormula:
    """Return a score over some of its items."""
    if isinstance(formula, ItemMean):
        return ItemMean(formula.score, formula.weights * is_answered)
    if isinstance(formula, MeanOf):
        return MeanOf(tuple(restrict_formula(member, is_answered) for member in formula.members))
    return HarmonicMeanOf(*(restrict_formula(member, is_answered) for member in (formula.first, formula.second)))


def find_contributions(linear: LinearFormula, item_scores: Mapping[str, _Column]) -> _Column:
    """Return what each cluster of a system adds to its score, to first order, less what is expected of it."""
    measurement = linear.measure(item_scores)
    residuals = linear.find_residuals(measurement)
    total = np.zeros(linear.n_clusters)
    for mean, slope in list_slopes(linear.formula, measurement.means, np.ones(1)):
        total += slope[0] * residuals[mean][0] / linear.leaves[mean].clusters.n_items
    return total


def estimate_error(linear: LinearFormula, item_scores: Mapping[str, _Column]) -> float:
    """Return the standard error that a score's interval is built from.

    For a mean over items it contains the prior of the design effect; see `evaluation/statistics/intervals.py`.
    """
    if not isinstance(linear.formula, ItemMean):
        return float(np.sqrt(np.square(find_contributions(linear, item_scores)).sum()))
    clusters = linear.leaves[linear.formula].clusters
    measurement = linear.measure(item_scores)
    value = measurement.value
    right = np.ascontiguousarray(measurement.sums[linear.formula].T) / UNIT
    effect, _ = estimate_design_effect(right, value, clusters.sizes)
    return float(np.sqrt(value * (1 - value) * effect / clusters.n_items)[0])


def measure_spread(scores: Sequence[EditionScore]) -> EditionSpread:
    """Compare the spread of a score over editions with both predictions."""
    values, errors = (np.array([getattr(score, name) for score in scores]) for name in ("value", "error"))
    variance, error_variance = float(values.var(ddof=1)), float(np.square(errors).mean())
    degrees = len(scores) - 1
    design_variance = predict_variance([score.by_unit for score in scores])
    return EditionSpread(
        mean=float(values.mean()),
        deviation=variance**0.5,
        error=error_variance**0.5,
        p_interval=find_p_value(variance, error_variance, degrees),
        design_error=design_variance**0.5,
        p_design=find_p_value(variance, design_variance, degrees),
        covered=float(np.mean([score.low <= values.mean() <= score.high for score in scores])),
    )


def predict_variance(editions: Sequence[Mapping[DesignPlace, float]]) -> float:
    """Return the variance of a score over editions if units vary independently around what the design fixes.

    What each unit adds is explained by a sum of effects, one for each value of a factor. The rest is what a seed draws.
    """
    places = [place for edition in editions for place in edition]
    rest = np.array([added for edition in editions for added in edition.values()])
    factors = [_number_values(factor) for factor in zip(*(place.factors for place in places), strict=True)]
    for _ in range(_TURNS if len(factors) > 1 else 1):
        for factor in factors:
            counts, sums = np.bincount(factor), np.bincount(factor, rest)
            rest = rest - (sums / counts)[factor]
    n_effects = sum(int(factor.max()) + 1 for factor in factors) - (len(factors) - 1)
    return float(np.square(rest).sum()) / (len(rest) - n_effects) * len(rest) / len(editions)


def _number_values(values: Iterable[Hashable]) -> NDArray[np.int64]:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.int64)


def find_p_value(variance: float, predicted: float, degrees: int) -> float:
    """Return the two-sided p-value of a variance, from the chi-square distribution."""
    if predicted < _NOTHING:
        return float(variance < _NOTHING)
    statistic = variance * degrees / predicted
    return min(1.0, 2 * float(min(chi2.cdf(statistic, degrees), chi2.sf(statistic, degrees))))


def measure_spreads(
    benchmark: Benchmark, answered: Iterable[tuple[PlacedEdition, Answers]], columns: Sequence[Column]
) -> dict[tuple[str, str], EditionSpread]:
    """Return (system, score) → its spread over answered editions."""
    found: dict[tuple[str, str], list[EditionScore]] = {}
    for edition, answers in answered:
        for system, predictions in answers.items():
            for name, score in score_edition(benchmark, edition, predictions, columns).items():
                found.setdefault((system, name), []).append(score)
    return {name: measure_spread(scores) for name, scores in found.items()}


def list_columns(benchmark: Benchmark) -> list[Column]:
    """Return the scores of the table."""
    keys = {column.key for column in benchmark.columns_of(benchmark.settings[0])}
    keys.update(FURTHER_COLUMNS.get(benchmark.id, ()))
    return [column for column in benchmark.columns if column.key in keys]


def adjust_spreads(spreads: Sequence[EditionSpread]) -> list[EditionSpread]:
    """Return spreads with p-values that are adjusted for the number of tests."""
    adjusted = adjust_p_values([p for spread in spreads for p in (spread.p_interval, spread.p_design)])
    pairs = zip(adjusted[::2], adjusted[1::2], strict=True)
    return [
        spread._replace(p_interval=p_interval, p_design=p_design)
        for spread, (p_interval, p_design) in zip(spreads, pairs, strict=True)
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--benchmark", choices=tuple(VERSIONS), help="one benchmark instead of all")
    parser.add_argument("--editions", type=int, default=N_EDITIONS)
    parser.add_argument("--step", type=int, help="answer one cluster in so many")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where answers are saved")
    options = parser.parse_args()
    rows: list[str] = []
    spreads: list[EditionSpread] = []
    for benchmark_id, version in VERSIONS.items():
        if options.benchmark in (None, benchmark_id):
            benchmark, step = get_benchmark(benchmark_id, version), options.step or STEPS[benchmark_id]
            answered = (
                (make_edition(benchmark, number), find_answers(benchmark, number, step, options.folder))
                for number in range(options.editions)
            )
            columns = list_columns(benchmark)
            titles = {column.key: f"{column.title} ({column.slice})" for column in columns}
            for (system, key), spread in measure_spreads(benchmark, answered, columns).items():
                rows.append(f"| {benchmark.title} | {LISTENERS[system].title} | {titles[key]}")
                spreads.append(spread)
    print("| benchmark | system | score | mean | SD | interval SE | ratio | p | covers | design SE | ratio | p |")
    print("|---" * 12 + "|")
    for row, spread in zip(rows, adjust_spreads(spreads), strict=True):
        print(f"{row} | {describe_spread(spread)} |")


def describe_spread(spread: EditionSpread) -> str:
    """Return the cells of a row: mean, deviation, then the prediction of intervals and that of the design."""
    mean, deviation, error, design_error = (
        f"{100 * value:.2f}" for value in (spread.mean, spread.deviation, spread.error, spread.design_error)
    )
    ratios = [f"{spread.deviation / max(predicted, 1e-9):.2f}" for predicted in (spread.error, spread.design_error)]
    p_values = [f"{p:.3f}" if p >= P_SHOWN else f"< {P_SHOWN}" for p in (spread.p_interval, spread.p_design)]
    by_interval = f"{error} | {ratios[0]} | {p_values[0]} | {spread.covered:.0%}"
    return f"{mean} | {deviation} | {by_interval} | {design_error} | {ratios[1]} | {p_values[1]}"


if __name__ == "__main__":
    main()
