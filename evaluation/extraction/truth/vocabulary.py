"""Word classes of true/false answers: one character for what each word does, so that clauses can be matched as strings.

`Clause.classes` has one character a word and `Clause.words` the words; a pattern over classes ("a statement, a copula,
perhaps a denial, an adjective that says true") then covers every wording whose words are listed in `vocabulary.txt`.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from evaluation.extraction.language.symbols import CROSSES, TICKS

CLASSES = {
    "TRUE": "T", "FALSE": "F", "RIGHT": "R", "YES": "Y", "COURTESY": "c", "FIRM_NO": "Z", "NO": "X",
    "SHORT_YES": "z", "SHORT_NO": "x", "FITS": "M", "DIFFERS": "D", "HOLDS": ">", "FAILS": "<",
    "OPPOSITE": "O", "FLAW": "v", "EXCEPT": "^", "DIFFERENT": "#", "SAME": "+", "PRESENT": "*", "ABSENT": "%",
    "STATEMENT": "S", "STATED": "N", "RECORDING": "U", "ANSWER": "K", "FINAL": "L", "PERSON": "I", "POINTER": "P",
    "WHAT": "k", "HEAR": "g", "NOT": "n", "PARTLY": "p", "WHOLLY": "f", "MAY": "m", "WOULD": "w",
    "MAYBE": "a", "IF": "i", "WHETHER": "W", "FIRST": "E", "FIRST_WEAK": "0", "REVISE": "V", "REFUSE": "!",
    "BUT": "B", "CONCEDE": "G", "THEREFORE": "H", "BECAUSE": "Q", "AND": "&", "OR": "|", "JUDGE": "h",
    "CHOOSE": "C", "STATES": "y", "DEPICTS": "q", "AS_SAID": "A", "AS": "s", "SAID": "r", "WELL": "j",
    "BADLY": "J", "BE": "b", "ARTICLE": "e", "TO": "o", "OF": "d", "PREP": "u", "FILLER": "a", "PLAIN": ".",
}  # fmt: skip
"""Heading in `vocabulary.txt` → the class's character. `N`, what the statement says, is mostly found by its form."""

_SIGNS = {
    ",": ",", "、": ",", ";": ";", ":": ":", "\n": "\n", ".": "=", "!": "=", "。": "=", "…": "=", "?": "?", "(": ",",
    ")": ",", "[": ",", "]": ",", "|": ";", "{": ",", "}": ",",
}  # fmt: skip
_TICKS = frozenset(TICKS + CROSSES)
_CONTRACTIONS = (
    (re.compile(r"\bcan't\b|\bcannot\b|\bcant\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b|\b(?<=is)nt\b|\b(?<=does)nt\b"), " not"),
    (re.compile(r"\b(it|that|this|what|there|he|which|answer|statement|claim|one|here)'s\b"), r"\1 is"),
    (re.compile(r"'(?:re|m)\b"), " are"),
    (re.compile(r"'d\b"), " would"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"'s\b"), ""),
)
_UNITS = re.compile(
    r"\b[0-9][\w.,%/°-]*%|[a-z]+(?:-[a-z]+)+|[a-z]+|[0-9][0-9a-z_%]*(?:[.,][0-9]+)*|->|--+|(?<= )-(?= )"
    r"|[一-鿿✓✔✅☑√✗✘❌×=]|[,、;:\n.!。…?(){}\[\]|]",
)


def read_phrases() -> Iterator[tuple[str, str]]:
    """Yield (class, phrase) for every phrase of the vocabulary."""
    for line in Path(__file__).with_name("vocabulary.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            heading, _, phrases = line.partition(": ")
            yield from ((CLASSES[heading], phrase.strip()) for phrase in phrases.split("|"))


def _split(phrase: str) -> tuple[str, ...]:
    return tuple(_UNITS.findall(phrase))


def _build_tables() -> tuple[dict[tuple[str, ...], str], dict[str, int]]:
    """Return phrase → class, and first unit → length of the longest phrase that it opens."""
    classes: dict[tuple[str, ...], str] = {}
    longest: dict[str, int] = {}
    for symbol, phrase in read_phrases():
        units = _split(phrase)
        classes.setdefault(units, symbol)
        longest[units[0]] = max(longest.get(units[0], 0), len(units))
    return classes, longest


_PHRASES, _LONGEST = _build_tables()


class ClassifiedText(NamedTuple):
    """A text as classes and words; both have one entry a word or sign.

    Attributes:
        classes: One character for each word or phrase; `=` ends a sentence; `,` `;` `:` and a line break a clause; `~`
            follows a tick.
        words: The words.
    """

    classes: str
    words: list[str]


def undo_contractions(text: str) -> str:
    """Write "isn't" as "is not", in lower case."""
    text = text.lower()
    if "'" in text or "cannot" in text:
        for pattern, plain in _CONTRACTIONS:
            text = pattern.sub(plain, text)
    return text


@lru_cache(maxsize=8192)
def _classify_unit(unit: str) -> str:
    if unit in _SIGNS:
        return _SIGNS[unit]
    if unit == "-" or unit.startswith("--"):
        return ";"
    return _PHRASES.get((unit,), ".")


def classify(text: str) -> ClassifiedText:
    """Cut a cleaned text into words and phrases, the longest that are listed, and give each its class."""
    units = _UNITS.findall(undo_contractions(text))
    classes: list[str] = []
    words: list[str] = []
    position, end = 0, len(units)
    while position < end:
        unit = units[position]
        symbol, length = None, min(_LONGEST.get(unit, 1), end - position)
        while length > 1 and (symbol := _PHRASES.get(tuple(units[position : position + length]))) is None:
            length -= 1
        classes.append(symbol or _classify_unit(unit))
        words.append(" ".join(units[position : position + length]) if length > 1 else unit)
        if unit in _TICKS:
            classes.append("~")
            words.append("")
        position += length
    return ClassifiedText("".join(classes), words)
