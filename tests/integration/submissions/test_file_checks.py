"""Checks of files in processes of their own: the same verdicts, limits, and what happens when one is killed."""

import io
import json
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

import psutil
import pytest

from evaluation.predictions import Catalogue, CatalogueItem, Cause
from settings.environments import listener_environment
from submissions.errors import BadRequestError, NotReadyError
from submissions.intake.file_checks import check_processes
from submissions.intake.file_checks.check_processes import CheckFailedError, CheckProcesses
from submissions.intake.file_checks.check_server import MAX_CPU_SECONDS, MAX_MEMORY_BYTES
from submissions.intake.file_checks.checker import CheckTask, InlineChecker
from submissions.intake.foreign_ids import ForeignIds, Questions
from tests.support.samples.intake_files import FORMS, PACKINGS
from tests.support.servers.shared_checks import SEPARATE

IDS = [f"q-{n}" for n in range(6)]
KNOWN = Catalogue("Test 1.0", {item_id: CatalogueItem("part", "choice", (0, 1)) for item_id in IDS})
OPTIONS = {(item_id, run): ("near", "far") for item_id in IDS for run in (0, 1)}
ROWS = [{"id": item_id, "run": run, "response": "The answer is (B)."} for item_id in IDS for run in (0, 1)]
ELSEWHERE = Cause("These ids belong to another version.", "have ids of another version.", 1)


@pytest.fixture(scope="module", autouse=True)
def _servers_are_separate() -> Iterator[None]:
    """Start a server for each user, as the product does: tests kill some."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(check_processes, "_Server", SEPARATE)
        yield


@pytest.fixture(scope="module")
def shared_checks() -> Iterator[CheckProcesses]:
    checks = CheckProcesses(listener_environment())
    yield checks
    checks.close()


@pytest.fixture
def checks() -> Iterator[CheckProcesses]:
    """A server of the test's own, which it may kill."""
    checks = CheckProcesses(listener_environment())
    yield checks
    checks.close()


def make_foreign() -> ForeignIds:
    return ForeignIds(iter([({"old-1": 1}.keys(), ELSEWHERE), (frozenset({"old-2"}), ELSEWHERE)]))


def write(*rows: object) -> bytes:
    return b"\n".join(json.dumps(row).encode() for row in rows)


def list_files() -> dict[str, bytes]:
    formats = {name: encode(ROWS) for name, (encode, _) in FORMS.items()}
    packed = {name: pack(write(*ROWS)) for name, pack in PACKINGS.items()}
    return {
        **formats,
        **packed,
        "empty": b"",
        "binary": b"\x89PNG\r\n",
        "broken": b"{\n" * 5,
        "unparsed": write(*({**row, "response": "neither"} for row in ROWS)),
        "other questions": write(*ROWS[:3], {"id": "old-2", "response": "A"}, {"id": "new", "response": "A"}),
    }


def test_verdict_is_that_of_a_check_in_the_calling_process(
    shared_checks: CheckProcesses, subtests: pytest.Subtests
) -> None:
    for name, data in list_files().items():
        for options in (OPTIONS, None):
            with subtests.test(name=name, parsed=options is not None):
                task = CheckTask(KNOWN, allow_missing=False, options=options)
                found = shared_checks.validate(io.BytesIO(data), task, make_foreign())
                expected = InlineChecker().validate(io.BytesIO(data), task, make_foreign())
                assert found == expected
                assert [problem.details for problem in found.problems] == [
                    problem.details for problem in expected.problems
                ]


def test_file_is_read_from_its_beginning_wherever_it_is_kept(
    shared_checks: CheckProcesses, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    data = write(*ROWS)
    path = tmp_path / "predictions.jsonl"
    path.write_bytes(data)
    with tempfile.SpooledTemporaryFile() as spooled, path.open("rb") as stored:
        spooled.write(data)
        stored.read(7)
        for name, file in (("memory", io.BytesIO(data)), ("spooled", spooled), ("stored", stored)):
            with subtests.test(name=name):
                assert shared_checks.validate(cast("BinaryIO", file), CheckTask(KNOWN, allow_missing=False)).ok
                file.seek(0)
                assert file.read() == data


def test_edition_of_a_file_is_found(shared_checks: CheckProcesses) -> None:
    ours = write({"id": "star-bench-7k3m9q2x-0001", "response": "A"})
    assert shared_checks.find_edition(io.BytesIO(ours)) == InlineChecker().find_edition(io.BytesIO(ours))
    assert shared_checks.find_edition(io.BytesIO(b"\x00")) == ""


@contextmanager
def hold_check(checks: CheckProcesses) -> Iterator[tuple[Future[object], psutil.Process]]:
    """Yield a check that waits for the IDs of other questions, and its process."""
    waits, may_go_on = threading.Event(), threading.Event()

    def read_others() -> Iterator[Questions]:
        waits.set()
        may_go_on.wait(60)
        yield frozenset({"new"}), ELSEWHERE

    file = io.BytesIO(write({"id": "new", "response": "A"}))
    task = CheckTask(KNOWN, allow_missing=False)
    with ThreadPoolExecutor(1) as threads:
        running: Future[object] = threads.submit(checks.validate, file, task, ForeignIds(read_others()))
        try:
            assert waits.wait(60)
            (process,) = find_server(checks).children()
            yield running, process
        finally:
            may_go_on.set()


def find_server(checks: CheckProcesses) -> psutil.Process:
    assert checks._server is not None
    return psutil.Process(checks._server._process.pid)


def test_check_yields_to_pages_and_is_limited(checks: CheckProcesses) -> None:
    with hold_check(checks) as (_, process):
        assert process.nice() >= 5
        assert process.rlimit(psutil.RLIMIT_CPU) == (MAX_CPU_SECONDS, MAX_CPU_SECONDS)
        assert process.rlimit(psutil.RLIMIT_AS) == (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES)


def test_stopped_check_is_reported_and_the_next_one_runs(checks: CheckProcesses) -> None:
    with hold_check(checks) as (running, process):
        process.kill()
    with pytest.raises(BadRequestError, match="more than 120 s of processor time or 3 GB of memory"):
        running.result()
    assert checks.validate(io.BytesIO(write(*ROWS)), CheckTask(KNOWN, allow_missing=False)).ok


def test_lost_server_is_reported_and_replaced(checks: CheckProcesses) -> None:
    with hold_check(checks) as (running, process):
        server = find_server(checks)
        server.kill()
        server.wait()
        process.kill()
    with pytest.raises(NotReadyError, match="Try again"):
        running.result()
    assert checks.validate(io.BytesIO(write(*ROWS)), CheckTask(KNOWN, allow_missing=False)).ok
    assert find_server(checks).pid != server.pid


def test_waiting_check_delays_no_other(checks: CheckProcesses) -> None:
    with hold_check(checks) as (running, _):
        assert checks.validate(io.BytesIO(write(*ROWS)), CheckTask(KNOWN, allow_missing=False)).ok
        assert not running.done()


def test_defect_of_a_check_names_its_place_and_quotes_nothing(checks: CheckProcesses) -> None:
    broken = CheckTask(Catalogue("secret title", {"q": None}), allow_missing=False)  # type: ignore[dict-item]
    with pytest.raises(CheckFailedError, match=r"^AttributeError at .*validation\.py:\d+") as raised:
        checks.validate(io.BytesIO(write({"id": "q", "response": "quoted"})), broken)
    assert "quoted" not in str(raised.value)


def test_processes_end_with_their_owner() -> None:
    checks = CheckProcesses(listener_environment())
    checks.find_edition(io.BytesIO(b"{}"))
    server = find_server(checks)
    del checks
    assert not server.is_running()
