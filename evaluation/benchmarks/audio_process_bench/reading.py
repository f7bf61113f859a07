"""Reading verdicts out of what a critic wrote: the JSON list of true and false that the prompt asks for.

The one place where a response becomes verdicts; `verdicts.py` knows nothing of how it is done.
"""

import json

from evaluation.types import Reading


def read_response(response: str | None, n_steps: int) -> Reading:
    """Return one verdict a step, or why there is not exactly that.

    Args:
        response: What the critic wrote; None where there is nothing.
        n_steps: How many verdicts there have to be.
    """
    try:
        verdicts = json.loads(response or "")
    except (ValueError, RecursionError):
        return Reading(reason="ambiguous" if (response or "").strip() else "empty")
    if not isinstance(verdicts, list) or not all(isinstance(verdict, bool) for verdict in verdicts):
        return Reading(reason="ambiguous")
    return Reading(verdicts=tuple(verdicts)) if len(verdicts) == n_steps else Reading(reason="outside-options")
