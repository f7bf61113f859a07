"""Paraphrases that benchmarks declare for their options: other words for the same option, and no more.

A benchmark's folder may hold files `wordings*.toml` with families. A family has slots (what differs from option to
option, such as where a path starts and ends, each value with the words for it) and three lists of patterns:

* `option`: the whole text of an option of this family. The family counts only where two options (or `least`) have one.
* `said`: words that stand for an option wherever they are. A pattern without slots stands for none, and the text of an
  option within it names none either: "nothing in the first half".
* `alone`: words that stand for it only as an answer of their own: on a line, or behind "the answer is".

A family with `fallback` is looked for only in responses that name no option otherwise: its words are common ones.
`implied` gives slots to all other options where one has a certain value: "at one height" makes "Audio 1" the higher.
`exhaustive` rules out that a clause is compared with the options by its single words: "the first half is noisy".
`aliases` says which value of a slot is meant where no option has the one that was said: "centred" for "ahead".

A pattern names a slot as `{place}` or, where it has two of a kind, as `{start:place}` and `{end:place}`. Words stand
for an option if what they say of the slots fits that option and no other one. `near` lists words: a response without
any of them matches no pattern of the family, so most responses are not searched at all. Where nearly every pattern has
two of these words, as a path has two places, `once` lists a word of each other pattern.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import compress, groupby
from pathlib import Path
from typing import Any, NamedTuple

from evaluation.extraction.language.required import find_required
from evaluation.extraction.option_texts.compass import Compass, make_compass
from evaluation.types import UnreadableReason

NO_OPTION = -1
_ANYTHING = frozenset({""})
_BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
_CORE = "core"
_SLOT = re.compile(r"\{(?:([a-z]+):)?([a-z]+)\}")
# Where an answer of its own may start and end. One look behind comes before all that starts at a word: most places in a
# text are inside one.
_BEFORE_ANSWER = (
    r"(?:(?<![a-z0-9])(?:^|(?<=\n)|(?<=\byes, )|(?<=\bno, )|(?<=[.!?;:。(\"'>-] )|(?<=[。:(\"'*])"
    r"|(?:\b(?:answer|choice|option|verdict|conclusion|order|sequence|it|that|this)(?: is|'s| would be| was"
    r"| must be| should be| seems| sounds)?"
    r"|\b(?:i'd|would|i) (?:choose|pick|select|say|guess|think|believe|go with)(?: it's| it is| that it's)?"
    r"|\b(?:probably|likely|maybe|perhaps|therefore|so|thus|hence|clearly|definitely),?)(?: :|:)? )"
    r"|(?:答案|选择?|应该|顺序|认为|觉得|结论|所以|因此)(?:应该)?(?:是|为)?[:,]? ?)"
)
_AFTER_ANSWER = (
    r"(?= ?(?:[.!,;\n()\"'*<\]。]|->|$|because\b|since\b|as\b|based\b|but\b|though\b|not\b|rather\b|吧|,|因为|而))"
)


@dataclass(frozen=True, eq=False)
class Family:
    """A family of options that can be said in other words.

    Attributes:
        name: Of the family.
        option: Patterns of whole option texts.
        said: The patterns of all that stands for an option in a response; where several match, the first counts.
        values: For every group of `said` and of `option` the slot and its value.
        near: Words of which a response has one, if it has a paraphrase.
        once: Words of which a response has one, if it has a paraphrase but only one of the words `near`; None if not
            even such a response needs another word.
        least: How many options must be of the family.
        opposites: Slot → value → opposite value: "the first is lower" says "the second is higher".
        aliases: Slot → value → the value that is meant where no option has this one.
        exhaustive: A clause that has words of an option, but is none of the patterns, says something else.
        implied: Slot → value → the slots that it gives to the other options of a question.
        fallback: Its words count only in a response that names no option otherwise.
        compass: Reads the paths that are told in prose, where options are paths.
    """

    name: str
    option: tuple[re.Pattern[str], ...]
    said: tuple[str, ...]
    values: Mapping[str, tuple[str, str]]
    near: frozenset[str]
    once: frozenset[str] | None
    least: int
    opposites: Mapping[str, Mapping[str, str]]
    aliases: Mapping[str, Mapping[str, str]]
    exhaustive: bool
    implied: Mapping[str, Mapping[str, Mapping[str, str]]]
    fallback: bool
    compass: Compass | None

    @cached_property
    def finders(self) -> tuple[tuple[re.Pattern[str], frozenset[str]], ...]:
        """`said`, compiled for the first response: few families are active, and large ones take long.

        Each pattern comes with parts, one of which every response that it matches contains.
        """
        return tuple((re.compile(said), find_required(said) or _ANYTHING) for said in self.said)

    def may_match(self, lowered: str) -> bool:
        """Whether a text in lower case may have a paraphrase."""
        if not any(map(lowered.__contains__, self.near)):
            return False
        if self.once is None or any(map(lowered.__contains__, self.once)):
            return True
        return sum(map(lowered.count, self.near)) > 1

    def find_matches(self, lowered: str) -> Iterator[re.Match[str]]:
        """Yield what one pattern of all alternatives would; several small ones stay in the processor's cache."""
        matches = [
            match
            for finder, required in self.finders
            if any(map(lowered.__contains__, required)) and (match := finder.search(lowered)) is not None
        ]
        while matches:
            first = min(matches, key=re.Match.start)
            yield first
            end = first.end()
            later = (match if match.start() >= end else match.re.search(lowered, end) for match in matches)
            matches = [match for match in later if match is not None]

    def bind(self, match: re.Match[str]) -> dict[str, str]:
        """Return slot → value of a match."""
        # All groups have names; of the dozens that there are, few took part.
        names = compress(match.re.groupindex, [text is not None for text in match.groups()])
        return dict(self.values[name] for name in names if name in self.values)


class Active(NamedTuple):
    """A family that the options at hand belong to.

    Attributes:
        family: The family.
        bound: Position of an option → slot → value.
    """

    family: Family
    bound: Mapping[int, Mapping[str, str]]

    def resolve(self, said: Mapping[str, str]) -> int | None:
        """Return the one option that has all values that were said; None where none or several have."""
        if not said:
            return None
        place = self._find_slots(said)
        opposites = self.family.opposites
        if place is None and opposites and opposites.keys() <= said.keys():
            turned = {name: opposites.get(name, {}).get(value, value) for name, value in said.items()}
            differs = all(turned[name] != said[name] for name in opposites)
            place = self._find_slots(turned) if differs else None
        if place is None and self.family.aliases.keys() & said.keys():
            aliases = self.family.aliases
            place = self._find_slots({name: aliases.get(name, {}).get(value, value) for name, value in said.items()})
        return place

    def _find_slots(self, said: Mapping[str, str]) -> int | None:
        found = [
            place
            for place, slots in self.bound.items()
            if all(slots.get(name) == value for name, value in said.items())
        ]
        return found[0] if len(found) == 1 else None


class _Compiler:
    """Writes the slots of patterns out as named groups, each group a slot and a value."""

    def __init__(self, slots: Mapping[str, Mapping[str, str]], shared: Mapping[str, str]) -> None:
        self._slots = slots
        self._shared = shared
        self.values: dict[str, tuple[str, str]] = {}

    def write(self, pattern: str) -> str:
        return _SLOT.sub(self._write_slot, self._expand(pattern))

    def _expand(self, pattern: str) -> str:
        for name, text in self._shared.items():
            pattern = pattern.replace(f"<{name}>", text)
        return pattern

    def _write_slot(self, match: re.Match[str]) -> str:
        slot = match[1] or match[2]
        written = []
        for value, words in self._slots[match[2]].items():
            group = f"g{len(self.values)}"
            self.values[group] = (slot, value)
            written.append(f"(?P<{group}>{self._expand(words)})")
        return f"(?:{'|'.join(written)})"

    def join(self, patterns: Sequence[str]) -> tuple[str, ...]:
        """Join alternatives; those in a row that start with the same slot are tried only where its words stand."""
        joined = []
        for slot, group in groupby(patterns, key=_leading_slot):
            written = [f"(?:{self.write(pattern)})(?![a-z0-9])" for pattern in group]
            if slot is not None and len(written) > 1:
                words = "|".join(self._expand(words) for words in self._slots[slot].values())
                written = [f"(?={words})(?:{'|'.join(written)})"]
            joined.append(f"(?<![a-z0-9])(?:{'|'.join(written)})")
        return tuple(joined)


def _leading_slot(pattern: str) -> str | None:
    """The table of words that a pattern starts with, or None."""
    match = _SLOT.match(pattern)
    return None if match is None else match[2]


def _make_family(declared: Mapping[str, Any]) -> Family:
    compiler = _Compiler(declared.get("slots", {}), declared.get("words", {}))
    option = tuple(re.compile(compiler.write(pattern)) for pattern in declared["option"])
    said = compiler.join(declared.get("said", ()))
    alone = [compiler.write(pattern) for pattern in declared.get("alone", ())]
    if alone:
        said += (f"{_BEFORE_ANSWER}(?P<{_CORE}>{'|'.join(alone)}){_AFTER_ANSWER}",)
    return Family(
        name=declared["name"],
        option=option,
        said=said,
        values=compiler.values,
        near=frozenset(declared["near"]),
        once=frozenset(declared["once"]) if "once" in declared else None,
        least=declared.get("least", 2),
        opposites=declared.get("opposites", {}),
        aliases=declared.get("aliases", {}),
        exhaustive=declared.get("exhaustive", False),
        implied=declared.get("implied", {}),
        fallback=declared.get("fallback", False),
        compass=make_compass(declared["compass"]) if "compass" in declared else None,
    )


@lru_cache(maxsize=1)
def list_families() -> tuple[Family, ...]:
    """Return the families that the benchmarks declare."""
    return tuple(
        _make_family(declared) for path in sorted(_BENCHMARKS.glob("*/wordings*.toml")) for declared in _load(path)
    )


def _load(path: Path) -> list[Mapping[str, Any]]:
    families: list[Mapping[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))["family"]
    return families


def find_active(texts: tuple[str, ...]) -> tuple[Active, ...]:
    """Return the families of which at least two options are, given their texts in lower case, cleaned."""
    active = []
    for family in list_families():
        bound = {}
        for place, text in enumerate(texts):
            match = next((match for pattern in family.option if (match := pattern.fullmatch(text))), None)
            if match is not None and (slots := family.bind(match)):
                bound[place] = slots
        _add_implied(bound, family.implied)
        if len(bound) >= family.least:
            active.append(Active(family, bound))
    return tuple(active)


def _add_implied(bound: Mapping[int, dict[str, str]], implied: Mapping[str, Mapping[str, Mapping[str, str]]]) -> None:
    """Give every option the slots that a slot of one of them implies for all, unless some option has such a slot."""
    for name, by_value in implied.items():
        values = {slots[name] for slots in bound.values() if name in slots} & by_value.keys()
        if len(values) != 1:
            continue
        added = by_value[values.pop()]
        if any(added.keys() & slots.keys() for slots in bound.values()):
            continue
        for slots in bound.values():
            slots.update(added if name not in slots else {})


def find_paraphrases(lowered: str, active: tuple[Active, ...]) -> Iterator[tuple[int, int, int]]:
    """Yield start, end and option of every paraphrase in a cleaned text in lower case; -1 for what names no option."""
    for each in active:
        if not each.family.may_match(lowered):
            continue
        for match in each.family.find_matches(lowered):
            compass = each.family.compass
            if compass is not None and compass.onward.match(lowered, match.end()):
                continue  # "From left to right and then back to the left".
            said = each.family.bind(match)
            place = each.resolve(said) if said else NO_OPTION
            if place is not None and not lowered.startswith("度", match.end()):  # "长" in "长度".
                group = _CORE if _CORE in match.re.groupindex and match[_CORE] is not None else 0
                yield match.start(group), match.end(group), place


def find_path(lowered: str, active: tuple[Active, ...]) -> int | UnreadableReason | None:
    """Return the option whose path a text in lower case tells: "it starts on the left … it stops behind".

    Returns:
        The option, the reason why a path that is told is none of them or several, or None where no path is told.
    """
    for each in active:
        compass = each.family.compass
        if compass is None or not any(map(lowered.__contains__, each.family.near)):
            continue
        paths = compass.read(lowered)
        if paths:
            found = {each.resolve({"start": start, "end": end}) for start, end in paths} - {None}
            return found.pop() if len(found) == 1 else "ambiguous" if found else "outside-options"
    return None
