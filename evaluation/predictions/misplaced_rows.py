"""Misplaced rows in JSON files: spread over several lines, in a list within an object, or transposed to columns.

Only the beginning of a file is inspected. Reading then ends, because everything after it has the same cause.
"""

import json
import re
from collections.abc import Mapping
from typing import NamedTuple

from evaluation.predictions.field_names import find_meant, make_printable, shorten
from evaluation.predictions.other_tools import describe_tool_of_object
from evaluation.predictions.problems import FileFaultError

# Usual names for a list of rows within an object.
_LISTS = frozenset(
    (
        *(
            "results",
            "result",
            "predictions",
            "prediction",
            "preds",
            "data",
            "samples",
            "items",
            "answers",
            "responses",
        ),
        *("outputs", "rows", "records", "questions", "entries", "examples", "generations", "completions"),
        "submission",
    )
)
_BLANK = re.compile(r"[ \t\r\n]*")
_OBJECT_IN_LIST = re.compile(r"\[\s*\{")
_LIST_OF_TEXTS = re.compile(r'\[\s*"')
_scan = json.JSONDecoder(parse_int=str, parse_float=str).raw_decode
_SEND_LIST = "Send only the list: [{…}, {…}]."
_COLUMNS = (
    "The file contains columns, not rows. Write one object per prediction; in pandas: "
    'to_json(path, orient="records", lines=True).'
)
_OVER_LINES = (
    "Each object spans several lines. Write one object per line (json.dumps(row) without indent), or one list of "
    "all objects."
)


class _Top(NamedTuple):
    """The names of an object, as far as its beginning shows them.

    Attributes:
        values: Name → beginning of its value.
        end: End of the object, or None if it continues.
        n_read: Number of parsed characters.
    """

    values: Mapping[str, str]
    end: int | None
    n_read: int


def refuse_layout(beginning: bytes, row_fields: frozenset[str]) -> None:
    """Reject a file that starts as an object but has neither one row per line nor id → response entries.

    Args:
        beginning: Beginning of the file, from its first brace on.
        row_fields: Names that only rows have.

    Raises:
        FileFaultError: The file has another layout, which the error describes.
    """
    text = beginning.decode(errors="ignore")
    top = _look_at(text)
    if not top.values:
        return
    is_row = top.end is not None and "\n" not in text[: top.end]
    if is_row and text[top.end :].strip():
        return  # Further lines follow.
    message = describe_tool_of_object(top.values) or _describe_list(top.values) or _describe_columns(top.values)
    if message is not None:
        raise FileFaultError("wrong-form", message, 1)
    is_over_lines = "\n" in text[: top.n_read]
    if is_over_lines and (not row_fields.isdisjoint(top.values) or find_meant("id", list(top.values)) is not None):
        raise FileFaultError("not-json", _OVER_LINES, 1)


def find_top_values(beginning: bytes) -> Mapping[str, str]:
    """Return the names of a file's first object → beginnings of the values, up to the first incomplete value."""
    return _look_at(beginning.decode(errors="ignore")).values


def _look_at(text: str) -> _Top:
    """Return the names of the object at the start of a text, up to the first incomplete value."""
    values: dict[str, str] = {}
    at = _skip(text, 1)
    while text.startswith('"', at):
        begin = at
        try:
            name, at = _scan(text, at)
            at = _skip(text, at)
            if text[at : at + 1] != ":":
                return _Top(values, None, begin)
            at = _skip(text, at + 1)
            values[str(name)] = text[at : at + 400]
            _, at = _scan(text, at)
        except (ValueError, RecursionError):
            return _Top(values, None, begin)
        at = _skip(text, at)
        if text[at : at + 1] == "}":
            return _Top(values, at + 1, at + 1)
        if text[at : at + 1] != ",":
            return _Top(values, None, begin)
        at = _skip(text, at + 1)
    return _Top(values, None, at)


def _skip(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return at if blank is None else blank.end()


def _describe_list(values: Mapping[str, str]) -> str | None:
    """Return the location of the rows if they are a list within the object."""
    for name, value in values.items():
        label = make_printable(shorten(name))
        is_named = name.lower() in _LISTS
        if _OBJECT_IN_LIST.match(value) and (is_named or _holds_ids(value)):
            return f'The rows are in a list called "{label}" inside an object. {_SEND_LIST}'
        if is_named and value.startswith("{") and len(values) == 1:
            return (
                f'The predictions are in an object called "{label}" inside another object. Send only the inner object.'
            )
    return None


def _holds_ids(value: str) -> bool:
    """Return whether the first object of a list has an ID of its own."""
    names = list(_look_at(value[value.index("{") :]).values)
    return "id" in names or (bool(names) and find_meant("id", names) is not None)


def _describe_columns(values: Mapping[str, str]) -> str | None:
    """Return that a file contains columns, if its IDs and its responses are lists or objects."""
    ids, responses = (values.get(name, "") for name in ("id", "response"))
    are_lists = _LIST_OF_TEXTS.match(ids) is not None and (not responses or responses.startswith("["))
    return _COLUMNS if are_lists or (ids.startswith("{") and (not responses or responses.startswith("{"))) else None
