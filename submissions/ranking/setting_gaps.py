"""Gaps between two settings of a model, such as the few-shot gap; computed with a board's revision."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from db.records import CandidateRecord, StandingRecord
from db.repositories import boards, charting
from db.repositories.boards import BoardKey
from db.repositories.charting import SettingRow
from db.session import Transaction
from evaluation.benchmarks import Benchmark
from evaluation.benchmarks.column_specs import SettingGap
from evaluation.signature import parse_signature

_MAX_ROWS = 2_000
_DECIMALS = 12


class Gap(NamedTuple):
    """Difference of a row between two settings.

    Attributes:
        candidate: The gap as a score of the row.
        figure: `<slice>|<metric>` that is subtracted.
        against_evaluation_id: Evaluation of the model's row under the other setting.
    """

    candidate: CandidateRecord
    figure: str
    against_evaluation_id: int


def list_gaps(
    transaction: Transaction, benchmark: Benchmark, key: BoardKey, candidates: Sequence[CandidateRecord]
) -> list[Gap]:
    """Return the gaps of a board's rows whose model has a public row under the other setting.

    The other row is the newest comparable row of the same model: both scored here by the same rules, or both
    reported. A reported gap is used as reported. Gaps have no rank; `gap_intervals` adds intervals.
    """
    return [
        gap
        for declared in benchmark.setting_gaps
        if declared.setting == key.setting
        for gap in _subtract(transaction, benchmark, key, declared, candidates)
    ]


def list_gap_settings(benchmark: Benchmark, setting: str) -> list[str]:
    """Return the settings whose rows are subtracted by the gaps of a setting's board."""
    return sorted({gap.against for gap in benchmark.setting_gaps if gap.setting == setting})


def touch_boards_with_gaps(transaction: Transaction, benchmark: Benchmark, key: BoardKey, now: datetime) -> None:
    """Request new revisions of the boards whose gaps subtract this board's rows."""
    settings = {gap.setting for gap in benchmark.setting_gaps if gap.against == key.setting}
    for setting in sorted(settings):
        other = replace(key, setting=setting)
        if boards.find_board(transaction, other) is not None:
            boards.touch_board(transaction, other, now)


def _subtract(
    transaction: Transaction,
    benchmark: Benchmark,
    key: BoardKey,
    declared: SettingGap,
    candidates: Sequence[CandidateRecord],
) -> list[Gap]:
    settings = (declared.setting, declared.against)
    rows = charting.list_settings_of(transaction, benchmark.id, benchmark.version, settings, None, _MAX_ROWS)
    other = replace(key, setting=declared.against)
    others = boards.list_candidates(transaction, other, [declared.figure], benchmark.min_public_items)
    mine = [one.standing for one in candidates]
    values = _find_values([*mine, *(one.standing for one in others)], declared.figure)
    newest = {_name_kind(row): row for row in rows if row.setting == declared.against and row.submission_id in values}
    kinds = {row.submission_id: _name_kind(row) for row in rows if row.setting == declared.setting}
    printed = {one.submission_id for one in mine if one.key == declared.key}
    slice_name, metric = declared.key.split("|", 1)
    gaps = []
    for candidate, one in zip(candidates, mine, strict=True):
        partner = newest.get(kinds.get(one.submission_id, ("", 0, "")))
        is_subtracted = one.key == declared.figure
        if is_subtracted and one.value is not None and partner is not None and one.submission_id not in printed:
            value = round(one.value - values[partner.submission_id], _DECIMALS)
            gap = StandingRecord(one.submission_id, one.evaluation_id, slice_name, metric, value)
            gaps.append(Gap(replace(candidate, standing=gap), declared.figure, partner.evaluation_id))
    return gaps


def _find_values(standings: Iterable[StandingRecord], key: str) -> dict[str, float]:
    return {one.submission_id: one.value for one in standings if one.value is not None and one.key == key}


def _name_kind(row: SettingRow) -> tuple[str, int, str]:
    """Return what comparable rows of two settings share: whether they are reported, the model, and the rules."""
    rules = parse_signature(row.signature).ranking_of_any_setting if row.signature else ""
    return ("here" if row.signature else "printed", row.model_id, rules)
