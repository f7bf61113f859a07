"""What can be wrong with one row, in one sentence that names the line, the id and the remedy."""

import difflib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import msgspec

from evaluation.predictions.problems import Cause, Problem, Problems
from evaluation.types import ITEM_ID, Prediction

MAX_RESPONSE_CHARACTERS = 200_000
MAX_RUN = 1_000
EXPECTED_ROW = '{"id": "…", "run": 0, "response": "the model\'s raw text"}'
# RecursionError: brackets nested a hundred thousand deep. UnicodeDecodeError: bytes that are not UTF-8.
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_MOST_NAMES = 50
# No longer name is like one of ours.
_LONGEST_NAME = 40
_HARMLESS = re.compile(r"[A-Za-z0-9._-]{1,64}")
_SHOWN = 40
_QUESTIONS = Cause(
    "This is questions.jsonl, the questions without answers. Run your model on every question and upload one line per "
    f"answer: {EXPECTED_ROW}",
    f"are questions without answers. Replace each by your model's answer: {EXPECTED_ROW}",
)
_CHATS = Cause(
    f"Every line is a chat log. Write only the question's id and the text of the model's last message: {EXPECTED_ROW}",
    f"are chat logs. Write only the question's id and the text of the model's last message: {EXPECTED_ROW}",
)


def _make_wrong_value(value: str, field: str, remedy: str) -> Cause:
    words = f'{value} as {{}} "{field}"; {remedy}.'
    return Cause(f"Every line has {words.format('its')}", f"have {words.format('their')}")


_RAW_TEXT = "write the text that the model gave"
_NUMBERS = _make_wrong_value("a number", "response", 'write it as text, such as "2"')
# First letter of a value that is no text → what it is.
_NO_TEXTS = {
    **dict.fromkeys(b"-0123456789", _NUMBERS),
    ord("{"): _make_wrong_value("an object", "response", _RAW_TEXT),
    ord("["): _make_wrong_value("a list", "response", _RAW_TEXT),
    ord("n"): _make_wrong_value("null", "response", 'write "" where the model gave no text'),
    **dict.fromkeys(b"tf", _make_wrong_value("true or false", "response", 'write it as text, such as "true"')),
}
_NO_NUMBERS = {
    ord('"'): _make_wrong_value("a text", "run", "write the number without quotes, such as 0"),
    ord("n"): _make_wrong_value("null", "run", "write a number from 0, or leave the field out"),
}
_VALUES = {"response": _NO_TEXTS, "run": _NO_NUMBERS}
# What other programs call these fields.
_CALLED = {
    "id": ("item_id", "question_id", "qid", "idx", "index", "uid", "unique_id", "custom_id", "item", "key"),
    "response": (
        "answer",
        "output",
        "prediction",
        "completion",
        "text",
        "model_answer",
        "generated_text",
        "pred",
        "result",
        "model_prediction",
        "generation",
    ),
}


_RAWS = msgspec.json.Decoder(dict[str, msgspec.Raw])


class _Fields(list[tuple[str, object]]):
    """The fields of an object as pairs of name and value."""


_PAIRS = json.JSONDecoder(object_pairs_hook=_Fields, parse_int=str, parse_float=str, parse_constant=str)


def find_fault(prediction: Prediction, *, gave_nothing: bool = False) -> Problem | None:
    """Find what is wrong with a row that was read.

    Args:
        prediction: What it says.
        gave_nothing: Whether an official file says that the system gave nothing, so that no answer is no fault.
    """
    line, response = prediction.line, prediction.response
    if not ITEM_ID.fullmatch(prediction.id):
        return Problem(
            "bad-id",
            f"Line {line}: the id {safe(prediction.id)} is empty, too long or has characters that no id has. "
            "Ids are copied from questions.jsonl.",
            line,
        )
    if not 0 <= prediction.run <= MAX_RUN:
        return Problem(
            "unknown-run",
            f"Line {line}: run {shorten(str(prediction.run))} of {safe(prediction.id)} does not exist. "
            "Runs count from 0.",
            line,
            prediction.id,
        )
    if response is not None and len(response) > MAX_RESPONSE_CHARACTERS:
        return Problem(
            "response-too-long",
            f"Line {line}: the response of {safe(prediction.id)} has {len(response):,} characters; "
            f"{MAX_RESPONSE_CHARACTERS:,} are allowed. Keep its end, where the answer is.",
            line,
            prediction.id,
        )
    if prediction.scores is not None or (response is None and prediction.erroneous is None and not gave_nothing):
        return _find_fault_of_verdicts(prediction)
    return None


def _find_fault_of_verdicts(prediction: Prediction) -> Problem | None:
    """Find what is wrong with a row that has no answer at all, or whose scores do not fit its verdicts."""
    line, scores = prediction.line, prediction.scores
    where = f"Line {line}, id {safe(prediction.id)}"
    if prediction.erroneous is None:
        absent = "`response`" if scores is None else "`erroneous`, which `scores` needs beside it"
        return Problem("missing-field", f"{where} has no {absent}. Expected: {EXPECTED_ROW}", line, prediction.id)
    if scores is not None and len(scores) != len(prediction.erroneous):
        return Problem(
            "wrong-length",
            f"{where} has {len(prediction.erroneous):,} verdicts and {len(scores):,} scores. Give one of each a step.",
            line,
            prediction.id,
        )
    if scores is not None and not all(0 <= score <= 1 for score in scores):
        return Problem(
            "out-of-range",
            f"{where} has a score outside 0 to 1. A score is the probability that the step is erroneous.",
            line,
            prediction.id,
        )
    return None


def quote_names(*names: str) -> Mapping[str, bytes]:
    """Return name → how it stands in JSON, as `find_repeated` looks for it."""
    return {name: f'"{name}"'.encode() for name in names}


def find_repeated(data: bytes, names: Mapping[str, bytes], line: int, item_id: str | None = None) -> Problem | None:
    """Find a field that stands twice in an object that was decoded: which of the two would count is anybody's guess.

    Args:
        data: The object.
        names: The fields that are used of it, from `quote_names`.
        line: Where it begins.
        item_id: Its id, where that does not stand in it.
    """
    # Names may be spelt with escapes; else one that does not stand there twice as text is not there twice.
    if b"\\u00" not in data and not any(data.count(quoted) > 1 for quoted in names.values()):
        return None
    seen: set[str] = set()
    for name in _list_names(data):
        if name in seen and name in names:
            row_id = item_id or _find_id(data)
            message = f"{_where(line, row_id)} has `{name}` more than once. Keep one of them."
            return Problem("duplicate-field", message, line, row_id)
        seen.add(name)
    return None


def _list_names(data: bytes) -> list[str]:
    """Return the names of an object's fields, one that is repeated as often as it stands there."""
    try:
        fields = _PAIRS.decode(data.decode())
    except (ValueError, RecursionError):
        return []
    return [name for name, _ in fields] if isinstance(fields, _Fields) else []


def point_at_meant(problem: Problem, data: bytes, problems: Problems) -> Problem:
    """Return the fault of an absent field with a word on the field that may have been meant for it.

    Args:
        problem: The fault.
        data: The object that has it.
        problems: Those of the file, where the fault goes; they know the causes that were found before.
    """
    if problems.has_unexplained and not problems.has_room(problem.code):
        return problem
    wanted = "id" if problem.id is None else "response"
    names = tuple(name for name in _list_names(data)[:_MOST_NAMES] if len(name) <= _LONGEST_NAME)
    cause = problems.find_cause((wanted, names), partial(_find_cause, wanted, names))
    if cause is None or cause in (_QUESTIONS, _CHATS) or not problems.has_room(problem.code):
        return replace(problem, cause=cause)
    hint = f" Did you mean `{wanted}` by {safe(find_meant(wanted, names) or '')}?"
    return replace(problem, message=problem.message.replace(" Expected:", f"{hint} Expected:"), cause=cause)


def _find_cause(wanted: str, names: Sequence[str]) -> Cause | None:
    if wanted == "response" and {"prompt", "answer_format"} <= set(names):
        return _QUESTIONS
    if wanted == "response" and not {"messages", "choices"}.isdisjoint(names):
        return _CHATS
    found = find_meant(wanted, names)
    return None if found is None else _make_rename(wanted, safe(found).strip("`"))


def _make_rename(wanted: str, found: str) -> Cause:
    what = "id" if wanted == "id" else "answer"
    remedy = f'"{found}"; rename it to "{wanted}".'
    return Cause(f"Every line calls its {what} {remedy}", f"call their {what} {remedy}")


def find_meant(wanted: str, names: Sequence[str]) -> str | None:
    """Return the name that was probably written in the place of another: a misspelt one, or what others call it."""
    lower = {name.lower().strip(): name for name in names[:_MOST_NAMES]}
    close = difflib.get_close_matches(wanted, lower, n=1, cutoff=0.6)
    found = next((name for name in (*close, *_CALLED[wanted]) if name in lower), None)
    return lower[found] if found is not None else None


def explain(
    data: bytes,
    line: int,
    error: Exception,
    row_id: str | None = None,
    *,
    problems: Problems,
) -> Problem:
    """Turn a decoder's complaint into one of ours; the decoder's own words are never shown, they may quote the file.

    Args:
        data: What could not be decoded.
        line: Where it begins.
        error: The complaint.
        row_id: Id of the row, where it does not stand in the row.
        problems: Those of the file, where the fault goes.
    """
    if row_id is None:
        row_id = _find_id(data)
    elif not ITEM_ID.fullmatch(row_id):
        row_id = None
    if isinstance(error, msgspec.ValidationError):
        code, what = _explain_types(str(error))
    elif isinstance(error, UnicodeDecodeError) or "utf-8" in str(error).lower() or _looks_like_utf16(data):
        code, what = "encoding", "is not UTF-8. Save the file as UTF-8."
    else:
        code, what = "not-json", "is not a JSON object. Each line holds one object and nothing else."
    if code == "missing-field":
        row_id = None  # an id that was found stands somewhere within the row
    cause = _find_wrong_value(data, what) if code == "wrong-type" else None
    problem = Problem(code, f"{_where(line, row_id)} {what} Expected: {EXPECTED_ROW}", line, row_id, cause)
    return point_at_meant(problem, data, problems) if code == "missing-field" else problem


def _find_wrong_value(data: bytes, what: str) -> Cause | None:
    """Find what stands in a field of a row in the place of a text or a number."""
    name = next((name for name in _VALUES if f"`{name}`" in what), None)
    if name is None:
        return None
    try:
        value = bytes(_RAWS.decode(data)[name])
    except (*UNREADABLE, KeyError):
        return None
    return _VALUES[name].get(value[0])


def _where(line: int, row_id: str | None) -> str:
    return f"Line {line}" + (f", id `{row_id}`" if row_id else "")


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
    if match is None:
        return None
    try:
        fields = _PAIRS.decode(data.decode())
    except (ValueError, RecursionError):
        fields = None
    if isinstance(fields, _Fields):  # what stands deeper in the row is not its id
        item_id = next((value for name, value in fields if name == "id"), None)
        return item_id if isinstance(item_id, str) and _HARMLESS.fullmatch(item_id) else None
    return match.group(1).decode()


def shorten(text: str) -> str:
    """Return the beginning of a text of any length: a number with thousands of digits is not repeated whole."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def safe(text: str) -> str:
    """Return a stranger's text fit for a message: short, printable, one line."""
    return f"`{''.join(letter if letter.isprintable() else '�' for letter in shorten(text))}`"
