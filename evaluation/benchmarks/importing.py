"""Checks that all importers share: JSON that can be read in one way only, and texts that can be stored."""

import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from evaluation.errors import EvaluationError

# NUL is refused by disks and databases; half a surrogate pair cannot be written in UTF-8.
_UNWRITABLE = re.compile("[\x00\ud800-\udfff]")
_LONGEST_SHOWN = 120


class JsonError(EvaluationError):
    """Bytes that are not JSON in UTF-8; the message says why, in a few words."""


class _DoubleNames(dict[str, Any]):
    """An object in which a name stands twice; readers would disagree on which of its values counts."""

    doubled: str


def parse_json(data: bytes) -> Any:
    """Return what a JSON text in UTF-8 holds.

    Raises:
        JsonError: It is none, or goes beyond what can be read.
    """
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_keep_doubles)
    except UnicodeDecodeError as error:
        raise JsonError(f"invalid UTF-8 at byte {error.start + 1:,}") from None
    except json.JSONDecodeError as error:
        line = (
            f"line {error.lineno:,}, " if error.lineno > 1 else ""
        )  # a single line has its number told by who reads it
        raise JsonError(f"{line}column {error.colno:,}") from None
    except RecursionError:
        raise JsonError("nested too deeply") from None
    except ValueError:
        raise JsonError("a number has too many digits") from None


def double_name_fault(fields: dict[str, Any]) -> str | None:
    """Return what is wrong where an object that was parsed here has a name twice, else None."""
    if isinstance(fields, _DoubleNames):
        return f"duplicate field {show(fields.doubled)}; keep one"
    return None


def text_fault(value: object) -> str | None:
    """Return what is wrong with a value that has to be a text with something in it, else None."""
    if value is None:
        return "is missing; it must be a non-empty string"
    if not isinstance(value, str) or not value.strip():
        return f"is {show(value)}; it must be a non-empty string"
    return unwritable_fault(value)


def unwritable_fault(text: str) -> str | None:
    """Return what is wrong with a text that no file could keep, else None."""
    if _UNWRITABLE.search(text):
        return f"is {show(text)}; remove NUL characters and unpaired surrogates"
    return None


def texts_fault(value: object) -> str | None:
    """Return what is wrong with a value that has to be a list of texts with something in each, else None."""
    return list_fault(value, "strings", text_fault)


def list_fault(value: object, kind: str, element_fault: Callable[[object], str | None]) -> str | None:
    """Return what is wrong with a value that has to be a list with something in it, else None.

    Args:
        value: Anything that JSON can hold.
        kind: What it is a list of, for the message.
        element_fault: Returns what is wrong with an element, or None.
    """
    if value is None:
        return f"is missing; it must be a list of {kind}"
    if not isinstance(value, list) or not value:
        return f"is {show(value)}; it must be a list of {kind}"
    found = ((number, element_fault(element)) for number, element in enumerate(value, start=1))
    return next((f"item {number} {fault}" for number, fault in found if fault is not None), None)


def show(value: object) -> str:
    """Return a value for a message: on one line, printable anywhere, and not too long."""
    text = repr(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def _keep_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) == len(pairs):
        return fields
    doubled = _DoubleNames(fields)
    doubled.doubled = Counter(name for name, _ in pairs).most_common(1)[0][0]
    return doubled
