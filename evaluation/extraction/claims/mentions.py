"""Finding what a response mentions: letters, option texts and the pairs and lists they form."""

from typing import NamedTuple

from evaluation.extraction.language.lexicon import KIND, WORD_LISTS, Kind
from evaluation.extraction.language.tokens import LAST_OPTION, Token
from evaluation.extraction.option_texts.options import CLASH, MAX_OPTIONS, Profile
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

_ENDS = frozenset({KIND.STOP, KIND.LINE, KIND.QUESTION})
_SIGNS = _ENDS | {KIND.COMMA, KIND.BREAK, KIND.COLON, KIND.CLOSE}
_LEFT = _SIGNS | {
    KIND.IS, KIND.NOUN, KIND.ANSWER, KIND.FINAL, KIND.THEREFORE, KIND.CHOOSE, KIND.GOOD, KIND.BAD, KIND.NEG, KIND.BUT,
    KIND.OR, KIND.AND, KIND.BECAUSE, KIND.REVISE, KIND.IF, KIND.FILLER, KIND.TEXT, KIND.LABEL, KIND.YES, KIND.NO,
    KIND.BEFORE, KIND.REFUSE,
}  # fmt: skip
_RIGHT = _SIGNS | {
    KIND.IS, KIND.NOUN, KIND.GOOD, KIND.BAD, KIND.NEG, KIND.BUT, KIND.OR, KIND.AND, KIND.BECAUSE, KIND.THEREFORE,
    KIND.TEXT, KIND.LABEL, KIND.REVISE, KIND.WHICH, KIND.FILLER, KIND.IF, KIND.REFUSE, KIND.BEFORE,
}  # fmt: skip
_NAMING = frozenset({KIND.TEXT, KIND.LABEL, KIND.ORDINAL, KIND.EVERY, KIND.NONE})
_CUES = frozenset({KIND.ANSWER, KIND.CHOOSE, KIND.FINAL, KIND.NOUN})
# What may follow the option A but never the article "a".
_AFTER_OPTION_A = WORD_LISTS["AFTER_OPTION_A"]
# What steers a sentence behind the option A, but may also stand behind the article.
BEFORE_NOUN, _AFTER_ARTICLE = WORD_LISTS["BEFORE_NOUN"], WORD_LISTS["AFTER_ARTICLE"]
_NO_PART_OF_NOUN = _SIGNS | {KIND.LABEL, KIND.TEXT, KIND.ORDINAL, KIND.NO}
_LINKS = frozenset({KIND.AND, KIND.OR, KIND.COMMA})
_JOINS_LETTERS = frozenset({KIND.AND, KIND.OR})
_OF_NOTES = frozenset({"flat", "sharp", "major", "minor"})
_MUSICAL = WORD_LISTS["MUSICAL"]
_BESIDE_NOTES, _NOTE_REACH = frozenset({KIND.IS, KIND.FILLER, KIND.AMONG, KIND.LABEL}), 6


def _kind(tokens: list[Token], position: int) -> Kind:
    """The kind at a position; the text's two ends count as new lines."""
    return tokens[position].kind if 0 <= position < len(tokens) else KIND.LINE


def _steers_elsewhere(word: str, beyond: Kind, *, capital: bool) -> bool:
    """Whether a word that mostly steers a sentence belongs to a noun: "a rather loud bell", "for a while"."""
    if word in BEFORE_NOUN:
        return beyond is KIND.WORD or (word == "while" and not capital)
    return word in _AFTER_ARTICLE and beyond not in _NO_PART_OF_NOUN


def _is_article(tokens: list[Token], position: int) -> bool:
    """Whether an "a" may be the article: a word follows that an article can stand before."""
    if position + 1 >= len(tokens):
        return False
    following = tokens[position + 1]
    if _steers_elsewhere(following.text, _kind(tokens, position + 2), capital=tokens[position].capital):
        return True
    if following.kind is KIND.LABEL and following.capital and not tokens[position].capital:
        return True  # "I hear a B and a C."
    if following.kind in {KIND.FILLER, KIND.GOOD, KIND.BAD, KIND.NOUN, KIND.BEFORE, KIND.REFUSE}:
        return following.text.isascii() and following.text[0].isalpha() and following.text not in _AFTER_OPTION_A
    # "the answer is a dog barking": without a sign between, the text belongs to the article.
    if following.kind is not KIND.TEXT:
        return False
    # "A waterfall fits best", where that is the text of D.
    starts = _kind(tokens, position - 1) in _ENDS and following.value != 0 and _kind(tokens, position + 2) not in _SIGNS
    return starts or not tokens[position].capital


def _is_pronoun(tokens: list[Token], position: int) -> bool:
    """Whether an "i" is the pronoun, as it nearly always is."""
    named = _kind(tokens, position - 1) in _CUES | {KIND.IS, KIND.COLON, KIND.LINE}
    return not (named and _kind(tokens, position + 1) in _SIGNS)


def _is_preferred(tokens: list[Token], position: int) -> bool:
    """Whether a letter stands in "B over A"."""
    over = position + 2 < len(tokens) and tokens[position + 1].text == "over"
    return over and tokens[position].capital and _kind(tokens, position + 2) in _NAMING


def _is_note(tokens: list[Token], position: int) -> bool:
    """Whether a letter is a note or a key: "the notes are C and G"."""
    listed = False
    for behind in range(position - 1, max(-1, position - 1 - _NOTE_REACH), -1):
        token = tokens[behind]
        if token.text in _MUSICAL:
            return True
        listed = token.kind is KIND.LABEL or (listed and token.kind in _LINKS)
        if token.kind not in _BESIDE_NOTES and not listed and token.kind is not KIND.AND:
            return False
    return False


def names_option(tokens: list[Token], position: int) -> bool:
    """Decide whether a single letter names an option here, or is a word, a note, a speaker's name."""
    label = tokens[position]
    left, right = _kind(tokens, position - 1), _kind(tokens, position + 1)
    plural = position > 0 and tokens[position - 1].text in {"options", "choices", "statements"}
    if label.enclosed or ((left is KIND.NOUN or plural) and (label.text not in "ai" or right in _RIGHT)):
        return True
    if label.text == "i" and _is_pronoun(tokens, position):
        return False
    if label.text == "a" and _is_article(tokens, position):
        return False
    if left not in _LEFT or tokens[position - 1].text == "'s" or _is_note(tokens, position):
        return False
    if right in _RIGHT or _is_preferred(tokens, position):
        return True
    # "The answer is B the sound moves …": a missing stop, but "the note is B flat" names no option.
    before = [token.kind for token in tokens[max(0, position - 3) : position]]
    cued = not _CUES.isdisjoint(before) and KIND.STOP not in before
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
    if token.kind is KIND.TEXT:
        target = token.value if token.value < MAX_OPTIONS else CLASH
        return Mention(frozenset({target}), from_text=True, weak=target in profile.weak and not token.capital)
    if token.kind is KIND.LABEL and names_option(tokens, position):
        return Mention(frozenset({_label_target(token, profile)}))
    if token.kind is KIND.ORDINAL:
        # "The first one" may be one of anything: it counts only where it stands alone or is called the answer.
        return Mention(frozenset({_ordinal_target(token, profile)}), weak=token.capital)
    if token.kind is KIND.EVERY:
        return Mention(frozenset({EVERY}))
    return Mention(frozenset({OUTSIDE})) if token.kind is KIND.NONE else None


def _is_enumerator(tokens: list[Token], position: int) -> bool:
    """Whether a Chinese list comma stands between a letter and its text, as in "C、家中"."""
    return _kind(tokens, position - 1) is KIND.LABEL and _kind(tokens, position + 1) is KIND.TEXT


def _continues(tokens: list[Token], position: int, unnamed: int) -> bool:
    """Whether a letter continues a list of letters that name no option; `unnamed` is where the last such one is."""
    linked = unnamed == position - 2 and tokens[position - 1].kind in _LINKS
    if not linked or tokens[position].enclosed:
        return False
    # An article is no letter of a list; "the evidence favoured A and B" has none.
    return tokens[unnamed].text not in "ai" or (tokens[unnamed].capital and _kind(tokens, unnamed - 1) is KIND.WORD)


def _joins_list(items: list[Item], tokens: list[Token], position: int) -> bool:
    """Whether a capital letter is joined to an option before it: "A and B equally fit", "B、C推断成立"."""
    token = tokens[position]
    if not token.capital or token.text in "ai" or len(items) < 2 or _kind(tokens, position - 1) not in _JOINS_LETTERS:
        return False
    following = tokens[position + 1].text if position + 1 < len(tokens) else ""
    named = type(items[-2]) is Mention and not items[-2].from_text
    return named and tokens[position - 2].kind is KIND.LABEL and following not in _OF_NOTES


def find_mentions(tokens: list[Token], profile: Profile) -> list[Item]:
    """Replace the tokens that name options by mentions; a letter that names none becomes an ordinary word."""
    items: list[Item] = []
    unnamed = _NOWHERE
    for position, token in enumerate(tokens):
        if token.kind not in _NAMING and token.text != "、":
            preferred = token.text == "over" and items and type(items[-1]) is Mention
            # "B over A": one is preferred to the other.
            named = preferred and _kind(tokens, position + 1) in _NAMING | {KIND.NOUN}
            items.append(Token(KIND.NEG, 0, token.text) if named else token)
            continue
        mention = _mention(tokens, position, profile) if token.kind in _NAMING else None
        if mention is None and token.kind is KIND.LABEL and _joins_list(items, tokens, position):
            mention = Mention(frozenset({_label_target(token, profile)}))
        if token.kind is KIND.LABEL and (mention is None or _continues(tokens, position, unnamed)):
            # In "the notes C and D are played" the second letter names no more than the first.
            mention, unnamed = None, position
        if mention is not None:
            items.append(mention)
        elif token.kind is KIND.LABEL:
            kind = KIND.FILLER if token.text in "ai" and _kind(tokens, position - 1) is not KIND.WORD else KIND.WORD
            items.append(Token(kind, 0, token.text))
        elif token.text == "、" and _is_enumerator(tokens, position):
            items.append(Token(KIND.COLON, 0, token.text))
        else:
            items.append(token)
    return items
