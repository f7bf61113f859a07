"""Claims in sentences about a recording, parsed by the first matching pattern."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaluation.listeners.critique.language import find_numbers, find_ordinals, find_place, find_sounds, find_way
from evaluation.listeners.words import plain

Kinds = frozenset[str]


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim that listening can check.

    Attributes:
        form: Type of the claim, such as `count`; `checks` has a function for each.
        sounds: Kinds of the named sounds, in the order of the sentence.
        value: Claimed value: a number, a location, a direction, digits.
        other: A second value.
    """

    form: str
    sounds: tuple[Kinds, ...] = ()
    value: int | str = ""
    other: int | str = ""


# The number of listening passes says nothing about the recording.
_ASIDE = re.compile(
    r"\b(?:on|at|upon) (?:an? |the )?(?:first|second|third|last|closer) (?:hearing|listen\w*)\b|\bonce (?:more|again)\b"
)


def read_claim(sentence: str) -> Claim | None:
    """Return the claim of a sentence, or None if no pattern matches."""
    text = _ASIDE.sub("", plain(sentence)).rstrip(".")
    sounds = tuple(find_sounds(text))
    for pattern, build in _PATTERNS:
        match = pattern.search(text)
        if match is not None:
            claim = build(match, text, sounds)
            if claim is not None:
                return claim
    return None


Build = Callable[[re.Match[str], str, Sequence[Kinds]], Claim | None]


def _just(form: str, value: int | str = "") -> Build:
    def build(_match: re.Match[str], _words: str, sounds: Sequence[Kinds]) -> Claim | None:
        return Claim(form, tuple(sounds), value)

    return build


def _build_named(form: str, value: int | str = "") -> Build:
    def build(_match: re.Match[str], _words: str, sounds: Sequence[Kinds]) -> Claim | None:
        return Claim(form, tuple(sounds[:1]), value) if sounds else None

    return build


def _build_target(_match: re.Match[str], text: str, sounds: Sequence[Kinds]) -> Claim | None:
    """Parse what a question is said to be about: a named sound, or the one right before or after a named sound."""
    place = _NEXT_TO.search(text)
    return Claim("target", tuple(sounds[:1]), place[1] if place else "") if sounds else None


def _digits(match: re.Match[str], _words: str, _sounds: Sequence[Kinds]) -> Claim:
    return Claim("digits", (), re.sub(r"\D", "", match[1]))


def _build_key(_match: re.Match[str], text: str, _sounds: Sequence[Kinds]) -> Claim | None:
    places, digits = find_ordinals(text), re.findall(r"(?<!\d)\d(?!\d)", text)
    return Claim("key", (), digits[0], places[0]) if places and len(digits) == 1 else None


def _build_place(_match: re.Match[str], text: str, sounds: Sequence[Kinds]) -> Claim | None:
    place = find_place(text)
    return Claim("place", tuple(sounds[:1]), place) if place and sounds else None


def _build_way(_match: re.Match[str], text: str, _sounds: Sequence[Kinds]) -> Claim | None:
    way = find_way(text)
    return Claim("way", (), way) if way else None


def _make_order_builder(*, forwards: bool) -> Build:
    def build(_match: re.Match[str], _words: str, sounds: Sequence[Kinds]) -> Claim | None:
        if len(sounds) < 2:
            return None
        return Claim("order", tuple(sounds[:2] if forwards else sounds[1::-1]))

    return build


def _compared(form: str, *, reversed_: bool) -> Build:
    def build(_match: re.Match[str], text: str, _sounds: Sequence[Kinds]) -> Claim | None:
        places = find_ordinals(text)
        if not places:
            return None
        named = places[0]
        return Claim(form, (), 1 - named if reversed_ else named) if named in (0, 1) else None

    return build


def _ordinal(form: str) -> Build:
    def build(_match: re.Match[str], text: str, sounds: Sequence[Kinds]) -> Claim | None:
        places = find_ordinals(text)
        return Claim(form, tuple(sounds[:1]), places[0]) if places else None

    return build


def _build_count(_match: re.Match[str], text: str, sounds: Sequence[Kinds]) -> Claim | None:
    numbers = find_numbers(text)
    return Claim("count", tuple(sounds[-1:]), numbers[0]) if len(numbers) == 1 and sounds else None


def _same_or_higher(_match: re.Match[str], text: str, sounds: Sequence[Kinds]) -> Claim | None:
    """Distinguish two tones of one pitch from a series of them, and from tones of different pitch."""
    if find_ordinals(text):
        return None
    pair = re.search(r"\b(?:two|both|neither)\b", text)
    return Claim("equal-pitch" if pair else "even-pitch", tuple(sounds[:1]))


_NEXT_TO = re.compile(r"\b(?:right|directly|immediately|just) (before|after)\b")
_LOUD, _FAINT = r"\b(?:louder|loudest|stronger)\b", r"\b(?:fainter|quieter|softer|weaker)\b"
_SAME = r"\b(?:same|equal\w*|neither|none|as (?:high|loud) as)\b"

_PATTERNS: tuple[tuple[re.Pattern[str], Build], ...] = tuple(
    (re.compile(pattern), build)
    for pattern, build in (
        (r"\bquestion (?:is|asks) about\b|\basked about\b", _build_target),
        (r"\b(?:keys pressed are|number dialled is|digits (?:read|are)|dials?) ((?:\d ?){2,})", _digits),
        (r"\bkeys? pressed\b", _build_key),
        (r"\bfrom (?:the )?(?:left|right) to\b|\b(?:stays?|remains?) (?:on|to|at) the (?:left|right)\b", _build_way),
        (r"\bpause\b.*\b(?:before the last|last)\b|\blast\b.*\blate\b", _just("last-is-late")),
        (r"\bpause\b.*\blong\w*|\blong\w* pause\b", _ordinal("longest-pause")),
        (r"\beven distances\b|\bsteady pace\b|\bequally long\b|\bregular\w*\b|\bevenly\b", _just("even-pace")),
        (r"\blast\b.*\bhigher\b|\bgoes up at the last\b", _build_named("last-is-higher")),
        (r"\b(?:neither|both|two|equally|same)\b.*\b(?:same pitch|equally high|higher)\b.*|\bequally high\b",
         _same_or_higher),
        (r"\bsame pitch\b|\bpitch\b.*\bstays the same\b|\bnone\b.*\bhigher\b", _build_named("even-pitch")),
        (r"\bhigher\b", _compared("higher", reversed_=False)),
        (r"\blower\b", _compared("higher", reversed_=True)),
        (rf"{_SAME}.*\bloud\w*|\bequally loud\b|\bsame loudness\b", _just("equal-loudness")),
        (_LOUD, _compared("louder", reversed_=False)),
        (_FAINT, _compared("louder", reversed_=True)),
        (r"\b(?:rises?|goes up|climbs?) in pitch\b", _build_named("glide", "up")),
        (r"\b(?:falls?|goes down|drops?) in pitch\b", _build_named("glide", "down")),
        (r"\b(?:keeps? its|stays? at one|constant) pitch\b", _build_named("glide", "level")),
        (r"\bnotes?\b.*\b(?:climbs?|rises?|ascends?)\b", _just("melody", "up")),
        (r"\bnotes?\b.*\b(?:descends?|falls?)\b", _just("melody", "down")),
        (r"\blongest\b|\blasts longer\b|\bas long as\b", _ordinal("longest")),
        (r"\b(?:comes before|(?:is )?heard (?:earlier|sooner) than|precedes)\b", _make_order_builder(forwards=True)),
        (r"\b(?:comes after|(?:is )?heard later than|follows)\b", _make_order_builder(forwards=False)),
        (r"\b(?:heard|comes) (?:first|last)\b", _ordinal("extreme")),
        (r"\bno [\w ]+ (?:can be|is|are) heard\b|\bthere (?:is|are) no\b|\bnone of the sounds is\b|\bcontains no\b",
         _build_named("present", 0)),
        (r"\ban? [\w ]+ (?:can be|is) heard\b|\bthere is an?\b|\bone of the sounds is\b|\bcontains an?\b",
         _build_named("present", 1)),
        (r"\bon the (?:left|right)\b|\bin the (?:middle|cent)|\bfrom the (?:left|right)\b", _build_place),
        (r"\b(?:there are|number of|can be counted|are heard|are played|has)\b", _build_count),
    )
)  # fmt: skip
