"""Options that are the steps of a reasoning trace, "Step 3", and perhaps "No error": which is the first wrong one."""

import re
from collections.abc import Mapping
from functools import lru_cache

from evaluation.extraction.language.symbols import ORDINALS

_CARDINALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_CHINESE = "一二三四五六七八九十"
NO_ERROR = 0
"""The number that stands for the option "No error"."""
NUMBER = rf"(?:[0-9]{{1,2}}(?!\.?[0-9])|(?:{'|'.join(_CARDINALS)})(?![a-z])|[{_CHINESE}])"
NAMED_STEP = (
    rf"(?:(?<![a-z])(?:the )?step[ _\"':#]{{0,3}}(?:no\.? ?|number )?(?P<number>{NUMBER})(?![0-9a-z])"
    rf"|(?<![a-z])(?:the )?(?P<ordinal>{'|'.join(ORDINALS)}|[1-9](?:st|nd|rd|th)) (?:reasoning )?step(?![a-z])"
    rf"|步骤 ?(?P<zh>{NUMBER})|第 ?(?P<zh_ordinal>{NUMBER}) ?个?步骤?)"
)
"""A step with its number, in a text in which case is ignored."""
_STEP = re.compile(rf"(?:(?:the )?(?:first )?(?:error|mistake) (?:is )?in )?{NAMED_STEP}(?: is wrong|有误|错误)?")
_NO_ERROR = re.compile(
    r"(?:there (?:is|are) )?no (?:errors?|mistakes?)(?: (?:in|at|among) [a-z ]+)?|(?:all"
    r"|every) (?:of )?(?:the )?steps? (?:is|are) "
    r"(?:correct|right|fine|valid)|none(?: of (?:them|the steps|these))?"
    r"|(?:所有步骤|全部步骤|每一?步|以上步骤)?(?:都|均|全部)?(?:没有|无|不存在)(?:任何)?错误?|(?:所有步骤"
    r"|全部步骤|每一?步)?(?:都|均|全部)正确|无误"
)
_MIN_STEPS = 2


def count_step(match: re.Match[str]) -> int:
    """Return the number of the step that a match of `NAMED_STEP` names."""
    written = (match["number"] or match["ordinal"] or match["zh"] or match["zh_ordinal"]).lower()
    if written[0].isdigit():
        return int(re.sub("[a-z]", "", written))
    for names in (_CARDINALS, ORDINALS, _CHINESE):
        if written in names:
            return names.index(written) + 1
    return -1


@lru_cache(maxsize=4_096)
def list_step_options(texts: tuple[str, ...]) -> Mapping[int, int]:
    """Return number of a step → position of its option, `NO_ERROR` → that of "No error"; nothing for other options.

    >>> dict(list_step_options(("step 1", "step 2", "no error")))
    {1: 0, 2: 1, 0: 2}
    """
    options: dict[int, int] = {}
    for place, text in enumerate(texts):
        step = _STEP.fullmatch(text)
        if step is None and _NO_ERROR.fullmatch(text) is None:
            return {}
        options[count_step(step) if step else NO_ERROR] = place
    steps = options.keys() - {NO_ERROR}
    return options if len(options) == len(texts) and len(steps) >= _MIN_STEPS else {}
