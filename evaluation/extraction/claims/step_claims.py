"""Responses that say where a reasoning first goes wrong, where the options are its steps.

"Step 3 is incorrect" rejects the step, and so chooses the option "Step 3". What says where the first error is becomes
"The answer is step 3", and other sentences about steps become words that name no option. Where nothing but verdicts on
steps is left, the first step that they call erroneous is the answer.
"""

import re
from collections.abc import Mapping

from evaluation.extraction.language.normalize import clean
from evaluation.extraction.option_texts.step_options import NAMED_STEP, NO_ERROR, NUMBER, count_step, list_step_options
from evaluation.extraction.steps import read_steps

_SENTENCE = re.compile(r"(?:[^.!?。;\n]|\.(?! |\n|\Z))+[.!?。;\n]*")
_MENTION = re.compile(NAMED_STEP, re.IGNORECASE)
_SEVERAL = re.compile(
    rf"(?:(?<![a-z])(?:the )?steps? ?|步骤 ?|第 ?){NUMBER}(?:步骤?)?(?:(?:(?:, ?| )(?:and|or|to"
    rf"|through) (?:even )?|[ ]?[-~,&/、和与及到至或] ?)"
    rf"(?:the )?(?:(?:in )?steps? ?|步骤 ?|第 ?)?{NUMBER}(?![0-9a-z])(?:步骤?)?)+",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\([^()\n]*;[^()\n]*\)")
_STEP = "§([0-9]+)§"
_MARK = re.compile(_STEP)
_ERROR = (
    r"(?:errors?|mistakes?|flaws?|problems?|faults?|slips?|inaccurac(?:y|ies)|inconsistenc(?:y|ies)"
    r"|contradictions?|hallucinations?"
    r"|(?:wrong|incorrect|erroneous|faulty|flawed|false|inaccurate|mistaken|problematic) (?:step|one|claim"
    r"|statement|inference))"
)
_WITHIN = (
    r"(?: (?:location|position|source|step)| (?:in|of|within) (?:the|this) (?:[a-z]+ )?[a-z]+| (?:that )?(?:i"
    r"|we) (?:can )?(?:hear|find|found|see"
    r"|spotted|noticed)"
    r"| here| therefore| thus| actually| itself)?"
)
_FIRST = "(?:first|earliest|initial|only|sole|frist|firts)"
_AT = (
    r"(?: (?:is|was|are|would|must|occurs?|occurred|happens?|happened|lies|appears?|appeared|arises?|emerges?"
    r"|sits|comes?"
    r"|starts?|begins?|can be"
    r"|found|located|made|introduced|shows up|present|first|already|seems to|be|in|at|with|of|during|within"
    r"|to be)){1,6}"
)
_WRONG = (
    r"(?:errors?|mistakes?|wrong|incorrect|erroneous|fails?|breaks?|false|inaccurate|mistaken|astray|derails?"
    r"|slips?|deviates?|flawed)"
)
_CLAIMS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<![a-z]){_ERROR}{_WITHIN}(?:{_AT}|(?:{_AT})? ?(?:->|[:=-]))(?: ?(?:in|the|at|option))? ?\(?{_STEP}",
        rf"(?<![a-z])(?:go(?:es)?|went|going|errs?|slips? up|fails?|breaks?(?: down)?|falls apart|derails?"
        rf"|deviates?)(?: wrong"
        rf"| astray| off)?"
        rf"(?: from the audio)?(?: (?:first|already|right|only|as early as))? (?:in|at|with|from|by) {_STEP}",
        rf"{_STEP}(?: itself)? (?:is|was) (?:the (?:step|point|place|part|one) )?(?:where|in which|at which|that"
        rf"|which)\b[^.§]{{0,60}}?(?<![a-z]){_WRONG}(?![a-z])",
        rf"{_STEP}(?: itself)? (?:is|was|contains|has|makes|introduces) (?:the "
        rf"|an? )?(?:{_FIRST} )?(?:[a-z]+ )?{_ERROR}(?![a-z])",
        rf"{_STEP} (?:is|was) the {_FIRST}(?: (?:step|one))?(?: (?:that|which"
        rf"|to))?[^.§]{{0,30}}?(?<![a-z]){_WRONG}(?![a-z])",
        rf"(?:错误|出错|问题|差错|失误|错处|错|有误)(?:的(?:步骤|地方|一步|那一?步))?[^。§不没无]{{0,8}}?(?:是"
        rf"|在|于|为|:|来自|始于)[^。§不没无]{{0,6}}{_STEP}",
        rf"{_STEP}(?:是|就是|为)?(?:第一个|首个|最早|最先|首先|率先|第一处)(?:就)?(?:出现)?(?:出错|错误|有误|错"
        rf"|出问题|不符)",
        rf"(?<![a-z])(?:it's|it is|it must be|it would be|that's|that is) {_STEP}[.!]?\s*\Z",
        rf"(?<![a-z])(?:wrong|incorrect|off|flawed) (?:from|starting (?:from|with|at|in)|as of|beginning (?:with"
        rf"|in|at)) {_STEP}",
        rf"从{_STEP}(?:开始|起)[^。§]{{0,4}}(?:出错|错|不对|有误|偏)",
    )
)
# "Step 3 is incorrect": the first of such steps has the first error.
_VERDICTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_STEP}(?:,? (?:however|though),?)? (?:is|was) (?:clearly |obviously |plainly |simply |actually "
        rf"|therefore )?(?:the )?"
        r"(?:not (?:correct|right|accurate|true|supported)|wrong|incorrect|erroneous|false|inaccurate|mistaken"
        r"|flawed|unsupported)(?![a-z])",
        rf"{_STEP}(?:中|里|这一步|的(?:说法|描述|结论|判断|内容|推断|推理))?(?:显然|明显|则|却|就)?是?"
        r"(?:错误|有误|错|不正确|不对|不准确|有问题|不成立|不符合)",
        rf"\A\W*{_STEP}[,:]? ?(?:-+ ?)?(?:since|because|as|因为|由于)(?![a-z])",
        rf"(?<![a-z])no (?:errors?|mistakes?|problems?) (?:until|before|up to) {_STEP}",
        rf"{_STEP} (?:isn't|is not|doesn't|does not)(?: (?:supported|match|fit|hold"
        rf"|agree)[a-z ]{{0,30}})?(?= ?[.,;!\n]|\Z)",
        rf"{_STEP}'s (?:[a-z]+ ){{1,2}}(?:is|was) (?:not (?:correct|right|true|supported)|wrong|incorrect|false"
        rf"|inaccurate)(?![a-z])",
        rf"{_STEP} ?[:|-]? ?(?:[✗✘❌×]|(?:is )?(?:wrong|incorrect|false|inaccurate|erroneous)(?![a-z])|错误|有误"
        rf"|不正确|不对)",
        rf"(?:first|earliest)[_ ](?:error|mistake|incorrect|wrong)(?:[_ ](?:step|index|is))*\"? ?: ?\"?{_STEP}",
    )
)
_ABOUT_FIRST = re.compile(
    rf"(?<![a-z])(?:{_FIRST}|first (?:time|place)|where)(?![a-z])|第一个|第一处|首个|首处|首先|最早|最先|率先"
    rf"|开始|第一次|首次|唯一",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"(?<![a-z])(?:there (?:is|are|was|were)(?: no|n't any| not any)|(?:contains?|has|have|shows?|see|find|found"
    r"|detect|spot|notice|hear) no"
    r"|without(?: any)?|free of(?: any)?|no|do(?:es)? not (?:see|find|contain|detect) any|don't (?:see|find"
    r"|hear) any|doesn't contain any) "
    r"(?:[a-z]+ )?(?:errors?|mistakes?|flaws?|problems?|inaccurac(?:y|ies))(?![a-z])"
    r"|(?<![a-z])(?:no|none of the) (?:single )?steps? (?:is|are|was|were|seems?|looks?|contains?|has|have"
    r"|shows?) (?:an? |any )?"
    r"(?:wrong|incorrect|false|erroneous|flawed|inaccurate|mistaken|errors?|mistakes?)(?![a-z])"
    r"|(?<![a-z])error-free(?![a-z])"
    r"|\A\W*(?:none|nothing|无|没有)\W*\Z"
    r"|(?<![a-z])(?:nothing|not anything|n't anything|not find anything) (?:(?:is|was|seems) )?(?:wrong"
    r"|incorrect|false)(?![a-z])"
    r"|(?<![a-z])(?:reasoning|chain|trace|analysis|argument|steps) (?:is|are|seems?(?: to be)?|looks?"
    r"|appears?(?: to be)?) "
    r"(?:all |entirely |completely |fully |both )?(?:flawless|faultless|correct|sound|accurate|right|fine"
    r"|valid)(?![a-z])"
    r"|\A(?:全部|全都|都|均)是?(?:正确|对)的?[。!]?\Z"
    r"|(?<![a-z])(?<!not )(?:all|every one|each(?: one)?|every)(?: of)?(?: (?:the|these))?(?: [a-z]+)? (?:steps?"
    r"|of them)(?: in [a-z ]+)? "
    r"(?:is|are|appears?(?: to be)?|seems?(?: to be)?|looks?|checks? out|holds?|match(?:es)?"
    r"|agrees?)(?![a-z])(?! (?:not|wrong|incorrect|false|flawed))"
    r"|(?:没有|无|不存在|未发现|没有发现|没发现|找不到)(?:任何)?(?:明显的?)?(?:错误|问题|差错|失误)"
    r"|(?:每一?个?步骤?|每一步|所有(?:的)?步骤|全部步骤|[两三四五六]个?步骤?|各个?步骤?)[^。§,]{0,12}(?:都|均"
    r"|全部)[^。§,不没无]{0,8}(?:正确|对|成立|相符|一致|无误|没有错误|没问题)",
    re.IGNORECASE,
)
_PARTIAL = re.compile(
    r"(?<![a-z])(?:before|until|up to|first|other|others|previous|earlier|preceding|remaining|rest|except|but"
    r"|only|apart from"
    r"|either|if|unless|would|so far)(?![a-z])|前面|之前|前[一二两三四五]|其余|其他|其它|除|后面|剩下|如果|另外|别的",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(
    rf"(?: not|n't)(?: yet)?(?: in| at)? {_STEP},? (?:but|rather)|(?:不是?|并非)在?{_STEP},?而(?=是|在|出)",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"(?<![a-z])(?:either|or|maybe|might|could|may|perhaps|possibly|if|whether|unless|would have)(?![a-z])|\?"
    r"|或|也许|可能|如果|要么|是否",
    re.IGNORECASE,
)
_REMEMBERED = re.compile(
    r"(?<![a-z])(?:at first|i (?:first )?thought|initially|was tempted|suspected|seemed|first glance"
    r"|appeared)(?![a-z])|起初|一开始以为|以为|原以为|本来|乍",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?<![a-z])(?:not|no|never|isn't|wasn't|aren't|cannot|can't|doesn't|don't)(?![a-z])|不|没|无|并非", re.IGNORECASE
)
_CUE = re.compile(
    r"(?<![A-Za-z])[B-HJ](?![A-Za-z'])|(?<![A-Za-z])A(?! [a-z])(?![A-Za-z'])"
    r"|(?i:(?<![a-z])(?:answers?|options?|choices?|choose|chose|select(?:ed)?|pick|go with|going with"
    r"|opt for)(?![a-z]))|答案|选",
)
# `"first_error_step": 2`.
_FIELD = re.compile(
    rf"((?:first|earliest)[_ ](?:error|mistake|incorrect|wrong)(?:[_ ](?:step|index))?\"? ?:) ?\"?({NUMBER})\"?",
    re.IGNORECASE,
)
# "The first wrong step is number 3."
_NUMBERED = re.compile(
    rf"((?:wrong|incorrect|erroneous|faulty|flawed|first|error) step(?: is| was| would be|:)+) ?(?:number "
    rf"|no\.? ?|#)?({NUMBER})",
    re.IGNORECASE,
)
# "In step 2 it takes laughter for crying. That's the first error."
_POINTING = re.compile(
    rf"\W*(?:that|this|which)(?:'s| is| was) (?:the |an? ){_FIRST}? ?{_ERROR}(?![a-z])", re.IGNORECASE
)
# Signs but for marks: "Step 2 ✗" is a verdict.
_SIGNS = r"(?:(?![✓✔✅☑√✗✘❌×])[\W_])*"
_BARE = re.compile(rf"{_SIGNS}(?:final|{_STEP})(?: ?\([^()\n]{{0,200}}\))?{_SIGNS}", re.IGNORECASE)
_PART = re.compile("[^,;]+[,;]*")
_TURNED = re.compile(
    r"\W*(?:but|however|actually|wait|no,|hmm|on second thought|不过|但|其实|等等|不对)", re.IGNORECASE
)
_BLAMED = re.compile(rf"(?<![a-z]){_WRONG}(?![a-z])|[错误]|问题|不对|不符", re.IGNORECASE)
_WHOLE = re.compile(
    r"(?:[.!。;)\]}✓✗✔✅❌|]|[确错对误符]|(?<![a-z])(?:correct|incorrect|right|wrong|true|false|valid|invalid"
    r"|accurate|inaccurate|ok|okay"
    r"|fine|good|errors?|supported|unsupported))[\s*_`\"']*\Z",
    re.IGNORECASE,
)
_NEUTRAL, _UNREADABLE = "xx. ", "A or B?"


def write_step_claims(response: str, texts: tuple[str, ...]) -> str:
    """Write what a response says of the first error as a claim about options that are steps.

    Args:
        response: As it was written.
        texts: Of the options, in lower case.

    >>> write_step_claims("Step 1 is fine. The first error is in step 2.", ("step 1", "step 2", "no error"))
    'xx. The answer is step 2. '
    """
    options = list_step_options(texts)
    text = _ASIDE.sub(lambda aside: aside.group().replace(";", ","), clean(response))
    text = _SEVERAL.sub("¤", text.replace("§", " ").replace("¤", " "))
    text = _NUMBERED.sub(r"\1 step \2", _FIELD.sub(r"\1 step \2", text))
    text = _MENTION.sub(lambda match: f"§{count_step(match)}§", text)
    sentences = _SENTENCE.findall(text)
    claims = [_find_claim(sentence, options) for sentence in sentences]
    for at in range(1, len(sentences)):
        pointed = set(_MARK.findall(sentences[at - 1]))
        if claims[at] is None and len(pointed) == 1 and _POINTING.match(sentences[at]):
            claims[at] = int(pointed.pop())
    cues = [_CUE.search(sentence) is not None or _is_bare(sentences, at) for at, sentence in enumerate(sentences)]
    firm = {
        claim
        for claim, sentence in zip(claims, sentences, strict=True)
        if claim is not None and _is_firm(claim, sentence)
    }
    firm = firm or _weigh_claims(claims)
    written = [
        _write_sentence(sentence, claim if claim in firm else None, is_cue=is_cue, options=options, texts=texts)
        for sentence, claim, is_cue in zip(sentences, claims, cues, strict=True)
    ]
    if not firm and not any(cues):
        return _write_first_error(response, text, options, texts)
    if _doubts_in_the_end(sentences, firm):
        return _UNREADABLE
    return "".join(written)


def _is_bare(sentences: list[str], at: int) -> bool:
    """Whether a sentence is a step and nothing else; behind another step on its line, it is one that was cut off."""
    if not _BARE.fullmatch(sentences[at]):
        return False
    is_cut = at == len(sentences) - 1 > 0 and _MARK.search(sentences[at - 1]) and "\n" not in sentences[at - 1]
    return not (is_cut and sentences[at].rstrip().endswith("§"))


def _is_firm(claim: int, sentence: str) -> bool:
    return claim != NO_ERROR and _ABOUT_FIRST.search(sentence) is not None


def _weigh_claims(claims: list[int | None]) -> set[int]:
    """The first of several steps that contain an error; no error only where no step has one."""
    found = {claim for claim in claims if claim is not None}
    steps = found - {NO_ERROR}
    return {min(steps)} if steps else found


def _find_claim(sentence: str, options: Mapping[int, int]) -> int | None:
    """The step that a sentence says to have the error; None where it names none, or not for sure."""
    sentence = _LEFT_OUT.sub("", sentence)
    if _UNSURE.search(sentence) or _REMEMBERED.search(sentence):
        return None
    found = {
        int(match[1])
        for patterns in (_CLAIMS, _VERDICTS)
        for pattern in patterns
        for match in pattern.finditer(sentence)
        if not _is_denied(sentence, match.start(), match.end() if patterns is _CLAIMS else match.start())
    }
    if found:
        return found.pop() if len(found) == 1 else None
    if NO_ERROR in options and "§" not in sentence and "¤" not in sentence and _NONE.search(sentence):
        return None if _PARTIAL.search(sentence) else NO_ERROR
    return None


def _is_denied(sentence: str, start: int, end: int) -> bool:
    clause = max(sentence.rfind(",", 0, start), 0)
    return _DENIED.search(sentence[clause:end]) is not None


def _write_sentence(
    sentence: str, claim: int | None, *, is_cue: bool, options: Mapping[int, int], texts: tuple[str, ...]
) -> str:
    if is_cue:
        # "C, since step 3 is wrong": what stands next to the answer says nothing about it.
        parts = _PART.findall(sentence) if _BLAMED.search(sentence) else [sentence]
        kept = [
            part if _CUE.search(part) or _BARE.fullmatch(part) or not _MARK.search(part) else " xx," for part in parts
        ]
        named = _MARK.sub(lambda match: _name_step(int(match[1]), options, texts), "".join(kept)).replace("¤", "they")
        return named if kept == parts else f"{named.rstrip(' ,')}. "
    if claim is not None:
        return f"The answer is {_name_step(claim, options, texts)}. "
    if "§" in sentence or "¤" in sentence or _NONE.search(sentence) or _BLAMED.search(sentence):
        return _NEUTRAL
    return sentence


def _name_step(step: int, options: Mapping[int, int], texts: tuple[str, ...]) -> str:
    return texts[options[step]] if step in options else "none of the above"


def _doubts_in_the_end(sentences: list[str], firm: set[int]) -> bool:
    """Whether the last sentence, after all, suspects another step: "But perhaps step 2 has a problem"."""
    last = sentences[-1] if sentences else ""
    others = {int(step) for step in _MARK.findall(last)} - firm
    return bool(others) and _TURNED.match(last) is not None and _UNSURE.search(last) is not None


def _write_first_error(response: str, text: str, options: Mapping[int, int], texts: tuple[str, ...]) -> str:
    """Write the first step that a response calls erroneous as the answer."""
    if not _MARK.search(text) and "¤" not in text:
        return response
    verdicts = read_steps(response, max(options)).verdicts
    if verdicts is None or not _WHOLE.search(response):
        return _NEUTRAL
    step = verdicts.index(True) + 1 if any(verdicts) else NO_ERROR
    return f"The answer is {_name_step(step, options, texts)}."
