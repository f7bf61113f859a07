"""Intervals and rank ranges of a board whose rows answered several editions."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

import submissions.ranking.rank_ranges
from db.records import StandingRecord
from evaluation.answer_keys import AnswerKey
from evaluation.statistics import Estimator, ItemMean, JointBoard, Resampling
from evaluation.streams import stream
from evaluation.types import Outcomes
from submissions.ranking.board_outcomes import EditionOutcomes
from submissions.ranking.rank_ranges import RESAMPLES, Uncertainty
from tests.support.samples.boards_with_outcomes import KEY, N_ITEMS, SMALL, rows, score

pytestmark = pytest.mark.all_resamples

FIRST, SECOND = "e-7f3kq9x2", "e-8g4mr0y3"
SHARES = {"": (0.3, 0.5, 0.7), FIRST: (0.4, 0.62), SECOND: (0.9,)}


def key_of(edition: str) -> AnswerKey:
    return SMALL.make_edition_key(KEY, edition) if edition else KEY


def make_editions(shares: Mapping[str, tuple[float, ...]]) -> dict[str, EditionOutcomes]:
    """Return editions with systems that are right on shares of the items, numbered in the order of the shares."""
    made, number = {}, 0
    for edition, of_edition in shares.items():
        outcomes = {}
        for share in of_edition:
            number += 1
            right = np.random.default_rng(number).random((N_ITEMS, 1)) < share
            outcomes[number] = Outcomes((), right.astype(np.float32), np.zeros((N_ITEMS, 1), np.int16))
        made[edition] = EditionOutcomes.of_key(key_of(edition), outcomes)
    return made


def rank(
    editions: Mapping[str, EditionOutcomes], *columns: str, pinned: frozenset[int] = frozenset()
) -> list[StandingRecord]:
    """Return ranked standings of all systems."""
    correct = {number: one.correct for group in editions.values() for number, one in group.outcomes.items()}
    found = []
    for column in columns:
        slice_name, metric = column.split("|")
        values = {number: score(table)[column] for number, table in correct.items()}
        sign = -1 if metric == "errors" else 1
        ranked = [sign * value for number, value in values.items() if number not in pinned]
        for number, value in values.items():
            place = None if number in pinned else 1 + sum(other > sign * value for other in ranked)
            found.append(StandingRecord(f"s-{number}", number, slice_name, metric, value, rank=place))
    return found


def add_intervals(
    editions: Mapping[str, EditionOutcomes], standings: list[StandingRecord]
) -> dict[tuple[str, str], StandingRecord]:
    found = Uncertainty(SMALL, editions, board="default", revision=3).add_to(standings)
    return {(one.submission_id, one.key): one for one in found}


def table_of(group: EditionOutcomes) -> NDArray[np.float64]:
    return np.concatenate([one.correct for one in group.outcomes.values()], axis=1).astype(np.float64)


def draw(edition: str) -> Resampling:
    text = "standings|small|1.0|default|3"
    rng = stream(key_of(edition).seed, f"{text}|{edition}" if edition else text)
    return Resampling.draw(SMALL.cluster_items(KEY), RESAMPLES, rng)


def test_rows_of_all_editions_have_the_intervals_and_ranges_of_a_joint_board() -> None:
    editions = make_editions(SHARES)
    board = JointBoard()
    for edition, group in editions.items():
        board.add_edition(Estimator(ItemMean("right", rows("b")), draw(edition)), {"right": table_of(group)})
    expected = board.standings()
    found = add_intervals(editions, rank(editions, "b|accuracy"))
    for at in range(6):
        standing = found[f"s-{at + 1}", "b|accuracy"]
        assert standing.low == pytest.approx(expected.low[at], abs=1e-4)
        assert standing.high == pytest.approx(expected.high[at], abs=1e-4)
        assert (standing.rank_low, standing.rank_high) == (expected.rank_low[at], expected.rank_high[at])
    best, worst = (found[f"s-{number}", "b|accuracy"] for number in (6, 1))
    assert (best.rank_low, best.rank_high) == (1, 1)
    assert worst.rank_high == 6


def test_ranges_of_a_column_of_which_lower_is_better_are_those_of_its_opposite() -> None:
    editions = make_editions(SHARES)
    found = add_intervals(editions, rank(editions, "a|accuracy", "a|errors"))
    for number in range(1, 7):
        right, wrong = (found[f"s-{number}", f"a|{metric}"] for metric in ("accuracy", "errors"))
        assert (right.rank_low, right.rank_high) == (wrong.rank_low, wrong.rank_high)


def test_pinned_rows_of_editions_have_intervals_and_change_no_range() -> None:
    editions = make_editions(SHARES)
    without = make_editions(SHARES)
    without[FIRST] = EditionOutcomes.of_key(key_of(FIRST), {4: without[FIRST].outcomes[4]})
    pinned = add_intervals(editions, rank(editions, "a|accuracy", pinned=frozenset({5})))
    absent = add_intervals(without, rank(without, "a|accuracy"))
    row = pinned.pop(("s-5", "a|accuracy"))
    assert row.low is not None
    assert (row.rank, row.rank_low, row.rank_high) == (None, None, None)
    assert pinned == absent


def test_each_edition_draws_its_resamples_from_its_own_secret() -> None:
    editions = make_editions(SHARES)
    uncertainty = Uncertainty(SMALL, editions, board="default", revision=3)
    salts = {uncertainty._draw_resamples(edition).salt for edition in editions}
    assert salts == {draw(edition).salt for edition in editions}
    assert len(salts) == 3


def test_batches_of_columns_change_no_standing(monkeypatch: pytest.MonkeyPatch) -> None:
    editions = make_editions(SHARES)
    columns = ("a|accuracy", "b|accuracy", "overall|accuracy", "a|errors")
    whole = add_intervals(editions, rank(editions, *columns))
    drawn: list[str] = []
    draw_resamples = Uncertainty._draw_resamples

    def count(uncertainty: Uncertainty, edition: str) -> Resampling:
        drawn.append(edition)
        return draw_resamples(uncertainty, edition)

    monkeypatch.setattr(Uncertainty, "_draw_resamples", count)
    add_intervals(editions, rank(editions, *columns))
    assert drawn == ["", FIRST, SECOND], "each edition draws once for all columns"
    monkeypatch.setattr(submissions.ranking.rank_ranges, "_HELD_BYTES", 1)
    assert add_intervals(editions, rank(editions, *columns)) == whole
    assert len(drawn) == 3 + 4 * 3


@pytest.mark.parametrize(("kept_bytes", "n_derived"), [(200_000_000, 1), (0, 4)])
def test_editions_keep_what_later_columns_need_as_long_as_there_is_room(
    monkeypatch: pytest.MonkeyPatch, kept_bytes: int, n_derived: int
) -> None:
    editions = make_editions(SHARES)
    columns = ("a|accuracy", "b|accuracy", "overall|accuracy", "a|errors")
    whole = add_intervals(editions, rank(editions, *columns))
    derived: list[str] = []

    def count(edition: str) -> AnswerKey:
        derived.append(edition)
        return key_of(edition)

    counted = {name: replace(group, make_key=partial(count, name)) for name, group in editions.items()}
    monkeypatch.setattr(submissions.ranking.rank_ranges, "_HELD_BYTES", 1)
    monkeypatch.setattr(submissions.ranking.rank_ranges, "_KEPT_BYTES", kept_bytes)
    assert add_intervals(counted, rank(counted, *columns)) == whole
    assert {name: derived.count(name) for name in editions} == dict.fromkeys(editions, n_derived)


def test_limit_counts_the_rows_of_all_editions(monkeypatch: pytest.MonkeyPatch) -> None:
    editions = make_editions(SHARES)
    # Three columns are shown by default: they always have intervals. A row across editions counts five times.
    for limit, has_interval in ((5 * 24 - 1, False), (5 * 24, True)):
        monkeypatch.setattr(submissions.ranking.rank_ranges, "MAX_RESAMPLED", limit)
        standings = rank(editions, "a|accuracy", "b|accuracy", "overall|accuracy", "a|errors")
        found = add_intervals(editions, standings)
        assert (found["s-6", "a|errors"].low is not None) == has_interval
        assert found["s-6", "b|accuracy"].low is not None
