"""Evaluator process: works on the queue until it is stopped.

`python -m submissions worker` becomes this program.
"""

import argparse
import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

from apscheduler.schedulers.background import BackgroundScheduler

from command_line import DONE, add_verbose, end_process, is_verbose, run_command
from db.errors import DatabaseError, DatabaseUnableError
from db.judge_records import JudgeBudget, JudgePrice
from db.records import UserRecord
from db.repositories import users, workers
from db.session import Database
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import all_benchmarks
from evaluation.errors import AnswerKeyError, EvaluationError
from settings import EvaluatorSettings, SettingsError, load_evaluator_settings
from settings.environments import listener_environment, pack_environment
from submissions.accounts.credentials import SYSTEM_USER, Accounts
from submissions.cli.worker_options import add_worker_options
from submissions.comparisons.comparer import Comparer
from submissions.editions.closing import end_overdue
from submissions.editions.edition_packs import EditionPacks
from submissions.editions.edition_rendering import EditionMaker
from submissions.endpoints.endpoint_service import Endpoints
from submissions.endpoints.runner import EndpointRunner, reseal_keys
from submissions.endpoints.vault import Vault, open_vault
from submissions.errors import SubmissionError
from submissions.intake.artifacts import ArtifactStore
from submissions.intake.catalogues import Catalogues
from submissions.intake.quota_service import Quotas
from submissions.intake.submission_limits import NO_LIMITS
from submissions.jobs.change_watch import ChangeWatch
from submissions.jobs.judge_queues import JudgeQueues
from submissions.jobs.pack_rendering import PackKeeper
from submissions.jobs.queue import open_queue
from submissions.jobs.registration import ensure_key, load_published, register_all, submit_chance
from submissions.jobs.round_robin import RoundRobin, start_queue_thread
from submissions.jobs.worker_names import worker_name
from submissions.judging import Connect, Judging
from submissions.keys.identity import ForeignKeyError
from submissions.keys.remote import KeyStorageError, open_key_storage
from submissions.keys.watch import KeyWatch
from submissions.operations.data_folder import finish_restore, share_folder
from submissions.operations.hardening import forbid_inspection, limit_process, set_on_stop_signals
from submissions.operations.heartbeat_pipe import add_pipe_option, start_heartbeat
from submissions.operations.private_files import keep_files_private
from submissions.practice.practice_scorer import PracticeScorer
from submissions.reference_systems.listener_server import serve_listeners
from submissions.reference_systems.references import References
from submissions.rescoring.reevaluator import Reevaluator
from submissions.scoring.evaluator import Evaluator
from submissions.service import SubmissionService

_LOG = logging.getLogger(__name__)
RANK_SECONDS = 0.5
HEARTBEAT_SECONDS = 5
REQUEUE_SECONDS = 5
KEY_SECONDS = 2
REFERENCE_SECONDS = 2
EDITION_SECONDS = 1
OVERDUE_SECONDS = 60
SILENT_SECONDS = 300.0
LONGEST_REST_SECONDS = 5.0
# Maximum number of endpoints queried at once; each takes minutes or hours, mostly waiting.
N_ENDPOINTS = 4
_FORGET_AFTER = timedelta(days=1)


def main(
    arguments: Sequence[str] | None = None, connect_with: Callable[[EvaluatorSettings], Connect] | None = None
) -> int:
    """Run an evaluator until it is stopped.

    Args:
        arguments: Command line; by default, this process's.
        connect_with: Creates the connection to the configured judge; without it open answers wait.

    Returns:
        The exit code: 0 done, 1 failed, 2 wrong usage.
    """
    parser = argparse.ArgumentParser(prog="python -m submissions worker", description="Run an evaluator.")
    add_worker_options(parser)
    add_pipe_option(parser)
    add_verbose(parser)
    parser.set_defaults(run=partial(_run, connect_with))
    options = parser.parse_args(arguments)
    start_heartbeat(options.heartbeat_pipe)
    forbid_inspection()
    keep_files_private()
    logging.basicConfig(level=logging.INFO if is_verbose(options) else logging.WARNING, format="%(message)s")
    # Skipped ticks and single calls to a judge are not worth logging.
    for talkative in ("apscheduler", "httpx2", "openai"):
        logging.getLogger(talkative).setLevel(logging.ERROR)
    # The command that started this process has reported settings without effect.
    failures = (EvaluationError, DatabaseError, SubmissionError)
    return run_command(options, misuses=(SettingsError,), failures=failures)


def _run(connect_with: Callable[[EvaluatorSettings], Connect] | None, options: argparse.Namespace) -> int:
    settings = load_evaluator_settings()
    limit_process(settings.evaluator_memory_mb << 20)
    connect = None if connect_with is None else connect_with(settings)
    make_packs, with_references = not options.no_packs, not options.no_references
    settings.make_data_dir()
    finish_restore(settings.data_dir)
    with share_folder(settings.data_dir):
        Worker(settings, make_packs=make_packs, with_references=with_references, connect=connect).run()
    return DONE


class Worker:
    """An evaluator process: its services and its timers."""

    def __init__(
        self,
        settings: EvaluatorSettings,
        *,
        make_packs: bool = True,
        with_references: bool = True,
        connect: Connect | None = None,
    ) -> None:
        """Take the settings, and whether question packs and reference systems are left to another evaluator.

        `connect` creates the connection to the configured judge; without it open answers wait.
        """
        self._settings = settings
        self._make_packs = make_packs
        self._with_references = with_references
        self._references: References | None = None
        self._askers: list[Evaluator] = []
        self._name = worker_name()
        self._started_at = datetime.now(UTC)
        self._keys: dict[str, str] = {}
        self._problem: str | None = None
        self._remote_keys = open_key_storage(settings.answer_keys, settings.keys_token_text, os.environ)
        self._stop = threading.Event()
        self._rank_at = 0.0
        self._database = Database(settings.url, is_replicated=settings.replica_url is not None)
        self._artifacts = ArtifactStore(settings.artifacts_url, settings.data_dir / "incoming")
        self._queue = open_queue(self._database, self._name)
        self._evaluator = Evaluator(self._database, self._queue, self._artifacts, settings.answer_keys_dir)
        self._reevaluator = Reevaluator(self._database, self._evaluator, self._name)
        self._comparer = Comparer(self._database, settings.answer_keys_dir, self._name)
        keys_dir = settings.answer_keys_dir
        self._practice_scorer = PracticeScorer(self._database, self._artifacts, keys_dir, self._name)
        self._judge_queues = None if connect is None else self._make_judge_queues(connect)
        rescoring = () if self._judge_queues is not None else (self._reevaluator.run_next,)
        acts = (self._evaluator.run_next, *rescoring, self._comparer.run_next, self._practice_scorer.run_next)
        self._round_robin = RoundRobin(self._queue, acts)
        self._vault = _open_vault(settings)
        self._endpoint_runner = EndpointRunner(
            self._database,
            self._vault,
            self._stop,
            partial(serve_listeners, listener_environment()),
            allows_loopback=settings.allow_loopback_endpoints,
        )
        self._packs = PackKeeper(settings.packs_dir, pack_environment(settings.answer_keys_dir))
        self._edition_maker = EditionMaker(
            self._database,
            settings.answer_keys_dir,
            EditionPacks(settings.edition_packs_dir),
            pack_environment(settings.answer_keys_dir),
            self._name,
            self._stop,
        )
        self._watch = KeyWatch(settings.answer_keys_dir)
        self._changes = ChangeWatch(self._database)

    def prepare(self) -> None:
        """Migrate the schema, create keys, register benchmarks, load reported rows, and submit the chance system.

        If the keys are not those of the database, nothing else happens until an operator resolves the conflict.
        """
        self._settings.data_dir.mkdir(parents=True, exist_ok=True)
        self._database.upgrade()
        self._queue.requeue_lost()
        reseal_keys(self._database, self._vault)
        while not self._register():
            if self._stop.wait(KEY_SECONDS):
                return
        self._watch.has_changed()
        self._record_heartbeat()
        load_published(self._database)
        self._submit_chance()
        self._want_packs()

    def _register(self) -> bool:
        """Register the benchmarks; False if their keys are not those of the database, or cannot be stored."""
        problem = None
        try:
            if self._remote_keys is not None:
                self._remote_keys.synchronize(self._settings.answer_keys_dir)
            self._keys = register_all(self._database, self._settings.answer_keys_dir, self._publish_key)
        except (ForeignKeyError, KeyStorageError) as error:
            problem = str(error)
        if problem is not None and problem != self._problem:
            _LOG.error("%s", problem)
        self._problem = problem
        if problem is not None:
            self._record_heartbeat()
        return problem is None

    def _look_after_keys(self) -> None:
        """Load keys that were imported, corrected or replaced since the last check; render the next pack."""
        if self._watch.has_changed():
            self._take_up_keys()
        if self._make_packs:
            self._packs.tick()

    def _take_up_keys(self) -> None:
        try:
            self._keys = register_all(self._database, self._settings.answer_keys_dir, self._publish_key)
            self._submit_chance()
            self._want_packs()
            self._references = None
        except ForeignKeyError:
            # Scoring with them would reject valid files. The next start waits for the right keys and says so.
            _LOG.critical("the answer keys were replaced; this evaluator stops")
            os.kill(os.getpid(), signal.SIGKILL)
        except AnswerKeyError as error:
            # Running work continues; work that needs this key fails with its own reason.
            _LOG.error("%s", error)
        except Exception:
            self._watch.forget()  # the next check retries it
            raise

    def _publish_key(self, key: AnswerKey) -> AnswerKey:
        return key if self._remote_keys is None else self._remote_keys.publish(key)

    def _want_packs(self) -> None:
        if self._make_packs:
            catalogues = self._own_catalogues()
            for benchmark in all_benchmarks():
                key = ensure_key(self._settings.answer_keys_dir, benchmark)
                self._packs.want(benchmark, key if catalogues.offers_shared_split(benchmark) else None)

    def run(self) -> None:
        """Work until SIGTERM or SIGINT; a submission that is being scored is completed first."""
        with set_on_stop_signals(self._stop):
            self.prepare()
            if not self._stop.is_set():
                self._process_jobs()
        self._packs.stop()
        self._database.close()

    def _process_jobs(self) -> None:
        scheduler = BackgroundScheduler(timezone=UTC, job_defaults={"max_instances": 1, "coalesce": True})
        # Separate from scoring: resampling a large board takes seconds.
        self._add_tick(scheduler, self._rank, RANK_SECONDS)
        self._add_tick(scheduler, self._record_heartbeat, HEARTBEAT_SECONDS)
        self._add_tick(scheduler, self._queue.requeue_lost, REQUEUE_SECONDS)
        self._add_tick(scheduler, self._end_when_stuck, REQUEUE_SECONDS)
        self._add_tick(scheduler, self._look_after_keys, KEY_SECONDS)
        self._add_tick(scheduler, lambda: end_overdue(self._database, datetime.now(UTC)), OVERDUE_SECONDS)
        if self._make_packs:
            self._add_tick(scheduler, self._make_editions, EDITION_SECONDS)
        if self._with_references:
            self._add_tick(scheduler, self._send_reference, REFERENCE_SECONDS)
        scheduler.start()
        _LOG.info("evaluator %s is ready", self._name)
        threads = [self._start_endpoint_queue(number) for number in range(N_ENDPOINTS)]
        if self._judge_queues is not None:
            threads += self._judge_queues.start(self._stop)
        self._queue.watch(self._round_robin, self._stop)
        for thread in threads:
            thread.join()
        scheduler.shutdown(wait=True)

    def _make_editions(self) -> None:
        """Render the packs of editions that are waited for, one after the other."""
        while not self._stop.is_set() and self._edition_maker.run_next():
            pass

    def _make_judge_queues(self, connect: Connect) -> JudgeQueues:
        settings = self._settings
        judging = Judging(
            self._database,
            connect,
            settings.judge_model or "",
            settings.judge_repeats,
            _read_budget(settings),
            settings.judge_sort_errors,
            self._stop,
        )
        return JudgeQueues(self._database, self._artifacts, settings.answer_keys_dir, self._name, judging)

    def _start_endpoint_queue(self, number: int) -> threading.Thread:
        queue = open_queue(self._database, self._name, lane="endpoints")
        folder = self._settings.answer_keys_dir
        evaluator = Evaluator(self._database, queue, self._artifacts, folder, endpoint_runner=self._endpoint_runner)
        self._askers.append(evaluator)
        return start_queue_thread(f"endpoint-{number}", queue, (evaluator.run_next,), self._stop)

    def _add_tick(self, scheduler: BackgroundScheduler, act: Callable[[], object], seconds: float) -> None:
        def tick() -> None:
            try:
                act()
            except DatabaseUnableError as error:  # one log line, and the next tick retries
                _LOG.warning("cannot use the database (%s)", error.orig)

        scheduler.add_job(tick, "interval", seconds=seconds)

    def _rank(self) -> None:
        """Rank changed boards, then pause for as long, so that a long queue does not rank after every submission."""
        began = time.monotonic()
        if began < self._rank_at or not self._changes.may_find_work():
            return
        self._evaluator.refresh_stale_boards()
        ended = time.monotonic()
        self._rank_at = ended + min(ended - began, LONGEST_REST_SECONDS)

    def _end_when_stuck(self) -> None:
        """End this process if it hangs: no other thread could take over, but a new process can.

        Its work is requeued, and given up after a few such ends.
        """
        of_queues = self._judge_queues.silent_seconds if self._judge_queues is not None else 0.0
        evaluators = (self._evaluator, *self._askers)
        if max(of_queues, *(one.silent_seconds for one in evaluators)) > SILENT_SECONDS:
            _LOG.critical("no submission has made progress for %.0f s; this evaluator stops", SILENT_SECONDS)
            os.kill(os.getpid(), signal.SIGKILL)

    def _record_heartbeat(self) -> None:
        now = datetime.now(UTC)
        with self._database.write() as transaction:
            judge = self._judge_queues.judge if self._judge_queues is not None else None
            workers.record_heartbeat(transaction, self._name, self._keys, self._started_at, now, judge, self._problem)
            workers.forget_workers(transaction, now - _FORGET_AFTER)

    def _submit_chance(self) -> None:
        submit_chance(self._own_service(), self._settings.answer_keys_dir, self._own_user())

    def _send_reference(self) -> None:
        """Submit the next reference system once the previous one has ended."""
        if self._references is None:
            accounts = Accounts(self._database, ())
            endpoints = Endpoints(
                self._database,
                self._own_catalogues(),
                accounts,
                Quotas(self._database, NO_LIMITS, accounts),
                self._own_service(),
                self._vault,
                allows_loopback=False,
            )
            keys_dir = self._settings.answer_keys_dir
            self._references = References(self._database, endpoints, keys_dir, self._own_user())
        self._references.submit_next()

    def _own_service(self) -> SubmissionService:
        accounts, catalogues = Accounts(self._database, ()), self._own_catalogues()
        limit = self._settings.max_upload_bytes
        return SubmissionService(self._database, self._artifacts, catalogues, accounts, limit, NO_LIMITS)

    def _own_catalogues(self) -> Catalogues:
        return Catalogues(self._database, shared_splits_until=self._settings.shared_splits_until)

    def _own_user(self) -> UserRecord:
        with self._database.write() as transaction:
            return users.get_or_add_user(transaction, SYSTEM_USER, datetime.now(UTC))


def _read_budget(settings: EvaluatorSettings) -> JudgeBudget:
    prompt, completion = settings.judge_price_input, settings.judge_price_output
    price = None if prompt is None or completion is None else JudgePrice(prompt, completion)
    return JudgeBudget(settings.judge_max_calls_per_day, settings.judge_max_cost_per_day, price)


def _open_vault(settings: EvaluatorSettings) -> Vault:
    settings.make_data_dir()
    return open_vault(settings.secret_text, settings.secret_path)


if __name__ == "__main__":
    end_process(main())
