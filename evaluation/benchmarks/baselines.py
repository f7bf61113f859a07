"""Text-only baselines: what answering without the sounds scores, beside an even guess."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Baseline:
    """A strategy that hears nothing, and what it is expected to score. It is pinned on the board and never ranked.

    Attributes:
        id: Name in the API.
        title: Name on the page.
        description: What it does, in a sentence.
        scores: `<slice>|<metric>` → expected score, as a fraction; what is not named has none.
    """

    id: str
    title: str
    description: str
    scores: Mapping[str, float]


def make_constant_baseline(scores: Mapping[str, float], chance: Mapping[str, float]) -> Baseline:
    """Return the best constant answer, with the scores in which it is better than an even guess.

    A score is the largest that one answer reaches if given to every question of a kind. Different scores may be of
    different constants: always "true" has the best TPR, always "false" the best TNR.
    """
    better = {key: value for key, value in scores.items() if value > chance.get(key, 1.0) + 1e-9}
    description = (
        "The best score from giving the same answer to every question of a type, if above chance. The constant may "
        "differ between columns."
    )
    return Baseline("constant", "Best constant answer", description, better)


def find_largest_share(answers: Iterable[str]) -> float:
    """Return the share of the most frequent of some right answers: what always giving it scores, in (0, 1].

    Raises:
        ValueError: There are no answers.
    """
    counts: dict[str, int] = {}
    for answer in answers:
        counts[answer] = counts.get(answer, 0) + 1
    return max(counts.values()) / sum(counts.values())
