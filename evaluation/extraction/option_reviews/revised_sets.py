"""Lists of letters that a response changes: "I first listed A, B and C. B should come off again."."""

import re

from evaluation.extraction.language.symbols import ARTICLE_OR_I

_LETTER = r"(?<![A-Za-z])[A-J](?![A-Za-z])"
_LIST = rf"{_LETTER}(?:(?:, (?:and )?| and | & |、|,|和|与|及){_LETTER}){{0,8}}"
_LISTED = re.compile(
    rf"(?:(?<![a-z])(?:first|initial(?:ly)?|originally|my (?:first |initial )?list|(?:i )?(?:had|noted"
    rf"|listed|picked|chose|ticked))"
    rf"(?![a-z])[^.;:\n]{{0,30}}?[: ]|^|起初|最初|一开始|我?先[^。,;\n]{{0,8}}?选?了?)(?:i )?(?:(?:had|noted|listed"
    rf"|picked|chose|ticked) )?"
    rf"(?:我?[列选写记]了?)?(?P<list>{_LETTER}(?:(?:, (?:and )?| and | & |、|,|和|与|及){_LETTER}){{1,8}})(?=[.,;。\n]"
    rf"| but |$)",
    re.IGNORECASE,
)
_AGAIN = r"(?: (?:again|then|after all|though|too|as well|back))*"
_REMOVED = re.compile(
    rf"(?P<one>{_LIST}) (?:should|has to|have to|must|needs? to|can|ought to|had to)(?: (?:now|then"
    rf"|therefore))? (?:be (?:taken (?:off|out|away)"
    rf"|removed|dropped|deleted|struck(?: off| out)?|crossed (?:off|out)|left out|withdrawn)|come (?:off"
    rf"|out)|go){_AGAIN}"
    rf"|(?:strike|remove|drop|delete|scratch|cross (?:off|out)|leave out|take (?:off|out)"
    rf"|withdraw) (?P<two>{_LIST}){_AGAIN}"
    rf"|take (?P<three>{_LIST}) (?:off|out|away){_AGAIN}"
    rf"|(?:把|将)?(?P<zh>{_LIST})(?:项)?(?:应该?|得|要|需要?|必须|又)*(?:去掉|划掉|删掉|删去|剔除|拿掉|撤掉|去除)了?",
    re.IGNORECASE,
)
_KEPT = re.compile(
    rf"{_LIST} (?:should|has to|have to|must|can)(?: also)? (?:be (?:kept|left)|stay|remain)(?: in)?{_AGAIN}"
    rf"|(?:keep|leave) {_LIST}(?: in)?{_AGAIN}|{_LIST}(?:项)?(?:应该?|要|可以|必须)?(?:保留|留下|留着)",
    re.IGNORECASE,
)
_ADDED = re.compile(
    rf"(?P<one>{_LIST}) (?:should|has to|have to|must|needs? to|can|ought to)(?: (?:now|also"
    rf"|then))? be (?:added|included){_AGAIN}"
    rf"|(?:add|include) (?P<two>{_LIST}){_AGAIN}"
    rf"|(?P<zh>{_LIST})(?:项)?(?:也|还)*(?:应该?|得|要|需要?|必须)*(?:也|还)*(?:加上|加进来|补上|算上)",
    re.IGNORECASE,
)
_TOUCHING = (
    "tak", "emov", "rop ", "ropped", "delet", "trike", "truck", "cross", "left out", "leave out", "cratch", "off",
    " go", "withdr", "add", "Add", "includ", "kept", "keep", "stay", "remain", "留", "掉", "去", "剔", "加上", "加进",
    "补上", "算上",
)  # fmt: skip
_SEVERAL = re.compile("[A-J](?:, | and | & |、|,|和|与|及)")
_CAPITALS = re.compile(_LETTER)
_OPEN = re.compile(
    r"(?<![a-z])(?:maybe|perhaps|might|could|not|if|unless|whether|or)(?![a-z])|n't|\?|或|可能|如果|不(?!变)",
    re.IGNORECASE,
)
_LONGEST = 300


def write_revised_set(marked: str, size: int) -> str:
    """Return the list that a response ends up with where it changes the one with which it began; else the response.

    Where it began with all options, it may only have repeated them.

    >>> write_revised_set("I first listed A, B and C. B should be taken off again.", 4)
    'The answers are A and C.'
    """
    if len(marked) > _LONGEST or not _SEVERAL.search(marked) or not any(map(marked.__contains__, _TOUCHING)):
        return marked
    if _OPEN.search(marked):
        return marked
    listed = _LISTED.search(marked)
    if listed is None:
        return marked
    letters = _CAPITALS.findall(listed["list"])
    if len(letters) == size:
        return marked
    rest = marked[: listed.start("list")] + " " * len(listed["list"]) + marked[listed.end("list") :]
    removed = list(_REMOVED.finditer(rest, listed.end("list")))
    added = list(_ADDED.finditer(rest, listed.end("list")))
    if not removed and not added and not _KEPT.search(rest, listed.end("list")):
        return marked
    out, more = (
        {letter for match in matches for letter in _CAPITALS.findall(match.group())} for matches in (removed, added)
    )
    touched = _KEPT.sub("", _REMOVED.sub("", _ADDED.sub("", rest)))
    if _CAPITALS.search(ARTICLE_OR_I.sub("", touched)) or not out <= set(letters) or more & set(letters):
        return marked
    kept = sorted(set(letters) - out | more)
    return f"The answers are {' and '.join(kept)}." if len(kept) > 1 else marked
