"""Throughput of upload validation for every file format, compared with plain JSON decoding in the same run.

Speeds are in CPU time, because machines are usually shared; the note has wall-clock speeds too.
"""

import gzip
import io
import json
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec
import orjson

from evaluation.predictions import Catalogue, CatalogueItem, read_checked_predictions, validate_predictions

N_ITEMS, N_RUNS = 2_914, 300
"""874,200 predictions of about as many questions as a benchmark has."""
MANY_ITEMS, FEW_RUNS = 291_400, 3
"""The same number of predictions, of a hundred times as many questions as any benchmark has: their IDs fit no cache."""
N_ITEMS_OF_FORMS = 50_000
ROUNDS = 5
CHUNK_BYTES = 1 << 18
SENTENCE = "I listened to both clips twice. The second gets louder on the right, so the answer is (B). "
ANSWER = f"{SENTENCE}{SENTENCE}Sure."


class _Row(msgspec.Struct):
    id: str
    response: str
    run: int = 0


def measure() -> list[dict[str, object]]:
    """Return a row for each plain decoder and for each format, in megabytes of uncompressed text per second."""
    return [*_measure_lines(), *_measure_forms(), _measure_memory()]


def _measure_lines() -> list[dict[str, object]]:
    """Measure a file of 205 MB as JSON Lines, next to plain decoding, and the additional cost of an intake."""
    catalogue, lines = _make_catalogue(N_ITEMS, N_RUNS), _make_lines(range(N_ITEMS), N_RUNS)
    many, lines_of_many = _make_catalogue(MANY_ITEMS, FEW_RUNS), _make_lines(range(MANY_ITEMS), FEW_RUNS)
    readers: dict[str, tuple[Callable[[], object], str]] = {
        "bare json, line by line": (lambda: [None for line in io.BytesIO(lines) if not json.loads(line)], "–"),
        "bare orjson, line by line": (lambda: [None for line in io.BytesIO(lines) if not orjson.loads(line)], "–"),
        "bare msgspec, typed, by chunk": (lambda: sum(1 for _ in _read_by_chunk(io.BytesIO(lines))), "–"),
        "intake, validated: JSON Lines": (lambda: _check_file(lines, catalogue), "≥ 180"),
        "intake, validated and passed on: JSON Lines": (lambda: _pass_on(lines, catalogue), "–"),
        f"intake, validated: JSON Lines of {MANY_ITEMS:,} questions": (lambda: _check_file(lines_of_many, many), "–"),
    }
    rows, seconds = [], {}
    for name, (work, target) in readers.items():
        row, seconds[name] = _row(name, len(lines), N_ITEMS * N_RUNS, work, target)
        rows.append(row)
    share = seconds["bare msgspec, typed, by chunk"] / seconds["intake, validated: JSON Lines"]
    note = "CPU time, the same bytes in the same run"
    what = "intake of JSON Lines, beside typed msgspec by chunk"
    return [*rows, {"what": what, "value": round(100 * share), "unit": "%", "target": "≥ 60", "note": note}]


def _measure_forms() -> list[dict[str, object]]:
    catalogue = _make_catalogue(N_ITEMS_OF_FORMS, FEW_RUNS)
    return [
        _row(
            f"intake, validated: {name}",
            n_bytes,
            N_ITEMS_OF_FORMS * FEW_RUNS,
            lambda data=data: _check_file(data, catalogue),  # type: ignore[misc] # bound here
            "–",
        )[0]
        for name, (data, n_bytes) in _make_forms().items()
    ]


def _measure_memory() -> dict[str, object]:
    """Check the file of 205 MB from a disk in a separate process, and return its memory growth."""
    command = [sys.executable, "-c", "from bench.bench_intake import print_growth; print_growth()"]
    completed = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1])
    note = f"{MANY_ITEMS * FEW_RUNS:,} predictions as JSON Lines, above imports and the catalogue"
    return {
        "what": "intake: memory",
        "value": round(float(completed.stdout)),
        "unit": "MB",
        "target": "≤ 64",
        "note": note,
    }


def print_growth() -> None:
    """Print the memory growth of this process in megabytes while it checks a large file; see `_measure_memory`."""
    catalogue = _make_catalogue(MANY_ITEMS, FEW_RUNS)
    with tempfile.TemporaryFile() as file:
        for first in range(0, MANY_ITEMS, 100):
            file.write(_make_lines(range(first, first + 100), FEW_RUNS))
        before = _read_status("VmRSS")
        validate_predictions(file, catalogue).require()
    print((_read_status("VmHWM") - before) / 1000)


def _read_status(name: str) -> int:
    """Return a memory value of this process in kB; getrusage would include the peak of its parent process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


def _make_catalogue(n_items: int, n_runs: int) -> Catalogue:
    runs = tuple(range(n_runs))
    return Catalogue("Bench", {f"bench-{n:09x}": CatalogueItem("all", "choice", runs) for n in range(n_items)})


def _make_lines(items: Iterable[int], n_runs: int, response: str = ANSWER) -> bytes:
    return b"".join(
        orjson.dumps({"id": f"bench-{n:09x}", "run": run, "response": response}) + b"\n"
        for n in items
        for run in range(n_runs)
    )


def _read_by_chunk(file: io.BytesIO) -> Iterator[_Row]:
    decoder, rest = msgspec.json.Decoder(_Row), b""
    while data := file.read(CHUNK_BYTES):
        whole, _, tail = (rest + data).rpartition(b"\n")
        yield from decoder.decode_lines(whole)
        rest = tail


def _make_forms() -> dict[str, tuple[bytes, int]]:
    """Return format → its bytes and uncompressed size."""
    items = range(N_ITEMS_OF_FORMS)
    lines = _make_lines(items, FEW_RUNS)
    broken = _make_lines(items, FEW_RUNS, f'{SENTENCE}\n\nIn short: "B"\n{SENTENCE}')
    short = _make_lines(items, FEW_RUNS, "The answer is (B).")
    rows = [orjson.loads(line) for line in lines.splitlines()]
    listed = b"[" + lines.rstrip().replace(b"\n", b",\n") + b"]"
    table = "id,run,response\n" + "".join(f'{row["id"]},{row["run"]},"{row["response"]}"\n' for row in rows)
    by_id = {row["id"]: [row["response"]] * FEW_RUNS for row in rows}
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("predictions.jsonl", lines)
    forms = {
        "JSON Lines, with line breaks and quotes": (broken, len(broken)),
        "JSON Lines of short answers": (short, len(short)),
        "JSON Lines, gzipped": (gzip.compress(lines, 6), len(lines)),
        "JSON Lines in a zip": (zipped.getvalue(), len(lines)),
        "JSON list": (listed, len(listed)),
        "JSON object": (orjson.dumps(by_id, option=orjson.OPT_INDENT_2), 0),
        "CSV": (table.encode(), 0),
    }
    return {name: (data, n_bytes or len(data)) for name, (data, n_bytes) in forms.items()}


def _check_file(data: bytes, catalogue: Catalogue) -> None:
    validate_predictions(io.BytesIO(data), catalogue).require()


def _pass_on(data: bytes, catalogue: Catalogue) -> None:
    for _ in read_checked_predictions(io.BytesIO(data), catalogue):
        pass


def _row(
    what: str, n_bytes: int, n_rows: int, work: Callable[[], object], target: str
) -> tuple[dict[str, object], float]:
    """Return a row, with its CPU time in seconds."""
    spent = []
    for _ in range(ROUNDS):
        began, cpu_began = time.perf_counter(), time.process_time()
        work()
        spent.append((time.process_time() - cpu_began, time.perf_counter() - began))
    seconds, by_clock = (statistics.median(times) for times in zip(*spent, strict=True))
    note = (
        f"{n_bytes / 1e6:.0f} MB, {n_rows:,} predictions, CPU time, median of {ROUNDS}; "
        f"by the clock {n_bytes / 1e6 / by_clock:.0f}"
    )
    value = round(n_bytes / 1e6 / seconds)
    return {"what": what, "value": value, "unit": "MB/s", "target": target, "note": note}, seconds
