"""Codes that an answer declares, replaced by their verdicts: "C = correct, I = incorrect", 误＝有错，妥＝无错.

A code is a letter, a digit, a sign or a short Chinese word. Two of them must be declared, one for each verdict, and the
rest of the answer must use them for as many steps as the trace has.
"""

import re
from typing import NamedTuple

from evaluation.extraction.critic.critic_phrases import judge_phrase

_SIGNS = "+✓✔✅☑✗✘❌√×⚠❗❓⭐★☆●○◯△▲◆◇■□⬛⬜🟦🟥🟩🟨🟧🟪🔵🔴🟢🟡🟠👍👎-"
_CODE = rf"[A-Za-z]{{1,2}}|true|false|yes|no|[01{_SIGNS}]|[\u4e00-\u9fff]{{1,2}}"
_MEANS = r"=|:|->|-|means?|meaning|stands? for|denotes?|indicates?|represents?|marks?|for|is|表示|代表|意味着|指|为|即"
_MEANING = r"[^\n,;.()，。；:=\[\]{}]{1,40}?"
_DECLARED = re.compile(
    rf"(?<![\w\"'])[\"']?(?P<code>{_CODE})[\"']? ?(?:{_MEANS}) ?[\"']?(?P<meaning>{_MEANING})[\"']?"
    r"(?=[\n,;.()，。；\"}]|$| and | while | whereas | -> )",
    re.IGNORECASE,
)
# "Good steps are marked G, bad ones B".
_AS = r"(?:are |is )?(?:marked|labell?ed|shown|given|denoted|written|coded)(?: as| with| by)?"
_MARKED = re.compile(
    rf"(?<![a-z])(?P<first>[a-z-]{{2,16}}) (?:steps|ones) {_AS} [\"']?(?P<one>[A-Za-z0-9])[\"']?,? (?:and |but )?"
    rf"(?P<second>[a-z-]{{2,16}})(?: steps| ones)?(?: {_AS})? [\"']?(?P<two>[A-Za-z0-9])[\"']?(?!\w)",
    re.IGNORECASE,
)
# "E" marks an erroneous step and "C" a correct one: the second code needs no verb.
_ELIDED = re.compile(
    rf"[\"']?[,;]? ?(?:and |but |while )?[\"']?(?P<code>{_CODE})[\"']? "
    rf"(?P<meaning>(?:for |that )?(?:an?|the|it) {_MEANING})"
    r"[\"']?(?=[\n,;.()，。；\"}:]|$)",
    re.IGNORECASE,
)
# "A (correct) or B (wrong)"; "Legend: 🟦 correct, 🟥 erroneous".
_BRACKETED = re.compile(
    rf"(?<![\w\"'])(?P<one>{_CODE}) ?\((?P<first>{_MEANING})\) ?(?:或|or|/|,|、|and|和) ?"
    rf"(?P<two>{_CODE}) ?\((?P<second>{_MEANING})\)",
    re.IGNORECASE,
)
_LISTED = re.compile(
    rf"(?:legend|key|codes?|rubric|图例|说明) ?[:：] ?(?P<one>[{_SIGNS}]) ?(?P<first>[a-z\u4e00-\u9fff]{{2,12}})"
    rf"[,;/|、 ]{{1,3}}"
    rf"(?P<two>[{_SIGNS}]) ?(?P<second>[a-z\u4e00-\u9fff]{{2,12}})(?=[\n.。]|\Z)",
    re.IGNORECASE,
)
_REMARK = re.compile(r" ?\([^()\n]*\)|, i\.e\.,? [a-z ]{2,20}")
_ALTERNATIVES = re.compile(r" ?/ ?| or ")
_OF_STEP = re.compile(
    r"^(?:(?:for|the|a|an|this|that|each) )*(?:(?:steps?|it) )?(?:(?:is|are|was|has) )?"
    r"|^(?:该|这|此)?(?:一)?(?:步骤?|个步骤)(?:是)?"
)
_STEP_BEHIND = re.compile(r" (?:reasoning )?(?:steps?|ones?)$|(?:的)?步骤?$")
# "T = step is true to the audio": of a step, true is a verdict.
_TRUE_STEP = re.compile(
    r"(?:(?:the|a|this|that|each) )?(?:step|claim|statement|it)(?: (?:of|in) (?:the|a) step)? (?:is|was)"
    r" (?P<value>true|false)"
    r"(?: (?:to|about|of) [^\n]+)?",
    re.IGNORECASE,
)
_LONGEST_GAP = 12
# What an answer without one of these declares nothing by.
_HINTS = (
    "=",
    "mean",
    "(",
    "where",
    "egend",
    "mark",
    "stands for",
    "Key",
    "Codes",
    "ubric",
    "表示",
    "代表",
    "指",
    "说明",
)
_WORDS = {False: "correct", True: "erroneous"}
_LEAD = re.compile(
    r"(?:legend|key|note|codes?|notation|rubric|where|with|符号说明|图例|说明|注)[*_]{0,2} ?[:：]?[*_]{0,2} ?$",
    re.IGNORECASE,
)


class _Declaration(NamedTuple):
    codes: dict[str, bool]
    start: int
    end: int


# Ticks and crosses in their usual sense, which is how they are read anyway.
_USUAL = re.compile(
    "(?:对号|勾号?|打勾|[√✓✔])(?:表示|代表|为|=)(?:正确|没有?错误|无误|对)[,;、，；]?(?:(?:叉号?|错号|打叉|[×✗✘])(?:表示|代表|为|=)"
    "(?:错误|有误|不正确|错))?[:：。;；,，]?"
)


def _judge(meaning: str) -> bool | None:
    if "/" in meaning or " or " in meaning:
        said_by_each = {_judge(part) for part in _ALTERNATIVES.split(meaning)}
        return said_by_each.pop() if len(said_by_each) == 1 else None
    if (said := _TRUE_STEP.fullmatch(meaning.strip())) is not None:
        return said["value"].lower() == "false"
    plain = _STEP_BEHIND.sub("", _OF_STEP.sub("", meaning.strip().lower(), count=1)).strip()
    return judge_phrase(plain)


def _pair(match: re.Match[str] | None) -> _Declaration | None:
    """Return the two codes of one match, if their meanings are opposite verdicts."""
    meanings = [_judge(match[name]) for name in ("first", "second")] if match else []
    if match is None or None in meanings or meanings[0] == meanings[1] or match["one"] == match["two"]:
        return None
    return _Declaration({match["one"]: meanings[0] is True, match["two"]: meanings[1] is True}, *match.span())


def _find_declaration(text: str) -> _Declaration | None:
    """Return the first two codes that are declared one after the other, with opposite meanings."""
    if declared := _pair(_BRACKETED.search(text)) or _pair(_LISTED.search(text)):
        return declared
    if ("marked" in text or "labe" in text or "shown" in text or "coded" in text) and (marked := _MARKED.search(text)):
        meanings = [judge_phrase(marked[name].lower()) for name in ("first", "second")]
        if None not in meanings and meanings[0] != meanings[1]:
            codes = {marked["one"]: meanings[0] is True, marked["two"]: meanings[1] is True}
            return _Declaration(codes, *marked.span())
    before: re.Match[str] | None = None
    earlier: bool | None = None
    for match in _DECLARED.finditer(text):
        verdict = _judge(match["meaning"])
        if verdict is None:
            continue
        if before is not None and earlier is not None and verdict != earlier and match["code"] != before["code"]:
            gap = _REMARK.sub("", text[before.end() : match.start()])
            if len(gap) <= _LONGEST_GAP and before["code"].isalnum() == match["code"].isalnum():
                codes = {before["code"]: earlier, match["code"]: verdict}
                return _Declaration(codes, before.start(), match.end())
        elided = _ELIDED.match(text, match.end())
        if elided and _judge(elided["meaning"]) is (not verdict) and elided["code"] != match["code"]:
            codes = {match["code"]: verdict, elided["code"]: not verdict}
            return _Declaration(codes, match.start(), elided.end())
        before, earlier = match, verdict
    return None


def _spell(text: str, codes: dict[str, bool], n_steps: int) -> str | None:
    """Return a text with its codes spelled out, alone or in a row; None where it has fewer than steps."""
    one = f"(?:{'|'.join(map(re.escape, codes))})"
    are_words = all(code.isalnum() for code in codes)
    before, after = (r"(?<![\w'])", r"(?![\w'])") if are_words else ("(?<![A-Za-z'])", "(?![A-Za-z'])")
    heading = re.compile(rf"^[-*• ]{{0,4}}(?P<code>{one})(?: ?steps?)? ?: ?(?=\w)", re.MULTILINE)
    if [*map(text.count, codes)] == [1, 1] and len(heading.findall(text)) == len(codes):  # "E: 2, 4", "C: 1, 3".
        return heading.sub(lambda match: f"{_WORDS[codes[match['code']]]} steps: ", text)
    # A digit before another code is the number of a step: "1: 0".
    code = re.compile(rf"{before}(?<!step )(?<!step #){one}{after}(?! ?[:=.)|-]{{1,2}} ?{one}(?!\w))")
    if len(code.findall(text)) < n_steps:
        return None
    joint = f"[ ,;/|、]{{{1 if are_words else 0},3}}"
    row = re.compile(rf"{before}(?:-> )?{one}(?:{joint}{one}){{{n_steps - 1}}}{after}(?! ?[,;/|] ?{one})")
    spelled, n_rows = row.subn(
        lambda match: ", ".join(_WORDS[codes[each]] for each in re.findall(one, match.group())), text
    )
    space = "" if are_words else " "
    return spelled if n_rows else code.sub(lambda match: f"{space}{_WORDS[codes[match.group()]]}", text)


def spell_codes(text: str, n_steps: int) -> str:
    r"""Return a text whose codes are declared with the verdicts in their place; any other text as it is.

    >>> spell_codes("Y N (Y = supported, N = not supported)", 2)
    'correct, erroneous'
    >>> spell_codes("1: 误\n2: 妥\n(误=有错, 妥=无错)", 2)
    '1: erroneous\n2: correct\n'
    """
    if "表示" in text or "代表" in text:
        text = _USUAL.sub("", text)
    if not any(sign in text for sign in _HINTS):
        return text
    declaration = _find_declaration(text)
    if declaration is None:
        return text
    codes, start, end = declaration
    if "{" in text or "[" in text:
        if not all(code.isalpha() and len(code) == 1 for code in codes):
            return text
        rest = f'{text[:start]}""{text[end:]}'
    else:
        end = remark.end() if (remark := _REMARK.match(text, end)) else end
        head, tail = _LEAD.sub("", text[:start].rstrip(" (\"'")), text[end:].lstrip(" ):.。\"'\n")
        rest = f"{head}\n{tail}" if head and tail else head + tail
    return _spell(rest, codes, n_steps) or text
