"""Rows with a count or a kind of error for each step: "errors per step: 0, 2, 0, 1", "no error – existence error"."""

import re

_NOUN = r"(?:errors?|mistakes?|flaws?|problems?|issues?)"
_EACH = r"(?:per|by|in each|for each|of each|in every|for every) (?:reasoning )?step"
_NOUN_ZH = r"(?:错误|问题|差错)"
_SEPARATOR = r"(?: ?[,;/|、]|-{1,2}|(?= )) ?"
_COUNTS = re.compile(
    rf"(?:(?:(?:(?:the )?(?:number|count)s? of )?{_NOUN}(?: counts?)? {_EACH}|{_NOUN} counts? {_EACH}"
    rf"|(?:各|每)(?:一|个)?个?步骤?(?:中|里)?的?{_NOUN_ZH}(?:的)?(?:数量|数目|个数|计数|数)?)"
    rf"|(?:the )?(?:{_NOUN} counts?|(?:number|count)s of {_NOUN})|{_NOUN_ZH}的?(?:数量|数目|个数|计数|数))"
    rf"[*\"]{{0,3}} ?(?::|=|are|is|分别为|分别是|依次为|依次是|为|是) ?[*\"]{{0,3}}"
    rf"[\[(]?(?P<row>[0-9]{{1,2}}(?:{_SEPARATOR}[0-9]{{1,2}})+)(?![0-9%:]|\.[0-9])[\])]?",
    re.IGNORECASE,
)
_LONGEST = 600
# What a response without one of these has no such row by.
_HINTS = ("rror", "ERROR", "istake", "law", "roblem", "ssue", "错误", "问题", "差错")
_COUNT_HINTS = ("er step", "y step", "ach ", "very ", "ount", "umber", "COUNT", "NUMBER", "PER STEP", "每", "各", "数")
# "Error count: 1 (step 3)", 错误数量：0, the total; 每步错误：1 无，2 有, whose numbers are of steps.
_TOTAL = re.compile(
    r"(?:错误的?(?:总数|数量|数目|个数|数)|(?:number of errors|error count)) ?(?::|是|为|=) ?"
    r"([0-9]{1,2})(?![0-9:]| ?[,;/、] ?[0-9])个?[^\n]*"
    r"|[各每][一个]?个?步骤?的?错误(?:情况)? ?: ?[0-9]{1,2} ?[:.]? ?(?:无|有|没)[^\n]*",
    re.IGNORECASE,
)
_NUMBER = re.compile("[0-9]+")
_LEAD = re.compile(
    r"[*\"]{0,3}(?:(?:final |my )?(?:verdicts?|labels?|results?|answers?|judge?ments?|steps?)(?: per step| by step)?"
    rf"|{_NOUN}(?: types?| kinds?)?(?: {_EACH})?|结果|答案|判断|结论"
    rf"|各步(?:骤)?(?:的)?(?:判断|错误类型|结果)?) ?[*\"]{{0,3}}[:：] ?",
    re.IGNORECASE,
)
_GAP = re.compile(
    r" ?\n+(?:[-*•] )?| ?[,;/|、] ?| ?-{2,} ?| - | ?[–—]+ ?| ?-> ?|(?<=[\u4e00-\u9fff]) ?- ?(?=[\u4e00-\u9fff])"
)
_NONE = re.compile(
    r"(?:there is )?no (?:errors?|mistakes?)(?: found| detected| here| present)?|none|(?:error|mistake)-free|correct"
    r"|right|无(?:错误|误|错)|没有?错误?|没有?问题|正确",
    re.IGNORECASE,
)
_KIND = re.compile(
    r"(?:an? )?(?:existence|semantic|temporal|timing|acoustic(?:[ -]attributes?)?|attribute|cross-modal(?:[ -]binding)?"
    r"|binding|reasoning|logic(?:al)?|factual|perception|perceptual|counting|spatial|order(?:ing)?|hallucination)"
    r" (?:error|mistake)|(?:存在|语义|时[序间]|声学(?:属性)?|属性|(?:跨模态)?绑定|跨模态|推理|逻辑|事实|感知|计数"
    r"|空间|顺序|幻觉)性?错误",
    re.IGNORECASE,
)


def _read_kinds(text: str) -> list[bool] | None:
    """Whether each member of a row is an error; None where the text is no row of kinds of error."""
    line = text.strip(" .。\n")
    lead = _LEAD.match(line)
    line = line[lead.end() :] if lead else line
    if not (_NONE.match(line) or _KIND.match(line)):
        return None
    parts = _GAP.split(line)
    said = [False if _NONE.fullmatch(part) else True if _KIND.fullmatch(part) else None for part in parts]
    if len(said) < 2 or None in said or True not in said:
        return None
    return [bool(each) for each in said]


def read_error_row(text: str, n_steps: int) -> list[bool] | None:
    """Read a response that is one row, with a count or a kind of error for each step.

    Args:
        text: The response, in half-width signs.
        n_steps: Number of steps of the trace.

    Returns:
        Whether each step is erroneous; an empty list where the row has another length than the trace or stands among
        other words, and for a total above 0; None where there is no such row.

    >>> read_error_row("Errors per step: 0, 2, 0, 1", 4), read_error_row("no error, semantic error", 3)
    ([False, True, False, True], [])
    """
    if not any(hint in text for hint in _HINTS):
        return None
    counted = _COUNTS.search(text) if any(hint in text for hint in _COUNT_HINTS) and _NUMBER.search(text) else None
    if counted is not None:
        counts = list(map(int, _NUMBER.findall(counted["row"])))
        whole = counted.group() == text.strip(" .。\n*")
        return [count > 0 for count in counts] if whole and len(counts) == n_steps else []
    if ("错误" in text or "rror" in text) and (total := _TOTAL.fullmatch(text.strip())) is not None:
        return [] if int(total[1] or 1) else [False] * n_steps
    kinds = _read_kinds(text) if len(text) < _LONGEST else None
    return kinds if kinds is None or len(kinds) == n_steps else []
