"""Editions, from the request to the pack, with a real database and real rendering."""

import json
import os
import sys
import threading
import time
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from db.models import Edition
from evaluation.benchmarks import Content, get_benchmark
from evaluation.packs import all_runs
from evaluation.predictions import make_catalogue
from submissions.editions.edition_limits import EditionLimits
from submissions.editions.edition_packs import EditionPacks
from submissions.editions.edition_rendering import RENDERING_PROGRAM
from submissions.editions.public_items import PublicItemsError, decode_items, encode_items
from submissions.errors import BadRequestError, LimitError, NotFoundError, NotReadyError
from submissions.jobs.worker_names import worker_name
from tests.support.editions.edition_places import Editions
from tests.support.servers.installation import BENCHMARK, Installation, KilledError

SYNTHETIC = get_benchmark("audio-process-bench", "synthetic-3")
MOTION = get_benchmark("audio-motion-bench")
STAR = get_benchmark("star-bench")


@pytest.fixture
def editions(place: Installation) -> Editions:
    return Editions(place)


def kill() -> None:
    raise KilledError


# --- requests -------------------------------------------------------------------------------------------------------


def test_edition_is_requested_rendered_and_downloaded_and_a_deleted_pack_rendered_again(
    editions: Editions, place: Installation
) -> None:
    requested = editions.service.request_edition(place.ann, SYNTHETIC)
    assert (requested.state, requested.n_before, requested.has_pack) == ("queued", 0, False)
    edition_id = requested.edition.id
    with pytest.raises(NotReadyError, match="not ready"):
        editions.service.open_pack(edition_id, place.ann)
    maker = editions.make_maker(worker_name(), RENDERING_PROGRAM)
    assert maker.run_next()
    assert not maker.run_next()
    status = editions.service.get_status(edition_id, place.ann)
    assert (status.state, status.n_before, status.has_pack) == ("open", None, True)
    assert status.edition.design == SYNTHETIC.design_digest
    assert status.edition.n_items == 720
    assert status.edition.expires_at is not None
    assert status.edition.expires_at > datetime.now(UTC) + timedelta(days=29)
    edition, path = editions.service.open_pack(edition_id, place.ann)
    assert edition.content_digest == editions.content(SYNTHETIC, edition_id).digest
    with zipfile.ZipFile(path) as pack:
        assert json.loads(pack.read("pack.json"))["edition"] == edition_id
        assert "answers.jsonl" not in pack.namelist()
    first = path.read_bytes()
    path.unlink()
    for _ in range(2):
        with pytest.raises(NotReadyError):
            editions.service.open_pack(edition_id, place.ann)
    assert editions.service.get_status(edition_id, place.ann).state == "open"
    assert maker.run_next()
    assert not maker.run_next()
    assert editions.service.open_pack(edition_id, place.ann)[1].read_bytes() == first, "byte for byte"


def test_another_user_sees_nothing_and_a_maintainer_everything(editions: Editions, place: Installation) -> None:
    edition_id = editions.service.request_edition(place.ann, SYNTHETIC).edition.id
    eve = place.ann.__class__(place.ann.id + 1_000, "eve")
    for viewer in (eve, None):
        with pytest.raises(NotFoundError):
            editions.service.get_status(edition_id, viewer)
        with pytest.raises(NotFoundError):
            editions.service.open_pack(edition_id, viewer)
    assert editions.service.get_status(edition_id, place.may).edition.id == edition_id
    assert [one.edition.id for one in editions.service.list_mine(place.ann)] == [edition_id]
    assert editions.service.list_mine(eve) == []


def test_same_key_returns_the_same_edition(editions: Editions, place: Installation) -> None:
    ids = {editions.service.request_edition(place.ann, SYNTHETIC, key).edition.id for key in ("one", "one", "two")}
    assert len(ids) == 2


def test_limits_are_stated_before_and_when_they_are_reached(place: Installation) -> None:
    editions = Editions(place, EditionLimits(open_at_once=2, per_day=3))
    assert editions.service.find_quota(place.ann, SYNTHETIC).left == 2
    open_ids = [editions.service.request_edition(place.ann, SYNTHETIC).edition.id for _ in range(2)]
    quota = editions.service.find_quota(place.ann, SYNTHETIC)
    assert quota.left == 0
    assert quota.describe() == "2 of 2 open editions, 2 of 3 requested today"
    with pytest.raises(LimitError, match="open editions of AudioProcessBench synthetic-3, the maximum") as refused:
        editions.service.request_edition(place.ann, SYNTHETIC)
    assert all(edition_id in str(refused.value) for edition_id in open_ids)
    assert editions.service.find_quota(place.ann, MOTION).left == 2
    assert editions.service.find_quota(place.may, SYNTHETIC).left is None
    with place.database.write() as transaction:
        transaction.execute(update(Edition).values(state="closed", opened_at=datetime.now(UTC)))
    editions.service.request_edition(place.ann, SYNTHETIC)
    with pytest.raises(LimitError, match=r"requested 3 editions of .* today") as refused:
        editions.service.request_edition(place.ann, SYNTHETIC)
    assert refused.value.retry_after is not None


def test_benchmark_without_editions_is_refused(editions: Editions, place: Installation) -> None:
    with pytest.raises(BadRequestError, match="MDAR demo has no editions"):
        editions.service.request_edition(place.ann, get_benchmark("mdar", "demo"))
    with pytest.raises(BadRequestError, match=r"Version synthetic-3 has some\."):
        editions.service.request_edition(place.ann, get_benchmark("audio-process-bench", "1.0"))


def test_packs_are_rendered_in_the_order_of_requests(editions: Editions, place: Installation) -> None:
    ids = [editions.service.request_edition(place.ann, SYNTHETIC).edition.id for _ in range(3)]
    assert [editions.service.get_status(one, place.ann).n_before for one in ids] == [0, 1, 2]
    assert editions.maker.run_next()
    assert [editions.service.get_status(one, place.ann).n_before for one in ids] == [None, 0, 1]
    assert [editions.service.get_status(one, place.ann).state for one in ids] == ["open", "queued", "queued"]


# --- kills, failures ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["edition-claimed", "edition-rendered", "edition-recording"])
def test_edition_survives_an_evaluator_that_is_killed(label: str, editions: Editions, place: Installation) -> None:
    edition_id = editions.service.request_edition(place.ann, SYNTHETIC).edition.id
    editions.at[label] = kill
    with pytest.raises(KilledError):
        editions.maker.run_next()
    assert editions.service.get_status(edition_id, place.ann).state == "making"
    other = editions.make_maker("other")
    assert not other.run_next()  # the lease has not ended
    editions.free_leases()
    assert other.run_next()
    status = editions.service.get_status(edition_id, place.ann)
    assert (status.state, status.has_pack) == ("open", True)


def test_late_evaluator_writes_nothing(editions: Editions, place: Installation) -> None:
    edition_id = editions.service.request_edition(place.ann, SYNTHETIC).edition.id

    def take_over() -> None:
        editions.free_leases()
        assert editions.make_maker("other").run_next()

    editions.at["edition-rendered"] = take_over
    assert editions.maker.run_next()
    assert editions.service.get_status(edition_id, place.ann).state == "open"


def test_stopped_evaluator_gives_the_edition_back_at_once(editions: Editions, place: Installation) -> None:
    edition_id = editions.service.request_edition(place.ann, MOTION).edition.id
    maker = editions.make_maker(worker_name(), (sys.executable, "-SEc", "import time; time.sleep(600)"))
    threading.Timer(0.5, editions.stop.set).start()
    began = time.monotonic()
    assert maker.run_next()
    assert time.monotonic() - began < 300
    status = editions.service.get_status(edition_id, place.ann)
    assert (status.state, status.has_pack) == ("queued", False)


def test_failed_rendering_is_explained_and_tried_again(
    editions: Editions, place: Installation, caplog: pytest.LogCaptureFixture
) -> None:
    edition_id = editions.service.request_edition(place.ann, SYNTHETIC).edition.id
    other_id = editions.service.request_edition(place.ann, SYNTHETIC).edition.id
    failing = editions.make_maker(worker_name(), (sys.executable, "-SEc", "raise SystemExit('no space left')"))
    assert failing.run_next()
    status = editions.service.get_status(edition_id, place.ann)
    assert status.state in ("queued", "making")
    assert status.edition.explanation is not None
    assert "Earshot retries it automatically" in status.edition.explanation
    assert "could not be rendered" in caplog.text
    assert "no space left" in caplog.text
    assert editions.maker.run_next()  # the next one is not held up
    assert editions.service.get_status(other_id, place.ann).state == "open"
    editions.free_leases()
    assert editions.maker.run_next()
    assert editions.service.get_status(edition_id, place.ann).state == "open"


def test_missing_key_is_our_error(editions: Editions, place: Installation) -> None:
    edition_id = editions.service.request_edition(place.ann, SYNTHETIC).edition.id
    (place.keys_dir / SYNTHETIC.id / SYNTHETIC.version / "test.json").unlink()
    assert editions.maker.run_next()
    explanation = editions.service.get_status(edition_id, place.ann).edition.explanation
    assert explanation is not None
    assert "answer key is missing" in explanation


# --- packs ----------------------------------------------------------------------------------------------------------


def test_deleted_pack_names_the_packs_before_it_at_the_first_request(editions: Editions, place: Installation) -> None:
    edition_id = editions.open_edition(BENCHMARK)
    for path in editions.packs.path("").iterdir():
        path.unlink()
    for n_before in ("1 pack is", "2 packs are"):
        editions.service.request_edition(place.may, BENCHMARK)
        with place.database.write() as transaction:  # as if the deleted pack was not requested before
            transaction.execute(update(Edition).where(Edition.id == edition_id).values(pack_wanted_at=None))
        with pytest.raises(NotReadyError, match=f"{n_before} rendered before it"):
            editions.service.open_pack(edition_id, place.ann)


def test_packs_are_deleted_a_day_after_their_last_use_and_when_space_is_short(tmp_path: Path) -> None:
    packs = EditionPacks(tmp_path / "editions", max_bytes=250)
    packs.make_room()
    for number, hours in enumerate((0, 1, 2, 30)):
        path = packs.path(f"{number}.zip")
        path.write_bytes(b"x" * 100)
        os.utime(path, (time.time() - hours * 3600,) * 2)
    packs.path(".pack-left").write_bytes(b"")
    os.utime(packs.path(".pack-left"), (1.0, 1.0))
    packs.make_room()
    assert sorted(path.name for path in (tmp_path / "editions").iterdir()) == ["0.zip", "1.zip"]
    assert packs.find_pack("../0.zip") == packs.path("0.zip")
    assert packs.find_pack("2.zip") is None
    assert packs.find_pack(None) is None


# --- public items ---------------------------------------------------------------------------------------------------


@pytest.fixture(params=[SYNTHETIC, MOTION, STAR], ids=lambda benchmark: benchmark.id)
def encoded(request: pytest.FixtureRequest) -> tuple[Content, bytes]:
    content = request.param.content(request.param.make_edition_key(request.param.make_key("test"), "e-7f3kq9x2"))
    return content, encode_items(request.param, content)


def test_public_items_are_restored(encoded: tuple[Content, bytes]) -> None:
    content, data = encoded
    benchmark = get_benchmark(content.benchmark, content.version)
    assert len(data) < 200_000
    catalogue, options = decode_items(data, "T", runs_are_seeds=benchmark.runs_are_seeds)
    assert catalogue == make_catalogue("T", content.items, runs_are_seeds=benchmark.runs_are_seeds)
    shown = {(run.id, run.run): run.options for run in all_runs(benchmark, content) if run.options}
    assert options == shown


@pytest.mark.parametrize("data", [b"", b"x" * 100])
def test_damaged_items_are_refused(data: bytes) -> None:
    with pytest.raises(PublicItemsError, match="damaged"):
        decode_items(data, "T", runs_are_seeds=True)
