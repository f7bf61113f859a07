"""Responses that end without a verdict, though they gave one before: "True. Wait, the pitch falls. I can't tell."""

import re

_REACH = 160
_CANNOT = (
    r"(?:i|we)(?:'m|'ll|'d| am| will| would| do| must| have to| really| honestly| simply| just| therefore| still)*"
    r" ?(?:won't|can't|couldn't|don't|wouldn't|cannot|can not|will not|could not|do not|would not|not able to|unable to"
    r"|refuse to|decline to|rather not|prefer not to|not going to|not willing to)"
    r"(?: really| honestly| actually| simply| want to| wish to| dare(?: to)?)*"
)
# Nothing follows that would say of what it is not given: "I can't decide how loud it is".
_EITHER = (
    r"(?: (?:to |on |for |between |with )?(?:either(?: (?:way|answer|one|option|of them))?|one(?: answer)?|any answer"
    r"|an answer|a verdict|them|the two|true or false|true and false|whether it(?:'s| is) true(?: or false)?))?"
    r"(?: here| now| on this| at all| after all| with this noise)?[\s.!)]*\Z"
)
# "So I won't commit to either answer."
_ABSTAINS = re.compile(
    rf"(?<![a-z'])(?:{_CANNOT} (?:commit|answer|decide|choose|pick|settle|judge|give|say either|tell either"
    rf"|go with)|(?:i|we)(?: will| must| have to|'ll| would|'d)? (?:abstain|pass on this|give no answer)){_EITHER}"
    rf"|(?<![a-z'])(?:{_CANNOT} (?:tell|say|know|determine|decide|judge)"
    r"|(?:i|we)(?:'m| am| are|'re) (?:not sure|unsure))"
    r" (?:whether|if) (?:it|this|that|the (?:statement|claim|sentence))(?:'s| is| was)"
    r" (?:true|false|correct|right|wrong)(?: or (?:not|true|false|incorrect|wrong))?(?: here| now)?[\s.!)]*\Z"
    r"|(?:无法|不能|没法|难以|不好|不想|不敢|不)(?:给出|下|作出?|做出?)(?:任何)?(?:答案|判断|结论|回答|定论)[。.!\s]*\Z"
    r"|(?:无法|不能|没法|难以|不好)(?:判断|确定|分辨|说清|断定|辨别)(?:它|其|这|该说法|这个说法|陈述)?(?:究竟|到底)?的?"
    r"(?:是真是假|是真还是假|是对是错|是对还是错|真假|对错|正误|真伪)[。.!\s]*\Z",
    re.IGNORECASE,
)
# "Wait, the pitch falls. I can't tell."
_CANNOT_TELL = re.compile(
    rf"(?<![a-z'])(?:{_CANNOT} (?:tell|say|know|be sure|make (?:it|that) out)"
    rf"|(?:i|we)(?:'m| am| are|'re) (?:really |just |simply )*(?:not sure|unsure|at a loss)"
    rf"|it(?:'s| is) impossible to (?:tell|say)){_EITHER}"
    r"|(?:说不准|说不清|拿不准|听不出来|分不清|不确定|无法判断|无法确定|不知道)了?[。.!\s]*\Z",
    re.IGNORECASE,
)
_WAVERS = re.compile(
    r"(?:(?:^|[.!?;,\n–—-] ?)(?:but |no,? )?(?:wait|hmm+|hold on|actually|on second thoughts?|then again"
    r"|or (?:does|is|do|was|did) (?:it|they)|that's not what i hear)(?![a-z])"
    r"|等等|等一下|再想想|不对|好像不是)[^\n]{0,120}\Z",
    re.IGNORECASE | re.DOTALL,
)
_HINTS = ("i ", "i'", "we ", "we'", "it is", "it's", "不", "法", "以")


def abstains(text: str) -> bool:
    """Whether a cleaned response ends in saying that no answer is given, or wavers and then cannot tell.

    >>> abstains("True. Wait, the pitch falls. I can't tell."), abstains("True. I can't tell how far it is.")
    (True, False)
    """
    tail = text[-_REACH:]
    lowered = tail.lower()
    if not any(map(lowered.__contains__, _HINTS)):
        return False
    if _ABSTAINS.search(tail):
        return True
    doubt = _CANNOT_TELL.search(tail)
    return doubt is not None and _WAVERS.search(tail, 0, doubt.start()) is not None
