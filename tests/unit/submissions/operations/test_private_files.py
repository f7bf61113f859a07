"""Modes of an installation's files."""

import os
import stat
from pathlib import Path

import pytest

from submissions.operations.private_files import repair_modes


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with files that others can read."""
    made = tmp_path / "data"
    for place, mode in ((made, 0o755), (made / "keys", 0o750)):
        place.mkdir()
        place.chmod(mode)
    for name, mode in (("earshot.db", 0o644), ("secret-key", 0o600)):
        (made / name).touch()
        (made / name).chmod(mode)
    return made


def test_open_modes_are_repaired_and_named_in_one_sentence(folder: Path) -> None:
    outside = folder.parent / "outside"
    outside.touch()
    outside.chmod(0o644)
    (folder / "link").symlink_to(outside)
    found = repair_modes([folder, folder / "missing", folder / "earshot.db"])
    assert found == (
        f"Other users of this machine could open {folder}, {folder}/earshot.db, {folder}/keys. Now only this user can."
    )
    assert [mode_of(folder / name) for name in (".", "keys", "earshot.db", "secret-key")] == [
        *(0o700, 0o700),
        *(0o600, 0o600),
    ]
    assert mode_of(outside) == 0o644
    assert repair_modes([folder]) is None


def test_modes_that_cannot_be_changed_are_reported_with_the_remedy(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    for number in range(3):
        (folder / f"{number}").touch(0o640)
    monkeypatch.setattr(os, "chmod", refuse)
    found = repair_modes([folder])
    assert found is not None
    assert found.startswith(f"Other users of this machine can open {folder}, {folder}/0, {folder}/1 and 3 more, and")
    assert "0700 for folders and 0600 for files" in found
