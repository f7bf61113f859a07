"""The option that is left when all others are named: "A, B and D need a change, so only the remaining one is left"."""

import re

from evaluation.extraction.language.symbols import LONE_CAPITAL
from evaluation.extraction.option_reviews.remainders import place_of

_LONGEST = 400
_REMAINING = re.compile(
    r"(?:(?<![a-z])(?:the|only the|that|one) (?:one |single |only )?(?:remaining|left-over|leftover) (?:one"
    r"|option|choice"
    r"|answer|candidate|possibility)(?![a-z])|(?<![a-z])(?:leaves|leaving) (?:us (?:with )?)?(?:only |just )?one"
    r" (?:option|choice|answer|candidate|possibility)(?![a-z])"
    r"|(?<![a-z])only one (?:option|choice|answer|candidate|possibility) (?:is left|remains)"
    r"|(?:剩下|剩余|余下)的?(?:那|这)?(?:唯一)?(?:的)?(?:一)?[个项条](?:选项|答案)?(?![^\W_])|[只仅]剩下?一[个项条]选项)"
    r"[^.!。\n]*[.!。]?\s*\Z",
    re.IGNORECASE,
)
_ONE = rf"(?:{LONE_CAPITAL}|[\ue000-\uf8ff])"
_LIST = re.compile(rf"{_ONE}(?:(?:, ?(?:and )?| and |、|,|和|与|及){_ONE})*")
_NAME = re.compile(_ONE)
_UNSURE = re.compile(
    r"(?<![a-z])(?:may|might|perhaps|maybe|not|or|if|out|wrong|impossible|excluded|false)(?![a-z])|n't|可能|也许|或|如果|不成立|不对|错|排除",
    re.IGNORECASE,
)
# What all others need, or lack.
_RULED_OUT = re.compile(
    r"(?<![a-z])(?:need|require|assume|imply|mention|presuppose|involve|contain|speak of|no|not|none|cannot"
    r"|excluded|ruled out|eliminated|wrong"
    r"|false|incorrect|contradict[a-z]*)(?![a-z])|n't|不|要求|需要|排除|错|没|无|提到|涉及|矛盾"
)
_HINTS = ("remaining", "left", "eav", "only one", "剩", "余下")


def find_remaining(marked: str, size: int) -> int | None:
    """The only option that a marked text does not name, where it ends by choosing what remains.

    >>> find_remaining("A、B、D都要求音量变化,所以只能选剩下的那一项。", 4)
    2
    """
    if len(marked) > _LONGEST or not any(map(marked.__contains__, _HINTS)):
        return None
    match = _REMAINING.search(marked)
    listed = _LIST.match(marked.lstrip().removeprefix("Options ").removeprefix("选项")) if match else None
    if match is None or listed is None or _UNSURE.search(match.group()):
        return None
    named = {place_of(sign) for sign in _NAME.findall(listed.group())}
    left = set(range(size)) - named
    if _RULED_OUT.search(marked, 0, match.start()) is None:
        return None
    return left.pop() if len(left) == 1 and len(named) == size - 1 and not _names_other(marked, named) else None


def _names_other(marked: str, named: set[int]) -> bool:
    return any(place_of(sign) not in named for sign in _NAME.findall(marked))
