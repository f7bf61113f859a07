"""Restatements: sentences of a critic whose words stand in an order of their own, as plain ones about their steps."""

import re

from evaluation.extraction.critic.markings import state_markings
from evaluation.extraction.critic.plain_verdicts import write_plain_verdicts
from evaluation.extraction.critic.wording import NUMBERS, OBJECT

# "Number of erroneous steps: 2 (steps 3 and 5)": a number of steps, not the number of one.
_COUNTED = re.compile(
    r"(?:(?:the )?(?:total )?(?:number|count) of (?P<kind>(?:erroneous|incorrect|wrong|faulty|flawed) steps)"
    r"|(?P<chinese>(?:错误|有误)(?:的)?步骤)(?:的)?(?:数量|个数|总数|数)) ?(?:is|are|:|=|是|为)?"
    r" ?(?P<count>[0-9]{1,2})个?(?![0-9])(?: (?:out )?of (?P<total>[0-9]{1,2})| ?/ ?(?P<slash>[0-9]{1,2}))?"
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
# "最后一步得出的结论错误".
_CONCLUSION_OF = re.compile(
    "(?<=步)(?:所|由此|据此|因此|最终|最后)?(?:得出|给出|推出|做出|作出)的(?:结论|判断|推断)(?:自然|当然|同样|因此|也|就|便)*(?:是)?"
    "(?=不?(?:错误|有误|正确|对|成立|准确|可靠|可信))"
)
# "三步无一成立": none of them is; "无一例外" counts all of them.
_NOT_ONE = re.compile(
    "(?:(?:全部|所有|这|以上)?(?:[0-9]{1,2}|[一二三四五六七八九十两]{0,3})个?(?:推理)?步骤?之?[中里]?)?"
    "无一(?!例外)(?:步骤?|个)?"
)
_ALL_ALIKE = re.compile("无一例外地?")
# "The only thing wrong with this chain is step 3".
_ONLY_WRONG = re.compile(
    r"(?<![a-z])the (?:only|one|sole|single) (?:thing|part|point|place|bit|aspect)(?: (?:that|which))?(?: (?:is|goes))?"
    r" (?:wrong|incorrect|off|amiss|mistaken)(?: (?:with|in|about|here)(?: [a-z']+){0,5}?)? (?:is|lies|occurs)"
    rf"(?: (?:in|with|at))? (?P<step>(?:the )?steps? #?{NUMBERS}|the [a-z]+ (?:step|one))"
)
# "It is only in step 4 that the model makes a mistake".
_ONLY_IN = re.compile(
    rf"(?<![a-z])it is (?P<only>only |just )in (?P<step>steps? #?{NUMBERS}|the [a-z]+ step) that"
    r" [^.;,\n]{0,60}?(?:mistakes?|errors?|wrong|errs|fails|astray|slips)(?![a-z])"
)
# "Steps 2/3" are two steps, "step 2/3" the second of three.
_SLASHED = re.compile(r"(?<![a-z])steps #?([0-9]{1,2})/([0-9]{1,2})(?![0-9/])")
# "Step 1 is wrong, unlike steps 2 and 3".
_UNLIKE = re.compile(rf",? unlike (?=steps? #?{NUMBERS}(?=[.;\n]|\Z))")
# "The claim in step 2 that the bell rings is wrong".
_CLAIM_IN = re.compile(
    r"(?<![a-z])the (?:claim|statement|assertion|description|inference|observation)(?P<s>s?) (?:made |given |drawn )?in"
    rf" (?P<step>steps? #?{NUMBERS}|the [a-z]+ steps?)(?![a-z0-9])(?P<that> that(?![a-z]))?"
)
# "No other step is affected"; "the other steps are unaffected".
_UNAFFECTED = re.compile(
    r"(?<![a-z])(?:no other steps? (?:is|are) affected"
    r"|(?P<rest>(?:all )?(?:the )?(?:others|other steps|rest|remaining steps))"
    r" (?:is|are) (?:unaffected|not affected))(?= ?(?:[.,;\n]|by|\Z))"
)
# "Correct the errors in steps 2 and 3": a request.
_REQUEST = re.compile(
    r"(?:(?<=\n)|(?<=\. )|\A)(?:please )?(?:correct|fix|repair|find|list) (?:the|any|all|these|those) "
    r"(?:errors?|mistakes?|(?:erroneous|wrong|incorrect) steps?)(?![a-z])[^.:\n]*"
)
# "Step 6 is the exception", "with step 6 as the only exception".
_EXCEPTION = re.compile(
    r"(?:[.;:,] ?(?:and |but |with |while )?|(?<=\n)|\A)(?P<step>(?:the )?step #?[0-9]{1,3}|the [a-z]+ (?:step|one))"
    r",? (?:is|are|being|as|forms?|makes?|constitutes?)(?: the| an)(?: only| sole| one| single| lone| notable| clear)*"
    r" exceptions?(?![a-z])"
)
_EXCEPTION_IN_CHINESE = re.compile(
    r"(?:[,。;]|(?<=\n)|\A)(?:只有|但|而|不过)?"
    "(?:(?P<step>第 ?[0-9一二三四五六七八九十]{1,2} ?步|步骤 ?[0-9]{1,2})是(?:一?个|唯一的?)?例外"
    "|(?:唯一)?例外的(?:步骤)?是)"
)
_NO_OBJECTION = re.compile(
    r"(?<![a-z])i (?:have|had|see) no (?:objections?|complaints?|quarrel|issues?) (?:to|about|with)"
    rf" (?P<object>{OBJECT})"
    rf"(?:(?:,? (?:nor|or|and)|,)(?: (?:to|about|with))? (?P<other>{OBJECT}))?(?=[.,;\n]|\Z)"
)

# "The first error is in step 3. The steps before and after it are correct".
_AROUND = re.compile(
    r"(?<![a-z])(?:(?:all|each|both|every)(?: of)? )?(?:(?:the|of the) )?(?:(?:other )?steps?|everything|all)"
    r"(?: (?:that|which) (?:come|are))? (?:both )?before and after"
    r"(?: (?:it|that|this|(?:that|this) step|step #?[0-9]{1,2}))?"
    r"(?![a-z0-9])"
)

# "The first error is in step 1, steps 2 and 3 repeat it": a comma that ends the sentence, and parts no list.
_FIRST_ALONE = re.compile(
    r"(?<![a-z])(?P<first>(?:first|earliest) (?:error|mistake|problem)[^.,;\n]{0,40}? step #?[0-9]{1,2}), ?"
    r"(?=steps? #?[0-9])"
    r"|(?P<chinese>(?:第一[个处]|首个|最早的?)(?:错误|问题|出错)[^。,;\n]{0,9}?第 ?[0-9一二三四五六七八九十]{1,2} ?步)"
    r" ?, ?(?=第)"
)

# "The incorrect ones are 1 and 3".
_ONES = re.compile(
    r"(?<![a-z])the (?P<kind>incorrect|wrong|erroneous|faulty|flawed|false|mistaken) ones(?= (?:are|is|were)(?![a-z]))"
)

# "After checking every step against the clip, …" judges none.
_HAVING_CHECKED = re.compile(
    r"(?<![a-z])(?:after|having|upon|on)(?: carefully)? "
    r"(?:(?:check|review|compar|evaluat|examin|verif|analy[sz]|assess)[a-z]+"
    r"|(?:listening|listened) to|going through|gone through) (?:each|every|all)(?: (?:of )?(?:the|these|those))?"
    r"(?: [a-z]+)? steps?[^,.;:\n]{0,60}, "
)


def _name_exception(match: re.Match[str]) -> str:
    return f"。例外是{match['step'] or ''}"


def _say_unaffected(match: re.Match[str]) -> str:
    return "the others are right" if match["rest"] else "no other step is wrong"


def _list_counted(match: re.Match[str]) -> str:
    """Write a number of erroneous steps as their list; leave it out where none is given, unless it is none or all."""
    kind = match["kind"] or match["chinese"]
    if int(match["count"]) == 0:
        return "no step is wrong"
    if match["count"] == (match["total"] or match["slash"]):
        return "all steps are wrong"
    return f"{kind}: {match['steps']}" if match["steps"] else ""


def _accept(match: re.Match[str]) -> str:
    return f"{match['object']} is right" + (f", {match['other']} is right" if match["other"] else "")


def restate(text: str) -> str:
    """Return a text in lower case with such sentences as plain statements about their steps.

    >>> restate("it is only in step 4 that the model makes a mistake")
    'only step 4 is wrong'
    """
    text = write_plain_verdicts(state_markings(text))
    if "exception" in text or "例外" in text:
        text = _EXCEPTION_IN_CHINESE.sub(_name_exception, _EXCEPTION.sub(r". the only exception is \g<step>", text))
    if "number" in text or "count" in text or "数" in text:
        text = _COUNTED.sub(_list_counted, text)
    if " steps:" in text or " steps (" in text:
        text = _COUNTED_LIST.sub(r"\g<kind>: \g<steps>", text)
    if "错" in text or "对" in text or "误" in text or "成立" in text:
        text = _CONCLUSION_OF.sub("", text)
    if " is in step" in text and _MISTAKES_FOUND.search(text):
        text = _LISTED_MISTAKE.sub(r"\g<step> is wrong", text)
    if "whereas" in text or "in fact" in text or "actually" in text or "in reality" in text:
        text = _WHEREAS.sub(r"\g<step>\g<says>, but in fact", text)
    if "无一" in text:
        text = _NOT_ONE.sub("没有一步", _ALL_ALIKE.sub("", text))
    if "the only" in text or "the one" in text or "the sole" in text or "it is " in text:
        text = _ONLY_IN.sub(r"only \g<step> is wrong", _ONLY_WRONG.sub(r"only \g<step> is wrong", text))
    if "steps " in text and "/" in text:
        text = _SLASHED.sub(r"steps \1 and \2", text)
    if " in step" in text or " in the " in text:
        text = _CLAIM_IN.sub(lambda match: match["step"] + ("'s claim that" if match["that"] else ""), text)
    if "first " in text or "earliest" in text or "第一" in text or "首个" in text or "最早" in text:
        text = _FIRST_ALONE.sub(lambda match: f"{match['first'] or match['chinese']}. ", text)
    if " before and after" in text:
        text = _AROUND.sub("all other steps", text)
    if " step" in text and "," in text:
        text = _HAVING_CHECKED.sub("", text)
    if " ones " in text:
        text = _ONES.sub(r"the \g<kind> steps", text)
    if " unlike " in text:
        text = _UNLIKE.sub(", but not ", text)
    if "affected" in text:
        text = _UNAFFECTED.sub(_say_unaffected, text)
    if "errors" in text or "mistakes" in text or "steps" in text:
        text = _REQUEST.sub("", text)
    if " no " in text:
        text = _NO_OBJECTION.sub(_accept, text)
    return text
