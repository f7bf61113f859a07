"""Synthetic questions: a recording, its question, and all true and false claims of its traces.

A recording contains the subject of the question and, before or after it, two bystanders. Every question exists for two
recordings, in the same words: for each claim of a trace, one has the truth and the other the rumour. So no text reveals
its recording.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.benchmarks.audio_process_bench.synthetic.families import build_subject
from evaluation.benchmarks.audio_process_bench.synthetic.sayings import NAMES, NUMBERS, Facet, make_saying, pick_value
from evaluation.benchmarks.audio_process_bench.synthetic.staging import (
    BYSTANDERS,
    SCENE_SECONDS,
    Scene,
    bystander,
    stage,
)
from evaluation.benchmarks.audio_process_bench.synthetic.subject import (
    ATTRIBUTE,
    BINDING,
    EXISTENCE,
    PLACES,
    QUESTIONS,
    SIDES,
    TEMPORAL,
    orient,
    shuffle,
)

# Number of questions of each family, in pairs with the same words. By their keys, errors of existence and of attributes
# are the most frequent.
FAMILIES: Mapping[str, int] = {
    "count": 20, "signal": 10, "presence": 12, "pitch": 8, "glide": 8, "louder": 8, "side": 8, "path": 10,
    "number": 8, "sum": 6, "menu": 10, "order": 6, "longest": 4, "gap": 2,
}  # fmt: skip

# Consecutive families, in the order above, whose keys share an error type: existence, attribute, semantic, temporal.
KEY_KINDS = (42, 42, 24, 12)

_PATHS = {
    "moves from left to right": ("W-E", "NW-NE", "NW-E", "W-NE"),
    "moves from right to left": ("E-W", "NE-NW", "E-NW", "NE-W"),
    "stays on the left": ("NW-SW", "SW-NW"),
    "stays on the right": ("NE-SE", "SE-NE"),
}
_CLIMBS, _FALLS = "climb", "descend"
_SCALE_STEPS = (0, 2, 4, 5, 7, 9, 11)
_BEEPS = frozenset({"tone", "pair"})
_MAX_DETUNING = 0.15
"""Largest distance of a note from its scale, in semitones."""


@dataclass(frozen=True, slots=True)
class SyntheticQuestion:
    """A question with its private data, which only evaluators may have.

    Attributes:
        family: One of FAMILIES.
        text: Question text.
        options: Options in shown order.
        right: The right option.
        wrong: The option of generators that are wrong about the key.
        key: The fact that determines the answer.
        asides: Further facts about the recording, irrelevant to the answer.
        target: Which sound the question is about; None if it is about the whole recording.
        terms: See `Subject`.
        scene: Scene of the recording.
    """

    family: str
    text: str
    options: tuple[str, ...]
    right: str
    wrong: str
    key: Facet
    asides: tuple[Facet, ...]
    target: Facet | None
    terms: tuple[str, str] | None
    scene: Scene

    @property
    def source(self) -> str:
        """Source of the question, as a collected question would have one."""
        return str(QUESTIONS[self.family]["source"])


def build_question(rng: np.random.Generator, family: str, *, mirrored: bool = False) -> SyntheticQuestion:
    """Return a question of a family; with the same random numbers, mirrored or not, it has the same words."""
    match family:
        case "presence":
            return _ask_what_is_absent(rng, mirrored=mirrored)
        case "order":
            return _ask_what_comes_when(rng, mirrored=mirrored)
        case "path":
            return _ask_for_path(rng, mirrored=mirrored)
    return _ask_about_subject(rng, family, mirrored=mirrored)


def _word_question(rng: np.random.Generator, family: str, slots: Mapping[str, str]) -> str:
    text: str = pick_value(rng, QUESTIONS[family]["ask"])
    return text.format_map(slots)


def _ask_about_subject(rng: np.random.Generator, family: str, *, mirrored: bool) -> SyntheticQuestion:
    place = pick_value(rng, tuple(PLACES) if family == "side" else SIDES)
    if family != "side":
        place = _turn_side(place, mirrored=mirrored)
    subject = build_subject(rng, family, place, mirrored=mirrored)
    kinds = shuffle(rng, [kind for kind in BYSTANDERS if not (kind == "alarm" and subject.name in _BEEPS)])
    near, *perhaps = kinds[:3]
    there = perhaps[mirrored]
    comes_first = bool(rng.integers(2)) != mirrored
    near_place = _turn_side(pick_value(rng, SIDES), mirrored=mirrored)
    asides = [
        *subject.asides,
        *(_presence(kind, is_there=kind == there) for kind in perhaps),
        _side(near, near_place),
        _make_order_facet(*((near, subject.name) if comes_first else (subject.name, near))),
    ]
    if family != "side":
        asides.append(_side(subject.name, place))
    target = _make_target(near, comes_first=comes_first)
    text = _word_question(rng, family, {**NAMES[subject.name], **(subject.words or {})})
    before, after = (subject.events, [bystander(rng, near, PLACES[near_place])])[:: -1 if comes_first else 1]
    groups = [before, after, [bystander(rng, there, PLACES[pick_value(rng, SIDES)])]]
    return SyntheticQuestion(
        family=family,
        text=text,
        options=subject.options,
        right=subject.right,
        wrong=subject.wrong,
        key=subject.key,
        asides=tuple(asides),
        target=target,
        terms=subject.terms,
        scene=stage(rng, groups),
    )


def _turn_side(side: str, *, mirrored: bool) -> str:
    (other,) = set(SIDES) - {side}
    return other if mirrored else side


def _presence(kind: str, *, is_there: bool) -> Facet:
    truth, rumour = (make_saying(form, what=kind) for form in ("present", "absent")[:: 1 if is_there else -1])
    return Facet(EXISTENCE, truth, rumour, frozenset({kind}))


def _side(kind: str, place: str) -> Facet:
    (other,) = set(SIDES) - {place}
    return Facet(
        ATTRIBUTE,
        make_saying("side", what=kind, place=place),
        make_saying("side", what=kind, place=other),
        frozenset({kind}),
    )


def _make_order_facet(first: str, second: str) -> Facet:
    return Facet(
        TEMPORAL,
        make_saying("order", what=first, than=second),
        make_saying("order", what=second, than=first),
        frozenset({first, second}),
    )


def _make_target(near: str, *, comes_first: bool) -> Facet:
    """Return which sound the question is about: the one right before or after a bystander.

    A claim that names the sound would not need listening, because the question names it too.
    """
    places = ("after", "before") if comes_first else ("before", "after")
    truth, rumour = (make_saying("target", place=place, what=near) for place in places)
    return Facet(BINDING, truth, rumour, frozenset({near}))


def _ask_what_is_absent(rng: np.random.Generator, *, mirrored: bool) -> SyntheticQuestion:
    kinds = shuffle(rng, ["bell", *BYSTANDERS])
    others = kinds[1:3]
    denied, absent = orient(kinds[0], kinds[3], mirrored=mirrored)
    first, second = orient(*others, mirrored=mirrored)
    in_order = [first, second]
    in_order.insert(int(rng.integers(3)), denied)
    sides = {kind: _turn_side(pick_value(rng, SIDES), mirrored=mirrored) for kind in kinds[:4]}
    key = Facet(
        EXISTENCE, make_saying("absent", what=absent), make_saying("absent", what=denied), frozenset({absent, denied})
    )
    asides = (*(_side(kind, sides[kind]) for kind in others), _make_order_facet(first, second))
    options = shuffle(rng, [NAMES[kind]["a"].capitalize() for kind in kinds[:4]])
    text = _word_question(rng, "presence", {})
    right, wrong = (NAMES[kind]["a"].capitalize() for kind in (absent, denied))
    scene = _line_up(rng, in_order, sides)
    return SyntheticQuestion("presence", text, options, right, wrong, key, asides, None, None, scene)


def _ask_what_comes_when(rng: np.random.Generator, *, mirrored: bool) -> SyntheticQuestion:
    kinds = shuffle(rng, ["bell", *BYSTANDERS])[:3]
    sides = {kind: _turn_side(pick_value(rng, SIDES), mirrored=mirrored) for kind in kinds}
    options = shuffle(rng, [NAMES[kind]["a"].capitalize() for kind in kinds])
    subject, mistaken = orient(*kinds[:2], mirrored=mirrored)
    place = pick_value(rng, ("first", "last"))
    in_order = (subject, mistaken, kinds[2])[:: 1 if place == "first" else -1]
    truth, rumour = (make_saying("extreme", what=kind, place=place) for kind in (subject, mistaken))
    key = Facet(TEMPORAL, truth, rumour, frozenset({subject, mistaken}))
    asides = tuple(_side(kind, sides[kind]) for kind in kinds)
    text = _word_question(rng, "order", {"place": place})
    right, wrong = (NAMES[kind]["a"].capitalize() for kind in (subject, mistaken))
    scene = _line_up(rng, in_order, sides)
    return SyntheticQuestion("order", text, options, right, wrong, key, asides, None, None, scene)


def _line_up(rng: np.random.Generator, kinds: Sequence[str], sides: Mapping[str, str]) -> Scene:
    """Return a scene with a sequence of sounds."""
    return stage(rng, [[bystander(rng, kind, PLACES[sides[kind]])] for kind in kinds])


def _ask_for_path(rng: np.random.Generator, *, mirrored: bool) -> SyntheticQuestion:
    right, wrong = orient(*shuffle(rng, tuple(_PATHS))[:2], mirrored=mirrored)
    fewer = int(rng.integers(4, 7))
    n, other = orient(*(fewer, fewer + 1)[:: int(rng.choice((-1, 1)))], mirrored=mirrored)
    way, contrary = orient(*shuffle(rng, (_CLIMBS, _FALLS)), mirrored=mirrored)
    key = Facet(ATTRIBUTE, make_saying("path", way=right), make_saying("path", way=wrong))
    asides = (
        Facet(EXISTENCE, make_saying("notes", n=NUMBERS[n]), make_saying("notes", n=NUMBERS[other])),
        Facet(ATTRIBUTE, make_saying("melody", way=way), make_saying("melody", way=contrary)),
    )
    lowest = float(rng.uniform(300, 450))
    # From one number, two of ten thousand melodies would be the same.
    detuning = rng.uniform(-_MAX_DETUNING, _MAX_DETUNING, len(_SCALE_STEPS)).tolist()
    scale = [round(lowest * 2 ** ((step + off) / 12), 2) for step, off in zip(_SCALE_STEPS, detuning, strict=True)]
    notes = scale[:n]
    scene: dict[str, Any] = {
        "path": pick_value(rng, _PATHS[right]),
        "seconds": SCENE_SECONDS,
        "notes": notes if way == _CLIMBS else notes[::-1],
    }
    options = shuffle(rng, [option.capitalize() for option in _PATHS])
    text = _word_question(rng, "path", {})
    return SyntheticQuestion(
        "path", text, options, right.capitalize(), wrong.capitalize(), key, asides, None, None, scene
    )
