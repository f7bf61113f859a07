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

from evaluation.extraction.glossary import differs_in_script, write_concepts
from evaluation.extraction.lexicon import KIND, WORD_LISTS
from evaluation.extraction.options import PLACEHOLDER_BASE
from evaluation.extraction.tokens import tokenize

MAX_GIST_LENGTH = 1_500
_MOST_OPTIONS, _MOST_CLAUSES, _MOST_JOINED = 12, 40, 3
_COVERED, _MARGIN = 0.6, 0.34

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[0-9]+(?::[0-9]+|\.[0-9]+)?|[\u4e00-\u9fff]")
_LETTERS = re.compile("[a-z]+|[\u4e00-\u9fff]")
_CLAUSE_END = re.compile(
    r"[,;:。!?\n]+|\.(?![0-9])|->| - |(?<![a-z])(?:and|but|while|whereas|although|though)(?![a-z])|和|、"
    r"|以及|但是?|而不是|而是|因此|所以"
)
_SENTENCE_END = re.compile(r"[。!?\n]|\.(?![0-9])")
_THEREFORE = re.compile(
    r"(?<![a-z])(?:so|therefore|thus|hence|which means|this means|that means|overall|must be|suggests?"
    r"|indicates?|points? to)(?![a-z])|因此|所以|说明|应该是|可能是|可见|最像"
)
_FUNCTION_WORDS = WORD_LISTS["FUNCTION_WORDS"]
_FUNCTION_CHARACTERS = frozenset("的了着在是有个地得里上中这那段将被把就都也很会到之其为于从和与及")
_NEGATIVE_WORDS = frozenset({"no", "not", "never", "without", "none", "nobody", "nothing"})
_NEGATIVE_CHARACTERS = frozenset("没不无未非")
# "A minor", "vitamin C": what tells such options apart is no word.
_SINGLE_LETTER = re.compile(r"(?<![a-z])(?!a (?!minor|major|flat|sharp)[a-z]{3})[a-z](?![a-z'])")
_ARTICLE_IN_CHINESE = re.compile("一(?=[个只声段阵条位名辆台下种些直起样切])")
# Words with a second meaning, and numbers: where one is the whole option, only its text counts.
_AMBIGUOUS = frozenset({"left", "right", "ahead", "behind", "front", "back", "up", "down"}) | WORD_LISTS["ORDINARY"]
_NUMERALS = frozenset("零一二两三四五六七八九十百千") | WORD_LISTS["NUMBER_WORDS"]
_IRREGULAR = {word: stem for stem, *words in (entry.split("/") for entry in WORD_LISTS["IRREGULAR"]) for word in words}
_OPPOSITES = {word: frozenset(pair.split("/")) - {word} for pair in WORD_LISTS["OPPOSITES"] for word in pair.split("/")}
# A clause with one of these says nothing for sure.
_DOUBTS = frozenset(
    {KIND.NEG, KIND.NO, KIND.BAD, KIND.REFUSE, KIND.IF, KIND.BEFORE, KIND.QUESTION, KIND.OR, KIND.AMONG}
)
_PLACEHOLDER = re.compile("[\ue000-\uefff]")
_MOST_WORDS_OF_VERDICT = 2
_JOINS = ("和", "、", "以及", "and")
_HEDGES = frozenset({"could", "might", "may", "perhaps", "maybe", "possibly", "either", "也许", "或许"})


def stem(word: str) -> str:
    """The part of an English word that its forms share.

    >>> [stem(word) for word in ("barks", "barking", "stopped", "cries", "rang")]
    ['bark', 'bark', 'stop', 'cry', 'ring']
    """
    word = _IRREGULAR.get(word, word)
    for suffix, least in (("ies", 2), ("ing", 3), ("ed", 3), ("es", 3), ("s", 3)):
        if word.endswith(suffix) and len(word) - len(suffix) >= least and not word.endswith(("ss", "eed")):
            word = word[: -len(suffix)] + ("y" if suffix == "ies" else "")
            if suffix in {"ing", "ed"} and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def _units(lowered: str) -> tuple[str, ...]:
    """The stems and characters of a text that carry meaning, in order."""
    units = []
    for word in _WORD.findall(_ARTICLE_IN_CHINESE.sub("", lowered)):
        if word >= "一":
            if word not in _FUNCTION_CHARACTERS and word not in _NEGATIVE_CHARACTERS:
                units.append(word)
        else:
            word = word.removesuffix("'s")
            if word not in _FUNCTION_WORDS and word not in _NEGATIVE_WORDS:
                units.append(stem(word))
    return tuple(units)


def _is_negative(lowered: str) -> bool:
    return not _NEGATIVE_WORDS.isdisjoint(_WORD.findall(lowered)) or not _NEGATIVE_CHARACTERS.isdisjoint(lowered)


class OptionGist(NamedTuple):
    """What is compared of one option.

    Attributes:
        weights: Unit → how much it tells: the fewer options have it the more.
        required: Units that a clause must have.
        opposed: Units that a clause must not have.
        plural: What a clause must not have, where the option names one thing: "a bird" is not "birds".
        negative: The option itself denies something.
    """

    weights: dict[str, float]
    required: frozenset[str]
    opposed: frozenset[str]
    plural: str
    negative: bool


class Said(NamedTuple):
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
    if not 2 <= len(texts) <= _MOST_OPTIONS or any(map(_SINGLE_LETTER.search, texts)):
        return ()
    if any(_AMBIGUOUS.issuperset(_LETTERS.findall(text)) for text in texts):
        return ()
    mains = [text.split(" (")[0].split("(")[0] or text for text in texts]
    units = [_units(main) for main in mains]
    shared = Counter(unit for each in units for unit in set(each))
    if all(
        _NUMERALS.union(filter(str.isdecimal, each)).issuperset(u for u in each if shared[u] == 1) for each in units
    ):
        return ()  # Numbers alone tell them apart, and those are read elsewhere.
    gists = []
    for main, each in zip(mains, units, strict=True):
        weights = {unit: 1.0 / shared[unit] for unit in each}
        latin = [unit for unit in each if unit < "一"] if strict else []
        required = {unit for unit in (*latin, *_numerals(each)) if shared[unit] == 1} | set(latin[-1:])
        opposed = {other for unit in each for other in _OPPOSITES.get(unit, ())} - set(each)
        gists.append(OptionGist(weights, frozenset(required), frozenset(opposed), _plural(main), _is_negative(main)))
    return tuple(gists)


def _numerals(units: Iterable[str]) -> set[str]:
    return {unit for unit in units if unit[0].isdigit() or unit in _NUMERALS}


def _plural(text: str) -> str:
    article, _, rest = text.partition(" ")
    return rest.split(" ")[0] + "s" if article in {"a", "an", "one"} else ""


def _coverage(gist: OptionGist, units: frozenset[str]) -> float:
    if (numerals := _numerals(gist.weights)) and not _numerals(units) <= numerals:
        return 0.0
    if not gist.weights or not gist.required <= units or not gist.opposed.isdisjoint(units):
        return 0.0
    total = sum(gist.weights.values())
    return sum(weight for unit, weight in gist.weights.items() if unit in units) / total


def _best(gists: tuple[OptionGist, ...], units: frozenset[str]) -> int | None:
    """The one option that the units of a clause cover; an option within another one counts less than that one."""
    covered = [_coverage(gist, units) for gist in gists]
    order = sorted(range(len(gists)), key=lambda place: (-covered[place], -len(gists[place].weights)))
    first, *others = order
    if covered[first] < _COVERED:
        return None
    inside = gists[first].weights.keys()
    for other in others:
        within = gists[other].weights.keys() < inside
        if not within and covered[first] - covered[other] < _MARGIN:
            return None
    return first


def read_gist(lowered: str, texts: tuple[str, ...]) -> Said:
    """Return which options the clauses of a response say or deny.

    Args:
        lowered: A cleaned response in lower case; a placeholder may stand for the text of an option.
        texts: Of the options, in lower case.
    """
    if len(lowered) > MAX_GIST_LENGTH:
        return Said((), frozenset())
    translated = differs_in_script(lowered, texts)
    if translated:
        lowered, texts = write_concepts(lowered), tuple(map(write_concepts, texts))
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
        told = [_tell(sentence, gists) for sentence in _split(_SENTENCE_END, lowered)] if gists else []
    # A few words in common with a translation are an answer only where nothing else is said, or where it is concluded.
    sure = not translated or len(told) == 1
    claims = tuple((place, concluded) for said, _ in told for place, concluded in said if sure or concluded)
    return Said(claims, frozenset[int]().union(*(denied for _, denied in told)))


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
    clauses = _split(_CLAUSE_END, sentence)[:_MOST_CLAUSES]
    told: dict[int, _Clause] = {}
    for n_joined in range(1, min(_MOST_JOINED, len(clauses)) + 1):
        for start in range(len(clauses) - n_joined + 1):
            window = range(start, start + n_joined)
            if told.keys().isdisjoint(window):
                said = _read_clause("".join(clauses[start : window.stop]), gists)
                told |= dict.fromkeys(window, said) if said is not None else {}
    claims: list[tuple[int, bool]] = []
    denied: set[int] = set()
    for position, said in told.items():
        if said.denies or _is_rejected(clauses, position, told.keys()):
            denied.update(said.places)
        elif said.claims:
            concluded = _THEREFORE.search("".join(clauses[: position + 1])) is not None
            claims += [(place, concluded) for place in said.places if (place, concluded) not in claims]
    return claims, denied


class _Clause(NamedTuple):
    """The options a clause is about, and whether it claims or denies them."""

    places: tuple[int, ...]
    claims: bool
    denies: bool


def _read_clause(text: str, gists: tuple[OptionGist, ...]) -> _Clause | None:
    named = tuple(ord(sign) - PLACEHOLDER_BASE for sign in _PLACEHOLDER.findall(text))
    doubts = _doubts(text)
    if named:
        return _Clause(tuple(place for place in named if place < len(gists)), not doubts, doubts == {KIND.NEG})
    place = _best(gists, frozenset(_units(text)))
    if place is None or (gists[place].plural and gists[place].plural in text):
        return None
    negative = _is_negative(text)
    claims = gists[place].negative == negative and (negative or not doubts)
    return _Clause((place,), claims, not claims and (negative or doubts == {KIND.NEG}))


def _is_rejected(clauses: list[str], position: int, told: Collection[int]) -> bool:
    """Whether the clause behind one, or behind the list it stands in, is no more than a verdict against it."""
    while position + 1 < len(clauses) and position + 1 in told and clauses[position].rstrip().endswith(_JOINS):
        position += 1
    return position + 1 < len(clauses) and position + 1 not in told and _is_rejection(clauses[position + 1])


def _is_rejection(clause: str) -> bool:
    """Whether a clause is no more than a verdict against what was said before."""
    kinds = [token.kind for token in tokenize(clause)]
    return KIND.BAD in kinds and kinds.count(KIND.WORD) <= _MOST_WORDS_OF_VERDICT


def _doubts(window: str) -> set[int]:
    tokens = tokenize(window)
    kinds = {int(token.kind) for token in tokens if token.kind in _DOUBTS}
    return kinds | ({int(KIND.IF)} if any(token.text in _HEDGES for token in tokens) else set())


def agree(said: Said, texts: tuple[str, ...]) -> int | None:
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


# The option that nothing can be determined, and a response that says so of the question, not of its own abilities.
_TELL = r"(?:determine|tell|say|decide|judge|identify|establish|infer|know|conclude|distinguish)"
_UNABLE = re.compile(
    rf"(?:unable|impossible|not possible|not able) to {_TELL}|(?:can ?not|can't|could not"
    rf"|couldn't) (?:be {_TELL}e?d|{_TELL})"
    r"|(?:not enough|insufficient) information|undetermined|indeterminate|not determinable"
    r"|(?:无法|不能|难以)(?:判断|确定|得知|分辨|辨别|判定)|不确定"
)
_IMPERSONAL = re.compile(
    rf"(?:(?:it|this|that|which|there)(?: is|'s| was) (?:simply |just |really )?(?:im|not )possible"
    rf"|(?<!i'm )(?<!i am )(?<![a-z])impossible) to {_TELL}"
    rf"|(?:can ?not|can't|could not|couldn't) be (?:reliably |clearly )?(?:{_TELL}e?d|told|said|known)"
    r"|(?:is|are|'s) (?:not enough|insufficient|no) (?:information|evidence|way) (?:in|to|from)|(?:not"
    r"|n't) (?:contain|provide|give) enough (?:information|evidence)"
    r"|(?:无法|不能|难以)(?:判断|确定|得知|分辨|辨别|判定)(?!是?[a-z](?![a-z]))[\u4e00-\u9fff]{3}"
    r"|[\u4e00-\u9fff](?:无法|不能|难以)(?:被)?(?:判断|确定|得知|分辨|辨别|判定)"
)
_ABOUT_ITSELF = re.compile(
    r"(?<![a-z])(?:sorry|apologi[sz]e|as an ai|language model|i (?:can't|cannot|am unable to"
    r"|'m unable to|am not able to) "
    r"(?:listen|hear|process|access|play|analy[sz]e|open|help|assist)|no audio|no recording"
    r"|not? (?:receive|provided|attached)"
    r"|(?:have|having) access|listen to|please (?:provide|upload|share|send))(?![a-z])|抱歉|对不起"
    r"|听不到|没有音频|未提供|请提供|上传|模型"
)


@lru_cache(maxsize=4_096)
def list_unable(texts: tuple[str, ...]) -> tuple[int, ...]:
    """The options that nothing can be determined."""
    return tuple(place for place, text in enumerate(texts) if _UNABLE.search(text))


def find_unable(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The option "unable to determine", where a refused response says just that of the question."""
    places = list_unable(texts)
    if (
        len(places) != 1
        or not (_IMPERSONAL.search(lowered) or f"{texts[places[0]]} which" in lowered)
        or _ABOUT_ITSELF.search(lowered)
    ):
        return None
    return places[0]
