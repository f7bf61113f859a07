"""Members of a list with what describes them: "Sounds present:", and below it "A. Rain: a steady rain is audible".

The description says nothing of the other options. Only what describes a member plainly is left out; anything that may
judge, limit or doubt it is left to the parsers of reviews.
"""

import re

from evaluation.extraction.language.spelling import lower
from evaluation.extraction.language.units import is_negative
from evaluation.extraction.option_reviews.headed_sets import DENYING, HEDGING, HeadedList, split_sections

# "**A. Jet engine:** A jet engine is audible throughout."
_DESCRIBED = re.compile(
    r"^[ \t]*(?:[-*•+] +|[0-9]{1,2}[.)] +)?[*_]{0,2}\(?(?P<letter>[A-J])[).:]{1,2}[*_]{0,2} ?"
    r"(?P<text>[^\n:–—]{2,100}?)[*_]{0,2} ?(?::|–|—| -)[*_]{0,2} +(?P<said>[^\n]+)$",
    re.MULTILINE,
)
_LIMITS = re.compile(
    r"[✓✔✅☑√✗✘❌×?]|\A\W*(?:yes|no|none|n/a|true|false|zero|[0-9]+ ?/ ?[0-9]+)(?![a-z])"
    r"|(?<![a-z])(?:could|might|may|would|unlikely|likely|doubt[a-z]*|hardly|barely|fails?|failed|just|only|instead"
    r"|rather|actually|possibl[ey]|perhaps|maybe|probably|but|although|though|except|unless|if|seems?|like|imitat[a-z]*"
    r"|mistaken?|unclear|uncertain|unsure|weak|faint|partly|partially|wrong|confus[a-z]*|too)(?![a-z])"
    r"|只是|其实|模仿|可能|但|不过|似乎|好像|也许|应该|除",
    re.IGNORECASE,
)
# Headings of what was asked or examined affirm nothing.
_ASKS = re.compile(
    r"\A\W*(?:is|are|was|were|do|does|did|how|what|which|who|why|where|whether|if|can)(?![a-z])"
    r"|(?<![a-z])(?:verdicts?|check(?:ed|list)?|listen(?:ed|ing)? for|look(?:ed|ing)? for|consider(?:ed)?|candidates?"
    r"|possib[a-z]+|match(?:es|ing)?|question|if any|whether|expected|options? (?:given|listed)|claimed|review"
    r"|analysis)(?![a-z])|是否|哪些|候选|可能|分析|逐项|判断",
    re.IGNORECASE,
)


def drop_descriptions_of_members(response: str, texts: tuple[str, ...]) -> str:
    r"""Return a response in which the members below an affirming heading stand without what describes them.

    >>> drop_descriptions_of_members("Present:\n- A. Rain: it drips.\n- C. Hail: a patter.", ("rain", "wind", "hail"))
    'Present:\n- A. rain\n- C. hail'
    """
    if "\n" not in response or not _DESCRIBED.search(response):
        return response
    first, *sections = split_sections(response)
    if not sections:
        return response
    # A list without a heading is affirmed by a heading that denies another one.
    affirmed = [sections[0].is_denied, *(not section.is_denied for section in sections)]
    return "".join(
        _drop_descriptions(section.text, texts) if is_affirmed and _is_plain(section, texts) else section.text
        for section, is_affirmed in zip((first, *sections), affirmed, strict=True)
    )


def _is_plain(section: HeadedList, texts: tuple[str, ...]) -> bool:
    members = list(_DESCRIBED.finditer(section.text))
    if HEDGING.search(section.said) or _ASKS.search(section.said) or not 0 < len(members) < len(texts):
        return False
    return all(_describes_plainly(member, texts) for member in members)


def _describes_plainly(member: re.Match[str], texts: tuple[str, ...]) -> bool:
    place, said = ord(member["letter"]) - ord("A"), member["said"]
    is_own = lower(member["text"]).strip(" *_") in texts[place : place + 1]
    return is_own and not (DENYING.search(said) or _LIMITS.search(said) or is_negative(lower(said)))


def _drop_descriptions(section: str, texts: tuple[str, ...]) -> str:
    return _DESCRIBED.sub(lambda member: f"- {member['letter']}. {texts[ord(member['letter']) - ord('A')]}", section)
