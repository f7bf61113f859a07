"""Scores of a whole trace, "correct 5/5, incorrect 0/5", where all of its steps or none of them are correct."""

import re

_OF = r"(?P<{0}>[0-9]{{1,2}}) ?(?:/|of|out of) ?(?:the )?(?P<{0}all>[0-9]{{1,2}})"
_GOOD = r"(?:correct|right|ok|okay|accurate|valid|sound)"
_BAD = r"(?:incorrect|wrong|erroneous|errors?|mistakes?|flawed|false)"
_BEHIND = r"(?: (?:reasoning )?steps?(?: (?:is|are|were))?)? ?"
_SCORE = re.compile(
    rf"(?<![a-z])(?:(?P<said>{_GOOD}|{_BAD})(?: steps?)? ?[:=]? ?{_OF.format('k')}"
    rf"|{_OF.format('m')}{_BEHIND}(?P<behind>{_GOOD}|{_BAD})(?: steps?)?|(?P<z>0|no|zero"
    rf"|none)(?: steps?)?(?: (?:is|are))? (?P<zbad>{_BAD}))(?![a-z])"
    r"|(?P<zh>正确|错误|有误)(?:的?步骤)?[:：]?(?P<zhk>[0-9]{1,2}) ?/ ?(?P<zhkall>[0-9]{1,2})"
    r"|(?P<zhmall>[0-9]{1,2})个?步骤?中?,?有?(?P<zhm>[0-9]{1,2})个?步?(?P<zhbehind>正确|错误|有误)|(?P<zhz>0)个?步?(?:错误|有误)",
    re.IGNORECASE,
)
_COUNTED = re.compile("[0-9] ?(?:/|(?:out )?of)")
_ISGOOD = re.compile(rf"{_GOOD}|正确", re.IGNORECASE)
_LEAD = re.compile(r"\A[^.;:\n]{0,60}:")
_WORD = re.compile(r"[A-Za-z\u4e00-\u9fff]+")
_LONGEST, _MAX_WORDS = 160, 4


def spell_score(text: str, n_steps: int) -> str:
    """Return a score of all or none of the steps as a sentence; any other text as it is.

    >>> spell_score("Score sheet: correct 5/5, incorrect 0/5.", 5), spell_score("correct 4/5", 5)
    ('All steps are correct.', 'correct 4/5')
    """
    if len(text) > _LONGEST or not (_COUNTED.search(text) or "个" in text):
        return text
    scores = list(_SCORE.finditer(text))
    rest = _SCORE.sub(" ", text)
    rest = (
        rest[lead.end() :] if scores and (lead := _LEAD.match(rest)) and lead.end() <= scores[0].start() + 1 else rest
    )
    if not scores or len(_WORD.findall(rest)) > _MAX_WORDS or any(map(str.isdigit, rest)):
        return text
    said: set[bool] = set()
    for score in scores:
        wrong, number, total = _read_score(score, n_steps)
        if total != n_steps or number not in {0, n_steps}:
            return text
        said.add(wrong == (number == n_steps))
    return text if len(said) != 1 else f"All steps are {'wrong' if said.pop() else 'correct'}."


def _read_score(score: re.Match[str], n_steps: int) -> tuple[bool, int, int]:
    """Whether a score counts errors, how many, and of how many steps."""
    if score["z"] or score["zhz"]:
        return True, 0, n_steps
    word = score["said"] or score["behind"] or score["zh"] or score["zhbehind"]
    number = score["k"] or score["m"] or score["zhk"] or score["zhm"]
    total = score["kall"] or score["mall"] or score["zhkall"] or score["zhmall"]
    return _ISGOOD.fullmatch(word) is None, int(number), int(total)
