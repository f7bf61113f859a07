"""Verdict of one clause on the statement: a truth value, its firmness, and whether it is in doubt."""

import re

from evaluation.extraction.truth.clauses import Clause
from evaluation.extraction.truth.heads import read_heads
from evaluation.extraction.truth.scope import FINAL, PART, SAID, ClauseVerdict, Context, resolve
from evaluation.extraction.truth.verdict_forms import read_form

_BARE = re.compile(r"[aedLHVPbw]*?(?:(?P<yes>[Yc][acYPzd]*|z[zd]*)|(?P<no>[ZX][aZXdP]*|x[xd]*))(?:[IP]bn?)?[auVPd]*")
_CUED = re.compile(r"(?:.*[KCL]|[Iabwo]*h)[adeubwPz]*?(?:(?P<yes>[Yz])|(?P<no>[ZXx]))[adu]*")
# "A resounding yes", "that's a no from me".
_COUNTED = re.compile(r"[aHL]*(?:Pb|Iwb?h?a?|K?b)?[ea]*\.?(?:(?P<yes>Y)|(?P<no>X|Z))(?:u[Pe]?I?)?")
_CUE = re.compile("[KCLhH]")
_ANSWER_WORD = re.compile("[YZXczx]")
_HEAD = re.compile(r"[TFRMD><Ov]")
_ALL = frozenset({"everything", "all", "both"})


def read_clause(clause: Clause, context: Context) -> list[ClauseVerdict]:
    """Read what a clause says of the statement.

    Args:
        clause: The clause.
        context: What the clauses before leave behind.

    Returns:
        The verdicts in it, in order; mostly none or one.
    """
    answer = _match_answer(clause)
    if answer is not None:
        if not clause.opener and clause.before == "," and context.content and not _CUE.search(clause.classes):
            return []  # "It moves, yes, but it begins in front."
        value = answer["yes"] is not None
        return [
            ClauseVerdict(
                value, PART if clause.after == "~" and context.content_follows else SAID, bare=True, base=value
            )
        ]
    classes = resolve(clause)
    verdicts = read_heads(clause, classes, context) if _HEAD.search(classes) else []
    if not verdicts:
        form = read_form(clause, classes, context)
        verdicts = [] if form is None else [form]
    return [_set_mood(verdict, clause, classes, context) for verdict in verdicts]


def _match_answer(clause: Clause) -> re.Match[str] | None:
    """Match a clause that is a word such as "yes", or ends in one: "my answer is no"."""
    classes = clause.classes
    if not _ANSWER_WORD.search(classes):
        return None
    match = _BARE.fullmatch(classes) or _CUED.fullmatch(classes) or _COUNTED.fullmatch(classes)
    if match is not None and clause.words[-1] == "是" and len(clause.words) > 1:
        copula = classes[-2] == "K" or clause.after in {":", "\n"}
        return None if copula else match  # "答案是", then what it is.
    return match


def _set_mood(verdict: ClauseVerdict, clause: Clause, classes: str, context: Context) -> ClauseVerdict:
    """Weaken a verdict by the mood of its clause."""
    doubtful = verdict.doubtful or (classes[:2] == "nP" and clause.words[1] in _ALL)  # "Not everything is correct."
    partial = clause.reason or (context.part and clause.before == ":")
    return verdict._replace(
        doubtful=doubtful or clause.doubtful,
        half=doubtful or (clause.supposed and "i" not in clause.opener),
        rank=min(verdict.rank, PART if partial else FINAL),
    )
