"""Shares of error types: counted by part, with intervals, and compared only where comparable."""

import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

import numpy as np
import pytest

from evaluation.benchmarks import all_benchmarks, get_benchmark
from evaluation.benchmarks.error_shares import (
    ErrorShare,
    compare_independent,
    count_shares,
    find_sorter,
    is_error_share,
    write_note,
)
from evaluation.judge.mistakes import Sorted, WrongAnswer
from evaluation.types import Reading

ANSWER = WrongAnswer("item-0#0", "Which one?", "left", "right", Reading(index=1), "temporal")


def sort_into(part: str, labels: Sequence[str | None], n_runs: int = 1, n_wrong: int | None = None) -> Sorted:
    """Return sorted answers; None marks an answer without a verdict, and neighbours are runs of one item."""
    sample = [replace(ANSWER, id=f"{part}-{n // n_runs}#{n % n_runs}", part=part) for n in range(len(labels))]
    known = {answer.id: label for answer, label in zip(sample, labels, strict=True) if label is not None}
    errors = {answer.id: "mute" for answer, label in zip(sample, labels, strict=True) if label is None}
    return Sorted(sample, known, errors, {part: n_wrong or len(labels)})


def count(answers: Sorted, clusters: dict[str, int] | None = None) -> dict[str, ErrorShare]:
    items = dict.fromkeys(entry.item for entry in answers.sample)
    own = {item: number for number, item in enumerate(items)}
    return {f"{entry.slice}|{entry.metric}": entry for entry in count_shares("star-bench", answers, clusters or own)}


def test_shares_of_each_part_include_cannot_tell_and_add_up_to_one() -> None:
    temporal = sort_into("temporal", ["perception"] * 30 + ["cannot-tell"] * 50 + ["formatting"] * 20, n_wrong=312)
    spatial = sort_into("spatial", ["knowledge"] * 40)
    both = Sorted(
        [*temporal.sample, *spatial.sample],
        {**temporal.labels, **spatial.labels},
        {},
        {**temporal.n_wrong, **spatial.n_wrong},
    )
    shares = count(both)
    assert {key: share.value for key, share in shares.items() if share.value} == {
        "temporal|perception_error_share": 0.3,
        "temporal|cannot_tell_error_share": 0.5,
        "temporal|formatting_error_share": 0.2,
        "spatial|knowledge_error_share": 1.0,
    }
    assert {share.slice: (share.n, share.n_wrong) for share in shares.values()} == {
        "temporal": (100, 312),
        "spatial": (40, 40),
    }
    for part in ("temporal", "spatial"):
        assert sum(share.value for share in shares.values() if share.slice == part) == pytest.approx(1)
    assert all(share.low is not None and share.low <= share.value <= (share.high or 0) for share in shares.values())


def test_answer_without_a_verdict_has_no_label() -> None:
    shares = count(sort_into("temporal", ["reasoning"] * 30 + [None] * 10))
    assert shares["temporal|reasoning_error_share"].value == 1
    assert {(share.n, share.n_unsorted) for share in shares.values()} == {(30, 10)}
    assert count(sort_into("temporal", [None] * 5)) == {}


def test_interval_reflects_the_number_of_independent_answers() -> None:
    labels = (["perception"] * 3 + ["reasoning"] * 3) * 15
    apart, together = count(sort_into("temporal", labels)), count(sort_into("temporal", labels, n_runs=3))
    independent, dependent = (shares["temporal|perception_error_share"] for shares in (apart, together))
    assert (independent.value, independent.n) == (dependent.value, dependent.n) == (0.5, 90)
    assert (independent.low, independent.high) == (0.3988, 0.6012), "Wilson on 90"
    assert (dependent.low, dependent.high) == (0.3315, 0.6685), "Wilson on 30"
    few = count(sort_into("temporal", ["perception"] * 19))["temporal|perception_error_share"]
    assert (few.low, few.high) == (None, None)


@pytest.mark.parametrize(("n", "mean", "min_coverage"), [(100, 0.951, 0.927), (33, 0.953, 0.922), (20, 0.953, 0.911)])
def test_intervals_have_their_nominal_coverage_on_average(n: int, mean: float, min_coverage: float) -> None:
    """Coverage by the binomial distribution, over true shares of .02 to .98."""
    ends = [
        count(sort_into("temporal", ["perception"] * k + ["reasoning"] * (n - k)))["temporal|perception_error_share"]
        for k in range(n + 1)
    ]
    covered = [
        sum(
            math.comb(n, k) * share**k * (1 - share) ** (n - k)
            for k, interval in enumerate(ends)
            if interval.low is not None and interval.high is not None and interval.low <= share <= interval.high
        )
        for share in (step / 200 for step in range(4, 197))
    ]
    assert fmean(covered) == pytest.approx(mean, abs=0.001)
    assert min(covered) >= min_coverage


def test_intervals_cover_the_true_share_in_95_of_100_samples(subtests: pytest.Subtests, soak: bool) -> None:
    """The worst case is included: three runs of an item always have the same cause."""
    n_samples = 400 if soak else 100
    rng = np.random.default_rng(17)
    for share, n_runs in ((0.1, 1), (0.5, 1), (0.84, 1), (0.1, 3), (0.54, 3)):
        with subtests.test(share=share, n_runs=n_runs):
            n_covered = 0
            for _ in range(n_samples):
                causes = np.repeat(rng.random(100 // n_runs) < share, n_runs)
                labels = np.where(causes, "perception", "reasoning").tolist()
                interval = count(sort_into("temporal", labels, n_runs))["temporal|perception_error_share"]
                n_covered += (
                    interval.low is not None and interval.high is not None and interval.low <= share <= interval.high
                )
            # 2.3 standard errors: 0.925 of 400 samples, 0.9 of 100.
            assert n_covered / n_samples >= 0.95 - 2.3 * (0.95 * 0.05 / n_samples) ** 0.5


def test_note_states_sample_size_and_judge() -> None:
    (share, *_) = count(sort_into("temporal", ["reasoning"] * 30, n_wrong=1_312)).values()
    assert write_note(share, "judge-1+ab+200") == "30 of 1,312 wrong answers, sorted by judge-1+ab+200."
    assert find_sorter(write_note(share, "lab.judge-1.5+ab+200")) == "lab.judge-1.5+ab+200"
    assert find_sorter(None) is find_sorter("Section 4.2.") is None


def test_interval_of_a_difference_of_shares_is_antisymmetric() -> None:
    first, second = (0.84, 0.75, 0.9), (0.54, 0.44, 0.63)
    low, high = compare_independent(first, second)
    assert 0 < low < 0.3 < high < 1
    assert compare_independent(second, first) == pytest.approx((-high, -low))
    assert compare_independent((1, 0.96, 1), (0, 0, 0.04))[1] == 1


def test_columns_exist_for_the_parts_whose_errors_the_papers_sort() -> None:
    slices = {
        benchmark.id: {column.slice for column in benchmark.columns if is_error_share(column.metric)}
        for benchmark in all_benchmarks()
    }
    assert {name: parts for name, parts in slices.items() if parts} == {
        "star-bench": {"temporal", "spatial"},
        "mdar": {"main", "multi", "open"},
    }
    assert not any(column.shown for column in get_benchmark("mdar").columns if is_error_share(column.metric))
