"""Parquet files of questions: one row per prompt, with embedded clips for `datasets` and the viewer."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from evaluation.publishing.pack_reader import QuestionPack, QuestionRow
from evaluation.types import Split

ANSWER_COLUMN = "answer"
_QUESTION_COLUMNS = ("id", "runs", "setting", "task", "prompt", "audio", "options", "answer_format")
# Columns allowed for each split; nothing else is ever written.
COLUMNS: Mapping[Split, tuple[str, ...]] = {
    "practice": (*_QUESTION_COLUMNS, ANSWER_COLUMN),
    "test": _QUESTION_COLUMNS,
}

# Maximum memory that a reader needs to show one row.
MAX_GROUP_ROWS = 100
MAX_GROUP_BYTES = 64_000_000
MAX_FILE_BYTES = 256_000_000
# Rows with the same clip share it: the dictionary of a row group contains each clip once.
_DICTIONARY_BYTES = 2 * MAX_GROUP_BYTES

_TEXTS = pa.list_(pa.string())
_TYPES: Mapping[str, pa.DataType] = {
    "id": pa.string(),
    "runs": pa.list_(pa.int32()),
    "setting": pa.string(),
    "task": pa.string(),
    "prompt": pa.list_(pa.struct([("type", pa.string()), ("text", pa.string()), ("path", pa.string())])),
    "audio": pa.list_(pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
    "options": _TEXTS,
    "answer_format": pa.string(),
    ANSWER_COLUMN: pa.string(),
}
_TEXT_FEATURE = {"dtype": "string", "_type": "Value"}
# In a format that `datasets` 3 to 5 read alike.
_FEATURES: Mapping[str, Any] = {
    "id": _TEXT_FEATURE,
    "runs": [{"dtype": "int32", "_type": "Value"}],
    "setting": _TEXT_FEATURE,
    "task": _TEXT_FEATURE,
    "prompt": [{"type": _TEXT_FEATURE, "text": _TEXT_FEATURE, "path": _TEXT_FEATURE}],
    # Earlier versions of `datasets` downmix channels unless told otherwise; later ones ignore `mono`.
    "audio": [{"mono": False, "_type": "Audio"}],
    "options": [_TEXT_FEATURE],
    "answer_format": _TEXT_FEATURE,
    ANSWER_COLUMN: _TEXT_FEATURE,
}

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class WrittenTables:
    """The files of one split: their names, in order, and their number of rows."""

    files: tuple[str, ...]
    n_rows: int


def make_schema(split: Split) -> pa.Schema:
    """Return the columns of a split, with the features that make `datasets` decode audio."""
    features = {name: _FEATURES[name] for name in COLUMNS[split]}
    metadata = {"huggingface": json.dumps({"info": {"features": features}})}
    return pa.schema([(name, _TYPES[name]) for name in COLUMNS[split]], metadata=metadata)


def write_tables(
    pack: QuestionPack, item_ids: frozenset[str], folder: Path, progress: Progress | None = None
) -> WrittenTables:
    """Write the questions of some items as `<split>-00000.parquet` and so on.

    The same pack always gives the same bytes with the same version of pyarrow.

    Args:
        pack: Pack with questions and clips.
        item_ids: Items to write.
        folder: Existing target folder.
        progress: Called with (written rows, total rows).
    """
    rows, answers = pack.read_rows(item_ids), pack.read_answers()
    schema = make_schema(pack.split)
    names: list[str] = []
    n_done = 0
    for file_groups in _split_into_files(_group_rows(rows, pack), pack):
        names.append(f"{pack.split}-{len(names):05d}.parquet")
        with pq.ParquetWriter(
            folder / names[-1], schema, compression="snappy", dictionary_pagesize_limit=_DICTIONARY_BYTES
        ) as writer:
            for group in file_groups:
                writer.write_table(_make_table(group, pack, answers, schema), row_group_size=MAX_GROUP_ROWS)
                n_done += len(group)
                if progress is not None:
                    progress(n_done, len(rows))
    return WrittenTables(tuple(names), len(rows))


def _group_rows(rows: Sequence[QuestionRow], pack: QuestionPack) -> Iterator[list[QuestionRow]]:
    """Yield row groups: consecutive rows within the limits of number and size with all clips."""
    group: list[QuestionRow] = []
    n_bytes = 0
    for row in rows:
        added = sum(pack.size_clip(path) for path in row.clip_paths)
        if group and (len(group) == MAX_GROUP_ROWS or n_bytes + added > MAX_GROUP_BYTES):
            yield group
            group, n_bytes = [], 0
        group.append(row)
        n_bytes += added
    if group:
        yield group


def _split_into_files(groups: Iterator[list[QuestionRow]], pack: QuestionPack) -> Iterator[list[list[QuestionRow]]]:
    file_groups: list[list[QuestionRow]] = []
    n_bytes = 0
    for group in groups:
        added = sum(pack.size_clip(path) for path in {path for row in group for path in row.clip_paths})
        if file_groups and n_bytes + added > MAX_FILE_BYTES:
            yield file_groups
            file_groups, n_bytes = [], 0
        file_groups.append(group)
        n_bytes += added
    if file_groups:
        yield file_groups


def _make_table(
    group: Sequence[QuestionRow], pack: QuestionPack, answers: Mapping[str, str], schema: pa.Schema
) -> pa.Table:
    clips = {path: pack.read_clip(path) for row in group for path in row.clip_paths}
    records = [_make_record(row, clips, answers) for row in group]
    # Columns are selected by the schema of the split: others are not written.
    return pa.table({name: [record[name] for record in records] for name in schema.names}, schema=schema)


def _make_record(row: QuestionRow, clips: Mapping[str, bytes], answers: Mapping[str, str]) -> dict[str, Any]:
    prompt = [{name: part.get(name) for name in ("type", "text", "path")} for part in row.fields["prompt"]]
    audio = [{"bytes": clips[path], "path": path} for path in row.clip_paths]
    return {
        **row.fields,
        "runs": list(row.runs),
        "prompt": prompt,
        "audio": audio,
        ANSWER_COLUMN: answers.get(row.fields["id"]),
    }
