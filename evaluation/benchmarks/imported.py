"""Result of an import of an organiser's files."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluation.answer_keys import AnswerKey


@dataclass(frozen=True, slots=True)
class Count:
    """Number of items of a kind, and the expected number."""

    name: str
    found: int
    expected: int


@dataclass(frozen=True, slots=True)
class Imported:
    """Result of an importer; nothing is written yet.

    Attributes:
        key: Questions and answers; its `clips` are still empty.
        sounds: Clip name → the organiser's file.
        absent: Missing clips, as the questions name them.
        counts: Items by kind, with the expected numbers.
        repaired: Repairs, one sentence each.
    """

    key: AnswerKey
    sounds: Mapping[str, Path]
    absent: tuple[str, ...]
    counts: tuple[Count, ...]
    repaired: tuple[str, ...]

    @property
    def deviations(self) -> tuple[Count, ...]:
        """Kinds with an unexpected number of items."""
        return tuple(count for count in self.counts if count.found != count.expected)
