"""Options made ready for reading, once for each tuple of options."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from evaluation.extraction.claims.caution import is_settled
from evaluation.extraction.claims.polar import is_polar
from evaluation.extraction.language.lexicon import WORD_LISTS
from evaluation.extraction.language.spelling import (
    Spelling,
    clean_option,
    compile_homonyms,
    compile_texts,
    find_words,
    lower,
    spell,
)
from evaluation.extraction.option_texts.pairs import list_pair
from evaluation.extraction.option_texts.quantities import (
    BESIDE_QUANTITIES,
    Quantities,
    find_quantities,
    mark_quantities,
)
from evaluation.extraction.option_texts.reasoned import list_reasons
from evaluation.extraction.option_texts.step_options import list_step_options
from evaluation.extraction.option_texts.wordings import Active, find_active, find_paraphrases

MAX_OPTIONS = 4096
PLACEHOLDER_BASE = 0xE000
SURE_BASE = PLACEHOLDER_BASE + MAX_OPTIONS + 1
"""Where the placeholders start of what surely means an option, though its text may be an ordinary word or a number."""
MAX_SURE = 0xF8FF - SURE_BASE
CLASH = -2

_NAME = re.compile("(?:option|choice|answer) ([a-z])")
# "All of the above", "以上都是"; not "above 100 BPM", "100 BPM 以上".
_OF_ALL = re.compile(r"(?:the|all|any|none|both|these) above|above\Z|以 上 (?![a-z0-9])|上 述")
_ARTICLES, _SHORTEST_NOUN = frozenset({"a", "an", "the"}), 2
_POLARITY = re.compile(r"\s*(?:yes|no|是的?|否|不是)\s*[,，:：.]\s*", re.IGNORECASE)
_ENDS = frozenset(".!?。…")
_PLACE = re.compile("[1-9][0-9]{0,3}")
# Options such as "no" or "a" are ordinary words of any sentence: they count only where they are the answer itself.
_ORDINARY = WORD_LISTS["ORDINARY"]


@lru_cache(maxsize=4_096)
def _share(words: frozenset[str]) -> frozenset[str]:
    """Return the first of equal sets: questions share most of them, and fewer sets stay in the processor's cache."""
    return words


# "Both the man and the woman" is not "the woman"; "No, because …" is not "Yes, because …".
_WORDS_OF_PAIRS = frozenset({"both", "neither", "nor", "and", "so", "as", *"都均皆也"})
_WORDS_OF_REASONS = frozenset({"yes", "no", "yeah", "nope", *"是否不没"})


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """What is left to know of a tuple of options once their texts are marked; most questions share a few profiles.

    Attributes:
        size: Number of options.
        letters: Position of options whose whole text is one letter.
        weak: Positions whose text is an ordinary word or a bare number.
        numbered: Places of which the number, counted from 1, is itself an option's text.
        all_words: Some option text itself speaks of "all" or "none of the above".
        listing: Matches the list of all options, in order, in a text with placeholders.
        joined: Matches letters of options written as one word, "ACD".
    """

    size: int
    letters: Mapping[str, int]
    weak: frozenset[int]
    numbered: frozenset[int]
    all_words: bool
    listing: re.Pattern[str]
    joined: re.Pattern[str]


@dataclass(frozen=True, eq=False)
class PreparedOptions:
    """What the readers need to know about a tuple of options.

    Attributes:
        exact: Canonical text → position, or CLASH where two options share it.
        spellings: The texts that are looked for, the longest first: "left to right" must win over the option "left".
        active: The declared families that these options belong to.
        fallback: Those of them that are looked for only where a response names no option otherwise.
        quantities: What the options amount to, where all are numbers.
        profile: The rest.
        texts: The cleaned texts in lower case.
    """

    exact: dict[str, int]
    spellings: tuple[Spelling, ...]
    active: tuple[Active, ...]
    fallback: tuple[Active, ...]
    quantities: Quantities | None
    profile: Profile
    texts: tuple[str, ...]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern of all texts; group k belongs to `placeholders[k - 1]`. It is costly, so made when needed."""
        return compile_texts(tuple(spelling.words for spelling in self.spellings))

    @cached_property
    def placeholders(self) -> tuple[str, ...]:
        """The character that stands for each of `spellings`."""
        targets = (self.exact[spelling.key] for spelling in self.spellings)
        return tuple(chr(PLACEHOLDER_BASE + (target if target >= 0 else MAX_OPTIONS)) for target in targets)

    def sure(self, place: int) -> str:
        """The character for what means an option whatever stands around it."""
        return chr((SURE_BASE if place in self.profile.weak and place < MAX_SURE else PLACEHOLDER_BASE) + place)

    @cached_property
    def finders(self) -> tuple[tuple[str, str, frozenset[str], bool], ...]:
        """For each text as it was given: the text, its placeholder, words that may confuse, and whether it is settled.

        Every match of a text has its rarest word. So a text that is found letter by letter, the longest first, is the
        only one in a response, if none of the words beside it is the rarest of any text, or a word of a text that
        overlaps with it.
        """
        found = []
        for spelling, placeholder in zip(self.spellings, self.placeholders, strict=True):
            rivals = (
                other.words
                for other in self.spellings
                if (other.rarest in spelling.words if other is not spelling else other.words.count(other.rarest) > 1)
            )
            confusable = self.rarest_words.union(spelling.foes, self.near, *rivals)
            found.append((spelling.text, placeholder, _share(confusable), is_settled(spelling.text)))
        return tuple(found)

    @cached_property
    def near(self) -> frozenset[str]:
        """Words of which a response has one, if it has a paraphrase of an option."""
        words = [word for each in self.active for phrase in each.family.near for word in find_words(phrase)]
        return frozenset(words) if self.quantities is None else frozenset(words) | BESIDE_QUANTITIES

    @cached_property
    def hints(self) -> tuple[tuple[str, ...], ...]:
        """A sentence that has none of these, each in whole, has no text or paraphrase of an option."""
        near = ((phrase,) for each in self.active for phrase in each.family.near)
        needed = (tuple(sorted(spelling.needed, key=len, reverse=True)) for spelling in self.spellings)
        return (*dict.fromkeys(needed), *near)

    @cached_property
    def first_hints(self) -> frozenset[str]:
        """The longest part of each hint."""
        return _share(frozenset(needed[0] for needed in self.hints))

    @cached_property
    def inner_words(self) -> frozenset[str]:
        """The words behind the first ones of the texts: a line that starts with one may be the rest of a text."""
        return frozenset(word for spelling in self.spellings for word in spelling.words[1:])

    @cached_property
    def in_one_sentence(self) -> bool:
        """Whether no text of an option can stand in two sentences of a response."""
        return all(_ENDS.isdisjoint(spelling.words) for spelling in self.spellings)

    @cached_property
    def onward(self) -> re.Pattern[str] | None:
        """What stands behind the text of a path that goes on to a third place; None where no option is a path."""
        compasses = (each.family.compass for each in self.active)
        return next((compass.onward for compass in compasses if compass is not None), None)

    @cached_property
    def telling(self) -> frozenset[str]:
        """Words that an answer without any text of an option must not have to be told by its form."""
        return _share(self.rarest_words | self.near)

    @cached_property
    def has_forms(self) -> bool:
        """Whether all texts are plain, so that answers can be told by their form."""
        counted = self.quantities is not None and not self.quantities.has_units
        return not counted and all(spelling.plain for spelling in self.spellings)

    @cached_property
    def has_turns(self) -> bool:
        """Whether a text has a word such as "clockwise", which "anticlockwise" spells without that word."""
        return any("clockwise" in word for spelling in self.spellings for word in spelling.words)

    @cached_property
    def has_short_texts(self) -> bool:
        """Whether each text is one English word or two."""
        return all(text.count(" ") <= 1 and text.isascii() for text in self.texts)

    @cached_property
    def longest_text(self) -> int:
        """How many characters the longest text has as it was given."""
        return max((len(spelling.text) for spelling in self.spellings), default=0)

    @cached_property
    def has_plain_texts(self) -> bool:
        """Whether an answer that names an option is that option: nothing else it says could be another one."""
        return not self.has_short_texts and not self.is_polar

    @cached_property
    def turning_words(self) -> frozenset[str]:
        """Words with which a short answer may be another option than the one whose text it has."""
        words = _WORDS_OF_PAIRS if self.has_pair else frozenset[str]()
        return words | _WORDS_OF_REASONS if self.has_reasons else words

    @cached_property
    def has_reasons(self) -> bool:
        """Whether the options are a yes or no with a reason."""
        return bool(list_reasons(self.texts))

    @cached_property
    def has_pair(self) -> bool:
        """Whether the options are two things, and both or neither of them."""
        return list_pair(self.texts) is not None

    @cached_property
    def has_steps(self) -> bool:
        """Whether the options are the steps of a reasoning trace."""
        return bool(list_step_options(self.texts))

    @cached_property
    def is_polar(self) -> bool:
        """Whether the options are a yes and a no in Chinese."""
        return is_polar(self.texts)

    @cached_property
    def homonyms(self) -> re.Pattern[str] | None:
        """The pattern of phrases in which the word of a text is another word, or None."""
        return compile_homonyms(tuple(spelling.words for spelling in self.spellings))

    @cached_property
    def rarest_words(self) -> frozenset[str]:
        """The words of `rarest` as a set."""
        return frozenset(self.rarest)

    @cached_property
    def rarest(self) -> tuple[str, ...]:
        """A word of each text; a response without these words has none of the texts."""
        return tuple(spelling.rarest for spelling in self.spellings)


def _listing(size: int) -> re.Pattern[str]:
    """The pattern of an echoed list: every option in order, or the bare letters with slashes."""
    if size < 2:
        return re.compile("(?!)")
    parts = [
        rf"[(<\[]?(?:{chr(97 + i) if i < 26 else '~'}[)>\]]?[.:、]?[ -]{{0,3}}){{0,1}}[\"']?{chr(PLACEHOLDER_BASE + i)}"
        for i in range(size)
    ]
    letters = " ?(?:/|\\|) ?".join(chr(97 + i) for i in range(min(size, 26)))
    return re.compile(
        r"[\s.,;/|、。\"')\]]{0,6}(?:and |or |和|或)?".join(parts) + rf"|(?<![a-z]){letters}(?![a-z])", re.IGNORECASE
    )


@lru_cache(maxsize=1024)
def _make_profile(
    size: int,
    letters: tuple[tuple[str, int], ...],
    weak: frozenset[int],
    numbered: frozenset[int],
    all_words: bool,
) -> Profile:
    last = chr(64 + min(max(size, 1), 26))
    # "AC power" is no list: a sign or Chinese text ends it.
    joined = (
        rf"[A-{last}](?<![A-Za-z0-9'].)[A-{last}]{{1,25}}"
        r"(?= ?(?:[.,;:!?)\]\"'\n]|$|[^\x00-\x7f]|[(](?=[A-Z\u4e00-\u9fff]))| - )"
    )
    return Profile(size, dict(letters), weak, numbered, all_words, _listing(size), re.compile(joined))


def _names_another(key: str, index: int) -> bool:
    """Whether an option's text is the name of a place, "option B", and not of its own."""
    match = _NAME.fullmatch(key)
    return match is not None and ord(match[1]) - 97 != index


def _is_key(rest: str) -> bool:
    """Whether a text behind "a" makes it a key of music, "A minor"."""
    return rest.split(" ")[0] in {"minor", "major", "flat", "sharp"}


@lru_cache(maxsize=16_384)
def prepare(options: tuple[str, ...]) -> PreparedOptions:
    """Make options ready; the result is kept for the next answer to the same options.

    Raises:
        ValueError: There are more options than `MAX_OPTIONS`.
    """
    if len(options) > MAX_OPTIONS:
        raise ValueError(f"{len(options)} options are too many; at most {MAX_OPTIONS} can be read")
    spelled = [spell(option) for option in options]
    cleaned = tuple(lower(clean_option(option)) for option in options)
    exact: dict[str, int] = {}
    first: dict[str, Spelling] = {}
    for index, spelling in enumerate(spelled):
        if spelling.key:
            exact[spelling.key] = CLASH if spelling.key in exact or _names_another(spelling.key, index) else index
            first.setdefault(spelling.key, spelling)
    for index, text in enumerate(options):
        # "Yes, it rains" is also named by "it rains".
        tail = _POLARITY.match(text)
        shorter = spell(text[tail.end() :]) if tail is not None else None
        if shorter is not None and len(shorter.words) > 1 and shorter.key not in exact:
            exact[shorter.key] = index
            first[shorter.key] = shorter
    for key, spelling in list(first.items()):
        article, _, rest = key.partition(" ")
        # "Dog barking" is "a dog barking", unless it is another option.
        if article in _ARTICLES and len(rest) > _SHORTEST_NOUN and rest not in exact and not _is_key(rest):
            first[key] = spelling._replace(words=("?" + article, *spelling.words[1:]), needed=spelling.needed[1:])
    letters = {key: index for key, index in exact.items() if len(key) == 1 and "a" <= key <= "z"}
    active = find_active(cleaned)
    texts = sorted((key for key in exact if key not in letters), key=lambda key: (-len(key), key))
    return PreparedOptions(
        exact=exact,
        spellings=tuple(first[key] for key in texts),
        active=tuple(each for each in active if not each.family.fallback),
        fallback=tuple(each for each in active if each.family.fallback),
        quantities=find_quantities(cleaned),
        profile=_make_profile(
            len(options),
            tuple(letters.items()),
            frozenset(exact[key] for key in texts if key in _ORDINARY or key.replace(".", "").isdigit()),
            frozenset(int(key) - 1 for key in exact if _PLACE.fullmatch(key) and exact[key] != int(key) - 1),
            any("none" in key or _OF_ALL.search(key) for key in texts),
        ),
        texts=cleaned,
    )


def mark_texts(text: str, prepared: PreparedOptions, *, fallback: bool = False) -> str:
    """Replace every option text by one placeholder character, so that nothing inside it is read as anything else.

    A declared paraphrase of an option is replaced like its text; of two that overlap, the first and longest counts.

    Args:
        text: A cleaned response.
        prepared: The options.
        fallback: Whether to look for the paraphrases of fallback families as well.
    """
    lowered = lower(text)
    found = list(_find_texts(lowered, prepared))
    if found and prepared.onward is not None:
        found = [each for each in found if not prepared.onward.match(lowered, -each[1])]
    active = prepared.active + prepared.fallback if fallback else prepared.active
    if active:
        found += [
            (start, -end, prepared.sure(place) if place >= 0 else "")
            for start, end, place in find_paraphrases(lowered, active)
        ]
        found.sort()
    if prepared.quantities is not None:
        marks = list(mark_quantities(lowered, prepared.quantities))
        marked = [(start, -end, prepared.sure(place)) for start, end, place in marks if place >= 0]
        bounds = [(start, end) for start, end, place in marks if place < 0]
        # "2 to 5 seconds" is no "5 seconds".
        found = [each for each in found if not any(each[0] < end and start < -each[1] for start, end in bounds)]
        found = sorted([*found, *marked], key=lambda each: (each[0], each[1], -ord(each[2] or "\0")))
    if not found:
        return text
    pieces: list[str] = []
    position = 0
    for start, minus_end, placeholder in found:
        if start >= position:
            pieces += (text[position:start], placeholder or text[start:-minus_end])
            position = -minus_end
    return "".join(pieces) + text[position:]


def _find_texts(lowered: str, prepared: PreparedOptions) -> Iterator[tuple[int, int, str]]:
    """Yield start, minus the end, and placeholder of every option text."""
    for word in prepared.rarest:
        if word in lowered:
            break
    else:
        return
    for match in prepared.pattern.finditer(lowered):
        if match.lastindex is not None:
            yield match.start(), -match.end(), prepared.placeholders[match.lastindex - 1]
