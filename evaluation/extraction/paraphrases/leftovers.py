"""Prose beyond the options that were found: it may be another option in other words."""

import re
from functools import lru_cache

from evaluation.extraction.language.glossary import CONCEPT, differs_in_script, translate, write_concepts
from evaluation.extraction.language.normalize import clean
from evaluation.extraction.language.spelling import lower
from evaluation.extraction.language.units import is_negative, list_units
from evaluation.extraction.option_texts.options import PLACEHOLDER_BASE, PreparedOptions, mark_texts
from evaluation.extraction.paraphrases.gist import MAX_GIST_LENGTH, OptionGist, list_clauses, make_gists, read_gist

_ALIKE, _UNLIKE = 0.3, 0.15
_MAX_OPTIONS = 12
_PART_END = re.compile(r"[;。!?\n]|\.(?![0-9])|不过|但是?|然而|(?<![a-z])(?:but|while|whereas)(?![a-z])")
# "这几条里唯一能够确定的": a clause about the options, none of them.
_ABOUT_OPTIONS = re.compile(
    r"[这几各]条|能够?确定|听得?出|推断|判断|如下|:\Z|(?<![a-z])(?:options?|statements?|i hear)(?![a-z])"
)
# "The answer is B. A father talking to his son": a letter with words that say what an option says.
_BEHIND_LETTER = re.compile(r"(?:\A|(?:answer|option)(?: is|:)? )\(?([A-Z])\)?\. (An? [^.\n]{6,120})")
_SHORTEST, _MIN_FOREIGN = 12, 4
_TEXTS = re.compile("[\ue000-\uf8ff]")
_POINTED = re.compile(
    r"(?<![A-Za-z])(?:[B-HJ]|I(?! [a-z]))(?![A-Za-z])|(?<![A-Za-z])A(?! ?[a-z])(?![A-Za-z])"
    r"|(?i:answer|correct|option|choose|select)"
    r"|选|答案|正确|[{<]"
)
# Of an answer that points to its option, only that one counts.
_CUED = re.compile(
    r"(?<![A-Za-z])(?:[B-HJ]|I(?! [a-z]))(?![A-Za-z])|(?<![A-Za-z])A(?! ?[a-z])(?![A-Za-z])"
    r"|(?i:answer|correct|option|statement|choose|select|choice|pick|therefore|so |thus|hence|likely)|[{<*]"
)
_ALTERNATIVES = re.compile(
    r"(?<![a-z])(?:or|either|maybe|might|could|may|perhaps|if|whether)(?![a-z])|或|可能|也许|如果|\?|？", re.IGNORECASE
)
# A person who does something that no named option says.
_SOMEONE = re.compile(r" ?(?:some(?:one|body|thing)|an? (?:person|man|woman)|people) [a-z]+| ?有人")
_CLAUSE_STARTS = re.compile(r"[,.;。\n]|(?<![a-z])(?:and|while)(?![a-z])")
# Of a question with several recordings, the one that a clause is about.
_SEGMENT = re.compile(r"第[一二三](?=[段个])|(?:first|second|third)(?= (?:audio|clip|recording|segment|part))")
# Names of options and what is said of every sound: "声音有切菜声" does not say "提示音".
_NAMES_ONLY = re.compile(
    r"(?:[\ue000-\uf8ff]|音频|录音|声音|片段|听|到|可以|能够?|的|有|和|与|以及|及|中|里|包括|包含|出现|存在|是|为|在|这段|该|我|了|以下"
    r"|下列|[\s,;:.、。0-9-])+\Z"
)


def says_more(lowered: str, texts: tuple[str, ...], named: frozenset[int], denied: frozenset[int]) -> bool:
    """Whether a clause may say an option that was neither found nor denied.

    Args:
        lowered: A cleaned response in lower case; a placeholder may stand for the text of an option.
        texts: Of the options, in lower case.
        named: Options that the response was found to say.
        denied: Options that it denies.
    """
    if len(texts) > _MAX_OPTIONS or len(lowered) > MAX_GIST_LENGTH:
        return False
    gists = make_gists(texts)
    open_gists = [gist for place, gist in enumerate(gists) if place not in named | denied]
    if not open_gists or _NAMES_ONLY.match(lowered):
        return False
    found = [gists[place] for place in named]
    clauses = list_clauses(lowered)
    told = {segment for clause in clauses for segment in _SEGMENT.findall(clause)}
    if told:
        of_named = {segment for place in named for segment in _SEGMENT.findall(texts[place])}
        of_others = {segment for place in range(len(texts)) for segment in _SEGMENT.findall(texts[place])}
        if told & of_others - of_named:
            return True
    return any(_resembles(frozenset(list_units(clause)), open_gists, found) for clause in clauses)


def leaves_unsaid(lowered: str, texts: tuple[str, ...], claimed: set[int]) -> bool:
    """Whether a response without any text of an option has a part that says none of those found in its clauses.

    That part may be an option in words that are not known: "they start down at night, but quarrel about the way".
    """
    known = {unit for place in claimed for unit in list_units(texts[place])}
    parts = list_clauses(lowered) if differs_in_script(lowered, texts) else _PART_END.split(lowered)
    for part in parts:
        foreign = set(list_units(part)) - known
        if len(foreign) < _MIN_FOREIGN or is_negative(part) or _ABOUT_OPTIONS.search(part):
            continue
        if not read_gist(part, texts).claims:
            return True
    return False


@lru_cache(maxsize=16_384)
def _categories(prepared: PreparedOptions) -> tuple[OptionGist, ...]:
    """Short options written as concepts, and made ready to be compared; nothing where they are no known words."""
    texts = prepared.texts
    if not 2 <= len(texts) <= _MAX_OPTIONS:
        return ()
    written = tuple(map(write_concepts, texts))
    known = sum(before != after for before, after in zip(texts, written, strict=True))
    return make_gists(written) if known > 1 else ()


def has_rival(response: str, prepared: PreparedOptions, place: int) -> bool:
    """Whether a response in prose that names one short option says another one in other words.

    >>> from evaluation.extraction.option_texts.options import prepare
    >>> has_rival("There is music, and people are talking.", prepare(("speech", "music", "traffic")), 1)
    True
    """
    if not prepared.has_short_texts or not response.isascii() or len(response) > MAX_GIST_LENGTH:
        return False
    lowered, texts = response.lower(), prepared.texts
    if texts[place] not in lowered or not (gists := _categories(prepared)) or _CUED.search(response):
        return False
    if re.search(
        rf"(?:(?<![a-z])(?<!there )(?:is|are|was|were|like)|'s) (?:an? |the )?{re.escape(texts[place])}", lowered
    ):
        return False
    others = [gist for other, gist in enumerate(gists) if other != place and texts[other] not in lowered]
    clauses = [frozenset(list_units(clause)) for clause in list_clauses(write_concepts(lowered))]
    return any(gist.weights and gist.weights.keys() <= units for units in clauses for gist in others)


def has_text_of_another(response: str, prepared: PreparedOptions, place: int) -> bool:
    """Whether behind the letter of an option stands, in another language, what only another option says.

    >>> from evaluation.extraction.option_texts.options import prepare
    >>> has_text_of_another("The answer is A. A father with his boy", prepare(("律师与顾客", "父亲与男孩")), 0)
    True
    """
    # Options in another language are the only ones this is about; most have a text that is plain English.
    if prepared.texts[place].isascii() or ". A" not in response or not response.isascii():
        return False
    match = _BEHIND_LETTER.search(response)
    if match is None or ord(match[1]) - 65 != place or not differs_in_script(response.lower(), prepared.texts):
        return False
    named = set(CONCEPT.findall(translate(match[2].lower())))
    known = [set(CONCEPT.findall(translate(text))) for text in prepared.texts]
    if not known[place] or known[place] & named:
        return False
    return sum(bool(concepts) and concepts <= named for concepts in known) == 1


def find_undenied(response: str, prepared: PreparedOptions) -> int | None:
    """The one option that a response in prose says in other words, where it denies all that it names by their texts.

    >>> from evaluation.extraction.option_texts.options import prepare
    >>> options = prepare(("happiness", "sadness", "anger"))
    >>> find_undenied("This is not anger: there is no tension. The speaker is sad.", options)
    1
    """
    if not _SHORTEST < len(response) <= MAX_GIST_LENGTH or _POINTED.search(response):
        return None
    marked = mark_texts(clean(response), prepared)
    named = {ord(sign) - PLACEHOLDER_BASE for sign in _TEXTS.findall(marked)}
    if not named:
        return None
    said = read_gist(lower(marked), prepared.texts)
    claimed = {place for place, _ in said.claims}
    return claimed.pop() if named <= said.denied and claimed.isdisjoint(said.denied) and len(claimed) == 1 else None


def mentions_unnamed_person(marked: str) -> bool:
    """Whether a separate clause says what a person does: it may be an option that is not named."""
    return any(
        _TEXTS.search(clause) is None and _SOMEONE.match(clause) for clause in _CLAUSE_STARTS.split(lower(marked))
    )


def points_to_options(response: str) -> bool:
    """Whether a response has letters or words that point to options, or alternatives and guesses."""
    return _POINTED.search(response) is not None or _ALTERNATIVES.search(response) is not None


def _resembles(units: frozenset[str], open_gists: list[OptionGist], found: list[OptionGist]) -> bool:
    if not units:
        return False
    best = max((_share(gist, units) for gist in found), default=0.0)
    for gist in open_gists:
        share = _share(gist, units)
        if share <= best or not gist.opposed.isdisjoint(units):
            continue
        telling = any(weight == 1.0 and unit in units for unit, weight in gist.weights.items())
        if share >= _ALIKE or (telling and share >= _UNLIKE):
            return True
    return False


def _share(gist: OptionGist, units: frozenset[str]) -> float:
    total = sum(gist.weights.values())
    return sum(weight for unit, weight in gist.weights.items() if unit in units) / total if total else 0.0
