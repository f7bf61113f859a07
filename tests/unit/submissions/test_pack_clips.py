"""Clips in the packs of editions: every sample format that benchmarks render can be measured; damage is told."""

import zipfile
from pathlib import Path

import numpy as np
import pytest

from evaluation.audio import write_sound
from evaluation.audio.files import SampleFormat
from evaluation.benchmarks import Benchmark, all_benchmarks
from submissions.editions.pack_clips import DamagedPackError, measure_clips

RATE = 16_000
WITH_EDITIONS = [one for one in all_benchmarks() if one.has_editions]


def write_pack(folder: Path, clips: dict[str, bytes]) -> Path:
    pack = folder / "pack.zip"
    with zipfile.ZipFile(pack, "w") as archive:
        for name, data in clips.items():
            archive.writestr(f"audio/{name}.wav", data)
    return pack


@pytest.mark.parametrize("sample_format", ["int16", "int24", "float32"])
@pytest.mark.parametrize("n_channels", [1, 2])
def test_every_sample_format_is_measured(tmp_path: Path, sample_format: SampleFormat, n_channels: int) -> None:
    data = write_sound(np.full((RATE // 4, n_channels), 0.1), RATE, sample_format=sample_format)
    assert measure_clips(write_pack(tmp_path, {"a": data}), ["a", "not there"]) == {"a": 0.25}


@pytest.mark.parametrize("benchmark", WITH_EDITIONS, ids=lambda one: f"{one.id}-{one.version}")
def test_clips_of_every_task_are_measured(tmp_path: Path, benchmark: Benchmark) -> None:
    key = benchmark.make_key("practice")
    first = {item.task: item.clips[0] for item in reversed(benchmark.content(key).items)}
    tasks = sorted(first)[:: max(1, len(first) // 12)]
    clips = {first[task]: benchmark.render_clip(key, first[task]) for task in tasks}
    measured = measure_clips(write_pack(tmp_path, clips), clips)
    assert measured.keys() == clips.keys()
    assert all(0.01 < seconds < 120 for seconds in measured.values())


@pytest.mark.parametrize(
    "data", [b"", b"RIFF", b"RIFF\x04\0\0\0WAVE", b"no sound at all, but long enough for a header"]
)
def test_clip_that_is_no_sound_is_damage(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(DamagedPackError):
        measure_clips(write_pack(tmp_path, {"a": data}), ["a"])


@pytest.mark.parametrize("sample_format", ["int16", "float32"])
def test_clip_that_is_cut_off_is_damage(tmp_path: Path, sample_format: SampleFormat) -> None:
    data = write_sound(np.full((RATE, 1), 0.1), RATE, sample_format=sample_format)
    for length in (20, 40, len(data) // 2, len(data) - 1):
        with pytest.raises(DamagedPackError):
            measure_clips(write_pack(tmp_path, {"a": data[:length]}), ["a"])
