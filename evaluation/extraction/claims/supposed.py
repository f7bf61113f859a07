"""Readings by others: "a text-only reading would say happy" does not describe the sound."""

import re

from evaluation.extraction.claims.hearsay import drop_hearsay

_READINGS = (
    r"(?:reading|interpretation|view|look|analysis|transcript|listener|hearing|approach)"
    r"(?: of (?:the|it|this)[^.,;\n]{0,24})?"
)
_ENGLISH = re.compile(
    r"(?<![a-z])(?:an?|the|any) (?:purely |merely |only )?(?:text-only|text-based|words-only|literal|superficial|naive"
    rf"|surface|careless|casual|transcript-only|quick|hasty) {_READINGS} (?:would|might|could|may) [^.,;\n]{{1,80}}",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    "(?:如果)?(?:仅|只|光|单)(?:看|从|凭|听)(?:文字|字面|文本|台词|内容|转写)(?:上|内容)?(?:来看|来说|看)?[,，]?(?:的话[,，]?)?"
    "(?:可能|也许)?会?(?:被)?(?:说|认为|判断|理解|以为)(?:是|为|成|成是)?[^。,，;；\n]{1,20}"
)
# "Some listeners would call it nostalgic, others romantic."
_DIVIDED = re.compile(
    r"(?:^|(?<=[.!?;\n])|(?<=[.!?;] ))(?:Some|Many|Certain)(?: [a-z]+)? (?:would|might|may|could|will) [^.;\n]{0,120}?"
    r"(?<![a-z])(?:others?|some)(?![a-z])[^.;\n]*?(?:[.;\n]|\Z|,? (?:and|but|so)(?= I(?![a-z])))"
)
_DIVIDED_IN_CHINESE = re.compile(
    "(?:^|(?<=[。！？；;\n]))有(?:的|些|一些)?(?:人|听众)(?:可能|也许)?会[^。；;\n]{0,60}?(?:有(?:的|些)?人|另一些人|其他人|有的(?:听众)?)"
    "[^。；;\n]*?(?:[。；;\n]|\\Z|[,，](?=但?我))"
)
# "Jazz combos typically include a saxophone."
_GENERAL = re.compile(
    r"(?:^|(?<=[.!?;\n])|(?<=[.!?;] ))[A-Z][a-z]+(?: [a-z]+){0,4} (?:typically|usually|generally|commonly|often"
    r"|tend to) (?:include|feature|have|contain|use|consist of|comprise|involve)s?(?![a-z])[^.\n]*(?:[.\n]|\Z)"
)
# "A wolf would howl longer": what a sound would be like. "The fox would fit best" says which one it is.
_TEXT = "[\ue000-\uf8ff]"
_MENTION = re.compile(rf"{_TEXT}|(?<![A-Za-z])[B-HJ](?![A-Za-z])")
_HYPOTHETICAL = re.compile(
    rf"(?:(?:^|(?<=[.,;:!?\n] )|(?<=\n)|(?<=(?<![a-z])and )|(?<=(?<![a-z])while )|(?<=(?<![a-z])but ))"
    r"(?:(?:normally|usually|typically|of course|in that case|then|otherwise|surely|because|since),? )?"
    r"(?:(?:the |an? )?(?:sound|noise|voice|tone|call|cry) of )?"
    r"(?:(?:an?|the|any) (?:(?:real|true|typical|normal|single|large|small|big|young|old) )?)?"
    rf"{_TEXT}(?: [a-z]+)? (?:would|might|could)|(?-i:(?:^|(?<=[.!?;\n] ))(?:Option )?[A-HJ] would))"
    r"(?: (?:also|then|instead|probably|normally|rather))?"
    r"(?! ?(?:[.,;:!?]|$)| (?:best|better|fit|match|suit|explain|describe|make (?:the most |more )?sense|seem|do|answer"
    r"|account|work|be (?:the|my|correct|right|best|better|a (?:good|better)|most|more))(?![a-z]))"
    r"[^.,;:!?\n\ue000-\uf8ff]*(?=[.,;:!?\n]|$| (?:and|while|but) )",
    re.IGNORECASE,
)
# "One might first think of rain. But …": what is thought at first.
_FIRST_THOUGHT = re.compile(
    r"(?:^|(?<=[.!?;\n] )|(?<=\n))(?P<first>(?:at first|initially|at first glance),? )?"
    r"(?:one|you|we|people|some(?:one|body)?|a (?:casual )?listener|it|this|that) (?:might|could|may)"
    r"(?P<then>(?: (?:at first|first|initially|easily|well|also|be (?:tempted|inclined) to))*)"
    r" (?:think|assume|say|guess|expect|suspect|imagine|mistake|take|believe|seem|appear|sound|pass)(?![a-z])"
    r"[^.,;!?\n]*(?P<end>[.,;!]) ?(?P<turn>(?:but|however|yet|though|still)(?![a-z]))?",
    re.IGNORECASE,
)
# "That would be option E. But the question asks for the beat": what is supposed is turned down.
_TURNED_DOWN = re.compile(
    r"(?:^|(?<=[.!?\n] )|(?<=\n))(?:[^.!?\n]{0,160}[,;] ?(?:and |so )?)?(?:that|which|this|it) would (?:be|mean|give"
    r"|make(?: it)?|suggest|point to|imply|lead to)(?: the)?(?: option| answer| choice)? (?:[A-J]|[\ue000-\uf8ff])"
    r"(?![A-Za-z])[^.,;!?\n]{0,40}[.,;!] ?(?=(?:but|however|yet|still|though|except|only that)(?![a-z]))",
    re.IGNORECASE,
)
# "狗会叫": what a sound would be like.
_HYPOTHETICAL_IN_CHINESE = re.compile(
    rf"(?:^|(?<=[,。;\n]))(?:如果是|若是|要是|换成)?{_TEXT}(?:的?(?:声音|叫声))?(?:的话)?,?"
    r"(?:则|就|才|通常|一般|往往|应该|应当|本来|可能|只|也)*会(?=叫|吠|嚎|嗥|吼|鸣|啼|喵|汪|发出|发声|听起来|更)"
    r"[^,。;\n\ue000-\uf8ff]*(?=[,。;\n]|$)"
)
# "My guess was a wolf, but that is wrong": a guess that is taken back by a verdict.
_GUESS = (
    r"(?:^|(?<=[.!?,;\n] )|(?<=\n))(?:(?:my|the) (?:[a-z]+ )?guess(?: was| is| would be|:)|i (?:had |have |'d |first |"
    r"would have |'d have )?guessed)[^.,;!?\n]{1,60}"
)
_GUESS_TAKEN_BACK = re.compile(
    rf"{_GUESS}[.,;!] ?(?:but |and |however,? |yet )?(?:(?:(?:that|this|it|the|my)(?: [a-z]+)?"
    r"(?:'s| is| was| turned out to be| proved| proved to be)|i'm|i am) )?(?:clearly |actually |obviously |simply )?"
    r"(?:wrong|incorrect|false|mistaken|not (?:right|correct|true|it)|off)(?= ?[.,;!\n]|$)",
    re.IGNORECASE,
)
_GUESS_TAKEN_BACK_IN_CHINESE = re.compile(
    r"我?(?:原本|本来|起初|一开始|之前|最初)?(?:的?猜测?)(?:的?是|过|了|:)?[^,。;\n]{1,16}[,。;](?:但是?|不过|可是?|结果|然而)?(?:我|这)?"
    r"(?:猜错了?|(?:是)?(?:错的?|不对的?|不正确))了?(?=[,。;\n]|$)"
)
_SUPPOSING = (" would ", " might ", " could ", "guess")
_SUPPOSING_IN_CHINESE = (*_SUPPOSING, "会", "猜")
_DIVIDING, _DIVIDING_IN_CHINESE = ("Some ", "Many ", "Certain "), ("有的", "有人", "有些人")
_HINTS = (
    "-only ",
    "text-based ",
    "literal ",
    "superficial ",
    "naive ",
    "surface ",
    "careless ",
    "casual ",
    "quick ",
    "hasty ",
)
_HINTS_IN_CHINESE = ("文字", "字面", "文本", "台词", "内容", "转写")


# "C also holds, if you listen closely": that supposes nothing.
_LISTENING = re.compile(
    r",? ?(?:but |though )?(?:if|when|once) (?:you|one|we|I) listens? (?:very |really |more )?(?:closely|carefully|hard"
    r"|attentively|again|to (?:the|its) )[^.,;()\n]{0,40}(?:,|(?=[.;()\n]|$))"
    r"|(?:如果|只要)(?:你|我们?)?仔细(?:地)?听(?:的话)?[,，]?|仔细听的话[,，]?",
    re.IGNORECASE,
)


def drop_listening(text: str) -> str:
    """Return a text without the condition that one listens well.

    >>> drop_listening("C also holds, if you listen closely.")
    'C also holds.'
    """
    return _LISTENING.sub("", text) if " listen" in text or "细" in text else text


def drop_supposed(text: str) -> str:
    """Return a text without what a reading of the words alone would say, and what others would say.

    >>> drop_supposed("A text-only reading would say happy. The speaker is furious.")
    '. The speaker is furious.'
    """
    text = drop_hearsay(text)
    if any(map(text.__contains__, _HINTS)):
        text = _ENGLISH.sub("", text)
    if "typically " in text or "usually " in text or "generally " in text or "commonly " in text or "often " in text:
        text = _GENERAL.sub("", text)
    if " would " in text:
        text = _TURNED_DOWN.sub("", text)
    if " might " in text or " could " in text or " may " in text:
        text = _FIRST_THOUGHT.sub(_drop_first_thought, text)
    if any(map(text.__contains__, _DIVIDING)):
        text = _DIVIDED.sub("Opinions differ. ", text)
    if not text.isascii() and any(map(text.__contains__, _DIVIDING_IN_CHINESE)):
        text = _DIVIDED_IN_CHINESE.sub("看法不一。", text)
    return _CHINESE.sub("", text) if not text.isascii() and any(map(text.__contains__, _HINTS_IN_CHINESE)) else text


def _drop_first_thought(match: re.Match[str]) -> str:
    """Leave out what might be thought if it was only thought at first, or is turned down."""
    is_first = match["first"] or "first" in match["then"] or "initially" in match["then"]
    return f"xx{match['end']} {match['turn'] or ''}" if is_first or match["turn"] else match.group()


def drop_hypotheses(marked: str) -> str:
    r"""Return a marked text without what other sounds would be like, and without what is guessed or supposed in vain.

    >>> drop_hypotheses("A \ue001 would howl. This is a \ue002.") == ". This is a \ue002."
    True
    >>> drop_hypotheses("That would be option E. But it is half of that.")
    'But it is half of that.'
    >>> drop_hypotheses("My guess was B, but that is wrong. It is C.")
    'Wait, no. It is C.'
    """
    if "guess" in marked:
        marked = _GUESS_TAKEN_BACK.sub("Wait, no", marked)
    if not marked.isascii() and ("会" in marked or "猜" in marked):
        marked = _HYPOTHETICAL_IN_CHINESE.sub("", _GUESS_TAKEN_BACK_IN_CHINESE.sub("不对", marked))
    if " would " not in marked and " might " not in marked and " could " not in marked:
        return marked
    return _HYPOTHETICAL.sub("", _TURNED_DOWN.sub("", marked))


def may_suppose(response: str) -> bool:
    """Whether a response has a word of suppositions and guesses.

    >>> may_suppose("A dog would bark."), may_suppose("A dog barks.")
    (True, False)
    """
    return any(map(response.__contains__, _SUPPOSING if response.isascii() else _SUPPOSING_IN_CHINESE))


def only_supposes(marked: str) -> bool:
    r"""Whether a marked text names options only in suppositions: "A \ue000 would bark.".

    >>> only_supposes("A \ue000 would bark."), only_supposes("A \ue000 would bark. It is a \ue001.")
    (True, False)
    """
    without = drop_hypotheses(marked)
    return without != marked and _MENTION.search(marked) is not None and _MENTION.search(without) is None
