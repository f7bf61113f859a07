"""Practice packs, read in place: questions, clips, and the public answers.

Only packs of practice splits are opened, by the name that follows from the public seed. This module knows no name of a
test pack or an answer key.
"""

import json
import os
import struct
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from evaluation.benchmarks import Benchmark, Content, get_benchmark
from evaluation.packs import pack_name
from evaluation.types import AnswerFormat, Item
from submissions.errors import NotFoundError, NotReadyError

Truth = int | bool | frozenset[int]
# A critique takes minutes per question, and an open answer needs a judge: listeners get neither.
ASKED: tuple[AnswerFormat, ...] = ("choice", "choices", "boolean")
_LOCAL_HEADER = struct.Struct("<26xHH")  # zip: offset of the lengths of name and extra field
_BYTE_RATE = struct.Struct("<28xI")  # WAV: offset of the bytes per second
_WAV_HEADER_BYTES = 44


class PracticePackNotReadyError(NotReadyError):
    """The practice pack is still being rendered."""

    retry_after = 5


@dataclass(frozen=True, slots=True)
class _PackedClip:
    """A clip of a pack: offset, size, checksum and length of its bytes."""

    offset: int
    size: int
    checksum: int
    seconds: float


@dataclass(frozen=True, slots=True)
class PracticePack:
    """One pack.

    Attributes:
        benchmark: Benchmark version.
        digest: Digest of questions and recordings.
        items: Item id → question, of those in the listening test.
        truths: Item id → correct answer.
        clips: Clip name → position.
        path: The pack.
    """

    benchmark: Benchmark
    digest: str
    items: Mapping[str, Item]
    truths: Mapping[str, Truth]
    clips: Mapping[str, _PackedClip]
    path: Path

    def get_clip(self, name: str) -> _PackedClip:
        """Return the position of a clip.

        Raises:
            NotFoundError: The pack has no clip of this name.
        """
        clip = self.clips.get(name)
        if clip is None:
            raise NotFoundError("The practice pack has no such clip. Use the audio paths that a round returns.")
        return clip

    def read_clip(self, clip: _PackedClip) -> bytes:
        """Return a clip as a WAV file."""
        with self.path.open("rb") as file:
            file.seek(clip.offset)
            return file.read(clip.size)

    def count_seconds(self, item: Item) -> float:
        """Return the total length of a question's clips in seconds."""
        return sum(self.clips[name].seconds for name in item.clips)


class PracticePacks:
    """Opens practice packs, each once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: Callable[[Path, str, str], PracticePack] = lru_cache(maxsize=16)(_read_pack)

    def is_ready(self, benchmark: Benchmark) -> bool:
        """Tell whether a pack has been rendered."""
        return self._path_of(benchmark).is_file()

    def open(self, benchmark: Benchmark) -> PracticePack:
        """Return the pack of a version with a practice split.

        Raises:
            DataNotHeldError: The version has no practice split.
            NotReadyError: The pack is not rendered yet.
        """
        benchmark.check_split("practice")
        path = self._path_of(benchmark)
        if not path.is_file():
            raise PracticePackNotReadyError(
                f"The practice clips of {benchmark.title} are being rendered. Try again in about a minute."
            )
        return self._read(path, benchmark.id, benchmark.version)

    def _path_of(self, benchmark: Benchmark) -> Path:
        return self._folder / pack_name(practice_content(benchmark.id, benchmark.version))


@lru_cache(maxsize=64)
def practice_content(benchmark_id: str, version: str) -> Content:
    """Return the questions of a practice split, which follow from the public seed."""
    benchmark = get_benchmark(benchmark_id, version)
    return benchmark.content(benchmark.make_key("practice"))


@lru_cache(maxsize=64)
def list_listening_items(benchmark_id: str, version: str) -> tuple[Item, ...]:
    """Return the practice questions that listeners are asked; none where the version has no practice split."""
    if "practice" not in get_benchmark(benchmark_id, version).splits:
        return ()
    return tuple(item for item in practice_content(benchmark_id, version).items if item.answer_format in ASKED)


def _read_pack(path: Path, benchmark_id: str, version: str) -> PracticePack:
    items = {item.id: item for item in list_listening_items(benchmark_id, version)}
    with zipfile.ZipFile(path) as archive, path.open("rb") as file:
        lines = archive.read("answers.jsonl").decode().splitlines()
        stored = [info for info in archive.infolist() if info.filename.endswith(".wav")]
        clips = {Path(info.filename).stem: _find_clip(file.fileno(), info) for info in stored}
    answers = {row["id"]: row["answer"] for row in map(json.loads, lines)}
    truths = {name: _to_truth(answers[name]) for name in items}
    digest = practice_content(benchmark_id, version).digest
    return PracticePack(get_benchmark(benchmark_id, version), digest, items, truths, clips, path)


def _to_truth(answer: int | bool | list[int]) -> Truth:
    return frozenset(answer) if isinstance(answer, list) else answer


def _find_clip(descriptor: int, info: zipfile.ZipInfo) -> _PackedClip:
    """Return where a sound lies within its pack, which keeps sounds as they are."""
    n_name, n_extra = _LOCAL_HEADER.unpack(os.pread(descriptor, _LOCAL_HEADER.size, info.header_offset))
    offset = info.header_offset + _LOCAL_HEADER.size + n_name + n_extra
    (bytes_a_second,) = _BYTE_RATE.unpack(os.pread(descriptor, _BYTE_RATE.size, offset))
    seconds = max(0, info.file_size - _WAV_HEADER_BYTES) / max(1, bytes_a_second)
    return _PackedClip(offset, info.file_size, info.CRC, seconds)
