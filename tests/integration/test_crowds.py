"""A crowd that asks for what takes long keeps nobody else waiting."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest
from live_site import BENCHMARK, fill_board, run_site

from leaderboard.board_pages import BoardPages
from leaderboard.overview_pages import OverviewPages

BOARD = f"/api/v1/leaderboards/{BENCHMARK.id}"
# More than the web process has threads.
N_SEARCHES = 60


@pytest.mark.parametrize(("pages", "searched"), [(BoardPages, f"{BOARD}?q=a"), (OverviewPages, "/api/v1/overview?q=a")])
def test_crowd_of_searches_keeps_neither_boards_nor_people_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pages: Any, searched: str
) -> None:
    has_begun, may_go_on = threading.Event(), threading.Event()
    n_at_once = 0
    read = pages.read

    def read_slowly(self: Any, *arguments: Any) -> Any:
        nonlocal n_at_once
        query = arguments[-2]
        if getattr(query, "search", "") or getattr(getattr(query, "page", None), "search", ""):
            n_at_once += 1
            has_begun.set()
            assert may_go_on.wait(60)
        return read(self, *arguments)

    monkeypatch.setattr(pages, "read", read_slowly)
    with run_site(tmp_path) as site, ThreadPoolExecutor(N_SEARCHES) as crowd:
        fill_board(site)
        token = site.token("ann")
        address = f"http://127.0.0.1:{site.port}{searched}"
        searches = [crowd.submit(httpx2.get, address, timeout=60) for _ in range(N_SEARCHES)]
        try:
            assert has_begun.wait(30)
            for path in (f"{BOARD}?sort=model", "/api/v1/overview?sort=model", "/api/v1/benchmarks", "/healthz"):
                assert site.get(path).status_code == 200
            assert site.get("/api/v1/submissions?mine=true", token).status_code == 200
            assert n_at_once == 1
        finally:
            may_go_on.set()
        assert {search.result().status_code for search in searches} == {200}
