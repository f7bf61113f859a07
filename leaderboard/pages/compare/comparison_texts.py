"""Sentences of a comparison. Pure."""

from statistics import NormalDist
from typing import NamedTuple

from evaluation.benchmarks import Benchmark, Column, Metric
from leaderboard.rendering.formatting import NONE, write_points
from submissions.comparisons.differences import MIN_P, ScoreDifference

_LEVEL = 0.05
_POWER = 0.8
MISSING = "This score is missing for one of them, or rests on too few items. Choose another score in the table."
_NO_COUNTS = "Wins and losses are counted only if answers are public and each item has a single score."


class Names(NamedTuple):
    """Names of the two sides."""

    a: str
    b: str


def find_metric(benchmark: Benchmark, column: Column) -> Metric:
    """Return the metric of a column."""
    return next(metric for metric in benchmark.metrics if metric.id == column.metric)


def is_significant(one: ScoreDifference) -> bool:
    """Return whether a score's own p-value is below 0.05; if the interval ends at 0, the p-value decides."""
    return one.p_value is not None and one.p_value < _LEVEL


def write_p(p: float | None) -> str:
    """Format a p-value with as many decimals as it needs, never on the other side of 0.05."""
    if p is None:
        return NONE
    if p != _LEVEL and round(p, 4) == _LEVEL:
        return f"{p:.6f}"
    if p < 0.001 or (p != _LEVEL and round(p, 3) == _LEVEL):
        return f"{p:.4f}"
    return f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def write_verdict(benchmark: Benchmark, column: Column, one: ScoreDifference | None, names: Names) -> str:
    """Return the meaning of a score's difference."""
    if one is None:
        return MISSING
    title = column.full_title
    if one.p_value is None or one.low is None or one.high is None:
        return _write_plain(title, one, names)
    if is_significant(one):
        return _write_difference(find_metric(benchmark, column), title, one, names)
    interval = f"({write_points(one.low)} to {write_points(one.high)})"
    return (
        f"{names.a} and {names.b} cannot be distinguished on {title}: A − B = {write_points(one.difference)} points "
        f"{interval}, p = {write_p(one.p_value)}.{_write_detectable(one)}"
    )


def write_adjusted(one: ScoreDifference | None, n_tests: int) -> str:
    """Return the Holm-adjusted p-value of a score as a sentence."""
    if one is None or one.p_adjusted is None or n_tests < 2:
        return ""
    scores = f"all {n_tests} scores of this comparison with a p-value"
    after = f"Adjusted for {scores} (Holm), p = {write_p(one.p_adjusted)}"
    if is_significant(one) and one.p_adjusted >= _LEVEL:
        return f"{after}: not significant after adjustment."
    return f"{after}."


def write_counts(one: ScoreDifference | None, *, is_independent: bool = False) -> str:
    """Return why there are no counts of items; empty if there are or could not be, or if there is no interval."""
    if one is None or one.p_value is None or one.wins is not None or is_independent:
        return ""
    return _NO_COUNTS


def write_method(one: ScoreDifference, *, is_independent: bool = False) -> str:
    """Return how intervals and p-values were computed; empty without a p-value."""
    if one.p_value is None:
        return ""
    over = f"{one.n_clusters:,} clips with {one.n_items:,} items" if one.n_items and one.n_clusters else ""
    if is_independent:
        each = f", each over {over}" if over else ""
        test = f"Score test of two independent samples{each} (chi-square, clips as clusters)."
    else:
        test = f"Score test of the paired difference{f' over {over}' if over else ''} (McNemar, clips as clusters)."
    return (
        f"{test} The 95 % CI contains all differences that the test does not reject. Two-sided p-values (minimum "
        f"{MIN_P:g}), Holm-adjusted over all scores."
    )


def write_test(*, is_independent: bool) -> str:
    """Return the test behind a p-value and its interval, as a method section states it."""
    if is_independent:
        return "score test of two independent samples (chi-square), clustered by recording; interval: its inversion"
    return "score test of the paired difference (McNemar), clustered by recording; interval: its inversion"


def _write_difference(metric: Metric, title: str, one: ScoreDifference, names: Names) -> str:
    is_a_higher = one.difference > 0
    low, high = (one.low, one.high) if is_a_higher else (_turn(one.high), _turn(one.low))
    more = names.a if is_a_higher else names.b
    less = names.b if is_a_higher else names.a
    size = f"{_write_size(abs(one.difference))} points ({_write_size(low)} to {_write_size(high)})"
    by = f"by {size}, p = {write_p(one.p_value)}"
    if not metric.ranked:
        return f"{title} of {more} is higher than that of {less} {by}."
    better = more if metric.higher_is_better else less
    return f"{better} is better on {title} {by}."


def _write_plain(title: str, one: ScoreDifference, names: Names) -> str:
    if one.difference == 0:
        return f"{names.a} and {names.b} have the same {title}."
    if write_points(one.difference) == "0.0":
        return f"{names.a} and {names.b} differ by less than 0.1 points in {title}."
    more, less = (names.a, names.b) if one.difference > 0 else (names.b, names.a)
    return f"{title} of {more} is {_write_size(abs(one.difference))} points{_write_ends(one)} above that of {less}."


def _write_ends(one: ScoreDifference) -> str:
    """Return the interval of a difference without a p-value; empty if there is none."""
    if one.low is None or one.high is None:
        return ""
    low, high = (one.low, one.high) if one.difference > 0 else (_turn(one.high), _turn(one.low))
    return f" ({_write_size(low)} to {_write_size(high)})"


def _write_detectable(one: ScoreDifference) -> str:
    """Return the difference that would be detected four times in five, from the width of the interval."""
    if one.low is None or one.high is None or one.high <= one.low:
        return ""
    normal = NormalDist()
    z_level, z_power = normal.inv_cdf(1 - _LEVEL / 2), normal.inv_cdf(_POWER)
    least = (one.high - one.low) / (2 * z_level) * (z_level + z_power)
    items = f" with {one.n_items:,} items" if one.n_items else ""
    return f" Smallest detectable difference{items}: about {100 * least:.1f} points."


def _write_size(fraction: float | None) -> str:
    return NONE if fraction is None else f"{100 * fraction:.1f}".replace("-", "−")


def _turn(fraction: float | None) -> float | None:
    return None if fraction is None else 0.0 - fraction
