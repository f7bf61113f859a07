"""Volumes without hard links: data folders are refused on a Space; uploads and keys work without links."""

import errno
import io
import os
from pathlib import Path

import pytest

from evaluation.answer_keys import AnswerKey, find_key, new_seed, replace_key, save_key
from submissions.errors import UnfitVolumeError
from submissions.intake.artifacts import ArtifactStore
from submissions.operations.data_folder import require_disk


@pytest.fixture
def linkless(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))

    monkeypatch.setattr(os, "link", refuse)


def test_volume_with_links_is_accepted_and_left_unchanged(tmp_path: Path) -> None:
    require_disk(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("linkless")
def test_data_folder_on_a_mounted_bucket_is_refused_with_instructions(tmp_path: Path) -> None:
    with pytest.raises(UnfitVolumeError, match=r"Set EARSHOT_DATA_DIR to .*EARSHOT_REPLICA_URL"):
        require_disk(tmp_path)


@pytest.mark.usefixtures("linkless")
def test_uploads_are_stored_and_a_truncated_file_is_replaced(tmp_path: Path) -> None:
    store = ArtifactStore(str(tmp_path / "uploads"), tmp_path / "incoming")
    with store.receive(io.BytesIO(b"answers"), 100) as incoming:
        store.store_artifact(incoming)
        digest = incoming.sha256
        path = tmp_path / "uploads" / digest[:2] / digest
        path.write_bytes(b"answ")  # as a kill during the write leaves it
        store.store_artifact(incoming)
    with store.open(digest) as file:
        assert file.read() == b"answers"


@pytest.mark.usefixtures("linkless")
def test_keys_are_created_once_and_a_replaced_key_is_backed_up(tmp_path: Path) -> None:
    first, second = (AnswerKey("amb", "1.0", "test", new_seed(), {"amb-1": 1}) for _ in range(2))
    assert save_key(tmp_path, first) == first
    assert save_key(tmp_path, second) == first, "the first key wins"
    assert replace_key(tmp_path, second, first) == second
    assert find_key(tmp_path, "amb", "1.0", "test") == second
    backup = tmp_path / "amb" / "1.0" / f"test.{first.digest[:8]}.json"
    assert backup.read_bytes() == first.to_json()
