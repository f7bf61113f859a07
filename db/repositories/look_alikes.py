"""Look-alike user names: names that readers take for one another count as one name."""

from typing import Any

from sqlalchemy import func

# After lower case, in this order. A capital I looks like l, so that i, l and 1 are one letter.
_SAME = (("0", "o"), ("1", "l"), ("i", "l"), ("rn", "m"), ("vv", "w"), (".", "-"), ("_", "-"))


def fold_name(name: str) -> str:
    """Return what all names that look like one have in common; names are ASCII."""
    folded = name.lower()
    for seen, meant in _SAME:
        folded = folded.replace(seen, meant)
    return folded


def fold_column(column: Any) -> Any:
    """Return the same of a column of names, as an SQL expression."""
    folded = func.lower(column)
    for seen, meant in _SAME:
        folded = func.replace(folded, seen, meant)
    return folded
