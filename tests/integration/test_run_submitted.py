"""`python -m submissions run` for test questions, against a running server (see also `test_python_package`)."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation import get_benchmark
from evaluation.answer_keys import find_key
from tests.support.documents.blocks import ROOT
from tests.support.editions.edition_renderer import render_editions
from tests.support.endpoints.misbehaving import ServedRequest, make_completion, run_server
from tests.support.endpoints.model_runs import N_CHECKS, Run, make_run, say
from tests.support.samples.run_packs import TRACES, write_run_pack
from tests.support.servers.server import Server

BENCHMARK = ("--benchmark", TRACES.id)
N_TRACES = 720


@pytest.fixture
def run(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Run]:
    """Run the command as a user of the server, which has the practice pack and renders editions."""
    monkeypatch.setenv("EARSHOT_DATA_DIR", str(server.data_dir))
    monkeypatch.setenv("EARSHOT_PORT", str(server.port))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("EARSHOT_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # for the process that renders editions
    pack = write_run_pack(server.data_dir / "packs", TRACES)
    with render_editions(server):
        yield make_run(tmp_path / "cache", capsys)
    pack.unlink()


def read_edition(out: Path) -> str:
    return str(json.loads((out / "test" / "manifest.json").read_text())["edition"])


def test_edition_is_answered_checked_and_submitted_later(server: Server, run: Run) -> None:
    with run_server(say('{"steps": [0, 1]}')) as served:
        model = (*BENCHMARK, "--base-url", served.url, "--model", "critic", "--out", "critic", "--as", "ron")
        preview = run(*model, "--split", "test", "--dry-run")
        assert (preview.code, "A preview requests no edition" in preview.err) == (0, True), preview.err
        assert served.n_connections == 0
        done = run(*model, "--split", "test")
        assert done.code == 0, done.err
        assert f"Valid: {N_TRACES} of {N_TRACES} answers" in done.out
        assert "Run the same command with --submit to submit it." in done.err
        edition = read_edition(Path("critic"))
        other = run(*model, "--edition", "e-00000000")
        assert (other.code, "Pass another --pack or --out" in other.err) == (1, True)
        submitted = run(*model, "--edition", edition, "--submit", "--no-close")
        assert (submitted.code, "awaiting-close" in submitted.out) == (0, True), submitted.err
        assert len(served.asked) == N_CHECKS + N_TRACES, "every question was asked once"


async def fall_silent(asked: ServedRequest, writer: asyncio.StreamWriter) -> None:
    """Pass the check, and answer every question with nothing."""
    writer.write(make_completion("yes" if asked.number < N_CHECKS else ""))


def test_fixed_test_questions_are_answered_and_submitted(server: Server, run: Run) -> None:
    benchmark = get_benchmark("star-bench", "demo")
    key = find_key(server.keys_dir, benchmark.id, benchmark.version, "test")
    assert key is not None
    write_run_pack(server.data_dir / "packs", benchmark, key)
    fixed = ("--benchmark", "star-bench", "--version", "demo", "--submit", "--as", "ren")
    with run_server(fall_silent) as served:
        done = run(*fixed, "--base-url", served.url, "--model", "mute")
    assert (done.code, "This file cannot be scored" in done.err) == (1, True), done.err
    assert "Downloading the test pack of star-bench" in done.err
    with run_server(say("A")) as served:
        done = run(*fixed, "--base-url", served.url, "--model", "fixed")
    assert (done.code, "scored" in done.out) == (0, True), done.err
    assert read_edition(Path("earshot-runs/star-bench/fixed")) == ""
