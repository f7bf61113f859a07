"""Two months later the maintainers correct four keys, look at what would change, and have everything scored anew."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from evaluation.types import Item
from tests.support.servers.server import Server, read_test_content, read_test_key, wait_for, write_example

BENCHMARK = ("--benchmark", "audio-motion-bench")
BOARD = "/api/v1/leaderboards/audio-motion-bench"


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """An installation of which the keys may be changed."""
    started = Server(tmp_path_factory.mktemp("corrected"), {"EARSHOT_MAINTAINERS": "may"}).start()
    try:
        yield started.wait_until_ready()
    finally:
        started.stop()


def make_answers(server: Server, wrong: frozenset[str]) -> Callable[[Item], str]:
    """Return what answers everything by the key of this moment, the named statements wrong."""
    key = read_test_key(server)

    def respond(item: Item) -> str:
        if item.answer_format == "boolean":
            return str(bool(key.answers[item.id]) is (item.id not in wrong))
        return "ABCD"[int(key.answers[item.id])]  # type: ignore[call-overload]

    return respond


def submit(server: Server, token: str, name: str, wrong: frozenset[str]) -> str:
    path = write_example(server, make_answers(server, wrong))
    done = server.command(
        "submissions", "submit", str(path), *BENCHMARK, "--model", name, "--publish", "--wait", "--token", token
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()[0]


def reevaluate(server: Server, token: str, *more: str) -> Any:
    return server.command("submissions", "reevaluate", *more, "--token", token, "--url", server.url)


def find_board(server: Server, names: set[str]) -> dict[str, tuple[int | None, float]]:
    return {
        row["model"]["name"]: (row["rank"], row["scores"]["overall|accuracy"]["value"])
        for row in server.rows(limit="100")
        if row["model"]["name"] in names and row["scores"]  # its figures come with the next revision
    }


def test_four_keys_are_corrected_looked_at_and_scored_anew(own: Server) -> None:
    owner, maintainer = own.token("ada"), own.token("may")
    four = [item.id for item in read_test_content(own).items if item.answer_format == "boolean"][:4]
    ids = {name: submit(own, owner, name, wrong) for name, wrong in (("A", frozenset[str]()), ("B", frozenset(four)))}
    names = set(ids)
    nearly = pytest.approx(1 - 4 / 2016)
    wait_for(lambda: find_board(own, names) == {"A": (1, 1.0), "B": (2, nearly)}, "the first board")

    # Nothing has changed yet: refused, and said so.
    for command in ((), ("--dry-run",)):
        done = reevaluate(own, maintainer, *BENCHMARK, "--reason", "Why not.", *command)
        assert done.returncode == 1
        assert ("dry run" if not command else "Nothing would change") in done.stderr
        assert done.stderr.count("\n") == 1

    before = read_test_key(own)
    wrong_answers = [f"{item}={not before.answers[item]}".lower() for item in four]
    corrected = own.command("evaluation", "keys", "correct", *BENCHMARK, *wrong_answers, "--reason", "The mail of May.")
    assert corrected.returncode == 0, corrected.stderr
    after = read_test_key(own)
    assert {item for item, answer in after.answers.items() if answer != before.answers[item]} == set(four)
    assert after.seed == before.seed

    # The running evaluator notices it: the old signature has no place any more, and readyz names the new key.
    wait_for(lambda: find_board(own, names) == {"A": (None, 1.0), "B": (None, nearly)}, "the board without places")
    wait_for(lambda: after.digest[:8] in own.json("/readyz")["keys"].values(), "the new key in readyz")

    looked = reevaluate(own, maintainer, *BENCHMARK, "--dry-run", "--reason", "Four keys were wrong.")
    assert looked.returncode == 0, looked.stderr
    lines = {line.split()[1]: line for line in looked.stdout.splitlines() if line.strip().startswith("s-")}
    assert "100.00 → 99.80" in lines["A"]
    assert "1 → 2" in lines["A"]
    assert "99.80 → 100.00" in lines["B"]
    assert "2 → 1" in lines["B"]
    assert "Chance" in lines
    assert f"signature, key: {before.digest[:8]} → {after.digest[:8]}" in looked.stdout
    assert "Dry run 2: 3 would be scored anew. Nothing was changed." in looked.stdout
    assert not any(item in looked.stdout for item in four)
    assert find_board(own, names) == {"A": (None, 1.0), "B": (None, nearly)}

    done = reevaluate(own, maintainer, *BENCHMARK, "--reason", "Four keys were wrong.")
    assert done.returncode == 0, done.stderr
    assert "Re-evaluation 3: 3 were scored anew." in done.stdout
    wait_for(lambda: find_board(own, names) == {"A": (2, nearly), "B": (1, 1.0)}, "the new board")
    signatures = {row["signature"] for row in own.rows(limit="100", source="submitted")}
    assert len(signatures) == 1
    assert f"key:{after.digest[:8]}" in signatures.pop()

    for name, old, new in (("A", 1.0, nearly), ("B", nearly, 1.0)):
        status = own.json(f"/api/v1/submissions/{ids[name]}")
        assert [(e["headline"]["value"], e["current"], e["reason"]) for e in status["evaluations"]] == [
            (new, True, "Four keys were wrong."),
            (old, False, None),
        ]
        assert f"key:{before.digest[:8]}" in status["evaluations"][1]["signature"]
        assert status["events"][-1]["text"] == "Scored anew: Four keys were wrong."
        assert status["events"][-1]["actor"] == "may"
        assert status["state"] == "scored"

    again = reevaluate(own, maintainer, "--submission", ids["A"], "--dry-run", "--reason", "Again.")
    assert again.returncode == 1
    assert "Nothing would change: The scored file carries today's signature already." in again.stderr


def test_files_and_database_of_the_corrected_installation_give_no_answer_away(own: Server) -> None:
    with closing(sqlite3.connect(own.folder / "data" / "earshot.db", timeout=30)) as connection:
        stored = json.dumps(connection.execute("select * from reevaluations").fetchall(), default=str)
        rows = json.dumps(connection.execute("select * from reevaluation_rows").fetchall(), default=str)
    known = [item.id for item in read_test_content(own).items]
    assert not any(item in text for text in (stored, rows) for item in known)
    log = own.folder / "data" / "answer-keys" / "audio-motion-bench" / "1.0" / "corrections.jsonl"
    (line,) = log.read_text().splitlines()
    assert json.loads(line)["reason"] == "The mail of May."
    assert log.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "required"),
        (("--submission", "s-1"), 2, "--reason"),
        (("--submission", "s-1", *BENCHMARK, "--reason", "x"), 2, "not allowed with"),
        (("--submission", "s-1", "--version", "1.0", "--reason", "x"), 2, "--version needs"),
        (("--submission", "s-nobody", "--reason", "x"), 1, "no submission"),
        (("--benchmark", "nope", "--reason", "x"), 1, "no benchmark"),
        ((*BENCHMARK, "--reason", ""), 1, "1 to 500"),
    ],
)
def test_wrong_use_ends_with_its_code_and_one_readable_line(
    own: Server, arguments: tuple[str, ...], code: int, message: str
) -> None:
    done = reevaluate(own, own.token("may"), *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("usage: ") or done.stderr.count("\n") == 1


def test_reevaluation_by_somebody_else_is_refused(own: Server) -> None:
    done = reevaluate(own, own.token("ada"), *BENCHMARK, "--dry-run", "--reason", "Mine.")
    assert (done.returncode, done.stdout) == (1, "")
    assert "Only a maintainer" in done.stderr
