"""Endpoint runner: resumable querying of a submission's model; every response is stored, none is requested twice."""

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from threading import Event
from typing import Any

from db.endpoint_records import EndpointRecord, ResponseRecord
from db.lease_records import SubmissionJob
from db.records import SubmissionRecord
from db.repositories import endpoints, evaluations, submissions
from db.repositories.leases import LeaseLostError
from db.session import Database, Transaction
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark
from evaluation.predictions.row_faults import MAX_RESPONSE_CHARACTERS
from submissions.accounts.credentials import SYSTEM_USER
from submissions.endpoints.querying.engine import Means, query_all
from submissions.endpoints.querying.probing import Probe, ProbeResult, probe
from submissions.endpoints.querying.query_records import (
    EndpointConfig,
    ItemQuery,
    ItemResponse,
    Progress,
    RunFailure,
    describe_endpoint,
)
from submissions.endpoints.querying.retry_policy import find_most_abandoned
from submissions.endpoints.vault import Vault, VaultError
from submissions.errors import BadRequestError
from submissions.jobs.leased_jobs import LEASE

_LOG = logging.getLogger(__name__)
# As for files: keep the end, which contains the answer.
_LONGEST_KEPT = MAX_RESPONSE_CHARACTERS
MAX_KEPT = 100_000_000
"""Maximum characters of all answers of a submission, so that an untrusted server cannot fill the disk."""
MAX_SECONDS = 72 * 3600.0
"""Maximum querying time of a submission over all attempts; then it ends with a reason, however slowly it answers."""
QUERYING_SHARE = 0.98
"""Share of the displayed progress; scoring is the rest."""


class EndpointError(Exception):
    """An endpoint could not be queried completely; `ending` says whose fault it is and whether to retry."""

    def __init__(self, ending: RunFailure) -> None:
        self.ending = ending
        super().__init__(ending.reason)


class EndpointRunStoppedError(Exception):
    """This evaluator has to end; responses are stored, and another evaluator continues."""


class EndpointRunner:
    """Queries endpoints, under the leases of their submissions."""

    def __init__(
        self,
        database: Database,
        vault: Vault,
        stop: Event,
        serve: Callable[[], AbstractContextManager[str]],
        *,
        allows_loopback: bool = False,
        means: Means | None = None,
    ) -> None:
        """Take the database, the vault, the stop event, the listener server, and the query configuration."""
        self._database = database
        self._vault = vault
        self._stop = stop
        self._serve = serve
        self._allows_loopback = allows_loopback
        self._means = means or Means()

    def query_endpoint(
        self, job: SubmissionJob, benchmark: Benchmark, key: AnswerKey, sign: Callable[[], None]
    ) -> None:
        """Query everything that has no response yet.

        Args:
            job: The claimed submission.
            benchmark: The benchmark.
            key: Identifies the questions and renders their clips.
            sign: Called regularly as a sign of progress.

        Raises:
            EndpointError: The endpoint cannot be queried, or not completely.
            EndpointRunStoppedError: This evaluator has to end.
            LeaseLostError: Another evaluator has the submission, or it was withdrawn.
        """
        submission = job.work
        record = self.get_record(submission)
        with self._serve_own(submission) as url:
            self._query_all(job, benchmark, key, record if url is None else replace(record, base_url=url), sign)

    def _query_all(
        self,
        job: SubmissionJob,
        benchmark: Benchmark,
        key: AnswerKey,
        record: EndpointRecord,
        sign: Callable[[], None],
    ) -> None:
        submission = job.work
        with self._database.read() as transaction:
            answered = endpoints.list_answered(transaction, submission.id)
        questions = list_questions(benchmark, key, submission.setting, record.parts)
        if not questions:
            reason = "The questions of these parts are not available on this server. Register other parts."
            raise EndpointError(RunFailure("endpoint-without-questions", reason, retryable=False))
        left = [question for question in questions if (question.id, question.run) not in answered]
        if not left:
            return
        endpoint = self._open(submission, record)
        self._look_first(job, endpoint, record, sign)
        run = _Run(self._database, job, len(questions), self._stop, sign)
        asked = query_all(
            endpoint,
            left,
            lambda clip: benchmark.render_heard(key, clip, submission.setting),
            run.store_responses,
            run.report,
            self._means,
        )
        # A few unanswered questions are missing answers if the submitter allows that.
        is_tried = asked.progress.n_done + asked.progress.n_abandoned == len(left)
        most = find_most_abandoned(len(questions), self._means.retry_policy.abandoned_rate)
        is_little = asked.progress.n_abandoned <= most
        if asked.ending is not None and not (submission.allow_missing and is_tried and is_little):
            raise EndpointError(asked.ending)

    def _serve_own(self, submission: SubmissionRecord) -> AbstractContextManager[str | None]:
        """Serve our own listeners while one of them is queried; all other models have their own servers."""
        return self._serve() if submission.owner.name == SYSTEM_USER else nullcontext()

    def get_record(self, submission: SubmissionRecord) -> EndpointRecord:
        """Return the endpoint of a submission.

        Raises:
            EndpointError: There is none.
        """
        with self._database.read() as transaction:
            record = endpoints.find_endpoint(transaction, submission.id)
        if record is None:
            raise EndpointError(RunFailure("endpoint-unknown", "The submission has no endpoint.", retryable=False))
        return record

    def _open(self, submission: SubmissionRecord, record: EndpointRecord) -> EndpointConfig:
        if record.wants_key and record.sealed_key is None:
            reason = "The API key is no longer stored. Retry, and enter the key again."
            raise EndpointError(RunFailure("endpoint-key", reason, retryable=True))
        try:
            secret = None if record.sealed_key is None else self._vault.open(submission.id, record.sealed_key)
            is_ours = submission.owner.name == SYSTEM_USER
            endpoint = to_endpoint(record, allows_loopback=self._allows_loopback or is_ours)
        except VaultError as error:
            _LOG.error("%s", error)
            reason = "The API key can no longer be decrypted. Retry, and enter the key again."
            raise EndpointError(RunFailure("endpoint-key", reason, retryable=True, fault="yours")) from None
        except BadRequestError as error:
            raise EndpointError(RunFailure("endpoint-address", str(error), retryable=False)) from None
        return replace(endpoint, key=secret)

    def _look_first(
        self, job: SubmissionJob, endpoint: EndpointConfig, record: EndpointRecord, sign: Callable[[], None]
    ) -> None:
        """Probe an endpoint before sending thousands of questions."""
        if record.findings is None:
            found = self._probe(job, endpoint, sign)
        else:  # an evaluator may have been killed after storing the findings and before acting on them
            found = Probe(tuple(ProbeResult(**one) for one in record.findings), repeats=False)
        if not found.is_ready:
            wrong = next(one for one in found.findings if not one.is_ok)
            reason = f"The endpoint check failed ({wrong.check}). {wrong.detail}"
            raise EndpointError(RunFailure("endpoint-not-ready", reason, retryable=True))

    def _probe(self, job: SubmissionJob, endpoint: EndpointConfig, sign: Callable[[], None]) -> Probe:
        found = probe(endpoint, self._means, lambda: self._go_on(job, sign))
        now = datetime.now(UTC)
        with self._database.write() as transaction:
            _hold(transaction, job, 0.0, now)
            endpoints.set_findings(transaction, job.work.id, [asdict(one) for one in found.findings])
            submissions.add_event(
                transaction,
                job.work.id,
                actor="evaluator",
                from_state="running",
                to_state="running",
                text=f"Endpoint check: {describe_findings(found.findings)}.",
                now=now,
            )
        return found

    def _go_on(self, job: SubmissionJob, sign: Callable[[], None]) -> None:
        sign()
        with self._database.write() as transaction:
            _hold(transaction, job, None, datetime.now(UTC))
        if self._stop.is_set():
            raise EndpointRunStoppedError


class _Run:
    """State written while an endpoint is queried: responses, progress and the lease, together."""

    def __init__(
        self, database: Database, job: SubmissionJob, n_questions: int, stop: Event, sign: Callable[[], None]
    ) -> None:
        self._database = database
        self._job = job
        self._n_questions = n_questions
        self._stop = stop
        self._sign = sign
        self._began = time.monotonic()
        self._has_moved = False
        with database.read() as transaction:
            self._n_before, self._n_kept = endpoints.count_answered(transaction, job.work.id)
            record = endpoints.find_endpoint(transaction, job.work.id)
        self._earlier = dict(record.progress or {}) if record is not None else {}

    def store_responses(self, responses: Sequence[ItemResponse]) -> None:
        now = datetime.now(UTC)
        kept = [_to_record(one) for one in responses]
        self._n_kept += sum(len(one.text) for one in kept)
        if self._n_kept > MAX_KEPT:
            reason = (
                f"The responses have more than {MAX_KEPT:,} characters in total. Limit their length, and register "
                "the endpoint again."
            )
            raise EndpointError(RunFailure("endpoint-too-long", reason, retryable=False))
        with self._database.write() as transaction:
            _hold(transaction, self._job, None, now)
            endpoints.keep_responses(transaction, self._job.work.id, kept, now)
            if not self._has_moved:
                # Runs with progress are not given up because evaluators are restarted now and then.
                submissions.restart_attempts(transaction, self._job.work.id)
                self._has_moved = True

    def report(self, progress: Progress) -> None:
        self._sign()
        done = self._n_before + progress.n_done
        share = QUERYING_SHARE * done / self._n_questions
        with self._database.write() as transaction:
            _hold(transaction, self._job, share, datetime.now(UTC))
            endpoints.set_progress(transaction, self._job.work.id, self._add_up(progress, done))
        if self._stop.is_set():
            raise EndpointRunStoppedError
        if self._seconds > MAX_SECONDS:
            reason = f"The run took {MAX_SECONDS / 3600:.0f} hours and answered only {done:,} of "
            reason += (
                f"{self._n_questions:,} questions. Register the endpoint again when it is faster, or allow more "
                "parallel requests."
            )
            raise EndpointError(RunFailure("endpoint-too-slow", reason, retryable=False))

    @property
    def _seconds(self) -> float:
        """Querying time over all attempts."""
        return float(self._earlier.get("seconds", 0.0)) + time.monotonic() - self._began

    def _add_up(self, progress: Progress, done: int) -> dict[str, Any]:
        """Return the statistics of all attempts together."""
        earlier = self._earlier
        failures = dict(earlier.get("failures", {}))
        for kind, count in progress.failures.items():
            failures[kind] = failures.get(kind, 0) + count
        now = asdict(progress)
        summed = ("n_calls", "n_truncated", "tokens_in", "tokens_out")
        return (
            {name: earlier.get(name, 0) + now[name] for name in summed}
            | {"n_questions": self._n_questions, "n_done": done, "n_abandoned": progress.n_abandoned}
            | {"seconds": round(self._seconds, 1)}
            | {"per_second": round(progress.per_second, 2), "failures": failures}
        )


def _hold(transaction: Transaction, job: SubmissionJob, share: float | None, now: datetime) -> None:
    """Renew the lease of a running submission.

    Raises:
        LeaseLostError: Another evaluator holds it, or the submission was withdrawn.
    """
    submissions.lock_submission(transaction, job.work.id)  # Before its evaluation, in the same order as a claim.
    progress = {} if share is None else {"progress": share}
    evaluations.LEASES.renew(transaction, job.lease, now + LEASE + timedelta(seconds=30), **progress)
    found = submissions.find_submission(transaction, job.work.id)
    if found is None or found.state != "running":
        raise LeaseLostError(f"{job.work.id} is no longer running.")


def _to_record(response: ItemResponse) -> ResponseRecord:
    reply = response.reply
    return ResponseRecord(
        item=response.id,
        run=response.run,
        text=reply.text[-_LONGEST_KEPT:],
        finish=reply.finish,
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
        model=reply.model,
        request_digest=response.request_digest,
        n_calls=response.n_calls,
        seconds=round(response.seconds, 4),
    )


def list_questions(
    benchmark: Benchmark, key: AnswerKey, setting: str, wanted: Sequence[str] | None = None
) -> list[ItemQuery]:
    """Return every run of a benchmark under a setting as a question, adjacent if they share clips.

    Args:
        benchmark: The benchmark.
        key: Identifies its questions; nothing about answers leaves it.
        setting: The setting.
        wanted: Parts to query; all by default.
    """
    content = benchmark.content(key)
    parts = frozenset(wanted) if wanted is not None else content.parts
    runs = (
        benchmark.run(item, number, setting)
        for item in content.items
        if item.part in parts and benchmark.includes_task(setting, item.part, item.task)
        for number in item.runs
    )
    seeded = benchmark.runs_are_seeds
    questions = [ItemQuery(run.id, run.run, run.prompt, run.run if seeded else None) for run in runs]
    return sorted(questions, key=lambda question: (question.clips, question.id, question.run))


def reseal_keys(database: Database, vault: Vault) -> int:
    """Re-seal every stored key with the current secret; return how many had an earlier one."""
    with database.read() as transaction:
        sealed = endpoints.list_sealed_keys(transaction)
    n_changed = 0
    for submission_id, key in sealed:
        try:
            anew = vault.reseal(submission_id, key)
        except VaultError as error:
            _LOG.error("%s", error)
            continue
        if anew is not None:
            with database.write() as transaction:
                n_changed += endpoints.replace_key(transaction, submission_id, key, anew)
    return n_changed


def to_endpoint(record: EndpointRecord, *, allows_loopback: bool) -> EndpointConfig:
    """Return an endpoint in the form for querying, without its key.

    Raises:
        BadRequestError: It must not be queried (any more).
    """
    return describe_endpoint(
        record.base_url,
        record.model_name,
        None,
        concurrency=record.concurrency,
        multi_audio=record.multi_audio,
        audio_form="data-url" if record.audio_form == "data-url" else "input_audio",
        allows_loopback=allows_loopback,
    )


def describe_findings(findings: Sequence[ProbeResult]) -> str:
    """Return the findings of a probe in one line."""
    words = {True: "yes", False: "no", None: "not tried"}
    return ", ".join(f"{finding.check}: {words[finding.is_ok]}" for finding in findings)
