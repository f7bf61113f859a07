"""Lines of a review that deny what their option says: "C. No rain can be heard.", "B. 没有争吵".

Such a line is written as a plain verdict, "C. No.", unless its option denies something itself or it has a verdict.
"""

import re

from evaluation.extraction.language.units import is_negative

_LINE = re.compile(
    r"^(?P<label>[^\w\n]{0,4}(?:Option |Statement |选项)?(?P<letter>[A-Z])"
    r"(?:[.):：、）\]*]{1,4}|项?[:：]| [-–—](?= )) ?)(?P<said>[^\n]+)$",
    re.MULTILINE,
)
_DENYING = re.compile(
    r"(?:no (?!doubt|longer|,)[a-z]|no one |nobody |nothing |none of |neither "
    r"|(?:there(?:'s| is| are| was| were)|I (?:can )?(?:hear|detect|find)|we (?:can )?hear) (?:no|not|nothing)(?![a-z])"
    r"|there (?:is|are|was|were)n't "
    r"|(?:I |we |you )?(?:did not|didn't|do not|don't|cannot|can't|could not|couldn't) hear )"
    r"|(?:录音|音频|对话)?(?:里|中)?(?:并?没有?|未|听不到|听不出)(?:有)?(?:任何|明显的?)?(?:听到|听见|提到|提及"
    r"|出现)?[\u4e00-\u9fff]",
    re.IGNORECASE,
)
_VERDICT = re.compile(
    r"(?<![a-z])(?:yes|correct|incorrect|right|wrong|true|false|supported|unsupported|holds?|but|however|though|chosen"
    r"|selected|fits?|applies|contradict[a-z]*|inferred|matches|excluded|ruled out)(?![a-z])"
    r"|[✓✔√✗✘×❌✅]|正确|对的|不对|成立|符合|错|是的|但|不过|合理|→|->|\?|？",
    re.IGNORECASE,
)
_AFFIRMED = re.compile(r"(?:有|存在|听到了?)(?=[,，。])")
_MIN_LINES = 2
# "A, B, C", and below it only lines that deny the others: "(D: no dog)".
_HEAD = re.compile(
    r"\A[^\w\n]*(?:(?:(?:the |my |final )*answers?(?: is| are)?|(?:最终)?答案(?:是|为)?) ?[:：]? ?)?[*_]*"
    r"(?P<letters>(?-i:[A-Z](?:(?:, ?(?:and )?| (?:and|&) |、|，|和| )[A-Z])*))[*_.。]*(?=\n)",
    re.IGNORECASE,
)


# "D: he says he'd never sell ✗": the mark judges, not the words before it.
_MARKED = re.compile(
    r"^(?P<labels>[^\w\n]{0,4}[A-J](?:(?:, ?| and |、|和)[A-J])*[.):：、）*]{1,3})(?P<said> ?[^\n✓✔✅☑√✗✘❌×]+)"
    r"(?P<mark>[✓✔✅☑√✗✘❌×])[.。;；,]?$",
    re.MULTILINE,
)

_LABEL = r"^(?P<label>[^\w\n]{0,4}(?:Option |选项)?(?P<letter>[A-J])(?:[.):：、）\]*]{1,4}|项?[:：]| ?[-–—](?= )) ?)"
# "B: 错,没有电话铃声": behind the verdict stands the reason.
_OPENING = re.compile(
    _LABEL + r"(?:(?P<yes>对的?|正确|成立|yes|true|correct|right)|错误?的?|不对|不正确|不成立|no|false|incorrect|wrong)"
    r"(?=[,，。.;；:：!(（]| [-–—])(?P<said>[^\n]*)$",
    re.IGNORECASE | re.MULTILINE,
)
# "Hardly fast. Drop.", "…，去掉。": the verdict stands at the end.
_CLOSING = re.compile(
    _LABEL + r"(?P<said>(?:[^\n]*(?:[.:;,!)] |[。：，；:;,]| [-–—] ))?)(?:(?:so|hence|thus|therefore) |所以|因此|故)?"
    r"(?:I |we )?(?:(?P<yes>keep|kept|in|stays(?: in)?|保留|留下|入选)|drop|dropped|out|discard|remove|skip"
    r"|去掉|舍去|剔除|排除|划掉)"
    r"(?: it| this| that)?[.!。]?[^\S\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
_TURN = re.compile(
    r"(?<![a-z])(?:but|however|though|although|wait|actually|or|maybe|perhaps|unless|if|partly|except)(?![a-z])|[?？]"
    r"|但|不过|可是|然而|等等|或|如果|可能|部分",
    re.IGNORECASE,
)
_ANY_LABEL = re.compile(_LABEL, re.MULTILINE)


def _write_verdict_lines(response: str) -> str:
    r"""Return a response whose labelled lines all open, or all end, with a verdict with no more than the verdicts.

    >>> _write_verdict_lines("A: it rains. Keep.\nB: never heard. Drop.")
    'A: ✓\nB: ✗'
    """
    labels = [match["letter"] for match in _ANY_LABEL.finditer(response)]
    if len(labels) < _MIN_LINES or len(set(labels)) < len(labels):
        return response
    for pattern in (_OPENING, _CLOSING):
        lines = list(pattern.finditer(response))
        is_complete = len(lines) == len(labels) and any(line["yes"] for line in lines)
        if is_complete and not any(_TURN.search(line["said"]) for line in lines):
            return pattern.sub(lambda line: f"{line['label']}{'✓' if line['yes'] else '✗'}", response)
    return response


def write_marked_lines(response: str) -> str:
    r"""Return a response in which lines that end in a mark are no more than their letters and the mark.

    >>> write_marked_lines("A: it rains ✓.\nB, C: never heard ✗.")
    'A: ✓\nB, C: ✗'
    """
    lines = [line for line in response.split("\n") if line.strip()]
    if len(lines) < _MIN_LINES or not all(map(_MARKED.fullmatch, lines)):
        return response
    return "\n".join(_MARKED.sub(r"\g<labels> \g<mark>", line) for line in lines)


def write_denying_lines(response: str, texts: tuple[str, ...]) -> str:
    r"""Return a response with a plain verdict in each line that denies what its option says.

    Args:
        response: As it was written.
        texts: Of the options, in lower case.

    >>> write_denying_lines("A. Yes, twice.\nB. No rain can be heard.", ("a dog barks", "it rains"))
    'A. Yes, twice.\nB. No.'
    """
    if "\n" not in response:
        return response
    response = _write_verdict_lines(write_marked_lines(response))
    if (head := _HEAD.match(response)) and _only_denies(response[head.end() :], head["letters"], texts):
        return head.group()
    lines = list(_LINE.finditer(response))
    denying = [line for line in lines if _denies(line, texts)]
    if len(lines) < _MIN_LINES or not denying or len({line["letter"] for line in lines}) < len(lines):
        return response
    return _LINE.sub(lambda line: _write_line(line, texts), response)


def _only_denies(rest: str, letters: str, texts: tuple[str, ...]) -> bool:
    """Whether each line below an answer denies an option that it did not choose."""
    lines = [_LINE.fullmatch(line.strip(" ()（）-*")) for line in rest.split("\n") if line.strip()]
    return bool(lines) and all(line and line["letter"] not in letters and _denies(line, texts) for line in lines)


def _denies(line: re.Match[str], texts: tuple[str, ...]) -> bool:
    place = ord(line["letter"]) - 65
    return (
        place < len(texts)
        and _DENYING.match(line["said"]) is not None
        and not _VERDICT.search(line["said"])
        and not is_negative(texts[place])
    )


def _write_line(line: re.Match[str], texts: tuple[str, ...]) -> str:
    if _denies(line, texts):
        return f"{line['label']}{'No.' if line['said'].isascii() else '错误。'}"
    affirmed = _AFFIRMED.match(line["said"])
    return f"{line['label']}正确{line['said'][affirmed.end() :]}" if affirmed else line.group()
