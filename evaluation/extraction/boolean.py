"""Reading whether a response says true or false."""

import re
from functools import lru_cache
from typing import NamedTuple

from evaluation.extraction.normalize import clean, is_blank
from evaluation.extraction.readings import EMPTY, UNREAD
from evaluation.extraction.truth_clauses import Clause, split_clauses
from evaluation.extraction.truth_verdicts import FINAL, PART, POINTED, SAID, Context, Verdict, list_directions, read_clause
from evaluation.extraction.truth_words import classify
from evaluation.types import Reading

_ECHO = re.compile(
    r"(?:true|yes|right|correct) ?(?:or|/|\|) ?(?:false|no|wrong|incorrect)\b(?! (?:and|or))|\bt ?/ ?f\b"
    r"|(?:对|正确|是|真)(?:还是|/|或者?)(?:不是|错误|错|否|假|不正确)",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"[\s\"'*(\[]{0,4}(true|false|yes|no|correct|incorrect)[\s\"'*)\].!]{0,4}", re.IGNORECASE)
_PLAIN_TRUE = frozenset({"true", "yes", "correct"})
_SIGN = re.compile(r"[\s\"'*(\[]{0,4}(?:(?P<yes>[✓✔✅☑√])|[✗✘❌×])\ufe0f?[\s\"'*)\].]{0,4}")
# A field whose name says what its true means.
_JSON_FIELD = re.compile(
    r"[\"'](?:(?:statement_|claim_|answer_)?(?:is_?)?(?P<good>true|correct|valid|accurate|right|truth|truth_value|holds)"
    r"|(?:statement_|claim_)?(?:is_?)?(?P<bad>false|incorrect|wrong|invalid))[\"'] ?: ?[\"']?(?P<value>true"
    r"|false|yes|no|1|0)[\"']?(?=[ \n]*[,}])",
    re.IGNORECASE,
)
_SHORT = 64
_MEMO_SIZE = 65_536


class _Said(NamedTuple):
    """A verdict, where it stands, and in which section: sections part where a response takes something back."""

    verdict: Verdict
    clause: Clause
    section: int


def _collect(clauses: list[Clause]) -> tuple[list[_Said], bool]:
    """Return every verdict, and whether the response refuses."""
    context = Context()
    collected: list[_Said] = []
    section, supposed_in, refused = 0, 0, False
    left_open = False
    revised = {clause.sentence for clause in clauses if "V" in clause.opener + clause.classes}
    for number, clause in enumerate(clauses):
        if clause.line_start:
            context.negated = context.stated = context.content = False
            context.stated_directions = ()
            if clause.sentence > supposed_in + 1:
                context.supposed = None
        if clause.line_start or re.search("[BVH]", clause.opener):
            context.subject = SAID
        if "V" in clause.opener + clause.classes and collected:
            section += 1
        if "!" in clause.classes:
            refused = True
            left_open = left_open or (section > 0 and clause.sentence in revised)
        following = clauses[number + 1] if number + 1 < len(clauses) else None
        context.content_follows = following is not None and "." in following.classes
        context.joined = "&" in clause.opener
        verdicts = read_clause(clause, context)
        if "c" in clause.classes and following is not None and verdicts and verdicts[0].bare:
            verdicts = []  # Courtesy: "Sure! I listened to the audio."
        for verdict in verdicts:
            if context.final or "L" in clause.classes:
                verdict = verdict._replace(rank=FINAL)
            left_open = False
            collected.append(_Said(verdict, clause, section))
        before = context.supposed
        _update(context, clause, verdicts)
        supposed_in = clause.sentence if context.supposed is not before else supposed_in
    return [] if left_open else collected, refused


def _update(context: Context, clause: Clause, verdicts: list[Verdict]) -> None:
    classes = clause.classes
    if verdicts:
        if clause.doubtful and re.search("[SPN]a*[wm]a*b|ob|[TF]w", classes) or "i" in clause.opener:
            context.supposed = verdicts[-1].value
        context.base = context.base if verdicts[-1].bare else verdicts[-1].base
        context.cued = context.final = False
        context.subject = verdicts[-1].rank if verdicts[-1].rank < FINAL else SAID
    elif classes:
        light = not re.sub("[KLeabduPIHC]", "", classes)
        context.cued = light and ("K" in classes or "L" in classes or "C" in classes)
        context.final = light and "L" in classes
        context.subject = PART if "." in classes else context.subject
        if "W" in classes or clause.asked:
            context.base = True
    context.part = not verdicts and "." in classes and not re.search("[KLSNCH]", classes)
    context.content = "." in classes or "U" in classes
    context.negated = "n" in classes
    if re.search(r"[SN]a*y", classes):
        context.stated, context.stated_directions = True, list_directions(clause.words)


def _answer_questions(collected: list[_Said]) -> list[_Said]:
    """Read "yes" and "no" behind a question as answers to it: "Is the statement wrong? No."."""
    answered: list[_Said] = []
    for said in collected:
        verdict, previous = said.verdict, answered[-1] if answered else None
        if verdict.bare and previous is not None and previous.clause.asked and not said.clause.asked:
            verdict = verdict._replace(value=verdict.value == previous.verdict.base)
        elif previous is not None and previous.clause.key and said.clause.before == ":":
            verdict = verdict._replace(value=verdict.value == previous.verdict.base)
        answered.append(said._replace(verdict=verdict))
    return answered


def _drop_doubtful(collected: list[_Said], revised: set[int]) -> list[_Said]:
    """Keep what is said: not what is asked or supposed, and no "no" that only takes back ("wait, no: true")."""
    kept = [said for said in collected if not said.verdict.doubtful]
    return [
        said
        for number, said in enumerate(kept)
        if not (said.verdict.bare and not said.verdict.value and said.clause.sentence in revised)
        or number == len(kept) - 1
        or not re.search("[XxZ]", said.clause.classes)
    ]


def _firmness(said: _Said, first: int, last: int) -> int:
    """Return how firmly a verdict counts; of "it", firmly only at the start, at the end and as a conclusion."""
    verdict, clause = said.verdict, said.clause
    if verdict.rank == POINTED and (clause.sentence in {first, last} or "H" in clause.opener):
        return SAID
    return verdict.rank


def _decide(clauses: list[Clause], *, echoed: bool) -> Reading:
    collected, refused = _collect(clauses)
    revised = {clause.sentence for clause in clauses if "V" in clause.opener + clause.classes}
    said = _drop_doubtful(_answer_questions(collected), revised)
    doubtful = echoed or len(said) < len(collected)
    if said:
        last = max((entry.section for entry in said if entry.verdict.rank >= POINTED), default=0)
        said = [entry for entry in said if entry.section >= last]
    ranks = [_firmness(entry, clauses[0].sentence, clauses[-1].sentence) for entry in said]
    top = max(ranks, default=PART)
    if not said or (top == PART and (refused or any(entry.verdict.half for entry in collected))):
        return UNREAD["refusal" if refused else "ambiguous" if doubtful else "outside-options"]
    values = {entry.verdict.value for entry, rank in zip(said, ranks, strict=True) if rank == top}
    if top == PART:
        return Reading(value=values == {True})  # One wrong part makes the whole wrong.
    if len(values) == 1:
        return Reading(value=values.pop())
    joined = any("&" in entry.clause.opener and entry.clause.classes in {"T", "F"} for entry in said)
    return UNREAD["ambiguous" if joined else "contradiction"]  # "True and false."


def _read(response: str) -> Reading:
    match = _PLAIN.fullmatch(response) if len(response) < _SHORT else None
    if match is not None:
        return Reading(value=match.group(1).lower() in _PLAIN_TRUE)
    sign = _SIGN.fullmatch(response)
    if sign is not None:
        return Reading(value=sign["yes"] is not None)
    if "{" in response and (fields := list(_JSON_FIELD.finditer(response))):
        values = {(field["value"].lower() in {"true", "yes", "1"}) == (field["good"] is not None) for field in fields}
        return Reading(value=values.pop()) if len(values) == 1 else UNREAD["contradiction"]
    text = clean(response)
    if is_blank(text) and not re.search("[✓✔✅☑√✗✘❌×]", text):
        return EMPTY
    text, n_echoes = _ECHO.subn(" ", text)
    clauses = split_clauses(classify(text))
    return _decide(clauses, echoed=n_echoes > 0) if clauses else UNREAD["ambiguous" if n_echoes else "outside-options"]


# Bounded, because its keys come from submissions; short, because long answers do not repeat.
_read_short = lru_cache(maxsize=_MEMO_SIZE)(_read)


def read_boolean(response: str | None) -> Reading:
    """Read whether a response says true or false.

    Args:
        response: What the system wrote; None where it gave nothing.

    Returns:
        A reading with `value`, or with the `reason` why two careful readers would not agree on one.

    >>> read_boolean("The statement isn't correct.").value
    False
    """
    if response is None:
        return EMPTY
    return _read_short(response) if len(response) < _SHORT else _read(response)
