"""Contents of a maintainer's row, in the form of `assets/published/*.json`, and the effect of a correction."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from db.repositories.catalogue import fold_name
from evaluation.predictions.problems import Problem
from evaluation.published import (
    PublishedModel,
    PublishedResults,
    PublishedRow,
    PublishedScore,
    parse_published,
)
from submissions.published_rows.row_checks import GivenRow

# A row and its paper; derived scores are included.
Printed = tuple[PublishedResults, PublishedRow]


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """A score before and after a change; None if absent."""

    slice: str
    metric: str
    old: float | None
    new: float | None


def find_shipped(published: Sequence[PublishedResults], row: GivenRow) -> Printed | None:
    """Return the shipped row that corresponds to a given one, by the current or an earlier name of its model."""
    board = (row.benchmark.id, row.benchmark.version, row.setting, row.source)
    for results in published:
        for one in results.rows:
            names = {fold_name(name) for name in (one.model.name, *one.model.formerly)}
            is_of_board = (results.benchmark, results.version, one.setting, one.source) == board
            if is_of_board and fold_name(row.model.name) in names:
                return results, one
    return None


def read_content(content: Mapping[str, Any]) -> Printed:
    """Return the row of a content created by `write_content`."""
    results = parse_published(dict(content), "a row")
    return results, results.rows[0]


def merge_row(given: GivenRow, before: Printed | None, published: Sequence[PublishedResults]) -> dict[str, Any]:
    """Return the new content of a row.

    Scores in the file replace earlier ones, or withdraw them if they have no value; all others stay. Scores that stay
    from another paper are marked so. Derived scores are computed again.
    """
    shipped = next(
        (one for one in published if (one.benchmark, one.version) == (given.benchmark.id, given.benchmark.version)),
        None,
    )
    said = {(score.slice, score.metric): score for score in given.scores}
    kept = [score for score in _list_kept(given, before) if (score.slice, score.metric) not in said]
    scores = [*kept, *(score for score in given.scores if score.value is not None)]
    old = before[1] if before else None
    is_same_paper = before is not None and before[0].citation_url == given.url
    authors = given.authors or (before[0].citation_authors if before and is_same_paper else ())
    citation = {
        "key": "maintainers",
        "title": given.paper,
        "authors": list(authors),
        "date": given.date,
        "url": given.url,
    }
    row = {
        "row": given.label or (old.label if old else given.model.name),
        "model": _merge_model(given.model, old.model if old else None),
        "source": given.source,
        "setting": given.setting,
        "notes": list(given.notes or (old.notes if old else ())),
        "scores": [_write_score(score) for score in scores],
    }
    content: dict[str, Any] = {
        "benchmark": given.benchmark.id,
        "version": given.benchmark.version,
        "citation": citation,
        "rows": [row],
    }
    derived = [_write_formula(score) for score in shipped.derived] if shipped else []
    data_version = given.data_version or (before[0].data_version if before and is_same_paper else None)
    return (
        content | ({"derived": derived} if derived else {}) | ({"data_version": data_version} if data_version else {})
    )


def compare_rows(before: Printed | None, after: Printed) -> tuple[ScoreChange, ...]:
    """Return the scores that differ, including derived ones."""
    old, new = (_list_values(one) for one in (before, after))
    names = dict.fromkeys([*old, *new])
    return tuple(ScoreChange(*name, old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name))


def find_empty_withdrawals(given: GivenRow, before: Printed | None) -> Iterator[Problem]:
    """Yield withdrawn scores that the row does not have."""
    known = _list_values(before)
    for line, score in zip(given.score_lines, given.scores, strict=True):
        if score.value is None and known.get((score.slice, score.metric)) is None:
            told = f"Value missing, and the row has no score `{score.slice}|{score.metric}` to withdraw. Fill it in."
            yield Problem("bad-value", told, line)


def says_the_same(before: Printed | None, after: Printed) -> bool:
    """Tell whether two rows agree in scores, model and paper."""
    return before is not None and _describe(before) == _describe(after)


def _describe(printed: Printed) -> object:
    results, row = printed
    paper = (results.citation_title, results.citation_authors, results.citation_date, results.citation_url)
    scores = {(score.slice, score.metric): score for score in row.scores}
    return paper, results.data_version, row.label, replace(row.model, formerly=()), row.notes, scores


def _list_values(printed: Printed | None) -> dict[tuple[str, str], float | None]:
    return {(score.slice, score.metric): score.value for score in printed[1].scores} if printed else {}


def _list_kept(given: GivenRow, before: Printed | None) -> Iterator[PublishedScore]:
    if before is None:
        return
    results, row = before
    for score in row.scores:
        # Derived scores are computed again. So are means that the paper prints, from their parts.
        if score.formula is not None or score.table is None:
            continue
        is_told = results.citation_url == given.url or " of “" in score.table
        yield score if is_told else replace(score, table=f"{score.table} of “{results.citation_title}”")


def _merge_model(given: PublishedModel, old: PublishedModel | None) -> dict[str, Any]:
    said = {name: value for name, value in asdict(given).items() if name != "formerly" and value is not None}
    if old is None:
        return said
    # The name identifies the row.
    known = {name: value for name, value in asdict(old).items() if name != "formerly"}
    return known | said | {"name": old.name}


def _write_score(score: PublishedScore) -> dict[str, Any]:
    written = {name: value for name, value in asdict(score).items() if value is not None and name != "formula"}
    return {"value": None} | written


def _write_formula(score: PublishedScore) -> dict[str, Any]:
    table = {"table": score.table} if score.table else {}
    return {"slice": score.slice, "metric": score.metric, "formula": score.formula, **table}
