"""Ranking speed for 1,000 systems, compared with the bare matrix product and other resampling methods."""

import importlib
import importlib.util
import statistics
import time
import tracemalloc
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics import Clusters, ResampledBoard, Resampling, make_intervals, standings
from evaluation.statistics.clusters import UNIT

N_ITEMS, N_SYSTEMS, RESAMPLES = 2353, 1000, 10_000
ROUNDS = 3
_PEER_RESAMPLES = 40
_SCIPY_RESAMPLES = 20


def measure() -> list[dict[str, object]]:
    """Return rows for a whole board, its matrix product, one more system, memory, and alternative methods."""
    table, clusters = _make_outcomes(), np.arange(N_ITEMS)
    whole = _seconds(lambda: standings(table, clusters, resamples=RESAMPLES, rng=np.random.default_rng(1)))
    intervals = _seconds(lambda: _intervals(table, clusters))
    resampling = Resampling.draw(clusters, RESAMPLES, np.random.default_rng(1))
    sums, indices = resampling.clusters.sum_clusters(table).T / UNIT, np.arange(N_ITEMS)
    seconds, bare = _seconds_in_turn(lambda: resampling.turn(sums, indices), _make_product())
    added = _milliseconds_to_add(ResampledBoard(resampling, table), table[:, 0])
    scale = RESAMPLES / _PEER_RESAMPLES
    loop = scale * _seconds(lambda: _loop(table))
    pairs = scale * _seconds(lambda: _loop_over_pairs(table))
    note = f"{N_ITEMS:,} items × {N_SYSTEMS:,} systems × {RESAMPLES:,} resamples, median of {ROUNDS}"
    scaled = f"s, scaled from {_PEER_RESAMPLES} resamples"
    return [
        _row("board: intervals and rank ranges", whole, "s", "≤ 3", note),
        _row("intervals alone", intervals, "s", "–", note),
        _row("turned sums / plain sgemm", bare / seconds, "of its speed", "≥ 0.6", f"{seconds:.2f} s and {bare:.2f} s"),
        _row("one more system, ranked", added, "ms", "≤ 50", f"on a board of {N_SYSTEMS:,}, median of 9"),
        _row("peak memory above the inputs", _peak_megabytes(table, clusters), "MB", "< 300", "allocated by numpy"),
        _row(
            "board / numpy loops, with ranks",
            (loop + pairs) / whole,
            "× as fast",
            "≥ 10",
            f"{loop + pairs:.1f} {scaled}",
        ),
        _row("intervals / numpy loop", loop / intervals, "× as fast", "≥ 10", f"{loop:.1f} {scaled}"),
        _measure_scipy(table, intervals),
    ]


def _row(what: str, value: float, unit: str, target: str, note: str) -> dict[str, object]:
    return {"what": what, "value": float(f"{value:.3g}"), "unit": unit, "target": target, "note": note}


def _make_outcomes() -> NDArray[np.float32]:
    """Return systems of similar skill, in families whose members agree on most items, as on a real board."""
    rng = np.random.default_rng(0)
    hardness, skill = rng.normal(0, 1.5, N_ITEMS), rng.normal(0, 1, N_SYSTEMS // 20)
    base = rng.random((N_ITEMS, len(skill))) < 1 / (1 + np.exp(hardness[:, None] - skill))
    table = np.repeat(base, 20, axis=1)
    changed = rng.random(table.shape) < rng.uniform(0.005, 0.3, N_SYSTEMS)
    return np.where(changed, rng.random(table.shape) < 0.6, table).astype(np.float32)


def _make_product() -> Callable[[], object]:
    rng = np.random.default_rng(0)
    left = rng.random((N_SYSTEMS, N_ITEMS), dtype=np.float32)
    right = rng.random((N_ITEMS, RESAMPLES), dtype=np.float32)
    out = np.empty((N_SYSTEMS, RESAMPLES), np.float32)
    return lambda: np.matmul(left, right, out=out)


def _seconds(work: Callable[[], object]) -> float:
    return _seconds_in_turn(work)[0]


def _seconds_in_turn(*works: Callable[[], object]) -> list[float]:
    """Return the median seconds of each function, alternating so that noise affects all of them."""
    seconds: list[list[float]] = [[] for _ in works]
    for turn in range(ROUNDS + 1):
        for work, spent in zip(works, seconds, strict=True):
            began = time.perf_counter()
            work()
            if turn:  # The first round touches fresh memory and starts threads.
                spent.append(time.perf_counter() - began)
    return [statistics.median(spent) for spent in seconds]


def _milliseconds_to_add(board: ResampledBoard, column: NDArray[np.float32]) -> float:
    seconds = []
    for n in range(9):
        began = time.perf_counter()
        board.add(np.roll(column, n))
        board.standings()
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds) * 1000


def _peak_megabytes(table: NDArray[np.float32], clusters: NDArray[np.integer]) -> float:
    tracemalloc.start()
    try:
        standings(table, clusters, resamples=RESAMPLES, rng=np.random.default_rng(1))
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def _intervals(table: NDArray[np.float32], clusters: NDArray[np.integer]) -> object:
    item_clusters = Clusters.of(clusters)
    return make_intervals(item_clusters.sum_clusters(table), item_clusters, b"")


def _loop(table: NDArray[np.float32]) -> object:
    """Resample with a plain numpy loop: pick the rows, average them. Intervals only, without rank ranges."""
    rng = np.random.default_rng(1)
    means = np.stack([table[rng.integers(N_ITEMS, size=N_ITEMS)].mean(axis=0) for _ in range(_PEER_RESAMPLES)])
    return np.percentile(means, [2.5, 97.5], axis=0)


def _loop_over_pairs(table: NDArray[np.float32]) -> object:
    """Compute what rank ranges need beyond the means: the largest studentised difference of all pairs, by resample."""
    precision = np.ones((N_SYSTEMS, N_SYSTEMS), np.float32)
    return [(np.abs(row[:, None] - row) * precision).max() for row in table[:_PEER_RESAMPLES]]


def _measure_scipy(table: NDArray[np.float32], intervals: float) -> dict[str, object]:
    """Return the row for scipy's batched bootstrap; scipy is optional and may be absent."""
    what, target = "intervals / scipy's bootstrap", "≥ 80"
    if importlib.util.find_spec("scipy") is None:
        return {"what": what, "value": "–", "unit": "× as fast", "target": target, "note": "scipy is not installed"}
    bootstrap = importlib.import_module("scipy.stats").bootstrap
    options = {"axis": 1, "n_resamples": _SCIPY_RESAMPLES, "batch": 10, "method": "percentile"}
    data = (np.ascontiguousarray(table.T),)
    seconds = _seconds(lambda: bootstrap(data, np.mean, rng=np.random.default_rng(1), **options))
    seconds *= RESAMPLES / _SCIPY_RESAMPLES
    note = f"{seconds:.0f} s, scaled from {_SCIPY_RESAMPLES} resamples; it has no rank ranges"
    return _row(what, seconds / intervals, "× as fast", target, note)
