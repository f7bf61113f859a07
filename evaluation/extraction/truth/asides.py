"""Sentences of a true/false answer that judge no statement: refusals, remarks on the listener, asides."""

import re

# "I can't listen to the audio and verify the statement": neither is done.
_REFUSED = re.compile(
    r"(?P<refusal>(?:\bcan ?not|\bcan't|\bcould(?: not|n't)|\b(?:un|not )able to) (?:[a-z]+ly )?"
    r"(?:listen to|hear|play|access|process|open|analy[sz]e|load|receive)(?: back)?"
    r" (?:it|this|that|(?:(?:the|this|any|your|an) )?(?:[a-z]+ )?(?:audio|recording|clip|sound|file|sample|track)s?)"
    r"(?: (?:files?|clips?|recordings?))?)"
    r",? (?:and|or|to) (?:(?:so|then|thus|therefore|hence|thereby|also) )?(?:verify|confirm|validate|support"
    r"|corroborate|substantiate|check|judge|tell|say|evaluate|assess|determine|decide)\b[^.;\n]*",
    re.IGNORECASE,
)
# "It would be false to say that I can hear any direction"; 说我能听出方向是错的.
_OF_LISTENER = re.compile(
    r"\b(?:it|that) (?:would|will|might) be (?:[a-z]+ )?(?:false|wrong|incorrect|untrue|inaccurate"
    r"|dishonest|misleading|a lie|not true|not correct) (?:of me )?(?:to|if i|for me to)"
    r" (?:say|said|claim(?:ed)?|state|pretend(?:ed)?|assert(?:ed)?|suggest(?:ed)?|think|believe)(?: that)? (?:i|we)"
    r" (?:can|could|am able|was able|hear|heard|have|had|perceive|made out|know)\b"
    r"[^.;\n]*?(?=[.;\n]|, (?:so|hence|thus|therefore)\b|\Z)"
    r"|(?<![你他她有人])(?:如果|要是|假如|若|要)?说我(?:能|可以|听得|听到了|分辨得|分得)[^。.;\n]*",
    re.IGNORECASE,
)
# 对了，这段音频里还有噪声: "by the way"; "Oh right, there is also noise".
_BY_THE_WAY = re.compile(
    r"(?:^|(?<=[。.!?;\n])) *(?:(?:哦|噢|啊|嗯|喔),?)? ?对了 ?, ?(?=[^\s。.!?])"
    r"|(?:^|(?<=[。.!?;\n])) *(?:(?:oh|ah|ok|okay),? right,?|all right,|alright,|right, (?:so|now|then)\b,?) (?=\S)",
    re.IGNORECASE,
)
# "The second half makes it clear that the statement is true": the half is no part that is judged.
_SHOWING = (
    r"(?:(?:makes?|made) (?:it|this) (?:[a-z]+ )?(?:clear|plain|evident|obvious|certain)(?: to me)?"
    r"|(?:shows?|showed|confirms?|confirmed|proves?|proved|reveals?|revealed|demonstrates?|demonstrated"
    r"|establish(?:es)?"
    r"|tells? me|told me|convinces? me|convinced me))"
)
_SHOWS = re.compile(
    r"(?:^|(?<=[.,;:\n] )|(?<=\bbut )|(?<=\band ))(?:the|this|that|its)"
    r"(?: (?!(?:not|never|hardly|barely|rarely|seldom|scarcely|no|nor|only|if|whether|would|might|may|can|could|should"
    r"|cannot|to|fails?|failed|seems?|seemed|appears?|appeared|who|which|that|[a-z]+n't) )[a-z'-]+){0,6}?"
    rf" {_SHOWING} that"
    r" (?=(?:the|this) (?:statement|claim|description)(?: given)? (?:is|was|must be|has to be)(?![a-z]))",
    re.IGNORECASE,
)
# "The clip never makes it clear that the statement is true".
_NOT_SHOWN = re.compile(
    r"(?<![a-z])(?:[a-z]+n't|not|never|hardly|barely|rarely|seldom|scarcely|cannot|(?:fails?|failed) to)(?: [a-z]+ly)?"
    rf" {_SHOWING} that (?:the|this) (?:statement|claim|description)(?: given)? (?:is|was)(?![a-z])[^.,;\n]*",
    re.IGNORECASE,
)
# 这与题目中的"东"是吻合的: one word of the statement.
_ONE_WORD_FITS = re.compile(
    r"(?:与|和|跟|同)(?:题目|题干|陈述|句子|描述|说法)(?:中|里|所说|所述|所给|给出|提到"
    r"|写)?(?:的)?\"[^\"\n从到至往向]{1,3}\"(?:字|一词|一字)?"
    "(?:是|也|都|均|完全|正好|恰好)*(?:吻合|一致|相符|符合|对应|匹配)的?"
)
# "The man who says that the statement is true is lying": what he says is no verdict.
_TOLD = re.compile(
    r"(?<![a-z])(?:(?:the|an?|another|this|that|one|any|every) (?:[a-z]+ )?(?:man|woman|voice|person|speaker|narrator"
    r"|boy|girl|child|host|guest|caller|teacher)(?: (?:in|on) the (?:recording|clip|audio|background))?|anyone|anybody"
    r"|someone|somebody|whoever|people|those)(?: who| that)? (?:[a-z]+ly )?"
    r"(?:say|claim|confirm|believ|think|assert|insist|stat|maintain|hold)(?:s|es|e|ed|ing)?(?: that)?"
    r" (?:the (?:statement|claim|description|sentence|answer)|it|this|that)(?: given)?"
    r" (?:is|was|must be) (?:[a-z]+ly )?(?:true|false|right|wrong|correct|incorrect)(?![a-z])"
    r"(?:(?! (?:but|and|yet) )[^.,;\n]){0,80}",
    re.IGNORECASE,
)
_TELLING = (
    " say",
    " said",
    " claim",
    " confirm",
    " believ",
    " think",
    " assert",
    " insist",
    " state",
    " maintain",
    " hold",
)
# "The claim can't be accepted as true".
_NOT_TAKEN = re.compile(
    r"(?<![a-z])(?:can(?:not|'t| not)|could(?:n't| not)|should(?:n't| not)|must(?:n't| not)) be"
    r" (?:accepted|regarded|considered|taken|seen|treated|counted|judged|rated|deemed|called|described|classified)"
    r"(?: as| to be)? (?=(?:true|correct|right|accurate)(?![a-z]))",
    re.IGNORECASE,
)
# "Claimed: left -> right": a side, no verdict.
_SIDE = "(?:left|front|back|behind|cent(?:er|re)|middle|rear|above|below|north|south|east|west)"
_TO_RIGHT = re.compile(
    rf"(?<![a-z-])(?:(?P<start>{_SIDE}) ?(?:→|-+>|=>) ?right|right ?(?:→|-+>|=>) ?(?P<end>{_SIDE}))(?![a-z-])",
    re.IGNORECASE,
)
# "The answer to whether it moves to the east is true".
_ANSWER_TO = re.compile(
    r"(?<![a-z])the answer to (?:the question (?:of )?)?(?:whether|if) [^.;:?\n]{1,160}?"
    r" (?=is [\"'*]{0,3}(?:true|false|yes|no)(?![a-z]))",
    re.IGNORECASE,
)
_NOT = r"(?<![a-z])(?:(?:would|could|should|do|does|did|is|was|are|has|have|ca|wo)n't|cannot|not|never|hardly)(?![a-z])"
_LIGHT = (
    r"(?: (?:go|so|far|as|to|call|calling|say|saying|that|it|it's|this|the|statement|claim|is|be|was|exactly|quite"
    r"|entirely|strictly|really|completely|wholly|fully|altogether|outright|simply|just|label|consider|think|believe"
    r"|describe|describing|either|an?|really|count))*"
)
_BETWEEN = (
    r" ?(?:statement|claim)?(?: either)?[,.;]*(?: (?:but|and|nor|yet|though|although|while|either|i|we|it|one|the"
    r"|statement|claim|is|was|would|could|can|do|does|also))* "
)
_TRUE, _FALSE = r" (?:true|right|correct|accurate)\b", r" (?:false|wrong|incorrect|untrue|inaccurate)\b"
_FALSE_WORDS = ("false", "wrong", "incorrect", "untrue", "inaccurate")
_NOT_ZH = "(?:不|没|无法|难以|谈不上|算不上|并非)"
_LIGHT_ZH = "[说算讲称判定认为它是这其该句话陈述法完全得上绝能会应作把成]{0,10}?"
_BETWEEN_ZH = "[的了话]{0,2} ?[,。;]? ?(?:但是|可是|不过|但|而|可|却)?我?(?:也|又|亦|同样)?"
_NEGATIONS_ZH, _FALSE_SIGNS_ZH = ("不", "没", "无法", "难以", "并非"), ("错", "假", "有误", "不对", "不正确")
_TRUE_ZH, _FALSE_ZH = "(?:对|真|正确|属实|成立)", "(?:错误|错|假|有误|不对|不正确)"
# "I wouldn't call it false, but I wouldn't call it true either".
_NEITHER = re.compile(
    "|".join(
        [
            f"{_NOT}{_LIGHT}{first}{_BETWEEN}{_NOT}{_LIGHT}{second}"
            for first, second in ((_TRUE, _FALSE), (_FALSE, _TRUE))
        ]
        + [
            f"{_NOT_ZH}{_LIGHT_ZH}{first}{_BETWEEN_ZH}{_NOT_ZH}{_LIGHT_ZH}{second}"
            for first, second in ((_TRUE_ZH, _FALSE_ZH), (_FALSE_ZH, _TRUE_ZH))
        ]
    ),
    re.IGNORECASE,
)
# "The statement "There is no speech" is false": what is quoted has no polarity of its own.
_QUOTED_STATEMENT = re.compile(
    r"(?P<noun>(?<![a-z])(?:statement|claim|description|sentence|assertion|caption)(?: that)?|陈述|说法|描述"
    r"|句子|论断)[:：]? ?"
    r"\"[^\"\n]{3,300}\"(?= ?(?:is|was|isn't|must|does|did|doesn't|can|cannot|holds|matches|fits|contradicts|这"
    r"|是|不|与|和|有|并|属|正|错|符|成))",
    re.IGNORECASE,
)
_QUOTED_SUBJECT = re.compile(
    r"(?:^|(?<=[.!?\n] )|(?<=\n))\"(?:[^\"\s]+ ){2,60}[^\"\s]+\"(?= (?:is|was"
    r"|isn't) (?:not )?(?:[a-z]+ly )?(?:true|false|correct"
    r"|incorrect|right|wrong|accurate|inaccurate)(?![a-z]))",
    re.IGNORECASE | re.MULTILINE,
)
# "之后是" at the end was to name a sound.
_CUT_COPULA = re.compile(
    r"[,。;\n][^,。;\n]{0,12}(?:之后|然后|接着|随后|后来|最后|其中|主要|先|再|而|则|声|音)(?:就|又|还|都)?是\s*\Z"
)
_BOTH_POSSIBLE = re.compile(
    r"(?<![a-z])(?:both )?[\"']?(?:true and [\"']?false|false and [\"']?true)[\"']? (?:(?:interpretation"
    r"|reading|answer|verdict"
    r"|option|view)s )?(?:are|seem|remain|sound|could be|would be) (?:both )?(?:equally )?(?:possible|plausible"
    r"|defensible|tenable"
    r"|justifiable|reasonable|conceivable|valid)(?![a-z])"
    r"|(?:正确|对)(?:和|与|或)(?:错误|错|不正确)(?:这?两种)?(?:理解|解读|答案|判断|说法|回答)?(?:都|均"
    r"|皆)(?:有可能|可能|说得通|讲得通|有道理|可以)",
    re.IGNORECASE,
)


def drop_quoted_statements(text: str) -> str:
    """Return a text without the words of a statement that it quotes and judges.

    >>> drop_quoted_statements('The statement "There is no speech" is false.')
    'The statement is false.'
    """
    if '"' not in text:
        return text
    return _QUOTED_SUBJECT.sub("The statement", _QUOTED_STATEMENT.sub(r"\g<noun>", text))


def drop_asides(text: str) -> str:
    """Return a text without the words that judge no statement.

    >>> drop_asides("I can't hear the clip and verify the claim."), drop_asides("对了,还有噪声。")
    ("I can't hear the clip.", '还有噪声。')
    """
    if text.endswith("是"):
        text = _CUT_COPULA.sub("", text)
    if "can" in text or "could" in text or "able to" in text:
        text = _REFUSED.sub(r"\g<refusal>", text)
    if " be " in text or "说我" in text:
        text = _OF_LISTENER.sub(" ", text)
    if "对了" in text or "right" in text or "Right" in text:
        text = _BY_THE_WAY.sub("", text)
    if any(verb in text for verb in _TELLING):
        text = _TOLD.sub(" ", text)
    if "answer to" in text:
        text = _ANSWER_TO.sub("the answer ", text)
    if " be " in text:
        text = _NOT_TAKEN.sub("is not ", text)
    if "→" in text or ">" in text:
        text = _TO_RIGHT.sub(lambda match: match["start"] or match["end"], text)
    if " that " in text:
        text = _SHOWS.sub("so ", _NOT_SHOWN.sub(" ", text))
    return _ONE_WORD_FITS.sub("", text) if '"' in text and "的" in text else text


def denies_both(text: str) -> bool:
    """Whether an answer calls the statement neither true nor false.

    >>> denies_both("I wouldn't call it false, but I wouldn't call it true either.")
    True
    """
    if _BOTH_POSSIBLE.search(text):
        return True
    # What is neither true nor false in Chinese is denied twice.
    if sum(map(text.count, _NEGATIONS_ZH)) < 2 or not any(map(text.__contains__, _FALSE_SIGNS_ZH)):
        lowered = text.lower()
        if not any(word in lowered for word in _FALSE_WORDS) or ("n't" not in lowered and "not" not in lowered):
            return False
    return _NEITHER.search(text) is not None
