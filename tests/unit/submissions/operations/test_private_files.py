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
    for place, mode in ((made, 0o755), (made / "keys", 0o750), (made / "keys" / "mdar", 0o700)):
        place.mkdir()
        place.chmod(mode)
    for name, mode in (("earshot.db", 0o644), ("secret-key", 0o600), ("keys/mdar/1.0.json", 0o604), ("other", 0o644)):
        (made / name).touch()
        (made / name).chmod(mode)
    return made


def test_open_modes_are_repaired_and_named_in_one_sentence(folder: Path) -> None:
    outside = folder.parent / "outside"
    outside.touch()
    outside.chmod(0o644)
    (folder / "keys" / "link").symlink_to(outside)
    places = [folder, folder / "missing", folder / "earshot.db", folder / "earshot.db"]
    assert repair_modes(places, folder / "keys") == (
        f"Other users of this machine could open {folder}, {folder}/earshot.db, {folder}/keys and 1 more. "
        "Now only this user can."
    )
    assert [mode_of(folder / name) for name in (".", "keys", "earshot.db", "keys/mdar/1.0.json")] == [
        *(0o700, 0o700),
        *(0o600, 0o600),
    ]
    # It may be a file of the user's own, and nobody can reach it now.
    assert mode_of(folder / "other") == 0o644
    assert mode_of(outside) == 0o644
    assert repair_modes(places, folder / "keys") is None


def test_modes_that_cannot_be_changed_are_reported_with_the_remedy(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "chmod", refuse)
    found = repair_modes([folder, folder / "earshot.db"], folder / "keys")
    assert found is not None
    named = f"{folder}, {folder}/earshot.db, {folder}/keys and 1 more"
    assert found.startswith(f"Other users of this machine can open {named}, and")
    assert "0700 for folders and 0600 for files" in found
