"""LaTeX export of a board: a booktabs table in percent, each column's best score bold and its second underlined."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from evaluation.benchmarks import Column
from leaderboard.boards.provenance.papers import cite_briefly
from leaderboard.exports.tex import escape_tex, on_one_line
from leaderboard.exports.view import (
    ExportView,
    Row,
    count_decimals,
    describe_origin,
    describe_paper_of,
    is_printed,
    iso_date,
    list_scores,
    name_system,
    percentage,
)

Marks = Mapping[str, Mapping[str, str]]
"""Score → submission → how the score is marked."""

_NONE = "--"
_REPORTED = "$^{\\dagger}$"
_MARKS = {0: "\\textbf{%s}", 1: "\\underline{%s}"}
_MAX_SIGNATURES = 2
_HEAD = (
    "% Needs \\usepackage{booktabs}.",
    "\\providecommand{\\std}[1]{{\\scriptsize$\\,\\pm\\,$#1}}",
    "\\begin{table}[t]",
    "\\centering",
    "\\small",
)


def write_latex(view: ExportView) -> bytes:
    """Return a view as a LaTeX table."""
    marks = {column.key: _find_marks(view.systems, column.key) for column in view.columns}
    lines = [
        *_comment(view),
        *_HEAD,
        f"\\caption{{{_caption(view, marks)}}}",
        f"\\label{{tab:earshot-{view.benchmark.id}-{view.benchmark.version}-{view.setting}}}",
        f"\\begin{{tabular}}{{l{'r' * len(view.columns)}}}",
        "\\toprule",
        *_headings(view.columns),
        "\\midrule",
        *_body(view, marks),
        "\\bottomrule",
        "\\end{tabular}",
        "\\end{table}",
    ]
    return "\n".join([*lines, ""]).encode()


def _comment(view: ExportView) -> Iterator[str]:
    """Yield the source of the table, and the signature of each row or the place where its scores are printed."""
    yield f"% Earshot: {on_one_line(view.title)}, setting {view.setting}, revision {view.revision}"
    yield f"% {on_one_line(view.link)}"
    for row in view.rows:
        notes = [_notes_of(view, row)] if is_printed(row) else []
        said = "; ".join(filter(None, [describe_paper_of(row), *notes, row["signature"]]))
        yield f"% {on_one_line(f'{name_system(row)}: {said}')}"


def _notes_of(view: ExportView, row: Row) -> str:
    notes = [f"{column.full_title} {describe_origin(row, column)}" for column, _ in list_scores(view, row)]
    return "; ".join([*notes, *row["notes"]]) or describe_origin(row)


def _caption(view: ExportView, marks: Marks) -> str:
    day = iso_date(view.made_at)
    words = [
        f"{escape_tex(view.title)}, setting {escape_tex(view.setting)}, in per cent.",
        f"Earshot leaderboard, revision {view.revision}{f' of {day}' if day else ''}.",
        *_say_places(view, marks),
    ]
    if any(row["source"] == "reported" for row in view.rows):
        words.append(f"{_REPORTED}As reported by {escape_tex(_name_papers(view))}; not scored by Earshot.")
    if any(score["std"] is not None for row in view.rows for _, score in list_scores(view, row)):
        words.append("$\\pm$: standard deviation over runs.")
    return " ".join([*words, *_say_signatures(view.signatures)])


def _name_papers(view: ExportView) -> str:
    papers = [row["paper"] for row in view.rows if row["source"] == "reported" and row["paper"]]
    named = dict.fromkeys(cite_briefly(paper["authors"], paper["year"]) for paper in papers)
    return "; ".join(named) or "papers"


def _say_places(view: ExportView, marks: Marks) -> Iterator[str]:
    if view.narrowed:
        yield f"Rows with {escape_tex(', '.join(view.narrowed))}."
    if any(marks.values()):
        best = "Best of these rows" if view.narrowed else "Best"
        yield f"{best} in bold, second best underlined."


def _say_signatures(signatures: Sequence[str]) -> Iterator[str]:
    # More signatures would fill the caption; the table's comments list them all.
    if 0 < len(signatures) <= _MAX_SIGNATURES:
        shown = [escape_tex(one).replace("\\textbar{}", "\\textbar\\allowbreak{}") for one in signatures]
        yield "Signature: " + ", ".join(f"\\texttt{{{one}}}" for one in shown) + "."


def _headings(columns: Sequence[Column]) -> Iterator[str]:
    if any(column.group for column in columns):
        cells, rules, at = [""], [], 2
        for group, members in groupby(columns, key=lambda column: column.group):
            width = len(list(members))
            cells.append(f"\\multicolumn{{{width}}}{{c}}{{{escape_tex(group)}}}")
            rules += [f"\\cmidrule(lr){{{at}-{at + width - 1}}}"] if group else []
            at += width
        yield _line(cells)
        yield " ".join(rules)
    yield _line(["Model", *(escape_tex(column.title) for column in columns)])


def _body(view: ExportView, marks: Marks) -> Iterator[str]:
    yield from (_row(view, row, {}) for row in view.pinned)
    if view.pinned and view.systems:
        yield "\\midrule"
    yield from (_row(view, row, marks) for row in view.systems)


def _find_marks(rows: Sequence[Row], key: str) -> dict[str, str]:
    """Return submission → markup of its score, by rank: equal scores share a rank."""
    places = {row["submission"]: row["ranks"][key] for row in rows if row["ranks"].get(key) is not None}
    if len(places) < len(_MARKS):
        return {}
    ordered = sorted(places.values())
    before = {one: bisect_left(ordered, place) for one, place in places.items()}
    return {one: _MARKS[n] for one, n in before.items() if n in _MARKS}


def _row(view: ExportView, row: Row, marks: Marks) -> str:
    name = escape_tex(name_system(row)) + (_REPORTED if row["source"] == "reported" else "")
    decimals = count_decimals(view.benchmark, is_scored_here=row["signature"] is not None)
    cells = [
        _cell(row["scores"].get(column.key) or {}, marks.get(column.key, {}).get(row["submission"]), decimals)
        for column in view.columns
    ]
    return _line([name, *cells])


def _cell(score: Mapping[str, Any], mark: str | None, decimals: int) -> str:
    value, std = (percentage(score.get(name), decimals) for name in ("value", "std"))
    if value is None:
        return _NONE
    shown = mark % value if mark else value
    return f"{shown}\\std{{{std}}}" if std is not None else shown


def _line(cells: Sequence[str]) -> str:
    return f"{' & '.join(cells)} \\\\"
