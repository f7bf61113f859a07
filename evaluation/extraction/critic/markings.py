"""What is to be marked, in plain words: "no step needs to be marked", "nothing to flag", 没有需要标记的错误."""

import re

# At most a dozen numbers: a longer list would be tried from each of its steps.
_STEPS = r"steps? #?[0-9]{1,3}(?:(?:,? and|,? or|,|,? to|-) ?#?[0-9]{1,3}(?![a-z0-9])){0,12}"
_NO_STEP = r"(?:no|none of the|none of these|not a single|not one)(?P<other> other| further)?(?: [a-z]+)? steps?"
_IN_TRACE = r"(?: (?:here|(?:in|of) (?:the|this|its) (?:[a-z]+ ){0,2}(?:trace|chain|reasoning|response|argument)))?"
_TO_BE = r"(?:needs?|has|have|requires?|deserves?|is|are|was|were|should|must|can|could|ought|will)(?: to)?(?: be)?"
_MARKED = (
    r"(?:marked|marking|flagged|flagging|correct(?:ed|ion|ing)|highlighted|singled out|reported|rejected|pointed out"
    r"|changed|revised|fixed|fixing)"
)
_AS_WRONG = (
    r" (?:as |to be )?(?:an? )?(?:erroneous|wrong|incorrect|errors?|mistakes?|faulty|flawed|problematic|mistaken"
    r"|invalid|inaccurate)(?: (?:steps?|ones?))?"
)
_CALLED = (
    r"(?:labell?ed|called|considered|classified|judged|deemed|identified|found|regarded|declared|annotated|tagged)"
)
_ENDS = (
    r"(?= ?(?:[.,;:)\n]|\Z)| (?:because|since|and)(?![a-z])"
    r"| (?:except|apart from|other than|but) (?:for |in )?(?:the |step)"
    r"| as (?:the|everything|all|it|they|each|every|there|i|no)(?![a-z]))"
)
# "No step needs to be marked", "none of the steps should be called erroneous".
_NO_STEP_MARKED = re.compile(
    rf"(?<![a-z])(?:{_NO_STEP}{_IN_TRACE}"
    r"|(?:(?<=[.;:\n] )|(?<=\n)|\A)(?:so |thus |therefore,? |hence,? )?(?:none|nothing))"
    rf" {_TO_BE} (?:{_MARKED}(?:{_AS_WRONG})?|{_CALLED}{_AS_WRONG}){_IN_TRACE}{_ENDS}"
)
# "Only step 3 needs to be marked".
_STEP_MARKED = re.compile(
    rf"(?<![a-z])(?P<step>{_STEPS}|the [a-z]+ (?:step|one)) (?:needs?|has|have|should|must|ought)(?: to)? be"
    rf" (?:marked|highlighted|singled out|pointed out){_ENDS}"
)
_MARK = (
    "(?:mark|flag|label|call|report|correct|reject|highlight|single out|point out|object to|fix|change|critici[sz]e)"
)
# "There is no need to mark any step", "I don't have to flag any of the steps".
_NO_NEED = re.compile(
    r"(?<![a-z])(?:(?:there is|there's|there was|i see|i find|i have|i found|with) no"
    r" (?:need|reason|cause|grounds?|occasion) to|i (?:do not|don't|did not|didn't) (?:need|have|want) to|no need to)"
    rf" {_MARK} (?:any|a single|even one)(?: of the| of these)?(?: [a-z]+)? steps?(?:{_AS_WRONG})?{_IN_TRACE}{_ENDS}"
)
_NO_NEED_AT = re.compile(
    r"(?<![a-z])(?:(?:there is|there's|i see|i find|i have) no (?:need|reason|cause|grounds?) to|i (?:do not|don't)"
    rf" (?:need|have|want) to) {_MARK} (?P<step>(?:the )?{_STEPS}|the [a-z]+ step){_AS_WRONG}"
)
# "There are no errors to mark", "I find no step that needs to be marked as erroneous".
_NOTHING_TO_MARK = re.compile(
    r"(?<![a-z])(?:there (?:is|are|was|were)|there's|i (?:see|find|have|found|can see|can find))"
    r" (?:nothing|no (?:[a-z]+ )?(?:steps?|errors?|mistakes?|issues?|problems?))"
    rf" (?:(?:that|which) {_TO_BE} {_MARKED}|(?:to be|that) {_MARKED}|to {_MARK})(?:{_AS_WRONG})?{_IN_TRACE}{_ENDS}"
)
# "I can only spot one problem: in step 4 …".
_FIND = (
    r"(?:spot|find|found|see|saw|notice|noticed|detect|detected|identify|identified|hear|make out|discover|discovered)"
)
_ERROR = r"(?:problem|mistake|error|issue|flaw|inaccurac|discrepanc|inconsistenc|slip|weakness|blunder)"
_SPOTTED = re.compile(
    r"(?<![a-z])(?:(?:i|we)(?: can| could| have| was able to| am able to|'ve)?(?: only| just| merely)? "
    rf"{_FIND}(?: only| just| merely)?|there (?:is|are|was|were) (?:only|just)) "
    rf"(?=(?:one|a single|two|three|four|[1-5]) (?:[a-z]+ )?{_ERROR})"
)
_ONLY_ERROR = re.compile(
    rf"(?<![a-z])(?P<only>the (?:only|sole|one|single) (?:{_ERROR}[a-z]*))"
    rf"(?: (?:that |which )?(?:i|we)(?: can| could| have| was able to|'ve)? {_FIND})?"
    rf"(?P<is> ?:| is:?| lies| concerns| is that| is this:)(?= (?:in (?:the )?)?(?:{_STEPS}|[a-z]+ step))"
)
# "One step is wrong, and that is step 2".
_ONE_THAT_IS = re.compile(
    r"(?<![a-z])(?:only |just |exactly )?(?:one|a single)(?: of the)? steps?"
    r" (?P<verdict>(?:is|was) (?:wrong|incorrect|erroneous|faulty|flawed|mistaken)|(?:has|contains) an? error)"
    r"[,;.:]? ?(?:and )?(?:that|it|this)(?: one)? is"
    r" (?P<step>step #?[0-9]{1,2}(?! ?(?:,|and|or) ?[0-9])|the [a-z]+ (?:step|one))"
)
# "Step 2 should say 'three times'".
_SHOULD_SAY = re.compile(
    rf"(?<![a-z])(?P<step>{_STEPS}|the [a-z]+ step),? (?:therefore |instead |rather |actually )?"
    r"(?:should|ought to) (?:instead |rather |actually )?(?:say|read|state|have said)(?![a-z])"
)
_MARKED_IN_CHINESE = "(?:标记|标注|标出|标为|指出|纠正|更正|改正|修改|修正)"
_NEED = "(?:需要|需|应当|应该|应|必须|须|值得)被?"
_NONE_IN_CHINESE = "(?:没有发现|没发现|未发现|没有|不存在|并无|未见|无)(?:任何)?"
_NOTHING_IN_CHINESE = re.compile(
    rf"{_NONE_IN_CHINESE}{_NEED}{_MARKED_IN_CHINESE}(?:为(?:错误|有误))?的(?:错误步骤|错误|步骤|问题|地方|内容|之处)"
    rf"|{_NONE_IN_CHINESE}(?:错误|问题){_NEED}{_MARKED_IN_CHINESE}"
)
_NO_STEP_IN_CHINESE = re.compile(
    rf"(?P<none>(?:没有|无)(?:任何|哪)?(?:一个|一)?(?:步骤|步)){_NEED}{_MARKED_IN_CHINESE}(?:为(?:错误|有误))?"
)
_NO_NEED_IN_CHINESE = re.compile(
    rf"(?P<lead>[步骤都均皆也余他])?(?:无需|无须|不需要|不必|不用|没有必要)(?:再)?{_MARKED_IN_CHINESE}"
    r"(?:任何(?:一个|一)?(?:步骤|步))?(?:为(?:错误|有误))?(?![第步其为])"
)
_STEP_IN_CHINESE = re.compile(rf"(?<=步){_NEED}(?:标记|标注|标出)(?=[,。;、\n]|\Z)")
_WRONG_IN_CHINESE = re.compile(f"{_NEED}(?:标记|标注|标)[为成](?:是)?(?P<verdict>错误|有误|不正确|正确)(?!的)")
_TO_MARK_IN_CHINESE = re.compile(f"{_NEED}(?:标记|标注|标出|指出)(?:为(?:错误|有误))?的(?=步骤|[只仅是有])")
_HINTS = (
    "mark",
    "flag",
    "label",
    "call",
    "correct",
    "report",
    "reject",
    "fix",
    "chang",
    "out",
    "object",
    "critici",
    "consider",
)
_MORE_HINTS = ("classif", "judged", "deemed", "identif", "found", "regarded", "declared", "tagged", "revised")


def _name_only(match: re.Match[str]) -> str:
    return f"{match['only']}{':' if match['is'].endswith(':') else ' is'}"


def _accept(match: re.Match[str]) -> str:
    return f"{match['lead']}正确" if match["lead"] else "没有错误"


def state_markings(text: str) -> str:
    """Return a text in lower case with what it says of marking steps as verdicts on them.

    >>> state_markings("so no step has to be marked."), state_markings("i can only spot one problem: step 2 says so.")
    ('so no step is wrong.', 'there is one problem: step 2 says so.')
    """
    if "i " in text or "we " in text or "i'" in text or "only" in text:
        text = _ONLY_ERROR.sub(_name_only, _SPOTTED.sub("there is ", text))
    if ("no" in text or "n't" in text) and any(hint in text for hint in (*_HINTS, *_MORE_HINTS)):
        text = _NO_STEP_MARKED.sub(lambda match: f"no{match['other'] or ''} step is wrong", text)
        text = _NO_NEED_AT.sub(r"\g<step> is not wrong", text)
        text = _NOTHING_TO_MARK.sub("there are no errors", _NO_NEED.sub("no step is wrong", text))
    if "one" in text or "single" in text:
        text = _ONE_THAT_IS.sub(r"only \g<step> \g<verdict>", text)
    if "should" in text or "ought" in text:
        text = _SHOULD_SAY.sub(r"\g<step> is wrong, it says", text)
    if " be " in text:
        text = _STEP_MARKED.sub(r"\g<step> is wrong", text)
    if "标" in text or "指出" in text or "正" in text or "修" in text:
        text = _NOTHING_IN_CHINESE.sub("没有错误", text)
        text = _NO_STEP_IN_CHINESE.sub(r"\g<none>有误", text)
        text = _NO_NEED_IN_CHINESE.sub(_accept, text)
        text = _TO_MARK_IN_CHINESE.sub("有误的", _STEP_IN_CHINESE.sub("有误", text))
        text = _WRONG_IN_CHINESE.sub(r"\g<verdict>", text)
    return text
