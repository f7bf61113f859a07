"""Words that speak for or against an option, and what they say with the verbs and negations before them."""

import re

from evaluation.extraction.language.lexicon import KIND, LEXICON, WORD_LISTS

TRUE = WORD_LISTS["TRUE"] | WORD_LISTS["SUPPORTED"]
FALSE = WORD_LISTS["FALSE"] | WORD_LISTS["UNSUPPORTED"]
CURT = WORD_LISTS["CURT"]
"""Words that are a verdict only where a sign follows: "A: No", not "A: No dog barks"."""
VERDICT_WORDS = (
    TRUE
    | FALSE
    | CURT
    | {phrase for phrase, kind in LEXICON.items() if kind in {KIND.GOOD, KIND.BAD, KIND.YES, KIND.NO}}
)
"""The words and signs that are verdicts in a review."""

_BAD = FALSE | {phrase for phrase, kind in LEXICON.items() if kind is KIND.BAD}
_AUXILIARIES = r"(?:do|does|did|is|are|was|were|can|could|has|have|seems?|looks?)"
_LEAD = re.compile(rf"(?:(?:{_AUXILIARIES}(?:n't)?|be|been|all|both|to|not|cannot|can't) )+", re.IGNORECASE)
_NEGATION = re.compile(r"(?<![a-z])(?:not|cannot)(?![a-z])|n't", re.IGNORECASE)


def _alternatives(words: set[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_ENGLISH = {word for word in VERDICT_WORDS - CURT if word[0].isascii() and word[0].isalpha() and len(word) > 1}
JUDGED = (
    rf"(?:(?:{_AUXILIARIES}(?: not|n't)?|be|been|all|both|to|not|cannot"
    rf"|can't) ){{0,4}}(?:{_alternatives(_ENGLISH)})(?![a-z])"
)
"""A verdict in English with the verbs before it: "do not hold"."""
JUDGED_IN_CHINESE = (
    rf"(?:{_alternatives({word for word in VERDICT_WORDS if not word.isascii() and len(word) > 1})}|对|错|真|假)"
)


def says_bad(said: str) -> bool:
    """Whether a verdict with the verbs before it speaks against what it is said of.

    >>> says_bad("do not hold"), says_bad("is not wrong")
    (True, False)
    """
    lead = _LEAD.match(said)
    bare = said[lead.end() :] if lead is not None else said
    return (bare.lower() in _BAD) != (lead is not None and _NEGATION.search(lead.group()) is not None)
