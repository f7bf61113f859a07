"""Options that tell how one quantity changes, "The pitch falls steadily", answered in other words: "it goes down".

Options belong together if each tells one course of the same quantity: up, down, no change, up and then down, or down
and then up. An answer that speaks of another quantity as well, or that denies or supposes something, tells none.
"""

import re
from functools import lru_cache

_LONGEST, _MAX_OPTIONS = 160, 6
# Quantity → nouns that name it, and words that say that it grows or shrinks.
_QUANTITIES = {
    "pitch": (
        r"pitch|tones?|notes?|frequency",
        r"higher|ascend(?:s|ing)?|climb(?:s|ing)?",
        r"lower|descend(?:s|ing)?",
    ),
    "loudness": (
        r"loudness|volume|level|intensity",
        r"louder|crescendo",
        r"quieter|softer|fad(?:es|ing)(?: (?:out|away))?|decrescendo|diminuendo",
    ),
    "speed": (
        r"pace|tempo|speed|(?:foot)?steps?|walker|runner|rhythm",
        r"faster|quicker|more quickly|speed(?:s|ing)? up|accelerat(?:es|ing)|quicken(?:s|ing)?",
        r"slower|more slowly|slow(?:s|ing)? down|decelerat(?:es|ing)",
    ),
    "distance": (
        r"distance",
        r"(?:farther|further)(?: away)?|(?:moves|moving|goes|going|drives|driving) away|reced(?:es|ing)",
        r"nearer|closer|approach(?:es|ing)",
    ),
}
_GROWS = r"(?:(?<=then )|(?<=and ))up|ris(?:es|ing)|go(?:es|ing) up|increas(?:es|ing)"
_SHRINKS = (
    r"(?:(?<=then )|(?<=and ))down|falls?|falling|drops?|dropping|go(?:es|ing) down|decreas(?:es|ing)|declin(?:es|ing)"
)
_CONSTANT = (
    r"(?:stays?|remains?|keeps?|is|are) (?:about |roughly |exactly )?"
    r"(?:the same(?: pace| speed| level)?|constant|unchanged|steady)"
    r"|(?:does not|doesn't|do not|don't|never) changes?|no change"
)
_DOUBT = re.compile(
    r"(?<![a-z])(?:not|no|never|or|if|whether|could|might|may|either|neither|nor|than|only|again|repeatedly|several|alternat[a-z]+)(?![a-z])|n't|\?|[\ue000-\uf8ff]"
)
# "It's neither only louder nor only softer but one after the other."
_IN_TURN = re.compile(
    r"(?<![a-z])(?:(?:it is|it's|is) )?(?:neither|not) (?:only|just"
    r"|simply)? ?(?:an? )?(?P<first>[a-z]+),? (?:n?or|and) (?:only|just|simply)? ?(?:an? )?(?P<second>[a-z]+)"
    r",? but (?:both[, ]+)?(?:rather )?(?:one after the other|one and then the other"
    r"|first one,? then the other)(?:,? in (?:that|this) order)?"
)
_NOT_ONLY = re.compile(r"(?<![a-z])(?:(?:is|does) not|(?:is|does)n't|not) (?:only|just|merely|simply)(?![a-z])")
_FOLLOWS = re.compile(
    r"(?<=[:;,.]) (?:and )?(?:an? |the )?([a-z]+) (?:then )?(?:follows|comes (?:next|after(?:wards)?))(?: it)?(?![a-z])"
)
_JOINS = re.compile(r"(?<![a-z])(?:then|before|after|until|while|but|first)(?![a-z])")


@lru_cache(maxsize=16)
def _compile(quantity: str) -> re.Pattern[str]:
    _, grows, shrinks = _QUANTITIES[quantity]
    up, down = (f"{grows}|{_GROWS}", f"{shrinks}|{_SHRINKS}") if quantity != "distance" else (grows, shrinks)
    return re.compile(rf"(?<![a-z])(?:(?P<up>{up})|(?P<down>{down})|(?P<same>{_CONSTANT}))(?![a-z])")


@lru_cache(maxsize=16)
def _compile_foreign(quantity: str) -> re.Pattern[str]:
    """What speaks of another quantity."""
    foreign = ("|".join(words) for other, words in _QUANTITIES.items() if other != quantity)
    return re.compile(rf"(?<![a-z])(?:{'|'.join(foreign)})(?![a-z])")


def _find_course(text: str, quantity: str) -> tuple[str, ...]:
    """The directions that a text tells, in order, each once in a row."""
    pattern = _compile(quantity)
    matches = list(pattern.finditer(text))
    if _DOUBT.search(pattern.sub(" ", text)) or _compile_foreign(quantity).search(pattern.sub(" ", text)):
        return ()
    course: list[str] = []
    for match in matches:
        direction = match.lastgroup or ""
        if not course or course[-1] != direction:
            course.append(direction)
    # Two directions without "then" are told of two things, or of none.
    joined = len(course) < 2 or _JOINS.search(text) or " and " in text
    return tuple(course) if joined else ()


@lru_cache(maxsize=4_096)
def list_trends(texts: tuple[str, ...]) -> tuple[str, dict[tuple[str, ...], int]] | None:
    """The quantity of options that all tell its course, and course → position; None where they do not."""
    if not 2 <= len(texts) <= _MAX_OPTIONS or not all(map(str.isascii, texts)):
        return None
    for quantity in _QUANTITIES:
        courses = {course: place for place, text in enumerate(texts) if (course := _find_course(text, quantity))}
        own = re.compile(rf"(?<![a-z])(?:{'|'.join(_QUANTITIES[quantity])})(?![a-z])")
        if len(courses) == len(texts) and any(map(own.search, texts)):
            return quantity, courses
    return None


def find_trend(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The option whose course a cleaned answer in lower case tells.

    >>> find_trend("it keeps going down.", ("the pitch rises steadily", "the pitch falls steadily"))
    1
    """
    trends = list_trends(texts)
    if trends is None or len(lowered) > _LONGEST or not lowered.isascii():
        return None
    quantity, courses = trends
    if "only" in lowered or "just" in lowered or "simply" in lowered or "merely" in lowered:
        in_turn = _IN_TURN.search(lowered)
        # "One after the other" repeats the course that the words before it describe.
        described = in_turn is not None and _find_course(lowered[: in_turn.start()], quantity)
        lowered = _NOT_ONLY.sub("", _IN_TURN.sub("" if described else r"\g<first> then \g<second>", lowered))
    lowered = _FOLLOWS.sub(r" then \1", lowered) if "follows" in lowered or " comes " in lowered else lowered
    course = _find_course(lowered, quantity)
    return courses.get(course) if "before" not in lowered and "after" not in lowered else None
