"""Release of a dataset: all files, written to a folder that a target then applies."""

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluation.answer_keys import AnswerKey, find_key
from evaluation.benchmarks import Benchmark
from evaluation.packs import pack_name, write_pack
from evaluation.publishing.card import (
    MANIFEST_FILE,
    README_FILE,
    DatasetConfig,
    PublishedSplit,
    name_config,
    write_card,
    write_manifest,
)
from evaluation.publishing.errors import PublishError
from evaluation.publishing.pack_reader import QuestionPack
from evaluation.publishing.parquet_files import write_tables
from evaluation.publishing.selection import Selection, list_published_items
from evaluation.types import Split

DATA_FOLDER = "data"


@dataclass(frozen=True, slots=True)
class ReleaseProgress:
    """Progress output: a line per step, and a count."""

    show_step: Callable[[str], None]
    show_count: Callable[[int, int], None]


def find_keys(selection: Selection, keys_dir: Path) -> dict[tuple[str, Split], AnswerKey]:
    """Return (config, split) → key of everything in a selection.

    Keys of the test split are never created here: no server could score answers to their questions.

    Raises:
        PublishError: A test split has no key.
        AnswerKeyError: A key is damaged, or does not fit its benchmark.
    """
    return {
        (name_config(benchmark), split): _find_key(benchmark, split, keys_dir)
        for benchmark, splits in selection.versions
        for split in splits
    }


def drop_ended_splits(selection: Selection, keys: Mapping[tuple[str, Split], AnswerKey]) -> Selection:
    """Return a selection without the shared test splits that have ended: those with rendered questions only.

    Args:
        selection: Versions and splits to publish.
        keys: (config, split) → key of everything in the selection.

    Raises:
        PublishError: Nothing is left.
    """
    versions, refusals = [], list(selection.refusals)
    for benchmark, splits in selection.versions:
        key = keys.get((name_config(benchmark), "test"))
        has_ended = key is not None and benchmark.has_editions and benchmark.content(key).parts <= benchmark.made_parts
        if has_ended:
            refusals.append(
                f"The shared test split of {benchmark.title} {benchmark.version} is not published: it has ended, and "
                "submitters request test questions of their own."
            )
        left = tuple(split for split in splits if split != "test" or not has_ended)
        versions += [(benchmark, left)] if left else []
    if not versions:
        raise PublishError(f"{' '.join(refusals)} Publish --split practice.")
    return Selection(tuple(versions), tuple(refusals))


def _find_key(benchmark: Benchmark, split: Split, keys_dir: Path) -> AnswerKey:
    if split == "practice":
        return benchmark.make_key("practice")
    key = find_key(keys_dir, benchmark.id, benchmark.version, split)
    if key is None:
        raise PublishError(
            f"There is no answer key of {benchmark.title} {benchmark.version}. Set EARSHOT_ANSWER_KEYS to the keys of "
            "the server that scores predictions, or publish only --split practice."
        )
    benchmark.check_key(key)
    return key


def write_release(
    selection: Selection,
    keys: Mapping[tuple[str, Split], AnswerKey],
    packs_dir: Path,
    folder: Path,
    *,
    location: str,
    site: str | None,
    progress: ReleaseProgress,
) -> None:
    """Write data files, card and manifest.

    Args:
        selection: Configs and splits to publish.
        keys: Keys of the selection, from `find_keys`.
        packs_dir: Folder of the server's packs; missing ones are rendered.
        folder: Empty target folder.
        location: Argument for `load_dataset`, for the card.
        site: URL of the server that scores predictions, for the card.
        progress: Progress output.

    Raises:
        PublishError: A pack contains unpublished fields, or recordings are missing.
    """
    configs = []
    for benchmark, splits in selection.versions:
        data = folder / DATA_FOLDER / name_config(benchmark)
        data.mkdir(parents=True)
        published = [
            _write_split(benchmark, keys[name_config(benchmark), split], packs_dir, data, progress) for split in splits
        ]
        configs.append(DatasetConfig(benchmark, tuple(published)))
    (folder / MANIFEST_FILE).write_text(write_manifest(configs), encoding="utf-8")
    (folder / README_FILE).write_text(write_card(configs, location, site), encoding="utf-8")


def _write_split(
    benchmark: Benchmark, key: AnswerKey, packs_dir: Path, data: Path, progress: ReleaseProgress
) -> PublishedSplit:
    content = benchmark.content(key)
    item_ids = list_published_items(benchmark, key)
    if not content.has_sounds:
        raise PublishError(
            f"Some recordings of {benchmark.title} {benchmark.version} are not installed, so its packs contain no "
            "audio. Import them first."
        )
    with tempfile.TemporaryDirectory(prefix="earshot-pack-") as temporary:
        path = packs_dir / pack_name(content)
        if not path.is_file():
            progress.show_step(f"{benchmark.title} {benchmark.version} {key.split}: rendering clips")
            path = Path(temporary, "pack.zip")
            write_pack(benchmark, key, path, progress.show_count)
        progress.show_step(f"{benchmark.title} {benchmark.version} {key.split}: writing rows")
        with QuestionPack(path) as pack:
            written = write_tables(pack, item_ids, data, progress.show_count)
    signature = str(benchmark.sign(key, setting=benchmark.settings[0], runs=0))
    return PublishedSplit(key.split, written.files, written.n_rows, len(item_ids), content.digest, signature)
