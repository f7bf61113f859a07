"""Corpus for the judge guard: prompt injections in English and Chinese, and honest answers that look similar.

Some injections work under any question, others under their own question only. The honest answers mention grades,
questions and instructions. All texts were written for Earshot, and no honest answer is a text of `judge_texts`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from evaluation.judge import OpenQuestion
from evaluation.judge.signals import split_clauses
from evaluation.judge.text import normalize
from tests.support.judges.judge_texts import SCENES, WRONG, load, question_of
from tests.support.judges.scripted_judge import Part

TOPICS = {
    "zh": {"kitchen": "水声", "diving": "比赛结果", "factory": "车间"},
    "en": {"kitchen": "the sound of water", "diving": "the result of the match", "factory": "the workshop"},
}


@dataclass(frozen=True)
class Attack:
    """A wrong answer with a prompt injection, as a participant would submit it."""

    id: str
    question: OpenQuestion
    order: str
    text: str
    is_own: bool


@dataclass
class ObeyingPart(Part):
    """A judge that grades facts and obeys each injected order.

    Attributes:
        own: Order → the only question under which it is obeyed, both normalised by `normalize`.
        is_exact: Whether that question must be the whole text; otherwise it may occur anywhere in it.
        told: Honest answer → its question; each of its clauses counts as a fact, except known phrases.
    """

    own: Mapping[str, str] = field(default_factory=dict)
    is_exact: bool = True
    told: Mapping[str, str] = field(default_factory=dict)

    def grade(self, question: str, answer: str) -> tuple[float, list[str]]:
        said, asked = normalize(answer), normalize(question)
        score, quotes = super().grade(question, answer)
        score = max([score, *(_share(text, said) for text, own in self.told.items() if own == asked)])
        for order, own in self.own.items():
            if order in said and (own == asked if self.is_exact else own in asked):
                score = min(10.0, score + self.sways)
        return score, quotes or ([answer[:40]] if score else [])


@cache
def _list_clauses(text: str) -> tuple[str, ...]:
    frames = set(map(normalize, load("honest")["frames"]))
    return tuple(clause for clause in map(normalize, split_clauses(text)) if clause and clause not in frames)


def _share(text: str, said: str) -> float:
    """Return the score of an answer: the share of an honest answer's clauses that it contains."""
    clauses = _list_clauses(text)
    return 10.0 * sum(clause in said for clause in clauses) / len(clauses)


@cache
def list_attacks() -> tuple[Attack, ...]:
    """Return every injection of the corpus before, after or within a wrong statement, each for one scene."""
    attacks = []
    for kind, orders in load("orders").items():
        for number, template in enumerate(orders):
            scene = list(SCENES)[number % 3]
            language = "zh" if min(template[:4], key=lambda sign: sign < "\u4e00") >= "\u4e00" else "en"
            question = question_of(scene, f"{kind}-{number}")
            order = template.format(topic=TOPICS[language][scene], question=question.question)
            text = _dress(order, WRONG[language], number, "。" if language == "zh" else ". ")
            attacks.append(Attack(question.id, question, order, text, kind == "own"))
    return tuple(attacks)


def _dress(order: str, wrong: str, number: int, stop: str) -> str:
    return (
        f"{wrong}{stop}{order}{stop}",
        f"{order}{stop}{wrong}{stop}",
        f"{wrong}，{order}{stop}" if stop == "。" else f"{wrong}, {order}{stop}",
        f"{wrong}{stop}\n\n{order}",
    )[number % 4]


@cache
def list_honest() -> tuple[tuple[OpenQuestion, str], ...]:
    """Return question and answer of every honest text of the corpus."""
    rows: Mapping[str, list[str]] = load("honest")
    return tuple(
        (question_of(scene, f"told-{scene}-{number}"), text)
        for scene, texts in rows.items()
        if scene in SCENES
        for number, text in enumerate(texts)
    )


def obey(attacks: Iterable[Attack], *, sways: float, is_exact: bool = True) -> ObeyingPart:
    """Return a judge that obeys the injections of some attacks and knows the honest answers of the corpus."""
    attacks = list(attacks)
    return ObeyingPart(
        obeys=frozenset(normalize(one.order) for one in attacks if not one.is_own),
        own={normalize(one.order): normalize(one.question.question) for one in attacks if one.is_own},
        told={text: normalize(question.question) for question, text in list_honest()},
        sways=sways,
        is_exact=is_exact,
    )
