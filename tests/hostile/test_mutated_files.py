"""Mutated prediction files over HTTP: each gets one verdict, and leaves nothing behind.

150 files in the suite, 20,000 in the soak. A failure names the number of its file:
`make_mutated_file(NUMBER, ITEMS)` returns it again.
"""

import http.client
import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from tests.support.hostile.attacked_site import AttackedSite, run_attacked_site
from tests.support.hostile.file_mutations import list_valid_files, make_mutated_file
from tests.support.servers.live_site import BENCHMARK, ITEMS
from tests.support.servers.server import wait_for
from tests.support.servers.warm_processes import WarmPython

N_FILES, N_FILES_IN_SOAK = 150, 20_000
FIRST_SEED = 1
# Caches and pools fill with the first files.
N_UNTIL_WARM = 75
MAX_GROWTH_BYTES = 16 << 20
_BOUNDARY = "b0undary-of-the-form"


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory, warm_python: WarmPython) -> Iterator[AttackedSite]:
    with run_attacked_site(tmp_path_factory.mktemp("mutated"), warm_python) as site:
        yield site


class Uploader:
    """Sends files over one connection to check them and to submit them."""

    def __init__(self, site: AttackedSite, connection: http.client.HTTPConnection) -> None:
        self._token = site.token
        self._connection = connection

    def check(self, data: bytes) -> tuple[int, dict[str, Any]]:
        return self._send("/api/v1/validations", data, {})

    def submit(self, data: bytes) -> tuple[int, dict[str, Any]]:
        return self._send("/api/v1/submissions", data, {"model": '{"name": "A model"}'})

    def _send(self, address: str, data: bytes, more: dict[str, str]) -> tuple[int, dict[str, Any]]:
        fields = {"benchmark": BENCHMARK.id, "allow_missing": "true"} | more
        parts = [f'Content-Disposition: form-data; name="{name}"\r\n\r\n{text}' for name, text in fields.items()]
        head = "".join(f"--{_BOUNDARY}\r\n{part}\r\n" for part in parts)
        head += f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="p"\r\n\r\n'
        headers = {
            "Authorization": f"Bearer {self._token}",
            "Content-Type": f"multipart/form-data; boundary={_BOUNDARY}",
        }
        body = head.encode() + data + f"\r\n--{_BOUNDARY}--\r\n".encode()
        self._connection.request("POST", address, body, headers)
        response = self._connection.getresponse()
        answer: dict[str, Any] = json.loads(response.read())
        is_problem = response.headers["Content-Type"] == "application/problem+json"
        assert is_problem == (response.status >= 400), (response.status, answer)
        return response.status, answer


@pytest.fixture
def uploader(attacked: AttackedSite) -> Iterator[Uploader]:
    with closing(http.client.HTTPConnection("127.0.0.1", attacked.port, timeout=300)) as connection:
        yield Uploader(attacked, connection)


def judge_file(uploader: Uploader, data: bytes) -> str:
    """Check and submit a file, and return its verdict: `accepted`, `repeated` or `refused`.

    Both routes must agree: a valid file is accepted unless it has been before, any other is refused with the problems
    of the check.
    """
    status, check = uploader.check(data)
    assert status in {200, 400}, (status, check)
    is_valid = status == 200 and check["ok"]
    status, submission = uploader.submit(data)
    if is_valid:
        assert status in {201, 409}, (status, submission)
        return "accepted" if status == 201 else "repeated"
    assert status in {400, 422}, (status, submission)
    if status == 422:
        assert submission["errors"] == check["problems"]
        assert submission["total"] == sum(check["totals"].values())
    return "refused"


def test_unmutated_files_are_read(uploader: Uploader, subtests: pytest.Subtests) -> None:
    """Otherwise, every mutation would be refused for the same reason."""
    for number, data in enumerate(list_valid_files(ITEMS)):
        with subtests.test(number=number):
            _, check = uploader.check(data)
            assert check["predictions"] >= len(ITEMS)


@pytest.mark.timeout(7_200)
def test_mutated_file_gets_one_verdict_and_leaves_nothing(
    attacked: AttackedSite, uploader: Uploader, soak: bool
) -> None:
    n_files = N_FILES_IN_SOAK if soak else N_FILES
    verdicts = dict.fromkeys(("accepted", "repeated", "refused"), 0)
    warm_memory = 0
    n_stored = len(attacked.list_stored_files())
    for seed in range(FIRST_SEED, FIRST_SEED + n_files):
        data = make_mutated_file(seed, ITEMS)
        try:
            verdicts[judge_file(uploader, data)] += 1
        except (AssertionError, OSError, http.client.HTTPException, ValueError) as error:
            error.add_note(f"seed {seed}: {data[:300]!r} ({len(data):,} bytes)")
            raise
        if seed == FIRST_SEED + N_UNTIL_WARM:
            warm_memory = attacked.measure_memory()
    assert attacked.measure_memory() - warm_memory < MAX_GROWTH_BYTES
    assert len(attacked.list_stored_files()) - n_stored <= verdicts["accepted"]
    assert attacked.list_temporary_files() == []
    wait_for(lambda: attacked.list_checks() == [], "the end of every check")
    assert (attacked.folder / "site.log").read_text() == ""
    # Mutations that nobody accepts, or everybody, would try little.
    assert min(verdicts["accepted"], verdicts["refused"]) > n_files / 20, verdicts
