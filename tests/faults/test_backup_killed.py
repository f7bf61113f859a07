"""SIGKILL of backups and restores at labels and at random moments, and a backup under load."""

import random
import shutil
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from submissions.operations.backup import make_backup
from submissions.operations.data_folder import finish_restore
from submissions.operations.restore import ASIDE, restore_backup
from tests.support.kills.forking import Warm
from tests.support.servers.vaults import Vault, digest_rows, list_files, make_file, places_in

BACKUP_LABELS = ("snapshot", "member", "written", "renamed")
RESTORE_LABELS = ("verified", "unpacked", "prepared", "decided", "moving", "moved")


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    vault = Vault(tmp_path_factory.mktemp("filled") / "data").make()
    for note in ("one", "two", "three"):
        vault.submit(note)
    vault.score_all()
    vault.close()
    return vault.folder


@pytest.fixture
def vault(filled: Path, tmp_path: Path) -> Iterator[Vault]:
    shutil.copytree(filled, tmp_path / "data")
    with closing(Vault(tmp_path / "data")) as opened:
        yield opened


def state_of(folder: Path) -> tuple[str, dict[str, bytes]]:
    return digest_rows(folder), list_files(folder)


def check_whole_or_absent(file: Path, earlier: bytes, vault: Vault) -> None:
    """The file is unchanged or a restorable backup, and the next backup leaves no other files behind."""
    if file.read_bytes() != earlier:
        target = file.with_name("restored")
        target.mkdir()
        restore_backup(file, places_in(target), replaces=False)
        assert state_of(target) == state_of(vault.folder)
        shutil.rmtree(target)
    make_backup(vault.database, vault.places, file)
    assert {path.name for path in file.parent.iterdir()} == {"data", file.name}


@pytest.mark.parametrize("label", BACKUP_LABELS)
def test_backup_killed_at_a_label_is_complete_or_absent(vault: Vault, tmp_path: Path, warm: Warm, label: str) -> None:
    file = tmp_path / "b"
    file.write_bytes(b"an earlier one")
    warm.kill("back up", vault.folder, file=str(file), label=label)
    assert (file.read_bytes() == b"an earlier one") == (label != "renamed")
    check_whole_or_absent(file, b"an earlier one", vault)
    assert vault.faults() == []


@pytest.mark.parametrize("seed", range(4))
def test_backup_killed_at_a_random_moment_is_complete_or_absent(
    vault: Vault, tmp_path: Path, warm: Warm, seed: int
) -> None:
    file = tmp_path / "b"
    file.write_bytes(b"an earlier one")
    warm.run("back up", vault.folder, file=str(file), seconds=random.Random(seed).uniform(0.005, 0.15))
    check_whole_or_absent(file, b"an earlier one", vault)
    assert vault.faults() == []


@pytest.fixture
def two_states(vault: Vault, tmp_path: Path) -> "TwoStates":
    """A backup, its contents, and the current state of the installation."""
    file = tmp_path / "b"
    make_backup(vault.database, vault.places, file)
    vault.close()
    new = state_of(vault.folder)
    vault.submit("after the backup")
    vault.close()
    return file, new, state_of(vault.folder)


TwoStates = tuple[Path, tuple[str, dict[str, bytes]], tuple[str, dict[str, bytes]]]


def check_old_or_new(vault: Vault, states: TwoStates) -> bool:
    """Check that nothing changed, or that all is restored and the earlier data is set aside; return which."""
    _, new, old = states
    finish_restore(vault.folder)
    found = state_of(vault.folder)
    assert found in (old, new)
    assert vault.faults() == []
    vault.close()
    if found == new:
        (aside,) = (path for path in vault.folder.iterdir() if path.name.startswith(ASIDE))
        assert state_of(aside) == old
    return found == new


@pytest.mark.parametrize(
    ("label", "times"),
    [(label, 1) for label in RESTORE_LABELS] + [("unpacked", 4)] + [("moving", n) for n in (2, 4, 6)],
)
def test_restore_killed_at_a_label_leaves_the_old_or_the_new_data(
    vault: Vault, two_states: TwoStates, warm: Warm, label: str, times: int
) -> None:
    warm.kill("restore", vault.folder, file=str(two_states[0]), label=label, times=times)
    is_new = check_old_or_new(vault, two_states)
    assert is_new == (label in ("decided", "moving", "moved"))
    restore_backup(two_states[0], vault.places, replaces=True)
    assert state_of(vault.folder) == two_states[1]
    assert not (vault.folder / ".restoring").exists()


@pytest.mark.parametrize("seed", range(6))
def test_restore_killed_at_a_random_moment_leaves_the_old_or_the_new_data(
    vault: Vault, two_states: TwoStates, warm: Warm, seed: int
) -> None:
    warm.run("restore", vault.folder, file=str(two_states[0]), seconds=random.Random(seed).uniform(0.005, 0.3))
    check_old_or_new(vault, two_states)


def test_backup_under_load_contains_every_submission_acknowledged_before_it_began(
    vault: Vault, tmp_path: Path, soak: bool
) -> None:
    stop = threading.Event()
    acknowledged: list[tuple[str, bytes]] = []
    errors: list[BaseException] = []

    def send(number: int) -> None:
        count = 0
        while not stop.is_set():
            note = f"{number}-{count}"
            acknowledged.append((vault.submit(note, f"user{number}"), make_file(note)))
            count += 1

    def score() -> None:
        while not stop.is_set():
            vault.score_next()

    def guarded(work: object, *arguments: object) -> None:
        try:
            work(*arguments)  # type: ignore[operator]
        except BaseException as error:  # noqa: BLE001 - handed to the test
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(send, number)) for number in range(3)]
    threads.append(threading.Thread(target=guarded, args=(score,)))
    for thread in threads:
        thread.start()
    try:
        for number in range(4 if soak else 2):
            n_needed = len(acknowledged) + 6
            while len(acknowledged) < n_needed:
                assert not errors
                stop.wait(0.01)
            before = list(acknowledged)
            make_backup(vault.database, vault.places, tmp_path / f"b{number}")
            check_holds(tmp_path, tmp_path / f"b{number}", before)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert errors == []
    assert vault.faults() == []


def check_holds(folder: Path, file: Path, sent: list[tuple[str, bytes]]) -> None:
    """A copy restored from a backup is complete: every earlier submission, and each scored row on its board."""
    target = folder / f"restored-{file.name}"
    target.mkdir()
    restore_backup(file, places_in(target), replaces=False)
    with closing(Vault(target)) as restored:
        assert restored.faults() == []
        rows = restored.query("select id, artifact_sha256 from submissions")
        digests = {str(name): str(sha256) for name, sha256 in rows}
        for submission, data in sent:
            with restored.artifacts.open(digests[submission]) as stream:
                assert stream.read() == data
        restored.score_all()
        # A submission may have been leased by an evaluator at that moment; it waits until the lease expires.
        ended = "select id from submissions where state in ('scored', 'running') order by id"
        assert len(restored.query(ended)) == len(digests) >= len(sent)
        scored = restored.query("select id from submissions where state = 'scored' order by id")
        assert restored.query("select submission_id from standings order by submission_id") == scored
    shutil.rmtree(target)


def test_board_of_a_restored_copy_is_the_board_at_that_moment(vault: Vault, tmp_path: Path) -> None:
    board = "select * from standings order by submission_id"
    wanted = vault.query(board), vault.query("select * from boards")
    make_backup(vault.database, vault.places, tmp_path / "b")
    vault.submit("later")
    vault.score_all()
    (tmp_path / "new").mkdir()
    restore_backup(tmp_path / "b", places_in(tmp_path / "new"), replaces=False)
    with closing(Vault(tmp_path / "new")) as restored:
        assert (restored.query(board), restored.query("select * from boards")) == wanted
    assert vault.query(board) != wanted[0]
