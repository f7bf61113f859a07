"""Fast path for valid JSON Lines: decoded and checked by blocks of whole lines.

Whether a block is valid is determined without inspecting single lines. All other blocks take the slow path, line by
line, which produces the error messages, so the fast path never has to.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, BinaryIO

import msgspec
import numpy as np
from msgspec import UNSET, Meta, UnsetType
from numpy.typing import NDArray

from evaluation.predictions.jsonl import read_block, read_blocks
from evaluation.predictions.problems import Problems
from evaluation.predictions.row_faults import MAX_RESPONSE_CHARACTERS, MAX_RUN
from evaluation.predictions.rows import MAX_ROW_BYTES
from evaluation.predictions.validation import Validator
from evaluation.predictions.wrong_values import UNREADABLE
from evaluation.types import Prediction

_Response = Annotated[str, Meta(max_length=MAX_RESPONSE_CHARACTERS)]
_Run = Annotated[int, Meta(ge=0, le=MAX_RUN)]


class _Without(msgspec.Struct, frozen=True, gc=False):
    """Type of fields that plain rows must not have; it rejects any value."""

    erroneous: UnsetType = UNSET
    scores: UnsetType = UNSET
    rotate_id: UnsetType = UNSET
    model_response: UnsetType = UNSET
    model_output: UnsetType = UNSET


class _RowOfRun(_Without, frozen=True, gc=False, kw_only=True):
    id: str
    run: _Run
    response: _Response


class _Row(_Without, frozen=True, gc=False, kw_only=True):
    id: str
    response: _Response
    run: _Run = 0


PlainRow = _RowOfRun | _Row
# `{"id":"","response":""}` has 23 bytes, a run eight more, and a duplicate field at least as many.
_MAX_BESIDE = 23 + 8 - 1
_MAX_BESIDE_WITH_RUN = _MAX_BESIDE + 8
_LINE_END, _RETURN, _OPENED, _CLOSED = b"\n\r{}"
_ROWS_OF_RUNS = msgspec.json.Decoder(_RowOfRun)
_ROWS = msgspec.json.Decoder(_Row)


def check_lines(file: BinaryIO, problems: Problems, validator: Validator, *, keep: bool) -> Iterator[Prediction]:
    """Yield the known and unique predictions of JSON Lines, and collect the errors of all others.

    Args:
        file: File at its beginning.
        problems: Collects format errors.
        validator: Checks the IDs.
        keep: Whether the predictions are needed; otherwise those of plain blocks are only counted.

    Raises:
        FileFaultError: There are too many errors.
    """
    line = 1
    for block in read_blocks(file):
        rows = decode_plain(block)
        if rows and validator.accept_predictions([row.id for row in rows], [row.run for row in rows], line):
            validator.note_answers(rows)
            if keep:
                yield from [Prediction(row.id, row.run, row.response, at) for at, row in enumerate(rows, line)]
            line += len(rows)
        else:
            yield from validator.check(read_block(block, line, problems))
            line += block.count(b"\n")


def decode_plain(block: bytes) -> Sequence[PlainRow] | None:
    """Return the rows of whole lines, one per line, or None if anything about them is unusual.

    Each has an ID, a text response of allowed length, optionally a run, and no duplicate field. The IDs themselves are
    not checked.
    """
    text = block.removesuffix(b"\n")
    if len(block) > MAX_ROW_BYTES or not (text.startswith(b"{") and text.endswith((b"}", b"}\r"))):
        return None
    have_runs = b'"run"' in text[: text.find(b"\n")]
    try:
        rows: Sequence[PlainRow] = (_ROWS_OF_RUNS if have_runs else _ROWS).decode_lines(text)
    except UNREADABLE:
        return None
    letters = np.frombuffer(text, np.uint8)
    ends = np.flatnonzero(letters == _LINE_END)
    if len(ends) != len(rows) - 1 or not _part_rows(letters, ends):
        return None
    lengths = np.diff(ends, prepend=-1, append=len(text)) - 1
    return rows if _are_short(rows, lengths, have_runs) or _have_names_once(text, rows, have_runs) else None


def _part_rows(letters: NDArray[np.uint8], ends: NDArray[np.intp]) -> bool:
    """Return whether every line end is between a closing and an opening brace.

    In JSON, that position is always between two rows, so no row spans two lines and no line is empty. If there are as
    many rows as lines, each line has one row.
    """
    before = letters[ends - 1]
    is_closed = (before == _CLOSED) | ((before == _RETURN) & (letters[ends - 2] == _CLOSED))
    return bool(is_closed.all() and (letters[ends + 1] == _OPENED).all())


def _are_short(rows: Sequence[PlainRow], lengths: NDArray[np.intp], have_runs: bool) -> bool:
    """Return whether lines have so few bytes besides their texts that no field can be duplicated."""
    texts = np.fromiter([len(row.id) + len(row.response) for row in rows], np.int64, len(rows))
    return bool((lengths - texts).max() <= (_MAX_BESIDE_WITH_RUN if have_runs else _MAX_BESIDE))


def _have_names_once(text: bytes, rows: Sequence[PlainRow], have_runs: bool) -> bool:
    r"""Return whether each name occurs once per row: every row has it, so none has it twice.

    Except names with escapes, such as `\u0069d`. A quote within a text is escaped and cannot form a name.
    """
    if b"\\u00" in text or text.count(b'"run"') != (len(rows) if have_runs else 0):
        return False
    return text.count(b'"id"') == len(rows) == text.count(b'"response"')
