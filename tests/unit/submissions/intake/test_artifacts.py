"""Uploads: stored completely under their digest, or not at all."""

import hashlib
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from fsspec.implementations.memory import MemoryFileSystem

from submissions.intake.artifacts import ArtifactStore, DamagedArtifactError, TooLargeError

DATA = b"predictions\n" * 200_000
DIGEST = hashlib.sha256(DATA).hexdigest()


@pytest.fixture(params=["folder", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ArtifactStore]:
    """Return a store in a folder, and one in memory."""
    yield ArtifactStore(
        str(tmp_path / "artifacts") if request.param == "folder" else "memory://artifacts", tmp_path / "incoming"
    )
    MemoryFileSystem.store.clear()


def store_upload(store: ArtifactStore, data: bytes = DATA) -> str:
    with store.receive(io.BytesIO(data), len(data)) as incoming:
        store.store_artifact(incoming)
        return incoming.sha256


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_stored_upload_can_be_read_by_its_digest(store: ArtifactStore) -> None:
    assert store_upload(store) == DIGEST
    with store.open(DIGEST) as file:
        assert file.read() == DATA


def test_upload_stored_twice_exists_once(store: ArtifactStore, tmp_path: Path) -> None:
    assert store_upload(store) == store_upload(store) == DIGEST
    with store.open(DIGEST) as file:
        assert file.read() == DATA
    assert len(files_in(tmp_path)) <= 1


def test_uploads_of_different_bytes_are_stored_separately(store: ArtifactStore) -> None:
    digests = {store_upload(store, data) for data in (b"a", b"b", b"")}
    assert len(digests) == 3
    with store.open(hashlib.sha256(b"b").hexdigest()) as file:
        assert file.read() == b"b"


def test_received_upload_has_size_and_digest_and_is_deleted_afterwards(store: ArtifactStore, tmp_path: Path) -> None:
    with store.receive(io.BytesIO(DATA), len(DATA)) as incoming:
        assert (incoming.n_bytes, incoming.sha256) == (len(DATA), DIGEST)
        assert incoming.path.read_bytes() == DATA
    assert files_in(tmp_path) == []


def test_received_upload_is_deleted_after_an_error(store: ArtifactStore, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="rejected"), store.receive(io.BytesIO(DATA), len(DATA)):
        raise RuntimeError("rejected")
    assert files_in(tmp_path) == []


@pytest.mark.parametrize("over", [0, 1])
def test_upload_may_have_at_most_the_size_limit(store: ArtifactStore, tmp_path: Path, over: int) -> None:
    limit = len(DATA) - over
    if not over:
        with store.receive(io.BytesIO(DATA), limit) as incoming:
            assert incoming.n_bytes == limit
        return
    with (
        pytest.raises(TooLargeError, match=f"larger than {limit:,} bytes"),
        store.receive(io.BytesIO(DATA), limit),
    ):
        pytest.fail("the upload was received")
    assert files_in(tmp_path) == []


def test_too_large_upload_is_not_read_to_its_end(store: ArtifactStore) -> None:
    class Endless(io.RawIOBase):
        n_read = 0

        def read(self, size: int = -1) -> bytes:
            self.n_read += size
            return b"x" * size

    source = Endless()
    with pytest.raises(TooLargeError), store.receive(source, 3_000_000):  # type: ignore[arg-type]
        pytest.fail("the upload was received")
    assert source.n_read < 5_000_000


def test_unknown_upload_cannot_be_opened(store: ArtifactStore) -> None:
    with pytest.raises(DamagedArtifactError, match="damaged or missing"), store.open("0" * 64):
        pytest.fail("the upload was opened")


def test_upload_folder_fans_out_by_digest(tmp_path: Path) -> None:
    store_upload(ArtifactStore(str(tmp_path / "artifacts"), tmp_path / "incoming"))
    assert files_in(tmp_path) == [tmp_path / "artifacts" / DIGEST[:2] / DIGEST]


def test_upload_read_in_several_chunks_is_complete(store: ArtifactStore) -> None:
    class Slow(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            return super().read(min(size or 0, 1_000))

    with store.receive(Slow(DATA), len(DATA)) as incoming:
        assert incoming.sha256 == DIGEST


def test_altered_upload_is_not_opened_and_is_repaired_by_sending_it_again(tmp_path: Path) -> None:
    store = ArtifactStore(str(tmp_path / "artifacts"), tmp_path / "incoming")
    store_upload(store)
    (path,) = files_in(tmp_path)
    path.write_bytes(b"altered")
    with pytest.raises(DamagedArtifactError, match="damaged or missing"), store.open(DIGEST):
        pytest.fail("the upload was opened")
    store_upload(store)
    with store.open(DIGEST):
        pass


def test_open_reports_progress_while_it_checks_the_digest(store: ArtifactStore) -> None:
    store_upload(store)
    calls: list[int] = []
    with store.open(DIGEST, lambda: calls.append(1)) as file:
        assert len(calls) == 3, "once for every piece of a million bytes"
        assert file.read() == DATA
