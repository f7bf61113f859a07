"""Editions over HTTP: request, status, pack, files, close."""

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet
from sqlalchemy import update

from db.models import Edition
from evaluation.audio import encode_wav
from evaluation.packs import example_predictions
from leaderboard.exports import answered_items_parquet
from leaderboard.exports.answered_items_csv import COLUMNS
from submissions.editions.edition_service import VISITORS_WAIT
from tests.support.editions.edition_places import open_without_pack
from tests.support.editions.edition_sites import API, KEY, REQUEST, close_one, open_one, request_edition, submit_file
from tests.support.servers.live_site import BENCHMARK, Site, problem_of, run_site

PACK = bytes(range(256)) * 10


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("editions")
    with run_site(folder, open_editions=2, editions_per_day=0) as running:
        yield running


def pack_path(site: Site) -> Path:
    folder = site.services.settings.edition_packs_dir
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "edition.zip"


def test_edition_from_the_request_to_its_close(site: Site) -> None:
    token = site.token("bea")
    requested = request_edition(site, token, **{"Idempotency-Key": "one"})
    assert requested["state"] == "queued"
    assert requested["position"] >= 1
    assert requested["pack"] is None
    assert request_edition(site, token, **{"Idempotency-Key": "one"})["id"] == requested["id"]
    content = open_without_pack(site.services.database, BENCHMARK, KEY, requested["id"])
    status = site.get(requested["url"], token).json()
    assert (status["state"], status["items"], status["submissions"]) == ("open", 2016, 0)
    assert status["design"] == BENCHMARK.design_digest[:8]
    data = "".join(json.dumps(line) + "\n" for line in example_predictions(content)).encode()
    checked = site.post(f"{API}/validations", files={"file": ("p", data)}, data={"benchmark": BENCHMARK.id})
    assert checked.json()["ok"], checked.text
    sent = submit_file(site, token, data)
    assert sent.status_code == 201, sent.text
    assert (sent.json()["state"], sent.json()["edition"]) == ("awaiting-close", requested["id"])
    assert "closed" in site.get(sent.json()["url"], token).json()["outlook"]
    closed = site.post(f"{requested['url']}/close", token).json()
    assert (closed["state"], closed["submissions"]) == ("closed", 1)
    assert site.get(sent.json()["url"], token).json()["state"] == "queued"
    assert [one["id"] for one in site.get(f"{API}/editions", token).json()["editions"]] == [requested["id"]]
    refused = problem_of(submit_file(site, token, data, "other"), 400)
    assert f"edition {requested['id']}, which was closed on" in refused["detail"]
    assert "only an open edition" in problem_of(site.post(f"{requested['url']}/close", token), 409)["detail"]


def test_file_can_close_its_edition(site: Site) -> None:
    token = site.token("cleo")
    edition_id, data = open_one(site, token)
    assert submit_file(site, token, data, close="true").json()["state"] == "queued"
    assert site.get(f"{API}/editions/{edition_id}", token).json()["state"] == "closed"


def test_pack_is_for_its_owner_with_ranges_and_entity_tag(site: Site) -> None:
    token = site.token("dan")
    edition_id, _ = open_one(site, token)
    address = f"{API}/editions/{edition_id}/pack"
    pack_path(site).unlink(missing_ok=True)
    waiting = problem_of(site.get(address, token), 503)
    assert "not ready" in waiting["detail"]
    assert site.get(f"{API}/editions/{edition_id}", token).json()["position"] >= 1
    pack_path(site).write_bytes(PACK)
    whole = site.get(address, token)
    assert whole.content == PACK
    assert "private" in whole.headers["cache-control"]
    part = site.client.get(address, headers={"Authorization": f"Bearer {token}", "Range": "bytes=100-199"})
    assert (part.status_code, part.content) == (206, PACK[100:200])
    tag = {"Authorization": f"Bearer {token}", "If-None-Match": whole.headers["etag"]}
    assert site.client.get(address, headers=tag).status_code == 304
    beyond = site.client.get(address, headers={"Authorization": f"Bearer {token}", "Range": "bytes=9999-"})
    assert beyond.status_code == 416
    eve = site.token("eve")
    for path in (address, f"{API}/editions/{edition_id}"):
        problem_of(site.get(path, eve), 404)
        problem_of(site.get(path), 401)
    problem_of(site.post(f"{API}/editions/{edition_id}/close", eve), 404)


def test_limit_is_a_problem_that_names_the_open_editions(site: Site) -> None:
    token = site.token("fay")
    ids = [request_edition(site, token)["id"] for _ in range(2)]
    detail = problem_of(site.post(REQUEST, token), 429)["detail"]
    assert all(edition_id in detail for edition_id in ids)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"{API}/benchmarks/mdar/editions?version=demo", 400),
        (f"{API}/benchmarks/nope/editions", 404),
        (f"{API}/editions/e-00000000/close", 404),
        (f"{API}/editions/x%27y/close", 404),
    ],
)
def test_bad_requests_are_problems(path: str, status: int, site: Site) -> None:
    problem_of(site.post(path, site.token("gus")), status)
    problem_of(site.post(path), 401)


# --- items of a closed edition --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def closed(site: Site) -> tuple[str, str]:
    """A closed edition with a scored file, and the token of its owner."""
    token = site.token("hal")
    return close_one(site, token)[0], token


def test_items_are_listed_page_by_page(site: Site, closed: tuple[str, str]) -> None:
    edition_id, token = closed
    address, seen = f"{API}/editions/{edition_id}/items", []
    more = "?outcome=wrong&limit=200"
    while True:
        page = site.get(f"{address}{more}", token).json()
        assert "items" in page, page
        seen += page["items"]
        if page["next_cursor"] is None:
            break
        more = f"?outcome=wrong&limit=200&cursor={page['next_cursor']}"
    assert len(seen) == len({one["id"] for one in seen}) == page["total"] > 500
    assert all("wrong" in {run["outcome"] for run in one["runs"]} for one in seen)
    assert sum(page["outcomes"].values()) == 3 * 2016
    assert page["outcomes"]["unreadable"] == 1
    reason = next(iter(page["reasons"]))
    (unreadable,) = site.get(f"{address}?reason={reason}", token).json()["items"]
    assert "=1+1" in {run["response"] for run in unreadable["runs"]}
    assert len(site.get(f"{address}?task=sct/clean/mcq&limit=200", token).json()["items"]) == 56
    problem_of(site.get(f"{address}?cursor=WzFd", token), 400)
    problem_of(site.get(f"{address}?outcome=odd", token), 400)
    problem_of(site.get(address, site.token("ida")), 404)
    problem_of(site.get(address), 404)


def test_owner_publishes_and_hides_the_gallery(site: Site) -> None:
    token, stranger = site.token("jon"), site.token("kim")
    edition_id, submission_id = close_one(site, token)
    address = f"{API}/editions/{edition_id}"
    problem_of(site.post(f"{address}/publish", stranger), 404)
    assert site.post(f"{address}/publish", token).json()["gallery_is_public"]
    # A stranger sees public submissions only.
    for path in (f"{address}/items", f"/editions/{edition_id}"):
        assert "None of its submissions is public" in problem_of(site.get(path), 404)["detail"]
    assert site.post(f"{API}/submissions/{submission_id}/publish", token).status_code == 200
    assert site.get(f"{address}/items").json()["submission"] == submission_id
    pack_path(site).unlink(missing_ok=True)
    with zipfile.ZipFile(pack_path(site), "w") as archive:
        archive.writestr("audio/clip-1.wav", b"RIFF")
    assert site.get(f"{address}/audio/clip-1.wav").content == b"RIFF"
    for path in (address, f"{address}/pack"):
        problem_of(site.get(path, stranger), 404)
    assert not site.post(f"{address}/hide", token).json()["gallery_is_public"]
    for path in ("items", "audio/clip-1.wav"):
        problem_of(site.get(f"{address}/{path}", stranger), 404)


def test_gallery_of_an_open_edition_cannot_be_published(site: Site) -> None:
    token = site.token("lea")
    edition_id, _ = open_one(site, token)
    detail = problem_of(site.post(f"{API}/editions/{edition_id}/publish", token), 409)["detail"]
    assert "exists once it is closed" in detail


def test_items_as_parquet_are_typed_and_complete(site: Site, closed: tuple[str, str]) -> None:
    edition_id, token = closed
    address = f"{API}/editions/{edition_id}/items"
    response = site.get(f"{address}?format=parquet", token)
    assert response.headers["content-type"] == "application/vnd.apache.parquet"
    assert response.headers["content-disposition"].endswith('.parquet"')
    table = parquet.read_table(io.BytesIO(response.content))
    assert tuple(table.schema.names) == COLUMNS
    rows = table.to_pylist()
    assert len(rows) == 3 * 2016
    page = site.get(f"{address}?limit=200", token).json()
    described = [(item, run) for item in page["items"] for run in item["runs"]]
    assert len(described) == 600
    for row, (item, run) in zip(rows, described, strict=False):
        assert (row["id"], row["task"], row["question"]) == (item["id"], item["task"], item["question"])
        assert {name: row[name] for name in run} == run
    # A response that looks like a formula is kept: nothing evaluates the cells of this format.
    assert "=1+1" in [row["response"] for row in rows]
    wrong = parquet.read_table(io.BytesIO(site.get(f"{address}?format=parquet&outcome=wrong", token).content))
    assert wrong.num_rows < len(rows)


def test_one_parquet_file_is_written_at_a_time(site: Site, closed: tuple[str, str]) -> None:
    edition_id, token = closed
    with answered_items_parquet.ONE_AT_A_TIME:
        busy = problem_of(site.get(f"{API}/editions/{edition_id}/items?format=parquet", token), 429)
    assert "Another Parquet file is being written" in busy["detail"]


def test_items_as_csv_have_no_formulas(site: Site, closed: tuple[str, str]) -> None:
    edition_id, token = closed
    response = site.get(f"{API}/editions/{edition_id}/items?format=csv", token)
    assert response.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert len(rows) == 3 * 2016
    assert set(rows[0]) == set(COLUMNS)
    assert not any(cell.startswith(("=", "+", "@")) for row in rows for cell in row.values())


def test_clip_of_an_edition_comes_from_its_pack(site: Site, closed: tuple[str, str]) -> None:
    edition_id, token = closed
    with zipfile.ZipFile(pack_path(site), "w") as archive:
        archive.writestr("audio/clip-1.wav", b"RIFF")
        archive.writestr("secret.wav", b"no")
    address = f"{API}/editions/{edition_id}/audio"
    assert site.get(f"{address}/clip-1.wav", token).content == b"RIFF"
    for name in ("clip-2.wav", "..%2Fsecret.wav", "secret.wav"):
        problem_of(site.get(f"{address}/{name}", token), 404)
    problem_of(site.get(f"{address}/clip-1.wav", site.token("ida")), 404)


def cut_off(data: bytes) -> bytes:
    return data[: len(data) // 2]


def change_sound(data: bytes) -> bytes:
    """Change a byte of the first sound: its checksum is wrong."""
    place = data.index(b"data") + 100
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


@pytest.fixture
def published(site: Site) -> tuple[str, str, bytes]:
    """ID of an edition with a public gallery, the address of a clip of it, and its pack; the owner is pia."""
    token = site.token("pia")
    edition_id, submission = close_one(site, token)
    assert site.post(f"{API}/submissions/{submission}/publish", token).status_code == 200
    assert site.post(f"{API}/editions/{edition_id}/publish", token).status_code == 200
    clip = site.get(f"{API}/editions/{edition_id}/items?limit=1", token).json()["items"][0]["clips"][0]
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(f"audio/{clip.rpartition('/')[2]}", encode_wav(np.zeros((800, 2), np.int16), 16_000))
    return edition_id, clip, data.getvalue()


@pytest.mark.parametrize("damage", [cut_off, change_sound, lambda _data: b"", lambda _data: b"no zip"])
def test_damaged_pack_is_deleted_and_rendered_again(
    damage: Callable[[bytes], bytes], site: Site, published: tuple[str, str, bytes]
) -> None:
    edition_id, clip, data = published
    token = site.token("pia")
    for address in (clip, f"/editions/{edition_id}"):
        pack_path(site).write_bytes(data)
        whole = site.get(address, token)
        assert whole.status_code == 200
        assert "being rendered again" not in whole.text
        pack_path(site).write_bytes(damage(data))
        answer = site.get(address, token)
        assert not pack_path(site).exists()
        assert site.get(f"{API}/editions/{edition_id}", token).json()["position"] >= 1
        if address == clip:
            assert "is not ready" in problem_of(answer, 503)["detail"]
            assert int(answer.headers["retry-after"]) >= 1
        else:
            assert answer.status_code == 200
            assert "The sounds are being rendered again." in answer.text


def test_visitors_cause_one_rendering_in_a_day_and_the_owner_any_number(
    site: Site, published: tuple[str, str, bytes]
) -> None:
    edition_id, clip, data = published
    token = site.token("pia")
    visitor = site.token("vic")

    def render_wanted() -> bool:
        """Return whether the pack was requested, and end the request as an evaluator does."""
        with site.services.database.write() as transaction:
            done = update(Edition).where(Edition.id == edition_id, Edition.pack_wanted_at.is_not(None))
            return bool(transaction.execute(done.values(pack_wanted_at=None)).rowcount)  # type: ignore[attr-defined]

    pack_path(site).unlink(missing_ok=True)
    assert "is not ready" in problem_of(site.get(clip), 503)["detail"]
    assert render_wanted()
    for _ in range(2):
        for reader in (visitor, None):
            refused = site.get(clip, reader)
            detail = problem_of(refused, 503)["detail"]
            assert "rendered for visitors within the last 24 hours" in detail
            assert "Try again from " in detail
            assert 86_000 < int(refused.headers["retry-after"]) <= 86_400
    assert "rendered for visitors within" in site.get(f"/editions/{edition_id}").text
    assert not render_wanted()
    pack_path(site).write_bytes(cut_off(data))
    problem_of(site.get(clip), 503)
    assert not pack_path(site).exists()
    assert not render_wanted()
    for _ in range(3):
        assert "is not ready" in problem_of(site.get(clip, token), 503)["detail"]
        assert render_wanted()
    with site.services.database.write() as transaction:
        a_day_ago = datetime.now(UTC) - VISITORS_WAIT
        transaction.execute(update(Edition).where(Edition.id == edition_id).values(visitors_wanted_at=a_day_ago))
    assert "is not ready" in problem_of(site.get(clip), 503)["detail"]
    assert render_wanted()
