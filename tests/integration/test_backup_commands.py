"""`python -m db backup`, `restore` and `check` on the command line: exit codes and messages."""

import re
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

import db.__main__ as db_commands
import settings
from db.edition_records import NewEdition
from db.repositories import audit, editions, users
from submissions.operations.data_folder import JOURNAL, Move, share_folder, write_journal
from tests.support.servers.commands import Run, run_in_process, use_data_dir
from tests.support.servers.server import wait_for
from tests.support.servers.vaults import BENCHMARK, NOW, Vault, digest_rows, list_files

ROOT = Path(settings.__file__).parent.parent
IN_USE = "A server, an evaluator or another command is using {}. Stop it, then restore."


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    vault = Vault(tmp_path_factory.mktemp("filled") / "data").make()
    for note in ("one", "two"):
        vault.submit(note)
    vault.score_all()
    vault.close()
    return vault.folder


@pytest.fixture
def data_dir(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(filled, tmp_path / "data")
    return use_data_dir(tmp_path / "data", monkeypatch)


@pytest.fixture
def run(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *arguments: run_in_process(capsys, db_commands.main, arguments)


def test_backup_and_restore_into_an_empty_folder(
    run: Run, data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "b.tar.zst"
    assert run("backup", file) == (
        0,
        f"{file} holds the database and 2 uploads, with the answer keys: keep it as secret as the keys.\n",
        "",
    )
    use_data_dir(tmp_path / "new", monkeypatch)
    done = run("restore", file)
    assert (done.code, done.err) == (0, "")
    assert re.fullmatch(r"Restored the database of \d{4}-\d\d-\d\dT[\d:]+\+00:00 and 2 uploads\.\n", done.out)
    assert digest_rows(tmp_path / "new") == digest_rows(data_dir)
    assert list_files(tmp_path / "new") == list_files(data_dir)
    checked = run("check")
    assert (checked.code, checked.err) == (0, "")
    assert len(checked.out.splitlines()) == 8


def test_editions_are_ended_after_a_restore_with_other_tools(run: Run, data_dir: Path) -> None:
    with closing(Vault(data_dir)) as vault:
        with vault.database.write() as transaction:
            ann = users.get_or_add_user(transaction, "ann", NOW)
            new = NewEdition("e-7f3kq9x2", BENCHMARK.id, BENCHMARK.version, ann.id, None)
            editions.add_edition(transaction, new, NOW)
        text = "Editions: 0 closed with their files, 1 expired without one. Unscored endpoints with new questions: 0.\n"
        assert run("end-editions") == (0, text, "")
        assert run("end-editions").out == text.replace("1 expired", "0 expired")
        with vault.database.read() as transaction:
            found = editions.find_edition(transaction, new.id)
            acts = [one.action for one in audit.list_entries(transaction, limit=2)]
    assert found is not None
    assert (found.state, found.is_pack_wanted, acts) == ("expired", False, ["end-editions"] * 2)


def test_backup_without_keys_and_its_restore_report_it(run: Run, data_dir: Path, tmp_path: Path) -> None:
    file = tmp_path / "b.tar.zst"
    done = run("backup", file, "--without-keys")
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{file} holds the database and 2 uploads, without answer keys.\n"
    lines = run("restore", file, "--replace").out.splitlines()
    assert re.fullmatch(rf"The previous data is in {data_dir}/before-restore-[0-9TZ-]+\.", lines[1])
    assert lines[2] == (f"The backup has no answer keys. Copy the original keys to {data_dir / 'answer-keys'}.")


def test_restore_over_data_is_refused_without_replace(run: Run, data_dir: Path, tmp_path: Path) -> None:
    run("backup", tmp_path / "b")
    before = digest_rows(data_dir)
    assert run("restore", tmp_path / "b") == (
        1,
        "",
        f"Error: {data_dir} contains data that would be replaced: answer-keys, artifacts, earshot.db, incoming. "
        "Pass --replace to move that data aside, or set EARSHOT_DATA_DIR to an empty folder.\n",
    )
    assert digest_rows(data_dir) == before


def test_restore_of_a_folder_in_use_is_refused(run: Run, data_dir: Path, tmp_path: Path) -> None:
    run("backup", tmp_path / "b")
    with share_folder(data_dir):
        done = run("restore", tmp_path / "b", "--replace")
    assert done == (1, "", f"Error: {IN_USE.format(data_dir)}\n")


@pytest.mark.parametrize("command", [["app.py"], ["-m", "leaderboard"], ["-m", "submissions", "worker"]])
def test_restore_is_refused_while_a_server_or_worker_runs(
    run: Run, data_dir: Path, tmp_path: Path, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EARSHOT_PORT", "0")
    run("backup", tmp_path / "b")
    process = subprocess.Popen(
        [sys.executable, *command], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_for(lambda: is_shared(data_dir) or process.poll() is not None, "its use of the data folder")
        done = run("restore", tmp_path / "b", "--replace")
    finally:
        process.kill()
        process.wait()
    assert done == (1, "", f"Error: {IN_USE.format(data_dir)}\n")


def test_damaged_or_missing_backup_is_reported_in_one_sentence(run: Run, data_dir: Path, tmp_path: Path) -> None:
    file = tmp_path / "b"
    run("backup", file)
    data = file.read_bytes()
    file.write_bytes(data[:100] + bytes([data[100] ^ 1]) + data[101:])
    sentence = f"Error: {file} was modified after it was made. Nothing was changed. Use another copy.\n"
    assert run("restore", file, "--replace") == (1, "", sentence)
    file.write_bytes(data[:-1])
    sentence = f"Error: {file} is not an Earshot backup, or it is truncated. Nothing was changed. Use another copy.\n"
    assert run("restore", file, "--replace") == (1, "", sentence)
    gone = tmp_path / "gone"
    assert run("restore", gone) == (
        1,
        "",
        f"Error: Cannot restore {gone} (No such file or directory: {gone}). The existing data is unchanged.\n",
    )


def test_failed_backup_is_reported_in_one_sentence(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "nowhere" / "b"
    done = run("backup", file)
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        f"Error: Cannot write the backup {file} (No such file or directory: {file.with_name('.b.partial')}). "
        "No file was left behind.\n"
    )


def test_check_with_findings_ends_with_1_and_prints_them_on_stderr(run: Run, data_dir: Path) -> None:
    with closing(Vault(data_dir)) as vault:
        vault.query("update audit_log set subject = 'x' where number = 2")
    done = run("check")
    assert done.code == 1
    assert done.err == (
        "The audit log is broken at entry 2: the entry was modified or is missing. "
        "Compare the log with the one in a backup.\n"
    )
    assert len(done.out.splitlines()) == 7
    assert "The database file is intact.\n" in done.out


def test_command_after_an_interrupted_restore_finishes_it(run: Run, data_dir: Path, tmp_path: Path) -> None:
    shutil.copytree(data_dir, tmp_path / "other")
    with closing(Vault(tmp_path / "other")) as other:
        other.submit("another one")
    wanted = digest_rows(tmp_path / "other")
    moves = []
    for name in ("earshot.db", "artifacts"):
        (data_dir / ".restoring").mkdir(exist_ok=True)
        (tmp_path / "other" / name).rename(data_dir / ".restoring" / name)
        moves += [
            Move(data_dir / name, data_dir / "before-restore-x" / name),
            Move(data_dir / ".restoring" / name, data_dir / name),
        ]
    write_journal(data_dir, moves)
    assert run("check").code == 0
    assert not (data_dir / JOURNAL).exists()
    assert digest_rows(data_dir) == wanted


def test_web_process_does_not_start_on_an_interrupted_restore(data_dir: Path) -> None:
    write_journal(data_dir, [])
    command = [sys.executable, "-m", "leaderboard"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (f"Error: A restore into {data_dir} was interrupted. `python -m db check` finishes it.\n")


@pytest.mark.parametrize("arguments", [["backup"], ["restore"], ["backup", "a", "b"], ["restore", "--replace"]])
def test_wrong_usage_ends_with_2(run: Run, arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("usage: python -m db")


def is_shared(data_dir: Path) -> bool:
    """Return whether a process holds the shared lock of a data folder."""
    lock = data_dir / ".lock"
    listed = Path("/proc/locks").read_text()
    return lock.exists() and f":{lock.stat().st_ino} " in listed
