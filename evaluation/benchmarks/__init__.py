"""Registry of benchmarks."""

from evaluation.benchmarks.audio_motion_bench import AudioMotionBench
from evaluation.benchmarks.audio_process_bench import AudioProcessBench
from evaluation.benchmarks.audio_process_bench.synthetic import SyntheticProcessBench
from evaluation.benchmarks.base import Benchmark
from evaluation.benchmarks.column_specs import Column, Metric, Part
from evaluation.benchmarks.content import Content
from evaluation.benchmarks.mdar import Mdar
from evaluation.benchmarks.official import DEMO
from evaluation.benchmarks.star_bench import StarBench
from evaluation.errors import UnknownBenchmarkError

# Versions of a benchmark are adjacent, the default version first.
_REGISTRY: tuple[Benchmark, ...] = (
    AudioMotionBench(),
    StarBench("1.0"),
    StarBench(DEMO),
    Mdar("1.0"),
    Mdar(DEMO),
    AudioProcessBench("1.0"),
    SyntheticProcessBench(),
)


def get_benchmark(benchmark_id: str, version: str | None = None) -> Benchmark:
    """Return a registered benchmark in the requested version or in its default version.

    Raises:
        UnknownBenchmarkError: No benchmark has this ID or version.
    """
    versions = {benchmark.version: benchmark for benchmark in list_versions(benchmark_id)}
    if version is None:
        return next(iter(versions.values()))
    if version not in versions:
        raise UnknownBenchmarkError(
            f"{benchmark_id} {version}", [f"{benchmark_id} {version_name}" for version_name in versions]
        )
    return versions[version]


def list_versions(benchmark_id: str) -> tuple[Benchmark, ...]:
    """Return every version of a benchmark, the default version first.

    Raises:
        UnknownBenchmarkError: No benchmark has this ID.
    """
    versions = tuple(benchmark for benchmark in _REGISTRY if benchmark.id == benchmark_id)
    if not versions:
        raise UnknownBenchmarkError(benchmark_id, {benchmark.id for benchmark in _REGISTRY})
    return versions


def all_benchmarks() -> tuple[Benchmark, ...]:
    """Return every version of every registered benchmark, in the order of the page's tabs."""
    return _REGISTRY


__all__ = ["Benchmark", "Column", "Content", "Metric", "Part", "all_benchmarks", "get_benchmark", "list_versions"]
