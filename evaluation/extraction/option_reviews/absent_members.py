"""Members that are missing, and the rest that is there: "just one is missing: the bridge. The rest is there".

A list of what is missing chooses all others only where the response says so of the rest.
"""

import re

from evaluation.extraction.language.normalize import clean
from evaluation.extraction.language.symbols import ARTICLE_OR_I
from evaluation.extraction.option_reviews.remainders import place_of
from evaluation.extraction.option_texts.options import PreparedOptions, mark_texts
from evaluation.extraction.paraphrases.named_members import find_member

# A text, a letter, or an option in other words.
_ONE = (
    r"(?:(?:the |an? |any )?[\ue000-\uf8fe]|(?<![A-Za-z])(?-i:[A-J])(?![A-Za-z])"
    r"|(?:the |an? |any )(?!other|rest|remaining)[a-z]+(?: [a-z]+)??)"
)
_LIST = rf"{_ONE}(?:(?:, (?:and |or |nor )?| and | or | nor | & |、|和|与|及){_ONE}){{0,8}}"
_NUMBER = r"(?:one|two|three|four|five|six|[1-6])"
_NOUN = r"(?: (?:of (?:these|those|them|the [a-z]+(?: [a-z]+)?)|[a-z]+s?))?"
_BE = r"(?:is|are|was|were|do|does|did|can|could|has|have)"
_HOW = r"(?: (?:all|both|clearly|also|just|simply|completely|actually|indeed|there and|to be))*"
_ABSENT = (
    rf"(?:(?:{_BE}(?: not|n't)|cannot|can't){_HOW}(?: be)? ?(?:there|present|heard|audible|right|correct"
    rf"|true|detected|occur"
    r"|appear|included|in (?:it|the [a-z]+)|hold|fit|apply)?"
    rf"|{_BE}{_HOW} (?:missing|absent|silent|inaudible|wrong|false|incorrect|lacking|left out|not)"
    r"(?: (?:there|present|heard|audible|right|correct|true))?)(?: (?:from|in) (?:this|the) [a-z]+)?"
)
_PRESENT = (
    rf"{_BE}{_HOW}(?: be)?(?: (?:there|present|heard|audible|right|correct|true|fine|included|detected"
    rf"|in (?:it|the [a-z]+)"
    r"|hold|fit|apply|appear|occur))?(?: in (?:this|the) [a-z]+)?|(?:hold|fit|apply|appear|occur|stand)s?"
)
_REST = (
    rf"(?:all )?(?:of )?(?:the )?(?:(?:other|remaining)(?: (?P<count>{_NUMBER}))?(?: (?:ones?|options?"
    rf"|[a-z]+s))?|others|rest)"
)
_START, _END = (
    r"(?:^|(?<=[.;:,\n] )|(?<=\n)|(?<= and )|(?<= but )|(?<= while ))",
    r"(?= ?(?:[.,;\n]|$| and | but | while ))",
)
# "No rain and no wind in it".
_NONE = (
    rf"{_LIST}(?:(?:,|,? (?:and|or|nor)) (?:no|any) {_ONE}){{0,8}}"
    r"(?: (?:here|at all|anywhere|in (?:it|(?:the|this) [a-z]+)))?"
)
_TOTAL = r"(?:out of (?:the )?[a-z]+ [a-z]+,? |of (?:the|these|those) [a-z]+(?: [a-z]+)?,? )?"
# "Just two are missing from this song: the rap verse and the key change", "missing: wind", "wind and hail are absent".
_MISSING = re.compile(
    rf"{_START}(?:{_TOTAL}(?:only |just |exactly )*(?P<n>{_NUMBER}){_NOUN} {_ABSENT} ?(?::|,? namely,?|,? i\.e\.,?|, ?)"
    rf"|(?:not (?:there|present|heard|audible)|missing|absent|wrong|incorrect|false) ?:) ?(?P<list>{_LIST}){_END}"
    rf"|{_START}(?:only |just )?(?P<named>{_LIST}) {_ABSENT}{_END}"
    rf"|{_START}the only (?:{_NUMBER} )?(?:ones?|[a-z]+s?) (?:(?:that|which) )?(?:i (?:don't|do not|can't|cannot) hear"
    rf"|{_ABSENT}|missing|absent) (?:is|are) (?P<only>{_LIST}){_END}"
    rf"|{_START}(?:there(?:'s| is| are)|i (?:can )?hear|(?:the|this) [a-z]+ has) no (?P<no>{_NONE}){_END}"
    rf"|{_START}(?:i (?:don't|do not|can't|cannot) hear|there (?:isn't|aren't)) (?:any )?(?P<none>{_NONE}){_END}"
    rf"|{_START}(?:no|nothing like|no sign of) (?P<bare>{_NONE}){_END}",
    re.IGNORECASE,
)
_RESTING = re.compile(rf"{_START}{_REST} (?:{_PRESENT}){_END}", re.IGNORECASE)
_ANY_REST = re.compile(rf"(?<![a-z])(?:the (?:other|remaining) {_NUMBER}|the others|the rest)(?![a-z])", re.IGNORECASE)
_COUNT_IN_CHINESE = "[一两二三四五六]"
_ABSENT_IN_CHINESE = "(?:没有?(?:出现|听到|听见|响)?|未出现|缺失|缺席|听不到|不存在|不对|不正确|不成立|错误?)"
_MISSING_IN_CHINESE = re.compile(
    rf"(?:只|仅)?有?(?P<n>{_COUNT_IN_CHINESE})[种个项条]?{_ABSENT_IN_CHINESE}(?:的是)?[:,](?:即|分别是)?(?P<list>{_LIST})(?=[,。;\n]|$)"
    rf"|(?:只|仅)?(?:有)?(?P<named>{_LIST})(?:都|均|则)?{_ABSENT_IN_CHINESE}(?=[,。;\n]|$)"
    rf"|(?:只|仅)?(?:缺少?|少了?|没有?(?:听到|听见|出现)?|未(?:听到|出现)|听不到)(?P<only>{_LIST})(?=[,。;\n]|$)"
)
_RESTING_IN_CHINESE = re.compile(
    rf"(?:其余|其他|其它|剩下|另外|余下)的?(?P<count>{_COUNT_IN_CHINESE})?[种个项条]?(?:选项|声音|乐器)?(?:都|均|全)+(?:是)?"
    "(?:有|在|出现了?|能?听到了?|可以听到|对的?|正确的?|存在|成立)(?=[,。;\n]|$)"
)
_NUMBERS = {
    word: n
    for n, words in enumerate(("one 1 一", "two 2 两 二", "three 3 三", "four 4 四", "five 5 五", "six 6 六"), 1)
    for word in words.split()
}
_BETWEEN = re.compile(r", (?:and |or |nor )?| and | or | nor | & |、|和|与|及")
_SIGN = re.compile(r"[\ue000-\uf8fe]|(?<![A-Za-z])[A-J](?![A-Za-z])")
_OPEN = re.compile(
    r"(?<![a-z])(?:or|maybe|perhaps|might|could|if|unless|whether|wait|actually)(?![a-z])|\?|或|可能|如果",
    re.IGNORECASE,
)
# What is said of the names of a list.
_AROUND = re.compile(
    r"(?:(?<=, )|(?<= and )|(?<= or )|(?<= nor ))(?:no|any) | (?:here|at all|anywhere|in (?:it|(?:the|this) [a-z]+))\Z"
)
_LISTS = ("list", "named", "only", "no", "none", "bare")
_LONGEST = 400
_HINTS = (" rest", "others", "other ", "remaining", "其余", "其他", "其它", "剩下", "另外", "余下")
_HINTS_OF_ABSENCE = (
    "n't", " not ", "annot", "issing", "bsent", "silent", "inaudible", "rong", "alse", "ncorrect", "lacking",
    "left out", " no ", "No ", "othing like", "没", "未", "缺", "不", "错", "少",
)  # fmt: skip
# "The fiddle is missing, and so is the whistle", "…, nor is the whistle".
_WORDS = r"(?:the |an? )?(?:[a-z]+ ){0,3}?[a-z]+"
_ALIKE = re.compile(
    r"(?P<said> (?:is|are|was|were)(?: (?:missing|absent|silent|inaudible)|(?: not|n't)(?: (?:there|present"
    r"|heard|audible"
    rf"|played))?)),? (?:and )?(?:so|as|nor|neither) (?:is|are|was|were) (?P<two>{_WORDS})(?= ?(?:[.,;\n]|$))",
    re.IGNORECASE,
)
_ALIKE_IN_CHINESE = re.compile(
    r"(?P<one>[\u4e00-\u9fff]{1,6})(?P<said>缺席|缺失|没有?出现|没有?听到|听不到|不在)[,，](?P<two>[\u4e00-\u9fff]{1,6}?)"
    r"也(?:是|一样|如此|没有?)(?=[,，。;；\n]|$)"
)


def read_rest(response: str, prepared: PreparedOptions) -> frozenset[int] | None:
    """Return all options but those that a response calls missing or wrong, if it says that the rest is there.

    The set is empty where it lists what is missing and says something else of the rest.

    >>> from evaluation.extraction.option_texts.options import prepare
    >>> sorted(read_rest("Just one is missing: wind. The other two can be heard.", prepare(("rain", "wind", "hail"))))
    [0, 2]
    """
    if len(response) > _LONGEST or not any(map(response.__contains__, _HINTS)):
        return None
    if not any(map(response.__contains__, _HINTS_OF_ABSENCE)):
        return None
    marked = mark_texts(clean(response), prepared)
    is_english = any(map(marked.__contains__, _HINTS[:4]))
    rest = (_RESTING if is_english else _RESTING_IN_CHINESE).search(marked)
    if rest is None:
        listed = _MISSING.search(marked) if is_english and _ANY_REST.search(marked) else None
        return frozenset() if listed is not None and (listed["list"] or listed["only"]) else None
    for found in (_MISSING if is_english else _MISSING_IN_CHINESE).finditer(marked):
        begin, end = sorted((found.span(), rest.span()))
        out = _find_members(next(filter(None, map(found.groupdict().get, _LISTS))), prepared)
        if out is None or begin[1] > end[0]:
            continue
        others = marked[: begin[0]] + " " + marked[begin[1] : end[0]] + " " + marked[end[1] :]
        if _SIGN.search(ARTICLE_OR_I.sub(" ", others)) or _OPEN.search(others):
            return None
        size = prepared.profile.size
        counts = ((found["n"], len(out)), (rest["count"], size - len(out)))
        if any(word and _NUMBERS[word.lower()] != number for word, number in counts) or len(out) >= size:
            return frozenset()
        return frozenset(range(size)) - out
    return None


def _find_members(listed: str, prepared: PreparedOptions) -> frozenset[int] | None:
    """The options of a list of texts, letters and words; None where one is unknown."""
    places = [
        place_of(sign.group().upper()) if (sign := _SIGN.search(name)) else find_member(name.lower(), prepared.texts)
        for name in _BETWEEN.split(_AROUND.sub("", listed))
    ]
    known = frozenset(place for place in places if place is not None and place < prepared.profile.size)
    return known if len(known) == len(places) else None


def join_absences(response: str) -> str:
    """Return a response that says of each member that it is missing: "… is missing, and so is the whistle".

    >>> join_absences("The fiddle is missing, and so is the whistle.")
    'The fiddle is missing, the whistle is missing.'
    """
    if " so " in response or " as " in response or "nor " in response or "neither " in response:
        return _ALIKE.sub(r"\g<said>, \g<two>\g<said>", response)
    return _ALIKE_IN_CHINESE.sub(r"没有\g<one>,没有\g<two>", response) if "也" in response else response
