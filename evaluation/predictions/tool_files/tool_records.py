"""Conversion of a tool's sample to predictions: which of its fields hold ID, run and response.

A `ToolFormat` describes the samples of a tool. An ID may end in `#` and the number of its run, so that tools without a
field for runs can ask each run as a sample of its own.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import msgspec

from evaluation.predictions.field_names import safe
from evaluation.predictions.problems import Problem, Problems, make_common_cause
from evaluation.predictions.rows import check_row
from evaluation.predictions.run_suffix import split_run
from evaluation.predictions.tool_files.json_skimmer import SkimError, Wanted
from evaluation.predictions.wrong_values import UNREADABLE
from evaluation.types import ITEM_ID, Prediction

Record = Mapping[str, bytes]
"""Path of a value, such as `output.completion` → the value as JSON."""

_VALUE = msgspec.json.Decoder()
_NULL = b"null"


class RecordError(Exception):
    """A sample contains no prediction; `what` is the predicate of a sentence about it."""

    def __init__(self, code: str, what: str, item_id: str | None = None) -> None:
        self.code = code
        self.what = what
        self.item_id = item_id
        super().__init__(what)


@dataclass(frozen=True, slots=True)
class ToolFormat:
    """Samples of a tool.

    Attributes:
        tool: Name of the tool.
        wanted: Fields that are read.
        id_paths: Paths of fields with the ID; the first one that is there counts.
        read_responses: Returns the responses of a sample, in the order of their runs.
        read_run: Returns the run of the first response, if the ID does not name it.
    """

    tool: str
    wanted: Wanted
    id_paths: tuple[str, ...]
    read_responses: Callable[[Record], list[str]]
    read_run: Callable[[Record], int]


def read_predictions_of_record(tool: ToolFormat, record: Record, line: int, problems: Problems) -> Iterator[Prediction]:
    """Yield the predictions of a sample, or add its error."""
    item_id: str | None = None
    try:
        full_id = _read_id(tool, record)
        item_id, run = split_run(full_id)
        responses = tool.read_responses(record)
        first_run = tool.read_run(record) if run is None else run
    except RecordError as error:
        problems.add(make_record_problem(error.code, error.what, line, item_id))
        return
    for number, response in enumerate(responses):
        prediction = check_row(Prediction(item_id, first_run + number, response, line), problems)
        if prediction is not None:
            yield prediction


def make_record_problem(code: str, what: str, line: int, item_id: str | None = None) -> Problem:
    """Return the error of a sample from its predicate."""
    shown_id = item_id if item_id is not None and ITEM_ID.fullmatch(item_id) else None
    where = f"Line {line}" + (f", id {safe(shown_id)}," if shown_id is not None else "")
    return Problem(code, f"{where} {what}", line, shown_id, make_common_cause(what))


def make_skim_problem(error: SkimError, line: int) -> Problem:
    """Return the error of a sample that cannot be read."""
    return make_record_problem(error.code, error.what, line)


def read_text(record: Record, path: str) -> str:
    """Return a text, or the joined text parts of a message.

    Raises:
        RecordError: There is none.
    """
    value = record.get(path, _NULL)
    if value == _NULL:
        raise RecordError("missing-field", f"has no `{path}`.")
    return join_text_parts(decode_value(value, path), path)


def join_text_parts(value: object, path: str) -> str:
    """Return a text, or the joined text parts of a message; reasoning and other parts are no response.

    Raises:
        RecordError: It is neither.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = [part for part in value if isinstance(part, dict) and part.get("type") == "text"]
        if parts and all(isinstance(part.get("text"), str) for part in parts):
            return "\n".join(part["text"] for part in parts)
    raise RecordError("wrong-type", f"has a value of `{path}` that is not a text.")


def decode_value(value: bytes, path: str) -> object:
    """Return a decoded value.

    Raises:
        RecordError: It is not JSON.
    """
    try:
        return _VALUE.decode(value)
    except UnicodeDecodeError:
        raise RecordError("encoding", f"has a value of `{path}` that is not UTF-8.") from None
    except UNREADABLE:
        raise RecordError("not-json", f"has a value of `{path}` that is not JSON.") from None


def read_number(record: Record, path: str, default: int) -> int:
    """Return a whole number.

    Raises:
        RecordError: There is another value.
    """
    value = record.get(path, _NULL)
    if value == _NULL:
        return default
    number = decode_value(value, path)
    if not isinstance(number, int) or isinstance(number, bool):
        raise RecordError("wrong-type", f"has a value of `{path}` that is not a whole number.")
    return number


def _read_id(tool: ToolFormat, record: Record) -> str:
    for path in tool.id_paths:
        value = record.get(path, _NULL)
        if value[:1] == b'"':
            return str(decode_value(value, path))
    if len(tool.id_paths) == 1 and tool.id_paths[0] in record and record[tool.id_paths[0]] != _NULL:
        what = f"has a value of `{tool.id_paths[0]}` that is not a text."
    else:
        what = f"has no text in {' or '.join(f'`{path}`' for path in tool.id_paths)}."
    raise RecordError("missing-field", f"{what} {tool.tool} must be given the ids of questions.jsonl there.")
