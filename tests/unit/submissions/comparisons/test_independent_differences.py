"""Differences of two evaluations of different editions: independent samples."""

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation.answer_keys import AnswerKey
from evaluation.statistics import compare_unpaired
from evaluation.types import Outcomes
from submissions.comparisons.differences import ScoreDifference, subtract_scores
from submissions.comparisons.independent_differences import (
    FEW_VARYING,
    IndependentDifferences,
    ScoredQuestions,
    make_item_differences,
)
from submissions.comparisons.item_differences import NOT_COVERED, NOT_OF_ITEMS
from submissions.comparisons.paired_differences import PairedDifferences
from tests.support.samples.boards_with_outcomes import KEY, N_A, N_ITEMS, SMALL, make_scores, rows

EDITION = SMALL.make_edition_key(KEY, "e-7f3kq9x2")

Table = NDArray[np.float32]


def draw_table(share: float, seed: int) -> Table:
    return (np.random.default_rng(seed).random((N_ITEMS, 1)) < share).astype(np.float32)


def score_questions(table: Table, key: AnswerKey = KEY) -> ScoredQuestions:
    return ScoredQuestions(key, Outcomes((), table, np.zeros(table.shape, np.int16)))


def compare_tables(first: Table, second: Table) -> dict[str, ScoreDifference]:
    pair = make_item_differences(SMALL, score_questions(first), score_questions(second, EDITION))
    plain = subtract_scores(SMALL, make_scores(first), make_scores(second))
    return {one.figure: one for one in pair.add_to(plain)}


def test_difference_matches_that_of_two_independent_samples() -> None:
    first, second = draw_table(0.8, 1), draw_table(0.5, 2)
    found = compare_tables(first, second)["b|accuracy"]
    in_b = rows("b") > 0
    clusters = SMALL.cluster_items(KEY)[in_b]
    expected = compare_unpaired(first[in_b, 0], second[in_b, 0], clusters, clusters)
    assert expected.low is not None
    assert expected.high is not None
    assert found.low == pytest.approx(expected.low, abs=1e-4)
    assert found.high == pytest.approx(expected.high, abs=1e-4)
    assert found.p_value == pytest.approx(expected.p_value, abs=1e-4)
    assert (found.wins, found.losses, found.ties) == (None, None, None)
    assert found.p_adjusted is not None


def test_equal_files_have_an_interval_because_their_questions_differ() -> None:
    table = draw_table(0.6, 1)
    found = compare_tables(table, table)["a|accuracy"]
    assert (found.difference, found.p_value) == (0.0, 1.0)
    assert found.low is not None
    assert found.low < 0


def test_scores_without_an_interval_state_why() -> None:
    everything = np.ones((N_ITEMS, 1), np.float32)
    found = compare_tables(everything, everything)
    assert found["a|accuracy"].note == FEW_VARYING
    assert found["a|largest"].note == NOT_OF_ITEMS
    part = draw_table(0.6, 3)
    part[:N_A] = np.nan
    pair = IndependentDifferences(SMALL, score_questions(everything), score_questions(part, EDITION))
    assert pair.find_refusal("a|accuracy") == NOT_COVERED
    assert pair.find_refusal("b|accuracy") is None


def test_evaluations_of_the_same_questions_are_compared_in_pairs() -> None:
    table = draw_table(0.6, 1)
    for key in (KEY, EDITION):
        pair = make_item_differences(SMALL, score_questions(table, key), score_questions(table, key))
        assert isinstance(pair, PairedDifferences)
