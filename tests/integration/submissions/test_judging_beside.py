"""Judged rows on boards: ranks, re-evaluation, and error sorting of wrong answers."""

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import update

from db.endpoint_records import EndpointRecord, ResponseRecord
from db.models import ErrorSorting, Reevaluation, Submission
from db.repositories import boards, endpoints
from db.repositories.boards import BoardKey, PageQuery
from evaluation import Prediction, get_benchmark
from evaluation.answer_keys import replace_key
from evaluation.benchmarks.error_shares import is_error_share
from evaluation.judge.mistakes import sign_sorting
from evaluation.signature import parse_signature
from submissions.comparisons.differences import have_same_judge, subtract_scores
from submissions.lifecycle import MAX_ATTEMPTS
from submissions.rescoring.change_texts import describe_end
from submissions.rescoring.changes import compare_score_records
from submissions.rescoring.reevaluator import Reevaluator
from submissions.service import board_of
from tests.support.judges.judging_installation import MDAR, JudgingInstallation, ScriptedConnection

SCORE = "open|judge_score"


class KilledError(BaseException):
    pass


def die() -> None:
    raise KilledError


@pytest.fixture
def place(installed: Path, tmp_path: Path) -> Iterator[JudgingInstallation]:
    made = JudgingInstallation(installed, tmp_path)
    with closing(made.database):
        yield made


# --- ranks ----------------------------------------------------------------------------------------------------------


def test_scores_of_different_judges_are_never_ranked_together(place: JudgingInstallation) -> None:
    main = {item.id: "A" for item in MDAR.content(place.mdar_key).items if item.part == "main"}
    old, other, new = (place.send(place.half(), name, **main) for name in ("old", "other", "new"))
    second = ScriptedConnection(place.client.part, model="another-judge")
    assert place.judge_with().run_next()
    assert place.judge_with().run_next()
    place.score_all()
    board = board_of(old)
    assert places(place, board) == {"old": (1, 1), "other": (1, 1), "new": (1, None)}, "its open answers wait"
    assert place.judge_with(second).run_next()
    place.score_all()
    assert place.read_status(new).submission.state == "scored"
    assert places(place, board) == {"old": (1, None), "other": (1, None), "new": (1, 1)}
    assert place.read_scores(other)[SCORE] is not None
    a, b = (place.read_status(one).evaluation for one in (old, new))
    assert a is not None
    assert b is not None
    assert not have_same_judge(MDAR, a, b)
    assert have_same_judge(MDAR, a, a)
    pair = (place.read_status(old).scores, place.read_status(new).scores)
    differing = {one.figure for one in subtract_scores(MDAR, *pair, same_judge=False)}
    assert {one.figure for one in subtract_scores(MDAR, *pair)} - differing == {
        column.key
        for column in MDAR.columns
        if column.slice.startswith("open") and column.key in place.read_scores(old)
    }


def places(place: JudgingInstallation, board: BoardKey) -> dict[str, tuple[int | None, int | None]]:
    """Return model → ranks by the accuracy of main and by the judge's score of open answers."""
    names = ["main|accuracy", SCORE]
    with place.database.read() as transaction:
        rows = boards.read_page(transaction, board, PageQuery(names[0], descending=True), names).rows
    return {
        row.submission.model.name: (
            row.standings[names[0]].rank,
            row.standings[names[1]].rank if names[1] in row.standings else None,
        )
        for row in rows
        if row.submission.source == "submitted"
    }


def test_endpoint_responses_are_judged_like_those_of_a_file(place: JudgingInstallation) -> None:
    sent = place.send(place.full())
    answered = [
        ResponseRecord(item, 0, text, "stop", None, None, None, "0" * 64, 1, 1.0) for item, text in place.half().items()
    ]
    endpoint = EndpointRecord("https://model.example/v1", "m", None, False, 1, True, "input_audio")
    now = datetime.now(UTC)
    with place.database.write() as transaction:
        transaction.execute(update(Submission).values(source="verified"))
        endpoints.add_endpoint(transaction, sent.id, endpoint)
        endpoints.keep_responses(transaction, sent.id, answered, now)
    assert place.judge_with().run_next()
    assert 0 < (place.read_scores(sent)[SCORE] or 0) < 1, "what the file says does not count"
    found = place.read_status(sent).evaluation
    assert found is not None
    signature = parse_signature(found.signature or "")
    assert signature.judging
    assert signature.asking


# --- re-evaluation --------------------------------------------------------------------------------------------------


def test_another_judge_is_called_only_in_a_real_run_and_a_preview_estimates_the_calls(
    place: JudgingInstallation,
) -> None:
    sent = place.send(place.half())
    assert place.judge_with().run_next()
    before = place.read_scores(sent)
    other = ScriptedConnection(place.client.part, model="another-judge")
    dry = place.run_reevaluation(place.judge_with(other), dry_run=True)
    assert (dry.state, other.n_calls) == ("done", 0)
    assert dry.result is not None
    told = dry.result["judge_calls"]
    assert (told["submissions"], dry.result["rows"][0]["state"]) == (1, "unasked")
    assert "1 more need the judge (about" in describe_end(1, dry.result, dry_run=True)
    real = place.run_reevaluation(place.judge_with(other), dry_run=False)
    assert real.result is not None
    assert (real.state, real.result["n_scored"]) == ("done", 1)
    assert 2 * len(place.references) < other.n_calls <= told["most"]
    assert 2 * len(place.references) < told["usual"] < told["most"]
    assert place.read_scores(sent) == before
    found = place.read_status(sent).evaluation
    assert found is not None
    assert parse_signature(found.signature or "").judging == place.judge_with(other).judge
    assert set(real.result["signature_changes"]) == {"judge"}


def test_corrected_key_causes_no_judge_calls(place: JudgingInstallation) -> None:
    main = [item.id for item in MDAR.content(place.mdar_key).items if item.part == "main"]
    sent = place.send(place.half(), **dict.fromkeys(main, "A"))
    assert place.judge_with().run_next()
    n_calls, before = place.client.n_calls, place.read_scores(sent)
    key = place.mdar_key
    first = key.answers[main[0]]
    assert isinstance(first, int)
    replace_key(place.keys_dir, replace(key, answers={**key.answers, main[0]: 1 - min(first, 1)}), key)
    dry = place.run_reevaluation(place.judge_with(), dry_run=True)
    assert dry.result is not None
    assert (dry.result["n_scored"], dry.result["judge_calls"]["submissions"]) == (1, 0)
    assert place.run_reevaluation(place.judge_with(), dry_run=False).state == "done"
    assert place.client.n_calls == n_calls
    after = place.read_scores(sent)
    assert after["main|accuracy"] != before["main|accuracy"]
    assert after[SCORE] == before[SCORE]


def test_reevaluation_without_a_judge_is_refused_if_open_answers_are_affected(place: JudgingInstallation) -> None:
    place.send(place.half())
    assert place.judge_with().run_next()
    same = place.run_reevaluation(None, dry_run=True)
    assert (same.state, "Nothing would change" in (same.explanation or "")) == ("refused", True)
    key = place.mdar_key
    main = next(item.id for item in MDAR.content(key).items if item.part == "main")
    answer = key.answers[main]
    assert isinstance(answer, int)
    replace_key(place.keys_dir, replace(key, answers={**key.answers, main: 1 - min(answer, 1)}), key)
    found = place.run_reevaluation(None, dry_run=True)
    assert found.state == "refused"
    assert "1 affected submission has open answers, but no evaluator has a judge." in (found.explanation or "")


def test_reevaluation_pauses_while_the_judge_is_unavailable_and_resumes(place: JudgingInstallation) -> None:
    place.send(place.half())
    assert place.judge_with().run_next()
    other = ScriptedConnection(place.client.part, model="another-judge")
    place.run_reevaluation(place.judge_with(other), dry_run=True)
    rested = place.run_reevaluation(place.judge_with(other, most=0), dry_run=False)
    assert rested.state == "running"
    with place.database.write() as transaction:
        transaction.execute(update(Reevaluation).values(lease_expires_at=datetime(2000, 1, 1, tzinfo=UTC)))
    lane = place.judge_with(other)
    again = Reevaluator(place.database, lane, "another/worker")
    while again.run_next():
        pass
    assert place.find_reevaluation(rested).state == "done"


# --- error sorting --------------------------------------------------------------------------------------------------


def wrong_answers(place: JudgingInstallation) -> dict[str, str]:
    """Return an answer to every question of main: wrong ones, then a right one.

    The first names no option, the second is a bare letter.
    """
    main = [item for item in MDAR.content(place.mdar_key).items if item.part == "main"]
    right = {item.id: place.mdar_key.answers[item.id] for item in main}
    wrong = {item.id: (int(str(right[item.id])) + 1) % len(item.options) for item in main}
    answers = {item.id: item.options[wrong[item.id]] for item in main}
    answers[main[0].id] = "我不知道"
    answers[main[1].id] = "ABCD"[wrong[main[1].id]]
    answers[main[-1].id] = "ABCD"[int(str(right[main[-1].id]))]
    return answers


def test_wrong_answers_are_sorted_after_scoring_with_one_call_each(place: JudgingInstallation) -> None:
    answers = wrong_answers(place)
    sent = place.send(answers)
    before = place.read_scores(sent)
    sorter = place.make_sorter(place.judge_with(sort=200))
    assert sorter.run_next()
    assert not sorter.run_next()
    n_wrong = len(answers) - 1
    shares = {name: value for name, value in place.read_scores(sent).items() if name not in before}
    assert shares == {
        "main|formatting_error_share": pytest.approx(1 / n_wrong),
        "main|cannot_tell_error_share": pytest.approx(1 / n_wrong),
        "main|perception_error_share": pytest.approx(1 - 2 / n_wrong),
        "main|reasoning_error_share": 0.0,
        "main|knowledge_error_share": 0.0,
    }
    assert place.client.n_calls == n_wrong - 2
    sorted_by = sign_sorting(place.judge_with().judging.model, MDAR.id)
    notes = {one.note for one in place.read_status(sent).scores if is_error_share(one.metric)}
    assert notes == {f"{n_wrong} of {n_wrong} wrong answers, sorted by {sorted_by}."}
    again = place.send(answers, "another")
    assert sorter.run_next()
    assert place.client.n_calls == n_wrong - 2
    assert place.read_scores(again) == place.read_scores(sent)
    scores = place.read_status(sent).scores
    assert compare_score_records(MDAR, scores, [one for one in scores if not is_error_share(one.metric)]).n_changed == 0


def test_sorting_that_cannot_continue_is_postponed_and_writes_nothing(place: JudgingInstallation) -> None:
    sent = place.send(wrong_answers(place))
    before = place.read_scores(sent)
    assert place.make_sorter(place.judge_with(most=2, sort=200)).run_next()
    assert not place.make_sorter(place.judge_with(sort=200)).run_next()
    assert place.read_scores(sent) == before
    ((until, n_wrong),) = place.query("select lease_expires_at, n_wrong from error_sortings")
    assert until > datetime.now(UTC).isoformat(" ")
    assert n_wrong is None


def test_stopped_sorting_is_released_immediately_and_resumes(
    place: JudgingInstallation, caplog: pytest.LogCaptureFixture
) -> None:
    sent = place.send(wrong_answers(place))
    before = place.read_scores(sent)
    lane = place.judge_with(sort=200)

    def stop(number: int) -> None:
        if number == 2:
            place.client.hangs = True
            lane.judging.stop.set()

    place.client.fail = stop
    assert place.make_sorter(lane).run_next()
    assert place.read_scores(sent) == before
    assert place.query("select attempts, sorted_at is null from error_sortings") == [(0, 1)]
    assert not [record for record in caplog.records if record.name == "submissions.judging.sorting"]
    place.client.hangs, place.client.fail = False, lambda _number: None
    assert place.make_sorter(place.judge_with(sort=200)).run_next()
    assert len(place.read_scores(sent)) > len(before)


def expire_sorting(place: JudgingInstallation) -> None:
    with place.database.write() as transaction:
        transaction.execute(update(ErrorSorting).values(lease_expires_at=datetime(2000, 1, 1, tzinfo=UTC)))


def test_sorting_taken_over_by_another_evaluator_is_recorded_once(
    place: JudgingInstallation, caplog: pytest.LogCaptureFixture
) -> None:
    sent = place.send(wrong_answers(place))
    lane = place.judge_with(sort=200)
    shares: list[dict[str, float | None]] = []

    def take_over() -> None:
        assert not place.make_sorter(lane).run_next(), "the lease holds"
        expire_sorting(place)
        assert place.make_sorter(lane).run_next()
        shares.append(place.read_scores(sent))

    place.at["sorting-claimed"] = take_over
    assert place.make_sorter(lane).run_next()
    assert f"The lease of wrong answers of {sent.id} was taken over." in caplog.text
    assert shares == [place.read_scores(sent)]
    assert place.query("select attempts, lease_token, sorted_at is null from error_sortings") == [(2, None, 0)]
    (board,) = place.query("select changes from boards where benchmark = 'mdar' and version = 'demo'")
    assert not place.make_sorter(lane).run_next()
    assert place.query("select changes from boards where benchmark = 'mdar' and version = 'demo'") == [board]


@pytest.mark.parametrize("label", ["sorting-claimed", "sorting-recording"])
def test_sorting_pauses_for_a_day_after_repeated_evaluator_deaths_and_then_completes(
    place: JudgingInstallation, label: str, caplog: pytest.LogCaptureFixture
) -> None:
    sent = place.send(wrong_answers(place))
    before = place.read_scores(sent)
    sorter = place.make_sorter(place.judge_with(sort=200))
    for _ in range(MAX_ATTEMPTS):
        place.at[label] = die
        with pytest.raises(KilledError):
            sorter.run_next()
        assert place.read_scores(sent) == before
        expire_sorting(place)
    assert sorter.run_next()
    assert f"wrong answers of {sent.id}: the evaluator stopped 5 times; next attempt in a day" in caplog.text
    assert not sorter.run_next()
    expire_sorting(place)
    assert sorter.run_next()
    assert len(place.read_scores(sent)) > len(before)


def test_unexpected_sorting_failure_pauses_it_with_an_incident(
    place: JudgingInstallation, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sent = place.send(wrong_answers(place))
    sorter = place.make_sorter(place.judge_with(sort=200))
    monkeypatch.setattr("submissions.judging.sorting.count_shares", lambda *_: 1 / 0)
    assert sorter.run_next()
    assert re.search(f"incident [0-9a-f]{{8}}: the wrong answers of {sent.id} could not be classified", caplog.text)
    assert "ZeroDivisionError" in caplog.text
    assert not sorter.run_next()


def test_wrong_answers_of_star_bench_match_the_scoring() -> None:
    star = get_benchmark("star-bench", "demo")
    key = star.make_key("test", "a seed")
    content = star.content(key)
    predictions = [Prediction(item.id, run, "A") for item in content.items for run in item.runs]
    wrong = list(star.iter_wrong(key, predictions))
    report = star.score(key, predictions)
    is_sorted = np.array([item.part != "perception" for item in content.items])
    assert len(wrong) == int((report.outcomes.correct[is_sorted] == 0).sum()) > 0
    assert {one.part for one in wrong} == {"temporal", "spatial"}, "the paper sorts no errors of perception tasks"
    assert len({one.id for one in wrong}) == len(wrong)
    assert all(one.right in one.question for one in wrong)


def test_open_answers_with_low_scores_are_sorted_as_a_separate_part(place: JudgingInstallation) -> None:
    low = dict.fromkeys(place.references, "录音里有一些声音，具体是什么不太清楚。")
    sent = place.send({**wrong_answers(place), **low})
    lane = place.judge_with(sort=200)
    assert lane.run_next()
    (board,) = place.query("select changes from boards where benchmark = 'mdar' and version = 'demo'")
    assert place.make_sorter(lane).run_next()
    assert place.query("select changes from boards where benchmark = 'mdar' and version = 'demo'") == [(board[0] + 1,)]
    shares = {(one.slice, one.n) for one in place.read_status(sent).scores if is_error_share(one.metric)}
    assert (place.read_scores(sent)["open|judge_score"] or 0.0) < 0.5
    assert shares == {("main", len(wrong_answers(place)) - 1), ("open", len(place.references))}
