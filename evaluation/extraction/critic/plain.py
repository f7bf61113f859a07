"""Verdicts in the plainest form, a numbered line each, read without looking at sentences."""

import re
from functools import lru_cache

from evaluation.extraction.critic.accounts import number_steps
from evaluation.extraction.critic.critic_phrases import judge_phrase
from evaluation.extraction.critic.critic_tokens import tokenize_critic

_LINE = re.compile(
    r"[-*• ]{0,4}(?:steps? |步骤 ?|第 ?)?([0-9]{1,3}) ?(?:步 ?)?[*_]{0,2}[:.)、|]?[*_]{0,2} ?(?:-{1,2} )?[*_]{0,2}"
    r"([a-z]{2,12}(?: error)?|[\u4e00-\u9fff]{1,3}|[✓✔✅☑√✗✘❌×])[*_]{0,2}(?:$|[.,;:!|。](?:$|\s)|(?= [(-]))(.*)",
    re.IGNORECASE,
)
_HEADS = re.compile(
    r"(?:(?:errors?|mistakes?|issues?|problems?|错误|问题)[*_ ]{0,3}[:|]"
    r"|[^:|\n]{1,20}[:|][*_ ]{0,3}(?:no|yes|none|true|false|n/a|否|是|无|有|没有)(?![a-z]))",
    re.IGNORECASE,
)
# Codes of words that neither revise nor leave open what was said.
_NEUTRAL = frozenset("w,.FnICVQNcJ-():&UdmystGBE|")
_JUDGED = re.compile("([NVdW]*)([GBE])")


@lru_cache(maxsize=8192)
def _polarities(reason: str) -> frozenset[bool] | None:
    """What the verdicts within a reason say; None where it could also take back what stands before it."""
    codes = "".join(token.code for token in tokenize_critic(reason, 1))
    if not _NEUTRAL.issuperset(codes):
        return None
    return frozenset((core in "BE") != (negated.count("N") == 1) for negated, core in _JUDGED.findall(codes))


def _agrees(reason: str, erroneous: bool) -> bool:
    polarities = _polarities(reason)
    return polarities is not None and polarities <= {erroneous}


def read_plain(text: str, n_steps: int) -> tuple[bool, ...] | None:
    r"""Read one numbered line a step, each with a verdict and a reason that judges nothing; None for any other text.

    >>> read_plain("Step 1: correct\n\nStep 2: wrong, nothing is heard.", 2)
    (False, True)
    """
    numbers: list[int] = []
    said: list[bool] = []
    for line in text.split("\n"):
        if not line or line.isspace():
            continue
        match = _LINE.fullmatch(line)
        erroneous = judge_phrase(match[2]) if match else None
        if match is None or erroneous is None or (match[3] and not _agrees(match[3], erroneous)):
            return None
        if (":" in match[0][match.end(2) :] or "|" in match[0][match.end(2) :]) and _HEADS.match(line, match.start(2)):
            return None  # "Step 1: Error: none".
        numbers.append(int(match[1]))
        said.append(erroneous)
    if not numbers or numbers != list(range(numbers[0], numbers[0] + len(numbers))) or numbers[0] > 1:
        return None
    verdicts = number_steps(numbers, said, n_steps)
    return tuple(verdicts.by_step[step] for step in range(n_steps)) if verdicts.problem is None else None
