"""Abilities and answering habits: scores with readable names."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ability:
    """An axis of the radar chart, and a possible strength or weakness of a row.

    Attributes:
        key: `<slice>|<metric>`.
        name: Readable name, short enough for an axis.
    """

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Habit:
    """An answering pattern that is independent of the audio.

    Attributes:
        key: Score that measures its share.
        words: Description of the pattern, such as `says true of false statements`.
        even: Score whose chance value is the even share of this habit; defaults to the habit's own score.
    """

    key: str
    words: str
    even: str = ""
