"""Joining mentions that belong together: a letter with its text, and the members of a list."""

from evaluation.extraction.claims.mentions import EVERY, Item, Mention
from evaluation.extraction.language.lexicon import KIND, Kind
from evaluation.extraction.language.tokens import Token
from evaluation.extraction.option_texts.options import CLASH

_ENDS = frozenset({KIND.STOP, KIND.LINE, KIND.QUESTION})
_BETWEEN_LABEL_AND_TEXT = frozenset(
    {KIND.CLOSE, KIND.COLON, KIND.STOP, KIND.BREAK, KIND.COMMA, KIND.IS, KIND.WHICH, KIND.FILLER, KIND.NOUN, KIND.LINE}
)
_BETWEEN_TEXT_AND_LABEL = frozenset(
    {
        KIND.CLOSE,
        KIND.COMMA,
        KIND.BREAK,
        KIND.IS,
        KIND.WHICH,
        KIND.FILLER,
        KIND.NOUN,
        KIND.CHOOSE,
        KIND.STOP,
        KIND.COLON,
    }
)
_JOINERS = frozenset({KIND.COMMA, KIND.AND, KIND.OR, KIND.CLOSE, KIND.NOUN})
_JOINERS_OF_SETS = _JOINERS | {KIND.BREAK}
_CONJUNCTIONS = frozenset({KIND.AND, KIND.OR})
# What may stand behind a member that a semicolon joins to a list: "A; C." but not "A; C is wrong".
_AFTER_SEMICOLON = _ENDS | {KIND.COMMA, KIND.BREAK, KIND.CLOSE, KIND.AND, KIND.BECAUSE}
_REACH = 5


def _next_mention(items: list[Item], position: int, between: frozenset[Kind]) -> tuple[int, list[Token]] | None:
    """The next mention within reach, if only tokens of the given kinds stand between."""
    passed: list[Token] = []
    for ahead in range(position + 1, min(position + 2 + _REACH, len(items))):
        item = items[ahead]
        if isinstance(item, Mention):
            return ahead, passed
        if item.kind not in between:
            return None
        passed.append(item)
    return None


def _pair(items: list[Item], position: int, first: Mention) -> tuple[int, Mention] | None:
    """Join a letter with the text beside it (or the text with its letter); the two may contradict each other."""
    between = _BETWEEN_TEXT_AND_LABEL if first.from_text else _BETWEEN_LABEL_AND_TEXT
    found = _next_mention(items, position, between)
    if found is None:
        return None
    ahead, passed = found
    second = items[ahead]
    if not isinstance(second, Mention) or second.from_text == first.from_text:
        return None
    if min(first.targets | second.targets) == EVERY or (first.from_text and _starts_pair(items, ahead)):
        return None
    if first.from_text and second.targets == first.targets and KIND.STOP in {token.kind for token in passed}:
        return None  # "… is typical of rain. I choose B.": the second sentence stands by itself.
    if second.targets == first.targets or (CLASH in first.targets) != (CLASH in second.targets):
        targets = first.targets if CLASH in second.targets else second.targets
        return ahead, Mention(targets, from_text=True)
    return (ahead, Mention(first.targets | second.targets, "contradiction")) if _bound(items, ahead, passed) else None


def _starts_pair(items: list[Item], position: int) -> bool:
    """Whether the letter at this position has a text of its own behind it, as in a list of options."""
    found = _next_mention(items, position, _BETWEEN_LABEL_AND_TEXT - {KIND.LINE, KIND.COMMA})
    if found is None:
        return False
    other = items[found[0]]
    return isinstance(other, Mention) and other.from_text


def _bound(items: list[Item], ahead: int, passed: list[Token]) -> bool:
    """Whether a letter and a differing text are said of one another, so that they contradict."""
    kinds = [token.kind for token in passed]
    second = items[ahead]
    if isinstance(second, Mention) and not second.from_text:
        identified = KIND.NOUN in kinds or KIND.CHOOSE in kinds or all(k in {KIND.CLOSE, KIND.BREAK} for k in kinds)
        return identified and (KIND.STOP not in kinds or KIND.CHOOSE in kinds)
    if KIND.LINE in kinds:
        return False
    if KIND.STOP not in kinds:
        return True
    after = items[ahead + 1] if ahead + 1 < len(items) else None
    return after is None or (isinstance(after, Token) and after.kind in _ENDS and len(kinds) == 1)


def join_pairs(items: list[Item]) -> list[Item]:
    """Join every letter with its text."""
    joined: list[Item] = []
    position = 0
    while position < len(items):
        item = items[position]
        pair = _pair(items, position, item) if isinstance(item, Mention) else None
        if pair is None:
            joined.append(item)
            position += 1
        else:
            joined.append(pair[1])
            position = pair[0] + 1
    return joined


def _chain(items: list[Item], position: int, commas: bool) -> tuple[int, Mention | None]:
    """Follow a list such as "A, B or C" from its first member to its last; `commas` makes commas alone a list.

    Returns:
        The position of the last member, and the list as one mention, or None where it is none. The position is given
        even then, so that a long row of letters is walked through only once.
    """
    members: list[Mention] = []
    kinds: set[Kind] = set()
    found: tuple[int, list[Token]] | None = (position, [])
    while found is not None:
        member, passed = items[found[0]], {token.kind for token in found[1]}
        if not isinstance(member, Mention) or (not passed & _CONJUNCTIONS and kinds & _CONJUNCTIONS):
            break
        kinds |= passed
        members.append(member)
        position = found[0]
        found = _next_member(items, position, commas)
    linked = commas or bool(kinds & _CONJUNCTIONS)
    return position, _union(members, kinds) if linked and len(members) > 1 else None


def _next_member(items: list[Item], position: int, commas: bool) -> tuple[int, list[Token]] | None:
    """The next member of a list; where commas make a list, so do semicolons before what is a mention and no more."""
    if not commas:
        return _next_mention(items, position, _JOINERS)
    found = _next_mention(items, position, _JOINERS_OF_SETS)
    breaks = [token.text for token in found[1] if token.kind is KIND.BREAK] if found else []
    if found is None or not breaks:
        return found
    after = items[found[0] + 1] if found[0] + 1 < len(items) else None
    ends = after is None or isinstance(after, Mention) or after.kind in _AFTER_SEMICOLON
    return found if ends and set(breaks) == {";"} else None


def _union(members: list[Mention], kinds: set[Kind]) -> Mention:
    problem = next((member.problem for member in members if member.problem), None)
    targets = frozenset[int]().union(*(member.targets for member in members))
    return Mention(targets, problem, KIND.OR in kinds and len(targets) > 1, any(m.from_text for m in members))


def _is_range(items: list[Item], position: int) -> bool:
    """Whether "A to C" starts here, which leaves open what lies between; "I prefer A to B" does not."""
    if position + 2 >= len(items):
        return False
    first, link, last = items[position : position + 3]
    if not (isinstance(first, Mention) and isinstance(last, Mention) and isinstance(link, Token)):
        return False
    preferred = any(
        isinstance(item, Token) and item.text == "prefer" for item in items[max(0, position - 3) : position]
    )
    return link.text == "to" and not preferred


def join_lists(items: list[Item], *, commas: bool) -> list[Item]:
    """Join lists of mentions, so that what is said of a list is said of all its members."""
    joined: list[Item] = []
    position = 0
    while position < len(items):
        item = items[position]
        if isinstance(item, Mention) and _is_range(items, position):
            last = items[position + 2]
            joined.append(_union([item, last], {KIND.OR}) if isinstance(last, Mention) else item)
            position += 2
        elif isinstance(item, Mention):
            start = position
            position, union = _chain(items, start, commas)
            joined.extend([union] if union else items[start : position + 1])
        else:
            joined.append(item)
        position += 1
    return joined
