"""Text-only baselines: scores of strategies that ignore the audio."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Baseline:
    """A text-only strategy and its expected scores. It is pinned on the board and never ranked.

    Attributes:
        id: Name in the API.
        title: Name on the page.
        description: The strategy, in one sentence.
        scores: `<slice>|<metric>` → expected score, as a fraction; other scores are empty.
    """

    id: str
    title: str
    description: str
    scores: Mapping[str, float]


def make_constant_baseline(scores: Mapping[str, float], chance: Mapping[str, float]) -> Baseline:
    """Return the best constant answer, with the scores in which it beats random guessing.

    Each score is the maximum over constant answers to all questions of a kind. Different scores may use different
    constants: always "true" has the best TPR, always "false" the best TNR.
    """
    better = {key: value for key, value in scores.items() if value > chance.get(key, 1.0) + 1e-9}
    description = (
        "The best score from giving the same answer to every question of a type, if above chance. The constant may "
        "differ between columns."
    )
    return Baseline("constant", "Best constant answer", description, better)


def find_largest_share(answers: Iterable[str]) -> float:
    """Return the share of the most frequent right answer, which is the score of always giving it, in (0, 1].

    Raises:
        ValueError: There are no answers.
    """
    counts: dict[str, int] = {}
    for answer in answers:
        counts[answer] = counts.get(answer, 0) + 1
    return max(counts.values()) / sum(counts.values())
