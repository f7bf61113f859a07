"""Packed outcomes: round trip, in a few kilobytes."""

import math

import numpy as np
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from evaluation.types import Outcomes
from submissions.scoring.packing import PackedOutcomes, pack_outcomes, unpack_outcomes

MAX_BYTES = 8_000
N_ITEMS, N_RUNS = 2_016, 3
SHAPES = hnp.array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=40)


def pack(choices: NDArray[np.int16], correct: NDArray[np.float32]) -> PackedOutcomes:
    return pack_outcomes(Outcomes((), correct, choices))


@st.composite
def tables(draw: st.DrawFn) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
    shape = draw(SHAPES)
    max_choice = draw(st.sampled_from([127, 32_767]))
    choices = draw(hnp.arrays(np.int16, shape, elements=st.integers(-max_choice - 1, max_choice)))
    denominator = draw(st.sampled_from([250, 7]))
    steps = draw(hnp.arrays(np.int16, shape, elements=st.integers(0, denominator + 1)))
    correct = np.where(steps == denominator + 1, np.nan, steps / np.float32(denominator)).astype(np.float32)
    return choices, correct


@given(tables())
def test_outcomes_round_trip_through_packing(outcome_tables: tuple[NDArray[np.int16], NDArray[np.float32]]) -> None:
    choices, correct = outcome_tables
    packed = pack(choices, correct)
    unpacked = unpack_outcomes(packed)
    assert (packed.n_items, packed.n_runs) == choices.shape
    assert (unpacked.choices.dtype, unpacked.correct.dtype) == (np.dtype(np.int16), np.dtype(np.float32))
    np.testing.assert_array_equal(unpacked.choices, choices)
    np.testing.assert_array_equal(unpacked.correct, correct)
    assert (unpacked.step_verdicts, unpacked.step_scores) == (None, None)


def test_step_verdicts_round_trip_with_their_scores() -> None:
    choices, correct = np.zeros((2, 1), np.int16), np.array([[0.4], [1.0]], np.float32)
    verdicts, scores = np.array([1, 0, 0, 1, 1], np.int8), np.array([0.9, 0.1, 0.2, 0.7, 1], np.float16)
    unpacked = unpack_outcomes(pack_outcomes(Outcomes(("a", "b"), correct, choices, verdicts, scores)))
    np.testing.assert_array_equal(unpacked.step_verdicts, verdicts)
    np.testing.assert_array_equal(unpacked.step_scores, scores)


@given(tables())
def test_equal_outcomes_are_packed_into_equal_bytes(
    outcome_tables: tuple[NDArray[np.int16], NDArray[np.float32]],
) -> None:
    choices, correct = outcome_tables
    assert pack(choices, correct) == pack(np.asfortranarray(choices), correct.copy())


def test_outcomes_of_a_complete_submission_stay_within_8_kilobytes(subtests: pytest.Subtests) -> None:
    for codes in [[0, 1, 2, 3], [-2, -1, 0, 1, 2, 3]]:
        for seed in range(5):
            with subtests.test(seed=seed, codes=codes):
                rng = np.random.default_rng(seed)
                choices = rng.choice(codes, (N_ITEMS, N_RUNS)).astype(np.int16)
                correct = rng.integers(0, 2, (N_ITEMS, N_RUNS)).astype(np.float32)
                assert len(pack(choices, correct).data) <= MAX_BYTES


@pytest.mark.parametrize("correct", [-0.5, -0.004, 2.0, 1.004, 1e30, math.inf, -math.inf])
def test_outcome_outside_0_to_1_is_refused(correct: float) -> None:
    with pytest.raises(ValueError, match=r"outside \[0, 1\]"):
        pack(np.zeros((1, 1), np.int16), np.full((1, 1), correct, np.float32))


def test_tables_of_different_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match=r"choices are \(2, 3\) and outcomes \(3, 2\); both are items × runs"):
        pack(np.zeros((2, 3), np.int16), np.zeros((3, 2), np.float32))


def test_absent_outcomes_stay_absent() -> None:
    choices = np.array([[0, -3], [-3, 1]], np.int16)
    correct = np.array([[1.0, math.nan], [math.nan, 0.0]], np.float32)
    unpacked = unpack_outcomes(pack(choices, correct)).correct
    assert np.isnan(unpacked).tolist() == [[False, True], [True, False]]


def test_damaged_bytes_are_refused() -> None:
    packed = pack(np.zeros((10, 3), np.int16), np.zeros((10, 3), np.float32))
    with pytest.raises(zstandard.ZstdError):
        unpack_outcomes(PackedOutcomes(10, 3, b"\x00" + packed.data[1:]))
