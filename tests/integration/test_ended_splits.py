"""The shared test splits of rendered benchmarks have ended: neither files nor packs, except until a day that is set."""

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from db.repositories import editions, submissions, users
from evaluation import all_benchmarks, get_benchmark
from evaluation.benchmarks import Benchmark
from submissions.accounts.credentials import SYSTEM_USER
from submissions.intake.catalogues import Catalogues
from submissions.jobs.registration import submit_chance
from tests.support.editions.edition_sites import API, open_one, submit_file
from tests.support.endpoints.endpoint_installation import EndpointInstallation, make_references
from tests.support.servers.installation import BENCHMARK, Installation, install
from tests.support.servers.live_site import ITEMS, Site, predictions, problem_of, run_site

TODAY = datetime.now(UTC).date()
RENDERED = [one for one in all_benchmarks() if one.has_editions]
FIXED = [one for one in all_benchmarks() if one.made_parts and not one.has_editions]
PACK = f"{API}/benchmarks/{BENCHMARK.id}/pack"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with run_site(tmp_path_factory.mktemp("ended"), shared_splits_until=None) as running:
        yield running


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Installation]:
    found = Installation(install(tmp_path / "installed"))
    with closing(found.database):
        yield found


def validate(site: Site, data: bytes) -> dict[str, Any]:
    sent = {"benchmark": BENCHMARK.id, "allow_missing": "true"}
    body: dict[str, Any] = site.post(f"{API}/validations", files={"file": ("p", data)}, data=sent).json()
    return body


def test_file_for_an_ended_split_is_refused_with_what_to_do(site: Site) -> None:
    token = site.token("ann")
    checked = validate(site, predictions())
    assert not checked["ok"]
    (problem,) = checked["problems"]
    assert "the shared test split of AudioMotionBench 1.0, which has ended" in problem["message"]
    assert "Request test questions of your own" in problem["message"]
    refused = problem_of(site.submit(token, allow_missing="true"), 422)
    assert "which has ended" in json.dumps(refused["errors"])
    owner = site.services.accounts.find_by_token(token)
    assert owner is not None
    assert site.services.submissions.list_mine(owner) == []


@pytest.mark.parametrize("data", [b"", b"[]", b"no answers", b'{"id": "amb-0", "response": ""}'])
def test_file_without_a_known_question_is_no_valid_file(site: Site, data: bytes) -> None:
    checked = validate(site, data)
    assert not checked["ok"]
    assert checked["problems"]


def test_pack_of_an_ended_split_is_gone_and_the_error_says_where_questions_are(site: Site) -> None:
    for path in (PACK, f"{PACK}?split=test", f"{PACK}?split=test&version={BENCHMARK.version}"):
        gone = problem_of(site.get(path), 410)
        assert f"POST to {API}/benchmarks/{BENCHMARK.id}/editions" in gone["detail"]
    described = site.get(f"{API}/benchmarks/{BENCHMARK.id}").json()
    assert (described["packs"], described["editions"]) == (["practice"], True)
    assert described["open_version"] == BENCHMARK.version


def test_file_of_an_edition_is_accepted(site: Site) -> None:
    token = site.token("bea")
    edition_id, data = open_one(site, token)
    assert validate(site, data)["ok"]
    sent = submit_file(site, token, data, close="true")
    assert (sent.status_code, sent.json()["edition"]) == (201, edition_id)


@pytest.mark.parametrize(("days", "is_offered"), [(-1, False), (0, True), (1, True)])
def test_last_day_of_a_shared_split_can_be_set(place: Installation, days: int, is_offered: bool) -> None:
    catalogues = Catalogues(place.database, shared_splits_until=TODAY + timedelta(days=days))
    assert {catalogues.offers_shared_split(one) for one in RENDERED} == {is_offered}
    assert all(catalogues.offers_shared_split(one) for one in FIXED)


def test_no_last_day_means_that_they_have_ended(place: Installation) -> None:
    catalogues = Catalogues(place.database)
    assert not any(catalogues.offers_shared_split(one) for one in RENDERED)
    assert all(catalogues.offers_shared_split(one) for one in FIXED)
    assert all(catalogues.can_redraw(one) for one in RENDERED)


def test_chance_answers_an_edition_that_nobody_else_can_use(place: Installation) -> None:
    with place.database.write() as transaction:
        owner = users.get_or_add_user(transaction, SYSTEM_USER, datetime.now(UTC))
    for _ in range(2):
        submit_chance(place.service, place.keys_dir, owner)
    with place.database.read() as transaction:
        rows = submissions.list_by_owner(transaction, owner.id, 100)
        found = [editions.find_edition(transaction, one.edition) for one in rows if one.edition]
    assert len(rows) == len(RENDERED) + len(FIXED)
    assert {(one.benchmark, one.version) for one in rows if one.edition} == {(one.id, one.version) for one in RENDERED}
    assert {(one.state, one.is_pack_wanted, one.owner.id) for one in found if one} == {("closed", False, owner.id)}
    place.score_all()
    with place.database.read() as transaction:
        scored = submissions.list_by_owner(transaction, owner.id, 100)
    assert {one.state for one in scored} == {"scored"}


def test_chance_of_an_earlier_release_is_not_submitted_again(place: Installation) -> None:
    with place.database.write() as transaction:
        owner = users.get_or_add_user(transaction, SYSTEM_USER, datetime.now(UTC))
    submit_chance(place.service, place.keys_dir, owner)
    change(place, "update submissions set edition = null")
    submit_chance(place.service, place.keys_dir, owner)
    assert place.query("select count(*) from submissions where edition is not null") == [(0,)]


def test_reference_systems_answer_editions_of_their_own(tmp_path: Path) -> None:
    asking = EndpointInstallation(install(tmp_path / "installed"))
    with closing(asking.place.database):
        references = make_references(asking)
        found = {}
        while references.submit_next():
            sql = "select id, benchmark, version, edition from submissions where state = 'queued'"
            ((added, *of_added),) = asking.place.query(sql)
            found[added] = of_added
            change(asking.place, "update submissions set state = 'withdrawn' where state = 'queued'")
    of_rendered = [edition for benchmark, version, edition in found.values() if is_rendered(benchmark, version)]
    assert len(of_rendered) == len(set(of_rendered)) == 3 * len([one for one in RENDERED if has_sounds(one)])
    assert all(of_rendered)
    assert not any(edition for benchmark, version, edition in found.values() if not is_rendered(benchmark, version))


def change(place: Installation, sql: str) -> None:
    with place.database.engine.begin() as connection:
        connection.exec_driver_sql(sql)


def is_rendered(benchmark: str, version: str) -> bool:
    return get_benchmark(benchmark, version).has_editions


def has_sounds(benchmark: Benchmark) -> bool:
    return benchmark.content(benchmark.make_key("practice" if "practice" in benchmark.splits else "test")).has_sounds


def test_items_of_the_site_are_those_of_the_shared_split(site: Site) -> None:
    """Otherwise the first test would check another error."""
    registered = Catalogues(site.services.database, shared_splits_until=TODAY).get(BENCHMARK, "default")
    assert set(ITEMS) <= set(registered.items)
