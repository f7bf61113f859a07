"""A web process on a folder, and clients that repeat one request."""

import http.client
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

_STOP_SECONDS = 20


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Start the web process on a folder with `earshot.db`, and yield its address."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("EARSHOT_", "SPACE_"))}
    environment |= {"EARSHOT_DATA_DIR": str(folder), "EARSHOT_PORT": "0"}
    command = [sys.executable, "-m", "leaderboard"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            match = re.search(r"http://\S+", process.stdout.readline())
            assert match is not None, "the web process did not say where it is"
            yield match[0]
        finally:
            process.terminate()
            process.wait(_STOP_SECONDS)


@dataclass(frozen=True, slots=True)
class Load:
    """Measurements of the clients: responses per second, and the median and 99th percentile of latency."""

    per_second: float
    p50_ms: float
    p99_ms: float

    @classmethod
    def measure(cls, address: str, *, n_clients: int, seconds: float) -> "Load":
        """Send requests from threads of this process, each on its own connection and one at a time.

        They share the server's cores, so the server alone could respond somewhat faster.
        """
        took: list[float] = []
        end = time.perf_counter() + seconds
        threads = [threading.Thread(target=_ask, args=(address, end, took)) for _ in range(n_clients)]
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        milliseconds = 1e3 * np.array(took)
        p50, p99 = np.percentile(milliseconds, [50, 99])
        return cls(len(took) / (time.perf_counter() - began), float(p50), float(p99))


def _ask(address: str, end: float, took: list[float]) -> None:
    parts = urlsplit(address)
    with closing(http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)) as connection:
        while (began := time.perf_counter()) < end:
            connection.request("GET", f"{parts.path}?{parts.query}")
            response = connection.getresponse()
            response.read()
            assert response.status == 200, response.status
            took.append(time.perf_counter() - began)
