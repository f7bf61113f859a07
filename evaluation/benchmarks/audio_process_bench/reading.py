"""Reading verdicts out of what a critic wrote."""

import json

from evaluation.types import Reading


def read_response(response: str | None, n_steps: int) -> Reading:
    """Read one verdict a step; None and why where there is not exactly that."""
    try:
        verdicts = json.loads(response or "")
    except (ValueError, RecursionError):
        return Reading(reason="ambiguous" if (response or "").strip() else "empty")
    if not isinstance(verdicts, list) or not all(isinstance(verdict, bool) for verdict in verdicts):
        return Reading(reason="ambiguous")
    return Reading(verdicts=tuple(verdicts)) if len(verdicts) == n_steps else Reading(reason="outside-options")
