"""Targets of releases: updates of folders, and refusals to touch other content."""

import hashlib
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from evaluation.publishing.card import MANIFEST_FILE
from evaluation.publishing.errors import PublishError
from evaluation.publishing.targets import Changes, FolderTarget, StoredFile, compare_release, hash_git_blob

DATA = "data/config/test-00000.parquet"


def write_files(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return write_files(tmp_path / "release", {MANIFEST_FILE: "{}", "README.md": "card", DATA: "rows"})


def publish(release: Path, folder: Path) -> Changes:
    target = FolderTarget(folder)
    changes = compare_release(release, target.list_files())
    target.apply(release, changes)
    return changes


def read_folder(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_second_publication_changes_nothing(release: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    assert set(publish(release, folder).added) == {MANIFEST_FILE, "README.md", DATA}
    assert read_folder(folder) == read_folder(release)
    nodes = {path: path.stat().st_ino for path in folder.rglob("*")}
    assert publish(release, folder).is_empty
    assert {path: path.stat().st_ino for path in folder.rglob("*")} == nodes


def test_publication_replaces_changed_files_and_removes_only_old_data(release: Path, tmp_path: Path) -> None:
    stale = "data/config/test-00001.parquet"
    own = {"NOTES.md": "of somebody", ".gitattributes": "*.parquet"}
    folder = write_files(tmp_path / "folder", {MANIFEST_FILE: "{}", DATA: "ROWS", stale: "x", **own})
    changes = publish(release, folder)
    assert (set(changes.added), set(changes.replaced)) == ({"README.md"}, {DATA})
    assert (set(changes.unchanged), changes.removed) == ({MANIFEST_FILE}, (stale,))
    assert read_folder(folder) == read_folder(release) | own


def test_file_of_the_same_size_with_other_content_is_replaced(release: Path) -> None:
    content = b"rows"
    git = hashlib.sha1(b"blob 4\0" + content, usedforsecurity=False).hexdigest()
    for stored, is_same in (
        (StoredFile(4, sha256=hashlib.sha256(content).hexdigest()), True),
        (StoredFile(4, sha256="0" * 64), False),
        (StoredFile(4, git_blob=git), True),
        (StoredFile(4, git_blob="0" * 40), False),
        (StoredFile(5, git_blob=git), False),
        (StoredFile(4), False),
    ):
        changes = compare_release(release, {MANIFEST_FILE: StoredFile(0), DATA: stored})
        assert (DATA in changes.unchanged, DATA in changes.replaced) == (is_same, not is_same)


def test_digest_of_a_blob_equals_that_of_git(release: Path) -> None:
    command = ["git", "hash-object", "--no-filters", str(release / DATA)]
    process = subprocess.run(command, capture_output=True, text=True, check=True)
    assert hash_git_blob(release / DATA) == process.stdout.strip()


def test_folder_with_other_files_is_left_unchanged(release: Path, tmp_path: Path) -> None:
    files = {"thesis.tex": "important", "data/own.parquet": "mine"}
    folder = write_files(tmp_path / "folder", files)
    with pytest.raises(PublishError, match="nothing was changed"):
        publish(release, folder)
    assert read_folder(folder) == files


def test_interrupted_publication_can_be_repeated(release: Path, tmp_path: Path) -> None:
    """The manifest is written first: without it, the folder would count as unrelated."""
    target = FolderTarget(tmp_path / "folder")
    changes = compare_release(release, target.list_files())
    (release / DATA).unlink()
    with pytest.raises(PublishError, match="cannot be written"):
        target.apply(release, changes)
    write_files(release, {DATA: "rows"})
    publish(release, tmp_path / "folder")
    assert read_folder(tmp_path / "folder") == read_folder(release)


def test_target_that_is_a_file_is_refused(release: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(PublishError, match="cannot be read"):
        publish(release, tmp_path / "file")
