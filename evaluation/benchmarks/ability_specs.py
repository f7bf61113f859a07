"""Abilities and answering habits: scores with names in plain words."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ability:
    """An axis of the radar, and something that a row can be strong or weak at.

    Attributes:
        key: `<slice>|<metric>`.
        name: In plain words, short enough for an axis.
    """

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Habit:
    """A way of answering that does not listen to the question.

    Attributes:
        key: Figure that measures it, as a share.
        words: What is done in that share, such as `says true of false statements`.
        even: Figure whose value by chance an even guesser shows here; the habit's own unless named.
    """

    key: str
    words: str
    even: str = ""
