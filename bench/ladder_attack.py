"""Attacks on fixed questions by the public scores of one owner, with and without the Ladder.

    .venv/bin/python -m bench.ladder_attack [--seeds 20]

Questions have two options, and the attacker knows nothing about the answers. A blind attacker submits independent
guesses and then the majority vote of all of them, each weighted by what its score revealed. For exact scores the weight
is +1 above chance and −1 below. For the Ladder it is +1 if the guess was released, and 0 or −1 otherwise, whichever is
better. A patient attacker changes a few answers of the best submission at a time and keeps every change that is
released.

The number reported is the true accuracy on the questions of what the attacker holds in the end.
"""

import argparse
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics import Clusters, decide_release

N_ITEMS, N_SUBMISSIONS = 500, 700
MIN_GAIN = 0.03
_CHANGED = (2, 4, 10, 30, 100)

Bits = NDArray[np.bool_]


class LadderBoard:
    """The public score of one owner on fixed questions with two options."""

    def __init__(self, n_items: int, rng: np.random.Generator, min_gain: float = 0.0) -> None:
        """Draw the answers."""
        self._clusters = Clusters.of(np.arange(n_items))
        self._key = rng.random(n_items) < 0.5
        self._best: Bits | None = None
        self._min_gain = min_gain
        self.public: float = 0.0

    def submit_answers(self, answers: Bits) -> bool:
        """Return whether a submission gets a new public score."""
        outcomes = answers == self._key
        decision = decide_release(outcomes, self._best, self._clusters, min_gain=self._min_gain)
        if decision.is_released:
            self._best, self.public = outcomes, decision.score or 0.0
        return decision.is_released

    def score_answers(self, answers: Bits) -> float:
        """Return the exact accuracy, which owners do not see."""
        return float((answers == self._key).mean())


def vote_with_exact_scores(seed: int, n_items: int, n_submissions: int) -> float:
    """Return the accuracy of the blind majority vote if every exact score is public."""
    rng = np.random.default_rng(seed)
    board = LadderBoard(n_items, rng)
    guesses = rng.random((n_submissions, n_items)) < 0.5
    weights = [np.sign(board.score_answers(guess) - 0.5) for guess in guesses]
    return board.score_answers(_take_majority(guesses, np.array(weights), rng))


def vote_with_ladder(seed: int, n_items: int, n_submissions: int) -> tuple[float, float]:
    """Return the accuracy of the blind majority vote under the Ladder, and the public score."""
    rng = np.random.default_rng(seed)
    board = LadderBoard(n_items, rng)
    guesses = rng.random((n_submissions, n_items)) < 0.5
    released = np.array([board.submit_answers(guess) for guess in guesses])
    votes = (np.where(released, 1, weight) for weight in (0, -1))
    return max(board.score_answers(_take_majority(guesses, vote, rng)) for vote in votes), board.public


def climb_patiently(seed: int, n_items: int, n_submissions: int, n_changed: int, min_gain: float) -> float:
    """Return the public score of an attacker who changes some answers of the best submission at a time."""
    rng = np.random.default_rng(seed)
    board = LadderBoard(n_items, rng, min_gain)
    best = rng.random(n_items) < 0.5
    board.submit_answers(best)
    for _ in range(n_submissions - 1):
        answers = best.copy()
        answers[rng.choice(n_items, n_changed, replace=False)] ^= True
        if board.submit_answers(answers):
            best = answers
    return board.public


def _take_majority(guesses: Bits, weights: NDArray[np.floating | np.integer], rng: np.random.Generator) -> Bits:
    votes = weights @ np.where(guesses, 1, -1)
    majority: Bits = np.where(votes == 0, rng.random(len(votes)) < 0.5, votes > 0)
    return majority


def main() -> None:
    """Print what each attack reaches, over several answer keys."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20)
    seeds = range(parser.parse_args().seeds)
    print(f"{N_SUBMISSIONS} submissions on {N_ITEMS} questions, {len(seeds)} keys: mean (minimum to maximum)")
    _print_scores("vote, exact scores", [vote_with_exact_scores(seed, N_ITEMS, N_SUBMISSIONS) for seed in seeds])
    votes, public = zip(*(vote_with_ladder(seed, N_ITEMS, N_SUBMISSIONS) for seed in seeds), strict=True)
    _print_scores("vote, Ladder", votes)
    _print_scores("public score, Ladder", public)
    for min_gain in (0.0, MIN_GAIN):
        for n_changed in _CHANGED:
            reached = [climb_patiently(seed, N_ITEMS, N_SUBMISSIONS, n_changed, min_gain) for seed in seeds]
            _print_scores(f"{n_changed} answers changed, minimum gain {min_gain:g}", reached)


def _print_scores(name: str, scores: list[float] | tuple[float, ...]) -> None:
    print(f"{name:<40} {fmean(scores):.1%} ({min(scores):.1%} to {max(scores):.1%})", flush=True)


if __name__ == "__main__":
    main()
