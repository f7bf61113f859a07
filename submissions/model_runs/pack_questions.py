"""Question packs as the questions of a run: prompts, clips, and what the pack says about itself."""

import zipfile
import zlib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from itertools import zip_longest
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from evaluation.types import AudioPart, PromptPart, TextPart
from submissions.endpoints.querying.query_records import ItemQuery
from submissions.model_runs.run_errors import ModelRunError

_CLIPS, _SUFFIX = "audio/", ".wav"
_PART_TYPES = ("text", "audio")
_CHANNELS_AT = 22  # in the header of a WAV file
_HEADER_BYTES = 24
# What `zipfile` raises for damaged, encrypted and oddly compressed members.
_UNREADABLE = (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError)


class PackInfo(msgspec.Struct, frozen=True):
    """What `pack.json` says that a run needs."""

    benchmark: str
    version: str
    split: str
    content_digest: str
    title: str
    sounds: bool
    edition: str = ""

    @property
    def name(self) -> str:
        """Name of the questions in messages."""
        questions = f"edition {self.edition}" if self.edition else f"the {self.split} split"
        return f"{questions} of {self.title} {self.version}"


class _Part(msgspec.Struct):
    type: str
    text: str = ""
    path: str = ""


class _Question(msgspec.Struct):
    id: str
    run: int
    setting: str
    task: str
    prompt: list[_Part]


class RunPack:
    """An open pack."""

    def __init__(self, path: Path) -> None:
        """Open a pack.

        Raises:
            ModelRunError: The file is no question pack, or contains no audio.
        """
        self._path = path
        try:
            self._archive = zipfile.ZipFile(path)
        except _UNREADABLE as error:
            raise self._explain(error) from None
        with ExitStack() as refused:
            refused.enter_context(self._archive)
            self._read_contents()
            refused.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._archive.close()

    def list_questions(self, setting: str, *, are_seeds: bool, n_runs: int | None = None) -> list[ItemQuery]:
        """Return the runs of a setting, adjacent if they share clips.

        Args:
            setting: The setting.
            are_seeds: Whether runs repeat a prompt with another seed, which is then sent.
            n_runs: Number of runs per item; all by default.

        Raises:
            ModelRunError: The pack has no prompts for this setting.
        """
        chosen = [line for line in self._questions if line.setting == setting]
        if not chosen:
            held = ", ".join(dict.fromkeys(line.setting for line in self._questions))
            raise ModelRunError(
                f"The pack has no prompts for the setting `{setting}`, which needs more than a model. Pass --setting "
                f"with one of: {held}."
            )
        questions = [
            ItemQuery(line.id, line.run, tuple(map(_to_part, line.prompt)), line.run if are_seeds else None)
            for line in chosen
            if n_runs is None or line.run < n_runs
        ]
        return sorted(questions, key=lambda question: (question.clips, question.id, question.run))

    @property
    def tasks(self) -> Mapping[str, str]:
        """Item ID → task."""
        return {line.id: line.task for line in self._questions}

    def load_clip(self, name: str) -> bytes:
        """Return a clip as a WAV file.

        Raises:
            ModelRunError: The pack has no such clip, or it is damaged.
        """
        return self._read(f"{_CLIPS}{name}{_SUFFIX}")

    def count_stereo(self, questions: Sequence[ItemQuery]) -> int:
        """Return how many questions have a clip with several channels."""
        names = {clip for question in questions for clip in question.clips}
        stereo = {name for name in names if self._count_channels(name) > 1}
        return sum(any(clip in stereo for clip in question.clips) for question in questions)

    def _read_contents(self) -> None:
        try:
            self.info = msgspec.json.decode(self._read("pack.json"), type=PackInfo)
            self._questions = _decode_lines(self._read("questions.jsonl"))
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise self._explain(error) from None
        if not self._questions:
            raise self._explain("it has no questions")
        odd = next((part.type for line in self._questions for part in line.prompt if part.type not in _PART_TYPES), "")
        if odd:
            raise self._explain(f"it has a part of the unknown type {odd[:50]!r}")
        if not self.info.sounds:
            raise ModelRunError(
                f"{self._path} contains no audio, because its server has none. Get it from the authors."
            )

    def _count_channels(self, name: str) -> int:
        return int.from_bytes(self._read(f"{_CLIPS}{name}{_SUFFIX}", _HEADER_BYTES)[_CHANNELS_AT:], "little")

    def _read(self, name: str, n_bytes: int = -1) -> bytes:
        try:
            with self._archive.open(name) as file:
                return file.read(n_bytes)
        except KeyError:
            raise self._explain(f"it has no {name}") from None
        except _UNREADABLE as error:
            raise self._explain(error) from None

    def _explain(self, reason: object) -> ModelRunError:
        said = getattr(reason, "strerror", None) or reason
        return ModelRunError(f"{self._path} cannot be used as a question pack ({said}). Delete it to get it again.")


def choose_trial(questions: Sequence[ItemQuery], tasks: Mapping[str, str], n_questions: int) -> list[ItemQuery]:
    """Return a few questions, spread evenly over the tasks; the same ones every time."""
    by_task: dict[str, list[ItemQuery]] = {}
    for question in sorted(questions, key=lambda question: question.run):
        by_task.setdefault(tasks[question.id], []).append(question)
    rounds = zip_longest(*(by_task[task] for task in sorted(by_task)))
    return [question for each in rounds for question in each if question is not None][:n_questions]


def _decode_lines(data: bytes) -> list[_Question]:
    return msgspec.json.Decoder(_Question).decode_lines(data)


def _to_part(part: _Part) -> PromptPart:
    if part.type == "audio":
        return AudioPart(part.path.removeprefix(_CLIPS).removesuffix(_SUFFIX))
    return TextPart(part.text)
