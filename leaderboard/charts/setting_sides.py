"""Comparable settings of a model: which of its rows, and which of their scores, may be shown side by side."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from db.repositories.charting import SettingRow
from evaluation.benchmarks.chart_specs import SettingsChart
from evaluation.signature import parse_signature
from leaderboard.charts.chart_data import ChartEntry, SettingsComparison

_MAX_SIDES = 12
_RANKED_TOGETHER = "ranked together"


def pair_sides(
    chart: SettingsChart,
    rows: Sequence[SettingRow],
    entries: Mapping[str, ChartEntry],
    judged: frozenset[str] = frozenset(),
    ranked_together: Collection[str] = (),
) -> list[SettingsComparison]:
    """Return one comparison for each model and kind of row, with the newest row for each setting and score.

    A comparison never mixes rules: otherwise the effect of a new answer key would look like the effect of a setting. If
    a model has rows by several rules, the last scored ones count. Editions of one design follow the same rules, and so
    does the shared test split that was rendered from it.

    Args:
        chart: The chart.
        rows: Rows of several models, the newest of each model and setting last.
        entries: Submission id → row.
        judged: Metrics based on a judge; a comparison uses those of its last judge only.
        ranked_together: What the signatures of rows share that rank together, in any setting (`read_rankings`).
    """
    usual = chart.settings[0]
    rules_of = {row.submission_id: _find_rules(row, ranked_together) for row in rows}
    judges = _find_last_judges(chart, rows, rules_of)
    grouped: dict[tuple[str, str], dict[str, ChartEntry]] = {}
    scored: dict[tuple[str, str], int] = {}
    for row in rows:
        group = row.model, rules_of[row.submission_id]
        scored[group] = max(row.evaluation_id, scored.get(group, 0))
        by_setting = grouped.setdefault(group, {})
        older, entry = by_setting.get(row.setting), entries[row.submission_id]
        is_last_judge = _find_judge(row) == judges.get((chart.find_first(row.model), rules_of[row.submission_id]), "")
        passed_over = frozenset() if is_last_judge else judged
        known = {
            key: score
            for key, score in entry.scores.items()
            if score.value is not None and score.metric not in passed_over
        }
        by_setting[row.setting] = replace(entry, scores={**(older.scores if older else {}), **known})
    sides: dict[tuple[str, bool], SettingsComparison] = {}
    for model, rules in sorted(grouped, key=scored.__getitem__):
        first = grouped.get((chart.find_first(model), rules), {}).get(usual)
        side = SettingsComparison(model, grouped[model, rules] | ({usual: first} if first is not None else {}))
        if any(side.is_beside(panel) for panel in chart.panels):
            sides[model, rules == ""] = side
    return [sides[key] for key in sorted(sides)][:_MAX_SIDES]


def _find_rules(row: SettingRow, ranked_together: Collection[str]) -> str:
    """Return the part of the signature that comparable rows share under any setting; empty for reported scores."""
    rules = parse_signature(row.signature).ranking_of_any_setting if row.signature else ""
    return _RANKED_TOGETHER if rules in ranked_together else rules


def _find_judge(row: SettingRow) -> str:
    return parse_signature(row.signature).judging if row.signature else ""


def _find_last_judges(
    chart: SettingsChart, rows: Sequence[SettingRow], rules_of: Mapping[str, str]
) -> dict[tuple[str, str], str]:
    """Return (model, or the first of merged models, and rules) → judge of the rows of a comparison."""
    judges = {}
    for row in sorted(rows, key=lambda row: row.evaluation_id):
        if judge := _find_judge(row):
            judges[chart.find_first(row.model), rules_of[row.submission_id]] = judge
    return judges
