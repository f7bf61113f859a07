"""Audit log over HTTP: maintainers only, paginated."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from tests.support.servers.live_site import Site, problem_of, run_site

URL = "/api/v1/admin/audit"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with run_site(tmp_path_factory.mktemp("audit")) as running:
        yield running


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[Site]:
    with run_site(tmp_path) as running:
        yield running


def test_actions_over_http_are_logged_with_actor_and_subject(own_site: Site) -> None:
    owner, maintainer = own_site.token("ada"), own_site.token("local")
    url = own_site.submit(owner).json()["url"]
    assert own_site.post(f"{url}/publish", owner).status_code == 200
    assert own_site.post(f"{url}/withdraw", maintainer).status_code == 200
    response = own_site.get(URL, maintainer)
    assert response.headers["cache-control"] == "no-store"
    body = response.json()
    found = [(entry["actor"], entry["action"], entry["subject"]) for entry in body["entries"]]
    submission = url.rpartition("/")[2]
    assert found == [
        ("local", "withdraw", submission),
        ("ada", "publish", submission),
        ("local", "create-token", "local"),
        ("ada", "create-token", "ada"),
    ]
    newest = body["entries"][0]
    assert set(newest) == {"number", "at", "actor", "action", "subject", "details", "previous", "digest"}
    assert newest["previous"] == body["entries"][1]["digest"]
    assert newest["details"]["visibility"] == "public"
    assert body["next_cursor"] is None
    assert owner not in response.text
    assert maintainer not in response.text


def test_log_is_for_maintainers_only(site: Site) -> None:
    problem_of(site.get(URL), 401)
    problem = problem_of(site.get(URL, site.token("ada")), 403)
    assert problem["detail"] == "Only a maintainer can do this."


def test_pagination_returns_every_entry_once(site: Site) -> None:
    token = site.token("local")
    for name in ("a", "b", "c", "d"):
        site.token(name)
    whole = [entry["number"] for entry in site.get(f"{URL}?limit=500", token).json()["entries"]]
    assert len(whole) >= 5
    assert whole == sorted(whole, reverse=True)
    paged: list[int] = []
    cursor = ""
    while True:
        page = site.get(f"{URL}?limit=2{cursor}", token).json()
        paged += [entry["number"] for entry in page["entries"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert paged == whole


@pytest.mark.parametrize(
    "query",
    ["cursor=x", "cursor=-1", "cursor=0", "cursor=%C2%B2", "cursor=9223372036854775808", "limit=0", "limit=501"],
)
def test_invalid_cursor_or_limit_is_400(site: Site, query: str) -> None:
    problem_of(site.get(f"{URL}?{query}", site.token("local")), 400)


def test_route_is_described_with_a_token(site: Site) -> None:
    assert URL in site.get("/api/v1/openapi.json").json()["paths"]
    page = site.get("/api/v1/docs").text
    commands = [unescape(command) for command in re.findall("<pre>(.*?)</pre>", page)]
    example = next(command for command in commands if f"{URL}'" in command)
    assert "Authorization: Bearer" in example
