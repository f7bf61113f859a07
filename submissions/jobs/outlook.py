"""Outlook of an unfinished submission: expected time, whether it is stalled, and what it waits for.

The estimate is `(rest of running evaluations + everything ahead in the queue) / active evaluators + its own`. Each
evaluation is assumed to take as long as recent ones of the same benchmark with files of that size. If one of them was
never measured, or nothing progresses, there is no estimate, and a sentence says why. See docs/operations.md (The
queue).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from db.records import MeasuredScoring, RunningScoring, SubmissionRecord
from db.repositories import endpoints, judging, queue_order, workers
from db.repositories.queue_order import Waiting
from db.session import Transaction
from submissions.lifecycle import ENDS

STALLED_AFTER = timedelta(minutes=15)
# States outside the queue wait for someone.
_WAITS_FOR = {
    "received": "Receiving the file.",
    "awaiting-approval": "Waiting for a maintainer's approval.",
    "awaiting-close": "Waiting until its edition is closed. Then all files of the edition are scored together.",
}
_NO_JUDGE = (
    "Waiting for a judge of the open answers, but this server has none. To get a score now, withdraw the submission "
    "and submit a file without the open part."
)
_OTHERS_SCORED = "The other parts are scored; the open answers are still waiting."
_NO_JUDGE_FOR_OPEN = (
    "This server has no judge of open answers at the moment. Their scores are added when one is available."
)
_STOPPED_JUDGE = (
    "Judging of open answers is paused until a maintainer has checked the judge. The submission continues "
    "automatically."
)
_UNMEASURED = "No estimate: a benchmark in this queue has no recent timing."

_Version = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Outlook:
    """Outlook of a submission.

    Attributes:
        eta_seconds: Estimated time until it is scored; None if unknown.
        is_stalled: Whether expected progress is missing.
        text: The outlook as a sentence; empty for finished submissions.
    """

    eta_seconds: float | None = None
    is_stalled: bool = False
    text: str = ""


NOTHING_AHEAD = Outlook()


class Pace(NamedTuple):
    """Duration of a benchmark's evaluations: seconds per evaluation, and per byte."""

    fixed_seconds: float
    seconds_per_byte: float

    def estimate(self, n_files: int, n_bytes: int) -> float:
        """Return how long a number of files takes, one after the other."""
        return n_files * self.fixed_seconds + n_bytes * self.seconds_per_byte


class QueueFacts(NamedTuple):
    """Data of an estimate.

    Attributes:
        running: All running evaluations.
        ahead: Submissions ahead in the queue.
        paces: Benchmark and version → pace, if measured.
        n_workers: Number of active evaluators.
        seen_at: When an evaluator was last seen.
        moved_at: When an evaluation last started or ended.
    """

    running: Sequence[RunningScoring]
    ahead: Sequence[Waiting]
    paces: Mapping[_Version, Pace]
    n_workers: int
    seen_at: datetime | None
    moved_at: datetime | None


def look_ahead(transaction: Transaction, submission: SubmissionRecord, now: datetime) -> Outlook:
    """Return the outlook of a submission; if only its open answers are unscored, the text begins with that."""
    found = _look_ahead(transaction, submission, now)
    if not submission.is_open_pending:
        return found
    return replace(found, text=f"{_OTHERS_SCORED} {found.text}".rstrip())


def _look_ahead(transaction: Transaction, submission: SubmissionRecord, now: datetime) -> Outlook:
    if submission.state == "awaiting-judge":
        judge = workers.find_judge(transaction, now)
        if _is_stopped(submission) or (submission.lane == "judge" and judging.list_stopped(transaction)):
            return Outlook(is_stalled=True, text=_STOPPED_JUDGE)
        n_ahead = queue_order.count_ahead(transaction, submission.id, now)
        return Outlook(text=describe_waiting_for_judge(submission, n_ahead, now, has_judge=judge is not None))
    if submission.state not in ("queued", "running"):
        return describe_outlook(submission, None, now)
    running = workers.list_running_scorings(transaction, submission.lane)
    ahead = queue_order.list_ahead(transaction, submission.id, now)
    versions = _versions_of(submission, running, ahead)
    paces = {version: find_pace(workers.list_measured(transaction, *version, submission.lane)) for version in versions}
    known = workers.list_workers(transaction, now)
    facts = QueueFacts(
        running,
        ahead,
        {version: pace for version, pace in paces.items() if pace is not None},
        sum(one.is_active(now) for one in known),
        known[0].seen_at if known else None,
        workers.find_last_movement(transaction),
    )
    found = describe_outlook(submission, facts, now)
    if submission.lane != "endpoints" or submission.state != "running" or found.is_stalled:
        return found
    endpoint = endpoints.find_endpoint(transaction, submission.id)
    return describe_querying(endpoint.progress if endpoint is not None else None)


def describe_querying(progress: Mapping[str, Any] | None) -> Outlook:
    """Return the outlook of a submission whose endpoint is being queried, from the recent rate. Pure.

    >>> describe_querying({"n_questions": 300, "n_done": 100, "per_second": 2.0}).text
    'Evaluating the endpoint: 100 of 300 answered; about 2 min.'
    """
    if progress is None:
        return Outlook(text="Evaluating the endpoint. An estimate follows after the first answers.")
    n_done, n_questions = progress["n_done"], progress["n_questions"]
    place = f"Evaluating the endpoint: {n_done:,} of {n_questions:,} answered"
    if not progress["per_second"]:
        return Outlook(text=f"{place}. No answers in the last seconds.")
    seconds = (n_questions - n_done) / progress["per_second"]
    return Outlook(eta_seconds=round(seconds, 1), text=f"{place}; about {_say(seconds)}.")


def _is_stopped(submission: SubmissionRecord) -> bool:
    """Tell whether judging stopped at a submission."""
    return submission.lane == "held" and submission.reason_code == judging.STOPPED


def describe_waiting_for_judge(submission: SubmissionRecord, n_ahead: int, now: datetime, *, has_judge: bool) -> str:
    """Return what a submission with open answers waits for. Pure."""
    if submission.lane == "held":
        return "Held until a maintainer has checked some of the answers."
    if submission.not_before is not None and submission.not_before > now:
        reason = submission.reason or "Judging is postponed."
        return f"{reason} Judging continues at {submission.not_before:%H:%M UTC on %d %B}."
    if not has_judge:
        return _NO_JUDGE if submission.current_evaluation_id is None else _NO_JUDGE_FOR_OPEN
    return f"{n_ahead:,} ahead in the judge's queue." if n_ahead else "Next in the judge's queue."


def find_pace(measured: Sequence[MeasuredScoring]) -> Pace | None:
    """Fit a line through evaluation times over file sizes; None without data.

    Slope and intercept are not negative.
    """
    if not measured:
        return None
    n = len(measured)
    seconds, size = sum(one.seconds for one in measured) / n, sum(one.n_bytes for one in measured) / n
    spread = sum((one.n_bytes - size) ** 2 for one in measured)
    together = sum((one.n_bytes - size) * (one.seconds - seconds) for one in measured)
    slope = max(0.0, min(together / spread, seconds / size)) if spread else 0.0
    return Pace(seconds - slope * size, slope)


def describe_outlook(submission: SubmissionRecord, facts: QueueFacts | None, now: datetime) -> Outlook:
    """Return the outlook of a submission; `facts` are required for queued and running ones. Pure."""
    if submission.state in ENDS:
        return NOTHING_AHEAD
    if facts is None:
        waits_long = submission.state == "received" and now - submission.updated_at > STALLED_AFTER
        return Outlook(is_stalled=waits_long, text=_WAITS_FOR.get(submission.state, ""))
    own = next((one for one in facts.running if one.submission_id == submission.id), None)
    reason = _find_stall(submission, own, facts, now)
    if reason is not None:
        return Outlook(is_stalled=True, text=reason)
    seconds = _estimate(submission, own, facts, now)
    place = _place(submission, own, facts, now)
    if seconds is None:
        return Outlook(text=f"{place}. {_UNMEASURED}")
    return Outlook(eta_seconds=round(seconds, 1), text=f"{place}; about {_say(seconds)}.")


def _find_stall(
    submission: SubmissionRecord, own: RunningScoring | None, facts: QueueFacts, now: datetime
) -> str | None:
    """Return why nothing progresses; None if something does."""
    if own is not None and own.expires_at is not None and own.expires_at < now:
        return "The evaluator stopped responding. Earshot retries the submission automatically."
    if facts.n_workers == 0:
        seen = f"was last seen on {facts.seen_at:%d %B at %H:%M} UTC" if facts.seen_at else "has not started yet"
        return f"Stalled: the evaluator {seen}. The file is safe, and is scored as soon as the evaluator is back."
    is_held = any(one.expires_at is not None and one.expires_at >= now for one in facts.running)
    if is_held or (submission.not_before is not None and submission.not_before > now - STALLED_AFTER):
        return None
    moved_at = max(submission.updated_at, facts.moved_at or submission.updated_at)
    if now - moved_at <= STALLED_AFTER:
        return None
    return (
        f"Stalled: nothing has been scored since {moved_at:%d %B, %H:%M} UTC. The file is safe, and is scored as soon "
        "as the evaluator continues."
    )


def _place(submission: SubmissionRecord, own: RunningScoring | None, facts: QueueFacts, now: datetime) -> str:
    if own is not None or submission.state == "running":
        return "Evaluating the endpoint" if submission.lane == "endpoints" else "Scoring"
    if submission.not_before is not None and submission.not_before > now:
        return f"Retry at {submission.not_before:%H:%M:%S} UTC"
    n_ahead = len(facts.running) + sum(group.n_submissions for group in facts.ahead)
    return f"{n_ahead:,} ahead in the queue" if n_ahead else "Next in the queue"


def _estimate(
    submission: SubmissionRecord, own: RunningScoring | None, facts: QueueFacts, now: datetime
) -> float | None:
    """Return the time until a submission is scored; None if something ahead of it was never measured."""
    needed = _versions_of(submission, () if own else facts.running, () if own else facts.ahead)
    if not needed <= facts.paces.keys():
        return None
    if own is not None:
        return _left(own, facts, now)
    pace = facts.paces[submission.benchmark, submission.version]
    wait = (sum(_left(one, facts, now) for one in facts.running) + _sum_ahead(facts.ahead, facts)) / facts.n_workers
    if submission.not_before is not None:
        wait = max(wait, (submission.not_before - now).total_seconds())
    return wait + pace.estimate(1, submission.artifact_bytes or 0)


def _versions_of(
    submission: SubmissionRecord, running: Iterable[RunningScoring], ahead: Iterable[Waiting]
) -> set[_Version]:
    """Return every benchmark and version that is scored before a submission is finished."""
    found = {(one.benchmark, one.version) for one in running} | {(one.benchmark, one.version) for one in ahead}
    return found | {(submission.benchmark, submission.version)}


def _sum_ahead(ahead: Iterable[Waiting], facts: QueueFacts) -> float:
    return sum(facts.paces[one.benchmark, one.version].estimate(one.n_submissions, one.n_bytes) for one in ahead)


def _left(one: RunningScoring, facts: QueueFacts, now: datetime) -> float:
    """Return how long an evaluation will still take: by its completed share if known, otherwise by its pace."""
    elapsed = max(0.0, (now - one.started_at).total_seconds())
    if one.progress > 0:
        return elapsed * (1 - one.progress) / one.progress
    return max(0.0, facts.paces[one.benchmark, one.version].estimate(1, one.n_bytes) - elapsed)


def _say(seconds: float) -> str:
    """Format a duration."""
    for unit, length in (("h", 3600), ("min", 60)):
        if seconds >= 1.5 * length:
            return f"{round(seconds / length)} {unit}"
    return f"{max(1, round(seconds))} s"
