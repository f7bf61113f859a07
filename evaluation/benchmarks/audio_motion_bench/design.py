"""Design of AudioMotionBench: trajectories, distractors, statements and their order.

56 directed trajectories × 3 variants × 4 conditions = 672 clips; a clip has one multiple-choice item and two true/false
items. The paper leaves the distractors open; they are chosen so that an item's text alone carries no information:

* The four options of an item are one trajectory under a group of four symmetries: two of left–right mirror (L),
  front–back mirror (F) and reversal (R), and their product. Each of the four is the right answer of exactly one item
  with that set of options, and all four items list them in the same order: their texts are identical, so any text-only
  strategy is right once in four.
* The pair of symmetries rotates over the variants, so that each of L, F and R applies to a trajectory in two of the
  three. It is the same in all four conditions: only the noise changes. Trajectories whose images coincide (such as
  front-left → front-right, whose mirror image is its reversal) have only four images, and use those.
* The false statement is the left–right mirror image (front–back if that is the trajectory itself or not among the
  options). It is an involution, so every statement is true once and false once, and it is always among the options, so
  that the pair of statements does not single out an option.
* In each variant and condition each letter is right 14 times: a constant answer scores exactly chance.

Texts of *several* items do carry information: a system that links the three items of a clip knows that one of two named
options is right. This follows from the paper's pair of statements. It raises multiple choice from 25 % to 50 % and the
pooled score from 41.67 % to 50 %, exactly and no further: the two clips about such a pair have the same texts.
"""

from dataclasses import dataclass
from functools import cache, lru_cache

from evaluation.answer_keys import AnswerValue
from evaluation.streams import OpaqueIds, stream
from evaluation.synthesis import POSITIONS, Trajectory
from evaluation.types import Item, Split

VARIANTS = ("sct", "sdt", "tat")
CONDITIONS = ("clean", "35db", "25db", "15db")
SNR_DB = {"clean": None, "35db": 35.0, "25db": 25.0, "15db": 15.0}
RUNS = (0, 1, 2)

# Increment this with any change below that moves an answer. It changes the IDs, so a key made for another design does
# not fit and is rejected.
DESIGN_VERSION = "2"

_WORDS = {
    "N": "front",
    "NE": "front-right",
    "E": "right",
    "SE": "back-right",
    "S": "back",
    "SW": "back-left",
    "W": "left",
    "NW": "front-left",
}
_SWAP_LEFT_RIGHT = str.maketrans("EW", "WE")
_SWAP_FRONT_BACK = str.maketrans("NS", "SN")

MCQ_QUESTION = (
    "This is a binaural recording of one sound source that moves in a straight line around you. "
    "You are facing the front. Which option describes its motion?"
)
TF_QUESTION = (
    "This is a binaural recording of one sound source that moves in a straight line around you. "
    "You are facing the front. Is this statement true or false? Statement: The sound moves {path}."
)

TRAJECTORIES = tuple(Trajectory(a, b) for a in POSITIONS for b in POSITIONS if a != b)


@dataclass(frozen=True, slots=True)
class Clip:
    """One audio file: a recording in a condition."""

    name: str
    variant: str
    condition: str
    trajectory: Trajectory

    @property
    def recording(self) -> tuple[str, Trajectory]:
        """Variant and trajectory, which determine everything audible except the noise."""
        return self.variant, self.trajectory


@dataclass(frozen=True, slots=True)
class DesignedItem:
    """An item with its private data, which only evaluators may have.

    Attributes:
        item: Public part.
        clip: Its clip.
        form: `mcq` or `tf`.
        offered: Trajectories in the order of the options; for a statement, the one that it claims.
        answer: Position of the right option, or truth value of the statement.
    """

    item: Item
    clip: Clip
    form: str
    offered: tuple[Trajectory, ...]
    answer: AnswerValue


def mirror_left_right(path: Trajectory) -> Trajectory:
    """Return the left–right mirror image of a trajectory."""
    return Trajectory(path.start.translate(_SWAP_LEFT_RIGHT), path.end.translate(_SWAP_LEFT_RIGHT))


def mirror_front_back(path: Trajectory) -> Trajectory:
    """Return the front–back mirror image of a trajectory."""
    return Trajectory(path.start.translate(_SWAP_FRONT_BACK), path.end.translate(_SWAP_FRONT_BACK))


def reverse(path: Trajectory) -> Trajectory:
    """Return the reversed trajectory."""
    return Trajectory(path.end, path.start)


@cache
def describe(path: Trajectory) -> str:
    """Describe a trajectory in words, such as `from the front to the back-left`."""
    return f"from the {_WORDS[path.start]} to the {_WORDS[path.end]}"


_SYMMETRY_PAIRS = (
    (mirror_left_right, mirror_front_back),
    (mirror_left_right, reverse),
    (mirror_front_back, reverse),
)


def _orbit(path: Trajectory) -> tuple[Trajectory, ...]:
    """Return all images of a trajectory under the three symmetries, sorted."""
    orbit = {path}
    for symmetry in (mirror_left_right, mirror_front_back, reverse):
        orbit |= {symmetry(other) for other in orbit}
    return tuple(sorted(orbit, key=TRAJECTORIES.index))


_ORBITS = tuple(dict.fromkeys(_orbit(path) for path in TRAJECTORIES))
_FULL_ORBITS = tuple(orbit for orbit in _ORBITS if len(orbit) == 8)
_MEDIAN_AXES = tuple(path for orbit in _ORBITS if len(orbit) == 2 for path in orbit)


@cache
def option_set(path: Trajectory, variant: str) -> tuple[Trajectory, ...]:
    """Return the four options for a trajectory, in an order that does not depend on the right one."""
    orbit = _orbit(path)
    if len(orbit) == 2:  # front ↔ back and left ↔ right: the two pairs are each other's distractors.
        return _MEDIAN_AXES
    if len(orbit) == 4:
        return orbit
    first, second = _SYMMETRY_PAIRS[(_FULL_ORBITS.index(orbit) + VARIANTS.index(variant)) % 3]
    options = {path, first(path), second(path), first(second(path))}
    return tuple(sorted(options, key=TRAJECTORIES.index))


@cache
def false_statement(path: Trajectory, variant: str) -> Trajectory:
    """Return the mirror image that the false statement claims."""
    mirrored = mirror_left_right(path)
    if mirrored != path and mirrored in option_set(path, variant):
        return mirrored
    return mirror_front_back(path)


@lru_cache(maxsize=8)
def design_items(split: Split, seed: str) -> tuple[DesignedItem, ...]:
    """Return all 2,016 items of a split in pack order: by opaque ID, which is as good as shuffled."""
    ids = OpaqueIds(seed)
    items = []
    for variant in VARIANTS:
        for condition in CONDITIONS:
            items += _design_condition(split, seed, ids, variant, condition)
    return tuple(sorted(items, key=lambda designed: designed.item.id))


def _design_condition(split: Split, seed: str, ids: OpaqueIds, variant: str, condition: str) -> list[DesignedItem]:
    rng = stream(seed, f"{split}|options|{variant}|{condition}")
    option_sets = dict.fromkeys(option_set(path, variant) for path in TRAJECTORIES)
    orders = {options: tuple(options[number] for number in rng.permutation(4)) for options in option_sets}
    items = []
    for path in TRAJECTORIES:
        purpose = f"{split}|{DESIGN_VERSION}|{variant}|{condition}|{path.start}-{path.end}"
        clip = Clip(ids.draw(purpose, "clip-"), variant, condition, path)
        items.append(_mcq(ids, purpose, clip, orders[option_set(path, variant)]))
        items += [_tf(ids, purpose, clip, claim) for claim in (path, false_statement(path, variant))]
    return items


def _mcq(ids: OpaqueIds, purpose: str, clip: Clip, offered: tuple[Trajectory, ...]) -> DesignedItem:
    item = Item(
        id=ids.draw(f"{purpose}|mcq", "amb-"),
        part=clip.variant,
        task=f"{clip.variant}/{clip.condition}/mcq",
        question=MCQ_QUESTION,
        answer_format="choice",
        options=tuple(describe(path).capitalize() for path in offered),
        runs=RUNS,
        clips=(clip.name,),
    )
    return DesignedItem(item, clip, "mcq", offered, offered.index(clip.trajectory))


def _tf(ids: OpaqueIds, purpose: str, clip: Clip, claim: Trajectory) -> DesignedItem:
    item = Item(
        id=ids.draw(f"{purpose}|tf|{claim.start}-{claim.end}", "amb-"),
        part=clip.variant,
        task=f"{clip.variant}/{clip.condition}/tf",
        question=TF_QUESTION.format(path=describe(claim)),
        answer_format="boolean",
        options=(),
        runs=RUNS,
        clips=(clip.name,),
    )
    return DesignedItem(item, clip, "tf", (claim,), claim == clip.trajectory)
