"""Run of an ID in a file of another tool: `bell-7#2` is run 2 of `bell-7`.

Tools without a field for runs ask each run as a sample of its own, and samples need different IDs.
"""

import re

_RUN_OF_ID = re.compile(r"(.+)#([0-9]{1,4})", re.DOTALL)


def split_run(full_id: str) -> tuple[str, int | None]:
    """Return an ID without the run after it, and the run, if there is one.

    >>> split_run("bell-7#2"), split_run("bell-7")
    (('bell-7', 2), ('bell-7', None))
    """
    match = _RUN_OF_ID.fullmatch(full_id)
    return (full_id, None) if match is None else (match[1], int(match[2]))
