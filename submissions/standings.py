"""From scores to places on a board."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from datetime import datetime

from db.records import CandidateRecord, StandingRecord
from db.repositories import boards
from db.repositories.boards import BoardKey
from db.session import Database
from evaluation.benchmarks import Benchmark

RANKED_SOURCES = frozenset({"verified", "submitted", "reported"})


def rank_candidates(
    candidates: Iterable[CandidateRecord], *, lower_is_better: frozenset[str], ranking: str
) -> list[StandingRecord]:
    """Give every figure its place: 1 + the number of better ones; equal figures share a place.

    Human and random rows are pinned, not ranked. A row whose signature differs from `ranking` (an older key, reader or
    metric) keeps its figures and has no place. Reported figures have no signature and are placed by value alone.
    """
    groups: dict[tuple[str, str], list[CandidateRecord]] = {}
    for candidate in candidates:
        groups.setdefault((candidate.slice, candidate.metric), []).append(candidate)
    standings = []
    for (_, metric), group in sorted(groups.items()):
        sign = -1.0 if metric in lower_is_better else 1.0
        values = sorted(sign * c.value for c in group if c.value is not None and _is_ranked(c, ranking))
        standings += [_place(candidate, values, sign, ranking) for candidate in group]
    return standings


def _is_ranked(candidate: CandidateRecord, ranking: str) -> bool:
    same_version = candidate.source == "reported" or candidate.ranking == ranking
    return candidate.source in RANKED_SOURCES and same_version


def _place(candidate: CandidateRecord, values: Sequence[float], sign: float, ranking: str) -> StandingRecord:
    rank = None
    if candidate.value is not None and _is_ranked(candidate, ranking):
        rank = 1 + len(values) - bisect_right(values, sign * candidate.value)
    return StandingRecord(
        submission_id=candidate.submission_id,
        evaluation_id=candidate.evaluation_id,
        slice=candidate.slice,
        metric=candidate.metric,
        value=candidate.value,
        std=candidate.std,
        rank=rank,
    )


def refresh_board(database: Database, benchmark: Benchmark, setting: str, ranking: str, now: datetime) -> bool:
    """Make a board's next revision; False when there was nothing to do or somebody else did it.

    Args:
        database: Where.
        benchmark: Which board.
        setting: Which setting of it.
        ranking: What today's signatures have in common (see `Signature.ranking`).
        now: The time.
    """
    key = BoardKey(benchmark.id, benchmark.version, setting)
    figures = [column.key for column in benchmark.columns]
    lower_is_better = frozenset(metric.id for metric in benchmark.metrics if not metric.higher_is_better)
    with database.write() as transaction:
        board = boards.find_board(transaction, key)
        if board is None or board.changes == board.revision:
            return False
        candidates = boards.list_candidates(transaction, key, figures)
        standings = rank_candidates(candidates, lower_is_better=lower_is_better, ranking=ranking)
        return boards.replace_standings(transaction, key, standings, board.changes, now)
