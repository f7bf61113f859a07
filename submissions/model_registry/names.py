"""Model names: matches for typed words, and names that probably mean the same system. Pure."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from typing import NamedTuple

MAX_QUERY_CHARACTERS = 120
_MAX_QUERY_WORDS = 8
_WORD = re.compile(r"[^\W_]+")
# Sizes and training stages distinguish models of a family, but rarely systems that people confuse.
_SIZE = re.compile(r"(?<![^\W_])a?\d+(?:\.\d+)?[bm](?![^\W_])")
_STAGES = frozenset({"base", "chat", "hf", "instruct", "instruction", "it", "preview", "sft"})
# Words that papers abbreviate.
_LONG_FORMS = {"mm": "multimodal"}
# Weight of a word of a name for a typed word.
_SAME, _BEGINNING, _INSIDE, _MISSPELT = 1.0, 0.9, 0.7, 0.6
# A name without spaces and hyphens.
_WHOLE, _PART_OF_WHOLE = 1.0, 0.65
_SHORTEST_MISSPELT = 4
_MIN_SHARED = 0.4
_MIN_LIKE = 0.75


class Hit(NamedTuple):
    """A match: an entry, and the fit of its best name, at most 1."""

    entry: int
    fit: float


def fold(name: str) -> str:
    """Return a name with case and letter width folded."""
    return unicodedata.normalize("NFKC", name).casefold()


def split_words(name: str) -> list[str]:
    """Return the runs of letters and digits of a name, folded.

    >>> split_words("Qwen2-Audio 7B")
    ['qwen2', 'audio', '7b']
    """
    return _WORD.findall(fold(name))


def find_stem(name: str) -> str:
    """Return the common stem of names that probably mean one system, or two of a family.

    The stem omits case, width, spacing, punctuation, a prefix before a slash, sizes such as `7B` or `a3b`, and the
    words base, chat, hf, instruct, instruction, it, preview, sft. `MM` is read as multimodal. A name that would be
    empty stays unchanged.

    >>> find_stem("Qwen/Qwen2-Audio-7B"), find_stem("qwen2 audio Instruct"), find_stem("7B")
    ('qwen2audio', 'qwen2audio', '7b')
    """
    folded = fold(name)
    named = folded.rpartition("/")[2]
    words = _WORD.findall(_SIZE.sub(" ", named))
    stem = "".join(_LONG_FORMS.get(word, word) for word in words if word not in _STAGES)
    return stem or "".join(_WORD.findall(folded)) or folded


def list_sizes(name: str) -> list[str]:
    """Return the sizes in a name, folded.

    >>> list_sizes("Qwen3-Omni-30B-A3B"), list_sizes("Kimi-Audio")
    (['30b', 'a3b'], [])
    """
    return _SIZE.findall(fold(name))


class NameIndex:
    """Index of entries by name: by words, prefixes of words, and despite small misspellings.

    Typed words are looked up in the vocabulary of all names, so that the cost grows with the number of distinct words.
    """

    def __init__(self, names: Iterable[tuple[int, str]]) -> None:
        """Take pairs (entry, name); an entry may have several names."""
        self._entries: list[int] = []
        self._wholes: list[str] = []
        self._names_with: dict[str, list[int]] = defaultdict(list)
        for at, (entry, name) in enumerate(names):
            words = split_words(name)
            self._entries.append(entry)
            self._wholes.append("".join(words))
            for word in dict.fromkeys(words):
                self._names_with[word].append(at)
        self._words_with: dict[str, list[str]] = defaultdict(list)
        for word in self._names_with:
            for pair in _pairs_of(word):
                self._words_with[pair].append(word)

    def find_matches(self, query: str) -> list[Hit]:
        """Return the entries with a name that contains every typed word, the best match first."""
        words = split_words(query[:MAX_QUERY_CHARACTERS])[:_MAX_QUERY_WORDS]
        if not words:
            return []
        fits = self._fit_words(words)
        whole = "".join(words)
        for at, known in enumerate(self._wholes):
            if whole in known:
                fits[at] = max(fits.get(at, 0.0), _WHOLE if known == whole else _PART_OF_WHOLE)
        best: dict[int, float] = {}
        for at, fit in fits.items():
            entry = self._entries[at]
            best[entry] = max(best.get(entry, 0.0), fit)
        return sorted((Hit(entry, round(fit, 6)) for entry, fit in best.items()), key=lambda hit: -hit.fit)

    def _fit_words(self, words: list[str]) -> dict[int, float]:
        """Return name → mean weight of its words, for names that contain every word."""
        sums: dict[int, float] = {}
        for number, word in enumerate(dict.fromkeys(words)):
            worth = self._fit_word(word)
            sums = dict(worth) if number == 0 else {at: sums[at] + worth[at] for at in sums.keys() & worth.keys()}
        return {at: total / len(set(words)) for at, total in sums.items()}

    def _fit_word(self, typed: str) -> Mapping[int, float]:
        worth: dict[int, float] = {}
        for word, fit in self._like(typed).items():
            for at in self._names_with[word]:
                worth[at] = max(worth.get(at, 0.0), fit)
        return worth

    def _like(self, typed: str) -> dict[str, float]:
        """Return the words of names that a typed word may mean, with their weights."""
        found = {word: _INSIDE for word in self._names_with if typed in word}
        for word in found:
            if word.startswith(typed):
                found[word] = _SAME if word == typed else _BEGINNING
        if len(typed) >= _SHORTEST_MISSPELT:
            for word, fit in self._misspelt(typed):
                found.setdefault(word, fit)
        return found

    def _misspelt(self, typed: str) -> Iterable[tuple[str, float]]:
        pairs = _pairs_of(typed)
        shared = Counter(word for pair in pairs for word in self._words_with.get(pair, ()))
        for word, number in shared.items():
            if 2 * number / (len(pairs) + len(word) + 1) < _MIN_SHARED:
                continue
            likeness = SequenceMatcher(None, typed, word, autojunk=False).ratio()
            if likeness >= _MIN_LIKE:
                yield word, _MISSPELT * likeness


def _pairs_of(word: str) -> frozenset[str]:
    """Return the pairs of neighbouring letters of a word, including its boundaries."""
    edged = f"^{word}$"
    return frozenset(edged[at : at + 2] for at in range(len(edged) - 1))
