"""What a re-evaluation changes: figures, places, signatures, before and after. It tells nothing about single items."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from db.admin_records import ReevaluationRowRecord
from db.records import CandidateRecord, EvaluationRecord, ScoreRecord, SubmissionRecord
from evaluation.benchmarks import Benchmark
from evaluation.signature import list_signature_changes
from submissions.standings import rank_candidates

# Figures that are equal may differ in their last digits where they were summed in another order.
_DECIMALS = 12
ERRORS = "errors"
"""Slices of error types begin with it: they are made after a scoring, and are no part of it."""


class FigureChanges(NamedTuple):
    """The figures of one submission, old beside new.

    Attributes:
        shown: `<slice>|<metric>` → old and new value, of those figures that a board shows before anyone chose columns.
        n_figures: Number of figures that were compared.
        n_changed: How many differ.
    """

    shown: dict[str, tuple[float | None, float | None]]
    n_figures: int
    n_changed: int


class Places(NamedTuple):
    """A submission's place by the headline figure, before and after; None where it has none."""

    old: int | None
    new: int | None


@dataclass(frozen=True, slots=True)
class Change:
    """One submission of a re-evaluation with all that is told of it."""

    submission: SubmissionRecord
    old: EvaluationRecord
    row: ReevaluationRowRecord


def compare_figures(benchmark: Benchmark, old: Iterable[ScoreRecord], new: Iterable[ScoreRecord]) -> FigureChanges:
    """Compare the figures of two scorings; those over so few items that they tell about answers are left out."""
    least = benchmark.least_public_items
    befores, afters = _values(old, least), _values(new, least)
    pairs = {name: (befores.get(name), afters.get(name)) for name in sorted(befores.keys() | afters.keys())}
    shown = {column.key for column in benchmark.columns if column.shown} | {benchmark.headline.key}
    return FigureChanges(
        shown={name: pair for name, pair in pairs.items() if name in shown},
        n_figures=len(pairs),
        n_changed=sum(_round(before) != _round(after) for before, after in pairs.values()),
    )


def _values(scores: Iterable[ScoreRecord], least: int) -> dict[str, float | None]:
    of_answers = (s for s in scores if not s.slice.startswith(f"{ERRORS}/"))
    return {f"{s.slice}|{s.metric}": s.value for s in of_answers if s.n is None or s.n >= least}


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, _DECIMALS)


def find_places(
    benchmark: Benchmark, candidates: Sequence[CandidateRecord], changes: Sequence[Change], new_ranking: str
) -> dict[str, Places]:
    """Return submission → its place by the headline figure, as it was and as it will be.

    Before: as the board was ranked under the signature that most of the affected rows carry. After: with their new
    figures, under today's. Neither mixes two signatures.

    Args:
        benchmark: Whose board.
        candidates: Headline figures of the public rows as they stand.
        changes: The affected submissions of this board.
        new_ranking: What today's signatures have in common.
    """
    by_number = Counter(change.old.ranking for change in changes if change.submission.visibility == "public")
    old_ranking = by_number.most_common(1)[0][0] if by_number else new_ranking
    replaced = {change.submission.id: change for change in changes if change.row.state == "scored"}
    after = [candidate for candidate in candidates if candidate.submission_id not in replaced]
    after += [_to_candidate(benchmark, change) for change in replaced.values() if _is_public(change.submission)]
    old_places, new_places = _rank(benchmark, candidates, old_ranking), _rank(benchmark, after, new_ranking)
    names = old_places.keys() | new_places.keys()
    return {name: Places(old_places.get(name), new_places.get(name)) for name in names}


def _is_public(submission: SubmissionRecord) -> bool:
    return submission.visibility == "public" and submission.state == "scored"


def _to_candidate(benchmark: Benchmark, change: Change) -> CandidateRecord:
    headline = benchmark.headline
    _, value = (change.row.figures or {}).get(headline.key, (None, None))
    return CandidateRecord(
        submission_id=change.submission.id,
        evaluation_id=change.row.new_evaluation_id or change.old.id,
        source=change.submission.source,
        ranking=change.row.ranking,
        slice=headline.slice,
        metric=headline.metric,
        value=value,
        std=None,
    )


def _rank(benchmark: Benchmark, candidates: Sequence[CandidateRecord], ranking: str) -> dict[str, int | None]:
    lower_is_better = frozenset(metric.id for metric in benchmark.metrics if not metric.higher_is_better)
    unranked = frozenset(metric.id for metric in benchmark.metrics if not metric.ranked)
    standings = rank_candidates(candidates, ranking=ranking, lower_is_better=lower_is_better, unranked=unranked)
    return {standing.submission_id: standing.rank for standing in standings}


def describe_changes(
    benchmark: Benchmark, changes: Sequence[Change], places: Mapping[str, Places], names: Mapping[str, str]
) -> dict[str, Any]:
    """Return the result of a re-evaluation in the form in which it is stored and told.

    Args:
        benchmark: Which.
        changes: Every submission that was scored anew, or could not be.
        places: Places before and after, of these and of the other public rows.
        names: Model names of the other public rows.
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
            {"submission": name, "model": names.get(name), "rank": place._asdict()}
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


def _describe_change(benchmark: Benchmark, change: Change, places: Mapping[str, Places]) -> dict[str, Any]:
    submission, row = change.submission, change.row
    figures = {name: {"old": old, "new": new} for name, (old, new) in (row.figures or {}).items()}
    return {
        "submission": submission.id,
        "model": submission.model.name,
        "setting": submission.setting,
        "source": submission.source,
        "visibility": submission.visibility,
        "state": row.state,
        "reason": row.reason,
        "headline": figures.get(benchmark.headline.key, {"old": None, "new": None}),
        "figures": figures,
        "n_figures": row.n_figures,
        "n_changed": row.n_changed,
        "rank": places.get(submission.id, Places(None, None))._asdict(),
        "old_signature": change.old.signature,
        "new_signature": row.signature,
    }
