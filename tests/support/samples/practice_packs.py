"""Practice packs whose questions and answers are the real ones and whose sounds are tones, so that none is rendered."""

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
    """Write the practice pack of a benchmark where the web process looks for it, each sound a tone on one side.

    Args:
        benchmark: Whose pack.
        folder: The folder of packs.
        seconds: Length of every sound.
        answers: What the pack calls right, where it is not what is right.
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
    """Return a tone that is loud on one side, as a WAV file of two channels."""
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
