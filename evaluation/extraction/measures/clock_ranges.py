"""Options that are ranges of time on a clock, "0:09–0:13": "between 0:09 and 0:13" and "at 0:11" lie in it."""

import re
from functools import lru_cache

_CLOCK = r"(?<![0-9:.])[0-9]{1,2}:[0-5][0-9](?:\.[0-9]+)?(?![0-9:])"
_RANGE = re.compile(
    rf"(?P<start>{_CLOCK})(?: ?(?:-|–|~|to|and|until|till|through|至|到|和) ?(?P<end>{_CLOCK}))?", re.IGNORECASE
)
_DENIED = re.compile(
    r"(?<![a-z])(?:not|cannot|isn't|never|neither|or|if|except|before|after|since|until(?! [0-9])|but|longer"
    r"|than)(?![a-z])|n't"
    r"|(?<![a-z])(?:lasts?|long|length|duration|(?:recording|clip|audio|file|track) (?:is|lasts|runs|starts"
    r"|ends|goes|has|spans))(?![a-z])|不|或|时长|全长|长度|之?前|之?后|没"
)
_LONGEST = 300


def _seconds(written: str) -> float:
    minutes, _, seconds = written.partition(":")
    return int(minutes) * 60 + float(seconds)


@lru_cache(maxsize=4_096)
def list_clock_ranges(texts: tuple[str, ...]) -> tuple[tuple[float, float], ...]:
    """Start and end of each option in seconds; nothing where one of them is no range on a clock."""
    matches = [_RANGE.fullmatch(text) for text in texts]
    ranges = tuple((_seconds(match["start"]), _seconds(match["end"])) for match in matches if match and match["end"])
    return ranges if len(ranges) == len(texts) > 1 and all(start < end for start, end in ranges) else ()


def find_clock_range(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The one option in which all times lie that a cleaned text in lower case names; None where there is none.

    >>> find_clock_range("the glass breaks between 0:09 and 0:13.", ("0:04–0:09", "0:09–0:13"))
    1
    """
    ranges = list_clock_ranges(texts)
    if not ranges or len(lowered) > _LONGEST or _DENIED.search(lowered):
        return None
    places = {_find_place(match, ranges) for match in _RANGE.finditer(lowered)}
    return places.pop() if len(places) == 1 else None


def _find_place(match: re.Match[str], ranges: tuple[tuple[float, float], ...]) -> int | None:
    start = _seconds(match["start"])
    end = _seconds(match["end"]) if match["end"] else start
    # A time at the edge of two ranges could belong to either.
    within = [place for place, (first, last) in enumerate(ranges) if first <= start and end <= last]
    return within[0] if len(within) == 1 and start <= end else None
