"""Holm's correction for multiple p-values."""

from collections.abc import Sequence

from evaluation.statistics.errors import StatisticsError


def adjust_p_values(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for a whole family, by Holm's step-down procedure.

    Of m p-values in ascending order, the i-th becomes the largest of (m − j + 1) · p(j) over j ≤ i, at most 1.
    Rejecting adjusted values of at most 5 % makes an error anywhere in the family with a probability of at most 5 %,
    however the tests depend on each other. Dimensionless, in (0, 1], never below the p-value itself, in the given
    order; empty for an empty family.

    Raises:
        StatisticsError: A value is outside [0, 1].

    Source: Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6 (1979).

    >>> adjust_p_values([0.04, 0.01, 0.5])
    [0.08, 0.03, 0.5]
    """
    if not all(0 <= p_value <= 1 for p_value in p_values):
        raise StatisticsError(f"p-values lie in [{min(p_values):g}, {max(p_values):g}]; pass values in [0, 1].")
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted
