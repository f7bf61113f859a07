"""Checks for all importers: unambiguous JSON, and texts that can be stored."""

import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from evaluation.errors import EvaluationError

# Disks and databases reject NUL; UTF-8 cannot encode half a surrogate pair.
_UNWRITABLE = re.compile("[\x00\ud800-\udfff]")
_LONGEST_SHOWN = 120


class JsonError(EvaluationError):
    """Bytes that are not JSON in UTF-8; the message gives a short reason."""


class _DoubleNames(dict[str, Any]):
    """An object with a duplicate name; readers would disagree on its value."""

    doubled: str


def parse_json(data: bytes) -> Any:
    """Parse a JSON text in UTF-8.

    Raises:
        JsonError: The text is not JSON, or exceeds the limits.
    """
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_keep_doubles)
    except UnicodeDecodeError as error:
        raise JsonError(f"invalid UTF-8 at byte {error.start + 1:,}") from None
    except json.JSONDecodeError as error:
        line = f"line {error.lineno:,}, " if error.lineno > 1 else ""  # The caller reports the number of a single line.
        raise JsonError(f"{line}column {error.colno:,}") from None
    except RecursionError:
        raise JsonError("nested too deeply") from None
    except ValueError:
        raise JsonError("a number has too many digits") from None


def double_name_fault(fields: dict[str, Any]) -> str | None:
    """Return the error of a parsed object with a duplicate name, else None."""
    if isinstance(fields, _DoubleNames):
        return f"duplicate field {format_value(fields.doubled)}; keep one"
    return None


def text_fault(value: object) -> str | None:
    """Return the error of a value that should be a non-empty text, else None."""
    if value is None:
        return "is missing; it must be a non-empty string"
    if not isinstance(value, str) or not value.strip():
        return f"is {format_value(value)}; it must be a non-empty string"
    return unwritable_fault(value)


def unwritable_fault(text: str) -> str | None:
    """Return the error of a text that no file can store, else None."""
    if _UNWRITABLE.search(text):
        return f"is {format_value(text)}; remove NUL characters and unpaired surrogates"
    return None


def texts_fault(value: object) -> str | None:
    """Return the error of a value that should be a list of non-empty texts, else None."""
    return list_fault(value, "strings", text_fault)


def list_fault(value: object, kind: str, element_fault: Callable[[object], str | None]) -> str | None:
    """Return the error of a value that should be a non-empty list, else None.

    Args:
        value: Any JSON value.
        kind: What the list contains, for the message.
        element_fault: Function that returns the error of an element, or None.
    """
    if value is None:
        return f"is missing; it must be a list of {kind}"
    if not isinstance(value, list) or not value:
        return f"is {format_value(value)}; it must be a list of {kind}"
    faults = ((number, element_fault(element)) for number, element in enumerate(value, start=1))
    return next((f"item {number} {fault}" for number, fault in faults if fault is not None), None)


def format_value(value: object) -> str:
    """Format a value for a message: on one line, printable and short."""
    text = repr(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def _keep_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) == len(pairs):
        return fields
    doubled = _DoubleNames(fields)
    doubled.doubled = Counter(name for name, _ in pairs).most_common(1)[0][0]
    return doubled
