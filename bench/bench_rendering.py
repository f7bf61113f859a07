"""Rendering speed of moving sources, tones and rooms: `.venv/bin/python -m bench.bench_rendering`."""

import statistics
import time
from collections.abc import Callable

import numpy as np

from evaluation.synthesis import (
    POSITIONS,
    Note,
    SourcePosition,
    Tone,
    Trajectory,
    add_noise,
    render_dry,
    render_in_room,
    render_motion,
    render_tones,
)

CLIP_SECONDS = 6.0
N_NOTES = 12
N_CLIPS = 20
N_ROUNDS = 7
TARGET = 200.0
SNR_DB = 15.0

ROOM_CLIP_SECONDS = 2.0
ROOM_TARGET = 60.0
TONE_CLIP_SECONDS = 2.0

PATHS = [Trajectory(start, end) for start in POSITIONS for end in POSITIONS if start != end]


def measure() -> list[dict[str, object]]:
    """Measure rendering on one core.

    Returns:
        Rows with the keys `what`, `value`, `unit`, `target` ("–" without one) and `note`.
    """
    distinct = _times_real_time(_render_distinct)
    same = _times_real_time(_render_same_melody)
    limit = _times_real_time(_transform_and_draw)
    tones = _times_real_time(_render_tones, TONE_CLIP_SECONDS)
    rooms = _times_real_time(_render_in_large_room, ROOM_CLIP_SECONDS)
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
        _row("render tones", tones, "–", "two tones in a clip of 2 s at 44.1 kHz"),
        _row(
            "render rooms",
            rooms,
            f"≥ {ROOM_TARGET:.0f}",
            f"1,561 images and a dry sound of {ROOM_CLIP_SECONDS:g} s, each place a new one",
        ),
    ]


def _row(what: str, value: float, target: str, note: str) -> dict[str, object]:
    return {"what": what, "value": round(value, 1), "unit": "× real time", "target": target, "note": note}


def _times_real_time(render: Callable[[int], object], seconds: float = CLIP_SECONDS) -> float:
    """Return seconds of audio per second of work: the median over rounds of clips that were never rendered before."""
    render(0)
    rates = []
    for first in range(1, N_ROUNDS * N_CLIPS, N_CLIPS):
        begin = time.perf_counter()
        for number in range(first, first + N_CLIPS):
            render(number)
        rates.append(N_CLIPS * seconds / (time.perf_counter() - begin))
    return statistics.median(rates)


def _render_distinct(number: int) -> None:
    rng = np.random.default_rng(number)
    notes = Note.sequence(rng.uniform(196.0, 660.0, N_NOTES).tolist(), CLIP_SECONDS)
    samples, _ = render_motion(PATHS[number % len(PATHS)], notes=notes, duration_seconds=CLIP_SECONDS)
    assert add_noise(samples, SNR_DB, rng).shape == samples.shape


def _render_same_melody(number: int) -> None:
    notes = Note.sequence([440.0] * N_NOTES, CLIP_SECONDS)
    render_motion(PATHS[number % len(PATHS)], notes=notes, duration_seconds=CLIP_SECONDS)


def _render_tones(number: int) -> None:
    pitch = 125.0 + number
    tones = [Tone(pitch, 0.1, 0.5, 0.5), Tone(2 * pitch, 1.1, 0.5, 0.5)]
    assert len(render_tones(tones, TONE_CLIP_SECONDS)) == 88_200


DRY = render_dry("alarm", ROOM_CLIP_SECONDS, np.random.default_rng(0))


def _render_in_large_room(number: int) -> None:
    heard = render_in_room(DRY, "large", 0, SourcePosition(2.5 * number, 0.0, 2.0 + number / 1000))
    assert heard.shape[1] == 2


def _transform_and_draw(number: int) -> None:
    signal = np.random.default_rng(number).standard_normal((97_200, 2))[:, 0]
    spectrum = np.fft.rfft(signal)
    np.fft.rfft(signal)
    for _ in range(4):
        np.fft.irfft(spectrum, len(signal))


if __name__ == "__main__":
    for row in measure():
        print(f"{row['what']:<42} {row['value']:>8} {row['unit']}  (target {row['target']}; {row['note']})")
