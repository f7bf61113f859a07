"""Texts of a file check, the same on the page and in the terminal."""

from collections.abc import Mapping, Sequence

WARNED_ABOVE = 0.01
"""Share of unreadable answers above which the check warns."""


def describe_valid(predictions: int, expected: int, missing: int, parsed: int | None) -> str:
    """Return the number of answers in a valid file, and how many of them were parsed.

    >>> describe_valid(6_048, 6_048, 0, 5_981)
    '✓ Valid: 6,048 of 6,048 answers, 5,981 parsed.'
    """
    words = f"✓ Valid: {predictions:,} of {expected:,} answers"
    words += f", {parsed:,} parsed." if parsed is not None else "."
    return f"{words} {missing:,} are missing and would count as wrong." if missing else words


def describe_rejected(n_shown: int, total: int) -> str:
    """Return the number of problems that prevent scoring a file.

    Args:
        n_shown: Number of listed problems; one may group several with the same cause.
        total: Number of all problems.

    >>> describe_rejected(2, 6_048)
    'This file cannot be scored: 6,048 problems, grouped by cause.'
    """
    grouped = ", grouped by cause" if total > n_shown else ""
    return f"This file cannot be scored: {total:,} {'problem' if total == 1 else 'problems'}{grouped}."


def describe_unreadable(unreadable: int, predictions: int, reasons: Mapping[str, int]) -> str:
    """Return the number of unreadable answers, with the reasons if there are several.

    Args:
        unreadable: Number of unreadable answers.
        predictions: Number of all answers.
        reasons: Reason → number of answers, the most frequent first.

    >>> describe_unreadable(67, 6_048, {"empty response": 60, "refusal": 7})
    '67 answers (1.1 %) cannot be parsed and would count as wrong. Reasons: empty response (60), refusal (7).'
    """
    share = 100 * unreadable / predictions
    percent = "under 0.1 %" if share < 0.1 else f"{share:.1f} %"
    listed = ", ".join(f"{reason} ({n:,})" for reason, n in reasons.items())
    # A single reason is shown beside every example.
    why = f" Reasons: {listed}." if len(reasons) > 1 else ""
    many = "s" if unreadable > 1 else ""
    return f"{unreadable:,} answer{many} ({percent}) cannot be parsed and would count as wrong.{why}"


def list_more_ids(code: str, message: str, ids: Sequence[str]) -> str:
    """Return the ids that a message about missing predictions is about, if the message names only some.

    >>> list_more_ids("missing", "3 items have no prediction: a, b, … Add them.", ["a", "b", "c"])
    'a, b, c'
    >>> list_more_ids("missing", "2 items have no prediction: a, b. Add them.", ["a", "b"])
    ''
    """
    return ", ".join(ids) if code == "missing" and ", …" in message else ""


def is_warned(unreadable: int, predictions: int) -> bool:
    """Tell whether the share of unreadable answers warrants a warning."""
    return unreadable > WARNED_ABOVE * predictions
