"""Opinions against options, written as plain denials: "I don't think A is right" becomes "A is not right"."""

import re

_OPTION = "[A-Z\ue000-\uf8ff](?![A-Za-z])"
_NAMED = rf"(?:(?:[Oo]ption|[Ss]tatement|[Cc]hoice|[Aa]nswer)s? )?(?<![A-Za-z]){_OPTION}"
_HINTS = ("hink", "elieve", "say", "oubt", "feel", "ither of", "not true", "the case")
_DENIED = re.compile(
    r"(?:(?<![A-Za-z])(?:I|[Ww]e) (?:(?:do|would|did|can|could) ?not|(?:do|would|did|could)n't|can't|never)(?: really)?"
    r" (?:think|believe|say|feel)(?: that)?"
    r"|(?<![A-Za-z])(?:I|[Ww]e) doubt(?: that)?"
    r"|(?<![A-Za-z])[Ii]t(?: is|'s) not (?:true|the case) that"
    r"|(?<![A-Za-z])[Nn]either(?= of))"
    rf"(?: (?:either|any))?(?: of)? (?P<options>{_NAMED}(?:(?:, (?:and |or )?| and | or ){_NAMED}){{0,8}})"
    r" (?:is|are|was|were) (?:also |actually |really )?"
    r"(?P<verdict>right|correct|true|accurate|supported|valid)(?![a-z])"
    r"(?! (?:or|unless|alone|only|by itself|on its own)(?![a-z]))"
)
_HINTS_IN_CHINESE = ("不认为", "不觉得", "不相信")
_DENIED_IN_CHINESE = re.compile(
    rf"我?们?并?不(?:认为|觉得|相信)(?:选项|陈述)?(?P<options>{_OPTION}(?:(?:、|,|和|与|及|或){_OPTION}){{0,8}})"
    r"项?(?:都|也)?是?(?P<verdict>对|正确|成立|合理|属实|准确)的?(?!不)"
)
# "D... I don't think so", "D……不是吧".
_DOUBTED = re.compile(
    rf"(?P<option>{_NAMED})(?:[.…,?]{{1,4}}|:| -)? ?(?:hmm,? |no,? )?(?:I|we) (?:(?:do not"
    rf"|don't) (?:really )?(?:think|believe) (?:so|it(?: is)?)|doubt (?:it|that))(?= ?[.,;!\n]|\Z)"
)
_LETTERS = re.compile(_OPTION)


def write_denials(text: str) -> str:
    """Write opinions against options as denials of these options.

    >>> write_denials("I don't think either of A and B is right; C is.")
    'A and B are not right; C is.'
    >>> write_denials("我不认为A和B正确。")
    'A和B不正确。'
    """
    if any(map(text.__contains__, _HINTS)):
        text = _DOUBTED.sub(r"\g<option> is not correct", _DENIED.sub(_deny, text))
    if any(map(text.__contains__, _HINTS_IN_CHINESE)):
        text = _DENIED_IN_CHINESE.sub(_deny_in_chinese, text)
    return text


def _deny(match: re.Match[str]) -> str:
    letters = _LETTERS.findall(match["options"])
    return f"{' and '.join(letters)} {'are' if len(letters) > 1 else 'is'} not {match['verdict']}"


def _deny_in_chinese(match: re.Match[str]) -> str:
    return f"{'和'.join(_LETTERS.findall(match['options']))}不{match['verdict']}"
