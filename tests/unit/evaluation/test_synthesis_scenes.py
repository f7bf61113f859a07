"""Scenes: the sounds are what their names say, where and when the description puts them."""

import hashlib
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation.audio import decode_wav
from evaluation.synthesis.scenes import SCENE_RATE, SceneError, render_scene
from evaluation.synthesis.sounds import KINDS


def render(*events: dict[str, Any], seconds: float = 2.0) -> NDArray[np.float64]:
    samples, rate = decode_wav(render_scene({"seconds": seconds, "events": list(events)}))
    assert rate == SCENE_RATE
    assert samples.shape == (round(seconds * SCENE_RATE), 2)
    return samples / 32768


def rms(samples: NDArray[np.float64]) -> float:
    return float(np.sqrt((samples**2).mean()))


def strongest_hertz(samples: NDArray[np.float64]) -> float:
    spectrum = np.abs(np.fft.rfft(samples * np.hanning(len(samples))))
    return float(spectrum.argmax() * SCENE_RATE / len(samples))


@pytest.mark.parametrize("kind", KINDS)
def test_sound_of_every_kind_is_heard_where_it_stands_and_nowhere_else(kind: str) -> None:
    samples = render({"kind": kind, "at": 0.5, "seconds": 1.0, "digits": "159", "gain": 0.8})
    quiet = np.concatenate([samples[: SCENE_RATE // 2], samples[SCENE_RATE * 3 // 2 :]])
    assert rms(samples[SCENE_RATE // 2 : SCENE_RATE * 3 // 2]) > 0.005
    assert np.abs(quiet).max() == 0
    assert np.abs(samples).max() <= 0.8


def test_tone_has_its_pitch() -> None:
    assert strongest_hertz(render({"kind": "tone", "at": 0, "seconds": 2, "pitch": 523})[:, 0]) == pytest.approx(
        523, abs=1
    )


def test_glide_goes_from_its_first_to_its_last_pitch() -> None:
    left = render({"kind": "glide", "at": 0, "seconds": 2, "pitch": 400, "pitch_to": 800})[:, 0]
    assert strongest_hertz(left[800:2400]) == pytest.approx(415, abs=15)
    assert strongest_hertz(left[-2400:-800]) == pytest.approx(770, abs=15)


def test_dialled_keys_have_both_their_tones() -> None:
    left = render({"kind": "dial", "at": 0, "seconds": 1, "digits": "1"}, seconds=1)[: SCENE_RATE // 2, 0]
    spectrum = np.abs(np.fft.rfft(left * np.hanning(len(left))))
    strongest = sorted(np.argsort(spectrum)[-8:] * SCENE_RATE / len(left))
    assert strongest[0] == pytest.approx(697, abs=6)
    assert strongest[-1] == pytest.approx(1209, abs=6)


def test_bouncing_ball_strikes_ever_sooner_and_softer() -> None:
    left = np.abs(render({"kind": "bounce", "at": 0, "seconds": 2})[:, 0])
    level = np.array([left[n : n + 160].max() for n in range(0, len(left), 160)])
    onsets = np.flatnonzero((level[1:] > 1.6 * level[:-1]) & (level[1:] > 0.03)) + 1
    gaps = np.diff([0, *onsets])
    assert len(gaps) >= 3
    assert (np.diff(gaps) < 0).all()
    assert (np.diff(level[onsets[:3]]) < 0).all()


def test_sound_that_moves_begins_left_and_ends_right() -> None:
    samples = render({"kind": "tone", "at": 0, "seconds": 2, "pan": -1, "pan_to": 1})
    first, last = samples[1000:4000], samples[-4000:-1000]
    assert rms(first[:, 0]) > 4 * rms(first[:, 1])
    assert rms(last[:, 1]) > 4 * rms(last[:, 0])


def test_vessel_that_fills_sounds_higher_at_the_end() -> None:
    left = render({"kind": "pour", "at": 0, "seconds": 2})[:, 0]

    def centroid(samples: NDArray[np.float64]) -> float:
        spectrum = np.abs(np.fft.rfft(samples)) ** 2
        return float((spectrum * np.fft.rfftfreq(len(samples), 1 / SCENE_RATE)).sum() / spectrum.sum())

    assert centroid(left[-8000:]) > centroid(left[:8000]) + 50


def test_scene_is_the_same_bytes_again_and_other_bytes_when_changed() -> None:
    scene: dict[str, Any] = {"seconds": 1, "events": [{"kind": "rain", "at": 0, "seconds": 1}]}
    digest = hashlib.sha256(render_scene(scene)).hexdigest()
    assert hashlib.sha256(render_scene(dict(scene))).hexdigest() == digest
    assert render_scene(scene | {"seconds": 1.5}) != render_scene(scene)


def test_scene_too_loud_is_turned_down_and_not_clipped() -> None:
    samples = render(*[{"kind": "tone", "at": 0, "seconds": 2, "gain": 1.0, "pan": -1.0}] * 4)
    assert 0.79 < np.abs(samples).max() <= 0.81
    assert strongest_hertz(samples[:, 0]) == pytest.approx(440, abs=1)


@pytest.mark.parametrize(
    ("scene", "complaint"),
    [
        ({"seconds": 0, "events": []}, "lasts up to 60 seconds"),
        ({"seconds": 61, "events": []}, "lasts up to 60 seconds"),
        ({"seconds": 1}, "no scene"),
        ({"seconds": 1, "events": [{"kind": "tone", "at": 0, "seconds": 1, "loud": 1}]}, "no scene"),
        ({"seconds": 1, "events": [{"kind": "moo", "at": 0, "seconds": 1}]}, "There is no sound 'moo'"),
        ({"seconds": 1, "events": [{"kind": "tone", "at": 1, "seconds": 1}]}, "outside the scene"),
        ({"seconds": 1, "events": [{"kind": "tone", "at": 0, "seconds": 1, "pan_to": 2}]}, "out of range"),
        ({"seconds": 1, "events": [{"kind": "dial", "at": 0, "seconds": 1, "digits": "1a"}]}, "cannot be dialled"),
    ],
)
def test_description_that_is_no_scene_is_refused(scene: dict[str, Any], complaint: str) -> None:
    with pytest.raises(SceneError, match=complaint):
        render_scene(scene)
