"""Lists of option texts, each with an article or a reason: "the piano (no hammers), the guitar and the flute"."""

import re

_OPTION = "[\ue000-\uf8ff]"
# A reason in brackets, unless it may be a verdict or an answer.
_REASON = re.compile(
    rf"(?<={_OPTION}) \((?![^()]*(?<![a-z])(?:correct|incorrect|right|wrong|true|false|yes|chosen|answer|option|choice"
    r"|best|likely|plausible|possible|rejected|excluded|eliminated)(?![a-z]))[a-z']+ [a-z' -]{1,80}\)(?=,| and | or )"
)
_ARTICLE = re.compile(rf"({_OPTION}(?:,? (?:and|or)|,)) (?:the|an?) (?={_OPTION})")


def join_listed_texts(marked: str) -> str:
    r"""Write lists of marked texts without articles and reasons.

    >>> join_listed_texts("not the \ue000 (no hammers), the \ue002 or the \ue003") == "not the \ue000, \ue002 or \ue003"
    True
    """
    if " (" in marked:
        marked = _REASON.sub("", marked)
    return _ARTICLE.sub(r"\1 ", marked) if " the " in marked or " a" in marked else marked
