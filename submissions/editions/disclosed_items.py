"""Items of closed editions with their answers: everything that the owner may see, and nobody else."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from db.edition_records import EditionRecord
from db.records import SubmissionRecord, UserRecord
from db.repositories import editions, submissions
from db.session import Database
from evaluation.answer_keys import AnswerKey
from evaluation.answered_items import AnsweredItem, iter_answered
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.predictions import catalogue_of, read_checked_predictions
from evaluation.types import Prediction
from submissions.editions.edition_service import EditionService
from submissions.editions.retired_designs import find_design
from submissions.endpoints.stored_responses import read_responses
from submissions.errors import NotFoundError, NotReadyError, StateError
from submissions.intake.artifacts import ArtifactStore
from submissions.lifecycle import ENDS


@dataclass(frozen=True, slots=True)
class ItemFilter:
    """Which items of an edition are listed; None for all.

    Attributes:
        task: Task of the item, or the beginning of one up to a slash.
        outcome: At least one run has this outcome: `correct`, `wrong`, `unreadable` or `missing`.
        reason: At least one run is unreadable for this reason.
    """

    task: str | None = None
    outcome: str | None = None
    reason: str | None = None

    def admits(self, one: AnsweredItem) -> bool:
        """Return whether an item is listed."""
        if self.task is not None and not f"{one.item.task}/".startswith(f"{self.task}/"):
            return False
        if self.outcome is not None and all(run.outcome != self.outcome for run in one.runs):
            return False
        return self.reason is None or any(run.reason == self.reason for run in one.runs)


@dataclass(frozen=True, slots=True)
class DisclosedEdition:
    """A closed edition as answered by one of its submissions.

    Attributes:
        edition: The edition.
        benchmark: Benchmark version.
        is_own: Whether the viewer is its owner or a maintainer; others see public submissions only.
        submission: The submission.
        others: All scored submissions of the edition, this one included.
        items: Its items, in the order of the pack.
    """

    edition: EditionRecord
    benchmark: Benchmark
    is_own: bool
    submission: SubmissionRecord
    others: Sequence[SubmissionRecord]
    items: Sequence[AnsweredItem]

    def count_outcomes(self) -> Mapping[str, int]:
        """Return outcome → number of runs."""
        return Counter(run.outcome for one in self.items for run in one.runs)

    def count_reasons(self) -> Mapping[str, int]:
        """Return reason → number of unreadable runs."""
        return Counter(run.reason for one in self.items for run in one.runs if run.reason is not None)

    def list_tasks(self) -> list[str]:
        """Return the tasks of its items."""
        return sorted({one.item.task for one in self.items})


class DisclosedItems:
    """Reads the items of closed editions for their owners, and caches those read last."""

    def __init__(self, database: Database, artifacts: ArtifactStore, service: EditionService) -> None:
        self._database = database
        self._artifacts = artifacts
        self._service = service
        self._read = lru_cache(maxsize=4)(self._read_items)

    def read_edition(
        self, edition_id: str, viewer: UserRecord | None, submission_id: str | None = None
    ) -> DisclosedEdition:
        """Return a closed edition with the answers of one of its submissions, by default of the first.

        Raises:
            NotFoundError: There is no such edition or submission, or the viewer may not see it.
            StateError: The edition is not closed, its version is gone, or its files ended without a score.
            NotReadyError: None of its files is scored yet.
        """
        edition, is_own = self._service.find_readable(edition_id, viewer)
        if edition.state != "closed":
            raise StateError(
                f"Edition {edition.id} is {edition.state}. Its answers are shown once it is closed and scored."
            )
        benchmark = find_design(edition)
        with self._database.read() as transaction:
            seed = editions.find_seed(transaction, edition.id)
            answering = submissions.list_of_edition(transaction, edition.id)
        every = [one for one in answering if one.state == "scored"]
        scored = every if is_own else [one for one in every if one.visibility == "public"]
        if every and not scored:
            raise NotFoundError(f"The gallery of edition {edition.id} is empty. None of its submissions is public.")
        if not scored and all(one.state in ENDS for one in answering):
            raise StateError(
                f"No file of edition {edition.id} was scored, because each was withdrawn or failed. Answers are shown "
                "with the responses of a scored file."
            )
        if not scored or seed is None:
            raise NotReadyError(f"The files of edition {edition.id} are not scored yet. Try again in a few seconds.")
        submission = next((one for one in scored if submission_id in (None, one.id)), None)
        if submission is None:
            raise NotFoundError(f"Edition {edition.id} has no scored submission `{(submission_id or '')[:40]}`.")
        items = self._read(edition.benchmark, edition.version, seed, submission.id, submission.setting)
        return DisclosedEdition(edition, benchmark, is_own, submission, scored, items)

    def _read_items(
        self, benchmark_id: str, version: str, seed: str, submission_id: str, setting: str
    ) -> tuple[AnsweredItem, ...]:
        """Parse the stored file as scoring does; the arguments determine the result."""
        with self._database.read() as transaction:
            submission = submissions.find_submission(transaction, submission_id)
        if submission is None:
            raise NotFoundError(f"{submission_id} is gone.")
        benchmark = get_benchmark(benchmark_id, version)
        key = benchmark.make_key("test", seed)
        return tuple(iter_answered(benchmark, key, self._read_predictions(submission, benchmark, key), setting))

    def _read_predictions(
        self, submission: SubmissionRecord, benchmark: Benchmark, key: AnswerKey
    ) -> Sequence[Prediction]:
        if submission.artifact_sha256 is None:  # an endpoint was queried
            return list(read_responses(self._database, submission.id))
        known = catalogue_of(benchmark, key, submission.setting)
        with self._artifacts.open(submission.artifact_sha256) as file:
            return list(read_checked_predictions(file, known, allow_missing=submission.allow_missing))
