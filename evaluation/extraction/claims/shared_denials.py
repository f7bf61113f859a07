"""What two options lack alike: "clip 1 has no cough and neither does clip 3" denies both."""

import re

_OPTION = "[\ue000-\uf8ff]"
_VERB = r"(?:is|are|was|were|has|have|had|do|does|did|can|could|will|would)"
_SHARED = re.compile(
    rf"(?P<first>{_OPTION}) (?:(?:{_VERB}|contains?|shows?|includes?) (?:not?|never)(?![a-z])|{_VERB}n't|lacks?)"
    rf"[^.,;\n\ue000-\uf8ff]{{0,80}},? (?:and )?(?:neither|nor) {_VERB} (?P<second>{_OPTION})"
)
_SHARED_IN_CHINESE = re.compile(
    rf"(?P<first>{_OPTION})(?:里|中)?(?:没有?|不)[^。,;\n\ue000-\uf8ff]{{1,30}},?(?P<second>{_OPTION})(?:里|中)?也(?:没有?|不)"
    r"[^。,;\n\ue000-\uf8ff]{0,30}"
)


_CONTRAST = re.compile(
    rf"(?<=[a-z\ue000-\uf8ff]),? (?:rather than|instead of|as opposed to) (?:an? |the )?{_OPTION}(?= ?(?:[.,;\n]|$))"
)


def drop_contrasts(marked: str) -> str:
    r"""Leave out of a marked text what an answer is rather than: "it is sad rather than angry".

    >>> drop_contrasts("it is \ue001 rather than \ue002.") == "it is \ue001."
    True
    """
    return (
        _CONTRAST.sub("", marked) if " than " in marked or "instead of" in marked or "opposed to" in marked else marked
    )


def write_shared_denials(marked: str) -> str:
    r"""Write what a marked text says that two options lack as denials of both.

    >>> write_shared_denials("\ue000 has no cough and neither does \ue002.") == "not \ue000, not \ue002."
    True
    """
    if "either does" in marked or "either is" in marked or "either has" in marked or " nor " in marked:
        marked = _SHARED.sub(r"not \g<first>, not \g<second>", marked)
    return (
        _SHARED_IN_CHINESE.sub(r"不是\g<first>,不是\g<second>", marked)
        if "也没" in marked or "也不" in marked
        else marked
    )
