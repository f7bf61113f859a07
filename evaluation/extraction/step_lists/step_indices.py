"""Lists of steps below a heading that says where it starts to count: "Wrong steps (1-based): [1, 2]"."""

import re

_BASE = (
    r"(?:(?P<zero>(?:0|zero)[- ](?:based|indexed)|(?:(?:count|index|number)(?:ed|ing) |start(?:s|ing) )(?:from|at|with)"
    r" (?:0|zero)(?![0-9.])|从 ?[0零] ?(?:开始|起)(?:计数|编号|数|算)?|下标从 ?0 ?(?:开始|起))"
    r"|(?:1|one)[- ](?:based|indexed)|(?:(?:count|index|number)(?:ed|ing) |start(?:s|ing) )(?:from|at|with)"
    r" (?:1|one)(?![0-9.])|从 ?[1一] ?(?:开始|起)(?:计数|编号|数|算)?)"
    r"(?: (?:index(?:ing)?|numbering|counting|indices))?"
)
_HEADED = re.compile(
    rf"^(?P<head>[^\n:()\[\]0-9]{{3,48}}?)(?: ?\({_BASE}\)|, {_BASE.replace('<zero>', '<later>')})"
    r" ?(?::|=|(?<![a-z])are) ?(?P<open>\[?) ?(?P<list>[0-9]{1,2}(?: ?(?:,|、|and|和) ?[0-9]{1,2}){0,40}) ?"
    r"(?P<close>\]?)(?P<end>[.。]?)$",
    re.IGNORECASE | re.MULTILINE,
)
_INDICES = re.compile(r"(?:(?:steps?|步骤)的? ?)?(?:indices|indexes|index|numbers|索引|下标|编号|序号)", re.IGNORECASE)
_OF_STEPS = re.compile(r"step|ind(?:ex|ices)|步|索引|下标", re.IGNORECASE)
_NUMBER = re.compile("[0-9]+")
_HINTS = ("ased", "ndex", "ount", "umber", "tart", "从")


def _write_list(match: re.Match[str], n_steps: int) -> str:
    shift = 1 if match["zero"] or match["later"] else 0
    numbers = [int(number) + shift for number in _NUMBER.findall(match["list"])]
    head, opens = match["head"], bool(match["open"])
    is_list = opens == bool(match["close"]) and len(set(numbers)) == len(numbers)
    if not _OF_STEPS.search(head) or not is_list or min(numbers) < 1 or max(numbers) > n_steps:
        return match.group()
    noun = "steps" if head.isascii() else "步骤"
    return f"{_INDICES.sub(noun, head)}: {', '.join(map(str, numbers))}{match['end']}"


def count_listed_steps(text: str, n_steps: int) -> str:
    """Return a text whose headed lists count from 1 and do not say so.

    >>> count_listed_steps("Erroneous step indices (0-based): [0, 2]", 3)
    'Erroneous steps: 1, 3'
    """
    if not any(map(text.__contains__, _HINTS)) or (":" not in text and "=" not in text and " are " not in text):
        return text
    return _HEADED.sub(lambda match: _write_list(match, n_steps), text)
