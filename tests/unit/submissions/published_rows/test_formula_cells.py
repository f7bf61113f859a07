"""Escaping of formulas in CSV cells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from submissions.published_rows.formula_cells import escape_formula, restore_formula

STARTS = "=+-@\t\r\n＝＋－＠"
# Mostly characters that matter at the start of a cell.
TEXTS = st.text(st.sampled_from(f"' {STARTS}x1")) | st.text()


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("prefix", ["", " ", "  ", "'", "''", "' "])
def test_text_that_looks_like_a_formula_gets_an_apostrophe(prefix: str, start: str) -> None:
    assert escape_formula(f"{prefix}{start}x") == f"'{prefix}{start}x"


@pytest.mark.parametrize("text", ["", "x=1", "'", "'x", "'70s", "a-b", " x", " '=x"])
def test_other_text_is_unchanged(text: str) -> None:
    assert escape_formula(text) == text
    assert restore_formula(text) == text


@given(TEXTS)
def test_escaped_text_is_restored_and_is_no_formula(text: str) -> None:
    escaped = escape_formula(text)
    assert restore_formula(escaped) == text
    assert not escaped.lstrip(" ").startswith(tuple(STARTS))
