"""Practice answers of submissions: the web process's part, which checks and stores files."""

from datetime import UTC, datetime
from functools import lru_cache
from typing import BinaryIO

from db.practice_records import PracticeRecord
from db.records import SubmissionRecord, UserRecord
from db.repositories import boards, practice_results, submissions
from db.session import Database, Transaction
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.benchmarks.practice_comparison import PRACTICE_COLUMN
from evaluation.benchmarks.practice_figures import find_practice_figure
from evaluation.errors import UnknownBenchmarkError
from evaluation.predictions import Catalogue, catalogue_of
from submissions.errors import NotAllowedError, StateError
from submissions.intake.artifacts import ArtifactStore, Incoming
from submissions.intake.catalogues import Catalogues
from submissions.intake.file_checks.checker import INLINE_CHECKER, CheckTask, FileChecker
from submissions.intake.foreign_ids import ForeignIds, describe_test
from submissions.service import SubmissionService, board_of, get_locked

MAX_FILES = 20
"""Files for a submission, including replaced ones: each is stored for good, and takes an evaluator seconds."""
_SOURCES = ("submitted", "verified")
_ENDED = ("failed", "withdrawn")


class PracticeService:
    """Attaches files of practice answers to submissions."""

    def __init__(
        self,
        database: Database,
        artifacts: ArtifactStore,
        catalogues: Catalogues,
        service: SubmissionService,
        max_upload_bytes: int,
        checker: FileChecker = INLINE_CHECKER,
    ) -> None:
        self._database = database
        self._artifacts = artifacts
        self._catalogues = catalogues
        self._service = service
        self._max_upload_bytes = max_upload_bytes
        self._checker = checker

    def attach_file(self, submission_id: str, owner: UserRecord, source: BinaryIO) -> PracticeRecord:
        """Attach a file of practice answers to a submission, in place of an earlier one.

        When this returns, file and row are durable; if it raises, nothing was stored or replaced. The same file again
        changes nothing, unless scoring it failed.

        Raises:
            NotFoundError: The submission does not exist, or the user may not see it.
            NotAllowedError: Another user owns it.
            StateError: Its benchmark, setting or state does not allow it, or it had too many files.
            PredictionFileError: The file cannot be scored, or does not answer the practice questions.
            TooLargeError: The file is too large.
        """
        submission = self._service.get_visible(submission_id, owner)
        if submission.owner.id != owner.id:
            raise NotAllowedError("Only the owner of a submission can attach practice answers to it.")
        require_allowed(submission)
        benchmark = get_benchmark(submission.benchmark, submission.version)
        catalogue = read_practice_catalogue(benchmark.id, benchmark.version, submission.setting)
        with self._artifacts.receive(source, self._max_upload_bytes) as incoming:
            with self._database.read() as transaction:  # A refused file must not be stored.
                _find_same(practice_results.find_practice(transaction, submission.id), incoming)
            with incoming.path.open("rb") as file:
                task = CheckTask(catalogue, submission.allow_missing)
                verdict = self._checker.validate(file, task, self._find_foreign(benchmark))
            verdict.require()
            self._artifacts.store_artifact(incoming)
            return self._add(submission.id, owner, incoming)

    def is_queued(self, submission_id: str) -> bool:
        """Return whether the practice answers of a submission wait for an evaluator."""
        with self._database.read() as transaction:
            practice = practice_results.find_practice(transaction, submission_id)
        return practice is not None and practice.state == "queued"

    def _find_foreign(self, benchmark: Benchmark) -> ForeignIds:
        """Return the look-up of unknown IDs in the test split and editions."""
        cause = describe_test(benchmark)
        return ForeignIds(iter([(self._catalogues.list_ids(benchmark), cause)]), cause)

    def _add(self, submission_id: str, owner: UserRecord, incoming: Incoming) -> PracticeRecord:
        with self._database.write() as transaction:
            now = datetime.now(UTC)
            submission = get_locked(transaction, submission_id)
            require_allowed(submission)  # It may have been withdrawn meanwhile.
            earlier = practice_results.find_practice(transaction, submission_id)
            same = _find_same(earlier, incoming)
            if same is not None and same.state != "failed":
                return same
            practice_results.attach_file(transaction, submission_id, incoming.sha256, incoming.n_bytes, now)
            _drop_gaps(transaction, submission, now)
            submissions.add_event(
                transaction,
                submission_id,
                actor=owner.name,
                from_state=submission.state,
                to_state=submission.state,
                text="Practice answers attached." if earlier is None else "Practice answers replaced.",
                now=now,
            )
            added = practice_results.find_practice(transaction, submission_id)
            if added is None:
                raise LookupError(f"The practice answers of {submission_id} were not stored.")
            return added


def _find_same(earlier: PracticeRecord | None, incoming: Incoming) -> PracticeRecord | None:
    """Return the practice answers that a file is already; None for another file.

    Raises:
        StateError: It is another file, and no more are accepted.
    """
    if earlier is not None and earlier.artifact_sha256 == incoming.sha256:
        return earlier
    if earlier is not None and earlier.n_files >= MAX_FILES:
        raise StateError(
            f"{MAX_FILES} files of practice answers were attached to this submission, the maximum. Submit the model "
            "again to attach another one."
        )
    return None


def can_attach(submission: SubmissionRecord) -> bool:
    """Return whether the owner of a submission can attach practice answers to it."""
    return find_obstacle(submission) is None


def require_allowed(submission: SubmissionRecord) -> None:
    """Raise an error if no practice answers can be attached to a submission.

    Raises:
        StateError: Its benchmark, setting or state does not allow it.
    """
    obstacle = find_obstacle(submission)
    if obstacle is not None:
        raise StateError(obstacle)


def find_obstacle(submission: SubmissionRecord) -> str | None:
    """Return why no practice answers can be attached to a submission; None if they can."""
    try:
        benchmark = get_benchmark(submission.benchmark, submission.version)
    except UnknownBenchmarkError:
        return "This server no longer has the benchmark version of this submission."
    title = f"{benchmark.title} {benchmark.version}"
    if not benchmark.has_editions:
        return (
            f"{title} has no test questions that are rendered for each submitter, so practice and test cannot be "
            "compared."
        )
    if find_practice_figure(benchmark, submission.setting) is None:
        return f"{title} has no practice questions in the setting `{submission.setting}`."
    if submission.source not in _SOURCES:
        return "This row has no file of answers to compare with. Attach practice answers to your own submission."
    if submission.state in _ENDED:
        return f"This submission is {submission.state}. Submit the model again, and attach practice answers to that."
    return None


@lru_cache(maxsize=16)
def read_practice_catalogue(benchmark_id: str, version: str, setting: str) -> Catalogue:
    """Return the valid IDs of a file of practice answers; they follow from the public seed."""
    benchmark = get_benchmark(benchmark_id, version)
    return catalogue_of(benchmark, benchmark.make_key("practice"), setting)


def _drop_gaps(transaction: Transaction, submission: SubmissionRecord, now: datetime) -> None:
    """Delete the gaps of an earlier file, and request a new revision of the board that shows one."""
    column = PRACTICE_COLUMN
    if not practice_results.drop_gaps(transaction, submission.id, column.slice, column.metric):
        return
    if submissions.is_public(transaction, submission.id):
        boards.touch_board(transaction, board_of(submission), now)
