"""One model run in a process of its own: `python -m bench.model_run_process PACK FOLDER PORT IN_FLIGHT`.

It prints calls per second, CPU time per call, and memory: before the run, with all imports, and at its peak.
"""

import json
import re
import sys
import time
from pathlib import Path

from submissions.endpoints.querying.engine import Means, query_all
from submissions.endpoints.querying.query_records import describe_own_endpoint
from submissions.endpoints.transport.pinning import resolve_own_name
from submissions.model_runs.pack_questions import RunPack
from submissions.model_runs.run_folder import RunManifest, open_folder

_MANIFEST = RunManifest("b", "1", "default", "practice", "", "", "m", "", "")


def measure_run(path: Path, folder: Path, port: int, n_in_flight: int) -> dict[str, float]:
    """Return the measurements of a run, with everything but its check and its scores."""
    url = f"http://localhost:{port}/v1"
    endpoint = describe_own_endpoint(url, "m", "sk-bench-0123", concurrency=n_in_flight)
    before = read_peak_megabytes()
    began, cpu_began = time.perf_counter(), time.process_time()
    with open_folder(folder) as opened, RunPack(path) as pack:
        opened.begin(_MANIFEST)
        questions = pack.list_questions("default", are_seeds=False)
        means = Means(resolve=resolve_own_name)
        result = query_all(endpoint, questions, pack.load_clip, opened.append_responses, lambda _progress: None, means)
        assert result.ending is None
        assert opened.n_answered == len(questions)
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu_began
    return {
        "per_second": len(questions) / seconds,
        "cpu_milliseconds": 1_000 * cpu / len(questions),
        "imports_megabytes": before,
        "peak_megabytes": read_peak_megabytes(),
    }


def read_peak_megabytes() -> float:
    """Return the peak of this process's resident memory; unlike getrusage, without what its parent had."""
    found = re.search(r"^VmHWM:\s+(\d+) kB$", Path("/proc/self/status").read_text(), re.MULTILINE)
    assert found is not None
    return int(found[1]) * 1_024 / 1e6


if __name__ == "__main__":
    print(json.dumps(measure_run(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))))
