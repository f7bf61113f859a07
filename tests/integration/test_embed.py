"""Embedded boards over HTTP: rows and ranks of the board, small, cacheable, frameable by any site."""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.support.pages.visitor import Visitor
from tests.support.servers.live_site import BENCHMARK, Site, add_row, fill_board, problem_of, rank, run_site

EMBED = f"/embed/{BENCHMARK.id}"
HOSTILE = '<img src=x onerror="alert(1)">'
MAX_BYTES = 30_000


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with run_site(tmp_path_factory.mktemp("embed")) as running:
        fill_board(running)
        for number in range(8):
            add_row(running.services, f"Model {number} {HOSTILE}", 0.3 + number / 100, organisation=HOSTILE)
        rank(running.services)
        yield running


def read_rows(html: str) -> list[tuple[str, str, str]]:
    """Return rank, model and score of each displayed row."""
    found = re.findall(r'<td class="rank">(.*?)</td><th scope="row">(.*?) <small>.*?<b>(.*?)</b>', html)
    return [(rank, unescape(name), score) for rank, name, score in found]


def test_embedded_board_has_the_top_ten_rows_of_the_board(site: Site) -> None:
    html = site.get(f"{EMBED}?slice=overall").text
    page = site.get(f"/api/v1/leaderboards/{BENCHMARK.id}?source=verified,submitted,reported&limit=10").json()
    key = page["metric"]
    expected = [(row["model"]["name"], f"{100 * row['scores'][key]['value']:.1f}") for row in page["rows"]]
    rows = read_rows(html)
    assert [(name, score) for _, name, score in rows] == expected
    assert len(rows) == 10
    assert [rank for rank, *_ in rows[:2]] == ["1", "2"]
    assert "Human 95.0 · Chance 25.0" in html
    assert "secret" not in html


def test_embedded_board_runs_no_scripts_loads_nothing_and_is_small(site: Site) -> None:
    answer = site.get(EMBED, Accept_Encoding="identity")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert len(answer.content) < MAX_BYTES
    assert HOSTILE not in answer.text
    assert unescape(answer.text).count(HOSTILE) >= 4
    assert not re.search(r"<(script|img|link|iframe)|\son\w+=\"|url\(|@import", answer.text)
    policy = answer.headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "frame-ancestors *"} <= set(policy)
    assert "script-src" not in answer.headers["content-security-policy"]


def test_only_embedded_boards_may_be_framed_by_any_site(site: Site) -> None:
    for path in ("/healthz", "/embed", f"/api/v1/leaderboards/{BENCHMARK.id}"):
        assert "frame-ancestors 'self'" in site.get(path).headers["content-security-policy"]


def test_embedded_board_is_cacheable_until_it_changes(site: Site) -> None:
    address = f"{EMBED}?slice=overall"
    first = site.get(address)
    assert first.headers["cache-control"] == "public, max-age=60"
    again = site.get(address, If_None_Match=first.headers["etag"])
    assert (again.status_code, again.content) == (304, b"")
    assert "set-cookie" not in first.headers
    dark = site.get(f"{address}&theme=dark")
    assert dark.headers["etag"] != first.headers["etag"]
    add_row(site.services, "newest", 0.97)
    rank(site.services)
    changed = site.get(address, If_None_Match=first.headers["etag"])
    assert changed.status_code == 200
    assert read_rows(changed.text)[0] == ("1", "newest", "97.0")


def test_colours_follow_the_system_or_the_address(site: Site) -> None:
    page = site.get(EMBED).text
    assert '<html lang="en">' in page
    assert "prefers-color-scheme:dark" in page
    for theme in ("light", "dark"):
        assert f'<html lang="en" data-theme="{theme}">' in site.get(f"{EMBED}?theme={theme}").text


def test_slice_of_an_embedded_board_links_to_the_board_sorted_by_it(site: Site) -> None:
    # Only the other slice is installed here, so the board is sorted by that one.
    html = site.get(f"{EMBED}?slice=overall").text
    (href,) = re.findall(r'<h1><a href="(.*?)" target="_blank" rel="noopener">', html)
    assert parse_qs(urlsplit(unescape(href)).query) == {"tab": [BENCHMARK.id], "sort": ["overall|accuracy"]}
    opening = site.get(EMBED).text
    assert re.findall(r'<h1><a href="(.*?)"', opening) == [f"/?tab={BENCHMARK.id}"]
    assert {score for *_, score in read_rows(opening)} == {"25.0"}


def test_unknown_embedded_board_is_refused(site: Site) -> None:
    problem_of(site.get("/embed/nothing"), 404)
    for query in ("slice=nope", "metric=nope", "setting=nope", "theme=pink", "x=1"):
        problem_of(site.get(f"{EMBED}?{query}"), 400)
    page = site.get("/embed/nothing", Accept="text/html")
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")


def test_embed_parameter_of_the_page_redirects_to_the_embedded_board(visitor: Visitor) -> None:
    answer = visitor.site.get("/?tab=star-bench&embed=1&sort=perception|aa&q=x&__theme=dark")
    assert (answer.status_code, answer.headers["location"]) == (
        307,
        "/embed/star-bench?slice=perception&metric=aa&theme=dark",
    )
    for query in ("tab=about&embed=1", "tab=//evil.example&embed=1", "embed=1", "tab=star-bench&embed=0"):
        assert visitor.site.get(f"/?{query}").status_code == 200
