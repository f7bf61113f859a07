"""Commands of `python -m evaluation keys`: import, list and verify answer keys. Callers print the results."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from evaluation.answer_keys import AnswerKey, find_key, key_path, new_seed
from evaluation.benchmarks import Benchmark
from evaluation.benchmarks.imported import Imported
from evaluation.errors import ImportProblemsError
from evaluation.imports import Progress, keep_import

Tell = Callable[[str], None]

_FIRST_ABSENT = 5


def list_keys(benchmarks: Iterable[Benchmark], folder: Path) -> Iterator[str]:
    """Yield a line per benchmark version: whether its test split has a key, and which."""
    for benchmark in benchmarks:
        key = find_key(folder, benchmark.id, benchmark.version, "test")
        yield f"{_name(benchmark)}: {_describe(key) if key else 'no key'}"


def verify_keys(benchmarks: Iterable[Benchmark], folder: Path) -> Iterator[str]:
    """Yield a line per benchmark version with a valid key or none.

    Raises:
        AnswerKeyError: A key does not match its questions, or a clip has changed since it was imported.
    """
    for benchmark in benchmarks:
        key = find_key(folder, benchmark.id, benchmark.version, "test")
        if key is None:
            yield f"{_name(benchmark)}: no key at {key_path(folder, benchmark.id, benchmark.version, 'test')}"
            continue
        benchmark.check_key(key)
        note = _check_sounds(benchmark, key) + _compare_with_seed(benchmark, key)
        yield f"{_name(benchmark)}: OK, {_describe(key, note)}"


def _check_sounds(benchmark: Benchmark, key: AnswerKey) -> str:
    for clip in key.clips:
        benchmark.render_clip(key, clip)
    return f", {len(key.clips):,} clips unchanged since import" if key.clips else ""


def _compare_with_seed(benchmark: Benchmark, key: AnswerKey) -> str:
    generated = benchmark.true_answers(key.split, key.seed) if benchmark.made_parts else {}
    corrected = sum(key.answers.get(item_id, answer) != answer for item_id, answer in generated.items())
    return f", {corrected:,} corrected by hand" if corrected else ""


def import_key(
    benchmark: Benchmark,
    source: Path,
    folder: Path,
    tell: Tell,
    *,
    replaces: bool = False,
    allows_deviations: bool = False,
    progress: Progress | None = None,
) -> AnswerKey:
    """Import an organiser's files, and report the findings before anything is written.

    Args:
        benchmark: Version of the questions.
        source: Folder of the files.
        folder: Folder of all answer keys.
        tell: Receives one line of the findings.
        replaces: Whether to replace an existing key.
        allows_deviations: Whether to accept numbers of questions that differ from the release.
        progress: Called with (stored clips, total clips).

    Raises:
        ImportProblemsError: The files cannot be imported, or have unexpected numbers of questions.
        AnswerKeyError: A key exists already.
    """
    if benchmark.needs is None:
        raise ImportProblemsError(
            [f"{benchmark.title} {benchmark.version} generates its own questions, so there is nothing to import."]
        )
    earlier = find_key(folder, benchmark.id, benchmark.version, "test") if benchmark.made_parts else None
    # Keep the seed: generated questions depend on it.
    imported = benchmark.import_folder(source, earlier.seed if earlier else new_seed())
    for line in _describe_import(imported):
        # An organiser's labels and paths may contain terminal control characters.
        tell("".join(letter if letter.isprintable() else "�" for letter in line))
    if imported.deviations and not allows_deviations:
        raise ImportProblemsError(
            [
                f"{len(imported.deviations)} of {len(imported.counts)} counts differ from the release of "
                f"{benchmark.title} {benchmark.version}. Use the released files, or pass --allow-deviations."
            ]
        )
    key = keep_import(folder, imported, replaces=replaces, progress=progress)
    tell(f"{_name(benchmark)}: {_describe(key)}")
    return key


def _describe_import(imported: Imported) -> Iterator[str]:
    for count in imported.counts:
        note = "" if count.found == count.expected else "  ← differs"
        yield f"{count.name}: {count.found:,} of {count.expected:,}{note}"
    for repaired in imported.repaired:
        yield f"repaired: {repaired}"
    if imported.key.descriptions:
        yield f"descriptions for the judge: {len(imported.key.descriptions):,}"
    n_absent = len(imported.absent)
    yield f"clips: {len(imported.sounds):,} of {len(imported.sounds) + n_absent:,}"
    if n_absent:
        yield f"missing clips: {n_absent:,}. Packs contain no audio until all are imported. Missing files:"
    for path in imported.absent[:_FIRST_ABSENT]:
        yield f"  {path}"


def _name(benchmark: Benchmark) -> str:
    return f"{benchmark.id} {benchmark.version} test"


def _describe(key: AnswerKey, note: str = "") -> str:
    return f"{len(key.answers):,} answers{note}, digest {key.digest[:8]}"
