"""Command `competition` against a running server, and what `submit` then says."""

from pathlib import Path

import pytest

import submissions.__main__ as command_line
from evaluation.answer_keys import find_key
from submissions.competitions.competition_texts import NO_CHANGE, NOTICE
from tests.support.samples.competition_files import MDAR, answer_main
from tests.support.servers.server import Server

OF_MDAR = ("--benchmark", MDAR.id, "--version", MDAR.version)


def test_competition_from_its_start_to_its_end(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EARSHOT_DATA_DIR", str(server.data_dir))
    monkeypatch.setenv("EARSHOT_PORT", str(server.port))
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.delenv("EARSHOT_TOKEN", raising=False)

    key = find_key(server.data_dir / "answer-keys", MDAR.id, MDAR.version, "test")
    assert key is not None

    def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        return command_line.main(arguments), *capsys.readouterr()

    contents = {n_right: answer_main(key, n_right) for n_right in (7, 8)}

    def submit(n_right: int) -> tuple[int, str, str]:
        path = tmp_path / f"{n_right}.jsonl"
        path.write_bytes(contents[n_right])
        return run("submit", str(path), *OF_MDAR, "--model", "In a competition", "--wait", "--as", "gil")

    code, _, err = run("competition", "start", *OF_MDAR, "--reason", "Fixed answers", "--as", "gil")
    assert code == 1
    assert "maintainer" in err
    code, out, err = run("competition", "start", *OF_MDAR, "--reason", "Fixed answers")
    assert code == 0, err
    assert out == f"mdar demo  {NOTICE}\n"
    code, out, err = submit(7)
    assert (code, "main accuracy" in out) == (0, True), err
    code, out, err = submit(8)
    assert (code, "unreleased" in out, "accuracy" in out) == (0, True, False), err
    assert NO_CHANGE in err
    code, out, err = run("competition", "end", *OF_MDAR, "--reason", "It is over")
    assert (code, out) == (0, "mdar demo  No competition mode: all scores are shown.\n"), err
