"""Changes by a re-evaluation: scores, ranks and signatures before and after. They reveal nothing about single items."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from db.admin_records import ReevaluationRowRecord
from db.records import CandidateRecord, EvaluationRecord, ScoreRecord, StandingRecord, SubmissionRecord
from db.repositories.boards import JudgedRow
from evaluation.benchmarks import Benchmark
from evaluation.benchmarks.error_shares import is_error_share
from evaluation.benchmarks.practice_comparison import is_practice_gap
from evaluation.signature import list_signature_changes
from submissions.ranking.best_rows import find_lead
from submissions.ranking.standings import JUDGED, place_all

# Equal scores may differ in their last digits if they were summed in different orders.
_DECIMALS = 12


class ScoreChanges(NamedTuple):
    """Old and new scores of a submission.

    Attributes:
        shown: `<slice>|<metric>` → old and new value of the board's default columns.
        n_figures: Number of compared scores.
        n_changed: Number of scores that differ.
    """

    shown: dict[str, tuple[float | None, float | None]]
    n_figures: int
    n_changed: int


class RankChange(NamedTuple):
    """Old and new rank of a submission.

    Attributes:
        figure: `<slice>|<metric>` of the rank: the leading score (see `find_lead`), the same for both.
        old: Old rank; None without one.
        new: New rank; None without one.
    """

    figure: str
    old: int | None
    new: int | None

    def describe(self) -> dict[str, int | None]:
        """Return both ranks in the stored form."""
        return {"old": self.old, "new": self.new}


@dataclass(frozen=True, slots=True)
class Change:
    """A submission of a re-evaluation with everything that is reported about it."""

    submission: SubmissionRecord
    old: EvaluationRecord
    row: ReevaluationRowRecord


def compare_score_records(benchmark: Benchmark, old: Iterable[ScoreRecord], new: Iterable[ScoreRecord]) -> ScoreChanges:
    """Compare the scores of two evaluations, without those over so few items that they reveal answers."""
    least = benchmark.min_public_items
    befores, afters = _values(old, least), _values(new, least)
    pairs = {name: (befores.get(name), afters.get(name)) for name in sorted(befores.keys() | afters.keys())}
    shown = list_shown(benchmark)
    return ScoreChanges(
        shown={name: pair for name, pair in pairs.items() if name in shown},
        n_figures=len(pairs),
        n_changed=sum(_round(before) != _round(after) for before, after in pairs.values()),
    )


def list_shown(benchmark: Benchmark) -> frozenset[str]:
    """Return `<slice>|<metric>` of the board's default columns."""
    return frozenset({column.key for column in benchmark.columns if column.shown} | {benchmark.headline.key})


def _values(scores: Iterable[ScoreRecord], least: int) -> dict[str, float | None]:
    computed = (one for one in scores if not is_error_share(one.metric) and not is_practice_gap(one.metric))
    return {one.key: one.value for one in computed if one.covers(least)}


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, _DECIMALS)


def find_places(
    benchmark: Benchmark,
    candidates: Sequence[CandidateRecord],
    changes: Sequence[Change],
    rankings: tuple[str, ...],
    judged: Sequence[JudgedRow] = (),
) -> dict[str, RankChange]:
    """Return submission → rank by its leading score, before and after.

    Before: as the board was ranked under the signature of most affected rows. After: with their new scores, under
    today's signature. Neither mixes two signatures, except that rows of the shared test split and of editions rank
    together.

    Args:
        benchmark: Benchmark of the board.
        candidates: Current default scores of the public rows.
        changes: Affected submissions of this board.
        rankings: What today's signatures share (see `find_rankings`).
        judged: Public judged rows, the one scored last at the end.
    """
    replaced = {change.submission.id: change for change in changes if change.row.state == "scored"}
    shown = [change for change in replaced.values() if _is_public(change.submission)]
    after = [candidate for candidate in candidates if candidate.standing.submission_id not in replaced]
    after += [candidate for change in shown for candidate in _to_candidates(change)]
    gone = {change.old.id for change in replaced.values()}
    # Re-scored rows were scored last, so their judge is the current one.
    judged_after = [row for row in judged if row.evaluation_id not in gone]
    judged_after += [row for change in shown if (row := _to_judged(change)) is not None]
    old_places = _rank(benchmark, candidates, _find_old_rankings(changes, rankings), judged)
    new_places = _rank(benchmark, after, rankings, judged_after)
    return {
        name: RankChange(key, old_places.get((name, key)), new_places.get((name, key)))
        for name, key in _find_leads(benchmark, candidates, changes).items()
    }


def _find_old_rankings(changes: Sequence[Change], rankings: tuple[str, ...]) -> tuple[str, ...]:
    """Return the rankings of most affected public rows: of the shared test split, and of editions."""
    found = []
    for ranking, is_edition in zip(rankings, (False, True), strict=False):
        old = (
            change.old.ranking
            for change in changes
            if change.submission.visibility == "public" and (change.submission.edition is not None) == is_edition
        )
        by_number = Counter(old)
        found.append(by_number.most_common(1)[0][0] if by_number else ranking)
    return tuple(found)


def _find_leads(
    benchmark: Benchmark, candidates: Iterable[CandidateRecord], changes: Iterable[Change]
) -> dict[str, str]:
    """Return submission → leading score: by its old scores, or by the new ones if it had none."""
    known: dict[str, set[str]] = {}
    for one in (candidate.standing for candidate in candidates):
        if one.value is not None:
            known.setdefault(one.submission_id, set()).add(one.key)
    for change in changes:
        pairs = (change.row.figures or {}).items()
        old, new = ({name for name, pair in pairs if pair[side] is not None} for side in (0, 1))
        known[change.submission.id] = old or new or known.get(change.submission.id, set())
    return {name: find_lead(benchmark, keys).key for name, keys in known.items()}


def _is_public(submission: SubmissionRecord) -> bool:
    return submission.visibility == "public" and submission.has_scores


def _to_candidates(change: Change) -> list[CandidateRecord]:
    submission, evaluation_id = change.submission, _evaluation_of(change)
    standings = (
        StandingRecord(submission.id, evaluation_id, slice_name, metric, new)
        for name, (_, new) in (change.row.figures or {}).items()
        for slice_name, metric in (name.split("|", 1),)
    )
    return [
        CandidateRecord(standing, submission.source, change.row.ranking, submission.is_reference)
        for standing in standings
    ]


def _to_judged(change: Change) -> JudgedRow | None:
    signature = change.row.signature or ""
    is_judged = JUDGED in signature and not change.submission.is_reference
    return JudgedRow(_evaluation_of(change), signature) if is_judged else None


def _evaluation_of(change: Change) -> int:
    """Return the id of the new evaluation; in a dry run, which creates none, that of the old one."""
    return change.row.new_evaluation_id or change.old.id


def _rank(
    benchmark: Benchmark, candidates: Sequence[CandidateRecord], rankings: tuple[str, ...], judged: Sequence[JudgedRow]
) -> dict[tuple[str, str], int | None]:
    """Return (submission, score) → rank."""
    standings = place_all(benchmark, candidates, rankings, judged)
    return {(one.submission_id, one.key): one.rank for one in standings}


def describe_changes(
    benchmark: Benchmark, changes: Sequence[Change], places: Mapping[str, RankChange], names: Mapping[str, str]
) -> dict[str, Any]:
    """Return the result of a re-evaluation in the stored form.

    Args:
        benchmark: The benchmark.
        changes: All submissions that were re-scored, or could not be.
        places: Ranks before and after, of these and of other public rows.
        names: Model names of other public rows.
    """
    affected = {change.submission.id for change in changes}
    moved = {name: place for name, place in places.items() if name not in affected and place.old != place.new}
    return {
        "headline": benchmark.headline.key,
        "n_scored": sum(change.row.state == "scored" for change in changes),
        "n_failed": sum(change.row.state == "failed" for change in changes),
        "judge_calls": {
            "submissions": sum(change.row.state == "unasked" for change in changes),
            "usual": sum(change.row.judge_calls for change in changes),
            "most": sum(change.row.most_judge_calls for change in changes),
        },
        "signature_changes": _describe_signatures(changes),
        "rows": [_describe_change(benchmark, change, places) for change in changes],
        "others": [
            {"submission": name, "model": names.get(name), "figure": place.figure, "rank": place.describe()}
            for name, place in sorted(moved.items())
        ],
    }


def _describe_signatures(changes: Iterable[Change]) -> dict[str, list[list[str]]]:
    """Return field → the pairs of old and new values that occur."""
    found: dict[str, list[list[str]]] = {}
    for change in changes:
        if change.old.signature is None or change.row.signature is None:
            continue
        for name, pair in list_signature_changes(change.old.signature, change.row.signature).items():
            pairs = found.setdefault(name, [])
            if list(pair) not in pairs:
                pairs.append(list(pair))
    return found


def _describe_change(benchmark: Benchmark, change: Change, places: Mapping[str, RankChange]) -> dict[str, Any]:
    submission, row = change.submission, change.row
    place = places[submission.id]
    scores = {name: {"old": old, "new": new} for name, (old, new) in (row.figures or {}).items()}
    return {
        "submission": submission.id,
        "model": submission.model.name,
        "setting": submission.setting,
        "source": submission.source,
        "visibility": submission.visibility,
        "state": row.state,
        "open_pending": submission.is_open_pending,
        "reason": row.reason,
        "headline": scores.get(benchmark.headline.key, {"old": None, "new": None}),
        "figure": place.figure,
        "figures": scores,
        "n_figures": row.n_figures,
        "n_changed": row.n_changed,
        "rank": place.describe(),
        "old_signature": change.old.signature,
        "new_signature": row.signature,
    }
