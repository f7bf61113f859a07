"""Single choice answers that stay unread by letters and texts: what they say last, or by rank, settles some of them."""

from collections.abc import Callable

from evaluation.extraction.claims.last_claims import find_last_claim
from evaluation.extraction.claims.quotations import drop_quotations
from evaluation.extraction.claims.rejections import rejects_options
from evaluation.extraction.claims.remaining import find_remaining
from evaluation.extraction.claims.singled_out import find_singled_out
from evaluation.extraction.language.normalize import clean
from evaluation.extraction.language.spelling import lower
from evaluation.extraction.measures.digit_groups import has_groups, join_groups
from evaluation.extraction.measures.ranked_ranges import find_ranked, is_ascending
from evaluation.extraction.option_texts.options import PreparedOptions, mark_texts, prepare
from evaluation.extraction.option_texts.reasoned import find_shared_reason, list_candidates, list_reasons
from evaluation.extraction.paraphrases.leftovers import points_to_options
from evaluation.extraction.readings import chosen
from evaluation.types import Reading

_SHORTEST, _LONGEST, _FEWEST = 6, 1_000, 2
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
    if reading.reason not in _OPEN_REASONS or len(response) > _LONGEST:
        return reading
    grouped = has_groups(prepared.texts) or ("," in response and prepared.quantities is not None)
    if grouped and (joined := join_groups(response, prepared.texts)) is not None:
        return read(joined[0], prepare(joined[1]))
    if len(response) < _SHORTEST:
        return reading
    reasoned = _read_reason(response, prepared, read) if prepared.has_reasons else None
    if reasoned is not None:
        return reasoned
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


def _read_reason(
    response: str, prepared: PreparedOptions, read: Callable[[str, PreparedOptions], Reading]
) -> Reading | None:
    """Read a yes or no with a reason by the reasons of the options that answer the same."""
    found = list_candidates(response, prepared.texts)
    if found is None or points_to_options(found[0]):
        return None
    said, places = found
    if len(places) < _FEWEST:
        return None
    reasons = list_reasons(prepared.texts)
    reading = read(said, prepare(tuple(reasons[place].text for place in places)))
    if reading.index is not None:
        return chosen(places[reading.index])
    place = find_shared_reason(said, places, prepared.texts)
    return None if place is None else chosen(place)
