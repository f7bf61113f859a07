"""Escaping of CSV cells that a spreadsheet would evaluate as a formula.

`escape_formula` and `restore_formula` are inverse: every text survives an export and a later import.
"""

import re

# Spreadsheets evaluate cells that begin with one of these characters, also after spaces. Such a formula can send the
# content of other cells to a server. The pattern includes apostrophes before them: otherwise the text `'=x` and the
# escaped `=x` would be the same cell.
_FORMULA = re.compile(r"'* *[=+\-@\t\r\n＝＋－＠]")


def escape_formula(text: str) -> str:
    """Return a text as a cell that no spreadsheet evaluates, with an apostrophe before a formula.

    >>> escape_formula("=HYPERLINK(1)"), escape_formula("'=x"), escape_formula("'70s")
    ("'=HYPERLINK(1)", "''=x", "'70s")
    """
    return f"'{text}" if _FORMULA.match(text) else text


def restore_formula(cell: str) -> str:
    """Return the text of a cell that `escape_formula` wrote.

    >>> restore_formula("'=HYPERLINK(1)"), restore_formula("''=x"), restore_formula("'70s")
    ('=HYPERLINK(1)', "'=x", "'70s")
    """
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell, 1) else cell
