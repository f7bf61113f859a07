"""Reader of a JSON list of predictions, the format of MDAR's official result files, in bounded memory."""

from collections.abc import Iterator
from typing import BinaryIO

from evaluation.predictions.problems import Problems
from evaluation.predictions.rows import parse_row
from evaluation.predictions.text_pieces import TextPieces
from evaluation.types import Prediction


def read_json_list(file: BinaryIO, problems: Problems) -> Iterator[Prediction]:
    """Yield the predictions of a list of objects and collect the errors of invalid ones.

    Raises:
        FileFaultError: The list itself is invalid; the error states the line.
    """
    text = TextPieces(file, "list")
    for row, line in _elements(text):
        prediction = parse_row(row, line, problems)
        if prediction is not None:
            yield prediction
        else:
            problems.require_patience(line)


def _elements(text: TextPieces) -> Iterator[tuple[bytes, int]]:
    """Yield the elements of a list with their lines."""
    text.next_letter()
    text.pass_letter()
    letter = "" if text.next_letter() == "]" else ","
    while letter == ",":
        text.next_letter()
        line = text.line
        yield text.value(), line
        letter = text.next_letter()
        if letter == ",":
            text.pass_letter()
    if text.next_letter() != "]":
        raise text.broken(behind_value=True)
    text.pass_letter()
    text.require_end()
