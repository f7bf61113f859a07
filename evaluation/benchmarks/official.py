"""Benchmarks with imported questions: an organiser's, or the demonstration set in the same format."""

import hashlib
import json
import posixpath
import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from evaluation.answer_keys import PRACTICE_SEED, AnswerKey, AnswerValue, new_seed
from evaluation.benchmarks.base import Benchmark
from evaluation.benchmarks.clustering import number_clusters
from evaluation.benchmarks.content import Content
from evaluation.benchmarks.imported import Imported
from evaluation.benchmarks.importing import format_value
from evaluation.errors import AnswerKeyError, DataNotHeldError, ImportProblemsError
from evaluation.streams import OpaqueIds, opaque_id
from evaluation.synthesis import RENDERER_VERSION
from evaluation.types import Item, Split

DEMO = "demo"
OWN_LICENCE = "CC-BY-4.0 (questions and recordings by Earshot)"
OWN_DATASET_LICENCE = "cc-by-4.0"

_CLIP = "clip|"
_LEADING = re.compile(r"\A(?:\./|/)+")


class OfficialBenchmark(Benchmark):
    """A benchmark in an organiser's format.

    Its version `demo`, if it has one, is a few questions of our own in exactly that format, with rendered audio. The
    same importer reads them as the organiser's files, and they never share a ranking. They have our own licence; the
    class declares the licence of the organiser's files.

    Attributes:
        official_files: Files in an organiser's folder, for the import instructions.
        paper_items: Number of items in the paper.
        demo_dir: Folder of the demonstration set: the official files, and the scenes of its audio.
    """

    answers_are_secret: bool = False
    official_files: ClassVar[str]
    paper_items: ClassVar[int]
    demo_dir: ClassVar[Path]

    def __init__(self, version: str) -> None:
        self.version = version
        if version == DEMO:
            self.licence = OWN_LICENCE
            self.dataset_licence = OWN_DATASET_LICENCE
        else:
            self.splits = ("test",)
            self.needs = (
                f"Put {self.official_files} in a folder, then run: "
                f"python -m evaluation keys import --benchmark {self.id} FOLDER"
            )

    @property
    def n_items_of_paper(self) -> int | None:
        """Number of items in the paper; None for versions with our own questions."""
        return self.paper_items if self.needs is not None else None

    @property
    def scenes(self) -> Mapping[str, Mapping[str, Any]]:
        """Scenes of the demonstration set's clips, by the paths in its questions."""
        return _read_scenes(self.demo_dir)

    @abstractmethod
    def items_of(self, key: AnswerKey) -> tuple[Item, ...]:
        """Return the items of a key's questions, in a fixed order."""

    def render_demo_sound(self, path: str) -> bytes:
        """Return one clip of the demonstration set, by its path in the questions, as a WAV file.

        Raises:
            KeyError: The clip does not exist, or there is no demonstration set.
        """
        raise KeyError(path)

    def content(self, key: AnswerKey) -> Content:
        """Return the questions of a key's split."""
        return _content(self, key)

    def true_answers(self, split: Split, seed: str) -> Mapping[str, AnswerValue]:
        """Return the answers of the demonstration set; other answers cannot be generated from a seed."""
        return self.make_key(split, seed).answers

    def make_key(self, split: Split, seed: str | None = None) -> AnswerKey:
        """Create the key of the demonstration set.

        Raises:
            DataNotHeldError: The questions of this version are an organiser's, or the split does not exist.
        """
        self.check_split(split)
        seed = seed or (PRACTICE_SEED if split == "practice" else new_seed())
        return _import_demo(self, split, seed)

    def made_sounds(self, key: AnswerKey) -> Mapping[str, str]:
        """Return clip → path or name of the generated audio: all clips of the demonstration set."""
        return _paths_of_clips(self, key) if self.version == DEMO else {}

    def render_made_sound(self, key: AnswerKey, name: str) -> bytes:  # noqa: ARG002 - others are made from the seed
        """Return one generated clip as a WAV file.

        Raises:
            KeyError: The clip does not exist.
        """
        return self.render_demo_sound(name)

    def describe_made_sounds(self) -> object:
        """Return what determines the generated audio besides the seed, for the content digest."""
        return [RENDERER_VERSION, self.scenes]

    def render_clip(self, key: AnswerKey, clip: str) -> bytes:
        """Return one clip as a WAV file: the organiser's, unchanged since the import, or a generated one.

        Raises:
            KeyError: The clip does not exist.
            DataNotHeldError: The clip was not imported.
        """
        generated = self.made_sounds(key)
        if clip in generated or self.version == DEMO:
            return self.render_made_sound(key, generated[clip])
        if clip not in key.clips or key.audio_dir is None:
            raise DataNotHeldError(
                f"Clip {clip} of {self.title} {self.version} was not imported. Import the questions again."
            )
        data = (key.audio_dir / f"{clip}.wav").read_bytes()
        if hashlib.sha256(data).hexdigest() != key.clips[clip]:
            raise AnswerKeyError(f"{key.audio_dir / clip}.wav has changed since it was imported. Import it again.")
        return data

    def cluster_items(self, key: AnswerKey) -> NDArray[np.int64]:
        """Return a cluster number for each item; items of one recording share it.

        Two paths are one recording if they are spellings of one path, if both files have the same bytes, or if
        `name_recording` returns the same name. An item belongs to all clips that its question names, including those
        that only some settings play.
        """
        sources = {
            question["id"]: {source for path in self.list_paths(question) for source in self._list_sources(key, path)}
            for question in self.questions_of(key)
        }
        return number_clusters([sources[item.id] for item in self.items_of(key)])

    def _list_sources(self, key: AnswerKey, path: str) -> tuple[str, ...]:
        digest = key.clips.get(clip_name(key.seed, path))
        recording = self.name_recording(posixpath.normpath(_LEADING.sub("", path)))
        return (f"path {recording}", *([f"bytes {digest}"] if digest is not None else []))

    def name_recording(self, path: str) -> str:
        """Return the recording that a clip is cut from, as far as its path reveals it; by default, its own path.

        Args:
            path: Path relative to the organiser's folder, normalised.
        """
        return path

    def questions_of(self, key: AnswerKey) -> Sequence[Mapping[str, Any]]:
        """Return the questions without answers, in their own format, as imported."""
        return key.questions

    @abstractmethod
    def list_paths(self, question: Mapping[str, Any]) -> Sequence[str]:
        """Return the paths of a question's clips."""

    def sound_paths(self, key: AnswerKey) -> frozenset[str]:
        """Return the paths of the clips of all questions in a key."""
        return frozenset(path for question in self.questions_of(key) for path in self.list_paths(question))


def clip_name(seed: str, path: str) -> str:
    """Return the opaque name of a clip from its path in the questions."""
    return opaque_id(seed, f"{_CLIP}{path}", "clip-")


def draw_clip_path(ids: OpaqueIds, path: str) -> str:
    """Return a path, with a number if the name of another clip equals that of `path`."""
    return ids.vary(f"{_CLIP}{path}", "clip-").removeprefix(_CLIP)


def find_sounds(folder: Path, paths: frozenset[str], seed: str) -> tuple[dict[str, Path], tuple[str, ...]]:
    """Return clip name → file for the clips in an organiser's folder, and the paths of missing clips.

    Paths are relative to the folder, even with a leading `/` or `./`, and never lead outside it.

    Raises:
        ImportProblemsError: Two clips have the same name. Of 240,000 folders with 3,000 clips, one has such a pair.
    """
    files: dict[str, Path] = {}
    named: dict[str, str] = {}
    absent = []
    root = folder.resolve()
    for path in sorted(paths):
        file = _find_file(root, _LEADING.sub("", path))
        if file is None:
            absent.append(path)
            continue
        name = clip_name(seed, path)
        if (other := named.setdefault(name, path)) != path:
            both = f"{format_value(other)} and {format_value(path)}"
            raise ImportProblemsError([f"{both} get the same clip name. Rename one of them, also in the questions."])
        files[name] = file
    return files, tuple(absent)


def _find_file(root: Path, path: str) -> Path | None:
    """Return a file inside a folder, or None, even if the disk does not support the name or links form a cycle."""
    try:
        # Most files of a set without sounds are missing, and resolving a path takes a call for each folder in it.
        if not (root / path).is_file():
            return None
        file = (root / path).resolve()
        return file if file.is_relative_to(root) else None
    except (OSError, ValueError, RuntimeError):
        return None


@lru_cache(maxsize=8)
def _content(benchmark: OfficialBenchmark, key: AnswerKey) -> Content:
    items = benchmark.items_of(key)
    public = [
        [item.id, item.task, item.question, item.options, item.runs, item.clips, dict(item.context)] for item in items
    ]
    generated = benchmark.made_sounds(key).keys()
    sounds = benchmark.describe_made_sounds() if generated else {}
    sounds = sounds if benchmark.version == DEMO else [sounds, dict(key.clips)]
    # Include the key's own digest: fields that participants do not see can affect scores.
    everything = [benchmark.id, benchmark.version, key.split, public, sounds, key.content_digest]
    source = json.dumps(everything, sort_keys=True)
    digest = hashlib.sha256(source.encode()).hexdigest()
    # All or none: a pack without some of them would look complete.
    has_sounds = {clip for item in items for clip in item.clips} <= key.clips.keys() | generated
    return Content(benchmark.id, benchmark.version, key.split, items, digest, has_sounds)


@lru_cache(maxsize=8)
def _read_scenes(folder: Path) -> Mapping[str, Mapping[str, Any]]:
    scenes: Mapping[str, Mapping[str, Any]] = json.loads((folder / "scenes.json").read_text(encoding="utf-8"))
    return scenes


@lru_cache(maxsize=8)
def _import_demo(benchmark: OfficialBenchmark, split: Split, seed: str) -> AnswerKey:
    imported: Imported = benchmark.import_folder(benchmark.demo_dir, seed)
    key = imported.key
    return replace(key, split=split, seed=seed)


@lru_cache(maxsize=8)
def _paths_of_clips(benchmark: OfficialBenchmark, key: AnswerKey) -> Mapping[str, str]:
    return {clip_name(key.seed, path): path for path in benchmark.sound_paths(key)}
