"""Files with open answers: main and multi are scored immediately, open is added after judging."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from db.records import BoardRow, SubmissionRecord
from db.repositories import boards
from db.repositories.boards import PageQuery
from evaluation.judge import JudgeUnreachableError
from leaderboard.boards.board_pages import describe_row
from submissions.service import board_of
from tests.support.judges.judging_installation import MDAR, JudgingInstallation
from tests.support.servers.installation import KilledError

SCORE = "open|judge_score"


@pytest.fixture
def place(installed: Path, tmp_path: Path) -> Iterator[JudgingInstallation]:
    made = JudgingInstallation(installed, tmp_path)
    with closing(made.database):
        yield made


def whole(place: JudgingInstallation) -> dict[str, str]:
    """Return an answer to every question: option A for main and multi, half-correct answers to open questions."""
    items = MDAR.content(place.mdar_key).items
    return {item.id: "A" for item in items if item.part != "open"} | place.half()


def read_board(place: JudgingInstallation, sent: SubmissionRecord) -> list[BoardRow]:
    place.score_all()
    with place.database.read() as transaction:
        query = PageQuery("main|accuracy", descending=True, sources=("submitted",))
        return list(boards.read_page(transaction, board_of(sent), query, ["main|accuracy", "multi|em", SCORE]).rows)


def test_main_and_multi_are_scored_immediately_and_open_is_added_later(place: JudgingInstallation) -> None:
    sent = place.send(whole(place))
    waiting = place.read_status(sent)
    assert (waiting.submission.state, waiting.submission.has_scores) == ("awaiting-judge", True)
    early = place.read_scores(sent)
    assert early["main|accuracy"] is not None
    assert early["multi|em"] is not None
    assert early.get(SCORE) is None
    assert waiting.outlook.text.startswith(
        "The other parts are scored; the open answers are still waiting. This server"
    )
    assert waiting.events[-1].text.startswith("The other parts are scored. ")
    assert any(note.endswith("for a judge. Their scores will be added then.") for note in waiting.evaluation.notes)  # type: ignore[union-attr]
    (row,) = read_board(place, sent)
    assert (row.standings["main|accuracy"].rank, row.standings["multi|em"].rank) == (1, 1)
    assert SCORE not in row.standings
    assert describe_row(row, "main|accuracy", [SCORE])["open_pending"] is True
    assert place.judge_with().run_next()
    status = place.read_status(sent)
    late = place.read_scores(sent)
    assert (status.submission.state, status.submission.is_open_pending) == ("scored", False)
    assert {name: late[name] for name in ("main|accuracy", "multi|em")} == {
        name: early[name] for name in ("main|accuracy", "multi|em")
    }
    assert 0 < (late[SCORE] or 0) < 1
    assert status.evaluation is not None
    assert not any("for a judge" in note for note in status.evaluation.notes)
    (row,) = read_board(place, sent)
    assert row.standings[SCORE].rank == 1
    assert describe_row(row, "main|accuracy", [SCORE])["open_pending"] is False


def test_row_stays_on_the_board_while_it_is_judged_held_and_postponed(place: JudgingInstallation) -> None:
    sent = place.send(whole(place) | place.hostile())
    seen: list[int] = []

    def look(_number: int) -> None:
        with place.database.read() as transaction:
            query = PageQuery("date", descending=True, sources=("submitted",))
            seen.append(len(boards.read_page(transaction, board_of(sent), query, ["main|accuracy"]).rows))

    judge = place.gullible()
    judge.fail = look
    assert place.judge_with(judge).run_next()
    assert set(seen) == {1}, "while it runs"
    held = place.read_status(sent)
    assert (held.submission.state, held.submission.lane) == ("awaiting-judge", "held")
    assert len(read_board(place, sent)) == 1
    place.maintenance.reject(sent.id, place.may, "It speaks to the judge.")
    assert place.read_status(sent).submission.state == "failed"
    assert read_board(place, sent) == []


@pytest.mark.parametrize("label", ["scored", "recording", "recorded"])
def test_evaluator_killed_around_the_early_scores_leaves_exactly_one_result(
    place: JudgingInstallation, label: str
) -> None:
    def die() -> None:
        raise KilledError

    place.at[label] = die
    with pytest.raises(KilledError):
        place.send(whole(place))
    with place.database.write() as transaction:
        transaction.connection().exec_driver_sql(
            "update evaluations set lease_expires_at = '2000-01-01 00:00:00.000000' where finished_at is null"
        )
    place.queue.requeue_lost()
    place.make_work_due()
    place.score_all()
    rows = place.query("select state, lane, current_evaluation_id from submissions where source = 'submitted'")
    assert [row[:2] for row in rows] == [("awaiting-judge", "judge")]
    finished = place.query("select id from evaluations where finished_at is not null and submission_id like 's-%'")
    assert (rows[0][2],) in finished
    n_before = len(finished)
    assert place.judge_with().run_next()
    finished = place.query("select id from evaluations where finished_at is not null and submission_id like 's-%'")
    assert len(finished) == n_before + 1
    ((state, current),) = place.query("select state, current_evaluation_id from submissions where source = 'submitted'")
    assert (state, current) == ("scored", max(one for (one,) in finished))


def test_judge_without_verdicts_leaves_the_early_scores_on_the_board(place: JudgingInstallation) -> None:
    def away(_number: int) -> None:
        raise JudgeUnreachableError("gone")

    sent = place.send(whole(place))
    place.client.fail = away
    judge = place.judge_with()
    assert judge.run_next()
    assert place.read_status(sent).submission.reason_code == "judge-away"
    assert len(read_board(place, sent)) == 1
