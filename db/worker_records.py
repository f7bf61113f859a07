"""Record of an evaluator process."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from db.records import JudgeRecord

# An evaluator sends a heartbeat every five seconds; one that was not seen for this long is not active.
SEEN_WITHIN = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class WorkerRecord:
    """An evaluator process.

    Attributes:
        name: Machine and process.
        started_at: When it started.
        seen_at: Its last heartbeat.
        keys: Benchmark version → first digits of the key's digest.
        judge: Its judge of open answers; None without one.
        problem: Problem that prevents it from working.
    """

    name: str
    started_at: datetime
    seen_at: datetime
    keys: Mapping[str, str]
    judge: JudgeRecord | None = None
    problem: str | None = None

    def is_active(self, now: datetime) -> bool:
        """Return whether the evaluator works, as far as its last heartbeat tells.

        A heartbeat from the future was recorded before the clock was set back: it says as little as an old one.
        """
        return abs(now - self.seen_at) <= SEEN_WITHIN
