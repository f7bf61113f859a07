"""Comparison of English answers with Chinese options, and the other way round, by a glossary of what can be heard."""

import re
from functools import lru_cache
from pathlib import Path

from evaluation.extraction.language.symbols import CHINESE_CHARACTER
from evaluation.extraction.language.tokens import write_trie

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[0-9]+")
CONCEPT = re.compile("(?<![a-z])q[a-j]+q(?![a-z])")
"""A concept as `write_concepts` writes it."""
_WORD_PIECE = re.compile("[a-z]+|[0-9]+")


def _load() -> tuple[dict[str, int], dict[str, set[int]]]:
    """Return English word → concept and Chinese word → concepts."""
    english: dict[str, int] = {}
    chinese: dict[str, set[int]] = {}
    lines = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    for concept, line in enumerate(line for line in lines if line and not line.startswith("#")):
        words, _, translations = line.partition(" = ")
        english |= {word.replace("_", " "): concept for word in words.split()}
        for translation in translations.split():
            chinese.setdefault(translation, set()).add(concept)
    return english, chinese


_TO_CONCEPT, _TO_CONCEPTS = _load()


def _index_pieces() -> dict[str, set[int]]:
    """Return word of an English phrase, or Chinese character → concepts."""
    pieces: dict[str, set[int]] = {}
    for phrase, concept in _TO_CONCEPT.items():
        for word in _WORD_PIECE.findall(phrase):
            pieces.setdefault(word, set()).add(concept)
    for text, concepts in _TO_CONCEPTS.items():
        for character in text:
            pieces.setdefault(character, set()).update(concepts)
    return pieces


_CONCEPTS_OF_PIECES = _index_pieces()
_CHINESE_WORDS = re.compile(write_trie(sorted(_TO_CONCEPTS)) + "|[\u4e00-\u9fff]")
_PHRASES = re.compile(
    "(?<![a-z])(?:"
    + "|".join(sorted((re.escape(phrase) for phrase in _TO_CONCEPT if " " in phrase), key=len, reverse=True))
    + ")(?![a-z])"
)


def differs_in_script(lowered: str, texts: tuple[str, ...]) -> bool:
    """Whether a response is in one language and all options are in the other."""
    in_chinese = CHINESE_CHARACTER.search(lowered) is not None
    return all((CHINESE_CHARACTER.search(text) is not None) != in_chinese for text in texts)


def list_concepts(word: str) -> frozenset[str]:
    """Return all that may be written for an English word or a Chinese character, by itself or as a part of a phrase.

    >>> write_concepts("rain") in list_concepts("雨")
    True
    """
    concepts = frozenset(map(_name, _CONCEPTS_OF_PIECES.get(word, ())))
    return concepts if CHINESE_CHARACTER.match(word) else concepts | {write_concepts(word)}


@lru_cache(maxsize=4_096)
def write_concepts(lowered: str) -> str:
    """Write a text in lower case as the concepts of its words, "c12"; signs and unknown words stay.

    >>> write_concepts("rain") == write_concepts("下雨").strip()
    True
    """
    if CHINESE_CHARACTER.search(lowered):
        return _CHINESE_WORDS.sub(_write_chinese, lowered)
    lowered = _PHRASES.sub(lambda match: f" {_name(_TO_CONCEPT[match.group()])} ", lowered)
    return _WORD.sub(_write_english, lowered)


def _name(concept: int) -> str:
    """A word of letters only, so that nothing in it is read as a number."""
    return "q" + "".join(chr(97 + int(digit)) for digit in str(concept)) + "q"


def _write_chinese(match: re.Match[str]) -> str:
    concepts = _TO_CONCEPTS.get(match.group())
    return f" {_name(min(concepts))} " if concepts else match.group()


def _write_english(match: re.Match[str]) -> str:
    word = match.group()
    for form in (
        word,
        word.removesuffix("s"),
        word.removesuffix("es"),
        word.removesuffix("ing"),
        word.removesuffix("ed"),
        word.removesuffix("ies") + "y",
        word.removesuffix("ied") + "y",
    ):
        if form in _TO_CONCEPT:
            return _name(_TO_CONCEPT[form])
    return word
