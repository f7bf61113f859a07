"""Scenes: sounds match their names, places and times."""

import hashlib
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation.audio import decode_wav
from evaluation.synthesis.household import HOUSEHOLD
from evaluation.synthesis.scenes import SCENE_RATE, SCENE_VERSION, SceneError, render_scene
from evaluation.synthesis.sounds import KINDS


def describe(*events: dict[str, Any], seconds: float = 2.0) -> dict[str, Any]:
    """Return a scene with the version that its events need."""
    versioned = any(event["kind"] in HOUSEHOLD or event.keys() & {"from", "gain_to"} for event in events)
    return {"seconds": seconds, "events": list(events)} | ({"version": SCENE_VERSION} if versioned else {})


def render(*events: dict[str, Any], seconds: float = 2.0) -> NDArray[np.float64]:
    samples, rate = decode_wav(render_scene(describe(*events, seconds=seconds)))
    assert rate == SCENE_RATE
    assert samples.shape == (round(seconds * SCENE_RATE), 2)
    return samples / 32768


def rms(samples: NDArray[np.float64]) -> float:
    return float(np.sqrt((samples**2).mean()))


def strongest_hertz(samples: NDArray[np.float64]) -> float:
    spectrum = np.abs(np.fft.rfft(samples * np.hanning(len(samples))))
    return float(spectrum.argmax() * SCENE_RATE / len(samples))


def test_sound_of_every_kind_is_heard_only_at_its_time(subtests: pytest.Subtests) -> None:
    for kind in KINDS:
        with subtests.test(kind=kind):
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


def test_dialled_key_has_both_of_its_tones() -> None:
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


def test_panned_sound_begins_left_and_ends_right() -> None:
    samples = render({"kind": "tone", "at": 0, "seconds": 2, "pan": -1, "pan_to": 1})
    first, last = samples[1000:4000], samples[-4000:-1000]
    assert rms(first[:, 0]) > 4 * rms(first[:, 1])
    assert rms(last[:, 1]) > 4 * rms(last[:, 0])


def test_filling_vessel_sounds_higher_at_the_end() -> None:
    left = render({"kind": "pour", "at": 0, "seconds": 2})[:, 0]

    def centroid(samples: NDArray[np.float64]) -> float:
        spectrum = np.abs(np.fft.rfft(samples)) ** 2
        return float((spectrum * np.fft.rfftfreq(len(samples), 1 / SCENE_RATE)).sum() / spectrum.sum())

    assert centroid(left[-8000:]) > centroid(left[:8000]) + 50


def centre_hz(samples: NDArray[np.float64]) -> float:
    spectrum = np.abs(np.fft.rfft(samples)) ** 2
    return float((spectrum * np.fft.rfftfreq(len(samples), 1 / SCENE_RATE)).sum() / spectrum.sum())


def onsets(samples: NDArray[np.float64], step_seconds: float = 0.01) -> NDArray[np.floating]:
    """Return the times of sudden increases in level."""
    step = round(step_seconds * SCENE_RATE)
    level = np.array([np.abs(samples[n : n + step]).max() for n in range(0, len(samples), step)])
    return np.flatnonzero((level[1:] > 1.5 * level[:-1]) & (level[1:] > 0.02)) * step_seconds


def test_hum_has_the_harmonics_of_its_pitch() -> None:
    left = render({"kind": "hum", "at": 0, "seconds": 2, "pitch": 120})[:, 0]
    spectrum = np.abs(np.fft.rfft(left * np.hanning(len(left))))
    peaks = [hertz for hertz in range(20, 800, 20) if spectrum[2 * hertz] > 0.05 * spectrum.max()]
    assert peaks == [120, 240, 360, 480, 600, 720]


def test_bang_starts_immediately_and_fades() -> None:
    left = render({"kind": "bang", "at": 0.5, "seconds": 1.5})[:, 0]
    levels = [rms(left[8000 + n : 12_000 + n]) for n in (0, 8000, 16_000)]
    assert levels[0] > 3 * levels[1] > 9 * levels[2]
    assert centre_hz(left) < 1500


def test_breaking_glass_is_bright_and_fades() -> None:
    left = render({"kind": "shatter", "at": 0, "seconds": 1.5})[:, 0]
    assert centre_hz(left) > 3000
    assert rms(left[:4000]) > 2 * rms(left[8000:12_000]) > 0


def test_drops_fall_about_twice_a_second() -> None:
    left = render({"kind": "drips", "at": 0, "seconds": 4}, seconds=4)[:, 0]
    moments = onsets(left, 0.1)
    assert 7 <= len(moments) <= 9
    assert np.ptp(np.diff(moments)) > 0.05


def test_hinge_sticks_and_slips_ever_faster() -> None:
    left = np.abs(render({"kind": "creak", "at": 0, "seconds": 2})[:, 0])
    slips = np.flatnonzero((left[1:] > 0.1) & (left[:-1] < 0.02))
    halves = (slips < SCENE_RATE).sum(), (slips >= SCENE_RATE).sum()
    assert 10 < halves[0] < halves[1]


@pytest.mark.parametrize("strokes", [1.0, 2.0, 4.0])
def test_broom_makes_the_strokes_per_second_of_its_pitch(strokes: float) -> None:
    left = render({"kind": "sweep", "at": 0, "seconds": 4, "pitch": strokes}, seconds=4)[:, 0]
    spectrum = np.abs(np.fft.rfft(left**2))[1:100]
    assert (spectrum.argmax() + 1) / 4 == strokes


def test_settling_coin_rattles_faster_and_softer_and_then_stops() -> None:
    left = render({"kind": "coin", "at": 0, "seconds": 2})[:, 0]
    rattles = onsets(left[:16_000], 0.02)
    assert np.diff(rattles)[-1] < 0.7 * np.diff(rattles)[0]
    levels = [np.abs(left[n : n + 4000]).max() for n in (0, 16_000, 24_000)]
    assert levels == sorted(levels, reverse=True)
    assert rms(left[30_000:]) < 0.01 * rms(left[24_000:28_000])


def test_swell_grows_evenly_from_its_first_to_its_last_gain() -> None:
    left = render({"kind": "tone", "at": 0, "seconds": 2, "gain": 0.1, "gain_to": 0.7})[:, 0]
    levels = [rms(left[n : n + 1600]) for n in (1600, 14_400, 28_800)]
    assert np.array(levels) / levels[1] == pytest.approx([0.145 / 0.385, 1.0, 0.67 / 0.4], rel=0.05)


def test_level_and_delay_of_a_source_follow_from_its_distance() -> None:
    tone = {"kind": "tone", "at": 0.0, "seconds": 2.0, "pitch": 250, "gain": 2.0}
    near, far = render(tone | {"from": [0, 4]}), render(tone | {"from": [0, 40]})
    levels = [rms(samples[8000:24_000, 0]) for samples in (near, far)]
    assert 20 * np.log10(levels[0] / levels[1]) == pytest.approx(20, abs=0.1)
    assert levels[0] == pytest.approx(0.8 * 2 / 4 / np.sqrt(2), rel=0.01)
    assert not far[: round(39.5 / 343 * SCENE_RATE)].any()
    assert far[: round(41 / 343 * SCENE_RATE)].any()


def test_source_that_begins_before_the_scene_is_heard_from_the_start() -> None:
    event = {"kind": "tone", "seconds": 3.0, "pitch": 250, "gain": 2.0, "from": [-30, 4], "to": [30, 4]}
    early = render(event | {"at": -0.5})
    late = render(event | {"at": 0.0}, seconds=2.5)
    assert np.array_equal(early, late[8000:])
    assert rms(early[:800]) > 0.01


def test_several_sources_in_places_add_up() -> None:
    events = [
        {"kind": "tone", "at": 0, "seconds": 2, "from": [2, 1]},
        {"kind": "tone", "at": 0.5, "seconds": 1, "pitch": 700, "from": [-3, 1], "to": [-1, 1]},
        {"kind": "tone", "at": 1, "seconds": 1, "pitch": 900, "gain": 0.2},
    ]
    separate = [render(event) for event in events]
    assert np.abs(render(*events) - sum(separate)).max() <= 2.1 / 32768


def test_scene_is_deterministic_and_changes_with_its_description() -> None:
    scene: dict[str, Any] = {"seconds": 1, "events": [{"kind": "rain", "at": 0, "seconds": 1}]}
    digest = hashlib.sha256(render_scene(scene)).hexdigest()
    assert hashlib.sha256(render_scene(dict(scene))).hexdigest() == digest
    assert render_scene(scene | {"seconds": 1.5}) != render_scene(scene)


def test_scene_that_is_too_loud_is_scaled_down_and_not_clipped() -> None:
    samples = render(*[{"kind": "tone", "at": 0, "seconds": 2, "gain": 1.0, "pan": -1.0}] * 4)
    assert 0.79 < np.abs(samples).max() <= 0.81
    assert strongest_hertz(samples[:, 0]) == pytest.approx(440, abs=1)


def test_invalid_description_is_refused(subtests: pytest.Subtests) -> None:
    rows: list[tuple[dict[str, Any], str]] = [
        ({"seconds": 0, "events": []}, "lasts up to 60 seconds"),
        ({"seconds": 61, "events": []}, "lasts up to 60 seconds"),
        ({"seconds": 1}, "no scene"),
        ({"seconds": 1, "events": [{"kind": "tone", "at": 0, "seconds": 1, "loud": 1}]}, "no scene"),
        ({"seconds": 1, "events": [{"kind": "moo", "at": 0, "seconds": 1}]}, "There is no sound 'moo'"),
        ({"seconds": 1, "events": [{"kind": "tone", "at": 1, "seconds": 1}]}, "outside the scene"),
        ({"seconds": 1, "events": [{"kind": "tone", "at": 0, "seconds": 1, "pan_to": 2}]}, "out of range"),
        ({"seconds": 1, "events": [{"kind": "dial", "at": 0, "seconds": 1, "digits": "1a"}]}, "cannot be dialled"),
        ({"seconds": 1, "events": [{"kind": "hum", "at": 0, "seconds": 1}]}, 'needs `"version": "1"`'),
        ({"seconds": 1, "events": [{"kind": "tone", "at": 0, "seconds": 1, "gain_to": 0}]}, 'needs `"version": "1"`'),
        ({"seconds": 1, "events": [{"kind": "tone", "at": 0, "seconds": 1}], "version": "1"}, "needs no `version`"),
        (describe({"kind": "tone", "at": 0, "seconds": 1, "from": [0, 2]}) | {"version": "0"}, "it has '0'"),
        (describe({"kind": "tone", "at": 0, "seconds": 1, "gain_to": 1.1}), "out of range"),
        (describe({"kind": "tone", "at": -0.1, "seconds": 1}), "outside the scene"),
        (describe({"kind": "tone", "at": -1.1, "seconds": 3, "from": [0, 2]}), "outside the scene"),
        (describe({"kind": "tone", "at": 0, "seconds": 1, "from": [0, 2], "gain": 151}), "out of range"),
        ({"seconds": 1, "events": [{"kind": "tone", "at": 0, "seconds": 1, "to": [0, 2]}]}, "comes from none"),
        (describe({"kind": "tone", "at": 0, "seconds": 1, "from": [0, 2], "pan": 0.5}), "a place and a pan"),
        (describe({"kind": "tone", "at": 0, "seconds": 1, "from": [0, 151]}), "too far off: a path stays within 150 m"),
        (describe({"kind": "tone", "at": 0, "seconds": 1, "from": [0, 1], "to": [0, 102]}), "faster than 100 m/s"),
        (describe({"kind": "tone", "at": 0, "seconds": 1, "from": [0]}), "no scene"),
        (describe({"kind": "tone", "at": 0, "seconds": 1, "from": [0, 2], "gain": 3}), "peaks at 1.* lower the gains"),
    ]
    for scene, message in rows:
        with subtests.test(scene=scene, message=message), pytest.raises(SceneError, match=message):
            render_scene(scene)
