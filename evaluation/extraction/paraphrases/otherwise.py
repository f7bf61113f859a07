"""Answers that name no option by a letter or its text, but may say one in other words."""

import re
from collections.abc import Callable
from functools import lru_cache

from evaluation.extraction.claims.rejections import rejects_options
from evaluation.extraction.language.normalize import clean
from evaluation.extraction.language.spelling import lower
from evaluation.extraction.language.units import says_opposite
from evaluation.extraction.measures.chinese_event_orders import find_chinese_event_order, list_chinese_event_orders
from evaluation.extraction.measures.clip_orders import (
    find_chained_order,
    find_clip_order,
    find_numbered_order,
    list_clip_orders,
    list_listed_orders,
)
from evaluation.extraction.measures.clock import find_time, list_times
from evaluation.extraction.measures.clock_ranges import find_clock_range, list_clock_ranges
from evaluation.extraction.measures.event_orders import find_event_order, list_event_orders
from evaluation.extraction.measures.factors import find_combination, find_factors, find_qualities, list_qualities
from evaluation.extraction.measures.range_options import find_interval, list_intervals
from evaluation.extraction.measures.sequences import find_order, list_orders
from evaluation.extraction.measures.trends import find_trend, list_trends
from evaluation.extraction.option_texts.options import PreparedOptions
from evaluation.extraction.option_texts.quantities import count_numbers
from evaluation.extraction.option_texts.wordings import find_path
from evaluation.extraction.paraphrases.distinguished import find_distinguished
from evaluation.extraction.paraphrases.equal_clips import find_equal_clips, list_equal_clips
from evaluation.extraction.paraphrases.gist import agree, read_gist
from evaluation.extraction.paraphrases.identified import find_identified
from evaluation.extraction.paraphrases.leftovers import find_undenied, points_to_options
from evaluation.extraction.paraphrases.numbered_clips import (
    list_chinese_clips,
    list_numbered_clips,
    write_numbered_clips,
)
from evaluation.extraction.paraphrases.overlap import may_say_one
from evaluation.extraction.paraphrases.pointing import find_pointed
from evaluation.extraction.paraphrases.relations import find_precedence, find_relation, list_precedences, list_relations
from evaluation.extraction.paraphrases.resemblance import find_concluded, find_resembled, list_traits
from evaluation.extraction.paraphrases.respelling import find_fragment, find_respelled
from evaluation.extraction.paraphrases.unable import find_unable, list_unable
from evaluation.extraction.readings import UNREAD, chosen
from evaluation.types import Reading

_SHORTEST = 2
# Several things are possible, or are only mentioned.
_OPEN = re.compile("也可能|也许是|要么|抑或|^[^。因所说]{0,12}(?:提到|提及|谈到)[^。因所说]*。?$")
# "The second part" of one sound is no second sound.
_PORTION = re.compile(
    r"(?<![a-z])(?:first|second|third|last) (?:part|half|section|portion|bit|quarter|minute|moment|time)(?![a-z])"
)
# "In B flat minor": the letter is a note, and only the mode tells, unless keys are the options.
_MODES = re.compile("major|minor|大调|小调", re.IGNORECASE)
_ACCIDENTAL = "(?:[- ]?(?:flat|sharp)|[#♯♭])?"
_KEY = re.compile(rf"(?<![a-z])[a-g]{_ACCIDENTAL} ?(?:major|minor|大调|小调)")
_KEY_IN_ANSWER = re.compile(
    rf"(?<![A-Za-z])[A-G]{_ACCIDENTAL}[- ]?(?:(?P<mode>major|minor)(?: (?:key|scale|mode|tonality))?"
    r"(?= ?[.,;:!?)\n]|$| (?:and|but|because|throughout|so|here|not|rather)(?![a-z]))|(?=[大小]调))"
)
# "Sadness rather than anger": what it is not, in a few words.
_CONTRAST = re.compile(
    r",? (?:rather than|instead of|as opposed to) (?:an? |the )?[a-z]+(?: [a-z]+)?(?= ?(?:[.,;\n]|$))"
)
# "There is no engine in the recording" is not said by "the engine does not start".
_ABSENT = re.compile(
    r"(?:there (?:is|are|was|were) no"
    r"|no(?= [a-z]+ (?:is|are|can be|was|were) (?:heard|present|audible|there)(?![a-z])))"
    r" (?P<noun>[a-z]+)|没有(?P<zh>[\u4e00-\u9fff]{1,3}?)(?:的?声音?)?$"
)
_ACTS_NOT = (
    r"(?:[a-z]+ly )?(?:never|fails to|(?:does|do|did|will|can|could)(?:n't| not)|won't|can't|cannot)"
    r"(?! (?:[a-z]+ly )?(?:exist|appear|occur|be heard|sound|come))"
)
_NOTHING_NAMED = frozenset({"outside-options", "refusal"})
_LONGEST_REMEMBERED, _MEMO_SIZE, _OPTIONS_MEMO_SIZE = 160, 16_384, 16_384

_Finder = Callable[[str, tuple[str, ...]], int | None]


def read_otherwise(
    response: str,
    prepared: PreparedOptions,
    reading: Reading,
    read_fallback: Callable[[str, PreparedOptions], Reading],
) -> Reading:
    """Read a response that names no option by a letter or its text, but may say one in other words.

    Args:
        response: As it was written.
        prepared: The options.
        reading: By letters and texts; it has no option.
        read_fallback: Reads the response by the words that fallback families declare.
    """
    if len(response) > _SHORTEST and rejects_options(_clean(response)):
        return UNREAD["outside-options"]
    if reading.reason == "ambiguous":
        return _read_ambiguous(response, prepared, reading, read_fallback)
    if response.isdigit() and len(response) < _SHORTEST:
        called = find_respelled(response, prepared.texts)
        return reading if called is None else chosen(called)
    if reading.reason not in _NOTHING_NAMED or len(response) < _SHORTEST:
        return reading
    if reading.reason == "refusal" or "n't possible" in response:
        place = find_unable(_clean(response), prepared.texts) if list_unable(prepared.texts) else None
        if place is None and list_traits(prepared.texts):
            place = find_resembled(_clean(response), prepared.texts)
        return reading if place is None else chosen(place)
    if ("enough" in response or " no " in response) and list_unable(prepared.texts):
        place = find_unable(_clean(response), prepared.texts)
        if place is not None:
            return chosen(place)
    if list_numbered_clips(prepared.texts) or list_chinese_clips(prepared.texts):
        lowered = _clean(response)
        numbered = write_numbered_clips(lowered, prepared.texts)
        if numbered != lowered:
            return read_fallback(numbered, prepared)
    written = response
    if _MODES.search(response) and not any(map(_KEY.search, prepared.texts)):
        response = _KEY_IN_ANSWER.sub(lambda key: f"{key['mode']} key" if key["mode"] else "", response)
    lowered = _clean(response)
    path = find_path(lowered, prepared.active) if prepared.active else None
    if isinstance(path, str):
        return UNREAD[path]
    if path is None and prepared.fallback and (response != written or _has_fallback_words(lowered, prepared)):
        by_families = read_fallback(response, prepared)
        if by_families.reason != "outside-options":
            return by_families
    place = path if path is not None else _find_in_other_words(lowered, prepared)
    return reading if place is None else chosen(place)


def _read_ambiguous(
    response: str,
    prepared: PreparedOptions,
    reading: Reading,
    read_fallback: Callable[[str, PreparedOptions], Reading],
) -> Reading:
    """Read a response that only denies options by their texts, or of which only the conclusion tells one."""
    place = find_undenied(response, prepared)
    if place is None and list_listed_orders(prepared.texts):
        place = find_numbered_order(_clean(response), prepared.texts)
        if place is None and not points_to_options(response):
            place = find_chained_order(_clean(response), prepared.texts)
    if place is None and list_clip_orders(prepared.texts) and not points_to_options(response):
        place = find_clip_order(_clean(response), prepared.texts)
    if place is None and prepared.fallback and not points_to_options(response):
        if not _has_fallback_words(_clean(response), prepared):
            return reading
        by_families = read_fallback(response, prepared)
        return reading if by_families.index is None else by_families
    if place is None and list_traits(prepared.texts):
        place = find_concluded(_clean(response), prepared.texts)
    return reading if place is None else chosen(place)


def _has_fallback_words(lowered: str, prepared: PreparedOptions) -> bool:
    """Whether fallback families may find more in a response than its reading by letters and texts did."""
    return any(each.family.may_match(lowered) for each in prepared.fallback)


def _find_in_other_words(lowered: str, prepared: PreparedOptions) -> int | None:
    for find in _list_finders(prepared):
        place = find(lowered, prepared.texts)
        if place is not None:
            return place
    texts = prepared.texts
    lowered = _CONTRAST.sub("", lowered)
    if _PORTION.search(lowered) and not any(map(_PORTION.search, texts)):
        lowered = _PORTION.sub(" ", lowered)
    place = None
    counted = prepared.quantities is not None and count_numbers(lowered) > 1
    if may_say_one(lowered, prepared) and not counted and not _is_exhaustive(prepared) and not _OPEN.search(lowered):
        place = agree(read_gist(lowered, texts), texts)
    if place is None:
        place = find_resembled(lowered, texts)
    if place is None:
        place = find_fragment(lowered, texts)
    if place is None and not _is_exhaustive(prepared) and prepared.quantities is None and not _OPEN.search(lowered):
        place = find_pointed(lowered, texts)
        place = find_identified(lowered, texts) if place is None else place
        place = find_distinguished(lowered, texts) if place is None else place
    if place is not None and _denies_deed(lowered, texts[place]):
        return None
    # Orders of the same events differ in nothing that single words tell.
    if place is None or says_opposite(lowered, texts[place]) or place in list_event_orders(texts).values():
        return None
    return place


def _denies_deed(lowered: str, text: str) -> bool:
    """Whether a response says that something does not act, and an option that it is absent."""
    absent = _ABSENT.match(text)
    if absent is None:
        return False
    noun = re.escape(absent["noun"] or absent["zh"])
    if absent["zh"]:
        return re.search(rf"{noun}[^,。;]{{0,6}}[不没未](?!存在|有|出现|响)", lowered) is not None
    return re.search(rf"(?<![a-z]){noun}s? {_ACTS_NOT}", lowered) is not None


def _is_exhaustive(prepared: PreparedOptions) -> bool:
    """Whether a family declares all that says these options: other clauses with their words say something else."""
    return any(each.family.exhaustive for each in prepared.active)


@lru_cache(maxsize=_OPTIONS_MEMO_SIZE)
def _list_finders(prepared: PreparedOptions) -> tuple[_Finder, ...]:
    """What may find one of these options; most options are no numbers, times or orders."""
    texts = prepared.texts
    finders: tuple[tuple[_Finder, object], ...] = (
        (find_interval, list_intervals(texts)),
        (find_time, list_times(texts)),
        (find_clock_range, list_clock_ranges(texts)),
        (find_equal_clips, list_equal_clips(texts)),
        (find_respelled, True),
        (find_combination, find_factors(texts)),
        (find_qualities, list_qualities(texts)),
        (find_order, list_orders(texts)),
        (find_event_order, list_event_orders(texts)),
        (find_chinese_event_order, list_chinese_event_orders(texts)),
        (find_numbered_order, list_listed_orders(texts)),
        (find_clip_order, list_clip_orders(texts)),
        (find_chained_order, list_listed_orders(texts)),
        (find_relation, list_relations(texts)),
        (find_precedence, list_precedences(texts)),
        (find_trend, list_trends(texts)),
    )
    return tuple(find for find, applies in finders if applies)


def _clean_and_lower(response: str) -> str:
    return lower(clean(response))


_remember_clean = lru_cache(maxsize=_MEMO_SIZE)(_clean_and_lower)


def _clean(response: str) -> str:
    return (_remember_clean if len(response) <= _LONGEST_REMEMBERED else _clean_and_lower)(response)
