"""Signals of answers that deserve a closer look. A signal costs a few more calls, never a point.

No word list is complete, and none needs to be: every answer with a score is probed (`probes.py`), with or without
signals. Signals select the answers that are probed alone, with and without their suspicious clauses.
"""

import json
import re
import unicodedata
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

from evaluation.judge.protocol import JudgeVerdict, OpenQuestion
from evaluation.judge.text import coverage, make_visible, normalize

Signal = Literal["talk", "markup", "encoded", "unsupported-quote", "long"]

_WORDS = Path(__file__).with_name("talk_words.json")
_CLAUSE = re.compile(r"(?<=[。！？!?；;।؟，,、،:：])|(?<=\.)\s+|\n+")
_MARKUP = re.compile(
    r"<[|/!]|\[/?INST|<<|>>|\{\s*[\"']|===|---|###|```|^\s*(?:system|user|assistant|human)\b|"
    r"\b(?:BEGIN|END)\b|<\w+>|assistant[_ ]?[12]",
    re.IGNORECASE | re.MULTILINE,
)
_ENCODED = re.compile(r"[A-Za-z0-9+/=_%-]{24,}|(?:\\[ux][0-9a-f]{2,4}){4,}|(?:[01]{8}\s*){4,}", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_FEW_LETTERS = 6
_LONG_ANSWER = 2_000


def find_signals(text: str, question: OpenQuestion, verdicts: tuple[JudgeVerdict, ...] = ()) -> frozenset[Signal]:
    """Return the signals of an answer.

    Args:
        text: Text shown to the judge.
        question: Its question and reference.
        verdicts: The judge's verdicts.
    """
    source = f"{question.question}\n{question.reference}\n{question.description}"
    quotes = [quote for verdict in verdicts for quote in verdict.quotes]
    signals: dict[Signal, bool] = {
        "talk": any(map(is_talk, split_clauses(text))),
        "markup": bool(_MARKUP.search(text)),
        "encoded": bool(_ENCODED.search(text)),
        "unsupported-quote": any(_is_unsupported(quote, source) for quote in quotes),
        "long": len(text) > _LONG_ANSWER,
    }
    return frozenset(name for name, is_there in signals.items() if is_there)


def split_clauses(text: str) -> list[str]:
    """Return the clauses of a text, each with its final punctuation mark."""
    return [piece for piece in _CLAUSE.split(text) if piece and piece.strip()]


def is_talk(clause: str) -> bool:
    """Return whether a clause contains a word addressed to a judge, or is not a sentence."""
    return has_talk(clause) or bool(_MARKUP.search(clause) or _ENCODED.search(clause))


def has_talk(clause: str) -> bool:
    """Return whether a clause contains a word addressed to a judge: about grades, instructions, assistants."""
    spaced = f" {' '.join(_WORD.findall(make_visible(clause).casefold()))} "
    words, runs = _talk_words()
    joined = normalize(clause)
    return any(f" {word} " in spaced for word in words) or any(run in joined for run in runs)


@cache
def _talk_words() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return whole words, and character runs for scripts without spaces."""
    listed = {str(word).casefold() for word in json.loads(_WORDS.read_text(encoding="utf-8"))}
    runs = {
        word
        for word in listed
        if any(_script(character) in ("CJK", "HIRAGANA", "KATAKANA", "HANGUL") for character in word)
    }
    words = {" ".join(_WORD.findall(word)) for word in listed - runs}
    return tuple(sorted(words)), tuple(sorted(normalize(word) for word in runs))


def _is_unsupported(quote: str, source: str) -> bool:
    """Return whether a quote shares nothing with question and reference. In another script this is unknown."""
    scripts = {_script(character) for character in source if character.isalpha()}
    n_known = sum(character.isalpha() and _script(character) in scripts for character in quote)
    return n_known >= _FEW_LETTERS and coverage(quote, source) == 0


@lru_cache(maxsize=4096)
def _script(character: str) -> str:
    return unicodedata.name(character, "").split(" ")[0].split("-")[0]
