"""Field-by-field checks of one question in an official file."""

from collections.abc import Sequence
from typing import Any

from evaluation.benchmarks.importing import double_name_fault, format_value, text_fault, texts_fault
from evaluation.benchmarks.star_bench.design import (
    AUDIOGRAM,
    CLIP_ORDERS,
    FREQUENCIES_HZ,
    LEVELS_DB_HL,
    SubTask,
    clip_order,
    parse_order,
    right_order,
)
from evaluation.benchmarks.star_bench.questions import GLOBAL_CAPTION, UNCUT_AUDIO
from evaluation.errors import EvaluationError

N_SOUNDS = {"perception": (1, 2), "temporal": (3,), "spatial": (1,)}


class EntryError(EvaluationError):
    """An entry has an error; the message gives location, problem and allowed values."""


class QuestionEntry:
    """One question of a file, with its location."""

    def __init__(self, part: str, where: str, fields: dict[str, Any]) -> None:
        self.part, self.where, self.fields = part, where, fields

    def fault(self, what: str) -> EntryError:
        """Return an error of this entry."""
        return EntryError(f"{self.where}: {what}.")

    def check_names(self) -> None:
        """Reject an entry with a duplicate field."""
        fault = double_name_fault(self.fields)
        if fault is not None:
            raise self.fault(fault)

    def text(self, name: str) -> str:
        """Return a required text."""
        value = self.fields.get(name)
        fault = text_fault(value)
        if fault is not None:
            raise self.fault(f"`{name}` {fault}")
        return str(value)

    def optional_text(self, name: str) -> str | None:
        """Return a text, or None if the field is absent, null or empty."""
        return None if self.fields.get(name) in (None, "") else self.text(name)

    def texts(self, name: str) -> list[str]:
        """Return a required list of texts."""
        value = self.fields.get(name)
        fault = texts_fault(value)
        if fault is not None:
            raise self.fault(f"`{name}` {fault}")
        return list(value or ())

    def number(self, name: str, allowed: Sequence[int]) -> int | None:
        """Return an integer, or None if the field is absent or null."""
        value = self.fields.get(name)
        if value is not None and (type(value) is not int or value not in allowed):
            raise self.fault(f"`{name}` is {format_value(value)}; allowed: {', '.join(map(str, allowed))}")
        return value


def read_options(entry: QuestionEntry, sub_task: SubTask, repaired: list[str]) -> list[str]:
    """Return the stripped options; temporal items have six orders and "none of these"."""
    raw = entry.texts("options")
    options = [option.strip() for option in raw]
    if len(options) != sub_task.options:
        raise entry.fault(
            f"there are {len(options)} options; a question of {sub_task.slice} must have {sub_task.options}"
        )
    twice = next((option for option in options if options.count(option) > 1), None)
    if twice is not None:
        raise entry.fault(f"duplicate option {format_value(twice)}; options must be distinct")
    if entry.part == "temporal":
        orders = [order for option in options if (order := parse_order(option)) is not None]
        if sorted(orders) != list(CLIP_ORDERS):
            raise entry.fault(
                "the options must list each of the six orders once, as `clip 1 -> clip 2 -> clip 3`, and one other "
                "option"
            )
    if options != raw:
        repaired.append(f"{entry.where}: spaces around an option were removed.")
    return options


def read_audio_paths(entry: QuestionEntry) -> list[str]:
    """Return the paths of the clips, without duplicates."""
    paths = entry.texts("audio_paths")
    allowed = N_SOUNDS[entry.part]
    if len(paths) not in allowed:
        raise entry.fault(f"`audio_paths` names {len(paths)} clips; allowed: {' or '.join(map(str, allowed))}")
    if entry.part == "temporal" and len(set(paths)) < len(paths):
        raise entry.fault("`audio_paths` names the same clip twice; the three clips must differ")
    return paths


def read_answer(entry: QuestionEntry, item_id: str, options: list[str], repaired: list[str]) -> int:
    """Return the position of the right option in run 0."""
    if entry.part == "temporal":
        return _read_temporal_answer(entry, item_id, options)
    answer = entry.text("answer")
    if answer.strip() not in options:
        raise entry.fault(f"the answer {format_value(answer)} is not among the options {format_value(options)}")
    if answer.strip() != answer:
        repaired.append(f"{entry.where}: spaces around the answer were removed.")
    return options.index(answer.strip())


def _read_temporal_answer(entry: QuestionEntry, item_id: str, options: list[str]) -> int:
    orders = [parse_order(option) for option in options]
    right = right_order(clip_order(item_id, 0))
    answer = entry.optional_text("answer")
    if answer is not None and answer.strip() not in options:
        raise entry.fault(f"the answer {format_value(answer)} is not among the options {format_value(options)}")
    if answer is not None and parse_order(answer) not in ((1, 2, 3), right):
        raise entry.fault(
            f"the answer {format_value(answer)} is neither the true order of the clips nor that of run 0 (clip "
            f"{' -> clip '.join(map(str, right))}). List the clips in `audio_paths` in their true order"
        )
    return orders.index(right)


def read_captions(entry: QuestionEntry) -> dict[str, Any]:
    """Return the data for settings other than the default, if present."""
    texts_found: dict[str, Any] = {}
    if entry.part == "temporal":
        fields = ((GLOBAL_CAPTION, "global_caption"), (UNCUT_AUDIO, "uncut_audio_path"))
        texts_found |= {
            caption_name: text for caption_name, field in fields if (text := entry.optional_text(field)) is not None
        }
    if entry.fields.get("captions") is not None:
        captions = entry.texts("captions")
        n_sounds = len(entry.texts("audio_paths"))
        if len(captions) != n_sounds:
            raise entry.fault(
                f"there are {len(captions)} captions; a question with {n_sounds} clips must have {n_sounds}"
            )
        texts_found["captions"] = captions
    return texts_found


def read_stimulus(entry: QuestionEntry, sub_task: SubTask) -> dict[str, int]:
    """Return the difficulty level, or frequency and level of a tone: our additions to the official format."""
    stimulus = {}
    if sub_task.levels:
        stimulus["level"] = entry.number("level", range(1, sub_task.levels + 1))
    if sub_task.slice == AUDIOGRAM:
        stimulus["frequency_hz"] = entry.number("frequency_hz", FREQUENCIES_HZ)
        stimulus["level_db_hl"] = entry.number("level_db_hl", LEVELS_DB_HL)
        if (stimulus["frequency_hz"] is None) != (stimulus["level_db_hl"] is None):
            raise entry.fault("one of `frequency_hz` and `level_db_hl` is missing; give both or neither")
    return {name: value for name, value in stimulus.items() if value is not None}
