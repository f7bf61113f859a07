"""`python -m submissions` against a running server: output and exit codes."""

import json
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from rich.console import Console

import submissions.__main__ as command_line
import submissions.cli.file_commands as file_commands
from db.session import Database
from submissions.accounts.credentials import Accounts
from tests.support.samples.question_packs import lay_question_pack
from tests.support.servers.server import Server, read_test_content, write_example

BENCHMARK = ("--benchmark", "audio-motion-bench")
Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]


@pytest.fixture
def run(server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in this process, because imports of a new one take seconds."""
    monkeypatch.setenv("EARSHOT_DATA_DIR", str(server.data_dir))
    monkeypatch.setenv("EARSHOT_PORT", str(server.port))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("EARSHOT_TOKEN", raising=False)

    def run_here(*arguments: str) -> Done:
        capsys.readouterr()
        try:
            code = command_line.main(arguments)
        except SystemExit as exit_:
            code = int(str(exit_.code))
        return subprocess.CompletedProcess(arguments, code, *capsys.readouterr())

    return run_here


def make_token(server: Server, name: str) -> str:
    with closing(Database(f"sqlite:///{server.folder}/data/earshot.db")) as database:
        return Accounts(database, ()).create_token(name)


@pytest.fixture
def predictions(server: Server, tmp_path: Path) -> Path:
    """Constant answers: exactly 25 % of the options, 50 % of the statements, 5/12 in total."""
    path = tmp_path / "predictions.jsonl"
    write_example(server).replace(path)
    return path


def test_submit_and_wait_scores_a_file_and_prints_its_scores(server: Server, predictions: Path) -> None:
    done = server.command("submissions", "submit", str(predictions), *BENCHMARK, "--model", "Constant", "--wait")
    assert done.returncode == 0, done.stderr
    assert "scored" in done.stdout
    assert "overall accuracy" in done.stdout
    assert " 41.7 %" in done.stdout
    assert "audio-motion-bench:1.0|content:" in done.stdout


def test_same_command_again_returns_the_same_submission(server: Server, run: Run, predictions: Path) -> None:
    command = ("submit", str(predictions), *BENCHMARK, "--model", "Twice")
    first, second = run(*command), run(*command)
    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    assert first.stdout.split()[0] == second.stdout.split()[0]


def test_same_file_with_other_options_is_refused_and_the_earlier_submission_named(
    server: Server, run: Run, predictions: Path
) -> None:
    command = ("submit", str(predictions), *BENCHMARK, "--model", "Pointed to")
    first, again = run(*command), run(*command, "--publish")
    assert (first.returncode, again.returncode) == (0, 1), first.stderr + again.stderr
    assert "You already submitted this file for AudioMotionBench 1.0" in again.stderr
    assert f"see {first.stdout.split()[0]} (" in again.stderr


@pytest.mark.parametrize("end", ["withdrawn", "failed"])
def test_same_command_after_an_end_without_a_score_submits_again_once(
    server: Server, run: Run, predictions: Path, end: str
) -> None:
    token = make_token(server, "eve")
    command = ("submit", str(predictions), *BENCHMARK, "--model", f"After {end}", "--token", token)
    ids = []
    for _ in range(2):
        sent = [run(*command, "--wait"), run(*command)]
        assert [done.returncode for done in sent] == [0, 0], sent[0].stderr + sent[1].stderr
        one, other = (done.stdout.split()[0] for done in sent)
        assert one == other
        ids.append(one)
        with closing(sqlite3.connect(server.data_dir / "earshot.db", timeout=30)) as connection, connection:
            connection.execute("update submissions set state = ? where id = ?", (end, one))
    assert len(set(ids)) == 2


def test_status_of_a_submission_is_shown(server: Server, run: Run, predictions: Path) -> None:
    sent = run("submit", str(predictions), *BENCHMARK, "--model", "Status", "--wait")
    submission_id = sent.stdout.split()[0]
    shown = run("status", submission_id)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith(f"{submission_id}  scored")


def test_submission_with_a_token_belongs_to_its_owner_and_is_private(
    server: Server, run: Run, predictions: Path
) -> None:
    ada, bob = make_token(server, "ada"), make_token(server, "bob")
    command = (
        "submit",
        str(predictions),
        *BENCHMARK,
        "--model",
        "Private",
        "--wait",
        "--url",
        server.url,
    )
    sent = run(*command, "--token", ada)
    submission_id = sent.stdout.split()[0]
    path = f"/api/v1/submissions/{submission_id}"
    assert server.get(path, {"Authorization": f"Bearer {ada}"})[0] == 200
    assert server.get(path, {"Authorization": f"Bearer {bob}"})[0] == 404
    assert server.get(path)[0] == 404
    assert not server.rows(q="Private")


def test_validate_confirms_a_valid_file(server: Server, run: Run, predictions: Path) -> None:
    done = run("validate", str(predictions), *BENCHMARK)
    assert done.returncode == 0, done.stderr
    assert "2,016 of 2,016" in done.stdout


def test_validate_parses_answers_and_warns_of_many_unreadable_ones(server: Server, run: Run, predictions: Path) -> None:
    unparsed = run("validate", str(predictions), *BENCHMARK)
    assert "2,016 of 2,016 answers." in unparsed.stdout
    assert "Answers are not parsed yet, because the question pack is being prepared." in unparsed.stdout
    lines = predictions.read_text().splitlines()
    with lay_question_pack(server):
        whole = run("validate", str(predictions), *BENCHMARK)
        assert whole.stdout.splitlines()[0] == "✓ Valid: 2,016 of 2,016 answers, 2,016 parsed."
        assert whole.stderr == ""
        for n_unreadable, is_warned in ((20, False), (21, True)):
            rows = [json.loads(line) for line in lines]
            for row in rows[:n_unreadable]:
                row["response"] = "[red]I cannot hear audio.\x1b[2J"
            predictions.write_text("\n".join(map(json.dumps, rows)))
            done = run("validate", str(predictions), *BENCHMARK)
            assert done.returncode == 0, done.stderr
            assert f"2,016 answers, {2_016 - n_unreadable:,} parsed." in done.stdout
            said = done.stderr if is_warned else done.stdout
            assert f"{n_unreadable} answers (1.0 %) cannot be parsed and would count as wrong." in said
            assert ("Warning: " in done.stderr) == is_warned
            assert said.count("[red]I cannot hear audio.�[2J") == 5
            assert said.count("refusal") == 5
            assert rows[4]["id"] in said
            assert rows[5]["id"] not in said


def test_faulty_file_is_refused_with_line_id_and_remedy(server: Server, run: Run, predictions: Path) -> None:
    lines = predictions.read_text().splitlines()
    row = json.loads(lines[811])
    right_id = row["id"]
    row["id"] = right_id[:-1] + "!"
    lines[811] = json.dumps(row)
    predictions.write_text("\n".join(lines))
    for command in (("validate",), ("submit", "--model", "Typo")):
        done = run(command[0], str(predictions), *BENCHMARK, *command[1:])
        assert done.returncode == 1
        message = " ".join(done.stderr.split())
        assert f"Line 812: id `{row['id']}` is not in AudioMotionBench 1.0." in message
        assert f"Did you mean `{right_id}`?" in message
        assert "Copy the ids from questions.jsonl." in message
    assert not server.rows(q="Typo")


def test_missing_answers_are_refused_unless_they_count_as_wrong(server: Server, run: Run, predictions: Path) -> None:
    lines = predictions.read_text().splitlines()
    items = {item.id: item for item in read_test_content(server).items}
    kept = [line for line in lines if items[json.loads(line)["id"]].part == "sct"][:-12]
    predictions.write_text("\n".join(kept))
    refused = run("validate", str(predictions), *BENCHMARK)
    assert refused.returncode == 1
    message = " ".join(refused.stderr.split())
    assert "12 items have no prediction" in message
    assert "First 12 IDs: " in message
    taken = run("validate", str(predictions), *BENCHMARK, "--allow-missing")
    assert taken.returncode == 0, taken.stderr
    assert "660 of 672" in taken.stdout


WRONG_USES = [
    (("submit",), 2, "required"),
    (("frobnicate",), 2, "invalid choice"),
    (("status", "s-nobody"), 1, "no such submission"),
    (("validate", "nowhere.jsonl", *BENCHMARK), 1, "No such file"),
    (("validate", "README.md", "--benchmark", "audio-motion"), 1, "audio-motion-bench"),
    (("validate", "README.md", *BENCHMARK, "--setting", "loud"), 1, "default"),
    (("status", "s-nobody", "--url", "http://127.0.0.1:1"), 1, "Cannot reach"),
    (("status", "s-nobody", "--token", "esh_wrong"), 1, "a token from the Account tab"),
    (("status", "s-nobody", "--token", ""), 2, "token is empty"),
    (("status", "s-nobody", "--token", "esh_é"), 2, "contains invalid characters"),
    (("status", "s-nobody", "--token", "esh_a\nb"), 2, "contains invalid characters"),
    (("status", "s-nobody", "--url", "127.0.0.1:7860"), 2, "is not a server URL"),
    (("status", "s-nobody", "--url", ""), 2, "is not a server URL"),
    (("status", "s-nobody", "--url", "http://[bad"), 2, "is not a server URL"),
    (("status", "s-nobody", "--url", "http://host:99999"), 2, "is not a server URL"),
    (("status", "s-nobody", "--url", "ftp://127.0.0.1"), 2, "is not a server URL"),
    (("validate", "README.md", *BENCHMARK, "--url", "http://a b"), 2, "is not a server URL"),
    (("status", ""), 1, "no such"),
    (("status", "."), 1, "no such"),
    (("status", ".."), 1, "no such"),
    (("status", "../../healthz"), 1, "no such"),
    (("status", "s-1/publish?x#y"), 1, "no such"),
    (("status", "名\x01 %2F"), 1, "no such"),
]


def test_wrong_usage_ends_with_its_code_and_one_readable_line(run: Run, subtests: pytest.Subtests) -> None:
    for arguments, code, message in WRONG_USES:
        with subtests.test(arguments=arguments):
            done = run(*arguments)
            assert done.returncode == code, done.stderr
            assert message in done.stderr
            assert "Traceback" not in done.stderr
            assert done.stdout == ""
            if done.stderr.startswith("Error: "):
                assert done.stderr.count("\n") == 1
            else:
                assert done.stderr.startswith("usage: ")


@pytest.mark.parametrize("arguments", [("-v", "status", "s-nobody"), ("status", "s-nobody", "-v")])
def test_verbose_before_and_after_the_subcommand_shows_the_traceback(run: Run, arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    assert "no such submission" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("name", ["system", "Maintainer", "a b"])
def test_user_with_a_reserved_name_is_told_to_pass_a_token(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("LOGNAME", name)
    done = run("status", "s-nobody")
    assert done.returncode == 1
    assert done.stderr.startswith(f"Error: Sign-in as `{name}` failed: ")
    assert "Pass --token" in done.stderr
    assert done.stderr.count("\n") == 1


def test_token_of_the_environment_is_sent_and_an_explicit_one_takes_precedence(
    server: Server, run: Run, predictions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EARSHOT_TOKEN", make_token(server, "cluster"))
    sent = run("submit", str(predictions), *BENCHMARK, "--model", "From a cluster")
    assert sent.returncode == 0
    assert "not an Earshot setting" not in sent.stderr
    submission_id = sent.stdout.split()[0]
    assert run("status", submission_id).returncode == 0
    assert run("status", submission_id, "--token", make_token(server, "bob")).returncode == 1
    monkeypatch.setenv("EARSHOT_TOKEN", "esh_wrong")
    assert "not valid here" in run("status", submission_id).stderr


@pytest.mark.parametrize(("no_color", "is_terminal"), [(False, True), (True, True), (False, False)])
def test_problems_are_in_colour_only_on_a_terminal(
    run: Run, predictions: Path, monkeypatch: pytest.MonkeyPatch, no_color: bool, is_terminal: bool
) -> None:
    if no_color:
        monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    console = Console(stderr=True, highlight=False, force_terminal=is_terminal or None)
    monkeypatch.setattr(command_line, "_ERR", console)
    predictions.write_text('{"id": "nobody", "response": "A"}\nnonsense\n')
    refused = run("validate", str(predictions), *BENCHMARK)
    assert refused.returncode == 1
    assert "not-json" in refused.stderr
    coloured = "\x1b[31m" in refused.stderr or "\x1b[33m" in refused.stderr
    assert coloured is (is_terminal and not no_color)
    assert is_terminal or "\x1b" not in refused.stderr


def test_wait_shows_a_progress_bar_on_a_terminal_and_nothing_in_a_pipe(
    run: Run, predictions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("submit", str(predictions), *BENCHMARK, "--model", "Watched", "--wait")
    assert run(*command).stderr == ""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(file_commands, "_ERR", Console(stderr=True, highlight=False, force_terminal=True))
    shown = run(*command)
    assert shown.returncode == 0
    assert "%" in shown.stderr
    assert "━" in shown.stderr


RESCORING = ("reevaluate", "--submission", "s-unknown", "--dry-run", "--reason", "Looking.")


def test_local_reevaluation_is_requested_as_a_maintainer(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for user, maintainers in (("root", ""), ("may", "local,may"), ("root", "local, may")):
        monkeypatch.setattr("getpass.getuser", lambda user=user: user)
        monkeypatch.setenv("EARSHOT_MAINTAINERS", maintainers)
        done = run(*RESCORING)
        # `may` is a maintainer in this process, but not on the server.
        expected = "Only a maintainer can do this." if user == "may" else "There is no submission `s-unknown`"
        assert done.returncode == 1
        assert done.stderr.startswith(f"Error: {expected}"), done.stderr


def test_explicit_user_name_is_used(server: Server, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run(*RESCORING, "--as", "ann")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("Error: Only a maintainer can do this.")
    assert "a maintainer's user name with --as" in done.stderr
    monkeypatch.setenv("EARSHOT_TOKEN", make_token(server, "ann"))
    assert "There is no submission" in run(*RESCORING, "--as", "local").stderr
    both = run(*RESCORING, "--as", "local", "--token", "esh_x")
    assert (both.returncode, both.stderr) == (
        2,
        "Error: --as and --token exclude each other, because a token identifies its user. Pass one of them.\n",
    )


def test_submission_under_a_user_name_belongs_to_that_user(run: Run, predictions: Path) -> None:
    sent = run("submit", str(predictions), *BENCHMARK, "--model", "Named", "--as", "nina")
    assert sent.returncode == 0, sent.stderr
    submission = sent.stdout.split()[0]
    assert run("status", submission, "--as", "nina").returncode == 0
    assert run("status", submission, "--as", "olga").returncode == 1
