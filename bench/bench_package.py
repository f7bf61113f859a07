"""Time and memory of importing the package in a fresh process: `python -m bench.bench_package`.

The package imports its functions on first use, so they are measured, too.
"""

import json
import statistics
import subprocess
import sys
from pathlib import Path

from bench.bench_asking import ROUNDS

_ROOT = Path(__file__).parents[1]
_FUNCTIONS = ("board", "compare", "load_pack", "score")
# Only what Python itself has loaded may be there before.
_PROGRAM = """
import json, sys, time

def read_peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) * 1024 / 1e6

before, began, cpu_began = read_peak(), time.perf_counter(), time.process_time()
import earshot
for name in sys.argv[1:]:
    getattr(earshot, name)
print(json.dumps([time.perf_counter() - began, time.process_time() - cpu_began, read_peak() - before]))
"""


def measure() -> list[dict[str, object]]:
    """Return seconds and memory of `import earshot`, alone and with the use of its functions; medians."""
    rows = []
    for what, names in (("import earshot", ()), ("import earshot, and its functions", _FUNCTIONS)):
        measured = [_import_afresh(names) for _ in range(ROUNDS + 2)]
        seconds, cpu, megabytes = (statistics.median(values) for values in zip(*measured, strict=True))
        note = f"{cpu:.3f} s of CPU time, {megabytes:.1f} MB more than Python alone"
        rows.append(
            {"what": what, "value": round(seconds, 3), "unit": "s", "target": "–" if names else "≤ 0.3", "note": note}
        )
    return rows


def _import_afresh(names: tuple[str, ...]) -> list[float]:
    command = [sys.executable, "-c", _PROGRAM, *names]
    done = subprocess.run(command, cwd=_ROOT, stdout=subprocess.PIPE, check=True)
    measured: list[float] = json.loads(done.stdout)
    return measured


if __name__ == "__main__":
    for row in measure():
        print(row["what"], row["value"], row["unit"], row["note"])
