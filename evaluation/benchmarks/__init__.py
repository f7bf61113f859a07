"""The registry of benchmarks."""

from evaluation.benchmarks.audio_motion_bench import AudioMotionBench
from evaluation.benchmarks.base import Benchmark, Column, Content, Metric, Part
from evaluation.errors import UnknownBenchmarkError

_REGISTRY: dict[str, Benchmark] = {benchmark.id: benchmark for benchmark in (AudioMotionBench(),)}


def get_benchmark(benchmark_id: str) -> Benchmark:
    """Return a registered benchmark.

    Raises:
        UnknownBenchmarkError: No benchmark has this id.
    """
    try:
        return _REGISTRY[benchmark_id]
    except KeyError:
        raise UnknownBenchmarkError(benchmark_id, _REGISTRY) from None


def all_benchmarks() -> tuple[Benchmark, ...]:
    """Return every registered benchmark, in the order of the page's tabs."""
    return tuple(_REGISTRY.values())


__all__ = ["Benchmark", "Column", "Content", "Metric", "Part", "all_benchmarks", "get_benchmark"]
