"""Sentences of a critic in other words, written as plain statements: "the lone offender is step 5"."""

import re

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNT = rf"(?:{'|'.join(_NUMBERS)}|[1-9]|10)"
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_STEP = rf"(?:step #?[0-9]{{1,2}}|the (?:{'|'.join(_ORDINALS)}|last|final)(?: step| one)?)"
_BAD = r"(?:wrong|incorrect|erroneous|flawed|faulty|mistaken|false|inaccurate|invalid)"
_GOOD = r"(?:right|correct|fine|accurate|sound|ok|okay|valid|true)"
# "It's not the case that any of these steps is wrong", "it cannot be said that any step is wrong".
_NOT_ANY = re.compile(
    r"(?<![a-z])(?:it(?:'s| is| would) not (?:be )?(?:true|right|correct|the case|so|as if)"
    r"|it isn't (?:true|the case|so)"
    r"|it (?:cannot|can't) be said|i (?:would not|wouldn't|cannot"
    r"|can't) say)(?: that)? any (?P<of>(?:one )?of )?(?=[a-z])"
)
# "It isn't the case that step 2 is wrong".
_NOT_THE_CASE = re.compile(
    rf"(?<![a-z])it isn't (?:true|right|correct|the case|so) that (?P<step>{_STEP}) (?P<be>is|was) (?={_BAD}|{_GOOD})"
)
# "I couldn't find even a single error", "there is not even one wrong step".
_EVEN = re.compile(r"(?<=n't|not)(?P<verb>(?: [a-z]+)?) (?:even|so much as) (?:one|an?)(?: single)?(?= [a-z])")
_FAILED = re.compile(
    r"(?:i |we )?(?:failed|was unable|were unable|wasn't able|weren't able) to (?:find|detect|spot|identify|see)"
    r" (?:even )?(?:an?|any|one)(?: single)? (?=(?:error|mistake|problem|flaw|issue|wrong step)s?(?![a-z]))"
)
# "Step 5 is the lone offender."
_OFFENDER = (
    r"(?:lone|sole|only|single|one)(?: (?:and only|real|true|actual))?"
    r" (?:offender|culprit|offending step|troublemaker|blunder|mistaken step|faulty step)"
)
_IS_OFFENDER = re.compile(rf"(?P<step>{_STEP}) is the {_OFFENDER}(?: here| in (?:this|the) [a-z]+)?(?![a-z])")
_OFFENDER_IS = re.compile(rf"the {_OFFENDER}(?: here| in (?:this|the) [a-z]+)? is(?= (?:step|the ))")
# "Don't be misled by step 4, whose 'four goats' is right."
_MISLED = re.compile(
    r"(?:please )?(?:don't|do not) (?:be|get) (?:misled|fooled|confused|deceived|distracted|thrown off|put off|tricked)"
    rf" by (?P<step>{_STEP})(?:, (?:whose|where|which)(?![a-z])[^.;\n]*?(?<![a-z])(?:is|are|was) (?P<good>{_GOOD}))?"
    r"(?= ?[.;,\n]|\Z)"
)
# "Nothing else in the trace (steps 2, 3, 4, 5) is wrong."
_ELSE = re.compile(
    r"(?P<else>(?<![a-z])(?:nothing else|no other steps?|none of the (?:others?|other steps|rest|remaining steps))"
    r"(?: in [^.;()\n]{1,30}?)?) ?\((?:i\.e\.,? )?(?:steps? )?[0-9]{1,2}(?:(?:, ?| ?and |, and | to |-)[0-9]{1,2})*\)"
)
_NONE_OF_THE_OTHERS = re.compile(
    rf"none of the (?:others?|rest|other steps|remaining(?: steps|(?: {_COUNT}))?) (?:is|are|was"
    rf"|were) (?:(?P<bad>{_BAD})|{_GOOD})"
    rf"(?:[;,] (?:but |only )?(?P<step>{_STEP}) is)?(?= ?(?:[.;,\n]|\Z))"
)
# "Nothing else is right."
_NOTHING_ELSE_HOLDS = re.compile(rf"(?<![a-z])nothing else(?: in [a-z ]{{1,30}}?)? is {_GOOD}(?= ?(?:[.;,\n]|\Z))")
# "It's not the case that all steps are right."
_NOT_ALL = re.compile(
    r"(?<![a-z])(?:it(?:'s| is) not (?:true|right|correct|the case|so)|it isn't (?:true|the case|so)) (?:that )?"
    r"(?=(?:all|every) )"
)
_EACH_AND_EVERY = re.compile(r"(?<![a-z])each and every (?:single )?(?P<one>one of )?(?=(?:the|these|those)? ?[a-z])")
_IN_CHAIN = re.compile(
    r"(?<=steps) in (?:this|the) (?:whole |entire )?(?:chain|trace|list|reasoning|sequence"
    r"|solution)(?= (?:is|are)(?![a-z]))"
)
# "Two of the seven steps are flawed, namely the second (…) and the third (…)."
_ORDINAL = rf"(?:the (?:{'|'.join(_ORDINALS)})(?: step| one)?|(?:step )?#?[0-9]{{1,2}})(?: \([^()\n]{{1,160}}\))?"
_NAMELY = re.compile(
    rf"(?:(?:only|just"
    rf"|exactly) )?(?P<count>{_COUNT}) (?:(?:out )?of the (?:(?P<all>{_COUNT}) )?)?(?:reasoning )?steps? "
    rf"(?:is|are) (?P<bad>{_BAD})(?:,? namely,?| ?:|,? i\.e\.,?|, that is,?| ?-{{1,2}}) (?P<list>{_ORDINAL}"
    rf"(?:(?:,? and |, ){_ORDINAL})*)(?= ?(?:[.;\n]|\Z))"
)
_REMARK = re.compile(r" \([^()\n]*\)")
_NAMED = re.compile(rf"(?P<word>{'|'.join(_ORDINALS)})|(?P<number>[0-9]{{1,2}})")
# "I accept the remaining five", "the others I accept".
_REST = rf"(?:the (?:remaining|other)(?: (?:{_COUNT}|steps|ones))*|the (?:rest|others)|all (?:the )?other(?: steps|s))"
_ACCEPTED = re.compile(
    rf"(?<![a-z])(?:i|we) (?:can |would |fully )?(?:accept|approve(?: of)?|agree with|endorse|confirm) {_REST}"
    rf"(?= ?(?:[.;,\n]|\Z))|{_REST} (?:i|we) (?:can |would |fully )?(?:accept|approve|endorse"
    rf"|confirm)(?= ?(?:[.;,\n]|\Z))"
)
# "Step 1's beat count, step 2's meter (3/4) and step 3's waltz are all right."
_OWN = r"step [0-9]{1,2}'s [a-z \"'-]{1,40}?(?: \([^()\n]{1,30}\))?"
_ALL_OWN = re.compile(rf"{_OWN}(?:(?:, (?:and )?| and ){_OWN})+ are (?:all |both )?(?P<said>{_GOOD}|{_BAD})(?![a-z])")
# "Step 5 restates step 4's wrong claim (that the snare falls on one)".
_CLAIM = re.compile(
    rf"(?P<step>step #?[0-9]{{1,2}})'s (?P<claim>{_BAD} (?:claim|statement|assertion|conclusion|reading"
    rf"|assumption|premise))"
    r"(?: \((?:that|i\.e\.)[^()\n]*\))?"
)
# "Correct, hmm, or was that three? One... two. Two it is, so correct stands."
_DOUBT_SETTLED = re.compile(
    rf"(?P<said>{_GOOD}|{_BAD}), (?:hmm|hm|wait|uh|um|er)[,.]* (?:or )?(?:was|is|were"
    rf"|are) [^.?;\n]{{1,40}}\?[^?;\n]{{0,80}}?"
    r"(?:so|thus),? (?P=said) (?:stands|it is|it stays|remains|holds)"
)

_NUMBER_OWNS = re.compile("[0-9]'s ")
_ANY_HINTS = (" any ", " even ", "so much as", "failed to", "able to")
_OFFENDER_HINTS = ("offend", "culprit", "troublemaker", "blunder", "mistaken step", "faulty step")

# "No verdict is possible on steps 4 and 5", "我无法给出结论".
_NO_VERDICT = re.compile(
    r"\bno (?:verdict|judge?ment) (?:is|was|can be|could be) (?:possible|made|given|reached|passed)"
    r"|\b(?:I|we) (?:can(?:no|')t|can not|couldn't|could not|(?:am|was) unable to|won't|will not)"
    r" (?:give|reach|come to|arrive at|make|form|pass|draw) (?:a|any) (?:\w+ )?(?:verdict|conclusion"
    r"|decision|judge?ment)(?![^.\n]*(?<![a-z])(?:but|still|though|yet)(?![a-z]))"
    r"|我(?:也|还|仍|暂时|实在)*(?:无法|不能|没法|难以|下不了)(?:给出|得出|下|作出|做出)?(?:明确的?|最终的?|确定的?)?(?:结论|定论|判定)"
    r"|(?:也|很|真的?|实在)(?:说不准(?![备时确])|不好说)",
    re.IGNORECASE,
)
# "Step 2: correct if you count the echo, incorrect otherwise".
_UNDER_CONDITION = re.compile(
    rf"(?:step #?[0-9]{{1,2}}|(?:^|\n)[0-9]{{1,2}}[.:)])[^.;\n]{{0,20}}?(?:{_GOOD}|{_BAD})"
    rf" (?:if|when|provided|as long as|only if)[^.;\n]{{1,80}}?[,;] ?(?:but |and |else )?"
    rf"(?:(?:{_GOOD}|{_BAD}) (?:otherwise|if not|else)|otherwise(?: it(?:'s| is))? (?:{_GOOD}|{_BAD}))(?![a-z])"
    r"|(?:步骤 ?[0-9]{1,2}|第 ?[0-9一二三四五六七八九十]{1,2} ?步)[^。;\n]{0,12}?(?:如果|若|假如|要是)[^。;\n]{1,40}"
    r"(?:否则|不然)[^。;\n]{0,6}(?:正确|错误?|对|成立)",
    re.IGNORECASE,
)
_VERDICT_HINTS = ("erdict", "udgment", "udgement", "onclusion", "ecision")
_VERDICT_HINTS_IN_CHINESE = ("论", "判定", "说不准", "不好说")


def gives_no_verdict(text: str) -> bool:
    """Whether a critic says that no verdict can be given, or gives one under a condition and otherwise the opposite.

    >>> gives_no_verdict("For step 4, no verdict is possible."), gives_no_verdict("Step 4 is wrong.")
    (True, False)
    """
    if (" if" in text or "therwise" in text or "否则" in text or "不然" in text) and _UNDER_CONDITION.search(text):
        return True
    hints = _VERDICT_HINTS if text.isascii() else _VERDICT_HINTS + _VERDICT_HINTS_IN_CHINESE
    return any(map(text.__contains__, hints)) and _NO_VERDICT.search(text) is not None


def _write_not_any(match: re.Match[str]) -> str:
    return "none of " if match["of"] else "no "


def _write_misled(match: re.Match[str]) -> str:
    return f"{match['step']} is {match['good']}" if match["good"] else ""


def _write_others(match: re.Match[str]) -> str:
    others = f"the others are {'correct' if match['bad'] else 'wrong'}"
    return f"{others}; {match['step']} is {'wrong' if match['bad'] else 'correct'}" if match["step"] else others


def _write_namely(match: re.Match[str]) -> str:
    """Write a counted list of steps as the only ones, if it has as many as were counted."""
    named = [
        str(_ORDINALS.index(name["word"]) + 1) if name["word"] else name["number"]
        for name in _NAMED.finditer(_REMARK.sub("", match["list"]))
    ]
    count = match["count"]
    number = int(count) if count.isdecimal() else _NUMBERS.index(count) + 1
    if number != len(named) or len(set(named)) < len(named):
        return match.group()
    joined = ", ".join(named[:-1]) + " and " + named[-1] if len(named) > 1 else named[0]
    lead = "only " if match["all"] else ""
    return f"{lead}step{'s' * (number > 1)} {joined} {'are' if number > 1 else 'is'} {match['bad']}"


def _write_own(match: re.Match[str]) -> str:
    numbers = re.findall(r"step ([0-9]{1,2})'s", match.group())
    return f"steps {', '.join(numbers[:-1])} and {numbers[-1]} are {match['said']}"


def _write_denials(text: str) -> str:
    if any(map(text.__contains__, _ANY_HINTS)):
        text = _EVEN.sub(r"\g<verb> any", _NOT_ANY.sub(_write_not_any, _FAILED.sub("there is no ", text)))
    if " all " in text or " every " in text:
        text = _NOT_ALL.sub("not ", text)
    if "isn't" in text:
        text = _NOT_THE_CASE.sub(r"\g<step> \g<be> not ", text)
    return _MISLED.sub(_write_misled, text) if "t be " in text or "t get " in text else text


def write_plain_sentences(text: str) -> str:
    """Return a text in lower case with such sentences as plain statements.

    >>> write_plain_sentences("step 5 is the lone offender. i accept the rest.")
    'only step 5 is wrong. the others are correct.'
    """
    if "n't " in text or "not " in text or "able to " in text or "failed to " in text:
        text = _write_denials(text)
    if any(map(text.__contains__, _OFFENDER_HINTS)):
        text = _OFFENDER_IS.sub("the only wrong step is", _IS_OFFENDER.sub(r"only \g<step> is wrong", text))
    if "one of the " in text or "othing else" in text or "o other step" in text:
        text = _ELSE.sub(r"\g<else>", text)
        text = _NOTHING_ELSE_HOLDS.sub("the others are wrong", _NONE_OF_THE_OTHERS.sub(_write_others, text))
    if "each and every" in text:
        text = _EACH_AND_EVERY.sub(lambda match: "every one of " if match["one"] else "every ", text)
    if "steps in th" in text:
        text = _IN_CHAIN.sub("", text)
    if "steps are " in text or "steps is " in text or "step is " in text:
        text = _NAMELY.sub(_write_namely, text)
    if "accept" in text or "approve" in text or "agree with" in text or "endorse" in text or "confirm" in text:
        text = _ACCEPTED.sub("the others are correct", text)
    if "'s " in text and _NUMBER_OWNS.search(text):
        text = _CLAIM.sub(r"the \g<claim> of \g<step>", _ALL_OWN.sub(_write_own, text))
    return _DOUBT_SETTLED.sub(r"\g<said>", text) if "?" in text and (" stands" in text or "it is" in text) else text
