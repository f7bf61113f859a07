"""Lists below headings that say whether their members are heard: "Sounds present:", "未出现的声音：".

Where one heading says that and another denies it, the list below the latter names no option of the answer.
"""

import re

_HEARD = (
    r"(?:present|heard|audible|detected|found|included|identified|recogni[sz]ed|there|in the (?:recording|audio|clip))"
)
_HEADING = re.compile(
    r"^[^\w\n]{0,8}(?P<said>(?:(?:the )?(?:sounds?|instruments?|events?|options?|elements?|items?|emotions?)"
    rf"(?: (?:that|which))?(?: (?:i|we|are|is|were))? )?(?P<denied>not |n't |never |(?:could|did|do|can)(?:n't"
    rf"| ?not) )?"
    rf"{_HEARD}(?: (?:sounds?|instruments?|events?|options?|elements?|items?"
    rf"|emotions?))?(?: in the (?:recording|audio|clip))?"
    rf"|(?P<absent>(?:absent|missing|inaudible|unheard|undetected)(?: (?:sounds?|instruments?|events?|options?"
    rf"|items?))?"
    rf"|(?:sounds?|instruments?|events?|options?|items?) (?:absent|missing))"
    r"|(?:录音|音频|片段)?(?:里|中)?(?P<zh>未能?|没有?|不|并未|缺少的?|听不到)?(?:被)?(?:出现|存在|听到|检测到"
    r"|包含|提到|识别到|有)?(?:了|过)?的?"
    r"(?:声音|乐器|选项|事件|情绪|内容|项目)?)[^\w\n]{0,3}[:：][^\w\n]{0,6}$",
    re.IGNORECASE | re.MULTILINE,
)
# "**Present**", "### Absent": markup stands for the colon.
_MARKED_UP = re.compile(
    r"^(?P<heading>(?:\*\*|#{1,4} )(?:[A-Za-z][A-Za-z ]{3,40}|[\u4e00-\u9fff]{2,10}))(?P<end>\*\*)?[ ]*$", re.MULTILINE
)
_FEWEST_HEADINGS = 2
_NAMES = "(?:sounds?|instruments?|events?|options?|elements?|items?|emotions?)"
# "Sounds present: A, E. Sounds absent: B, C.": headings within one line.
_AFFIRMED_BEFORE = re.compile(
    rf"(?:\A|(?<=[.\n] ))[^\w\n]{{0,4}}(?:{_NAMES} )?(?:present|heard|audible|detected"
    rf"|selected)(?: {_NAMES})? ?:(?= ?[^\s])",
    re.IGNORECASE,
)
_DENIED_BEHIND = re.compile(
    rf"(?<=[.;\n] )[^\w\n]{{0,4}}(?:{_NAMES} )?(?:absent|missing|inaudible|not (?:present|heard|audible|detected"
    rf"|selected))"
    rf"(?: {_NAMES})? ?:[^.\n]+(?:[.\n]|\Z)",
    re.IGNORECASE,
)


def drop_denied_lists(response: str) -> str:
    r"""Return a response without the lists below headings that deny them, if another heading affirms its list.

    >>> drop_denied_lists("Present:\n- rain\nNot present:\n- wind")
    'Present:\n- rain\n'
    """
    if _DENIED_BEHIND.search(response) and _AFFIRMED_BEFORE.search(response):
        response = _DENIED_BEHIND.sub("", response)
    if "\n" not in response:
        return response
    if "**" in response or "# " in response:
        response = _MARKED_UP.sub(r"\g<heading>:\g<end>", response)
    if response.count(":") + response.count("：") < _FEWEST_HEADINGS:
        return response
    headings = [match for match in _HEADING.finditer(response) if match["said"].strip()]
    denied = [bool(match["denied"] or match["absent"] or match["zh"]) for match in headings]
    if len(headings) < _FEWEST_HEADINGS or len(set(denied)) < _FEWEST_HEADINGS:
        return response
    pieces = [response[: headings[0].start()]]
    for heading, following, is_denied in zip(headings, [*headings[1:], None], denied, strict=True):
        section = response[heading.start() : following.start() if following else len(response)]
        # What follows behind an empty line belongs to no list.
        body = section.split("\n", 1)[1] if "\n" in section else ""
        _, blank, rest = body.strip("\n").partition("\n\n")
        pieces.append((f"\n{rest}" if blank else "") if is_denied else section)
    return "".join(pieces)
