"""In-process runs of Earshot's commands, with exit code and output."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

Main = Callable[[list[str]], int]


class CommandResult(NamedTuple):
    """Result of a command."""

    code: int
    out: str
    err: str


Run = Callable[..., CommandResult]


def use_data_dir(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make commands of this test use their own data folder."""
    monkeypatch.setenv("EARSHOT_DATA_DIR", str(folder))
    for name in ("EARSHOT_ANSWER_KEYS", "EARSHOT_DATABASE_URL", "EARSHOT_PORT", "SPACE_ID"):
        monkeypatch.delenv(name, raising=False)
    return folder


def run_in_process(capsys: pytest.CaptureFixture[str], main: Main, arguments: tuple[object, ...]) -> CommandResult:
    """Run a command here and return its exit code and what it printed."""
    try:
        code = main([str(argument) for argument in arguments])
    except SystemExit as ended:
        code = int(ended.code or 0)
    captured = capsys.readouterr()
    return CommandResult(code, captured.out, captured.err)
