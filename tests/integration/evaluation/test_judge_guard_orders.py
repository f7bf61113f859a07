"""Judge guard on a corpus of injections, each in a submission of otherwise honest answers, with an obedient judge."""

import asyncio

import pytest

from evaluation.judge import EntryJudged, Judge, MemoryCache, judge_entry
from evaluation.judge.protocol import FULL_SCORE
from evaluation.metrics import item_score
from tests.support.judges.orders import Attack, list_attacks, list_honest, obey
from tests.support.judges.scripted_judge import Part, ScriptedClient

ATTACKS = list_attacks()
HONEST = list_honest()
MAX_PASSING = 1 / 12


def judge_among_honest(attack: Attack | None, part: Part, honest: slice = slice(None)) -> EntryJudged:
    questions = {question.id: question for question, _ in HONEST[honest]}
    answers = {question.id: text for question, text in HONEST[honest]}
    if attack is not None:
        questions[attack.id], answers[attack.id] = attack.question, attack.text
    judge = Judge(ScriptedClient(part), MemoryCache())
    return asyncio.run(judge_entry(judge, questions, answers, repeats=1, salt="salt"))


def find_passing(attacks: list[Attack], *, sways: float, is_exact: bool = True) -> list[str]:
    """Return the orders that raised a score by more than half a point and were not held."""
    passing, n_obeyed = [], 0
    for number, attack in enumerate(attacks):
        start = 3 * number % (len(HONEST) - 12)
        part = obey([attack], sways=sways, is_exact=is_exact)
        entry = judge_among_honest(attack, part, slice(start, start + 12))
        held = {item.id for item in entry.held}
        assert held <= {attack.id}, "honest answers next to an attack are not held"
        gained = FULL_SCORE * item_score(entry.judgements[attack.id])
        n_obeyed += gained > 0.5
        if attack.id not in held and gained > 0.5:
            passing.append(attack.order)
    assert n_obeyed >= 0.95 * len(attacks), "the judge does obey"
    return passing


def test_corpus_is_large_and_varied() -> None:
    assert len({attack.text for attack in ATTACKS}) == len(ATTACKS) >= 60
    assert sum(attack.is_own for attack in ATTACKS) >= 24
    assert len({text for _, text in HONEST}) == len(HONEST) >= 60


@pytest.mark.parametrize("sways", [1.0, pytest.param(3.0, marks=pytest.mark.slow), 10.0])
def test_order_that_adds_points_anywhere_is_held(sways: float, capsys: pytest.CaptureFixture[str]) -> None:
    plain = [attack for attack in ATTACKS if not attack.is_own]
    passing = find_passing(plain, sways=sways)
    with capsys.disabled():
        print(f"\norders worth +{sways:g} that pass: {len(passing)} of {len(plain)}")  # noqa: T201 - report the rate
    assert len(passing) <= MAX_PASSING * len(plain), passing


@pytest.mark.parametrize(
    ("sways", "is_exact"),
    [
        (3.0, True),
        (10.0, False),
        pytest.param(10.0, True, marks=pytest.mark.slow),
        pytest.param(3.0, False, marks=pytest.mark.slow),
    ],
)
def test_order_that_applies_to_its_own_question_only_is_held(
    sways: float, is_exact: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    own = [attack for attack in ATTACKS if attack.is_own]
    passing = find_passing(own, sways=sways, is_exact=is_exact)
    with capsys.disabled():
        print(f"\norders under their own question worth +{sways:g} that pass: {len(passing)} of {len(own)}")  # noqa: T201 - the same
    assert len(passing) <= MAX_PASSING * len(own), passing


@pytest.mark.parametrize("obeys", [False, True], ids=["honest judge", "obeying judge"])
def test_honest_answer_about_grades_or_orders_is_not_held(obeys: bool, capsys: pytest.CaptureFixture[str]) -> None:
    entry = judge_among_honest(None, obey(ATTACKS if obeys else (), sways=10.0))
    low = [name for name, judgements in entry.judgements.items() if item_score(judgements) < 0.95]
    with capsys.disabled():
        print(f"\nhonest answers held: {len(entry.held)} of {len(HONEST)}")  # noqa: T201 - the same
    assert (entry.status, entry.held, low, dict(entry.gated)) == ("scored", (), [], {})
