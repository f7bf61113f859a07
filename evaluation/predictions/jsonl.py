"""JSON Lines reader: one prediction per line, in bounded memory, with the location of every error."""

import io
import re
from collections.abc import Iterator
from typing import BinaryIO

from evaluation.predictions.problems import Problem, Problems, make_common_cause
from evaluation.predictions.row_faults import MAX_RESPONSE_CHARACTERS
from evaluation.predictions.rows import MAX_ROW_BYTES, parse_row
from evaluation.types import Prediction

BOM = b"\xef\xbb\xbf"
_BLOCK_BYTES = 1 << 17
_LOOK_BYTES = 1 << 18
_SEVERAL_OBJECTS = re.compile(rb'[^\\]"\s{0,9}\}\s{0,9},?\s{0,9}\{\s{0,9}"')
_ROWS_ON_A_LINE = make_common_cause("contains several objects.", "Write each object on a line of its own.")
_TOO_LONG = make_common_cause(
    f"is longer than {MAX_ROW_BYTES:,} bytes.", "Write one prediction per line. If a response is long, keep its end."
)


def read_jsonl(file: BinaryIO, problems: Problems) -> Iterator[Prediction]:
    """Yield the predictions of a file and collect the errors of invalid lines.

    Empty lines are skipped. A UTF-8 byte order mark is allowed.

    Raises:
        FileFaultError: There are too many errors.
    """
    line = 1
    for block in read_blocks(file):
        yield from read_block(block, line, problems)
        line += block.count(b"\n")


def read_blocks(file: BinaryIO) -> Iterator[bytes]:
    """Yield a file in blocks of whole lines, in bounded memory.

    Lines that are longer than any row are truncated to their first bytes and their end, enough to recognise them.
    """
    rest = b""
    while data := file.read(_BLOCK_BYTES):
        end = data.rfind(b"\n") + 1
        if end:
            yield rest + data[:end]
            rest = data[end:]
        else:
            rest = (rest + data)[: MAX_ROW_BYTES + 1]
    if rest:
        yield rest


def read_block(block: bytes, line: int, problems: Problems) -> Iterator[Prediction]:
    """Yield the predictions of whole lines, and collect the errors of invalid ones.

    Args:
        block: The lines.
        line: Number of the first line, 1-based.
        problems: Collects the errors.

    Raises:
        FileFaultError: There are too many errors.
    """
    for number, data in enumerate(io.BytesIO(block), line):
        if len(data) > MAX_ROW_BYTES:
            problems.add(_too_long_row(number, data))
            continue
        row = data.removeprefix(BOM) if number == 1 else data
        if not row or row.isspace():
            problems.count_empty_line(number)
            continue
        prediction = parse_row(row, number, problems)
        if prediction is not None:
            yield prediction
        else:
            problems.require_patience(number)


def _too_long_row(line: int, data: bytes) -> Problem:
    """Return the error of a line that is too long for a row."""
    several = _SEVERAL_OBJECTS.search(data[:_LOOK_BYTES]) is not None
    cause = _ROWS_ON_A_LINE if several else _TOO_LONG
    return Problem(
        "line-too-long",
        f"Line {line} is longer than {MAX_ROW_BYTES:,} bytes. Write one prediction per line; a response may have "
        f"at most {MAX_RESPONSE_CHARACTERS:,} characters."
        + (" It contains several objects. Write each object on a line of its own." if several else ""),
        line,
        cause=cause,
    )
