"""Laying out what a critic wrote: one verdict a line, bare lists in brackets, no markup around either."""

import re

from evaluation.extraction.normalize import strip_sentinels
from evaluation.extraction.critic_tokens import CHINESE_NUMBERS

_STEP_TAG = re.compile(
    r"<(?:step|步骤)[ _-]?(?:(?:id|n|number|index|no)? ?= ?[\"']?)?([0-9]{1,4})[\"']?>", re.IGNORECASE
)
_OTHER_TAG = re.compile(r"</?[a-z][a-z0-9_]{1,20}>", re.IGNORECASE)
_LATEX = re.compile(r"\\(?:f?boxed|text|textbf|mathrm) ?\{([^{}]{0,2000})\}")
_MATHS = re.compile(r"\\[()\[\]]|\$")
# A flag, or a row of them: "false, true, false", "0 1 0", or one a line.
_FLAG = r"[\"'*`]{0,2}(?:true|false|[01])[\"'*`]{0,2}"
_ROW = re.compile(
    rf"(?:(?<=[:：=])|(?<=: )|(?<=：)|(?<=\bare )|(?<=\bis )|(?<=是)|^)(?:[-*•] )?[ (]*({_FLAG}(?:(?: ?[,;、，|/] ?"
    rf"| ){_FLAG}){{1,200}}) ?[)]?[.。]?$",
    re.IGNORECASE | re.MULTILINE,
)
_COLUMN = re.compile(
    rf"^((?:[-*•] )?{_FLAG}[,;.]?(?:\n+(?:[-*•] )?{_FLAG}[,;.]?){{1,200}})$", re.IGNORECASE | re.MULTILINE
)
_PLAIN_FLAG = re.compile(r"true|false|[01]", re.IGNORECASE)
# Where a verdict of another step may start inside a line.
_MARK = re.compile(
    rf"(?:(?<![A-Za-z0-9_])(?:steps? ?#? ?|s)(?=[0-9])|步骤 ?|第 ?)([0-9]{{1,4}}"
    rf"|[{CHINESE_NUMBERS}](?![{CHINESE_NUMBERS}]))"
    r"(?![0-9])(?! ?(?:and|&|和|[,，、] ?(?:and )?(?:steps? )?[0-9]))"
    r"|(?<![\w.:])(?<![\w] [,-])\(?([0-9]{1,3})(?=(?: ?[:：=、)]|\.|-|–)(?![0-9])| (?:(?:in)?correct|wrong"
    r"|right|(?:in)?valid)(?![a-z]))",
    re.IGNORECASE,
)
_TWO_NUMBERS = re.compile(rf"[0-9{CHINESE_NUMBERS}][^0-9{CHINESE_NUMBERS}]+[0-9{CHINESE_NUMBERS}]")
_SPELLED_NUMBERS = {
    word: place
    for words in (
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    )
    for place, word in enumerate(words, 1)
}
# "The first step is correct, the second is not": a place among steps.
_PLACE_OF_STEP = re.compile(
    rf"\b(?:the )({'|'.join(list(_SPELLED_NUMBERS)[10:])})(?: one)?"
    r"(?= (?:is|was|contains|has|holds|looks|seems)(?![a-z]))",
    re.IGNORECASE,
)
_SPELLED = re.compile(
    rf"\bstep ({'|'.join(_SPELLED_NUMBERS)})\b(?! of)|\b(?:the )?({'|'.join(_SPELLED_NUMBERS)}) step\b", re.IGNORECASE
)
# A table whose heading says what yes or true means.
_TABLE = re.compile(
    r"^(\|[^|\n]{1,20}\| ?[*]*(?P<key>erroneous|error|has error|incorrect|wrong|correct|is correct|valid"
    r"|is valid)[*?]* ?\|[^\n]*\n)((?:\|[^\n]*(?:\n|\Z))+)",
    re.IGNORECASE | re.MULTILINE,
)
_CELL = re.compile(r"^(\| ?[^|\n]{1,20}\| ?)(true|false|yes|no)(?= ?\|)", re.IGNORECASE | re.MULTILINE)
_LONGEST_RUN = 4_000


def _write_flags(match: re.Match[str]) -> str:
    flags = _PLAIN_FLAG.findall(match.group(1))
    whole = match.group()
    lead = whole[: match.start(1) - match.start()]
    return f"{lead}[{', '.join(flags).lower()}]"


def _name_column(match: re.Match[str]) -> str:
    return match[1] + _CELL.sub(rf"\1{match['key']} = \2", match[3])


def _number(match: re.Match[str]) -> int:
    digits = match[1] or match[2]
    return CHINESE_NUMBERS.index(digits) + 1 if digits in CHINESE_NUMBERS else int(digits)


def split_running(line: str) -> list[str]:
    """Cut a line before every number that counts on from the one before; a line with one number stays whole.

    >>> split_running("Step 1: correct, Step 2: incorrect")
    ['Step 1: correct', 'Step 2: incorrect']
    """
    if len(line) > _LONGEST_RUN or not _TWO_NUMBERS.search(line):
        return [line]
    cuts: list[int] = []
    last: int | None = None
    for match in _MARK.finditer(line):
        number = _number(match)
        if last is None or number == last + 1:
            cuts.append(match.start())
            last = number
    if len(cuts) < 2:
        return [line]
    head = line[: cuts[0]].strip(" *_`([-")
    pieces = [
        line[start:end].strip(" ,;，；、|([").removesuffix("- ")
        for start, end in zip(cuts, [*cuts[1:], len(line)], strict=True)
    ]
    return [*([head] if head else []), *pieces]


def lay_out(text: str) -> str:
    """Return a critic's text without sentinels, tags and LaTeX, with bare rows of flags in brackets."""
    if "<" in text:
        text = _STEP_TAG.sub(r"\nstep \1: ", strip_sentinels(text))
        text = _OTHER_TAG.sub("\n", text)
    if "\\" in text or "$" in text:
        text = _MATHS.sub(" ", _LATEX.sub(r"\n\1\n", text))
    text = _SPELLED.sub(lambda match: f"step {_SPELLED_NUMBERS[(match[1] or match[2]).lower()]}", text)
    if "step" in text:
        text = _PLACE_OF_STEP.sub(lambda match: f"step {_SPELLED_NUMBERS[match[1].lower()]}", text)
    if "|" in text:
        text = _TABLE.sub(_name_column, text)
    if "{" not in text:
        text = _ROW.sub(_write_flags, text)
        text = _COLUMN.sub(_write_flags, text)
    return text
