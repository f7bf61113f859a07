"""Lists of truth values that mean the opposite of what they usually mean, as the words around them show.

In a list, true and 1 mean erroneous. "[true, false, true]. Step 2 is wrong." uses true for correct: the list and the
words agree on every step, but only so. Most steps of a trace are correct, so most members of such a list are true.
"""

import re
from collections.abc import Callable

from evaluation.extraction.language.normalize import FENCE, THINK_TAG, strip_thinking
from evaluation.types import Reading

_FLAG = re.compile("true|false|[01]", re.IGNORECASE)
_LIST = re.compile(r"\[\s*(?:true|false|[01])(?:\s*,\s*(?:true|false|[01]))+\s*,?\s*\]", re.IGNORECASE)
# `{"step_1": true, "step_2": false}` is a list with numbers.
_OBJECT = re.compile(
    r"\{\s*(?P<members>\"?(?:step[_ ]?)?1\"?\s*:\s*(?:true|false|[01])"
    r"(?:\s*,\s*\"?(?:step[_ ]?)?[0-9]{1,2}\"?\s*:\s*(?:true|false|[01])){1,20})\s*+(?:,\s*+)?\}",
    re.IGNORECASE,
)
_MEMBER = re.compile(r"([0-9]{1,2})\"?\s*:\s*(true|false|[01])", re.IGNORECASE)
_NUMBERS = re.compile(r"\W*\[? ?[0-9]{1,2}(?: ?, ?[0-9]{1,2})* ?\]?\W*")
_DIGITS = re.compile("[0-9]+")
# "[2, 4]", "2, 6", "Output: [3]"; a number alone may count something.
_NUMBERS_ONLY = re.compile(
    r"(?:<answer>)?\W*(?:(?:final )?(?:output|answer|result)s?[*_]{0,2} ?: ?)?[*_]{0,2}"
    r"(?P<list>\[ ?[0-9]{1,2}(?: ?, ?[0-9]{1,2}){0,9} ?\]"
    r"|[0-9]{1,2}(?: ?, ?[0-9]{1,2}){1,9})[*_.]{0,3}(?:</answer>)?(?P<below>\n.*)?",
    re.IGNORECASE | re.DOTALL,
)
# Words that say what is wrong in the listed steps, and words that may say that nothing is, or not only there.
_FAULT = re.compile(
    r"(?<![a-z])(?:mis(?!s)[a-z]+|mix(?:es|ed)|confus[a-z]+|swap(?:s|ped)|invert[a-z]*|contradict[a-z]*|instead"
    r"|rather than|wrong[a-z]*|incorrect[a-z]*|errors?|but it|not)(?![a-z])|错|误|混淆|颠倒",
    re.IGNORECASE,
)
_NO_FAULT = re.compile(
    r"(?<![a-z])(?:(?<!not )(?:correct|accurate|true|valid|fine)|(?<=is )right|(?<=are )right|ok|sound|match(?:es)?"
    r"|supported|consistent|holds?|agrees?|kept|acceptable|recovers|yes|after|before|until|up to|first|among|could|may"
    r"|might|or|to [0-9])(?![a-z])|(?<![a-z])(?:no|any) (?:issues?|errors?|problems?)"
    "|正确|一致|没有?问题|符合|无误|之后|以后",
    re.IGNORECASE,
)
# "* **Step 1** misidentifies the first sound", "Step 3 claims that it drops, while it rises".
_LABELLED = re.compile(r"\W{0,8}step #?(?P<number>[0-9]{1,2})(?![0-9])", re.IGNORECASE)
_FAULTS = re.compile(
    r"(?<![a-z])(?:mis(?!s)[a-z]+|mix(?:es|ed)|confus[a-z]+|swap(?:s|ped)|invert[a-z]*|contradict[a-z]*|wrong[a-z]*"
    r"|incorrect[a-z]*|invents?|ignores?|should (?:be|say|read))(?![a-z])|, not (?:a|an|the|[a-z]+)(?![a-z])"
    r"|(?<![a-z])(?:says?|states?|claims?|names?|reports?|describes?|calls?|asserts?)(?![a-z])[^.\n]{0,200}?"
    r"(?:(?<![a-z])(?:while|whereas|but|although|though|not|no)(?![a-z])|n't)",
    re.IGNORECASE,
)
_CALLS_RIGHT = re.compile(
    r"(?<![a-z])(?<!not )(?:correct(?:ly)?|accurate(?:ly)?|true|valid|fine|right(?=[.!,;]|\Z)|ok|(?:is|are) sound"
    r"|match(?:es)?|supported|consistent|holds?|agrees?|acceptable|(?:after|before) it|everything|recovers|onwards?"
    r"|the rest|stands|(?:should|can) (?:be kept|stay|stand)|verified|confirmed|pass(?:es)?|not wrong"
    r"|only just)(?![a-z])"
    r"|(?<![a-z])(?:no|any) (?:issues?|errors?|problems?|objections?|mistakes?|concerns?|flaws?|doubt|need|change)"
    # The fault may be that of another step.
    r"|step #?[0-9]{1,2}(?![0-9]).*step #?[0-9]",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?<![a-z])steps? #?([0-9]{1,2})(?:(?:, | and | & )([0-9]{1,2}))?|第([0-9]{1,2})步|步骤 ?([0-9]{1,2})",
    re.IGNORECASE,
)
_TRUE = {"true", "1"}


def read_inverted(response: str, n_steps: int, read: Callable[[str, int], Reading]) -> Reading | None:
    """Read a response by its words if its only list says the opposite of them of every step.

    Args:
        response: As it was written.
        n_steps: Number of steps of the trace.
        read: Reads a response without a list.

    Returns:
        What the words say; None for any other response.
    """
    if "{" in response:
        response = _OBJECT.sub(_list_members, response)
    lists = _LIST.findall(response)
    if len(lists) != 1 or response.count("[") != 1 or "{" in response:
        return None
    flags = tuple(flag.lower() in _TRUE for flag in _FLAG.findall(lists[0]))
    words = THINK_TAG.sub("\n", FENCE.sub("\n", _LIST.sub("\n", response))).strip()
    if len(flags) != n_steps or 2 * sum(flags) <= n_steps or not words:
        return None
    said = read(words, n_steps)
    return said if said.verdicts is not None and said.verdicts == tuple(not flag for flag in flags) else None


def _list_members(match: re.Match[str]) -> str:
    members = _MEMBER.findall(match["members"])
    in_order = [int(number) for number, _ in members] == list(range(1, len(members) + 1))
    return f"[{', '.join(flag for _, flag in members)}]" if in_order else match.group()


def read_thought_list(response: str, n_steps: int, read: Callable[[str, int], Reading]) -> Reading | None:
    """Read a bare list of numbers, "[2, 4]", whose steps are those that the thinking before it calls erroneous.

    Args:
        response: As it was written.
        n_steps: Number of steps of the trace.
        read: Reads the thinking.

    Returns:
        What the thinking says; None for any other response.
    """
    answer = strip_thinking(response)
    if answer == response or not _NUMBERS.fullmatch(answer):
        return None
    said = read(THINK_TAG.sub("\n", response[: len(response) - len(answer)]), n_steps)
    listed = {int(number) - 1 for number in _DIGITS.findall(answer)}
    agrees = said.verdicts is not None and listed == {step for step, wrong in enumerate(said.verdicts) if wrong}
    return said if agrees else None


def read_listed_numbers(text: str, n_steps: int, read: Callable[[str, int], Reading]) -> Reading | None:
    """Read a bare list of numbers, "[2, 4]", as the erroneous steps, if it may be nothing else.

    Steps are numbered from 1, and a critic lists errors. A list with 0, of more than half of the steps, or in another
    order stays unread, as does one with words below it that do not say what is wrong in just these steps.

    Args:
        text: Without thinking.
        n_steps: Number of steps of the trace.
        read: Reads the words below the list.
    """
    found = _NUMBERS_ONLY.fullmatch((FENCE.sub("", text) if "`" in text else text).strip())
    numbers = [int(number) for number in _DIGITS.findall(found["list"])] if found is not None else []
    if found is None or numbers != sorted(set(numbers)) or not 1 <= numbers[0] <= numbers[-1] <= n_steps:
        return None
    if 2 * len(numbers) > n_steps or numbers == [1]:
        return None
    verdicts = tuple(number in numbers for number in range(1, n_steps + 1))
    below = (found["below"] or "").strip()
    named = {int(number) for match in _NAMED.findall(below) for number in match if number}
    said = read(below, n_steps).verdicts if below else None
    is_reason = named == set(numbers) and _FAULT.search(below) and not _NO_FAULT.search(below)
    is_reason = is_reason or _faults_each(below, numbers)
    agrees = said == verdicts if said is not None else not below or is_reason
    return Reading(verdicts=verdicts) if agrees else None


def _faults_each(below: str, numbers: list[int]) -> bool:
    """Whether each line below a list says what is wrong in one of its steps."""
    lines = [line for line in below.split("\n") if line.strip()]
    labels = [_LABELLED.match(line) for line in lines]
    if [int(label["number"]) for label in labels if label] != numbers or len(lines) != len(numbers):
        return False
    return not any(map(_CALLS_RIGHT.search, lines)) and all(map(_FAULTS.search, lines))
