"""Introduction of a benchmark: its paper and an example question."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paper:
    """Source paper of a benchmark; `authors` are full names in the paper's order."""

    title: str
    authors: tuple[str, ...]
    url: str
    year: int


@dataclass(frozen=True, slots=True)
class Example:
    """Practice question that the page shows as an example.

    Attributes:
        task: Task whose first practice question is shown.
        translation: Question and options in English; empty where they are English.
    """

    task: str
    translation: tuple[str, ...] = ()
