"""Rendering of the question packs of editions: one after the other, each in a process of its own, under a lease."""

import logging
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from db.edition_records import EditionRecord, RenderedEdition
from db.lease_records import Job, Lease
from db.repositories import editions
from db.session import Database, Transaction
from evaluation.answer_keys import AnswerKey, find_key
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.errors import AnswerKeyError, PackError, UnknownBenchmarkError
from evaluation.packs import pack_name
from submissions.editions.edition_limits import OPEN_FOR
from submissions.editions.edition_packs import EditionPacks
from submissions.editions.public_items import encode_items
from submissions.editions.retired_designs import explain_retirement
from submissions.jobs.leased_jobs import LEASE, Checkpoint, RequestedJob, explain_failure, utc_now
from submissions.ranking.question_keys import LostEditionError, require_same_questions

_LOG = logging.getLogger(__name__)
MAX_ATTEMPTS = 5
_PAUSE = timedelta(seconds=60)
_LOST = f"Rendering this pack failed {MAX_ATTEMPTS} times. This is our error; request the pack again."
# A submission that arrives while a pack is rendered has priority.
_NICENESS = "10"
_STEP_SECONDS = 0.2
# Every note is a durable write.
_PROGRESS_STEP = 0.05
_RENEW_SECONDS = 15.0
RENDERING_PROGRAM = (sys.executable, "-m", "evaluation", "pack")
_PROGRESS = re.compile(rb"([\d,]+) of ([\d,]+) clips")
_KEPT_OUTPUT_BYTES = 2_000


@dataclass(frozen=True, slots=True)
class _Ready:
    """The pack is complete."""

    rendered: RenderedEdition


@dataclass(frozen=True, slots=True)
class _Failed:
    """The pack could not be rendered; `is_final` if nobody tries again by itself."""

    explanation: str
    is_final: bool = False


@dataclass(frozen=True, slots=True)
class _Stopped:
    """This evaluator ends before the pack is complete."""


_Ending = _Ready | _Failed | _Stopped


class EditionMaker(RequestedJob[EditionRecord, _Ending]):
    """Renders the packs of editions in the order of requests, and opens the editions that wait for them."""

    leases = editions.LEASES
    max_attempts = MAX_ATTEMPTS
    claimed_label = "edition-claimed"

    def __init__(
        self,
        database: Database,
        keys_dir: Path,
        packs: EditionPacks,
        environment: Mapping[str, str],
        worker: str,
        stop: threading.Event,
        checkpoint: Checkpoint = lambda _label: None,
        program: Sequence[str] = RENDERING_PROGRAM,
    ) -> None:
        """Take the services, the rendering program with its environment, and the event that ends this evaluator."""
        super().__init__(database, worker, checkpoint)
        self._keys_dir = keys_dir
        self._packs = packs
        self._environment = dict(environment)
        self._stop = stop
        self._program = tuple(program)

    def _find_next(self, transaction: Transaction, _now: datetime) -> Lease | None:
        return editions.find_first_wanted(transaction)

    def _claim(self, transaction: Transaction, current: Lease, lease: Lease) -> EditionRecord | None:
        return editions.claim_edition(transaction, current, lease)

    def _work(self, job: Job[EditionRecord]) -> _Ending:
        edition = job.work
        benchmark = get_benchmark(edition.benchmark, edition.version)
        key = find_edition_key(self._keys_dir, benchmark, edition.id)
        content = benchmark.content(key)
        require_same_questions(benchmark, key, edition.content_digest)
        out = self._packs.path(pack_name(content))
        if not out.is_file():
            self._packs.make_room()
            if not self._render(job, benchmark, out):
                return _Stopped()
        self._checkpoint("edition-rendered")
        rendered = RenderedEdition(
            design=benchmark.design_digest,
            content_digest=content.digest,
            n_items=len(content.items),
            items=encode_items(benchmark, content),
            pack=out.name,
            expires_at=utc_now() + OPEN_FOR,
        )
        return _Ready(rendered)

    def _render(self, job: Job[EditionRecord], benchmark: Benchmark, out: Path) -> bool:
        """Render a pack; return False if this evaluator has to end before.

        Raises:
            PackError: The rendering process failed.
        """
        process = self._start(job.work, benchmark, out)
        output, noted, noted_at = b"", 0.0, time.monotonic()
        try:
            has_ended = False
            while not has_ended:
                has_ended = _has_ended(process)
                output = (output + _read_available(process))[-_KEPT_OUTPUT_BYTES:]
                if self._stop.is_set() and not has_ended:
                    return False
                progress = _find_progress(output)
                if progress - noted >= _PROGRESS_STEP or time.monotonic() - noted_at > _RENEW_SECONDS:
                    self._note(job, progress)
                    noted, noted_at = progress, time.monotonic()
        finally:
            _end_process(process)
        if process.returncode:
            _LOG.error("edition %s: %s", job.work.id, output.decode(errors="replace").strip())
            raise PackError(f"The pack of {job.work.id} could not be rendered (exit code {process.returncode}).")
        return True

    def _start(self, edition: EditionRecord, benchmark: Benchmark, out: Path) -> subprocess.Popen[bytes]:
        command = [
            *self._program,
            "--benchmark",
            benchmark.id,
            "--version",
            benchmark.version,
            "--split",
            "test",
            "--edition",
            edition.id,
        ]
        command += ["--end-with-parent", str(os.getpid()), "--out", str(out.absolute())]
        process = subprocess.Popen(  # noqa: S603 - our own command line; IDs come from the registry and our database
            ["nice", "-n", _NICENESS, *command],  # noqa: S607 - POSIX has nice
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        if process.stderr is not None:
            os.set_blocking(process.stderr.fileno(), False)
        return process

    def _note(self, job: Job[EditionRecord], progress: float) -> None:
        with self._database.write() as transaction:
            self.leases.renew(transaction, job.lease, utc_now() + LEASE, progress=progress)

    def _give_up(self, _job: Job[EditionRecord]) -> _Ending:
        return _Failed(_LOST, is_final=True)

    def _explain(self, job: Job[EditionRecord], error: Exception) -> _Ending:
        if isinstance(error, LostEditionError):
            return _Failed(str(error), is_final=True)
        if isinstance(error, UnknownBenchmarkError):
            return _Failed(explain_retirement(job.work), is_final=True)
        return _Failed(explain_failure("rendering of this pack", job.lease, error))

    def _end(self, job: Job[EditionRecord], ending: _Ending) -> None:
        now = utc_now()
        with self._database.write() as transaction:
            match ending:
                case _Ready(rendered):
                    editions.record_pack(transaction, job.lease, rendered, now)
                    self._checkpoint("edition-recording")
                case _Failed(explanation, is_final):
                    if is_final:
                        editions.give_up_pack(transaction, job.lease, explanation)
                    else:
                        text = f"{explanation} Earshot retries it automatically."
                        editions.postpone_pack(transaction, job.lease, now + _PAUSE, text)
                case _Stopped():
                    self.leases.revoke(transaction, job.lease, attempts=0, progress=0.0)


def find_edition_key(keys_dir: Path, benchmark: Benchmark, edition: str) -> AnswerKey:
    """Return the key of an edition.

    Raises:
        AnswerKeyError: The key of the test split, from which it is derived, is missing.
    """
    key = find_key(keys_dir, benchmark.id, benchmark.version, "test")
    if key is None:
        raise AnswerKeyError(f"No answer key of {benchmark.id} {benchmark.version} in {keys_dir}.")
    return benchmark.make_edition_key(key, edition)


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Wait for the end of a process for at most one step; return whether it has ended."""
    try:
        process.wait(_STEP_SECONDS)
    except subprocess.TimeoutExpired:
        return False
    return True


def _read_available(process: subprocess.Popen[bytes]) -> bytes:
    return (process.stderr.read() or b"") if process.stderr is not None else b""


def _find_progress(output: bytes) -> float:
    """Return the fraction that a rendering process reported last."""
    found = _PROGRESS.findall(output)
    if not found:
        return 0.0
    n_done, total = (int(number.replace(b",", b"")) for number in found[-1])
    return min(1.0, n_done / total) if total else 0.0


def _end_process(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        process.wait()
    if process.stderr is not None:
        process.stderr.close()
