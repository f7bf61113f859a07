"""Disclosure of scores, ranks and differences: the rule of `evaluation.benchmarks.disclosure_rule`, applied to records.

Evaluators apply it before anything is stored.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from db.records import ScoreRecord, StandingRecord
from evaluation.benchmarks import Benchmark
from evaluation.benchmarks.disclosure_rule import MIN_ITEMS, round_down, round_share, round_up
from evaluation.types import Report
from submissions.comparisons.differences import ScoreDifference


def list_disclosed(benchmark: Benchmark, report: Report) -> Iterator[ScoreRecord]:
    """Yield the scores of a report that may be shown, in the stored form."""
    for slice_name, metric, score in benchmark.disclose(report):
        yield ScoreRecord(slice_name, metric, score.value, score.n, score.std)


def disclose_standings(benchmark: Benchmark, standings: Sequence[StandingRecord]) -> list[StandingRecord]:
    """Return standings whose intervals are rounded to the decimals that may be shown."""
    if not benchmark.answers_are_secret:
        return list(standings)
    return [one._replace(low=round_down(one.low), high=round_up(one.high)) for one in standings]


def disclose_detectable(benchmark: Benchmark, detectable: float | None) -> float | None:
    """Return a board's detectable difference, rounded up if it is over secret answers."""
    return round_up(detectable) if benchmark.answers_are_secret else detectable


def disclose_differences(benchmark: Benchmark, differences: Sequence[ScoreDifference]) -> list[ScoreDifference]:
    """Return differences rounded to the decimals that may be shown, without counts of items."""
    if not benchmark.answers_are_secret:
        return list(differences)
    return [_disclose_difference(one) for one in differences]


def _disclose_difference(one: ScoreDifference) -> ScoreDifference:
    return replace(
        one,
        first=round_share(one.first) or 0.0,
        second=round_share(one.second) or 0.0,
        difference=round_share(one.difference) or 0.0,
        low=round_down(one.low),
        high=round_up(one.high),
        p_value=round_up(one.p_value),
        p_adjusted=round_up(one.p_adjusted),
        wins=None,
        losses=None,
        ties=None,
    )


def disclose_shares(benchmark: Benchmark, shares: Sequence[ScoreRecord]) -> list[ScoreRecord]:
    """Return the error shares that may be shown: none over too few secret items."""
    if not benchmark.answers_are_secret:
        return list(shares)
    return [
        replace(one, value=round_share(one.value), low=round_down(one.low), high=round_up(one.high))
        for one in shares
        if (one.n or 0) >= MIN_ITEMS
    ]
