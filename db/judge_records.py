"""Records of judges: costs, budgets and held submissions."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

PRICED_TOKENS = 1_000_000


@dataclass(frozen=True, slots=True)
class JudgeSpend:
    """Judge usage over some days: calls, and tokens as the servers report them."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class JudgePrice:
    """Price of a judge, in money per million tokens."""

    prompt: float
    completion: float

    def cost(self, spend: JudgeSpend) -> float:
        """Return the cost of some usage."""
        return (self.prompt * spend.prompt_tokens + self.completion * spend.completion_tokens) / PRICED_TOKENS


@dataclass(frozen=True, slots=True)
class JudgeBudget:
    """Daily judge budget of all evaluators together.

    Attributes:
        max_calls: Maximum number of calls.
        max_cost: Maximum cost in money; None for no limit. Requires a price.
        price: Price of tokens, if known.
    """

    max_calls: int
    max_cost: float | None = None
    price: JudgePrice | None = None

    @property
    def has_cost(self) -> bool:
        """Whether the cost is limited."""
        return self.max_cost is not None and self.price is not None


@dataclass(frozen=True, slots=True)
class HoldRecord:
    """Why a submission is or was held.

    Attributes:
        judging: Judge and protocol.
        answers: Item ID → suspicious signals in the answer, for answers that a maintainer must review.
        faults: Problems that control items revealed.
        held_at: When it was held.
        released_at: When a maintainer released it; None until then.
    """

    judging: str
    answers: Mapping[str, str]
    faults: tuple[str, ...]
    held_at: datetime
    released_at: datetime | None = None
