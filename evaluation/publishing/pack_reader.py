"""Reader of question packs: questions as rows, clips, and the answers of a practice pack."""

import json
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from evaluation.publishing.errors import PublishError
from evaluation.types import Split

ANSWERS_FILE = "answers.jsonl"
_QUESTION_FIELDS = frozenset({"id", "run", "setting", "task", "prompt", "options", "answer_format"})
_PROMPT_FIELDS = (frozenset({"type", "text"}), frozenset({"type", "path"}))


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question as sent to a model in one setting.

    Attributes:
        fields: Its line of `questions.jsonl` without the run number.
        runs: Numbers of the runs with exactly this prompt.
    """

    fields: Mapping[str, Any]
    runs: tuple[int, ...]

    @property
    def clip_paths(self) -> tuple[str, ...]:
        """Paths of the played clips in the pack, in order."""
        return tuple(part["path"] for part in self.fields["prompt"] if part["type"] == "audio")


class QuestionPack:
    """An open question pack."""

    def __init__(self, path: Path) -> None:
        """Open a pack.

        Raises:
            PublishError: The pack cannot be read, or a pack of the test split contains answers.
        """
        try:
            self._archive = zipfile.ZipFile(path)
        except (OSError, zipfile.BadZipFile):
            raise PublishError(
                f"The question pack {path} cannot be read. Delete it; Earshot creates it again."
            ) from None
        self.split: Split = "practice" if self._describe()["split"] == "practice" else "test"
        if self.split == "test" and ANSWERS_FILE in self._archive.namelist():
            self._archive.close()
            raise PublishError(f"The question pack {path} belongs to the test split but contains answers. Delete it.")

    def __enter__(self) -> Self:
        """Return the open pack."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the pack."""
        self._archive.close()

    def read_rows(self, item_ids: frozenset[str]) -> list[QuestionRow]:
        """Return the questions of some items; those with the same clip are adjacent.

        Runs that differ only in their number are one row. Clip names are opaque, so this order reveals nothing.

        Raises:
            PublishError: A question has a field that is not published.
        """
        runs: dict[str, list[int]] = {}
        for line in self._archive.read("questions.jsonl").splitlines():
            question = json.loads(line)
            _check_fields(question)
            number = question.pop("run")
            if question["id"] in item_ids:
                runs.setdefault(json.dumps(question, ensure_ascii=False), []).append(number)
        rows = [QuestionRow(json.loads(fields), tuple(numbers)) for fields, numbers in runs.items()]
        # Rows without clips come last: readers of the first rows expect audio.
        return sorted(rows, key=lambda row: (not row.clip_paths, row.clip_paths))

    def read_clip(self, path: str) -> bytes:
        """Return a clip as a WAV file."""
        return self._archive.read(path)

    def size_clip(self, path: str) -> int:
        """Return the size of a clip in bytes."""
        return self._archive.getinfo(path).file_size

    def read_answers(self) -> dict[str, str]:
        """Return item ID → right answer as JSON; empty for the test split."""
        if self.split == "test":
            return {}
        lines = (json.loads(line) for line in self._archive.read(ANSWERS_FILE).splitlines())
        return {line["id"]: json.dumps(line["answer"], ensure_ascii=False) for line in lines}

    def _describe(self) -> dict[str, Any]:
        described: dict[str, Any] = json.loads(self._archive.read("pack.json"))
        return described


def _check_fields(question: Mapping[str, Any]) -> None:
    is_known = question.keys() == _QUESTION_FIELDS and all(part.keys() in _PROMPT_FIELDS for part in question["prompt"])
    if not is_known:
        unknown = sorted(_list_fields(question) - _QUESTION_FIELDS - frozenset().union(*_PROMPT_FIELDS))
        raise PublishError(
            f"A question has unexpected fields ({', '.join(unknown) or 'one is missing'}). Make sure that no field "
            "reveals an answer, then update the list in evaluation/publishing/pack_reader.py."
        )


def _list_fields(question: Mapping[str, Any]) -> frozenset[str]:
    parts: Iterable[Mapping[str, Any]] = question.get("prompt", ())
    return frozenset(question) | frozenset(name for part in parts for name in part)
