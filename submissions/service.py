"""Submission service: send, check, read, publish, withdraw, retry."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import BinaryIO

from db.records import NewModel, NewSubmission, SubmissionRecord, UserRecord
from db.repositories import audit, boards, submissions, users
from db.repositories.boards import BoardKey
from db.session import Database, Transaction
from db.states import UNRELEASED
from evaluation.benchmarks import Benchmark
from evaluation.errors import shorten
from evaluation.predictions import Catalogue, Validation
from submissions.accounts.credentials import Accounts
from submissions.editions.closing import WAITING, add_closed, close, require_room
from submissions.editions.file_questions import FileQuestionFinder
from submissions.errors import NotAllowedError, NotFoundError, StateError
from submissions.intake.artifacts import ArtifactStore, Incoming
from submissions.intake.catalogues import Catalogues
from submissions.intake.file_checks.checker import INLINE_CHECKER, CheckTask, FileChecker
from submissions.intake.identifiers import check_idempotency_key, new_submission_id
from submissions.intake.quota_service import Quotas
from submissions.intake.request_checks import check_joined_name, refuse_same_file
from submissions.intake.submission_limits import Quota, SubmissionLimits, require_left
from submissions.lifecycle import State, sources_of
from submissions.statuses import Status, hide_judge_replies, hide_private_details, read_status

_NO_OPTIONS = "Answers are not parsed yet, because the question pack is being prepared."


@dataclass(frozen=True, slots=True)
class Request:
    """Fields that a submitter sends with the file; `close` closes the edition that the file answers, if any."""

    benchmark: Benchmark
    setting: str
    model: NewModel
    allow_missing: bool = False
    publish: bool = False
    idempotency_key: str | None = None
    source: str = "submitted"
    close: bool = False


class SubmissionService:
    """The only way in which users create and change submissions."""

    def __init__(
        self,
        database: Database,
        artifacts: ArtifactStore,
        catalogues: Catalogues,
        accounts: Accounts,
        max_upload_bytes: int,
        limits: SubmissionLimits,
        checker: FileChecker = INLINE_CHECKER,
    ) -> None:
        self._database = database
        self._artifacts = artifacts
        self._catalogues = catalogues
        self._accounts = accounts
        self._max_upload_bytes = max_upload_bytes
        self._quotas = Quotas(database, limits, accounts)
        self._checker = checker
        self._finder = FileQuestionFinder(database, catalogues, checker)

    def validate(
        self, benchmark: Benchmark, setting: str, file: BinaryIO, viewer: UserRecord | None, *, allow_missing: bool
    ) -> Validation:
        """Check a file, and parse its answers if the question pack is installed. Nothing is stored.

        Raises:
            SettingError, NotReadyError, ClosedVersionError: The setting or version does not exist or takes no files.
            BadRequestError: The file answers an edition that accepts no files, or that the viewer does not own.
        """
        benchmark.check_setting(setting)
        _, known, options, foreign = self._finder.find_questions(benchmark, setting, file, viewer)
        verdict = self._checker.validate(file, CheckTask(known, allow_missing, options), foreign)
        return replace(verdict, unparsed=_NO_OPTIONS) if options is None else verdict

    def submit(self, owner: UserRecord, request: Request, source: BinaryIO) -> SubmissionRecord:
        """Accept a file. When this returns, file and row are durable; if it raises, nothing was stored or counted.

        The same owner and idempotency key return the same submission, whatever else is sent, without counting again.

        Raises:
            PredictionFileError: The file cannot be scored.
            LimitError: The owner's submission limit is reached.
            AlreadySubmittedError: The same file is already submitted for this board and model, under another key.
            StateError: The file answers an edition that is closed, or has files of the maximum number of models.
            SettingError, BadRequestError, NotReadyError, ClosedVersionError, TooLargeError: Another field is invalid.
        """
        request.benchmark.check_setting(request.setting)
        check_joined_name(request.benchmark, request.setting, request.model.name)
        key = check_idempotency_key(request.idempotency_key)
        # Before the key is looked up: the last free submission may have been used by the same file, sent twice at once.
        quota = self._quotas.find_quota(owner, request.benchmark, request.source)
        if key is not None and (earlier := self.find_by_key(owner, key)) is not None:
            return earlier
        self._catalogues.get(request.benchmark, request.setting)  # refuses closed versions before the upload
        with self._artifacts.receive(source, self._max_upload_bytes) as incoming:
            with incoming.path.open("rb") as file:
                found = self._finder.find_questions(request.benchmark, request.setting, file, owner)
                edition, known, _, foreign = found
                if edition is None and known.items:
                    # Skips the check of a file that would be refused; the limit is enforced when the row is written.
                    require_left(quota, f"{request.benchmark.title} {request.benchmark.version}", datetime.now(UTC))
                elif edition is not None:
                    self._finder.require_acceptance(edition)
                verdict = self._checker.validate(file, CheckTask(known, request.allow_missing), foreign)
            verdict.require()
            self._artifacts.store_artifact(incoming)
            return self._add(owner, request, incoming, None if edition is None else edition.id)

    def submit_own(
        self, owner: UserRecord, request: Request, source: BinaryIO, edition_id: str, known: Catalogue
    ) -> SubmissionRecord:
        """Accept a file of our own that answers an edition made for it, which accepts no other file.

        The same idempotency key returns the same submission.

        Raises:
            PredictionFileError: The file does not answer the edition.
        """
        if request.idempotency_key and (earlier := self.find_by_key(owner, request.idempotency_key)) is not None:
            return earlier
        with self._artifacts.receive(source, self._max_upload_bytes) as incoming:
            with incoming.path.open("rb") as file:
                self._checker.validate(file, CheckTask(known, request.allow_missing)).require()
            self._artifacts.store_artifact(incoming)
            return self._add(owner, request, incoming, edition_id, is_own=True)

    def find_quota(self, owner: UserRecord, benchmark: Benchmark) -> Quota:
        """Return a user's remaining submissions for a version of a benchmark."""
        return self._quotas.find_quota(owner, benchmark)

    def status(self, submission_id: str, viewer: UserRecord | None) -> Status:
        """Return the status of a submission.

        Raises:
            NotFoundError: It does not exist, or the viewer may not see it.
        """
        submission = self.get_visible(submission_id, viewer)
        with self._database.read() as transaction:
            is_maintainer = self._accounts.is_maintainer(viewer)
            found = read_status(transaction, submission, datetime.now(UTC), sees_unreleased=is_maintainer)
        if is_maintainer:
            return found
        return hide_judge_replies(found if self._is_own(submission, viewer) else hide_private_details(found))

    def list_mine(
        self, owner: UserRecord, limit: int = 100, before: submissions.MomentPlace | None = None
    ) -> list[SubmissionRecord]:
        """Return a user's submissions, newest first; only those before a position if one is given."""
        with self._database.read() as transaction:
            return submissions.list_by_owner(transaction, owner.id, limit, before)

    def publish(self, submission_id: str, actor: UserRecord) -> None:
        """Publish a result on the board.

        Raises:
            NotFoundError, NotAllowedError, StateError: It cannot be published.
        """
        self._get_own(submission_id, actor)
        with self._database.write() as transaction:
            now = datetime.now(UTC)
            submission = get_locked(transaction, submission_id)
            if submission.state == UNRELEASED:
                raise StateError("A submission without scores in competition mode cannot be published.")
            if submissions.publish_submission(transaction, submission_id, now):
                _write_event(transaction, submission, actor.name, submission.state, "Published.", now)
                boards.touch_board(transaction, board_of(submission), now)
                audit.append(transaction, actor.name, "publish", submission.id, _about(submission), now)
                return
        if submission.state == "withdrawn":
            raise StateError("A withdrawn submission cannot be published. Submit the file again.")
        if submission.visibility == "hidden":
            raise NotAllowedError("A maintainer has hidden this submission. Only a maintainer can restore it.")

    def withdraw(self, submission_id: str, actor: UserRecord) -> None:
        """Withdraw a submission permanently; it leaves the board.

        Raises:
            NotFoundError, NotAllowedError, StateError: It cannot be withdrawn.
        """
        self._get_own(submission_id, actor)
        self._move(submission_id, "withdrawn", actor, "withdraw", "Withdrawn by its owner.")

    def retry(self, submission_id: str, actor: UserRecord, also: Callable[[Transaction], None] | None = None) -> None:
        """Requeue a submission that did not fail because of its file.

        The failure gave the submission back to its owner, so it counts again, unless a maintainer retries it.

        Args:
            submission_id: Id of the submission.
            actor: Current user.
            also: Called in the same transaction.

        Raises:
            NotFoundError, NotAllowedError, StateError: It cannot be retried.
            LimitError: The owner's limit has been reached meanwhile.
        """
        self.get_retryable(submission_id, actor)
        forgotten = {"reason": None, "reason_code": None, "retryable": None, "fault": None}
        self._move(submission_id, "queued", actor, "retry", "Queued again.", also, attempts=0, **forgotten)

    def get_retryable(self, submission_id: str, actor: UserRecord) -> SubmissionRecord:
        """Return a submission that the actor may retry.

        Raises:
            NotFoundError, NotAllowedError, StateError: The actor may not retry it, or its state does not allow it.
        """
        submission = self._get_own(submission_id, actor)
        if submission.state != "failed" or not submission.retryable:
            raise StateError(
                f"Only a failed submission can be retried; this one is {submission.state}. If the file was rejected, "
                "correct it and submit it again."
            )
        return submission

    def _move(
        self,
        submission_id: str,
        target: State,
        actor: UserRecord,
        action: str,
        text: str,
        also: Callable[[Transaction], None] | None = None,
        **values: object,
    ) -> None:
        with self._database.write() as transaction:
            now = datetime.now(UTC)
            submission = get_locked(transaction, submission_id)
            if not _change(transaction, submission.id, target, now, **values):
                raise StateError(f"A submission that is {submission.state} cannot become {target}.")
            if also is not None:
                also(transaction)
            if target == "queued":
                users.lock_user(transaction, submission.owner.id)
                title = f"{submission.benchmark} {submission.version}"
                self._quotas.charge(transaction, submission, actor, title, now)
            _write_event(transaction, submission, actor.name, target, text, now)
            boards.touch_board(transaction, board_of(submission), now)
            audit.append(transaction, actor.name, action, submission.id, _about(submission), now)

    def _add(
        self,
        owner: UserRecord,
        request: Request,
        incoming: Incoming,
        edition_id: str | None,
        *,
        is_own: bool = False,
    ) -> SubmissionRecord:
        key = request.idempotency_key
        with self._database.write() as transaction:
            users.lock_user(transaction, owner.id)
            now = datetime.now(UTC)
            earlier = submissions.find_by_idempotency_key(transaction, owner.id, key) if key is not None else None
            if earlier is not None:
                return earlier  # Two concurrent requests with the same key: the other one was first.
            new = NewSubmission(
                id=new_submission_id(),
                benchmark=request.benchmark.id,
                version=request.benchmark.version,
                setting=request.setting,
                source=request.source,
                owner_id=owner.id,
                model=request.model,
                visibility="public" if request.publish else "private",
                allow_missing=request.allow_missing,
                artifact_sha256=incoming.sha256,
                artifact_bytes=incoming.n_bytes,
                idempotency_key=key,
                edition=edition_id,
            )
            if request.source == "submitted":
                refuse_same_file(transaction, new, request.benchmark.title)
            edition = None
            if is_own:
                add_closed(transaction, new, now)
            elif edition_id is not None:
                edition = require_room(transaction, edition_id)
            _add_received(transaction, new, owner.name, now, waits=edition is not None)
            if edition is not None and request.close:
                close(transaction, edition, owner.name, now)
            added = get_any(transaction, new.id)
            title = f"{request.benchmark.title} {request.benchmark.version}"
            self._quotas.charge(transaction, added, owner, title, now)
            if request.publish:
                audit.append(transaction, owner.name, "publish", added.id, _about(added), now)
            return added

    def find_by_key(self, owner: UserRecord, key: str) -> SubmissionRecord | None:
        """Return the owner's submission under an idempotency key."""
        with self._database.read() as transaction:
            earlier = submissions.find_by_idempotency_key(transaction, owner.id, key)
        if earlier is not None:
            self._database.confirm_earlier()
        return earlier

    def get_visible(self, submission_id: str, viewer: UserRecord | None) -> SubmissionRecord:
        """Return a submission.

        Raises:
            NotFoundError: It does not exist, or the viewer may not see it.
        """
        with self._database.read() as transaction:
            submission = submissions.find_submission(transaction, submission_id)
        if submission is None or not self._may_see(submission, viewer):
            raise NotFoundError("There is no such submission, or it is private and you are not its owner.")
        return submission

    def _may_see(self, submission: SubmissionRecord, viewer: UserRecord | None) -> bool:
        is_public = submission.visibility == "public" and submission.has_scores
        return is_public or self._is_own(submission, viewer)

    def _is_own(self, submission: SubmissionRecord, viewer: UserRecord | None) -> bool:
        is_owner = viewer is not None and viewer.id == submission.owner.id
        return is_owner or self._accounts.is_maintainer(viewer)

    def _get_own(self, submission_id: str, actor: UserRecord) -> SubmissionRecord:
        submission = self.get_visible(submission_id, actor)
        if not self._is_own(submission, actor):
            raise NotAllowedError("Only the owner or a maintainer can do this.")
        return submission


def _add_received(transaction: Transaction, new: NewSubmission, owner: str, now: datetime, *, waits: bool) -> None:
    """Add a submission whose file is stored: queued, or waiting until its edition is closed."""
    state, text = ("queued", "Queued.")
    if waits:
        state, text = (WAITING, f"Checked. It is scored when edition {new.edition} is closed.")
    submissions.add_submission(transaction, new, state, now)
    for from_state, to_state, words in ((None, "received", "File received."), ("received", state, text)):
        submissions.add_event(
            transaction, new.id, actor=owner, from_state=from_state, to_state=to_state, text=words, now=now
        )


def _change(transaction: Transaction, submission_id: str, target: State, now: datetime, **values: object) -> bool:
    if target == "queued":
        return submissions.join_line(transaction, submission_id, sources_of(target), now, **values)
    return submissions.change_state(transaction, submission_id, sources_of(target), now, state=target, **values)


def get_locked(transaction: Transaction, submission_id: str) -> SubmissionRecord:
    """Return a submission and lock it until the writing transaction ends.

    Raises:
        NotFoundError: It does not exist.
    """
    submissions.lock_submission(transaction, submission_id)
    return get_any(transaction, submission_id)


def get_any(transaction: Transaction, submission_id: str) -> SubmissionRecord:
    """Return a submission, whoever may see it.

    Raises:
        NotFoundError: It does not exist.
    """
    submission = submissions.find_submission(transaction, submission_id)
    if submission is None:
        raise NotFoundError(f"There is no submission `{shorten(submission_id)}`.")
    return submission


def board_of(submission: SubmissionRecord) -> BoardKey:
    """Return the board of a submission."""
    return BoardKey(submission.benchmark, submission.version, submission.setting)


def _write_event(
    transaction: Transaction, submission: SubmissionRecord, actor: str, to_state: str, text: str, now: datetime
) -> None:
    submissions.add_event(
        transaction,
        submission.id,
        actor=actor,
        from_state=submission.state,
        to_state=to_state,
        text=text,
        now=now,
    )


def _about(submission: SubmissionRecord) -> dict[str, object]:
    """Return the details of a submission for the audit log."""
    return {
        "benchmark": submission.benchmark,
        "owner": submission.owner.name,
        "state": submission.state,
        "visibility": submission.visibility,
    }
