"""How fast an upload is read and checked, in every form, beside bare reading of the same JSON in the same run."""

import gzip
import io
import json
import statistics
import time
import zipfile
from collections.abc import Callable

import msgspec
import orjson

from evaluation.predictions import Catalogue, CatalogueItem, validate_predictions

N_ITEMS = 50_000
ROUNDS = 5
RUNS = (0, 1, 2)
ANSWER = "I listened to both clips twice. The second gets louder on the right, so the answer is (B). "


class _Row(msgspec.Struct):
    id: str
    response: str
    run: int = 0


def measure() -> list[dict[str, object]]:
    """Return one row for each bare reader and one for each form, in megabytes of unpacked text a second."""
    known = Catalogue("Bench", {f"bench-{n:09x}": CatalogueItem("all", "choice", RUNS) for n in range(N_ITEMS)})
    lines = _make_lines()
    decoder = msgspec.json.Decoder(_Row)
    forms = _make_forms(lines)
    readers: dict[str, Callable[[], object]] = {
        "bare json, line by line": lambda: [None for line in io.BytesIO(lines) if not json.loads(line)],
        "bare orjson, line by line": lambda: [None for line in io.BytesIO(lines) if not orjson.loads(line)],
        "bare msgspec, typed, line by line": lambda: [None for line in io.BytesIO(lines) if not decoder.decode(line)],
    }
    rows = [_row(name, len(lines), work, "–") for name, work in readers.items()]
    for name, (data, n_bytes) in forms.items():
        target = "≥ 180" if name == "JSON Lines" else "–"
        rows.append(_row(f"intake, validated: {name}", n_bytes, lambda data=data: _check(data, known), target))  # type: ignore[misc]
    return rows


def _make_lines() -> bytes:
    return b"".join(
        orjson.dumps({"id": f"bench-{n:09x}", "run": run, "response": ANSWER * 2}) + b"\n"
        for n in range(N_ITEMS)
        for run in RUNS
    )


def _make_forms(lines: bytes) -> dict[str, tuple[bytes, int]]:
    """Return form → its bytes, and how many they are unpacked."""
    rows = [orjson.loads(line) for line in lines.splitlines()]
    listed = b"[" + lines.rstrip().replace(b"\n", b",\n") + b"]"
    table = "id,run,response\n" + "".join(f'{row["id"]},{row["run"]},"{row["response"]}"\n' for row in rows)
    by_id = {row["id"]: [row["response"]] * len(RUNS) for row in rows}
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("predictions.jsonl", lines)
    named = {
        "JSON Lines": (lines, len(lines)),
        "JSON list": (listed, len(listed)),
        "JSON object": (orjson.dumps(by_id, option=orjson.OPT_INDENT_2), 0),
        "CSV": (table.encode(), 0),
        "JSON Lines, gzipped": (gzip.compress(lines, 6), len(lines)),
        "JSON Lines in a zip": (zipped.getvalue(), len(lines)),
    }
    return {name: (data, n_bytes or len(data)) for name, (data, n_bytes) in named.items()}


def _check(data: bytes, known: Catalogue) -> None:
    assert validate_predictions(io.BytesIO(data), known).predictions == N_ITEMS * len(RUNS)


def _row(what: str, n_bytes: int, work: Callable[[], object], target: str) -> dict[str, object]:
    seconds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    value = round(n_bytes / 1e6 / statistics.median(seconds))
    note = f"{n_bytes / 1e6:.0f} MB, {N_ITEMS * len(RUNS):,} predictions, median of {ROUNDS}"
    return {"what": what, "value": value, "unit": "MB/s", "target": target, "note": note}
