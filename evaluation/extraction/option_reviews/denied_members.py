"""Denials and names of several options: "I don't hear any violin, flute or trumpet", "Anger (B) and sadness (D)"."""

import re

from evaluation.extraction.language.spelling import lower
from evaluation.extraction.language.symbols import ARTICLE_OR_I
from evaluation.extraction.language.units import is_negative
from evaluation.extraction.option_reviews.absences import deny_absent
from evaluation.extraction.option_texts.options import PLACEHOLDER_BASE

_TEXT = "[\ue000-\uf8ff]"
_ARTICLE = "(?:any |either |the |an? )?"
# A text, or an option in other words: "thunder, baby or applause".
_MEMBER = f"(?:{_TEXT}|[a-z]+(?: [a-z]+)?)"
_OF_IT = "(?:(?:trace|sign|hint|sound|evidence)s? of )?"
_DENIED = re.compile(
    r"(?:(?<![a-z])(?:(?:i|we|you) )?(?:do not|don't|did not|didn't|cannot|can't|can not|could not|couldn't)"
    r" (?:really |actually |clearly )?(?:hear|detect|find|notice|make out|perceive|recogni[sz]e|identify)"
    r"|(?<![a-z])(?:it|they|this|that|he|she) (?:(?:is|are|was|were) not|(?:is|are|was|were)n't)(?= (?:any|either) )"
    r"|(?<![a-z])(?:there(?: is|'s| are) |with )?(?=no ))"
    rf" ?(?:no )?{_OF_IT}{_ARTICLE}(?P<list>{_TEXT}(?:,? (?:or|and|nor) {_ARTICLE}{_TEXT}|, {_ARTICLE}{_TEXT}){{1,9}}"
    rf"|{_MEMBER}(?:, {_ARTICLE}{_MEMBER}){{0,8}},? (?:or|nor) {_ARTICLE}{_MEMBER})"
    r"(?= ?[.;!\n]|\Z)",
    re.IGNORECASE,
)
# "Joy; no anger": the denial is about what follows, no verdict on what stands before.
_NEW_CLAUSE = re.compile(rf";(?= (?:and |but )?(?:there(?: is|'s| are) )?no {_OF_IT}{_ARTICLE}{_TEXT})", re.IGNORECASE)
_TEXTS = re.compile(_TEXT)
_NAMED_TWICE = re.compile(rf"(?P<text>{_TEXT}) ?\((?P<letter>[A-Z])\)")
_NUMBERED_TEXT = re.compile(rf"(?<![\w.(\n])[(]?(?P<number>[1-9])[).:](?!\n) ?(?P<text>{_TEXT})")
_LETTER = re.compile("(?<![A-Za-z'])[A-Z](?![A-Za-z'])")
_NAME = rf"(?:[Tt]he |[Aa]n? )?(?:{_TEXT}|(?<![A-Za-z])[A-Za-z]+(?: [a-z]+)?) \([A-Z]\)"
_LETTERED = re.compile(rf"{_NAME}(?:, {_NAME})*,? and {_NAME}(?= (?:are|were|can|both)(?![a-z]))")
# "The bus (C), not a taxi": what is not an option.
_CONTRASTED = re.compile(r", not (?:an? |the |at |in |by |to |from )*[a-z]+(?= ?[,.;(\n]|$)", re.IGNORECASE)
# "They meet at the station, not at the café (C)", where C is what stands before.
_NAMED_AND_CONTRASTED = re.compile(
    rf"(?P<text>{_TEXT}), (?:and )?not (?!even|only)[^,.;()\n\ue000-\uf8ff]{{1,40}} (?P<letter>\([A-Z]\))"
)
_WEIGHING = re.compile(
    r"(?<![a-z])(?:or|if|unless|only|but|maybe|perhaps|might|could|would|may|than|wrong|false|either|missing|absent"
    r"|excluded|ruled|unlike|nor|neither|whether|possibly|rather|instead|except|although|though|thought|first|wait"
    r"|actually|incorrect|says?|claims?|states?|candidates?|options?|offered|listed)(?![a-z])|\?|[\u4e00-\u9fff✗✘×❌]",
    re.IGNORECASE,
)
_FEWEST = 2
# "From minor to major, not the reverse": that denies no option.
_NOT_REVERSED = re.compile(
    r",? (?:and |but )?(?:not|rather than|instead of) (?:in )?(?:the )?(?:reverse(?: order| direction)?"
    r"|opposite(?: way| direction)?|other way (?:a?round)"
    r"|vice[- ]versa|conversely|contrary)(?= ?(?:[.,;(\n]|$))"
)
_LIST = (
    rf"(?:(?:the|an?) (?:(?:claimed|supposed|alleged|listed|mentioned) )?)?{_TEXT}(?:(?:, (?:and )?| and | or "
    rf"|, or )(?:(?:the|an?) )?{_TEXT})*"
)
_SIGN = rf"(?:{_TEXT}|(?<![A-Za-z])[A-J](?![A-Za-z]))"
_SIGNS = re.compile(_SIGN)
_NAMED = (
    rf"(?:(?:the |an? )?(?:{_TEXT}|[a-z]+(?: [a-z]+)?(?= \())(?: \([A-J]\))?|(?<![A-Za-z])(?-i:[A-J])(?![A-Za-z'])"
    r"|\([A-J]\))"
)
# "Rain, not wind, and thunder": the commas end the denial.
_DENIED_BETWEEN = re.compile(
    rf"(?<=[)\ue000-\uf8ffA-J]), (?P<denied>not {_NAMED}), and (?P<more>{_NAMED})(?= ?(?:[.;!\n]|$))", re.IGNORECASE
)
# "Rain and not wind and thunder": what the denial ends with is not clear, unless several are named before it.
_DENIED_ON = re.compile(
    rf"(?P<before>{_NAMED}(?:,? and {_NAMED})?),? (?P<word>and|but) not (?P<one>{_NAMED}) and (?P<two>{_NAMED})"
    r"(?= ?(?:[.;!\n]|$))",
    re.IGNORECASE,
)
# "C and D, not A, B or E", "C和D，不是A、B或E".
_DENIED_LIST = re.compile(
    rf"(?<![a-z])not (?P<list>{_NAMED}(?:, {_NAMED}){{1,8}},? (?:or|nor) {_NAMED})(?= ?(?:[.;:!)\n]|$))"
    rf"|(?<![是道要])不(?:是|选|包括|包含)(?P<zh>{_SIGN}(?:、{_SIGN}){{1,8}}(?:或者?|和|及|以及){_SIGN})(?=[。,;!\n]|$)",
    re.IGNORECASE,
)
_START = r"(?:^|(?<=[.;,] )|(?<=\n)|(?<= and )|(?<= but )|(?<= while ))"
# "The fan (A) is faulty. The gearbox sounds normal", "Violin and oboe are missing".
_UNAFFECTED = re.compile(
    rf"{_START}(?P<list>{_LIST}) (?:is|are|was|were|seems?|sounds?|runs?|works?|looks?)(?: (?:both|all|quite"
    rf"|perfectly|completely|working|running))?"
    r" (?P<word>normal(?:ly)?|fine|ok|okay|healthy|properly|well|intact|sound|as (?:they|it) should|missing"
    r"|absent|silent|inaudible)(?= ?[.,;\n]|$)",
    re.IGNORECASE,
)
# "Wind and hail are not", "the duck and the turkey can't".
_NOT_THERE = re.compile(
    rf"{_START}(?P<list>{_LIST})(?: (?:i|we|you))?"
    r" (?:(?:is|are|was|were|could|do|does|did)(?: not|n't)|can't|cannot|can not)"
    r"(?: be heard| (?:there|present|heard|audible|either))?(?= ?[.,;\n]|$)",
    re.IGNORECASE,
)
_UNAFFECTED_IN_CHINESE = re.compile(
    rf"(?P<list>{_TEXT}(?:[、和与及]{_TEXT})*)(?:的声音|听起来|运转|工作)?(?:都|均|则|很|一切)*(?P<word>正常|没问题|没有问题|没有异常|无异常)(?=[,。;\n]|$)"
)
# "The same melody is played in 1 and 2. Clip 3 is different."
_DIFFERENT = re.compile(
    rf"{_START}(?:(?:only|but|whereas|while) )?(?P<list>{_LIST}) (?:is|are|was|sounds?|differs?|plays?|has|stands out)"
    r"(?: (?:clearly|quite|completely|slightly|a))*"
    r"(?: (?:different|the odd one out|another|something else|distinct)[^.,;\n]{0,24}"
    r"|(?<=differs)|(?<=differ)|(?<=out))(?= ?[.,;\n]|$)",
    re.IGNORECASE,
)
_DIFFERENT_IN_CHINESE = re.compile(
    rf"(?:而|只有|但)?(?P<list>{_TEXT}(?:[、和与及]{_TEXT})*)(?:则|却|是|有|的旋律|的声音)*不(?:同|一样)的?(?=[,。;\n]|$)"
)
_SAME = re.compile(r"(?<![a-z])(?:same|identical|alike|equal|match(?:es|ing)?)(?![a-z])|相同|一样|一致|同样|同一")
_FAULTY = re.compile(
    r"(?<![a-z])(?:fault|defect|broken|damag|abnormal|failing|worn)|故障|异常|损坏|问题|有毛病", re.IGNORECASE
)
# A text without one of these has nothing to deny here.
_HINTS_OF_UNAFFECTED = (
    "missing", "absent", "silent", "inaudible", "fault", "Fault", "defect", "broken", "damag", "abnormal", "failing",
    "worn", "故障", "异常", "损坏", "问题", "毛病",
)  # fmt: skip
_ABSENCE = frozenset({"missing", "absent", "silent", "inaudible"})


# "All the woodwinds (E, F and G) play": the only letters stand in one pair of brackets.
_GROUPED = re.compile(r"(?<=[\w\ue000-\uf8ff] )\((?:options? )?[A-Z](?:(?:, ?(?:and )?| and | & |、|和)[A-Z]){1,9}\)")
_GROUP_DOUBT = re.compile(
    r"(?<![a-z])(?:or|if|maybe|perhaps|might|could|may|except|(?:every|any|no)thing but|all but|than|wrong"
    r"|incorrect)(?![a-z])|\?",
    re.IGNORECASE,
)
# "Neither A nor B is supported": the letters of the group are the others.
_NEITHER = re.compile(
    r"(?:(?<=[.;\n] )|(?<=\n))(?:Neither|Not) [A-J](?:(?:,| nor| or) [A-J](?![A-Za-z])){1,8}[^.;\n]{0,120}(?:[.;\n]|\Z)"
)
_CLAUSE_END = re.compile(r"[.;!?\n]|,? but(?= )|, (?:while|whereas|and|no|not)(?= )")


def _deny_each(match: re.Match[str]) -> str:
    signs = re.findall(_TEXT, match["list"])
    return ", ".join(f"no {sign}" for sign in signs) if signs else match.group()


def _drop_contrast(match: re.Match[str]) -> str:
    agrees = ord(match["text"]) - PLACEHOLDER_BASE == ord(match["letter"][1]) - ord("A")
    return f"{match['text']} {match['letter']}" if agrees else match.group()


def _deny_unaffected(marked: str) -> str:
    """Deny what is normal where other things are faulty, and what is missing where letters are given."""
    if not any(map(marked.__contains__, _HINTS_OF_UNAFFECTED)):
        return marked
    pattern = _UNAFFECTED_IN_CHINESE if any(map(marked.__contains__, ("正常", "问题", "异常"))) else _UNAFFECTED
    match = pattern.search(marked) if _TEXTS.search(marked) else None
    if match is None:
        return marked
    before = pattern.sub("", marked)
    is_absent = match["word"].lower() in _ABSENCE
    if (is_absent and not (_LETTER.search(before) or _TEXTS.search(before))) or (
        not is_absent and not _FAULTY.search(before)
    ):
        return marked
    return pattern.sub(_deny_each, marked)


def _deny_different(marked: str) -> str:
    """Deny what differs, where others are said to be the same."""
    if "iffer" in marked or "odd one" in marked or "stands out" in marked:
        pattern = _DIFFERENT
    elif "不同" in marked or "不一样" in marked:
        pattern = _DIFFERENT_IN_CHINESE
    else:
        return marked
    rest = pattern.sub("", marked)
    is_denied = rest != marked and _SAME.search(rest) and _TEXTS.search(rest)
    return pattern.sub(_deny_each, marked) if is_denied else marked


def _deny_all(match: re.Match[str]) -> str:
    if match["zh"]:
        return ",".join(f"不是{sign}" for sign in _SIGNS.findall(match["zh"]))
    return ", ".join(f"not {sign}" for sign in _SIGNS.findall(match["list"]))


def _end_denials(marked: str) -> str:
    """Write a denial between members behind them, and one of two members as two."""
    marked = _DENIED_LIST.sub(_deny_all, marked)
    marked = _DENIED_BETWEEN.sub(r" and \g<more>, \g<denied>", marked)
    return _DENIED_ON.sub(
        lambda match: (
            f"{match['before']}, not {match['one']}, not {match['two']}"
            if " and " in match["before"]
            else match.group()
        ),
        marked,
    )


def leaves_denial_open(marked: str) -> bool:
    r"""Whether a text with placeholders denies a member and goes on with another: "\ue001 and not \ue002 and \ue003".

    >>> leaves_denial_open("\ue001 and not \ue002 and \ue003."), leaves_denial_open("\ue001 and \ue003, not \ue002.")
    (True, False)
    """
    match = _DENIED_ON.search(marked)
    return match is not None and " and " not in match["before"]


# "钟摆声很稳定,C和D都不对": the text before the comma is no member of the list that is denied.
_LETTERS_BEHIND_TEXT = re.compile(
    "(?<=[\ue000-\uf8fe]),(?=(?:而|但)?[A-J](?:[、和与及][A-J]){1,5}(?:项|选项)?(?:的(?:说法|描述|内容))?(?:都|均|则|就)?"
    "(?:是)?(?:不(?![仅但光])|没(?!错|有?问题)|错|无(?![疑误关])))"
)


def deny_members(marked: str) -> str:
    r"""Return a text with placeholders in which a denial of several options denies each of them.

    >>> deny_members("I don't hear any \ue001, \ue003 or \ue005.")
    'no \ue001, no \ue003, no \ue005.'
    """
    if not marked.isascii():
        marked = _LETTERS_BEHIND_TEXT.sub("。", marked)
    if "not" in marked or "rather" in marked or "instead" in marked or "不" in marked:
        marked = _NAMED_AND_CONTRASTED.sub(_drop_contrast, _NOT_REVERSED.sub("", _end_denials(marked)))
    marked = _deny_different(_deny_unaffected(deny_absent(marked)))
    if " not" in marked or "n't" in marked or "cannot" in marked:
        rest = _NOT_THERE.sub("", marked)
        marked = _NOT_THERE.sub(_deny_each, marked) if rest != marked and _TEXTS.search(rest) else marked
    if "n't" not in marked and "not" not in marked and "no " not in marked.lower():
        return marked
    return _DENIED.sub(_deny_each, _NEW_CLAUSE.sub(".", marked))


def join_bracketed_letters(marked: str) -> str:
    r"""Return a text in which a list of names with letters, before what is said of all, is a list of the letters.

    >>> join_bracketed_letters("The \ue004 (E) and the plates (D) are audible.")
    'E and D are audible.'
    """
    if ") and " in marked:
        marked = _LETTERED.sub(_write_letters, marked)
    group = _GROUPED.search(marked) if "(" in marked else None
    return marked if group is None else _write_group(marked, group)


def _write_group(marked: str, group: re.Match[str]) -> str:
    """Write the only letters of a text, in one pair of brackets behind what is heard, as the answer."""
    outside = marked[: group.start()] + marked[group.end() :]
    if any(
        not set(_LETTER.findall(line.group())).isdisjoint(_LETTER.findall(group.group()))
        for line in _NEITHER.finditer(outside)
    ):
        return marked
    rest = _NEITHER.sub("", outside)
    if _LETTER.search(ARTICLE_OR_I.sub("", rest)):
        return marked
    if group.string[: group.start()].count("(") or _GROUP_DOUBT.search(_NEITHER.sub("", marked)):
        return marked
    clause = _CLAUSE_END.split(marked[: group.start()])[-1] + _CLAUSE_END.split(marked[group.end() :])[0]
    letters = _LETTER.findall(group.group())
    places = {ord(letter) - ord("A") for letter in letters}
    others = {ord(sign) - PLACEHOLDER_BASE for sign in _TEXTS.findall(marked)}
    is_set = (
        any(map(str.isalpha, clause))
        and others <= places
        and not is_negative(lower(clause))
        and not _WEIGHING.search(clause)
    )
    return f"The answers are {' and '.join(letters)}." if is_set else marked


def _write_letters(match: re.Match[str]) -> str:
    return " and ".join(letter.strip("()") for letter in re.findall(r"\([A-Z]\)", match.group()))


def drop_numbers_of_texts(marked: str) -> str:
    r"""Return a text with placeholders without the numbers of options before their texts: "2) \\ue001, 4) \\ue003".

    >>> drop_numbers_of_texts("1) \ue000, 4) \ue003. Not 2) \ue001.") == "\ue000, \ue003. Not \ue001."
    True
    """
    numbered = list(_NUMBERED_TEXT.finditer(marked))
    agree = all(ord(match["text"]) - PLACEHOLDER_BASE == int(match["number"]) - 1 for match in numbered)
    return _NUMBERED_TEXT.sub(r"\g<text>", marked) if agree and len(numbered) >= _FEWEST else marked


def drop_letters_of_texts(marked: str) -> str:
    r"""Return a text that names options by text and letter, "\\ue001 (B)", without these letters.

    Where nothing weighs or denies them, they are written as a list.

    >>> drop_letters_of_texts("\ue001 (B) or \ue003 (D)") == "\ue001 or \ue003"
    True
    >>> drop_letters_of_texts("\ue001 (B), not a taxi, because \ue003 (D).") == "\ue001 and \ue003"
    True
    """
    if "(" not in marked:
        return marked
    named = list(_NAMED_TWICE.finditer(marked))
    agree = all(ord(match["text"]) - PLACEHOLDER_BASE == ord(match["letter"]) - ord("A") for match in named)
    if len(named) < _FEWEST or not agree or len(_LETTER.findall(marked)) != len(named):
        return marked
    rest = _CONTRASTED.sub("", _NAMED_TWICE.sub("", marked))
    if not _TEXTS.search(rest) and not _WEIGHING.search(rest) and not is_negative(lower(rest)):
        return " and ".join(match["text"] for match in named)
    return _NAMED_TWICE.sub(r"\g<text>", marked)
