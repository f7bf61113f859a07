"""Finding what a response mentions: letters, option texts and the pairs and lists they form."""

from dataclasses import dataclass

from evaluation.extraction.lexicon import WORD_LISTS, Kind
from evaluation.extraction.options import CLASH, MAX_OPTIONS, PreparedOptions
from evaluation.extraction.tokens import LAST_OPTION, Token
from evaluation.types import UnreadableReason

OUTSIDE = -1
EVERY = -3


@dataclass(frozen=True, slots=True)
class Mention:
    """One or several options named together.

    Attributes:
        targets: Positions of the options; negative codes stand for what is none of them.
        problem: Why the mention cannot be an answer, where it contradicts itself.
        alternative: The options are joined by "or".
        from_text: An option's text was written, not only a letter.
        weak: The text is an ordinary word or number.
    """

    targets: frozenset[int]
    problem: UnreadableReason | None = None
    alternative: bool = False
    from_text: bool = False
    weak: bool = False


Item = Token | Mention

_ENDS = frozenset({Kind.STOP, Kind.LINE, Kind.QUESTION})
_SIGNS = _ENDS | {Kind.COMMA, Kind.BREAK, Kind.COLON, Kind.CLOSE}
_LEFT = _SIGNS | {
    Kind.IS, Kind.NOUN, Kind.ANSWER, Kind.FINAL, Kind.THEREFORE, Kind.CHOOSE, Kind.GOOD, Kind.BAD, Kind.NEG, Kind.BUT,
    Kind.OR, Kind.AND, Kind.BECAUSE, Kind.REVISE, Kind.IF, Kind.FILLER, Kind.TEXT, Kind.LABEL, Kind.YES, Kind.NO,
    Kind.BEFORE, Kind.REFUSE,
}  # fmt: skip
_RIGHT = _SIGNS | {
    Kind.IS, Kind.NOUN, Kind.GOOD, Kind.BAD, Kind.NEG, Kind.BUT, Kind.OR, Kind.AND, Kind.BECAUSE, Kind.THEREFORE,
    Kind.TEXT, Kind.LABEL, Kind.REVISE, Kind.WHICH, Kind.FILLER, Kind.IF, Kind.REFUSE, Kind.BEFORE,
}  # fmt: skip
_NAMING = frozenset({Kind.TEXT, Kind.LABEL, Kind.ORDINAL, Kind.EVERY, Kind.NONE})
_CUES = frozenset({Kind.ANSWER, Kind.CHOOSE, Kind.FINAL, Kind.NOUN})
# What may follow the option A but never the article "a".
_AFTER_OPTION_A = WORD_LISTS["AFTER_OPTION_A"]


def _kind(tokens: list[Token], position: int) -> Kind:
    """The kind at a position; the text's two ends count as new lines."""
    return tokens[position].kind if 0 <= position < len(tokens) else Kind.LINE


def _is_article(tokens: list[Token], position: int) -> bool:
    """Whether an "a" may be the article: a word follows that an article can stand before."""
    if position + 1 >= len(tokens):
        return False
    following = tokens[position + 1]
    if following.kind in {Kind.FILLER, Kind.GOOD, Kind.BAD, Kind.NOUN, Kind.BEFORE, Kind.REFUSE}:
        return following.text.isascii() and following.text[0].isalpha() and following.text not in _AFTER_OPTION_A
    # "the answer is a dog barking": without a sign between, the text belongs to the article.
    return following.kind is Kind.TEXT and not tokens[position].capital


def _is_pronoun(tokens: list[Token], position: int) -> bool:
    """Whether an "i" is the pronoun, as it nearly always is."""
    named = _kind(tokens, position - 1) in _CUES | {Kind.IS, Kind.COLON, Kind.LINE}
    return not (named and _kind(tokens, position + 1) in _SIGNS)


def names_option(tokens: list[Token], position: int) -> bool:
    """Decide whether a single letter names an option here, or is a word, a note, a speaker's name."""
    label = tokens[position]
    left, right = _kind(tokens, position - 1), _kind(tokens, position + 1)
    plural = position > 0 and tokens[position - 1].text in {"options", "choices"}
    if label.enclosed or ((left is Kind.NOUN or plural) and (label.text not in "ai" or right in _RIGHT)):
        return True
    if label.text == "i" and _is_pronoun(tokens, position):
        return False
    if label.text == "a" and _is_article(tokens, position):
        return False
    if left not in _LEFT or tokens[position - 1].text == "'s":
        return False
    if right in _RIGHT:
        return True
    # "The answer is B the sound moves …": a missing stop, but "the note is B flat" names no option.
    cued = any(_kind(tokens, p) in _CUES for p in range(max(0, position - 3), position))
    return cued and label.capital and label.text not in "ai"


def _label_target(label: Token, prepared: PreparedOptions) -> int:
    """The option a letter stands for; CLASH where it is one option's letter and another's text."""
    by_place = label.value if label.value < prepared.size else OUTSIDE
    by_text = prepared.letters.get(label.text, by_place)
    if by_place == OUTSIDE:
        return by_text
    return by_place if by_place == by_text else CLASH


def _ordinal_target(token: Token, prepared: PreparedOptions) -> int:
    place = prepared.size - 1 if token.value == LAST_OPTION else token.value
    if str(place + 1) in prepared.exact:
        return CLASH
    return place if place < prepared.size else OUTSIDE


def _mention(tokens: list[Token], position: int, prepared: PreparedOptions) -> Mention | None:
    token = tokens[position]
    if token.kind is Kind.TEXT:
        target = token.value if token.value < MAX_OPTIONS else CLASH
        return Mention(frozenset({target}), from_text=True, weak=target in prepared.weak)
    if token.kind is Kind.LABEL and names_option(tokens, position):
        return Mention(frozenset({_label_target(token, prepared)}))
    if token.kind is Kind.ORDINAL:
        return Mention(frozenset({_ordinal_target(token, prepared)}))
    if token.kind is Kind.EVERY:
        return Mention(frozenset({EVERY}))
    return Mention(frozenset({OUTSIDE})) if token.kind is Kind.NONE else None


def _is_enumerator(tokens: list[Token], position: int) -> bool:
    """Whether a Chinese list comma stands between a letter and its text, as in "C、家中"."""
    return _kind(tokens, position - 1) is Kind.LABEL and _kind(tokens, position + 1) is Kind.TEXT


def find_mentions(tokens: list[Token], prepared: PreparedOptions) -> list[Item]:
    """Replace the tokens that name options by mentions; a letter that names none becomes an ordinary word."""
    items: list[Item] = []
    for position, token in enumerate(tokens):
        mention = _mention(tokens, position, prepared) if token.kind in _NAMING else None
        if mention is not None:
            items.append(mention)
        elif token.kind is Kind.LABEL:
            kind = Kind.FILLER if token.text in "ai" and _kind(tokens, position - 1) is not Kind.WORD else Kind.WORD
            items.append(Token(kind, 0, token.text))
        elif token.text == "、" and _is_enumerator(tokens, position):
            items.append(Token(Kind.COLON, 0, token.text))
        else:
            items.append(token)
    return items
