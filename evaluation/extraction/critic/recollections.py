"""What a critic thought of a step at first, where it tells at once what it found instead."""

import re

_STEP = r"(?:step #?[0-9]{1,2}|the (?:first|second|third|fourth|fifth|sixth|seventh|eighth|last|final) step)"
_ENGLISH = re.compile(
    r"(?<![a-z])(?:at first|initially|originally|to begin with|in the beginning),? i (?:had )?(?:judged|thought"
    r"|believed|considered|took|marked|found|called|flagged|rated|deemed|held|labell?ed)(?: that)?"
    rf" (?P<step>{_STEP}) (?:(?:was|is|to be|as|were) )?(?:[a-z]+ly )?[a-z]+ ?[,;.] ?(?:and |then )*"
    r"(?=(?:but|yet|however|after|upon|on|listening|now|later|having|a (?:second|closer)|when)(?![a-z]))",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"(?:我|本来|原本)?(?:起初|一?开始时?|最初|原先|原本|本来|起先|先前|刚开始|本)我?(?:还|曾|也)?"
    r"(?:把|将|以为|认为|判断|觉得|判定|认定|感觉|怀疑)(?P<step>第 ?[0-9一二三四五六七八九十]{1,2} ?步)"
    r"(?!骤?(?:[和与及、]|到))[^。;,\n]{1,12}[,;。] ?"
    r"(?=(?:但是?|可是?|不过|然而|而)?,?(?:重听|重新|再听|再次|后来|之后|听了|仔细|复听|回听|现在|反复|多听|随后|经过))"
)
# It must speak of that step again: "发现它是对的".
_BACK = re.compile(r"(?<![a-z])(?:it|this step|that step|the step)(?![a-z])|[它其]|这一?步|该步", re.IGNORECASE)


def _keep_step(match: re.Match[str]) -> str:
    """Leave the step, and of its verdict nothing."""
    rest = re.split(r"[.;。\n]", match.string[match.end() :], maxsplit=1)[0]
    return f"{match['step']}, " if _BACK.search(rest) else match.group()


def drop_recollections(text: str) -> str:
    """Return a text without the verdicts that its author only remembers.

    >>> drop_recollections("At first I judged step 2 wrong; after listening again I found that it is right.")
    'step 2, after listening again I found that it is right.'
    """
    if "first" in text or "nitially" in text or "riginally" in text or "begin" in text:
        text = _ENGLISH.sub(_keep_step, text)
    return _CHINESE.sub(_keep_step, text) if "步" in text else text
