"""Reader of `assets/published/*.json`: printed scores, and scores derived from them."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from statistics import fmean
from typing import Literal, NoReturn, get_args

from evaluation.errors import EvaluationError

PublishedSource = Literal["reported", "human", "random"]

_FORMULA = re.compile(r"mean of [^\s,]+(?:, [^\s,]+)+|weighted mean of [1-9]\d* [^\s,]+(?:, [1-9]\d* [^\s,]+)+")
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")


class PublishedResultsError(EvaluationError):
    """A file of published results has an invalid format."""


@dataclass(frozen=True, slots=True)
class PublishedModel:
    """Model of a row; None for unknown facts.

    A system has one name for all papers, which may differ from the name in a table. `formerly` are the names that this
    row had in earlier releases of the file, so that an existing database renames the row instead of adding one.
    """

    name: str
    organisation: str | None = None
    kind: str | None = None
    size_billions: float | None = None
    open_weights: bool | None = None
    formerly: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PublishedScore:
    """One score as a paper prints it: with its table or formula, and without a number of items.

    Attributes:
        table: Table of the paper; None for a derived score that it does not print.
        slice: Slice, such as `sct/25db`.
        metric: Name of the metric.
        value: Fraction in [0, 1], for metrics that end in `_gap` in [−1, 1]; None if none is printed.
        std: Standard deviation over seeds as a fraction; None if none is printed.
        note: Important information about this score, such as a contradiction with another one.
        formula: Formula of a derived score; None for a printed score. With `table`: the paper prints the same mean
            there, and this one is computed from its parts.
    """

    table: str | None
    slice: str
    metric: str
    value: float | None
    std: float | None = None
    note: str | None = None
    formula: str | None = None


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """All scores of one system in one setting: the printed ones in the order of the file, then the derived ones.

    `label` is the row's name in the tables; it may differ from the model's usual name.
    """

    label: str
    model: PublishedModel
    source: PublishedSource
    setting: str
    notes: tuple[str, ...]
    scores: tuple[PublishedScore, ...]

    @property
    def tables(self) -> tuple[str, ...]:
        """Tables with the row, in the order of the file."""
        return tuple(dict.fromkeys(score.table for score in self.scores if score.table))


@dataclass(frozen=True, slots=True)
class PublishedResults:
    """Published scores of one benchmark.

    `citation_date` is as precise as known: `2026-06-07`, `2026-06`, `2026`, or None. `data_version` is the release of
    the questions behind the scores, if it differs from the board's version; otherwise None. `derived` has the formulas
    of derived scores, without values.
    """

    benchmark: str
    version: str
    citation_key: str
    citation_title: str
    citation_authors: tuple[str, ...]
    citation_date: str | None
    citation_url: str
    rows: tuple[PublishedRow, ...]
    data_version: str | None = None
    derived: tuple[PublishedScore, ...] = ()


class _Object:
    """A JSON object with its location in the file; rejects unknown and missing fields."""

    def __init__(self, value: object, where: str, required: str, optional: str = "") -> None:
        if not isinstance(value, dict):
            raise PublishedResultsError(f"{where}: got {value!r:.80}; it must be an object")
        self.where, self.values = where, value
        allowed = [*required.split(), *optional.split()]
        for name in sorted((value.keys() - set(allowed)) | (set(required.split()) - value.keys())):
            problem = "unknown" if name in value else "missing"
            raise PublishedResultsError(f"{where}: field {name!r} is {problem}; allowed: {', '.join(allowed)}")

    def refuse(self, name: str, allowed: str) -> NoReturn:
        raise PublishedResultsError(f"{self.where}: field {name!r} is {self.values[name]!r:.80}; it must be {allowed}")

    def text(self, name: str, allowed: str = "a non-empty string") -> str:
        value = self.values[name]
        return value if isinstance(value, str) and value.strip() else self.refuse(name, allowed)

    def optional_text(self, name: str) -> str | None:
        return None if self.values.get(name) is None else self.text(name, "a non-empty string or null")

    def number(self, name: str, allowed: str, low: float = 0, high: float = 1) -> float | None:
        value = self.values.get(name)
        if value is not None and not (type(value) in (int, float) and low <= value <= high):
            self.refuse(name, f"{allowed} from {low} to {high}, or null")
        return None if value is None else float(value)

    def sequence(self, name: str) -> Sequence[object]:
        value = self.values.get(name, [])
        return value if isinstance(value, list) else self.refuse(name, "a list")

    def texts(self, name: str) -> tuple[str, ...]:
        texts = tuple(text for text in self.sequence(name) if isinstance(text, str) and text.strip())
        return texts if len(texts) == len(self.sequence(name)) else self.refuse(name, "a list of non-empty strings")


def read_published(path: Path) -> PublishedResults:
    """Read one file of published results and compute its derived scores.

    Raises:
        PublishedResultsError: The file cannot be read, is not JSON in UTF-8, or has an invalid format.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_build_object)
    except (OSError, ValueError, PublishedResultsError) as error:
        raise PublishedResultsError(f"{path.name}: cannot be read as JSON in UTF-8: {error}") from error
    return parse_published(data, path.name)


def parse_published(data: object, name: str) -> PublishedResults:
    """Parse published results from JSON values, with their derived scores; `name` starts every message.

    Raises:
        PublishedResultsError: The format is invalid.
    """
    top = _Object(data, name, "benchmark version citation rows", "derived data_version")
    citation = _Object(top.values["citation"], f"{name}, citation", "key title authors url", "date")
    derived = [_read_derived(v, f"{name}, derived {i}") for i, v in enumerate(top.sequence("derived"), 1)]
    _refuse_repeats(((score.slice, score.metric) for score in derived), f"{name}, derived")
    rows = tuple(_read_row(v, f"{name}, row {i}", derived) for i, v in enumerate(top.sequence("rows"), 1))
    _refuse_repeats(((row.model.name, row.source, row.setting) for row in rows), f"{name}, rows")
    names = (citation.text("key"), citation.text("title"), citation.texts("authors"))
    cited = (*names, _read_date(citation), _read_url(citation))
    return PublishedResults(
        top.text("benchmark"), top.text("version"), *cited, rows, top.optional_text("data_version"), tuple(derived)
    )


def read_all_published(folder: Path) -> tuple[PublishedResults, ...]:
    """Read every `*.json` file of a folder in the order of names; errors are those of `read_published`."""
    if not folder.is_dir():
        raise PublishedResultsError(f"{folder} is not a folder. Pass a folder with `*.json` files")
    return tuple(read_published(path) for path in sorted(folder.glob("*.json")))


def _read_date(citation: _Object) -> str | None:
    text, allowed = citation.values.get("date"), "a date such as 2026-06-07, 2026-06 or 2026, or null"
    if text is None:
        return None
    if not isinstance(text, str) or not _DATE.fullmatch(text):
        citation.refuse("date", allowed)
    try:
        # Fill in missing parts, so that the calendar can check the date.
        date.fromisoformat(f"{text}-01-01"[:10])
    except ValueError:
        citation.refuse("date", allowed)
    return text


def _read_url(citation: _Object) -> str:
    url = citation.text("url")
    return url if url.startswith("https://") else citation.refuse("url", "a URL that begins with https://")


def _build_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    _refuse_repeats((name for name, _ in pairs), "fields of an object")
    return dict(pairs)


def _refuse_repeats(keys: Iterable[object], where: str) -> None:
    repeated = [key for key, count in Counter(keys).items() if count > 1]
    if repeated:
        raise PublishedResultsError(f"{where}: {repeated[0]!r} appears more than once; remove the duplicate")


def _read_derived(value: object, where: str) -> PublishedScore:
    fields = _Object(value, where, "slice metric formula", "table")
    if not _FORMULA.fullmatch(formula := fields.text("formula")):
        fields.refuse("formula", "'mean of SLICE, SLICE, …' or 'weighted mean of ITEMS SLICE, ITEMS SLICE, …'")
    names = (fields.optional_text("table"), fields.text("slice"), fields.text("metric"))
    return PublishedScore(*names, None, formula=formula)


def _read_row(value: object, where: str, derived: Iterable[PublishedScore]) -> PublishedRow:
    fields = _Object(value, where, "row model source setting scores", "notes")
    model = _read_model(fields.values["model"], f"{where}, model")
    where = fields.where = f"{where} ({model.name})"
    source = next((name for name in get_args(PublishedSource) if name == fields.values["source"]), None)
    if source is None:
        fields.refuse("source", f"one of {', '.join(get_args(PublishedSource))}")
    printed = [_read_score(v, f"{where}, score {i}") for i, v in enumerate(fields.sequence("scores"), 1)]
    _refuse_repeats(((score.slice, score.metric) for score in printed), f"{where}, scores")
    names = (fields.text("row"), model, source, fields.text("setting"))
    return PublishedRow(*names, fields.texts("notes"), _derive(printed, derived))


def _read_model(value: object, where: str) -> PublishedModel:
    fields = _Object(value, where, "name", "organisation kind size_billions open_weights formerly")
    if not isinstance(fields.values.get("open_weights"), bool | None):
        fields.refuse("open_weights", "true, false or null")
    size = fields.number("size_billions", "a number", 0.001, 100_000)
    texts = (fields.text("name"), fields.optional_text("organisation"), fields.optional_text("kind"))
    return PublishedModel(*texts, size, fields.values.get("open_weights"), fields.texts("formerly"))


def _read_score(value: object, where: str) -> PublishedScore:
    fields = _Object(value, where, "table slice metric value", "std note")
    names = (fields.text("table"), fields.text("slice"), fields.text("metric"))
    # A gap is a difference of two fractions.
    least = -1 if names[2].endswith("_gap") else 0
    numbers = (fields.number("value", "a fraction", least), fields.number("std", "a fraction"))
    return PublishedScore(*names, *numbers, fields.optional_text("note"))


def _derive(printed: Iterable[PublishedScore], derived: Iterable[PublishedScore]) -> tuple[PublishedScore, ...]:
    """Return the printed scores and, in addition, derived ones; printed scores are never replaced."""
    scores = list(printed)
    for score_spec in derived:
        values = {score.slice: score.value for score in scores if score.metric == score_spec.metric}
        if score_spec.slice not in values and (value := _compute(score_spec.formula or "", values)) is not None:
            scores.append(replace(score_spec, value=value))
    return tuple(scores)


def _compute(formula: str, by_slice: Mapping[str, float | None]) -> float | None:
    """Return the value of a formula; None if a part is unknown."""
    parts = [part.rpartition(" ") for part in formula.partition("mean of ")[2].split(", ")]
    weights = [int(weight or 1) for weight, _, _ in parts]
    values = [value for _, _, name in parts if (value := by_slice.get(name)) is not None]
    return fmean(values, weights) if len(values) == len(parts) else None
