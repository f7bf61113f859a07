"""Wilson's score interval of a proportion."""

from math import sqrt
from statistics import NormalDist

from evaluation.statistics.errors import StatisticsError

_LEVEL = 0.95


def wilson_interval(n_right: float, n: float, *, level: float = _LEVEL) -> tuple[float, float]:
    """Return the ends of the score interval of a share, fractions in [0, 1].

    (p + z²/2n ± z sqrt(p(1 − p)/n + z²/4n²)) / (1 + z²/n), with the normal quantile z. It stays within [0, 1] and is
    informative if all or no trials succeed, unlike p ± z times the standard error.

    Args:
        n_right: Successes, 0 to n.
        n: Independent trials, 1 or more; an effective number need not be an integer.
        level: Confidence, in (0, 1).

    Raises:
        StatisticsError: An argument is out of range.

    Source: Wilson, Probable inference, the law of succession, and statistical inference (1927).

    >>> [round(end, 4) for end in wilson_interval(7, 10)]
    [0.3968, 0.8922]
    """
    if not (n >= 1 and 0 <= n_right <= n and 0 < level < 1):
        raise StatisticsError(
            f"{n_right} of {n} at {level}; pass a count from 0 to n, n of 1 or more, and a level in (0, 1)."
        )
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = n_right / n
    centre = share + z * z / (2 * n)
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low = 0.0 if n_right == 0 else (centre - half) / scale
    high = 1.0 if n_right == n else (centre + half) / scale
    return low, high
