"""Types of listeners: their input, and the listener itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Sound:
    """Sound as a listener hears it: nothing but samples.

    Attributes:
        samples: float64 (n, channels), full scale is ±1; of two channels the first is the left ear's.
        rate: Frames per second.
    """

    samples: NDArray[np.float64]
    rate: int


Heard = str | Sound
"""One piece of a prompt: a text that is read, or a sound that is heard."""


class Listener(Protocol):
    """A system that answers from what it reads and hears, and from nothing else."""

    @property
    def id(self) -> str:
        """Name under which it is asked."""

    @property
    def title(self) -> str:
        """Name on the page."""

    def answer(self, heard: Sequence[Heard], seed: int = 0) -> str:
        """Answer a prompt in words.

        Args:
            heard: Texts and sounds, in the order of the prompt.
            seed: Decides what is left to chance; the same prompt and seed give the same answer.
        """
