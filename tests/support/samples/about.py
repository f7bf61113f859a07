"""Approximate numbers for comparing whole records."""

from typing import Any

import pytest


def about(value: float, *, abs: float | None = None) -> Any:
    """Return `pytest.approx` of a number, typed as the number itself."""
    return pytest.approx(value, abs=abs)
