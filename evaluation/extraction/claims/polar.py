"""Chinese questions of yes or no, of which the options are words that any sentence has: 是 and 否, 有 and 没有."""

import re

from evaluation.extraction.language.normalize import clean
from evaluation.extraction.readings import UNREAD, chosen
from evaluation.types import Reading

_YES = frozenset({"是", "是的", "对", "对的", "有", "会", "能"})
_NO = frozenset({"否", "不是", "不对", "没有", "不会", "不能", "不", "错", "无"})
_LONGEST = 3
_LETTER = re.compile(r"(?<![A-Za-z])[A-Za-z](?![A-Za-z])|选")
# The word of the answer at the start, or behind "the answer is"; "是不是" asks.
_LEAD = re.compile(
    r"(?:(?:最终|正确)?(?:答案|结论|回答|判断)(?:是|为|:)+ ?|所以|因此|应该|我认为|显然)?"
    r"(?:应该|应当回答|应该回答|应回答|回答)?[\"'(]?"
    r"(?:(?P<no>不是的?|否|不对|没有|不会|不能|并不?是?|并非|不(?=[,。.!]|$))|(?P<yes>是的?|对的?|有|会|能))(?![不没否])"
)
_ASIDE = re.compile(r"很难说|不好说|不确定|无法|说不准|听错|不是不是|是[不否]是?|或者|也可能")


def is_polar(options: tuple[str, ...]) -> bool:
    """Whether the options are a yes and a no in Chinese.

    >>> is_polar(("是", "否")), is_polar(("左", "右"))
    (True, False)
    """
    if len(options) != 2 or options[0].isascii() or max(map(len, options)) > _LONGEST:
        return False
    first, second = options
    return (first in _YES and second in _NO) or (first in _NO and second in _YES)


def read_polar(response: str, options: tuple[str, ...]) -> Reading | None:
    """Read the yes or no that a response starts with; None where it is empty or names an option by its letter."""
    text = clean(response).strip()
    if not text or _LETTER.search(text):
        return None
    if _ASIDE.search(text):
        return UNREAD["ambiguous"]
    said = {_polarity(lead) for lead in (_LEAD.match(text),) if lead is not None}
    if not said:
        return UNREAD["outside-options"]
    yes = said.pop()
    return chosen(next(place for place, option in enumerate(options) if (option in _YES) == yes))


def _polarity(lead: re.Match[str]) -> bool:
    return lead["yes"] is not None
