"""Answers in words of their own, compared as a whole with options in the same language.

Chinese options differ in pairs of neighbouring characters, English sentences in the stems of their words, and both in
concepts of the glossary ("餐馆" and "餐厅" are one, as are "car" and "vehicle"). An
answer stands for an option if it has enough of what only this option has, and next to nothing of what others have.
What is denied counts only for an option that denies as well. Behind "in fact" only what follows counts, and of a long
answer only the conclusion. An answer that asks, supposes or offers alternatives stands for nothing.
"""

import re
from collections import Counter
from functools import lru_cache
from itertools import filterfalse, pairwise
from typing import NamedTuple

from evaluation.extraction.language.glossary import write_concepts
from evaluation.extraction.language.lexicon import KIND
from evaluation.extraction.language.symbols import CHINESE_CHARACTER
from evaluation.extraction.language.tokens import Token, tokenize
from evaluation.extraction.language.units import is_comparable, is_negative, list_units
from evaluation.extraction.measures.clock import list_times

_LONGEST, _LONGEST_WHOLE, _MAX_OPTIONS = 1_500, 160, 12
_SHARE_OF_SEVERAL, _SHARE_OF_ONE, _SHARE_OF_RIVALS = 0.12, 0.5, 0.25
# Characters that say nothing by themselves; a pair with one of them says nothing either.
_LIGHT = frozenset("的了在是有个地里上中这那段将被把就都也很会到之其为于从及一他她它我你们不没并还又再可能")
_RUN = re.compile("q[a-z]+q|[a-z]{2,}|[0-9]+|[\u4e00-\u9fff]+")
# Frequent phrases that say nothing of any option.
_STOCK = re.compile("接下来|听起来|看起来|听上去|(?:最|很)?(?:有)?可能是?|应该是?|说话[者人]|音频|录音|背景|声音")
_CLAUSE = re.compile(r"(?:[^,;:。!?\n.]|\.(?=[0-9a-z]))+[,;:。!?\n.]?")
_SENTENCE = re.compile(r"(?:[^。!?\n;.]|\.(?=[0-9a-z]))+[。!?\n;.]?")
_CORRECTION = re.compile("其实|实际上|而是|(?:以为|看似|乍一?听|虽然|尽管)[^。\n]*?(?:但是?|不过|然而|可是)")
_CONCLUSION = re.compile(
    r"(?<![a-z])(?:so|therefore|thus|hence|overall|points? to|suggests?|indicates?|clear|typical of|must be|likely"
    r"|i (?:think|believe|would say)|seems?|it is|it's|these are|this is)(?![a-z])|因此|所以|综上|由此|可见"
    r"|可以推断|说明|表明|最可能|最有可能|应该是|应当是|总之|判断"
)
# A clause of its own, so that what it denies or sets apart is told from the rest.
_ASIDE = re.compile(r" (?=(?:rather than|instead of|but|and not|while|whereas)(?![a-z]))")
_MIN_OWN, _LONGEST_WHOLE_IN_ENGLISH, _MIN_HITS = 2, 320, 2
# An option that tells of two recordings, or of one thing after another, is not said by a part of it.
_SEQUENCE = re.compile("第[一二三]|音频[0-9一二]|先|然后|接着|随后|同时")
_TURN = re.compile("[从由].+[转变到至]|先.+[后再]|(?<![a-z])(?:from .+ to|first .+ then|before|after|until) ")
# What was so at the start of a recording is no earlier opinion.
_AT_FIRST = frozenset({"一开始", "起初", "最初", "原本", "本来"})
_MAX_CLAUSES_OF_ONE = 4
_WORD_OR_PAIR = re.compile("[a-z-]+|(?=([\u4e00-\u9fff]{2}))")
_THEREFORE = re.compile("因此|所以|综上|由此|可见|总之")
_LETTER = re.compile("(?<![a-z])[a-z](?![a-z])")
_NUMERAL = re.compile("[0-9]+|[二三四五六七八九十百千]+")
_DIGITS = {sign: digit for digit, sign in enumerate("一二三四五六七八九", 1)}
_GENDER = re.compile("[男女]")
_GENDERS = frozenset(map(str.strip, map(write_concepts, ("man", "woman"))))
_OPEN = frozenset({KIND.OR, KIND.IF, KIND.QUESTION, KIND.REFUSE, KIND.BEFORE, KIND.REVISE, KIND.NONE})


_HEDGES = frozenset({"could", "might", "may", "perhaps", "maybe", "possibly"})
_NO_HEAD = frozenset[str]()
_NOUN = re.compile(
    r"(?:an?|the) (?:[a-z-]+ ){0,3}?([a-z-]+)(?: (?:who|that|which|of|with|in|on|or|whose|full|from)(?![a-z])|$)"
)
_CHINESE_NOUN = re.compile("一[位名个只种间座家].{1,12}的([\u4e00-\u9fff]{2,3})")
_IDENTIFIES = re.compile(
    r"(?:(?<![a-z])(?:is|are|was|'s|be|like|to)(?: (?:probably|likely|most likely|clearly|certainly))?"
    r" (?:an? |the |some )?(?:[a-z-]+ ){0,2}|(?:是|为|像|属于)(?:一[位名个只种间座家])?[\u4e00-\u9fff]{0,4})\Z"
)


class _Traits(NamedTuple):
    """What only one option has.

    Attributes:
        views: The concepts with the pairs beside them, and the pairs alone.
        parts: The pairs of each clause.
        text: The option.
        negative: Whether it denies something.
        head: What its noun is in the views: "jester" of "A court jester who loves jokes".
    """

    views: tuple[frozenset[str], ...]
    parts: tuple[frozenset[str], ...]
    text: str
    negative: bool
    head: frozenset[str]


def _list_pairs(text: str) -> frozenset[str]:
    """The concepts, if they are written in a text, words in Latin letters, and pairs of neighbouring characters."""
    if text.isascii():
        return frozenset(list_units(text))
    traits = set()
    for run in _RUN.findall(_STOCK.sub(" ", text)):
        if run.isascii():
            traits.add(run)
        else:
            traits.update(first + second for first, second in pairwise(run) if _LIGHT.isdisjoint((first, second)))
    return frozenset(traits)


def _list_views(text: str) -> tuple[frozenset[str], ...]:
    return _list_pairs(write_concepts(text)), _list_pairs(text)


@lru_cache(maxsize=4_096)
def list_traits(texts: tuple[str, ...]) -> tuple[_Traits, ...]:
    """Return what only each of the options has; nothing if they are of two languages or one has nothing of its own."""
    in_english = all(map(str.isascii, texts))
    if not 2 <= len(texts) <= _MAX_OPTIONS or not (in_english or all(map(CHINESE_CHARACTER.search, texts))):
        return ()
    found = [_list_views(text) for text in texts]
    own = tuple(_make_traits(text, place, found) for place, text in enumerate(texts))
    # English words by themselves are told by their clauses (gist.py).
    least = _MIN_OWN if in_english else 1
    return own if all(len(max(traits.views, key=len)) >= least for traits in own) and not list_times(texts) else ()


def _make_traits(text: str, place: int, found: list[tuple[frozenset[str], ...]]) -> _Traits:
    others = [views for other, views in enumerate(found) if other != place]
    own = tuple(traits.difference(*(views[kind] for views in others)) for kind, traits in enumerate(found[place]))
    clauses = [_list_pairs(clause) for clause in _CLAUSE.findall(text)]
    repeated = {pair for pair, number in Counter(pair for pairs in clauses for pair in pairs).items() if number > 1}
    parts = tuple(part for pairs in clauses if (part := own[1] & pairs - repeated))
    return _Traits(own, parts, text, _denies(text), _find_head(text))


def _denies(text: str) -> bool:
    """Whether a text says that something is not so; what was forgotten was not done."""
    return "忘" in text or is_negative(text)


def _find_head(text: str) -> frozenset[str]:
    """What the noun that a text without a verb ends in, or has before "of", "who" and the like, is in both views."""
    if text.isascii():
        noun = _NOUN.match(text)
        return (
            frozenset({list_units(noun[1])[-1], write_concepts(noun[1])}) if noun and list_units(noun[1]) else _NO_HEAD
        )
    noun = _CHINESE_NOUN.fullmatch(text)
    return _list_pairs(noun[1]) | _list_pairs(write_concepts(noun[1])) if noun else _NO_HEAD


def find_resembled(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The one option that a cleaned response in lower case says in words of its own.

    >>> find_resembled("这里是一家餐馆。", ("餐厅", "车站", "医院"))
    0
    """
    options = list_traits(texts)
    if not options or not is_comparable(lowered, texts, _LONGEST):
        return None
    return _read_told(_cut_to_conclusion(lowered), options)


def find_concluded(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The Chinese option that the last sentence of a response concludes in words of its own, and without a letter."""
    sentences = _SENTENCE.findall(lowered.strip())
    last = sentences[-1] if sentences else ""
    if not _THEREFORE.match(last) or _LETTER.search(last):
        return None
    return _read_told(last, list_traits(texts))


# A clause that is long enough to say an option of its own.
_MIN_CLAIM = 6
_ADDING = re.compile("而且|并且|同时|此外")


def find_all_resembled(lowered: str, texts: tuple[str, ...]) -> frozenset[int]:
    """The Chinese options that the sentences of a response say in words of their own; none if one is unclear."""
    options = list_traits(texts)
    if not options or not is_comparable(lowered, texts, _LONGEST):
        return frozenset()
    places = set[int]()
    untold = 0
    for sentence in _SENTENCE.findall(lowered):
        whole = _read_told(sentence, options)
        told = [(sentence, whole)] if whole is not None else _read_clauses(sentence, options)
        if any(place is None and _has_several(text, options) for text, place in told):
            return frozenset()
        places.update(place for _, place in told if place is not None)
        untold += sum(place is None and len(text) >= _MIN_CLAIM and not is_negative(text) for text, place in told)
        if whole is not None and _ADDING.search(sentence):
            untold += sum(place is None and len(text) >= _MIN_CLAIM for text, place in _read_clauses(sentence, options))
    if untold > len(places):
        return frozenset()
    open_options = tuple(option for place, option in enumerate(options) if place not in places)
    clauses = [clause for clause in _CLAUSE.findall(lowered) if not is_negative(clause)]
    return frozenset() if any(_has_any(clause, open_options) for clause in clauses) else frozenset(places)


def _has_any(clause: str, options: tuple[_Traits, ...]) -> bool:
    """Whether a clause has what only one of some options has in both views."""
    views = _list_views(clause)
    return any(all(own & traits for own, traits in zip(option.views, views, strict=True)) for option in options)


def _read_clauses(sentence: str, options: tuple[_Traits, ...]) -> list[tuple[str, int | None]]:
    return [(clause, _read_told(clause, options)) for clause in _CLAUSE.findall(sentence)]


def _has_several(sentence: str, options: tuple[_Traits, ...]) -> bool:
    """Whether a sentence has more than one thing that only one of the options has."""
    views = _list_views(sentence)
    return any(len(own & traits) > 1 for option in options for own, traits in zip(option.views, views, strict=True))


def _read_told(told: str, options: tuple[_Traits, ...]) -> int | None:
    if told.isascii():
        told = _ASIDE.sub(", ", told)
    opening = [token.text for token in tokenize(told) if _leaves_open(token)]
    opening = ["或" if word.startswith("或") else word for word in opening]
    hits: list[tuple[set[str], ...]] = [(set(), set()) for _ in options]
    opposed = set[int]()
    clauses: list[str] = _CLAUSE.findall(told)
    for clause in clauses:
        _compare(clause, options, hits, opposed)
    place = _choose(hits, options)
    if place is None and len(clauses) < _MAX_CLAUSES_OF_ONE:
        place = _choose_by_one(clauses, hits, options)
    # What opens an answer may be a word of the option: "he is not sure", "a bridge or a tower".
    if place is None or place in opposed or not all(word in options[place].text for word in opening):
        return None
    concepts, hit = hits[place]
    if not hit and concepts <= _GENDERS and not options[place].views[0] <= _GENDERS:
        return None  # A man is not yet the landlord.
    telling = "".join(clause for clause in clauses if hit & _list_pairs(clause)) or told
    return place if _agrees(telling, options[place], hit) else None


def _leaves_open(token: Token) -> bool:
    return (token.kind in _OPEN and token.text not in _AT_FIRST) or token.text in _HEDGES


def _compare(clause: str, options: tuple[_Traits, ...], hits: list[tuple[set[str], ...]], opposed: set[int]) -> None:
    """Add what a clause has of each option; note the options of which it denies something that they say."""
    tokens, views = tokenize(clause), _list_views(clause)
    negative = _denies(clause) or any(token.kind is KIND.NEG and len(token.text) > 1 for token in tokens)
    verdicts = [token.text for token in tokens if token.kind is KIND.BAD]
    for place, option in enumerate(options):
        # A "conflict" that the option names is no verdict.
        if not all(map(option.text.__contains__, verdicts)) or (negative and not option.negative):
            opposed |= {place} if option.views[1] & views[1] else set()
            continue
        for hit, own, traits in zip(hits[place], option.views, views, strict=True):
            hit |= own & traits


def _agrees(told: str, option: _Traits, hit: set[str]) -> bool:
    """Whether numerals, denials and who does what are those of an option, and enough of its clauses are told."""
    genders, of_option = _GENDER.findall(told), _GENDER.findall(option.text)
    if genders and of_option and genders[0] != of_option[0]:
        return False
    numbers, of_text = _list_numbers(told), _list_numbers(option.text)
    if (numbers and of_text and numbers.isdisjoint(of_text)) or (option.negative and not _denies(told)):
        return False
    if _TURN.search(option.text) and not _keeps_order(told, option, hit):
        return False
    n_told = sum(not hit.isdisjoint(part) for part in option.parts)
    return n_told >= min(2, len(option.parts)) or not _SEQUENCE.search(option.text)


def _keeps_order(told: str, option: _Traits, hit: set[str]) -> bool:
    """Whether an answer tells at least two things of an option, in its order."""
    places = [told.find(pair) for pair in sorted(hit, key=option.text.find)]
    return len(places) > 1 and places == sorted(places)


def _list_numbers(text: str) -> set[int]:
    return {_to_number(written) for written in _NUMERAL.findall(text)}


def _to_number(written: str) -> int:
    if written.isdecimal():
        return int(written)
    tens, ten, ones = written.partition("十")
    return (_DIGITS.get(tens, 1) * 10 if ten else 0) + _DIGITS.get(ones or tens * (not ten), 0)


def _cut_to_conclusion(lowered: str) -> str:
    """The part that counts: what stands behind the last correction, and of a long answer what it concludes."""
    if len(lowered) > (_LONGEST_WHOLE_IN_ENGLISH if lowered.isascii() else _LONGEST_WHOLE):
        sentences = _SENTENCE.findall(lowered)
        concluding = [sentence for sentence in sentences if _CONCLUSION.search(sentence)]
        lowered = concluding[-1] if concluding else sentences[-1] if sentences else ""
    corrections = list(_CORRECTION.finditer(lowered))
    return lowered[corrections[-1].end() :] if corrections else lowered


def _choose(hits: list[tuple[set[str], ...]], options: tuple[_Traits, ...]) -> int | None:
    """The option that has most in both views, and clearly most in one of them."""
    numbers = [max(map(len, views)) for views in hits]
    place = max(range(len(hits)), key=numbers.__getitem__)
    by_view = [[len(views[kind]) for views in hits] for kind in range(len(hits[place]))]
    if any(each[place] < max(each) for each in by_view):
        return None
    sizes = [len(own) for own in options[place].views]
    return place if any(_stands_out(each, place, size) for each, size in zip(by_view, sizes, strict=True)) else None


def _choose_by_one(clauses: list[str], hits: list[tuple[set[str], ...]], options: tuple[_Traits, ...]) -> int | None:
    """The only option of which something is said, where a clause says that something is what its noun names."""
    told = [place for place, views in enumerate(hits) if any(views)]
    if len(told) != 1:
        return None
    (place,) = told
    return place if _is_identified(clauses, options[place]) else None


def _is_identified(clauses: list[str], option: _Traits) -> bool:
    """Whether a clause says that something is what an option's noun names."""
    for clause in filterfalse(is_negative, clauses):
        for match in _WORD_OR_PAIR.finditer(clause):
            word = match[1] or match.group()
            if any(named and named <= option.head for named in (_list_pairs(word), _list_pairs(write_concepts(word)))):
                return _IDENTIFIES.search(clause[: match.start()]) is not None
    return False


def _stands_out(numbers: list[int], place: int, size: int) -> bool:
    """Whether an answer has enough of the traits of one option, and next to none of the others."""
    least = _SHARE_OF_SEVERAL if numbers[place] >= _MIN_HITS else _SHARE_OF_ONE
    rivals = [number for other, number in enumerate(numbers) if other != place]
    return bool(numbers[place]) and numbers[place] >= least * size and max(rivals) <= _SHARE_OF_RIVALS * numbers[place]
