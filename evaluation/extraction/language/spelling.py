"""Spelling variants of an option's text in a response."""

import re
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from evaluation.extraction.language.normalize import unify

_WORDS = re.compile(r"[a-z]+|[0-9]+(?:\.[0-9]+)?|->|[^\W_]|[^\w\s]")
_HYPHEN = re.compile(r"(?<=([^\W_]))-+(?![->0-9])(?=(.?))")
# Stands for a dash beside Chinese text in the words of an option; no cleaned text has this character.
_DASH = "–"
_EDGES = " \t\n.,;:!?。、\"'()[]<>*`…"
_OPTIONAL_MARKS = frozenset(f".,;:!?\"'()[]。、…·*`{_DASH}")
# Cleaning a response leaves such a text as it is, whatever stands around it.
_NUMBER_OR_WORD = r"(?:[0-9]+\.[0-9]+|[A-Za-z0-9]+)"
_PLAIN = re.compile(
    f"{_NUMBER_OR_WORD}(?:(?: |, | -> |-|'){_NUMBER_OR_WORD})*|[\u4e00-\u9fff]+(?:[，、][\u4e00-\u9fff]+)*"
)
_LONGEST_PLAIN = 80
_CHINESE_NUMERALS = "零一二两三四五六七八九十百千"
_KEY_OF_MUSIC = [
    rf"a {mode} (?:key|scale|chord|mode|third|sixth|second|seventh|tonality|feel|mood)" for mode in ("minor", "major")
]
# "the right answer" names no option, even where one of them is called "right".
_PROTECTED_WORDS = frozenset(
    {"right", "correct", "wrong", "best", "first", "second", "third", "fourth", "last", "true", "final"}
    | {"no", "one", "only"}
)
_PROTECTED_NOUNS = frozenset({"answer", "answers", "option", "options", "choice", "choices"})
# Directions that are also other words: "it left the room", "go ahead", "right now", "the reasoning behind this".
_HOMONYMS = {
    "left": [
        r"left (?:an? (?!bit|little|lot)[a-z]+|to (?!the |right)[a-z]+)",
        r"left (?:the|his|her|their|its|my|our|us|me|him|them|behind|alone|out)",
        *(rf"(?<={word} )left" for word in ("sounds", "things", "nothing", "options", "choices", "seconds", "time")),
    ],
    "right": [
        r"right[ -]hand(?:ed|er)",
        "(?<!the )(?<!my )(?<!your )right (?:in front|behind|next to|beside|above|below)",
        r"right (?:away|now|here|there|where|from the (?:very )?(?:start|beginning|outset)|on time|on cue)",
        *(rf"(?<={word} )right" for word in ("that's", "all")),
    ],
    "ahead": [*(rf"(?<={word} )ahead" for word in ("go", "went", "goes", "going")), "ahead of (?:time|schedule)"],
    "behind": [
        *(rf"(?<={word} )behind" for word in ("reasoning", "reason", "idea", "logic", "meaning", "nothing")),
        "behind (?:this|that)",
    ],
}
# "Front-left" is neither the option "front" nor the option "left".
_DEPTHS, _SIDES = ("front", "back", "rear", "forward"), ("left", "right")
_COMPOUNDS = [
    (first, second) for pair in ((_DEPTHS, _SIDES), (_SIDES, _DEPTHS)) for first in pair[0] for second in pair[1]
]
_BESIDE_PERSON = (
    rf"(?:behind|in front of) (?:you|me|us|(?:the|a) listener),?(?: and)? (?:to|on) (?:the|your) (?:{'|'.join(_SIDES)})"
)
# Rotations that are spelled in several ways, and prefixes that make another word of the one behind them.
_COUNTER = "counterclockwise"
_COUNTER_CLOCKWISE = frozenset(
    {("counter", "clockwise"), ("anti", "clockwise"), ("counterclockwise",), ("anticlockwise",)}
)
_TURNS = {"counter": "", "anti": "", "counterclockwise": "clockwise", "anticlockwise": "clockwise"}
_PREFIXES = ("anti", "counter", "non", "un", "in")
_PROTECTED = [f"{word} (?:answers?|options?|choices?)" for word in sorted(_PROTECTED_WORDS)]
_PATTERNS, _SPELLINGS = 8_192, 32_768


class Spelling(NamedTuple):
    """One option text.

    Attributes:
        text: The text without the signs at its ends.
        key: The form in which two spellings of the text are equal; empty where it has no words.
        words: Its words and signs.
        rarest: The longest word that stands apart from others in all spellings.
        needed: Parts that all spellings have.
        plain: The text holds no markup, and no phrase such as "the right answer" could claim a part of it.
        foes: Words that must not stand beside it, for the same reason.
    """

    text: str
    key: str
    words: tuple[str, ...]
    rarest: str
    needed: tuple[str, ...]
    plain: bool
    foes: frozenset[str]


def lower(text: str) -> str:
    """Lower the case without changing the length, so that positions stay true."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def find_words(lowered: str) -> list[str]:
    """The words, numbers and signs of a text in lower case."""
    return _WORDS.findall(lowered)


def _spell_hyphen(match: re.Match[str]) -> str:
    """Write a hyphen between English words as a space, and one beside Chinese text as a dash that may be missing."""
    before, after = match.groups()
    return " " if before.isascii() and after.isascii() else _DASH


def clean_option(text: str) -> str:
    """The text of an option in one alphabet, without the signs at its ends."""
    return unify(text).strip(_EDGES)


@lru_cache(maxsize=_SPELLINGS)
def spell(text: str) -> Spelling:
    """Take an option text apart; a hyphen between words is a space, before a number it is a minus."""
    words = tuple(find_words(_HYPHEN.sub(_spell_hyphen, lower(unify(text)).strip(_EDGES))))
    required = [word for word in words if word not in _OPTIONAL_MARKS]
    # A sign that may be missing leaves the words beside it joined.
    beside = zip(["", *words[:-1]], words, [*words[1:], ""], strict=True) if words else ()
    apart = [word for left, word, right in beside if _OPTIONAL_MARKS.isdisjoint((left, word, right))]
    stripped = text.strip(_EDGES)
    plain = bool(apart) and len(stripped) <= _LONGEST_PLAIN and _PLAIN.fullmatch(stripped) is not None
    claimed = plain and (
        words[0] in _PROTECTED_NOUNS or (words[0] in _PROTECTED_WORDS and not _PROTECTED_NOUNS.isdisjoint(words[1:2]))
    )
    return Spelling(
        text=stripped,
        key=" ".join(required),
        words=words,
        rarest=max(apart or required, key=len, default=""),
        needed=tuple(dict.fromkeys(_TURNS.get(word, word) for word in required)),
        plain=plain and not claimed,
        foes=_PROTECTED_NOUNS if len(words) == 1 and words[0] in _PROTECTED_WORDS else frozenset(),
    )


def _pattern_of(words: tuple[str, ...]) -> str:
    """A pattern for the words of one option text that forgives spaces, hyphens and inner punctuation."""
    if words[0][0] == "?" and len(words[0]) > 1:
        # An article that may be missing, or be another one.
        return f"(?:{_first_piece(words[0][1:])}[ -])?{_pattern_of(words[1:])}"
    turn = next((words[:reach] for reach in (1, 2) if words[:reach] in _COUNTER_CLOCKWISE), ())
    if turn:
        words = (_COUNTER, *words[len(turn) :])
    pieces = [_first_piece(words[0])]
    for before, word in pairwise(words):
        both_words = before[-1].isascii() and before[-1].isalnum() and word[0].isascii() and word[0].isalnum()
        together = not both_words or before[-1].isdigit() != word[0].isdigit()
        pieces.append(" ?" if together else "(?: ?, ?|[ \\n-]{1,2})")
        pieces.append(_piece(word))
    return f"{''.join(pieces)}{_right_edge(words[-1])}()"


def _piece(word: str) -> str:
    if word == _DASH:
        return "-{0,3}"
    if word in "\"'":
        return "[\"']?"
    return f"{re.escape(word)}?" if word in _OPTIONAL_MARKS else re.escape(word)


def _first_piece(word: str) -> str:
    """The first word, from a boundary; a number does not end "2.5" or "-5"; an arrow's chain is no longer one's end.

    The looks behind stand after the first character: a pattern that starts with a character is searched for faster.
    """
    if word == _COUNTER:
        return r"(?<![a-z0-9])(?:counter|anti)[ -]?clockwise"
    if word in _OPTIONAL_MARKS:
        return f"(?<!->)(?<!-> ){re.escape(word)}?"
    first, rest = re.escape(word[0]), re.escape(word[1:])
    edge = rf"(?<!->{first})(?<!-> {first})"
    if word[0].isascii() and word[0].isalnum():
        edge += f"(?<![a-z0-9]{first})"
    if word[0].isascii() and word[0].isalpha():
        # "Anti-clockwise" is not "clockwise".
        spaced = "".join(f"(?<!{prefix} {first})" for prefix in _PREFIXES[:3])
        hyphened = "".join(f"(?<!{prefix}-{first})" for prefix in _PREFIXES)
        edge += f"(?:(?<![ -]{first})|{spaced}{hyphened})"
    if word[0].isdigit():
        edge += f"(?<![0-9][.,]{first})(?<![-+]{first})"
    if word[0] in _CHINESE_NUMERALS:
        edge += f"(?<![{_CHINESE_NUMERALS}]{first})"
    return f"{first}{edge}{rest}"


def _right_edge(word: str) -> str:
    edge = r"(?! ?->)"
    if word[-1].isascii() and word[-1].isalnum():
        edge += r"(?![a-z0-9])"
    if word[-1] in _CHINESE_NUMERALS:
        edge += f"(?![{_CHINESE_NUMERALS}])"
    # "2-3" is no 2.
    return edge + (r"(?![.,][0-9])(?! ?[-~] ?[0-9])" if word[-1].isdigit() else "")


def _homonyms_of(texts: tuple[tuple[str, ...], ...]) -> list[str]:
    """The phrases in which a direction that is an option by itself is another word."""
    single = sorted(words[0] for words in texts if len(words) == 1 and words[0] in _HOMONYMS)
    phrases = [phrase for word in single for phrase in _HOMONYMS[word]]
    if single:
        own = {pair for text in texts for pair in pairwise(text)}
        if own.isdisjoint(_COMPOUNDS):
            phrases += [f"{first}[ -]{second}" for first, second in _COMPOUNDS]
            phrases.append(_BESIDE_PERSON)
    if any(words[:2] in {("a", "minor"), ("a", "major")} for words in texts):
        phrases += _KEY_OF_MUSIC
    return [rf"(?<![a-z0-9]){phrase}(?![a-z0-9])" for phrase in phrases]


@lru_cache(maxsize=_PATTERNS)
def compile_homonyms(texts: tuple[tuple[str, ...], ...]) -> re.Pattern[str] | None:
    """Compile one pattern for the phrases in which texts, given by their words, are other words; None without any."""
    phrases = _homonyms_of(texts)
    return re.compile("|".join(phrases)) if phrases else None


@lru_cache(maxsize=_PATTERNS)
def compile_texts(texts: tuple[tuple[str, ...], ...]) -> re.Pattern[str]:
    """Compile one pattern for texts given by their words; an empty group behind each tells which it was.

    Where no text could start inside a phrase such as "the right answer", the phrases need no protection.
    """
    inside = not {words["?" in words[0] and len(words) > 1] for words in texts}.isdisjoint(
        _PROTECTED_WORDS | _PROTECTED_NOUNS
    )
    protected = [*(_PROTECTED if inside else ()), *_homonyms_of(texts)]
    return re.compile("|".join([*protected, *map(_pattern_of, texts)]) or "(?!)")
