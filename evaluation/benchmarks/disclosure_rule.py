"""Disclosure rule for scores over secret answers, the same for owners, maintainers and visitors.

Every score over few items, and every decimal, reveals something about single answers; crafted files can extract the
key. Therefore, on a test split with secret answers:

1. A score is shown only if it covers at least `MIN_ITEMS` items. TPR, TNR, the share of an option position and the
   share of an error type are scores, too: their items are those in the denominator, such as the true statements.
2. Scores, standard deviations, intervals and differences are fractions with at most `DECIMALS` decimals; ends of
   intervals are rounded outwards.
3. A standard deviation over seeds is shown for at least `MIN_ITEMS_OF_DEVIATION` items: it distinguishes the runs of a
   file, and each run queries the key once more.
4. A benchmark may withhold more (`Benchmark.withholds`): slices whose members depend on the answers, and scores whose
   difference to another shown score would cover fewer items.
5. Counts are not shown: wins, losses and ties of two submissions would be exact scores.

Evaluators apply the rule (`Benchmark.disclose`) before they store a score, so the web process never has more than it
may show. Without secret answers, nothing is withheld or rounded. The coverage rule for incomplete files applies first
(`coverage`). Remaining leaks: docs/decisions/004-audio-motion-bench-design.md and docs/methods.md.
"""

import math

MIN_ITEMS = 100
MIN_ITEMS_OF_DEVIATION = 500
DECIMALS = 3


def round_share(value: float | None) -> float | None:
    """Round a fraction to the disclosed decimals; None stays None."""
    return None if value is None else round(value, DECIMALS)


def round_down(value: float | None) -> float | None:
    """Round the lower end of an interval outwards to the disclosed decimals."""
    return None if value is None else math.floor(round(value * 10**DECIMALS, 6)) / 10**DECIMALS


def round_up(value: float | None) -> float | None:
    """Round the upper end of an interval, or a p-value, upwards to the disclosed decimals."""
    return None if value is None else math.ceil(round(value * 10**DECIMALS, 6)) / 10**DECIMALS
