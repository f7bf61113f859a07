"""Judgements behind a mention: "B is correct", "A does not fit", "C."."""

from evaluation.extraction.claims.mentions import Item, Mention
from evaluation.extraction.language.lexicon import KIND
from evaluation.extraction.language.tokens import Token

_SCAN_THROUGH = frozenset({KIND.FILLER, KIND.IS, KIND.CLOSE, KIND.NOUN, KIND.EVERY})
_SCAN_WORDS, _CHARACTER = 3, 0.4
_UNHEARD = frozenset({"听不到", "没听到", "没有听到"})
COMPARING = frozenset({"与", "和", "跟"})
"""What may stand between a mention and what it is compared with: "C与脚步声矛盾"."""


def says_of(items: list[Item], position: int) -> tuple[bool, bool]:
    """What the words after a mention say of it: (for it, against it); both where they cancel out."""
    good = bad = negated = copula = False
    words: float = _SCAN_WORDS
    filled = True
    for ahead in range(position + 1, len(items)):
        item = items[ahead]
        if isinstance(item, Mention):
            # "A not B": the negation belongs to what follows it.
            negated = negated and not _denies_next(items, ahead)
            break
        kind = item.kind
        if kind is KIND.GOOD and (item.text != "right" or copula):
            good = True
            break
        if kind is KIND.ANSWER and copula:
            good = True
            break
        if kind in {KIND.IF, KIND.BEFORE}:
            return True, True  # "B if it moved left", "A is plausible": weighed, not chosen.
        if kind is KIND.BAD:
            bad = True
            break
        if kind is KIND.REFUSE and item.text in _UNHEARD and stands_alone(items, ahead):
            bad = True  # "A可以听到，B听不到。"
            break
        if item.text == "than":
            break  # "D. The donkey is louder than the others": compared, not denied.
        if kind is KIND.NEG and words < _SCAN_WORDS and _is_explained(items, position):
            break  # "The aim is a repair: she says that it does not cool."
        if kind is KIND.NEG:
            negated = True
        elif kind is KIND.WORD:
            words -= 1 if item.text < "一" else _CHARACTER
        elif filled and item.text in COMPARING:
            continue  # "C与脚步声矛盾": what it is compared with.
        elif kind not in _SCAN_THROUGH and not (ahead == position + 1 and kind in {KIND.COLON, KIND.BREAK}):
            break
        copula = copula or kind is KIND.IS
        filled = filled and kind is KIND.FILLER
        if words < 0:
            break
    if negated:
        return bad, True
    return good, bad


def _is_explained(items: list[Item], position: int) -> bool:
    """Whether a text that ends what something is has a colon behind it."""
    mention, before, behind = items[position], items[position - 1] if position else None, items[position + 1]
    is_named = isinstance(before, Token) and before.kind is KIND.IS
    is_text = isinstance(mention, Mention) and mention.from_text
    return is_named and is_text and isinstance(behind, Token) and behind.kind is KIND.COLON


def _denies_next(items: list[Item], position: int) -> bool:
    """Whether a negation before a mention, with no more than an article between, is one of that mention."""
    for behind in range(position - 1, -1, -1):
        item = items[behind]
        if isinstance(item, Mention) or item.kind is not KIND.FILLER:
            return isinstance(item, Token) and item.kind is KIND.NEG
    return False


def stands_alone(items: list[Item], position: int) -> bool:
    """Whether nothing but a sign or a reason follows the mention."""
    if position + 1 >= len(items):
        return True
    item = items[position + 1]
    return isinstance(item, Token) and item.kind not in {KIND.WORD, KIND.FILLER, KIND.IS, KIND.WHICH, KIND.SUBJECT}


def has_figure(items: list[Item], position: int) -> bool:
    """Whether a colon and a bare number follow the mention, as in "A: 0, B: 1", a figure for every option."""
    if len(items) < position + 3:
        return False
    colon, figure = items[position + 1 : position + 3]
    if isinstance(colon, Mention) or colon.kind is not KIND.COLON or isinstance(figure, Mention):
        return False
    follows = items[position + 3] if position + 3 < len(items) else None
    bare = not isinstance(follows, Token) or len(follows.text) == 1
    return bare and figure.kind is KIND.WORD and "0" <= figure.text[0] <= "9"


def ends_line(items: list[Item], position: int) -> bool:
    """Whether nothing but a stop stands between the mention and the end of its line."""
    rest = items[position + 1 : position + 3]
    kinds = [item.kind if isinstance(item, Token) else KIND.TEXT for item in rest if not _is_sign(item)]
    return not kinds or kinds[0] is KIND.LINE


def _is_sign(item: Item) -> bool:
    return isinstance(item, Token) and item.kind in {KIND.STOP, KIND.CLOSE, KIND.COMMA, KIND.BREAK}
