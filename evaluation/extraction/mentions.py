"""Finding what a response mentions: letters, option texts and the pairs and lists they form."""

from typing import NamedTuple

from evaluation.extraction.lexicon import WORD_LISTS, Kind
from evaluation.extraction.options import CLASH, MAX_OPTIONS, Profile
from evaluation.extraction.tokens import LAST_OPTION, Token
from evaluation.types import UnreadableReason

OUTSIDE = -1
EVERY = -3
_NOWHERE = -9


class Mention(NamedTuple):
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
# What steers a sentence behind the option A, but may also stand behind the article.
_BEFORE_NOUN, _AFTER_ARTICLE = WORD_LISTS["BEFORE_NOUN"], WORD_LISTS["AFTER_ARTICLE"]
_NO_PART_OF_NOUN = _SIGNS | {Kind.LABEL, Kind.TEXT, Kind.ORDINAL, Kind.NO}
_LINKS = frozenset({Kind.AND, Kind.OR, Kind.COMMA})


def _kind(tokens: list[Token], position: int) -> Kind:
    """The kind at a position; the text's two ends count as new lines."""
    return tokens[position].kind if 0 <= position < len(tokens) else Kind.LINE


def _steers_elsewhere(word: str, beyond: Kind, *, capital: bool) -> bool:
    """Whether a word that mostly steers a sentence belongs to a noun: "a rather loud bell", "for a while"."""
    if word in _BEFORE_NOUN:
        return beyond is Kind.WORD or (word == "while" and not capital)
    return word in _AFTER_ARTICLE and beyond not in _NO_PART_OF_NOUN


def _is_article(tokens: list[Token], position: int) -> bool:
    """Whether an "a" may be the article: a word follows that an article can stand before."""
    if position + 1 >= len(tokens):
        return False
    following = tokens[position + 1]
    if _steers_elsewhere(following.text, _kind(tokens, position + 2), capital=tokens[position].capital):
        return True
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
    before = [token.kind for token in tokens[max(0, position - 3) : position]]
    cued = not _CUES.isdisjoint(before) and Kind.STOP not in before
    return cued and label.capital and label.text not in "ai"


def _label_target(label: Token, profile: Profile) -> int:
    """The option a letter stands for; CLASH where it is one option's letter and another's text."""
    by_place = label.value if label.value < profile.size else OUTSIDE
    by_text = profile.letters.get(label.text, by_place)
    if by_place == OUTSIDE:
        return by_text
    return by_place if by_place == by_text else CLASH


def _ordinal_target(token: Token, profile: Profile) -> int:
    place = profile.size - 1 if token.value == LAST_OPTION else token.value
    if place in profile.numbered:
        return CLASH
    return place if place < profile.size else OUTSIDE


def _mention(tokens: list[Token], position: int, profile: Profile) -> Mention | None:
    token = tokens[position]
    if token.kind is Kind.TEXT:
        target = token.value if token.value < MAX_OPTIONS else CLASH
        return Mention(frozenset({target}), from_text=True, weak=target in profile.weak)
    if token.kind is Kind.LABEL and names_option(tokens, position):
        return Mention(frozenset({_label_target(token, profile)}))
    if token.kind is Kind.ORDINAL:
        return Mention(frozenset({_ordinal_target(token, profile)}))
    if token.kind is Kind.EVERY:
        return Mention(frozenset({EVERY}))
    return Mention(frozenset({OUTSIDE})) if token.kind is Kind.NONE else None


def _is_enumerator(tokens: list[Token], position: int) -> bool:
    """Whether a Chinese list comma stands between a letter and its text, as in "C、家中"."""
    return _kind(tokens, position - 1) is Kind.LABEL and _kind(tokens, position + 1) is Kind.TEXT


def _continues(tokens: list[Token], position: int, unnamed: int) -> bool:
    """Whether a letter continues a list of letters that name no option; `unnamed` is where the last such one is."""
    linked = unnamed == position - 2 and tokens[position - 1].kind in _LINKS
    return linked and not tokens[position].enclosed and tokens[unnamed].text not in "ai"


def find_mentions(tokens: list[Token], profile: Profile) -> list[Item]:
    """Replace the tokens that name options by mentions; a letter that names none becomes an ordinary word."""
    items: list[Item] = []
    unnamed = _NOWHERE
    for position, token in enumerate(tokens):
        mention = _mention(tokens, position, profile) if token.kind in _NAMING else None
        if token.kind is Kind.LABEL and (mention is None or _continues(tokens, position, unnamed)):
            # In "the notes C and D are played" the second letter names no more than the first.
            mention, unnamed = None, position
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
