"""Demonstration set of STAR-Bench: every sub-task, balanced answers, and sounds at the positions of their questions."""

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation.audio import decode_wav
from evaluation.benchmarks.star_bench import StarBench
from evaluation.benchmarks.star_bench.design import SUB_TASKS, TEMPORAL_CODES
from evaluation.benchmarks.star_bench.importer import FILES
from evaluation.benchmarks.star_bench.questions import right_positions
from evaluation.synthesis.scenes import SCENE_VERSION
from evaluation.types import Prediction

pytestmark = pytest.mark.usefixtures("demo_sounds_once")

DEMO = StarBench("demo")
KEY = DEMO.make_key("practice")
ITEMS = DEMO.content(KEY).items
SCENES = DEMO.scenes
RATE = 16_000
LONGEST_LAG = 10  # samples; the ears are 8.4 samples apart

MIN_QUESTIONS = {"perception": 2, "temporal": 6, "spatial": 6}
TEMPORAL = [f"demo_{code}_{number}" for code in TEMPORAL_CODES for number in range(1, 7)]

Samples = NDArray[np.float64]


@cache
def sound(path: str) -> Samples:
    samples, rate = decode_wav(DEMO.render_demo_sound(f"starbench_audios/demo/{path}.wav"))
    assert rate == RATE
    scaled = samples / 32768
    scaled.flags.writeable = False
    return scaled


def pieces(item_id: str) -> list[Samples]:
    return [sound(f"temporal/{item_id}/piece_{piece}") for piece in "xyz"]


def part(samples: Samples, begin: float, end: float) -> Samples:
    return samples[round(begin * RATE) : round(end * RATE)]


def level_db(samples: Samples) -> float:
    return float(10 * np.log10(np.mean(samples**2)))


def centre_hz(samples: Samples) -> float:
    spectrum = np.abs(np.fft.rfft(samples[:, 0])) ** 2
    return float((spectrum * np.fft.rfftfreq(len(samples), 1 / RATE)).sum() / spectrum.sum())


def lag(samples: Samples) -> int:
    """Return the delay of the left ear in samples; above 0, the source is on the right."""
    left, right = samples.T
    inner = slice(LONGEST_LAG, len(left) - LONGEST_LAG)
    lags = range(-LONGEST_LAG, LONGEST_LAG + 1)
    return max(lags, key=lambda shift: float(np.roll(left, -shift)[inner] @ right[inner]))


def entries(part_name: str) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads((DEMO.demo_dir / FILES[part_name]).read_text(encoding="utf-8"))
    return loaded


def test_sub_task_has_enough_questions_and_balanced_answer_positions(subtests: pytest.Subtests) -> None:
    for task in SUB_TASKS:
        with subtests.test(task=task):
            positions = Counter(KEY.answers[item.id] for item in ITEMS if item.task == task.slice)
            assert positions.total() >= MIN_QUESTIONS[task.part]
            if task.part == "perception":
                assert max(positions.values()) * 2 <= positions.total()
            else:
                right = 6 if task.part == "temporal" else 3
                assert sorted(positions.values()) == [positions.total() // right] * right


def test_constant_answer_scores_at_most_chance(subtests: pytest.Subtests) -> None:
    for letter in "ABCDEFG":
        with subtests.test(letter=letter):
            rows = [
                Prediction(item.id, run, f"<{letter}>")
                for item in ITEMS
                if "ABCDEFG".index(letter) < len(item.options)
                for run in item.runs
            ]
            scores = {
                name: score.value for name, metric, score in DEMO.score(KEY, rows).list_scores() if metric == "aa"
            }
            for task in SUB_TASKS:
                expected = 1 / 6 if task.part == "temporal" and letter != "G" else 1 / task.options
                assert (scores.get(task.slice) or 0.0) <= expected + 1e-9, task.slice


def test_right_order_of_a_temporal_item_differs_between_runs() -> None:
    for item in (item for item in ITEMS if item.part == "temporal"):
        assert len(set(right_positions(item, KEY.answers[item.id]))) == 3


def test_set_is_imported_without_repairs_or_deviations() -> None:
    imported = DEMO.import_folder(DEMO.demo_dir, "seed")
    assert imported.repaired == ()
    assert imported.deviations == ()
    assert len(imported.key.answers) == len(ITEMS)


def test_every_sound_has_a_caption_and_every_process_its_uncut_audio(subtests: pytest.Subtests) -> None:
    for item in ITEMS:
        with subtests.test(item=item):
            assert all(item.context[f"caption-{place}"] for place in range(1, len(item.clips) + 1))
            if item.part == "temporal":
                assert item.context["global-caption"]
                assert item.context["uncut-audio"] not in item.clips


def test_sounds_last_less_than_twelve_minutes_in_total() -> None:
    seconds = [scene["seconds"] if "seconds" in scene else scene["end"] - scene["begin"] for scene in SCENES.values()]
    assert sum(seconds) < 12 * 60


def test_scenes_use_places_and_never_pan() -> None:
    for path, scene in SCENES.items():
        events = scene.get("events", [])
        assert not any({"pan", "pan_to"} & event.keys() for event in events), path
        if any(word in path for word in ("spatial", "azimuth", "distance")):
            assert any("from" in event for event in events), path


def test_pieces_cover_the_recording_in_order() -> None:
    for item_id in TEMPORAL:
        base = f"starbench_audios/demo/temporal/{item_id}"
        cuts = [SCENES[f"{base}/piece_{piece}.wav"] for piece in "xyz"]
        assert {cut["cut_from"] for cut in cuts} == {f"{base}/uncut.wav"}
        ends = [cut["end"] for cut in cuts]
        assert [cut["begin"] for cut in cuts] == [0, *ends[:2]]
        assert ends[2] == SCENES[f"{base}/uncut.wav"]["seconds"]
        assert all(cut["end"] - cut["begin"] >= 1.5 for cut in cuts)


def test_pieces_of_a_recording_are_audible_and_differ(soak: bool) -> None:
    for item_id in TEMPORAL[:: 1 if soak else 4]:
        samples = pieces(item_id)
        assert all(np.abs(piece).max() > 0.01 for piece in samples), item_id
        assert len({piece.tobytes() for piece in samples}) == 3


def test_passing_source_reveals_no_piece_by_silence_at_its_ends() -> None:
    for number in (1, 3, 4, 6):
        for piece in pieces(f"demo_OSM_{number}"):
            assert min(np.abs(part(piece, 0, 0.03)).max(), np.abs(piece[-480:]).max()) > 0.005, number


def test_passing_source_approaches_and_recedes(subtests: pytest.Subtests) -> None:
    for item_id in ("demo_OSM_1", "demo_OSM_2", "demo_OSM_3", "demo_OSM_4", "demo_OSM_5"):
        with subtests.test(item_id=item_id):
            first, middle, last = pieces(item_id)
            assert level_db(middle) > max(level_db(first), level_db(last)) + 4
            for piece, sign in ((first, 1), (last, -1)):
                half = len(piece) // 2
                assert sign * (level_db(piece[half:]) - level_db(piece[:half])) > 1.5


def test_side_of_a_source_is_an_interaural_time_difference(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, int, int]] = [
        ("temporal/demo_OSM_1/uncut", -1, 1),
        ("temporal/demo_OSM_2/uncut", -1, 1),
        ("temporal/demo_OSM_4/uncut", 1, -1),
        ("spatial/demo_spatial_trajectory_001", -1, 1),
        ("spatial/demo_spatial_trajectory_002", 1, -1),
        ("spatial/demo_spatial_trajectory_003", -1, -1),
        ("spatial/demo_spatial_trajectory_007", -1, 1),
        ("spatial/demo_spatial_localization_002", -1, -1),
        ("spatial/demo_spatial_relation_005", -1, -1),
        ("perception/demo_range_azimuth_001", 1, 1),
        ("perception/demo_range_azimuth_002", -1, -1),
        ("perception/demo_range_azimuth_003", 1, 1),
        ("perception/demo_range_azimuth_004", -1, -1),
        ("perception/demo_sensitivity_azimuth_001_1", -1, -1),
        ("perception/demo_sensitivity_azimuth_001_2", 1, 1),
        ("perception/demo_sensitivity_azimuth_002_1", -1, -1),
        ("perception/demo_sensitivity_azimuth_002_2", 1, 1),
        ("spatial/demo_spatial_localization_004", 0, 0),
    ]
    for path, begin, end in rows:
        with subtests.test(path=path, begin=begin, end=end):
            samples = sound(path)
            half = len(samples) // 2
            assert [np.sign(lag(samples[:half])), np.sign(lag(samples[half:]))] == [begin, end]


def test_two_sources_are_on_the_sides_of_the_answers() -> None:
    alarm_then_both = sound("spatial/demo_spatial_relation_001")
    assert lag(part(alarm_then_both, 0.3, 1.4)) < 0
    knock, telephone = (part(sound("spatial/demo_spatial_relation_003"), *span) for span in ((0.3, 1.6), (2, 3)))
    assert lag(knock) == lag(telephone) > 0
    bells = sound("spatial/demo_spatial_relation_004")
    assert level_db(part(bells, 2.6, 3.6)) - level_db(part(bells, 0.2, 1.2)) > 10
    ahead, behind = (part(sound("spatial/demo_spatial_relation_006"), *span) for span in ((0.2, 2.2), (2.7, 4.7)))
    assert centre_hz(ahead) > 2 * centre_hz(behind)


def test_circling_steps_are_first_on_the_right_and_then_on_the_left() -> None:
    samples = sound("spatial/demo_spatial_trajectory_006")
    assert [np.sign(lag(part(samples, at, at + 1))) for at in (1.5, 5.5)] == [1, -1]


@pytest.mark.parametrize(("number", "near", "far"), [(1, 3.0, 4.0), (2, 1.2, 9.8), (3, 1.5, 8.0)])
def test_level_difference_of_a_pair_follows_from_its_distances(number: int, near: float, far: float) -> None:
    levels = sorted(level_db(sound(f"perception/demo_sensitivity_distance_{number:03}_{k}")) for k in (1, 2))
    # An ear is 9 cm from the middle of the head, so it is slightly farther from the source.
    expected = 10 * np.log10((far**2 + 0.09**2) / (near**2 + 0.09**2))
    assert levels[1] - levels[0] == pytest.approx(expected, abs=0.1)


def test_beeps_of_a_van_have_doppler_shifts() -> None:
    samples = sound("spatial/demo_spatial_trajectory_008")

    def hertz(begin: float) -> float:
        piece = part(samples, begin, begin + 1)[:, 0]
        spectrum = np.abs(np.fft.rfft(piece * np.hanning(len(piece)), 16 * len(piece)))
        return float(spectrum.argmax() / 16)

    assert hertz(0.5) / 850 == pytest.approx(343 / (343 - 9), rel=0.002)
    assert hertz(4.5) / 850 == pytest.approx(343 / (343 + 9), rel=0.002)


def test_vessel_engine_and_rain_rise_and_bell_and_ball_fall() -> None:
    for item_id, measure in (("demo_ISSE_2", centre_hz), ("demo_ISSE_5", level_db)):
        values = [measure(piece) for piece in pieces(item_id)]
        assert values == sorted(values), item_id
    for item_id in ("demo_ISSE_1", "demo_ISSE_3", "demo_ISSE_6", "demo_OSM_6"):
        values = [level_db(piece) for piece in pieces(item_id)]
        assert values[0] > values[1] + 1 > values[2] + 2, item_id


def test_content_digest_contains_the_scene_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text = (DEMO.demo_dir / "scenes.json").read_text(encoding="utf-8")
    version = f'"version": "{SCENE_VERSION}"'
    assert text.count(version) > 50
    (tmp_path / "scenes.json").write_text(text.replace(version, '"version": "another"'), encoding="utf-8")
    other = StarBench("demo")
    before = DEMO.content(KEY).digest
    monkeypatch.setattr(StarBench, "demo_dir", tmp_path)
    assert other.content(KEY).digest != before


def test_questions_contain_their_right_option() -> None:
    for entry in [*entries("perception"), *entries("spatial")]:
        assert entry["answer"] in entry["options"]
        assert entry["question"].endswith((".", "?"))
