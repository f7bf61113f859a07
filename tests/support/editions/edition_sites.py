"""Editions of a running site without an evaluator: opened, answered, closed and scored in its database."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from db.repositories import editions, submissions
from evaluation.packs import example_predictions
from tests.support.editions.edition_places import open_without_pack
from tests.support.servers.live_site import BENCHMARK, Site

API = "/api/v1"
REQUEST = f"{API}/benchmarks/{BENCHMARK.id}/editions"
KEY = BENCHMARK.make_key("test", "5" * 64)


def request_edition(site: Site, token: str, **headers: str) -> dict[str, Any]:
    response = site.post(REQUEST, token, headers=headers)
    assert response.status_code == 201, response.text
    body: dict[str, Any] = response.json()
    assert response.headers["location"] == body["url"]
    return body


def open_one(site: Site, token: str) -> tuple[str, bytes]:
    """Request an edition and open it; return its ID and a file that answers it."""
    edition_id = str(request_edition(site, token)["id"])
    content = open_without_pack(site.services.database, BENCHMARK, KEY, edition_id)
    return edition_id, "".join(json.dumps(line) + "\n" for line in example_predictions(content)).encode()


def submit_file(site: Site, token: str, data: bytes, name: str = "m", **fields: str) -> Any:
    sent = {"benchmark": BENCHMARK.id, "model": json.dumps({"name": name}), **fields}
    return site.post(f"{API}/submissions", token, files={"file": ("p.jsonl", data)}, data=sent)


def close_one(site: Site, token: str, texts: Sequence[str] = ("=1+1",)) -> tuple[str, str]:
    """Return the IDs of a closed edition and of its scored file, whose answers are guesses; some are given texts."""
    edition_id, data = open_one(site, token)
    for text in texts:
        data = data.replace(b'"True"', json.dumps(text).encode(), 1)
    sent = submit_file(site, token, data, close="true").json()
    with site.services.database.write() as transaction:
        now = datetime.now(UTC)
        assert submissions.change_state(transaction, sent["id"], ["queued"], now, state="scored")
        key = BENCHMARK.make_edition_key(KEY, edition_id)
        assert editions.reveal_seed(transaction, edition_id, key.seed, BENCHMARK.content(key).digest)
    return edition_id, str(sent["id"])
