"""Sets of options named by their distinguishing words: "electric and bass guitar plus a synth; nothing acoustic".

Each clause is compared with what only one option has. A clause that names an option affirms or denies it; a clause that
names two, or only what several options share, leaves the set open. A set is complete where every option is affirmed or
denied, or where no affirming clause says anything else.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from evaluation.extraction.claims.pointers import points_beyond_words
from evaluation.extraction.language.lexicon import WORD_LISTS
from evaluation.extraction.language.normalize import clean
from evaluation.extraction.language.spelling import lower
from evaluation.extraction.language.units import (
    find_derived,
    find_opposites,
    is_comparable,
    is_negative,
    list_distinctive,
    list_units,
)
from evaluation.extraction.option_reviews.absences import deny_absent_names
from evaluation.extraction.option_texts.options import PreparedOptions
from evaluation.extraction.paraphrases.pointing import list_informative
from evaluation.extraction.readings import UNREAD
from evaluation.types import Reading

_LONGEST, _MAX_OPTIONS, _MAX_FOREIGN, _MIN_COVERED = 500, 10, 4, 0.5
_SHORTEST_PREFIX = 4
_SENTENCE_END = re.compile(r"[.!?;\n]+(?= |\Z|\n)|\n|(?<![a-z])(?:but|while|whereas|although|though|however)(?![a-z])")
_CLAUSE_END = re.compile(
    r"[,:()/+&]+| - |->|(?<![a-z])(?:and|plus|then|followed by|as well as|along with|together with|with|also)(?![a-z])"
    r"|(?= (?:without|rather than|instead of|not|no|nor|or)(?![a-z]))"
)
_DENIES = re.compile(
    r"(?<![a-z])(?:rather than|instead of|absent|missing|inaudible|neither|nor|false|wrong|incorrect|lacks?|lacking"
    r"|isn't|aren't|contradict[a-z]*|unsupported|except|apart from|hardly|barely)(?![a-z])"
)
_OPEN = re.compile(
    r"(?<![a-z])(?:maybe|perhaps|possibly|might|could|may|either|if|unless|whether|seems?|unsure|sure|sorry|unable"
    r"|thought|initially|actually|wait|hmm|first impression|only one of|would|like|similar|sounds? like|than|such as"
    r"|e\.g|than|everything|every|all|both|until|before|instead|some|resembl[a-z]*|reminiscent|mistaken?"
    r"|infer[a-z]*|conclude[a-z]*|impl[a-z]+|yes|true|false|absent|same|unchanged|constant|identical|alike|differ[a-z]*)(?![a-z])"
    r"|(?<![a-z])no(?= ?(?:[.,;:\n]|\Z))|: ?(?:present|audible|heard)(?![a-z])"
    r"|[?\u2705\u2713\u2714\u2717\u2718\u274c\u00d7\u4e00-\u9fff]"
)
_RELATIVE = re.compile(
    r" ?(?:who|which|whose|where|because|since|as|that|so(?! (?:it|there) (?:contains|has|includes|is|are)(?![a-z])))"
    r"(?![a-z])"
)
_NUMERALS = WORD_LISTS["NUMBER_WORDS"] - {"a", "an"}
_EXISTS = re.compile(r"(?<![a-z])there(?:'s| is) an? [a-z]+ ?(?:[.,;]|\Z)", re.IGNORECASE)
_OTHERS = re.compile(r"(?<![a-z])(?:others?|rest|else|anything|nothing)(?![a-z])")
# A statement is more than the name of a sound.
_STATES = re.compile(
    r"(?<![a-z])(?:is|are|was|were|has|have|will|wants?|in)(?![a-z])"
    # "The tempo doubles", "he hangs up": a subject and a verb.
    r"|\A(?:(?:the|an?|his|her) [a-z]+|he|she|it|they|someone|somebody)"
    r" (?:[a-z]+ly )?(?:[a-z]+s|enter|stop|start|play|sing)(?![a-z])"
)
_MIN_STATED = 0.6
# "No one is speaking" denies what all other options say.
_NOBODY, _NOBODY_SIGN = re.compile(r"(?:no ?one|nobody)(?![a-z])"), "nobodywhatsoever"
# "Both a woman and a man": two names.
_BOTH = re.compile(r"(?<![a-z])both (?=(?:an? |the )[a-z]+ and (?:an? |the )[a-z]+)")
# "The duck and the turkey can't": the end of the sentence denies both.
_DENIED_AT_END = re.compile(
    r"(?: (?:i|we|you))? (?:can't|cannot|can not|(?:is|are|was|were|could|do|does|did)n't)"
    r"(?: be heard| (?:there|present|heard|audible|either))?[ ,]*\Z"
)
_CONJUNCTION = re.compile(r",? (?:and|or) |, ")
_HAS_VERB = re.compile(
    r"(?<![a-z])(?:is|are|was|were|can|could|has|have|hear|heard|do|does|did|not|no|only)(?![a-z])|n't|[:()]"
)
_WORD = re.compile("[a-z0-9]+")
_IN_BRACKETS = re.compile(r" \(([A-J])\)")
# Words that make one option a set.
_ALONE = re.compile(r"(?<![a-z])(?:only|just|solely|nothing else|(?:the )?others?|rest)(?![a-z])", re.IGNORECASE)
_FEWEST = 2
# "All three guitars": the options that share a word.
_GROUP = re.compile(r"(?<![a-z])(?:both|all)(?: of)?(?: the)?(?: (two|three|four|five))? ([a-z]+s)(?![a-z])")
_SIZES = {"two": 2, "three": 3, "four": 4, "five": 5}


class NamedMembers(NamedTuple):
    """What the clauses of a response name.

    Attributes:
        affirmed: Options that a clause affirms.
        denied: Options that a clause denies.
        is_complete: Whether nothing else may be named.
    """

    affirmed: frozenset[int]
    denied: frozenset[int]
    is_complete: bool


class _MemberName(NamedTuple):
    """What is compared of an option: its own units, all of them, those that exclude it, its numerals and its kind."""

    own: frozenset[str]
    units: frozenset[str]
    opposed: frozenset[str]
    numerals: frozenset[str]
    is_statement: bool


@lru_cache(maxsize=4_096)
def _list_names(texts: tuple[str, ...]) -> tuple[_MemberName, ...]:
    """What is compared of each option; nothing where they cannot be told apart by single words."""
    if (
        not 2 <= len(texts) <= _MAX_OPTIONS
        or not all(map(str.isascii, texts))
        or any(is_negative(text) and not _NOBODY.match(text) for text in texts)
    ):
        return ()
    texts = tuple(_NOBODY_SIGN if _NOBODY.match(text) else text.removeprefix("yes, ") for text in texts)
    units = [list_informative(text) or frozenset(list_units(text)) for text in texts]
    # Common words tell no option from others, but they are a part of what it says: "an answer by Monday".
    common = list_distinctive([frozenset(list_units(text)) for text in texts])
    names = [
        _MemberName(own, each | rest, find_opposites(each), _find_numerals(text), _STATES.search(text) is not None)
        for text, each, own, rest in zip(texts, units, list_distinctive(units), common, strict=True)
    ]
    return tuple(names) if all(name.own for name in names) else ()


def read_named_members(lowered: str, texts: tuple[str, ...]) -> NamedMembers | None:
    """Return what a cleaned response in lower case names; None where a clause leaves that open.

    >>> texts = ("acoustic guitar", "electric guitar", "bass guitar", "synthesizer")
    >>> named = read_named_members("electric and bass guitar plus a synth.", texts)
    >>> sorted(named.affirmed), named.is_complete
    ([1, 2, 3], True)
    """
    names = _list_names(texts)
    if "all " in lowered or "both " in lowered:
        lowered = _BOTH.sub("", lowered)
        lowered = _GROUP.sub(lambda group: _write_group(group, texts), lowered)
    if not names or not is_comparable(lowered, texts, _LONGEST) or _OPEN.search(lowered):
        return None
    affirmed, denied = set[int](), set[int]()
    is_rest_known = True
    for sentence in _SENTENCE_END.split(deny_absent_names(lowered)):
        was_denied = False
        for clause in _CLAUSE_END.split(_deny_list(sentence)):
            denies = is_negative(clause) or _DENIES.search(clause) is not None
            units = _list_said(clause, names)
            place = _find_named(units, names)
            is_alternative = clause.startswith(" or ")
            if place is None or (place >= 0 and _RELATIVE.match(clause)) or (is_alternative and not was_denied):
                return None
            if place >= 0 and was_denied and not denies and not is_alternative:
                return None  # "No piano, a violin".
            was_denied = was_denied or denies
            if place < 0 and denies and affirmed and len(units) <= 1 and not _OTHERS.search(clause):
                return None  # "Rain - not audible": it may be about what stands before.
            if place < 0:
                is_rest_known = is_rest_known and (denies or not units or _RELATIVE.match(clause) is not None)
            elif denies or _counts_differently(clause, names[place]) or is_alternative:
                denied.add(place)
            elif _affirms(units, names[place], names):
                affirmed.add(place)
            else:
                return None
    if affirmed & denied or not affirmed:
        return None
    is_complete = is_rest_known or len(affirmed | denied) == len(texts)
    return NamedMembers(frozenset(affirmed), frozenset(denied), is_complete)


def _deny_list(sentence: str) -> str:
    """Write the denial at the end of a list before each of its names."""
    end = _DENIED_AT_END.search(sentence)
    if end is None or _HAS_VERB.search(sentence, 0, end.start()):
        return sentence
    names = _CONJUNCTION.split(sentence[: end.start()].strip(" ,"))
    return ", ".join(f"no {name}" for name in names) if len(names) >= _FEWEST else sentence


def find_member(name: str, texts: tuple[str, ...]) -> int | None:
    """The one option that a name in lower case has a word of, if it has nothing else.

    >>> find_member("the rap verse", ("the song has a rap verse", "the song has a chorus"))
    0
    """
    names = _list_names(texts)
    units = _list_said(name, names) if names else frozenset[str]()
    place = _find_named(units, names) if units else None
    return place if place is not None and place >= 0 and units <= names[place].units else None


def _write_group(group: re.Match[str], texts: tuple[str, ...]) -> str:
    """The options that share a word, where they are as many as the answer says."""
    units = frozenset(list_units(group[2]))
    members = [text for text in texts if units and units <= frozenset(list_units(text))]
    size = _SIZES.get(group[1]) or (2 if group.group().startswith("both") else len(members))
    return ", ".join(members) if 1 < len(members) == size else group.group()


def settle_by_names(response: str, prepared: PreparedOptions, reading: Reading) -> Reading:
    """Compare a reading with what a response without letters, or with letters in brackets, names by words."""
    unlettered, n_letters = _drop_bracketed_letters(response)
    if points_beyond_words(unlettered, prepared) or (n_letters and reading.indices is not None):
        return reading
    named = read_named_members(lower(clean(unlettered)), prepared.texts)
    return reading if named is None else _settle_named(named, reading, response, prepared.profile.size)


def _drop_bracketed_letters(response: str) -> tuple[str, int]:
    """Return a response without letters in brackets, and how many there were: "typing (C), coughing (E)"."""
    return _IN_BRACKETS.subn("", response) if "(" in response else (response, 0)


def _settle_named(named: NamedMembers, reading: Reading, response: str, n_options: int) -> Reading:
    """Return the reading of a response whose clauses name members by their distinguishing words.

    Args:
        named: What they name.
        reading: By letters and texts, and in other words.
        response: As it was written.
        n_options: Number of options.
    """
    by_names = Reading(indices=named.affirmed)
    is_exhaustive = named.is_complete and len(named.affirmed | named.denied) == n_options
    if reading.indices is not None:
        if reading.indices == named.affirmed or (named.affirmed < reading.indices and not named.is_complete):
            return reading
        return by_names if is_exhaustive else UNREAD["ambiguous"]
    letters = {ord(letter) - 65 for letter in _IN_BRACKETS.findall(response)}
    if letters and letters not in (named.affirmed, named.affirmed | named.denied):
        return reading
    is_set = len(named.affirmed) >= _FEWEST or bool(named.denied) or _ALONE.search(response) is not None
    if reading.reason == "ambiguous" and not is_exhaustive and not named.denied and _EXISTS.search(response):
        return reading  # "Rain, and there is a baby": a part of what another option says.
    return by_names if named.is_complete and is_set else reading


def _list_said(clause: str, names: tuple[_MemberName, ...]) -> frozenset[str]:
    """The units of a clause; what is the beginning of one unit of the options is that unit."""
    known = frozenset[str]().union(*(name.units for name in names))
    said = set[str]()
    for unit in list_informative(clause) | known.intersection(list_units(clause)):
        longer = [each for each in known if len(unit) >= _SHORTEST_PREFIX and each.startswith(unit)]
        said.add(longer[0] if unit not in known and len(longer) == 1 else find_derived(unit, known))
    return frozenset(said)


def _find_named(units: frozenset[str], names: tuple[_MemberName, ...]) -> int | None:
    """The option that a clause names, -1 if it has no word of any; None where it may be one of several."""
    named = [place for place, name in enumerate(names) if units & name.own]
    if len(named) > 1:
        return None
    if named:
        return named[0]
    return None if any(units & name.units for name in names) else -1


def _affirms(units: frozenset[str], name: _MemberName, names: tuple[_MemberName, ...]) -> bool:
    """Whether a clause has enough of an option and little else."""
    known = frozenset[str]().union(*(each.units for each in names))
    is_part = units <= name.units
    least = _MIN_STATED if name.is_statement else _MIN_COVERED
    is_covered = len(units & name.units) >= least * len(name.units)
    return (is_part or is_covered) and not units & name.opposed and len(units - known) <= _MAX_FOREIGN


def _counts_differently(clause: str, name: _MemberName) -> bool:
    """Whether a clause has another number than the option: "only one speaker" for "two speakers"."""
    numerals = _find_numerals(clause)
    return bool(name.numerals and numerals) and name.numerals.isdisjoint(numerals)


def _find_numerals(text: str) -> frozenset[str]:
    return _NUMERALS.intersection(_WORD.findall(text))
