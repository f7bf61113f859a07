"""Result of an import of an organiser's files."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluation.answer_keys import AnswerKey


@dataclass(frozen=True, slots=True)
class Count:
    """How many items of a kind were found, and how many the benchmark's description names."""

    name: str
    found: int
    expected: int


@dataclass(frozen=True, slots=True)
class Imported:
    """What an importer made of an organiser's files; nothing of it is written yet.

    Attributes:
        key: Questions and answers; its `clips` are still empty.
        sounds: Clip name → the organiser's file.
        absent: Sounds that the questions name and that are not there, as they are named.
        counts: Items by kind beside what is expected.
        repaired: What was put right on the way, one sentence each.
    """

    key: AnswerKey
    sounds: Mapping[str, Path]
    absent: tuple[str, ...]
    counts: tuple[Count, ...]
    repaired: tuple[str, ...]

    @property
    def deviations(self) -> tuple[Count, ...]:
        """Kinds whose number is not the expected one."""
        return tuple(count for count in self.counts if count.found != count.expected)
