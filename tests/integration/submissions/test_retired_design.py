"""A version whose design was replaced: the start ignores its key, rows stay, and its editions say why they are over."""

import io
from datetime import UTC, datetime

import pytest
from sqlalchemy import update

from db.models import Edition, Submission
from db.records import BenchmarkRecord, NewModel, SubmissionRecord
from db.repositories import catalogue
from evaluation.answer_keys import AnswerKey, TraceLabels, key_path, save_key
from evaluation.benchmarks import get_benchmark
from submissions.editions.disclosed_items import DisclosedItems
from submissions.errors import BadRequestError, NotReadyError, StateError
from submissions.jobs.registration import register_all
from submissions.keys.identity import fingerprint_key
from submissions.service import Request
from tests.support.editions.edition_places import Editions
from tests.support.servers.installation import BENCHMARK, Installation, answers

RETIRED = "0.9"
GONE = r"belongs to audio-motion-bench 0\.9, which this server no longer has"


@pytest.fixture
def editions(place: Installation) -> Editions:
    return Editions(place)


def submit(place: Installation, data: bytes) -> SubmissionRecord:
    request = Request(BENCHMARK, "default", NewModel("m"), allow_missing=True, publish=True)
    return place.service.submit(place.ann, request, io.BytesIO(data))


def retire(place: Installation) -> None:
    """Make everything in the database belong to a version that is not served."""
    with place.database.write() as transaction:
        for table in (Edition, Submission):
            transaction.execute(update(table).values(version=RETIRED))


def test_key_of_a_replaced_design_neither_fails_a_start_nor_changes(place: Installation) -> None:
    labels = {"apb-00000000": TraceLabels((True,), ("reasoning",), "Two")}
    key = save_key(place.keys_dir, AnswerKey("audio-process-bench", "synthetic-2", "test", "old seed", labels))
    record = BenchmarkRecord(key.benchmark, key.version, "0" * 64, "old.zip", 720, 120)
    with place.database.write() as transaction:
        catalogue.register_benchmark(transaction, record, [], datetime.now(UTC), fingerprint_key(key))
    path = key_path(place.keys_dir, key.benchmark, key.version, "test")
    before = path.read_bytes()
    digests = register_all(place.database, place.keys_dir)
    assert "audio-process-bench:synthetic-3" in digests
    assert "audio-process-bench:synthetic-2" not in digests
    assert path.read_bytes() == before
    path.unlink()
    assert register_all(place.database, place.keys_dir) == digests


def test_rows_keep_their_scores_and_items_are_not_shown(place: Installation, editions: Editions) -> None:
    edition_id = editions.open_edition(BENCHMARK)
    row = submit(place, answers(editions.key(BENCHMARK, edition_id)))
    editions.service.close_edition(edition_id, place.ann)
    place.score_all()
    scores = place.status(row).scores
    assert scores
    retire(place)
    place.score_all()
    status = place.status(row)
    assert (status.submission.state, status.submission.version) == ("scored", RETIRED)
    assert list(status.scores) == list(scores)
    items = DisclosedItems(place.database, place.store, editions.service)
    with pytest.raises(StateError, match=GONE):
        items.read_edition(edition_id, place.ann)


def test_pack_of_an_edition_is_sent_while_it_exists_and_is_not_rendered_again(
    place: Installation, editions: Editions
) -> None:
    edition_id = editions.open_edition(BENCHMARK)
    retire(place)
    _, path = editions.service.open_pack(edition_id, place.ann)
    path.unlink()
    with pytest.raises(StateError, match=GONE):
        editions.service.open_pack(edition_id, place.ann)
    assert not editions.maker.run_next()


def test_requested_edition_is_given_up_once_with_the_reason(place: Installation, editions: Editions) -> None:
    edition_id = editions.service.request_edition(place.ann, BENCHMARK).edition.id
    retire(place)
    assert editions.maker.run_next()
    assert not editions.maker.run_next()
    explanation = editions.service.get_status(edition_id, place.ann).edition.explanation or ""
    assert "which this server no longer has" in explanation
    assert "retries" not in explanation


def test_file_for_an_edition_is_refused_with_the_reason(place: Installation, editions: Editions) -> None:
    edition_id = editions.open_edition(BENCHMARK)
    data = answers(editions.key(BENCHMARK, edition_id))
    retire(place)
    with pytest.raises(BadRequestError, match=GONE) as refused:
        submit(place, data)
    assert str(refused.value).endswith("Request new test questions and answer those.")


def test_served_versions_are_not_affected(place: Installation, editions: Editions) -> None:
    editions.open_edition(BENCHMARK)
    retire(place)
    served = editions.service.request_edition(place.ann, get_benchmark("audio-process-bench", "synthetic-3"))
    with pytest.raises(NotReadyError):
        editions.service.open_pack(served.edition.id, place.ann)
