"""Text comparison in any language for a judge's guard, without word boundaries, markup or invisible characters."""

import re
import unicodedata
from difflib import SequenceMatcher
from functools import lru_cache

_SENTENCE_END = re.compile(r"(?<=[。！？!?；;।؟])|(?<=\.)\s+|\n+")
# Scripts written without spaces between words: a pair of characters is about a word.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
_WORD = re.compile(r"\w+")
_TRUSTED_SHARE = 0.8
_SHORTEST_PIECE = 4
# Comparing two texts takes time proportional to the product of their lengths.
_LONGEST_QUOTE = 400


class _Kept(dict[int, int | None]):
    """A table for `str.translate` that keeps some categories, filled lazily; at most all of Unicode."""

    def __init__(self, categories: str, also: str = "") -> None:
        super().__init__({ord(character): ord(character) for character in also})
        self._categories = categories

    def __missing__(self, code: int) -> int | None:
        self[code] = code if unicodedata.category(chr(code))[0] in self._categories else None
        return self[code]


_VISIBLE = _Kept("LMNPSZ", also="\n\t")
_SPOKEN = _Kept("LMN")


def make_visible(text: str) -> str:
    """Remove invisible characters: controls, joiners, direction marks, tags, private use.

    A human reader must see the same text as the judge.

    >>> make_visible("a\u200bb\U000e0041")
    'ab'
    """
    return text.translate(_VISIBLE)


def normalize(text: str) -> str:
    """Return only letters, marks and digits, in lower case.

    >>> normalize("“Three  o’clock”, 三点！")
    'threeoclock三点'
    """
    folded = unicodedata.normalize("NFKC", make_visible(text)).casefold()
    return folded.translate(_SPOKEN)


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text in any language.

    >>> split_sentences("先敲门。Then steps. Done")
    ['先敲门。', 'Then steps.', 'Done']
    """
    return [sentence for piece in _SENTENCE_END.split(text) if piece and (sentence := piece.strip())]


@lru_cache(maxsize=1024)
def shingles(text: str) -> frozenset[str]:
    """Return the shingles of a text: words, and pairs of characters in scripts without spaces.

    >>> sorted(shingles("水溢出 the tap"))
    ['tap', 'the', '水溢', '溢出']
    """
    pieces: set[str] = set()
    for word in _WORD.findall(unicodedata.normalize("NFKC", make_visible(text)).casefold()):
        position = 0
        for run in _UNSPACED.finditer(word):
            pieces.add(word[position : run.start()])
            piece = run.group()
            pieces.update(piece[at : at + 2] for at in range(max(1, len(piece) - 1)))
            position = run.end()
        pieces.add(word[position:])
    return frozenset(pieces - {""})


def coverage(text: str, source: str) -> float:
    """Return the share of a text's shingles that also occur in a source; 0 for a text without any.

    >>> coverage("the old tap", "the tap is open")
    0.6666666666666666
    """
    own_shingles = shingles(text)
    return len(own_shingles & shingles(source)) / len(own_shingles) if own_shingles else 0.0


def similarity(one: str, other: str) -> float:
    """Return the similarity of two texts' shingles: 0 none in common, 1 all (Jaccard index)."""
    first, second = shingles(one), shingles(other)
    return len(first & second) / len(first | second) if first | second else 0.0


def is_quoted_from(quote: str, text: str) -> bool:
    """Return whether a quote occurs in a text, apart from punctuation, case and small errors.

    Args:
        quote: At least one letter or digit.
        text: Text that it should occur in.
    """
    quoted, source = normalize(quote[:_LONGEST_QUOTE]), normalize(text)
    if not quoted:
        return False
    if quoted in source:
        return True
    blocks = SequenceMatcher(None, quoted, source, autojunk=False).get_matching_blocks()
    common = sum(block.size for block in blocks if block.size >= _SHORTEST_PIECE)
    return common >= _TRUSTED_SHARE * len(quoted)
