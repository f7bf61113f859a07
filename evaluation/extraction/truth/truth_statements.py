"""All verdicts of an answer, in order, with what each clause leaves behind for the next."""

import re
from typing import NamedTuple

from evaluation.extraction.truth.clause_verdicts import read_clause
from evaluation.extraction.truth.clauses import Clause
from evaluation.extraction.truth.scope import FINAL, PART, SAID, ClauseVerdict, Context, list_directions

_TURN = re.compile("[BVH]")
_CUE_WORDS = re.compile("[KLeabduPIHC]")
_NAMED = re.compile("[KLSNCH]")
_STATES = re.compile(r"[SN]a*y|\AN[.]")
_CONDITIONAL = re.compile("[SPN]a*[wm]a*b|ob|[TF]w")
_ABOUT_ANSWER = re.compile("[KSN]")
_GRANTED = re.compile(r"\b(?:true|correct|right) that\b|(?:没错|对),?的?是")
_DENIAL = re.compile("[XxZ]")


class Utterance(NamedTuple):
    """A verdict, where it stands, and in which section: sections part where a response takes something back."""

    verdict: ClauseVerdict
    clause: Clause
    section: int


class TruthStatements(NamedTuple):
    """What a response says of the statement.

    Attributes:
        utterances: The verdicts that are said.
        refused: A refusal stands somewhere.
        doubtful: Other verdicts are asked, supposed or remembered.
        left_open: One of these leaves open what parts of the answer say.
    """

    utterances: list[Utterance]
    refused: bool
    doubtful: bool
    left_open: bool


class _Collector:
    """Walks once through the clauses of a response and collects its verdicts."""

    def __init__(self, clauses: list[Clause]) -> None:
        self._clauses = clauses
        self._context = Context()
        self._revised = {clause.sentence for clause in clauses if clause.revises}
        self._utterances: list[Utterance] = []
        self._section = 0
        self._question: Clause | None = None
        self._question_read = False
        self._refused = self._withdrawn = False

    def collect(self) -> TruthStatements:
        for number, clause in enumerate(self._clauses):
            following = self._clauses[number + 1] if number + 1 < len(self._clauses) else None
            self._begin(clause, following)
            verdicts = read_clause(clause, self._context)
            if "c" in clause.classes and following is not None and verdicts and verdicts[0].bare:
                verdicts = []  # Courtesy: "Sure! I listened to the audio."
            if following is not None and following.classes[:1] == "^":
                # "Correct, except that it starts at the back."
                verdicts = [verdict._replace(doubtful=True, half=True) for verdict in verdicts]
            if following is not None and "B" in following.opener and _GRANTED.search(" ".join(clause.words)):
                # "It is true that it starts on the left, but …".
                verdicts = [verdict._replace(doubtful=True, half=True) for verdict in verdicts]
            for verdict in verdicts:
                self._add(verdict, clause)
            self._update(clause, verdicts)
            self._question, self._question_read = clause, bool(verdicts) or bool(_ABOUT_ANSWER.search(clause.classes))
        collected = [] if self._withdrawn else self._utterances
        said = [utterance for utterance in collected if not utterance.verdict.doubtful]
        half = any(utterance.verdict.half for utterance in collected)
        return TruthStatements(self._drop_withdrawals(said), self._refused, len(said) < len(collected), half)

    def _begin(self, clause: Clause, following: Clause | None) -> None:
        context = self._context
        if clause.line_start:
            context.negated = context.stated = context.content = False
            context.directions = context.directions if "B" in clause.opener else ()
            if clause.sentence > context.supposed_in + 1:
                context.supposed = None
        if clause.line_start or _TURN.search(clause.opener):
            context.subject = SAID
        if clause.revises and self._utterances:
            self._section += 1
        if "!" in clause.classes:
            self._refused = True
            # "True. Wait, I cannot tell."
            self._withdrawn = self._withdrawn or (self._section > 0 and clause.sentence in self._revised)
        context.content_follows = following is not None and "." in following.classes
        context.joined = "&" in clause.opener

    def _add(self, verdict: ClauseVerdict, clause: Clause) -> None:
        if self._context.final or "L" in clause.classes:
            verdict = verdict._replace(rank=FINAL)
        if verdict.bare and self._asked_otherwise and not clause.opener:
            verdict = verdict._replace(rank=PART)  # "Is there a cue in front? No."
        previous = self._utterances[-1] if self._utterances else None
        if previous is not None:
            # "Is the statement wrong? No.", "is_correct: false".
            asked = verdict.bare and previous.clause.asked and not clause.asked
            if asked or (previous.clause.key and clause.before == ":"):
                verdict = verdict._replace(value=verdict.value == previous.verdict.base)
        self._withdrawn = False
        self._utterances.append(Utterance(verdict, clause, self._section))

    @property
    def _asked_otherwise(self) -> bool:
        """Whether the clause before asks, but not about the truth of the statement."""
        return self._question is not None and self._question.asked and not self._question_read

    def _update(self, clause: Clause, verdicts: list[ClauseVerdict]) -> None:
        context, classes = self._context, clause.classes
        if verdicts:
            last = verdicts[-1]
            if "i" in clause.opener or (clause.doubtful and _CONDITIONAL.search(classes)):
                context.supposed, context.supposed_in = last.value, clause.sentence
            context.base = context.base if last.bare else last.base
            context.cued = context.final = False
            context.subject = min(last.rank, SAID)
        elif classes:
            light = not _CUE_WORDS.sub("", classes)
            context.cued = light and any(symbol in classes for symbol in "KLC")
            context.final = light and "L" in classes
            context.subject = PART if "." in classes else context.subject
            if "W" in classes or clause.asked or _STATES.search(classes):
                context.base = True
        context.part = not verdicts and "." in classes and not _NAMED.search(classes)
        context.content = "." in classes or "U" in classes
        context.negated = "n" in classes
        if _STATES.search(classes) or ("S" in classes and "according to" in clause.words):
            context.stated, context.directions = True, list_directions(clause.words)

    def _drop_withdrawals(self, said: list[Utterance]) -> list[Utterance]:
        """Drop a "no" that only takes back: "wait, no: true"."""
        if not self._revised:
            return said
        return [
            utterance
            for number, utterance in enumerate(said)
            if not (utterance.verdict.bare and not utterance.verdict.value)
            or utterance.clause.sentence not in self._revised
            or number == len(said) - 1
            or not _DENIAL.search(utterance.clause.classes)
        ]


def collect_verdicts(clauses: list[Clause]) -> TruthStatements:
    """Read the clauses of a response once, in order, and return what it says of the statement."""
    return _Collector(clauses).collect()
