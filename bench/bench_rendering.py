"""How fast AudioMotionBench's clips are rendered: `.venv/bin/python -m bench.bench_rendering`."""

import statistics
import time
from collections.abc import Callable

import numpy as np

from evaluation.synthesis import POSITIONS, Note, Trajectory, add_noise, render_motion

CLIP_SECONDS = 6.0
N_NOTES = 12
N_CLIPS = 20
N_ROUNDS = 7
TARGET = 200.0
SNR_DB = 15.0

PATHS = [Trajectory(start, end) for start in POSITIONS for end in POSITIONS if start != end]


def measure() -> list[dict[str, object]]:
    """Measure rendering on one core.

    Returns:
        Rows with the keys `what`, `value`, `unit`, `target` ("–" where there is none) and `note`.
    """
    distinct = _times_real_time(_render_distinct)
    same = _times_real_time(_render_same_melody)
    limit = _times_real_time(_transform_and_draw)
    return [
        _row(
            "render distinct clips, noise included",
            distinct,
            f"≥ {TARGET:.0f}",
            f"{distinct / limit:.0%} of the limit below",
        ),
        _row("render clips of one melody, clean", same, "–", "the filtered melody comes from the cache"),
        _row(
            "limit: bare transforms and noise draws", limit, "–", "six transforms of a clip's length, two normal draws"
        ),
    ]


def _row(what: str, value: float, target: str, note: str) -> dict[str, object]:
    return {"what": what, "value": round(value, 1), "unit": "× real time", "target": target, "note": note}


def _times_real_time(render: Callable[[int], object]) -> float:
    """Return seconds of sound per second of work: the median over rounds of clips that were never rendered before."""
    render(0)
    rates = []
    for first in range(1, N_ROUNDS * N_CLIPS, N_CLIPS):
        begin = time.perf_counter()
        for number in range(first, first + N_CLIPS):
            render(number)
        rates.append(N_CLIPS * CLIP_SECONDS / (time.perf_counter() - begin))
    return statistics.median(rates)


def _render_distinct(number: int) -> None:
    rng = np.random.default_rng(number)
    notes = Note.sequence(rng.uniform(196.0, 660.0, N_NOTES).tolist(), CLIP_SECONDS)
    samples, _ = render_motion(PATHS[number % len(PATHS)], notes=notes, duration_seconds=CLIP_SECONDS)
    assert add_noise(samples, SNR_DB, rng).shape == samples.shape


def _render_same_melody(number: int) -> None:
    notes = Note.sequence([440.0] * N_NOTES, CLIP_SECONDS)
    render_motion(PATHS[number % len(PATHS)], notes=notes, duration_seconds=CLIP_SECONDS)


def _transform_and_draw(number: int) -> None:
    signal = np.random.default_rng(number).standard_normal((97_200, 2))[:, 0]
    spectrum = np.fft.rfft(signal)
    np.fft.rfft(signal)
    for _ in range(4):
        np.fft.irfft(spectrum, len(signal))


if __name__ == "__main__":
    for row in measure():
        print(f"{row['what']:<42} {row['value']:>8} {row['unit']}  (target {row['target']}; {row['note']})")
