"""Mistyped verdicts on steps: "Stpe 2: incorect"."""

import re
from functools import lru_cache

from evaluation.extraction.paraphrases.plainer import is_mistyped

_VERDICTS = ("correct", "incorrect", "erroneous", "accurate", "inaccurate", "supported", "unsupported")
_SHORTEST = 6
_WORD = re.compile(r"(?<![A-Za-z'’-])(?:[CcIiEeAaSsUu][a-z]{5,11}|[CIEASU][A-Z]{5,11})(?![A-Za-z'’-])")
_STEP = re.compile(r"(?<![A-Za-z])(?:stpe|setp|tsep|stepp|sttep|steep)(?P<s>s?)(?= ?#?[0-9])", re.IGNORECASE)
# Other words than verdicts, or other forms of them.
_OTHER = frozenset({"corrects", "supporter", "supports"})


@lru_cache(maxsize=4_096)
def _correct_word(word: str) -> str:
    lowered = word.lower()
    if lowered in _VERDICTS or lowered in _OTHER:
        return word
    meant = [
        verdict
        for verdict in _VERDICTS
        if verdict[0] == lowered[0] and is_mistyped(lowered, verdict, shortest_gap=_SHORTEST)
    ]
    return meant[0] if len(meant) == 1 else word


def correct_verdicts(response: str) -> str:
    """Return a response with its mistyped verdicts and names of steps corrected.

    >>> correct_verdicts("Stpe 1: corect, step 2: incorrcet")
    'step 1: correct, step 2: incorrect'
    """
    return _WORD.sub(lambda match: _correct_word(match.group()), _STEP.sub(r"step\g<s>", response))
