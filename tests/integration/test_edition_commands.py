"""Commands of editions against a running server: `pack`, `submit`, `close`, `editions`."""

import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import submissions.__main__ as command_line
from evaluation.benchmarks import get_benchmark
from tests.support.editions.edition_renderer import render_editions
from tests.support.servers.server import Server

SYNTHETIC = get_benchmark("audio-process-bench", "synthetic-3")
BENCHMARK = ("--benchmark", SYNTHETIC.id, "--version", SYNTHETIC.version)
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def rendering(server: Server) -> Iterator[None]:
    """Render packs beside the evaluator of the server, which leaves that to others."""
    with render_editions(server):
        yield


@pytest.fixture
def run(server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("EARSHOT_DATA_DIR", str(server.data_dir))
    monkeypatch.setenv("EARSHOT_PORT", str(server.port))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("EARSHOT_TOKEN", raising=False)

    def run_here(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        name = () if arguments[0] == "validate" else ("--as", "gil")
        return command_line.main((*arguments, *name)), *capsys.readouterr()

    return run_here


@pytest.mark.usefixtures("rendering")
def test_edition_from_the_pack_to_the_score(server: Server, run: Run, tmp_path: Path) -> None:
    pack, answers = tmp_path / "pack.zip", tmp_path / "answers.jsonl"
    code, out, err = run("pack", *BENCHMARK, "--out", str(pack))
    assert code == 0, err
    edition_id = out.split()[0]
    assert f"{SYNTHETIC.id} {SYNTHETIC.version}: 0 of 2 open editions, 0 of 5 requested today." in err
    assert "Answer the 720 questions" in err
    with zipfile.ZipFile(pack) as archive:
        assert json.loads(archive.read("pack.json"))["edition"] == edition_id
        answers.write_bytes(archive.read("example.jsonl"))
    assert list(tmp_path.glob(".pack.zip*")) == []

    again = tmp_path / "again.zip"
    code, out, err = run("pack", *BENCHMARK, "--out", str(again))
    assert (code, out.split()[0]) == (0, edition_id), err
    assert "requested today" not in err, "nothing is requested"
    assert f"You have not used edition {edition_id} yet." in err
    assert again.read_bytes() == pack.read_bytes()

    code, out, err = run("validate", str(answers), *BENCHMARK)
    assert code == 0, err
    code, out, err = run("submit", str(answers), *BENCHMARK, "--model", "Guesser one", "--no-close", "--wait")
    assert (code, "awaiting-close" in out) == (0, True), out + err
    code, out, err = run("submit", str(answers), *BENCHMARK, "--model", "Guesser two", "--no-close")
    assert code == 0, err
    assert f"{edition_id}" in run("editions")[1]
    code, out, err = run("close", edition_id)
    assert (code, out.split()) == (0, [edition_id, "closed"]), err
    assert "2 files are queued" in err
    code, out, err = run("submit", str(answers), *BENCHMARK, "--model", "Guesser three")
    assert (code, f"edition {edition_id}, which was closed on" in err) == (1, True)

    code, out, err = run("close", edition_id)
    assert (code, "only an open edition can be closed" in err) == (1, True)
    for kept in (server.data_dir / "packs" / "editions").iterdir():
        kept.unlink()
    code, out, err = run("pack", *BENCHMARK, "--edition", edition_id, "--out", str(tmp_path / "closed.zip"))
    assert code == 0, err
    assert (tmp_path / "closed.zip").read_bytes() == pack.read_bytes()


def test_pack_of_a_benchmark_without_editions_is_one_sentence(run: Run, tmp_path: Path) -> None:
    code, _, err = run("pack", "--benchmark", "mdar", "--version", "demo", "--out", str(tmp_path / "pack.zip"))
    assert code == 1
    assert "MDAR demo has no editions" in err
    code, _, err = run("close", "e-00000000")
    assert (code, "There is no such edition" in err) == (1, True)
