"""Letters in brackets behind what is heard: "coins are dropped (B), a jingle plays (D)"."""

import re

from evaluation.extraction.language.lexicon import KIND
from evaluation.extraction.language.polarity import JUDGED_IN_CHINESE
from evaluation.extraction.language.tokens import tokenize
from evaluation.extraction.option_texts.options import Profile
from evaluation.types import Reading

_BRACKETED = re.compile(r"(?<=[\w] )\(([A-Z])\)|(?<=[\u4e00-\u9fff\ue000-\uefff])\(([A-Z])\)")
_MIN_BRACKETED = 2
_BRACKETED_AND_DENIED = re.compile(
    # From the start of a clause alone: from each of its characters, a long clause would take quadratic time.
    rf"(?<![^,;。.\n])[^,;。.\n]*\([A-Z](?: is| are|: ?)? ?(?:{JUDGED_IN_CHINESE}|no|wrong|false|[✗×❌])\)"
)
_UNBRACKETED = re.compile("(?<![A-Za-z(])[B-HJ-Z](?![A-Za-z])|\\([A-Z][^)]")
_CUED = re.compile("(?<![a-z])(?:answers?|choose|select|or|options?)(?![a-z])|答案|选|或", re.IGNORECASE)
_DENYING = frozenset({KIND.NEG, KIND.BAD, KIND.REFUSE, KIND.IF, KIND.BEFORE, KIND.NO})


def read_bracketed(skeleton: str, profile: Profile) -> Reading | None:
    """Read letters that stand in brackets behind what is heard: "coins are dropped (B), a jingle plays (D)"."""
    skeleton = _BRACKETED_AND_DENIED.sub("", skeleton)
    matches = list(_BRACKETED.finditer(skeleton))
    if len(matches) < _MIN_BRACKETED or _UNBRACKETED.search(skeleton) or _CUED.search(skeleton):
        return None
    places = {ord(match[1] or match[2]) - 65 for match in matches}
    clauses = [
        skeleton[start : match.start()] for start, match in zip([0, *(m.end() for m in matches)], matches, strict=False)
    ]
    denied = any(token.kind in _DENYING for clause in clauses for token in tokenize(clause))
    return None if denied or max(places) >= profile.size else Reading(indices=frozenset(places))


def has_bracketed(marked: str) -> bool:
    """Whether a text has several letters in brackets."""
    return len(_BRACKETED.findall(marked)) >= _MIN_BRACKETED
