"""Validation of files of reported rows, and grouping of scores into rows."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from db.records import NewModel
from db.repositories.catalogue import fold_name
from evaluation.benchmarks import Benchmark, all_benchmarks
from evaluation.benchmarks.chart_specs import list_keys
from evaluation.errors import shorten, suggest
from evaluation.predictions import PredictionFileError
from evaluation.predictions.problems import Problem
from evaluation.published import PublishedModel, PublishedResults, PublishedScore
from submissions.errors import BadRequestError
from submissions.model_registry.descriptions import check_model
from submissions.published_rows.row_files import FIELDS, NO_DEFAULTS, REQUIRED, ScoreEntry, read_entries

SOURCES = ("reported", "human")
MAX_SHOWN = 100
_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?")
_URL = re.compile(r"https://[^\s/?#]+\.[^\s]+")
_LONGEST = {"paper": 300, "url": 500, "table": 100, "row": 120, "note": 500, "data_version": 60}
_LONGEST_LINES = {"authors": 10_000, "notes": 2_000}
_WEIGHTS = {"true": True, "yes": True, "open": True, "false": False, "no": False, "closed": False}
_FIELD_IN_MESSAGE = re.compile(r"`([^`]+)`")
_NAMES_FIELD_FIRST = ("unknown-field", "repeated-field", "rows-disagree")
# Scores that remain after a correction from another paper name the title of their own paper.
_OF_TITLE = " of “"
_LONGEST_OF_TITLE = 310
# Fields that a row states once, however many scores it has.
_OF_ROW = (
    *("paper", "url", "date", "authors", "row", "notes", "data_version"),
    *("organisation", "kind", "size_billions", "open_weights"),
)


@dataclass(frozen=True, slots=True)
class GivenRow:
    """A row as given in a file; missing fields are None or empty.

    Attributes:
        line: Line of the first score.
        benchmark: Benchmark id.
        setting: Setting.
        source: `reported` or `human`.
        model: Name of the system.
        paper: Title of the paper.
        url: Address of the paper.
        date: Date of the paper, as precise as known.
        authors: Authors of the paper.
        label: Name of the row in the paper's tables.
        notes: Notes for readers.
        data_version: Release of the questions, if it differs from the board's.
        scores: Scores; a `value` of None withdraws a score.
    """

    line: int
    benchmark: Benchmark
    setting: str
    source: str
    model: PublishedModel
    paper: str
    url: str
    date: str
    authors: tuple[str, ...]
    label: str | None
    notes: tuple[str, ...]
    data_version: str | None
    scores: tuple[PublishedScore, ...]
    score_lines: tuple[int, ...]


class _Faults:
    """Problems of one entry."""

    def __init__(self, entry: ScoreEntry) -> None:
        self.entry = entry
        self.found: list[Problem] = []

    def add(self, field: str, message: str) -> None:
        self.found.append(Problem(f"bad-{field}", message, self.entry.line))

    def choose(self, field: str, known: Iterable[str]) -> str | None:
        """Return a field with a fixed set of values; None if missing or unknown, which is recorded as a problem."""
        given, known = self.entry.fields.get(field), list(known)
        if given is None or given in known:
            return given
        listed = f" Known: {', '.join(known)}." if len(known) <= 12 else ""
        self.add(field, f"Unknown {field} `{shorten(given)}`.{suggest(given[:60], known)}{listed}")
        return None

    def number(self, field: str, least: float, most: float) -> float | None:
        """Return a number, or None. A percent sign divides it by 100."""
        given = self.entry.fields.get(field, "")
        if not given:
            return None
        digits = given.removesuffix("%").strip()
        is_share = digits != given
        value = float(digits) / (100 if is_share else 1) if _NUMBER.fullmatch(digits) else None
        if value is not None and least <= value <= most:
            return round(value, 12)
        advice = f" Write {value / 100:.6g} or {digits}%." if value is not None and not is_share and value > 1 else ""
        allowed = f"a fraction from {least:g} to {most:g}" if most <= 1 else f"a number from {least:g} to {most:g}"
        self.add(field, f"`{field}` is `{shorten(given)}`. Enter {allowed}.{advice}")
        return None


@dataclass(frozen=True, slots=True)
class CheckedRows:
    """A validated file of rows.

    Attributes:
        rows: Rows without problems.
        problems: All problems, ordered by line.
    """

    rows: tuple[GivenRow, ...]
    problems: tuple[Problem, ...]


def require_sound(checked: CheckedRows) -> list[GivenRow]:
    """Return the rows of a file, which must have no problems.

    Raises:
        PredictionFileError: There are problems; each names its line and how to fix it.
    """
    if checked.problems:
        raise PredictionFileError(list(checked.problems[:MAX_SHOWN]), len(checked.problems))
    return list(checked.rows)


def check_rows(
    content: bytes, published: Sequence[PublishedResults], defaults: Mapping[str, str] = NO_DEFAULTS
) -> CheckedRows:
    """Validate a file of rows.

    Args:
        content: CSV or JSON; see `row_files`.
        published: The shipped rows; their scores are known in addition to the board's columns.
        defaults: Field → value for scores that omit the field.

    Raises:
        BadRequestError: A default is invalid.
        PredictionFileError: The file cannot be read at all.
    """
    defaults = _check_defaults(defaults)
    entries, problems = read_entries(content, defaults)
    boards = {(one.id, one.version): one for one in all_benchmarks()}
    known = {key: _list_scores(one, published) for key, one in boards.items()}
    groups: dict[tuple[str, ...], list[tuple[ScoreEntry, PublishedScore]]] = {}
    seen: dict[tuple[str, ...], int] = {}
    refused: set[tuple[str, ...]] = set()
    for entry in entries:
        faults = _Faults(entry)
        score = _check_entry(faults, boards, known)
        problems += faults.found
        row = tuple(_identify(entry))
        if score is None or faults.found:
            refused.add(row)
            continue
        name = (*row, score.slice, score.metric)
        if name in seen:
            told = (
                f"The score `{score.slice}|{score.metric}` of this row is already on line {seen[name]}. Keep one of "
                "them."
            )
            problems.append(Problem("repeated-score", told, entry.line))
            refused.add(row)
            continue
        seen[name] = entry.line
        groups.setdefault(row, []).append((entry, score))
    for row, group in groups.items():
        found = list(_find_disagreements([entry for entry, _ in group]))
        problems += found
        refused |= {row} if found else set()
    problems.sort(key=lambda problem: problem.line or 0)
    sound = (_build_row(group, boards) for row, group in groups.items() if row not in refused)
    return CheckedRows(tuple(sound), tuple(problems))


def name_problem_fields(problem: Problem) -> str:
    """Return the fields that a problem concerns; empty if it concerns a line or the file."""
    field = problem.code.removeprefix("bad-")
    if field in FIELDS:
        return field
    named = _FIELD_IN_MESSAGE.findall(problem.message)
    if problem.code == "missing-field":
        return ", ".join(name for name in named if name in FIELDS)
    return named[0] if problem.code in _NAMES_FIELD_FIRST else ""


def _check_defaults(defaults: Mapping[str, str]) -> dict[str, str]:
    """Return the non-empty defaults: only `source` and `date` can apply to a whole file."""
    found = {name: text.strip() for name, text in defaults.items() if text.strip()}
    source, day = found.get("source"), found.get("date")
    if source is not None and source not in SOURCES:
        raise BadRequestError("source", f"Unknown source `{shorten(source)}`. Choose {' or '.join(SOURCES)}.")
    problem = _describe_bad_date(day) if day is not None else None
    if problem is not None:
        raise BadRequestError("date", problem)
    return found


def _list_scores(benchmark: Benchmark, published: Sequence[PublishedResults]) -> set[tuple[str, str]]:
    """Return the scores a row can have: columns, reported scores, and scores of charts, such as levels."""
    shipped = (one for one in published if (one.benchmark, one.version) == (benchmark.id, benchmark.version))
    printed = {(score.slice, score.metric) for one in shipped for row in one.rows for score in row.scores}
    drawn = {_split_key(key) for chart in benchmark.charts for key in list_keys(chart)}
    return printed | drawn | {(column.slice, column.metric) for column in benchmark.columns}


def _split_key(key: str) -> tuple[str, str]:
    slice_name, _, metric = key.partition("|")
    return slice_name, metric


def _identify(entry: ScoreEntry) -> Iterable[str]:
    yield from (entry.fields.get(name, "") for name in ("benchmark", "version", "setting", "source"))
    yield fold_name(entry.fields.get("model", ""))


def _check_entry(
    faults: _Faults,
    boards: Mapping[tuple[str, str], Benchmark],
    known: Mapping[tuple[str, str], set[tuple[str, str]]],
) -> PublishedScore | None:
    """Return an entry's score; None if its benchmark, slice or metric is unknown. All problems are recorded."""
    fields = faults.entry.fields
    missing = [name for name in REQUIRED if name not in fields]
    if missing:
        listed = ", ".join(f"`{name}`" for name in missing)
        faults.found.append(Problem("missing-field", f"Missing: {listed}. Fill in every field.", faults.entry.line))
    faults.choose("source", SOURCES)
    _check_texts(faults)
    _check_date(faults)
    _check_model(faults)
    benchmark = _find_benchmark(faults, boards)
    if benchmark is None:
        return None
    faults.choose("setting", benchmark.settings)
    scores = known[benchmark.id, benchmark.version]
    slice_name = faults.choose("slice", sorted({one for one, _ in scores}))
    if slice_name is None:
        return None
    metric = faults.choose("metric", sorted({metric for one, metric in scores if one == slice_name}))
    if metric is None:
        return None
    declared = next((one for one in benchmark.metrics if one.id == metric), None)
    is_signed = declared.is_signed if declared else metric.endswith("_gap")
    value = faults.number("value", -1 if is_signed else 0, 1)
    std = faults.number("std", 0, 1)
    if std is not None and value is None:
        faults.add("std", "`std` requires a `value`. Fill in the value, or leave both empty.")
    return PublishedScore(fields.get("table"), slice_name, metric, value, std, fields.get("note"))


def _find_benchmark(faults: _Faults, boards: Mapping[tuple[str, str], Benchmark]) -> Benchmark | None:
    name = faults.choose("benchmark", dict.fromkeys(one for one, _ in boards))
    if name is None:
        return None
    version = faults.choose("version", [version for one, version in boards if one == name])
    return boards[name, version] if version else None


def _check_texts(faults: _Faults) -> None:
    fields = faults.entry.fields
    for name, limit in _LONGEST.items():
        text = fields.get(name, "")
        limit += _LONGEST_OF_TITLE if name == "table" and _OF_TITLE in text else 0
        if len(text) > limit or not text.isprintable():
            faults.add(
                name, f"`{name}` must have 1 to {limit} printable characters. Shorten it, or remove control characters."
            )
    for name, limit in _LONGEST_LINES.items():
        text = fields.get(name, "")
        if len(text) > limit or not all(line.isprintable() for line in text.split("\n")):
            faults.add(
                name, f"`{name}` must have 1 to {limit} printable characters. Shorten it, or remove control characters."
            )
    url = fields.get("url")
    if url is not None and not _URL.fullmatch(url):
        faults.add("url", "`url` is not a valid link. Write a full link, e.g. https://arxiv.org/abs/…")


def _check_date(faults: _Faults) -> None:
    given, year = faults.entry.fields.get("date"), faults.entry.fields.get("year")
    if given is None:
        return
    problem = _describe_bad_date(given)
    if problem is not None:
        faults.add("date", problem)
    elif year is not None and year != given[:4]:
        faults.add("year", f"`year` is `{shorten(year)}`, `date` is `{given}`. Make them agree, or leave out the year.")


def _describe_bad_date(given: str) -> str | None:
    """Return why a text is not a valid date of a paper; None if it is valid."""
    try:
        # Missing parts are filled in for the calendar check.
        day = date.fromisoformat(f"{given}-01-01"[:10]) if _DATE.fullmatch(given) and given.isascii() else None
    except ValueError:
        day = None
    if day is None:
        return f"`date` is `{shorten(given)}`. Write it like 2026-06-07, 2026-06 or 2026."
    if day.year < 1900 or day > datetime.now(UTC).date():
        return f"`date` is `{shorten(given)}`, which is in the future. Enter the date of the paper."
    return None


def _check_model(faults: _Faults) -> None:
    fields = faults.entry.fields
    if "model" not in fields:
        return
    faults.number("size_billions", 0.001, 100_000)
    if fields.get("open_weights", "yes").lower() not in _WEIGHTS:
        faults.add("open_weights", f"`open_weights` is `{shorten(fields['open_weights'])}`. Enter true or false.")
    try:
        check_model(NewModel(fields["model"], fields.get("organisation"), fields.get("kind")))
    except BadRequestError as error:
        faults.add(error.field.replace("model.name", "model").removeprefix("model."), str(error))


def _find_disagreements(group: Sequence[ScoreEntry]) -> Iterable[Problem]:
    for name in _OF_ROW:
        first: ScoreEntry | None = None
        for entry in group:
            given = entry.fields.get(name)
            if given is None:
                continue
            if first is None:
                first = entry
            elif given != first.fields[name]:
                told = f"`{name}` differs from line {first.line} of the same row. Make them agree."
                yield Problem("rows-disagree", told, entry.line)


def _build_row(
    group: Sequence[tuple[ScoreEntry, PublishedScore]], boards: Mapping[tuple[str, str], Benchmark]
) -> GivenRow:
    said: dict[str, str] = {}
    for entry, _ in group:
        said = {**entry.fields, **said}
    size, weights = said.get("size_billions"), said.get("open_weights")
    model = PublishedModel(
        said["model"],
        said.get("organisation"),
        said.get("kind"),
        None if size is None else float(size),
        None if weights is None else _WEIGHTS[weights.lower()],
    )
    return GivenRow(
        line=group[0][0].line,
        benchmark=boards[said["benchmark"], said["version"]],
        setting=said["setting"],
        source=said["source"],
        model=model,
        paper=said["paper"],
        url=said["url"],
        date=said["date"],
        authors=_split(said.get("authors"), r"[;\n]"),
        label=said.get("row"),
        notes=_split(said.get("notes"), r"\n"),
        data_version=said.get("data_version"),
        scores=tuple(score for _, score in group),
        score_lines=tuple(entry.line for entry, _ in group),
    )


def _split(text: str | None, mark: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in re.split(mark, text or "") if one.strip())
