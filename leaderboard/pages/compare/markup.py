"""Markup of the Compare tab. Pure."""

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from db.records import BoardRow, SubmissionRecord
from evaluation.benchmarks import Benchmark, Column
from leaderboard.exports.tex import escape_tex, on_one_line
from leaderboard.exports.view import count_decimals, percentage
from leaderboard.pages.compare.comparison_texts import (
    Names,
    write_adjusted,
    write_counts,
    write_method,
    write_p,
    write_test,
    write_verdict,
)
from leaderboard.rendering.formatting import write_percent, write_points
from leaderboard.rendering.templating import Markup, render_macro, render_template
from submissions.comparisons.comparison_requests import ComparedSubmission, SubmissionPair
from submissions.comparisons.differences import ComparisonResult, ScoreDifference
from submissions.ranking.row_sources import ROW_SOURCES, RowSource

_NOTES = "pages/compare/notes.html"
_MAX_CHARACTERS = 60


class Compared(NamedTuple):
    """Two rows, their differences, and the score that is shown first."""

    pair: SubmissionPair
    answer: ComparisonResult
    column: Column

    @property
    def lead_difference(self) -> ScoreDifference | None:
        """The difference of the score that comes first."""
        return next((one for one in self.answer.differences if one.figure == self.column.key), None)

    @property
    def names(self) -> Names:
        """Names of the two rows."""
        return name_sides(self.pair)


class ComparedSide(NamedTuple):
    """One of the two rows, as its template takes it: letter, source, model, and score."""

    letter: str
    row: ComparedSubmission
    source: RowSource
    model_id: str
    value: float | None


class DifferenceRow(NamedTuple):
    """A row of the table of differences.

    Attributes:
        title: Name of the score.
        definition: Definition of the score.
        address: The same comparison with this score first.
        cells: Text of each column, and the number to sort by as text.
        is_chosen: Whether the score already comes first.
    """

    title: str
    definition: str
    address: str
    cells: list[tuple[str | None, str]]
    is_chosen: bool


def name_sides(pair: SubmissionPair) -> Names:
    """Return the names of two rows: their models or, if those are equal, with their ids."""
    a, b = (_shorten(side.name) for side in (pair.a, pair.b))
    if a.casefold() == b.casefold():
        a, b = f"{a} ({pair.a.submission.id})", f"{b} ({pair.b.submission.id})"
    return Names(a, b)


def render_comparison(found: Compared) -> Markup:
    """Return the comparison of two rows, except the chart."""
    one, names, answer = found.lead_difference, found.names, found.answer
    tests = sum(each.p_value is not None for each in found.answer.differences)
    note = one.note if one is not None and answer.reason is None else None
    method = write_method(one, is_independent=answer.is_independent) if one is not None else None
    return render_template(
        "pages/compare/comparison.html",
        sides=_list_sides(found),
        column=found.column,
        verdict=write_verdict(found.pair.benchmark, found.column, one, names),
        reasons=[*filter(None, (write_adjusted(one, tests), answer.why_unpaired, note))],
        counts=_count_items(one, names),
        methods=[*filter(None, (write_counts(one, is_independent=answer.is_independent), method))],
        address=f"/api/v1/comparisons?{urlencode(_address(found.pair, found.column))}",
        tex=write_tex(found),
    )


def render_waiting(pair: SubmissionPair) -> Markup:
    """Return the text shown while an evaluator computes it."""
    return render_macro(_NOTES, "waiting", *name_sides(pair))


def render_invitation(benchmark: str, choices: Sequence[tuple[str, str]]) -> Markup:
    """Return the text shown before two rows are selected, with a link to the first two.

    Args:
        benchmark: Benchmark id of the selected board.
        choices: Label and submission of each selectable row.
    """
    if len(choices) < 2:
        return render_macro(_NOTES, "too_few_rows")
    return render_macro(_NOTES, "invitation", benchmark, *choices[:2])


def render_again(refusal: Markup) -> Markup:
    """Return why there is no result now, with a retry button."""
    return render_macro(_NOTES, "again", refusal)


def render_legend() -> Markup:
    """Return how to read the chart."""
    return render_macro(_NOTES, "how_to_read")


def render_differences(found: Compared) -> Markup:
    """Return all differences as a table; each score links to the same comparison with that score first."""
    columns = {one.key: one for one in found.pair.benchmark.columns}
    differences = [one for one in found.answer.differences if one.figure in columns]
    rows = [_show_difference(found, columns[one.figure], one) for one in differences]
    return render_template("pages/compare/differences.html", rows=rows)


def write_tex(found: Compared) -> str:
    """Return the score that comes first as a small LaTeX table."""
    one, names = found.lead_difference, found.names
    if one is None:
        return ""
    decimals = count_decimals(found.pair.benchmark, is_scored_here=True)
    ends = (f"${write_points(end, decimals)}$" for end in (one.low, one.high))
    interval = " to ".join(ends) if one.low is not None else "--"
    cells = (
        escape_tex(names.a),
        escape_tex(names.b),
        *(percentage(value, decimals) or "--" for value in (one.first, one.second)),
        f"${write_points(one.difference, decimals)}$",
        interval,
        write_p(one.p_value).replace("–", "--"),
    )
    board = f"{_name_board(found.pair)}, {found.column.full_title}"
    how = write_test(is_independent=found.answer.is_independent) if one.p_value is not None else "plain difference"
    how = "two samples, Newcombe's interval" if one.p_value is None and one.low is not None else how
    signatures = (side.evaluation.signature for side in (found.pair.a, found.pair.b))
    return "\n".join(
        [
            f"% {on_one_line(board)}, in per cent; {how}",
            *(
                f"% {name}: {on_one_line(signature or 'reported')}"
                for name, signature in zip("AB", signatures, strict=True)
            ),
            r"\begin{tabular}{llrrrrr}",
            r"A & B & A, \% & B, \% & $\Delta$ & 95\,\% CI & $p$ \\",
            " & ".join(cells).replace("−", "-") + r" \\",
            r"\end{tabular}",
        ]
    )


def name_row(row: BoardRow, lead: Column, benchmark: Benchmark) -> str:
    """Return the list entry of a board row, with its leading score."""
    standing = row.standings.get(lead.key)
    alone = f"{lead.title} " if lead != benchmark.headline else ""
    value = f" · {alone}{write_percent(standing.value)}" if standing is not None and standing.value is not None else ""
    return f"{_shorten(row.model.name)} · {row.submission.badge}{value}"


def name_own(submission: SubmissionRecord) -> str:
    """Return the list entry of the user's own private row."""
    return f"{_shorten(submission.model.name)} · {submission.visibility} · {submission.id}"


def _list_sides(found: Compared) -> list[ComparedSide]:
    one = found.lead_difference
    values = (None, None) if one is None else (one.first, one.second)
    return [
        ComparedSide(
            letter,
            row,
            ROW_SOURCES[row.submission.badge],
            (row.shown_as or row.submission.model).public_id,
            value,
        )
        for letter, row, value in zip("AB", (found.pair.a, found.pair.b), values, strict=True)
    ]


def _count_items(one: ScoreDifference | None, names: Names) -> list[tuple[str, int, str]]:
    """Return name, number and label of items won, tied and lost; empty if unknown."""
    if one is None or one.wins is None or one.losses is None or one.ties is None:
        return []
    return [
        ("a", one.wins, f"{names.a} better"),
        ("ties", one.ties, "tied"),
        ("b", one.losses, f"{names.b} better"),
    ]


def _show_difference(found: Compared, column: Column, one: ScoreDifference) -> DifferenceRow:
    interval = None if one.low is None else f"{write_points(one.low)} to {write_points(one.high)}"
    cells: list[tuple[str | None, float | None]] = [
        (write_percent(one.first), one.first),
        (write_percent(one.second), one.second),
        (write_points(one.difference), one.difference),
        (interval, one.low),
        (write_p(one.p_value), one.p_value),
        (write_p(one.p_adjusted), one.p_adjusted),
        *((None if n is None else f"{n:,}", n) for n in (one.wins, one.losses, one.ties, one.n_items)),
    ]
    return DifferenceRow(
        title=column.full_title,
        definition=" ".join(filter(None, (found.pair.benchmark.define(column), one.note))),
        address=f"/?{urlencode({'tab': 'compare'} | _address(found.pair, column))}",
        cells=[(shown, "" if value is None else repr(value)) for shown, value in cells],
        is_chosen=column.key == found.column.key,
    )


def _address(pair: SubmissionPair, column: Column) -> dict[str, str]:
    words = {"benchmark": pair.benchmark.id, "a": pair.a.submission.id, "b": pair.b.submission.id}
    if column.key == pair.benchmark.headline.key:
        return words
    return words | {"slice": column.slice, "metric": column.metric}


def _name_board(pair: SubmissionPair) -> str:
    return f"{pair.benchmark.title} {pair.benchmark.version}, setting {pair.a.submission.setting}"


def _shorten(name: str) -> str:
    return name if len(name) <= _MAX_CHARACTERS else f"{name[: _MAX_CHARACTERS - 1]}…"


def list_boards(benchmarks: Sequence[Benchmark]) -> list[tuple[str, str]]:
    """Return (label, id) of every board, for a list."""
    return [
        (f"{one.title} {one.version} · {setting}", f"{one.id} {one.version} {setting}")
        for one in benchmarks
        for setting in one.settings
    ]
