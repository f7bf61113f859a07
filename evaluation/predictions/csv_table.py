"""CSV reader: a header, and one prediction per record, in bounded memory.

The format is that of RFC 4180. Cells are separated by commas, semicolons or tabs, as the header, which contains `id`,
shows. The cells of `erroneous` and `scores` are JSON lists. A record ends with the first line after which all quotes
are balanced, so that a line break within quotes belongs to the cell.

`csv` of the standard library does not replace this, although it reads 45 MB/s instead of 37. It accepts quotes inside
a bare cell, which RFC 4180 forbids and we report. After a stray quote it ends records elsewhere: 1,995 of 5,000 damaged
tables got other problems. With a check for stray quotes before it, the code is no shorter and reads 29 MB/s. Its limit
of cells (131,072 characters; we accept 200,000) applies to the whole process. `docs/performance.md` has the details.
"""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO, NamedTuple, TypeVar

import msgspec

from evaluation.predictions.beginnings import describe_beginning
from evaluation.predictions.field_names import find_cause_of_names, find_meant, safe
from evaluation.predictions.jsonl import BOM, read_blocks
from evaluation.predictions.other_tools import find_tool_of_rows
from evaluation.predictions.problems import FileFaultError, Problem, Problems, make_common_cause
from evaluation.predictions.row_faults import MAX_RESPONSE_CHARACTERS
from evaluation.predictions.rows import MAX_ROW_BYTES, check_row
from evaluation.predictions.run_suffix import split_run
from evaluation.predictions.table_columns import TableColumns, find_columns
from evaluation.predictions.wrong_values import UNREADABLE
from evaluation.types import ITEM_ID, Prediction

_DELIMITER_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs"}
DELIMITERS = "".join(_DELIMITER_NAMES)
Value = TypeVar("Value")
_MAX_COLUMNS = 100
_NO_UTF8 = "is not UTF-8. Save the file as UTF-8."
_RUN = re.compile(r"[0-9]{1,9}")
_FLAGS = msgspec.json.Decoder(tuple[bool, ...])
_SCORES = msgspec.json.Decoder(tuple[float, ...])
_FORMS_OF = {"erroneous": "a JSON list such as [true, false]", "scores": "a JSON list such as [0.9, 0.1]"}


class _Header(NamedTuple):
    """Parsed header: the delimiter, the number of cells, and the columns that are read."""

    delimiter: str
    n_cells: int
    columns: TableColumns


class _RecordError(Exception):
    """A record contains no prediction."""

    def __init__(self, code: str, what: str, common: str | None = None) -> None:
        """Create an error from its kind, the record's predicate, and the predicate of all similar records."""
        self.code = code
        self.what = what
        self.common = common or what


def read_csv(file: BinaryIO, problems: Problems) -> Iterator[Prediction]:
    """Yield the predictions of a table and collect the errors of invalid records.

    Raises:
        FileFaultError: There is no header, a record does not end, or there are too many errors.
    """
    header: _Header | None = None
    for data, line in _read_records(file, problems):
        try:
            record = data.decode()
        except UnicodeDecodeError:
            problems.add(Problem("encoding", f"Line {line} {_NO_UTF8}", line, cause=make_common_cause(_NO_UTF8)))
            problems.require_patience(line)
            continue
        if header is None:
            header = _read_header(record, line)
            continue
        prediction = _read_record(record, header, line, problems)
        if prediction is not None:
            yield prediction
        else:
            problems.require_patience(line)


def _read_records(file: BinaryIO, problems: Problems) -> Iterator[tuple[bytes, int]]:
    """Yield every record without its line end, with its first line; skip empty lines in between."""
    number = 0
    lines = (line for block in read_blocks(file) for line in io.BytesIO(block))
    for line in lines:
        number += 1
        if number == 1:
            line = line.removeprefix(BOM)
        if line.count(b'"') % 2 == 0 and len(line) <= MAX_ROW_BYTES:
            if not line or line.isspace():
                problems.count_empty_line(number)
            else:
                yield line.removesuffix(b"\n").removesuffix(b"\r"), number
            continue
        record, n_more = _read_on(lines, line, number)
        yield record, number
        number += n_more


def _read_on(lines: Iterator[bytes], line: bytes, first: int) -> tuple[bytes, int]:
    """Return a multi-line record, and its number of additional lines."""
    pieces, n_bytes = [line], len(line)
    is_open = line.count(b'"') % 2 == 1
    while is_open and n_bytes <= MAX_ROW_BYTES and (line := next(lines, b"")):
        pieces.append(line)
        n_bytes += len(line)
        is_open ^= line.count(b'"') % 2 == 1
    if n_bytes > MAX_ROW_BYTES:
        raise FileFaultError(
            "line-too-long",
            f"The record that begins in line {first} is longer than {MAX_ROW_BYTES:,} bytes. Check for an "
            "unclosed quote; double every quote within a cell. A response may have at most "
            f"{MAX_RESPONSE_CHARACTERS:,} characters.",
            first,
        )
    if is_open:
        raise FileFaultError(
            "open-quote",
            f"A quote in the record that begins in line {first} is never closed. Close it, and double every quote "
            "within a cell.",
            first,
        )
    return b"".join(pieces).removesuffix(b"\n").removesuffix(b"\r"), len(pieces) - 1


def _read_header(record: str, line: int) -> _Header:
    if "\r" in record:
        raise FileFaultError(
            "line-ends", "The lines end in carriage returns only. Save the file with standard line endings.", line
        )
    tables = [
        (delimiter, [cell.strip() for cell in _split_record(record, delimiter) or []]) for delimiter in DELIMITERS
    ]
    delimiter, names = max(tables, key=lambda table: ("id" in table[1], len(table[1])))
    columns = require_columns(record, names, line)
    return _Header(delimiter, len(_split_record(record, delimiter) or []), columns)


def require_columns(record: str, names: Sequence[str], line: int) -> TableColumns:
    """Return the columns of a header that are read.

    Args:
        record: The whole header.
        names: Its cells.
        line: Its line.

    Raises:
        FileFaultError: There are no predictions below it, or it has one of the columns twice.
    """
    names = names[:_MAX_COLUMNS]
    columns = find_columns(names)
    if columns is None:
        raise _no_header(record, list(names), line)
    for name in [names[at] for at in columns.at.values()]:
        if names.count(name) > 1:
            raise FileFaultError("duplicate-field", f"Line {line}: the header has `{name}` twice. Keep one.", line)
    return columns


def _no_header(record: str, names: list[str], line: int) -> FileFaultError:
    """Describe a first record that does not contain our columns."""
    what = f"Line {line} {describe_beginning(record)}"
    foreign = FileFaultError("unknown-form", what, line)
    if len(names) == 1 and "|" in record:
        return foreign
    lacked = "response" if "id" in names else "id"
    cause = find_cause_of_names(lacked, names)
    if cause is not None:
        intended = find_meant(lacked, names)
        if intended is None or find_tool_of_rows(names) is not None:
            return FileFaultError("missing-field", cause.everywhere, line)
        both = [name for name in ("id", "response") if name not in names and find_meant(name, names) is not None]
        hints = " and ".join(f"{safe(find_meant(name, names) or '')} to `{name}`" for name in both)
        return FileFaultError(
            "missing-field",
            f"Line {line}: the header of the CSV file has no `{lacked}`. Rename {hints}. Expected: id,run,response",
            line,
        )
    if not {"id", "response"}.isdisjoint(names) or find_meant("response", names) is not None:
        return FileFaultError(
            "missing-field",
            f"Line {line}: the header of the CSV file has no `{lacked}`. Expected: id,run,response",
            line,
        )
    return foreign


def _read_record(record: str, header: _Header, line: int, problems: Problems) -> Prediction | None:
    try:
        cells = _split_record(record, header.delimiter)
        if cells is None:
            raise _RecordError(
                "bad-quotes",
                "has a quote inside a cell. Put the whole cell in quotes, and double every quote in it.",
            )
        if len(cells) != header.n_cells:
            remedy = f"Put a text with {_DELIMITER_NAMES[header.delimiter]}, quotes or line breaks in quotes."
            more = "more" if len(cells) > header.n_cells else "fewer"
            raise _RecordError(
                "wrong-length",
                f"has {len(cells):,} cells, but the header has {header.n_cells:,}. {remedy}",
                f"has {more} cells than the header ({header.n_cells:,}). {remedy}",
            )
    except _RecordError as fault:
        _add_fault(fault, None, line, problems)
        return None
    return read_cells(cells, header.columns, line, problems)


def read_cells(cells: Sequence[str], columns: TableColumns, line: int, problems: Problems) -> Prediction | None:
    """Return the prediction of a record, or None after adding its error."""
    row_id = cells[columns.at["id"]]
    run = None
    if columns.names_runs:
        row_id, run = split_run(row_id)
    try:
        prediction = _to_prediction(row_id, run, cells, columns.at, line)
    except _RecordError as fault:
        _add_fault(fault, row_id, line, problems)
        return None
    return check_row(prediction, problems)


def _add_fault(fault: _RecordError, row_id: str | None, line: int, problems: Problems) -> None:
    safe_id = row_id if row_id is not None and ITEM_ID.fullmatch(row_id) else None
    where = f"Line {line}" + (f", id {safe(safe_id)}" if safe_id is not None else "")
    problems.add(Problem(fault.code, f"{where} {fault.what}", line, safe_id, make_common_cause(fault.common)))


def _split_record(record: str, delimiter: str) -> list[str] | None:
    """Return the cells of a record, or None if a cell contains unescaped quotes."""
    if '"' not in record:
        return record.split(delimiter)
    cells, at = [], 0
    pattern = _CELLS[delimiter]
    while (match := pattern.match(record, at)) is not None:
        quoted, bare, end = match.groups()
        cells.append(bare if quoted is None else quoted.replace('""', '"'))
        if not end:
            return cells
        at = match.end()
    return None


# Possessive quantifier: large cells are never matched twice.
_CELLS = {
    delimiter: re.compile(rf'(?:"([^"]*+(?:""[^"]*+)*+)"|([^"{delimiter}]*+))({delimiter}|\Z)')
    for delimiter in DELIMITERS
}


def _to_prediction(row_id: str, run: int | None, cells: Sequence[str], at: Mapping[str, int], line: int) -> Prediction:
    erroneous = cells[at["erroneous"]] if "erroneous" in at else ""
    scores = cells[at["scores"]] if "scores" in at else ""
    response = cells[at["response"]] if "response" in at else None
    flags = _read_list(erroneous, "erroneous", _FLAGS) if erroneous.strip() else None
    return Prediction(
        row_id,
        (_read_run(cells[at["run"]]) if "run" in at else 0) if run is None else run,
        # Tables have a response cell in critics' rows too, where it is not an answer.
        None if flags is not None and not response else response,
        line,
        flags,
        _read_list(scores, "scores", _SCORES) if scores.strip() else None,
    )


def _read_run(cell: str) -> int:
    text = cell.strip()
    if text and not _RUN.fullmatch(text):
        raise _RecordError("wrong-type", "has a `run` that is not a whole number from 0. Write 0, 1, 2, …")
    return int(text or 0)


def _read_list(cell: str, name: str, decoder: msgspec.json.Decoder[Value]) -> Value:
    try:
        return decoder.decode(cell)
    except UNREADABLE:
        raise _RecordError("wrong-type", f"has a cell of `{name}` that is not {_FORMS_OF[name]}.") from None
