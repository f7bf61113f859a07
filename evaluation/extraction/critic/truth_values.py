"""True and false in sentences about steps: statements, "step 2 is not true", and labels, "step 2 is marked as true".

The prompt asks for a true at an erroneous step, so what is marked as true is erroneous; what is said to be true is
right. Where the reason that follows says otherwise, or both stand in one text, the response is ambiguous.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from evaluation.extraction.critic.critic_tokens import tokenize_critic
from evaluation.extraction.critic.numbers import ORDINAL, SPELLED
from evaluation.extraction.step_lists.legends import read_legend

_NUMBER = rf"(?:[0-9]{{1,2}}|{SPELLED})"
_NUMBERS = rf"{_NUMBER}(?:(?:, and |, | and |-| to | through | & ){_NUMBER}){{0,20}}"
_REST = (
    r"(?:(?:all |each |every )?(?:of )?(?:the )?(?:other|remaining)(?: [a-z]+)? steps?|(?:all )?(?:the )?others"
    r"|(?:all )?the rest|everything else|every other step)"
)
_STEPS = (
    rf"(?:steps? #?{_NUMBERS}|(?:the )?{ORDINAL}(?: (?:{SPELLED}|[0-9]))?(?: steps?| ones?)?|{_REST}"
    rf"|(?:all|each|every|none|both|no)(?: of)?(?: the| these)?(?: (?:{SPELLED}|[0-9]{{1,2}}))? steps?|everything"
    rf"|(?<=, )which|(?<=, ){_NUMBER}|(?<=and ){_NUMBER})"
)
_ADVERB = (
    "(?:also|all|both|each|clearly|therefore|thus|hence|definitely|certainly|again|still|simply|obviously|actually"
    "|however|though)"
)
_VALUE = r"[\"'*`<]{0,3}(?P<value>true|false)(?![a-z-])[\"'*`>]{0,3}"
# "Step 2 is true"; not "step 2 is true to the recording".
_STATED = re.compile(
    rf"(?<![\w#-])(?:{_STEPS})(?:'s? [a-z]{{3,14}})?(?:,? {_ADVERB},?)* (?:is|are|was|were)(?P<not> not|n't)?"
    rf"(?: {_ADVERB})*"
    rf" (?P<verdict>(?P<un>un)?{_VALUE})(?! (?:to|that|positive|negative|for|if|when|claim|alarm))",
    re.IGNORECASE,
)
_STATED_IN_CHINESE = re.compile(
    "(?P<not>)(?P<un>)(?P<subject>(?:步骤?|其余|其他|[都均]|全部)(?:的?(?:陈述|说法|内容|描述))?)[为是](?P<value>[真假])的?(?=[,，。;；、\n]|\\Z)"
)
_MARKS = (
    "(?:mark(?:s|ed|ing)?|label(?:s|l?ed|l?ing)?|flag(?:s|ged|ging)?|tag(?:s|ged|ging)?|annotate[sd]?|classif(?:y|ied)"
    "|set|rated?|assign(?:s|ed)?|giv(?:e|es|en)|record(?:ed)?)"
)
_MARK = re.compile(
    rf"(?<![a-z]){_MARKS}(?![a-z])|(?<![a-z])(?:gets?|receives?) (?:an? )?[\"'*`]?(?:true|false)"
    "|标[记注]?[为成]",
    re.IGNORECASE,
)
# "Step 5 should be marked as true", "I would mark step 5 as true and the others as false", "应标为true".
_MARKED = re.compile(
    rf"(?P<lead>(?<![a-z])(?:(?P<marked>{_MARKS} (?:{_STEPS}))(?: as)?|{_MARKS}(?: as| with| to be)?"
    rf"|(?<!such )(?<!known )as) |(?:标[记注]?|记)[为成] ?){_VALUE}",
    re.IGNORECASE,
)
_PARTICIPLE = re.compile("(?:[a-z]+ed|set|given)(?: as| with| to be)? \\Z", re.IGNORECASE)
_RECEIVED = re.compile(
    rf"(?<![a-z])(?:gets?|receives?|is given|is assigned) (?:an? |the label |the value )?(?={_VALUE})", re.IGNORECASE
)
# "…, the remaining steps false".
_GAPPED = re.compile(rf"(?P<lead>(?:,|,? and|,? but|,? while) {_REST}) (?={_VALUE}(?:[.,;\n]|\Z))", re.IGNORECASE)
_ANY_VALUE = re.compile(r"(?<![a-z])(?:un)?(?:true|false)(?![a-z])|(?<=[为是])[真假](?![\u4e00-\u9fff])", re.IGNORECASE)
_NEXT = re.compile(
    rf"(?<![a-z])(?:steps? #?{_NUMBER}|the {ORDINAL} (?:step|one)|(?<=[.;] )the {ORDINAL}|{_REST})(?![a-z])"
    "|第.步|步骤|其余|其他",
    re.IGNORECASE,
)
_JOINED = re.compile(r"(?:,? (?:and|but|while|whereas)|;) \Z", re.IGNORECASE)
_JUDGED = re.compile("([NVdW]*)(?:w{1,2}(?=E))?([GBE])")
_VALUES = ("rue", "alse", "RUE", "ALSE", "真", "假")
_OPEN = re.compile("[HMf/?]")
# "The man says that step 4 is false"; "do not mark step 4 as true".
_REPORTED = re.compile(
    r"(?<!i )(?<!we )(?<!i'd )(?<!i would )(?:says?|said|claims?|states?|believes?|argues?|thinks?)(?: that)? \Z"
    r"|(?:do(?:es)? not|n't|never|not to) \Z",
    re.IGNORECASE,
)
_LONGEST_REPORT = 24
_FEW, _MINORITY = 0.25, 0.4


class TruthValues(NamedTuple):
    """A text with its truth values as verdicts in words.

    Attributes:
        text: The text; empty where it is ambiguous.
        most: Greatest share of the steps that may be erroneous; values without a reason could mean the opposite.
    """

    text: str
    most: float


_AMBIGUOUS = TruthValues("", 0)


def _weigh(reason: str, erroneous: bool, *, is_label: bool) -> bool | None:
    """Whether a reason bears a verdict out (True), says nothing of it (False), or speaks against it (None)."""
    codes = "".join(token.code for token in tokenize_critic(reason, 1))
    judged = _JUDGED.findall(codes)
    said = {(core in "BE") != (negated.count("N") % 2 == 1) for negated, core in judged}
    if (not erroneous) in said or _OPEN.search(codes) or re.search("indeed|确实", reason):
        return None
    denies = codes.count("N") > sum(negated.count("N") for negated, _ in judged)
    if erroneous:
        return erroneous in said or (denies and not is_label)
    return None if denies else False in said


def _find_reason(text: str, start: int, end: int) -> str:
    """The text behind a verdict up to the next step."""
    follower = _NEXT.search(text, start, end)
    return text[start : follower.start() if follower else end]


def _word_statement(match: re.Match[str]) -> tuple[bool, str]:
    """Whether "step 2 is not true" calls the step erroneous, and the sentence in words."""
    erroneous = (match["value"].lower() == "false") != (bool(match["not"]) != bool(match["un"]))
    head = match.group()[: match.start("not" if match["not"] else "verdict") - match.start()]
    return erroneous, f"{head.rstrip()} {'incorrect' if erroneous else 'correct'}"


def _word_statement_in_chinese(match: re.Match[str]) -> tuple[bool, str]:
    erroneous = match["value"] == "假"
    return erroneous, f"{match['subject']}{'错误' if erroneous else '正确'}"


def _word_label(match: re.Match[str]) -> tuple[bool, str]:
    """Whether a label calls its step erroneous, as the prompt has it, and the label in words."""
    erroneous = match["value"].lower() == "true"
    if not match["lead"].isascii():
        return erroneous, f"{match['lead']}{'错误' if erroneous else '正确'}"
    lead = f"{match['lead']}as " if match["marked"] else _PARTICIPLE.sub("marked as ", match["lead"])
    return erroneous, f"{lead}{'erroneous' if erroneous else 'correct'}"


def _rewrite(
    text: str, matches: list[re.Match[str]], word: Callable[[re.Match[str]], tuple[bool, str]], *, is_label: bool
) -> TruthValues:
    """Return a text with the values that `matches` find in words, unless a reason speaks against one."""
    pieces: list[str] = []
    place, most = 0, _FEW
    for match, end in zip(matches, [*(each.start() for each in matches[1:]), len(text)], strict=True):
        erroneous, worded = word(match)
        weight = _weigh(_find_reason(text, match.end(), end), erroneous, is_label=is_label)
        if weight is None or _REPORTED.search(text, max(place, match.start() - _LONGEST_REPORT), match.start()):
            return _AMBIGUOUS
        is_negated = not is_label and bool(match["not"] or match["un"])  # A label is never "not true".
        is_prose = is_label or match.group()[:5] == "which"
        is_prose = is_prose or (place > 0 and _JOINED.search(text, place, match.start()) is not None)
        most = max(most, 1 if weight or is_negated else _MINORITY if is_prose else 0)
        pieces += [text[place : match.start()], worded]
        place = match.end()
    return TruthValues("".join([*pieces, text[place:]]), most)


def state_values(text: str) -> TruthValues | None:
    """Return a text whose sentences give steps a truth value with verdicts in words in its place.

    Returns:
        None for any other text.

    >>> state_values("Step 1 is true. Step 2 is not true, because nobody sings.").text
    'Step 1 is correct. Step 2 is incorrect, because nobody sings.'
    >>> state_values("Step 2 should be marked as true; the others should be marked as false.").text
    'Step 2 should be marked as erroneous; the others should be marked as correct.'
    """
    if "[" in text or "{" in text:
        return None
    if not any(value in text for value in _VALUES):
        return None
    n_values = len(_ANY_VALUE.findall(text))
    if not n_values or read_legend(text) != "":
        return None
    if _MARK.search(text):
        text = _RECEIVED.sub("is marked as ", _GAPPED.sub(r"\g<lead> are marked as ", text))
        found, word, is_label = list(_MARKED.finditer(text)), _word_label, True
    else:
        found, word, is_label = list(_STATED.finditer(text)), _word_statement, False
        if not found:
            found, word = list(_STATED_IN_CHINESE.finditer(text)), _word_statement_in_chinese
    return _rewrite(text, found, word, is_label=is_label) if found and len(found) == n_values else None
