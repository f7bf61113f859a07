"""Options gone through in their order, and lists of letters with words between them, written as plain verdicts.

"首先，……，选A；其次，……，不选B", "A. … → 是（…）", "不选A，其余BCDE均正确", "A项和B项".
"""

import re

_LETTER = "[A-Z](?![A-Za-z])"
# "A项和B项": the noun ends no list.
_NOUN_WITHIN = re.compile(
    rf"(?<=[A-Z])(?<![A-Za-z][A-Z])(?:选项|项)(?=(?:、|,|和|与|及|以及)(?:选项)?{_LETTER}(?:项|选项|、|,|和|与|及|都|均|是|符合|正确|成立|[。;\n]|$))"
)
# "其余BCDE均正确": the letters say again which they are.
_NAMED_REST = re.compile(
    r"[,;。]? ?(?:而|但)?(?:其余|其他|其它|余下|剩下|剩余)的?"
    r"(?:[两二三四五六几](?:个|项|条)(?:选项)?|各项|选项)?(?:即|:)?"
    r"(?=(?:[A-Z]{2,8}|[A-Z](?:(?:、|,|和|与|及)[A-Z]){1,7})(?:项|选项)?(?:则|也)?(?:都|均|全|皆|全都|全部)?(?:是|为|能|可)?"
    r"(?:正确|对(?![话应比白方])|成立|符合|合理|选|入选|错误|不))"
)
# "从鼻音可以判断A正确": the letter starts a clause of its own.
_BEFORE_VERDICT = re.compile(
    r"(?:^|(?<=[,。;:\n]))([^,。;:\nA-Z只仅除唯若如选或不没无非]{5,60})"
    rf"(?={_LETTER}(?:项|选项)?(?:也|则|就)?是?(?:正确|成立|合理|符合|对的?[,。;\n]|错误|错的?[,。;\n]|不对|不成立|不正确|不符合|不合理))",
    re.MULTILINE,
)
_STEP = r"(?:首先|其次|再次|然后|接着|接下来|另外|此外|同时|最后|第[一二三四五六])"
_ENDS = re.compile(
    rf"(?P<lead>(?:^|(?<=[。;\n]))(?:{_STEP},?)?)(?P<reason>[^。;\n]{{0,160}}?)(?:^|(?<=[,。;\n]))(?:所以|因此|故|应该?|可以?|则)*"
    rf"(?P<verdict>不选|不能选|排除|选择?)(?P<letter>{_LETTER})项?(?=[。;\n]|$)"
)
_CHANGES = re.compile("等等|等一下|不对|更正|改为|改选|重新|再听|还是选|或者")
_MIN_ITEMS, _MIN_ANSWERS = 3, 2
# "→ 是（炒菜声）", "-> no (it is a fly)".
_ANSWERED = re.compile(
    r" ?(?:->|→|=>|⇒) ?(?:(?P<yes>是|对|正确|成立|符合|√|✓|yes|true|correct)"
    r"|否|不是|不对|错误?|不正确|不成立|不符合?|×|✗|no|false|incorrect|wrong)"
    r"(?= ?[(（,，。.;；\n]|$)",
    re.IGNORECASE,
)
# "丢失钱包(A)和当场报警(D)是成立的": the letters of a list stand behind what they say.
_WORDS = "[\u4e00-\u9fff\ue000-\uf8ff]{1,16}"
_LETTERED = re.compile(
    rf"(?:^|(?<=[,。;:\n])){_WORDS}\([A-Z]\)(?:(?:、|,|和|与|及|以及){_WORDS}\([A-Z]\))+"
    r"(?=(?:则|也|就|都|均|全|皆|是|为|[两三四]项){0,4}(?:正确|对的|成立|符合|错误|不))"
)
_IN_BRACKETS = re.compile(r"\(([A-Z])\)")
# "A不能确定；B正确……综上，BCD。"
_CONCLUDED = re.compile(
    r"(?:综上(?:所述)?|因此|所以|故|总之|答案)[,:，：]?(?:本题|此题)?(?:应?选择?|答案)?(?:是|为)?[,:，：]? ?"
    r"(?P<list>[A-Z](?:(?:、|，|, ?|和)?[A-Z]){1,7})[。.]?\s*\Z"
)
_UNDETERMINED = re.compile(rf"(?P<letter>{_LETTER})(?:项|选项)?(?:不能|无法|难以)(?:完全)?确定(?=[,。;，；\n])")
# "A: yes. B: no. C: cannot be determined": in a review of all, what stays open is not chosen.
_ITEM = (
    r"(?<![A-Za-z])(?P<letter>[A-J])(?P<said>(?:[.):：、] ?[^\n.;:：–—。；-]{0,60}?)?(?: ?[:：–—]+ ?| - ?|(?<=[.)]) ?))"
)
_JUDGED_ITEM = re.compile(
    rf"(?:{_ITEM}|(?<![A-Za-z])[A-J]项?)(?:yes|no|true|false|(?:in)?correct|right|wrong|正确|错误?|对|成立|不成立|是|否|有|没有|✓|✗|✅|❌)(?![a-z])",
    re.IGNORECASE,
)
_ITEM_END = r"(?=\s*(?:[.;。；\n]|\Z|\(|[,，] ?(?:and )?[A-J](?![A-Za-z])))"
_LEFT_UNDETERMINED = re.compile(
    rf"{_ITEM}(?:(?:it |this )?(?:can(?:not|'t| not) be|could not be|not) (?:determined|confirmed|verified)"
    rf"|undetermined|(?:从音频)?(?:无法|不能)(?:确定|判断|确认))(?: from (?:the|this) [a-z]+)?{_ITEM_END}"
    rf"|(?P<zh>[A-J])(?P<what>(?:项|选项)?)(?:无法|不能)(?:确定|判断|确认){_ITEM_END}",
    re.IGNORECASE,
)
# 正确("灯怎么灭了?"): what is quoted behind a verdict asks nothing.
_QUOTED = re.compile(
    r"((?:不?(?:正确|成立|符合|对)|错误|是|否"
    r"|(?<![a-z])(?:(?:in)?correct|true|false|wrong|right|yes|no|(?:not )?supported))) ?"
    r"\( ?\"[^\"\n]{0,120}\" ?\)",
    re.IGNORECASE,
)
# "其余三项".
_COUNTED_REST = re.compile(
    r"(?:其余|其他|其它|剩下|剩余|余下|另外)的?(?P<count>[两二三四五六])(?:个|项|条)"
    r"|(?:other|remaining) (?P<english>two|three|four|five|six)(?![a-z])"
)
_COUNTS = {"两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}


def _write_answer(match: re.Match[str]) -> str:
    if match.string.isascii() or match.group().strip(" ->→=⇒").isascii():
        return f": {'correct' if match['yes'] else 'incorrect'}"
    return f"：{'正确' if match['yes'] else '错误'}"


def write_arrows(response: str) -> str:
    """Return a response with a plain verdict for each answer behind an arrow, "A. A bell rings → yes (twice)"."""
    if "->" not in response and "→" not in response and "=>" not in response and "⇒" not in response:
        return response
    return _ANSWERED.sub(_write_answer, response) if len(_ANSWERED.findall(response)) >= _MIN_ANSWERS else response


def _write_end(match: re.Match[str]) -> str:
    return f"{match['letter']}: {'正确' if match['verdict'].startswith('选') else '错误'}"


def _write_undetermined(match: re.Match[str]) -> str:
    if match["zh"]:
        return f"{match['zh']}{match['what']}错误"
    return f"{match['letter']}{match['said']}{'incorrect' if match.string.isascii() else '错误'}"


def reject_undetermined(response: str) -> str:
    """Write that an option cannot be determined as that it does not hold, if the conclusion leaves it out.

    >>> reject_undetermined("A不能确定，B正确，C正确。综上，BC。")
    'A不成立，B正确，C正确。综上，BC。'
    """
    concluded = _CONCLUDED.search(response) if "确定" in response else None
    if concluded is None:
        is_review = "determin" in response or "无法" in response or "confirmed" in response
        items = {match.group()[0] for match in _JUDGED_ITEM.finditer(response)} if is_review else set()
        is_open = len(_LEFT_UNDETERMINED.findall(response)) > 1 and not items
        if len(items) < _MIN_ITEMS - 1 and not is_open:
            return response
        return _LEFT_UNDETERMINED.sub(_write_undetermined, response)
    chosen = concluded["list"]
    return _UNDETERMINED.sub(
        lambda match: match.group() if match["letter"] in chosen else f"{match['letter']}不成立", response
    )


def write_enumerations(marked: str) -> str:
    """Return a text whose options are gone through one by one with a plain verdict for each.

    >>> write_enumerations("首先,下雨了,选A。其次,没有风,不选B。最后,打雷了,选C。")
    'A: 正确。B: 错误。C: 正确。'
    """
    if '("' in marked:
        marked = _QUOTED.sub(r"\1", marked)
    if ")" in marked and not marked.isascii():
        marked = _LETTERED.sub(lambda match: "、".join(_IN_BRACKETS.findall(match.group())), marked)
    if "项" in marked:
        marked = _NOUN_WITHIN.sub("", marked)
    if "正确" in marked or "成立" in marked or "合理" in marked or "符合" in marked or "对" in marked:
        marked = _BEFORE_VERDICT.sub(r"\1,", marked)
    if "其" in marked or "余" in marked or "剩" in marked:
        marked = _NAMED_REST.sub("。", marked)
    if "选" in marked and not _CHANGES.search(marked):
        items = [match["letter"] for match in _ENDS.finditer(marked)]
        if len(items) >= _MIN_ITEMS and len(set(items)) == len(items):
            marked = _ENDS.sub(_write_end, marked)
    return marked


def count_rest(skeleton: str) -> int | None:
    """How many options "the other three" are; None where they are not counted."""
    match = _COUNTED_REST.search(skeleton)
    return _COUNTS[match["count"] or match["english"]] if match else None
