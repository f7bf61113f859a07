"""Records of judging."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

PRICED_TOKENS = 1_000_000


@dataclass(frozen=True, slots=True)
class JudgeSpend:
    """What was asked of judges in some days: calls, and tokens as the servers count them."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class JudgePrice:
    """What a judge costs, in money per million tokens."""

    prompt: float
    completion: float

    def cost(self, spend: JudgeSpend) -> float:
        """Return what some asking has cost."""
        return (self.prompt * spend.prompt_tokens + self.completion * spend.completion_tokens) / PRICED_TOKENS


@dataclass(frozen=True, slots=True)
class JudgeBudget:
    """What all evaluators together may ask in a day.

    Attributes:
        max_calls: Calls.
        max_cost: Money; None is no limit. It takes a price.
        price: What tokens cost, where that is known.
    """

    max_calls: int
    max_cost: float | None = None
    price: JudgePrice | None = None

    @property
    def has_cost(self) -> bool:
        """Whether money is limited."""
        return self.max_cost is not None and self.price is not None


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
