"""Verdicts that leave out their word: "rain is heard, wind is not, hail is"."""

import re

_SIGN = r"(?:[\ue000-\uf8fe]|(?<![A-Za-z'])(?-i:[A-J])(?![A-Za-z']))"
_BE = r"(?:is|are|was|were)(?P<not>n't| not)?"
_WORD = r"(?:heard|audible|present|there|detected|included|correct|right|true|wrong|incorrect|false|absent|missing)"
_SURELY = r"(?:(?:clearly|definitely|also|both|all|indeed|actually) )?"
_FULL = re.compile(rf"{_SIGN} {_BE} {_SURELY}(?P<word>{_WORD})(?![a-z])", re.IGNORECASE)
_GOOD = re.compile("heard|audible|present|there|detected|included|correct|right|true", re.IGNORECASE)
_ELIDED = re.compile(
    rf"(?P<verdict>{_SIGN} {_BE})(?P<also>,? (?:too|also|as well|either))?"
    r"(?!,? and (?:so|neither|nor) |, (?:however|of course|in |without|as (?:far|i) |i |to ))"
    r"(?= ?(?:[.,;)\n]|\Z)| (?:and|but|while) )",
    re.IGNORECASE,
)
# A text has one of these wherever a verdict leaves out its word.
HINTS = tuple(f"{be}{end}" for be in (" is", " are", " was", " were", "n't", " not", " too", " also") for end in ",.;")


def complete_verdicts(text: str) -> str:
    """Return a text in which each verdict on an option has its word, that of the verdict before it.

    >>> complete_verdicts("A is heard, B is not, C is too.")
    'A is heard, B is not heard, C is heard.'
    """
    full = list(_FULL.finditer(text)) if any(map(text.__contains__, HINTS)) else []
    return _ELIDED.sub(lambda elided: _complete(elided, full), text) if full else text


def _complete(elided: re.Match[str], full: list[re.Match[str]]) -> str:
    before = [verdict for verdict in full if verdict.start() < elided.start()]
    word = (before[-1] if before else full[0])["word"]
    # "Wind is absent, rain is.": the contrast says more than the words.
    is_same = elided["not"] or elided["also"] or _GOOD.fullmatch(word)
    return f"{elided['verdict']} {word}" if is_same else elided.group()
