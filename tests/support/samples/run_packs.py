"""Packs with real questions and short sounds, for tests of model runs."""

import threading
from contextlib import AbstractContextManager
from pathlib import Path
from unittest.mock import patch

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.packs import pack_name, write_pack
from tests.support.samples.practice_packs import make_tone

DEMO = get_benchmark("mdar", "demo")
# Open answers would need a judge, but they are asked as all others are.
N_QUESTIONS = 28
N_SEVERAL = 7
TRACES = get_benchmark("audio-process-bench", "synthetic-3")
# Two threads that replaced clips at once would leave them replaced.
_WRITING = threading.Lock()


def use_short_sounds(benchmark: Benchmark) -> AbstractContextManager[object]:
    """Replace the clips of a benchmark by short stereo tones."""
    tone = make_tone(440.0, 0.02, side=1)
    return patch.object(type(benchmark), "render_clip", lambda *_: tone)


def write_run_pack(folder: Path, benchmark: Benchmark = DEMO, key: AnswerKey | None = None) -> Path:
    """Write a pack, the practice pack by default, under its usual name."""
    key = key or benchmark.make_key("practice")
    path = folder / pack_name(benchmark.content(key))
    path.parent.mkdir(parents=True, exist_ok=True)
    with _WRITING, use_short_sounds(benchmark):
        write_pack(benchmark, key, path)
    return path
