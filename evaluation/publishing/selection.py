"""Selection of published questions: versions whose definition permits it, and their generated items."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, all_benchmarks, get_benchmark, list_versions
from evaluation.publishing.errors import PublishError
from evaluation.types import Split

# Practice first: `datasets` takes the columns of a config from its first split, and only that one has answers.
SPLITS: tuple[Split, ...] = ("practice", "test")


@dataclass(frozen=True, slots=True)
class Selection:
    """Versions and splits to publish.

    Attributes:
        versions: Benchmark versions with their splits.
        refusals: Why others are not published, one sentence each.
    """

    versions: tuple[tuple[Benchmark, tuple[Split, ...]], ...]
    refusals: tuple[str, ...]


def select_versions(benchmark_id: str | None, version: str | None, splits: Sequence[Split]) -> Selection:
    """Return the versions and splits to publish: of all benchmarks, of one, or of one version.

    Raises:
        UnknownBenchmarkError: No benchmark has this ID or version.
        PublishError: Nothing in the request may be published.
    """
    candidates = _list_candidates(benchmark_id, version)
    refusals = [refusal for benchmark in candidates if (refusal := explain_refusal(benchmark))]
    permitted = [benchmark for benchmark in candidates if explain_refusal(benchmark) is None]
    versions = [
        (benchmark_version, tuple(split for split in SPLITS if split in splits and split in benchmark_version.splits))
        for benchmark_version in permitted
    ]
    selected = tuple((benchmark, its) for benchmark, its in versions if its)
    if not selected:
        raise PublishError(
            " ".join(refusals)
            or f"None of the selected versions has the split {', '.join(splits)}. Choose another split."
        )
    return Selection(selected, tuple(refusals))


def _list_candidates(benchmark_id: str | None, version: str | None) -> Sequence[Benchmark]:
    if benchmark_id is None:
        return all_benchmarks()
    return [get_benchmark(benchmark_id, version)] if version is not None else list_versions(benchmark_id)


def explain_refusal(benchmark: Benchmark) -> str | None:
    """Return why a version may not be published, in one sentence; None if it may."""
    if benchmark.made_parts and benchmark.dataset_licence is not None:
        return None
    return (
        f"{benchmark.title} {benchmark.version} is not published, because its definition grants no licence to publish "
        f"its questions (licence: {benchmark.licence})."
    )


def list_published_items(benchmark: Benchmark, key: AnswerKey) -> frozenset[str]:
    """Return the IDs of generated items; imported ones are never published."""
    return frozenset(item.id for item in benchmark.content(key).items if item.part in benchmark.made_parts)
