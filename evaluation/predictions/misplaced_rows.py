"""Rows in the wrong place of a JSON file: over several lines, in a list within an object, or turned into columns.

Only the beginning of a file is looked at. What is said ends the reading: everything behind it has the same cause.
"""

import json
import re
from collections.abc import Mapping
from typing import NamedTuple

from evaluation.predictions.field_names import find_meant, make_printable, shorten
from evaluation.predictions.other_tools import describe_tool_of_object
from evaluation.predictions.problems import FileFaultError

# What people call the list of their rows within an object.
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
        values: Name → how its value begins.
        end: Where the object ends, or None where it goes on.
        n_read: How many characters could be read.
    """

    values: Mapping[str, str]
    end: int | None
    n_read: int


def refuse_layout(beginning: bytes, row_fields: frozenset[str]) -> None:
    """Refuse a file that begins as an object, where rows do not stand one a line and it is no object id → response.

    Args:
        beginning: Of the file, from its first brace on.
        row_fields: Names that only rows have.

    Raises:
        FileFaultError: It is laid out in another way; the fault says how.
    """
    text = beginning.decode(errors="ignore")
    top = _look_at(text)
    if not top.values:
        return
    is_row = top.end is not None and "\n" not in text[: top.end]
    if is_row and text[top.end :].strip():
        return  # further lines follow
    message = describe_tool_of_object(top.values) or _describe_list(top.values) or _describe_columns(top.values)
    if message is not None:
        raise FileFaultError("wrong-form", message, 1)
    is_over_lines = "\n" in text[: top.n_read]
    if is_over_lines and (not row_fields.isdisjoint(top.values) or find_meant("id", list(top.values)) is not None):
        raise FileFaultError("not-json", _OVER_LINES, 1)


def _look_at(text: str) -> _Top:
    """Return the names of the object that a text begins with, up to the first value that is not whole."""
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
    """Return where the rows stand, if they are a list within the object."""
    for name, value in values.items():
        shown = make_printable(shorten(name))
        is_named = name.lower() in _LISTS
        if _OBJECT_IN_LIST.match(value) and (is_named or _holds_ids(value)):
            return f'The rows are in a list called "{shown}" inside an object. {_SEND_LIST}'
        if is_named and value.startswith("{") and len(values) == 1:
            return (
                f'The predictions are in an object called "{shown}" inside another object. Send only the inner object.'
            )
    return None


def _holds_ids(value: str) -> bool:
    """Tell whether the first object of a list has an id of its own."""
    names = list(_look_at(value[value.index("{") :]).values)
    return "id" in names or (bool(names) and find_meant("id", names) is not None)


def _describe_columns(values: Mapping[str, str]) -> str | None:
    """Return that a file holds columns, if its ids and its responses are lists or objects."""
    ids, responses = (values.get(name, "") for name in ("id", "response"))
    are_lists = _LIST_OF_TEXTS.match(ids) is not None and (not responses or responses.startswith("["))
    return _COLUMNS if are_lists or (ids.startswith("{") and (not responses or responses.startswith("{"))) else None
