"""Small sample boards for export."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from zlib import crc32

from evaluation.benchmarks import Column, get_benchmark
from leaderboard.exports.view import ExportView

BENCHMARK = get_benchmark("audio-motion-bench")
OVERALL, SCT = BENCHMARK.columns[:2]
YES_BIAS = next(column for column in BENCHMARK.columns if column.metric == "yes_bias")
SIGNATURE = "audio-motion-bench:1.0|content:0a|key:1b|setting:default|runs:3|missing:wrong|reader:3|metric:2|code:0.1.0"
MOMENT = datetime(2026, 11, 21, 20, 4, 36, tzinfo=UTC)
HOSTILE = (
    "\\input{/etc/passwd}",
    "a & b \\\\ \\hline % x",
    "[2cm]* ~^_#${}",
    "<script>alert(1)</script>",
    "=cmd|' /C calc'!A0",
    "}\n---\n- dataset: !!python/object/apply:os.system [id]",
    "it's \u2028 \x07 \u202e 音 😀",
)


PAPER = {
    "title": "A paper",
    "authors": ("Ann Lee", "Bo Li", "Cy Ng"),
    "year": 2026,
    "url": "https://paper.example/1",
    "tables": ("Table 2", "Table 3"),
    "row": "A-model",
    "data_version": None,
}


def make_row(
    name: str = "A model",
    value: float | None = 0.5,
    *,
    source: str = "submitted",
    rank: int | None = 1,
    std: float | None = None,
    interval: tuple[float, float] | None = None,
    note: str | None = None,
    more: dict[str, float] | None = None,
    **other: Any,
) -> dict[str, Any]:
    low, high = interval or (None, None)
    scores = {OVERALL.key: {"value": value, "low": low, "high": high, "std": std}}
    scores |= {key: {"value": one, "low": None, "high": None, "std": None} for key, one in (more or {}).items()}
    return {
        "rank": rank,
        "rank_low": None,
        "rank_high": None,
        "model": {
            "id": "m-0123456789abcdef",
            "name": name,
            "organisation": None,
            "kind": None,
            "size_billions": None,
            "open_weights": None,
            "url": None,
            "links": (),
            "sent_as": name,
        },
        "source": source,
        "reference": False,
        "setting": "default",
        "scores": scores,
        "ranks": {OVERALL.key: rank},
        "parts": ("sct",),
        "runs": None if source == "reported" else 3,
        "missing": None if source == "reported" else 0.01,
        "unreadable": None if source == "reported" else 0.02,
        "signature": None if source == "reported" else SIGNATURE,
        "submission": f"s-{crc32(f'{name}{value}{source}'.encode('utf-8', 'surrogatepass')):08x}",
        "date": MOMENT,
        "printed_on": None,
        "paper": PAPER if source == "reported" else None,
        "notes": (),
        "score_notes": {OVERALL.key: note} if note else {},
        **other,
    }


def make_view(rows: Sequence[dict[str, Any]], columns: Sequence[Column] = (OVERALL, SCT)) -> ExportView:
    link = "https://earshot.example/?tab=audio-motion-bench"
    return ExportView(BENCHMARK, "default", tuple(columns), rows, 8, MOMENT, link, "https://earshot.example")
