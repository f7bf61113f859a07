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
_NUMBERS = re.compile(r"\W*\[? ?[0-9]{1,2}(?: ?, ?[0-9]{1,2})* ?\]?\W*")
_DIGITS = re.compile("[0-9]+")
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
    lists = _LIST.findall(response)
    if len(lists) != 1 or response.count("[") != 1 or "{" in response:
        return None
    flags = tuple(flag.lower() in _TRUE for flag in _FLAG.findall(lists[0]))
    words = THINK_TAG.sub("\n", FENCE.sub("\n", _LIST.sub("\n", response))).strip()
    if len(flags) != n_steps or 2 * sum(flags) <= n_steps or not words:
        return None
    said = read(words, n_steps)
    return said if said.verdicts is not None and said.verdicts == tuple(not flag for flag in flags) else None


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
