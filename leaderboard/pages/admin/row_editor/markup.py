"""Published rows on the Admin tab: previews, problems and changed rows. Pure: records in, HTML out."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from evaluation.benchmarks import all_benchmarks
from leaderboard.html_elements import Markup, element, since, table
from submissions.published_rows.reported_rows import RowsPreview
from submissions.published_rows.row_checks import name_problem_fields
from submissions.published_rows.row_contents import ScoreChange
from submissions.published_rows.row_lists import ChangedRow
from submissions.published_rows.row_plans import PlannedRow, Verdict

ROWS_URL = "/api/v1/admin/reported-rows"
_DOWNLOADS = (
    ("Current rows (CSV)", f"{ROWS_URL}/file?format=csv"),
    ("Current rows (JSON)", f"{ROWS_URL}/file?format=json"),
    ("Example file", f"{ROWS_URL}/example"),
)
_VERDICTS: Mapping[Verdict, str] = {"add": "added", "correct": "corrected", "unchanged": "unchanged"}
_MAX_SHOWN_CHANGES = 4
_MAX_SHOWN_ROWS = 200


def render_downloads() -> Markup:
    """Return what a file of rows is, with links to the current rows and to an example."""
    words = element(
        "p",
        "Add or correct reported and human rows from a file with one score per line. Scores in the file replace the "
        "scores of the row, an empty value withdraws a score, and all other scores stay. Changes hold until you undo "
        "them, also after an update of Earshot.",
        class_="es-quiet es-reading",
    )
    links: list[object] = []
    for title, url in _DOWNLOADS:
        links += [" · " if links else "", element("a", title, href=url, download="")]
    return Markup(words + element("p", *links))


def render_preview(preview: RowsPreview) -> Markup:
    """Return what a file would change; with problems, which lines must be corrected first."""
    if not preview.problems:
        words = f"Preview: {count_verdicts(preview.rows)}. Nothing is changed until you apply the file."
        return _render_result(element("p", words, role="status"), preview.rows, "Changes in the file")
    n = preview.n_problems
    words = f"{_count(n, 'problem')}. Correct the file and preview it again; a file with problems cannot be applied."
    more = f" The first {len(preview.problems)} are listed." if n > len(preview.problems) else ""
    heading = element("p", words, more, class_="es-error", role="alert")
    refused = (
        [problem.line, element("code", fields) if (fields := name_problem_fields(problem)) else None, problem.message]
        for problem in preview.problems
    )
    problems = table(["Line", "Field", "Problem and fix"], refused, numbers_from=3, caption="Problems in the file")
    rest = element("p", "Rows without problems would change like this:", class_="es-quiet") if preview.rows else ""
    return _render_result(Markup(heading + problems + rest), preview.rows, "Rows without problems")


def render_applied(rows: Sequence[PlannedRow]) -> Markup:
    """Return what was changed."""
    words = f"Applied: {count_verdicts(rows)}. Boards show the changes within seconds."
    return _render_result(element("p", words, role="status"), rows, "Applied changes")


def _render_result(heading: Markup, rows: Sequence[PlannedRow], caption: str) -> Markup:
    changed = [row for row in rows if row.verdict != "unchanged"]
    parts = [heading]
    if changed:
        shown = (_describe_planned(row) for row in changed[:_MAX_SHOWN_ROWS])
        parts.append(table(["Line", "Model", "Board", "Change", "Scores (%)"], shown, numbers_from=5, caption=caption))
    if len(changed) > _MAX_SHOWN_ROWS:
        parts.append(element("p", f"{len(changed) - _MAX_SHOWN_ROWS:,} more rows are not listed.", class_="es-quiet"))
    names = [row.given.model.name for row in rows if row.verdict == "unchanged"]
    if names:
        summary = element("summary", f"{_count(len(names), 'unchanged row')}")
        listed = ", ".join(names[:_MAX_SHOWN_ROWS]) + (", …" if len(names) > _MAX_SHOWN_ROWS else "")
        parts.append(element("details", summary, element("p", listed), class_="es-quiet"))
    return element("div", *parts, data_testid="rows-result")


def count_verdicts(rows: Iterable[PlannedRow]) -> str:
    """Return how many rows are added, corrected and unchanged."""
    counts = Counter(row.verdict for row in rows)
    return ", ".join(f"{counts[verdict]:,} {word}" for verdict, word in _VERDICTS.items() if counts[verdict])


def _describe_planned(row: PlannedRow) -> list[object]:
    given = row.given
    board = f"{given.benchmark.title} {given.benchmark.version}, {given.setting}, {given.source}"
    return [given.line, given.model.name, board, _VERDICTS[row.verdict], _list_scores(row)]


def _list_scores(row: PlannedRow) -> Markup:
    """Return the scores that change, old → new; many of them folded."""
    if not row.changes:
        return element("span", "No scores; paper, notes or model change.", class_="es-quiet")
    changes = [element("div", *_describe_score(change)) for change in row.changes]
    if len(changes) <= _MAX_SHOWN_CHANGES:
        return Markup("".join(changes))
    return element("details", element("summary", _count(len(changes), "score")), *changes)


def _describe_score(change: ScoreChange) -> tuple[object, ...]:
    return element("code", f"{change.slice}|{change.metric}"), f" {_points(change.old)} → {_points(change.new)}"


def _points(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.2f}"


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def render_changed_rows(rows: Sequence[ChangedRow], now: datetime) -> Markup:
    """Return the rows that maintainers added, corrected or removed: who, when, why."""
    if not rows:
        words = "No changed rows. Rows that you add, correct or remove are listed here, where you can undo each change."
        return element("p", words, class_="es-quiet", data_testid="rows-unchanged")
    cells = (
        [
            row.row.model.name,
            _name_board(row),
            row.state,
            row.actor,
            row.reason,
            None if row.at is None else since(row.at, now),
            element("code", row.row.id),
        ]
        for row in rows[:_MAX_SHOWN_ROWS]
    )
    headings = ["Model", "Board", "State", "Changed by", "Reason", "When", "ID"]
    found = table(headings, cells, numbers_from=len(headings), caption="Changed rows")
    more = len(rows) - _MAX_SHOWN_ROWS
    words = f"{more:,} older changes: run python -m submissions rows list."
    return element("div", found, element("p", words, class_="es-quiet") if more > 0 else "", data_testid="rows-changed")


def list_changed_choices(rows: Sequence[ChangedRow]) -> list[tuple[str, str]]:
    """Return (label, ID) of each changed row."""
    return [(f"{row.row.model.name} · {_name_board(row)} · {row.state}", row.row.id) for row in rows[:_MAX_SHOWN_ROWS]]


def _name_board(row: ChangedRow) -> str:
    one = row.row
    titles = {(benchmark.id, benchmark.version): benchmark.title for benchmark in all_benchmarks()}
    title = titles.get((one.benchmark, one.version), one.benchmark)
    return f"{title} {one.version}, {one.setting}, {one.source}"
