"""One model under several settings: the rows and scores that are compared."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from db.records import BoardRecord
from db.repositories.charting import SettingRow
from evaluation.signature import Signature, parse_signature, replace_setting
from leaderboard.charts.chart_data import ChartEntry, SettingsComparison
from leaderboard.charts.setting_sides import pair_sides
from submissions.ranking.standings import read_rankings
from tests.support.pages.chart_samples import SETTINGS, make_scores


def sign(setting: str, *, key: str = "1b", judge: str = "", design: str = "", edition: str = "") -> str:
    return str(Signature("mdar", "1.0", "0a", key, setting, 1, "wrong", "3", "1", "0.1.0", judge, "", design, edition))


def make_rows(
    *rows: tuple[str, str, str, str], signed: Mapping[str, Mapping[str, str]] | None = None
) -> tuple[list[SettingRow], dict[str, ChartEntry]]:
    """Return rows of (submission, setting, source, model), scored in this order, and their entries."""
    setting_rows = []
    for at, (row_id, setting, source, model) in enumerate(rows):
        signature = None if source == "reported" else sign(setting, **(signed or {}).get(row_id, {}))
        setting_rows.append(SettingRow(row_id, at, setting, source, signature, 1, model))
    return setting_rows, {
        row.submission_id: ChartEntry(row.submission_id, row.model, row.source, make_scores({"main|accuracy": 0.5}))
        for row in setting_rows
    }


def with_score(entry: ChartEntry, key: str, value: float | None) -> ChartEntry:
    return replace(entry, scores={**entry.scores, **make_scores({key: value})})


def values_of(entry: ChartEntry) -> dict[str, float | None]:
    return {key: score.value for key, score in entry.scores.items()}


def rows_of(sides: Iterable[SettingsComparison]) -> list[tuple[str, dict[str, str]]]:
    return [(side.model, {setting: entry.id for setting, entry in side.rows.items()}) for side in sides]


def test_pair_sides_pairs_the_newest_rows_of_each_model_in_name_order() -> None:
    rows, entries = make_rows(
        ("s-1", "default", "submitted", "B"),
        ("s-2", "noise", "submitted", "B"),
        ("s-3", "noise", "verified", "B"),
        ("s-4", "default", "verified", "A"),
        ("s-5", "noise", "verified", "A"),
        ("s-6", "default", "verified", "Alone"),
    )
    assert rows_of(pair_sides(SETTINGS, rows, entries)) == [
        ("A", {"default": "s-4", "noise": "s-5"}),
        ("B", {"default": "s-1", "noise": "s-3"}),
    ]


def test_pair_sides_takes_each_score_from_the_newest_row_that_has_it() -> None:
    rows, entries = make_rows(
        ("s-1", "default", "submitted", "A"), ("s-2", "noise", "submitted", "A"), ("s-3", "default", "submitted", "A")
    )
    entries["s-1"] = with_score(entries["s-1"], "other|accuracy", 0.2)
    entries["s-3"] = with_score(entries["s-3"], "main|accuracy", None)
    (side,) = pair_sides(SETTINGS, rows, entries)
    assert values_of(side.rows["default"]) == {"main|accuracy": 0.5, "other|accuracy": 0.2}


def test_pair_sides_never_pairs_reported_with_evaluated_rows() -> None:
    rows, entries = make_rows(("s-1", "default", "reported", "A"), ("s-2", "noise", "submitted", "A"))
    assert pair_sides(SETTINGS, rows, entries) == []


def test_pair_sides_of_joined_models_takes_the_default_row_of_the_first() -> None:
    chart = replace(SETTINGS, joined=" + ")
    rows, entries = make_rows(
        ("s-1", "default", "reported", "A"),
        ("s-2", "noise", "reported", "A + B"),
        ("s-3", "noise", "reported", "C + A"),
    )
    assert rows_of(pair_sides(chart, rows, entries)) == [("A + B", {"noise": "s-2", "default": "s-1"})]


def test_pair_sides_never_mixes_keys_and_takes_the_rows_scored_last() -> None:
    rows, entries = make_rows(
        ("old-default", "default", "submitted", "A"),
        ("old-noise", "noise", "submitted", "A"),
        ("new-default", "default", "submitted", "A"),
        ("new-noise", "noise", "submitted", "A"),
        signed={"new-default": {"key": "2c"}, "new-noise": {"key": "2c"}},
    )
    # A row that was scored with another key has no counterpart.
    assert rows_of(pair_sides(SETTINGS, rows[:3], entries)) == [("A", {"default": "old-default", "noise": "old-noise"})]
    assert rows_of(pair_sides(SETTINGS, rows, entries)) == [("A", {"default": "new-default", "noise": "new-noise"})]


def test_pair_sides_takes_judged_scores_of_the_last_judge_only() -> None:
    rows, entries = make_rows(
        ("s-1", "default", "submitted", "A"),
        ("s-2", "noise", "submitted", "A"),
        signed={"s-1": {"judge": "one.v1"}, "s-2": {"judge": "other.v1"}},
    )
    entries = {name: with_score(entry, "open|judge_score", 0.7) for name, entry in entries.items()}
    (side,) = pair_sides(SETTINGS, rows, entries, frozenset({"judge_score"}))
    assert values_of(side.rows["default"]) == {"main|accuracy": 0.5}
    assert values_of(side.rows["noise"]) == {"main|accuracy": 0.5, "open|judge_score": 0.7}


def test_pair_sides_requires_the_same_judge_only_within_a_pair() -> None:
    rows, entries = make_rows(
        ("s-1", "default", "submitted", "A"),
        ("s-2", "noise", "submitted", "A"),
        ("alone", "noise", "submitted", "A"),
        signed={"s-1": {"judge": "one.v1"}, "s-2": {"judge": "one.v1"}, "alone": {"key": "2c", "judge": "other.v1"}},
    )
    entries = {name: with_score(entry, "open|judge_score", 0.7) for name, entry in entries.items()}
    (side,) = pair_sides(SETTINGS, rows, entries, frozenset({"judge_score"}))
    assert {entry.id: values_of(entry).get("open|judge_score") for entry in side.rows.values()} == {
        "s-1": 0.7,
        "s-2": 0.7,
    }


def test_pair_sides_pairs_rows_of_editions_and_of_the_shared_split_of_one_design() -> None:
    rows, entries = make_rows(
        ("s-1", "default", "submitted", "Shared"),
        ("s-2", "noise", "submitted", "Shared"),
        ("s-3", "default", "submitted", "Editions"),
        ("s-4", "noise", "submitted", "Editions"),
        ("s-5", "default", "submitted", "Old design"),
        ("s-6", "noise", "submitted", "Old design"),
        signed={
            "s-2": {"key": "2c", "design": "4f", "edition": "e-00000001"},
            "s-3": {"key": "3d", "design": "4f", "edition": "e-00000002"},
            "s-4": {"key": "4e", "design": "4f", "edition": "e-00000003"},
            "s-6": {"key": "5f", "design": "99", "edition": "e-00000004"},
        },
    )
    editions = ("Editions", {"default": "s-3", "noise": "s-4"})
    assert rows_of(pair_sides(SETTINGS, rows, entries)) == [editions]
    shared, design = (parse_signature(row.signature or "").ranking for row in rows[:2])
    rule = f"{shared}&{replace_setting(design, 'default')}|code:0.1.0|intervals:9|places:2"
    rankings = read_rankings(BoardRecord("mdar", "1.0", "default", 1, 1, datetime(2026, 1, 1, tzinfo=UTC), rule))
    expected = [editions, ("Shared", {"default": "s-1", "noise": "s-2"})]
    assert rows_of(pair_sides(SETTINGS, rows, entries, ranked_together=rankings)) == expected
    assert read_rankings(None) == frozenset()
