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
_PAIR = re.compile("(?P<one>[a-z]+) (?P<sign>[&+]) (?P<two>[a-z]+)")
# "狗叫声" is a dog that barks.
_CALLS = ("叫", "叫声", "的叫声", "在叫", "鸣", "鸣声", "鸣叫", "鸣叫声", "的鸣叫声")


class _Vocabulary:
    """The words of one or more files.

    Attributes:
        english: English word → concept.
        chinese: Chinese word → its concepts; of several senses of a word, the one that the files name first.
    """

    def __init__(self, *names: str) -> None:
        self.english: dict[str, int] = {}
        self.chinese: dict[str, tuple[int, ...]] = {}
        self._n_concepts = 0
        for name in names:
            self._load(name)
        self.words = re.compile(write_trie(sorted(self.chinese)) + "|[\u4e00-\u9fff]")
        phrases = sorted((phrase for phrase in self.english if " " in phrase), key=len, reverse=True)
        self.phrases = re.compile(
            f"(?<![a-z])(?:{'|'.join(phrase.replace(' ', '[ -]') for phrase in phrases)})(?![a-z])"
        )

    def _load(self, name: str) -> None:
        senses: dict[str, set[int]] = {}
        for line in Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines():
            words, _, written = line.partition(" = ")
            translations = written.split()
            if not translations or line.startswith("#"):
                continue
            if (pair := _PAIR.fullmatch(words)) is not None:
                said = (self.english[pair["one"]], self.english[pair["two"]])
                forms = _CALLS if pair["sign"] == "&" else ("",)
                self.chinese |= {translation + form: said for translation in translations for form in forms}
                continue
            names = [word.replace("_", " ") for word in words.split()]
            if (concept := self.english.get(names[0])) is None:
                concept, self._n_concepts = self._n_concepts, self._n_concepts + 1
            self.english |= dict.fromkeys(names, concept)
            for translation in translations:
                senses.setdefault(translation, set()).add(concept)
                self.chinese[translation] = (min(senses[translation]),)

    def write(self, lowered: str) -> str:
        """Write a text in lower case as the concepts of its words; signs and unknown words stay."""
        if CHINESE_CHARACTER.search(lowered):
            return self.words.sub(self._write_chinese, lowered)
        lowered = self.phrases.sub(lambda match: f" {_name(self.english[match.group().replace('-', ' ')])} ", lowered)
        return _WORD.sub(self._write_english, lowered)

    def _write_chinese(self, match: re.Match[str]) -> str:
        concepts = self.chinese.get(match.group())
        return f" {' '.join(map(_name, concepts))} " if concepts else match.group()

    def _write_english(self, match: re.Match[str]) -> str:
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
            if form in self.english:
                return _name(self.english[form])
        return word


def _name(concept: int) -> str:
    """A word of letters only, so that nothing in it is read as a number."""
    return "q" + "".join(chr(97 + int(digit)) for digit in str(concept)) + "q"


_SYNONYMS = _Vocabulary("glossary.txt")
_TRANSLATIONS = _Vocabulary("glossary.txt", "translations.txt")


def _index_pieces() -> dict[str, set[int]]:
    """Return word of an English phrase, or Chinese character → concepts."""
    pieces: dict[str, set[int]] = {}
    for vocabulary in (_SYNONYMS, _TRANSLATIONS):
        for phrase, concept in vocabulary.english.items():
            for word in _WORD_PIECE.findall(phrase):
                pieces.setdefault(word, set()).add(concept)
        for text, concepts in vocabulary.chinese.items():
            for character in text:
                pieces.setdefault(character, set()).update(concepts)
    return pieces


_CONCEPTS_OF_PIECES = _index_pieces()


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
    return concepts if CHINESE_CHARACTER.match(word) else concepts | {write_concepts(word), translate(word)}


@lru_cache(maxsize=4_096)
def write_concepts(lowered: str) -> str:
    """Write a text in lower case as the concepts of its words, "qbcq"; signs and unknown words stay.

    >>> write_concepts("rain") == write_concepts("下雨").strip()
    True
    """
    return _SYNONYMS.write(lowered)


@lru_cache(maxsize=4_096)
def translate(lowered: str) -> str:
    """Write a text as `write_concepts` does, with further words that only tell the languages apart.

    >>> translate("a goose honking") == "a " + translate("鹅叫声").strip()
    True
    """
    return _TRANSLATIONS.write(lowered)
