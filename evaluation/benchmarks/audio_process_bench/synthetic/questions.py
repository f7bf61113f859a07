"""The questions: a recording, what is asked about it, and everything that traces tell of it, truly or not.

A recording holds what the question is about and, before or after it, one or two bystanders. For every facet the truth
and its rumour are drawn alike: a sound that some traces name is as often there as not, a side as often left as right.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.benchmarks.audio_process_bench.synthetic.families import build_subject
from evaluation.benchmarks.audio_process_bench.synthetic.sayings import NAMES, NUMBERS, Facet, pick, say
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
    deal,
)

# How many questions of each kind: by their key facets, errors of existence and of attributes are the most frequent.
FAMILIES: Mapping[str, int] = {
    "count": 20, "signal": 10, "presence": 12, "pitch": 8, "glide": 7, "louder": 8, "side": 8, "path": 11,
    "number": 8, "sum": 6, "menu": 9, "order": 6, "longest": 4, "gap": 3,
}  # fmt: skip

# How many in a row, in the order above, have keys of one error type: existence, attribute, semantic, temporal.
KEY_KINDS = (42, 42, 23, 13)

_PATHS = {
    "moves from left to right": ("W-E", "NW-NE", "NW-E", "W-NE"),
    "moves from right to left": ("E-W", "NE-NW", "E-NW", "NE-W"),
    "stays on the left": ("NW-SW", "SW-NW"),
    "stays on the right": ("NE-SE", "SE-NE"),
}
_CLIMBS, _FALLS = "climb", "descend"
_SCALE_STEPS = (0, 2, 4, 5, 7, 9, 11)
_BEEPS = frozenset({"tone", "pair"})


@dataclass(frozen=True, slots=True)
class Question:
    """A question with everything that must not leave an evaluator.

    Attributes:
        family: One of FAMILIES.
        text: What is asked.
        options: In the order in which they are shown.
        right: The right option.
        wrong: The option of those who are wrong about the key.
        key: What decides the answer.
        asides: What else can be told about the recording; it decides nothing.
        target: What the question is about, where something else could be taken for it.
        terms: See `Subject`.
        scene: What the recording is made from.
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
        """Where the question would come from, were it a collector's."""
        return str(QUESTIONS[self.family]["source"])


def build_question(rng: np.random.Generator, family: str) -> Question:
    """Return a question of a family."""
    match family:
        case "presence":
            return _ask_what_is_absent(rng)
        case "order":
            return _ask_what_comes_when(rng)
        case "path":
            return _ask_for_path(rng)
    return _ask_about_subject(rng, family)


def _ask(rng: np.random.Generator, family: str, words: Mapping[str, str]) -> str:
    text: str = pick(rng, QUESTIONS[family]["ask"])
    return text.format_map(words)


def _ask_about_subject(rng: np.random.Generator, family: str) -> Question:
    place = pick(rng, tuple(PLACES) if family == "side" else SIDES)
    subject = build_subject(rng, family, place)
    kinds = deal(rng, [kind for kind in BYSTANDERS if not (kind == "alarm" and subject.name in _BEEPS)])
    near, perhaps, absent = kinds[:3]
    comes_first, has_other = (bool(flag) for flag in rng.integers(0, 2, 2))
    near_place = pick(rng, SIDES)
    groups = [[bystander(rng, near, PLACES[near_place])], subject.events]
    if has_other:
        groups.append([bystander(rng, perhaps, PLACES[pick(rng, SIDES)])])
    asides = [
        *subject.asides,
        _presence(near, is_there=True),
        _presence(perhaps, is_there=has_other),
        _presence(absent, is_there=False),
        _side(near, near_place),
        _order(*((near, subject.name) if comes_first else (subject.name, near))),
    ]
    if family != "side":
        asides.append(_side(subject.name, place))
    return Question(
        family=family,
        text=_ask(rng, family, {**NAMES[subject.name], **(subject.words or {})}),
        options=subject.options,
        right=subject.right,
        wrong=subject.wrong,
        key=subject.key,
        asides=tuple(asides),
        target=Facet(BINDING, say("target", what=subject.name), say("target", what=near)),
        terms=subject.terms,
        scene=stage(rng, groups if comes_first else groups[::-1]),
    )


def _presence(kind: str, *, is_there: bool) -> Facet:
    told, rumour = (say(form, what=kind) for form in ("present", "absent")[:: 1 if is_there else -1])
    return Facet(EXISTENCE, told, rumour, frozenset({kind}))


def _side(kind: str, place: str) -> Facet:
    (other,) = set(SIDES) - {place}
    return Facet(ATTRIBUTE, say("side", what=kind, place=place), say("side", what=kind, place=other), frozenset({kind}))


def _order(first: str, second: str) -> Facet:
    return Facet(
        TEMPORAL,
        say("order", what=first, than=second),
        say("order", what=second, than=first),
        frozenset({first, second}),
    )


def _ask_what_is_absent(rng: np.random.Generator) -> Question:
    kinds = deal(rng, ["bell", *BYSTANDERS])
    heard, absent = kinds[:3], kinds[3]
    denied, *others = heard
    in_order = deal(rng, heard)
    scene, places = _line_up(rng, in_order)
    first, second = [kind for kind in in_order if kind in others]
    key = Facet(EXISTENCE, say("absent", what=absent), say("absent", what=denied), frozenset({absent, denied}))
    asides = (*(_side(kind, places[kind]) for kind in others), _order(first, second))
    options = deal(rng, [NAMES[kind]["a"].capitalize() for kind in kinds[:4]])
    text = _ask(rng, "presence", {})
    right, wrong = (NAMES[kind]["a"].capitalize() for kind in (absent, denied))
    return Question("presence", text, options, right, wrong, key, asides, None, None, scene)


def _ask_what_comes_when(rng: np.random.Generator) -> Question:
    kinds = deal(rng, ["bell", *BYSTANDERS])
    in_order, others = kinds[:3], kinds[3:5]
    scene, places = _line_up(rng, in_order)
    place = pick(rng, ("first", "last"))
    asked, taken = in_order[:: 1 if place == "first" else -1][:2]
    told, rumour = (say("extreme", what=kind, place=place) for kind in (asked, taken))
    key = Facet(TEMPORAL, told, rumour, frozenset({asked, taken}))
    asides = [_side(kind, places[kind]) for kind in in_order]
    asides += [_presence(kind, is_there=False) for kind in others]
    options = deal(rng, [NAMES[kind]["a"].capitalize() for kind in in_order])
    text = _ask(rng, "order", {"place": place})
    right, wrong = (NAMES[kind]["a"].capitalize() for kind in (asked, taken))
    return Question("order", text, options, right, wrong, key, tuple(asides), None, None, scene)


def _line_up(rng: np.random.Generator, kinds: Sequence[str]) -> tuple[Scene, dict[str, str]]:
    """Return a scene of sounds one after another, and on which side each is."""
    places = {kind: pick(rng, SIDES) for kind in kinds}
    return stage(rng, [[bystander(rng, kind, PLACES[place])] for kind, place in places.items()]), places


def _ask_for_path(rng: np.random.Generator) -> Question:
    right, wrong, *_ = deal(rng, tuple(_PATHS))
    n = int(rng.integers(4, 7))
    other = n + int(rng.choice((-1, 1)))
    way, contrary = deal(rng, (_CLIMBS, _FALLS))
    key = Facet(ATTRIBUTE, say("path", way=right), say("path", way=wrong))
    asides = (
        Facet(EXISTENCE, say("notes", n=NUMBERS[n]), say("notes", n=NUMBERS[other])),
        Facet(ATTRIBUTE, say("melody", way=way), say("melody", way=contrary)),
        *(_presence(kind, is_there=False) for kind in deal(rng, tuple(BYSTANDERS))[:2]),
    )
    lowest = float(rng.uniform(300, 450))
    notes = [round(lowest * 2 ** (step / 12), 2) for step in _SCALE_STEPS[:n]]
    scene: dict[str, Any] = {
        "path": pick(rng, _PATHS[right]),
        "seconds": SCENE_SECONDS,
        "notes": notes if way == _CLIMBS else notes[::-1],
    }
    options = deal(rng, [option.capitalize() for option in _PATHS])
    text = _ask(rng, "path", {})
    return Question("path", text, options, right.capitalize(), wrong.capitalize(), key, asides, None, None, scene)
