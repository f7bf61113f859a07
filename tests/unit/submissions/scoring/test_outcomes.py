"""Outcomes in the database: readable only with the key; neither bytes nor length reveal correct answers."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation import get_benchmark
from evaluation.answer_keys import AnswerKey
from evaluation.types import ABSENT, MISSING, UNREADABLE, Outcomes
from submissions.keys.sealing import SealError
from submissions.scoring.outcomes import seal_outcomes, unseal_outcomes

BENCHMARK = get_benchmark("audio-motion-bench")
KEY = AnswerKey(BENCHMARK.id, BENCHMARK.version, "test", "a secret seed", {"i-1": 1})
N_ITEMS, N_RUNS = 2_016, 3
MAX_BYTES = 8_000


def make(choices: NDArray[np.int16], correct: NDArray[np.floating]) -> Outcomes:
    return Outcomes(tuple(str(number) for number in range(len(choices))), correct.astype(np.float32), choices)


def make_random(seed: int, codes: list[int], share_right: float) -> Outcomes:
    rng = np.random.default_rng(seed)
    choices = rng.choice(codes, (N_ITEMS, N_RUNS)).astype(np.int16)
    correct = (rng.random((N_ITEMS, N_RUNS)) < share_right).astype(np.float32)
    return make(choices, np.where(choices == ABSENT, np.nan, correct))


# Files of every kind, from all answers right to all runs absent.
FILES = {
    "all right": make_random(1, [0, 1, 2, 3], 1.0),
    "all wrong": make_random(1, [0, 1, 2, 3], 0.0),
    "half right": make_random(1, [0, 1, 2, 3], 0.5),
    "mixed": make_random(1, [ABSENT, MISSING, UNREADABLE, 0, 1, 2, 3], 0.5),
    "constant": make_random(1, [0], 0.4),
    "absent": make(np.full((N_ITEMS, N_RUNS), ABSENT, np.int16), np.full((N_ITEMS, N_RUNS), np.nan)),
}


@pytest.mark.parametrize("name", FILES)
def test_outcomes_are_read_back_with_the_key(name: str) -> None:
    choices, correct, _, _ = unseal_outcomes(KEY, 7, seal_outcomes(KEY, 7, FILES[name]))
    np.testing.assert_array_equal(choices, FILES[name].choices)
    np.testing.assert_array_equal(correct, FILES[name].correct)


def test_length_reveals_nothing_and_stays_within_8_kilobytes() -> None:
    lengths = {len(seal_outcomes(KEY, 7, outcomes).data) for outcomes in FILES.values()}
    assert len(lengths) == 1
    assert lengths.pop() <= MAX_BYTES


def make_critic(flagged: NDArray[np.int8], scores: NDArray[np.generic], right: float) -> Outcomes:
    n_traces = 300
    shares = np.random.default_rng(3).integers(0, 8, (n_traces, 1)) / 7 if right < 1 else np.ones((n_traces, 1))
    outcomes = make(np.zeros((n_traces, 1), np.int16), shares)
    return replace(outcomes, step_verdicts=flagged, step_scores=scores.astype(np.float16))


def test_length_of_critic_outcomes_reveals_nothing_and_they_are_read_back() -> None:
    rng = np.random.default_rng(1)
    flagged = (rng.random(1_800) < 0.5).astype(np.int8)
    critics = [
        make_critic(np.zeros(1_800, np.int8), np.zeros(1_800), 1),
        make_critic(flagged, flagged, 1),
        make_critic(flagged, rng.random(1_800), 0.5),
    ]
    sealed = [seal_outcomes(KEY, 7, critic) for critic in critics]
    assert len({len(sealed_outcomes.data) for sealed_outcomes in sealed}) == 1
    for sealed_outcomes, critic in zip(sealed, critics, strict=True):
        restored = unseal_outcomes(KEY, 7, sealed_outcomes)
        np.testing.assert_allclose(restored.correct, critic.correct)
        np.testing.assert_array_equal(restored.step_scores, critic.step_scores)


def test_bytes_of_a_right_and_a_wrong_file_are_indistinguishable_from_noise() -> None:
    right, wrong = (np.frombuffer(seal_outcomes(KEY, 7, FILES[name]).data, np.uint8) for name in FILES if "all" in name)
    for data in (right, wrong, right ^ wrong):
        counts = np.bincount(data, minlength=256)
        expected = len(data) / 256
        # Chi-square with 255 degrees of freedom: mean 255, deviation 22.6; eight deviations never happen by chance.
        assert ((counts - expected) ** 2 / expected).sum() < 255 + 8 * 22.6
        assert abs(np.unpackbits(data).mean() - 0.5) < 8 * 0.5 / np.sqrt(8 * len(data))


@pytest.mark.parametrize("other", [replace(KEY, seed="another"), replace(KEY, seed="")])
def test_another_key_is_refused_and_identified(other: AnswerKey) -> None:
    sealed = seal_outcomes(KEY, 7, FILES["half right"])
    with pytest.raises(SealError, match=rf"evaluation 7 do not match the key {other.digest[:8]} of audio-motion"):
        unseal_outcomes(other, 7, sealed)


def test_outcomes_moved_to_another_evaluation_or_shape_are_refused() -> None:
    sealed = seal_outcomes(KEY, 7, FILES["half right"])
    with pytest.raises(SealError):
        unseal_outcomes(KEY, 8, sealed)
    with pytest.raises(SealError):
        unseal_outcomes(KEY, 7, replace(sealed, n_items=N_RUNS, n_runs=N_ITEMS))
    with pytest.raises(SealError):
        unseal_outcomes(KEY, 7, replace(sealed, data=sealed.data[:-1] + bytes([sealed.data[-1] ^ 1])))
