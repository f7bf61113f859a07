"""Options made ready for reading: one compiled pattern for all their texts, made once for each tuple of options."""

import re
from dataclasses import dataclass
from functools import lru_cache

from evaluation.extraction.lexicon import WORD_LISTS
from evaluation.extraction.normalize import unify

MAX_OPTIONS = 4096
PLACEHOLDER_BASE = 0xE000
CLASH = -2

_WORDS = re.compile(r"[a-z]+|[0-9]+(?:\.[0-9]+)?|->|[^\W_]|[^\w\s]")
_HYPHEN = re.compile(r"(?<=[^\W_])-(?![>0-9])")
_EDGES = " \t\n.,;:!?。、\"'()[]<>*`…"
_OPTIONAL_MARKS = frozenset(".,;:!?\"'()[]。、…·*`")
# "the right answer" names no option, even where one of them is called "right".
_PROTECTED = (
    r"(?:right|correct|wrong|best|first|second|third|fourth|last|true|final|no|one|only) (?:answers?|options?|choices?)"
)
# Options such as "no" or "a" are ordinary words of any sentence: they count only where they are the answer itself.
_ORDINARY = WORD_LISTS["ORDINARY"]


@dataclass(frozen=True, slots=True)
class PreparedOptions:
    """What the readers need to know about a tuple of options.

    Attributes:
        size: Number of options.
        exact: Canonical text → position, or CLASH where two options share it.
        letters: Position of options whose whole text is one letter.
        pattern: Matches the texts of options; group k belongs to `targets[k - 1]`.
        targets: Position (or CLASH) for each group of `pattern`.
        weak: Positions whose text is an ordinary word or a bare number.
        all_words: Some option text itself speaks of "all" or "none of the above".
        listing: Matches the list of all options, in order, in a text with placeholders.
    """

    size: int
    exact: dict[str, int]
    letters: dict[str, int]
    pattern: re.Pattern[str]
    targets: tuple[int, ...]
    weak: frozenset[int]
    all_words: bool
    listing: re.Pattern[str]


def lower(text: str) -> str:
    """Lower the case without changing the length, so that positions stay true."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def canonical(text: str) -> str:
    """The form in which two spellings of one option text are equal."""
    return " ".join(word for word in _words(text) if word not in _OPTIONAL_MARKS)


def _words(text: str) -> list[str]:
    """The words and signs of a text; a hyphen between words is a space, before a number it is a minus."""
    return _WORDS.findall(_HYPHEN.sub(" ", lower(unify(text)).strip(_EDGES)))


def _piece(word: str) -> str:
    if word in _OPTIONAL_MARKS:
        return f"{re.escape(word)}?"
    return re.escape(word)


def _spelling(text: str) -> str:
    """A pattern for one option text that forgives spaces, hyphens and inner punctuation."""
    words = _words(text)
    pieces: list[str] = []
    for before, word in zip(["", *words[:-1]], words, strict=True):
        if before:
            both_words = before[-1].isascii() and before[-1].isalnum() and word[0].isascii() and word[0].isalnum()
            together = not both_words or before[-1].isdigit() != word[0].isdigit()
            pieces.append(" ?" if together else "(?: ?, ?|[ \\n-]{1,2})")
        pieces.append(_piece(word))
    body = "".join(pieces)
    return f"{_left_edge(words[0])}({body}){_right_edge(words[-1])}"


def _left_edge(word: str) -> str:
    """A word starts at a boundary; a number does not end "2.5" or "-5"; a chain of arrows is not a longer one's end."""
    edge = r"(?<!->)(?<!-> )"
    if word[0].isascii() and word[0].isalnum():
        edge += r"(?<![a-z0-9])"
    return edge + (r"(?<![0-9][.,])(?<![-+])" if word[0].isdigit() else "")


def _right_edge(word: str) -> str:
    edge = r"(?! ?->)"
    if word[-1].isascii() and word[-1].isalnum():
        edge += r"(?![a-z0-9])"
    return edge + (r"(?![.,][0-9])" if word[-1].isdigit() else "")


def _listing(size: int) -> re.Pattern[str]:
    """The pattern of an echoed list: every option in order, or the bare letters with slashes."""
    if size < 2:
        return re.compile("(?!)")
    parts = [
        rf"[(<\[]?(?:{chr(97 + i) if i < 26 else '~'}[)>\]]?[.:]?[ -]{{0,3}}){{0,1}}[\"']?{chr(PLACEHOLDER_BASE + i)}"
        for i in range(size)
    ]
    letters = " ?(?:/|\\|) ?".join(chr(97 + i) for i in range(min(size, 26)))
    return re.compile(
        r"[\s.,;/|、。\"')\]]{0,6}(?:and |or |和|或)?".join(parts) + rf"|(?<![a-z]){letters}(?![a-z])", re.IGNORECASE
    )


def _any_text(texts: list[str], spellings: list[str]) -> re.Pattern[str]:
    """One pattern for all texts; a look at the first character spares trying them all at every position."""
    firsts = {text[0] for text in texts} | set("rcwbfstlno")
    starts = "".join(map(re.escape, sorted(firsts)))
    return re.compile(f"(?=[{starts}])(?:{'|'.join([_PROTECTED, *spellings])})")


@lru_cache(maxsize=16_384)
def prepare(options: tuple[str, ...]) -> PreparedOptions:
    """Make options ready; the result is kept for the next answer to the same options.

    Raises:
        ValueError: There are more options than `MAX_OPTIONS`.
    """
    if len(options) > MAX_OPTIONS:
        raise ValueError(f"{len(options)} options are too many; at most {MAX_OPTIONS} can be read")
    exact: dict[str, int] = {}
    for index, option in enumerate(options):
        key = canonical(option)
        if key:
            exact[key] = CLASH if key in exact else index
    letters = {key: index for key, index in exact.items() if len(key) == 1 and "a" <= key <= "z"}
    # The longest text first: "left to right" must win over the option "left".
    texts = sorted((key for key in exact if key not in letters), key=len, reverse=True)
    spellings = [_spelling(next(option for option in options if canonical(option) == key)) for key in texts]
    weak = {exact[key] for key in texts if key in _ORDINARY or key.replace(".", "").isdigit()}
    return PreparedOptions(
        size=len(options),
        exact=exact,
        letters=letters,
        pattern=_any_text(texts, spellings),
        targets=tuple(exact[key] for key in texts),
        weak=frozenset(weak),
        all_words=any(("above" in key or "以 上" in key or "none" in key) for key in texts),
        listing=_listing(len(options)),
    )


def mark_texts(text: str, prepared: PreparedOptions) -> str:
    """Replace every option text by one placeholder character, so that nothing inside it is read as anything else."""
    pieces: list[str] = []
    position = 0
    for match in prepared.pattern.finditer(lower(text)):
        if match.lastindex is None:
            continue
        target = prepared.targets[match.lastindex - 1]
        offset = target if target >= 0 else MAX_OPTIONS
        pieces += [text[position : match.start()], chr(PLACEHOLDER_BASE + offset)]
        position = match.end()
    return "".join(pieces) + text[position:] if pieces else text
