"""Reader of UltraEval-Audio's records: several lines for a question, of which two are needed.

The tool numbers the rows of its data set. The response is in the line of type `inference`; the row's reference, which
must be our ID, follows in the line of type `eval` with the same number. Rows that are asked at the same time mix.
"""

from collections.abc import Iterator, Mapping
from typing import BinaryIO

from evaluation.predictions.problems import FileFaultError, Problems
from evaluation.predictions.rows import check_row
from evaluation.predictions.run_suffix import split_run
from evaluation.predictions.tool_files.json_skimmer import JsonSkimmer, SkimError
from evaluation.predictions.tool_files.line_pieces import find_lines, require_end
from evaluation.predictions.tool_files.tool_records import (
    Record,
    RecordError,
    decode_value,
    make_record_problem,
    make_skim_problem,
    read_text,
)
from evaluation.types import Prediction

MAX_OPEN_ROWS = 2_000
"""Rows that were asked and are not yet rated: the tool asks at most as many at once."""
MAX_OPEN_CHARACTERS = 50_000_000
_TYPES = ("prompt", "inference", "post_process", "eval", "error")
_WANTED = {"type": None, "id": None, "data": {"content": None, "ref": None}}


def is_ultraeval_record(values: Mapping[str, str]) -> bool:
    """Return whether an object with these beginnings of values is a record of the tool."""
    return list(values)[:2] == ["type", "id"] and values["type"].lstrip('"').startswith(_TYPES)


def read_ultraeval_records(file: BinaryIO, problems: Problems) -> Iterator[Prediction]:
    """Yield the predictions of a file and collect the errors of invalid lines.

    Raises:
        FileFaultError: There are too many errors, or too many responses without the line that names their question.
    """
    open_rows = _OpenRows()
    for skimmer in find_lines(file, problems):
        line = skimmer.line
        try:
            record = _read_record(skimmer)
            prediction = _read_prediction(record, line, open_rows)
        except SkimError as error:
            problems.add(make_skim_problem(error, line))
        except RecordError as error:
            problems.add(make_record_problem(error.code, error.what, line, error.item_id))
        else:
            checked = check_row(prediction, problems) if prediction is not None else None
            if checked is not None:
                yield checked
        problems.require_patience(line)
    for line in open_rows.find_lines():
        what = "has a response without a line of type `eval` that names its question."
        problems.add(make_record_problem("missing-field", what, line))


def _read_record(skimmer: JsonSkimmer) -> Record:
    record = skimmer.read_record(_WANTED)
    require_end(skimmer)
    return record


def _read_prediction(record: Record, line: int, open_rows: "_OpenRows") -> Prediction | None:
    """Return the prediction that a line completes."""
    kind = read_text(record, "type")
    row = decode_value(record.get("id", b"null"), "id")
    if not isinstance(row, int | str):
        raise RecordError("missing-field", "has no `id`.")
    if kind == "inference":
        open_rows.add_response(str(row), read_text(record, "data.content"), line)
    elif kind == "error":
        open_rows.remove_response(str(row))
        raise RecordError("missing-field", "says that a question failed in UltraEval-Audio. Run it again.")
    elif kind == "eval":
        response = open_rows.remove_response(str(row))
        if response is None:
            raise RecordError("missing-field", "has no line of type `inference` before it with the same `id`.")
        item_id, run = split_run(read_text(record, "data.ref"))
        return Prediction(item_id, run or 0, response, line)
    return None


class _OpenRows:
    """Responses whose question is not yet known: number of the row → response and line."""

    def __init__(self) -> None:
        self._rows: dict[str, tuple[str, int]] = {}
        self._n_characters = 0

    def add_response(self, row: str, response: str, line: int) -> None:
        """Keep a response.

        Raises:
            RecordError: The row already has one.
            FileFaultError: There are too many.
        """
        if row in self._rows:
            raise RecordError("duplicate", "has a second response for the same `id`. Keep one.")
        self._rows[row] = response, line
        self._n_characters += len(response)
        if len(self._rows) > MAX_OPEN_ROWS or self._n_characters > MAX_OPEN_CHARACTERS:
            raise FileFaultError(
                "missing-field",
                f"Line {line}: too many responses have no line of type `eval` that names their question.",
                line,
            )

    def remove_response(self, row: str) -> str | None:
        """Return the response of a row, which is no longer kept; None if there is none."""
        response, _ = self._rows.pop(row, (None, 0))
        self._n_characters -= len(response or "")
        return response

    def find_lines(self) -> list[int]:
        """Return the lines of the responses that are kept."""
        return [line for _, line in self._rows.values()]
