"""Records of human listeners."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ListenerRecord:
    """Counts of a listening round that a listener agreed to store. They do not identify the listener.

    Attributes:
        n_right: Number of correct answers.
        n: Number of questions.
        tasks: Task group → (correct, total).
    """

    n_right: int
    n: int
    tasks: Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class NewListener:
    """A listening round to store.

    Attributes:
        digest: SHA-256 of the ID with which the listener can withdraw the round. The ID itself is not stored.
        benchmark: ID of the benchmark.
        version: Its version.
        content: Digest of the questions.
        day: Day in UTC, such as `2026-01-31`, without a time.
        seconds: Duration of the round.
        counts: Numbers of correct answers.
    """

    digest: str
    benchmark: str
    version: str
    content: str
    day: str
    seconds: int
    counts: ListenerRecord
