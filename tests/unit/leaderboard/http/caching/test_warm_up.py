"""Tests of the warm-up after a start."""

import asyncio
from threading import Barrier, Thread

import pytest
from fastapi import FastAPI
from starlette.types import Receive, Scope, Send

from evaluation.benchmarks import get_benchmark
from evaluation.benchmarks.audio_process_bench import synthetic
from leaderboard.api import description
from leaderboard.http.caching import warm_up
from leaderboard.http.caching.warm_up import run_warm_up

N_VISITORS = 4


class Recorder:
    """An application that records what is requested; it fails for one path, and never answers another."""

    def __init__(self) -> None:
        self.paths: list[str] = []

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        self.paths.append(scope["path"])
        if scope["path"] == "/fails":
            raise RuntimeError
        if scope["path"] == "/hangs":
            await asyncio.Event().wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"answer"})


def test_paths_are_requested_in_turn_whatever_fails_and_the_end_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "_PAUSE_SECONDS", 0)
    app = Recorder()

    async def run() -> None:
        async with run_warm_up(app, ["/one", "/fails", "/two", "/hangs", "/never"]):
            while "/hangs" not in app.paths:
                await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(run(), 30))
    assert app.paths == ["/one", "/fails", "/two", "/hangs"]


def test_concurrent_first_visitors_simulate_chance_and_describe_the_api_once(monkeypatch: pytest.MonkeyPatch) -> None:
    simulated: list[str] = []
    described: list[str] = []
    benchmark, app, start = get_benchmark("audio-process-bench", synthetic.SYNTHETIC), FastAPI(), Barrier(N_VISITORS)

    def simulate(_table: object) -> dict[str, float]:
        simulated.append("simulated")
        return {}

    def describe(**_: object) -> dict[str, object]:
        described.append("described")
        return {"paths": {}}

    monkeypatch.setattr(synthetic, "simulate_chance", simulate)
    monkeypatch.setattr(description, "get_openapi", describe)

    def visit() -> None:
        start.wait()
        assert benchmark.chance == {}
        assert description.describe(app)["paths"] == {}

    synthetic._chance.cache_clear()
    try:
        visitors = [Thread(target=visit) for _ in range(N_VISITORS)]
        for visitor in visitors:
            visitor.start()
        for visitor in visitors:
            visitor.join()
    finally:
        synthetic._chance.cache_clear()
    assert (simulated, described) == (["simulated"], ["described"])
