"""Tables that judge options by several criteria: only the column with the verdicts says which option is right."""

import re

_RULE = re.compile(r"^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*){2,12}\|?[ \t]*$", re.MULTILINE)
_VERDICT = re.compile(
    r"\W*(?:final |overall )?(?:verdict|match(?:es)?|correct|answer|conclusion|result|decision|overall|fits?|ok"
    r"|judge?ment|最终)?(?:结论|判断|判定|结果|是否(?:正确|符合|成立|选择?))?\W*",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\W*(?:option |选项)?(?P<letter>[A-J])(?![A-Za-z]).*", re.IGNORECASE)
_YES = re.compile(
    r"\W*(?:yes|y|✓|✔|✅|☑|√|correct|right|true|match(?:es)?|fits|是|对|正确|符合|有|成立)\W*", re.IGNORECASE
)
_NO = re.compile(
    r"\W*(?:no|n|✗|✘|❌|×|wrong|incorrect|false|no match|doesn't fit|否|错误?|不正确"
    r"|不对|不符合|不|无|没有|不成立)\W*",
    re.IGNORECASE,
)
# A yes may mean that the option is excluded.
_EXCLUDES = re.compile("exclud|eliminat|rul(?:e|ed|ing) out|排除", re.IGNORECASE)
_FEWEST_CELLS = 3


def _cut_cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def keep_verdict_columns(response: str) -> str:
    r"""Return a response in which each row of a table with several judging columns has only its label and verdict.

    >>> keep_verdict_columns("| Option | Bowed? | Verdict |\n|---|---|---|\n| A | no | ✗ |\n| B | yes | ✓ |")
    'A: ✗\nB: ✓'
    """
    rule = _RULE.search(response) if "|" in response and "--" in response else None
    if rule is None or _EXCLUDES.search(response):
        return response
    before = response[: rule.start()].rstrip("\n").split("\n")
    header, below = _cut_cells(before[-1]), response[rule.end() :].lstrip("\n").split("\n")
    n_rows = next((at for at, line in enumerate(below) if "|" not in line), len(below))
    rows = [_cut_cells(line) for line in below[:n_rows]]
    if len(header) < _FEWEST_CELLS or not header[-1].strip(" *?？") or not _VERDICT.fullmatch(header[-1]):
        return response
    written = [_write_row(row, len(header)) for row in rows]
    is_judged_twice = any(_YES.fullmatch(cell) or _NO.fullmatch(cell) for row in rows for cell in row[1:-1])
    if not written or None in written or not is_judged_twice:
        return response
    return "\n".join([*before[:-1], *(line for line in written if line), *below[n_rows:]])


def _write_row(row: list[str], n_cells: int) -> str | None:
    """The label and the mark of a row; None where it has none."""
    label = _LABEL.fullmatch(row[0]) if len(row) == n_cells else None
    is_yes, is_no = _YES.fullmatch(row[-1]) is not None, _NO.fullmatch(row[-1]) is not None
    return f"{label['letter']}: {'✓' if is_yes else '✗'}" if label is not None and is_yes != is_no else None
