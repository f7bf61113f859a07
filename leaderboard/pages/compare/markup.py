"""Markup of the Compare tab. Pure: two rows and their differences in, HTML out."""

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from db.records import BoardRow, SubmissionRecord
from evaluation.benchmarks import Benchmark, Column
from leaderboard.exports.tex import escape_tex, on_one_line
from leaderboard.exports.view import count_decimals, percentage
from leaderboard.html_elements import Markup, element, link_definitions, percent, write_points
from leaderboard.pages.compare.comparison_texts import (
    Names,
    write_adjusted,
    write_counts,
    write_method,
    write_p,
    write_verdict,
)
from submissions.comparisons.comparison_requests import ComparedSubmission, ComparisonResult, SubmissionPair
from submissions.comparisons.differences import ScoreDifference
from submissions.ranking.row_sources import ROW_SOURCES

_MAX_CHARACTERS = 60
_LARGEST, _SMALLEST = "descending", "ascending"
# Heading → how the table is sorted by it first.
_HEADINGS = {
    "Score": _SMALLEST,
    **dict.fromkeys(("A (%)", "B (%)", "A − B", "95 % CI"), _LARGEST),
    **dict.fromkeys(("p", "Adjusted p"), _SMALLEST),
    **dict.fromkeys(("Won", "Lost", "Tied", "Items"), _LARGEST),
}
HOW_TO_READ = (
    "Right of 0: A is higher. Bars: 95 % CI. Filled: p < 0.05. Hollow: not significant, or no confidence interval."
)


class Compared(NamedTuple):
    """Two rows, their differences, and the score that is shown first."""

    pair: SubmissionPair
    answer: ComparisonResult
    column: Column

    @property
    def lead_difference(self) -> ScoreDifference | None:
        """The difference of the figure that stands first."""
        return next((one for one in self.answer.differences if one.figure == self.column.key), None)

    @property
    def names(self) -> Names:
        """What the two are called."""
        return name_sides(self.pair)


def name_sides(pair: SubmissionPair) -> Names:
    """Return what the two are called: by their models and, where those are one, by their ids too."""
    a, b = (_shorten(side.name) for side in (pair.a, pair.b))
    if a.casefold() == b.casefold():
        a, b = f"{a} ({pair.a.submission.id})", f"{b} ({pair.b.submission.id})"
    return Names(a, b)


def render_comparison(found: Compared) -> Markup:
    """Return what is known of two rows, but for the chart."""
    one = found.lead_difference
    tests = sum(each.p_value is not None for each in found.answer.differences)
    verdict = write_verdict(found.pair.benchmark, found.column, one, found.names)
    parts: list[object] = [
        _render_sides(found),
        element("p", element("b", verdict), class_="es-verdict", role="status", data_testid="verdict"),
        _quiet(write_adjusted(one, tests)),
        _quiet(found.answer.reason or ""),
        _quiet((one.note or "") if one is not None and found.answer.reason is None else ""),
        _render_tally(one, found.names),
        _quiet(write_counts(one)),
        _quiet(write_method(one.n_items, one.n_clusters)) if one is not None and one.p_value is not None else "",
        _render_ways_on(found),
    ]
    return element("article", *parts, class_="es-compared", data_testid="comparison")


def render_waiting(pair: SubmissionPair) -> Markup:
    """Return what is said while an evaluator is at it."""
    names = name_sides(pair)
    words = f"Comparing {names.a} and {names.b}. This takes a few seconds."
    return element("p", words, class_="es-quiet", role="status", data_testid="comparing")


def render_invitation(benchmark: str, choices: Sequence[tuple[str, str]]) -> Markup:
    """Return what is said before two rows are chosen, and a way to see the first two at once.

    Args:
        benchmark: Id of the benchmark whose board is chosen from.
        choices: Label and submission of each row that can be chosen.
    """
    if len(choices) < 2:
        words = "This board has fewer than two rows. Choose another board, or submit predictions on the Submit tab."
        return element("p", words, class_="es-quiet", data_testid="choose-two")
    (first, a), (second, b) = choices[:2]
    href = f"/?{urlencode({'tab': 'compare', 'benchmark': benchmark, 'a': a, 'b': b})}"
    example = element("a", f"{first} vs. {second}", href=href, data_visit="")
    words = "Choose two rows or paste two submission IDs. For example: "
    return element("p", words, example, class_="es-quiet", data_testid="choose-two")


def render_again(refusal: Markup) -> Markup:
    """Return why there is nothing now, and a way to ask again."""
    again = element("button", "Try again", type="button", class_="es-button", data_again="")
    return element("div", refusal, again)


def render_differences(found: Compared) -> Markup:
    """Return every difference as a table; each figure leads to the same comparison with that figure first."""
    columns = {one.key: one for one in found.pair.benchmark.columns}
    heads = (
        element(
            "th",
            element("button", name, type="button", data_sort=order, title="Sort"),
            scope="col",
            class_="es-number" if at else None,
        )
        for at, (name, order) in enumerate(_HEADINGS.items())
    )
    rows = (_render_row(found, columns[one.figure], one) for one in found.answer.differences if one.figure in columns)
    caption = element("caption", "Differences (A − B, points)", class_="es-hidden")
    inner = element(
        "table", caption, element("thead", element("tr", *heads)), element("tbody", *rows), class_="es-plain"
    )
    return element("div", inner, class_="es-scroll", tabindex="0", role="region", aria_label="Differences")


def write_tex(found: Compared) -> str:
    """Return the figure that stands first as a small table of LaTeX."""
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
    how = "paired cluster bootstrap" if one.p_value is not None else "plain difference"
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
    """Return a row of a board for a list to choose from, with the figure that it is known by."""
    standing = row.standings.get(lead.key)
    alone = f"{lead.title} " if lead != benchmark.headline else ""
    value = f" · {alone}{percent(standing.value)}" if standing is not None and standing.value is not None else ""
    return f"{_shorten(row.model.name)} · {row.submission.badge}{value}"


def name_own(submission: SubmissionRecord) -> str:
    """Return one's own row that nobody else sees, for the same list."""
    return f"{_shorten(submission.model.name)} · {submission.visibility} · {submission.id}"


def _render_sides(found: Compared) -> Markup:
    pair, one = found.pair, found.lead_difference
    values = (None, None) if one is None else (one.first, one.second)
    sides = (
        _render_side(letter, side, value, found.column)
        for letter, side, value in zip("AB", (pair.a, pair.b), values, strict=True)
    )
    return element("div", *sides, class_="es-sides")


def _render_side(letter: str, side: ComparedSubmission, value: float | None, column: Column) -> Markup:
    submission = side.submission
    sent = submission.model
    href = f"/?{urlencode({'tab': 'model', 'model': (side.shown_as or sent).public_id})}"
    name = element(
        "a", side.name, href=href, data_visit="", title=f"Submitted as {sent.name}" if side.shown_as else None
    )
    badge = element("span", ROW_SOURCES[submission.badge].label, class_=f"es-badge es-badge-{submission.badge}")
    private = "" if submission.visibility == "public" else element("span", submission.visibility, class_="es-private")
    figure = element("p", element("b", percent(value)), f" % {column.full_title}", class_="es-side-figure")
    signature = side.evaluation.signature
    signed = element("details", element("summary", "Signature"), element("code", signature)) if signature else ""
    head = element(
        "p", element("b", letter, class_=f"es-letter es-letter-{letter.lower()}"), " ", name, " ", badge, private
    )
    return element("section", head, figure, signed, data_testid=f"side-{letter.lower()}")


def _render_tally(one: ScoreDifference | None, names: Names) -> Markup:
    """Return items won, tied and lost as a bar in words."""
    if one is None or one.wins is None or one.losses is None or one.ties is None:
        return Markup("")
    parts = (
        ("a", one.wins, f"{names.a} better"),
        ("ties", one.ties, "tied"),
        ("b", one.losses, f"{names.b} better"),
    )
    bar = (element("i", class_=f"es-tally-{name}", style=f"flex-grow: {count}") for name, count, _ in parts if count)
    words = (
        element("li", element("i", class_=f"es-tally-{name}"), f" {label} on {count:,} item{'s' * (count != 1)}")
        for name, count, label in parts
    )
    drawn = element("div", *bar, class_="es-tally", aria_hidden="true")
    return element("div", drawn, element("ul", *words, class_="es-tally-words"), data_testid="tally")


def _render_ways_on(found: Compared) -> Markup:
    href = f"/api/v1/comparisons?{urlencode(_address(found.pair, found.column))}"
    as_json = element("a", "JSON", href=href, target="_blank", rel="noopener")
    tex = element("pre", write_tex(found), tabindex="0", aria_label="LaTeX")
    copied = element("details", element("summary", "LaTeX for a paper"), tex, data_testid="as-latex")
    return element("div", as_json, link_definitions(), copied, class_="es-ways-on")


def _render_row(found: Compared, column: Column, one: ScoreDifference) -> Markup:
    href = f"/?{urlencode({'tab': 'compare'} | _address(found.pair, column))}"
    defined = " ".join(filter(None, (found.pair.benchmark.define(column), one.note)))
    name = element("a", column.full_title, href=href, data_visit="", title=defined)
    interval = None if one.low is None else f"{write_points(one.low)} to {write_points(one.high)}"
    cells: list[tuple[str | None, float | None]] = [
        (percent(one.first), one.first),
        (percent(one.second), one.second),
        (write_points(one.difference), one.difference),
        (interval, one.low),
        (write_p(one.p_value), one.p_value),
        (write_p(one.p_adjusted), one.p_adjusted),
        *((None if n is None else f"{n:,}", n) for n in (one.wins, one.losses, one.ties, one.n_items)),
    ]
    is_asked = column.key == found.column.key
    numbers = (
        element("td", shown, class_="es-number", data_value="" if value is None else repr(value))
        for shown, value in cells
    )
    return element("tr", element("th", name, scope="row"), *numbers, class_="es-asked" if is_asked else None)


def _address(pair: SubmissionPair, column: Column) -> dict[str, str]:
    words = {"benchmark": pair.benchmark.id, "a": pair.a.submission.id, "b": pair.b.submission.id}
    if column.key == pair.benchmark.headline.key:
        return words
    return words | {"slice": column.slice, "metric": column.metric}


def _name_board(pair: SubmissionPair) -> str:
    return f"{pair.benchmark.title} {pair.benchmark.version}, setting {pair.a.submission.setting}"


def _quiet(words: str) -> Markup:
    return element("p", words, class_="es-quiet") if words else Markup("")


def _shorten(name: str) -> str:
    return name if len(name) <= _MAX_CHARACTERS else f"{name[: _MAX_CHARACTERS - 1]}…"


def list_boards(benchmarks: Sequence[Benchmark]) -> list[tuple[str, str]]:
    """Return (label, id) of every board there is, for a list to choose from."""
    return [
        (f"{one.title} {one.version} · {setting}", f"{one.id} {one.version} {setting}")
        for one in benchmarks
        for setting in one.settings
    ]
