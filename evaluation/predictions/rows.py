"""Rows of prediction files: our own format, and official result files that are accepted unchanged.

* Our format: `id`, `run`, and `response` (the raw text) or, for process critics, `erroneous` and optionally `scores`.
* STAR-Bench's toolkit: `id`, `rotate_id`, `model_response`. Its other fields, the right answer, the parsed letter and
  whether it was correct, are ignored: the file's owner wrote them.
* MDAR's lists: the official question with `model_output` added, a text, or a list whose first element is the text. Its
  three files use the same IDs; the question's own fields determine a row's part.
"""

from collections.abc import Mapping
from typing import TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from evaluation.predictions.problems import Cause, Problem, Problems
from evaluation.predictions.row_faults import (
    MAX_RESPONSE_CHARACTERS,
    MAX_RUN,
    explain,
    find_fault,
    find_repeated,
    point_at_meant,
    quote_names,
)
from evaluation.predictions.wrong_values import UNREADABLE
from evaluation.types import Prediction

MAX_ROW_BYTES = 2_500_000
"""Room for the longest response if every character is written as two escapes."""
_SEND_ROWS_ALONE = "Send only the rows, as a list: [{…}, {…}]."
# Rows in a list after so much other data that the beginning of the file does not show their format.
_OTHER_ID = Cause(
    f"Each row has an id that differs from its key. {_SEND_ROWS_ALONE}",
    f"have an id that differs from their key. {_SEND_ROWS_ALONE}",
)

Value = TypeVar("Value")


class _Row(msgspec.Struct, frozen=True, gc=False):
    """A row in a file; unused fields are ignored."""

    id: str
    response: str | UnsetType = UNSET
    run: int | UnsetType = UNSET
    erroneous: tuple[bool, ...] | UnsetType = UNSET
    scores: tuple[float, ...] | UnsetType = UNSET
    rotate_id: int | UnsetType = UNSET
    model_response: str | UnsetType | None = UNSET
    model_output: str | tuple[str, ...] | UnsetType | None = UNSET
    chosens: msgspec.Raw | UnsetType = UNSET
    audio_path_1: msgspec.Raw | UnsetType = UNSET


class _Answer(msgspec.Struct, frozen=True, gc=False):
    """The value for an ID: a row without a required ID."""

    id: str | UnsetType = UNSET
    response: str | UnsetType = UNSET
    run: int | UnsetType = UNSET
    erroneous: tuple[bool, ...] | UnsetType = UNSET
    scores: tuple[float, ...] | UnsetType = UNSET


# A row of id, run and response has 31 to 38 bytes besides its two texts, and each further field eight more: rows this
# short have no duplicate field.
_MAX_OTHER_BYTES = 38
_MAX_ID_CHARACTERS = 200
FIELDS = _Row.__struct_fields__
_OURS = quote_names("id", "run", "response", "erroneous", "scores")
_STAR_BENCHS = quote_names("id", "run", "rotate_id", "model_response")
_MDARS = quote_names("id", "model_output")
_ROWS = msgspec.json.Decoder(_Row)
_ANSWERS = msgspec.json.Decoder(_Answer)


def parse_row(data: bytes, line: int, problems: Problems) -> Prediction | None:
    """Return the prediction of a JSON object, or None after adding its error.

    Args:
        data: The object.
        line: Its first line, 1-based.
        problems: Collects the error.
    """
    try:
        row = _ROWS.decode(data)
    except UNREADABLE as error:
        problems.add(explain(data, line, error, problems=problems))
        return None
    item_id, response, run = row.id, row.response, row.run
    # Fast path without a call for the usual row: our own, with a text and no further field.
    if (
        response is not UNSET
        and run is not UNSET
        and row.erroneous is UNSET
        and len(data) - len(response) - len(item_id) <= _MAX_OTHER_BYTES
        and len(response) <= MAX_RESPONSE_CHARACTERS
        and 0 <= run <= MAX_RUN
        # Equivalent to `ITEM_ID`, in half the time.
        and 0 < len(item_id) <= _MAX_ID_CHARACTERS
        and item_id.isascii()
        and item_id.isprintable()
        and " " not in item_id
    ):
        return Prediction(item_id, run, response, line)
    problem = find_repeated(data, _used_of(row), line)
    if problem is not None:
        problems.add(problem)
        return None
    return _keep_good(_to_prediction(row, line), data, problems, gave_nothing=_gave_nothing(row))


def parse_answer(data: bytes, item_id: str, run: int, line: int, problems: Problems) -> Prediction | None:
    """Return the prediction of an object that is the value for an ID, or None after adding its error.

    Args:
        data: The object.
        item_id: Its ID.
        run: Its run, if it names none.
        line: Line of the ID.
        problems: Collects the error.
    """
    try:
        answer = _ANSWERS.decode(data)
    except UNREADABLE as error:
        problems.add(explain(data, line, error, item_id, problems=problems))
        return None
    problem = find_repeated(data, _OURS, line, item_id)
    if problem is None and answer.id is not UNSET and answer.id != item_id:
        problem = Problem(
            "wrong-form",
            f"Line {line}: the row's id differs from its key. {_SEND_ROWS_ALONE}",
            line,
            cause=_OTHER_ID,
        )
    if problem is not None:
        problems.add(problem)
        return None
    flags, scores = _or_none(answer.erroneous), _or_none(answer.scores)
    run = run if answer.run is UNSET else answer.run
    prediction = Prediction(item_id, run, _or_none(answer.response), line, flags, scores)
    return _keep_good(prediction, data, problems)


def check_row(prediction: Prediction, problems: Problems) -> Prediction | None:
    """Return a prediction with plausible ID, run and lengths, or None after adding its error."""
    problem = find_fault(prediction)
    if problem is None:
        return prediction
    problems.add(problem)
    return None


def _keep_good(
    prediction: Prediction, data: bytes, problems: Problems, *, gave_nothing: bool = False
) -> Prediction | None:
    problem = find_fault(prediction, gave_nothing=gave_nothing)
    if problem is None:
        return prediction
    problems.add(point_at_meant(problem, data, problems) if problem.code == "missing-field" else problem)
    return None


def _to_prediction(row: _Row, line: int) -> Prediction:
    run = 0 if row.run is UNSET else row.run
    if row.response is not UNSET or row.erroneous is not UNSET:
        return Prediction(row.id, run, _or_none(row.response), line, _or_none(row.erroneous), _or_none(row.scores))
    if row.model_output is not UNSET:
        return Prediction(_mdar_id(row), 0, _first_text(row.model_output), line)
    if row.model_response is not UNSET:
        return Prediction(row.id, run if row.rotate_id is UNSET else row.rotate_id, row.model_response, line)
    return Prediction(row.id, run, None, line, None, _or_none(row.scores))


def _or_none(value: Value | UnsetType) -> Value | None:
    return None if value is UNSET else value


def _used_of(row: _Row) -> Mapping[str, bytes]:
    """Return the fields of a row that `_to_prediction` uses."""
    if row.response is UNSET and row.erroneous is UNSET:
        if row.model_output is not UNSET:
            return _MDARS
        if row.model_response is not UNSET:
            return _STAR_BENCHS
    return _OURS


def _gave_nothing(row: _Row) -> bool:
    return row.model_output is not UNSET or row.model_response is not UNSET


def _mdar_id(row: _Row) -> str:
    """Return our ID of an official MDAR question: two clips make it `multi`, no options `open`, else it is `main`."""
    if row.audio_path_1 is not UNSET:
        return f"multi-{row.id}"
    return f"open-{row.id}" if row.chosens is UNSET else f"main-{row.id}"


def _first_text(output: str | tuple[str, ...] | UnsetType | None) -> str | None:
    if isinstance(output, tuple):
        return output[0] if output else None
    return None if output is UNSET else output
