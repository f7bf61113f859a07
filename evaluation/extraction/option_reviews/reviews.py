"""Answers that go through the options one by one: which option each verdict belongs to.

A review is read from a code: one character for each token, so that what belongs together is a pattern. A verdict
belongs to the option that stands directly before it ("A. Correct", "| A | ✓ |") or, where verdicts come first, to the
one directly behind it ("✓ A", "Wrong: A, C"). An option with other words before its verdict ("A. The bell rings first:
wrong") has the verdict at the end of its line.
"""

import re
from collections.abc import Mapping
from itertools import islice, pairwise
from typing import NamedTuple

from evaluation.extraction.claims.judgement import COMPARING
from evaluation.extraction.language.lexicon import KIND, Kind
from evaluation.extraction.language.polarity import CURT, FALSE, TRUE, VERDICT_WORDS
from evaluation.extraction.language.spelling import lower
from evaluation.extraction.language.tokens import LAST_OPTION, Token, tokenize, write_trie
from evaluation.extraction.option_reviews.enumerations import count_rest
from evaluation.extraction.option_reviews.remainders import REST_SIGN, find_exception, judge_rest, mark_rest
from evaluation.extraction.option_texts.options import MAX_OPTIONS, Profile

_FLAGS = frozenset("tfyn")
_NAMING = frozenset({KIND.LABEL, KIND.TEXT, KIND.ORDINAL})
# A verdict behind these is none: "A is possibly correct".
_HEDGES = frozenset({"possibly", "maybe", "perhaps", "might", "could", "may", "可能", "也许", "或许"})
_NOUNS = frozenset({"options", "choices", "statements", "answers", "ones"})
_BEFORE_LABEL = _NOUNS | CURT
# "D does", "A可以": a verdict only where the unit ends behind the option.
_GRANTING = frozenset({"does", "do", "可以", "能", "可", "选"})
_HYPHEN = re.compile(
    r"(?<![A-Za-z0-9])([A-J])-(?=(?:yes|no|true|false|correct|incorrect|wrong|right|not)(?![a-z]))", re.IGNORECASE
)
_MAX_CHARACTERS = 4_000
_CODES: Mapping[Kind, str] = {
    KIND.WORD: "w", KIND.FILLER: "f", KIND.NOUN: "o", KIND.ANSWER: "a", KIND.FINAL: "x", KIND.THEREFORE: "x",
    KIND.CHOOSE: "c", KIND.IS: "=", KIND.GOOD: "+", KIND.BAD: "-", KIND.NEG: "!", KIND.BUT: "u", KIND.OR: "r",
    KIND.AND: "&", KIND.COMMA: ",", KIND.BREAK: ":", KIND.COLON: ":", KIND.STOP: ".", KIND.QUESTION: "q",
    KIND.LINE: "\n", KIND.IF: "?", KIND.BECAUSE: "b", KIND.REVISE: "R", KIND.BEFORE: "z", KIND.REFUSE: "z",
    KIND.WHICH: "w", KIND.SUBJECT: "o", KIND.YES: "+", KIND.NO: "-", KIND.EVERY: "w", KIND.NONE: "w",
    KIND.CLOSE: ")", KIND.AMONG: "z",
}  # fmt: skip
_EXCEPTING = re.compile(
    r"(?<![a-z])(?:except|but|other than|apart from|aside from|besides|excluding|exception|bar|save"
    r"|only|just)(?![a-z])|除|只|仅|唯",
    re.IGNORECASE,
)
_RESTING = re.compile(
    r"(?<![a-z])(?:other|others|rest|remaining|remainder|else)(?![a-z])|除此|别的|其余|其他|其它|剩|余下|另外",
    re.IGNORECASE,
)
_ENGLISH = sorted({word for word in VERDICT_WORDS if word[0].isascii()} | {"not", "n", "y"})
# A text without two of these is no review.
_ENGLISH_HINT = re.compile(rf"(?<![a-z0-9])(?:{write_trie(_ENGLISH)}|[10])(?![a-z0-9])|n't")
_HINT = re.compile(
    rf"{_ENGLISH_HINT.pattern}|不"
    rf"|{'|'.join(sorted(filter(lambda word: not word[0].isascii(), VERDICT_WORDS), key=len, reverse=True))}"
)
# The first words of all that speaks of a review, for a look at the single words of a plain text.
_FIRST_OF_HINTS = frozenset(phrase.partition(" ")[0] for phrase in _ENGLISH)
_FIRST_OF_OTHERS = frozenset(re.findall("(?<=[:|])[a-z]+", _EXCEPTING.pattern + _RESTING.pattern))
_LETTERS = re.compile("[a-z]+")
_NOT_PLAIN = re.compile("[^\x00-\x7f\ue000-\uf8ff]")

_LIST = r"S(?:[of]?[,&]{1,2}[of]?S)*"
# In these patterns S is an option, + and - are verdicts, P and M curt ones; see `_CODES`. Brackets: "Right: (A), (B)".
_OPTION_FIRST = re.compile(
    rf"(?<![S=!c?aR])(?<!S&)(?<!S[fo]&)o?(?P<list>{_LIST})(?P<mid>[of]?,(?=[PM+-](?:[.,:\n;]|$))|(?:f?v[wf]{{1,24}})?[o:)=f|.q]{{0,8}})"
    r"(?:(?P<verdict>[+-])(?!f?a|f?o[:=f]|=S)|(?P<curt>[PM])(?=f?[\n.;,:)|?b&uST]|oS|f?$)|(?P<denied>!)(?=[\n.;,:|)]|$)"
    r"|(?P<granted>(?<=[^.:)|]))(?=[\n.;,]|$))"
)
_REMEMBERED = re.compile(r"z[^.;,:\n+\-PM]{0,12}$")
_REACH_OF_MEMORY = 14
# "Wrong: a bell rings. A dog barks. Right: …": behind a colon, stops separate the members of a list.
_GROUPED = re.compile(
    r"f?(?P<verdict>[+\-PM])(?P<mid>o?:)(?P<list>S(?:[of]?[.,:&]{1,2}[of]?S)*)[.:,]{0,2}(?=f?[+\-PM]o?:|$)"
)
_ALSO = re.compile(r"(?P<verdict>[+-])[.,;]?&?x[=f](?P<list>S)(?=[.,\n]|$)")
_UNCLEAR = re.compile(r"S[o:)=f|]{0,4}[?zqh]")
_VERDICT_FIRST = re.compile(
    r"(?:^|(?<=[\n.;,:|)S&]))f{0,2}(?:(?P<verdict>[+-]|[PM](?=[:|)S]))|(?P<denied>!)(?=o?S(?:[.;\n]"
    r"|$)))(?P<mid>[o:=f|)]{0,4})(?P<list>S(?:\)?[of]?[,&]{1,2}[of]?S)*)(?=[\n.;,)|+\-PM:b]|&[+\-PM]|f?$)"
)
_LEFT_OUT = re.compile(rf"!f{{0,2}}o?(?P<list>{_LIST})")
_STATED = re.compile(rf"(?:^|(?<=[.\n]))o?(?P<list>{_LIST})[.;:\n]{{1,2}}(?=f?T[^S.\n]*-)")
_NEXT_OPTION = re.compile(r"[.;](?=f?o?S[:)](?:[^+\-PM!\n]|[PM]w))")
_LAST_VERDICT = re.compile(r"(?:[:=,.)|x]f?|w)(?P<verdict>[+\-PM])[.|)]?$")
_FIRST_OF_LINE = re.compile(r"[fo|]{0,3}(?P<list>S)(?!f?[,&r]S)")
_VERDICT_LINE = re.compile(r"[fao:|]{0,4}(?P<verdict>[+\-PM])(?=[.,:)|b]|$)")
_OPEN_LINE = re.compile(r"[fo|]{0,3}S[:)=.|]")


class Review(NamedTuple):
    """What a review says of the options.

    Attributes:
        verdicts: Position of an option → whether the review calls it right.
        undecided: A line is about an option and has no verdict for it.
        contradictory: One option has two verdicts.
        rest: The tokens without the parts that were read.
    """

    verdicts: Mapping[int, bool]
    undecided: bool
    contradictory: bool
    rest: list[Token]


def _target(token: Token, profile: Profile) -> int | None:
    if token.kind is KIND.TEXT:
        return token.value if token.value < MAX_OPTIONS else None
    if token.kind is KIND.ORDINAL:
        place = profile.size - 1 if token.value == LAST_OPTION else token.value
        return place if place < profile.size and place not in profile.numbered else None
    return token.value if token.value < profile.size and token.text not in profile.letters else None


def _is_label(tokens: list[Token], position: int, profile: Profile) -> bool:
    """Whether a letter can be an option here: not an article, a pronoun or a note."""
    token = tokens[position]
    if token.enclosed:
        return True
    before = tokens[position - 1] if position else None
    after = tokens[position + 1] if position + 1 < len(tokens) else None
    if before is not None and before.kind in {KIND.WORD, KIND.WHICH} and before.text not in _BEFORE_LABEL:
        return False
    flag = after is not None and after.kind is KIND.LABEL and after.text in _FLAGS and after.value >= profile.size
    if after is not None and token.capital and after.text in VERDICT_WORDS and _ends_unit(tokens, position + 2):
        return True
    if after is None or flag or not (after.text[0].isascii() and after.text[0].isalpha()):
        return token.capital or after is None or after.kind in {KIND.COLON, KIND.CLOSE, KIND.STOP, KIND.BREAK}
    # "A correct step" is an article, "B correct" is none.
    named = before is not None and before.kind is KIND.NOUN
    return token.capital and (named or token.text not in "ai" or after.kind in {KIND.IS, KIND.AND, KIND.NEG})


def _names(token: Token) -> bool:
    """Whether a token may end what names an option."""
    return token.kind in {KIND.LABEL, KIND.TEXT, KIND.CLOSE} or token.text == "项"


def _ends_unit(tokens: list[Token], position: int) -> bool:
    """Whether nothing but a sign, or the next option, stands at a place."""
    return position >= len(tokens) or tokens[position].kind in _UNIT_ENDS


def _code_of(tokens: list[Token], position: int, profile: Profile) -> str:
    token = tokens[position]
    kind, text = token.kind, token.text
    if text in _FLAGS and kind is KIND.LABEL and token.value >= profile.size:
        return "P" if text in "ty" else "M"
    if text in _HEDGES:
        return "h"
    if text in COMPARING and position + 1 < len(tokens) and tokens[position + 1].kind is KIND.WORD:
        return "v"
    if text == REST_SIGN:
        return "T"
    if kind is KIND.LABEL:
        named = _is_label(tokens, position, profile) and _target(token, profile) is not None
        return "S" if named else "f" if text == "i" else "w"
    if kind in {KIND.TEXT, KIND.ORDINAL}:
        return "S" if _target(token, profile) is not None else "w"
    if text == "|":
        return "|"
    if text in _NOUNS:
        return "o"
    if text == "、" and position and tokens[position - 1].kind is KIND.LABEL:
        following = tokens[position + 1].kind if position + 1 < len(tokens) else KIND.LINE
        return "&" if following is KIND.LABEL and tokens[position + 1].value < profile.size else ":"
    # "错误的是A": a copula, not a "yes".
    if text == "是" and (not _ends_unit(tokens, position + 1) or (position and tokens[position - 1].text == "的")):
        return "="
    if text in CURT:
        return "P" if text in TRUE else "M"
    if text in _GRANTING and position and _ends_unit(tokens, position + 1) and _names(tokens[position - 1]):
        return "P"
    if (
        text in {"1", "0"}
        and position >= 2
        and (
            tokens[position - 1].kind is KIND.COLON
            if tokens[position - 2].enclosed
            else tokens[position - 1].text == "="
        )
    ):
        return "P" if text == "1" else "M"
    if text in TRUE:
        return "+"
    if text in FALSE:
        return "-"
    return _CODES.get(kind, "w")


_UNIT_ENDS = frozenset(
    {KIND.STOP, KIND.LINE, KIND.COMMA, KIND.BREAK, KIND.COLON, KIND.CLOSE, KIND.LABEL, KIND.NOUN, KIND.OR}
)
_NEGATED = re.compile(r"!([f=w]?)([+\-PM])")
_FLIP = str.maketrans("+-PM", "-+MP")


def _fold(code: str) -> str:
    """Join a negation to the verdict behind it, keeping the length: the verdict is turned, the negation a filler."""
    return _NEGATED.sub(lambda m: f"f{m[1].replace('w', 'f')}{m[2].translate(_FLIP)}", code)


def _join_pairs(code: str, targets: list[int], tokens: list[Token]) -> str | None:
    """Write "A. <text of A>" as one option; None where a letter and the text beside it differ."""
    joined = list(code)
    places = [place for place, sign in enumerate(code) if sign == "S"]
    for left, right in pairwise(places):
        between = code[left + 1 : right]
        if (tokens[left].kind is KIND.TEXT) == (tokens[right].kind is KIND.TEXT) or not re.fullmatch(
            r"[.:)=|fo,+PM-]{0,4}", between
        ):
            continue
        if targets[left] == targets[right]:
            joined[right] = "f"
            joined[left + 1 : right] = [sign if sign in "+-PM" else "f" for sign in between]
        elif tokens[right].kind is KIND.TEXT and re.fullmatch(r"[.:)|]{0,2}", between):
            return None
    return "".join(joined)


def _encode(tokens: list[Token], profile: Profile) -> tuple[str, list[int]] | None:
    code = "".join(_code_of(tokens, position, profile) for position in range(len(tokens)))
    targets = [
        target if sign == "S" and (target := _target(token, profile)) is not None else -1
        for sign, token in zip(code, tokens, strict=True)
    ]
    joined = _join_pairs(_fold(code), targets, tokens)
    return None if joined is None else (joined, targets)


def _matches(line: str, pattern: re.Pattern[str]) -> list[tuple[int, int, int, int, bool]]:
    """Start and end of the options, start and end of the unit, and the verdict."""
    found = []
    for match in pattern.finditer(line):
        groups = match.groupdict()
        verdict = groups["verdict"] or groups.get("curt") or ("-" if groups.get("denied") else "+")
        before = line[match.start() - 1] if match.start() else "\n"
        if before == "," and line[match.start() - 2] in "+-PM).":
            before = ";"
        # "The answer is B. Correct": only a label at the start of a unit has its verdict behind a stop.
        if "." in groups["mid"] and (before not in "\n.;|:)+-PMf" or len(groups["list"]) > 1):
            continue
        if _REMEMBERED.search(line[max(0, match.start() - _REACH_OF_MEMORY) : match.start()]):
            continue  # "At first I took A for correct."
        if groups.get("granted") is not None and not groups["mid"].endswith("="):
            continue
        if not _is_supposed(line, match.end()):
            found.append((match.start("list"), match.end("list"), match.start(), match.end(), verdict in "+P"))
    return found


def _is_supposed(line: str, end: int) -> bool:
    """Whether the unit behind a verdict supposes or asks: "A would be right if …"."""
    unit = re.match(r"[^.;\n,S]*", line[end:])
    return unit is not None and not {"?", "q"}.isdisjoint(unit.group())


def _read_line(line: str) -> list[tuple[int, int, int, int, bool]]:
    """The units of one line, in the order that names more options."""
    grouped = _matches(line, _GROUPED) if ":" in line else []
    if grouped and sum(line[start:end].count("S") for start, end, *_ in grouped) == line.count("S"):
        return grouped
    after, before = _matches(line, _OPTION_FIRST), _matches(line, _VERDICT_FIRST)
    n_after, n_before = (sum(line[start:end].count("S") for start, end, *_ in units) for units in (after, before))
    first = re.search(r"[S+\-PM]", line)
    if n_before > n_after or (n_before == n_after and first is not None and first.group() != "S"):
        return before
    for match in _ALSO.finditer(line):
        after.append((match.start("list"), match.end("list"), match.start() + 1, match.end(), match["verdict"] == "+"))
    return after


def _read_long_line(line: str, targets: list[int], offset: int) -> tuple[int, int, int, int, bool] | None:
    """A line about one option that ends in its verdict."""
    first = _FIRST_OF_LINE.match(line)
    last = _LAST_VERDICT.search(line)
    if first is None or last is None or "T" in line or _is_supposed(line, first.end()):
        return None
    named = {targets[offset + place] for place, sign in enumerate(line) if sign == "S"}
    if len(named) > 1:
        return None
    return first.start("list"), first.end("list"), 0, len(line), last["verdict"] in "+P"


def _cut_lines(code: str) -> list[str]:
    """The lines of a code; a line "A: …, so wrong. B: …, so right" is cut at the stop before each option."""
    if len(_NEXT_OPTION.findall(code)) < 2:
        return code.split("\n")
    return _NEXT_OPTION.sub("\n", code).split("\n")


def _find_units(code: str, targets: list[int]) -> tuple[list[tuple[int, int, int, int, bool]], list[int]]:
    """All units of a code, and the options whose line has no verdict."""
    units: list[tuple[int, int, int, int, bool]] = []
    undecided: list[int] = []
    heading: tuple[int, int] | None = None
    offset = 0
    for line in _cut_lines(code):
        found = _read_line(line)
        if not found and (long := _read_long_line(line, targets, offset)):
            found = [long]
        below = _VERDICT_LINE.match(line) if heading is not None and not found and "S" not in line else None
        if below is not None and heading is not None:
            place, start = heading
            units.append((place, place + 1, start, offset + below.end(), below["verdict"] in "+P"))
            heading = None
        units += [(a + offset, b + offset, c + offset, d + offset, good) for a, b, c, d, good in found]
        undecided += [targets[offset + match.start()] for match in _UNCLEAR.finditer(line)]
        opened = _FIRST_OF_LINE.match(line) if not found else None
        if opened is not None:
            place = offset + opened.start("list")
            heading = place, offset
            if _OPEN_LINE.match(line) and line.strip("fo|:).="):
                undecided.append(targets[place])
        elif line:
            heading = None
        offset += len(line) + 1
    return units, undecided


def may_be_review(skeleton: str) -> bool:
    """Whether a text may be a review, by its single words; two words of verdicts, or one that speaks of the rest."""
    lowered = skeleton.lower()
    if "n't" in lowered or "0" in lowered or "1" in lowered or (not lowered.isascii() and _NOT_PLAIN.search(lowered)):
        return True
    words = _LETTERS.findall(lowered)
    return not _FIRST_OF_OTHERS.isdisjoint(words) or sum(map(_FIRST_OF_HINTS.__contains__, words)) > 1


def _has_two_hints(lowered: str) -> bool:
    hints = (_ENGLISH_HINT if lowered.isascii() else _HINT).finditer(lowered)
    return sum(1 for _ in islice(hints, 2)) == 2


def _may_judge_several(tokens: list[Token]) -> bool:
    """Whether tokens name two options, or the rest of them, and take nothing back."""
    n_named = sum([2 if token.text == REST_SIGN else token.kind in _NAMING for token in tokens])
    return n_named > 1 and all(token.kind is not KIND.REVISE for token in tokens)


def read_review(skeleton: str, profile: Profile, tokens: list[Token] | None = None) -> Review | None:
    """Read a review of at least two options; None where a text is none.

    Args:
        skeleton: A cleaned text with placeholders, without the echoed list of options.
        profile: The options.
        tokens: Of the text, if they are known.
    """
    if not may_be_review(skeleton):
        return None
    rested = mark_rest(skeleton) if _RESTING.search(skeleton) else skeleton
    exception = find_exception(rested, profile.size) if _EXCEPTING.search(skeleton) else None
    if exception is not None:
        judged, text = exception
        return Review(judged, undecided=False, contradictory=False, rest=tokenize(text.replace(REST_SIGN, "")))
    if profile.size < 2 or not (REST_SIGN in rested or _has_two_hints(lower(skeleton[:_MAX_CHARACTERS]))):
        return None
    text = _HYPHEN.sub(r"\1: ", rested) if "-" in rested else rested
    if tokens is None or text != skeleton:
        tokens = tokenize(text)
    encoded = _encode(tokens, profile) if _may_judge_several(tokens) else None
    if encoded is None:
        return None
    code, targets = encoded
    units, undecided = _find_units(code, targets)
    verdicts: dict[int, bool] = {}
    contradictory = False
    kept = [True] * len(tokens)
    for first, last, start, end, good in units:
        for place in range(first, last):
            if code[place] == "S":
                contradictory |= verdicts.setdefault(targets[place], good) != good
        while end < len(code) and code[end] == "f":
            end += 1  # The text of an option whose letter stands before the verdict.
        kept[start:end] = [code[place] == "\n" for place in range(start, end)]
    if REST_SIGN in rested and not verdicts:
        # "Leave out C; the rest are right."
        named = (range(*match.span("list")) for match in _LEFT_OUT.finditer(code))
        verdicts = {targets[place]: False for places in named for place in places if code[place] == "S"}
        # "A bell rings. The other statements are not supported."
        stated = () if verdicts else (range(*match.span("list")) for match in _STATED.finditer(code))
        verdicts |= {targets[place]: True for places in stated for place in places if code[place] == "S"}
    # "The other three": of five options, two must be named then.
    fits = REST_SIGN in rested and count_rest(skeleton) in {None, profile.size - len(verdicts)}
    spoken = judge_rest(code, verdicts, profile.size) if fits else None
    if spoken is not None:
        kept[slice(*spoken)] = [code[place] == "\n" for place in range(*spoken)]
    if len(verdicts) + len(set(undecided) - set(verdicts)) < 2 or not verdicts:
        return None
    # Who judged every option refused nothing: "B: wrong – sorry, no music".
    complete = len(verdicts) == profile.size
    rest = [
        token
        for token, keep in zip(tokens, kept, strict=True)
        if keep and token.text != REST_SIGN and not (complete and token.kind is KIND.REFUSE)
    ]
    return Review(verdicts, any(target not in verdicts for target in undecided), contradictory, rest)
