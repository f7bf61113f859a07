"""`python -m submissions run` for test questions, against a running server (see also `test_python_package`)."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation import get_benchmark
from evaluation.answer_keys import find_key
from submissions.__main__ import main as submissions_main
from submissions.model_runs.task_exports.__main__ import main as export_main
from tests.support.editions.edition_renderer import render_editions
from tests.support.endpoints.misbehaving import ServedRequest, make_completion, run_server
from tests.support.endpoints.model_runs import N_CHECKS, Run, make_run, say
from tests.support.samples.run_packs import TRACES, write_run_pack
from tests.support.servers.commands import CommandResult, run_in_process
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


def test_edition_is_exported_as_a_task_whose_log_is_accepted(
    server: Server, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def export(*more: str) -> CommandResult:
        chosen = ("--for", "lmms-eval", *BENCHMARK, "--split", "test", "--as", "roy", "--out", "task")
        return run_in_process(capsys, lambda given: export_main(given, cache=tmp_path / "cache"), (*chosen, *more))

    done = export()
    assert (done.code, done.out) == (0, f"{N_TRACES} questions: task\n"), done.err
    edition = json.loads(Path("task/export.json").read_text())["edition"]
    readme = Path("task/README.md").read_text()
    assert f"edition {edition}" in readme
    again = export()
    assert (again.code, "You have not used edition" in again.err) == (0, False), "the pack in the folder is used again"

    questions = [json.loads(line) for line in Path("task/questions.jsonl").read_text().splitlines()]
    rows = [{"doc_id": n, "target": line["id"], "filtered_resps": "{}"} for n, line in enumerate(questions)]
    log = "results/FILE_samples_earshot_audio_process_bench_test.jsonl"
    (tmp_path / "results").mkdir()
    (tmp_path / log).write_text("".join(json.dumps(row) + "\n" for row in rows))
    (command,) = re.findall(r"^python -m (submissions validate .*)$", readme, re.MULTILINE)
    assert command.split()[2] == log
    checked = run_in_process(capsys, submissions_main, tuple(command.split()[1:]))
    assert f"{N_TRACES} of {N_TRACES} answers" in checked.out, checked.out + checked.err


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
        preview = run(*fixed, "--base-url", served.url, "--model", "preview", "--dry-run")
        assert (preview.code, served.n_connections) == (0, 0), preview.err
        done = run(*fixed, "--base-url", served.url, "--model", "mute")
    assert (done.code, "263 of 263 responses are empty" in done.err) == (1, True), done.err
    assert "Test pack of star-bench: downloading, " in done.err
    with run_server(say("A")) as served:
        done = run(*fixed, "--base-url", served.url, "--model", "fixed")
    assert (done.code, "scored" in done.out) == (0, True), done.err
    assert read_edition(Path("earshot-runs/star-bench/fixed")) == ""
