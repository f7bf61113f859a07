"""Editions of benchmark versions that this release no longer has: their rows stay, their questions cannot be made."""

from db.edition_records import EditionRecord
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.errors import UnknownBenchmarkError
from submissions.errors import StateError


def find_design(edition: EditionRecord) -> Benchmark:
    """Return the benchmark version of an edition.

    Raises:
        StateError: This release no longer has it.
    """
    try:
        return get_benchmark(edition.benchmark, edition.version)
    except UnknownBenchmarkError:
        raise StateError(explain_retirement(edition)) from None


def is_retired(edition: EditionRecord) -> bool:
    """Return whether this release no longer has the version of an edition."""
    try:
        find_design(edition)
    except StateError:
        return True
    return False


def explain_retirement(edition: EditionRecord) -> str:
    """Return why the questions of an edition cannot be made any more."""
    return (
        f"Edition {edition.id} belongs to {edition.benchmark} {edition.version}, which this server no longer has. "
        "Scores of the edition stay as they are; its questions cannot be rendered again."
    )
