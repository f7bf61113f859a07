"""Correction of four keys after two months: preview, re-evaluation, and effects on board and history."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import evaluation.__main__ as keys_command
import submissions.__main__ as command
from evaluation.answer_keys import AnswerKey, find_key
from tests.support.servers.commands import CommandResult, Main, run_in_process, use_data_dir
from tests.support.servers.evaluators import run_evaluators
from tests.support.servers.installation import BENCHMARK, answers, statements
from tests.support.servers.live_site import Site, run_site
from tests.support.servers.server import wait_for
from tests.support.servers.warm_processes import WarmPython

NAMED = ("--benchmark", BENCHMARK.id)
BOARD = f"/api/v1/leaderboards/{BENCHMARK.id}"


@dataclass
class Own:
    """Installation with changeable keys: a site, and an evaluator process."""

    site: Site
    folder: Path

    @property
    def key(self) -> AnswerKey:
        key = find_key(self.folder / "answer-keys", BENCHMARK.id, BENCHMARK.version, "test")
        assert key is not None
        return key

    def json(self, path: str) -> Any:
        response = self.site.get(path)
        assert response.status_code == 200, response.text
        return response.json()

    def list_keys(self) -> list[str]:
        """Return the `readyz` entry of keys: nothing if the evaluator has not been seen recently."""
        return list(self.site.get("/readyz").json().get("keys", {}).values())

    def find_board(self, names: set[str]) -> dict[str, tuple[int | None, float]]:
        return {
            row["model"]["name"]: (row["rank"], row["scores"]["overall|accuracy"]["value"])
            for row in self.json(f"{BOARD}?limit=100")["rows"]
            if row["model"]["name"] in names and row["scores"]  # scores come with the next revision
        }


class Commands:
    """Earshot's command lines, run in this process against the site."""

    def __init__(self, own: Own, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        self._own = own
        self._capsys = capsys
        self._folder = tmp_path

    def run(self, main: Main, *arguments: object) -> CommandResult:
        self._capsys.readouterr()
        return run_in_process(self._capsys, main, arguments)

    def submit(self, token: str, name: str, wrong: frozenset[str]) -> str:
        path = self._folder / f"{name}.jsonl"
        path.write_bytes(answers(self._own.key, wrong=wrong))
        where = ("--token", token, "--url", self._url)
        done = self.run(command.main, "submit", path, *NAMED, "--model", name, "--publish", "--wait", *where)
        assert done.code == 0, done.err
        return done.out.split()[0]

    def reevaluate(self, token: str, *more: str) -> CommandResult:
        return self.run(command.main, "reevaluate", *more, "--token", token, "--url", self._url)

    def correct(self, *corrections: str) -> CommandResult:
        return self.run(keys_command.main, "keys", "correct", *NAMED, *corrections)

    @property
    def _url(self) -> str:
        return f"http://127.0.0.1:{self._own.site.port}"


@pytest.fixture(scope="module")
def own(ranked: Path, tmp_path_factory: pytest.TempPathFactory, warm_python: WarmPython) -> Iterator[Own]:
    folder = tmp_path_factory.mktemp("corrected")
    shutil.copytree(ranked, folder, dirs_exist_ok=True)
    with run_site(folder, maintainers="may") as site, run_evaluators(folder, warm=warm_python):
        wait_for(lambda: site.get("/readyz").status_code == 200, "an evaluator")
        yield Own(site, folder)


@pytest.fixture
def commands(own: Own, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Commands:
    use_data_dir(own.folder, monkeypatch)
    monkeypatch.setenv("COLUMNS", "200")
    return Commands(own, capsys, tmp_path)


def test_four_corrected_keys_are_previewed_and_rescored(own: Own, commands: Commands) -> None:
    owner, maintainer = own.site.token("ada"), own.site.token("may")
    four = statements(own.key)[:4]
    sent = {"A": frozenset[str](), "B": frozenset(four)}
    ids = {name: commands.submit(owner, name, wrong) for name, wrong in sent.items()}
    names = set(ids)
    nearly = round(1 - 4 / 2016, 3)
    wait_for(lambda: own.find_board(names) == {"A": (1, 1.0), "B": (2, nearly)}, "the first board")

    # Nothing has changed yet, so the request is refused with that reason.
    for more in ((), ("--dry-run",)):
        done = commands.reevaluate(maintainer, *NAMED, "--reason", "Why not.", *more)
        assert done.code == 1
        assert ("dry run" if not more else "Nothing would change") in done.err
        assert done.err.count("\n") == 1

    before = own.key
    wrong_answers = [f"{item}={not before.answers[item]}".lower() for item in four]
    corrected = commands.correct(*wrong_answers, "--reason", "The mail of May.")
    assert corrected.code == 0, corrected.err
    after = own.key
    assert {item for item, answer in after.answers.items() if answer != before.answers[item]} == set(four)
    assert after.seed == before.seed

    # The running evaluator notices: the old signature is no longer ranked, and readyz names the new key.
    wait_for(lambda: own.find_board(names) == {"A": (None, 1.0), "B": (None, nearly)}, "the board without places")
    wait_for(lambda: after.digest[:8] in own.list_keys(), "the new key in readyz")

    looked = commands.reevaluate(maintainer, *NAMED, "--dry-run", "--reason", "Four keys were wrong.")
    assert looked.code == 0, looked.err
    lines = {line.split()[1]: line for line in looked.out.splitlines() if line.strip().startswith("s-")}
    assert "100.0 → 99.8" in lines["A"]
    assert "1 → 2" in lines["A"]
    assert "99.8 → 100.0" in lines["B"]
    assert "2 → 1" in lines["B"]
    assert set(lines) == {"A", "B"}, "the chance system answered an edition, which a correction does not concern"
    assert f"signature, key: {before.digest[:8]} → {after.digest[:8]}" in looked.out
    assert "Preview 2: 2 submissions would be re-scored. Nothing was changed." in looked.out
    assert not any(item in looked.out for item in four)
    assert own.find_board(names) == {"A": (None, 1.0), "B": (None, nearly)}

    done = commands.reevaluate(maintainer, *NAMED, "--reason", "Four keys were wrong.")
    assert done.code == 0, done.err
    assert "Re-evaluation 3: 2 submissions re-scored." in done.out
    wait_for(lambda: own.find_board(names) == {"A": (2, nearly), "B": (1, 1.0)}, "the new board")
    signatures = {row["signature"] for row in own.json(f"{BOARD}?limit=100&source=submitted")["rows"]}
    assert len(signatures) == 1
    assert f"key:{after.digest[:8]}" in signatures.pop()

    for name, old, new in (("A", 1.0, nearly), ("B", nearly, 1.0)):
        status = own.json(f"/api/v1/submissions/{ids[name]}")
        assert [(e["headline"]["value"], e["current"], e["reason"]) for e in status["evaluations"]] == [
            (new, True, "Four keys were wrong."),
            (old, False, None),
        ]
        assert f"key:{before.digest[:8]}" in status["evaluations"][1]["signature"]
        assert status["events"][-1]["text"] == "Re-scored: Four keys were wrong."
        assert status["events"][-1]["actor"] == "may"
        assert status["state"] == "scored"

    again = commands.reevaluate(maintainer, "--submission", ids["A"], "--dry-run", "--reason", "Again.")
    assert again.code == 1
    assert "Nothing would change: The scored file carries the current signature already." in again.err

    give_no_answer_away(own)


def give_no_answer_away(own: Own) -> None:
    """Check that database and key folder reveal no answers after the correction and the re-evaluation."""
    with closing(sqlite3.connect(own.folder / "earshot.db", timeout=30)) as connection:
        stored = json.dumps(connection.execute("select * from reevaluations").fetchall(), default=str)
        rows = json.dumps(connection.execute("select * from reevaluation_rows").fetchall(), default=str)
    known = [item.id for item in BENCHMARK.content(own.key).items]
    assert not any(item in text for text in (stored, rows) for item in known)
    log = own.folder / "answer-keys" / BENCHMARK.id / BENCHMARK.version / "corrections.jsonl"
    (line,) = log.read_text().splitlines()
    assert json.loads(line)["reason"] == "The mail of May."
    assert log.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "required"),
        (("--submission", "s-1"), 2, "--reason"),
        (("--submission", "s-1", *NAMED, "--reason", "x"), 2, "not allowed with"),
        (("--submission", "s-1", "--version", "1.0", "--reason", "x"), 2, "--version requires"),
        (("--submission", "s-nobody", "--reason", "x"), 1, "no submission"),
        (("--benchmark", "nope", "--reason", "x"), 1, "Unknown benchmark `nope`"),
        ((*NAMED, "--reason", ""), 1, "1 to 500"),
    ],
)
def test_wrong_usage_ends_with_its_code_and_one_readable_line(
    own: Own, commands: Commands, arguments: tuple[str, ...], code: int, message: str
) -> None:
    done = commands.reevaluate(own.site.token("may"), *arguments)
    assert (done.code, done.out) == (code, "")
    assert message in done.err
    assert "Traceback" not in done.err
    assert done.err.startswith("usage: ") or done.err.count("\n") == 1


def test_reevaluation_by_another_user_is_refused(own: Own, commands: Commands) -> None:
    done = commands.reevaluate(own.site.token("ada"), *NAMED, "--dry-run", "--reason", "Mine.")
    assert (done.code, done.out) == (1, "")
    assert "Only a maintainer" in done.err
