"""Verdicts in phrases, written as the words that reviews know: "goes too far" is "is unsupported".

Only where several options may be right: there "reasonable" and "can be inferred" say of each option that it is right.
"""

import re
import tomllib
from pathlib import Path

from evaluation.extraction.language.lexicon import KIND
from evaluation.extraction.language.polarity import VERDICT_WORDS
from evaluation.extraction.language.tokens import tokenize

_DECLARED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_CHINESE = re.compile("[\u4e00-\u9fff]")
# "A (the baby cries), D (a bell)": what a letter says is told again, or why it is right or wrong.
_GLOSS = re.compile(r"(?<![A-Za-z(])([A-Z]) ?\(([^()\n]{2,120})\)")
_JUDGING = frozenset({KIND.GOOD, KIND.BAD, KIND.YES, KIND.REVISE, KIND.TEXT, KIND.ORDINAL, KIND.REFUSE})
_LIGHT = frozenset({KIND.FILLER, KIND.NEG, KIND.NO, KIND.IS, KIND.NOUN, KIND.STOP, KIND.COMMA})
_DENYING = frozenset({KIND.NEG, KIND.NO})
_REJECTION = (
    r"(?:rul(?:e|es|ed|ing) out|exclud\w+|eliminat\w+|reject\w*|discard\w*|dismiss\w*|not supported|unsupported"
    r"|incorrect|wrong|false|排除|不成立|不合理|错误|不正确|不选)"
)
_REJECTED = re.compile(rf"{_REJECTION}[^.。;\n]*$", re.IGNORECASE)
_REJECTED_BEHIND = re.compile(rf"[^.。;\n]*{_REJECTION}", re.IGNORECASE)


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
    if "(" in skeleton:
        skeleton = _GLOSS.sub(_drop_gloss, skeleton)
    for pattern, written in _IN_CHINESE if _CHINESE.search(skeleton) else _IN_ENGLISH:
        skeleton = pattern.sub(written, skeleton)
    return skeleton


def _drop_gloss(match: re.Match[str]) -> str:
    """Leave out what stands in brackets behind a letter, unless it judges the option or names another one."""
    tokens = tokenize(match[2])
    if any(token.kind in _JUDGING or (token.kind is KIND.LABEL and token.capital) for token in tokens):
        return match.group()
    plain = all(token.kind in _LIGHT or token.text in VERDICT_WORDS for token in tokens)
    if plain or (any(token.kind in _DENYING for token in tokens) and not _is_rejected(match)):
        return match.group()
    return match[1]


def _is_rejected(match: re.Match[str]) -> bool:
    """Whether the sentence around a match rejects what it names."""
    behind = _REJECTED_BEHIND.match(match.string, match.end())
    return behind is not None or _REJECTED.search(match.string, 0, match.start()) is not None
