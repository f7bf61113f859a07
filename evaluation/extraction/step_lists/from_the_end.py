"""Steps named from the end, and those between the first and the last, by their numbers: "the second to last step"."""

import re

from evaluation.extraction.critic.numbers import CHINESE_NUMBERS, SPELLED_NUMBERS, read_number
from evaluation.extraction.language.symbols import ORDINALS

_ORDINAL = "|".join(ORDINALS)
_STEP = "(?: (?:reasoning )?step| one)"
_ENGLISH = re.compile(
    rf"(?<![a-z])(?:the )?(?:(?<!from the )(?<!from )(?P<nth>{_ORDINAL}|next|[0-9](?:st|nd|rd|th))"
    rf"(?:[ -]to[ -]|-to-the-|-from-)(?:last|end){_STEP}"
    rf"|(?P<last>{_ORDINAL})[ -]last{_STEP}|last but (?P<but>one|two|three){_STEP}"
    rf"|last step but (?P<behind>one|two|three)"
    rf"|(?P<from>{_ORDINAL}) step from (?:the )?(?:end|last|bottom|back)|(?P<ante>antepenultimate){_STEP})(?![a-z])",
    re.IGNORECASE,
)
_NUMBER_ZH = f"(?:[0-9]{{1,2}}|[{CHINESE_NUMBERS}]{{1,2}})"
_CHINESE = re.compile(
    rf"(?:倒数|从(?:后|末尾|最后|结尾)(?:往前|向前|起|倒)?(?:数)?(?:起)?)的?第 ?(?P<n>{_NUMBER_ZH}) ?个?(?:推理)?步骤?"
)
# "倒数第一步和第二步": whether the second is counted from the end as well stays open.
_LISTED_BACK = re.compile(rf"倒数第 ?{_NUMBER_ZH} ?个?步?骤?[和与及、]第 ?{_NUMBER_ZH}")
_LAST_FEW = re.compile(f"(?:倒数)(?P<n>{_NUMBER_ZH}|两) ?个?步骤?")
_LEFT = re.compile("倒数(?=第|[0-9一二三四五六七八九十两几]个?步)|从(?:后|末尾|最后|结尾)(?:往前|向前|倒)数")
# "The opening and the closing step", 首尾两步.
_OPENING, _CLOSING = "(?:opening|first|initial|starting)", "(?:closing|last|final|concluding)"
_ENDS = re.compile(
    rf"(?<![a-z])(?:(?:both )?(?:the )?{_OPENING}(?: step)? and (?:the )?{_CLOSING} steps?"
    rf"|(?:both )?(?:the )?{_CLOSING}(?: step)? and (?:the )?{_OPENING} steps?)(?![a-z])",
    re.IGNORECASE,
)
_ENDS_ZH = re.compile(
    r"(?:首尾|头尾)(?:这?[两二2]个?)?步骤?|(?:开头|首)(?:一步)?[和与及](?:结尾|末尾|末|最后一步)的?(?:[两二2]个?)?(?:步骤?)?"
    r"|(?:第一|首)步[和与及]最后一步|最后一步[和与及](?:第一|首)步"
)
_BETWEEN = re.compile(
    rf"(?<![a-z])(?:(?:all )?(?:the |those )?(?:(?P<count>{'|'.join(SPELLED_NUMBERS)}|[1-9])(?: steps| ones)?|steps"
    r"|ones)|all|those|everything) (?:in between|in the middle|between them)(?![a-z])"
    r"|中间的?(?P<zh>[0-9一二三四五六七八九十两])个?(?:步骤|步)",
    re.IGNORECASE,
)
# "The opening and the third step".
_OPENS = re.compile(
    rf"(?<![a-z])(?:the )?(opening|initial|starting|closing|concluding) (?=and (?:the )?(?:{_ORDINAL}) step)",
    re.IGNORECASE,
)


def _count_back(match: re.Match[str], n_steps: int) -> str:
    nth = match["nth"] or match["last"] or match["from"]
    if nth:
        back = 2 if nth.lower() == "next" else read_number(nth.lower())
    else:
        back = 3 if match["ante"] else 1 + read_number((match["but"] or match["behind"]).lower())
    return f"step {n_steps + 1 - back}" if 0 < back <= n_steps else match.group()


def _count_back_in_chinese(match: re.Match[str], n_steps: int) -> str:
    back = read_number(match["n"])
    back = int(match["n"]) if match["n"].isdigit() else back
    return f"第{n_steps + 1 - back}步" if 0 < back <= n_steps else match.group()


def name_from_start(text: str, n_steps: int) -> str | None:
    """Return a text with such steps by their numbers; None where it counts from the end in a way of its own.

    >>> name_from_start("The second-to-last step is wrong.", 6), name_from_start("倒数第二步错了", 6)
    ('step 5 is wrong.', '第5步错了')
    """
    lowered = text.lower()
    if "last" in lowered or " from " in lowered or "antepen" in lowered:
        text = _ENGLISH.sub(lambda match: _count_back(match, n_steps), text)
    if "倒数" in text or "从" in text:
        if _LISTED_BACK.search(text):
            return None
        text = _CHINESE.sub(lambda match: _count_back_in_chinese(match, n_steps), text)
        text = _LAST_FEW.sub(r"最后\g<n>步", text)
        if _LEFT.search(text):
            return None
    if "ing " in text or "ial " in text:
        text = _OPENS.sub(
            lambda match: "the last " if match[1].lower() in {"closing", "concluding"} else "the first ", text
        )
    ends = "last" in lowered or "final" in lowered or "clos" in lowered or "conclud" in lowered or "尾" in text
    if n_steps > 2 and (ends or "最后" in text or "末" in text) and (_ENDS.search(text) or _ENDS_ZH.search(text)):
        text = _ENDS.sub(f"steps 1 and {n_steps}", text)
        text = _ENDS_ZH.sub(f"第1步和第{n_steps}步", text)
        return _name_between(text, n_steps)
    return text


def _name_between(text: str, n_steps: int) -> str | None:
    """Name the steps between the first and the last; None where there are not as many as are counted."""
    for match in _BETWEEN.finditer(text):
        counted = match["count"] or match["zh"]
        count = int(counted) if counted and counted.isdigit() else read_number(counted.lower()) if counted else None
        if count not in {None, n_steps - 2}:
            return None
    return _BETWEEN.sub(lambda match: "其余步骤" if match["zh"] else "the other steps", text)
