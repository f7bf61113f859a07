"""Reader of a single JSON object, id → response, in bounded memory.

A value is a text, the response of run 0; a list with the answers of runs 0, 1, …; or an object with a row's other
fields: `response`, or `erroneous` with optional `scores`, and optionally `run`. Elements of a list are texts or such
objects.
"""

from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from evaluation.predictions.field_names import safe
from evaluation.predictions.problems import FEWEST_ALIKE, Cause, Problem, Problems, make_common_cause
from evaluation.predictions.rows import check_row, parse_answer
from evaluation.predictions.text_pieces import TextPieces
from evaluation.predictions.wrong_values import UNREADABLE
from evaluation.types import ITEM_ID, Prediction

_TEXT = msgspec.json.Decoder(str)
_EXPECTED = 'Expected: {"<id>": "the model\'s raw text", …}'


def _make_cause(value: str, fewest: int = 2) -> Cause:
    end = f"instead of the model output. {_EXPECTED}"
    return Cause(f"Every id has {value} {end}", f"have {value} {end}", fewest)


_NO_ANSWER = _make_cause("another value", FEWEST_ALIKE)
_WRONG_VALUES = {
    **dict.fromkeys((b"-", *(b"%d" % digit for digit in range(10))), _make_cause("a number")),
    **dict.fromkeys((b"t", b"f"), _make_cause("true or false")),
    b"n": _make_cause("null"),
    b"[": _make_cause("a list"),
}
_LIST = msgspec.json.Decoder(list[msgspec.Raw])


def read_json_object(file: BinaryIO, problems: Problems) -> Iterator[Prediction]:
    """Yield the predictions of an object and collect the errors of invalid entries.

    Raises:
        FileFaultError: The object itself is invalid; the error states the line.
    """
    text = TextPieces(file, "object")
    for key, value, line in _entries(text):
        item_id = _read_key(key, line, problems)
        if item_id is not None:
            yield from _read_entry(item_id, value, line, problems)
        problems.require_patience(line)


def _entries(text: TextPieces) -> Iterator[tuple[bytes, bytes, int]]:
    """Yield key and value of each entry, with the line of the key."""
    for _ in text.find_elements("}"):
        if text.next_letter() != '"':
            raise text.broken()
        line, key = text.line, text.value()
        if text.next_letter() != ":":
            raise text.broken()
        text.pass_letter()
        text.next_letter()
        yield key, text.value(), line


def _read_key(key: bytes, line: int, problems: Problems) -> str | None:
    try:
        return _TEXT.decode(key)
    except UNREADABLE:
        what = "has an id that is not a string. Copy the ids from questions.jsonl."
        problems.add(Problem("bad-id", f"Line {line} {what}", line, cause=make_common_cause(what)))
        return None


def _read_entry(item_id: str, value: bytes, line: int, problems: Problems) -> Iterator[Prediction]:
    answers = [value]
    if value.startswith(b"["):
        try:
            answers = [bytes(answer) for answer in _LIST.decode(value)]
        except UNREADABLE:
            answers = [b""]
    for run, answer in enumerate(answers):
        prediction = _read_answer(item_id, run, answer, line, problems)
        if prediction is not None:
            yield prediction


def _read_answer(item_id: str, run: int, answer: bytes, line: int, problems: Problems) -> Prediction | None:
    if answer.startswith(b"{"):
        return parse_answer(answer, item_id, run, line, problems)
    try:
        response = _TEXT.decode(answer)
    except UNREADABLE:
        problems.add(_wrong_value(item_id, answer, line))
        return None
    return check_row(Prediction(item_id, run, response, line), problems)


def _wrong_value(item_id: str, value: bytes, line: int) -> Problem:
    return Problem(
        "wrong-type",
        f"Line {line}: the value of {safe(item_id)} is neither a string, nor a list of strings (runs 0, 1, …), nor an "
        'object with a `response`. Expected: {"<id>": "the model\'s raw text", …}',
        line,
        item_id if ITEM_ID.fullmatch(item_id) else None,
        _WRONG_VALUES.get(value[:1], _NO_ANSWER),
    )
