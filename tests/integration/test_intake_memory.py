"""Memory of the web process during the intake of a large file over HTTP.

100 MB, and 200 MB in the soak.
"""

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
N_ITEMS, N_ITEMS_IN_SOAK, N_LETTERS = 560, 1_100, 180_000
MAX_GROWTH_KB = 64_000

SERVE = """
import sys
from datetime import UTC, datetime
from pathlib import Path

from db.records import BenchmarkRecord, ItemRecord
from db.repositories import catalogue
from tests.support.servers import live_site

folder, n_items = Path(sys.argv[1]), int(sys.argv[2])
live_site.ITEMS = tuple(f"amb-{n}" for n in range(n_items))
with live_site.run_site(folder, max_upload_mb=210) as site:
    print(site.port, site.token("ada"), flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def n_items(soak: bool) -> int:
    return N_ITEMS_IN_SOAK if soak else N_ITEMS


def pieces_of_upload(boundary: str, n_items: int) -> Iterator[bytes]:
    """Yield a form with a file of large responses, generated on the fly."""
    fields = {"benchmark": "audio-motion-bench", "model": '{"name": "A model"}', "allow_missing": "true"}
    for name, value in fields.items():
        yield f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
    yield f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="p.jsonl"\r\n\r\n'.encode()
    for n in range(n_items):
        response = f"Clip {n}: the second gets louder on the right. " * (N_LETTERS // 45)
        yield json.dumps({"id": f"amb-{n}", "run": 0, "response": response}).encode() + b"\n"
    yield f"\r\n--{boundary}--\r\n".encode()


def status_of(process: subprocess.Popen[str], name: str) -> int:
    """Return a field of /proc/PID/status in kB."""
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


@pytest.fixture
def server(tmp_path: Path, n_items: int) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", SERVE, str(tmp_path), str(n_items)]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, text=True) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="The peak of a process is told by Linux")
def test_upload_of_100_megabytes_costs_the_web_process_less_than_64(
    server: subprocess.Popen[str], n_items: int
) -> None:
    assert server.stdout is not None
    port, token = server.stdout.readline().split()
    before = status_of(server, "VmRSS")
    connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=120)
    body = list(pieces_of_upload("b0undary", n_items))
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Type": "multipart/form-data; boundary=b0undary",
        "Content-Length": str(sum(map(len, body))),
    }
    connection.request("POST", "/api/v1/submissions", body=iter(body), headers=headers)
    answer = connection.getresponse()
    found = json.loads(answer.read())
    connection.close()
    assert answer.status == 201, found
    assert sum(map(len, body)) > n_items * N_LETTERS
    assert status_of(server, "VmHWM") - before < MAX_GROWTH_KB
