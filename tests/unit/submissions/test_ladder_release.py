"""Decisions of competition mode on 500 imported questions, and the attack that it stops."""

from functools import cache
from typing import Any

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from bench import ladder_attack
from bench.ladder_attack import N_ITEMS, N_SUBMISSIONS
from evaluation import get_benchmark
from evaluation.answer_keys import AnswerKey
from evaluation.packs import example_predictions
from evaluation.types import Outcomes, Prediction
from submissions.competitions.competition_texts import MIN_GAIN, NO_CHANGE, NOTICE
from submissions.competitions.ladder_release import decide_by_headline
from tests.support.samples.about import about

MDAR = get_benchmark("mdar", "1.0")
Bits = NDArray[np.bool_]


@cache
def make_key() -> AnswerKey:
    """Return a key of 500 imported questions with two options, each on a recording of its own."""
    questions: list[dict[str, Any]] = [
        {
            "id": f"main-{number:04}",
            "part": "main",
            "category": "sr",
            "question": "?",
            "options": ("1", "2"),
            "audio": (f"output_clips_{number}/a.wav",),
        }
        for number in range(N_ITEMS)
    ]
    answers = dict.fromkeys((one["id"] for one in questions), 0)
    return AnswerKey(MDAR.id, MDAR.version, "test", "a seed for tests", answers, tuple(questions))


def make_outcomes(right: Bits) -> Outcomes:
    """Return the outcomes of a file; answer 0 is right."""
    ids = tuple(item.id for item in MDAR.content(make_key()).items)
    return Outcomes(ids, right[:, None].astype(np.float32), np.where(right, 0, 1)[:, None].astype(np.int16))


def decide(right: Bits, best: Bits | None) -> tuple[bool, float | None]:
    earlier = None if best is None else make_outcomes(best)
    decision = decide_by_headline(MDAR, make_key(), "default", make_outcomes(right), earlier)
    return decision.is_released, decision.score


def test_release_needs_a_significant_gain_of_three_points() -> None:
    best = np.arange(N_ITEMS) < 250
    assert decide(best, None) == (True, 0.5)
    for n_more, is_released in ((0, False), (2, False), (14, False), (15, True), (16, True)):
        assert decide(np.arange(N_ITEMS) < 250 + n_more, best)[0] is is_released, n_more
    other = np.arange(N_ITEMS) >= 234
    assert decide(other, best) == (False, None), "266 other answers are right: 3.2 points, below their standard error"


def test_missing_items_count_as_wrong() -> None:
    best = np.arange(N_ITEMS) < 250
    absent = make_outcomes(best)
    absent.correct[:] = np.nan
    decision = decide_by_headline(MDAR, make_key(), "default", absent, make_outcomes(best))
    assert (decision.is_released, decision.gain) == (False, about(-0.5))
    assert decide_by_headline(MDAR, make_key(), "default", absent, None).score == 0


@pytest.mark.parametrize(("name", "version"), [("star-bench", "demo"), ("audio-process-bench", "synthetic-3")])
def test_gain_of_a_composite_headline_is_the_difference_of_its_scores(name: str, version: str) -> None:
    benchmark = get_benchmark(name, version)
    key = benchmark.make_key("practice")
    reports = []
    for seed in ("a", "b"):
        rows = ({"response": None} | row for row in example_predictions(benchmark.content(key), seed))
        reports.append(benchmark.score(key, (msgspec.convert(row, Prediction) for row in rows)))
    setting = benchmark.settings[0]
    headline = benchmark.headline_of(setting)
    values = [
        score.value
        for report in reports
        for slice_name, metric, score in report.list_scores()
        if (slice_name, metric) == (headline.slice, headline.metric)
    ]
    first, second = (report.outcomes for report in reports)
    decision = decide_by_headline(benchmark, key, setting, first, second)
    assert decision.gain == about((values[0] or 0.0) - (values[1] or 0.0))
    assert decision.standard_error is not None
    assert decision.standard_error > 0
    assert decide_by_headline(benchmark, key, setting, first, None).is_released


def test_texts_state_the_minimum_gain() -> None:
    assert MIN_GAIN == ladder_attack.MIN_GAIN
    assert all(f"{100 * MIN_GAIN:g} points" in text for text in (NOTICE, NO_CHANGE))


def test_blind_votes_reach_83_percent_with_exact_scores_and_at_most_55_in_competition_mode(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The attack of 700 submissions on 500 questions, with every decision made as the evaluator makes it."""

    class CompetitionBoard(ladder_attack.LadderBoard):
        def submit_answers(self, answers: Bits) -> bool:
            right = answers == self._key
            is_released, score = decide(right, self._best)
            if is_released:
                self._best, self.public = right, score or 0.0
            return is_released

    exact = np.mean([ladder_attack.vote_with_exact_scores(seed, N_ITEMS, N_SUBMISSIONS) for seed in range(4)])
    assert exact > 0.81
    monkeypatch.setattr(ladder_attack, "LadderBoard", CompetitionBoard)
    accuracy, public = ladder_attack.vote_with_ladder(0, N_ITEMS, N_SUBMISSIONS)
    assert accuracy <= 0.55
    assert public < 0.6
