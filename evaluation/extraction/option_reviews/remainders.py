"""Verdicts on all options but some: "all except C are wrong", "only A holds", "B is wrong; the rest fit"."""

import re

from evaluation.extraction.language.lexicon import KIND
from evaluation.extraction.language.polarity import JUDGED, JUDGED_IN_CHINESE, says_bad
from evaluation.extraction.language.symbols import ORDINALS
from evaluation.extraction.language.tokens import tokenize
from evaluation.extraction.option_texts.options import PLACEHOLDER_BASE, SURE_BASE

REST_SIGN = "\uf8ff"
"""Stands in a text for "the rest", "the other three", "其余各项"."""
WORDS_OF_REST = frozenset({"others", "rest", "remaining", "remainder"})
"""English words of which nearly every such phrase has one."""

_ONE = r"(?-i:[(\"'\[]{0,2}[A-Z\ue000-\uf8fe](?![A-Za-z])[)\"'\]]{0,2})"
NAMED = rf"{_ONE}(?:(?:, (?:and )?| and | or | & |/|、|,|和|与|及){_ONE}){{0,9}}"
_NAME = re.compile(r"[A-Z\ue000-\uf8fe]")
_COUNT = r"(?:two|three|four|five|six|seven|[2-7])"
_NOUN = r"(?:options?|choices?|ones?|statements?|claims?|descriptions?|answers?|items?)"
_NOUN_OF_NAMED = r"(?:(?:the )?(?:options?|choices?|statements?|answers?|letters?) |(?:the|an?) (?=[\ue000-\uf8fe]))?"
_CHINESE_NOUN = r"(?:选项|说法|陈述|描述|表述|叙述|项目|内容|项|条)"
# "D is the only one that does not hold", "only C is false", "the only correct statement is B".
_ONLY = [
    re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    for pattern in (
        rf"(?:^|(?<=[.!\n:,] ))(?:so |therefore |thus )?(?:only"
        rf"|just) {_NOUN_OF_NAMED}(?P<named>{NAMED}) (?P<word>{JUDGED})(?=[^\n.]*(?:[.!\n]|$))",
        rf"(?:^|(?<=[.!\n:,] )){_NOUN_OF_NAMED}(?P<named>{NAMED}) (?:is"
        rf"|are) the only (?:{_COUNT} )?(?:{_NOUN}|of them)?(?: of (?:the|them)[^.\n]{{0,20}})?"
        rf"(?: (?:that|which))? ?(?P<word>{JUDGED})",
        rf"the only (?P<word>{JUDGED}) {_NOUN} (?:is|are):? {_NOUN_OF_NAMED}(?P<named>{NAMED})",
        rf"the only {_NOUN} (?:that|which) (?P<word>{JUDGED}) (?:is|are):? {_NOUN_OF_NAMED}(?P<named>{NAMED})",
        rf"(?<!不)(?:只有|仅有|唯有|只剩下?|仅剩下?|仅)(?:选项)?(?P<named>{NAMED}){_CHINESE_NOUN}?(?:才|是|都|均"
        rf"|能够?|可以"
        rf"|说法)*的?(?P<word>{JUDGED_IN_CHINESE})",
        rf"唯一的?(?:一个|一项)?(?:可以?"
        rf"|应该?)?(?P<word>{JUDGED_IN_CHINESE})的?{_CHINESE_NOUN}?是:?(?:选项)?(?P<named>{NAMED})",
        rf"(?P<word>{JUDGED_IN_CHINESE})的{_CHINESE_NOUN}?(?:只有|仅有|就只有|只是)(?:选项)?(?P<named>{NAMED})",
        rf"(?P<named>{NAMED})(?:选项|项)?是唯一的?(?:一个|一项)?(?P<word>{JUDGED_IN_CHINESE})的?",
    )
]
_ALL = (
    rf"(?:(?:all|every|each|any|none)(?: of)?(?: the| these)?(?: other| remaining)?(?: {_COUNT})?(?: {_NOUN}| them)?"
    r"|all (?:of )?the above|everything|anything|nothing|no (?:option|statement|choice))"
)
_BUT_FOR = (
    r",? ?\(?(?:except|but|other than|apart from|aside from|besides|excluding|with the exception of|bar|save)(?: for)?"
)
# "All except C are wrong", "all are right except C", "apart from C, all are wrong".
_EXCEPT = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<![a-z])(?P<all>{_ALL}){_BUT_FOR} {_NOUN_OF_NAMED}(?P<named>{NAMED})\)?,?(?: (?P<word>{JUDGED}))?",
        rf"(?<![a-z])(?P<all>{_ALL}) (?P<word>{JUDGED})[^.,;\n]{{0,30}}{_BUT_FOR} {_NOUN_OF_NAMED}(?P<named>{NAMED})",
        rf"(?<![a-z])(?:except|other than|apart from|aside from|besides|excluding"
        rf"|with the exception of)(?: for)? {_NOUN_OF_NAMED}"
        rf"(?P<named>{NAMED}),? (?P<all>{_ALL}|{REST_SIGN}) (?P<word>{JUDGED})",
        rf"(?P<all>所有|全部|以上|都|均|全)[^.,;。\n除]{{0,16}}?(?P<word>{JUDGED_IN_CHINESE})的?[,，。]? ?"
        rf"(?:但|不过|只是)?(?:除了?(?:选项)?)?(?P<named>{NAMED})(?:选项|项)?(?:(?<=除[A-Z])|(?<=除了[A-Z])|除外"
        rf"|之外|以外|(?<=[A-Z])(?=[。\n]|$))",
        rf"(?P<all>所有|全部|全选)(?:选项)?[,，]? ?(?:但|不过)?除了?(?:选项)?(?P<named>{NAMED})(?:选项|项)?"
        r"(?:之外|以外|外)?(?P<word>(?!))?",
        rf"除了?(?:选项)?(?P<named>{NAMED})(?:这?[一个两几]?{_CHINESE_NOUN})?(?:以外|之外|外)?[,，]? ?"
        rf"(?:{REST_SIGN}|所有|全部|都|均|全)[^.,;。\n]{{0,16}}?(?P<word>{JUDGED_IN_CHINESE}|选|有(?=[。,;\n]|$)"
        r"|(?<![没不未])(?<!没有)(?:提到|听到|出现|包含|推断|推出|听出|能?确认))",
    )
]
_INTRODUCING = frozenset(
    {KIND.FILLER, KIND.CHOOSE, KIND.ANSWER, KIND.IS, KIND.THEREFORE, KIND.FINAL, KIND.COLON, KIND.LINE, KIND.COMMA}
)
# In front of a verb it is nobody's letter.
_SPEAKER = re.compile(r"(?<![A-Za-z])I(?:'d|'ll| would| will)?(?= [a-z])")
# "All of them except C. There is no dog."
_STARTS_A_REASON = re.compile(r" ?[.;:\n]|,? (?:because|since|as) ", re.IGNORECASE)
_NO = re.compile(r"no(?:ne|thing)?(?![a-z])", re.IGNORECASE)
# What names all options that are not named otherwise.
_REST = re.compile(
    rf"(?<![a-z])(?:(?:all |both |each )?(?:of )?the (?:other|remaining)(?: {_COUNT})? {_NOUN}"
    rf"|(?:all |both )?(?:of )?the (?:other|remaining) {_COUNT}"
    rf"|(?:all )?(?:of )?the (?:rest|others|remainder)(?: of (?:the|them)(?: {_NOUN})?)?"
    rf"|(?:all )?(?:other|remaining)(?: {_COUNT})? {_NOUN}"
    r"|(?:all )?others|everything else|every other (?:option|statement|one))(?![a-z'])"
    rf"|除此(?:之外|以外)|(?:其余|其他|别的|其它|剩下|余下|另外(?!,)"
    rf"|剩余)(?!的?(?:选项)? ?[A-Z\ue000-\uf8fe](?![A-Za-z]))"
    rf"(?:的)?(?:[两二三四五六几各][个项条]?)?(?:的)?{_CHINESE_NOUN}?",
    re.IGNORECASE,
)
# "I can't judge the others": nothing is said of them.
_UNJUDGED = re.compile(
    r"(?:(?:can't|can ?not|couldn't|could not|unable to|hard to|difficult to|won't|will not) (?:really |quite )?"
    r"(?:judge|tell|say|decide|determine|assess|evaluate|be (?:sure|certain)|comment|rate)|unsure|uncertain|no idea"
    r"|(?:not|n't) (?:so |quite |really |entirely )?(?:sure|certain|know|judge)"
    r"|(?:无法|不能|难以|没法|不)(?:判断|确定|评价|知道|清楚))"
    r"[^.,;:。\n]{0,24}\Z"
)
_REACH_OF_DOUBT = 60
# In a code (see reviews.py), what is said of the rest: the first verdict behind it, or no more than a verb.
_OF_REST = re.compile(r"T(?P<gap>[^.;\n?TR]{0,60}?)(?P<verdict>[+\-PM])")
_BARELY_OF_REST = re.compile(r"T[fo=]{0,3}(?P<denied>!)?[fo]{0,2}(?=[.,;:\n)]|$)")
_BEFORE_REST = re.compile(r"(?P<verdict>[+\-PM])[o:=f|)]{0,4}T(?=[.,;\n)]|$)")


_ORDINALS = ORDINALS[:6]
_PLACED = re.compile(
    rf"(?<=[a-z] )the (?P<word>{'|'.join(_ORDINALS)}|last|final)(?: {_NOUN})?(?=[.,;\n]| (?:is|are|does|do)(?![a-z])|$)"
    rf"|(?<=除|了|有)(?:第(?P<sign>[一二三四五六1-6])|最后一)[个项条]?{_CHINESE_NOUN}?",
    re.IGNORECASE,
)


def _write_letter(match: re.Match[str], size: int) -> str:
    word = (match["word"] or "").lower()
    if match["sign"]:
        place = "一二三四五六123456".index(match["sign"]) % 6
    else:
        place = _ORDINALS.index(word) if word in _ORDINALS else size - 1
    return chr(65 + place)


def place_of(sign: str) -> int:
    """The position of the option that a letter or a placeholder names."""
    if sign < chr(PLACEHOLDER_BASE):
        return ord(sign.upper()) - 65
    return ord(sign) - (SURE_BASE if sign >= chr(SURE_BASE) else PLACEHOLDER_BASE)


def mark_rest(text: str) -> str:
    """Write one sign for every phrase that means all other options."""
    return _REST.sub(_write_rest, text)


def _write_rest(rest: re.Match[str]) -> str:
    before = rest.string[max(0, rest.start() - _REACH_OF_DOUBT) : rest.start()]
    return rest.group() if _UNJUDGED.search(before) else REST_SIGN + " "


def _only_chooses(before: str) -> bool:
    """Whether a text is no more than words that introduce a choice: "I would select"."""
    return all(token.kind in _INTRODUCING for token in tokenize(_SPEAKER.sub(" ", before)))


def find_exception(text: str, size: int) -> tuple[dict[int, bool], str] | None:
    """Read a verdict on all options but some.

    Args:
        text: With placeholders and signs of the rest.
        size: Number of options.

    Returns:
        Position → whether it is called right, for every option, and the text without what was read; None where there
        is no such verdict.
    """
    text = _PLACED.sub(lambda match: _write_letter(match, size), text)
    for pattern in (*_ONLY, *_EXCEPT):
        match = pattern.search(text)
        if match is None:
            continue
        named = {place_of(sign) for sign in _NAME.findall(match["named"])}
        word = match["word"]
        after = text[match.end() :]
        alone = _only_chooses(text[: match.start()]) and (
            not any(map(str.isalnum, after)) or _STARTS_A_REASON.match(after) is not None
        )
        if max(named) >= size or (word is None and not alone):
            continue
        good = word is None or not says_bad(word)
        if "all" in pattern.groupindex:
            # What is said of all is said of those that are not named.
            good = good == bool(_NO.match(match["all"]))
        elif pattern.pattern.startswith("除"):
            good = not good
        verdicts = {place: good == (place in named) for place in range(size)}
        return verdicts, f"{text[: match.start()]}\n{text[match.end() :]}"
    return None


def judge_rest(code: str, verdicts: dict[int, bool], size: int) -> tuple[int, int] | None:
    """Add the verdict on the rest to those on the options that are named.

    Args:
        code: Of the text; see reviews.py.
        verdicts: Position → whether it is called right; changed in place.
        size: Number of options.

    Returns:
        Where that verdict stands in the code, or None where there is none.
    """
    match = _OF_REST.search(code) or _BEFORE_REST.search(code)
    barely = _BARELY_OF_REST.search(code)
    if barely is not None and (match is None or barely.start() <= match.start()):
        match = barely
        # "B is wrong, the others are not"; "C does not hold, the others do".
        good = not all(verdicts.values()) if barely["denied"] else True
    elif match is not None:
        good = match["verdict"] in "+P"
    if match is None or not verdicts:
        return None
    verdicts |= {place: good for place in range(size) if place not in verdicts}
    return match.span()
