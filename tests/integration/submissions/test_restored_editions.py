"""Editions in a restored database: an owner who saw the answers after the backup cannot use them."""

import io
from datetime import UTC, datetime
from pathlib import Path

import pytest

from db.endpoint_records import ResponseRecord
from db.records import NewModel, SubmissionRecord
from db.repositories import audit, editions, endpoints
from evaluation.benchmarks import get_benchmark
from submissions.editions.disclosed_items import DisclosedItems
from submissions.editions.restored_editions import EXPLANATION, EndedEditions, end_unused_editions
from submissions.errors import BadRequestError
from submissions.operations.backup import make_backup
from submissions.operations.integrity import check_installation
from submissions.operations.restore import restore_backup
from submissions.service import Request
from tests.support.editions.edition_places import Editions
from tests.support.endpoints.endpoint_installation import EndpointInstallation
from tests.support.servers.installation import BENCHMARK, Installation, answers
from tests.support.servers.vaults import places_in

STAR = get_benchmark("star-bench", "1.0")
NOW = datetime(2026, 11, 28, tzinfo=UTC)
RESPONSE = ResponseRecord("star-1", 0, "A", "stop", 1, 1, "m", "digest", 1, 0.1)


def submit(place: Installation, data: bytes, name: str, *, close: bool = False) -> SubmissionRecord:
    request = Request(BENCHMARK, "default", NewModel(name), allow_missing=True, close=close)
    return place.service.submit(place.ann, request, io.BytesIO(data))


def test_edition_that_was_closed_after_the_backup_cannot_be_used_again(place: Installation, tmp_path: Path) -> None:
    opened = Editions(place)
    empty, used = opened.open_edition(BENCHMARK), opened.open_edition(BENCHMARK)
    queued = opened.service.request_edition(place.ann, BENCHMARK).edition.id
    sent = submit(place, answers(opened.key(BENCHMARK, used)), "one")
    backup = tmp_path / "backup.tar.zst"
    make_backup(place.database, places_in(place.folder), backup)
    submit(place, answers(opened.key(BENCHMARK, empty)), "two", close=True)
    place.score_all()
    disclosed = DisclosedItems(place.database, place.store, opened.service)
    assert disclosed.read_edition(empty, place.ann).items
    place.database.close()

    restore_backup(backup, places_in(place.folder), replaces=True)

    restored = Installation(place.folder)
    service = Editions(restored).service
    found = {one: service.get_status(one, restored.ann) for one in (empty, used, queued)}
    assert {one: status.state for one, status in found.items()} == {empty: "expired", used: "closed", queued: "expired"}
    assert found[empty].edition.explanation == found[queued].edition.explanation == EXPLANATION
    with pytest.raises(BadRequestError, match=f"edition {empty}, which expired"):
        submit(restored, answers(opened.key(BENCHMARK, empty)), "three")
    assert not Editions(restored).maker.run_next(), "the requested pack is not rendered any more"
    restored.score_all()
    assert restored.service.status(sent.id, restored.ann).submission.state == "scored"
    with restored.database.read() as transaction:
        entry = next(one for one in audit.list_entries(transaction, limit=5) if one.action == "restore")
    assert entry.details["editions"] == {"n_closed": 1, "n_expired": 2, "n_redrawn": 0}
    assert all(finding.is_good for finding in check_installation(restored.database, restored.store))
    restored.database.close()


def test_endpoint_that_is_not_scored_answers_other_questions(asking: EndpointInstallation) -> None:
    waiting, failed, withdrawn = (asking.register(f"http://127.0.0.1:{port}/v1", STAR) for port in (9, 10, 11))
    asking.endpoints.reject(failed.id, asking.place.may, "Not a public model.")
    database = asking.place.database
    with database.write() as transaction:
        endpoints.keep_responses(transaction, waiting.id, [RESPONSE], NOW)
        endpoints.set_progress(transaction, waiting.id, {"n_done": 1})
        endpoints.set_findings(transaction, waiting.id, [])
    asking.place.service.withdraw(withdrawn.id, asking.place.ann)
    with database.write() as transaction:
        assert end_unused_editions(transaction, NOW) == EndedEditions(0, 0, 1)
    status = asking.status(waiting)
    assert status.submission.state == "awaiting-approval"
    assert status.submission.edition not in (None, waiting.edition)
    assert status.events[-1].text.startswith("The server was restored from a backup.")
    assert status.endpoint is not None
    assert (status.endpoint.progress, status.endpoint.findings) == (None, None)
    assert [asking.status(one).submission.edition for one in (failed, withdrawn)] == [failed.edition, withdrawn.edition]
    assert all(finding.is_good for finding in check_installation(database, asking.place.store))
    with database.read() as transaction:
        assert not endpoints.list_answered(transaction, waiting.id)
        redrawn = editions.find_edition(transaction, status.submission.edition or "")
    assert redrawn is not None
    assert (redrawn.state, redrawn.owner.id) == ("closed", waiting.owner.id)
