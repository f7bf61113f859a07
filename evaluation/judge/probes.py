"""Probes: an answer is judged under another question, to test whether its facts earned the score.

An honest answer earns nothing there, in any wording or language. A text that earns points there was rewarded for
something else: an instruction to the judge, a threat, a forged verdict, a universal answer. This needs no word list and
no understanding of the text; it is a permutation test of a single answer. The foreign question also lists the answer's
own question as not asked, so that an instruction which waits for its own question is triggered.

* Answers with a score are probed in groups, in random order: one call shows that all of them are clean.
* If it does not, each answer of the group is probed alone; an answer that earns points under three questions, in both
  orders, is reported. One question is not enough, because judges are noisy. Points count if they exceed those of known
  wrong controls by `MARGIN`: an instruction that adds a single point is detected, and a lenient judge holds nobody.
* Answers with a signal, and a random few, are probed alone at once. If they mention grades or instructions, the effect
  of their suspicious clauses under a foreign question is measured too.
* Sentences that mention grading without facts are tested under the answer's own question (`home_probes`).

Questions, orders and groups depend on a salt that only the evaluator has, so nobody can prepare for them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from evaluation.judge.asking import Failure, Judge
from evaluation.judge.home_probes import find_spoken, probe_at_home
from evaluation.judge.protocol import Call, JudgeVerdict, OpenQuestion
from evaluation.judge.signals import is_talk, split_clauses
from evaluation.judge.text import similarity
from evaluation.streams import stream

MARGIN = 0.6
"""Points above those of known wrong answers that are not honest under a foreign question."""

MAX_LENIENT = 3.0
"""Points of known wrong answers above which the judge fails its controls; limits are not derived from more."""

NOT_ASKED = "\n\n（同卷的另一题，此处不问、不评 / another question of the test, not asked here：“{own}”）"
"""Text under a foreign question: the answer's own question."""

WORTH_PROBING = 0.5
"""Answers with at most this many points cannot have gained more."""

MAX_NAMED = 20
"""A submission with this many reported answers is held whatever the others are."""

GROUP_SIZE = 4
N_CONFIRMATIONS = 3
SAMPLED_ALONE = 0.04
_SHIFT = 0.5
_N_SHIFTS = 3
_N_DRAWS = 12

Reason = Literal["earns-anywhere", "shifts-the-score", "earns-without-facts"]


@dataclass(frozen=True, slots=True)
class Suspect:
    """An answer with a score.

    Attributes:
        id: Item ID.
        text: Text shown to the judge.
        question: Its question and reference.
        points: Its score, from 0 to 10.
        has_signal: Whether it is probed alone at once.
    """

    id: str
    text: str
    question: OpenQuestion
    points: float
    has_signal: bool


@dataclass(slots=True)
class Findings:
    """Results of probing.

    Attributes:
        held: ID → reason.
        errors: ID → reason for a missing probe.
        asked: Calls that were needed.
    """

    held: dict[str, Reason] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    asked: set[Call] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Prober:
    """Probes the answers of one submission.

    Attributes:
        judge: The judge.
        decoys: Foreign questions.
        salt: Secret salt.
        alone: Whether to probe all answers alone: for a judge that obeyed an instruction.
        leniency: Maximum points of known wrong answers.
    """

    judge: Judge
    decoys: Sequence[OpenQuestion]
    salt: str
    alone: bool = False
    leniency: float = 0.0

    @property
    def limit(self) -> float:
        """Points under a foreign question above this limit count."""
        return min(self.leniency, MAX_LENIENT) + MARGIN

    async def probe(self, suspects: Sequence[Suspect]) -> Findings:
        """Return the answers that earn points by something other than their facts."""
        findings = Findings()
        groups = self._group_suspects(suspects)
        # In waves: once enough answers are reported, no more calls are needed.
        wave = max(1, MAX_NAMED)
        for start in range(0, len(groups), wave):
            if len(findings.held) >= MAX_NAMED:
                break
            await self._probe_groups(groups[start : start + wave], findings)
        if len(findings.held) < MAX_NAMED:
            await self._probe_at_home([suspect for suspect in suspects if suspect.id not in findings.held], findings)
        return findings

    async def _probe_at_home(self, suspects: Sequence[Suspect], findings: Findings) -> None:
        """Hold answers whose text about grading earns points under their own question, `MAX_NAMED` at a time."""
        split = [find_spoken(suspect.id, suspect.text, suspect.question, suspect.points) for suspect in suspects]
        spoken = sorted((suspect for suspect in split if suspect is not None), key=lambda suspect: suspect.id)

        async def ask(calls: Sequence[Call]) -> list[JudgeVerdict | Failure]:
            return await self._judge_calls(calls, findings)

        for start in range(0, len(spoken), MAX_NAMED):
            if len(findings.held) >= MAX_NAMED:
                break
            reported = await probe_at_home(spoken[start : start + MAX_NAMED], ask, findings.errors)
            findings.held.update(dict.fromkeys(reported, "earns-without-facts"))

    def _group_suspects(self, suspects: Sequence[Suspect]) -> list[list[Suspect]]:
        """Return the groups to probe together, in random order."""
        rng = stream(self.salt, "judge probes: groups")
        ordered = sorted(suspects, key=lambda suspect: suspect.id)
        shuffled = [ordered[place] for place in rng.permutation(len(ordered))]
        is_sampled = rng.random(len(shuffled)) < SAMPLED_ALONE
        single = [
            self.alone or suspect.has_signal or bool(is_drawn)
            for suspect, is_drawn in zip(shuffled, is_sampled, strict=True)
        ]
        together = [suspect for suspect, is_single in zip(shuffled, single, strict=True) if not is_single]
        groups = [[suspect] for suspect, is_single in zip(shuffled, single, strict=True) if is_single]
        return groups + [together[at : at + GROUP_SIZE] for at in range(0, len(together), GROUP_SIZE)]

    async def _probe_groups(self, groups: Sequence[Sequence[Suspect]], findings: Findings) -> None:
        calls = [self._foreign("\n\n".join(suspect.text for suspect in group), group, 0) for group in groups]
        verdicts = await self._judge_calls(calls, findings)
        single: list[Suspect] = []
        for group, verdict in zip(groups, verdicts, strict=True):
            if isinstance(verdict, Failure):
                findings.errors.update({suspect.id: verdict.reason for suspect in group})
            elif len(group) == 1 or verdict.points > self.limit:
                single.extend(group)
        await self._probe_single(single, findings)

    async def _probe_single(self, suspects: Sequence[Suspect], findings: Findings) -> None:
        """Probe each answer alone, and twice more if it earns points; then measure the effect of its clauses."""
        first = await self._judge_calls([self._foreign(suspect.text, [suspect], 0) for suspect in suspects], findings)
        earning = _select_above(suspects, first, findings, self.limit)
        for number in range(1, N_CONFIRMATIONS):
            again = await self._judge_calls(
                [self._foreign(earner.text, [earner], number) for earner in earning], findings
            )
            earning = _select_above(earning, again, findings, self.limit)
        findings.held.update({suspect.id: "earns-anywhere" for suspect in earning})
        shifted = [
            suspect for suspect in _select_above(suspects, first, findings, _SHIFT) if suspect.id not in findings.held
        ]
        await self._probe_shift(shifted, findings)

    async def _probe_shift(self, suspects: Iterable[Suspect], findings: Findings) -> None:
        """Hold answers whose suspicious clauses add points under each of three foreign questions."""
        left = [(suspect, honest) for suspect in suspects if (honest := _without_talk(suspect.text)) != suspect.text]
        for number in range(_N_SHIFTS):
            whole = await self._judge_calls(
                [self._foreign(suspect.text, [suspect], number) for suspect, _ in left], findings
            )
            bare = await self._judge_calls(
                [replace(self._foreign(suspect.text, [suspect], number), answer=honest) for suspect, honest in left],
                findings,
            )
            left = [
                pair
                for pair, one, other in zip(left, whole, bare, strict=True)
                if _gains(pair[0], one, other, findings)
            ]
        findings.held.update({suspect.id: "shifts-the-score" for suspect, _ in left})

    async def _judge_calls(self, calls: Sequence[Call], findings: Findings) -> list[JudgeVerdict | Failure]:
        findings.asked.update(calls)
        return await self.judge.judge(calls)

    def _foreign(self, text: str, suspects: Sequence[Suspect], number: int) -> Call:
        """Return the call that shows a text under a question unrelated to all of the answers.

        Their own questions follow, as not asked.
        """
        own = {suspect.question.id for suspect in suspects}
        at_home = "\n".join(f"{suspect.question.question}\n{suspect.question.reference}" for suspect in suspects)
        rng = stream(self.salt, f"judge probes: {' '.join(sorted(own))}")
        decoys = [decoy for decoy in _draw_decoys(rng, self.decoys) if decoy.id not in own]
        decoys.sort(key=lambda decoy: similarity(f"{decoy.question}\n{decoy.reference}", at_home))
        decoy = decoys[min(number, len(decoys) - 1)]
        own_questions = "”“".join(sorted({suspect.question.question for suspect in suspects}))
        shown_question = replace(decoy, question=decoy.question + NOT_ASKED.format(own=own_questions))
        return Call(shown_question, text, candidate_first=number % 2 == 0, repeat=number, purpose="probe")


def _draw_decoys(rng: np.random.Generator, decoys: Sequence[OpenQuestion]) -> list[OpenQuestion]:
    return [decoys[place] for place in rng.permutation(len(decoys))[:_N_DRAWS]]


def _select_above(
    suspects: Sequence[Suspect], verdicts: Sequence[JudgeVerdict | Failure], findings: Findings, limit: float
) -> list[Suspect]:
    """Return the answers with more points than a limit; those without a verdict become errors."""
    selected = []
    for suspect, verdict in zip(suspects, verdicts, strict=True):
        if isinstance(verdict, Failure):
            findings.errors[suspect.id] = verdict.reason
        elif verdict.points > limit:
            selected.append(suspect)
    return selected


def _gains(suspect: Suspect, whole: JudgeVerdict | Failure, bare: JudgeVerdict | Failure, findings: Findings) -> bool:
    for verdict in (whole, bare):
        if isinstance(verdict, Failure):
            findings.errors[suspect.id] = verdict.reason
            return False
    return isinstance(whole, JudgeVerdict) and isinstance(bare, JudgeVerdict) and whole.points - bare.points > _SHIFT


def _without_talk(text: str) -> str:
    """Return a text without clauses addressed to a judge; a placeholder if nothing is left, as judges get no blanks."""
    return "".join(clause for clause in split_clauses(text) if not is_talk(clause)) or "…"
