"""Gaps between two settings of a model, such as the few-shot gap; computed with a board's revision."""

from collections.abc import Iterable, Mapping, Sequence
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
    transaction: Transaction,
    benchmark: Benchmark,
    key: BoardKey,
    candidates: Sequence[CandidateRecord],
    rankings: tuple[str, ...],
) -> list[Gap]:
    """Return the gaps of a board's rows whose model has a public row under the other setting.

    The other row is the newest comparable row of the same model: both scored here by the same rules, or both
    reported. A row that answered the same edition comes before newer ones. A reported gap is used as reported. Gaps
    have no rank; `gap_intervals` adds intervals.

    Args:
        transaction: Transaction to read in.
        benchmark: Benchmark version of the board.
        key: The board.
        candidates: Its scores.
        rankings: What the signatures of its ranked rows share.
    """
    return [
        gap
        for declared in benchmark.setting_gaps
        if declared.setting == key.setting
        for gap in _subtract(transaction, benchmark, key, declared, candidates, rankings)
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
    rankings: tuple[str, ...],
) -> list[Gap]:
    settings = (declared.setting, declared.against)
    rows = charting.list_settings_of(transaction, benchmark.id, benchmark.version, settings, None, _MAX_ROWS)
    other = replace(key, setting=declared.against)
    others = boards.list_candidates(transaction, other, [declared.figure], benchmark.min_public_items)
    mine = [one.standing for one in candidates]
    values = _find_values([*mine, *(one.standing for one in others)], declared.figure)
    kinds = {row.submission_id: _name_kind(row, key, rankings) for row in rows}
    ours = [row for row in rows if row.setting == declared.setting]
    subtracted = [row for row in rows if row.setting == declared.against and row.submission_id in values]
    partners = _find_partners(ours, subtracted, kinds)
    printed = {one.submission_id for one in mine if one.key == declared.key}
    slice_name, metric = declared.key.split("|", 1)
    gaps = []
    for candidate, one in zip(candidates, mine, strict=True):
        partner = partners.get(one.submission_id)
        is_subtracted = one.key == declared.figure
        if is_subtracted and one.value is not None and partner is not None and one.submission_id not in printed:
            value = round(one.value - values[partner.submission_id], _DECIMALS)
            gap = StandingRecord(one.submission_id, one.evaluation_id, slice_name, metric, value)
            gaps.append(Gap(replace(candidate, standing=gap), declared.figure, partner.evaluation_id))
    return gaps


def _find_values(standings: Iterable[StandingRecord], key: str) -> dict[str, float]:
    return {one.submission_id: one.value for one in standings if one.value is not None and one.key == key}


def _find_partners(
    ours: Iterable[SettingRow], subtracted: Iterable[SettingRow], kinds: Mapping[str, tuple[str, int, str]]
) -> dict[str, SettingRow]:
    """Return submission → the newest comparable row under the other setting, preferably one of the same edition."""
    by_kind: dict[tuple[str, int, str], list[SettingRow]] = {}
    for row in subtracted:
        by_kind.setdefault(kinds[row.submission_id], []).append(row)
    partners = {}
    for row in ours:
        comparable = by_kind.get(kinds[row.submission_id], [])
        same = [other for other in comparable if _find_edition(other) == _find_edition(row)]
        if comparable:
            partners[row.submission_id] = (same or comparable)[-1]
    return partners


def _find_edition(row: SettingRow) -> str:
    return parse_signature(row.signature).edition if row.signature else ""


def _name_kind(row: SettingRow, key: BoardKey, rankings: tuple[str, ...]) -> tuple[str, int, str]:
    """Return what comparable rows of two settings share: whether they are reported, the model, and the rules.

    Rows by today's rules are comparable whatever their edition.
    """
    if not row.signature:
        return "printed", row.model_id, ""
    signature = parse_signature(row.signature)
    is_current = replace(signature, setting=key.setting).ranking in rankings
    return "here", row.model_id, "" if is_current else signature.ranking_of_any_setting
