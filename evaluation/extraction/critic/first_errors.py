"""First errors: sentences that say where a trace begins to be wrong, and nothing of the steps behind that.

"The first error is in step 3", "everything is fine until step 3", "第一个错误在第3步": all steps before it are correct.
"""

import re
from typing import NamedTuple

from evaluation.extraction.critic.sentence_codes import Sentence

_NAMED = r"[VnF:(Is,|-]{0,6}(?P<step>[Sm])(?=$|[^SmFN/&]|[F&][^Sm])"
# "The first error is in step 3"; "the error first appears in step 3".
_BEFORE = re.compile(rf"(?:i[sVF]*(?:[EB]s?w{{0,2}}|s[ICV]*B)|(?<!N)[EB]V?[QF]?i[wV]{{0,2}}|iwE|(?<!N)iB){_NAMED}")
# "首先在第3步出错".
_WHERE = re.compile(r"in(?P<step>S)[VnE]{0,2}[EB](?=$|[^/N])")
# "Step 3 is the first error"; "step 3 is where the first error occurs".
_BEHIND = re.compile(
    r"(?:^|[,:;&UKI])(?P<step>S)(?:iV?[EB](?=$|[^/N])|[VI]{1,2}[wnC]{0,2}i[VC]{0,2}(?:s[ICV]*B|[EB]s?)(?=$|[^/N]))"
)
_NONE = re.compile(r"(?<=N)iE|i(?:[EB]s?|s[ICV]*B)[V:(|-]+[zNZ](?=$|[.,;)])")
_WE = {"i", "we", "i had", "i'd"}
_OPEN = re.compile("[HPf?N]")
# "Everything is fine until step 3".
_GOOD = r"(?:[VWdPO]*G|[NV]*N[^GBEo]{0,3}[EB]|NE)"
_UNTIL = re.compile(
    rf"(?:^|[,;:K&]|[^S])(?P<said>[ATIRy]?s?[^SLGBEo,;]{{0,3}}{_GOOD}[^SLGBEo;]{{0,4}},?o"
    rf"|o[,wI]{{0,2}}[ATIR]?s?[^SLGBEo;]{{0,3}}{_GOOD}|oB|oVE|o[^SLGBE]{{0,3}}[EB])"
)


class Onset(NamedTuple):
    """A first error that a sentence names, or says that there is none.

    Attributes:
        steps: The one step where it is; empty where there is none.
        start: Place of the first token that says so.
        end: Place behind the last one.
    """

    steps: tuple[int, ...]
    start: int
    end: int


def speaks_of_first(codes: str) -> bool:
    """Whether a sentence speaks of a first error, wherever it is."""
    return "i" in codes and re.search("i[sVF]*[EBs]|[EBS][wVCIn]*i|inS[VnE]{0,2}[EB]", codes) is not None


def find_onset(sentence: Sentence) -> Onset | None:
    """Return the first error that a sentence names; None where it names none, or not for sure."""
    codes = sentence.codes
    if sentence.end == "?":
        return None
    if "o" in codes:
        return _find_until(sentence)
    if none := _NONE.search(codes):
        return Onset((), none.start(), none.end())
    if any(token.code == "i" and n and sentence.tokens[n - 1].text in _WE for n, token in enumerate(sentence.tokens)):
        return None  # "I first flagged step 2".
    for pattern in (_BEFORE, _WHERE, _BEHIND):
        match = pattern.search(codes)
        steps = sentence.steps_at(match.start("step"), match.end("step")) if match else ()
        if match and len(steps) == 1:
            return None if _OPEN.search(codes[: match.end()]) else Onset(steps, match.start(), match.end())
    return None


def _find_until(sentence: Sentence) -> Onset | None:
    match = _UNTIL.search(sentence.codes)
    if match is None or re.search("[HPf]", match["said"]):
        return None
    place = match.start("said") + match["said"].index("o")
    return Onset(sentence.tokens[place].steps, match.start("said"), match.end())
