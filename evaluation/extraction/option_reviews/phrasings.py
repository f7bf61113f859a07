"""Verdicts in phrases, written as the words that reviews know: "goes too far" is "is unsupported".

Only where several options may be right: there "reasonable" and "can be inferred" say of each option that it is right.
"""

import re
import tomllib
from bisect import bisect_left
from pathlib import Path

from evaluation.extraction.language.lexicon import KIND
from evaluation.extraction.language.polarity import VERDICT_WORDS
from evaluation.extraction.language.symbols import CHINESE_CHARACTER
from evaluation.extraction.language.tokens import tokenize

_DECLARED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
# "A (the baby cries), D (a bell)": what a letter says is told again, or why it is right or wrong.
_GLOSS = re.compile(r"(?<![A-Za-z(])([A-Z]) ?\(([^()\n]{2,120})\)")
# "Selected: A ✅ B ❌ C ✅": what stands before the colon is a heading, no verdict on the first letter.
_HEADED_MARKS = re.compile(
    r"^[A-Za-z\u4e00-\u9fff ]{2,20}: ?(?=(?:[A-Z][.)]? ?[:=-]? ?[✓✔✅☑√✗✘❌×][,;、]? ?){2,}[.。]?$)", re.MULTILINE
)
_JUDGING = frozenset({KIND.GOOD, KIND.BAD, KIND.YES, KIND.REVISE, KIND.TEXT, KIND.ORDINAL, KIND.REFUSE})
_LIGHT = frozenset({KIND.FILLER, KIND.NEG, KIND.NO, KIND.IS, KIND.NOUN, KIND.STOP, KIND.COMMA})
_DENYING = frozenset({KIND.NEG, KIND.NO})
_REJECTION = (
    r"(?:rul(?:e|es|ed|ing) out|exclud\w+|eliminat\w+|reject\w*|discard\w*|dismiss\w*|not supported|unsupported"
    r"|incorrect|wrong|false|排除|不成立|不合理|错误|不正确|不选)"
)
# All of a text are found in one pass: a search from each gloss takes quadratic time.
_REJECTION_OR_END = re.compile(rf"(?P<rejection>{_REJECTION})|[.。;\n]", re.IGNORECASE)


def _load(language: str, flags: int = 0) -> list[tuple[re.Pattern[str], str]]:
    """The patterns of a language, each with what is written for it."""
    loaded = []
    for phrase in _DECLARED[language]:
        said = phrase["said"]
        for name, words in _DECLARED["words"].items():
            said = said.replace(f"<{name}>", words)
        loaded.append((re.compile(said, flags), phrase["means"]))
    return loaded


_IN_ENGLISH, _IN_CHINESE = _load("english", re.IGNORECASE), _load("chinese")


def write_verdicts(skeleton: str) -> str:
    """Write phrases that judge options as plain verdicts, and leave out what is told again in brackets.

    >>> write_verdicts("A (the bell) can be inferred, B goes too far.")
    'A is supported, B is unsupported.'
    """
    if _HEADED_MARKS.search(skeleton):
        skeleton = _HEADED_MARKS.sub("", skeleton)
    if "(" in skeleton:
        skeleton = _drop_glosses(skeleton)
    for pattern, written in _IN_CHINESE if CHINESE_CHARACTER.search(skeleton) else _IN_ENGLISH:
        skeleton = pattern.sub(written, skeleton)
    return skeleton


class _Rejections:
    """Words of a text that reject options, and the ends of its sentences."""

    def __init__(self, text: str) -> None:
        marks = list(_REJECTION_OR_END.finditer(text))
        self._text = text
        self._starts = [mark.start() for mark in marks]
        self._are_rejections = [mark["rejection"] is not None for mark in marks]

    def are_around(self, match: re.Match[str]) -> bool:
        """Whether the sentence around a match rejects the option that it names."""
        start = match.start()
        # A heading on the line before counts: "Wrong:", and then "A (no bell rings)" on a line of its own.
        before = bisect_left(self._starts, start - 1 if self._text[start - 1 : start] == "\n" else start) - 1
        behind = bisect_left(self._starts, match.end())
        return (before >= 0 and self._are_rejections[before]) or (
            behind < len(self._starts) and self._are_rejections[behind]
        )


def _drop_glosses(text: str) -> str:
    """Leave out what stands in brackets behind letters, unless it judges an option or names another one."""
    rejections = _Rejections(text)

    def drop(match: re.Match[str]) -> str:
        if match[2][0] == match[2][-1] == '"':
            return match[1]  # A quotation judges nothing.
        tokens = tokenize(match[2])
        if any(token.kind in _JUDGING or (token.kind is KIND.LABEL and token.capital) for token in tokens):
            return match.group()
        plain = all(token.kind in _LIGHT or token.text in VERDICT_WORDS for token in tokens)
        if plain or (any(token.kind in _DENYING for token in tokens) and not rejections.are_around(match)):
            return match.group()
        return match[1]

    return _GLOSS.sub(drop, text)
