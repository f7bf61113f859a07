"""Format detection of prediction files by content; the file name is ignored."""

import io
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import BinaryIO

import msgspec

from evaluation.predictions.csv_table import DELIMITERS, read_csv
from evaluation.predictions.json_list import read_json_list
from evaluation.predictions.json_object import read_json_object
from evaluation.predictions.jsonl import BOM, read_jsonl
from evaluation.predictions.kinds import GZIP, LOOK_BYTES, ZIP_BEGINNINGS, refuse_foreign
from evaluation.predictions.misplaced_rows import find_top_values, refuse_layout
from evaluation.predictions.plain_lines import check_lines
from evaluation.predictions.problems import FileFaultError, Problems
from evaluation.predictions.rows import FIELDS, MAX_ROW_BYTES
from evaluation.predictions.tool_files import find_archive_reader, find_json_reader
from evaluation.predictions.unpacking import open_gzip
from evaluation.predictions.validation import Validator
from evaluation.predictions.wrong_values import UNREADABLE
from evaluation.predictions.zip_archive import open_zip
from evaluation.types import Prediction

_Read = Callable[[BinaryIO, Problems], Iterator[Prediction]]
_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
_LISTS_ON_LINES = re.compile(rb"\[[^\n\[\]]*\][ \t\r]*\n\[")
_OBJECT_ON_LINE = re.compile(rb"""[^{]*\{\s*\\?["']""")
_FIRST_NAME = re.compile(rb'\{\s*"((?:[^"\\]|\\.){1,400})"\s*:')
ROW_FIELDS = frozenset((*FIELDS, "unique_id", "question", "category", "prompt", "task", "answer", "model"))


def read_rows(file: BinaryIO, problems: Problems) -> Iterator[Prediction]:
    """Yield the predictions of a file in any accepted format, compressed or not, and collect its errors.

    Args:
        file: Seekable to its beginning and, if compressed, to its end.
        problems: Collects the errors.
    """
    try:
        open_file, read = _find_format(file)
        yield from read(open_file(), problems)
    except FileFaultError as fault:
        problems.cut(fault.problem)


def check_rows(file: BinaryIO, problems: Problems, validator: Validator, *, keep: bool) -> Iterator[Prediction]:
    """Yield the known and unique predictions of a file, and collect the errors of all others.

    Args:
        file: See `read_rows`.
        problems: Collects the errors of the file.
        validator: Checks the IDs.
        keep: Whether the predictions are needed; otherwise some valid ones are only counted.
    """
    try:
        open_file, read = _find_format(file)
        if read is read_jsonl:
            yield from check_lines(open_file(), problems, validator, keep=keep)
        else:
            yield from validator.check(read(open_file(), problems))
    except FileFaultError as fault:
        problems.cut(fault.problem)


def _find_format(file: BinaryIO) -> tuple[Callable[[], BinaryIO], _Read]:
    """Return a function that opens what the returned reader reads.

    Raises:
        FileFaultError: The file has no accepted format.
    """
    beginning = _peek_bytes(_rewind(file))
    read = find_archive_reader(beginning) if beginning.startswith(ZIP_BEGINNINGS) else None
    if read is not None:
        return partial(_rewind, file), read
    open_text = _find_opener(file)
    return open_text, _find_reader(open_text)


def _find_opener(file: BinaryIO) -> Callable[[], BinaryIO]:
    """Return a function that opens the text of a file from its beginning, any number of times.

    Raises:
        FileFaultError: The content is not text.
    """
    beginning = _peek_bytes(_rewind(file))
    if beginning.startswith(GZIP):
        open_text, inside = partial(open_gzip, file), "gzip"
    elif beginning.startswith(ZIP_BEGINNINGS):
        open_text, inside = partial(open_zip, file), "zip"
    else:
        open_text, inside = partial(_rewind, file), ""
    refuse_foreign(_peek_bytes(open_text()) if inside else beginning, inside=inside)
    return open_text


def _rewind(file: BinaryIO) -> BinaryIO:
    file.seek(0)
    return file


def _peek_bytes(file: BinaryIO, n_bytes: int = LOOK_BYTES) -> bytes:
    """Return the first bytes of a file, even if it returns few at a time."""
    buffer = io.BytesIO()
    while (left := n_bytes - buffer.tell()) and (data := file.read(left)):
        buffer.write(data)
    return buffer.getvalue()


def _find_reader(open_text: Callable[[], BinaryIO]) -> _Read:
    beginning = _peek_bytes(open_text()).removeprefix(BOM).lstrip()
    if beginning.startswith(b"["):
        return read_jsonl if _LISTS_ON_LINES.match(beginning) else read_json_list
    if beginning.startswith(b"{"):
        read = find_json_reader(find_top_values(beginning))
        if read is not None:
            return read
        refuse_layout(beginning, ROW_FIELDS)
        return read_json_object if _is_object_of_ids(open_text) else read_jsonl
    if not beginning or _has_rows_below(beginning):
        return read_jsonl
    return read_csv


def _has_rows_below(beginning: bytes) -> bool:
    """Distinguish JSON Lines with a broken first line from CSV, whose cells may contain JSON."""
    first, _, _ = beginning.partition(b"\n")
    names = {name.strip(b' \t\r"') for name in re.split(b"[%s]" % DELIMITERS.encode(), first)}
    has_rows = b"\n{" in beginning or _OBJECT_ON_LINE.match(first) is not None
    return has_rows and not names & {b"id", b"response"}


def _is_object_of_ids(open_text: Callable[[], BinaryIO]) -> bool:
    """Distinguish a single object, id → response, from JSON Lines.

    A first line that is a whole object is a row, unless it is the entire file and has none of a row's fields. If the
    first line is only the beginning of an object, its first name decides.
    """
    file = open_text()
    beginning = _peek_bytes(file).removeprefix(BOM).lstrip()
    if b"\n" not in beginning:
        beginning += _peek_bytes(file, MAX_ROW_BYTES)
    first, _, rest = beginning.partition(b"\n")
    try:
        names = _OBJECT.decode(first).keys()
    except UNREADABLE:
        name = _FIRST_NAME.match(beginning)
        return name is not None and name[1].decode(errors="replace") not in ROW_FIELDS
    return bool(names) and not rest.strip() and not names & ROW_FIELDS
