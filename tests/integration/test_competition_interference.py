"""Withheld submissions change nothing that others see, and their owner cannot tell them apart.

Every address of the API is read before and after, so that a new route is covered without being listed here.
"""

import io
import json
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from db.repositories import users
from leaderboard.exports import FORMATS
from submissions.jobs.registration import load_published
from tests.support.samples.competition_files import MDAR, answer_main, make_request
from tests.support.servers.installation import Installation, install
from tests.support.servers.live_site import Site, run_site

API = "/api/v1"
BOARD = f"{API}/leaderboards/{MDAR.id}"
VERSION = f"version={MDAR.version}"
OTHERS = (None, "bob")
# 7 of 14 are released; these are withheld: far below, at, and one question above the released score.
WITHHELD = (0, 7, 8)
# Both state the time of the request.
VOLATILE = ("/readyz", "/metrics", "/healthz")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(\+00:00|Z)")

Answers = dict[str, tuple[int, str | None, str]]


@dataclass(frozen=True)
class Observed:
    """What others saw before and after submissions were withheld, and what their owner saw of each."""

    before: dict[str | None, Answers]
    after: dict[str | None, Answers]
    statuses: list[dict[str, Any]]
    events: list[list[str]]


def list_addresses(site: Site, released: str) -> list[str]:
    """Return every GET address of the API that takes no unknown ID, and the boards in their forms."""
    values = {"benchmark_id": MDAR.id, "benchmark": MDAR.id, "submission_id": released}
    found = []
    for path, operations in site.get(f"{API}/openapi.json").json()["paths"].items():
        names = re.findall(r"\{(\w+)\}", path)
        if "get" in operations and all(name in values for name in names) and path not in VOLATILE:
            found.append(re.sub(r"\{(\w+)\}", lambda name: values[name.group(1)], path))
    assert len(found) > 15
    found += [f"{address}?{VERSION}" for address in found if MDAR.id in address]
    found += [f"{BOARD}?{VERSION}&columns=all&limit=200&sort={way}main|accuracy" for way in ("", "-")]
    found += [f"{BOARD}/export?{VERSION}&columns=all&format={name}" for name in FORMATS]
    found += [f"/embed/{MDAR.id}?{VERSION}", "/", "/config"]
    found += [f"{API}/models/{model['id']}" for model in site.get(f"{API}/models?q=model").json()["models"]]
    return found


def read_all(site: Site, addresses: list[str], token: str | None) -> Answers:
    answers = ((address, site.get(address, token)) for address in addresses)
    return {address: (one.status_code, one.headers.get("etag"), one.text) for address, one in answers}


@pytest.fixture(scope="module")
def observed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Observed]:
    folder = install(tmp_path_factory.mktemp("interference"))
    place = Installation(folder)

    def send(n_right: int, name: str) -> str:
        data = answer_main(place.key_of(MDAR), n_right)
        sent = place.service.submit(place.ann, make_request(name), io.BytesIO(data)).id
        place.score_all()
        return sent

    with closing(place.database), run_site(folder, maintainers="may") as site:
        load_published(place.database)
        with place.database.write() as transaction:
            users.get_or_add_user(transaction, "bob", datetime.now(UTC))
        site.services.competitions.start_competition(place.may, MDAR, "The answers cannot be redrawn.")
        released = send(7, "A released model")
        addresses = list_addresses(site, released)
        tokens = {who: site.token(who) if who else None for who in OTHERS}
        before = {who: read_all(site, addresses, tokens[who]) for who in OTHERS}
        withheld = [send(n_right, "Another model") for n_right in WITHHELD]
        after = {who: read_all(site, addresses, tokens[who]) for who in OTHERS}
        owner = site.token("ann")
        statuses = [site.get(f"{API}/submissions/{one}", owner).json() for one in withheld]
        assert {status["state"] for status in statuses} == {"unreleased"}
        events = [[event["text"] for event in status["events"]] for status in statuses]
        yield Observed(before, after, statuses, events)


@pytest.mark.parametrize("who", OTHERS)
def test_withheld_submissions_change_no_answer_that_others_get(observed: Observed, who: str | None) -> None:
    before, after = observed.before[who], observed.after[who]
    assert sum(status == 200 for status, _, _ in before.values()) > 20
    assert [address for address, answer in before.items() if after[address] != answer] == []


def test_released_submission_does_change_answers(observed: Observed) -> None:
    board = observed.before[None][f"{BOARD}?{VERSION}"]
    assert "A released model" in board[2], "the comparison above would notice another row"


def test_owner_cannot_tell_withheld_submissions_apart(observed: Observed) -> None:
    seen = set()
    for status in observed.statuses:
        own = {status.pop("id"), status.pop("sha256"), status.pop("url")}
        text = _TIME.sub("T", json.dumps(status, sort_keys=True))
        assert not any(name in text for name in own)
        seen.add(text)
    assert len(seen) == 1
    assert len({tuple(texts) for texts in observed.events}) == 1
