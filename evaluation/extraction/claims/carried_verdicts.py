"""Verdicts that go on to other options: "A is wrong, and so is B", "rain is absent, wind too", A错，B也是."""

import re

from evaluation.extraction.claims.elided_verdicts import HINTS as ELIDED_HINTS
from evaluation.extraction.claims.elided_verdicts import complete_verdicts
from evaluation.extraction.language.normalize import clean
from evaluation.extraction.option_reviews.remainders import place_of
from evaluation.extraction.option_texts.options import PreparedOptions, mark_texts

_SIGN = r"(?:[\ue000-\uf8fe]|(?<![A-Za-z'])(?-i:[A-J])(?![A-Za-z']))"
# A noun has none of the words that would make it a clause.
_WORD = (
    r"(?!(?:is|are|was|were|has|have|had|can|could|will|would|does|do|did|too|also|as|so|which|who|that|because|since|but"
    r"|and|or|not|no|if|when|then|there|it|this|i|we|you|the|an?|options?|statements?)(?![a-z]))[a-z][a-z'-]{0,19}"
)
_NAME = rf"(?:(?:the |an? )?(?:(?:options?|statements?) )?(?:[(]?{_SIGN}[)]?|{_WORD}(?: {_WORD}){{0,3}}))"
_LIST = rf"{_NAME}(?:(?:, (?:and )?| and | or ){_NAME}){{0,8}}"
_SIGNS = rf"(?:options? |statements? )?{_SIGN}(?:(?:, (?:and )?| and ){_SIGN}){{0,8}}"
_MARK = rf"(?:(?:the|an?|any) )?{_SIGN}"
_MARKS = rf"{_MARK}(?:(?:, (?:and |or )?| and | or ){_MARK}){{0,8}}"
_JUDGED = (
    r"(?:wrong|incorrect|false|untrue|right|correct|true|out|absent|missing|present|audible|inaudible|heard|there"
    r"|unsupported|supported|impossible|possible|plausible|implausible|invalid|valid|unlikely|excluded|ruled out"
    r"|eliminated|rejected|detected|faulty|normal)"
)
_VERDICT = (
    r"(?<![a-z])(?:(?P<be>is|are|was|were|isn't|aren't|wasn't|weren't|can be|can't be|cannot be)"
    rf" (?P<what>(?:(?:also|not|clearly|definitely|both|all|probably|obviously) ){{0,3}}{_JUDGED})"
    r"|(?P<does>(?:(?:does not|doesn't|do not|don't|can't|cannot) )?(?:holds?|fits?|match(?:es)?|works?|appl(?:y|ies)"
    r"|occurs?|appears?)))"
)
_DO = r"(?:is|are|was|were|can|does|do)"
_END = r"(?= ?(?:[.,;:!)\n]|\Z)| (?:because|since|but|while|though|here|in the)(?![a-z]))"
_GOES_FOR = (
    r"(?:the same|same|likewise|ditto)(?: (?:is true|goes|holds(?: true)?|applies|can be said))?(?: for| of| to| with)"
)
_TOO = r"(?:,? (?:is|are))?,? (?:too|as well|likewise|also|either|neither)"
_CARRIED = re.compile(
    rf"{_VERDICT}(?: ?[.,;–—]| -)?(?: and| but)? (?:(?:so|as|neither|nor) {_DO} (?P<so>{_LIST})"
    rf"|{_GOES_FOR} (?P<same>{_LIST})|(?:for (?:exactly |much )?the same reasons? as|as well as) (?P<reason>{_LIST})"
    rf"|(?P<too>{_SIGNS}){_TOO})(?:,? (?:too|as well))?{_END}",
    re.IGNORECASE,
)
# "No rain. The same goes for wind".
_LACKED = re.compile(
    rf"(?<![a-z])(?P<no>no|without|(?:don't|can't|cannot|do not|didn't) (?:really )?hear(?: any)?)"
    rf" (?P<first>{_MARKS})(?: (?:here|anywhere|at all|in (?:it|this|the [a-z]{{1,20}})))?"
    rf"(?: ?[.,;–—]| -)?(?: and| but)? (?:{_GOES_FOR} (?P<same>{_MARKS})|(?P<too>{_MARKS}){_TOO}){_END}",
    re.IGNORECASE,
)
_LINE = re.compile(
    rf"(?P<first>{_SIGN}[.)]?(?: ?[:=–—-] ?| (?:is )?)(?P<mark>{_JUDGED}|yes|no|[✓✔✅✗✘❌×]|对|错误?|正确|不对|是|否"
    r"|不?成立)"
    rf"[^\w\n]{{0,3}}\s)(?P<rest>(?:and )?{_SIGN}[.)]?(?: ?[:=–—-] ?| (?:is )?))(?:the same|same|ditto|likewise|同上)"
    r"(?: (?:as|for) (?:above|[A-J\ue000-\uf8fe])| here)?(?= ?(?:[.,;!\n]|\Z))",
    re.IGNORECASE,
)
_NAME_IN_CHINESE = r"(?:选项)?[\ue000-\uf8fe]声?|(?:选项)?(?<![A-Za-z])[A-J](?![A-Za-z])(?:项|选项)?"
_LIST_IN_CHINESE = rf"(?:{_NAME_IN_CHINESE})(?:[、和与及](?:{_NAME_IN_CHINESE})){{0,8}}"
_JUDGED_IN_CHINESE = (
    "(?:不正确|不对|不成立|不符合?|错误?|有误|没有?出现|未出现|不存在|听不到|可以?排除|被排除|排除"
    "|正确|成立|符合|对|出现|存在)"
)
_LIKEWISE = (
    "(?:也(?:都?是(?:如此|这样|一样|同样)?|如此|一样|同样|不例外|同理)|同样(?:如此|也是)?|同理"
    "|亦然|亦是(?:如此)?|一样)的?"
)
_CARRIED_IN_CHINESE = re.compile(
    rf"(?<=[A-J\ue000-\uf8fe项声])(?P<be>(?:都|均|也|是|则){{0,2}})(?P<what>{_JUDGED_IN_CHINESE})[的了]?[,;。](?:而且?|同理,?|同样,?)?"
    rf"(?P<list>{_LIST_IN_CHINESE}){_LIKEWISE}(?=[,;。\n]|\Z)"
)
_LACKED_IN_CHINESE = re.compile(
    rf"(?P<no>没有?|并?未)(?P<heard>(?:听到|听见|出现)?)(?P<first>{_LIST_IN_CHINESE})[,;。](?P<list>{_LIST_IN_CHINESE}){_LIKEWISE}"
    r"(?=[,;。\n]|\Z)"
)
_HINTS = (
    *ELIDED_HINTS,
    *(" so is ", " so are ", " so was ", " so does ", " so do ", "So is ", "So are ", " as is ", " as are "),
    *("either is", "either are", "either does", "either do ", "either can", " nor is", " nor are", " nor does", "same"),
    *(" too", " as well", "ikewise", "itto", " also", " either"),
)
# "It is not the case that A is right and so is B": the verdict that goes on is no own claim.
_REPORTED = re.compile(r"(?<![a-z])(?:not|says?|said|claims?|claimed|thinks?|thought)(?![a-z])|n't", re.IGNORECASE)
_MAX_PASSES = 3
_HINTS_IN_CHINESE = ("也", "同理", "同样", "亦", "一样", "同上")
_ALL_HINTS = _HINTS + _HINTS_IN_CHINESE
_TEXTS = re.compile("[\ue000-\uf8ff]")


def carry_verdicts(text: str) -> str:
    """Return a text in which a verdict that goes on to other options is written for each of them.

    >>> carry_verdicts("A is wrong, and so are B and C.")
    'A is wrong, B and C are wrong.'
    """
    text = complete_verdicts(text)
    for hints, patterns in ((_HINTS, _IN_ENGLISH), (_HINTS_IN_CHINESE, _IN_CHINESE)):
        # Each pass carries a verdict one option further: "A错，B也是，C同样".
        for _ in range(_MAX_PASSES if any(map(text.__contains__, hints)) else 0):
            before = text
            for pattern, written in patterns:
                text = pattern.sub(written, text)
            if text == before:
                break
    return text


def carry_in_response(response: str, prepared: PreparedOptions) -> str:
    """Return a response in which a verdict that goes on is written for each option, by its letter or its text.

    >>> from evaluation.extraction.option_texts.options import prepare
    >>> carry_in_response("Rain is absent; wind too.", prepare(("rain", "wind", "hail")))
    'rain is absent, wind is absent.'
    """
    if not any(map(response.__contains__, _HINTS if response.isascii() else _ALL_HINTS)):
        return response
    marked = mark_texts(clean(response), prepared)
    carried = carry_verdicts(marked)
    if carried == marked or any(place_of(sign) >= prepared.profile.size for sign in _TEXTS.findall(carried)):
        return response
    return _TEXTS.sub(lambda sign: prepared.texts[place_of(sign.group())], carried)


def _write(match: re.Match[str]) -> str:
    start = max(match.string.rfind(end, 0, match.start()) for end in ".;!?\n")
    if _REPORTED.search(match.string, start + 1, match.start()):
        return match.group()
    others = match["so"] or match["same"] or match["reason"] or match["too"]
    be, what = match["be"], match["what"]
    if be is None:
        return f"{match['does']}, {others} {match['does']}"
    if " and " in others:
        be = {"is": "are", "was": "were", "isn't": "aren't", "wasn't": "weren't"}.get(be.lower(), be)
    return f"{match['be']} {what}, {others} {be} {what}"


def _write_mark(match: re.Match[str]) -> str:
    return f"{match['first']}{match['rest']}{match['mark']}"


def _write_lacked(match: re.Match[str]) -> str:
    return f"{match['no']} {match['first']}, no {match['same'] or match['too']}"


_IN_ENGLISH = ((_CARRIED, _write), (_LACKED, _write_lacked), (_LINE, _write_mark))
_IN_CHINESE = (
    (_LINE, _write_mark),
    (_CARRIED_IN_CHINESE, r"\g<be>\g<what>,\g<list>\g<be>\g<what>"),
    (_LACKED_IN_CHINESE, r"\g<no>\g<heard>\g<first>,\g<no>\g<heard>\g<list>"),
)
