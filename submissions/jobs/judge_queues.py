"""Queues of an evaluator with a judge, in threads of their own, because judging may take hours."""

import threading
from dataclasses import replace
from pathlib import Path

from db.records import JudgeRecord
from db.session import Database
from submissions.intake.artifacts import ArtifactStore
from submissions.jobs.queue import open_queue
from submissions.jobs.round_robin import start_queue_thread
from submissions.judging.entry import Judging
from submissions.judging.judging_evaluator import JudgingEvaluator
from submissions.judging.sorting import MistakeSorter
from submissions.rescoring.reevaluator import Reevaluator


class JudgeQueues:
    """Queue of submissions that wait for a judge, the evaluator that serves it, and re-scoring with the judge."""

    def __init__(
        self, database: Database, artifacts: ArtifactStore, keys_dir: Path, worker: str, judging: Judging
    ) -> None:
        self._judging = judging
        self._queue = open_queue(database, worker, lane="judge")
        self._idle = open_queue(database, worker, lane="judge")
        self._evaluator = JudgingEvaluator(database, self._queue, artifacts, keys_dir, judging)
        # Its own instance: an evaluator does one thing at a time, and two threads would reset each other's streak.
        self._rescorer = JudgingEvaluator(database, self._idle, artifacts, keys_dir, judging.with_own_streak())
        self._reevaluator = Reevaluator(database, self._rescorer, worker, dry=self._rescorer.without_asking())
        self._sorter = MistakeSorter(database, self._rescorer, worker)

    @property
    def judge(self) -> JudgeRecord:
        """Name of the judge."""
        return replace(self._judging.record, is_sorting_stopped=self._sorter.is_stopped)

    @property
    def silent_seconds(self) -> float:
        """Seconds since running judging last made progress."""
        return max(self._evaluator.silent_seconds, self._rescorer.silent_seconds)

    def start(self, stop: threading.Event) -> tuple[threading.Thread, ...]:
        """Start; the threads end soon after `stop` is set."""
        return (
            start_queue_thread("judging", self._queue, (self._evaluator.run_next,), stop),
            # The queue only triggers checks.
            start_queue_thread("re-scoring", self._idle, (self._reevaluator.run_next, self._sorter.run_next), stop),
        )
