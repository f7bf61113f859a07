"""Lists of option texts, each with an article or a reason: "the piano (no hammers), the guitar and the flute"."""

import re

from evaluation.extraction.language.polarity import VERDICT_WORDS

_OPTION = "[\ue000-\uf8ff]"
_REASON = re.compile(
    rf"(?<={_OPTION}) \((?P<words>[a-z][a-z']+[^()\nA-J\ue000-\uf8ff]{{1,80}})\)"
    r"(?=,| and | or | (?:is|are|was|were)(?![a-z]))"
)
_WORD = re.compile("[a-z']+")
# "'She left.', 'He stayed.'": the stop within the quotes ends no sentence.
_QUOTED_STOP = re.compile(
    rf"(?<={_OPTION})[.。!?](?=[\"'](?:,|、|;| (?:and|or|is|are|hold|holds|apply|fit|can|follow)(?![a-z])"
    rf"|[和与及都均]|以及|[.。]?$))"
)
_ARTICLE = re.compile(rf"({_OPTION}(?:,? (?:and|or)|,)) (?:the|an?) (?={_OPTION})")
# Words in brackets that may judge an option, or call it the answer.
_JUDGING = VERDICT_WORDS - {"no"} | {"not", "answer", "option", "choice", "chosen", "best", "likely", "possible"}


def join_listed_texts(marked: str) -> str:
    r"""Write lists of marked texts without articles and reasons.

    >>> join_listed_texts("not the \ue000 (no hammers), the \ue002 or the \ue003") == "not the \ue000, \ue002 or \ue003"
    True
    """
    if ".'" in marked or '."' in marked or '。"' in marked:
        marked = _QUOTED_STOP.sub("", marked)
    if " (" in marked:
        marked = _REASON.sub(_drop_reason, marked)
    return _ARTICLE.sub(r"\1 ", marked) if " the " in marked or " a" in marked else marked


def _drop_reason(match: re.Match[str]) -> str:
    return "" if _JUDGING.isdisjoint(_WORD.findall(match["words"])) else match.group()
