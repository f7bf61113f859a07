"""Verdicts in the words of a conversation, with numbers of steps, or with remarks in brackets, as plain statements."""

import re

from evaluation.extraction.critic.counted_errors import announce_errors
from evaluation.extraction.critic.plain_sentences import write_plain_sentences

_STEP = r"(?:step #?(?:[0-9]{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)(?![a-z0-9])|the [a-z]+ step)"
_JUDGED = r"(?:wrong|incorrect|erroneous|false|mistaken|inaccurate|faulty|flawed|right|correct|true|accurate)"
# "It is not true that step 2 is wrong".
_DENIED = re.compile(
    r"(?<![a-z])it(?:'s| is| would) not (?:be )?(?:true|right|correct|the case|as if|so) (?:that|to say(?: that)?)"
    rf" (?P<step>{_STEP}) (?P<be>is|was|were) (?P<judged>{_JUDGED})(?![a-z])"
)
# "No. 4 is a bust"; "No. Step 4 …" answers a question.
_NUMBER = re.compile(
    r"(?<![a-z])(?:no\.|nr\.?|number) ?(?P<number>[0-9]{1,2})"
    r"(?= (?:is|isn't|was|has|holds?|does|doesn't|looks|seems)(?![a-z]))"
)
# "Step 2, nope, it isn't a chainsaw"; "Step 1? Fine."
_SPOKEN = re.compile(
    rf"(?:(?<=[.;!?,\n-] )|(?<=\n)|\A)(?P<step>{_STEP})(?:,|\?) (?:(?:yeah|yes|yep|yup|well|hmm|again|oh)[,.]? )*"
    r"(?:(?P<bad>nope|nah|no)(?: again)?|(?:(?:that's|that is|it's|it is|all|again|also|too) )*"
    r"(?P<good>right|correct|fine|ok|okay|good|accurate|yep|yup|yes|yeah))(?= ?(?:[,.;:!\n]|\Z))"
    r"(?!, (?:step|the [a-z]+ step|wait|rather|it is step)(?![a-z]))"
)
# "You asked me to judge each of the five steps as correct or erroneous."
_TASK = re.compile(
    r"(?:(?<=\n)|\A)(?:you|the (?:task|prompt|question|user|instruction)s?)"
    r" (?:asked|asks?|wanted|wants?|is|was|said|says)"
    r"(?: me| us)? (?:to|for|whether|which)(?![a-z])[^.\n]{0,200}(?:steps?|reasoning|trace)[^.\n]{0,120}\.\s*"
)
# "Five of the six steps hold.": other sentences say which.
_SOME_OF = re.compile(
    r"(?:(?<=[.;!?\n] )|(?<=\n)|\A)(?P<some>one|two|three|four|five|six|seven|[1-9]) (?:out )?of the"
    r" (?P<all>two|three|four|five|six|seven|eight|nine|ten|[2-9]|10) (?:reasoning )?steps?"
    r" (?:hold|holds|are|is|check|checks|stand|stands)(?: up| out)?(?: (?:correct|right|fine|true|accurate|sound|ok))?"
    r" ?[.;,](?: and| but)? ?"
)
_THE_OTHER = re.compile(
    r"(?<![a-z])the (?:one|only one|single one) (?:that|which) (?:does not|doesn't|fails|is not|isn't) is (?=step)"
)
_SOME_IN_CHINESE = re.compile(
    r"(?:(?:这|全部|所有)?[二两三四五六七八九十0-9]{1,2}个?(?:推理)?步骤?(?:之?中|里面?|当中)|其中),?(?:只|仅)?有"
    r"[一二两三四五六七八九十0-9]{1,2}个?步?(?:是)?(?:成立|正确|对|没有?问题|无误|准确)的?[。,;]"
)
# "The wrong steps are step 1 (the alto is called a man) and step 2 (…)".
_REMARK = re.compile(
    r"(?P<step>(?<![a-z])step #?[0-9]{1,2}|第 ?[0-9一二三四五六七八九十]{1,2} ?步) ?\((?P<remark>[^()\n]{3,80})\)"
    r"(?= ?(?:,|;|、)? ?(?:and |as well as |和|与|及|以及|还有)? ?(?:step #?[0-9]|第 ?[0-9一二三四五六七八九十]))"
)
_LAST_REMARK = re.compile(
    r"(?P<before>(?:,|;|、|(?<![a-z])and|和|与|及|以及|还有) ?(?:step #?[0-9]{1,2}"
    r"|第 ?[0-9一二三四五六七八九十]{1,2} ?步)) ?\([^()\n]{3,80}\)"
    r"(?= ?(?:[.,;。\n]|\Z))"
)
_HEADS = re.compile(
    r"(?:errors?|mistakes?|(?:wrong|incorrect|erroneous) steps?|错误(?:的)?步骤)[^.;。\n(]{0,16}\Z"
    r"|(?:错误?|有误|不成立|有问题|不对) ?[:：] ?\Z"
)
# "Step 3 is where it goes wrong, and nowhere else".
_NOWHERE_ELSE = re.compile(
    rf"(?P<step>{_STEP}) is where [^.,;\n]{{1,40}}?(?:astray|wrong|off|err|errs|fails|slips(?: up)?)"
    r",? ?-{0,2} ?(?:and )?(?:nowhere else|only there|there only)(?![a-z])"
)
# "One perception error in total", below the verdicts.
_TOTAL = re.compile(
    r"(?<=\n)(?:(?:there (?:is|are)|i (?:find|found|see|count|counted)|in total|overall),? )?"
    r"(?P<count>one|two|three|four|five|six|[1-9])(?: [a-z-]+)? (?:errors?|mistakes?)"
    r"(?: (?:in total|overall|altogether|in all))?"
    r"[.!]?(?=\n|\Z)"
)
# "The only step I can't accept is the one about the crow – that's step 2".
_ONLY_ONE = re.compile(
    r"(?<![a-z])the (?:only|one|single) step(?: (?:that|which))?"
    r"(?: is wrong| (?:i|we) (?:can't|cannot|can not|don't|do not|would not|wouldn't)"
    r" (?:accept|agree with|buy|believe|support|confirm)) is the one [^.\n]{3,120}?(?: ?-{1,2} ?|, |: |\()"
    r"(?:that's|that is|namely|i\.e\.|this is) (?=step)"
)
# "1) x OK. 2) x not OK": quoted claims, each with a verdict.
_CLAIM_AND_VERDICT = re.compile(
    r"(?P<number>(?<![a-z0-9])[0-9]{1,2})[).] x ?"
    r"(?=(?:not )?(?:ok|okay|fine|correct|right|wrong|incorrect|erroneous)(?![a-z]))"
)
_COUNTS = {word: number for number, word in enumerate(("one", "two", "three", "four", "five", "six"), 1)}
_FIRST = re.compile("开头的?(?:那|这)?一?步骤?|最前面的?(?:那|这)一步")

_FIRSTLY = re.compile("(?:首先|其次|最后|此外|另外)[,，](?=步骤|第)")
# "步骤1到3对音高的比较都准确": 对 is no verdict.
_ON_WHAT = re.compile(
    "(?<=[0-9一二三四五六七八九十步])对[^,。;\n对]{1,12}的(?:比较|判断|描述|分析|识别|说明|表述|解释|理解|估计|辨认|概括|判定)"
    "(?=都|均|也|是|准|正|错|有|不|没)"
)
_NO_ERROR_IN_CHINESE = re.compile(
    "连一[个处](?:错误?|问题)都(?:没有?(?:找到|发现|看到)?|找不到|挑不出)"
    "|(?:这里|其中)?没有?(?:任何)?(?:需要|要|可|可以|值得)(?:纠正|修改|更正|改正|指出)的(?:地方|内容|错误|步骤)?"
)


def _deny(match: re.Match[str]) -> str:
    return f"{match['step']} {match['be']} not {match['judged']}"


def _drop_some(match: re.Match[str]) -> str:
    return match.group() if match["some"] == match["all"] else ""


def _drop_remarks(text: str) -> str:
    """Leave out the remarks behind steps that a heading calls wrong."""
    first = _REMARK.search(text)
    if first is None or not _HEADS.search(text, 0, first.start()):
        return text
    return _LAST_REMARK.sub(r"\g<before>", _REMARK.sub(r"\g<step>", text))


def write_plain_verdicts(text: str) -> str:
    """Return a text in lower case with such verdicts as plain statements.

    >>> write_plain_verdicts("it is not true that step 2 is wrong. step 3, nope.")
    'step 2 is not wrong. step 3 is wrong.'
    """
    text = write_plain_sentences(text)
    if " not " in text:
        text = _DENIED.sub(_deny, text)
    if "no." in text or "nr" in text or "number " in text:
        text = _NUMBER.sub(r"step \g<number>", text)
    if "step" in text:
        text = announce_errors(text)
        text = _SPOKEN.sub(lambda match: f"{match['step']} is {'wrong' if match['bad'] else 'right'}", text)
        text = _TASK.sub("", text)
        if " of the " in text and "excepti" not in text:
            text = _SOME_OF.sub(_drop_some, text)
        if "the one " in text or "the only one " in text:
            text = _THE_OTHER.sub("the only wrong step is ", text)
        if "where" in text:
            text = _NOWHERE_ELSE.sub(r"only \g<step> is wrong", text)
    if "the only step" in text or "the one step" in text or "the single step" in text:
        text = _ONLY_ONE.sub("the only wrong step is ", text)
    if " x " in text:
        text = _CLAIM_AND_VERDICT.sub(r"step \g<number>: ", text)
    if "error" in text or "mistake" in text:
        text = _TOTAL.sub(lambda match: f"{_COUNTS.get(match['count'], match['count'])} errors in total", text)
    if "步" in text:
        text = _FIRST.sub("第1步", _SOME_IN_CHINESE.sub("", _FIRSTLY.sub("", _ON_WHAT.sub("", text))))
    if "都" in text or "的" in text:
        text = _NO_ERROR_IN_CHINESE.sub("没有错误", text)
    return _drop_remarks(text) if "(" in text else text
