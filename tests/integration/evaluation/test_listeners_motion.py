"""Listeners on AudioMotionBench: a seeded sample of the practice split, clean and noisy."""

from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest

from evaluation import get_benchmark, read_boolean, read_choice
from evaluation.listeners import LISTENERS, get_listener
from evaluation.listeners.ears import Ears, take_in
from evaluation.listeners.questions.paths import StatedPath, weigh
from evaluation.types import Item
from tests.support.samples.listening import decode, hear_run, swap_sides

BENCHMARK = get_benchmark("audio-motion-bench")
KEY = BENCHMARK.make_key("practice")
N_CLIPS = 28


def sample_items() -> list[Item]:
    """Return the items of some clips, drawn evenly from the clean and the noisiest ones."""
    items: dict[str, list[Item]] = {}
    for item in BENCHMARK.content(KEY).items:
        if "/clean/" in item.task or "/15db/" in item.task:
            items.setdefault(item.clips[0], []).append(item)
    rng = np.random.default_rng(5)
    chosen = rng.choice(sorted(items), size=N_CLIPS, replace=False)
    return [item for clip in chosen for item in items[clip]]


ITEMS = sample_items()


@cache
def render(clip: str) -> bytes:
    return BENCHMARK.render_clip(KEY, clip)


@pytest.fixture(scope="module")
def said() -> Mapping[str, Mapping[str, str]]:
    """Return listener → item → response."""
    clips = {item.clips[0]: render(item.clips[0]) for item in ITEMS}
    prompts = {item.id: hear_run(BENCHMARK.run(item, 0, "default"), clips) for item in ITEMS}
    return {
        name: {item_id: listener.answer(prompt, seed=0) for item_id, prompt in prompts.items()}
        for name, listener in LISTENERS.items()
    }


def accuracy(said: Mapping[str, str], form: str) -> float:
    right = [
        read_choice(said[item.id], item.options).index == KEY.answers[item.id]
        if form == "mcq"
        else read_boolean(said[item.id]).value == KEY.answers[item.id]
        for item in ITEMS
        if item.task.endswith(form)
    ]
    return float(np.mean(right))


def test_binaural_listener_knows_paths(said: Mapping[str, Mapping[str, str]]) -> None:
    assert accuracy(said["earshot-binaural"], "mcq") >= 0.85
    assert accuracy(said["earshot-binaural"], "tf") >= 0.85


def test_mono_and_chance_listeners_score_much_lower(said: Mapping[str, Mapping[str, str]]) -> None:
    assert accuracy(said["earshot-mono"], "mcq") <= 0.65
    assert accuracy(said["earshot-chance"], "mcq") <= 0.5
    assert 0.2 <= accuracy(said["earshot-chance"], "tf") <= 0.8


def test_every_answer_can_be_parsed(said: Mapping[str, Mapping[str, str]]) -> None:
    for item in ITEMS:
        for answers in said.values():
            reading = read_choice(answers[item.id], item.options) if item.options else read_boolean(answers[item.id])
            assert reading.reason is None, answers[item.id]


def test_binaural_listener_with_swapped_ears_hears_the_mirror_image() -> None:
    swapped = 0
    for item in [item for item in ITEMS if item.options][:12]:
        sound = decode(render(item.clips[0]))
        text = BENCHMARK.run(item, 0, "default").prompt[1]
        words = getattr(text, "text", "")
        mirrored = type(sound)(sound.samples[:, ::-1], sound.rate)
        listener = get_listener("earshot-binaural")
        swapped += listener.answer([mirrored, swap_sides(words)]) == swap_sides(listener.answer([sound, words]))
    assert swapped == 12


@pytest.mark.parametrize("path", [StatedPath((-1.0, 0.0), (0.0, 1.0)), StatedPath((0.6, 0.8), (0.6, -0.8))])
def test_mono_listener_weighs_a_path_and_its_left_right_mirror_image_equally(path: StatedPath) -> None:
    mirrored = StatedPath((-path.start[0], path.start[1]), (-path.end[0], path.end[1]))
    for item in [item for item in ITEMS if item.options][:6]:
        sound = decode(render(item.clips[0]))
        one, two = (Ears(take_in(sound, both_ears=both)).track for both in (False, True))
        assert one is not None
        assert two is not None
        assert weigh(one, path) == pytest.approx(weigh(one, mirrored), abs=1e-9)
        assert abs(weigh(two, path) - weigh(two, mirrored)) > 0.1
