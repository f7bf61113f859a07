"""Items and their presentations, from the questions in a key."""

from collections.abc import Container, Mapping
from typing import Any

from evaluation.answer_keys import AnswerKey, AnswerValue
from evaluation.benchmarks.content import Content
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
    """Return the name of a clip's caption in an item's context, from the clip's position (from 0)."""
    return f"caption-{place + 1}"


def make_item(question: Question, seed: str) -> Item:
    """Return the item of a question.

    The clips of a temporal item are stored in the order of run 0, because their true order is the answer. The ID is the
    official one, because participants' result files contain it.
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
    """Return the paths of a question's clips and of the recordings that they are cut from."""
    return (*question["audio"], *([question[UNCUT_AUDIO]] if UNCUT_AUDIO in question else []))


def shown_options(item: Item, run: int) -> tuple[str, ...]:
    """Return the options in the order of a run."""
    return item.options if item.part == "temporal" else rotate(item.options, run)


def shown_clips(item: Item, run: int) -> tuple[int, ...]:
    """Return which of an item's clips (from 0) a run plays, in order."""
    return heard_in_run(item.id, run) if item.part == "temporal" else tuple(range(len(item.clips)))


def right_positions(item: Item, answer: AnswerValue) -> tuple[int, ...]:
    """Return the position of the right option in every run, from that in run 0.

    Raises:
        AnswerKeyError: The answer is not the position of an option, or the option names no order.
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
    """Return the positions (from 0) of run 0's clips in the question, which lists them in true order."""
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
    """Return the settings that an organiser's temporal items fully support: captions, and uncut recordings.

    If a single item lacks data for a setting, the pack has no prompts for it, because files must be complete. Settings
    of every pack are omitted. Pseudo-stereo needs the tone tasks; it is listed here and not among the settings of every
    pack, because a pack that gains it needs another name.
    """
    items = [item for item in content.items if item.part == "temporal"]
    settings = [name for name in (GLOBAL_CAPTION, UNCUT_AUDIO) if items and all(name in item.context for item in items)]
    # Without audio a pack contains texts only; with audio, no clip may be missing.
    if content.has_sounds and not {item.context.get(UNCUT_AUDIO) for item in items} <= key.clips.keys():
        settings = [name for name in settings if name != UNCUT_AUDIO]
    settings += [PSEUDO_STEREO] if any(item.task in TONE_TASKS for item in content.items) else []
    return tuple(name for name in settings if name not in packed)
