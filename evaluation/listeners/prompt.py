"""Prompt parser: the question, the options with their letters, the clips.

Prompts of other benchmarks have other words, so the parser does not depend on whole sentences. An option is a line that
starts with a letter in one of the usual forms, and the letters count up from the first.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from evaluation.listeners.hearing.frames import make_sound
from evaluation.listeners.listener_types import Heard, Sound
from evaluation.listeners.words import Wording

Form = Literal["choice", "choices", "boolean", "steps", "open"]

MAX_CHARACTERS = 200_000
"""Maximum length of a prompt's text; two worked examples and fifty steps take a tenth of it."""

_OPTION_LINE = re.compile(
    r"^[ \t]*(?:[-*•][ \t]*)?(?P<written>[<(\[（【]?\s?(?P<letter>[A-Za-z])\s?[>)\]）】]?)"
    r"(?P<sign>[ \t]*[.:：、．)]|[ \t])[ \t]*(?P<text>\S.*)$"
)
_INLINE = re.compile(r"(?P<written>[<(\[（【](?P<letter>[A-Za-z])[>)\]）】])")
_SEVERAL = Wording(
    "all that appl* | all which appl* | all of the right | all of the correct | "
    "all right options | all correct options | select all | choose all | one or more | "
    "more than one | several of | several options | several answers | 所有 | 全部 | 几个 | "
    "多个 | 多选 | 不止一个"
)
_BOOLEAN = Wording(
    "true or false | true/false | yes or no | is this statement | is the statement | "
    "is the following statement | is this claim | 对还是错 | 对或错 | 正确还是错误 | "
    "正确或错误 | 判断正误 | 判断对错 | 是否正确 | 是还是否"
)
_STEPS = Wording(
    "step is erroneous | steps are erroneous | judge each step | judge every step | 每个步骤 | 每一步 | 各步骤"
)
_LEFT_EAR, _RIGHT_EAR = (
    Wording("left ear | left channel | 左耳 | 左声道"),
    Wording("right ear | right channel | 右耳 | 右声道"),
)
_N_VALUES = re.compile(r"\blist of (\d{1,4})\b|(\d{1,4}) ?(?:个|项)(?:布尔|值)", re.IGNORECASE)
_NUMBERED_LINE = re.compile(r"^[ \t]*(?:step\s*)?(\d{1,4})[.:)、]", re.IGNORECASE | re.MULTILINE)
_CHINESE = re.compile(r"[一-鿿]")


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a question.

    Attributes:
        label: The letter as in the prompt, with its brackets: `B` or `<B>`.
        text: Text of the option.
    """

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class PromptQuestion:
    """A question with its clips.

    Attributes:
        text: All text except the options.
        options: Options in the order of the prompt.
        form: Expected answer format.
        sounds: Clips, in order.
        introductions: Text before each clip, such as `Audio 2:`.
        n_steps: Number of steps to judge; 0 for other questions.
    """

    text: str
    options: tuple[Option, ...]
    form: Form
    sounds: tuple[Sound, ...]
    introductions: tuple[str, ...]
    n_steps: int = 0

    @property
    def all_words(self) -> str:
        """Question and options in lower case."""
        return "\n".join([self.text, *(option.text for option in self.options)]).lower()

    @property
    def is_chinese(self) -> bool:
        """Whether the question is in Chinese."""
        return len(_CHINESE.findall(self.text)) > 0.2 * len(self.text.split()) + 1


def parse_prompt(heard: Sequence[Heard]) -> PromptQuestion:
    """Split a prompt into question, options and clips."""
    sounds, introductions, texts = [], [], []
    before = ""
    for piece in heard:
        if isinstance(piece, str):
            texts.append(piece)
            before = piece
        else:
            sounds.append(piece)
            introductions.append(before.strip()[-200:])
            before = ""
    lines = "\n".join(texts)[-MAX_CHARACTERS:].splitlines()
    places, options = find_options(lines)
    text = "\n".join(line for number, line in enumerate(lines) if number not in places)
    if not options:
        text, options = find_inline_options(text)
    form, n_steps = _find_form(text, options)
    whole = _join_ears(text, sounds)
    if whole is not None:
        return PromptQuestion(text, options, form, (whole,), ("",), n_steps)
    return PromptQuestion(text, options, form, tuple(sounds), tuple(introductions), n_steps)


def _join_ears(text: str, sounds: Sequence[Sound]) -> Sound | None:
    """Return one stereo clip if the prompt says that its two clips are the two ears' signals."""
    left, right = _LEFT_EAR.find_first(text), _RIGHT_EAR.find_first(text)
    if left is None or right is None or len(sounds) != 2:
        return None
    first, second = (make_sound(sound.samples, sound.rate) for sound in sounds)
    if first.samples.shape[1] != 1 or first.samples.shape != second.samples.shape or first.rate != second.rate:
        return None
    ears = (first, second) if left < right else (second, first)
    return Sound(np.hstack([ear.samples for ear in ears]), first.rate)


def find_options(lines: Sequence[str]) -> tuple[frozenset[int], tuple[Option, ...]]:
    """Return the line numbers of the options, and the options: the last list if the prompt has several."""
    best: list[tuple[int, Option]] = []
    current: list[tuple[int, Option]] = []
    for number, line in enumerate(lines):
        match = _OPTION_LINE.match(line)
        if match is None or (match["sign"].isspace() and len(match["written"].strip()) == 1):
            continue
        place = ord(match["letter"].upper()) - ord("A")
        if place == 0:
            current = []
        if place == len(current):
            current.append((number, Option(_label(match["written"]), match["text"].strip())))
            best = current if len(current) >= 2 else best
    return frozenset(number for number, _ in best), tuple(option for _, option in best)


def find_inline_options(text: str) -> tuple[str, tuple[Option, ...]]:
    """Return the text before options in its last line, `… (A) left (B) right`, and these options."""
    before, break_, line = text.rpartition("\n")
    marks = list(_INLINE.finditer(line))
    first = next((place for place, match in enumerate(marks) if match["letter"] in "Aa"), len(marks))
    marks = marks[first:]
    letters = [ord(match["letter"].upper()) - ord("A") for match in marks]
    if len(marks) < 2 or letters != list(range(len(marks))):
        return text, ()
    ends = [match.start() for match in marks[1:]] + [len(line)]
    texts = [line[match.end() : end].strip(" \t,;:：，；") for match, end in zip(marks, ends, strict=True)]
    options = tuple(Option(match["written"], option) for match, option in zip(marks, texts, strict=True))
    return f"{before}{break_}{line[: marks[0].start()]}", options


def _label(written: str) -> str:
    """Return the letter, with its brackets if it has both."""
    written = "".join(written.split())
    return written if written[0] in "<([（【" and written[-1] in ">)]）】" else written.strip("<([（【>)]）】")


def _find_form(text: str, options: tuple[Option, ...]) -> tuple[Form, int]:
    if _STEPS.found_in(text):
        n_steps = _count_steps(text)
        if n_steps:
            return "steps", n_steps
    if options:
        return ("choices" if _SEVERAL.found_in(text) else "choice"), 0
    return ("boolean" if _BOOLEAN.found_in(text) else "open"), 0


def _count_steps(text: str) -> int:
    """Return the number of steps to judge: the stated number, or the last series of numbered lines."""
    stated = _N_VALUES.findall(text)
    if stated:
        return int(stated[-1][0] or stated[-1][1])
    count = 0
    for number in map(int, _NUMBERED_LINE.findall(text)):
        count = number if number in (1, count + 1) else count
    return count
