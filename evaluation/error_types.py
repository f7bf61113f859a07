"""Error types of wrong answers: definitions, and the two types that need no judge.

Source: MDAR, section 4.2 (perception, reasoning, knowledge, formatting); STAR-Bench, section 4.2 and its figures of
error cases, for the three that it adds. `cannot-tell` is ours: a bare letter shows that an answer is wrong but not why,
so the judge is not asked to guess, and its share is never redistributed to other types.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.extraction.language.normalize import clean, is_blank
from evaluation.types import Reading


@dataclass(frozen=True, slots=True)
class ErrorType:
    """A type of wrong answer.

    Attributes:
        id: Label in a judge's reply.
        title: Label on the page.
        definition: Its meaning in one sentence, for readers and for the judge.
        is_judged: Whether a judge decides it.
    """

    id: str
    title: str
    definition: str
    is_judged: bool = True

    @property
    def metric(self) -> str:
        """Metric ID of its share among the classified wrong answers."""
        return f"{self.id.replace('-', '_')}_error_share"


FORMATTING = "formatting"
CANNOT_TELL = "cannot-tell"
_COMMON = (
    ErrorType(
        "perception", "Perception", "The model misheard or missed something, or heard something that is not there."
    ),
    ErrorType("reasoning", "Reasoning", "The model heard correctly but drew the wrong conclusion."),
    ErrorType("knowledge", "Knowledge", "The model did not know a fact about the world that the answer needs."),
)
_STAR_BENCH = (
    ErrorType(
        "hallucination",
        "Hallucination",
        "The answer refers to what no recording can hold, such as a picture or a video.",
    ),
    ErrorType(
        "generation-collapse",
        "Generation collapse",
        "The answer repeats itself, breaks off, or falls apart into noise.",
    ),
    ErrorType(
        "reasoning-answer-mismatch", "Reasoning–answer mismatch", "The reasoning leads to one answer; another is given."
    ),
)
_WITHOUT_JUDGE = (
    ErrorType(
        FORMATTING,
        "Formatting",
        "The answer cannot be parsed: it is empty, contradicts itself, or names no option or only part of one.",
        is_judged=False,
    ),
    ErrorType(
        CANNOT_TELL,
        "Cannot tell",
        "The answer is a bare letter, which does not reveal the cause. Never redistributed to other types.",
        is_judged=False,
    ),
)
ERROR_TYPES: Mapping[str, tuple[ErrorType, ...]] = {
    "mdar": (*_COMMON, *_WITHOUT_JUDGE),
    "star-bench": (*_COMMON, *_STAR_BENCH, *_WITHOUT_JUDGE),
}
"""Benchmark → its error types, in the order of tables and charts."""

_TOKEN = re.compile(r"[a-z]+|[0-9]+|[^\W\d_a-z]+")
_LETTER = re.compile(r"[a-j]{1,10}")
_FRAME = re.compile(
    "a|an|the|my|our|i|we|its?|s|is|are|be|was|would|should|must|will|so|therefore|thus|hence|and|or|final|correct|best|"
    "most|likely|appropriate|(?:answer|option|choice|letter)s?|response|select(?:ed)?|choose|chosen|pick(?:ed)?|go|with|"
    "boxed|text"
)
# Elsewhere "right" may be the option itself.
_RIGHT_ANSWER = re.compile(r"\b(?:right|true|only) (?=(?:answer|option|choice)s?\b)")
_NAMES_A_CHOICE = re.compile("(?:option|choice)s?|.*(?:选项|第.{1,3}个).*")
_PLACE = re.compile("[1-9]|first|second|third|fourth|fifth|sixth|last|one")
_CHINESE_FRAME = re.compile(
    "我(?:们)?|选择|选|最终|最|正确|准确|合适|可能|答案|选项|分别|应该|应当|应|该|为|是|的|和|与|及|以及|或|所以|因此|故|都|有|项|答|错误|错|不|对"
)
_CHINESE_PLACE = re.compile("第[一二三四五六七八九十]+个?")


def is_formatting_error(response: str | None, reading: Reading) -> bool:
    """Return whether a wrong answer has a format error: no answer can be parsed, or only part of an option.

    Part of an option does not identify an option with certainty, so parsers return no answer, as for a refusal, a
    contradiction or a text that matches no option. Open answers have a format error if they are blank.

    Args:
        response: The response; None without one.
        reading: The parsed answer; for open answers, one without answer and reason.

    Source: MDAR, section 4.2 ("formatting errors") and appendix J.2, where a judge decides; this function needs none.

    >>> is_formatting_error("the left one or so", Reading(reason="outside-options"))
    True
    >>> is_formatting_error("B", Reading(index=1))
    False
    """
    return reading.reason is not None or response is None or is_blank(clean(response))


def is_bare_letter(response: str | None, reading: Reading) -> bool:
    """Return whether an answer names its options by letter or position only, without words of an option or a reason.

    Phrases that only frame an answer ("The answer is B.", 答案：B) say no more than the letter. Marked thinking is not
    part of the answer. An answer with its option's text is not bare: MDAR's judge classifies those.

    Args:
        response: The response.
        reading: The parsed answer; an unparsed one is never bare.

    >>> is_bare_letter("The correct answer is **B**.", Reading(index=1))
    True
    >>> is_bare_letter("B, because the pitch falls", Reading(index=1))
    False
    """
    if response is None or (reading.index is None and not reading.indices):
        return False
    tokens = _TOKEN.findall(_RIGHT_ANSWER.sub("", clean(response).casefold()))
    may_name_places = any(_NAMES_A_CHOICE.fullmatch(word) for word in tokens)
    bare = [word for word in tokens if not _is_frame(word)]
    return bool(bare or "a" in tokens) and all(_names_option(word, may_name_places=may_name_places) for word in bare)


def _is_frame(word: str) -> bool:
    return bool(_FRAME.fullmatch(word)) if word.isascii() else not _CHINESE_FRAME.sub("", word)


def _names_option(word: str, *, may_name_places: bool) -> bool:
    """Return whether a word consists of letters in order or, if choices are mentioned, is a position."""
    if word.isascii():
        is_place = may_name_places and bool(_PLACE.fullmatch(word))
        return is_place or bool(_LETTER.fullmatch(word) and list(word) == sorted(set(word)))
    return may_name_places and not _CHINESE_FRAME.sub("", _CHINESE_PLACE.sub("", word))
