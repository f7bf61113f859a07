"""Reading one JSON object, id → response, in bounded memory.

A value is a text, the response of run 0; a list, whose elements are the answers of runs 0, 1, …; or an object with what
a row has beside its id: `response`, or `erroneous` and perhaps `scores`, and perhaps `run`. Elements of a list are
texts or such objects.
"""

from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from evaluation.predictions.problems import Problem, Problems
from evaluation.predictions.row_faults import UNREADABLE, safe
from evaluation.predictions.rows import check_row, parse_answer
from evaluation.predictions.text_pieces import TextPieces
from evaluation.types import ITEM_ID, Prediction

_TEXT = msgspec.json.Decoder(str)
_LIST = msgspec.json.Decoder(list[msgspec.Raw])


def read_json_object(file: BinaryIO, problems: Problems) -> Iterator[Prediction]:
    """Yield the predictions of an object and collect the faults of the entries that hold none.

    Raises:
        FileFaultError: The object itself is broken; the fault says from which line on.
    """
    text = TextPieces(file, "object")
    for key, value, line in _entries(text):
        item_id = _read_key(key, line, problems)
        if item_id is not None:
            yield from _read_entry(item_id, value, line, problems)
        problems.require_patience(line)


def _entries(text: TextPieces) -> Iterator[tuple[bytes, bytes, int]]:
    """Yield key and value of each entry, with the line of the key."""
    text.next_letter()
    text.pass_letter()
    letter = "" if text.next_letter() == "}" else ","
    while letter == ",":
        if text.next_letter() != '"':
            raise text.broken()
        line, key = text.line, text.value()
        if text.next_letter() != ":":
            raise text.broken()
        text.pass_letter()
        text.next_letter()
        yield key, text.value(), line
        letter = text.next_letter()
        if letter == ",":
            text.pass_letter()
    if text.next_letter() != "}":
        raise text.broken()
    text.pass_letter()
    text.require_end()


def _read_key(key: bytes, line: int, problems: Problems) -> str | None:
    try:
        return _TEXT.decode(key)
    except UNREADABLE:
        problems.add(Problem("bad-id", f"Line {line}: the id is no text. Ids are copied from questions.jsonl.", line))
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
        problems.add(_wrong_value(item_id, line))
        return None
    return check_row(Prediction(item_id, run, response, line), problems)


def _wrong_value(item_id: str, line: int) -> Problem:
    return Problem(
        "wrong-type",
        f"Line {line}: what stands for {safe(item_id)} is neither a text, nor a list of texts (runs 0, 1, …), nor an "
        'object with a `response`. Expected: {"<id>": "the model\'s raw text", …}',
        line,
        item_id if ITEM_ID.fullmatch(item_id) else None,
    )
