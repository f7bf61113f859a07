"""The labels "true" and "false" as options: marked in a form or a table, ruled out, or what others would choose.

A form that shows both labels is read from its marks alone, since neither label is said. In sentences, a label that is
refused ("False would be the wrong answer") stands for the other one, and what others would say stands for nothing.
"""

import re

from evaluation.extraction.language.normalize import unify
from evaluation.extraction.readings import UNREAD
from evaluation.types import Reading

_LABELS = {
    **dict.fromkeys(("true", "correct", "right", "对", "正确", "真"), True),
    **dict.fromkeys(("false", "incorrect", "wrong", "错", "错误", "不正确", "不对", "假"), False),
}
_TICKS = "✓✔√v•*●✅"
# A box, a circle or a word that chooses a label, that leaves it, or that strikes it out; a cross may do either.
_CHOSEN, _LEFT, _STRUCK, _CROSSED = "chosen", "left", "struck", "crossed"
_MARKS = {
    _CHOSEN: rf"\[ ?[{_TICKS}] ?\]|\( ?[{_TICKS}] ?\)|[☑✅✓✔√■●◉⬛]|yes(?![a-z])|是",
    _LEFT: r"\[ ?\]|\( ?\)|[☐□○◯⬜▢]",
    _CROSSED: r"\[ ?[x×] ?\]|\( ?[x×] ?\)|☒|x(?![a-z])",
    _STRUCK: r"[✗✘❌×]|no(?![a-z])|不是|否",
}
_TOKEN = re.compile(
    rf"(?P<label>{'|'.join(sorted(_LABELS, key=len, reverse=True))})(?![a-z])|"
    + "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _MARKS.items())
    + r"|(?P<joint>[\s:=|/,;.。?-]+)",
    re.IGNORECASE,
)
# Lone words in scripts that the vocabulary of sentences does not cut into words.
_FOREIGN = {
    **dict.fromkeys(("正しい", "正しいです", "はい", "참", "맞습니다", "верно", "да", "sí"), True),
    **dict.fromkeys(
        ("誤り", "誤りです", "間違い", "間違いです", "いいえ", "거짓", "틀렸습니다", "неверно", "нет"), False
    ),
}
_EMPTY_BOX = re.compile(_MARKS[_LEFT])
_WORD_OF_CONSENT = re.compile("yes|no|是|否|不是", re.IGNORECASE)
# A form shows both labels of one of these pairs.
# "[x] False": the box of one label alone; an empty one leaves open which label it stands against.
_LONE_BOX = re.compile(
    r"\s*(?:(?P<ticked>\[ ?[xX✓✔√] ?\]|[☑✅])|\[ ?\]|[☐□]) ?(?P<label>true|false)[\s.]*", re.IGNORECASE
)
_PAIRS = (
    ("true", "false"),
    ("correct", "incorrect"),
    ("right", "wrong"),
    ("对", "错"),
    ("正确", "错误"),
    ("正确", "不"),
    ("真", "假"),
)
_LONGEST_FORM, _LONGEST_WORD = 160, 16
_RULE = re.compile(r"[\s:|+-]+")
_BOTH = (True, False)
_Pairs = list[tuple[bool, str]]


def _find_pairs(text: str) -> _Pairs | None:
    """Return each label with its mark, before or behind it; none of a legend, None where there is anything else."""
    tokens: list[tuple[str, str]] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            return None
        position = match.end()
        if match.lastgroup != "joint":
            tokens.append((match.lastgroup or "", match.group().lower()))
    marks_lead = bool(tokens) and tokens[0][0] != "label"
    if marks_lead and any(_WORD_OF_CONSENT.fullmatch(word) for kind, word in tokens if kind != "label"):
        labels = {_LABELS[word] for kind, word in tokens if kind == "label"}
        return [] if len(labels) == len(_BOTH) else None  # "Yes: true, no: false" explains the words.
    pairs: _Pairs = []
    mark = ""
    for kind, word in tokens if marks_lead else tokens[::-1]:
        if kind != "label" and mark:
            return None
        if kind == "label":
            pairs.append((_LABELS[word], mark or _LEFT))
        mark = "" if kind == "label" else kind
    return None if mark else pairs


def _inner(line: str) -> str:
    return line.removeprefix("|").removesuffix("|") if line.startswith("|") else line


def _find_cells(text: str) -> _Pairs | None:
    """Return the same from a table with a row, or a column, for each label."""
    lines = [line.strip() for line in text.split("\n") if not _RULE.fullmatch(line)]
    rows = [[cell.strip() for cell in _inner(line).split("|")] for line in lines]
    head = [_LABELS.get(cell.lower()) for cell in rows[0]]
    if None not in head and len(head) == len(_BOTH) == len(rows):
        named = list(zip(rows[0], rows[1], strict=False))
    else:
        named = [(row[0], row[1]) for row in rows if len(row) == len(_BOTH) and row[0].lower() in _LABELS]
    pairs: _Pairs = []
    for label, cell in named:
        mark = _TOKEN.fullmatch(cell) if cell else None
        if cell and (mark is None or mark.lastgroup not in _MARKS):
            return None
        pairs.append((_LABELS[label.lower()], mark.lastgroup or "" if mark else _LEFT))
    return pairs


def read_form(response: str) -> Reading | None:
    r"""Read a form that shows both labels with a mark at one of them, or at both; None for any other text.

    >>> read_form("[ ] True\n[x] False").value, read_form("True – no, False – yes").value
    (False, False)
    >>> read_form("☐ True ☐ False").reason
    'ambiguous'
    """
    if len(response) < _LONGEST_WORD and not response.isascii():
        value = _FOREIGN.get(response.strip(' \n.。!！*"').lower())
        if value is not None:
            return Reading(value=value)
    if len(response) < _LONGEST_WORD and (box := _LONE_BOX.fullmatch(response)) is not None:
        return Reading(value=box["label"].lower() == "true") if box["ticked"] else UNREAD["ambiguous"]
    lowered = response.lower() if len(response) <= _LONGEST_FORM else ""
    if not any(first in lowered and second in lowered for first, second in _PAIRS):
        return None
    text = unify(response).strip(" \n*`")
    pairs = (_find_cells(text) or None) if "|" in text and "\n" in text else _find_pairs(text)
    if pairs == []:
        return UNREAD["ambiguous"]
    if not pairs or len(pairs) != len(_BOTH) or len(dict(pairs)) != len(_BOTH):
        return None
    marks = dict(pairs)
    if _CHOSEN not in marks.values() and _CROSSED not in marks.values() and not _EMPTY_BOX.search(text):
        return None  # "True, false" and "True? No, false" are no forms.
    chosen = [
        value
        for value in _BOTH
        if (marks[value] == _CHOSEN and marks[not value] != _CHOSEN)
        or (marks[value] == _CROSSED and marks[not value] == _LEFT)
    ]
    return Reading(value=chosen[0]) if len(chosen) == 1 else UNREAD["ambiguous"]


_SAID = r"[\"'*\[]*(?P<{}>true|false)[\"'*\]]*"
_NOUN = "(?:answer|label|option|choice|verdict|response|judge?ment|classification)"
_NOT = r"(?:not|never|n't|by no means|hardly)"
# "False would be the wrong answer", "True is not the right label", "the label True does not apply", "I rule out False".
_REFUSED = re.compile(
    rf"(?<![a-z])(?:the )?(?:{_NOUN} )?{_SAID.format('wrong')} (?:is|was|would be|must be|seems) (?:clearly |plainly )?"
    rf"(?:the|an?) (?:wrong|incorrect|inappropriate|mistaken|improper) {_NOUN}(?! to)"
    rf"|(?<![a-z])(?:the )?(?:{_NOUN} )?{_SAID.format('denied')} ?(?:is|was|would|can|could|does|will)"
    rf"(?: {_NOT}|n't)(?: be)? (?:the |an? )?(?:right |correct |proper |appropriate |valid |suitable |my )+{_NOUN}"
    rf"|(?<![a-z])the {_NOUN} {_SAID.format('unfit')} (?:does|would|can|could|will)(?: {_NOT}|n't) (?:apply|fit|hold)"
    r"|(?<![a-z])(?P<open>(?:can(?:not|'t| not)|not|n't|to) )?"
    r"(?:rul(?:e|es|ed|ing) out|reject(?:s|ed|ing)?|exclud(?:e|es|ed|ing)|discard(?:s|ed)?)"
    rf" (?:the )?(?:{_NOUN} )?{_SAID.format('excluded')}(?! (?:alarm|start|positive|negative))",
    re.IGNORECASE,
)
# "Some would say False because of the noise, but …"; "有人会说是错的，但…".
_OTHERS = re.compile(
    r"(?<![a-z])(?P<conceded>(?:although|though|while|even if) )?"
    r"(?:(?:some|many|most|several|a few|few|other)(?: [a-z]+){0,2}|others|people)(?: with [a-z ]{3,30}?)?"
    r" (?:(?:would|might|may|could|will|perhaps|possibly|well|wrongly|mistakenly) )*"
    r"(?:say|says|call|calls|answer|think|claim|argue|choose|label|judge|reply|vote|believe|pick|guess)(?![a-z])"
    r"(?(conceded)[^.;,\n!?]*,?|[^.:;\n!?]*?(?=[.:;\n!?]|,? (?:but|yet|though|however|whereas|while)(?![a-z])"
    r"|,? (?:so|hence|thus|therefore|and|which|that makes)"
    r"(?= (?:it|it's|that|this|true|false|the statement|the claim|makes)(?![a-z]))"
    r"|, (?=(?:it|it's|true|false|the statement)(?![a-z]))|\Z))"
    r"|(?:也许|或许|可能|虽然|尽管)?(?:会?有人|有些人|一些人|很多人|许多人|不少人|别人|有的人)(?:可能|也许|或许|大概)?会?"
    r"(?:说|认为|觉得|选|回答|判断|以为)[^,，。;；\n]*",
    re.IGNORECASE,
)
# "There is no truth in it", "there isn't any truth to this", "not a grain of truth in the statement".
_NO_TRUTH = re.compile(
    r"(?<![a-z])(?:there(?: is|'s| was)?)?(?: ?(?:is|was)n't| (?:is|was) not)? ?"
    r"(?:(?<=not )any|(?<=n't )any|(?:(?<=not )|(?<=n't )|not )(?:an?|one|the slightest)"
    r" (?:grain|shred|word|bit|ounce|iota|kernel) of|no|little)"
    r" truth (?:in|to|behind|about) (?:it|(?:this|that|the) (?:statement|claim|description|sentence|assertion)"
    r"|this|that|what (?:it|the statement) says)(?![a-z])(?: ?: ?false(?![a-z]))?"
    r"|(?:毫无|没有(?:任何|半点|一点)?|无)真实性(?:可言)?",
    re.IGNORECASE,
)
# "It would be wrong to call this either true or false".
_NEITHER = re.compile(
    r"(?:(?<![a-z])(?:wrong|incorrect|a mistake|impossible|unable|not|hard|difficult)(?![a-z])"
    r"|(?<![a-z])[a-z]{2,6}n't)[^.;\n,]{0,40}?"
    r" (?:either )?(?:as )?true or false(?![a-z])",
    re.IGNORECASE,
)
# "Sure, I can help with that".
_COURTESY = re.compile(
    r"\A(?:yes|sure|certainly|of course|absolutely|ok(?:ay)?)[,.!]? (?:i|we)(?: can|'d| would|'ll| will| am|'m)"
    r" (?:(?:be )?(?:happy|glad|able) to )?(?:help|assist)[^.,:;!\n]*[.,:;!]?",
    re.IGNORECASE,
)


def _say_other(match: re.Match[str]) -> str:
    if match["open"]:
        return match.group()
    said = match["wrong"] or match["denied"] or match["unfit"] or match["excluded"]
    return f"the answer is {'false' if said.lower() == 'true' else 'true'}"


def say_outright(text: str) -> str:
    """Return a text with a label that it refuses as the other one, and without what others would say.

    >>> say_outright("Some would say False, but True is right."), say_outright("I rule out True.")
    (', but True is right.', 'I the answer is false.')
    """
    lowered = text.lower()
    if ("true" in lowered or "false" in lowered) and (
        " wrong " in lowered or "incorrect " in lowered or "not" in lowered or "n't" in lowered
        or "rul" in lowered or "reject" in lowered or "exclud" in lowered or "discard" in lowered
    ):  # fmt: skip
        text = _REFUSED.sub(_say_other, text)
        text = _NEITHER.sub("undecided", text) if "true or false" in lowered else text
    if " truth " in lowered or "真实性" in text:
        text = _NO_TRUTH.sub("the statement is false", text)
    if (
        "some " in lowered or "many " in lowered or "most " in lowered or "several " in lowered or "few " in lowered
        or "other" in lowered or "people" in lowered or "人" in text
    ):  # fmt: skip
        text = _OTHERS.sub("", text)
    return _COURTESY.sub("", text) if " help" in lowered or " assist" in lowered else text
