"""Practice answers in an installation: attached, scored, compared with the test, and shown on boards."""

import io
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import update

from db.models import PracticeAnswers
from db.practice_records import PracticeResult
from db.records import NewModel, StandingRecord, SubmissionRecord, UserRecord
from db.repositories import boards, consistency
from db.repositories.boards import PageQuery
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import get_benchmark
from evaluation.benchmarks.practice_comparison import PRACTICE_COLUMN
from evaluation.packs import example_predictions
from evaluation.predictions import PredictionFileError
from evaluation.signature import parse_signature
from submissions.errors import NotAllowedError, NotFoundError, StateError
from submissions.intake.artifacts import TooLargeError
from submissions.practice import practice_service
from submissions.practice.practice_scorer import LOST, MAX_ATTEMPTS, OUTDATED, SHARED, UNREADABLE
from submissions.practice.practice_service import PracticeService, find_obstacle
from submissions.service import Request, board_of
from tests.support.editions.edition_places import Editions
from tests.support.editions.practice_files import PRACTICE_KEY, PracticePlace, guess_answers
from tests.support.servers.installation import BENCHMARK, HEADLINE, Installation, KilledError

GAP = PRACTICE_COLUMN.key
HONEST, MEMORISED = guess_answers(PRACTICE_KEY, 0.7, 2), guess_answers(PRACTICE_KEY, 0.95, 3)


@pytest.fixture
def editions(place: Installation) -> Editions:
    return Editions(place)


@pytest.fixture
def practice(place: Installation) -> PracticePlace:
    return PracticePlace(place)


def submit(
    place: Installation,
    key: AnswerKey,
    name: str = "m",
    *,
    publish: bool = True,
    close: bool = True,
    accuracy: float = 0.7,
) -> SubmissionRecord:
    request = Request(BENCHMARK, "default", NewModel(name), publish=publish, close=close)
    return place.service.submit(place.ann, request, io.BytesIO(guess_answers(key, accuracy)))


def attach(practice: PracticePlace, submission: SubmissionRecord, data: bytes, user: UserRecord | None = None) -> None:
    practice.service.attach_file(submission.id, user or practice.place.ann, io.BytesIO(data))


def read_gap(place: Installation, submission: SubmissionRecord) -> StandingRecord | None:
    """Return the gap as the board shows it."""
    with place.database.read() as transaction:
        query = PageQuery(GAP, descending=True)
        rows = boards.read_page(transaction, board_of(submission), query, [GAP, HEADLINE]).rows
    return next(row.standings.get(GAP) for row in rows if row.submission.id == submission.id)


def read_result(practice: PracticePlace, submission: SubmissionRecord) -> PracticeResult:
    result = practice.read(submission).result
    assert result is not None
    return result


def test_memorised_practice_questions_give_a_gap_whose_interval_excludes_0(
    place: Installation, editions: Editions, practice: PracticePlace
) -> None:
    keys = [editions.key(BENCHMARK, editions.open_edition(BENCHMARK)) for _ in range(2)]
    # 68.75 %, so that a test score computed back from the gap would be printed as 68.7 % instead of 68.8 %.
    honest, memorised = (
        submit(place, key, name, accuracy=0.6875) for key, name in zip(keys, ("honest", "memorised"), strict=True)
    )
    attach(practice, honest, HONEST)
    attach(practice, memorised, MEMORISED)
    practice.score_all()
    for submission, excludes_0, expected in ((honest, False, 0.0), (memorised, True, 0.25)):
        result, standing = read_result(practice, submission), read_gap(place, submission)
        assert result.figure == HEADLINE
        assert result.value is not None
        assert result.gap is not None
        assert result.gap == pytest.approx(result.value - (place.headline(submission) or 0.0), abs=1e-9)
        assert result.gap == pytest.approx(expected, abs=0.04)
        assert result.low is not None
        assert result.high is not None
        assert result.low < result.gap < result.high
        assert (result.low > 0) is excludes_0
        assert 0.004 < (result.standard_error or 0.0) < 0.013
        assert standing is not None
        assert (standing.value, standing.low, standing.high) == (result.gap, result.low, result.high)
        assert standing.rank is None
        scores = {score.key: score for score in place.status(submission).scores}
        assert scores[GAP].note == (
            f"Practice {100 * result.value:.1f} ± {100 * (result.standard_error or 0.0):.1f} %, "
            f"test {100 * (place.headline(submission) or 0.0):.1f} %. Practice signature: {result.signature}."
        )
        assert parse_signature(result.signature or "").key_digest == PRACTICE_KEY.digest[:8]


def test_waiting_submission_shows_its_practice_score_and_the_gap_once_it_is_closed(
    place: Installation, editions: Editions, practice: PracticePlace
) -> None:
    edition = editions.open_edition(BENCHMARK)
    submission = submit(place, editions.key(BENCHMARK, edition), close=False)
    attach(practice, submission, HONEST)
    practice.score_all()
    waiting = practice.read(submission)
    assert place.status(submission).submission.state == "awaiting-close"
    assert waiting.state == "scored"
    assert waiting.result is not None
    assert waiting.result.value is not None
    assert (waiting.result.gap, waiting.result.evaluation_id, waiting.explanation) == (None, None, None)
    editions.service.close_edition(edition, place.ann)
    practice.score_all()
    closed = read_result(practice, submission)
    assert closed.value == waiting.result.value
    assert closed.gap is not None


def test_gap_to_the_shared_test_split_is_that_of_the_shown_score(place: Installation, practice: PracticePlace) -> None:
    submission = submit(place, place.key)
    attach(practice, submission, MEMORISED)
    practice.score_all()
    result, shown = read_result(practice, submission), place.headline(submission)
    assert shown == round(shown or 0.0, 3)
    assert result.gap == pytest.approx((result.value or 0.0) - (shown or 0.0), abs=1e-9)
    # From the interval of 20 files, the hidden decimals of the score could be inferred.
    assert (result.low, result.high, result.explanation) == (None, None, SHARED)


def test_another_file_replaces_the_first_and_its_gap(place: Installation, practice: PracticePlace) -> None:
    submission = submit(place, place.key)
    attach(practice, submission, MEMORISED)
    practice.score_all()
    attach(practice, submission, MEMORISED)
    assert practice.read(submission).n_files == 1, "the same file changes nothing"
    assert read_gap(place, submission) is not None
    attach(practice, submission, HONEST)
    assert (practice.read(submission).state, practice.read(submission).n_files) == ("queued", 2)
    place.score_all()
    assert read_gap(place, submission) is None, "the gap of the replaced file is gone at once"
    practice.score_all()
    standing = read_gap(place, submission)
    assert standing is not None
    assert abs(standing.value or 1.0) < 0.04
    events = [event.text for event in place.status(submission).events if "ractice" in event.text]
    assert events == ["Practice answers attached.", "Practice answers replaced."]


def test_rescored_submission_is_compared_again(place: Installation, practice: PracticePlace) -> None:
    submission = submit(place, place.key)
    attach(practice, submission, HONEST)
    practice.score_all()
    before = read_result(practice, submission)
    place.correct(200)
    place.reevaluate(dry_run=True, submission=submission.id)
    done = place.reevaluate(dry_run=False, submission=submission.id)
    assert done.result is not None
    assert GAP not in done.result["rows"][0]["figures"]
    pending = read_result(practice, submission)
    assert (pending.value, pending.gap) == (before.value, None), "the gap to an earlier evaluation is not shown"
    practice.score_all()
    after = read_result(practice, submission)
    assert after.evaluation_id != before.evaluation_id
    assert after.gap == pytest.approx((after.value or 0.0) - (place.headline(submission) or 0.0), abs=1e-9)
    assert after.gap != before.gap
    assert read_gap(place, submission) is not None


def test_another_file_replaces_the_gaps_to_earlier_evaluations_too(
    place: Installation, practice: PracticePlace
) -> None:
    submission, other = submit(place, place.key), submit(place, place.key, "another model")
    for one in (submission, other):
        attach(practice, one, MEMORISED)
    practice.score_all()
    place.correct(200)
    place.reevaluate(dry_run=True, submission=submission.id)
    place.reevaluate(dry_run=False, submission=submission.id)
    practice.score_all()
    gaps = (
        "select submission_id, count(*) from scores join evaluations on evaluations.id = evaluation_id "
        "where metric = 'practice_gap' group by submission_id order by count(*)"
    )
    # The link to a row under its earlier signature shows its gap, too.
    assert place.query(gaps) == [(other.id, 1), (submission.id, 2)]
    attach(practice, submission, HONEST)
    assert place.query(gaps) == [(other.id, 1)]


def test_test_score_by_earlier_rules_has_no_gap(place: Installation, practice: PracticePlace) -> None:
    submission = submit(place, place.key)
    place.score_all()
    place.correct()
    attach(practice, submission, HONEST)
    practice.score_all()
    result = read_result(practice, submission)
    assert result.value is not None
    assert (result.gap, result.explanation) == (None, OUTDATED)
    assert read_gap(place, submission) is None
    assert not practice.scorer.run_next(), "it is not tried again until the submission has another evaluation"


def test_gap_without_readable_outcomes_has_no_interval(
    place: Installation, editions: Editions, practice: PracticePlace
) -> None:
    submission = submit(place, editions.key(BENCHMARK, editions.open_edition(BENCHMARK)))
    place.score_all()
    with place.database.engine.begin() as connection:
        connection.exec_driver_sql("update outcomes set data = x'00'")
    attach(practice, submission, HONEST)
    practice.score_all()
    result = read_result(practice, submission)
    assert result.gap is not None
    assert (result.low, result.high, result.explanation) == (None, None, UNREADABLE)


def test_part_of_the_practice_questions_has_no_gap(place: Installation, practice: PracticePlace) -> None:
    submission = submit(place, place.key)
    items = {item.id: item.part for item in BENCHMARK.content(PRACTICE_KEY).items}
    lines = [line for line in HONEST.splitlines() if items[str(line[8:24], "ascii").split('"')[0]] == "sct"]
    attach(practice, submission, b"\n".join(lines))
    practice.score_all()
    result = read_result(practice, submission)
    assert (result.value, result.gap) == (None, None)
    assert result.explanation == "The practice file does not cover Overall, so there is no gap."


# --- refusals --------------------------------------------------------------------------------------------------------


def test_answers_to_other_questions_are_refused_with_what_they_answer(
    place: Installation, editions: Editions, practice: PracticePlace
) -> None:
    key = editions.key(BENCHMARK, editions.open_edition(BENCHMARK))
    submission = submit(place, key)
    for data in (guess_answers(key, 0.7), guess_answers(place.key, 0.7)):
        with pytest.raises(PredictionFileError, match=r"belong to the test questions of AudioMotionBench 1\.0"):
            attach(practice, submission, data)
    with pytest.raises(PredictionFileError, match="missing"):
        attach(practice, submission, HONEST.splitlines()[0])
    assert place.status(submission).practice is None
    assert place.query("select count(*) from practice_results") == [(0,)]


def test_only_the_owner_attaches_and_only_where_it_makes_sense(place: Installation, practice: PracticePlace) -> None:
    private = submit(place, place.key, "private", publish=False)
    with pytest.raises(NotAllowedError):
        attach(practice, private, HONEST, place.may)
    with pytest.raises(NotFoundError):
        practice.service.attach_file("s-none", place.ann, io.BytesIO(HONEST))
    small = PracticeService(place.database, place.store, place.catalogues, place.service, 10)
    with pytest.raises(TooLargeError):
        small.attach_file(private.id, place.ann, io.BytesIO(HONEST))
    place.service.withdraw(private.id, place.ann)
    with pytest.raises(StateError, match="This submission is withdrawn"):
        attach(practice, private, HONEST)
    demo = get_benchmark("mdar", "demo")
    key = place.key_of(demo)
    data = "\n".join(json.dumps(row) for row in example_predictions(demo.content(key)))
    request = Request(demo, demo.settings[0], NewModel("d"))
    other = place.service.submit(place.ann, request, io.BytesIO(data.encode()))
    with pytest.raises(StateError, match="MDAR demo has no test questions that are rendered for each submitter"):
        attach(practice, other, HONEST)


def test_number_of_files_is_limited(
    place: Installation, practice: PracticePlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(practice_service, "MAX_FILES", 2)
    submission = submit(place, place.key)
    attach(practice, submission, HONEST)
    attach(practice, submission, MEMORISED)
    n_stored = sum(path.is_file() for path in (place.folder / "artifacts").rglob("*"))
    for data in (HONEST, HONEST + b"\n"):
        with pytest.raises(StateError, match="2 files of practice answers were attached"):
            attach(practice, submission, data)
    found = sum(path.is_file() for path in (place.folder / "artifacts").rglob("*"))
    assert found == n_stored, "a refused file must not fill the disk"


def test_obstacles_of_settings_and_sources(place: Installation) -> None:
    one = submit(place, place.key)

    def describe(**changed: Any) -> str | None:
        return find_obstacle(replace(place.status(one).submission, **changed))

    assert describe() is None
    assert describe(source="verified") is None
    assert "no file of answers" in str(describe(source="reported"))
    assert "no longer has" in str(describe(version="0.1"))
    star = {"benchmark": "star-bench", "version": "1.0"}
    assert describe(**star, setting="pseudo-stereo") is None
    assert "no practice questions in the setting `channel-wise`" in str(describe(**star, setting="channel-wise"))


# --- kills -----------------------------------------------------------------------------------------------------------


def _kill() -> None:
    raise KilledError


def _fail(*_arguments: object) -> None:
    raise OSError("the storage is away")


def free_leases(place: Installation) -> None:
    with place.database.write() as transaction:
        transaction.execute(update(PracticeAnswers).values(lease_expires_at=datetime.now(UTC) - timedelta(seconds=1)))


@pytest.mark.parametrize("label", ["practice-claimed", "practice-scored", "practice-recording"])
def test_killed_evaluator_leaves_all_or_nothing_and_another_one_finishes(
    label: str, place: Installation, practice: PracticePlace
) -> None:
    submission = submit(place, place.key)
    place.score_all()
    attach(practice, submission, MEMORISED)
    practice.at[label] = _kill
    with pytest.raises(KilledError):
        practice.scorer.run_next()
    assert practice.read(submission).state == "queued"
    place.score_all()
    assert read_gap(place, submission) is None
    other = practice.make_scorer("another-host/1/aaaa")
    assert not other.run_next(), "the lease is held"
    free_leases(place)
    assert other.run_next()
    place.score_all()
    assert read_result(practice, submission).gap is not None
    assert read_gap(place, submission) is not None
    assert place.query("select count(*) from scores where metric = 'practice_gap'") == [(1,)]


def test_file_that_kills_every_evaluator_is_given_up(place: Installation, practice: PracticePlace) -> None:
    submission = submit(place, place.key)
    attach(practice, submission, HONEST)
    for _ in range(MAX_ATTEMPTS):
        practice.at["practice-scored"] = _kill
        with pytest.raises(KilledError):
            practice.scorer.run_next()
        free_leases(place)
    assert practice.scorer.run_next()
    found = practice.read(submission)
    assert (found.state, found.explanation, found.result) == ("failed", LOST, None)
    attach(practice, submission, HONEST)
    practice.score_all()
    assert read_result(practice, submission).gap is not None, "a file that failed can be attached again"


def test_error_that_passes_costs_neither_the_file_nor_its_result(
    place: Installation, practice: PracticePlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    submission = submit(place, place.key)
    attach(practice, submission, HONEST)
    with monkeypatch.context() as patch:
        patch.setattr(place.store, "open", _fail)
        assert practice.scorer.run_next()
        assert not practice.scorer.run_next(), "it is not tried again at once"
    assert practice.read(submission).state == "queued"
    free_leases(place)
    practice.score_all()
    assert read_result(practice, submission).gap is not None


@pytest.mark.parametrize("label", ["practice-claimed", "practice-scored"])
def test_file_replaced_while_it_is_scored_records_only_the_new_one(
    label: str, place: Installation, practice: PracticePlace
) -> None:
    submission = submit(place, place.key)
    place.score_all()
    attach(practice, submission, MEMORISED)
    practice.at[label] = lambda: attach(practice, submission, HONEST)
    assert practice.scorer.run_next()
    assert practice.read(submission).state == "queued"
    practice.score_all()
    assert abs(read_result(practice, submission).gap or 1.0) < 0.04


def test_submission_rescored_while_it_is_compared_is_compared_again(
    place: Installation, practice: PracticePlace
) -> None:
    submission = submit(place, place.key)
    place.score_all()
    attach(practice, submission, MEMORISED)

    def rescore() -> None:
        place.correct(200)
        place.reevaluate(dry_run=True, submission=submission.id)
        place.reevaluate(dry_run=False, submission=submission.id)

    practice.at["practice-scored"] = rescore
    practice.score_all()
    current = place.status(submission).submission.current_evaluation_id
    result = read_result(practice, submission)
    assert result.evaluation_id == current
    assert result.gap == pytest.approx((result.value or 0.0) - (place.headline(submission) or 0.0), abs=1e-9)


def test_integrity_check_and_backup_know_the_practice_files(place: Installation, practice: PracticePlace) -> None:
    submission = submit(place, place.key)
    attach(practice, submission, HONEST)
    with place.database.read() as transaction:
        known = {one.sha256: one.submission_id for one in consistency.list_artifacts(transaction)}
    assert known[practice.read(submission).artifact_sha256] == submission.id
    assert len(known) == 2
