"""Editions over HTTP: request, status, pack, files, close."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluation.packs import example_predictions
from tests.support.editions.edition_places import open_without_pack
from tests.support.servers.live_site import BENCHMARK, Site, problem_of, run_site

API = "/api/v1"
REQUEST = f"{API}/benchmarks/{BENCHMARK.id}/editions"
PACK = bytes(range(256)) * 10


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("editions")
    with run_site(folder, EARSHOT_OPEN_EDITIONS="2", EARSHOT_EDITIONS_PER_DAY="0") as running:
        yield running


def request_edition(site: Site, token: str, **headers: str) -> dict[str, Any]:
    response = site.post(REQUEST, token, headers=headers)
    assert response.status_code == 201, response.text
    body: dict[str, Any] = response.json()
    assert response.headers["location"] == body["url"]
    return body


def open_one(site: Site, token: str) -> tuple[str, bytes]:
    """Request an edition and open it; return its ID and a file that answers it."""
    edition_id = str(request_edition(site, token)["id"])
    content = open_without_pack(site.services.database, BENCHMARK, BENCHMARK.make_key("test"), edition_id)
    return edition_id, "".join(json.dumps(line) + "\n" for line in example_predictions(content)).encode()


def submit(site: Site, token: str, data: bytes, name: str = "m", **fields: str) -> Any:
    sent = {"benchmark": BENCHMARK.id, "model": json.dumps({"name": name}), **fields}
    return site.post(f"{API}/submissions", token, files={"file": ("p.jsonl", data)}, data=sent)


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
    content = open_without_pack(site.services.database, BENCHMARK, BENCHMARK.make_key("test"), requested["id"])
    status = site.get(requested["url"], token).json()
    assert (status["state"], status["items"], status["submissions"]) == ("open", 2016, 0)
    assert status["design"] == BENCHMARK.design_digest[:8]
    data = "".join(json.dumps(line) + "\n" for line in example_predictions(content)).encode()
    checked = site.post(f"{API}/validations", files={"file": ("p", data)}, data={"benchmark": BENCHMARK.id})
    assert checked.json()["ok"], checked.text
    sent = submit(site, token, data)
    assert sent.status_code == 201, sent.text
    assert (sent.json()["state"], sent.json()["edition"]) == ("awaiting-close", requested["id"])
    assert "closed" in site.get(sent.json()["url"], token).json()["outlook"]
    closed = site.post(f"{requested['url']}/close", token).json()
    assert (closed["state"], closed["submissions"]) == ("closed", 1)
    assert site.get(sent.json()["url"], token).json()["state"] == "queued"
    assert [one["id"] for one in site.get(f"{API}/editions", token).json()["editions"]] == [requested["id"]]
    refused = problem_of(submit(site, token, data, "other"), 400)
    assert f"edition {requested['id']}, which was closed on" in refused["detail"]
    assert "only an open edition" in problem_of(site.post(f"{requested['url']}/close", token), 409)["detail"]


def test_file_can_close_its_edition(site: Site) -> None:
    token = site.token("cleo")
    edition_id, data = open_one(site, token)
    assert submit(site, token, data, close="true").json()["state"] == "queued"
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
