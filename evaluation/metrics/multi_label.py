"""Multi-label metrics: agreement of a chosen set of options with the right set."""

from math import comb, fsum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.types import Score


class MultiLabel(NamedTuple):
    """Four means over items, each in [0, 1], higher is better.

    Attributes:
        em: Exact match.
        ji: Jaccard index.
        precision: Share of the chosen options that are right.
        recall: Share of the right options that were chosen.
    """

    em: Score
    ji: Score
    precision: Score
    recall: Score


class MultiLabelItems(NamedTuple):
    """Item-level values whose mean is `MultiLabel`, one number per item."""

    em: NDArray[np.float64]
    ji: NDArray[np.float64]
    precision: NDArray[np.float64]
    recall: NDArray[np.float64]


class MultiLabelChance(NamedTuple):
    """Expected `MultiLabel` of a random guess on one question."""

    em: float
    ji: float
    precision: float
    recall: float


def score_multi_label(chosen: NDArray[np.integer], right: NDArray[np.integer]) -> MultiLabel:
    """Compute EM, JI, precision and recall, each averaged over items.

    For the chosen set P and the right set G of an item: EM = [P = G], JI = |P∩G| / |P∪G|, precision = |P∩G| / |P|,
    recall = |P∩G| / |G|. Missing and unparsed answers are the empty set, for which all four are 0. Range [0, 1], higher
    is better. Undefined (None) without items. The order of items does not affect any bit of a score.

    Args:
        chosen: items: the chosen set as the sum of 2^position (see `Outcomes.choices`); 0 or negative: empty.
        right: items: the right set, in the same format; never empty.

    Raises:
        ValueError: An item has no right option.

    Source: MDAR, section 3.3 and appendix F.1. The paper does not define the precision of an empty set; it is 0 here.

    >>> score_multi_label(np.array([0b011]), np.array([0b110])).ji
    Score(value=0.3333333333333333, n=1, std=None)
    """
    return MultiLabel(*(_mean(values) for values in score_multi_label_items(chosen, right)))


def score_multi_label_items(chosen: NDArray[np.integer], right: NDArray[np.integer]) -> MultiLabelItems:
    """Compute the values of `score_multi_label` for each item, with its arguments and errors."""
    if (right <= 0).any():
        raise ValueError(f"{int((right <= 0).sum())} items have no correct option; each needs at least one")
    picked = np.maximum(chosen, 0)
    shared = np.bitwise_count(picked & right).astype(np.float64)
    return MultiLabelItems(
        em=(picked == right).astype(np.float64),
        ji=shared / np.bitwise_count(picked | right),
        precision=shared / np.maximum(np.bitwise_count(picked), 1),
        recall=shared / np.bitwise_count(right),
    )


def _mean(values: NDArray[np.float64]) -> Score:
    # An exact sum: the last digits of a plain sum would depend on the order of the items.
    return Score(fsum(values.tolist()) / len(values), len(values)) if len(values) else Score(None, 0)


def chance_of_multi_label(n_options: int, n_right: int) -> MultiLabelChance:
    """Return the expected values for one question if every non-empty set of options is equally likely.

    With n options and g right ones, m = 2^n − 1 sets: EM = 1/m; recall = 2^(n−1)/m, how probable one option is in the
    set; precision = g/n, because sets of one size share their elements evenly; JI = Σ C(g,i)·C(n−g,j)·i/(g+j) / m over
    i right and j wrong options.

    Raises:
        ValueError: No question has such numbers of options.

    >>> chance_of_multi_label(2, 1)
    MultiLabelChance(em=0.3333333333333333, ji=0.5, precision=0.5, recall=0.6666666666666666)
    """
    if not 1 <= n_right <= n_options:
        raise ValueError(f"{n_right} of {n_options} options cannot be correct; give 1 to {n_options}")
    n_sets = (1 << n_options) - 1
    n_wrong = n_options - n_right
    ji = fsum(
        comb(n_right, i) * comb(n_wrong, j) * i / (n_right + j)
        for i in range(1, n_right + 1)
        for j in range(n_wrong + 1)
    )
    return MultiLabelChance(1 / n_sets, ji / n_sets, n_right / n_options, (1 << n_options - 1) / n_sets)
