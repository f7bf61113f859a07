"""Sentences in which a critic tells what it is about to do: they name steps and kinds of error, and judge nothing."""

import re

_OPENS = r"(?:(?<=[.!?;:。\n] )|(?<=[.!?;:。\n])|\A)[-*• ]{0,4}"
_FIRST = (
    r"(?:(?:as (?:a|an|the) [a-z -]{2,30}|ok(?:ay)?|sure|now|first|next|here|below|to (?:find|do|spot|identify|answer)"
    r"[^,.;:\n]{0,60}|in (?:the following|what follows)), ?)*(?:now |so |then )?"
)
_PLANS = (
    r"(?:(?:i|we)(?: will| shall|'ll| am going to|'m going to| are going to|'re going to| need to| have to| must"
    r"| want to| would like to)"
    r"|let me|let us|let's|my (?:task|job|goal|role|aim) (?:here )?is to|i am (?:asked|here) to)"
    r" (?:now |carefully |first |then |briefly |also |next |start by |begin by )*"
)
_EXAMINES = (
    r"(?:evaluat|check|examin|go(?:ing)? (?:through|over)|assess|review|inspect|verif|look|analy[sz]|listen|compar|scan"
    r"|search|screen|scrutini[sz]|walk|test|critique|critici|work through|judge (?=each|every|all)"
    r"|identify|determine|decide|detect|spot|find)"
)
_ENGLISH = re.compile(rf"{_OPENS}(?P<said>{_FIRST}{_PLANS}{_EXAMINES}[^.;:!?\n]*(?:[.;:!?]|(?=\n)|\Z))", re.IGNORECASE)
_CHINESE = re.compile(
    rf"{_OPENS}(?P<said>(?:作为[^,。;:\n]{{1,12}},)?(?:(?:好的?|那么|下面|接下来|现在|首先|以下),?)*"
    r"(?:(?:我们?|本人)(?:下面|接下来|现在|首先|先)*(?:将|会|来|要|需要|得|必须|准备|打算|应该)|让我们?|请?允许我"
    r"|我的任务是|(?<=下面)我|(?<=接下来)我)"
    r"(?:会|来|先|要|再|仔细|认真|逐一|逐步|逐条|依次|分别|对|从|根据音频|按照?|一一|逐个|对照音频)*"
    r"(?:(?:这|所有|全部|每)?(?:[0-9一二三四五六七八九十两]{0,3})个?(?:推理)?步骤?)?(?:逐一|逐个|分别|进行)*"
    r"(?:检查|评估|核对|核实|审查|分析|评价|检验|考察|查看|审核|对照|找出|判断(?=每|各|所有|这|全部))"
    r"[^。;:!?\n]*(?:[。.;:!?]|(?=\n)|\Z))"
)
# What such a sentence may go on to say after all: "I will check each step, and step 2 is wrong".
_SAYS = re.compile(
    r"(?<![a-z])(?:steps? ?#?[0-9]|find that|found|but|however|conclu|as (?:wrong|correct|right|erroneous|incorrect)"
    r"|(?:first|second|third|fourth|fifth|last|final) (?:step|one))|第 ?[0-9一二三四五六七八九十]|步骤 ?[0-9一二三四]"
    r"|again|once more|re-?(?:check|listen|consider|evaluat|exam)|double|closer|more carefully"
    r"|, ?(?:and |so )?(?:all|none|no|every|everything|nothing)(?![a-z])|发现|认为|再听|重新|再次|重听"
    r"|但|结论|,(?:全|都|均)|[都均全]是?(?:正确|错误|有误|对|错|不)|其余|其他",
    re.IGNORECASE,
)
_ASSERTS = re.compile(
    r"(?<![a-z])(?:(?:is|are|was|were)(?![a-z])|(?:wrong|incorrect|erroneous|correct|right|valid|false|flawed)\W*\Z)",
    re.IGNORECASE,
)
# "I will list the erroneous steps: 2 and 4".
_HEADS = re.compile("(?:identify|determine|decide|detect|spot|find|找出)[^:]*:$", re.IGNORECASE)
_ASKS = re.compile(r"(?<![a-z])(?:whether|which|if|what|where|my (?:task|job|goal|role|aim))(?![a-z])", re.IGNORECASE)
_HINTS = (
    "ill ",
    "'ll ",
    "hall ",
    "going to ",
    "need to ",
    "have to ",
    "must ",
    "want to ",
    "like to ",
    "et me ",
    "et us ",
)
_MORE_HINTS = ("et's ", " is to ", "asked to ", "here to ", "我", "让")


def _drop(match: re.Match[str]) -> str:
    said = match["said"]
    judges = _SAYS.search(said) or _HEADS.search(said) or (_ASSERTS.search(said) and not _ASKS.search(said))
    return match.group() if judges else ""


def drop_announcements(text: str) -> str:
    """Return a text without the sentences that only tell what will be examined.

    >>> drop_announcements("I will check each of the 8 steps for errors. Step 2 is wrong.")
    ' Step 2 is wrong.'
    """
    if not any(hint in text for hint in (*_HINTS, *_MORE_HINTS)):
        return text
    return _CHINESE.sub(_drop, _ENGLISH.sub(_drop, text))
