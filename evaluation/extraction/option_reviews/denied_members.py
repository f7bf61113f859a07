"""Denials and names of several options: "I don't hear any violin, flute or trumpet", "Anger (B) and sadness (D)"."""

import re

from evaluation.extraction.option_texts.options import PLACEHOLDER_BASE

_TEXT = "[\ue000-\uf8ff]"
_ARTICLE = "(?:any |the |an? )?"
# A text, or an option in other words: "thunder, baby or applause".
_MEMBER = f"(?:{_TEXT}|[a-z]+(?: [a-z]+)?)"
_OF_IT = "(?:(?:trace|sign|hint|sound|evidence)s? of )?"
_DENIED = re.compile(
    r"(?:(?<![a-z])(?:(?:i|we|you) )?(?:do not|don't|did not|didn't|cannot|can't|can not|could not|couldn't)"
    r" (?:really |actually |clearly )?(?:hear|detect|find|notice|make out|perceive|recogni[sz]e|identify)"
    r"|(?<![a-z])(?:there(?: is|'s| are) |with )?(?=no ))"
    rf" ?(?:no )?{_OF_IT}{_ARTICLE}(?P<list>{_TEXT}(?:,? (?:or|and|nor) {_ARTICLE}{_TEXT}|, {_ARTICLE}{_TEXT}){{1,9}}"
    rf"|{_MEMBER}(?:, {_ARTICLE}{_MEMBER}){{0,8}},? (?:or|nor) {_ARTICLE}{_MEMBER})"
    r"(?= ?[.;!\n]|\Z)",
    re.IGNORECASE,
)
# "Joy; no anger": the denial is about what follows, no verdict on what stands before.
_NEW_CLAUSE = re.compile(rf";(?= (?:and |but )?(?:there(?: is|'s| are) )?no {_OF_IT}{_ARTICLE}{_TEXT})", re.IGNORECASE)
_NAMED_TWICE = re.compile(rf"(?P<text>{_TEXT}) ?\((?P<letter>[A-Z])\)")
_LETTER = re.compile("(?<![A-Za-z'])[A-Z](?![A-Za-z'])")
_NAME = rf"(?:[Tt]he |[Aa]n? )?(?:{_TEXT}|(?<![A-Za-z])[A-Za-z]+(?: [a-z]+)?) \([A-Z]\)"
_LETTERED = re.compile(rf"{_NAME}(?:, {_NAME})*,? and {_NAME}(?= (?:are|were|can|both)(?![a-z]))")
_FEWEST = 2


def _deny_each(match: re.Match[str]) -> str:
    signs = re.findall(_TEXT, match["list"])
    return ", ".join(f"no {sign}" for sign in signs) if signs else match.group()


def deny_members(marked: str) -> str:
    r"""Return a text with placeholders in which a denial of several options denies each of them.

    >>> deny_members("I don't hear any \ue001, \ue003 or \ue005.")
    'no \ue001, no \ue003, no \ue005.'
    """
    if "n't" not in marked and "not" not in marked and "no " not in marked.lower():
        return marked
    return _DENIED.sub(_deny_each, _NEW_CLAUSE.sub(".", marked))


def join_bracketed_letters(marked: str) -> str:
    r"""Return a text in which a list of names with letters, before what is said of all, is a list of the letters.

    >>> join_bracketed_letters("The \ue004 (E) and the plates (D) are audible.")
    'E and D are audible.'
    """
    return _LETTERED.sub(_write_letters, marked) if ") and " in marked else marked


def _write_letters(match: re.Match[str]) -> str:
    return " and ".join(letter.strip("()") for letter in re.findall(r"\([A-Z]\)", match.group()))


def drop_letters_of_texts(marked: str) -> str:
    r"""Return a text that names options by text and letter, "\\ue001 (B)", without these letters.

    >>> drop_letters_of_texts("\ue001 (B) turns into \ue003 (D)")
    '\ue001 turns into \ue003'
    """
    if "(" not in marked:
        return marked
    named = list(_NAMED_TWICE.finditer(marked))
    agree = all(ord(match["text"]) - PLACEHOLDER_BASE == ord(match["letter"]) - ord("A") for match in named)
    if len(named) < _FEWEST or not agree or len(_LETTER.findall(marked)) != len(named):
        return marked
    return _NAMED_TWICE.sub(r"\g<text>", marked)
