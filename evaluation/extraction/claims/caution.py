"""Answers that stay open: the last words leave several options possible, or the text breaks off before it concludes."""

import re

from evaluation.extraction.claims.weighing import may_weigh, stays_weighed
from evaluation.extraction.language.symbols import ARTICLE_OR_I, CAPITAL

_REACH, _SHORTEST, _MIN_CUT, _LONGEST_WORD = 160, 12, 40, 10
# A text without one of these in its last words does not stay open; an English word of one is never cut in two.
_ENGLISH_HINTS = (
    "decid", "commit", "my mind", "tween", "equal", "just as ", "torn", "settle", "definit", "choose", "tell", "either",
    "remain", "hard to say", "matter of", "one correct", "one right", "single",
)  # fmt: skip
_HINTS = (
    *_ENGLISH_HINTS,
    "给不出",
    "做不出",
    "下不了",
    "得不出",
    "种解",
    "种可能",
    "种理解",
    "种情况",
    "定",
    "得通",
    "也可能",
    "判断",
    "取舍",
    "难说",
    "不好说",
    "说不准",
)
_UNABLE = r"(?:can ?not|can't|couldn't|could not|unable to|not able to|hard to|difficult to|never)"
_OPEN = re.compile(
    rf"(?<![a-z])(?:{_UNABLE} (?:really |quite |yet |reliably |honestly |clearly )?(?:decide|choose|settle"
    r"|make up my mind|pick one|pick between|tell(?= ?(?:[.,;!]|$)| which| between| from (?:this|the) ))"
    rf"|undecided|{_UNABLE} commit (?:myself )?to (?:either|one|any|a)|won't commit to (?:either|one|any)"
    rf"|keep (?:going|switching|wavering)[a-z ]{0, 20} between|(?:i am|i'm|i remain|remain) torn"
    r"|(?:equally|just as) (?:plausible|likely|possible|probable|good|well|valid|convincing|fitting)"
    r"|(?<![a-z])a matter of (?:interpretation|taste|opinion|perspective)"
    r"|(?<![a-z])(?:is|there's|there) (?:no|not|only)? ?(?:one|a single|any|single) (?:single |clearly )?(?:correct"
    r"|right|true) (?:answer|selection|choice|option)"
    r"|hard to say(?= ?[.!]?\Z)|no (?:definite|definitive|clear|final) (?:answer|choice"
    r"|decision)|could (?:be )?either"
    r"|(?:two|three|both|several) (?:options|choices|candidates|possibilities|answers) (?:still )?remain)"
    r"|(?:没法|无法|不能|难以)(?:给出|做出|作出|得出)?(?:一个)?(?:确定|肯定|明确|最终)?的?(?:答案|结论|选择|判断|取舍"
    r"|确定|决定)"
    r"|(?:给不出|做不出|下不了|得不出)(?:一个)?(?:确定|肯定|明确|最终|唯一)?的?(?:答案|结论|选择|判断|选项|定论)"
    r"|[两几]种(?:解读|可能|理解|解释|情况)性?都(?:成立|有可能|说得通|可能|讲得通)"
    r"|(?<!其[他余它].[条项点个])"
    r"(?:都|均|同样)(?:觉得)?(?:有可能|有道理|说得通|讲得通|可能)|也可能是? ?[a-z](?![a-z])|拿不定主意|举棋不定|"
    r"(?:很难|不好|难)说[。.!]?\Z|说不准[。.!]?\Z"
)
# What follows these says which one it is after all.
_AFTER_ALL = re.compile(
    r"(?<![a-z])(?:but|so|however|still|yet|nevertheless|therefore|thus|hence|if|though|overall|ultimately|finally"
    r"|in the end|settles|go with|lean|leaning|answer|choose|pick)(?![a-z])|但|不过|所以|因此|如果|还是|最终"
    r"|综合|倾向|答案|选"
    r"|\n\W{0,3}(?:[a-z]|[\u4e00-\u9fff]{0,4})\W{0,3}$"
)
_DENIED = re.compile(r"(?:not|n't|isn't|aren't) (?:quite |at all |nearly )?$")
# "C is wrong: I can't tell when it was" gives a reason against one option.
_JUDGED = re.compile(
    r"[a-z][^a-z]{0,3}(?:错|不正确|不对|不符|(?:is )?(?:wrong|incorrect|false)|[✗×❌])[^\n]{0,3}[:,：，]"
)
# The last word of a text that breaks off.
_HANGING_ENGLISH = (
    "and|then|the|a|an|that|would|could|be|is|are|was|were|of|to|with|in|on|at|which|because|says|said|but|or"
    "|if|so|as|from|by|for|when|while|where|has|have|its|their|this|these|than|not"
)
_HANGING_CHINESE = "因为|而且|并且|所以|但是|如果|以及|或者|其中|的是|首先|其次|接下来|因此|例如|比如"
_HANGING = re.compile(
    rf"(?<![A-Za-z'])(?:{_HANGING_ENGLISH}) ?$"
    rf"|(?:{_HANGING_CHINESE}|(?:音频|录音|片段)[一二三12]?(?:中|里)?的)$"
    # "右声道在", but "不存在" and "现在" end a sentence.
    r"|[道声音人段](?:正|则|却|也|都)?(?:在|从|由|比|和|与|是)$"
)
# The last two characters of these words, for a look before the search.
_HANGING_ENDS = frozenset(word[-2:] for word in f"{_HANGING_ENGLISH}|{_HANGING_CHINESE}".split("|") if len(word) > 1)
# "Let me listen again. The first tone": the subject of a sentence that was cut off.
_SUBJECTS = ("first", "second", "third", "fourth", "last", "other")
_SUBJECT_ONLY = re.compile(
    rf"(?:\A|[a-z]+ [a-z]+ [a-z]{{2,}}[.!?] )(?:so |then |now |but )?the (?:{'|'.join(_SUBJECTS)})(?: [a-z]+)?\Z"
)
_CUED = re.compile(
    r"(?<![a-z])(?:answers?|choose|select|pick|option|conclusion)(?![a-z])|答案|选|[\[{<*]", re.IGNORECASE
)
# A review that ends within what it says of an option: "A: …, so it is right. B: the two".
_LAST_ITEM = re.compile(
    r"(?:^|(?<=[.;。!\n；]))[ *\-#]*(?:[Oo]ption |[Ss]tatement |选项)?"
    r"[(*]*([A-Z])[)*]*(?:项|选项)? ?(?:[:：.、]|is(?= )|is$)"
    r"\**(?P<said>[^\n.!?。！？]*)$"
)
# What stands above the first item of a review.
_HEADING = re.compile(
    r"(?:(?<![a-z])(?:analy[sz]\w*|evaluat\w*|consider\w*|examin\w*|review\w*|assess\w*|check\w*|go through|look at"
    r"|each|one by one|step by step)(?![a-z])|分析|逐|各个?选项|每个选项|判断)[^\n]{0,60}[:：]?\s*\Z",
    re.IGNORECASE,
)
_ITEM = r"(?<![A-Za-z]){}(?![A-Za-z])"
_VERDICT = re.compile(
    r"(?<![a-z])(?:correct|incorrect|right|wrong|true|false|yes|no|not|supported|unsupported|valid|invalid|reasonable"
    r"|unreasonable|plausible|implausible|holds?|fits?|contradict\w*|rejected|inferred)(?![a-z])|n't|[✓✔✅✗✘❌×√]"
    r"|[正准]确|错|对|合理|符|成立|选|矛盾|排除|[可能]以?推|不|没|无|是$|否$",
    re.IGNORECASE,
)
# A verdict, or the placeholder of an option's text.
_SETTLED = re.compile(rf"{_VERDICT.pattern}|[\ue000-\uf8ff]", re.IGNORECASE)


def breaks_off(response: str) -> bool:
    """Whether a review of the options ends before it has judged the last one that it names.

    >>> breaks_off("A: a door is slammed, so this is right. B: the two")
    True
    """
    match = _LAST_ITEM.search(response.rstrip())
    if match is None or not match.start():
        return False
    if not match["said"].strip():
        # "A is right. B is right. C is".
        return match.group().endswith(("is", ":", "：")) and _VERDICT.search(response, 0, match.start()) is not None
    before = response[: match.start()]
    start = re.search(_ITEM.format("A"), before)
    if start is not None and _HEADING.search(before[: start.start()]) and not _VERDICT.search(response):
        return True  # "Let me check each option. A: a bell rings. B: the man".
    hangs = match["said"].rstrip().endswith((":", "：", " -", " –", "—"))
    if _SETTLED.search(match["said"]) and not hangs:
        return False
    if match[1] == "A":
        return _HEADING.search(before) is not None
    first = re.search(_ITEM.format(chr(ord(match[1]) - 1)), before) if match[1] > "A" else None
    named = re.search(_ITEM.format(match[1]), before)
    return first is not None and named is None and (hangs or _VERDICT.search(before, first.start()) is not None)


# What is left of a sentence that was cut off, unless it answers already: "Yes, it is".
_FRAGMENT = re.compile(
    r"(?:^|(?<=[.!?;:。！？；：\n])) *(?!(?i:yes|no|true|false|it|so|correct|wrong)\b)[^.!?;:。！？；：\n]+$"
)


def drop_fragment(response: str) -> str:
    """Return a response without its last sentence if that breaks off at a word that never ends one.

    >>> drop_fragment("The tone comes from the left, so it is false. The time difference is")
    'The tone comes from the left, so it is false.'
    """
    if len(response) <= _MIN_CUT or not _HANGING.search(response, len(response) - _LONGEST_WORD):
        return response
    return _FRAGMENT.sub("", response).rstrip()


# What the first of two parts has, if a hint starts in it and ends in the other one.
_STARTS = tuple(hint.partition(" ")[0] if hint.isascii() else hint[0] for hint in _HINTS)


def is_settled(part: str) -> bool:
    """Whether a part of a response has no word that could leave the whole open.

    A response of settled parts does not stay open if signs or blanks keep the English words of the parts apart.

    >>> is_settled("The bell rings"), is_settled("the bell and the")
    (True, False)
    """
    lowered = part.lower()
    if (
        any(map(lowered.__contains__, _STARTS))
        or may_weigh(part)
        or _HANGING.search(part)
        or _SUBJECT_ONLY.fullmatch(lowered)
    ):
        return False
    return len(part) > 1 or part.isascii()  # "的" and "是" leave open together what neither does alone.


def _ends_in_subject(tail: str) -> bool:
    """Whether the last words are a sentence that was cut off behind its subject, and not the only one."""
    if not any(map(tail.rsplit(" ", 2)[-2:].__contains__, _SUBJECTS)):
        return False
    return _SUBJECT_ONLY.search(tail) is not None and not _SUBJECT_ONLY.fullmatch(tail)


def _hangs(response: str) -> bool:
    """Whether a response that ends in a word breaks off at one that never ends a sentence."""
    if response[-2:] not in _HANGING_ENDS and response[-1] not in "a的在从由比和与是":
        return False
    is_long = len(response) > _MIN_CUT or not response[-1].isascii()
    return is_long and _HANGING.search(response, len(response) - _LONGEST_WORD) is not None


# "A. bees", a blank line, and an explanation that breaks off.
_ANSWER_FIRST = re.compile(
    r"[^\w\n]{0,4}(?:(?i:(?:final |correct )?answer)[*: ]{1,6})?\(?[A-J](?:[.):][^\n]{0,80})?[*_.]{0,3}\n[ \t]*\n"
    r"(?P<behind>(?:.|\n)*)\Z"
)
_TURNS_BACK = re.compile(r"(?<![a-z])(?:wait|actually|however|but|let me|check|hmm|or)(?![a-z])", re.IGNORECASE)


def _answers_first(response: str) -> bool:
    """Whether what breaks off only explains the answer above it."""
    match = _ANSWER_FIRST.match(response)
    if match is None:
        return False
    behind = ARTICLE_OR_I.sub("", match["behind"])
    return not (CAPITAL.search(behind) or _TURNS_BACK.search(behind))


def stays_open(response: str) -> bool:
    """Whether a response leaves its answer open at its end, though it names an option on the way.

    >>> stays_open("Perhaps B. But A would fit too, and I can't decide between them.")
    True
    >>> stays_open("I can't decide between A and B by the pitch, but the rhythm points to B.")
    False
    """
    if may_weigh(response) and stays_weighed(response):
        return True
    if len(response) < _SHORTEST:
        return False
    tail = response[-_REACH:].lower()
    if response[-1].isalpha() and (_ends_in_subject(tail) or _hangs(response)):
        return _CUED.search(response) is None and not _answers_first(response)
    if not any(map(tail.__contains__, _ENGLISH_HINTS if tail.isascii() else _HINTS)):
        return False
    match = None
    for match in _OPEN.finditer(tail.replace("’", "'")):  # noqa: B007
        pass
    if match is None or _JUDGED.search(tail[tail.rfind("\n", 0, match.start()) + 1 : match.start()]):
        return False
    return not _DENIED.search(tail, 0, match.start()) and not _AFTER_ALL.search(tail, match.end())
