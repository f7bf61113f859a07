"""Storage of imports: sounds and keys are stored completely or not at all."""

import hashlib
import os
import stat
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

from evaluation import imports
from evaluation.answer_keys import AnswerKey, find_key, key_path, save_key
from evaluation.audio import decode_wav, encode_wav
from evaluation.benchmarks.imported import Imported
from evaluation.benchmarks.mdar import Mdar
from evaluation.errors import AnswerKeyError, ImportProblemsError
from evaluation.imports import keep_import
from tests.support.samples.mdar_sets import FOLDERS

SAMPLES = (np.sin(np.arange(800) / 9) * 20_000).astype(np.int16)
BENCHMARK = Mdar("1.0")


def make_import(seed: str, sounds: dict[str, Path] | None = None) -> Imported:
    return replace(BENCHMARK.import_folder(FOLDERS["demo"], seed), sounds=sounds or {})


def audio_of(folder: Path) -> Path:
    return key_path(folder, "mdar", "1.0", "test").parent / "audio"


@pytest.fixture
def sounds(tmp_path: Path) -> dict[str, Path]:
    wav, flac = tmp_path / "one.wav", tmp_path / "two.flac"
    wav.write_bytes(encode_wav(SAMPLES, 16_000))
    soundfile.write(flac, SAMPLES, 8_000)
    return {"clip-one": wav, "clip-two": flac}


def test_import_is_stored_with_its_sounds_and_digests(tmp_path: Path, sounds: dict[str, Path]) -> None:
    folder = tmp_path / "keys"
    steps: list[tuple[int, int]] = []
    key = keep_import(folder, make_import("s1", sounds), replaces=False, progress=lambda *at: steps.append(at))
    assert steps == [(1, 2), (2, 2)]
    assert find_key(folder, "mdar", "1.0", "test") == key
    stored = {path.stem: path.read_bytes() for path in audio_of(folder).iterdir()}
    assert stored["clip-one"] == sounds["clip-one"].read_bytes(), "a WAV file is kept byte for byte"
    samples, rate = decode_wav(stored["clip-two"])
    assert (rate, samples.ravel().tolist()) == (8_000, SAMPLES.tolist())
    assert key.clips == {clip: hashlib.sha256(data).hexdigest() for clip, data in stored.items()}
    for clip, data in stored.items():
        assert BENCHMARK.render_clip(key, clip) == data


def test_import_is_readable_only_for_its_owner(tmp_path: Path, sounds: dict[str, Path]) -> None:
    folder = tmp_path / "keys"
    keep_import(folder, make_import("s1", sounds), replaces=False)
    for path in [folder, *folder.rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_sound_modified_after_its_import_is_refused(tmp_path: Path, sounds: dict[str, Path]) -> None:
    folder = tmp_path / "keys"
    key = keep_import(folder, make_import("s1", sounds), replaces=False)
    with (audio_of(folder) / "clip-one.wav").open("ab") as file:
        file.write(b"\0")
    with pytest.raises(AnswerKeyError, match=r"clip-one\.wav has changed since it was imported"):
        BENCHMARK.render_clip(key, "clip-one")


def test_second_import_without_replacing_is_refused_and_changes_nothing(
    tmp_path: Path, sounds: dict[str, Path]
) -> None:
    folder = tmp_path / "keys"
    first = keep_import(folder, make_import("s1"), replaces=False)
    with pytest.raises(AnswerKeyError, match=f"digest {first.digest[:8]}.*--replace"):
        keep_import(folder, make_import("s2", sounds), replaces=False)
    assert find_key(folder, "mdar", "1.0", "test") == first
    assert list(audio_of(folder).iterdir()) == []


def test_replacing_import_sets_the_earlier_key_aside(tmp_path: Path, sounds: dict[str, Path]) -> None:
    folder = tmp_path / "keys"
    path = key_path(folder, "mdar", "1.0", "test")
    first = keep_import(folder, make_import("s1", {"clip-old": sounds["clip-one"]}), replaces=False)
    written = path.read_bytes()
    old = os.umask(0)
    try:
        second = keep_import(folder, make_import("s2", sounds), replaces=True)
    finally:
        os.umask(old)
    assert second.digest != first.digest
    assert find_key(folder, "mdar", "1.0", "test") == second
    aside = path.with_name(f"test.{first.digest[:8]}.json")
    assert aside.read_bytes() == written
    assert [stat.S_IMODE(file.stat().st_mode) for file in (aside, path)] == [0o600, 0o600]
    assert {sound.stem for sound in audio_of(folder).iterdir()} == {"clip-old", "clip-one", "clip-two"}


def test_all_unreadable_sounds_are_reported_and_nothing_is_stored(tmp_path: Path, sounds: dict[str, Path]) -> None:
    folder = tmp_path / "keys"
    text, empty = tmp_path / "text.wav", tmp_path / "empty.mp3"
    text.write_text("no sound")
    empty.touch()
    with pytest.raises(ImportProblemsError) as caught:
        keep_import(folder, make_import("s1", sounds | {"clip-x": text, "clip-y": empty}), replaces=False)
    assert [problem.split(" cannot be read as audio")[0] for problem in caught.value.problems] == [
        str(text),
        str(empty),
    ]
    assert find_key(folder, "mdar", "1.0", "test") is None
    assert list(audio_of(folder).iterdir()) == []


def test_key_is_written_after_its_sounds(
    tmp_path: Path, sounds: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "keys"
    synced: list[Path] = []
    original = save_key

    def save(into: Path, key: AnswerKey) -> AnswerKey:
        assert synced == [audio_of(folder)], "the names of the sounds are on the disk"
        assert {path.stem for path in audio_of(folder).iterdir()} == set(key.clips) == set(sounds)
        return original(into, key)

    monkeypatch.setattr(imports, "sync_folder", synced.append)
    monkeypatch.setattr(imports, "save_key", save)
    keep_import(folder, make_import("s1", sounds), replaces=False)


def test_failing_disk_leaves_no_key_and_no_partial_file(
    tmp_path: Path, sounds: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "keys"

    def fail(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        keep_import(folder, make_import("s1", sounds), replaces=False)
    assert list(audio_of(folder).iterdir()) == []
    assert find_key(folder, "mdar", "1.0", "test") is None
