"""Tables with a row, or a column, for each step: the head of a column says what its cells say of the steps."""

import json
import re

from evaluation.extraction.critic.critic_phrases import (
    describes_error,
    names_number,
    names_verdict,
    plain_key,
    polarity_of_key,
)
from evaluation.extraction.critic.numbers import list_numbers
from evaluation.extraction.language.symbols import CROSSES, TICKS
from evaluation.extraction.step_lists.json_verdicts import list_objects

_ROW = {sign: re.compile(rf"^[^{sign}\n]*(?:{re.escape(sign)}[^{sign}\n]*){{1,12}}$", re.MULTILINE) for sign in "|;,"}
_RULE = re.compile(r"[\s:|+-]+")
_NUMBERED = re.compile(r"(?:steps? ?#?|步骤 ?|第 ?|s|#)?([0-9]{1,3})(?: ?步)?(?![0-9a-z%])", re.IGNORECASE)
_SPELLED = re.compile("(?:第|步骤)?([一二三四五六七八九十]{1,2})步?")
_ANSWER = re.compile(
    r"(yes|no|true|false|y|n|[01]|是|否|有|无|没有)(?= ?(?:$|[-(,:;.。,]))(?P<rest>.*)", re.IGNORECASE | re.DOTALL
)
_TICKS = {**dict.fromkeys(TICKS, "yes"), **dict.fromkeys(CROSSES, "no")}
# A column that tells the error, "none" where there is none.
_ERROR_HEAD = re.compile("(?:error|mistake|issue|problem)s?|错误|问题")
_NO_ERROR = re.compile("none|no(?: (?:error|mistake|issue|problem)s?)?|nothing|-+|n/a|无|没有", re.IGNORECASE)
_CHINESE_ANSWERS = {"有": "yes", "无": "no", "没有": "no"}
_MARKUP = " *_`\ufe0f"


def write_tables(text: str, n_steps: int) -> str:
    r"""Return a text with each table that judges all steps as a JSON list of verdicts; any other text as it is.

    >>> write_tables("| Step | Claim | Supported? |\n|---|---|---|\n| 1 | Rain | Yes |\n| 2 | Snow | No |", 2)
    '[{"step": 1, "erroneous": false}, {"step": 2, "erroneous": true}]'
    """
    for sign, row in _ROW.items():
        if text.count(sign) >= n_steps and (block := _find_block(text, row)):
            lines = [line for line in text[slice(*block)].split("\n") if not _RULE.fullmatch(line)]
            verdicts = _read_rows([_split(line, sign) for line in lines], n_steps, is_loose=sign != "|")
            if verdicts is not None:
                said = [{"step": step, "erroneous": verdict} for step, verdict in enumerate(verdicts, 1)]
                text = f"{text[: block[0]]}{json.dumps(said)}{text[block[1] :]}"
    return text


def _find_block(text: str, row: re.Pattern[str]) -> tuple[int, int] | None:
    """The place of the first rows that follow each other, a head and at least one more."""
    start = end = -1
    for match in row.finditer(text):
        if match.start() == end + 1 and end >= 0:
            end = match.end()
        elif text.count("\n", start, end) >= 1:
            break
        else:
            start, end = match.span()
    return (start, end) if start >= 0 and text.count("\n", start, end) >= 1 else None


def _split(line: str, sign: str) -> list[str]:
    if sign == "|":
        line = line.strip().removeprefix("|").removesuffix("|")
    return [cell.strip(_MARKUP) for cell in line.split(sign)]


def _read_rows(rows: list[list[str]], n_steps: int, *, is_loose: bool) -> list[bool | None] | None:
    """Read a head and rows; None where not every step has one verdict, nothing but None where a sign may mean either.

    A loose table has signs between its cells that sentences have too.
    """
    head = rows[0] if rows else []
    across = [int(match[1]) for cell in head if (match := _NUMBERED.fullmatch(cell))]
    if len(across) == n_steps and len(head) <= n_steps + 1 and len(rows) > 1:
        named = len(head) > n_steps
        rows = [list(column) for column in zip(*rows, strict=False)] if all(len(r) == len(head) for r in rows) else []
        rows = rows if named else [["step", *["verdict"] * (len(rows[0]) - 1)], *rows] if rows else []
        head = ["step", *(cell or "verdict" for cell in rows[0][1:])] if rows else []
    column = next((n for n, cell in enumerate(head) if names_number(plain_key(cell.strip(" ?")))), 0)
    if column and not names_number(plain_key(head[0].strip(" ?"))):
        # "| Correct | Step |".
        rows = [[row[column], *row[:column], *row[column + 1 :]] for row in rows if len(row) > column]
        head = rows[0]
    keys = [plain_key(cell.strip(" ?")) for cell in head]
    polar = [polarity_of_key(key) for key in keys]
    if not any(each is not None or names_verdict(key) for each, key in zip(polar, keys, strict=True)):
        return None
    if not names_number(keys[0]) and (is_loose or polar[0] is not None or names_verdict(keys[0])):
        return None
    objects: list[dict[str, object]] = []
    for cells in rows[1:]:
        number = _NUMBERED.match(cells[0]) or _SPELLED.fullmatch(cells[0])
        if number is None:
            continue  # A row of totals.
        values = [
            _plain_cell(cell, key, polar, each) for cell, key, each in zip(cells[1:], keys[1:], polar[1:], strict=False)
        ]
        if None in values:
            return [None] * n_steps
        objects.append({"step": list_numbers(number[1])[0], **dict(zip(keys[1:], values, strict=False))})
    verdicts = list_objects(objects, n_steps) if objects else None
    if verdicts is None or verdicts.problem or len(verdicts.by_step) < n_steps:
        return None
    return [verdicts.by_step[step] for step in range(n_steps)]


def _plain_cell(cell: str, key: str, polar: list[bool | None], polarity: bool | None) -> str | None:
    """Return a cell without the reason behind its answer; None for a sign below a head that may mean either."""
    if polarity is None:
        return cell
    if {True, False} <= set(polar) and (cell in _TICKS or cell in {"x", "X"}):
        return _TICKS.get(cell, "yes")  # One column for correct steps, one for the others.
    if cell in _TICKS:
        return None if polarity else _TICKS[cell]
    if answer := _ANSWER.match(cell):
        return _CHINESE_ANSWERS.get(answer[1], answer[1])
    if not _ERROR_HEAD.fullmatch(key):
        return cell
    return "no" if _NO_ERROR.fullmatch(cell) else "yes" if describes_error(cell) else cell
