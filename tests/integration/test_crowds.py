"""Load: expensive requests do not delay others, and identical ones share one computation."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest

from leaderboard.boards.board_pages import BoardPages
from leaderboard.boards.overview_pages import OverviewPages
from leaderboard.http.caching.single_flight import MAX_WAITING
from tests.support.servers.live_site import BENCHMARK, Site, fill_board, run_site

BOARD = f"/api/v1/leaderboards/{BENCHMARK.id}"
# More than the thread pool of the web process.
N_IN_CROWD = 60


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with run_site(tmp_path) as running:
        fill_board(running)
        yield running


class Slow:
    """Page builds that are delayed for selected queries."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, pages: Any, is_slow: Callable[[Any], bool]) -> None:
        self.has_begun, self.may_go_on = threading.Event(), threading.Event()
        self.n_begun = 0
        make = pages.build_page

        def make_slowly(pages_of_app: Any, *arguments: Any) -> Any:
            if is_slow(arguments[-1]):
                self.n_begun += 1
                self.has_begun.set()
                assert self.may_go_on.wait(300)
            return make(pages_of_app, *arguments)

        monkeypatch.setattr(pages, "build_page", make_slowly)


def send(crowd: ThreadPoolExecutor, site: Site, path: str, n_times: int) -> list[Future[httpx2.Response]]:
    return [crowd.submit(site.get, path) for _ in range(n_times)]


@pytest.mark.parametrize(
    ("pages", "path", "is_search"),
    [
        (BoardPages, f"{BOARD}?q=a", lambda query: bool(query.page.search)),
        (OverviewPages, "/api/v1/overview?q=a", lambda query: bool(query.search)),
    ],
)
def test_many_searches_delay_neither_boards_nor_other_visitors(
    site: Site, monkeypatch: pytest.MonkeyPatch, pages: Any, path: str, is_search: Callable[[Any], bool]
) -> None:
    slow = Slow(monkeypatch, pages, is_search)
    token = site.token("ann")
    with ThreadPoolExecutor(N_IN_CROWD) as crowd:
        searches = send(crowd, site, path, N_IN_CROWD)
        try:
            assert slow.has_begun.wait(300)
            for other in (f"{BOARD}?sort=model", "/api/v1/overview?sort=model", "/api/v1/benchmarks", "/healthz"):
                assert site.get(other).status_code == 200
            assert site.get("/api/v1/submissions?mine=true", token).status_code == 200
            assert slow.n_begun == 1
        finally:
            slow.may_go_on.set()
        assert {search.result().status_code for search in searches} == {200}
    assert slow.n_begun == N_IN_CROWD


def test_concurrent_requests_for_a_new_revision_share_one_build_and_cached_pages_do_not_wait(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = site.get(f"{BOARD}?sort=model")
    n_made = 0
    build = BoardPages._build

    def count(*arguments: Any) -> bytes:
        nonlocal n_made
        n_made += 1
        return build(*arguments)

    monkeypatch.setattr(BoardPages, "_build", count)
    slow = Slow(monkeypatch, BoardPages, lambda query: query.page.sort == "date")
    with ThreadPoolExecutor(N_IN_CROWD) as crowd:
        readers = send(crowd, site, f"{BOARD}?sort=date", N_IN_CROWD)
        try:
            assert slow.has_begun.wait(300)
            assert site.get(f"{BOARD}?sort=model").content == kept.content
            assert site.get(f"{BOARD}?sort=date", if_none_match=kept.headers["etag"]).status_code == 304
        finally:
            slow.may_go_on.set()
        bodies = {reader.result().content for reader in readers}
    assert len(bodies) == 1
    assert n_made == 1


def test_full_queue_refuses_further_requests_with_retry_after(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(monkeypatch, BoardPages, lambda query: bool(query.page.search))
    refused = threading.Semaphore(0)

    def ask() -> httpx2.Response:
        answer = site.get(f"{BOARD}?q=a")
        if answer.status_code == 429:
            refused.release()
        return answer

    with ThreadPoolExecutor(MAX_WAITING + 3) as crowd:
        answers = [crowd.submit(ask) for _ in range(MAX_WAITING + 3)]
        try:
            assert refused.acquire(timeout=300)
            assert refused.acquire(timeout=300)
        finally:
            slow.may_go_on.set()
        found = [answer.result() for answer in answers]
    refusals = [answer for answer in found if answer.status_code == 429]
    assert len(refusals) == 2
    assert len(found) - len(refusals) == MAX_WAITING + 1
    assert refusals[0].headers["retry-after"] == "5"
    assert "Try again in a few seconds" in refusals[0].json()["detail"]
