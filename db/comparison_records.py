"""Records of comparisons of two evaluations."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class PairKey:
    """Two evaluations in the order of their submission IDs, and the comparison rule."""

    first_evaluation_id: int
    second_evaluation_id: int
    rule: str


@dataclass(frozen=True, slots=True)
class NewComparison:
    """A requested comparison.

    Attributes:
        pair: The two evaluations.
        first_submission_id: Submission of the first evaluation.
        second_submission_id: Submission of the second evaluation.
        asked_by: Who requested it: a user's number, or one shared value for all anonymous visitors.
        charge: Allowance that this pair of submissions counts against; None if it counts against none.
    """

    pair: PairKey
    first_submission_id: str
    second_submission_id: str
    asked_by: str
    charge: str | None


@dataclass(frozen=True, slots=True)
class ComparisonRecord:
    """A comparison and its state.

    Attributes:
        id: Number, in the order of requests.
        pair: The two evaluations.
        first_submission_id: Submission of the first evaluation.
        second_submission_id: Submission of the second.
        state: `queued`, `running`, `done`, `failed`, or `forgotten` if the result was deleted to save space.
        explanation: Why it failed.
        result: Result of the evaluator; None until it is done.
        finished_at: When it ended.
    """

    id: int
    pair: PairKey
    first_submission_id: str
    second_submission_id: str
    state: str
    explanation: str | None
    result: Mapping[str, Any] | None
    finished_at: datetime | None
