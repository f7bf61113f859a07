"""Reader of files of reported rows, CSV or JSON: one entry per score, as text, with its line in the file.

CSV has a header and one score per line, separated by commas, semicolons or tabs. JSON is a list of objects with the
same field names, or has the form of `assets/published/*.json`.
"""

import csv
import io
import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from json.decoder import JSONObject  # type: ignore[attr-defined]  # in no stub; its position in the text is needed
from json.scanner import py_make_scanner  # type: ignore[attr-defined]
from types import MappingProxyType
from typing import Any, NoReturn

from evaluation.errors import shorten, suggest
from evaluation.predictions import PredictionFileError
from evaluation.predictions.problems import Problem
from submissions.published_rows.formula_cells import restore_formula

REQUIRED = (
    "benchmark",
    "version",
    "setting",
    "source",
    "model",
    "slice",
    "metric",
    "value",
    "paper",
    "url",
    "table",
    "date",
)
OPTIONAL = (
    "year",
    "authors",
    "row",
    "organisation",
    "kind",
    "size_billions",
    "open_weights",
    "std",
    "note",
    "notes",
    "data_version",
)
FIELDS = (*REQUIRED, *OPTIONAL)
NO_DEFAULTS: Mapping[str, str] = MappingProxyType({})
LARGEST_BYTES = 8_000_000
MAX_ENTRIES = 10_000
_OTHER_NAMES = {"title": "paper", "paper_title": "paper", "organization": "organisation", "size": "size_billions"}
# A score, its row and that row's model; citation and file add a few.
_OBJECTS_PER_SCORE = 4
# Fields of the shipped form that are no property of a score.
_UNUSED = frozenset({"key", "formerly"})


@dataclass(frozen=True, slots=True)
class ScoreEntry:
    """A score as given in a file: field → stripped text; empty fields except `value` are omitted."""

    line: int
    fields: Mapping[str, str]


class _Located(dict[str, Any]):
    """A JSON object with the line on which it begins."""

    line = 1


def read_entries(content: bytes, defaults: Mapping[str, str] = NO_DEFAULTS) -> tuple[list[ScoreEntry], list[Problem]]:
    """Return the scores of a file, and the problems of its lines and fields.

    Args:
        content: The file.
        defaults: Field → value for entries that omit the field.

    Raises:
        PredictionFileError: The file cannot be read at all.
    """
    if len(content) > LARGEST_BYTES:
        refuse("too-large", f"The file is larger than {LARGEST_BYTES:,} bytes. Split it into several files.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        refuse("encoding", "The file is not UTF-8 text. Save it as UTF-8.", line)
    if not text.strip():
        refuse("empty-file", "The file is empty. Write one score per line under a header.")
    problems: list[Problem] = []
    is_json = text.lstrip()[0] in "[{"
    read = _read_json(text, problems) if is_json else _read_csv(text, problems, defaults)
    entries = [ScoreEntry(entry.line, {**defaults, **entry.fields}) for entry in read]
    _check_count(len(entries))
    if not entries and not problems:
        refuse("empty-file", "The file has no score. Write one score per line under the header.")
    return entries, problems


def refuse(code: str, message: str, line: int | None = None) -> NoReturn:
    """Raise an error for the whole file.

    Raises:
        PredictionFileError: Always.
    """
    raise PredictionFileError([Problem(code, message, line)], 1)


def _check_count(n_scores: int) -> None:
    """Raise an error for too many scores before their problems are collected and fill the memory."""
    if n_scores > MAX_ENTRIES:
        refuse("too-many", f"The file has more than {MAX_ENTRIES:,} scores. Split it into several files.")


def _read_csv(text: str, problems: list[Problem], defaults: Mapping[str, str]) -> Iterator[ScoreEntry]:
    header = text.lstrip("\r\n").partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    names: list[str] | None = None
    n_scores = 0
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            problems.append(Problem("bad-csv", f"Invalid CSV ({error}). Check the quotes in this line.", line))
            return
        if cells is None:
            return
        if not cells or not any(cell.strip() for cell in cells):
            continue
        if names is None:
            names = _read_header(cells, line, defaults)
            continue
        n_scores += 1
        _check_count(n_scores)
        if len(cells) != len(names):
            told = (
                f"The line has {len(cells)} cells, but the header has {len(names)}. Put text with a separator in "
                "quotes."
            )
            problems.append(Problem("bad-csv", told, line))
            continue
        yield ScoreEntry(line, _tidy(zip(names, map(restore_formula, cells), strict=True)))


def _read_header(cells: list[str], line: int, defaults: Mapping[str, str]) -> list[str]:
    names = [_name_field(cell) for cell in cells]
    faults = [_describe_unknown(name, line) for name in names if name not in FIELDS]
    faults += [
        Problem("repeated-field", f"The header has `{name}` {names.count(name)} times. Keep one.", line)
        for name in FIELDS
        if names.count(name) > 1
    ]
    missing = [name for name in REQUIRED if name not in names and name not in defaults]
    if missing:
        listed = ", ".join(f"`{name}`" for name in missing)
        faults.append(Problem("missing-field", f"The header has no {listed}. Add it.", line))
    if faults:
        raise PredictionFileError(faults, len(faults))
    return names


def _name_field(cell: str) -> str:
    name = "_".join(cell.strip().lower().split())
    return _OTHER_NAMES.get(name, name)


def _describe_unknown(name: str, line: int) -> Problem:
    told = f"Unknown field `{shorten(name)}`.{suggest(name[:60], FIELDS)} Fields: {', '.join(FIELDS)}."
    return Problem("unknown-field", told, line)


def _tidy(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {name: text for name, cell in pairs if (text := cell.strip()) or name == "value"}


def _read_json(text: str, problems: list[Problem]) -> Iterator[ScoreEntry]:
    document = _decode(text)
    if isinstance(document, list):
        _check_count(len(document))
        for number, one in enumerate(document, 1):
            if isinstance(one, _Located):
                yield from _read_object(one, {}, one.line, problems)
            else:
                problems.append(Problem("bad-json", f"Element {number} is not an object. Write one object per score."))
        return
    if not isinstance(document.get("rows"), list):
        refuse("bad-json", "The file is one JSON object without `rows`. Write a list of objects, one per score.", 1)
    yield from _read_document(document, problems)


def _read_document(document: _Located, problems: list[Problem]) -> Iterator[ScoreEntry]:
    """Yield the scores of a file in the shipped form, in which papers contain rows and rows contain scores."""
    shared = _flatten(document, {"citation": {"title": "paper"}}, without={"rows", "derived"})
    _check_count(len(document["rows"]))
    n_scores = 0
    for number, row in enumerate(document["rows"], 1):
        if not isinstance(row, _Located) or not isinstance(row.get("scores"), list):
            line = getattr(row, "line", None)
            problems.append(Problem("bad-json", f"Row {number} has no list `scores`. Add it.", line))
            continue
        n_scores += len(row["scores"])
        _check_count(n_scores)
        around = shared | _flatten(row, {"model": {"name": "model"}}, without={"scores"})
        for score in row["scores"]:
            if isinstance(score, _Located):
                yield from _read_object(score, around, score.line, problems)
            else:
                problems.append(Problem("bad-json", "A score is not an object. Write one object per score.", row.line))


def _flatten(
    value: Mapping[str, Any], within: Mapping[str, Mapping[str, str]], without: Iterable[str]
) -> dict[str, Any]:
    """Return an object's fields with those of its objects `within`, some of them renamed."""
    flat: dict[str, Any] = {}
    for name, one in value.items():
        if name in within and isinstance(one, dict):
            flat |= {within[name].get(inner, inner): text for inner, text in one.items()}
        elif name not in without:
            flat[name] = one
    return {name: one for name, one in flat.items() if name not in _UNUSED}


def _read_object(
    value: Mapping[str, Any], around: Mapping[str, Any], line: int, problems: list[Problem]
) -> Iterator[ScoreEntry]:
    fields, faults = {}, []
    for given, one in {**around, **value}.items():
        name = _name_field(given)
        text = _to_text(one)
        if name not in FIELDS:
            faults.append(_describe_unknown(name, line))
        elif text is None:
            faults.append(Problem(f"bad-{name}", f"`{name}` is a nested object. Write text or a number.", line))
        else:
            fields[name] = text
    problems += faults
    if not faults:
        yield ScoreEntry(line, {"value": ""} | _tidy(fields.items()) if "value" in fields else _tidy(fields.items()))


def _to_text(value: object) -> str | None:
    """Return a JSON value as CSV text; texts of a list are separated by line breaks."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "\n".join(value)
    return value if isinstance(value, str) else None


def _decode(text: str) -> Any:
    """Parse JSON, with numbers as written and every object with its line."""
    ends = [at for at, letter in enumerate(text) if letter == "\n"]
    repeated: list[Problem] = []
    n_objects = count()

    def note_repeats(pairs: list[tuple[str, Any]]) -> _Located:
        found = _Located(pairs)
        found.repeats = [name for name, _ in pairs] if len(found) < len(pairs) else []  # type: ignore[attr-defined]
        return found

    def parse_object(
        at: tuple[str, int], strict: bool, scan: Callable[..., Any], _hook: object, _pairs: object, memo: Any
    ) -> tuple[_Located, int]:
        _check_count(next(n_objects) // _OBJECTS_PER_SCORE)
        found, end = JSONObject(at, strict, scan, None, note_repeats, memo)
        found.line = bisect_right(ends, at[1] - 1) + 1
        if found.repeats:
            name = next(name for name in found if found.repeats.count(name) > 1)
            told = f"An object has the key `{shorten(name)}` more than once. Keep one."
            repeated.append(Problem("repeated-field", told, found.line))
        return found, end

    decoder: Any = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)
    decoder.parse_object = parse_object
    decoder.scan_once = py_make_scanner(decoder)
    try:
        document = decoder.decode(text)
    except json.JSONDecodeError as error:
        refuse("bad-json", f"Invalid JSON: {error.msg}. Correct it here.", error.lineno)
    except RecursionError:
        refuse("bad-json", "The JSON is nested too deeply. Write a list of objects, one per score.")
    if repeated:
        raise PredictionFileError(repeated, len(repeated))
    return document
