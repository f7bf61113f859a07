"""Truth values of all steps, written without brackets: "0010", "1 - 0, 2 - 1", or at the end of each step's line."""

import re
from itertools import pairwise

from evaluation.extraction.critic.numbers import CHINESE_NUMBERS, list_numbers

_FEWEST_SIGNS, _FEWEST_NAMED = 4, 3
_SIGNS = re.compile("[01]+|[tf]+|[TF]+")
_NAME = (
    rf"(?:(?:steps? ?#?|步骤 ?|第 ?|s|#)?\(?(?P<number>[0-9]{{1,3}})\)?(?: ?步)?"
    rf"|(?:步骤 ?|第)(?P<sign>[{CHINESE_NUMBERS}])步?)"
)
# "Result: 0110", or such a row on a line of its own.
_JOINED = re.compile(
    r"(?P<lead>^|(?:result|answer|verdict|judge?ment|label|flag|code|output|sequence|string|vector|mask|error|erroneous"
    r"|correct|wrong|right|结果|答案|判断|标签|输出|错误|正确|有误)s? ?"
    r"(?:[(（][^()（）\n]{3,60}[)）])? ?[:：=] ?)(?P<signs>[01]{4,})(?=[.。]?$| \()",
    re.IGNORECASE | re.MULTILINE,
)
_ROW_OF_SIGNS = re.compile("(?<![0-9])[01]{4}")
# "1 - 0", "Step 2: 1", "| 3 | 1 |", "4,0".
_NUMBERED = re.compile(
    rf"(?P<lead>^[-*•| ]{{0,4}}|[,;|] ?| (?=s[0-9])){_NAME}"
    r"(?P<joint> ?(?:[:=|)]|->?|→|\.(?= )|,) ?)[\"']?(?P<flag>[01])[\"']?"
    r"(?= ?(?:$|[,;|(]|\. ?(?:$|\n)|s[0-9]))",
    re.IGNORECASE | re.MULTILINE,
)
# A number that grades a step is no truth value.
_GRADES = re.compile(r"scor|prob|confiden|rating|grade|likel|[0-9]\.[0-9]|分数|得分|评分|概率|置信", re.IGNORECASE)
_NAMES_STEP = re.compile("step|步|第|s[0-9]", re.IGNORECASE)
_LONGEST_REST = 240
_SPEAKS_OF_ERRORS = re.compile(r"erro|incorrect|wrong|correct|mistake|faulty|valid|错|误|正确|对", re.IGNORECASE)
# "Step 2: A dog barks. true"; the sentence "Step 2: A dog barks. True." may say that one does.
_LABEL = re.compile(rf"[-*•( ]{{0,4}}{_NAME}(?:[.:)-] ?| )", re.IGNORECASE)
_LAST_FLAG = re.compile(
    r"(?:(?<=[.!?\"。)]) ?| ?(?:-{1,2}|[:(\[]) ?)(?P<flag>true|false)[)\]]?$|(?<=[.!?。)]) ?(?:->|=>) ?(?P<digit>[01])$"
)
_LONGEST_LAST_FLAG = 16
_WORDS = {"1": "true", "0": "false"}
# "[true]", "(false)" or "<true>", one for each step.
_OWN_BRACKETS = re.compile(
    r"(?:[\[({<] ?[\"']?(?P<flag>true|false|[01])[\"']? ?[\])}>])(?:[\s,;]*(?:[-*•] |(?=[\[({<])))?", re.IGNORECASE
)
_FIRST_BRACKET = re.compile("[\\[({<] ?[\"']?(?:true|false|[01])[\"']? ?[\\])}>]", re.IGNORECASE)
_WORD = re.compile(r"[a-zA-Z]{2}|[\u4e00-\u9fff]")
# "1-3: false, 4-5: true".
_RANGE = re.compile(
    r"(?P<lead>^|[,;] ?|: )(?P<range>[0-9]{1,3} ?(?:-|to) ?[0-9]{1,3})(?= ?(?:[:=]|->)? ?"
    r"(?:true|false|correct|incorrect|right|wrong|valid|invalid|erroneous|ok|fine)(?![a-z]))",
    re.IGNORECASE | re.MULTILINE,
)


def _number(match: re.Match[str]) -> int:
    return int(match["number"]) if match["number"] else list_numbers(match["sign"])[0]


def _counts(numbers: list[int], n_steps: int) -> bool:
    """Whether these are the numbers of all steps, in order."""
    return n_steps > 1 and numbers in (list(range(1, n_steps + 1)), list(range(n_steps)))


def _spread_numbered(text: str, n_steps: int) -> str:
    found = list(_NUMBERED.finditer(text))
    if not _counts([_number(match) for match in found], n_steps):
        return text
    rest = _NUMBERED.sub("", text)
    # "1: 0, 2: 1" may count something; what names steps answers the prompt, which asks for a 1 at an erroneous one.
    is_named = n_steps >= _FEWEST_NAMED and _NAMES_STEP.match(found[0][0].lstrip("-*•| "))
    is_sure = n_steps >= _FEWEST_SIGNS or is_named or _SPEAKS_OF_ERRORS.search(rest)
    if not is_sure or len(rest) > _LONGEST_REST or _GRADES.search(rest):
        return text

    def spell(match: re.Match[str]) -> str:
        joint = " | " if "|" in match["joint"] else ": "
        lead = match["lead"] if "|" in match["lead"] or match["lead"][:1] in {",", ";"} else "Step "
        lead = ", Step " if match["lead"] == " " else lead
        lead = f"{lead}Step " if match["lead"] == "| " and "|" not in match["joint"] else lead
        return f"{lead}{_number(match)}{joint}{'true' if match['flag'] == '1' else 'false'}"

    return _NUMBERED.sub(spell, text)


def _point_at_flags(text: str, n_steps: int) -> str:
    numbers: list[int] = []
    lines = text.split("\n")
    for place, line in enumerate(lines):
        label = _LABEL.match(line)
        flag = _LAST_FLAG.search(line, max(label.end(), len(line) - _LONGEST_LAST_FLAG)) if label else None
        if label and flag and _WORD.search(line, label.end(), flag.start()):
            numbers.append(_number(label))
            lines[place] = f"{line[: flag.start()]} -> {flag['flag'] or _WORDS[flag['digit']]}"
    return "\n".join(lines) if _counts(numbers, n_steps) else text


def _join_brackets(text: str, n_steps: int) -> str:
    """Return a text with as many lists of one truth value as steps, one right after the other, with one list."""
    found = list(_OWN_BRACKETS.finditer(text))
    follow = all(one.end() == other.start() for one, other in pairwise(found))
    flags = [match["flag"].lower() for match in found]
    is_sure = n_steps >= _FEWEST_SIGNS or (n_steps > 1 and "0" not in flags and "1" not in flags)
    if len(found) != n_steps or not follow or not is_sure:
        return text
    row = ", ".join(_WORDS.get(flag, flag) for flag in flags)
    start, end = found[0].start(), found[-1].end("flag") + 1
    end += len(text[end:]) - len(text[end:].lstrip("\"' ])}>"))
    before = text[:start].rstrip("-*• ")
    return f"{before[:-1] if before[-1:] == '[' else before} [{row}]{text[end:]}"


def _list_joined(match: re.Match[str], n_steps: int) -> str:
    """Write a row of as many digits as steps as a list."""
    signs = match["signs"]
    return f"{match['lead']}[{', '.join(signs)}]" if len(signs) == n_steps else match.group()


def spread_flags(text: str, n_steps: int) -> str:
    """Return a text with a truth value for each step in a form that the grammar reads; any other as it is.

    >>> spread_flags("0010", 4), spread_flags("1: 0, 2: 1 (1 = erroneous)", 2)
    ('[false, false, true, false]', 'Step 1: false, 2: true (1 = erroneous)')
    """
    signs = text.strip(" .\n")
    if len(signs) == n_steps >= _FEWEST_SIGNS and _SIGNS.fullmatch(signs):
        return f"[{', '.join('true' if sign in 'tT1' else 'false' for sign in signs)}]"
    if n_steps >= _FEWEST_SIGNS and _ROW_OF_SIGNS.search(text) and len(_JOINED.findall(text)) == 1:
        text = _JOINED.sub(lambda match: _list_joined(match, n_steps), text)
    if _FIRST_BRACKET.search(text):
        text = _join_brackets(text, n_steps)
    if text.count("0") + text.count("1") >= n_steps:
        text = _spread_numbered(text, n_steps)
    if text.count("true") + text.count("false") >= n_steps or text.count(">") >= n_steps > 1:
        text = _point_at_flags(text, n_steps)
    return _RANGE.sub(r"\g<lead>steps \g<range>", text) if "-" in text or " to " in text else text
