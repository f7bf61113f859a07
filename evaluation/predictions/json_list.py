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
    for _ in text.find_elements("]"):
        line = text.line
        prediction = parse_row(text.value(), line, problems)
        if prediction is not None:
            yield prediction
        else:
            problems.require_patience(line)
