"""Generated perception task of STAR-Bench: design, sounds, and protection of its answers."""

import hashlib
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from evaluation.answer_keys import AnswerKey, AnswerValue
from evaluation.benchmarks.star_bench import StarBench
from evaluation.benchmarks.star_bench.design import BY_SLICE, FREQUENCIES_HZ, LEVELS_DB_HL, SUB_TASKS
from evaluation.benchmarks.star_bench.rendered import RENDERER, Rendered, make_perception, room_plan
from evaluation.benchmarks.star_bench.rendered.planned import Planned
from evaluation.benchmarks.star_bench.rendered.stimuli import FINE_FLOOR, InRoom, Stimulus, Tones, render_stimulus
from evaluation.errors import AnswerKeyError, DataNotHeldError, ImportProblemsError
from evaluation.synthesis.rooms import SPEED_OF_SOUND, fits
from evaluation.types import Item, Prediction
from tests.support.samples.key_answers import position_of
from tests.support.samples.star_bench_files import make_files, write_files

SEED = "a seed of a test"
PERCEPTION = [task for task in SUB_TASKS if task.part == "perception"]
LETTERS = "ABCDE"


@pytest.fixture(scope="module")
def rendered() -> Rendered:
    return make_perception("test", SEED)


@pytest.fixture(scope="module")
def key() -> AnswerKey:
    return StarBench("1.0").make_key("test", SEED)


def of_task(rendered: Rendered, task: str) -> Iterator[tuple[Mapping[str, Any], int, list[Stimulus]]]:
    """Yield question, answer and sounds of every item of a sub-task."""
    for question in rendered.questions:
        if question["task"] == task:
            yield question, rendered.answers[question["id"]], [rendered.stimuli[name] for name in question["audio"]]


def test_design_has_the_counts_of_the_table(rendered: Rendered) -> None:
    counts = Counter(question["task"] for question in rendered.questions)
    assert counts == {task.slice: task.items for task in PERCEPTION}
    assert len(rendered.questions) == len(rendered.answers) == 951


def test_every_question_has_the_options_of_its_sub_task(rendered: Rendered) -> None:
    for question in rendered.questions:
        assert len(question["options"]) == BY_SLICE[question["task"]].options
        assert question["options"][-1] == "Unable to determine"
        assert rendered.answers[question["id"]] < len(question["options"]) - 1


def test_levels_have_the_counts_of_the_appendix(rendered: Rendered) -> None:
    counts = Counter(
        (question["task"].split("/")[-1], question["level"]) for question in rendered.questions if "level" in question
    )
    assert [counts["elevation", level] for level in range(1, 5)] == [18, 17, 17, 12]
    assert [counts["distance", level] for level in range(1, 5)] == [12, 12, 12, 9]
    assert {counts[name, level] for name in ("pitch", "loudness", "duration", "azimuth") for level in range(1, 7)} == {
        20
    }


def test_first_is_greater_as_often_as_the_second(rendered: Rendered, subtests: pytest.Subtests) -> None:
    for name in ("pitch", "loudness", "duration", "elevation", "distance"):
        with subtests.test(name=name):
            items = list(of_task(rendered, f"perception/sensitivity/{name}"))
            answers = Counter(answer for _, answer, _ in items)
            assert abs(answers[0] - answers[1]) <= 3
            assert {answer for question, answer, _ in items if question["level"] == 1} == {2}


def test_audiogram_has_each_cell_once_and_balanced_answers(rendered: Rendered) -> None:
    cells = [(q["frequency_hz"], q["level_db_hl"]) for q, _, _ in of_task(rendered, "perception/range/pitch-loudness")]
    assert sorted(cells) == sorted((hz, db) for hz in FREQUENCIES_HZ for db in LEVELS_DB_HL)
    answers = Counter(answer for _, answer, _ in of_task(rendered, "perception/range/pitch-loudness"))
    assert sorted(answers.values()) == [47, 48, 48]


def test_audiogram_answer_is_the_half_with_the_tone(rendered: Rendered) -> None:
    for question, answer, (sound,) in of_task(rendered, "perception/range/pitch-loudness"):
        samples, rate = soundfile.read(io.BytesIO(render_stimulus(sound)))
        halves = np.abs(samples).reshape(2, -1).max(axis=1)
        assert isinstance(sound, Tones)
        if answer == 2 or sound.tones[0].amplitude > 20 * FINE_FLOOR:
            assert [half > 10 * FINE_FLOOR for half in halves] == [answer == 0, answer == 1], question["id"]
        assert (samples == 0).mean() < 0.01
        assert rate == 24_000
        assert halves.max() < 1


def test_audiogram_levels_are_ten_decibels_apart(rendered: Rendered) -> None:
    amplitudes: dict[int, dict[int, float]] = {}
    for question, answer, (sound,) in of_task(rendered, "perception/range/pitch-loudness"):
        assert isinstance(sound, Tones)
        if answer != 2:
            amplitudes.setdefault(question["frequency_hz"], {})[question["level_db_hl"]] = sound.tones[0].amplitude
    for of_frequency in amplitudes.values():
        for (low, quiet), (high, loud) in pairwise(sorted(of_frequency.items())):
            assert 20 * np.log10(loud / quiet) == pytest.approx(high - low)


def test_two_tones_differ_in_one_property_by_the_step_of_their_level(rendered: Rendered) -> None:
    steps = {
        "pitch": (0, 50, 100, 200, 400, 1200),
        "loudness": (0, 4, 8, 12, 24, 48),
        "duration": (0, 20, 50, 100, 150, 200),
    }
    for name, sizes in steps.items():
        for question, answer, (sound,) in of_task(rendered, f"perception/sensitivity/{name}"):
            assert isinstance(sound, Tones)
            first, second = sound.tones
            measured = {
                "pitch": 1200 * np.log2(first.frequency_hz / second.frequency_hz),
                "loudness": 20 * np.log10(first.amplitude / second.amplitude),
                "duration": 100 * (max(first.seconds / second.seconds, second.seconds / first.seconds) - 1),
            }
            size = sizes[question["level"] - 1]
            assert abs(measured.pop(name)) == pytest.approx(size, abs=1e-6)
            assert list(measured.values()) == pytest.approx([0, 0])
            greater = {0: first, 1: second}.get(answer)
            if greater is not None:
                assert (greater.frequency_hz, greater.amplitude, greater.seconds) == tuple(
                    max(getattr(first, field), getattr(second, field))
                    for field in ("frequency_hz", "amplitude", "seconds")
                )


def test_azimuth_has_every_angle_in_every_room_for_both_listeners(rendered: Rendered) -> None:
    sounds = [(answer, sound) for _, answer, (sound,) in of_task(rendered, "perception/range/azimuth")]
    counts = Counter((s.place.azimuth_degrees, s.room, s.listener) for _, s in sounds if isinstance(s, InRoom))
    assert len(counts) == 48
    assert set(counts.values()) == {2}
    assert all(answer == s.place.azimuth_degrees // 90 for answer, s in sounds if isinstance(s, InRoom))


def test_elevation_answer_follows_from_the_angle(rendered: Rendered) -> None:
    answers: Counter[tuple[float, AnswerValue]] = Counter()
    for _, answer, (sound,) in of_task(rendered, "perception/range/elevation"):
        assert isinstance(sound, InRoom)
        answers[sound.place.elevation_degrees, answer] += 1
    assert answers == {(-75, 1): 12, (-45, 1): 12, (-15, 2): 12, (15, 2): 12, (45, 0): 12, (75, 0): 12}


def numbers_in(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"\d+", text)]


def test_right_option_contains_the_position_of_the_source(rendered: Rendered) -> None:
    for question, answer, (sound,) in of_task(rendered, "perception/range/azimuth"):
        assert isinstance(sound, InRoom)
        low, high = numbers_in(question["options"][answer])
        assert low < sound.place.azimuth_degrees < high
    bounds = {"Near": (0.0, 1), "Medium": (0.0, 2), "Far": (float("inf"), 1)}
    for question, answer, (sound,) in of_task(rendered, "perception/range/distance"):
        assert isinstance(sound, InRoom)
        option = question["options"][answer]
        beyond, n_numbers = bounds[option.split()[0]]
        numbers = numbers_in(option)
        assert len(numbers) == n_numbers
        assert min(*numbers, beyond) < sound.place.distance_metres < max(*numbers, beyond)


@pytest.mark.parametrize(
    ("name", "field"),
    [("azimuth", "azimuth_degrees"), ("elevation", "elevation_degrees"), ("distance", "distance_metres")],
)
def test_right_option_follows_from_the_threshold_in_the_question(rendered: Rendered, name: str, field: str) -> None:
    for question, answer, (first, second) in of_task(rendered, f"perception/sensitivity/{name}"):
        assert isinstance(first, InRoom)
        assert isinstance(second, InRoom)
        step = abs(getattr(first.place, field) - getattr(second.place, field))
        step = min(step, 360 - step) if name == "azimuth" else step
        threshold = numbers_in(question["question"])[-1]
        option = question["options"][answer]
        assert (step < threshold) == ("same" in option or "equally" in option)


def test_distances_match_the_appendix_and_avoid_the_boundaries(rendered: Rendered) -> None:
    metres = []
    for _, answer, (sound,) in of_task(rendered, "perception/range/distance"):
        assert isinstance(sound, InRoom)
        distance = sound.place.distance_metres
        assert answer == (0 if distance < 2.95 else 1 if 3.05 < distance < 7.95 else 2)
        metres.append(distance)
    assert Counter(np.ceil(np.array(metres) - 0.5).astype(int).tolist())[2] == 6
    assert (min(metres) >= 1, max(metres) <= 10) == (True, True)


def test_room_does_not_reveal_the_distance(rendered: Rendered) -> None:
    rooms: dict[bool, set[str]] = {False: set(), True: set()}
    for _, answer, (sound,) in of_task(rendered, "perception/range/distance"):
        assert isinstance(sound, InRoom)
        rooms[answer == 0].add(sound.room)
    assert rooms[True] == {"small", "medium", "large"}
    assert "large" in rooms[False]


def test_pairs_in_rooms_differ_only_in_place_by_the_step_of_their_level(rendered: Rendered) -> None:
    apart = {"azimuth": (30, 60, 90, 120, 150, 180), "elevation": (15, 90, 120, 150)}
    for name in ("azimuth", "elevation", "distance"):
        for question, answer, (first, second) in of_task(rendered, f"perception/sensitivity/{name}"):
            assert isinstance(first, InRoom)
            assert isinstance(second, InRoom)
            assert replace(first, place=second.place, lead_seconds=second.lead_seconds) == second
            level = question["level"]
            field = "distance_metres" if name == "distance" else f"{name}_degrees"
            step = getattr(first.place, field) - getattr(second.place, field)
            if name == "azimuth":
                assert min(step % 360, -step % 360) == apart[name][level - 1]
                assert answer == int(level > 1)
                continue
            if name == "elevation":
                assert abs(step) == apart[name][level - 1]
            else:
                low, high = ((1, 2), (4, 5), (6, 7), (8, 9))[level - 1]
                assert low <= abs(step) <= high
            assert answer == (2 if level == 1 else int(step < 0))


def test_arrival_of_direct_sound_does_not_reveal_the_distance(rendered: Rendered) -> None:
    rooms = [sound for sound in rendered.stimuli.values() if isinstance(sound, InRoom)]
    arrivals = np.array([sound.lead_seconds + sound.place.distance_metres / SPEED_OF_SOUND for sound in rooms])
    assert (arrivals.min() >= 0.03, arrivals.max() <= 0.13) == (True, True)
    assert all(sound.lead_seconds >= 0 for sound in rooms)
    assert abs(np.corrcoef(arrivals, [sound.place.distance_metres for sound in rooms])[0, 1]) < 0.15


def test_room_listener_and_dry_sound_do_not_reveal_the_answer(subtests: pytest.Subtests, soak: bool) -> None:
    n_seen = 40 if soak else 16
    rows: list[tuple[Callable[[np.random.Generator], Iterator[Planned]], float]] = [
        (room_plan.plan_azimuth, 0.33),  # of four
        (room_plan.plan_elevation, 0.41),  # of three
        (room_plan.plan_azimuth_pairs, 0.85),  # five pairs in six are far apart
        (room_plan.plan_elevation_pairs, 0.43),  # of three
        (room_plan.plan_distance_pairs, 0.45),
    ]
    for plan, max_accuracy in rows:
        with subtests.test(plan=plan, max_accuracy=max_accuracy):
            seen: dict[tuple[str, int, str], Counter[int]] = {}
            for number in range(n_seen):
                for item in plan(np.random.default_rng(number)):
                    seen.setdefault(_setting(item), Counter())[item.answer] += 1
            right = [
                seen[_setting(item)].most_common(1)[0][0] == item.answer
                for number in range(n_seen, n_seen + n_seen // 2)
                for item in plan(np.random.default_rng(number))
            ]
            assert np.mean(right) < max_accuracy


def _setting(item: Planned) -> tuple[str, int, str]:
    sound = item.stimuli[0]
    assert isinstance(sound, InRoom)
    return sound.room, sound.listener, sound.source


def test_every_source_is_inside_its_room(rendered: Rendered) -> None:
    rooms = [sound for sound in rendered.stimuli.values() if isinstance(sound, InRoom)]
    assert len(rooms) == 96 + 72 + 51 + 2 * (120 + 64 + 45)
    assert all(fits(sound.room, sound.listener, sound.place) for sound in rooms)


def test_clips_of_a_sub_task_have_equal_length_and_format(key: AnswerKey, soak: bool) -> None:
    benchmark = StarBench("1.0")
    formats_by_task: dict[str, set[object]] = {}
    of_task: dict[str, list[Item]] = {}
    for item in benchmark.content(key).items:
        of_task.setdefault(item.task, []).append(item)
    # In the suite, the first and the last of each sub-task.
    for item in (item for items in of_task.values() for item in items[:: 9 if soak else len(items) - 1]):
        for clip in item.clips:
            info = soundfile.info(io.BytesIO(benchmark.render_clip(key, clip)))
            formats_by_task.setdefault(item.task, set()).add(
                (info.frames, info.samplerate, info.channels, info.subtype)
            )
    assert formats_by_task.keys() == {task.slice for task in PERCEPTION}
    assert {task: len(formats) for task, formats in formats_by_task.items()} == dict.fromkeys(formats_by_task, 1)
    assert formats_by_task["perception/range/pitch-loudness"] == {(72_000, 24_000, 1, "FLOAT")}
    assert formats_by_task["perception/range/azimuth"] == {(92_610, 44_100, 2, "PCM_16")}


def test_names_and_order_reveal_nothing(rendered: Rendered, key: AnswerKey) -> None:
    items = StarBench("1.0").content(key).items
    assert all(item.id.startswith("star-") and len(item.id) == 13 for item in items)
    assert len({clip for item in items for clip in item.clips}) == sum(len(item.clips) for item in items)
    answers = [rendered.answers[item.id] for item in items if item.task == "perception/range/azimuth"]
    assert answers != sorted(answers)
    assert not any("rendered" in clip or "level" in clip for item in items for clip in item.clips)


def test_seed_changes_names_sounds_and_answers(rendered: Rendered) -> None:
    other, practice = make_perception("test", "another seed"), make_perception("practice", SEED)
    for twin in (other, practice):
        assert not rendered.answers.keys() & twin.answers.keys()
        assert [rendered.answers[q["id"]] for q in rendered.questions] != [
            twin.answers[q["id"]] for q in twin.questions
        ]
        assert rendered.stimuli != twin.stimuli


def test_practice_split_is_public_and_test_split_secret() -> None:
    benchmark = StarBench("1.0")
    assert benchmark.make_key("practice") == benchmark.make_key("practice")
    assert benchmark.make_key("test").seed != benchmark.make_key("test").seed
    assert benchmark.made_parts == {"perception"}
    assert benchmark.min_public_items == 100


def test_key_of_another_design_is_refused(key: AnswerKey) -> None:
    renamed = tuple({**q, "audio": [f"{name}/x" for name in q["audio"]]} for q in key.questions)
    with pytest.raises(AnswerKeyError, match="its rendered clips differ"):
        StarBench("1.0").check_key(replace(key, questions=renamed))


def test_unknown_sound_is_not_rendered(key: AnswerKey) -> None:
    with pytest.raises(DataNotHeldError):
        StarBench("1.0").render_clip(key, "clip-unknown")


def answers_of(key: AnswerKey, letters: Mapping[str, str] | None = None) -> list[Prediction]:
    """Return right answers to all items, or the answers in `letters` to some."""
    items = {item.id: item for item in StarBench("1.0").content(key).items}
    predictions = []
    for item_id in items if letters is None else letters:
        options = len(items[item_id].options)
        for run in items[item_id].runs:
            right = LETTERS[(position_of(key.answers[item_id]) + run) % options]
            predictions.append(Prediction(item_id, run, right if letters is None else letters[item_id]))
    return predictions


def test_right_answers_score_one_everywhere(key: AnswerKey) -> None:
    report = StarBench("1.0").score(key, answers_of(key))
    assert {report.scores[task.slice]["acr"].value for task in PERCEPTION} == {1.0}
    assert report.scores["perception"]["aa"].value == 1.0
    assert report.scores["perception/range/pitch-loudness/1000hz"]["aa"].n == 13
    assert report.scores["perception/range/pitch-loudness/40db"]["aa"].n == 11
    assert "overall" not in report.scores


def test_test_split_has_no_score_of_a_single_cell(key: AnswerKey) -> None:
    report = StarBench("1.0").score(key, answers_of(key))
    assert not [name for name, metrics in report.scores.items() if metrics["aa"].n < 9]
    practice = StarBench("1.0").make_key("practice")
    cells = StarBench("1.0").score(practice, answers_of(practice)).scores
    assert cells["perception/range/pitch-loudness/1000hz/40db"]["aa"].n == 1


def test_file_with_gaps_reveals_no_answer(key: AnswerKey) -> None:
    item_id = next(q["id"] for q in key.questions if q["task"] == "perception/range/azimuth")
    report = StarBench("1.0").score(key, answers_of(key, {item_id: "A"}))
    assert "perception/range/azimuth" not in report.scores
    assert "perception" not in report.scores
    item_ids = [q["id"] for q in key.questions if q["task"] == "perception/sensitivity/pitch"][:40]
    report = StarBench("1.0").score(key, answers_of(key, dict.fromkeys(item_ids, "A")))
    assert report.scores["perception/sensitivity/pitch"]["aa"].n == 120
    assert not [name for name in report.scores if "level" in name]


def test_import_of_recordings_keeps_the_perception_task_of_the_key(tmp_path: Path, key: AnswerKey) -> None:
    write_files(tmp_path, make_files({"spatial/relation": 3}))
    imported = StarBench("1.0").import_folder(tmp_path, SEED)
    assert set(key.answers.items()) <= set(imported.key.answers.items())
    assert len(imported.key.answers) == 951 + 3
    assert not [path for path in imported.absent if "rendered" in path]
    StarBench("1.0").check_key(imported.key)


def test_imported_perception_task_replaces_the_generated_one(tmp_path: Path) -> None:
    write_files(tmp_path, make_files({"perception/range/azimuth": 3}))
    assert len(StarBench("1.0").import_folder(tmp_path, SEED).key.answers) == 3


@pytest.mark.parametrize("path", ["rendered:perception/range/azimuth/0/1", "rendered:anything"])
def test_import_that_names_a_rendered_sound_is_refused(tmp_path: Path, path: str) -> None:
    files = make_files({"spatial/relation": 3})
    _, (entry, *_) = next((name, rows) for name, rows in files.items() if rows)
    entry["audio_paths"] = [path]
    write_files(tmp_path, files)
    with pytest.raises(ImportProblemsError, match="is the name of a rendered clip"):
        StarBench("1.0").import_folder(tmp_path, SEED)


def test_import_with_an_id_of_a_rendered_item_is_refused(tmp_path: Path, key: AnswerKey) -> None:
    files = make_files({"spatial/relation": 3})
    _, (entry, *_) = next((name, rows) for name, rows in files.items() if rows)
    entry["id"] = next(iter(key.answers))
    write_files(tmp_path, files)
    with pytest.raises(ImportProblemsError, match="belongs to the rendered perception task"):
        StarBench("1.0").import_folder(tmp_path, SEED)


def test_questions_and_sounds_are_unchanged() -> None:
    benchmark = StarBench("1.0")
    key = benchmark.make_key("practice")
    content = benchmark.content(key)
    rendered = [clip for clip in content.clips if "@" not in clip]
    spread = [benchmark.render_clip(key, clip) for clip in rendered[::60]]
    joined = hashlib.sha256(b"".join(spread)).hexdigest()[:16]
    assert (RENDERER, content.digest[:16], joined) == (
        ("2", "1", "kemar-ism-1"),
        "63e476a024c11402",
        "ac9cf5563a96b21d",
    ), "The perception task changed: raise the version of its design or renderer, then pin it again."
