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
    # "It is sad, and differs from angry": a clause that only compares, behind one that says what it is.
    rf"|(?<=[a-z\ue000-\uf8ff]), (?:which |and )?(?:(?:is|are|sounds?) )?(?:(?:quite |very |clearly )?(?:different"
    rf"|distinct) from|differ(?:s|ing|ent) from|(?:in|by) contrast (?:to|with)|compared (?:to|with)|[a-z]{{3,}}er than"
    rf"|(?:more|less) [a-z]+ than)"
    rf" (?:that of |those of |the sound of )?(?:an? |the )?{_OPTION}[^.,;\n\ue000-\uf8ff]{{0,30}}(?=[.,;\n]|$)"
    rf"|(?P<like>more like (?:an? |the )?{_OPTION}) than (?:like )?(?:an? |the )?{_OPTION}(?= ?(?:[.,;\n]|$))"
)
_CONTRAST_IN_CHINESE = re.compile(
    rf"(?:,|(?:^|(?<=[。;\n]))(?=[^比]))(?:并|而|这|它|也|明显|音色|声音)*(?:(?:区别于|不同于|有别于|不像)(?:是)?{_OPTION}[^,。;\n\ue000-\uf8ff]{{0,8}}"
    rf"|(?:与|和|跟|同){_OPTION}[^,。;\n\ue000-\uf8ff]{{0,8}}?(?:不同|有别|不一样|有区别|有所不同|形成对比)"
    rf"|比{_OPTION}[^,。;\n\ue000-\uf8ff]{{1,10}})(?=[,。;\n]|$)"
)
_COMPARING = (" than ", "instead of", "opposed to", " from ", "contrast", "compared ")
_COMPARING_IN_CHINESE = ("不同", "有别", "不一样", "区别", "不像", "对比", "比")


def drop_contrasts(marked: str) -> str:
    r"""Leave out of a marked text what an answer is rather than, or is compared with: "it is sad rather than angry".

    >>> drop_contrasts("it is \ue001 rather than \ue002.") == "it is \ue001."
    True
    """
    if any(map(marked.__contains__, _COMPARING)):
        return _CONTRAST.sub(r"\g<like>", marked)
    if not marked.isascii() and any(map(marked.__contains__, _COMPARING_IN_CHINESE)):
        return _CONTRAST_IN_CHINESE.sub("", marked)
    return marked


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
