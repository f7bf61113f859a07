"""The last lines of a critic that thinks aloud first: "Final: errors at 1 and 3 only", "Wrong: 2. OK: 1, 3, 4."."""

import re
from collections.abc import Callable

from evaluation.types import Reading

# "Final: 1 correct, 2 correct, 3 incorrect", below an analysis that changes its mind.
_HEADED = re.compile(
    r"^[^\w\n]*(?:(?:my )?final(?:ly)?(?: (?:answer|verdict|label|list|judge?ment|result|call|decision"
    r"|assessment)s?)?|最终(?:答案|判断|结论|结果|判定)?|(?:in )?(?:my )?(?:overall |corrected |revised )?"
    r"(?:answer|verdict|conclusion|summary|result)s?|therefore|结论|总结|综上|答案|结果)"
    r"[^\w\n]{0,4}[:：][^\w\n]{0,4}(?P<said>.+)\Z",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_DIGITS = re.compile("[0-9]+")
# What an author calls a draft is replaced by the final lines.
_DRAFT = re.compile(
    r"^[^\w\n]{0,8}(?:my )?(?:draft|guess|impression|(?:rough|first|initial|preliminary|tentative|provisional)"
    r" (?:draft|pass|guess|impression|take|labels?|verdicts?|answer)|(?:preliminary|tentative|initial)(?:ly)?(?= ?:))"
    r"(?![a-z])|^[^\w\n]{0,8}(?:草稿|初稿|初步|初判|第一遍|第一印象|初评)",
    re.IGNORECASE | re.MULTILINE,
)
_DRAFT_HINTS = (
    "raft",
    "ough ",
    "reliminar",
    "entative",
    "nitial",
    "rovisional",
    "irst ",
    "uess",
    "mpress",
    "稿",
    "初",
    "第一",
)
# Only what is thought aloud may differ from the conclusion without being taken back.
_ALOUD = re.compile(r"(?<![a-z])(?:hmm+|hm|wait|let me|at first)(?![a-z])|等等|再听|再想|再核对", re.IGNORECASE)
# What takes its meaning from the text above: another base, or values of a legend.
_DEPENDENT = re.compile(r"[\[{]|true|false|step 0|步骤 ?0|第 ?0|[0-]-?based|zero-|index", re.IGNORECASE)
# "Step 3 as well": the draft counts too.
_MORE = re.compile(
    r"(?<![a-z])(?:also|too|as well|still|again|additional(?:ly)?|another|others?|rest|remain(?:s|ing)?|same|stays?"
    r"|above|unchanged|changes?|flip(?:s|ped)?|switch(?:es|ed)?|now|previous(?:ly)?|both|agree[sd]?"
    r"|passes|draft|guess|impression|plus|in addition|besides|along with|likewise|together"
    r"|stand by|that|this|these|those)(?![a-z])"
    r"|[也还再]|同样|加上|外加|以外|其余|其他|依然|仍|同上|改为|不变",
    re.IGNORECASE,
)
# "Only step 4 is wrong" judges all steps.
_ONLY = re.compile(r"(?<![a-z])(?:only|nothing else|just)(?![a-z])|只有|仅|唯一", re.IGNORECASE)
_LONGEST = 400


def _names_every_step(text: str, n_steps: int) -> bool:
    return set(map(str, range(1, n_steps + 1))) <= set(_DIGITS.findall(text))


def _find_last_lines(text: str) -> tuple[str, str]:
    """Return the last paragraph, and what a heading in it concludes ("" where there is none)."""
    start = max((blank.end() for blank in _BLANK_LINE.finditer(text)), default=0)
    headed = _HEADED.search(text, start)
    paragraph = text[start:] if start else ""
    return paragraph, "" if headed is None or headed.start() == 0 else headed["said"]


def read_conclusion(text: str, n_steps: int, reading: Reading, read: Callable[[str, int], Reading]) -> Reading | None:
    """Read a text by its last lines where they judge all steps and the text above them was not understood.

    Args:
        text: What the critic wrote.
        n_steps: Number of steps of the trace.
        reading: Reading of the whole text.
        read: Reads a part of it.

    Returns:
        None where the last lines do not judge all steps, or leave open what the text above says.
    """
    text = text.rstrip()
    has_draft = any(map(text.__contains__, _DRAFT_HINTS)) and _DRAFT.search(text) is not None
    is_read = reading.verdicts is not None
    if is_read and not has_draft:
        return None
    paragraph, said = _find_last_lines(text)
    replaces = has_draft and not _MORE.search(said)
    replaces = replaces or (
        _ONLY.search(said) is not None and _ALOUD.search(text, 0, len(text) - len(said)) is not None
    )
    if said and (_names_every_step(said, n_steps) or (replaces and not _DEPENDENT.search(text))):
        concluded = read(said, n_steps)
        if concluded.verdicts is not None:
            return concluded
    if is_read or len(paragraph) > _LONGEST or not _names_every_step(paragraph, n_steps):
        return None
    if reading.reason != "ambiguous" and not _ALOUD.search(text, 0, len(text) - len(paragraph)):
        return None
    if _DEPENDENT.search(text):
        return None
    concluded = read(paragraph, n_steps)
    return concluded if concluded.verdicts is not None else None
