"""Records of human listeners."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ListenerRecord:
    """A round that somebody let be kept: counts, and nothing about who it was.

    Attributes:
        n_right: Questions answered rightly.
        n: Questions asked.
        tasks: Group of tasks → (right, asked).
    """

    n_right: int
    n: int
    tasks: Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class NewListener:
    """A round that is to be kept.

    Attributes:
        digest: SHA-256 of the id by which its listener may withdraw it; the id itself is not kept.
        benchmark: Which benchmark.
        version: Its version.
        content: Digest of the questions.
        day: The day, in UTC, as `2026-01-31`; no time.
        seconds: How long the round took.
        counts: What was right.
    """

    digest: str
    benchmark: str
    version: str
    content: str
    day: str
    seconds: int
    counts: ListenerRecord
