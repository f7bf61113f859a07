"""Legends of bare verdict lists: the label or sentence that says what true and 1 mean."""

import re
from functools import lru_cache
from typing import Any

from evaluation.extraction.critic.critic_phrases import judge_phrase, plain_key
from evaluation.extraction.language.lexicon import WORD_LISTS

KEYS_OF_ERROR, KEYS_OF_CORRECTNESS = WORD_LISTS["KEYS_OF_ERROR"], WORD_LISTS["KEYS_OF_CORRECTNESS"]
ERROR_KEY, CORRECTNESS_KEY = "erroneous", "correct"
_LONGEST_LEAD = 160
_CORRECT = WORD_LISTS["CORRECT_STEP"] | WORD_LISTS["KEYS_OF_CORRECTNESS"]
_WORDS = "|".join(
    re.escape(word).replace(r"\ ", "[ _-]")
    for word in sorted(_CORRECT | WORD_LISTS["ERRONEOUS_STEP"] | WORD_LISTS["KEYS_OF_ERROR"], key=len, reverse=True)
)
_MEANS = r"means?|meaning|indicates?|denotes?|stands? for|represents?|marks?|for|表示|代表|意味着|为|指"
_VALUE = "1|0|true|false|yes|no|t|f|是|否"
_TRUE = {"1", "true", "yes", "t", "是"}
_MARKED = r"(?:marked|labell?ed|given|shown|written|denoted|represented|coded)(?: as| with| by)?|标为|标记为|记为"
# "Step 1 = wrong" and "by no means wrong" explain no value.
# "1 means correct", "true = the step is wrong", "0表示错误"; and the other way round, "correct steps are marked 1".
_VALUE_FIRST = re.compile(
    rf"(?<![\w.])(?<!step )(?<!step #)(?<!by )[\"'`]?({_VALUE})[\"'`]? ?(?:{_MEANS}|=)[ \"'`]{{0,2}}(?:that )?"
    rf"(?:(?:the|a|an|this) |该)?(?:steps? )?(?:is |are |was |步骤)?({_WORDS})(?![a-z])",
    re.IGNORECASE,
)
# "true -> correct; false -> wrong"; behind the number of a step, they are verdicts: "1. true: correct".
_VALUE_AND_SIGN = re.compile(
    r"(?:^|(?<=[(,;] )|(?<=\()|(?<=egend: )|(?<=Key: ))[\"'`]?(true|false)[\"'`]? ?(?:-{1,2}>|:) ?[\"'`]?"
    rf"(?:(?:the|a|an|this) |该)?(?:steps? )?(?:is |has |contains |步骤)?({_WORDS})"
    r"(?= ?(?:[,;.)\n]|\Z)| steps?(?![a-z]))",
    re.IGNORECASE | re.MULTILINE,
)
_WORD_FIRST = re.compile(
    rf"(?<![a-z])({_WORDS})(?: steps?| ones|步骤|的步骤)? ?(?:(?:is |are |was |were )?(?:{_MARKED})|="
    r"|(?:is|are)(?= [\"'`]))[ \"'`]{0,2}(?:a )?(1|0|true|false)(?![\w.])",
    re.IGNORECASE,
)
# "Step 1 is correct" is no legend, and "2 = wrong" shows that the numbers are those of steps.
_PERHAPS = re.compile(
    r"(?<![\w.])(?<!step )(?<!step #)[\"']?(?:1|true)[\"']? (?:is|as) (?:correct|right|valid|accurate)(?![a-z])",
    re.IGNORECASE,
)
_NUMBERS = re.compile(rf"(?<![\w.])(?<!step )(?<!step #)[2-9] ?(?:=|{_MEANS}|is) ?(?:{_WORDS})(?![a-z])", re.IGNORECASE)
_UNSURE = re.compile(
    r"(?:not sure|unsure|unclear|(?:do not|don't) know)"
    r" (?:which|what|whether) (?:convention|format|encoding|true|1|way)",
    re.IGNORECASE,
)
_END_OF_LEAD = re.compile(r"[\s*_`'\":：=?？(>-]*\Z")
# A sign that ties a line to the list below it.
_TIED = re.compile(r"[:：=]")
_OF_STEPS = re.compile(
    r"(?<![a-z])(?:steps?|which|whether|each|list|below|following|true|1)(?![a-z])|步|每|以下|如下", re.IGNORECASE
)
_LIST_SUFFIX = re.compile(" (?:steps|flags?|mask|labels?|array|list|vector|verdicts)$")
# "step_is_correct", "steps_correct".
_OF_A_STEP = re.compile(
    r"^(?:each |per )?steps? (?:are )?(?=(?:is |has )?(?:correct|right|valid|wrong|erroneous|incorrect|error))"
)
_START_OF_LEAD = re.compile(r".*[.!?;,。！？；，(\n{\[\]}]", re.DOTALL)
# A word that speaks of being right: what a true says behind it is not sure; "the correct labels" say nothing of it.
_RIGHT = "|".join(re.escape(word) for word in sorted(_CORRECT, key=len, reverse=True) if word.isascii())
_SPEAKS_OF_RIGHT = re.compile(
    rf"(?<![a-z])(?:{_RIGHT})(?![a-z]| (?:answers?|lists?|arrays?|verdicts?|labels?|judge?ments?|outputs?|results?))"
    "|(?<!不)(?:正确(?!答案)|成立|准确)",
    re.IGNORECASE,
)


@lru_cache(maxsize=256)
def read_legend(text: str) -> str | None:
    """Return the key that a text says a true stands for, "" where it says none, or None where it could be either."""
    if _UNSURE.search(text):
        return None
    if _NUMBERS.search(text):
        return ""
    said = {(value.lower(), word) for value, word in _VALUE_FIRST.findall(text)}
    said |= {(value.lower(), word) for value, word in _VALUE_AND_SIGN.findall(text)}
    said |= {(value.lower(), word) for word, value in _WORD_FIRST.findall(text)}
    true_is_wrong = set()
    for value, word in said:
        plain = plain_key(word)
        wrong = judge_phrase(plain) is True or plain in KEYS_OF_ERROR
        true_is_wrong.add(wrong == (value in _TRUE))
    if not true_is_wrong:
        return None if _PERHAPS.search(text) else ""
    return None if len(true_is_wrong) > 1 else ERROR_KEY if true_is_wrong.pop() else CORRECTNESS_KEY


def strip_legends(text: str) -> str:
    """Return a text without what it says of the meaning of 1 and true, which is no verdict on a step."""
    return text if read_legend(text) == "" else _VALUE_AND_SIGN.sub(" ", _VALUE_FIRST.sub(" ", text))


def key_before(text: str, start: int) -> str | None:
    """Return the key under which a bare list that starts at `start` stands: what a true in it says.

    Returns:
        A key of error or of correctness, "" where nothing is said of it, or None where a true could mean either.
    """
    before = text[max(0, start - _LONGEST_LEAD) : start]
    lead = _END_OF_LEAD.sub("", before)
    if "\n" in before[len(lead) :] and not _TIED.search(before[len(lead) :]):
        return _key_above(lead, text)
    key = plain_key(_START_OF_LEAD.sub("", lead).lstrip(" #>*_`-+|\"'"))
    key = _OF_A_STEP.sub("", _LIST_SUFFIX.sub("", key))
    if key in KEYS_OF_ERROR:
        return ERROR_KEY
    if key in KEYS_OF_CORRECTNESS:
        return CORRECTNESS_KEY
    legend = read_legend(text)
    if legend != "":
        return legend
    return None if _SPEAKS_OF_RIGHT.search(key) else ""


def _key_above(lead: str, text: str) -> str | None:
    """Return what the line above a list says of it: nothing, where it ends a sentence about something else.

    "The final answer is correct", and below it a list, is a sentence of its own; "which steps are correct" is not.
    """
    legend = read_legend(text)
    if legend != "":
        return legend
    line = lead.rpartition("\n")[2].strip(" #>*_`-+|\"'")
    if plain_key(line) in KEYS_OF_CORRECTNESS:
        return None
    if plain_key(line) in KEYS_OF_ERROR:
        return ERROR_KEY
    return None if _SPEAKS_OF_RIGHT.search(line) and _OF_STEPS.search(line) else ""


def holds_unnamed(value: Any) -> bool:
    """Whether an object holds a list of booleans, or of 0 and 1, under a key that does not say what a true means."""
    if not isinstance(value, dict):
        return False
    polar = KEYS_OF_ERROR | KEYS_OF_CORRECTNESS
    lists = [inner for name, inner in value.items() if isinstance(inner, list) and plain_key(name) not in polar]
    return any(inner and all(member in (0, 1) for member in inner) for inner in lists)
