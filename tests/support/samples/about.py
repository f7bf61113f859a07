"""Numbers that equal what is close to them, for comparisons of whole records."""

from typing import Any

import pytest


def about(value: float, *, abs: float | None = None) -> Any:
    """Return `pytest.approx` of a number, of a type that stands where a record has a number."""
    return pytest.approx(value, abs=abs)
