"""Files of editions: checked at once, scored when their edition is closed."""

import io
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from db.models import Edition
from db.records import NewModel, SubmissionRecord, UserRecord
from db.repositories import editions as edition_rows
from db.repositories import evaluations, submissions
from evaluation.benchmarks import get_benchmark
from evaluation.predictions import PredictionFileError
from evaluation.signature import parse_signature
from submissions.editions import closing
from submissions.editions.closing import end_overdue
from submissions.editions.disclosed_items import DisclosedItems, ItemFilter
from submissions.editions.edition_limits import MAX_SUBMISSIONS
from submissions.errors import (
    AlreadySubmittedError,
    BadRequestError,
    LimitError,
    NotFoundError,
    NotReadyError,
    StateError,
)
from submissions.intake.submission_limits import SubmissionLimits
from submissions.ranking.board_outcomes import read_outcomes
from submissions.service import Request, SubmissionService
from tests.support.editions.edition_places import Editions
from tests.support.servers.installation import BENCHMARK, HEADLINE, Installation, answers, statements

SYNTHETIC = get_benchmark("audio-process-bench", "synthetic-3")
MDAR = get_benchmark("mdar", "demo")


@pytest.fixture
def editions(place: Installation) -> Editions:
    return Editions(place)


@pytest.fixture
def edition_id(editions: Editions) -> str:
    return editions.open_edition(BENCHMARK)


@pytest.fixture
def right(editions: Editions, edition_id: str) -> bytes:
    """A file whose answers are all right."""
    return answers(editions.key(BENCHMARK, edition_id))


def submit(
    place: Installation, data: bytes, name: str = "m", *, owner: UserRecord | None = None, close: bool = False
) -> SubmissionRecord:
    request = Request(BENCHMARK, "default", NewModel(name), allow_missing=True, publish=True, close=close)
    return place.service.submit(owner or place.ann, request, io.BytesIO(data))


def state_of(place: Installation, submission: SubmissionRecord) -> str:
    return place.service.status(submission.id, place.ann).submission.state


def test_file_waits_until_its_edition_is_closed(
    place: Installation, editions: Editions, edition_id: str, right: bytes
) -> None:
    first = submit(place, right, "one")
    second = submit(place, right.replace(b'"True"', b'"False"'), "two")
    assert (first.edition, first.state) == (edition_id, "awaiting-close")
    place.score_all()
    status = place.service.status(first.id, place.ann)
    assert status.submission.state == "awaiting-close"
    assert status.evaluation is None
    assert "closed" in status.outlook.text
    assert editions.service.get_status(edition_id, place.ann).n_files == 2
    closed = editions.service.close_edition(edition_id, place.ann)
    assert (closed.state, closed.n_files) == ("closed", 2)
    assert state_of(place, first) == "queued"
    place.score_all()
    assert {state_of(place, one) for one in (first, second)} == {"scored"}
    scores = {score.key: score.value for score in place.service.status(first.id, place.ann).scores}
    assert scores[HEADLINE] == 1.0
    evaluation = place.service.status(first.id, place.ann).evaluation
    assert evaluation is not None
    assert evaluation.signature is not None
    assert parse_signature(evaluation.signature).edition == edition_id


def test_single_file_closes_its_edition_at_once(
    place: Installation, editions: Editions, edition_id: str, right: bytes
) -> None:
    submission = submit(place, right, close=True)
    assert submission.state == "queued"
    assert editions.service.get_status(edition_id, place.ann).state == "closed"
    place.score_all()
    assert state_of(place, submission) == "scored"
    events = [event.to_state for event in place.service.status(submission.id, place.ann).events]
    assert events == ["received", "awaiting-close", "queued", "running", "scored"]


def test_file_withdrawn_while_its_edition_is_closed_is_not_queued(
    place: Installation, editions: Editions, edition_id: str, right: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    withdrawn, other = submit(place, right, "one"), submit(place, right, "two")
    with place.database.read() as transaction:
        seen = submissions.list_of_edition(transaction, edition_id)
    monkeypatch.setattr(submissions, "list_of_edition", lambda *_arguments: seen)  # as on PostgreSQL
    place.service.withdraw(withdrawn.id, place.ann)
    editions.service.close_edition(edition_id, place.ann)
    assert (state_of(place, withdrawn), state_of(place, other)) == ("withdrawn", "queued")
    assert [event.to_state for event in place.service.status(withdrawn.id, place.ann).events][-1] == "withdrawn"


def test_edition_whose_last_file_is_withdrawn_meanwhile_stays_open(
    place: Installation, editions: Editions, edition_id: str, right: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    withdrawn = submit(place, right)
    with place.database.read() as transaction:
        seen = submissions.list_of_edition(transaction, edition_id)
    monkeypatch.setattr(submissions, "list_of_edition", lambda *_arguments: seen)  # as on PostgreSQL
    place.service.withdraw(withdrawn.id, place.ann)
    with pytest.raises(StateError, match="has no files to score"):
        editions.service.close_edition(edition_id, place.ann)
    assert editions.service.get_status(edition_id, place.ann).state == "open"


def test_closed_edition_accepts_nothing(place: Installation, editions: Editions, edition_id: str, right: bytes) -> None:
    submit(place, right, close=True)
    for act in (lambda: submit(place, right, "other"), lambda: check(place, right)):
        with pytest.raises(BadRequestError, match=rf"edition {edition_id}, which was closed on \d{{4}}-\d\d-\d\d and"):
            act()
    with pytest.raises(StateError, match="is closed; only an open edition can be closed"):
        editions.service.close_edition(edition_id, place.ann)


def check(place: Installation, data: bytes) -> None:
    place.service.validate(BENCHMARK, "default", io.BytesIO(data), None, allow_missing=True)


def test_expired_edition_accepts_nothing(
    place: Installation, editions: Editions, edition_id: str, right: bytes
) -> None:
    now = datetime.now(UTC)
    assert end_overdue(place.database, now) == 0
    assert end_overdue(place.database, now + timedelta(days=31)) == 1
    assert editions.service.get_status(edition_id, place.ann).state == "expired"
    with pytest.raises(BadRequestError, match=f"edition {edition_id}, which expired on"):
        submit(place, right)


def test_edition_with_files_is_scored_when_its_time_is_over(
    place: Installation, editions: Editions, edition_id: str, right: bytes
) -> None:
    submission = submit(place, right)
    assert end_overdue(place.database, datetime.now(UTC) + timedelta(days=31)) == 1
    assert editions.service.get_status(edition_id, place.ann).state == "closed"
    place.score_all()
    assert state_of(place, submission) == "scored"


def test_closed_edition_whose_files_ended_without_a_score_says_so(
    place: Installation, editions: Editions, edition_id: str, right: bytes
) -> None:
    disclosed = DisclosedItems(place.database, place.store, editions.service)
    submission = submit(place, right, close=True)
    with pytest.raises(NotReadyError, match="are not scored yet"):
        disclosed.read_edition(edition_id, place.ann)
    place.service.withdraw(submission.id, place.ann)
    with pytest.raises(StateError, match="each was withdrawn or failed"):
        disclosed.read_edition(edition_id, place.ann)


def test_edition_without_files_cannot_be_closed(place: Installation, editions: Editions, edition_id: str) -> None:
    with pytest.raises(StateError, match="has no files to score"):
        editions.service.close_edition(edition_id, place.ann)
    assert editions.service.get_status(edition_id, place.ann).state == "open"


def test_edition_of_another_account_is_refused(
    place: Installation, editions: Editions, edition_id: str, right: bytes
) -> None:
    with pytest.raises(BadRequestError, match="which another account requested"):
        submit(place, right, owner=place.may)
    with pytest.raises(BadRequestError, match="which another account requested"):
        place.service.validate(BENCHMARK, "default", io.BytesIO(right), place.may, allow_missing=True)
    assert place.service.validate(BENCHMARK, "default", io.BytesIO(right), place.ann, allow_missing=True).ok
    eve = UserRecord(place.ann.id + 1_000, "eve")
    with pytest.raises(NotFoundError):
        editions.service.close_edition(edition_id, eve)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data, name: data.replace(name.encode(), b"00000000"), "which this server does not know"),
        (lambda data, name: data, "Choose audio-process-bench synthetic-3 as the benchmark"),
    ],
)
def test_file_of_an_unknown_edition_or_of_another_benchmark_is_refused(
    change: Callable[[bytes, str], bytes], message: str, place: Installation, editions: Editions
) -> None:
    edition_id = editions.open_edition(SYNTHETIC)
    rows = [{"id": item.id, "response": "A"} for item in editions.content(SYNTHETIC, edition_id).items]
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    with pytest.raises(BadRequestError, match=message):
        submit(place, change(data, edition_id.removeprefix("e-")))


def test_file_of_an_edition_is_refused_by_a_benchmark_without_editions(place: Installation, right: bytes) -> None:
    with pytest.raises(BadRequestError, match=r"of audio-motion-bench 1\.0\. Choose audio-motion-bench 1\.0 as the"):
        place.service.validate(MDAR, "default", io.BytesIO(right), place.ann, allow_missing=True)
    unknown = b'{"id": "amb-00000000-0v8h3m5c", "response": "A"}'
    assert not place.service.validate(MDAR, "default", io.BytesIO(unknown), place.ann, allow_missing=True).ok


def test_same_file_again_names_the_edition_to_close(
    place: Installation, editions: Editions, edition_id: str, right: bytes
) -> None:
    sent = submit(place, right)
    with pytest.raises(AlreadySubmittedError, match=f"To have it scored, close edition {edition_id}") as caught:
        submit(place, right, close=True)
    assert caught.value.submission_id == sent.id
    editions.service.close_edition(edition_id, place.ann)
    with pytest.raises(BadRequestError, match="was closed on"):
        submit(place, right)


def test_edition_that_is_not_rendered_yet_is_refused(place: Installation, editions: Editions) -> None:
    edition_id = editions.service.request_edition(place.ann, BENCHMARK).edition.id
    with pytest.raises(NotReadyError, match="still being rendered"):
        submit(place, answers(editions.key(BENCHMARK, edition_id)))


def test_answers_to_two_editions_in_one_file_are_one_sentence(
    place: Installation, editions: Editions, right: bytes
) -> None:
    other = editions.open_edition(BENCHMARK)
    lines = right.splitlines(keepends=True)
    foreign = answers(editions.key(BENCHMARK, other)).splitlines(keepends=True)
    with pytest.raises(PredictionFileError) as refused:
        submit(place, b"".join([*lines[:-20], *foreign[:20]]))
    assert f"edition {other}" in str(refused.value.problems[0].message)


def test_edition_accepts_files_of_twenty_models(place: Installation, edition_id: str, right: bytes) -> None:
    for number in range(MAX_SUBMISSIONS):
        submit(place, right, f"model {number}")
    with pytest.raises(StateError, match="already has files of 20 models"):
        submit(place, right, "one more")
    n_stored = count_stored(place)
    with pytest.raises(StateError, match="already has files of 20 models"):
        submit(place, right.replace(b'"True"', b'"False"'), "another file")
    assert count_stored(place) == n_stored, "a refused file must not fill the disk"
    with place.database.read() as transaction:
        first = submissions.list_of_edition(transaction, edition_id)[0]
    place.service.withdraw(first.id, place.ann)
    submit(place, right, "one more")


def test_withdrawn_files_of_an_edition_are_limited_because_they_stay_stored(
    place: Installation, right: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(closing, "MAX_FILES", 3)
    for number in range(3):
        sent = submit(place, right + b"\n" * number, f"model {number}")
        if number < 2:
            place.service.withdraw(sent.id, place.ann)
    n_stored = count_stored(place)
    with pytest.raises(StateError, match="received 3 files, including withdrawn ones, the maximum"):
        submit(place, right + b"\n" * 3, "one more")
    assert count_stored(place) == n_stored


def count_stored(place: Installation) -> int:
    return sum(path.is_file() for path in (place.folder / "artifacts").rglob("*"))


def test_editions_do_not_use_the_limits_of_submissions(place: Installation, editions: Editions, right: bytes) -> None:
    service = SubmissionService(
        place.database, place.store, place.catalogues, editions.accounts, 100_000_000, SubmissionLimits(1, 1, 1)
    )
    for number in range(3):
        service.submit(place.ann, Request(BENCHMARK, "default", NewModel(f"m{number}")), io.BytesIO(right))
    shared = Request(BENCHMARK, "default", NewModel("m"), allow_missing=True)
    service.submit(place.ann, shared, io.BytesIO(answers(place.key)))
    with pytest.raises(LimitError):
        service.submit(place.ann, shared, io.BytesIO(answers(place.key)))


def test_checking_is_free_for_everybody(place: Installation, right: bytes) -> None:
    verdict = place.service.validate(BENCHMARK, "default", io.BytesIO(right), None, allow_missing=False)
    assert verdict.problems == ()
    assert verdict.parsing is not None
    assert verdict.parsing.unreadable == 0
    broken = right.replace(b"-", b"_", 1)
    verdict = place.service.validate(BENCHMARK, "default", io.BytesIO(broken), None, allow_missing=False)
    assert verdict.problems


def test_outcomes_of_an_edition_are_sealed_with_its_own_key(
    place: Installation, editions: Editions, edition_id: str, right: bytes
) -> None:
    submission = submit(place, right, close=True)
    place.score_all()
    with place.database.read() as transaction:
        current = submissions.find_submission(transaction, submission.id)
        assert current is not None
        sealed = evaluations.find_outcomes(transaction, current.current_evaluation_id or 0)
    assert sealed is not None
    number = current.current_evaluation_id or 0
    assert read_outcomes(BENCHMARK, editions.key(BENCHMARK, edition_id), {number: sealed}).keys() == {number}
    assert read_outcomes(BENCHMARK, place.key, {number: sealed}) == {}


def test_owner_of_a_closed_edition_sees_every_answer(place: Installation, editions: Editions, edition_id: str) -> None:
    disclosed = DisclosedItems(place.database, place.store, editions.service)
    key = editions.key(BENCHMARK, edition_id)
    wrong = frozenset(statements(key)[:5])
    first = submit(place, answers(key, wrong=wrong), "one")
    second = submit(place, answers(key), "two")
    with pytest.raises(StateError, match=r"is open\. Its answers are shown once it is closed"):
        disclosed.read_edition(edition_id, place.ann)
    editions.service.close_edition(edition_id, place.ann)
    with pytest.raises(NotReadyError, match="not scored yet"):
        disclosed.read_edition(edition_id, place.ann)
    place.score_all()
    found = disclosed.read_edition(edition_id, place.ann)
    assert (found.submission.id, [one.id for one in found.others]) == (first.id, [first.id, second.id])
    assert found.count_outcomes() == {"correct": 2016 - len(wrong), "wrong": len(wrong)}
    assert {one.item.id for one in found.items if ItemFilter(outcome="wrong").admits(one)} == wrong
    assert all(one.item.task == "sct/clean/tf" for one in found.items if ItemFilter("sct/clean/tf").admits(one))
    assert not any(ItemFilter("sct/cle").admits(one) for one in found.items)
    assert disclosed.read_edition(edition_id, place.ann, second.id).count_outcomes() == {"correct": 2016}
    with pytest.raises(NotFoundError, match="has no scored submission"):
        disclosed.read_edition(edition_id, place.ann, "s-00000000000000")
    with pytest.raises(NotFoundError, match="you are not its owner"):
        disclosed.read_edition(edition_id, UserRecord(place.ann.id + 1_000, "eve"))


def test_seed_is_stored_for_closed_editions_only(place: Installation, editions: Editions, edition_id: str) -> None:
    with place.database.write() as transaction:
        assert not edition_rows.reveal_seed(transaction, edition_id, "seed", "digest")
        assert edition_rows.find_seed(transaction, edition_id) is None


def test_scores_of_an_edition_are_not_rounded_and_not_withheld(
    place: Installation, editions: Editions, edition_id: str
) -> None:
    key = editions.key(BENCHMARK, edition_id)
    submission = submit(place, answers(key, wrong=frozenset(statements(key)[:5])), close=True)
    place.score_all()
    scores = {score.key: score for score in place.service.status(submission.id, place.ann).scores}
    assert scores[HEADLINE].value == pytest.approx(2011 / 2016, abs=1e-9)
    assert any(score.slice.startswith("direction/") for score in scores.values())
    assert scores["sct/clean/mcq|accuracy"].n == 56


def test_edition_is_closed_once_even_if_two_ask_at_once(
    place: Installation, editions: Editions, edition_id: str, right: bytes
) -> None:
    submission = submit(place, right)
    with place.database.write() as transaction:
        transaction.execute(update(Edition).values(state="closed"))
    with pytest.raises(StateError):
        editions.service.close_edition(edition_id, place.ann)
    assert state_of(place, submission) == "awaiting-close"
