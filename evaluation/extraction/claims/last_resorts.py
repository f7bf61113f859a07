"""Single choice answers that stay unread by letters and texts: what they say last, or by rank, settles some of them."""

from collections.abc import Callable

from evaluation.extraction.claims.last_claims import find_last_claim
from evaluation.extraction.claims.quotations import drop_quotations
from evaluation.extraction.claims.rejections import rejects_options
from evaluation.extraction.claims.remaining import find_remaining
from evaluation.extraction.claims.singled_out import find_singled_out
from evaluation.extraction.language.normalize import clean
from evaluation.extraction.language.spelling import lower
from evaluation.extraction.measures.ranked_ranges import find_ranked, is_ascending
from evaluation.extraction.option_texts.options import PreparedOptions, mark_texts
from evaluation.extraction.readings import chosen
from evaluation.types import Reading

_SHORTEST, _LONGEST = 6, 1_000
_OPEN_REASONS = frozenset({"ambiguous", "contradiction", "outside-options"})


def settle_last(
    response: str,
    prepared: PreparedOptions,
    reading: Reading,
    read: Callable[[str, PreparedOptions], Reading],
) -> Reading:
    """Read an unread response by its last claim, the rank or the remainder that it names, or without quoted speech.

    Args:
        response: As it was written.
        prepared: The options.
        reading: So far.
        read: Reads a part of a response.
    """
    if reading.reason not in _OPEN_REASONS or not _SHORTEST <= len(response) <= _LONGEST:
        return reading
    names_none = reading.reason == "outside-options"
    if names_none and not ("one of the" in response or is_ascending(prepared.texts)):
        return reading
    cleaned = clean(response)
    lowered, marked = lower(cleaned), mark_texts(cleaned, prepared)
    if rejects_options(lowered):
        return reading
    place = None if names_none else find_last_claim(marked, prepared.profile, prepared.texts)
    if place is None and not names_none:
        place = find_remaining(marked, prepared.profile.size)
    if place is None:
        place = find_ranked(lowered, marked, prepared.texts)
    if place is None and marked != cleaned:
        place = find_singled_out(lower(marked), prepared.texts)
    if place is not None:
        return chosen(place)
    spoken = drop_quotations(cleaned) if prepared.profile.weak else None
    again = reading if spoken is None else read(spoken, prepared)
    return reading if again.index is None else again
