"""Lists of verdicts that a critic takes back: "Initially [0, 1, 0]. … Corrected labels: [0, 0, 1]"."""

import re

_FLAG = r"(?:true|false|[01])"
_LIST = rf"\[ ?{_FLAG}(?:, ?{_FLAG}){{1,40}} ?\]"
_LISTS = re.compile(_LIST, re.IGNORECASE)
# What stands before a list that its author does not hold to any more.
_FORMER = re.compile(
    r"(?<![a-z])(?:initial(?:ly)?|at first|originally|my first|first (?:pass|draft|attempt|impression|guess)|draft"
    r"|i(?:'d| would) first|i (?:first|had) (?:said|marked|thought|wrote|put))(?![a-z])[^\n]{0,100}\Z"
    r"|(?:起初|最初|一开始|原先|初步|初判|第一遍|先前|本来|原本)[^。\n]{0,40}\Z",
    re.IGNORECASE,
)
# What stands before the list that counts: in its sentence, nothing that leaves it open.
_FINAL = re.compile(
    r"(?<![a-z])(?:(?:correct|revis|updat|amend)ed|final(?:ly)?|now|so|therefore|thus|hence)(?![a-z])[^.!?\n\[\]]{0,60}\Z"
    r"|(?:修正|更正|改正|修改|最终|最后|因此|所以|应为|应是|改为)[^。\n\[\]]{0,30}\Z",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"(?<![a-z])(?:not|or|if|whether|would|could|might|may|unsure|maybe|perhaps|example)(?![a-z])|n't|\?|可能|也许|或|如果|不",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?。！？\n]")
_HINTS = ("nitial", "first", "riginal", "raft", "初", "一开始", "原", "第一遍", "先前", "本来")
_LONGEST_LEAD, _FEWEST_LISTS = 120, 2


def drop_former_lists(text: str) -> str:
    """Return the last list of a text that took back all lists before it; any other text as it is.

    >>> drop_former_lists("Initially I had [0, 1]. Step 2 is right after all. Corrected labels: [0, 0]")
    '[0, 0]'
    """
    if text.count("[") < 2 or not any(map(text.__contains__, _HINTS)):
        return text
    lists = list(_LISTS.finditer(text))
    if len(lists) < _FEWEST_LISTS or text.count("[") != len(lists) or text[lists[-1].end() :].strip(" .。\n"):
        return text
    *former, last = lists
    if not all(_FORMER.search(text, max(0, each.start() - _LONGEST_LEAD), each.start()) for each in former):
        return text
    lead = _SENTENCE_END.split(text[former[-1].end() : last.start()])[-1]
    is_final = _FINAL.search(lead) is not None and not _OPEN.search(lead)
    return last.group() if is_final else text
