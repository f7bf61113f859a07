"""Responses that reject all options, or ask for more: what they describe is none of the options."""

import re

_ENGLISH = re.compile(
    r"(?<![a-z])(?:none of (?:the|these|those|your) (?:(?!other|remaining)\w+ )?(?:options|choices|answers"
    r"|alternatives|descriptions)"
    r"|no (?:correct |right |suitable |matching )?(?:option|choice|answer)s? (?:given |listed |here "
    r"|provided )?(?:is|are|matches|match"
    r"|fits|fit|describes|describe)|neither (?:option|choice|answer|of the (?:options|choices|answers))"
    r"|(?:isn't|is not|not|aren't|are not) (?:listed |included )?(?:among|one of|in|any of) (?:the|these"
    r"|your) (?:\w+ )?"
    r"(?:options|choices|answers|alternatives))(?![a-z])"
)
_CHINESE = re.compile(
    r"(?:(?<![其另])(?:这[几些两三四五]?个?|以上|上述|所有|全部|给出的?|提供的?|题目中?的?|题目给的"
    r"|[两三四五]个))的?(?:备选)?(?:选项|答案)"
    r"(?:里|中|之中|当中)?[,]?(?:好像|似乎|其实)?(?:都|均|全都|全部|全)(?:不(?!一样)|没有|没|与[^,。]{1,8}不|错)"
    r"|(?:没有|无|并没有)(?:任何)?一?个?(?:正确|符合|合适|匹配|对应|恰当)的?(?:选项|答案)"
    r"|(?:没有|无)(?:任何)?一?[个项]?(?:选项|答案)(?:是)?(?:正确|符合|合适|匹配|对得上|成立|能)"
    r"|(?:不在|不属于)(?:这些|以上|给出的|上述|所给)?(?:的)?(?:选项|答案)(?:之中|当中|中|里|之列)"
)
_HINTS = ("option", "choice", "answer", "alternative", "description", "选项", "答案")
# "I'd need to hear more of it before choosing any of these."
_NEEDED = re.compile(
    r"(?<![A-Za-z])I(?:'d| would)? need to (?:hear|listen)|(?<![a-z])before (?:picking|choosing|deciding|answering)"
)
# "None of the options says so, but the closest is …".
_AFTER_ALL = re.compile(
    r"(?<![a-z])(?:closest|nearest|best|most|if i had to|would be|still|least)(?![a-z])|最|如果|相对|勉强|更|接近"
)


def rejects_options(lowered: str) -> bool:
    """Whether a cleaned text in lower case says that no option is right, and names none after all.

    >>> rejects_options("none of the options is right: an old man sings")
    True
    """
    if not any(map(lowered.__contains__, _HINTS)):
        return False
    match = (_ENGLISH if lowered.isascii() else _CHINESE).search(lowered)
    return match is not None and _AFTER_ALL.search(lowered) is None


def asks_for_more(response: str) -> bool:
    """Whether a response says what its author would need for an answer.

    >>> asks_for_more("I'd need to hear more of the conversation.")
    True
    """
    return _NEEDED.search(response) is not None
