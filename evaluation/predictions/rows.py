"""One row of a prediction file: ours, or of an official result file that is accepted as it is.

* Ours: `id`, `run`, and `response` (the raw text) or, for process critics, `erroneous` and perhaps `scores`.
* STAR-Bench's toolkit: `id`, `rotate_id`, `model_response`. What else stands there, the right answer, the letter that
  was read and whether it was correct, is never looked at: the file's owner wrote it.
* MDAR's lists: the official question with `model_output` added, a text, or a list whose first element is the text.
  Its three files number their questions alike; which part a row is of follows from the question's own fields.
"""

import re
from typing import cast

import msgspec
from msgspec import UNSET, UnsetType

from evaluation.predictions.problems import Problem, Problems
from evaluation.types import ITEM_ID, Prediction

MAX_ROW_BYTES = 1_000_000
MAX_RESPONSE_CHARACTERS = 200_000
MAX_RUN = 1_000
EXPECTED_ROW = '{"id": "…", "run": 0, "response": "the model\'s raw text"}'


class _Row(msgspec.Struct, frozen=True):
    """A row as it stands in a file; fields that we do not use are passed over."""

    id: str
    response: str | UnsetType = UNSET
    run: int = 0
    erroneous: tuple[bool, ...] | UnsetType = UNSET
    scores: tuple[float, ...] | UnsetType = UNSET
    rotate_id: int | UnsetType = UNSET
    model_response: str | UnsetType | None = UNSET
    model_output: str | tuple[str, ...] | UnsetType | None = UNSET
    chosens: msgspec.Raw | UnsetType = UNSET
    audio_path_1: msgspec.Raw | UnsetType = UNSET


_DECODER = msgspec.json.Decoder(_Row)


def parse_row(data: bytes, line: int, problems: Problems) -> Prediction | None:
    """Return the prediction that a JSON object holds, or None after its fault was added.

    Args:
        data: The object.
        line: Where it begins, 1-based.
        problems: Where a fault goes.
    """
    try:
        row = _DECODER.decode(data)
    # RecursionError: brackets nested a hundred thousand deep. UnicodeDecodeError: bytes that are not UTF-8.
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        problems.add(_explain(data, line, error))
        return None
    if _is_plain(row):
        return Prediction(row.id, row.run, row.response, line)  # type: ignore[arg-type] # a plain row has a text
    prediction = _to_prediction(row, line)
    problem = _check(row, prediction, line)
    if problem is not None:
        problems.add(problem)
        return None
    return prediction


def _is_plain(row: _Row) -> bool:
    """Tell at once of the usual row, our own with a text, that nothing is wrong with it."""
    response = row.response
    return (
        response is not UNSET
        and len(response) <= MAX_RESPONSE_CHARACTERS
        and 0 <= row.run <= MAX_RUN
        and row.scores is UNSET
        and row.erroneous is UNSET
        and ITEM_ID.fullmatch(row.id) is not None
    )


def _to_prediction(row: _Row, line: int) -> Prediction:
    if row.response is not UNSET or row.erroneous is not UNSET:
        flags = None if row.erroneous is UNSET else row.erroneous
        scores = None if row.scores is UNSET else row.scores
        return Prediction(row.id, row.run, None if row.response is UNSET else row.response, line, flags, scores)
    if row.model_output is not UNSET:
        return Prediction(_mdar_id(row), 0, _first_text(row.model_output), line)
    if row.model_response is not UNSET:
        run = row.run if row.rotate_id is UNSET else row.rotate_id
        return Prediction(row.id, run, row.model_response, line)
    return Prediction(row.id, row.run, None, line)


def _mdar_id(row: _Row) -> str:
    """Return our id of an official MDAR question: two sounds make it `multi`, no options `open`, else it is `main`."""
    if row.audio_path_1 is not UNSET:
        return f"multi-{row.id}"
    return f"open-{row.id}" if row.chosens is UNSET else f"main-{row.id}"


def _first_text(output: str | tuple[str, ...] | None) -> str | None:
    if isinstance(output, tuple):
        return output[0] if output else None
    return output


def _check(row: _Row, prediction: Prediction, line: int) -> Problem | None:
    if not ITEM_ID.fullmatch(row.id):
        return Problem(
            "bad-id",
            f"Line {line}: the id {safe(row.id)} is empty, too long or has characters that no id has. "
            "Ids are copied from questions.jsonl.",
            line,
        )
    if not 0 <= prediction.run <= MAX_RUN:
        return Problem(
            "unknown-run",
            f"Line {line}: run {_short(prediction.run)} of `{row.id}` does not exist. Runs count from 0.",
            line,
            row.id,
        )
    if prediction.response is not None and len(prediction.response) > MAX_RESPONSE_CHARACTERS:
        return Problem(
            "response-too-long",
            f"Line {line}: the response of `{row.id}` has {len(prediction.response):,} characters; "
            f"{MAX_RESPONSE_CHARACTERS:,} are allowed. Keep its end, where the answer is.",
            line,
            row.id,
        )
    if row.scores is not UNSET or (prediction.response is None and prediction.erroneous is None):
        return _check_verdicts(row, line)
    return None


def _check_verdicts(row: _Row, line: int) -> Problem | None:
    """Find what is wrong with a row that has no answer at all, or whose scores do not fit its verdicts."""
    where = f"Line {line}, id `{row.id}`"
    if row.erroneous is UNSET:
        if row.model_output is not UNSET or row.model_response is not UNSET:
            return None  # an official file says that the system gave nothing
        absent = "`response`" if row.scores is UNSET else "`erroneous`, which `scores` needs beside it"
        return Problem("missing-field", f"{where} has no {absent}. Expected: {EXPECTED_ROW}", line, row.id)
    scores = cast("tuple[float, ...]", row.scores)
    if len(scores) != len(row.erroneous):
        return Problem(
            "wrong-length",
            f"{where} has {len(row.erroneous):,} verdicts and {len(scores):,} scores. Give one of each a step.",
            line,
            row.id,
        )
    if not all(0 <= score <= 1 for score in scores):
        return Problem(
            "out-of-range",
            f"{where} has a score outside 0 to 1. A score is the probability that the step is erroneous.",
            line,
            row.id,
        )
    return None


def _explain(data: bytes, line: int, error: Exception) -> Problem:
    """Turn a decoder's complaint into one of ours; the decoder's own words are never shown, they may quote the file."""
    row_id = _find_id(data)
    where = f"Line {line}" + (f", id `{row_id}`" if row_id else "")
    if isinstance(error, msgspec.ValidationError):
        code, what = _explain_types(str(error))
    elif isinstance(error, UnicodeDecodeError) or "utf-8" in str(error).lower() or _looks_like_utf16(data):
        code, what = "encoding", "is not UTF-8. Save the file as UTF-8."
    else:
        code, what = "not-json", "is not a JSON object. Each line holds one object and nothing else."
    return Problem(code, f"{where} {what} Expected: {EXPECTED_ROW}", line, row_id)


def _looks_like_utf16(data: bytes) -> bool:
    """Every other byte of English UTF-16 is zero, which a JSON reader takes for broken JSON."""
    return data.count(0) > len(data) // 4


_KINDS = {
    "id": "an `id` that is not a text.",
    "response": "a `response` that is not a text.",
    "run": "a `run` that is not a whole number from 0.",
    "erroneous": "an `erroneous` that is not a list of true and false.",
    "scores": "a `scores` that is not a list of numbers.",
    "rotate_id": "a `rotate_id` that is not a whole number from 0.",
    "model_response": "a `model_response` that is neither a text nor null.",
    "model_output": "a `model_output` that is neither a text nor a list of texts.",
}


def _explain_types(complaint: str) -> tuple[str, str]:
    if "missing required field `id`" in complaint:
        return "missing-field", "has no `id`."
    field = re.search(r"`\$\.([a-z_]+)", complaint)
    if field and field[1] in _KINDS:
        return "wrong-type", f"has {_KINDS[field[1]]}"
    return "not-object", "is not a JSON object."


def _find_id(data: bytes) -> str | None:
    """Find the id of a row that could not be decoded whole, for the message; only a harmless one is repeated."""
    match = re.search(rb'"id"\s*:\s*"([A-Za-z0-9._-]{1,64})"', data[:4096])
    return match.group(1).decode() if match else None


def _short(number: int) -> str:
    """A number with thousands of digits is not repeated whole."""
    digits = str(number)
    return digits if len(digits) <= 40 else f"{digits[:40]}…"


def safe(text: str) -> str:
    """Return a stranger's text fit for a message: short, printable, one line."""
    shown = "".join(letter if letter.isprintable() else "�" for letter in text[:40])
    return f"`{shown}{'…' if len(text) > 40 else ''}`"
