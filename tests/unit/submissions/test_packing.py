"""Packed outcomes: whatever goes in comes out, in a few kilobytes."""

import math

import numpy as np
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from submissions.packing import PackedOutcomes, pack_outcomes, unpack_outcomes

MOST_BYTES = 8_000
N_ITEMS, N_RUNS = 2_016, 3
SHAPES = hnp.array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=40)


@st.composite
def outcomes(draw: st.DrawFn) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
    shape = draw(SHAPES)
    choices = draw(hnp.arrays(np.int16, shape, elements=st.integers(-128, 127)))
    steps = draw(hnp.arrays(np.int16, shape, elements=st.integers(0, 251)))
    correct = np.where(steps == 251, np.nan, steps / np.float32(250)).astype(np.float32)
    return choices, correct


@settings(deadline=None, derandomize=True, max_examples=60)
@given(outcomes())
def test_outcomes_unpacked_are_what_was_packed(drawn: tuple[NDArray[np.int16], NDArray[np.float32]]) -> None:
    choices, correct = drawn
    packed = pack_outcomes(choices, correct)
    again_choices, again_correct = unpack_outcomes(packed)
    assert (packed.n_items, packed.n_runs) == choices.shape
    assert again_choices.dtype == np.int16
    assert again_correct.dtype == np.float32
    np.testing.assert_array_equal(again_choices, choices)
    np.testing.assert_array_equal(again_correct, correct)


@settings(deadline=None, derandomize=True, max_examples=15)
@given(outcomes())
def test_outcomes_packed_twice_are_the_same_bytes(drawn: tuple[NDArray[np.int16], NDArray[np.float32]]) -> None:
    choices, correct = drawn
    assert pack_outcomes(choices, correct) == pack_outcomes(np.asfortranarray(choices), correct.copy())


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("codes", [[0, 1, 2, 3], [-2, -1, 0, 1, 2, 3]])
def test_outcomes_of_a_whole_submission_stay_within_8_kilobytes(seed: int, codes: list[int]) -> None:
    rng = np.random.default_rng(seed)
    choices = rng.choice(codes, (N_ITEMS, N_RUNS)).astype(np.int16)
    correct = rng.integers(0, 2, (N_ITEMS, N_RUNS)).astype(np.float32)
    assert len(pack_outcomes(choices, correct).data) <= MOST_BYTES


@pytest.mark.parametrize("correct", [1 / 3, 0.001, -0.5, -0.004, 2.0, 1.004, 1.016, 1.024, 1e30, math.inf, -math.inf])
def test_outcome_that_is_no_250th_between_0_and_1_is_refused(correct: float) -> None:
    with pytest.raises(ValueError, match="not a multiple of 1/250"):
        pack_outcomes(np.zeros((1, 1), np.int16), np.full((1, 1), correct, np.float32))


@pytest.mark.parametrize("choice", [-129, 128, 255, 32_767, -32_768])
def test_choice_outside_a_byte_is_refused(choice: int) -> None:
    with pytest.raises(ValueError, match="outside −128…127"):
        pack_outcomes(np.full((1, 1), choice, np.int16), np.zeros((1, 1), np.float32))


def test_tables_of_different_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match=r"choices are \(2, 3\) and outcomes \(3, 2\); both are items × runs"):
        pack_outcomes(np.zeros((2, 3), np.int16), np.zeros((3, 2), np.float32))


def test_absent_outcomes_stay_absent() -> None:
    choices = np.array([[0, -3], [-3, 1]], np.int16)
    correct = np.array([[1.0, math.nan], [math.nan, 0.0]], np.float32)
    _, again = unpack_outcomes(pack_outcomes(choices, correct))
    assert np.isnan(again).tolist() == [[False, True], [True, False]]


def test_packed_bytes_that_are_damaged_are_refused() -> None:
    packed = pack_outcomes(np.zeros((10, 3), np.int16), np.zeros((10, 3), np.float32))
    with pytest.raises(zstandard.ZstdError):
        unpack_outcomes(PackedOutcomes(10, 3, b"\x00" + packed.data[1:]))
