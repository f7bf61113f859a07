"""Reading the one option that a response chose."""

import re
from collections.abc import Sequence
from functools import lru_cache

from evaluation.extraction.joins import join_lists, join_pairs
from evaluation.extraction.mentions import EVERY, OUTSIDE, find_mentions
from evaluation.extraction.normalize import clean, is_blank
from evaluation.extraction.options import PLACEHOLDER_BASE, PreparedOptions, canonical, mark_texts, prepare
from evaluation.extraction.statements import BARE, CUED, FINAL, PROSE, Account, Statement, collect_statements
from evaluation.extraction.tokens import tokenize
from evaluation.types import Reading, UnreadableReason

SHORT = 64
MEMO_SIZE = 65_536

_FIRST_TEXT = chr(PLACEHOLDER_BASE)
# The shapes most answers have. Whatever does not fit exactly is left to the full reader.
_PLAIN = re.compile(
    r"\s*(?:(?:(?:so |therefore, |thus, |hence, )?(?:the |my )?(?:correct |final |best |right )?"
    r"(?:answer|option|choice)(?: is)?:?|i (?:choose|pick|select)(?: option)?"
    r"|(?:最终|正确)?答案(?:应该)?[是为选:：]{0,2}|[我故]?选择?) ?)?"
    r"(?:\*\*)?[<(\[\"']?([a-z])[>)\]\"']?(?:\*\*)?[.:,)：。]?(?:\*\*)?"
    r"(?:(?<=[>)\]*.:,：])\s{0,3}(.{1,500}?))?[\s.。!]{0,4}",
    re.IGNORECASE,
)


def read_plain(response: str, prepared: PreparedOptions) -> int | None:
    """Read a response that is a letter, alone or with its own text, or an option's text and nothing else."""
    match = _PLAIN.fullmatch(response) if len(response) < 600 else None
    if match is None or prepared.letters:
        index = prepared.exact.get(response.strip(" \n.").lower())
        return index if index is not None and index >= 0 and not prepared.letters else None
    index = ord(match.group(1).lower()) - 97
    if index >= prepared.size or match.group(1) in "iI":
        return None
    text = match.group(2)
    return index if text is None or prepared.exact.get(canonical(text)) == index else None


@lru_cache(maxsize=32)
def _joined_letters(size: int) -> re.Pattern[str]:
    """Letters written as one word, "ACD", where a sign or Chinese text ends it: "AC power" is no list."""
    last = chr(64 + min(max(size, 1), 26))
    return re.compile(rf"(?<![A-Za-z0-9'])[A-{last}]{{2,26}}(?= ?(?:[.,;:!?)\]\"'\n]|$|[^\x00-\x7f]))")


def _spread_letters(match: re.Match[str]) -> str:
    """Write "ACD" as "A and C and D" where the letters are in order, so that it is no word."""
    letters = match.group()
    return " and ".join(letters) if sorted(set(letters)) == list(letters) else letters


def account_for(text: str, prepared: PreparedOptions, *, commas: bool) -> tuple[Account, bool]:
    """Read a response in full.

    Args:
        text: The cleaned response.
        prepared: The options.
        commas: Whether commas alone make a list, as they do where several options may be chosen.

    Returns:
        What the response says of the options, and whether it repeats the list of all options.
    """
    marked = mark_texts(text, prepared)
    marked = _joined_letters(prepared.size).sub(_spread_letters, marked)
    n_listings = 0
    if _FIRST_TEXT in marked or "/" in marked or "|" in marked:
        marked, n_listings = prepared.listing.subn("\n", marked)
    items = join_lists(join_pairs(find_mentions(tokenize(marked), prepared)), commas=commas)
    return collect_statements(items), n_listings > 0


def _target(statement: Statement) -> int | UnreadableReason:
    """The one option a statement names, or why it names none."""
    mention = statement.mention
    if mention.problem:
        return mention.problem
    if len(mention.targets) > 1:
        return "ambiguous"
    (target,) = mention.targets
    if target >= 0:
        return target
    return "outside-options" if target == OUTSIDE else "ambiguous"


def said_and_kept(account: Account) -> list[Statement]:
    """The statements that say an option is the answer and were not taken back."""
    said = [s for s in account.statements if not s.negated and not s.tentative]
    said = [s for s in said if s.rank > PROSE or not (s.mention.weak or s.mention.targets <= {OUTSIDE, EVERY})]
    if said and account.statements:
        last = said[-1].section
        kept = [s for s in said if s.section == last]
        return kept if any(s.rank >= BARE for s in kept) else said
    return said


def _without_answer(account: Account, prepared: PreparedOptions, *, echoed: bool) -> Reading:
    """Name the reason, or the only option left where one sentence excluded all others."""
    if account.refused:
        return Reading(reason="refusal")
    statements = account.statements
    denied = {target for s in statements if s.negated and not s.tentative for target in s.mention.targets}
    left = set(range(prepared.size)) - denied
    certain = all(s.negated and not s.tentative and not s.mention.problem for s in statements)
    if statements and certain and len(left) == 1 and min(denied) >= 0:
        return Reading(index=left.pop())
    return Reading(reason="ambiguous" if echoed or statements else "outside-options")


def _decide(account: Account, prepared: PreparedOptions, *, echoed: bool) -> Reading:
    standing = said_and_kept(account)
    if not standing:
        return _without_answer(account, prepared, echoed=echoed)
    top = max(s.rank for s in standing)
    if account.retracted:
        return Reading(reason="ambiguous")
    if top == PROSE and account.refused:
        return Reading(reason="refusal")
    targets = [_target(s) for s in standing if s.rank == top]
    if len(set(targets)) > 1:
        problems = {target for target in targets if isinstance(target, str)}
        return Reading(reason="contradiction" if top >= CUED and not problems else "ambiguous")
    target = targets[0]
    if isinstance(target, str):
        return Reading(reason=target)
    return Reading(reason="contradiction") if _opposed(standing, top, target) else Reading(index=target)


def _opposed(standing: list[Statement], top: int, target: int) -> bool:
    """Whether something of lower rank still speaks against the answer, so that careful readers would differ."""
    first = next(position for position, s in enumerate(standing) if s.rank == top)
    last = max(position for position, s in enumerate(standing) if s.rank == top)
    for position, statement in enumerate(standing):
        if statement.rank == top or statement.mention.targets == {target}:
            continue
        # After the answer stands a different one, by itself: "The answer is B. C."
        if statement.rank >= BARE and position > last and top < FINAL:
            return True
        # "B. The sound moves from left to right", where that is the text of A.
        if top == BARE and statement.mention.from_text and position > first:
            return True
    return False


def _read(response: str, options: tuple[str, ...]) -> Reading:
    prepared = prepare(options)
    index = read_plain(response, prepared)
    if index is not None:
        return Reading(index=index)
    text = clean(response)
    if is_blank(text):
        return Reading(reason="empty")
    account, echoed = account_for(text, prepared, commas=False)
    return _decide(account, prepared, echoed=echoed)


# Bounded, because its keys come from submissions; short, because long answers do not repeat.
_read_short = lru_cache(maxsize=MEMO_SIZE)(_read)


def read_choice(response: str | None, options: Sequence[str]) -> Reading:
    """Read which single option a response chose.

    Args:
        response: What the system wrote; None where it gave nothing.
        options: The option texts in the order they were shown; letters A, B, … stand for positions.

    Returns:
        A reading with `index`, or with the `reason` why two careful readers would not agree on one.

    >>> read_choice("不是A，而是C。", ("left", "right", "ahead", "behind")).index
    2
    >>> read_choice("A or B", ("left", "right", "ahead", "behind")).reason
    'ambiguous'
    """
    if response is None:
        return Reading(reason="empty")
    choices = options if type(options) is tuple else tuple(options)
    return _read_short(response, choices) if len(response) < SHORT else _read(response, choices)
