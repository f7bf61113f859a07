"""Disclosure rule for scores over secret answers, the same for owners, maintainers and visitors.

Every score over few items, and every decimal, says something about single answers; files that are made for it read the
key out. So, on a test split with secret answers:

1. A score is shown only where at least `MIN_ITEMS` items are behind it. TPR, TNR, the share of an option position and
   the share of an error type are scores, too: the items are those that they are over, such as the true statements.
2. A score, its deviation, an interval and a difference are fractions of at most `DECIMALS` decimals; ends of intervals
   are rounded outwards.
3. A deviation over seeds is shown over at least `MIN_ITEMS_OF_DEVIATION` items: it tells the runs of a file apart,
   and each run is one more question to the key.
4. A benchmark may withhold more (`Benchmark.withholds`): slices whose members follow from the answers, and those that
   would make the difference between two shown scores one over fewer items.
5. Nothing is counted: wins, losses and ties of two submissions would be exact scores.

Evaluators apply the rule (`Benchmark.disclose`) before they store a score; the web process never has more than it may
show. Where no answer is secret, nothing is withheld or rounded. What a file with gaps shows is decided before
(`coverage`). What the rule leaves to an attacker: docs/decisions/004-audio-motion-bench-design.md and docs/methods.md.
"""

import math

MIN_ITEMS = 100
MIN_ITEMS_OF_DEVIATION = 500
DECIMALS = 3


def round_share(value: float | None) -> float | None:
    """Return a fraction with the decimals that may be shown; None stays None."""
    return None if value is None else round(value, DECIMALS)


def round_down(value: float | None) -> float | None:
    """Return the lower end of an interval with the decimals that may be shown, rounded outwards."""
    return None if value is None else math.floor(round(value * 10**DECIMALS, 6)) / 10**DECIMALS


def round_up(value: float | None) -> float | None:
    """Return the upper end of an interval, or a p-value, with the decimals that may be shown, rounded upwards."""
    return None if value is None else math.ceil(round(value * 10**DECIMALS, 6)) / 10**DECIMALS
