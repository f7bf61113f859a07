"""Charts as tables of the same scores, for those who read numbers or use a screen reader."""

from collections.abc import Iterable, Sequence

from evaluation.benchmarks.chart_specs import (
    Chart,
    DotChart,
    GridChart,
    LineChart,
    MapChart,
    Panel,
    PointChart,
    SettingsChart,
    ShareChart,
)
from leaderboard.charts.chart_data import ChartData, ChartEntry
from leaderboard.charts.figures.dots import find_reference
from leaderboard.charts.figures.shares import count_sorted, find_share
from leaderboard.rendering.formatting import NONE, write_points
from leaderboard.rendering.templating import Markup, render_table

_CHANCE = "chance"
Rows = list[list[object]]


def chart_table(chart: Chart, scene: ChartData) -> Markup:
    """Return the content of a chart as a table of percentages."""
    match chart:
        case LineChart():
            return _table(chart, *_list_lines(chart.panels, scene))
        case PointChart():
            return _table(chart, *_list_points(chart, scene))
        case DotChart():
            return _table(chart, *_list_dots(chart, scene))
        case SettingsChart():
            return _table(chart, *_list_settings(chart, scene))
        case ShareChart():
            return _table(chart, *_list_shares(chart, scene))
        case GridChart():
            return _table(chart, *_list_grid(chart, scene))
        case MapChart():
            return _table(chart, *_list_map(chart, scene))


def _table(chart: Chart, headings: Sequence[str], rows: Rows) -> Markup:
    return render_table(headings, rows, caption=f"{chart.title}, in per cent")


def _show(value: float | None) -> str:
    return NONE if value is None else f"{value:.1f}"


def _rows_of(scene: ChartData, keys: Sequence[str]) -> Rows:
    """Return systems and human baselines with their scores, then chance."""
    rows: Rows = [[row.label, *(_show(row.percent(key)) for key in keys)] for row in _everybody(scene, keys)]
    guesses = [scene.guess(key) for key in keys]
    return [*rows, [_CHANCE, *map(_show, guesses)]] if any(guess is not None for guess in guesses) else rows


def _everybody(scene: ChartData, keys: Iterable[str]) -> list[ChartEntry]:
    named = list(keys)
    return [row for row in (*scene.entries, *scene.people) if row.has_any(named)]


def _list_lines(panels: Sequence[Panel], scene: ChartData) -> tuple[list[str], Rows]:
    """Return every level of every panel, followed by the mean of human baselines without scores by level."""
    headings: list[str] = ["model"]
    keys: list[str] = []
    for panel in panels:
        name = panel.title.split(":")[0]
        headings += [f"{name} {label}" for label in panel.labels]
        keys += panel.keys
        is_mean = any(person.has_any([panel.whole]) and not person.has_any(panel.keys) for person in scene.people)
        if is_mean:
            headings.append(f"{name} mean")
            keys.append(panel.whole)
    return headings, _rows_of(scene, keys)


def _list_points(chart: PointChart, scene: ChartData) -> tuple[list[str], Rows]:
    titles = [title.split(":")[0] for title in (chart.x_title, chart.y_title)]
    headings = [f"{pair.title} {title}".strip() for pair in chart.pairs for title in titles]
    return ["model", *headings], _rows_of(scene, chart.keys)


def _list_dots(chart: DotChart, scene: ChartData) -> tuple[list[str], Rows]:
    places = [(panel, place) for panel in chart.panels for place in panel.places]
    many = len(chart.panels) > 1
    headings = [f"{panel.title.split(':')[0]} · {place.label}" if many else place.label for panel, place in places]
    keys = [place.key for _, place in places]
    rows: Rows = [[row.label, *(_show(row.percent(key)) for key in keys)] for row in _everybody(scene, keys)]
    return ["model", *headings], [
        *rows,
        [chart.reference, *(_show(find_reference(place, scene)) for _, place in places)],
    ]


def _list_settings(chart: SettingsChart, scene: ChartData) -> tuple[list[str], Rows]:
    """Return models with each setting, human baselines where known, and chance."""
    panels = [panel for panel in chart.panels if any(side.is_beside(panel) for side in scene.sides)]
    headings = ["model"]
    rows: Rows = [[side.model] for side in scene.sides]
    people: Rows = [[person.label] for person in scene.people]
    chance: list[object] = [_CHANCE]
    for panel in panels:
        others = len(panel.settings) - 1 + bool(panel.change)
        headings += [f"{panel.title} {title}" for _, title in panel.settings]
        headings += [f"{panel.title} {chart.change_title}"] if panel.change else []
        for row, side in zip(rows, scene.sides, strict=True):
            is_drawn = side.is_beside(panel)
            row += [_show(side.percent(panel, name)) if is_drawn else NONE for name, _ in panel.settings]
            row += [_signed(side.change(panel))] if panel.change else []
        for row, person in zip(people, scene.people, strict=True):
            row += [_show(person.percent(panel.key)), *[NONE] * others]
        chance += [_show(scene.guess(panel.key)), *[NONE] * others]
    figures = [panel.key for panel in panels]
    known = [row for row, person in zip(people, scene.people, strict=True) if person.has_any(figures)]
    return headings, [*rows, *known, *([chance] if any(key in scene.chance for key in figures) else [])]


def _signed(value: float | None) -> str:
    return write_points(None if value is None else value / 100)


def _list_shares(chart: ShareChart, scene: ChartData) -> tuple[list[str], Rows]:
    headings = ["model", *(segment.label for segment in chart.segments), "n"]
    return headings, [
        [
            entry.label,
            *(_show(find_share(segment, entry)) for segment in chart.segments),
            count_sorted(chart, entry),
        ]
        for entry in _everybody(scene, chart.keys)
    ]


def _list_grid(chart: GridChart, scene: ChartData) -> tuple[list[str], Rows]:
    rows = _rows_of(scene, chart.keys)
    headings = [chart.row_title, *(name for name, _ in chart.columns)]
    if chart.gap is None:
        return headings, rows
    title, key = chart.gap
    gaps = [_signed(row.percent(key)) for row in _everybody(scene, chart.keys)]
    gaps += [NONE] * (len(rows) - len(gaps))
    return [*headings, title], [[*row, gap] for row, gap in zip(rows, gaps, strict=True)]


def _list_map(chart: MapChart, scene: ChartData) -> tuple[list[str], Rows]:
    """Return the map of a system, with totals of rows and columns if it has them."""
    headings = ["", *(f"{chart.column_title} {name}" for name in chart.columns)]
    rows: Rows = []
    for entry in scene.entries[:1]:
        if chart.column_totals:
            rows.append([f"every {chart.row_title}", *(_show(entry.percent(key)) for key in chart.column_totals)])
        for name, cells in zip(chart.rows, chart.cells, strict=True):
            rows.append([f"{chart.row_title} {name}", *(_show(entry.percent(key)) for key in cells)])
        if chart.row_totals:
            headings.append(f"every {chart.column_title}")
            totals = [NONE] * bool(chart.column_totals) + [_show(entry.percent(key)) for key in chart.row_totals]
            rows = [[*row, total] for row, total in zip(rows, totals, strict=True)]
    return headings, rows
