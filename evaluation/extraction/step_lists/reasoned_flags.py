"""Truth values with reasons: "Step 2: False. There are two dogs, not three" judges the claim of the step.

The prompt asks for a true at an erroneous step. Where only the steps called false have a reason, and it says what is
heard instead or stands behind the claim of the step, true means correct; also where the steps called true have reasons
as well, but only those of the others correct something.
"""

import re

from evaluation.extraction.language.units import list_units

_LINE = re.compile(
    r"^(?P<label>[-*•( ]{0,4}(?:steps? ?#?|步骤 ?|第 ?)?[0-9]{1,2}\)?(?: ?步)?[*_]{0,2}"
    r"(?: ?\([\"'][^\"'\n]{1,160}[\"']\))? ?[:.)-]{1,2} ?[*_]{0,2})"
    r"(?P<flag>true|false)[*_]{0,2}(?P<reason>(?:[.,;:(–—-]| -|, because| because| since)[^\n]*)?$",
    re.IGNORECASE | re.MULTILINE,
)
_WORD = re.compile(r"[a-z]{2}|[\u4e00-\u9fff]", re.IGNORECASE)
_INSTEAD = re.compile(
    r"(?<![a-z])(?:not|no|never|instead|rather|actually|in fact|only|but|nobody|nothing|neither|contradicts?|absent"
    r"|missing|wrong|incorrect|isn't|aren't|wasn't|doesn't|don't|didn't|can't|cannot)(?![a-z])|不|没|并非|而是|其实|实际|只有",
    re.IGNORECASE,
)
# "Three times, not four", "it should be three": what corrects a claim.
_CORRECTS = re.compile(
    r", (?:and )?not |(?<![a-z])(?:instead|rather than|should (?:be|have been)|contradicts?"
    r"|misidentif[a-z]+|mistaken|wrong|incorrect)(?![a-z])|而不是|而非|并非|应该?[是为]|实际上?|其实",
    re.IGNORECASE,
)
# Behind the claim of the step, "Step 1 ('It is a trumpet') – False; it's a saxophone", false judges the claim.
_CLAIMED = re.compile(r"\([\"']")
# A reason that agrees with the step leaves open what false means.
_AGREES = re.compile(
    r"(?<![a-z])(?:(?:is|are|was|were|sounds?|seems?|looks?|all|quite|as)"
    r" (?:correct|right|accurate|supported|stated|described|fine)|match(?:es)?|fits?|indeed"
    r"|(?:no|any|an) (?:error|mistake|problem)s?|agree[sd]?|confirmed|holds|nothing (?:is )?(?:wrong|incorrect)"
    r"|(?:not|isn't|aren't) (?:wrong|incorrect|mistaken)|rightly|right here|(?:actually|indeed) (?:heard|said|there)"
    r")(?![a-z])|正确|相符|符合|一致|属实|无误",
    re.IGNORECASE,
)


def _is_true(line: re.Match[str]) -> bool:
    return line["flag"].lower() == "true"


def _spell(line: re.Match[str]) -> str:
    return f"{line['label']}{'correct' if _is_true(line) else 'incorrect'}{line['reason'] or ''}"


def _repeats_claim(line: re.Match[str]) -> bool:
    """Whether the reason of a false line agrees with the claim of the step, or has a word of it."""
    reason = line["reason"] or ""
    said, claimed = (frozenset(list_units(text.lower())) for text in (reason, line["label"]))
    return not _is_true(line) and (_AGREES.search(reason) is not None or not said.isdisjoint(claimed))


def spell_reasoned_flags(text: str, n_steps: int) -> str | None:
    r"""Return a text whose truth values have reasons with the verdicts in their place.

    Args:
        text: The response.
        n_steps: Number of steps of the trace.

    Returns:
        Any other text as it is; None where reasons at all false steps leave open what true means.

    >>> spell_reasoned_flags("1: true, it is one dog, not two\n2: false, it fits", 2)
    '1: true, it is one dog, not two\n2: false, it fits'
    >>> spell_reasoned_flags("1: true\n2: false, there are two dogs, not three", 2)
    '1: correct\n2: incorrect, there are two dogs, not three'
    """
    if "{" in text or "alse" not in text or "rue" not in text:
        return text
    lines = list(_LINE.finditer(text))
    if len(lines) != n_steps or _LINE.sub("", text).strip():
        return text
    of_true, of_false = ([line["reason"] or "" for line in lines if _is_true(line) is flag] for flag in (True, False))
    if not of_true or not of_false or not all(map(_WORD.search, of_false)):
        return text
    corrects_all = all(map(_CORRECTS.search, of_false)) and not any(map(_AGREES.search, of_false))
    if any(map(_WORD.search, of_true)):
        agree = not any(_INSTEAD.search(reason) or _CORRECTS.search(reason) for reason in of_true)
        return _LINE.sub(_spell, text) if corrects_all and agree and all(map(_WORD.search, of_true)) else text
    is_claimed = all(_CLAIMED.search(line["label"]) for line in lines) and not any(map(_repeats_claim, lines))
    is_opposed = corrects_all or all(map(_INSTEAD.search, of_false))
    return _LINE.sub(_spell, text) if is_claimed or is_opposed else None
