"""`python -m submissions` against a running server: what it prints, and with which code it ends."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.serving import Server, read_test_content, write_example

BENCHMARK = ("--benchmark", "audio-motion-bench")


@pytest.fixture
def predictions(server: Server, tmp_path: Path) -> Path:
    """Constant answers: exactly 25 % of the options, 50 % of the statements, 5/12 in all."""
    path = tmp_path / "predictions.jsonl"
    write_example(server).replace(path)
    return path


def test_submit_and_wait_scores_a_file_and_prints_its_figures(server: Server, predictions: Path) -> None:
    done = server.command("submissions", "submit", str(predictions), *BENCHMARK, "--model", "Constant", "--wait")
    assert done.returncode == 0, done.stderr
    assert "scored" in done.stdout
    assert "overall accuracy" in done.stdout
    assert "41.67 %" in done.stdout
    assert "audio-motion-bench:1.0|content:" in done.stdout


def test_same_command_again_gives_the_same_submission(server: Server, predictions: Path) -> None:
    command = ("submissions", "submit", str(predictions), *BENCHMARK, "--model", "Twice")
    first, second = server.command(*command), server.command(*command)
    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    assert first.stdout.split()[0] == second.stdout.split()[0]


def test_same_file_sent_otherwise_is_refused_and_the_earlier_submission_named(
    server: Server, predictions: Path
) -> None:
    command = ("submissions", "submit", str(predictions), *BENCHMARK, "--model", "Pointed to")
    first, again = server.command(*command), server.command(*command, "--publish")
    assert (first.returncode, again.returncode) == (0, 1), first.stderr + again.stderr
    assert "This file was already submitted for AudioMotionBench 1.0" in again.stderr
    assert f"see {first.stdout.split()[0]}, which is " in again.stderr


@pytest.mark.parametrize("end", ["withdrawn", "failed"])
def test_same_command_after_an_end_without_a_score_submits_anew_and_once(
    server: Server, predictions: Path, end: str
) -> None:
    token = server.token("eve")
    command = ("submissions", "submit", str(predictions), *BENCHMARK, "--model", f"After {end}", "--token", token)
    ids = []
    for _ in range(2):
        sent = [server.command(*command, "--wait"), server.command(*command)]
        assert [done.returncode for done in sent] == [0, 0], sent[0].stderr + sent[1].stderr
        one, other = (done.stdout.split()[0] for done in sent)
        assert one == other
        ids.append(one)
        with closing(sqlite3.connect(server.folder / "data" / "earshot.db", timeout=30)) as connection, connection:
            connection.execute("update submissions set state = ? where id = ?", (end, one))
    assert len(set(ids)) == 2


def test_status_of_a_submission_is_shown(server: Server, predictions: Path) -> None:
    sent = server.command("submissions", "submit", str(predictions), *BENCHMARK, "--model", "Status", "--wait")
    submission_id = sent.stdout.split()[0]
    shown = server.command("submissions", "status", submission_id)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith(f"{submission_id}  scored")


def test_submission_with_a_token_belongs_to_its_owner_and_is_private(server: Server, predictions: Path) -> None:
    ada, bob = server.token("ada"), server.token("bob")
    command = (
        "submissions",
        "submit",
        str(predictions),
        *BENCHMARK,
        "--model",
        "Private",
        "--wait",
        "--url",
        server.url,
    )
    sent = server.command(*command, "--token", ada)
    submission_id = sent.stdout.split()[0]
    path = f"/api/v1/submissions/{submission_id}"
    assert server.get(path, {"Authorization": f"Bearer {ada}"})[0] == 200
    assert server.get(path, {"Authorization": f"Bearer {bob}"})[0] == 404
    assert server.get(path)[0] == 404
    assert not server.rows(q="Private")


def test_validate_says_that_a_good_file_is_good(server: Server, predictions: Path) -> None:
    done = server.command("submissions", "validate", str(predictions), *BENCHMARK)
    assert done.returncode == 0, done.stderr
    assert "2,016 of 2,016" in done.stdout


def test_bad_file_is_refused_with_line_id_and_remedy(server: Server, predictions: Path) -> None:
    lines = predictions.read_text().splitlines()
    row = json.loads(lines[811])
    right_id = row["id"]
    row["id"] = right_id[:-1] + "!"
    lines[811] = json.dumps(row)
    predictions.write_text("\n".join(lines))
    for command in (("validate",), ("submit", "--model", "Typo")):
        done = server.command("submissions", command[0], str(predictions), *BENCHMARK, *command[1:])
        assert done.returncode == 1
        message = " ".join(done.stderr.split())
        assert f"Line 812: id `{row['id']}` is not in AudioMotionBench 1.0." in message
        assert f"Did you mean `{right_id}`?" in message
        assert "Ids are copied from questions.jsonl." in message
    assert not server.rows(q="Typo")


def test_missing_answers_are_refused_unless_they_are_to_count_as_wrong(server: Server, predictions: Path) -> None:
    lines = predictions.read_text().splitlines()
    items = {item.id: item for item in read_test_content(server).items}
    kept = [line for line in lines if items[json.loads(line)["id"]].part == "sct"][:-7]
    predictions.write_text("\n".join(kept))
    refused = server.command("submissions", "validate", str(predictions), *BENCHMARK)
    assert refused.returncode == 1
    assert "has no prediction" in " ".join(refused.stderr.split())
    taken = server.command("submissions", "validate", str(predictions), *BENCHMARK, "--allow-missing")
    assert taken.returncode == 0, taken.stderr
    assert "665 of 672" in taken.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("submit",), 2, "required"),
        (("frobnicate",), 2, "invalid choice"),
        (("status", "s-nobody"), 1, "no such submission"),
        (("validate", "nowhere.jsonl", *BENCHMARK), 1, "No such file"),
        (("validate", "README.md", "--benchmark", "audio-motion"), 1, "audio-motion-bench"),
        (("validate", "README.md", *BENCHMARK, "--setting", "loud"), 1, "default"),
        (("status", "s-nobody", "--url", "http://127.0.0.1:1"), 1, "cannot be reached"),
        (("status", "s-nobody", "--token", "esh_wrong"), 1, "python -m db tokens create"),
        (("status", "s-nobody", "--token", ""), 2, "token is empty"),
        (("status", "s-nobody", "--token", "esh_é"), 2, "characters that no token has"),
        (("status", "s-nobody", "--token", "esh_a\nb"), 2, "characters that no token has"),
        (("status", "s-nobody", "--url", "127.0.0.1:7860"), 2, "is not the address of a server"),
        (("status", "s-nobody", "--url", ""), 2, "is not the address of a server"),
        (("status", "s-nobody", "--url", "http://[bad"), 2, "is not the address of a server"),
        (("status", "s-nobody", "--url", "http://host:99999"), 2, "is not the address of a server"),
        (("status", "s-nobody", "--url", "ftp://127.0.0.1"), 2, "is not the address of a server"),
        (("validate", "README.md", *BENCHMARK, "--url", "http://a b"), 2, "is not the address of a server"),
        (("status", ""), 1, "no such"),
        (("status", "."), 1, "no such"),
        (("status", ".."), 1, "no such"),
        (("status", "../../healthz"), 1, "no such"),
        (("status", "s-1/publish?x#y"), 1, "no such"),
        (("status", "名\x01 %2F"), 1, "no such"),
    ],
)
def test_wrong_use_ends_with_its_code_and_one_readable_line(
    server: Server, arguments: tuple[str, ...], code: int, message: str
) -> None:
    done = server.command("submissions", *arguments)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    if done.stderr.startswith("Error: "):
        assert done.stderr.count("\n") == 1
    else:
        assert done.stderr.startswith("usage: ")


@pytest.mark.parametrize("arguments", [("-v", "status", "s-nobody"), ("status", "s-nobody", "-v")])
def test_verbose_before_and_after_the_subcommand_shows_the_traceback(
    server: Server, arguments: tuple[str, ...]
) -> None:
    done = server.command("submissions", *arguments)
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    assert "no such submission" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("name", ["system", "Maintainer", "a b"])
def test_user_whose_name_may_not_be_used_is_told_to_pass_a_token(
    server: Server, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("LOGNAME", name)
    done = server.command("submissions", "status", "s-nobody")
    assert done.returncode == 1
    assert done.stderr.startswith(f"Error: Signing in as `{name}` was refused: ")
    assert "Pass --token" in done.stderr
    assert done.stderr.count("\n") == 1
