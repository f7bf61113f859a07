"""Introduction of a benchmark: its paper and an example question."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paper:
    """The paper that a benchmark comes from; `authors` are full names in the paper's order."""

    title: str
    authors: tuple[str, ...]
    url: str
    year: int


@dataclass(frozen=True, slots=True)
class Example:
    """Which practice question the page shows as an example.

    Attributes:
        task: The first practice question of this task is shown.
        translation: Question and options in English; empty where they are English.
    """

    task: str
    translation: tuple[str, ...] = ()
