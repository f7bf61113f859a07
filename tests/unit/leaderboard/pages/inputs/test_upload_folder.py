import io
import os
from pathlib import Path

import pytest

from leaderboard.pages.inputs.upload_folder import UploadFolder, UploadFolderFullError
from submissions.errors import BadRequestError

SIZE = 1_000_000


@pytest.fixture
def folder(tmp_path: Path) -> UploadFolder:
    return UploadFolder(tmp_path / "uploads", SIZE)


def test_store_upload_returns_a_reference_that_opens_until_it_is_removed(folder: UploadFolder) -> None:
    first, second = (folder.store_upload(io.BytesIO(b"same"), 4) for _ in range(2))
    assert first != second
    with folder.open(first) as file:
        assert file.read() == b"same"
    folder.remove(first)
    folder.remove(first)
    with pytest.raises(BadRequestError):
        folder.open(first)
    folder.open(second).close()


def test_store_upload_in_a_full_folder_is_refused(folder: UploadFolder, tmp_path: Path) -> None:
    for _ in range(9):
        folder.store_upload(io.BytesIO(b"x" * SIZE), SIZE)
    for _ in range(10):
        folder.store_upload(io.BytesIO(b""), 0)
    with pytest.raises(UploadFolderFullError):
        folder.store_upload(io.BytesIO(b""), 0)
    assert len(list((tmp_path / "uploads").iterdir())) == 19
    with pytest.raises(UploadFolderFullError):
        folder.store_upload(io.BytesIO(b"x" * SIZE), SIZE)
    with pytest.raises(UploadFolderFullError):
        folder.require_room(SIZE)


def test_store_upload_counts_concurrent_uploads(folder: UploadFolder) -> None:
    class Slow(io.BytesIO):
        refused = 0

        def read(self, size: int | None = -1, /) -> bytes:
            if not self.tell():
                with pytest.raises(UploadFolderFullError):
                    folder.require_room(SIZE)
                Slow.refused += 1
            return super().read(size)

    for _ in range(9):
        folder.store_upload(io.BytesIO(b"x" * SIZE), SIZE)
    folder.store_upload(Slow(b"x"), SIZE)
    assert Slow.refused == 1
    folder.require_room(SIZE - 100_000)


def test_failed_store_upload_leaves_no_file_and_frees_its_space(folder: UploadFolder, tmp_path: Path) -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise OSError(f"broken before {size} bytes")

    for _ in range(20):
        with pytest.raises(OSError, match="broken"):
            folder.store_upload(Broken(), SIZE)
    assert list((tmp_path / "uploads").iterdir()) == []
    folder.require_room(10 * SIZE)


def test_delete_abandoned_uploads_removes_old_files_and_parts_of_a_killed_process(
    folder: UploadFolder, tmp_path: Path
) -> None:
    old, new = folder.store_upload(io.BytesIO(b"1"), 1), folder.store_upload(io.BytesIO(b"2"), 1)
    part = tmp_path / "uploads" / "x.part"
    part.touch()
    for path in (part, tmp_path / "uploads" / old):
        os.utime(path, (1, 1))
    folder.delete_abandoned_uploads()
    assert [path.name for path in (tmp_path / "uploads").iterdir()] == [new]
