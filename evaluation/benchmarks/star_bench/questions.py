"""From the questions in a key to items, and to what each run of an item shows."""

from collections.abc import Container, Mapping
from typing import Any

from evaluation.answer_keys import AnswerKey, AnswerValue
from evaluation.benchmarks.base import Content
from evaluation.benchmarks.official import clip_name
from evaluation.benchmarks.star_bench.design import (
    BY_SLICE,
    TONE_TASKS,
    clip_order,
    heard_in_run,
    parse_order,
    rotate,
)
from evaluation.errors import AnswerKeyError
from evaluation.types import Item

GLOBAL_CAPTION, UNCUT_AUDIO, PSEUDO_STEREO = "global-caption", "uncut-audio", "pseudo-stereo"

Question = Mapping[str, Any]


def caption_name(place: int) -> str:
    """Return under which name the caption of the clip at a place (from 0) stands in an item's context."""
    return f"caption-{place + 1}"


def make_item(question: Question, seed: str) -> Item:
    """Return the item of a question.

    The clips of a temporal item stand in the order of run 0, for their true order is its answer. Its id is the official
    one, because that is what participants' result files name.
    """
    sub_task = BY_SLICE[question["task"]]
    return Item(
        id=question["id"],
        part=sub_task.part,
        task=sub_task.slice,
        question=question["question"],
        answer_format="choice",
        options=tuple(question["options"]),
        runs=sub_task.runs,
        clips=tuple(clip_name(seed, question["audio"][place]) for place in _heard_first(question)),
        context=_context(question, seed),
    )


def sound_paths(question: Question) -> tuple[str, ...]:
    """Return the paths of the sounds that a question names, the recording that they are cut from among them."""
    return (*question["audio"], *([question[UNCUT_AUDIO]] if UNCUT_AUDIO in question else []))


def shown_options(item: Item, run: int) -> tuple[str, ...]:
    """Return the options in the order in which a run shows them."""
    return item.options if item.part == "temporal" else rotate(item.options, run)


def shown_clips(item: Item, run: int) -> tuple[int, ...]:
    """Return which of an item's clips (from 0) a run plays, in its order."""
    return heard_in_run(item.id, run) if item.part == "temporal" else tuple(range(len(item.clips)))


def right_positions(item: Item, answer: AnswerValue) -> tuple[int, ...]:
    """Return the position of the right option in every run, from that in run 0.

    Raises:
        AnswerKeyError: The answer is no position of an option, or of one that names no order.
    """
    if isinstance(answer, bool) or not isinstance(answer, int) or not 0 <= answer < len(item.options):
        raise AnswerKeyError(
            f"The key has the answer {answer!r} for `{item.id}`; allowed: 0 to "
            f"{len(item.options) - 1}. Import it again."
        )
    if item.part != "temporal":
        return tuple((answer + run) % len(item.options) for run in item.runs)
    orders = [parse_order(option) for option in item.options]
    right = orders[answer]
    if right is None:
        raise AnswerKeyError(
            f"The key has option {answer} for `{item.id}`, which is not an order of its clips. Import it again."
        )
    heard = (shown_clips(item, run) for run in item.runs)
    return tuple(orders.index(tuple(places.index(place - 1) + 1 for place in right)) for places in heard)


def _heard_first(question: Question) -> tuple[int, ...]:
    """Return the places (from 0) of the sounds of run 0 among those of the question, whose order is the true one."""
    if BY_SLICE[question["task"]].part != "temporal":
        return tuple(range(len(question["audio"])))
    return tuple(clip - 1 for clip in clip_order(question["id"], 0))


def _context(question: Question, seed: str) -> dict[str, str]:
    context = {}
    if GLOBAL_CAPTION in question:
        context[GLOBAL_CAPTION] = question[GLOBAL_CAPTION]
    if UNCUT_AUDIO in question:
        context[UNCUT_AUDIO] = clip_name(seed, question[UNCUT_AUDIO])
    if "captions" in question:
        for place, source in enumerate(_heard_first(question)):
            context[caption_name(place)] = question["captions"][source]
    return context


def key_items(key: AnswerKey) -> tuple[Item, ...]:
    """Return the items of a key, in the order of its questions."""
    return tuple(make_item(question, key.seed) for question in key.questions)


def find_held_settings(content: Content, key: AnswerKey, packed: Container[str]) -> tuple[str, ...]:
    """Return the settings that an organiser's temporal items hold everything for: captions, and uncut recordings.

    One that a single item lacks something for has no prompts in the pack: a file that answers it has to be whole.
    Settings that every pack has are left out. Pseudo-stereo needs the tone tasks; it is listed here and not among the
    settings of every pack, because a pack that gains it needs another name.
    """
    items = [item for item in content.items if item.part == "temporal"]
    held = [name for name in (GLOBAL_CAPTION, UNCUT_AUDIO) if items and all(name in item.context for item in items)]
    # Without the sounds a pack holds texts alone; with them, not one may be missing.
    if content.has_sounds and not {item.context.get(UNCUT_AUDIO) for item in items} <= key.clips.keys():
        held = [name for name in held if name != UNCUT_AUDIO]
    held += [PSEUDO_STEREO] if any(item.task in TONE_TASKS for item in content.items) else []
    return tuple(name for name in held if name not in packed)
