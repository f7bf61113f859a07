"""Labelled lines whose verdict stands at an edge, with remarks that would leave it open or contradict it."""

import re

from evaluation.extraction.critic.recollections import LABEL
from evaluation.extraction.language.symbols import CROSSES, TICKS

_LABEL = rf"(?P<label>\W{{0,6}}{LABEL}"
# "Step 1: Partially correct about the timbre, but the count is off, so I mark it as incorrect": the last one counts.
_HALF_RIGHT = re.compile(
    rf"^{_LABEL}\W{{0,4}})(?:only )?(?:partially|partly|half|mostly|largely|somewhat|broadly)"
    r" (?:correct|right|true|accurate|fine|wrong|incorrect)(?![a-z])[^\n]{0,200}?[,;.] ?(?:and |but )*"
    r"(?=(?:so|therefore|hence|thus|overall|i(?:'d| would| will)?(?: still)? (?:mark|call|judge|label|consider|count))"
    r"(?![a-z])[^\n,;.]{0,60}(?<![a-z])(?:correct|incorrect|right|wrong|erroneous|inaccurate)(?: overall)?[.!]?$)",
    re.IGNORECASE | re.MULTILINE,
)
_PARTLY = ("ly ", "half ")
# "Step 2: Right about the violin, but the order is false → incorrect".
_ARROW_VERDICT = re.compile(
    rf"^{_LABEL}(?!>)\W{{0,4}})(?P<remark>(?:(?!->)[^\n]){{3,300}})-> ?"
    r"(?P<verdict>(?:in)?correct|right|wrong|erroneous|正确|错误|[✓✗])[.。]?$",
    re.IGNORECASE | re.MULTILINE,
)
_SUPPOSED = re.compile(
    r"(?<![a-z])(?:if|unless|or|maybe|perhaps|might|could)(?![a-z])|如果|除非|或|可能", re.IGNORECASE
)
# "2. ✗ It depends on step 1, but perhaps misreads it": the mark judges, whatever the remark leaves open.
_MARKED_LINE = re.compile(
    rf"^{_LABEL} ?)(?P<mark>[{TICKS}{CROSSES}]) (?P<remark>[^\n{TICKS}{CROSSES}]{{3,300}})$",
    re.IGNORECASE | re.MULTILINE,
)
# A remark that may take the mark back.
_REVISING = re.compile(
    r"(?<![a-z])(?:wait|actually|correction|scratch that|sorry|hmm+|no,|on (?:second|closer)|after all|changed?"
    r"|is (?:(?:in)?correct|right|wrong|fine))(?![a-z])|等等|不对|更正|其实|应该是|正确|错误",
    re.IGNORECASE,
)


def _write_mark(match: re.Match[str]) -> str:
    return match.group() if _REVISING.search(match["remark"]) else f"{match['label']}{match['mark']}"


def _write_verdict(match: re.Match[str]) -> str:
    return match.group() if _SUPPOSED.search(match["remark"]) else f"{match['label']}{match['verdict']}"


def keep_edge_verdicts(text: str) -> str:
    """Return a text whose labelled lines have only the verdict at their edge.

    >>> keep_edge_verdicts("Step 2: Right about the violin, but the order is false -> incorrect")
    'Step 2: incorrect'
    """
    if any(map(text.lower().__contains__, _PARTLY)):
        text = _HALF_RIGHT.sub(r"\g<label>", text)
    if "->" in text:
        text = _ARROW_VERDICT.sub(_write_verdict, text)
    return text if text.isascii() else _MARKED_LINE.sub(_write_mark, text)
