"""Content Security Policy of every kind of page, against the HTML that the same response brings."""

import re
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from leaderboard.http.content_policies import hash_source
from tests.support.servers.server import Server

OWN_PAGES = ("/api/v1/docs", "/nothing", "/api/v1/submissions?mine=true", "/embed/star-bench", "/embed/nothing")
FILES = (
    *("/healthz", "/api/v1/openapi.json", "/static-earshot/board.js", "/static-earshot/favicon.svg", "/theme.css"),
    *("/manifest.json", "/robots.txt", "/config", "/api/v1/leaderboards/star-bench"),
)


def ask(server: Server, path: str, **headers: str) -> tuple[int, str, str, str]:
    """Return status, policy, entity tag and text of a response to a browser."""
    asked = Request(server.url + path, headers={"Accept": "text/html,*/*;q=0.5", **headers})
    try:
        with urlopen(asked, timeout=60) as answer:
            status, sent, body = answer.status, answer.headers, answer.read()
    except HTTPError as error:
        with error:
            status, sent, body = error.code, error.headers, error.read()
    (policy,) = sent.get_all("Content-Security-Policy")
    return status, policy, sent.get("ETag", ""), body.decode()


def list_inline(html: str, tag: str) -> list[str]:
    found = re.findall(rf"<{tag}([^>]*)>(.+?)</{tag}>", html, re.DOTALL)
    return [text for attributes, text in found if "application/json" not in attributes]


@pytest.mark.parametrize("path", OWN_PAGES)
def test_page_of_ours_allows_its_style_and_no_other_inline_code(server: Server, path: str) -> None:
    _, policy, _, html = ask(server, path)
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'; ")
    assert "require-trusted-types-for 'script'; trusted-types 'none'" in policy
    (style,) = list_inline(html, "style")
    assert f"style-src {hash_source(style)};" in policy
    assert not re.search(r"<script|\sstyle=|\son\w+=", html)


def test_gradio_page_allows_its_inline_scripts_by_hash(server: Server) -> None:
    status, policy, etag, html = ask(server, "/")
    assert status == 200
    (sources,) = re.findall("script-src ([^;]+);", policy)
    scripts = list_inline(html, "script")
    assert len(scripts) > 5
    hashes = set(map(hash_source, scripts))
    assert set(sources.split()) == hashes | {"'self'", "'unsafe-eval'"}
    assert "script-src-attr 'none'" in policy
    again, kept, _, _ = ask(server, "/", **{"If-None-Match": etag})
    assert (again, kept) == (304, policy), "a browser replaces the policy of what it has with that of a 304"


@pytest.mark.parametrize("path", OWN_PAGES)
def test_repeated_page_keeps_its_policy(server: Server, path: str) -> None:
    _, policy, etag, _ = ask(server, path)
    assert ask(server, path, **{"If-None-Match": etag})[1] == policy


@pytest.mark.parametrize("path", FILES)
def test_everything_else_runs_nothing(server: Server, path: str) -> None:
    status, policy, _, _ = ask(server, path)
    assert status == 200
    loaded = "img-src 'self'; media-src 'self'"
    assert policy == f"default-src 'none'; base-uri 'none'; form-action 'none'; {loaded}; frame-ancestors 'self'"
