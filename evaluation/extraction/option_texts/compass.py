"""Paths told in prose, their places said by parts: "it begins in front on the left and winds up behind, still left".

A text becomes a row of segments: the parts of a place (front or back, left or right) behind a word that says whether
the path starts or ends there, or stays there all along. Where a word may mean two things ("behind me to the left") all
ways to read it are tried; what no way makes a whole path, and what contradicts itself, says nothing.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

_AXES = (frozenset({"front", "back"}), frozenset({"left", "right"}))
_MAX_TOLD, _MAX_WAYS, _MAX_TO = 600, 128, 5
_PARTS = frozenset[str]().union(*_AXES)
_OPENING = {"start": "start", "end": "end", "whole": "whole", "startlate": "start", "endlate": "end"}
_MERGED, _FREE, _MOVING = "merged", "free", "moving"


@dataclass(slots=True)
class _Segment:
    """Parts of a place, and what it is on the path."""

    kind: str
    parts: list[str] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Compass:
    """The words for parts of places and for what a place is on a path.

    Attributes:
        finder: With a group for each kind of word.
        confusing: A text with one of these is not read.
        onward: Stands behind a path that goes on to a third place.
    """

    finder: re.Pattern[str]
    confusing: re.Pattern[str]
    onward: re.Pattern[str]

    def read(self, lowered: str) -> frozenset[tuple[str, str]]:
        """Return start and end of all paths that a text in lower case may tell."""
        if len(lowered) > _MAX_TOLD or self.confusing.search(lowered):
            return frozenset()
        words = [match.lastgroup or "" for match in self.finder.finditer(lowered)]
        n_to = words.count("to")
        if n_to > _MAX_TO or _PARTS.isdisjoint(words):
            return frozenset()
        paths = set[tuple[str, str]]()
        for ways in product(("end", "beside"), repeat=n_to):
            chosen = iter(ways)
            segments = _segment([next(chosen) if word == "to" else word for word in words])
            paths.update(_compose(segments))
        return frozenset(paths)


def make_compass(declared: Mapping[str, str]) -> Compass:
    """Make a compass of the words that a benchmark declares: `confusing`, `onward`, and the words of every kind."""
    groups = "|".join(f"(?P<{kind}>{words})" for kind, words in declared.items() if kind not in {"confusing", "onward"})
    return Compass(re.compile(groups), re.compile(declared["confusing"]), re.compile(declared["onward"]))


def _segment(words: list[str]) -> list[_Segment]:
    """Split the words of a text into segments that have parts."""
    segments = [_Segment(_FREE)]
    for word in words:
        current = segments[-1]
        if word in _PARTS:
            current.parts.append(word)
        elif word.endswith("late") and current.kind == _FREE and current.parts:
            current.kind = _OPENING[word]
            segments.append(_Segment(_FREE))
        elif word in _OPENING:
            segments.append(_Segment(_OPENING[word]))
        elif word == _MOVING and (current.parts or current.kind in {_FREE, _MERGED}):
            segments.append(_Segment(_MOVING))
        elif word == "comma" and current.parts:
            segments.append(_Segment(_FREE if current.kind == _FREE else _MERGED))
        elif word == "stop":
            segments.append(_Segment(_FREE))
    return [segment for segment in segments if segment.parts]


def _compose(segments: list[_Segment]) -> Iterator[tuple[str, str]]:
    """Yield start and end of the path, for every way to take the segments that have no word of their own."""
    has_start = any(segment.kind == "start" for segment in segments)
    choices: list[tuple[str, ...]] = []
    for position, segment in enumerate(segments):
        following = segments[position + 1].kind if position + 1 < len(segments) else ""
        if segment.kind == _MERGED:
            choices.append((_MERGED, "whole", "start") if following == "end" and not has_start else (_MERGED, "whole"))
        elif segment.kind == following == "start":
            choices.append(("start", "whole"))
        elif segment.kind == _MOVING:
            choices.append(("end", "whole"))
        elif segment.kind == _FREE:
            choices.append(("start",) if following == "end" and not has_start else ("whole",))
        else:
            choices.append((segment.kind,))
    n_ways = 1
    for choice in choices:
        n_ways *= len(choice)
    if n_ways > _MAX_WAYS:
        return
    for kinds in product(*choices):
        path = _join(segments, kinds)
        if path is not None:
            yield path


def _join(segments: list[_Segment], kinds: tuple[str, ...]) -> tuple[str, str] | None:
    told: dict[str, list[set[str]]] = {"start": [], "end": [], "whole": []}
    last = "whole"
    for segment, kind in zip(segments, kinds, strict=True):
        if kind == _MERGED and told[last]:
            told[last][-1].update(segment.parts)
            continue
        last = last if kind == _MERGED else kind
        told[last].append(set(segment.parts))
    if not told["start"] or not told["end"]:
        return None
    whole = set[str]().union(*told["whole"])
    places = []
    for kind in ("start", "end"):
        place = told[kind][0]
        if any(other != place for other in told[kind]):
            return None
        place = place | whole
        if any(axis <= place for axis in _AXES):
            return None
        places.append("-".join(part for part in ("front", "back", "left", "right") if part in place))
    return (places[0], places[1]) if places[0] != places[1] else None
