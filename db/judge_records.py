"""What leaves the database of judging."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class JudgeSpend:
    """What was asked of judges in some days: calls, and tokens as the servers count them."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class HoldRecord:
    """Why an entry is, or was, held.

    Attributes:
        judging: By whom and how it was judged.
        answers: Item id → what its answer did, of those that a maintainer has to look at.
        faults: What the controls told of the judge.
        held_at: Since when.
        released_at: When a maintainer let it go on; None while nobody did.
    """

    judging: str
    answers: Mapping[str, str]
    faults: tuple[str, ...]
    held_at: datetime
    released_at: datetime | None = None
