"""Ranks on a board: ties share one, and incomparable scores have none."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from db.records import CandidateRecord, NewModel, NewResult, NewSubmission, ScoreRecord, StandingRecord
from db.repositories import boards, evaluations, submissions, users
from db.repositories.boards import BoardKey, JudgedRow, PageQuery
from db.session import Database
from evaluation import get_benchmark
from submissions.ranking.standings import place_all, rank_candidates, refresh_board, touch_if_outdated

NOW = datetime(2026, 1, 2, tzinfo=UTC)
TODAY = "amb:1.0|today"
MDAR_TODAY = "mdar:1.0|content:1|key:1|setting:default|runs:1|missing:wrong|reader:1|metric:1|code:1"
LOWER = frozenset({"yes_bias"})
BENCHMARK = get_benchmark("audio-motion-bench")
KEY = BoardKey(BENCHMARK.id, BENCHMARK.version, "default")


def candidate(
    name: str,
    value: float | None,
    *,
    source: str = "submitted",
    ranking: str = TODAY,
    metric: str = "accuracy",
    slice_name: str = "overall",
) -> CandidateRecord:
    return CandidateRecord(StandingRecord(name, 1, slice_name, metric, value, 0.1), source, ranking)


def ranks(*candidates: CandidateRecord, unranked: frozenset[str] = frozenset()) -> dict[str, int | None]:
    standings = rank_candidates(candidates, lower_is_better=LOWER, unranked=unranked, rankings=(TODAY,))
    assert len(standings) == len(candidates), "no row is lost"
    return {standing.submission_id: standing.rank for standing in standings}


def test_interval_of_a_score_is_kept_on_the_board() -> None:
    share = StandingRecord("a", 1, "overall", "perception_error_share", 0.84, low=0.75, high=0.9)
    (standing,) = rank_candidates(
        [CandidateRecord(share, "submitted", TODAY)], rankings=(TODAY,), unranked=frozenset({share.metric})
    )
    assert (standing.low, standing.high, standing.rank) == (0.75, 0.9, None)


def test_rank_is_one_more_than_the_number_of_better_rows() -> None:
    assert ranks(candidate("a", 0.2), candidate("b", 0.9), candidate("c", 0.5)) == {"a": 3, "b": 1, "c": 2}


def test_reference_systems_have_no_rank_and_change_no_other() -> None:
    rows = [candidate("a", 0.2), candidate("b", 0.9), candidate("c", 0.2)]
    reference = replace(candidate("ours", 0.99, source="verified"), is_reference=True)
    assert ranks(*rows, reference) == ranks(*rows) | {"ours": None}


def test_equal_scores_share_a_rank_and_skip_the_next_ones() -> None:
    actual = ranks(*(candidate(name, value) for name, value in zip("abcde", (0.5, 0.9, 0.5, 0.5, 0.1), strict=True)))
    assert actual == {"b": 1, "a": 2, "c": 2, "d": 2, "e": 5}


def test_scores_summed_in_another_order_share_a_rank() -> None:
    first, second = 0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1
    assert first != second
    assert ranks(candidate("a", first), candidate("b", second), candidate("c", 0.5)) == {"a": 1, "b": 1, "c": 3}
    low = [candidate(name, value, metric="yes_bias") for name, value in (("a", first), ("b", second), ("c", 0.7))]
    assert ranks(*low) == {"a": 1, "b": 1, "c": 3}


def test_scores_that_differ_by_one_in_a_million_do_not_share_a_rank() -> None:
    assert ranks(candidate("a", 0.5), candidate("b", 0.500001)) == {"b": 1, "a": 2}


def test_unranked_metric_has_no_ranks() -> None:
    rows = [candidate("a", 0.5, metric="bias"), candidate("b", 0.6, metric="bias"), candidate("c", 0.1)]
    assert ranks(*rows, unranked=frozenset({"bias"})) == {"a": None, "b": None, "c": 1}


def test_score_where_lower_is_better_is_ranked_in_reverse() -> None:
    rows = [candidate(name, value, metric="yes_bias") for name, value in zip("abc", (0.0, 1.0, 0.5), strict=True)]
    assert ranks(*rows) == {"a": 1, "c": 2, "b": 3}


def test_row_without_a_score_is_unranked_and_takes_no_rank() -> None:
    assert ranks(candidate("a", None), candidate("b", 0.1), candidate("c", 0.0)) == {"a": None, "b": 1, "c": 2}


def test_row_of_another_signature_is_unranked_and_takes_no_rank() -> None:
    older = candidate("older", 0.9, ranking="amb:1.0|yesterday")
    assert ranks(older, candidate("a", 0.5)) == {"older": None, "a": 1}


def test_reported_row_is_ranked_by_its_score_without_a_signature() -> None:
    reported = candidate("paper", 0.7, source="reported", ranking="")
    assert ranks(reported, candidate("a", 0.5), candidate("b", 0.9)) == {"b": 1, "paper": 2, "a": 3}


@pytest.mark.parametrize("source", ["human", "random", "unheard-of"])
def test_row_of_a_pinned_source_is_unranked_and_takes_no_rank(source: str) -> None:
    assert ranks(candidate("pinned", 0.99, source=source), candidate("a", 0.5)) == {"pinned": None, "a": 1}


def test_verified_and_submitted_rows_are_ranked_together() -> None:
    assert ranks(candidate("a", 0.5, source="verified"), candidate("b", 0.6)) == {"b": 1, "a": 2}


def test_reported_scores_of_open_answers_keep_their_ranks_next_to_judged_rows() -> None:
    mdar = get_benchmark("mdar")
    reported = [judged_candidate(f"paper-{at}", at, 0.4 + at / 50, source="reported") for at in range(16)]
    ours = [judged_candidate("ours", 20, 0.555), judged_candidate("older", 21, 0.9)]
    rows = [JudgedRow(21, f"{MDAR_TODAY}|judge:old"), JudgedRow(20, f"{MDAR_TODAY}|judge:new")]
    ranked = {
        standing.submission_id: standing.rank for standing in place_all(mdar, [*reported, *ours], (MDAR_TODAY,), rows)
    }
    assert ranked.pop("older") is None, "a row of an older judge must be re-scored"
    assert sorted(ranked, key=lambda name: ranked[name] or 99) == [
        *(f"paper-{at}" for at in range(15, 7, -1)),
        "ours",
        *(f"paper-{at}" for at in range(7, -1, -1)),
    ]
    assert sorted(rank or 0 for rank in ranked.values()) == list(range(1, 18))


def judged_candidate(name: str, evaluation: int, value: float, *, source: str = "submitted") -> CandidateRecord:
    return CandidateRecord(StandingRecord(name, evaluation, "open", "judge_score", value, 0.1), source, MDAR_TODAY)


def test_scores_of_other_slices_and_metrics_are_ranked_separately() -> None:
    rows = [candidate("a", 0.1, slice_name="sct"), candidate("b", 0.9), candidate("c", 0.2, metric="tpr")]
    assert set(ranks(*rows).values()) == {1}


def test_standing_keeps_score_and_deviation_without_a_rank() -> None:
    (standing,) = rank_candidates([candidate("a", 0.5, source="human")], lower_is_better=LOWER, rankings=(TODAY,))
    assert (standing.value, standing.std, standing.rank, standing.evaluation_id) == (0.5, 0.1, None, 1)
    assert (standing.low, standing.high, standing.rank_low, standing.rank_high) == (None, None, None, None)


def test_board_without_rows_has_no_standings() -> None:
    assert rank_candidates([], lower_is_better=LOWER, rankings=(TODAY,)) == []


CANDIDATES = st.builds(
    candidate,
    name=st.uuids().map(str),
    value=st.none() | st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 1.0]),
    source=st.sampled_from(["submitted", "reported", "human"]),
    ranking=st.sampled_from([TODAY, "older"]),
    metric=st.sampled_from(["accuracy", "yes_bias"]),
)


@given(st.lists(CANDIDATES, max_size=12))
def test_ranks_of_any_rows_equal_those_of_plain_loops(rows: list[CandidateRecord]) -> None:
    def is_ranked(row: CandidateRecord) -> bool:
        version = row.source == "reported" or row.ranking == TODAY
        return row.standing.value is not None and row.source in ("submitted", "reported") and version

    def is_better(standing: StandingRecord, opponent: StandingRecord) -> bool:
        assert standing.value is not None
        assert opponent.value is not None
        return standing.value < opponent.value if standing.metric == "yes_bias" else standing.value > opponent.value

    ranked = [row.standing for row in rows if is_ranked(row)]
    expected = {
        standing.submission_id: 1
        + sum(is_better(opponent, standing) for opponent in ranked if opponent.metric == standing.metric)
        if standing in ranked
        else None
        for standing in (row.standing for row in rows)
    }
    assert ranks(*rows) == expected
    assert ranks(*reversed(rows)) == expected


def refresh(database: Database) -> bool:
    return refresh_board(database, BENCHMARK, "default", (TODAY,), NOW)


def test_refresh_of_an_unchanged_board_does_nothing(database: Database) -> None:
    assert refresh(database) is False
    with database.write() as transaction:
        boards.touch_board(transaction, KEY, NOW)
    assert refresh(database) is True
    assert refresh(database) is False
    with database.read() as transaction:
        board = boards.find_board(transaction, KEY)
    assert board is not None
    assert (board.revision, board.changes) == (1, 1)


def touch(database: Database, ranking: str = TODAY) -> bool:
    return touch_if_outdated(database, BENCHMARK, "default", (ranking,), NOW)


def test_board_with_outdated_ranking_or_code_is_recomputed(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not touch(database), "there is no board"
    with database.write() as transaction:
        boards.touch_board(transaction, KEY, NOW)
    assert refresh(database)
    assert not touch(database)
    assert touch(database, "amb:1.0|tomorrow")
    assert refresh(database)
    assert not touch(database)
    monkeypatch.setattr("submissions.ranking.standings.CODE_VERSION", "9.9.9")
    assert touch(database)


def test_board_does_not_rank_a_metric_that_its_benchmark_does_not_rank(database: Database) -> None:
    class Unranked(type(BENCHMARK)):  # type: ignore[misc]
        metrics = tuple(replace(metric, ranked=metric.id != "yes_bias") for metric in BENCHMARK.metrics)

    scores = tuple(ScoreRecord("overall/tf", metric, 0.5, 100) for metric in ("accuracy", "yes_bias"))
    with database.write() as transaction:
        owner = users.get_or_add_user(transaction, "ann", NOW).id
        model = NewModel("m")
        new = NewSubmission(
            "s-1", KEY.benchmark, KEY.version, KEY.setting, "submitted", owner, model, "public", True, None, None, None
        )
        submissions.add_submission(transaction, new, "scored", NOW)
        result = NewResult("s", TODAY, ("sct",), 1, 1, 0, 0, {}, scores)
        evaluations.add_finished_evaluation(transaction, "s-1", result, NOW)
        boards.touch_board(transaction, KEY, NOW)
    assert refresh_board(database, Unranked(), "default", (TODAY,), NOW)
    keys = ["overall/tf|accuracy", "overall/tf|yes_bias"]
    with database.read() as transaction:
        (row,) = boards.read_page(transaction, KEY, PageQuery("date", descending=True), keys).rows
    assert [row.standings[key].rank for key in keys] == [1, None]
