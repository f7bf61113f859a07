"""The words that steer the reading of an answer, English and Chinese, each with what it does.

Chinese has no spaces, so longer words that merely contain a steering character ("故事", "对话") are listed as plain.
"""

from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from typing import cast


class Kind(IntEnum):
    """What a token does in a sentence."""

    WORD = 0
    """Any other word."""
    TEXT = 1
    """An option's own text."""
    LABEL = 2
    """A letter that can name an option."""
    FILLER = 3
    """A word that adds nothing: "I think", "clearly"."""
    NOUN = 4
    """"option", "choice": makes the following letter a label."""
    ANSWER = 5
    """"the answer": what follows is the answer."""
    FINAL = 6
    """"final answer": outranks every other statement."""
    THEREFORE = 7
    """Introduces a conclusion."""
    CHOOSE = 8
    """"I choose"."""
    IS = 9
    GOOD = 10
    """"correct": speaks for what it is said of."""
    BAD = 11
    """"wrong": speaks against what it is said of."""
    NEG = 12
    """"not": speaks against what follows."""
    BUT = 13
    """Ends the reach of what came before."""
    OR = 14
    AND = 15
    COMMA = 16
    BREAK = 17
    """";" or a dash: ends a clause."""
    COLON = 18
    STOP = 19
    QUESTION = 20
    LINE = 21
    """A new line."""
    IF = 22
    """What follows is supposed, not said."""
    BECAUSE = 23
    """What follows is a reason, not an answer."""
    REVISE = 24
    """Takes back what was said before."""
    BEFORE = 25
    """"at first I thought": taken back by what comes later."""
    REFUSE = 26
    """"cannot determine"."""
    WHICH = 27
    """Opens a side clause."""
    SUBJECT = 28
    """"the statement": what a truth value is said of."""
    YES = 29
    NO = 30
    EVERY = 31
    """"all of the above"."""
    NONE = 32
    """"none of the above"."""
    ORDINAL = 33
    """"the second option", "option 2"."""
    CLOSE = 34
    """A closing bracket."""
    AMONG = 35
    """"between A and B": names what is weighed up to the end of the clause, not an answer."""


# Python 3.11 looks a member up five times as slowly as the attribute of a plain class, and readers look up little else.
KIND = cast("type[Kind]", type("KIND", (), dict(Kind.__members__)))


def _load(name: str) -> Iterator[tuple[str, str]]:
    """Yield (heading, phrase) for every phrase of a word file beside this module."""
    for line in Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            heading, _, phrases = line.partition(": ")
            yield from ((heading, phrase.strip()) for phrase in phrases.split("|"))


def _load_lists(name: str) -> dict[str, frozenset[str]]:
    lists: dict[str, set[str]] = {}
    for heading, word in _load(name):
        lists.setdefault(heading, set()).add(word)
    return {heading: frozenset(words) for heading, words in lists.items()}


ENGLISH = {phrase: Kind[heading] for heading, phrase in _load("english.txt")}
CHINESE = {phrase: Kind[heading] for heading, phrase in _load("chinese.txt")}
LEXICON = ENGLISH | CHINESE
WORD_LISTS = _load_lists("words.txt")
