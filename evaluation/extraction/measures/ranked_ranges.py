"""Options that are ranges in ascending order, named by their rank: "the slowest range", "the third interval"."""

import re
from functools import lru_cache
from itertools import pairwise

from evaluation.extraction.claims.last_claims import list_affirmed, list_sentences
from evaluation.extraction.measures.clock_ranges import list_clock_ranges
from evaluation.extraction.measures.range_options import list_intervals

_LONGEST = 600
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_REGULAR = "range|interval|bracket|band|bin|window|slot|bucket|tier"
_NOUN = rf"(?:{_REGULAR}|category|class)"
_NOUNS = rf"(?:(?:{_REGULAR})s|categories|classes|options|choices)"
_LOW = "slowest|lowest|earliest|bottom|quietest|nearest|closest"
_HIGH = "fastest|highest|latest|top|loudest|farthest|furthest"
_RANKED = re.compile(
    rf"(?<![a-z])the (?:only )?(?:(?P<next>second|next)[- ](?:to[- ])?)?(?:(?P<low>{_LOW})|(?P<high>{_HIGH}))"
    rf"(?: (?:{_NOUN}|option|choice)| (?:one )?(?:of|among) (?:the|all|these)(?: [a-z]+){{0,2}} {_NOUNS})(?![a-z])"
    rf"|(?<![a-z])the (?P<ordinal>{'|'.join(_ORDINALS)}|last) (?:{_NOUN})(?![a-z])"
    r"|最(?:(?P<zh_low>慢|低|早|轻|近)|(?P<zh_high>快|高|晚|响|远))的?(?:那|这)?一?[个档类段级]?"
    r"(?:频率|速度|时间)?(?:区间|范围|档位?|时段|类别|选项|(?<=[个档类段级])(?![^\W_]))"
    r"|第(?P<zh_ordinal>[一二三四五六])个?(?:区间|范围|档|时段|时间段|频段)"
)
_RULED_OUT = re.compile(
    r"(?<![a-z])(?:not|cannot|would|too|out|excluded?s?|excludes|ruled?|rules|wrong|incorrect|than|above|below|between"
    r"|next to|from|neither|nor)(?![a-z])|n't|不|排除|太|高于|低于|会"
)
_OPEN = re.compile(
    r"(?<![a-z])(?:or|either|perhaps|maybe|possibly|might|could|may|if|unless|whether|unsure|almost|nearly)(?![a-z])"
    r"|或|可能|也许|如果|\?"
)
# The words before a rank that is stated, and those after one that is chosen.
_SAID_BEFORE = re.compile(
    r"(?:'s|(?<![a-z])(?:is|be|in|into|to|within|leaves|leaving|choose|pick|select|only|so|under|means|with"
    r"|hence|therefore)):?,? ?\Z|(?:\A|[:,])[^\w]*\Z"
    r"|(?:在|是|于|入|到|选|即|为)\Z"
)
_SAID_BEHIND = re.compile(
    r"(?: (?:of|in|on) (?:the|these|those) [a-z]+)?"
    r"(?:[^\w]*\Z| (?:it is|fits|remains|is (?:left|right|correct|the (?:answer|one))|because|since|as|here)(?![a-z])"
    r"| ?[,:;—。-])"
)


def find_ranked(lowered: str, marked: str, texts: tuple[str, ...]) -> int | None:
    """The one option that a response names by its rank, where it affirms no other one.

    Args:
        lowered: The cleaned response in lower case.
        marked: The same with placeholders for the texts of options.
        texts: Of the options, in lower case.

    >>> texts = ("60–79 bpm", "80–99 bpm", "100 bpm or more")
    >>> find_ranked("so it's the slowest range in the list.", "", texts)
    0
    >>> find_ranked("the second range is too fast.", "", texts)
    """
    if len(lowered) > _LONGEST or not is_ascending(texts) or not _RANKED.search(lowered):
        return None
    places = set[int]()
    for sentence in list_sentences(lowered):
        ranked = list(_RANKED.finditer(sentence))
        if not ranked or _RULED_OUT.search(sentence):
            continue
        if _OPEN.search(sentence):
            return None
        if any(not _SAID_BEFORE.search(sentence, 0, match.start()) for match in ranked):
            return None
        if any(not _SAID_BEHIND.match(sentence, match.end()) for match in ranked):
            return None
        places.update(_find_place(match, len(texts)) for match in ranked)
    affirmed = {place for sentence in list_sentences(marked) for place in list_affirmed(sentence)}
    return places.pop() if len(places) == 1 and affirmed <= places and max(places) < len(texts) else None


@lru_cache(maxsize=4_096)
def is_ascending(texts: tuple[str, ...]) -> bool:
    """Whether all options are ranges, each above the one before it."""
    starts = [start for start, _ in list_clock_ranges(texts)]
    if not starts:
        intervals = list_intervals(texts)
        starts = [intervals[place].low for place in sorted(intervals)] if len(intervals) == len(texts) else []
    return len(starts) > 1 and all(low < high for low, high in pairwise(starts))


def _find_place(match: re.Match[str], size: int) -> int:
    if match["ordinal"]:
        return _ORDINALS.index(match["ordinal"]) if match["ordinal"] != "last" else size - 1
    if match["zh_ordinal"]:
        return "一二三四五六".index(match["zh_ordinal"])
    step = 1 if match["next"] else 0
    return step if match["low"] or match["zh_low"] else size - 1 - step
