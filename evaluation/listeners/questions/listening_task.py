"""Input of every question family: the question, the features of its clips, and tie-breaking."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.listeners.ears import Ears
from evaluation.listeners.prompt import Option, PromptQuestion
from evaluation.listeners.words import Wording

_UNKNOWN = Wording(
    "unable | cannot | can't | can not | could not | couldn't | impossible | undetermin* | "
    "indetermin* | uncertain | unclear | unsure | not sure | not certain | not clear | "
    "not enough | insufficient | don't know | do not know | none of the above | hard to say | "
    "hard to tell | 无法 | 不能确定 | 不确定 | 难以 | 不知道"
)


@dataclass(frozen=True, slots=True, eq=False)
class ListeningTask:
    """One prompt with the features of its clips.

    Attributes:
        question: The question.
        ears: Features of each clip.
        rng: Random generator for the prompt and seed.
    """

    question: PromptQuestion
    ears: tuple[Ears, ...]
    rng: np.random.Generator

    def break_tie(self, among: Sequence[int]) -> int:
        """Return one of several equally good values."""
        return among[int(self.rng.integers(len(among)))]


def is_unknown_option(text: str) -> bool:
    """Whether an option says that the answer is unknown."""
    return _UNKNOWN.found_in(text)


def find_unknown_option(options: Sequence[Option]) -> int | None:
    """Return the position of the option that says that the answer is unknown."""
    return next((number for number, option in enumerate(options) if is_unknown_option(option.text)), None)
