"""Endpoint keys are only in the vault and in requests to the endpoint."""

import asyncio
import gzip
import logging
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from submissions.endpoints.vault import Secret, Vault
from tests.support.endpoints.endpoint_installation import KEY, SECRET, EndpointInstallation
from tests.support.endpoints.misbehaving import ServedRequest, make_completion, make_reply, run_server
from tests.support.secrets.canaries import spell
from tests.support.servers.live_site import BENCHMARK, Site, run_site

SUBMIT = "/api/v1/endpoint-submissions"
FIELDS: dict[str, Any] = {
    "benchmark": BENCHMARK.id,
    "model": {"name": "A model"},
    "base_url": "https://models.example.com/v1",
    "model_name": "m",
    "api_key": KEY,
}


def is_in(data: bytes, key: str = KEY) -> bool:
    return any(form in data for form in spell(key))


def read_folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            yield path.name, gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with run_site(tmp_path_factory.mktemp("keys"), secret_key=SECRET) as running:
        yield running


def test_search_finds_a_key_in_each_encoding() -> None:
    for form in spell(KEY):
        assert is_in(b"x" + form + b"y")
    assert not is_in(b"sk-canary and 0123456789")


def test_registered_key_is_in_no_response_log_or_file(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    owner, other, maintainer = site.token("ada"), site.token("bob"), site.token("local")
    sent = site.post(SUBMIT, owner, json=FIELDS, headers={"Idempotency-Key": "k"})
    assert sent.status_code == 201, sent.text
    assert sent.json()["state"] == "awaiting-approval"
    address = sent.json()["url"]
    again = site.post(SUBMIT, owner, json=FIELDS, headers={"Idempotency-Key": "k"})
    assert again.json()["id"] == sent.json()["id"]
    said = [sent, again, site.post(SUBMIT, owner, json=FIELDS)]
    assert said[-1].status_code == 409
    said += [site.get(address, token) for token in (owner, maintainer)]
    assert said[-1].json()["endpoint"]["needs_key"] is True
    assert site.get(address, other).status_code == site.get(address).status_code == 404
    admin = "/api/v1/admin"
    said += [site.get(f"{admin}/{name}", maintainer) for name in ("queue", "audit")]
    said += [site.get("/api/v1/submissions?mine=true", owner)]
    said += [site.post(f"{admin}/submissions/{sent.json()['id']}/approve", maintainer)]
    assert said[-1].json()["state"] == "queued"
    assert not any(is_in(response.content) for response in said)
    assert not is_in(caplog.text.encode())
    found = dict(read_folder(site.services.settings.data_dir))
    assert "earshot.db" in found
    assert [name for name, data in found.items() if is_in(data)] == []
    with site.services.database.read() as transaction:
        sealed = transaction.connection().exec_driver_sql("select submission_id, sealed_key from endpoints").all()
    assert [Vault([SECRET]).open(name, key).reveal() for name, key in sealed] == [KEY]


@pytest.mark.parametrize(
    "fields",
    [
        {"api_key": [KEY]},
        {"api_key": {KEY: 1}},
        {"api_key": f"{KEY} with a blank"},
        {"api_key": KEY * 100},
        {"concurrency": KEY},
        {"base_url": f"https://{KEY}@models.example.com/v1"},
        {"base_url": f"https://models.example.com/v1?key={KEY}"},
        {KEY: 1},
        {"multi_audio": KEY},
        {"audio_form": KEY},
        {"model": {"name": "A model", "kind": [KEY]}},
    ],
)
def test_refused_request_does_not_repeat_the_key(
    site: Site, fields: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    refused = site.post(SUBMIT, site.token("ada"), json=FIELDS | fields)
    assert refused.status_code in (400, 422)
    assert refused.headers["content-type"] == "application/problem+json"
    if KEY not in fields:  # a field's own name is repeated, so that users can find it
        assert not is_in(refused.content), refused.text
    assert not is_in(caplog.text.encode())


def test_key_of_a_finished_endpoint_evaluation_is_deleted_in_every_final_state(
    installed_to_ask: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    shutil.copytree(installed_to_ask, tmp_path / "here")
    asking = EndpointInstallation(tmp_path / "here")

    async def parrot(asked: ServedRequest, writer: asyncio.StreamWriter) -> None:
        assert KEY in asked.head
        writer.write(make_completion(f"You sent {KEY}, did you not?"))

    async def scold(asked: ServedRequest, writer: asyncio.StreamWriter) -> None:
        writer.write(make_reply(403, b'{"error": {"message": "no such key: ' + KEY.encode() + b'"}}'))

    with closing(asking.place.database):
        with run_server(parrot) as served:
            scored = asking.ask(served.url)
        with run_server(scold) as served:
            failed = asking.ask(served.url)
        withdrawn = asking.register("http://127.0.0.1:9/v1", api_key=Secret(KEY))
        asking.place.service.withdraw(withdrawn.id, asking.place.ann)
        assert (scored.submission.state, failed.submission.state) == ("scored", "failed")
        assert asking.place.query("select count(*) from endpoints where sealed_key is not null") == [(0,)]
        assert asking.place.query("select count(*) from responses where text like '%[key]%'")[0][0] > 0
    assert not is_in(repr((scored, failed)).encode())
    assert not is_in(caplog.text.encode())
    assert [name for name, data in read_folder(tmp_path / "here") if is_in(data)] == []
