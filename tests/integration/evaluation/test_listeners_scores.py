"""Accuracy of the listeners on the practice splits: sides, noise, detection thresholds."""

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
import pytest

from evaluation import Benchmark, all_benchmarks, get_benchmark, read_boolean, read_choice, read_choices
from evaluation.answer_keys import AnswerKey
from evaluation.extraction import read_steps
from evaluation.listeners import LISTENERS, Heard, Sound, get_listener
from evaluation.types import AudioPart, Item, Reading, Run
from tests.support.samples.listening import hear_run, swap_sides

MOTION, STAR = get_benchmark("audio-motion-bench"), get_benchmark("star-bench", "1.0")
PRACTISED = [benchmark for benchmark in all_benchmarks() if "practice" in benchmark.splits]
KEYS = {benchmark: benchmark.make_key("practice") for benchmark in PRACTISED}
STIMULI = {question["id"]: question for question in KEYS[STAR].questions}


def items_of(benchmark: Benchmark, task: str) -> list[Item]:
    return [item for item in benchmark.content(KEYS[benchmark]).items if item.task.endswith(task)]


def right_option(benchmark: Benchmark, item: Item) -> str:
    return item.options[int(str(KEYS[benchmark].answers[item.id]))]


@cache
def render(benchmark: Benchmark, clip: str) -> bytes:
    """Render a clip of a practice split, cached for all tests and both kinds of listeners."""
    return benchmark.render_clip(KEYS[benchmark], clip)


def hear(benchmark: Benchmark, run: Run) -> tuple[Heard, ...]:
    clips = {part.clip for part in run.prompt if isinstance(part, AudioPart)}
    return hear_run(run, {clip: render(benchmark, clip) for clip in clips})


def ask(listener: str, benchmark: Benchmark, item: Item, snr_db: float | None = None) -> str | None:
    """Return the option that a listener chooses, with the clip's noise or more."""
    heard = hear(benchmark, benchmark.run(item, 0, "default"))
    if snr_db is not None:
        heard = tuple(piece if isinstance(piece, str) else add_noise(piece, snr_db) for piece in heard)
    index = read_choice(get_listener(listener).answer(heard), item.options).index
    return None if index is None else item.options[index]


def add_noise(sound: Sound, snr_db: float) -> Sound:
    noise = np.random.default_rng(3).standard_normal(sound.samples.shape)
    return Sound(sound.samples + np.std(sound.samples) * 10 ** (-snr_db / 20) * noise, sound.rate)


def accuracy(listener: str, benchmark: Benchmark, items: Sequence[Item], snr_db: float | None = None) -> float:
    return float(np.mean([ask(listener, benchmark, one, snr_db) == right_option(benchmark, one) for one in items]))


# --- sides ----------------------------------------------------------------------------------------------------------


def side_accuracy(listener: str, items: Sequence[Item]) -> tuple[float, int]:
    """Return the share of choices of the correct path among choices of it or its left-right mirror image, and their
    number.
    """
    said = [(ask(listener, MOTION, item), right_option(MOTION, item)) for item in items]
    sides = [chosen == right for chosen, right in said if chosen in (right, swap_sides(right))]
    return float(np.mean(sides)), len(sides)


def test_mono_listener_is_at_chance_on_sides_of_clean_paths_and_binaural_is_not(soak: bool) -> None:
    mirrored = [
        item
        for item in items_of(MOTION, "/clean/mcq")
        if (image := swap_sides(right_option(MOTION, item))) != right_option(MOTION, item) and image in item.options
    ]
    assert len(mirrored) > 100
    two, _ = side_accuracy("earshot-binaural", mirrored[:: 4 if soak else 12])
    one, n_sides = side_accuracy("earshot-mono", mirrored[:: 3 if soak else 9])
    assert two >= 0.9
    # Three standard deviations of fair draws.
    assert abs(one - 0.5) <= 1.5 / n_sides**0.5


def test_mono_listener_is_at_chance_on_sides_of_sources_in_rooms_and_binaural_is_not(soak: bool) -> None:
    items = items_of(STAR, "range/azimuth")[:: 5 if soak else 11]
    sides = ["right" in right_option(STAR, item) for item in items]
    one, two = (
        np.mean([("right" in str(ask(name, STAR, item))) == side for item, side in zip(items, sides, strict=True)])
        for name in ("earshot-mono", "earshot-binaural")
    )
    assert two >= 0.9
    assert abs(one - 0.5) <= 1.5 / len(items) ** 0.5


# --- noise ----------------------------------------------------------------------------------------------------------


def test_binaural_listener_chooses_most_clean_paths_and_fewer_with_more_noise(soak: bool) -> None:
    items = items_of(MOTION, "/clean/mcq")[:: 9 if soak else 27]
    clean, some, most = (accuracy("earshot-binaural", MOTION, items, snr_db) for snr_db in (None, 15.0, -30.0))
    assert clean >= 0.75
    assert clean >= some >= most + 0.25


# --- detection thresholds -------------------------------------------------------------------------------------------


def test_larger_differences_between_two_tones_are_detected_more_often(subtests: pytest.Subtests, soak: bool) -> None:
    for name in ("pitch", "loudness"):
        for listener in ("earshot-mono", "earshot-binaural"):
            with subtests.test(listener=listener, name=name):
                items = items_of(STAR, f"sensitivity/{name}")
                levels = [[item for item in items if STIMULI[item.id]["level"] == level] for level in range(1, 7)]
                same, *found = (accuracy(listener, STAR, of_level[: 6 if soak else 3]) for of_level in levels)
                assert same >= 0.9, "equal tones are heard as equal"
                assert found == sorted(found)
                assert found[-1] == 1.0


def test_tone_heard_at_one_level_is_heard_at_every_higher_one() -> None:
    heard: dict[int, dict[int, bool]] = {}
    for item in items_of(STAR, "range/pitch-loudness"):
        if not right_option(STAR, item).startswith("There is no"):
            stimulus = STIMULI[item.id]
            of_frequency = heard.setdefault(stimulus["frequency_hz"], {})
            of_frequency[stimulus["level_db_hl"]] = ask("earshot-binaural", STAR, item) == right_option(STAR, item)
    assert len(heard) == 11
    for frequency_hz, levels in heard.items():
        by_level = [levels[level] for level in sorted(levels)]
        assert by_level == sorted(by_level), frequency_hz
        assert (by_level[0], by_level[-1]) == (False, True), "the faintest is below hearing, the loudest is not"


# --- every kind of question -----------------------------------------------------------------------------------------


def runs_of_every_kind(benchmark: Benchmark, key: AnswerKey, *, soak: bool) -> Iterator[tuple[Item, Run]]:
    """Yield one run of every task: in every setting of its packs, or by turns in one if tasks are many."""
    firsts = {item.task: item for item in reversed(benchmark.content(key).items)}
    for number, item in enumerate(firsts.values()):
        settings = [setting for setting in benchmark.packed_settings if item.part in benchmark.parts_of(setting)]
        is_whole = soak or len(firsts) < len(settings)
        for setting in settings if is_whole else [settings[number % len(settings)]]:
            yield item, benchmark.run(item, 0, setting)


def read_answer(answer: str, item: Item, run: Run) -> Reading:
    match run.answer_format:
        case "choice":
            return read_choice(answer, run.options)
        case "choices":
            return read_choices(answer, run.options)
        case "boolean":
            return read_boolean(answer)
        case "steps":
            assert item.n_steps is not None
            return read_steps(answer, item.n_steps)
        case "text":
            return Reading(reason=None if answer else "empty")


def test_every_kind_of_question_is_answered_or_refused_with_a_message(subtests: pytest.Subtests, soak: bool) -> None:
    for benchmark in PRACTISED:
        with subtests.test(benchmark=benchmark):
            key = KEYS[benchmark]
            runs = list(runs_of_every_kind(benchmark, key, soak=soak))
            assert {item.task for item, _ in runs} == {item.task for item in benchmark.content(key).items}
            for item, run in runs:
                prompt = hear(benchmark, run)
                for name, listener in LISTENERS.items():
                    reading = read_answer(listener.answer(prompt), item, run)
                    allowed = {None} if name == "earshot-chance" else {None, "refusal"}
                    assert reading.reason in allowed, (name, item.task, run.setting)
