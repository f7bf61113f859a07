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
# "At first glance everything appears to be right. However, …": what only seemed so.
_SIGHT = (
    r"at first (?:glance|sight|hearing|look)"
    r"|on (?:a |the )?(?:first|initial|cursory) (?:listen(?:ing)?|hearing|look|read(?:ing)?|pass|glance)"
    r"|on the (?:surface|face of it)|superficially"
)
_AT_FIRST = "(?:at first|initially|to begin with|in the beginning)"
_SEEMED = "(?:seem|appear|look|sound|thought|believed|assumed|felt)"
_WEAK = rf"{_AT_FIRST}[^.;!?\n]{{0,80}}(?<![a-z]){_SEEMED}(?:s|ed)?|{_SEEMED}[^.;!?\n]{{1,60}}{_AT_FIRST}"
_THEN = (
    r"(?:however|but|yet|nevertheless|on (?:a )?(?:closer|second|careful|repeated|another)|upon"
    r"|listening (?:again|more|closely)|after (?:a|listening|another)"
    r"|a (?:closer|second|careful|more careful) (?:look|listen|hearing|inspection)"
    r"(?! (?:confirms|supports|bears|shows that (?:it|everything|all))))(?![a-z])"
)
_IMPRESSION = re.compile(
    rf"(?:(?<=[.!?\n;] )|(?<=\n)|\A)(?=[^.;!?\n]{{0,120}}(?<![a-z])(?:{_SIGHT}|{_WEAK})(?![a-z]))"
    rf"(?P<said>[^.;!?\n]{{5,200}}?)(?:[.;] ?\n*|, )(?:and |so )?(?={_THEN})",
    re.IGNORECASE,
)
_IMPRESSION_IN_CHINESE = re.compile(
    r"(?:(?<=[。;.\n])|\A) ?(?P<said>(?:乍一?[看听]|初看|初听|粗看|表面上?看?|第一遍听|一眼看去|第一眼看去?)"
    r"[^。;\n]{1,40}?)[,。;.] ?(?=但|然而|不过|可是|仔细|再听|再仔细|反复听)"
)
_CHINESE_STEP = re.compile("第 ?[0-9一二三四五六七八九十]{1,2} ?步|步骤 ?[0-9]{1,2}")
_NAMES_STEP = re.compile(
    r"(?<![a-z])(?:steps? ?#?[0-9]|the [a-z]+ step)|第 ?[0-9一二三四五六七八九十]|步骤 ?[0-9]", re.IGNORECASE
)
_LIST_OF_STEPS = re.compile(r"steps|第[^步]{1,2}[、和与到至]|[0-9] ?(?:,|and|to|-) ?[0-9]", re.IGNORECASE)
# It must speak of that step again: "发现它是对的".
_BACK = re.compile(r"(?<![a-z])(?:it|this step|that step|the step)(?![a-z])|[它其]|这一?步|该步", re.IGNORECASE)


# "Step 2: This looked like an error at first, but there really are three knocks. Correct."
LABEL = r"(?:step #?[0-9]{1,2}|步骤 ?[0-9]{1,2}|第 ?[0-9一二三四五六七八九十]{1,2} ?步|[0-9]{1,2}) ?[:：.)|-]{1,2} ?"
_LABELLED_IMPRESSION = re.compile(
    rf"^(?P<label>\W{{0,6}}{LABEL}\W{{0,4}})(?=[^.;!?\n]{{0,120}}(?<![a-z])(?:{_SIGHT}|{_WEAK})(?![a-z]))"
    rf"(?![^.;!?\n]{{0,20}}step )[^.;!?\n]{{3,160}}?[.;,] ?(?={_THEN})",
    re.IGNORECASE | re.MULTILINE,
)
_LABELLED_IMPRESSION_IN_CHINESE = re.compile(
    rf"^(?P<label>\W{{0,6}}{LABEL}\W{{0,4}})(?:乍一?[看听]|初看|初听|粗看|第一遍听|一?开始(?:觉得|以为|听)|起初|最初)"
    r"[^。;\n]{1,40}?[,，。;.] ?"
    r"(?=但|然而|不过|可是|仔细|再听|再仔细|反复听)",
    re.MULTILINE | re.IGNORECASE,
)


def _keep_step(match: re.Match[str]) -> str:
    """Leave the step, and of its verdict nothing."""
    rest = re.split(r"[.;。\n]", match.string[match.end() :], maxsplit=1)[0]
    return f"{match['step']}, " if _BACK.search(rest) else match.group()


def _drop_impression(match: re.Match[str]) -> str:
    """Leave out what seemed so of the whole trace; of what seemed so of one step, leave the step."""
    said = match["said"]
    named = _NAMES_STEP.findall(said)
    if not named:
        return ""
    if len(named) > 1 or _LIST_OF_STEPS.search(said):
        return match.group()
    if chinese := _CHINESE_STEP.search(said):
        return f"我听了{chinese.group()}。"
    step = re.search(_STEP, said, re.IGNORECASE)
    return f"I listened to {step.group()}. " if step else match.group()


def drop_recollections(text: str) -> str:
    """Return a text without the verdicts that its author only remembers.

    >>> drop_recollections("At first I judged step 2 wrong; after listening again I found that it is right.")
    'step 2, after listening again I found that it is right.'
    """
    if "first" in text or "nitially" in text or "riginally" in text or "begin" in text:
        text = _ENGLISH.sub(_keep_step, text)
    if "first" in text or "nitial" in text or "surface" in text or "superficial" in text.lower() or "begin" in text:
        text = _LABELLED_IMPRESSION.sub(r"\g<label>", text)
        text = _IMPRESSION.sub(_drop_impression, text)
    if "看" in text or "听" in text or "表面" in text:
        text = _LABELLED_IMPRESSION_IN_CHINESE.sub(r"\g<label>", text)
        text = _IMPRESSION_IN_CHINESE.sub(_drop_impression, text)
    return _CHINESE.sub(_keep_step, text) if "步" in text else text
