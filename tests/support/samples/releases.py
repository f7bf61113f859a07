"""Dataset releases for tests: fast to write, with short clips that differ by name."""

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from evaluation.answer_keys import AnswerKey, key_path
from evaluation.benchmarks import Benchmark, all_benchmarks
from evaluation.publishing.release import ReleaseProgress, find_keys, write_release
from evaluation.publishing.selection import SPLITS, Selection, select_versions
from evaluation.types import Split

SEED = "the seed of the releases of the tests"
QUIET = ReleaseProgress(lambda _: None, lambda _done, _total: None)


@dataclass(frozen=True)
class Installation:
    """Folders of the answer keys and of the served packs."""

    keys_dir: Path
    packs_dir: Path


@contextmanager
def quick_clips() -> Iterator[None]:
    """Make every benchmark render a clip as its own name, where its sound does not matter."""
    with pytest.MonkeyPatch.context() as patch:
        for kind in {type(benchmark) for benchmark in all_benchmarks()}:
            patch.setattr(kind, "render_clip", lambda _benchmark, _key, clip: f"RIFF {clip}".encode())
        yield


def install_keys(folder: Path, selection: Selection, marks: Mapping[str, str] | None = None) -> Installation:
    """Save a test key for every selected split; `marks` replaces answers: config → prefix of each answer."""
    for benchmark, splits in selection.versions:
        if "test" in splits:
            key = mark_answers(benchmark.make_key("test", SEED), (marks or {}).get(benchmark.id))
            path = key_path(folder, benchmark.id, benchmark.version, "test")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(key.to_json())
    return Installation(folder, folder / "packs")


def mark_answers(key: AnswerKey, mark: str | None) -> AnswerKey:
    """Return a key whose answers and descriptions can be recognised wherever they are written."""
    if mark is None:
        return key
    answers = {item_id: f"{mark}-{number:05d}" for number, item_id in enumerate(sorted(key.answers))}
    descriptions = {item_id: f"{mark}-described-{item_id}" for item_id in key.answers}
    return replace(key, answers=answers, descriptions=descriptions)


def release(folder: Path, selection: Selection, installation: Installation) -> Path:
    """Write a release to a new subfolder."""
    target = Path(tempfile.mkdtemp(dir=folder, prefix="release-"))
    keys = find_keys(selection, installation.keys_dir)
    write_release(selection, keys, installation.packs_dir, target, location="lab/questions", site=None, progress=QUIET)
    return target


def select_one(benchmark: Benchmark, *splits: Split) -> Selection:
    """Select splits of one version; all of them unless named."""
    return select_versions(benchmark.id, benchmark.version, splits or SPLITS)


def read_everything(path: Path) -> str:
    """Return a file as text; of a Parquet file its schema, metadata and all values, because its contents are
    compressed.
    """
    if path.suffix != ".parquet":
        return path.read_text(encoding="utf-8")
    table = pq.read_table(path)
    values = json.dumps(table.to_pylist(), ensure_ascii=False, default=lambda value: value.decode("latin-1"))
    metadata = pq.read_metadata(path)
    kept = {name.decode(): value.decode() for name, value in (metadata.metadata or {}).items()}
    groups = json.dumps([metadata.row_group(index).to_dict() for index in range(metadata.num_row_groups)], default=str)
    raw = path.read_bytes().decode("latin-1")
    return "\n".join([str(table.schema), json.dumps(kept, ensure_ascii=False), groups, values, raw])
