"""Visitor that posts events and files to the page without a browser."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from leaderboard.pages.page import build_page
from leaderboard.services import build_services
from settings import Settings
from tests.support.servers.live_site import BENCHMARK, SHARED, Site, put_database, run_site

EVENT_URL = "/gradio_api/run/predict"
UPLOAD_URL = "/gradio_api/upload"


class Visitor:
    """Anonymous client that knows the page's events by name."""

    def __init__(self, site: Site, page: Any) -> None:
        self.site = site
        self.page = page

    def send(self, name: str, data: list[Any], token: str | None = None, **fields: Any) -> httpx2.Response:
        # Some names have several events, which are equivalent.
        index = min(at for at, function in self.page.fns.items() if function.name == name)
        return self.post({"fn_index": index, "data": data, **fields}, token)

    def post(self, fields: dict[str, Any], token: str | None = None) -> httpx2.Response:
        return self.site.post(EVENT_URL, token, json={"session_hash": "abc123", **fields})

    def check(self, file: Any) -> httpx2.Response:
        return self.check_in(BENCHMARK.settings[0], file)

    def check_in(self, setting: str, file: Any) -> httpx2.Response:
        return self.send("check", [file, f"{BENCHMARK.id} {BENCHMARK.version}", False, setting])

    def upload(self, data: bytes = b"x", field: str = "files", **arguments: Any) -> httpx2.Response:
        return self.site.post(UPLOAD_URL, files={field: ("p.jsonl", data)}, **arguments)


def file_value(path: object, **fields: Any) -> dict[str, Any]:
    return {"path": path, "meta": {"_type": "gradio.FileData"}, **fields}


@contextmanager
def run_page(folder: Path, **settings: Any) -> Iterator[Visitor]:
    """Serve page and API of a new installation."""
    put_database(folder)
    services = build_services(Settings(**{"data_dir": folder, **SHARED, **settings}))
    with closing(services.database), ExitStack() as running:
        with remembering_loops() as loops:
            running.callback(close_all, loops)
            page = build_page(services)
            site = running.enter_context(run_site(folder, page, **settings))
        yield Visitor(site, page)


@contextmanager
def closing_loops() -> Iterator[None]:
    """Close the event loops that Gradio creates and abandons while it builds and mounts a page."""
    with remembering_loops() as loops:
        yield
    close_all(loops)


@contextmanager
def remembering_loops() -> Iterator[list[asyncio.AbstractEventLoop]]:
    loops: list[asyncio.AbstractEventLoop] = []
    make = asyncio.new_event_loop

    def remember() -> asyncio.AbstractEventLoop:
        loops.append(make())
        return loops[-1]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(asyncio, "new_event_loop", remember)
        yield loops


def close_all(loops: list[asyncio.AbstractEventLoop]) -> None:
    for loop in loops:
        loop.close()
