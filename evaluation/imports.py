"""Storage of an imported answer key with its questions and audio files."""

import hashlib
import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import soundfile

from evaluation.answer_keys import AUDIO_FOLDER, AnswerKey, find_key, key_path, replace_key, save_key, sync_folder
from evaluation.audio import AudioError, encode_wav
from evaluation.benchmarks.imported import Imported
from evaluation.errors import AnswerKeyError, ImportProblemsError

Progress = Callable[[int, int], None]


def keep_import(folder: Path, imported: Imported, *, replaces: bool, progress: Progress | None = None) -> AnswerKey:
    """Write audio files and then the key, durably, so that a key never exists without its audio.

    Args:
        folder: Folder of all answer keys.
        imported: Result of an importer.
        replaces: Whether an existing key is replaced and kept under its digest. A key whose answers all stay is always
            replaced.
        progress: Called with (stored clips, total clips).

    Raises:
        AnswerKeyError: A key exists already and `replaces` is off.
        ImportProblemsError: A clip cannot be read.
    """
    key = imported.key
    earlier = find_key(folder, key.benchmark, key.version, key.split)
    if earlier is not None and not replaces and not _keeps_all(key, earlier):
        raise AnswerKeyError(
            f"{key.benchmark} {key.version} {key.split} already has a key, digest {earlier.digest[:8]}. Pass --replace "
            "to replace it and keep a copy, then re-evaluate its submissions."
        )
    audio = key_path(folder, key.benchmark, key.version, key.split).parent / AUDIO_FOLDER
    whole = replace(key, clips=_keep_sounds(audio, imported.sounds, progress), audio_dir=audio)
    return save_key(folder, whole) if earlier is None else replace_key(folder, whole, earlier)


def _keeps_all(key: AnswerKey, earlier: AnswerKey) -> bool:
    """Return whether a key only adds questions to an earlier one."""
    return key.seed == earlier.seed and all(
        key.answers.get(item_id) == answer and key.descriptions.get(item_id) == earlier.descriptions.get(item_id)
        for item_id, answer in earlier.answers.items()
    )


def _keep_sounds(folder: Path, sounds: Mapping[str, Path], progress: Progress | None) -> dict[str, str]:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    digests: dict[str, str] = {}
    problems = []
    for n_done, (clip, source) in enumerate(sorted(sounds.items()), start=1):
        try:
            data = _read_as_wav(source)
        except (soundfile.LibsndfileError, AudioError, OSError) as error:
            problems.append(f"{source} cannot be read as audio ({error}). Use WAV, FLAC, OGG or MP3.")
        else:
            _keep_sound(folder / f"{clip}.wav", data)
            digests[clip] = hashlib.sha256(data).hexdigest()
        if progress is not None:
            progress(n_done, len(sounds))
    if problems:
        for clip in digests:  # Their names depend on a seed that no key will contain.
            (folder / f"{clip}.wav").unlink()
        raise ImportProblemsError(problems)
    sync_folder(folder)
    return digests


def _read_as_wav(source: Path) -> bytes:
    """Return a WAV file unchanged, and any other file as 16-bit WAV."""
    with soundfile.SoundFile(source) as sound:
        is_wav = sound.format in ("WAV", "WAVEX")
        return source.read_bytes() if is_wav else encode_wav(sound.read(dtype="int16"), sound.samplerate)


def _keep_sound(target: Path, data: bytes) -> None:
    with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
        temporary = Path(file.name)
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        except OSError:
            temporary.unlink()
            raise
    temporary.replace(target)
