"""Questions of the perception task as stored in a key, and their stimuli."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.benchmarks.official import draw_clip_path
from evaluation.benchmarks.star_bench.rendered import room_plan, tone_plan
from evaluation.benchmarks.star_bench.rendered.planned import Planned
from evaluation.benchmarks.star_bench.rendered.stimuli import Stimulus, render_stimulus
from evaluation.streams import OpaqueIds, stream
from evaluation.synthesis.rooms import ROOM_VERSION
from evaluation.synthesis.tones import TONE_VERSION
from evaluation.types import Split

DESIGN_VERSION = "2"
"""Increment this with any change to a plan or a text; it changes the IDs, so that earlier keys are rejected."""

RENDERER = (DESIGN_VERSION, TONE_VERSION, ROOM_VERSION)
"""Everything that determines the audio besides the seed, for the content digest."""

_PREFIX = "rendered:"
_WORDS: Mapping[str, Mapping[str, Any]] = json.loads(Path(__file__).with_name("words.json").read_text(encoding="utf-8"))

_PLANS: Mapping[str, Callable[[np.random.Generator], Iterator[Planned]]] = {
    "perception/range/pitch-loudness": tone_plan.plan_audiogram,
    "perception/range/azimuth": room_plan.plan_azimuth,
    "perception/range/elevation": room_plan.plan_elevation,
    "perception/range/distance": room_plan.plan_distance,
    "perception/sensitivity/pitch": tone_plan.plan_pitch,
    "perception/sensitivity/loudness": tone_plan.plan_loudness,
    "perception/sensitivity/duration": tone_plan.plan_duration,
    "perception/sensitivity/azimuth": room_plan.plan_azimuth_pairs,
    "perception/sensitivity/elevation": room_plan.plan_elevation_pairs,
    "perception/sensitivity/distance": room_plan.plan_distance_pairs,
}


@dataclass(frozen=True, slots=True)
class Rendered:
    """The task for one seed. It contains answers: evaluators only.

    Attributes:
        questions: One per item, in the importer's format.
        answers: ID → position of the right option in run 0.
        stimuli: Clip name in the questions → stimulus.
    """

    questions: tuple[Mapping[str, Any], ...]
    answers: Mapping[str, int]
    stimuli: Mapping[str, Stimulus]


@lru_cache(maxsize=4)
def make_perception(split: Split, seed: str) -> Rendered:
    """Generate the perception task from a seed."""
    questions: list[Mapping[str, Any]] = []
    answers: dict[str, int] = {}
    stimuli: dict[str, Stimulus] = {}
    ids = OpaqueIds(seed)
    for task, plan in _PLANS.items():
        rng = stream(seed, f"{split}|{DESIGN_VERSION}|{task}")
        planned = list(plan(rng))
        # In the order of the plan, positions in a file would reveal levels and answers.
        for number, place in enumerate(rng.permutation(len(planned))):
            item = planned[place]
            item_id = ids.draw(f"{split}|{DESIGN_VERSION}|{task}|{number}", "star-")
            paths = [f"{_PREFIX}{task}/{number}/{clip}" for clip in range(1, len(item.stimuli) + 1)]
            names = [draw_clip_path(ids, path) for path in paths]
            questions.append({"id": item_id, "task": task, **_WORDS[task], "audio": names, **_stimulus_facts(item)})
            answers[item_id] = item.answer
            stimuli |= zip(names, item.stimuli, strict=True)
    return Rendered(tuple(questions), answers, stimuli)


def is_rendered(name: str) -> bool:
    """Return whether a clip in a question is generated."""
    return name.startswith(_PREFIX)


def render_sound(split: Split, seed: str, name: str) -> bytes:
    """Return one generated clip as a WAV file.

    Raises:
        KeyError: The clip does not exist.
    """
    return render_stimulus(make_perception(split, seed).stimuli[name])


def _stimulus_facts(item: Planned) -> dict[str, int]:
    facts = {"level": item.level, "frequency_hz": item.frequency_hz, "level_db_hl": item.level_db_hl}
    return {name: value for name, value in facts.items() if value is not None}
