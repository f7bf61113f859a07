"""Error-type shares: columns, metrics, charts, counts and intervals.

A share is a score of one part, `<part>|<label>_error_share`: the fraction of its classified wrong answers with that
label. The denominator includes answers whose cause cannot be determined.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from evaluation.benchmarks.chart_specs import ShareChart, ShareSegment
from evaluation.benchmarks.column_specs import Column, Metric, Part
from evaluation.error_types import ERROR_TYPES
from evaluation.judge.mistakes import Sorted
from evaluation.statistics import wilson_interval

MIN_INDEPENDENT = 20
"""Minimum effective number of answers for an interval."""
GROUP = "Error types"
_SUFFIX = "_error_share"
_STEPS = 10_000
_SORTER = re.compile(r"sorted by (\S+)\.$")


class ErrorShare(NamedTuple):
    """The share of one error type in the classified wrong answers of a part, with the counts for its note.

    Attributes:
        slice: The part.
        metric: Metric id, which names the error type.
        value: Fraction in [0, 1].
        n: Number of classified answers of the part.
        low: Lower end of the 95 % interval, rounded outwards to 0.0001; None without an interval.
        high: Upper end.
        n_wrong: Number of all wrong answers of the part.
        n_unsorted: Number of answers in the sample without a verdict.
    """

    slice: str
    metric: str
    value: float
    n: int
    low: float | None
    high: float | None
    n_wrong: int
    n_unsorted: int


def is_error_share(metric: str) -> bool:
    """Return whether a metric is the share of an error type, which is computed after scoring, not by it."""
    return metric.endswith(_SUFFIX)


def build_share_metrics(benchmark: str) -> tuple[Metric, ...]:
    """Return a metric for each error type of a benchmark, with the definition of the type."""
    return tuple(
        Metric(
            kind.metric,
            f"{kind.title} share",
            f"share of the classified wrong answers of a part. {kind.definition}",
            higher_is_better=False,
            ranked=False,
        )
        for kind in ERROR_TYPES[benchmark]
    )


def build_share_columns(benchmark: str, parts: Sequence[Part]) -> tuple[Column, ...]:
    """Return a column for each part and error type."""
    return tuple(
        Column(part.id, kind.metric, kind.title, f"{GROUP} · {_name(part)}")
        for part in parts
        for kind in ERROR_TYPES[benchmark]
    )


def build_share_charts(benchmark: str, parts: Sequence[Part]) -> tuple[ShareChart, ...]:
    """Return a chart for each part: one bar of shares per system; the text defines every label."""
    labels = " ".join(f"{kind.title}: {kind.definition}" for kind in ERROR_TYPES[benchmark])
    return tuple(
        ShareChart(
            # The chart of the first part keeps the ID that existing links use.
            id="errors" if part == parts[0] else f"errors-{part.id}",
            title=f"Error types, {_name(part)}",
            reading="How to read it: each bar shows the classified wrong answers of a model by cause; n is their "
            f"number. Incomplete bars: the paper reports no more. {labels}",
            segments=tuple(
                ShareSegment(kind.title.lower(), (f"{part.id}|{kind.metric}",)) for kind in ERROR_TYPES[benchmark]
            ),
            whole="classified wrong answers",
            absent="No error analysis of this part yet; it needs an LLM judge.",
        )
        for part in parts
    )


def count_shares(benchmark: str, classified: Sorted, clusters: Mapping[str, int]) -> Iterator[ErrorShare]:
    """Yield the share of every error type in every part with classified answers.

    The interval is Wilson's on the effective number of answers n²/Σm², where m are the numbers of classified answers
    about each recording. Answers about one recording count as if they always had the same cause, so dependence never
    makes the interval too narrow. None below `MIN_INDEPENDENT`.

    Args:
        benchmark: Benchmark with the labels.
        classified: Classified sample of wrong answers.
        clusters: Item ID → cluster number, shared by items about one recording.
    """
    for part, n_wrong in sorted(classified.n_wrong.items()):
        sample = [answer for answer in classified.sample if answer.part == part]
        labelled = [answer for answer in sample if answer.id in classified.labels]
        if not labelled:
            continue
        sizes = Counter(clusters[answer.item] for answer in labelled).values()
        n_effective = len(labelled) ** 2 / sum(size * size for size in sizes)
        counts = Counter(classified.labels[answer.id] for answer in labelled)
        for kind in ERROR_TYPES[benchmark]:
            share = counts[kind.id] / len(labelled)
            ends = _find_ends(share, n_effective)
            yield ErrorShare(part, kind.metric, share, len(labelled), *ends, n_wrong, len(sample) - len(labelled))


def find_sorter(note: str | None) -> str | None:
    """Return the judge of a share, as its note states it; None if it does not."""
    match = _SORTER.search(note or "")
    return match[1] if match else None


def write_note(share: ErrorShare, sorter: str) -> str:
    """Write the note of a share: its number of answers, and its judge; `find_sorter` parses it.

    >>> share = ErrorShare("temporal", "reasoning_error_share", 0.5, 98, None, None, 312, 2)
    >>> write_note(share, "judge-1")
    '98 of 312 wrong answers (2 more without a verdict), sorted by judge-1.'
    """
    without = f" ({share.n_unsorted:,} more without a verdict)" if share.n_unsorted else ""
    return f"{share.n:,} of {share.n_wrong:,} wrong answers{without}, sorted by {sorter}."


def compare_independent(first: tuple[float, float, float], second: tuple[float, float, float]) -> tuple[float, float]:
    """Return the 95 % interval of the difference of two shares from independent samples.

    d − √((p₁ − l₁)² + (u₂ − p₂)²) to d + √((u₁ − p₁)² + (p₂ − l₂)²), with d = p₁ − p₂ and (l, u) each share's interval.
    Both samples are about the same questions, which makes the interval too wide rather than too narrow.

    Args:
        first: Share and the ends of its interval.
        second: The same.

    Source: Newcombe, Interval estimation for the difference between independent proportions (1998), method 10.

    >>> [round(end, 4) for end in compare_independent((0.7, 0.573, 0.802), (0.6, 0.462, 0.724))]
    [-0.0775, 0.2716]
    """
    (one, low_one, high_one), (other, low_other, high_other) = first, second
    difference = one - other
    below, above = math.hypot(one - low_one, high_other - other), math.hypot(high_one - one, other - low_other)
    return max(-1.0, difference - below), min(1.0, difference + above)


def _find_ends(share: float, n_effective: float) -> tuple[float | None, float | None]:
    if n_effective < MIN_INDEPENDENT:
        return None, None
    low, high = wilson_interval(share * n_effective, n_effective)
    return math.floor(low * _STEPS) / _STEPS, min(1.0, math.ceil(high * _STEPS) / _STEPS)


def _name(part: Part) -> str:
    return part.title.split(" · ")[0]
