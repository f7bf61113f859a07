"""Command lines: exit codes, output streams, and agreement with the library."""

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import db.__main__ as db_commands
import evaluation.__main__ as evaluation_commands
import settings
import submissions.__main__ as client_commands
from db.session import Database
from evaluation import Prediction, Report, get_benchmark
from evaluation.answer_keys import find_key, key_path
from evaluation.benchmarks import Benchmark
from evaluation.packs import example_predictions
from submissions.accounts.credentials import TOKEN_PREFIX, Accounts
from tests.support.servers.commands import CommandResult, Main, Run, run_in_process, use_data_dir

ROOT = Path(settings.__file__).parent.parent
NAME = "audio-motion-bench"
BENCHMARK = get_benchmark(NAME)
ROWS = list(example_predictions(BENCHMARK.content(BENCHMARK.make_key("practice"))))


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return use_data_dir(tmp_path / "data", monkeypatch)


@pytest.fixture
def evaluate(capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *arguments: run_in_process(capsys, evaluation_commands.main, arguments)


@pytest.fixture
def database_command(capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *arguments: run_in_process(capsys, db_commands.main, arguments)


def run_module(module: str, *arguments: object) -> CommandResult:
    """Run a command in a separate process, as a user does."""
    done = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return CommandResult(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def example(tmp_path: Path) -> Path:
    path = tmp_path / "example.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


@pytest.fixture(scope="module")
def expected() -> Report:
    predictions = [Prediction(str(row["id"]), int(str(row["run"])), str(row["response"])) for row in ROWS]
    return BENCHMARK.score(BENCHMARK.make_key("practice"), predictions)


# --- python -m evaluation -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments", [["--help"], ["score", "--help"], ["pack", "--help"], ["keys", "--help"], ["keys", "list", "--help"]]
)
def test_help_of_evaluation_is_printed(evaluate: Run, arguments: list[str]) -> None:
    done = evaluate(*arguments)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("usage: python -m evaluation")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["sing"],
        ["score"],
        ["score", "file"],
        ["score", "file", "--benchmark"],
        ["score", "file", "--benchmark", NAME, "--split", "both"],
        ["pack", "--benchmark", NAME],
        ["pack", "--benchmark", NAME, "--split", "test"],
        ["keys"],
        ["keys", "lose"],
    ],
)
def test_wrong_usage_of_evaluation_ends_with_2(evaluate: Run, arguments: list[str]) -> None:
    done = evaluate(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("usage: ")


def test_score_as_json_prints_the_scores_of_the_library(evaluate: Run, example: Path, expected: Report) -> None:
    done = evaluate("score", example, "--benchmark", NAME, "--json")
    assert (done.code, done.err) == (0, "")
    printed = json.loads(done.out)
    assert printed["scores"] == {
        f"{name}|{metric}": {"value": score.value, "n": score.n, "std": score.std}
        for name, metric, score in expected.list_scores()
    }
    assert printed["signature"] == str(expected.signature)
    assert (printed["parts"], printed["runs"], printed["expected"]) == (["sct", "sdt", "tat"], 3, 6048)
    assert (printed["missing"], printed["unreadable"], printed["unreadable_reasons"]) == (0, 0, {})


def test_score_as_a_table_prints_the_scores_of_the_library(evaluate: Run, example: Path, expected: Report) -> None:
    done = evaluate("score", example, "--benchmark", NAME, "--split", "practice")
    assert (done.code, done.err) == (0, "")
    lines = [line.split() for line in done.out.splitlines()]
    printed = {(fields[0], fields[1]): fields[2:] for fields in lines[1:-2]}
    shown = {(n, m): s for n, m, s in expected.list_scores() if not n.startswith("direction/")}
    assert set(printed) == set(shown)
    for figure, score in shown.items():
        assert score.value is not None
        assert score.std is not None
        assert printed[figure] == [f"{100 * score.value:.2f}", f"{100 * score.std:.2f}", str(score.n)]
    assert done.out.splitlines()[-1] == f"signature {expected.signature}"
    assert "expected 6,048 · missing 0 · unreadable 0" in done.out


def test_score_in_a_separate_process_prints_the_same_headline(example: Path, expected: Report) -> None:
    done = run_module("evaluation", "score", example, "--benchmark", NAME, "--json")
    assert (done.code, done.err) == (0, "")
    value = expected.scores["overall"]["accuracy"].value
    assert json.loads(done.out)["scores"]["overall|accuracy"]["value"] == value


def test_score_of_a_faulty_file_names_line_id_and_remedy(evaluate: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    item_id = str(ROWS[0]["id"])
    lines = [json.dumps(row) for row in ROWS[:6]]
    path.write_text("\n".join([*lines, lines[0], "{", json.dumps({"id": item_id[:-1], "response": "A"})]))
    done = evaluate("score", path, "--benchmark", NAME, "--allow-missing")
    assert (done.code, done.out) == (1, "")
    duplicate, broken, unknown = done.err.splitlines()
    assert duplicate == f"Line 7: run 0 of `{item_id}` was already answered (line 1). Keep one."
    assert broken.startswith("Line 8 is not a JSON object. Write one object per line")
    assert unknown.startswith(
        f"Line 9: id `{item_id[:-1]}` is not in AudioMotionBench 1.0 (practice). Did you mean `amb-"
    )
    assert unknown.endswith("Copy the ids from questions.jsonl.")


def test_score_of_a_file_with_many_faults_prints_their_number(evaluate: Run, tmp_path: Path) -> None:
    path = tmp_path / "short.jsonl"
    path.write_text(json.dumps(ROWS[0]))
    done = evaluate("score", path, "--benchmark", NAME)
    assert done.code == 1
    grouped, total = done.err.splitlines()
    assert grouped.startswith("671 items have no prediction (all runs): amb-")
    assert total == "671 problems in total, grouped by cause."


def test_score_with_missing_answers_allowed_counts_them_as_wrong(evaluate: Run, tmp_path: Path) -> None:
    path = tmp_path / "short.jsonl"
    path.write_text(json.dumps(ROWS[0]))
    done = evaluate("score", path, "--benchmark", NAME, "--allow-missing")
    assert (done.code, done.err) == (0, "")
    assert "expected 672 · missing 671 · unreadable 0" in done.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--benchmark", "audio-motion-bnch"], "Error: Unknown benchmark `audio-motion-bnch`. Did you mean"),
        (["--benchmark", NAME, "--setting", "defualt"], "has no setting `defualt`. Did you mean `default`"),
    ],
)
def test_score_of_an_unknown_name_suggests_the_nearest(
    evaluate: Run, example: Path, arguments: list[str], message: str
) -> None:
    done = evaluate("score", example, *arguments)
    assert (done.code, done.out) == (1, "")
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_score_of_a_missing_file_is_one_line_and_with_v_a_traceback(evaluate: Run, tmp_path: Path) -> None:
    arguments = ("score", tmp_path / "nowhere.jsonl", "--benchmark", NAME)
    done = evaluate(*arguments)
    assert (done.code, len(done.err.splitlines())) == (1, 1)
    assert "nowhere.jsonl" in done.err
    for verbose in (("-v", *arguments), (*arguments, "-v")):
        shown = evaluate(*verbose)
        assert shown.code == 1
        assert "Traceback" in shown.err
        assert shown.err.endswith(done.err)


def test_score_of_the_test_split_creates_the_key_of_this_installation(
    evaluate: Run, example: Path, data_dir: Path
) -> None:
    done = evaluate("score", example, "--benchmark", NAME, "--split", "test")
    assert done.code == 1, "the ids of practice are not those of test"
    assert "No line has an id of AudioMotionBench 1.0 (test)." in done.err
    assert find_key(data_dir / "answer-keys", NAME, "1.0", "test") is not None


@pytest.mark.parametrize(("split", "has_answers"), [("practice", True), ("test", False)])
def test_pack_is_written_with_progress(
    evaluate: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, split: str, has_answers: bool
) -> None:
    monkeypatch.setattr(type(BENCHMARK), "render_clip", lambda *_: b"RIFF")
    out = tmp_path / "pack.zip"
    done = evaluate("pack", "--benchmark", NAME, "--split", split, "--out", out)
    assert (done.code, done.out) == (0, "")
    assert "672 of 672 clips" in done.err
    with zipfile.ZipFile(out) as archive:
        assert ("answers.jsonl" in archive.namelist()) is has_answers
        assert sum(name.startswith("audio/") for name in archive.namelist()) == 672
    quiet = evaluate("pack", "--benchmark", NAME, "--split", split, "--out", out, "--quiet")
    assert quiet == CommandResult(0, "", "")


def test_pack_into_a_missing_folder_is_one_line(evaluate: Run, tmp_path: Path) -> None:
    done = evaluate("pack", "--benchmark", NAME, "--split", "practice", "--out", tmp_path / "nowhere" / "pack.zip")
    assert (done.code, done.out) == (1, "")
    assert re.fullmatch(r"Error: .*nowhere cannot be written \(No such file or directory\).*\n", done.err)


def test_keys_are_listed_and_verified(evaluate: Run, data_dir: Path, example: Path) -> None:
    path = key_path(data_dir / "answer-keys", NAME, "1.0", "test")
    assert evaluate("keys", "list", "--benchmark", NAME) == CommandResult(0, f"{NAME} 1.0 test: no key\n", "")
    assert evaluate("keys", "verify", "--benchmark", NAME) == CommandResult(
        0, f"{NAME} 1.0 test: no key at {path}\n", ""
    )
    evaluate("score", example, "--benchmark", NAME, "--split", "test")
    key = find_key(data_dir / "answer-keys", NAME, "1.0", "test")
    assert key is not None
    listed, verified = evaluate("keys", "list", "--benchmark", NAME), evaluate("keys", "verify", "--benchmark", NAME)
    assert listed == CommandResult(0, f"{NAME} 1.0 test: 2,016 answers, digest {key.digest[:8]}\n", "")
    assert verified == CommandResult(0, f"{NAME} 1.0 test: OK, 2,016 answers, digest {key.digest[:8]}\n", "")
    assert key.seed not in listed.out + verified.out


@pytest.mark.parametrize("action", ["list", "verify"])
def test_damaged_keys_end_with_1(evaluate: Run, data_dir: Path, action: str) -> None:
    path = key_path(data_dir / "answer-keys", NAME, "1.0", "test")
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    done = evaluate("keys", action)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"Error: {path} is not an answer key")
    assert done.err.count("\n") == 1


def test_key_of_another_content_fails_verification(
    evaluate: Run, data_dir: Path, example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluate("score", example, "--benchmark", NAME, "--split", "test")
    original = Benchmark.check_key

    def check_another(benchmark: Benchmark, key: object) -> None:
        monkeypatch.setattr(type(BENCHMARK), "version", "2.0")
        original(benchmark, key)  # type: ignore[arg-type]

    monkeypatch.setattr(Benchmark, "check_key", check_another)
    done = evaluate("keys", "verify")
    assert done.code == 1
    assert "The key belongs to audio-motion-bench 1.0, not to audio-motion-bench 2.0." in done.err


@pytest.mark.parametrize("module", ["evaluation", "db"])
def test_setting_out_of_bounds_ends_with_2(
    module: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EARSHOT_PORT", "many")
    main, arguments = (
        (evaluation_commands.main, ("keys", "list")) if module == "evaluation" else (db_commands.main, ("check",))
    )
    done = run_in_process(capsys, main, arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Error: EARSHOT_PORT: ")


# --- python -m db ---------------------------------------------------------------------------------------------------


def test_check_before_and_after_upgrade_prints_what_to_do(database_command: Run, data_dir: Path) -> None:
    before = database_command("check")
    assert (before.code, before.out) == (1, "")
    assert before.err == "The schema is at revision None; run `python -m db upgrade`.\n"
    for _ in range(2):
        done = database_command("upgrade")
        assert (done.code, done.err) == (0, "")
        assert re.fullmatch(r"The schema is at revision \d{4}\w*\.\n", done.out)
    after = database_command("check")
    assert (after.code, after.err) == (0, "")
    assert after.out.endswith(", the newest.\n")
    assert (data_dir / "earshot.db").is_file()


def test_created_token_is_alone_on_stdout_and_valid(data_dir: Path) -> None:
    done = run_module("db", "tokens", "create", "ann")
    assert (done.code, done.err) == (0, "")
    assert re.fullmatch(rf"{TOKEN_PREFIX}[A-Za-z0-9_-]{{43}}\n", done.out)
    database = Database(f"sqlite:///{data_dir}/earshot.db")
    user = Accounts(database, ()).find_by_token(done.out.strip())
    database.close()
    assert user is not None
    assert user.name == "ann"
    stored = b"".join(path.read_bytes() for path in data_dir.iterdir() if path.is_file())
    assert done.out.strip().encode() not in stored


def test_two_created_tokens_differ(database_command: Run) -> None:
    one, other = database_command("tokens", "create", "ann"), database_command("tokens", "create", "ann")
    assert one.code == other.code == 0
    assert one.out != other.out


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("earshot", "The name `earshot` is reserved."),
        ("a b", "Invalid user name. Use 1 to 39 letters"),
        ("", "Invalid user name. Use 1 to 39 letters"),
        ("../x", "Invalid user name. Use 1 to 39 letters"),
    ],
)
def test_token_for_a_reserved_name_ends_with_1(database_command: Run, name: str, message: str) -> None:
    done = database_command("tokens", "create", name)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"Error: {message}")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["downgrade"], ["tokens"], ["tokens", "create"], ["tokens", "show", "ann"]])
def test_wrong_usage_of_db_ends_with_2(database_command: Run, arguments: list[str]) -> None:
    done = database_command(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("usage: python -m db")


@pytest.mark.parametrize("arguments", [["--help"], ["upgrade", "--help"], ["tokens", "create", "--help"]])
def test_help_of_db_is_printed(database_command: Run, arguments: list[str]) -> None:
    done = database_command(*arguments)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("usage: python -m db")


@pytest.mark.parametrize("arguments", [["upgrade"], ["check"], ["tokens", "create", "ann"]])
@pytest.mark.parametrize(
    ("variable", "value", "code", "message"),
    [
        ("EARSHOT_DATABASE_URL", "mysql://u:hidden@db/x", 2, "must name a SQLite file or a PostgreSQL database"),
        (
            "EARSHOT_DATABASE_URL",
            "postgresql://u:hidden@127.0.0.1:1/x",
            1,
            "of EARSHOT_DATABASE_URL cannot be used",
        ),
        ("EARSHOT_DATABASE_URL", f"sqlite:///{ROOT}", 1, "cannot be used (unable to open database file)"),
        ("EARSHOT_DATABASE_URL", f"sqlite:///{__file__}", 1, "cannot be used (file is not a database)"),
        ("EARSHOT_DATABASE_URL", f"sqlite:///{__file__}/e.db", 1, "cannot be used (File exists)"),
        ("EARSHOT_DATA_DIR", f"{__file__}/data", 2, "/data (Not a directory)"),
    ],
)
def test_unusable_database_is_one_line_and_with_v_a_traceback(
    database_command: Run,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    variable: str,
    value: str,
    code: int,
    message: str,
) -> None:
    monkeypatch.setenv(variable, value)
    done = database_command(*arguments)
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)
    assert done.err.startswith("Error: ")
    assert message in done.err
    assert "hidden" not in done.err
    for verbose in (["-v", *arguments], [*arguments, "-v"]):
        shown = database_command(*verbose)
        assert shown.code == code
        assert "Traceback" in shown.err
        assert shown.err.endswith(done.err)


@pytest.mark.parametrize(
    ("main", "arguments"),
    [
        (db_commands.main, ("check",)),
        (evaluation_commands.main, ("keys", "list")),
        (client_commands.main, ("status", "s-x", "--url", "http://127.0.0.1:1")),
    ],
    ids=["db", "evaluation", "submissions"],
)
def test_every_command_line_warns_of_variables_without_effect_on_stderr(
    main: Main, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EARSHOT_DATADIR", "elsewhere")
    done = run_in_process(capsys, main, arguments)
    first = done.err.splitlines()[0]
    assert first.startswith("Warning: EARSHOT_DATADIR is not an Earshot setting")
    assert "EARSHOT_DATADIR" not in done.out


def test_evaluator_without_a_data_folder_ends_with_2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EARSHOT_DATA_DIR", f"{__file__}/data")
    done = run_module("submissions", "worker")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Error: EARSHOT_DATA_DIR: ")
    assert done.err.count("\n") == 1
