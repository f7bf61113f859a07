"""Answers with given scores for calibrating a judge: an organiser's human scores, or the shipped constructed ones.

A file is JSON Lines (one object per line) or CSV with a header. The fields are `id`, `question`, `reference`, `answer`
and a score from 0 to 10: `human` for human scores (the mean of several people), `expected` for scores constructed with
the answer. `description` and `kind` are optional; other fields are ignored.
"""

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from evaluation.judge.errors import CalibrationError
from evaluation.judge.protocol import FULL_SCORE, OpenQuestion

SHIPPED = Path(__file__).with_name("calibration.jsonl")
"""30 answers constructed for a score. No people scored them, so they do not measure agreement with people."""

Origin = Literal["people", "constructed"]
SCORE_FIELDS: Mapping[str, Origin] = {"human": "people", "expected": "constructed"}
"""Score field → origin of the score."""

MAX_ROWS = 100_000
MAX_BYTES = 200_000_000
_NEEDED = ("id", "question", "reference", "answer")
_OPTIONAL = ("description", "kind")
_MAY_BE_EMPTY = frozenset({"answer", *_OPTIONAL})
_LONGEST_SHOWN = 40
_SEPARATORS = ",;\t"
_FIELDS = "id, question, reference, answer, human"


@dataclass(frozen=True, slots=True)
class Rated:
    """An answer with a score.

    Attributes:
        question: Its question and reference; the ID names the row.
        answer: The answer.
        score: Score from 0 to 10.
        origin: Whether people gave the score, or it was constructed with the answer.
        kind: Kind of answer; empty if not stated.
    """

    question: OpenQuestion
    answer: str
    score: float
    origin: Origin
    kind: str = ""


def read_rated(path: Path) -> list[Rated]:
    """Read a file of scored answers: CSV if its name ends in `.csv` or `.tsv`, else JSON Lines.

    Raises:
        CalibrationError: The file cannot be read, a row is not a scored answer, an ID is duplicated, or human and
            constructed scores are mixed; the message names the line.
    """
    text = _read_text(path)
    rows = _iter_csv(text, path.name) if path.suffix.lower() in (".csv", ".tsv") else _iter_lines(text, path.name)
    rated: dict[str, Rated] = {}
    for where, fields in rows:
        row = _read_row(fields, where)
        if row.question.id in rated:
            raise CalibrationError(f"{where}: duplicate id `{_shorten(row.question.id)}`. Rename one.")
        if rated and row.origin != next(iter(rated.values())).origin:
            raise CalibrationError(
                f"{where}: the other rows use a different score field. Use `human` or `expected` throughout."
            )
        rated[row.question.id] = row
        if len(rated) > MAX_ROWS:
            raise CalibrationError(f"{path.name} has more than {MAX_ROWS:,} answers. Take a sample.")
    if not rated:
        raise CalibrationError(f"{path.name} has no answers. Write one scored answer per row ({_FIELDS}).")
    return list(rated.values())


def _read_text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise CalibrationError(f"{path.name} is larger than {MAX_BYTES // 1_000_000} MB. Take a sample.")
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CalibrationError(f"{path.name} is not UTF-8 (byte {error.start + 1:,}). Save it as UTF-8.") from None
    except OSError as error:
        raise CalibrationError(f"{path} cannot be read ({error.strerror}). Pass a JSON Lines or CSV file.") from None


def _iter_lines(text: str, name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{name}:{number}"
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError):
            fields = None
        if not isinstance(fields, dict):
            raise CalibrationError(
                f"{where}: not a JSON object. Write one object per line with {_FIELDS}, or a CSV file named *.csv."
            )
        yield where, fields


def _iter_csv(text: str, name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    header = text.split("\n", 1)[0]
    separator = max(_SEPARATORS, key=header.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    names: list[str] = []
    try:
        for cells in reader:
            where = f"{name}:{reader.line_num}"
            if not any(cell.strip() for cell in cells):
                continue
            if not names:
                names = _read_header(cells, where)
                continue
            if len(cells) != len(names):
                raise CalibrationError(
                    f"{where}: {len(cells)} cells, but the header has {len(names)}. Put texts with `{separator}` in "
                    "double quotes."
                )
            yield where, dict(zip(names, cells, strict=True))
    except csv.Error as error:
        raise CalibrationError(f"{name}:{reader.line_num}: not CSV ({error}). Check the double quotes.") from None


def _read_header(cells: list[str], where: str) -> list[str]:
    names = [cell.strip() for cell in cells]
    doubled = next((name for name in names if name and names.count(name) > 1), None)
    if doubled is not None:
        raise CalibrationError(f"{where}: duplicate column `{_shorten(doubled)}`. Remove one.")
    lacking = [name for name in _NEEDED if name not in names]
    if lacking or not SCORE_FIELDS.keys() & set(names):
        missing = ", ".join(lacking or ["human"])
        raise CalibrationError(f"{where}: the header lacks {missing}. The first line names the columns: {_FIELDS}.")
    return names


def _read_row(fields: Mapping[str, Any], where: str) -> Rated:
    texts = {name: _read_text_field(fields, name, where) for name in (*_NEEDED, *_OPTIONAL)}
    scores = [name for name in SCORE_FIELDS if fields.get(name) not in (None, "")]
    if len(scores) != 1:
        what = "has both `human` and `expected`; keep one" if scores else "`human` is missing; add a score from 0 to 10"
        raise CalibrationError(f"{where}: {what}.")
    question = OpenQuestion(texts["id"], texts["question"], texts["reference"], texts["description"])
    score = _read_score(fields[scores[0]], scores[0], where)
    return Rated(question, texts["answer"], score, SCORE_FIELDS[scores[0]], texts["kind"])


def _read_text_field(fields: Mapping[str, Any], name: str, where: str) -> str:
    value = fields.get(name, "" if name in _OPTIONAL else None)
    if not isinstance(value, str):
        problem = "is missing" if value is None else f"is {_shorten(str(value))}"
        raise CalibrationError(f"{where}: `{name}` {problem}; it must be a string.")
    if name not in _MAY_BE_EMPTY and not value.strip():
        raise CalibrationError(f"{where}: `{name}` is empty. Add text.")
    return value


def _read_score(value: object, name: str, where: str) -> float:
    score = math.nan
    # In Python, True is a number. CSV cells are texts, and programs may write numbers as texts too.
    if isinstance(value, int | float | str) and not isinstance(value, bool):
        try:
            score = float(value)
        except (ValueError, OverflowError):
            score = math.nan
    if not 0 <= score <= FULL_SCORE:
        raise CalibrationError(f"{where}: `{name}` is {_shorten(str(value))}; it must be a number from 0 to 10.")
    return score


def _shorten(text: str) -> str:
    printable = "".join(letter if letter.isprintable() else "�" for letter in text)
    return printable if len(printable) <= _LONGEST_SHOWN else f"{printable[: _LONGEST_SHOWN - 1]}…"
