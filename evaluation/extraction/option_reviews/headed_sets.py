"""Lists below headings that judge their members: "Sounds present:", "Incorrect:", "未出现的声音：".

Where one heading says that and another denies it, the list below the latter names no option of the answer. What
describes a member of a list that is affirmed says nothing of the other options.
"""

import re

from evaluation.extraction.language.spelling import lower
from evaluation.extraction.language.units import is_negative

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
_HEDGING = re.compile(
    r"(?<![a-z])(?:possibly|maybe|perhaps|might|uncertain|unsure|unclear|not (?:sure|certain|clear)|doubtful)(?![a-z])"
    r"|可能|也许|或许|不确定|存疑|不清楚",
    re.IGNORECASE,
)
_DENYING = re.compile(
    r"(?<![a-z])(?:not|never|no|cannot|absent|missing|inaudible|unheard|undetected|incorrect|wrong|false|unsupported"
    r"|excluded|reject(?:ed)?|ruled out|eliminated|discarded|dropped|invalid|implausible|unreasonable)(?![a-z])|n['’]t"
    r"|错|不|没|未|无|排除|缺少",
    re.IGNORECASE,
)
# "**Present**", "### Absent": markup stands for the colon.
_MARKED_UP = re.compile(
    r"^(?P<heading>(?:\*\*|#{1,4} )(?:[A-Za-z][A-Za-z ]{3,40}|[\u4e00-\u9fff]{2,10}))(?P<end>\*\*)?[ ]*$", re.MULTILINE
)
# "**A. Jet engine:** A jet engine is audible throughout."
_DESCRIBED = re.compile(
    r"^[ \t]*(?:[-*•+] +|[0-9]{1,2}[.)] +)?[*_]{0,2}\(?(?P<letter>[A-J])[).:]{1,2}[*_]{0,2} ?"
    r"(?P<text>[^\n:–—]{2,100}?)[*_]{0,2} ?(?::|–|—| -)[*_]{0,2} +(?P<said>[^\n]+)$",
    re.MULTILINE,
)
# "- A. Jet engine".
_MEMBER_LINE = re.compile(r"^[ \t]*(?:[-*•+] +)?[*_]{0,2}\(?[A-J][).:]", re.MULTILINE)
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


def _judges(said: str) -> bool:
    return (_AFFIRMING.search(said) or _DENYING.search(said)) is not None


def drop_descriptions_of_members(response: str, texts: tuple[str, ...]) -> str:
    r"""Return a response in which the members below an affirming heading stand without what describes them.

    >>> drop_descriptions_of_members("Present:\n- A. Rain: it drips.\n- C. Hail: a patter.", ("rain", "wind", "hail"))
    'Present:\n- A. rain\n- C. hail'
    """
    if "\n" not in response or not _DESCRIBED.search(response):
        return response
    headings = [match for match in _HEADING.finditer(response) if _judges(match["said"])]
    if not headings:
        return response
    starts = [0, *(heading.start() for heading in headings), len(response)]
    said = ["", *(heading["said"] for heading in headings)]
    pieces = []
    for heading, start, end in zip(said, starts[:-1], starts[1:], strict=True):
        section = response[start:end]
        is_affirmed = not _DENYING.search(heading) and not _HEDGING.search(heading)
        # A list without a heading is affirmed if the next one is denied.
        is_affirmed = is_affirmed and (heading != "" or _DENYING.search(said[1]) is not None)
        members = list(_DESCRIBED.finditer(section)) if is_affirmed else []
        plain = all(_is_member(member, texts) and not is_negative(lower(member["said"])) for member in members)
        pieces.append(_DESCRIBED.sub(lambda member: _write_member(member, texts), section) if plain else section)
    return "".join(pieces)


def _is_member(member: re.Match[str], texts: tuple[str, ...]) -> bool:
    place = ord(member["letter"]) - ord("A")
    return lower(member["text"]).strip(" *_") in texts[place : place + 1] and not _DENYING.search(member["said"])


def _write_member(member: re.Match[str], texts: tuple[str, ...]) -> str:
    return f"- {member['letter']}. {texts[ord(member['letter']) - ord('A')]}"


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
    headings = [match for match in _HEADING.finditer(response) if _judges(match["said"])]
    denied = [_DENYING.search(match["said"]) is not None for match in headings]
    lists_first = denied[:1] == [True] and _MEMBER_LINE.search(response[: headings[0].start()]) is not None
    if len({*denied, *([False] if lists_first else [])}) < _FEWEST_HEADINGS:
        return response
    pieces = [response[: headings[0].start()]]
    for heading, following, is_denied in zip(headings, [*headings[1:], None], denied, strict=True):
        section = response[heading.start() : following.start() if following else len(response)]
        # What follows behind an empty line belongs to no list.
        body = section.split("\n", 1)[1] if "\n" in section else ""
        _, blank, rest = body.strip("\n").partition("\n\n")
        pieces.append((f"\n{rest}" if blank else "") if is_denied else section)
    if any(_HEDGING.search(heading["said"]) for heading in headings):
        pieces.append("\nI cannot decide about the rest.")
    return "".join(pieces)
