"""Records of comparisons of two scorings."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class PairKey:
    """Two scorings, that of the submission whose id comes first in front, and the rule for comparing them."""

    first_evaluation_id: int
    second_evaluation_id: int
    rule: str


@dataclass(frozen=True, slots=True)
class NewComparison:
    """A comparison that somebody wants.

    Attributes:
        pair: Which scorings.
        first_submission_id: Whose scoring comes first in the pair.
        second_submission_id: Whose comes second.
        asked_by: Who waits: a person's number, or all visitors together.
        charge: The allowance that this pair of submissions counts against; None where it counts against none.
    """

    pair: PairKey
    first_submission_id: str
    second_submission_id: str
    asked_by: str
    charge: str | None


@dataclass(frozen=True, slots=True)
class ComparisonRecord:
    """A comparison as it stands.

    Attributes:
        id: Number, in the order of asking.
        pair: Which scorings.
        state: `queued`, `running`, `done`, `failed`, or `forgotten` where the result was dropped to save room.
        explanation: Why it failed.
        result: What an evaluator found; None until it is done.
        finished_at: When it ended.
    """

    id: int
    pair: PairKey
    state: str
    explanation: str | None
    result: Mapping[str, Any] | None
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class OpenComparison:
    """A comparison that waits or that somebody is, or was, at work on."""

    id: int
    token: str | None
    worker: str | None
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class ComparisonLease:
    """The right to write the result of one comparison, until somebody else takes it over."""

    id: int
    first_submission_id: str
    second_submission_id: str
    pair: PairKey
    token: str
    attempts: int
