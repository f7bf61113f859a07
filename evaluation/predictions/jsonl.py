"""Reading JSON Lines: one prediction a line, in bounded memory, every fault located."""

import re
from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from evaluation.predictions.problems import Problem, Problems
from evaluation.types import Prediction

MAX_LINE_BYTES = 1_000_000
MAX_RESPONSE_CHARACTERS = 200_000
MAX_RUN = 1_000
_BOM = b"\xef\xbb\xbf"
_ID = re.compile(r"[\x21-\x7e]{1,200}")


class _Row(msgspec.Struct, frozen=True):
    """A prediction as it stands in a file; fields that we do not use are passed over."""

    id: str
    response: str
    run: int = 0


_DECODER = msgspec.json.Decoder(_Row)


def read_jsonl(file: BinaryIO, problems: Problems) -> Iterator[Prediction]:
    """Yield the predictions of a file and collect the faults of the lines that hold none.

    Empty lines are passed over. A UTF-8 byte order mark is allowed.
    """
    number = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) > MAX_LINE_BYTES:
            _skip_rest(file, line)
            problems.add(_too_long_line(number))
            continue
        prediction = _parse(line.removeprefix(_BOM) if number == 1 else line, number, problems)
        if prediction is not None:
            yield prediction


def _skip_rest(file: BinaryIO, line: bytes) -> None:
    while line and not line.endswith(b"\n"):
        line = file.readline(MAX_LINE_BYTES)


def _too_long_line(number: int) -> Problem:
    return Problem(
        "line-too-long",
        f"Line {number} is longer than {MAX_LINE_BYTES:,} bytes. One prediction stands on one line, "
        f"and a response has at most {MAX_RESPONSE_CHARACTERS:,} characters.",
        number,
    )


def _parse(line: bytes, number: int, problems: Problems) -> Prediction | None:
    if line.isspace() or not line:
        return None
    try:
        row = _DECODER.decode(line)
    # RecursionError: brackets nested a hundred thousand deep. UnicodeDecodeError: bytes that are not UTF-8.
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        problems.add(_explain(line, number, error))
        return None
    problem = _check(row, number)
    if problem is not None:
        problems.add(problem)
        return None
    return Prediction(row.id, row.run, row.response, number)


def _check(row: _Row, number: int) -> Problem | None:
    if not _ID.fullmatch(row.id):
        return Problem(
            "bad-id",
            f"Line {number}: the id {safe(row.id)} is empty, too long or has characters that no id has. "
            "Ids are copied from questions.jsonl.",
            number,
        )
    if not 0 <= row.run <= MAX_RUN:
        return Problem(
            "unknown-run",
            f"Line {number}: run {_short(row.run)} of `{row.id}` does not exist. Runs count from 0.",
            number,
            row.id,
        )
    if len(row.response) > MAX_RESPONSE_CHARACTERS:
        return Problem(
            "response-too-long",
            f"Line {number}: the response of `{row.id}` has {len(row.response):,} characters; "
            f"{MAX_RESPONSE_CHARACTERS:,} are allowed. Keep its end, where the answer is.",
            number,
            row.id,
        )
    return None


def _explain(line: bytes, number: int, error: Exception) -> Problem:
    """Turn a decoder's complaint into one of ours; the decoder's own words are never shown, they may quote the file."""
    row_id = _find_id(line)
    where = f"Line {number}" + (f", id `{row_id}`" if row_id else "")
    if isinstance(error, msgspec.ValidationError):
        code, what = _explain_types(str(error))
    elif isinstance(error, UnicodeDecodeError) or "utf-8" in str(error).lower() or _looks_like_utf16(line):
        code, what = "encoding", "is not UTF-8. Save the file as UTF-8."
    else:
        code, what = "not-json", "is not a JSON object. Each line holds one object and nothing else."
    return Problem(code, f"{where} {what} Expected: {EXPECTED_LINE}", number, row_id)


def _looks_like_utf16(line: bytes) -> bool:
    """Every other byte of English UTF-16 is zero, which a JSON reader takes for broken JSON."""
    return line.count(0) > len(line) // 4


EXPECTED_LINE = '{"id": "amb-…", "run": 0, "response": "the model\'s raw text"}'


def _explain_types(complaint: str) -> tuple[str, str]:
    for name in ("id", "response"):
        if f"missing required field `{name}`" in complaint:
            return "missing-field", f"has no `{name}`."
    for name, kind in (("an `id`", "a text"), ("a `response`", "a text"), ("a `run`", "a whole number from 0")):
        if f"$.{name.split('`')[1]}`" in complaint:
            return "wrong-type", f"has {name} that is not {kind}."
    return "not-object", "is not a JSON object."


def _find_id(line: bytes) -> str | None:
    """Find the id of a line that could not be decoded whole, for the message; only a harmless one is repeated."""
    match = re.search(rb'"id"\s*:\s*"([A-Za-z0-9._-]{1,64})"', line[:4096])
    return match.group(1).decode() if match else None


def _short(number: int) -> str:
    """A number with thousands of digits is not repeated whole."""
    digits = str(number)
    return digits if len(digits) <= 40 else f"{digits[:40]}…"


def safe(text: str) -> str:
    """Return a stranger's text fit for a message: short, printable, one line."""
    shown = "".join(letter if letter.isprintable() else "�" for letter in text[:40])
    return f"`{shown}{'…' if len(text) > 40 else ''}`"
