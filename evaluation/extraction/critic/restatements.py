"""Restating what a critic says of several steps: counts, listed mistakes, contrasts, steps that rely on others."""

import re

from evaluation.extraction.critic.wording import NUMBERS, OBJECT

# "Number of erroneous steps: 2 (steps 3 and 5)": a number of steps, not the number of one.
_COUNTED = re.compile(
    r"(?:(?:the )?(?:total )?(?:number|count) of (?P<kind>(?:erroneous|incorrect|wrong|faulty|flawed) steps)"
    r"|(?P<chinese>(?:错误|有误)(?:的)?步骤)(?:的)?(?:数量|个数|总数|数)) ?(?:is|are|:|是|为)? ?[0-9]{1,2}个?(?![0-9])"
    r"(?: ?\((?P<steps>[^()\n]{1,80})\))?"
)
# "2 erroneous steps: 3 and 5".
_COUNTED_LIST = re.compile(
    r"(?<![a-z0-9])(?:(?:there are|i (?:find|found|see)|found) )?(?:[2-9]|two|three|four|five)"
    r" (?P<kind>(?:erroneous|incorrect|wrong|faulty|flawed) steps) ?"
    rf"(?::|\()(?P<steps> ?(?:steps? ?)?{NUMBERS})\)?(?=[.;\n]|\Z)"
)
# "I find two mistakes. The first is in step 3".
_LISTED_MISTAKE = re.compile(
    r"(?<![a-z])the (?:first|second|third|fourth|other|last|next)(?: one| mistake| error)?"
    r" (?:is|lies|occurs|comes|sits) (?:in|at|with) (?P<step>step #?[0-9]{1,2})"
    r"(?=,? (?:where|which|when|that)(?![a-z])|[.;])"
)
_MISTAKES_FOUND = re.compile(
    r"(?<![a-z])(?:two|three|four|several|some|[2-9]) (?:[a-z]+ )?(?:mistakes|errors|problems)(?![a-z])"
)
# "Step 3, however, claims that it comes from the left, whereas it comes from the right".
_WHEREAS = re.compile(
    r"(?P<step>step #?[0-9]{1,2})(?:,? (?:however|though),?)?(?P<says> (?:claims|says|states|asserts|maintains|reports)"
    r"(?: that)? [^.;\n]{1,200}?),? (?:whereas|(?:when|although|but|while) (?:in fact|actually|in reality))"
    r"(?![a-z])(?! (?:the )?(?:step|[a-z]+ step))"
)
# "Steps 5 and 6 both rely on this and are erroneous as well".
_RELIES = re.compile(
    r"(?<=[0-9a-z])(?<!n't)(?<!not)(?<!never)(?<!no longer) (?:(?:both|all|each) )?"
    r"(?:rel(?:y|ies)|depends?|builds?|rests?|(?:is|are) based)"
    r"(?: directly)? (?:up)?on (?:this|that|it|these|them)"
    r"(?: (?:error|mistake|claim|false claim|wrong claim))? and (?=(?:is|are|thus|therefore) )"
)
_NO_OBJECTION = re.compile(
    r"(?<![a-z])i (?:have|had|see) no (?:objections?|complaints?|quarrel|issues?) (?:to|about|with)"
    rf" (?P<object>{OBJECT})"
    rf"(?:(?:,? (?:nor|or|and)|,)(?: (?:to|about|with))? (?P<other>{OBJECT}))?(?=[.,;\n]|\Z)"
)
# "第二步把十四听成四十，这是语义错误"; "最后一步得出的结论错误"; "步骤3基于步骤2的错误，因此也错".
_THIS_IS = re.compile("[,，](?:这|此处)(?:是|属于)(?:一个|一种|一处)?(?=[^,，。;；\n]{0,6}错误(?!的))")
_CONCLUSION_OF = re.compile(
    "(?<=步)(?:所)?(?:得出|给出|推出|做出|作出)的(?:结论|判断|推断)(?:是)?(?=错误|有误|正确|不正确|不对|成立)"
)
_BASED_ON = re.compile(
    "(?:都|均|也|则)?(?:是)?(?:基于|建立在|依赖于?|沿用了?|延续了?)(?:了)?"
    "(?:步骤[0-9一二三四五六七八九十]{1,2}|第[0-9一二三四五六七八九十]{1,2}步)"
    "(?:的)?(?:错误)?(?:的)?(?:结论|判断|前提|描述|基础)?(?:之上|上|得出的)?[,，](?=(?:因此|所以|故|也))"
)


def _list_counted(match: re.Match[str]) -> str:
    """Write a number of erroneous steps as their list, or leave it out where none is given."""
    kind = match["kind"] or match["chinese"]
    return f"{kind}: {match['steps']}" if match["steps"] else ""


def _accept(match: re.Match[str]) -> str:
    return f"{match['object']} is right" + (f", {match['other']} is right" if match["other"] else "")


def restate(text: str) -> str:
    """Return a text in lower case with such sentences as plain statements about their steps.

    >>> restate("number of erroneous steps: 2 (3 and 5)")
    'erroneous steps: 3 and 5'
    """
    if "number" in text or "count" in text or "数" in text:
        text = _COUNTED.sub(_list_counted, text)
    if " steps:" in text or " steps (" in text:
        text = _COUNTED_LIST.sub(r"\g<kind>: \g<steps>", text)
    if "错" in text or "对" in text or "误" in text:
        text = _THIS_IS.sub(",属于", _CONCLUSION_OF.sub("", _BASED_ON.sub("", text)))
    if " is in step" in text and _MISTAKES_FOUND.search(text):
        text = _LISTED_MISTAKE.sub(r"\g<step> is wrong", text)
    if "whereas" in text or "in fact" in text or "actually" in text or "in reality" in text:
        text = _WHEREAS.sub(r"\g<step>\g<says>, but in fact", text)
    if "on this " in text or "on that " in text or "on it " in text or "on the" in text:
        text = _RELIES.sub(" ", text)
    if " no " in text:
        text = _NO_OBJECTION.sub(_accept, text)
    return text
