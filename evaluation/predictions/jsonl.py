"""Reading JSON Lines: one prediction a line, in bounded memory, every fault located."""

from collections.abc import Iterator
from typing import BinaryIO

from evaluation.predictions.problems import Problem, Problems
from evaluation.predictions.row_faults import MAX_RESPONSE_CHARACTERS
from evaluation.predictions.rows import MAX_ROW_BYTES, parse_row
from evaluation.types import Prediction

BOM = b"\xef\xbb\xbf"


def read_jsonl(file: BinaryIO, problems: Problems) -> Iterator[Prediction]:
    """Yield the predictions of a file and collect the faults of the lines that hold none.

    Empty lines are passed over. A UTF-8 byte order mark is allowed.

    Raises:
        FileFaultError: There are more faults than anybody counts.
    """
    number = 0
    while line := file.readline(MAX_ROW_BYTES + 1):
        number += 1
        if len(line) > MAX_ROW_BYTES:
            skip_line(file, line)
            problems.add(_too_long_row(number))
            continue
        if number == 1:
            line = line.removeprefix(BOM)
        if not line or line.isspace():
            problems.count_empty_line(number)
            continue
        prediction = parse_row(line, number, problems)
        if prediction is not None:
            yield prediction
        else:
            problems.require_patience(number)


def skip_line(file: BinaryIO, line: bytes) -> None:
    """Pass over the rest of a line whose beginning was read."""
    while line and not line.endswith(b"\n"):
        line = file.readline(MAX_ROW_BYTES)


def _too_long_row(line: int) -> Problem:
    return Problem(
        "line-too-long",
        f"Line {line} is longer than {MAX_ROW_BYTES:,} bytes. One prediction stands on one line, "
        f"and a response has at most {MAX_RESPONSE_CHARACTERS:,} characters.",
        line,
    )
