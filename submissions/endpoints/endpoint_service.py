"""Endpoint service: register, approve, reject and retry."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from db.endpoint_records import EndpointRecord
from db.records import NewModel, NewSubmission, SubmissionRecord, UserRecord
from db.repositories import audit, endpoints, submissions, users
from db.session import Database, Transaction
from evaluation.benchmarks import Benchmark
from evaluation.streams import draw_edition_id
from submissions.accounts.credentials import Accounts
from submissions.editions.closing import add_closed
from submissions.endpoints.querying.query_records import AudioForm, describe_endpoint
from submissions.endpoints.transport.allowed_addresses import trim_route
from submissions.endpoints.vault import Secret, Vault
from submissions.errors import AlreadySubmittedError, BadRequestError, LimitError, NotReadyError, StateError
from submissions.intake.catalogues import Catalogues
from submissions.intake.identifiers import check_idempotency_key, new_submission_id
from submissions.intake.quota_service import Quotas
from submissions.operations.maintenance import check_reason
from submissions.service import SubmissionService, get_any, get_locked

SOURCE = "verified"
AUDIO_FORMS: tuple[AudioForm, ...] = ("input_audio", "data-url")
DEFAULT_CONCURRENCY = 8
MAX_AWAITING = 20
"""Endpoints of a user that await approval. Those on redrawn questions cost no submission, and maintainers read each."""


@dataclass(frozen=True, slots=True)
class EndpointRequest:
    """Registration of an endpoint.

    Attributes:
        benchmark: Benchmark id.
        setting: Setting.
        model: Description of the model.
        base_url: Address of the server.
        model_name: The model's name there.
        api_key: API key; None if none is needed. It is sealed at once and never shown.
        concurrency: Maximum number of concurrent calls.
        multi_audio: Whether several clips are sent as separate parts; otherwise they are joined by silence.
        audio_form: Form of a clip in requests.
        parts: Parts of the benchmark to query; None for all.
        allow_missing: Whether unanswered questions count as wrong instead of ending the run.
        publish: Whether to publish the result as soon as it exists.
        idempotency_key: The same key returns the same submission.
    """

    benchmark: Benchmark
    setting: str
    model: NewModel
    base_url: str
    model_name: str
    api_key: Secret | None = None
    concurrency: int = DEFAULT_CONCURRENCY
    multi_audio: bool = True
    audio_form: AudioForm = "input_audio"
    parts: tuple[str, ...] | None = None
    allow_missing: bool = False
    publish: bool = False
    idempotency_key: str | None = None


class Endpoints:
    """The only way in which endpoints are registered."""

    def __init__(
        self,
        database: Database,
        catalogues: Catalogues,
        accounts: Accounts,
        quotas: Quotas,
        submission_service: SubmissionService,
        vault: Vault,
        *,
        allows_loopback: bool,
    ) -> None:
        """Take the services; `allows_loopback` is for development only."""
        self._database = database
        self._catalogues = catalogues
        self._accounts = accounts
        self._quotas = quotas
        self._submissions = submission_service
        self._vault = vault
        self._allows_loopback = allows_loopback

    def register(self, owner: UserRecord, request: EndpointRequest) -> SubmissionRecord:
        """Register an endpoint. Nothing is sent to it before a maintainer approves it.

        Raises:
            BadRequestError, SettingError: A field is invalid.
            NotReadyError: The benchmark is not registered yet.
            ClosedVersionError: The version accepts no submissions.
            LimitError: The owner's submission limit is reached, or too many of their endpoints await approval.
            AlreadySubmittedError: The same endpoint is already being evaluated.
        """
        key = check_idempotency_key(request.idempotency_key)
        record = self._check(request)
        edition_id = draw_edition_id() if self._catalogues.can_redraw(request.benchmark) else None
        with self._database.write() as transaction:
            users.lock_user(transaction, owner.id)
            now = datetime.now(UTC)
            earlier = submissions.find_by_idempotency_key(transaction, owner.id, key) if key is not None else None
            if earlier is not None:
                return earlier
            new = replace(_to_submission(request, owner, key), edition=edition_id)
            _refuse_same(transaction, new, record)
            if not self._accounts.is_maintainer(owner):
                _require_room(transaction, owner)
            add_closed(transaction, new, now)
            submissions.add_submission(transaction, new, "awaiting-approval", now)
            sealed = None if request.api_key is None else self._vault.seal(new.id, request.api_key)
            endpoints.add_endpoint(transaction, new.id, replace(record, sealed_key=sealed))
            submissions.add_event(
                transaction,
                new.id,
                actor=owner.name,
                from_state=None,
                to_state="awaiting-approval",
                text="Endpoint registered.",
                now=now,
            )
            added = get_any(transaction, new.id)
            title = f"{request.benchmark.title} {request.benchmark.version}"
            self._quotas.charge(transaction, added, owner, title, now)
            audit.append(transaction, owner.name, "register-endpoint", added.id, _about(added, record), now)
            return added

    def register_own(self, owner: UserRecord, request: EndpointRequest) -> SubmissionRecord | None:
        """Register one of our reference systems, which need no approval; None if it is already registered."""
        record = self._check(request, is_ours=True)
        edition_id = draw_edition_id() if self._catalogues.can_redraw(request.benchmark) else None
        now = datetime.now(UTC)
        with self._database.write() as transaction:
            users.lock_user(transaction, owner.id)
            key = request.idempotency_key or ""
            if submissions.find_by_idempotency_key(transaction, owner.id, key) is not None:
                return None
            new = replace(_to_submission(request, owner, key), is_reference=True, edition=edition_id)
            add_closed(transaction, new, now)
            submissions.add_submission(transaction, new, "queued", now)
            endpoints.add_endpoint(transaction, new.id, record)
            for before, after, text in ((None, "received", "Endpoint registered."), ("received", "queued", "Queued.")):
                submissions.add_event(
                    transaction, new.id, actor=owner.name, from_state=before, to_state=after, text=text, now=now
                )
            return get_any(transaction, new.id)

    def list_awaiting(self, actor: UserRecord, limit: int) -> list[tuple[SubmissionRecord, EndpointRecord]]:
        """Return endpoints that await approval, oldest first.

        Raises:
            NotAllowedError: The actor is not a maintainer.
        """
        self._accounts.require_maintainer(actor)
        with self._database.read() as transaction:
            return endpoints.list_in_state(transaction, "awaiting-approval", limit)

    def approve(self, submission_id: str, actor: UserRecord, reason: str = "") -> None:
        """Approve an endpoint.

        Raises:
            NotAllowedError, NotFoundError, BadRequestError, StateError: It cannot be approved.
        """
        said = f"Approved: {check_reason(reason)}" if reason.strip() else "Approved."
        now = datetime.now(UTC)
        with self._database.write() as transaction:
            submission = self._lock_awaiting(transaction, submission_id, actor)
            submissions.join_line(transaction, submission_id, ["awaiting-approval"], now)
            self._note(transaction, submission, actor, "queued", said, now)

    def reject(self, submission_id: str, actor: UserRecord, reason: str) -> None:
        """Reject an endpoint; the submission is given back and the key deleted.

        Raises:
            NotAllowedError, NotFoundError, BadRequestError, StateError: It cannot be rejected.
        """
        text = f"A maintainer rejected the request: {check_reason(reason)}"
        now = datetime.now(UTC)
        failed = {"reason_code": "not-approved", "reason": text, "retryable": False, "fault": "yours"}
        with self._database.write() as transaction:
            submission = self._lock_awaiting(transaction, submission_id, actor)
            states = ["awaiting-approval"]
            submissions.change_state(transaction, submission_id, states, now, state="failed", **failed)
            self._note(transaction, submission, actor, "failed", text, now)

    def retry(self, submission_id: str, actor: UserRecord, api_key: Secret | None = None) -> None:
        """Query the remaining questions of a failed run.

        The key was deleted at the failure and has to be given again; an endpoint without a key may get one.

        Raises:
            NotFoundError, NotAllowedError, StateError: It cannot be retried.
            BadRequestError: The key is missing.
            LimitError: The owner's limit has been reached meanwhile.
        """
        submission = self._submissions.get_retryable(submission_id, actor)
        with self._database.read() as transaction:
            record = endpoints.find_endpoint(transaction, submission.id)
        if record is not None and record.wants_key and api_key is None:
            raise BadRequestError("api_key", "The API key was deleted when the run ended. Send it again as `api_key`.")
        sealed = None if api_key is None else self._vault.seal(submission.id, api_key)

        def renew(transaction: Transaction) -> None:
            if sealed is not None:
                endpoints.give_key(transaction, submission.id, sealed)
            endpoints.set_findings(transaction, submission.id, None)

        self._submissions.retry(submission_id, actor, renew)

    def _check(self, request: EndpointRequest, *, is_ours: bool = False) -> EndpointRecord:
        """Return the stored endpoint without its key."""
        benchmark = request.benchmark
        benchmark.check_setting(request.setting)
        if request.setting not in benchmark.endpoint_settings:
            raise BadRequestError(
                "setting",
                f"Earshot cannot query the setting `{request.setting}` of {benchmark.title}. Settings that it can "
                f"query: {', '.join(benchmark.endpoint_settings)}. For this one, run the model yourself and submit the "
                "file.",
            )
        record = self._catalogues.find_registered(benchmark)
        if record is None:
            raise NotReadyError(f"{benchmark.title} is being prepared. Try again in a few seconds.")
        self._catalogues.find_openness(benchmark).require()
        if not record.n_clips:
            raise BadRequestError(
                "benchmark",
                f"The audio of {benchmark.title} {benchmark.version} is not available on this server, so Earshot "
                "cannot query a model. Run the model yourself and submit the file.",
            )
        _check_parts(benchmark, request)
        described = describe_endpoint(
            request.base_url,
            request.model_name,
            None,
            concurrency=request.concurrency,
            multi_audio=request.multi_audio,
            audio_form=request.audio_form,
            allows_loopback=self._allows_loopback or is_ours,
        )
        return EndpointRecord(
            base_url=trim_route(request.base_url),
            model_name=described.model,
            sealed_key=None,
            wants_key=request.api_key is not None,
            concurrency=described.concurrency,
            multi_audio=described.multi_audio,
            audio_form=described.audio_form,
            parts=request.parts,
        )

    def _lock_awaiting(self, transaction: Transaction, submission_id: str, actor: UserRecord) -> SubmissionRecord:
        self._accounts.require_maintainer(actor)
        submission = get_locked(transaction, submission_id)
        if submission.state != "awaiting-approval":
            raise StateError(
                f"Only a submission that awaits approval can be approved or rejected; this one is {submission.state}."
            )
        return submission

    def _note(
        self,
        transaction: Transaction,
        submission: SubmissionRecord,
        actor: UserRecord,
        to_state: str,
        text: str,
        now: datetime,
    ) -> None:
        submissions.add_event(
            transaction,
            submission.id,
            actor=actor.name,
            from_state=submission.state,
            to_state=to_state,
            text=text,
            now=now,
        )
        act = "approve" if to_state == "queued" else "reject"
        record = endpoints.find_endpoint(transaction, submission.id)
        audit.append(transaction, actor.name, act, submission.id, _about(submission, record) | {"text": text}, now)


def _check_parts(benchmark: Benchmark, request: EndpointRequest) -> None:
    known = sorted(benchmark.parts_of(request.setting))
    if request.parts is not None and not (request.parts and set(request.parts) <= set(known)):
        raise BadRequestError(
            "parts",
            f"Unknown part. `parts` may contain these parts of {benchmark.title} in this setting: {', '.join(known)}.",
        )


def _to_submission(request: EndpointRequest, owner: UserRecord, key: str | None) -> NewSubmission:
    return NewSubmission(
        id=new_submission_id(),
        benchmark=request.benchmark.id,
        version=request.benchmark.version,
        setting=request.setting,
        source=SOURCE,
        owner_id=owner.id,
        model=request.model,
        visibility="public" if request.publish else "private",
        allow_missing=request.allow_missing,
        artifact_sha256=None,
        artifact_bytes=None,
        idempotency_key=key,
    )


def _refuse_same(transaction: Transaction, new: NewSubmission, record: EndpointRecord) -> None:
    earlier = endpoints.find_unfinished(transaction, new, record)
    if earlier is not None:
        raise AlreadySubmittedError(
            earlier,
            f"This model is already being evaluated on the same questions: see {earlier}. Nothing was added. To "
            "register it again, withdraw that submission first.",
        )


def _require_room(transaction: Transaction, owner: UserRecord) -> None:
    """Refuse another endpoint of a user who has enough to approve. The transaction must hold the user's lock."""
    n_awaiting = endpoints.count_awaiting(transaction, owner.id)
    if n_awaiting >= MAX_AWAITING:
        raise LimitError(
            f"{n_awaiting} of your endpoints await a maintainer's approval, the maximum. Nothing was added. Wait until "
            "one is approved, or withdraw one.",
            span="open",
            limit=MAX_AWAITING,
            used=n_awaiting,
            renewed_at=None,
            retry_after=None,
        )


def _about(submission: SubmissionRecord, record: EndpointRecord | None) -> dict[str, object]:
    """Return the details for the audit log, never a key."""
    base_url = record.base_url if record is not None else None
    return {"benchmark": submission.benchmark, "owner": submission.owner.name, "base_url": base_url}
