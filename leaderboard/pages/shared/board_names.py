"""Names of boards, for lists and tables that name them by id."""

from evaluation.benchmarks import get_benchmark
from evaluation.errors import UnknownBenchmarkError


def name_board(benchmark: str, version: str, setting: str) -> str:
    """Return the name of a board: title of the benchmark, version and setting.

    >>> name_board("audio-motion-bench", "1.0", "default"), name_board("gone", "0.1", "default")
    ('AudioMotionBench 1.0, default', 'gone 0.1, default')
    """
    try:
        title = get_benchmark(benchmark, version).title
    except UnknownBenchmarkError:  # a version that this release no longer has: its rows are listed all the same
        title = benchmark
    return f"{title} {version}, {setting}"
