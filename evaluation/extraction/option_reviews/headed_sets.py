"""Lists below headings that judge their members: "Sounds present:", "Incorrect:", "未出现的声音：".

Where one heading says that and another denies it, the list below the latter names no option of the answer.
"""

import re
from typing import NamedTuple

_LONGEST = 70
_HEADING = re.compile(
    rf"^[^\w\n]{{0,8}}(?P<said>\w[^\n:：.。?？]{{0,{_LONGEST}}}?)[^\w\n]{{0,4}}[:：][^\w\n]{{0,6}}$", re.MULTILINE
)
# What a heading says of the list below it.
_AFFIRMING = re.compile(
    r"(?<![a-z])(?:present|heard|audible|detect(?:ed|able)?|hear|found|includ(?:ed|es?)|identified|recogni[sz]ed|there"
    r"|in the (?:recording|audio|clip)|correct|right|true|supported|selected|chosen|appl(?:y|ies|icable)|valid|holds?"
    r"|inferred|inferable|plausible|reasonable|confirmed|kept|yes|accepted|featured|match(?:es|ing)?|fits?)(?![a-z])"
    r"|正确|成立|出现|存在|听到|检测|包含|提到|识别|符合|推断|推出|合理|选中|入选|有(?:的|$)|录音|音频|片段",
    re.IGNORECASE,
)
HEDGING = re.compile(
    r"(?<![a-z])(?:possibly|maybe|perhaps|might|uncertain|unsure|unclear|not (?:sure|certain|clear)|doubtful)(?![a-z])"
    r"|可能|也许|或许|不确定|存疑|不清楚",
    re.IGNORECASE,
)
DENYING = re.compile(
    r"(?<![a-z])(?:not|never|no|cannot|absent|missing|inaudible|unheard|undetected|incorrect|wrong|false|unsupported"
    r"|excluded|reject(?:ed)?|ruled out|eliminated|discarded|dropped|invalid|implausible|unreasonable)(?![a-z])|n['’]t"
    r"|错|不|没|未|无|排除|缺少",
    re.IGNORECASE,
)
# "**Present**", "### Absent": markup stands for the colon.
_MARKED_UP = re.compile(
    r"^(?P<heading>(?:\*\*|#{1,4} )(?:[A-Za-z][A-Za-z ]{3,40}|[\u4e00-\u9fff]{2,10}))(?P<end>\*\*)?[ ]*$", re.MULTILINE
)
# "- A. Jet engine".
_MEMBER_LINE = re.compile(r"^[ \t]*(?:[-*•+] +)?[*_]{0,2}\(?([A-J])[).:]", re.MULTILINE)
# "Answer: A and C", below a list that is denied.
_ANSWERS = re.compile(
    r"[^\w\n]{0,4}(?:(?:the |my )?(?:final |correct )*(?:answers?|options|choices)(?![a-z])"
    r"|(?:therefore|so|thus|hence)(?![a-z])|答案|因此|所以|综上|正确)",
    re.IGNORECASE,
)
_NO_DENIAL = re.compile(
    r"(?<![a-z])(?:no doubt|without (?:a )?doubt|(?:cannot|can['’]t) be (?:missed|overlooked|denied|mistaken)"
    r"|in no particular order)",
    re.IGNORECASE,
)
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


class HeadedList(NamedTuple):
    """A heading and the list below it.

    Attributes:
        said: The heading; nothing for what stands before the first one.
        text: The heading with the list.
        is_denied: Whether the heading denies its list.
    """

    said: str
    text: str
    is_denied: bool


def split_sections(response: str) -> list[HeadedList]:
    """Split a response at the headings that judge what stands below them; what stands before the first comes first."""
    headings = [
        match for match in _HEADING.finditer(response) if _AFFIRMING.search(match["said"]) or _denies(match["said"])
    ]
    starts = [0, *(heading.start() for heading in headings), len(response)]
    said = ["", *(heading["said"] for heading in headings)]
    return [
        HeadedList(heading, response[start:end], _denies(heading))
        for heading, start, end in zip(said, starts[:-1], starts[1:], strict=True)
    ]


def _denies(heading: str) -> bool:
    """Whether a heading denies the list below it."""
    return DENYING.search(_NO_DENIAL.sub("", heading)) is not None


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
    first, *sections = split_sections(response)
    # A list without a heading is affirmed by a heading that denies another one.
    lists_first = bool(sections) and sections[0].is_denied and _MEMBER_LINE.search(first.text) is not None
    is_affirmed = lists_first or any(not section.is_denied for section in sections)
    if not is_affirmed or not any(section.is_denied for section in sections):
        return response
    pieces = [first.text]
    for section in sections:
        rest = section.text[_find_list_end(section.text) :].lstrip() if section.is_denied else section.text
        pieces.append(f"\n{rest}" if section.is_denied and rest else rest)
    if lists_first:
        denied = {line[1] for section in sections if section.is_denied for line in _MEMBER_LINE.finditer(section.text)}
        kept = (
            line for line in first.text.split("\n") if not (label := _MEMBER_LINE.match(line)) or label[1] not in denied
        )
        pieces[0] = "\n".join(kept)
    if any(HEDGING.search(section.said) for section in sections):
        pieces.append("\nI cannot decide about the rest.")
    return "".join(pieces)


def _find_list_end(section: str) -> int:
    """Where the list below a heading ends: at an empty line, or before a line that answers."""
    start = section.find("\n") + 1
    start += len(section[start:]) - len(section[start:].lstrip("\n"))
    for line in re.finditer(r"[^\n]*(?:\n|\Z)", section[start:]):
        if not line.group().strip() or (_ANSWERS.match(line.group()) and not _MEMBER_LINE.match(line.group())):
            return start + line.start()
    return len(section)
