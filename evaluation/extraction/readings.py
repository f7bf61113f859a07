"""Readings made once: they are immutable, and making one costs more than looking it up."""

from typing import get_args

from evaluation.types import Reading, UnreadableReason

UNREAD: dict[UnreadableReason, Reading] = {reason: Reading(reason=reason) for reason in get_args(UnreadableReason)}
EMPTY = UNREAD["empty"]
_CHOSEN = tuple(Reading(index=index) for index in range(26))


def chosen(index: int) -> Reading:
    """The reading of one option."""
    return _CHOSEN[index] if index < len(_CHOSEN) else Reading(index=index)
