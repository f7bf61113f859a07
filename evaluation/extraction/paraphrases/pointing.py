"""Sentences that point to one option by some of its words: "the men are officers on duty".

Each word of a sentence tells as much as few options have it: a word of all options tells nothing. The sentence stands
for an option if it has several words that only this option has, or one and nothing else to say, if it has no word that
only another option has, and if little of what it says is foreign to the option. English words are compared by their
stems, Chinese text by its characters. Only what is said for sure counts: a sentence that denies a word of the
option, asks or supposes points to nothing.
"""

import re
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from evaluation.extraction.language.lexicon import WORD_LISTS
from evaluation.extraction.language.symbols import CHINESE_CHARACTER
from evaluation.extraction.language.units import find_opposites, is_comparable, is_negative, list_units, says_opposite
from evaluation.extraction.paraphrases.gist import find_doubts, find_plural, join_prefixes

_LONGEST, _MAX_OPTIONS, _MAX_SENTENCES = 600, 12, 3
MIN_HITS, MIN_HITS_IN_CHINESE = 2, 3
MIN_SHARE, MIN_SHARE_IN_CHINESE, MIN_SHARE_OF_ONE = 0.5, 0.5, 1.0
_SHORTEST_WORD, _MIN_UNITS = 5, 2
_SENTENCE = re.compile(r"(?:[^。!?\n.;]|\.(?=[0-9a-z]))+[。!?\n.;]?")
_CONCLUDES = re.compile(
    r"(?<![a-z])(?:so|therefore|thus|hence|overall|suggests?|indicates?|most likely|i (?:think|believe|would say)"
    r"|i'd say|in short|in all)(?![a-z])|因此|所以|综上|由此|可见|说明|最可能|应该是|应当是|总之|更像"
)
# A clause that denies or supposes does so for those behind it, until one turns: "not a duet, nor a choir, but …".
_CLAUSE = re.compile(r"(?:[^,;:。!?\n.]|\.(?=[0-9a-z]))+[,;:。!?\n.]?")
_TURNS = re.compile(
    r" ?(?:(?:because|but|yet|instead|however|it is|it's|they are|these are|this is)(?![a-z])|但|而是|不过|其实|应该是)"
)
_SUPPOSES = re.compile(
    "(?<![a-z])(?:if|unless|suppose|expect|(?<!i )(?<!we )would|rather than|instead of|as opposed to)(?![a-z])"
    "|如果|假如|要是|提到|提及|谈到"
)
_UNSURE = re.compile("也可能|也许|或许|要么|抑或")
_ABBREVIATION = re.compile(r"(?<![a-z])(mr|mrs|ms|dr|prof|st)\.(?= )")
_VERSUS = re.compile(r"(?<![a-z])(?:versus|vs\.?)(?![a-z])")
_ASIDE = re.compile(r" (?=(?:(?<!not )(?<!n't )because|rather than|instead of|as opposed to|not)(?![a-z]))")
# Options that tell of a change, or of two recordings, are not said by some of their words.
_TURN = re.compile(
    "[从由].+[转变到至]|先.+[后再]|第[一二三]|音频[0-9一二]|然后|接着|随后|同时"
    "|(?<![a-z])(?:from .+ to|first .+ then|before|after|until) "
)
_STOCK = re.compile(
    "听起来|听上去|看起来|可能|应该|音频|录音|背景|声音|说话者|说话人|录制|可以|听到|听出|推断|判断|根据|说明|表明|因此"
    "|所以|更像|最像|符合|有人|人们|他们|她们|我们|最不"
)
# The least likely option is the answer of some questions.
_MIN_LIKELY = re.compile(
    r"(?<![a-z])(?:least (?:likely|plausible|fitting)|most unlikely)(?![a-z])|最不(?=[应可合符适恰协])"
)
_NUMERALS = frozenset("零一二两三四五六七八九十百千") | WORD_LISTS["NUMBER_WORDS"]
_EMPTY_WORDS = frozenset(
    list_units(
        "audio audios recording recordings clip sound sounds speaker speakers voice voices hear heard listen listening"
        " seem seems suggest suggests indicate indicates likely probably clear clearly obvious scene situation most"
        " least more typical just only really quite very best fit fits match describe described context based evidence"
        " tone thing someone somebody person people character option answer going happening take takes place say said"
        " says guess think because already both same different equal equally unable determine"
    )
)


class _Option(NamedTuple):
    """What is compared of one option.

    Attributes:
        units: Unit → how much it tells.
        opposed: Units that exclude one of its own.
        text: The option.
    """

    units: dict[str, float]
    opposed: frozenset[str]
    text: str


@lru_cache(maxsize=4_096)
def list_pointed(texts: tuple[str, ...]) -> tuple[_Option, ...]:
    """Return what is compared of each option; nothing where options cannot be told apart by their words."""
    in_english = all(map(str.isascii, texts))
    if not 2 <= len(texts) <= _MAX_OPTIONS or not (in_english or all(map(CHINESE_CHARACTER.search, texts))):
        return ()
    units = [list_informative(join_prefixes(text)) for text in texts]
    if min(map(len, units)) < _MIN_UNITS:
        return ()
    shared = Counter(unit for each in units for unit in each)
    options = []
    for text, own in zip(texts, units, strict=True):
        opposed = find_opposites(own)
        weights = {unit: 1.0 / shared[unit] for unit in own if shared[unit] < len(texts)}
        options.append(_Option(weights, opposed, text))
    return tuple(options) if all(1.0 in option.units.values() for option in options) else ()


def list_informative(text: str) -> frozenset[str]:
    """The units of a text but for numerals and what any answer could say."""
    units = frozenset(list_units(_STOCK.sub(" ", text) if not text.isascii() else text))
    return units - _EMPTY_WORDS - _NUMERALS


def find_pointed(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The one option to which a cleaned response in lower case points by its words.

    >>> find_pointed("it's a reporter and a witness.", ("a reporter interviews a witness", "two old friends meet"))
    0
    """
    options = list_pointed(texts)
    if not options or not is_comparable(lowered, texts, _LONGEST):
        return None
    sentences = _SENTENCE.findall(_tidy(lowered))
    concluding = [sentence for sentence in sentences if _CONCLUDES.search(sentence)]
    if concluding:
        sentences = concluding[-1:]
    elif len(sentences) > _MAX_SENTENCES:
        sentences = sentences[-1:]
    places = {place for sentence in sentences if (place := _point(sentence, options)) is not None}
    if len(places) != 1 or _TURN.search(texts[place := places.pop()]):
        return None
    return place


def _tidy(lowered: str) -> str:
    """Set apart what is denied within a clause, and write what says no more than "and" as a comma."""
    lowered = _ABBREVIATION.sub(r"\1", lowered)
    lowered = _VERSUS.sub("and", _MIN_LIKELY.sub("", join_prefixes(lowered)))
    return _ASIDE.sub(", ", lowered).strip()


def find_all_pointed(lowered: str, texts: tuple[str, ...]) -> frozenset[int]:
    """The options to which the clauses of a cleaned response in lower case point; none unless each of them points.

    A single clause may be all that is left of an answer, so it is no set.
    """
    options = list_pointed(texts)
    if not options or not is_comparable(lowered, texts, _LONGEST):
        return frozenset()
    places = set[int]()
    for sentence in _SENTENCE.findall(_tidy(lowered)):
        for clause in _split_by_doubt(sentence)[0]:
            place = _point(clause, options)
            if place is None and len(list_informative(clause)) >= MIN_HITS:
                return frozenset()
            places |= {place} if place is not None else set()
    return frozenset(places) if len(places) > 1 else frozenset()


def _split_by_doubt(sentence: str) -> tuple[list[str], list[str]]:
    """The clauses that are said for sure, and those that deny, ask or suppose."""
    sure: list[str] = []
    doubtful: list[str] = []
    is_open = False
    for clause in _CLAUSE.findall(sentence):
        is_open = is_open and not _TURNS.match(clause)
        is_open = is_open or is_negative(clause) or _SUPPOSES.search(clause) is not None
        (doubtful if is_open or find_doubts(clause) else sure).append(clause)
    return sure, doubtful


def _point(sentence: str, options: tuple[_Option, ...]) -> int | None:
    """The option that a sentence points to."""
    if _UNSURE.search(sentence):
        return None
    affirmed, doubtful = _split_by_doubt(sentence)
    units_of = [list_informative(clause) for clause in affirmed]
    said = frozenset[str]().union(*units_of)
    denied = frozenset[str]().union(*map(list_informative, doubtful))
    hits = [said & option.units.keys() for option in options]
    weights = [sum(option.units[unit] for unit in hit) for hit, option in zip(hits, options, strict=True)]
    place = max(range(len(options)), key=weights.__getitem__)
    option = options[place]
    own = frozenset(unit for unit in hits[place] if option.units[unit] == 1.0)
    if not own or own & denied or _has_rival(place, hits, denied, options) or option.opposed & said:
        return None
    plural = find_plural(option.text)
    if (plural and plural in sentence) or is_negative(option.text) or says_opposite(sentence, option.text):
        return None
    known = frozenset[str]().union(*(each.units.keys() for each in options))
    foreign = frozenset[str]().union(*(units for units in units_of if units & own)) - known
    return place if _suffices(own, len(hits[place]) / (len(hits[place]) + len(foreign)), option) else None


def _has_rival(place: int, hits: list[frozenset[str]], denied: frozenset[str], options: tuple[_Option, ...]) -> bool:
    """Whether a word that only another option has is said, or denied where that option itself denies."""
    for other, option in enumerate(options):
        told = hits[other] | (denied & option.units.keys() if is_negative(option.text) else frozenset())
        if other != place and any(option.units[unit] == 1.0 for unit in told):
            return True
    return False


def _suffices(own: frozenset[str], share: float, option: _Option) -> bool:
    """Whether a sentence has enough of an option, and little else."""
    if not option.text.isascii():
        return len(own) >= MIN_HITS_IN_CHINESE and share >= MIN_SHARE_IN_CHINESE
    if len(own) >= MIN_HITS:
        return share >= MIN_SHARE
    return share >= MIN_SHARE_OF_ONE and len(min(own)) >= _SHORTEST_WORD
