import io
import os
from pathlib import Path

import pytest

from leaderboard.pages.inputs.upload_folder import (
    KEEP_ANONYMOUS_SECONDS,
    KEEP_SECONDS,
    Uploader,
    UploadFolder,
    UploadFolderFullError,
)
from submissions.errors import BadRequestError
from tests.support.servers.clocks import Clock

SIZE = 1_000_000
ANN = Uploader("account 1", is_signed_in=True)
VISITOR = Uploader("192.0.2.1", is_signed_in=False)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def folder(tmp_path: Path, clock: Clock) -> UploadFolder:
    return UploadFolder(tmp_path / "uploads", SIZE, clock)


def store(folder: UploadFolder, uploader: Uploader = ANN, n_bytes: int = SIZE) -> str:
    return folder.store_upload(io.BytesIO(b"x" * n_bytes), n_bytes, uploader)


def is_here(folder: UploadFolder, reference: str) -> bool:
    try:
        folder.open(reference).close()
    except BadRequestError:
        return False
    return True


def test_store_upload_returns_a_reference_that_opens_until_it_is_removed(folder: UploadFolder) -> None:
    first, second = (folder.store_upload(io.BytesIO(b"same"), 4, ANN) for _ in range(2))
    assert first != second
    with folder.open(first) as file:
        assert file.read() == b"same"
    folder.remove(first)
    folder.remove(first)
    with pytest.raises(BadRequestError):
        folder.open(first)
    folder.open(second).close()


@pytest.mark.parametrize(("n_bytes", "n_kept"), [(SIZE, 2), (0, 20)])
def test_upload_beyond_a_share_replaces_the_oldest_of_the_same_uploader(
    folder: UploadFolder, n_bytes: int, n_kept: int
) -> None:
    of_another = store(folder, VISITOR)
    references = [store(folder, ANN, n_bytes) for _ in range(25)]
    assert [reference for reference in references if is_here(folder, reference)] == references[-n_kept:]
    assert is_here(folder, of_another)


def test_uploader_has_at_most_100_files(tmp_path: Path) -> None:
    folder = UploadFolder(tmp_path / "uploads", 100 * SIZE)
    references = [store(folder, VISITOR, 1) for _ in range(120)]
    assert [reference for reference in references if is_here(folder, reference)] == references[20:]


def test_full_folder_loses_the_oldest_file_of_whoever_holds_most(folder: UploadFolder, tmp_path: Path) -> None:
    crowd = [Uploader(f"192.0.2.{number}", is_signed_in=False) for number in range(30)]
    small = store(folder, ANN, 100_000)
    of_crowd = [[store(folder, one) for one in crowd] for _ in range(2)]
    assert is_here(folder, small)
    newest = store(folder, VISITOR, 500_000)
    assert is_here(folder, newest)
    assert not is_here(folder, of_crowd[0][0])
    assert sum(path.stat().st_size for path in (tmp_path / "uploads").iterdir()) <= 10 * SIZE


def test_files_being_written_are_kept_and_fill_the_folder(folder: UploadFolder) -> None:
    crowd = [Uploader(f"192.0.2.{number}", is_signed_in=False) for number in range(11)]
    depth = [0]

    class Nested(io.BytesIO):
        """Is not read to its end before others are stored."""

        def read(self, size: int | None = -1, /) -> bytes:
            if not self.tell() and depth[0] < len(crowd):
                depth[0] += 1
                folder.store_upload(Nested(b"x"), SIZE, crowd[depth[0] - 1])
            return super().read(size)

    with pytest.raises(UploadFolderFullError, match="Try again in a minute"):
        folder.store_upload(Nested(b"x"), SIZE, ANN)
    assert is_here(folder, store(folder, VISITOR))


def test_failed_store_upload_leaves_no_file_and_frees_its_space(folder: UploadFolder, tmp_path: Path) -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise OSError(f"broken before {size} bytes")

    kept = store(folder)
    with pytest.raises(OSError, match="broken"):
        folder.store_upload(Broken(), SIZE, ANN)
    assert [path.name for path in (tmp_path / "uploads").iterdir()] == [kept]
    assert is_here(folder, store(folder))
    assert is_here(folder, kept)


def test_files_of_visitors_expire_earlier_than_those_of_users(folder: UploadFolder, clock: Clock) -> None:
    of_visitor, of_user = store(folder, VISITOR), store(folder, ANN)
    for now, expected in [
        (KEEP_ANONYMOUS_SECONDS - 1, [True, True]),
        (KEEP_ANONYMOUS_SECONDS + 1, [False, True]),
        (KEEP_SECONDS + 1, [False, False]),
    ]:
        clock.now = now
        folder.delete_abandoned_uploads()
        assert [is_here(folder, reference) for reference in (of_visitor, of_user)] == expected


def test_next_process_keeps_complete_files_until_they_expire(
    folder: UploadFolder, clock: Clock, tmp_path: Path
) -> None:
    old, new = store(folder), store(folder)
    (tmp_path / "uploads" / "x.part").touch()
    os.utime(tmp_path / "uploads" / old, (1, 1))
    later = UploadFolder(tmp_path / "uploads", SIZE, clock)
    later.delete_abandoned_uploads()
    assert [path.name for path in (tmp_path / "uploads").iterdir()] == [new]
    clock.now += KEEP_SECONDS + 1
    later.delete_abandoned_uploads()
    assert not is_here(later, new)
