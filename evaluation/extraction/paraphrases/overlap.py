"""Word overlap of a response with any option: without one it cannot say an option in other words.

Most responses that name no option have none. A look at the single words shows that, much faster than comparing clauses.
"""

import re
from functools import lru_cache

from evaluation.extraction.language.glossary import list_concepts, translate, write_concepts
from evaluation.extraction.language.units import stem
from evaluation.extraction.measures.clock import list_times
from evaluation.extraction.measures.range_options import list_intervals
from evaluation.extraction.option_texts.options import PreparedOptions
from evaluation.extraction.paraphrases.gist import join_prefixes, make_gists

_MEMO_SIZE, _WORD_MEMO_SIZE, _LONGEST_REMEMBERED = 16_384, 16_384, 160
# A clause may end within "10:30" and behind the "and" of "and's": the pieces are words of their own.
_WORD = re.compile(r"[a-z]+|[0-9]+|[\u4e00-\u9fff]")
_WORD_WITH_SUFFIX = re.compile("[a-z]+'[a-z]+")
_DIGITS = re.compile("[0-9]+")


@lru_cache(maxsize=_WORD_MEMO_SIZE)
def _units_of(word: str) -> frozenset[str]:
    """Whatever a clause with a word may be compared by: its stem, and the concepts that it may be a part of."""
    return frozenset({word, stem(word), stem(word.removesuffix("'s"))}) | list_concepts(word)


@lru_cache(maxsize=_MEMO_SIZE)
def _list_units(prepared: PreparedOptions) -> frozenset[str] | None:
    """Whatever tells of one of the options; None where numbers or places do, which are not compared word by word."""
    texts = tuple(map(join_prefixes, prepared.texts))
    if any(each.family.compass is not None for each in prepared.active) or list_intervals(texts) or list_times(texts):
        return None
    concepts, translated = tuple(map(write_concepts, texts)), tuple(map(translate, texts))
    gists = (*make_gists(texts), *make_gists(concepts), *make_gists(translated, strict=False))
    units = (unit for gist in gists for unit in gist.weights)
    return frozenset(number[0] if (number := _DIGITS.match(unit)) else unit for unit in units)


def may_say_one(lowered: str, prepared: PreparedOptions) -> bool:
    """Whether a cleaned response in lower case, without a letter or text of an option, may still say one.

    >>> from evaluation.extraction.option_texts.options import prepare
    >>> may_say_one("a recording of something", prepare(("dog barking", "cat")))
    False
    """
    units = _list_units(prepared)
    if not units:
        return units is None
    said = _remember_units(lowered) if len(lowered) <= _LONGEST_REMEMBERED else _list_units_said(lowered)
    return not units.isdisjoint(said)


def _list_units_said(lowered: str) -> frozenset[str]:
    """Whatever clauses of a text may be compared by."""
    lowered = join_prefixes(lowered)
    words = _WORD.findall(lowered)
    if "'" in lowered:
        words += _WORD_WITH_SUFFIX.findall(lowered)
    return frozenset[str]().union(*map(_units_of, words))


_remember_units = lru_cache(maxsize=_MEMO_SIZE)(_list_units_said)
