"""Types of listeners: their input, and the listener itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Sound:
    """Audio samples as a listener receives them.

    Attributes:
        samples: float64 (n, channels) with full scale ±1; of two channels the first is the left ear's.
        rate: Sample rate in hertz.
    """

    samples: NDArray[np.float64]
    rate: int


Heard = str | Sound
"""One piece of a prompt: a text or a clip."""


class Listener(Protocol):
    """A system that answers from a prompt's texts and clips only."""

    @property
    def id(self) -> str:
        """Model ID."""

    @property
    def title(self) -> str:
        """Name on the page."""

    def answer(self, heard: Sequence[Heard], seed: int = 0) -> str:
        """Answer a prompt with text.

        Args:
            heard: Texts and clips, in the order of the prompt.
            seed: Seed of random choices; the same prompt and seed give the same answer.
        """
