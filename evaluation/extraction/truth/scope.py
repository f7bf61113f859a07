"""Verdicts, what earlier clauses leave behind, and how far a denial or a subject reaches within a clause."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from evaluation.extraction.truth.clauses import Clause

PART, POINTED, SAID, FINAL = range(4)
"""How firmly: of a part or in passing; of "it"; of the statement or as the answer; as the final answer."""

_REACH = 3


class ClauseVerdict(NamedTuple):
    """A truth value that a clause gives.

    Attributes:
        value: The value.
        rank: How firmly.
        doubtful: It is asked, supposed, remembered or only half said.
        bare: It is a word such as "yes", without a subject.
        base: The value of the word without its denial: True for "it does not match".
        half: It is only half said, or supposed: it leaves open what parts of the answer say.
    """

    value: bool
    rank: int
    doubtful: bool = False
    bare: bool = False
    base: bool = True
    half: bool = False


@dataclass(slots=True)
class Context:
    """What the clauses before leave behind.

    Attributes:
        subject: Rank that the last subject gives to a clause without one.
        cued: "The answer is" stands in front.
        final: "Final answer" stands in front.
        base: Base of the last verdict, for "it does" and "it is not".
        negated: The clause before has a denial.
        stated: The statement's words were repeated in this sentence.
        directions: The directions among these words.
        supposed: The value that the statement would have under a condition.
        supposed_in: Number of the sentence that says so.
        part: The clause before names a part of the motion.
        joined: The clause goes on with the subject of the one before: "and …".
        content: The clause before, of the same sentence, tells something.
        content_follows: So does the next clause.
    """

    subject: int = SAID
    cued: bool = False
    final: bool = False
    base: bool | None = None
    negated: bool = False
    stated: bool = False
    directions: tuple[str, ...] = ()
    supposed: bool | None = None
    supposed_in: int = 0
    part: bool = False
    joined: bool = False
    content: bool = False
    content_follows: bool = False


_SHORT = re.compile(r"[XZYczx]")
_LONGER = {"X": "n", "Z": "n", "Y": "a", "c": "a"}
_SHORT_CHINESE = {"是": "b", "不": "n", "对": "u", "否": "n", "没 有": "n", "并 没 有": "n"}
_ALTERNATIVE = frozenset({"也", "又", "还 是", "或", "或 者"})
_LIGHT = re.compile(r"[abnesdhoIuKLfHwYCVEjmcpPX,&]*")
_OF_STATEMENT = re.compile(r"[aeH]*[.0][.p]*[ua]e?P?S")
_ABOUT_PART = re.compile("Sue?[.0]")
_POINTER = re.compile("(?<!u)P[abnwhfpdmXYj]*$")
_JUDGED = re.compile(r"h[^.U]*$")
_OF_SOMETHING = re.compile(r"[bhy]|P[^.]*$")
_OBJECT = re.compile("u[eaPd]*$")
_DIRECTIONS = re.compile(
    r"(?:front|back|rear|behind|left|right|above|below|up|down|toward|away|closer|farther|[前后左右上下远近])"
)


def list_directions(words: list[str]) -> tuple[str, ...]:
    """Return the directions that are named, in order."""
    return tuple(_DIRECTIONS.findall(" ".join(words)))


def resolve(clause: Clause) -> str:
    """Return the classes, with short words that are no answer here as what else they are: a copula, a denial."""
    classes = clause.classes
    if classes.endswith("KW") and clause.words[-1] == "是 否":
        return f"{classes[:-1]}F"  # "我的回答是否".
    if "W" in classes:
        classes = _deny_neither(classes, clause.words)
    if not _SHORT.search(classes):
        return classes
    last = len(classes.rstrip("da")) - 1
    return "".join(_resolve_word(clause.words, position, symbol, last) for position, symbol in enumerate(classes))


def _resolve_word(words: list[str], position: int, symbol: str, last: int) -> str:
    if symbol == "z" or symbol == "x":
        return _resolve_chinese(words, position, symbol, last)
    return "f" if words[position] == "exactly" else _LONGER.get(symbol, symbol)


def _resolve_chinese(words: list[str], position: int, symbol: str, last: int) -> str:
    """Read 对, 错, 是 and the like: a value at the end of a clause and in front of an alternative, else as usual."""
    word, value = words[position], "T" if symbol == "z" else "F"
    if position == last and position and len(word) == 1 and not word.isascii() and word != "不":
        return "b" if word == "是" else value
    if words[position + 1 : position + 2] and words[position + 1] in _ALTERNATIVE:
        return value
    return _SHORT_CHINESE.get(word, ".")


def _deny_neither(classes: str, words: list[str]) -> str:
    """Read "neither" in front of a noun as a denial: "neither the start nor the end matches"."""
    at = words.index("neither") if "neither" in words else -1
    if at < 0 or classes[at + 1 : at + 2] not in {"e", ".", "u", "P"}:
        return classes
    nor = words.index("nor") if "nor" in words else at
    return "".join("n" if k == at else "a" if k == nor else symbol for k, symbol in enumerate(classes))


def count_denials(classes: str) -> tuple[bool, bool]:
    """Return whether what stands behind these words is denied, and whether it is only half said.

    A denial reaches over three ordinary words, and over a new subject only where a verb of saying stands between: "I do
    not think that the statement is true".
    """
    if "n" not in classes and not any(symbol in classes for symbol in "pW!m"):
        return False, False
    denied = half = crossed = said = whole = False
    distance = since = 0
    for position in range(len(classes) - 1, -1, -1):
        symbol = classes[position]
        if symbol in "hCg":
            said = True
        elif symbol in "SNK" and not _OBJECT.search(classes, max(0, position - 6), position):
            crossed, said, since = True, False, distance
        elif symbol == ".":
            distance += 1
        elif symbol == "f":
            whole = True
        elif symbol in "pW!":
            half = True
        elif symbol == "m":
            half = half or "n" not in classes[:position]  # "I do not see how it could be true."
        elif symbol == "n":
            of_other = distance > since + 1 or classes[position + 1 : position + 2] in {"", "b"}
            if crossed and not said and of_other:
                continue
            if distance > _REACH:
                # Too far away to deny and too near to ignore.
                half = half or not crossed
            else:
                denied, half = not denied, half or (whole and not crossed)
    return denied, half


def rank_subject(before: str, words: list[str], context: Context) -> int | None:
    """Return how firmly a value is said, from what it is said of; None where it is said of nothing that counts."""
    if "K" in before or "C" in before or context.cued:
        return SAID
    if "S" in before or "N" in before or "A" in before:
        # "The first half of the statement is right", "the direction in the statement".
        of_part = _OF_STATEMENT.match(before) or "half of" in words
        about = _ABOUT_PART.search(before)
        return PART if of_part or (about and words[about.start() + 1] in {"about", "regarding", "concerning"}) else SAID
    if not _LIGHT.sub("", before):
        if "P" in before:
            return POINTED
        return context.subject if context.joined and "h" not in before else SAID
    if (match := _POINTER.search(before)) and words[match.start()] in {"it", "this"}:
        return POINTED
    if "I" in before and _JUDGED.search(before):
        return SAID
    return PART if _OF_SOMETHING.search(before) else None
