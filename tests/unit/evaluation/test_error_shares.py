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
    """Return answers with some labels, None being without a verdict; neighbours are runs of one item."""
    sample = [replace(ANSWER, id=f"{part}-{n // n_runs}#{n % n_runs}", part=part) for n in range(len(labels))]
    known = {one.id: label for one, label in zip(sample, labels, strict=True) if label is not None}
    errors = {one.id: "mute" for one, label in zip(sample, labels, strict=True) if label is None}
    return Sorted(sample, known, errors, {part: n_wrong or len(labels)})


def count(found: Sorted, clusters: dict[str, int] | None = None) -> dict[str, ErrorShare]:
    items = dict.fromkeys(one.item for one in found.sample)
    own = {item: number for number, item in enumerate(items)}
    return {f"{one.slice}|{one.metric}": one for one in count_shares("star-bench", found, clusters or own)}


def test_shares_are_of_one_part_and_add_up_with_those_that_nobody_can_tell() -> None:
    temporal = sort_into("temporal", ["perception"] * 30 + ["cannot-tell"] * 50 + ["formatting"] * 20, n_wrong=312)
    spatial = sort_into("spatial", ["knowledge"] * 40)
    both = Sorted(
        [*temporal.sample, *spatial.sample],
        {**temporal.labels, **spatial.labels},
        {},
        {**temporal.n_wrong, **spatial.n_wrong},
    )
    found = count(both)
    assert {key: one.value for key, one in found.items() if one.value} == {
        "temporal|perception_error_share": 0.3,
        "temporal|cannot_tell_error_share": 0.5,
        "temporal|formatting_error_share": 0.2,
        "spatial|knowledge_error_share": 1.0,
    }
    assert {one.slice: (one.n, one.n_wrong) for one in found.values()} == {"temporal": (100, 312), "spatial": (40, 40)}
    for part in ("temporal", "spatial"):
        assert sum(one.value for one in found.values() if one.slice == part) == pytest.approx(1)
    assert all(one.low is not None and one.low <= one.value <= (one.high or 0) for one in found.values())


def test_answer_without_a_verdict_has_no_label() -> None:
    found = count(sort_into("temporal", ["reasoning"] * 30 + [None] * 10))
    assert found["temporal|reasoning_error_share"].value == 1
    assert {(one.n, one.n_unsorted) for one in found.values()} == {(30, 10)}
    assert count(sort_into("temporal", [None] * 5)) == {}


def test_interval_is_as_wide_as_the_answers_are_independent() -> None:
    labels = (["perception"] * 3 + ["reasoning"] * 3) * 15
    apart, together = count(sort_into("temporal", labels)), count(sort_into("temporal", labels, n_runs=3))
    one, other = (found["temporal|perception_error_share"] for found in (apart, together))
    assert (one.value, one.n) == (other.value, other.n) == (0.5, 90)
    assert (one.low, one.high) == (0.3988, 0.6012), "Wilson on 90"
    assert (other.low, other.high) == (0.3315, 0.6685), "Wilson on 30"
    few = count(sort_into("temporal", ["perception"] * 19))["temporal|perception_error_share"]
    assert (few.low, few.high) == (None, None)


@pytest.mark.parametrize(("n", "mean", "least"), [(100, 0.951, 0.927), (33, 0.953, 0.922), (20, 0.953, 0.911)])
def test_intervals_hold_on_average_as_they_promise(n: int, mean: float, least: float) -> None:
    """Coverage by the binomial distribution, over true shares of .02 to .98."""
    ends = [
        count(sort_into("temporal", ["perception"] * k + ["reasoning"] * (n - k)))["temporal|perception_error_share"]
        for k in range(n + 1)
    ]
    covered = [
        sum(
            math.comb(n, k) * share**k * (1 - share) ** (n - k)
            for k, one in enumerate(ends)
            if one.low is not None and one.high is not None and one.low <= share <= one.high
        )
        for share in (step / 200 for step in range(4, 197))
    ]
    assert fmean(covered) == pytest.approx(mean, abs=0.001)
    assert min(covered) >= least


def test_intervals_hold_nineteen_times_in_twenty(subtests: pytest.Subtests) -> None:
    """Also where three runs of an item always have the same cause, which is the worst case."""
    rng = np.random.default_rng(17)
    for share, n_runs in ((0.1, 1), (0.5, 1), (0.84, 1), (0.1, 3), (0.54, 3)):
        with subtests.test(share=share, n_runs=n_runs):
            held = 0
            for _ in range(400):
                causes = np.repeat(rng.random(100 // n_runs) < share, n_runs)
                labels = np.where(causes, "perception", "reasoning").tolist()
                one = count(sort_into("temporal", labels, n_runs))["temporal|perception_error_share"]
                held += one.low is not None and one.high is not None and one.low <= share <= one.high
            assert held / 400 >= 0.925


def test_note_tells_how_many_and_by_whom() -> None:
    (share, *_) = count(sort_into("temporal", ["reasoning"] * 30, n_wrong=1_312)).values()
    assert write_note(share, "judge-1+ab+200") == "30 of 1,312 wrong answers, sorted by judge-1+ab+200."
    assert find_sorter(write_note(share, "lab.judge-1.5+ab+200")) == "lab.judge-1.5+ab+200"
    assert find_sorter(None) is find_sorter("Section 4.2.") is None


def test_difference_of_shares_has_an_interval_that_turns_around() -> None:
    one, other = (0.84, 0.75, 0.9), (0.54, 0.44, 0.63)
    low, high = compare_independent(one, other)
    assert 0 < low < 0.3 < high < 1
    assert compare_independent(other, one) == pytest.approx((-high, -low))
    assert compare_independent((1, 0.96, 1), (0, 0, 0.04))[1] == 1


def test_columns_are_those_of_the_parts_that_the_papers_sort() -> None:
    found = {
        benchmark.id: {column.slice for column in benchmark.columns if is_error_share(column.metric)}
        for benchmark in all_benchmarks()
    }
    assert {name: parts for name, parts in found.items() if parts} == {
        "star-bench": {"temporal", "spatial"},
        "mdar": {"main", "multi", "open"},
    }
    assert not any(one.shown for one in get_benchmark("mdar").columns if is_error_share(one.metric))
