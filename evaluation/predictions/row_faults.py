"""Errors of single rows, each with line, ID and fix."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import msgspec

from evaluation.predictions.broken_json import find_flaw
from evaluation.predictions.field_names import (
    CHATS,
    LONGEST_NAME,
    MAX_NAMES,
    QUESTIONS,
    find_cause_of_names,
    find_meant,
    safe,
    shorten,
)
from evaluation.predictions.other_tools import EXPECTED_ROW, find_tool_of_rows
from evaluation.predictions.problems import FEWEST_ALIKE, Cause, Problem, Problems, make_common_cause
from evaluation.predictions.wrong_values import find_wrong_value
from evaluation.types import ITEM_ID, Prediction

MAX_RESPONSE_CHARACTERS = 200_000
MAX_RUN = 1_000
_MAX_ID_CHARACTERS = 200
_HARMLESS = re.compile(r"[A-Za-z0-9._-]{1,64}")


_BAD_IDS = {
    "empty": make_common_cause('has an empty "id".', "Copy the ids from questions.jsonl."),
    "blank": make_common_cause('has spaces around its "id".', "Remove them."),
    "long": make_common_cause('has an "id" of more than 200 characters.', "Copy the ids from questions.jsonl."),
    "letters": make_common_cause(
        'has spaces or other invalid characters in its "id".', "Copy the ids from questions.jsonl."
    ),
}
_ENCODING = Cause("The file is not UTF-8. Save it as UTF-8.", "are not UTF-8. Save the file as UTF-8.", FEWEST_ALIKE)
_NO_JSON = Cause(
    f"No line is a JSON object. Write one object per line: {EXPECTED_ROW}",
    f"are not JSON objects. Write one object per line: {EXPECTED_ROW}",
    FEWEST_ALIKE,
)
_UNKNOWN_RUN = make_common_cause("has a run that does not exist.", "Runs start at 0.")
_TOO_LONG_RESPONSE = make_common_cause(
    f"has a response of more than {MAX_RESPONSE_CHARACTERS:,} characters.",
    "Shorten it, but keep the end with the answer.",
)
_WRONG_NUMBER_OF_SCORES = make_common_cause(
    "has a different number of verdicts and scores.", "Give one of each per step."
)


class _Fields(list[tuple[str, object]]):
    """The fields of an object as pairs of name and value."""


_PAIRS = json.JSONDecoder(object_pairs_hook=_Fields, parse_int=str, parse_float=str, parse_constant=str)


def find_fault(prediction: Prediction, *, gave_nothing: bool = False) -> Problem | None:
    """Return the error of a parsed row.

    Args:
        prediction: The parsed row.
        gave_nothing: Whether an official file states that the system gave no answer, so that a missing one is no error.
    """
    line, response = prediction.line, prediction.response
    if not ITEM_ID.fullmatch(prediction.id):
        return Problem(
            "bad-id",
            f"Line {line}: the id {safe(prediction.id)} is empty, too long or contains invalid characters. "
            "Copy the ids from questions.jsonl.",
            line,
            cause=_BAD_IDS[_find_kind_of_bad_id(prediction.id)],
        )
    if not 0 <= prediction.run <= MAX_RUN:
        return Problem(
            "unknown-run",
            f"Line {line}: run {shorten(str(prediction.run))} of {safe(prediction.id)} does not exist. "
            "Runs start at 0.",
            line,
            prediction.id,
            _UNKNOWN_RUN,
        )
    if response is not None and len(response) > MAX_RESPONSE_CHARACTERS:
        return Problem(
            "response-too-long",
            f"Line {line}: the response of {safe(prediction.id)} has {len(response):,} characters; "
            f"{MAX_RESPONSE_CHARACTERS:,} are allowed. Shorten it, but keep the end with the answer.",
            line,
            prediction.id,
            _TOO_LONG_RESPONSE,
        )
    if prediction.scores is not None or (response is None and prediction.erroneous is None and not gave_nothing):
        return _find_fault_of_verdicts(prediction)
    return None


def _find_fault_of_verdicts(prediction: Prediction) -> Problem | None:
    """Return the error of a row without an answer, or whose scores do not fit its verdicts."""
    line, scores = prediction.line, prediction.scores
    where = f"Line {line}, id {safe(prediction.id)}"
    if prediction.erroneous is None:
        absent = "`response`" if scores is None else "`erroneous`, which `scores` requires"
        return _make_fault("missing-field", line, prediction.id, f"has no {absent}.", f"Expected: {EXPECTED_ROW}")
    if scores is not None and len(scores) != len(prediction.erroneous):
        return Problem(
            "wrong-length",
            f"{where} has {len(prediction.erroneous):,} verdicts and {len(scores):,} scores. Give one of each per "
            "step.",
            line,
            prediction.id,
            _WRONG_NUMBER_OF_SCORES,
        )
    if scores is not None and not all(0 <= score <= 1 for score in scores):
        remedy = "Write the probability that the step is erroneous."
        return _make_fault("out-of-range", line, prediction.id, "has a score outside 0 to 1.", remedy)
    return None


def _find_kind_of_bad_id(item_id: str) -> str:
    if not item_id.strip():
        return "empty"
    if ITEM_ID.fullmatch(item_id.strip()):
        return "blank"
    return "long" if len(item_id) > _MAX_ID_CHARACTERS else "letters"


def _make_fault(code: str, line: int | None, row_id: str | None, what: str, remedy: str) -> Problem:
    """Return an error without line-specific details.

    Args:
        code: Kind of error.
        line: Line of the row.
        row_id: ID of the row, if known.
        what: The predicate of one line.
        remedy: The fix.
    """
    message = f"{_where(line, row_id)} {what} {remedy}"
    return Problem(code, message, line, row_id, make_common_cause(what, remedy))


def quote_names(*names: str) -> Mapping[str, bytes]:
    """Return name → its JSON form, for `find_repeated`."""
    return {name: f'"{name}"'.encode() for name in names}


def find_repeated(data: bytes, names: Mapping[str, bytes], line: int, item_id: str | None = None) -> Problem | None:
    """Return the error of a decoded object with a duplicate field, because the intended value is unknown.

    Args:
        data: The object.
        names: Fields of it that are used, from `quote_names`.
        line: Its first line.
        item_id: Its ID, if the object does not contain it.
    """
    # Names may contain escapes; otherwise a name that does not occur twice as text is not duplicated.
    if b"\\u00" not in data and not any(data.count(quoted) > 1 for quoted in names.values()):
        return None
    seen: set[str] = set()
    for name in _list_names(data):
        if name in seen and name in names:
            row_id = item_id or _find_id(data)
            return _make_fault("duplicate-field", line, row_id, f"has `{name}` more than once.", "Keep one of them.")
        seen.add(name)
    return None


def _list_names(data: bytes) -> list[str]:
    """Return the names of an object's fields, including duplicates."""
    try:
        fields = _PAIRS.decode(data.decode())
    except (ValueError, RecursionError):
        return []
    return [name for name, _ in fields] if isinstance(fields, _Fields) else []


def point_at_meant(problem: Problem, data: bytes, problems: Problems) -> Problem:
    """Add a hint about the probably intended field to the error of a missing one.

    Args:
        problem: The error.
        data: The object.
        problems: Problems of the file, which cache causes.
    """
    if problems.has_unexplained and not problems.has_room(problem.code):
        return problem
    missing_name = "id" if problem.id is None else "response"
    names = _list_short_names(data)
    cause = problems.find_cause((missing_name, names), partial(find_cause_of_names, missing_name, names))
    if cause is None:
        return problem
    intended = find_meant(missing_name, names)
    if cause in (QUESTIONS, CHATS) or intended is None or not problems.has_room(problem.code):
        return replace(problem, cause=cause)
    hint = f" Rename {safe(intended)} to `{missing_name}`."
    return replace(problem, message=problem.message.replace(" Expected:", f"{hint} Expected:"), cause=cause)


def _list_short_names(data: bytes) -> tuple[str, ...]:
    return tuple(name for name in _list_names(data)[:MAX_NAMES] if len(name) <= LONGEST_NAME)


def explain(
    data: bytes,
    line: int,
    error: Exception,
    row_id: str | None = None,
    *,
    problems: Problems,
) -> Problem:
    """Convert a decoder's error to one of ours; the decoder's message is never shown, because it may quote the file.

    Args:
        data: The invalid data.
        line: First line of the data.
        error: The decoder's error.
        row_id: ID of the row, if the row does not contain it.
        problems: Problems of the file.
    """
    if row_id is None:
        row_id = _find_id(data)
    elif not ITEM_ID.fullmatch(row_id):
        row_id = None
    cause: Cause | None = None
    remedy = ""
    if isinstance(error, msgspec.ValidationError):
        code, what = _explain_types(str(error))
        cause = _find_cause_of_types(data, code, what, problems)
    elif isinstance(error, UnicodeDecodeError) or "utf-8" in str(error).lower() or _looks_like_utf16(data):
        code, what, remedy, cause = "encoding", "is not UTF-8.", "Save the file as UTF-8. ", _ENCODING
    else:
        code, what, cause = "not-json", "is not a JSON object.", _NO_JSON
        remedy = "Write one object per line and nothing else. "
        flaw = find_flaw(data)
        if flaw is not None:
            cause = replace(make_common_cause(flaw.what, flaw.remedy), fewest=2)
            # The message ends with the expected row; some remedies, which also stand alone, contain it too.
            remedy += f"This one {flaw.what} {flaw.remedy.replace(f': {EXPECTED_ROW}', '.')} "
    if code == "missing-field":
        row_id = None  # A found ID is anywhere within the row.
    problem = _make_fault(code, line, row_id, what, f"{remedy}Expected: {EXPECTED_ROW}")
    if cause is not None:
        return replace(problem, cause=cause)
    return point_at_meant(problem, data, problems) if code == "missing-field" else problem


def _find_cause_of_types(data: bytes, code: str, what: str, problems: Problems) -> Cause | None:
    """Return why a row has unexpected types: it comes from another tool, or a field has the wrong type."""
    if code == "not-object":
        flaw = find_flaw(data)
        return None if flaw is None else replace(make_common_cause(flaw.what, flaw.remedy), fewest=2)
    if code != "wrong-type":
        return None
    names = _list_short_names(data)
    tool = problems.find_cause(("tool", names), partial(find_tool_of_rows, names))
    return tool or find_wrong_value(data, what)


def _where(line: int | None, row_id: str | None) -> str:
    return f"Line {line}" + (f", id `{row_id}`" if row_id else "")


def _looks_like_utf16(data: bytes) -> bool:
    """In English UTF-16 every other byte is zero, which a JSON parser reports as broken JSON."""
    return data.count(0) > len(data) // 4


_KINDS = {
    "id": "an `id` that is not a string.",
    "response": "a `response` that is not a string.",
    "run": "a `run` that is not a whole number from 0.",
    "erroneous": "an `erroneous` that is not a list of booleans.",
    "scores": "a `scores` that is not a list of numbers.",
    "rotate_id": "a `rotate_id` that is not a whole number from 0.",
    "model_response": "a `model_response` that is neither a string nor null.",
    "model_output": "a `model_output` that is neither a string nor a list of strings.",
}


def _explain_types(complaint: str) -> tuple[str, str]:
    if "missing required field `id`" in complaint:
        return "missing-field", "has no `id`."
    field = re.search(r"`\$\.([a-z_]+)", complaint)
    if field and field[1] in _KINDS:
        return "wrong-type", f"has {_KINDS[field[1]]}"
    return "not-object", "is not a JSON object."


def _find_id(data: bytes) -> str | None:
    """Return the ID of a partially decoded row for the message; only a safe ID is repeated."""
    match = re.search(rb'"id"\s*:\s*"([A-Za-z0-9._-]{1,64})"', data[:4096])
    if match is None:
        return None
    try:
        fields = _PAIRS.decode(data.decode())
    except (ValueError, RecursionError):
        fields = None
    if isinstance(fields, _Fields):  # Nested IDs are not the row's own.
        item_id = next((value for name, value in fields if name == "id"), None)
        return item_id if isinstance(item_id, str) and _HARMLESS.fullmatch(item_id) else None
    return match.group(1).decode()
