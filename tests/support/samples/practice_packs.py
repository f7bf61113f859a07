"""Practice packs with real questions and answers but tones for sounds, so that nothing has to be rendered."""

import io
import json
import wave
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.answer_keys import plain_answers
from evaluation.benchmarks import Benchmark
from evaluation.packs import pack_name
from submissions.listening_test.practice_packs import practice_content

RATE = 8_000


def write_small_pack(
    benchmark: Benchmark, folder: Path, *, seconds: float = 0.05, answers: Mapping[str, Any] | None = None
) -> Path:
    """Write the practice pack of a benchmark to the web process's folder, with a tone on one side for each sound.

    Args:
        benchmark: Benchmark of the pack.
        folder: Folder of packs.
        seconds: Length of every sound.
        answers: Answers that replace the correct ones.
    """
    content = practice_content(benchmark.id, benchmark.version)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / pack_name(content)
    right = {**plain_answers(benchmark.make_key("practice").answers), **(answers or {})}
    lines = (json.dumps({"id": name, "answer": answer}) + "\n" for name, answer in right.items())
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("answers.jsonl", "".join(lines), zipfile.ZIP_DEFLATED)
        for at, clip in enumerate(content.clips):
            archive.writestr(f"audio/{clip}.wav", make_tone(300.0 + 5 * at, seconds, side=at % 2))
    return path


def make_tone(frequency: float, seconds: float, side: int) -> bytes:
    """Return a stereo WAV file of a tone that is louder on one side."""
    times = np.arange(round(seconds * RATE)) / RATE
    samples = np.zeros((len(times), 2))
    samples[:, side] = 0.5 * np.sin(2 * np.pi * frequency * times)
    samples[:, 1 - side] = 0.05 * samples[:, side]
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((samples * 32767).astype("<i2").tobytes())
    return made.getvalue()
