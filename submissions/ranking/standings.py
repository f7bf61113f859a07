"""Standings: ranks from scores."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from db.records import BoardRecord, CandidateRecord, SealedOutcomes, StandingRecord
from db.repositories import boards
from db.repositories import editions as edition_rows
from db.repositories.boards import BoardKey, JudgedRow
from db.session import Database, Transaction
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark
from evaluation.signature import CODE_VERSION, parse_signature, replace_setting
from submissions.ranking.board_outcomes import read_board_outcomes
from submissions.ranking.detectable_difference import DetectableDifference
from submissions.ranking.gap_intervals import add_gap_intervals
from submissions.ranking.rank_ranges import INTERVALS_VERSION, Uncertainty
from submissions.ranking.row_sources import RANKED_SOURCES
from submissions.ranking.setting_gaps import Gap, list_gap_settings, list_gaps, touch_boards_with_gaps
from submissions.scoring.score_disclosure import disclose_detectable, disclose_standings

# Equal scores may differ in their last digits if they were summed in different orders.
_DECIMALS = 12
PLACES_VERSION = 2
"""Increases when the same scores get other ranks; boards are then recomputed. 2: reported judged scores are ranked."""
JUDGED = "|judge:"
"""Mark in the signatures of judged rows."""


class Apart(NamedTuple):
    """Scores that are not comparable with those of the current judge.

    Attributes:
        metrics: Metrics based on a judge.
        evaluations: Evaluations by another judge of ours, which the current judge can re-score.
    """

    metrics: frozenset[str]
    evaluations: frozenset[int]


NOBODY_APART = Apart(frozenset(), frozenset())


def rank_candidates(
    candidates: Iterable[CandidateRecord],
    *,
    rankings: tuple[str, ...],
    lower_is_better: frozenset[str] = frozenset(),
    unranked: frozenset[str] = frozenset(),
    apart: Apart = NOBODY_APART,
) -> list[StandingRecord]:
    """Rank every score: 1 + the number of better ones; equal scores share a rank.

    Human and random rows and reference systems are pinned, not ranked. A row whose signature fits none of `rankings`
    (an older key, parser or metric) keeps its scores without a rank; so do the judged scores of rows in `apart`.
    Reported scores have no signature and are ranked by value alone, including judged ones: the board says that the
    paper's judge gave them.

    Args:
        candidates: The scores.
        rankings: What the signatures of ranked rows share (see `find_rankings`).
        lower_is_better: Metrics of which lower is better.
        unranked: Metrics without a better direction.
        apart: Rows whose judged scores have no rank.
    """
    groups: dict[tuple[str, str], list[CandidateRecord]] = {}
    for candidate in candidates:
        groups.setdefault((candidate.standing.slice, candidate.standing.metric), []).append(candidate)
    standings = []
    for (_, metric), group in sorted(groups.items()):
        sign = -1 if metric in lower_is_better else 1
        others_judge = apart.evaluations if metric in apart.metrics else frozenset()
        ranked = [one.standing for one in group if _is_ranked(one, rankings)] if metric not in unranked else []
        ranked = [one for one in ranked if one.evaluation_id not in others_judge]
        goodness = {one.submission_id: sign * round(one.value, _DECIMALS) for one in ranked if one.value is not None}
        others = sorted(goodness.values())
        standings += [_place(one.standing, goodness.get(one.standing.submission_id), others) for one in group]
    return standings


def _is_ranked(candidate: CandidateRecord, rankings: tuple[str, ...]) -> bool:
    same_version = candidate.source == "reported" or candidate.ranking in rankings
    return candidate.source in RANKED_SOURCES and same_version and not candidate.is_reference


def _place(standing: StandingRecord, goodness: float | None, others: Sequence[float]) -> StandingRecord:
    return standing if goodness is None else standing._replace(rank=1 + len(others) - bisect_right(others, goodness))


def touch_if_outdated(
    database: Database, benchmark: Benchmark, setting: str, rankings: tuple[str, ...], now: datetime
) -> bool:
    """Request a new revision of a board that was computed under another rule; False if it was not.

    Otherwise the ranks of an older key, parser, metric or release would remain until the next submission.
    """
    key = BoardKey(benchmark.id, benchmark.version, setting)
    with database.write() as transaction:
        return boards.touch_outdated_board(transaction, key, _rule(rankings), now)


def _rule(rankings: tuple[str, ...]) -> str:
    """Return the rule of standings: a release may have other columns, or rank them differently."""
    return f"{'&'.join(rankings)}|code:{CODE_VERSION}|intervals:{INTERVALS_VERSION}|places:{PLACES_VERSION}"


def read_rankings(board: BoardRecord | None) -> frozenset[str]:
    """Return what the signatures of rows share that a board ranks together, in any setting; empty without a board.

    The web process cannot compute it without the answer key, so it reads it from the rule of the board's revision.
    """
    names, *_ = (board.rule if board is not None else "").partition("|code:")
    return frozenset(replace_setting(name, "any") for name in names.split("&") if name)


def refresh_board(
    database: Database,
    benchmark: Benchmark,
    setting: str,
    rankings: tuple[str, ...],
    now: datetime,
    answer_key: AnswerKey | None = None,
) -> bool:
    """Compute a board's next revision; False if there was nothing to do or another process did it.

    Resampling takes seconds on a large board, so nothing is locked meanwhile; a change meanwhile triggers another
    revision.

    Args:
        database: The database.
        benchmark: Benchmark version of the board.
        setting: Setting of the board.
        rankings: What today's signatures share (see `find_rankings`).
        now: Current time.
        answer_key: Opens the outcomes; without it there are no intervals.
    """
    key = BoardKey(benchmark.id, benchmark.version, setting)
    with database.read() as transaction:
        board = boards.find_board(transaction, key)
        if board is None or board.changes == board.revision:
            return False
        candidates = _list_public(transaction, benchmark, key)
        gaps = list_gaps(transaction, benchmark, key, candidates, rankings)
        candidates += [gap.candidate for gap in gaps]
        judged = list_judged(transaction, benchmark, key)
        sealed = _read_sealed(transaction, benchmark, key, gaps) if answer_key is not None else None
    standings = place_all(benchmark, candidates, rankings, judged)
    detectable = None
    if answer_key is not None and sealed is not None:
        today = {candidate.standing.evaluation_id for candidate in candidates if candidate.ranking in rankings}
        current = {one: sealed.outcomes[one] for one in today & sealed.outcomes.keys()}
        editions = read_board_outcomes(benchmark, answer_key, current, sealed.editions, sealed.seeds)
        difference = DetectableDifference(benchmark, answer_key, setting, editions)
        if editions:
            against = read_board_outcomes(benchmark, answer_key, sealed.against, sealed.editions, sealed.seeds)
            sure = Uncertainty(benchmark, editions, board=setting, revision=board.changes, names=sealed.names)
            standings = sure.add_to(standings, difference.add_edition)
            standings = add_gap_intervals(benchmark, standings, gaps, editions, against, sure.reserve)
            standings = disclose_standings(benchmark, standings)
        detectable = disclose_detectable(benchmark, difference.find_value())
    with database.write() as transaction:
        is_new = boards.replace_standings(
            transaction, key, standings, seen=board.changes, rule=_rule(rankings), now=now, detectable=detectable
        )
        if is_new:
            touch_boards_with_gaps(transaction, benchmark, key, now)
        return is_new


class _SealedBoard(NamedTuple):
    """What only an answer key can use of a board.

    Attributes:
        outcomes: Evaluation → sealed outcomes of the board's rows.
        against: Evaluation → sealed outcomes of the rows that gaps subtract.
        editions: Evaluation → edition, of all rows that answered one.
        names: Evaluation → submitted model name of the board's rows.
    """

    outcomes: dict[int, SealedOutcomes]
    against: dict[int, SealedOutcomes]
    editions: dict[int, str]
    seeds: dict[str, str]
    names: dict[int, str]


def _read_sealed(transaction: Transaction, benchmark: Benchmark, key: BoardKey, gaps: Sequence[Gap]) -> _SealedBoard:
    editions = boards.list_editions(transaction, key)
    against: dict[int, SealedOutcomes] = {}
    wanted = {gap.against_evaluation_id for gap in gaps}
    for setting in list_gap_settings(benchmark, key.setting) if wanted else ():
        other = replace(key, setting=setting)
        sealed = boards.list_outcomes(transaction, other)
        against |= {one: sealed[one] for one in wanted & sealed.keys()}
        editions |= boards.list_editions(transaction, other)
    names = boards.list_model_names(transaction, key)
    seeds = edition_rows.find_seeds(transaction, set(editions.values()))
    return _SealedBoard(boards.list_outcomes(transaction, key), against, editions, seeds, names)


def _list_public(transaction: Transaction, benchmark: Benchmark, key: BoardKey) -> list[CandidateRecord]:
    """Return the scores that a board may show: scores over few items reveal single answers."""
    score_keys = [column.key for column in benchmark.columns]
    return boards.list_candidates(transaction, key, score_keys, benchmark.min_public_items)


def list_judged(transaction: Transaction, benchmark: Benchmark, key: BoardKey) -> list[JudgedRow]:
    """Return the public judged rows of a board, the one scored last at the end."""
    has_judged = any(metric.judged for metric in benchmark.metrics)
    return boards.list_judged(transaction, key, JUDGED) if has_judged else []


def place_all(
    benchmark: Benchmark, candidates: Sequence[CandidateRecord], rankings: tuple[str, ...], judged: Sequence[JudgedRow]
) -> list[StandingRecord]:
    """Rank the scores of a benchmark; see `rank_candidates`.

    Args:
        benchmark: Defines which direction is better.
        candidates: The scores.
        rankings: What the signatures of ranked rows share.
        judged: Judged rows, the one scored last at the end.
    """
    return rank_candidates(
        candidates,
        rankings=rankings,
        lower_is_better=frozenset(metric.id for metric in benchmark.metrics if not metric.higher_is_better),
        unranked=frozenset(metric.id for metric in benchmark.metrics if not metric.ranked),
        apart=_find_apart(benchmark, judged),
    )


def _find_apart(benchmark: Benchmark, judged: Sequence[JudgedRow]) -> Apart:
    """Return which judged scores have no rank: those by another judge of ours than that of the row scored last.

    Reported scores are unaffected: nobody can re-score them, so they are ranked by value. A row that no judge signed
    had no open answers, and its scores are the same under every judge.
    """
    if not judged:
        return NOBODY_APART
    metrics = frozenset(metric.id for metric in benchmark.metrics if metric.judged)
    judges = {row.evaluation_id: parse_signature(row.signature).judging for row in judged}
    in_charge = judges[judged[-1].evaluation_id]
    return Apart(metrics, frozenset(one for one, judge in judges.items() if judge != in_charge))
