"""Answers that say an option in other words: the words of each clause compared with the words of each option.

A clause stands for an option where it has every word that only this option has, and most of its other words, in any
form and order: "the dog barks" for "Dog barking", "a fourth" for "Perfect fourth". English words are compared by
their stems, Chinese text by its characters. A clause that denies, asks or supposes stands for nothing.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import NamedTuple

from evaluation.extraction.language.glossary import differs_in_script, translate, write_concepts
from evaluation.extraction.language.lexicon import KIND, WORD_LISTS
from evaluation.extraction.language.tokens import tokenize
from evaluation.extraction.language.units import find_opposites, is_negative, list_units
from evaluation.extraction.option_texts.options import PLACEHOLDER_BASE

MAX_GIST_LENGTH = 1_500
_MAX_OPTIONS, _MAX_CLAUSES, _MAX_JOINED = 12, 40, 3
_COVERED, _MARGIN = 0.6, 0.34

_LETTERS = re.compile("[a-z]+|[\u4e00-\u9fff]")
_CLAUSE_END = re.compile(
    r"[,;:。!?\n]+|\.(?![0-9])|->| - |(?<![a-z])(?:and|but|while|whereas|although|though|because)(?![a-z])|和|、"
    r"|以及|但是?|而不是|而是|因此|所以"
)
_SENTENCE_END = re.compile(r"[。!?\n]|\.(?![0-9])")
_THEREFORE = re.compile(
    r"(?<![a-z])(?:so|therefore|thus|hence|which means|this means|that means|overall|must be|suggests?"
    r"|indicates?|points? to)(?![a-z])|因此|所以|说明|应该是|可能是|可见|最像"
)
# "A minor", "vitamin C": what tells such options apart is no word.
_SINGLE_LETTER = re.compile(r"(?<![a-z])(?!a (?!minor|major|flat|sharp)[a-z]{3})[a-z](?![a-z'])")
# Words with a second meaning, and numbers: where one is the whole option, only its text counts.
_AMBIGUOUS = frozenset({"left", "right", "ahead", "behind", "front", "back", "up", "down"}) | WORD_LISTS["ORDINARY"]
# Of "left of the alarm" the words without their order say as much of the alarm's place.
_RELATION = re.compile(r"(?<![a-z])(?:left|right|ahead|front|north|south|east|west) of (?!me|you)")
_COUNTED = re.compile("[一二两三四五六七八九十几](?:[个名位种次声]|人)")
_NUMERALS = frozenset("零一二两三四五六七八九十百千") | WORD_LISTS["NUMBER_WORDS"]
# A clause with one of these says nothing for sure.
_DOUBTS = frozenset(
    {KIND.NEG, KIND.NO, KIND.BAD, KIND.REFUSE, KIND.IF, KIND.BEFORE, KIND.QUESTION, KIND.OR, KIND.AMONG}
)
_PART_END = re.compile(r"[,;。.]|(?<![a-z])(?:and|but|while)(?= (?:in|then|the) )")
_MIN_OF_PART, _MAX_BESIDE = 2, 3
# "From calm to angry" is not "from angry to calm".
_CHANGE = re.compile("[从由].+[转变到至]|先.+[后再]|(?<![a-z])from .+ to |(?<![a-z])first .+ then ")
_DEGREE = frozenset({"更"})
_TEMPORAL = frozenset({"before", "after", "while", "during", "until", "when", "whenever"})
_PREFIX = re.compile(r"(?<![a-z])(?:(non|un|counter|in|ir)-|anti[- ]?(?=clockwise))(?=[a-z])")
_PLACEHOLDER = re.compile("[\ue000-\uefff]")
_MAX_WORDS_OF_VERDICT = 2
_JOINS_IN_CHINESE = ("和", "、", "以及", "或", "与")
_JOINS = ("和", "、", "以及", "and")
_NOT_EITHER = re.compile(r"(n't|(?<![a-z])not)( [^,.;]{0,40}?) either(?![a-z])")
_UNHEARD = re.compile(
    "(?:听不到|没听到|没有听到|(?:can ?not|can't|didn't|did not|don't|do not) hear)(?: an?| any| the|任何)? ?"
    "[\ue000-\uefff]"
)
_DENIALS = frozenset({int(KIND.NEG), int(KIND.NO)})
_HEDGES = frozenset({"could", "might", "may", "perhaps", "maybe", "possibly", "either", "也许", "或许"})


class OptionGist(NamedTuple):
    """What is compared of one option.

    Attributes:
        weights: Unit → how much it tells: the fewer options have it the more.
        required: Units that a clause must have.
        opposed: Units that a clause must not have.
        plural: What a clause must not have, where the option names one thing: "a bird" is not "birds".
        negative: The option itself denies something.
        order: Units that only this option has, in their order, where the option tells of a change.
        parts: Clauses of the option, where each tells something: all of them must be said, in their order.
    """

    weights: dict[str, float]
    required: frozenset[str]
    opposed: frozenset[str]
    plural: str
    negative: bool
    order: tuple[str, ...] = ()
    parts: tuple["OptionGist", ...] = ()


class _ClauseClaims(NamedTuple):
    """What the clauses of a response say.

    Attributes:
        claims: Option and whether a conclusion says it, in order.
        denied: Options that a clause denies.
    """

    claims: tuple[tuple[int, bool], ...]
    denied: frozenset[int]


@lru_cache(maxsize=4_096)
def make_gists(texts: tuple[str, ...], *, strict: bool = True) -> tuple[OptionGist, ...]:
    """Make options ready to be compared.

    Args:
        texts: Of the options, in lower case.
        strict: Whether a clause must have all English words that only one option has; a translation may lack some.

    Returns:
        One for each option; none where they cannot be told apart.
    """
    if not 2 <= len(texts) <= _MAX_OPTIONS or any(map(_SINGLE_LETTER.search, texts)):
        return ()
    if any(_AMBIGUOUS.issuperset(_LETTERS.findall(text)) for text in texts) or any(map(_RELATION.search, texts)):
        return ()
    if sum(_COUNTED.match(text) is not None for text in texts) > 1:
        return ()  # "一个人" and "两个人".
    mains = [text.split(" (")[0].split("(")[0] or text for text in texts]
    units = [list_units(main) for main in mains]
    shared = Counter(unit for each in units for unit in set(each))
    if all(
        _NUMERALS.union(filter(str.isdecimal, each)).issuperset(u for u in each if shared[u] == 1) for each in units
    ):
        return ()  # Numbers alone tell them apart, and those are read elsewhere.
    gists = [
        _make_gist(main, each, shared, strict=strict)._replace(parts=_make_parts(main, shared, strict=strict))
        for main, each in zip(mains, units, strict=True)
    ]
    # The words of "A, then B" and "B, then A" do not tell which one a clause stands for.
    alike = Counter(map(frozenset, units))
    return tuple(
        gist._replace(weights={}) if alike[frozenset(each)] > 1 else gist
        for gist, each in zip(gists, units, strict=True)
    )


def _make_gist(text: str, units: tuple[str, ...], shared: Counter[str], *, strict: bool) -> OptionGist:
    weights = {unit: 1.0 / shared[unit] for unit in units}
    latin = [unit for unit in units if unit < "一"] if strict else []
    required = {unit for unit in (*latin, *_numerals(units)) if shared[unit] == 1} | set(latin[-1:])
    required |= _DEGREE.intersection(units)
    if text.partition(" ")[0] in _TEMPORAL:
        required.add(text)  # "While it plays" and "before it plays" differ in a word that has no unit.
    opposed = find_opposites(units)
    order = tuple(unit for unit in dict.fromkeys(units) if shared[unit] == 1) if _CHANGE.search(text) else ()
    return OptionGist(weights, frozenset(required), opposed, find_plural(text), is_negative(text), order)


def _make_parts(text: str, shared: Counter[str], *, strict: bool) -> tuple[OptionGist, ...]:
    """The clauses of an option, each with the units of the other ones among what it must not have."""
    texts = _PART_END.split(text) if _PART_END.search(text) else []
    units = [list_units(each) for each in texts]
    if len(texts) < 2 or min(map(len, units)) < _MIN_OF_PART:
        return ()
    parts = []
    for each, own in zip(texts, units, strict=True):
        part = _make_gist(each, own, shared, strict=strict)
        foreign = {unit for other in units for unit in other if shared[unit] == 1} - set(own)
        parts.append(part._replace(opposed=part.opposed | foreign))
    return tuple(parts)


def _numerals(units: Iterable[str]) -> set[str]:
    return {unit for unit in units if unit[0].isdigit() or unit in _NUMERALS}


def find_plural(text: str) -> str:
    """The plural of the one thing that a text names: "birds" for "a bird singing"; nothing for other texts."""
    article, _, rest = text.partition(" ")
    return rest.split(" ")[0] + "s" if article in {"a", "an", "one"} else ""


def _coverage(gist: OptionGist, units: frozenset[str]) -> float:
    if (numerals := _numerals(gist.weights)) and not _numerals(units) <= numerals:
        return 0.0
    if not gist.weights or not gist.required <= units or not gist.opposed.isdisjoint(units):
        return 0.0
    total = sum(gist.weights.values())
    return sum(weight for unit, weight in gist.weights.items() if unit in units) / total


def _has_parts(gist: OptionGist, clauses: list[tuple[str, frozenset[str]]]) -> bool:
    """Whether every part of an option is said by a clause of its own, in their order."""
    position = 0
    for part in gist.parts:
        while position < len(clauses) and not _has_part(part, *clauses[position]):
            position += 1
        if position == len(clauses):
            return False
        position += 1
    return True


def _has_part(part: OptionGist, text: str, units: frozenset[str]) -> bool:
    own = [unit for unit, weight in part.weights.items() if weight == 1.0]
    return (
        _coverage(part, units) >= _COVERED
        and 2 * sum(unit in units for unit in own) >= len(own)
        and is_negative(text) == part.negative
    )


def _best(gists: tuple[OptionGist, ...], text: str) -> int | None:
    """The one option that the units of a clause cover; an option within another one counts less than that one."""
    units = frozenset(list_units(text))
    covered = [_coverage(gist, units) for gist in gists]
    if any(gist.parts and found >= _COVERED for gist, found in zip(gists, covered, strict=True)):
        clauses = [(clause, frozenset(list_units(clause))) for clause in _PART_END.split(text)]
        covered = [
            0.0 if found >= _COVERED and gist.parts and not _has_parts(gist, clauses) else found
            for gist, found in zip(gists, covered, strict=True)
        ]
    order = sorted(range(len(gists)), key=lambda place: (-covered[place], -len(gists[place].weights)))
    first, *others = order
    if covered[first] < _COVERED:
        return None
    inside = gists[first].weights.keys()
    for other in others:
        within = gists[other].weights.keys() < inside
        if not within and covered[first] - covered[other] < _MARGIN:
            return None
    return first if _keeps_order(gists[first], text) else None


def _keeps_order(gist: OptionGist, text: str) -> bool:
    """Whether a clause has what an option tells of a change in the order of the option."""
    if not gist.order:
        return True
    units = list_units(text)
    places = [units.index(unit) for unit in gist.order if unit in units]
    return places == sorted(places)


def read_gist(lowered: str, texts: tuple[str, ...]) -> _ClauseClaims:
    """Return which options the clauses of a response say or deny.

    Args:
        lowered: A cleaned response in lower case; a placeholder may stand for the text of an option.
        texts: Of the options, in lower case.
    """
    if len(lowered) > MAX_GIST_LENGTH:
        return _ClauseClaims((), frozenset())
    lowered, texts = join_prefixes(lowered), tuple(map(join_prefixes, texts))
    translated = differs_in_script(lowered, texts)
    if translated:
        lowered, texts = translate(lowered), tuple(map(translate, texts))
        gists = make_gists(texts, strict=False)
    else:
        gists = make_gists(texts)
    told = [_tell(sentence, gists) for sentence in _split(_SENTENCE_END, lowered)] if gists else []
    if (
        gists
        and not translated
        and lowered.isascii()
        and not any(said or denied for said, denied in told)
        and not any(gist.plural and gist.plural in lowered for gist in gists)
    ):
        # "An infant cries" for "Baby crying".
        lowered, gists = write_concepts(lowered), make_gists(tuple(map(write_concepts, texts)))
        told = [_tell_alone(sentence, gists) for sentence in _split(_SENTENCE_END, lowered)] if gists else []
    # A few words in common with a translation are an answer only alone, or where it is concluded.
    sure = not translated or len(told) == 1
    claims = tuple((place, concluded) for said, _ in told for place, concluded in said if sure or concluded)
    return _ClauseClaims(claims, frozenset[int]().union(*(denied for _, denied in told)))


def join_prefixes(lowered: str) -> str:
    """Write words with a negative prefix as one word: "counter-clockwise" and "anti-clockwise" alike."""
    return _PREFIX.sub(_join_prefix, lowered) if "-" in lowered or "anti" in lowered else lowered


def _join_prefix(match: re.Match[str]) -> str:
    return match[1] or "counter"


def _split(pattern: re.Pattern[str], text: str) -> list[str]:
    """The pieces of a text, each with the sign that ends it."""
    starts = [0, *(match.end() for match in pattern.finditer(text))]
    return [
        text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True) if text[start:end].strip()
    ]


def _tell(sentence: str, gists: tuple[OptionGist, ...]) -> tuple[list[tuple[int, bool]], set[int]]:
    """The claims of a sentence, and what it denies.

    A clause that says something by itself is not read together with its neighbours; a clause that is no more than a
    verdict, "neither is supported", is about the one before.
    """
    clauses = _split(_CLAUSE_END, sentence)[:_MAX_CLAUSES]
    told: dict[int, _Clause] = {}
    for n_joined in range(1, min(_MAX_JOINED, len(clauses)) + 1):
        for start in range(len(clauses) - n_joined + 1):
            window = range(start, start + n_joined)
            if told.keys().isdisjoint(window):
                said = _read_clause("".join(clauses[start : window.stop]), gists)
                told |= dict.fromkeys(window, said) if said is not None else {}
    claims: list[tuple[int, bool]] = []
    denied: set[int] = set()
    for position, said in sorted(told.items()):
        before = position and clauses[position - 1].rstrip().endswith(_JOINS_IN_CHINESE) and told.get(position - 1)
        if before and before.denies and said.claims:
            told[position] = said = said._replace(claims=False, denies=True)  # "没有鸟叫和风声".
        if said.claims and _is_member(clauses, position) and (after := told.get(position + 1)) and after.denies:
            said = said._replace(claims=False, denies=True)  # "鸟叫和风声都没有".
        if said.denies or _is_rejected(clauses, position, told.keys()):
            denied.update(said.places)
        elif said.claims:
            concluded = _THEREFORE.search("".join(clauses[: position + 1])) is not None
            claims += [(place, concluded) for place in said.places if (place, concluded) not in claims]
    return claims, denied


def list_clauses(lowered: str) -> list[str]:
    """The clauses of a text that neither deny, ask nor suppose."""
    clauses = [
        clause for sentence in _split(_SENTENCE_END, lowered) for clause in _split(_CLAUSE_END, sentence)[:_MAX_CLAUSES]
    ]
    return [clause for clause in clauses if not is_negative(clause) and not find_doubts(clause)]


def _tell_alone(sentence: str, gists: tuple[OptionGist, ...]) -> tuple[list[tuple[int, bool]], set[int]]:
    """The claims of a sentence that says little else: what it says beside them may be another option."""
    claims, denied = _tell(sentence, gists)
    units = set(list_units(sentence))
    beside = max((len(units - gists[place].weights.keys()) for place, _ in claims), default=0)
    return ([], set()) if beside > _MAX_BESIDE else (claims, denied)


class _Clause(NamedTuple):
    """The options a clause is about, and whether it claims or denies them."""

    places: tuple[int, ...]
    claims: bool
    denies: bool


def _read_clause(text: str, gists: tuple[OptionGist, ...]) -> _Clause | None:
    if "either" in text:
        text = _NOT_EITHER.sub(r"\1\2", text)
    named = tuple(ord(sign) - PLACEHOLDER_BASE for sign in _PLACEHOLDER.findall(text))
    doubts = find_doubts(text)
    if named:
        return _Clause(
            tuple(place for place in named if place < len(gists)),
            not doubts,
            bool(doubts and doubts <= _DENIALS) or bool(_UNHEARD.search(text)),
        )
    place = _best(gists, text)
    if place is None or (gists[place].plural and gists[place].plural in text):
        return None
    negative = is_negative(text)
    claims = gists[place].negative == negative and (negative or not doubts)
    return _Clause((place,), claims, not claims and (negative or doubts == {KIND.NEG}))


def _is_member(clauses: list[str], position: int) -> bool:
    """Whether a clause is no more than an option in a Chinese list that ends in "both"."""
    following = clauses[position + 1] if position + 1 < len(clauses) else ""
    alone = _PLACEHOLDER.sub("", clauses[position]).strip() in _JOINS_IN_CHINESE
    return alone and re.match("[\ue000-\uefff] ?(?:都|均|皆)", following) is not None


def _is_rejected(clauses: list[str], position: int, told: Collection[int]) -> bool:
    """Whether the clause behind one, or behind the list it stands in, is no more than a verdict against it."""
    while position + 1 < len(clauses) and position + 1 in told and clauses[position].rstrip().endswith(_JOINS):
        position += 1
    return position + 1 < len(clauses) and position + 1 not in told and _is_rejection(clauses[position + 1])


def _is_rejection(clause: str) -> bool:
    """Whether a clause is no more than a verdict against what was said before."""
    kinds = [token.kind for token in tokenize(clause)]
    return KIND.BAD in kinds and kinds.count(KIND.WORD) <= _MAX_WORDS_OF_VERDICT


def find_doubts(window: str) -> set[int]:
    """The kinds of the words with which a clause denies, asks, supposes or offers alternatives."""
    tokens = tokenize(window)
    kinds = {int(token.kind) for token in tokens if token.kind in _DOUBTS}
    return kinds | ({int(KIND.IF)} if any(token.text in _HEDGES for token in tokens) else set())


def agree(said: _ClauseClaims, texts: tuple[str, ...]) -> int | None:
    """The one option that the clauses of a response come to; None where they come to several or to none."""
    if not said.claims:
        return None
    places = {place for place, _ in said.claims} - said.denied
    if len(places) > 1:
        union = _union(places, make_gists(texts))
        concluded = [place for place, is_concluded in said.claims if is_concluded]
        last, is_concluded = said.claims[-1]
        places = {union} if union is not None else {last} if is_concluded and set(concluded) == {last} else set()
    return places.pop() if len(places) == 1 else None


def _union(places: set[int], gists: tuple[OptionGist, ...]) -> int | None:
    """The option that says what several others say together: "Dog and cat" for "Dog" and "Cat"."""
    together = set[str]().union(*(gists[place].weights for place in places))
    found = [place for place, gist in enumerate(gists) if set(gist.weights) == together]
    return found[0] if len(found) == 1 else None
