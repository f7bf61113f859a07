"""An organiser's files become an answer key with its questions, and sounds beside it."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import soundfile

from evaluation.answer_keys import AUDIO_FOLDER, AnswerKey, find_key, key_path, replace_key, save_key
from evaluation.audio import encode_wav
from evaluation.benchmarks.imported import Imported
from evaluation.errors import AnswerKeyError, ImportProblemsError

Progress = Callable[[int, int], None]


def keep_import(folder: Path, imported: Imported, *, replaces: bool, progress: Progress | None = None) -> AnswerKey:
    """Write sounds and key, durably, the key last, so that a key is never there without its sounds.

    Args:
        folder: Folder of all answer keys.
        imported: What an importer made.
        replaces: Whether a key that is there already is put aside, under its digest, for the new one.
        progress: Called with (sounds done, sounds in all).

    Raises:
        AnswerKeyError: There is a key already and `replaces` is off.
        ImportProblemsError: A sound cannot be read.
    """
    key = imported.key
    earlier = find_key(folder, key.benchmark, key.version, key.split)
    if earlier is not None and not replaces:
        raise AnswerKeyError(
            f"There is already a key of {key.benchmark} {key.version} {key.split}, digest {earlier.digest[:8]}. "
            "Import with --replace to put it aside; submissions scored under it must then be scored again."
        )
    audio = key_path(folder, key.benchmark, key.version, key.split).parent / AUDIO_FOLDER
    whole = replace(key, clips=_keep_sounds(audio, imported.sounds, progress), audio_dir=audio)
    return save_key(folder, whole) if earlier is None else replace_key(folder, whole, earlier)


def _keep_sounds(folder: Path, sounds: Mapping[str, Path], progress: Progress | None) -> dict[str, str]:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    digests, problems = {}, []
    for done, (clip, source) in enumerate(sorted(sounds.items()), start=1):
        try:
            digests[clip] = _keep_sound(folder / f"{clip}.wav", source)
        except (soundfile.LibsndfileError, OSError) as error:
            problems.append(f"{source} is not a sound that can be read ({error}). WAV, FLAC, OGG and MP3 can be.")
        if progress is not None:
            progress(done, len(sounds))
    if problems:
        raise ImportProblemsError(problems)
    return digests


def _keep_sound(target: Path, source: Path) -> str:
    """Keep a WAV file byte for byte, and anything else as 16-bit WAV; return the digest of what is kept."""
    with soundfile.SoundFile(source) as sound:
        is_wav = sound.format in ("WAV", "WAVEX")
        data = source.read_bytes() if is_wav else encode_wav(sound.read(dtype="int16"), sound.samplerate)
    with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    shutil.move(file.name, target)
    return hashlib.sha256(data).hexdigest()
