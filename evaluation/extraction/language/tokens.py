"""Cutting a cleaned text into tokens that know what they do."""

import re
from functools import lru_cache
from typing import NamedTuple

from evaluation.extraction.language.lexicon import CHINESE, ENGLISH, KIND, LEXICON, WORD_LISTS, Kind
from evaluation.extraction.language.spelling import lower
from evaluation.extraction.language.symbols import ORDINALS
from evaluation.extraction.option_texts.options import PLACEHOLDER_BASE, SURE_BASE


class Token(NamedTuple):
    """One token.

    Attributes:
        kind: What it does.
        value: The option's number for a text; the letter's number for a label; the place for an ordinal; else 0.
        text: As written, in lower case.
        capital: A label that is written as a capital; an ordinal without a noun, "the first one"; a
            text that surely means its option.
        enclosed: A label in brackets or quotes, which cannot be an article.
    """

    kind: Kind
    value: int
    text: str
    capital: bool = False
    enclosed: bool = False


LAST_OPTION = -1

_ORDINALS = ORDINALS[:8]
_CARDINALS = ("one", "two", "three", "four", "five", "six", "seven", "eight")
_CHINESE_ORDINALS = "一二三四五六七八"
PLACES = (*_ORDINALS, "1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th")
_MARKS = {
    ",": KIND.COMMA, "/": KIND.OR, "|": KIND.OR, "\\": KIND.OR, "&": KIND.AND, "+": KIND.AND, ";": KIND.BREAK,
    "-": KIND.BREAK, ":": KIND.COLON, "?": KIND.QUESTION, "✓": KIND.GOOD, "✔": KIND.GOOD, "✅": KIND.GOOD,
    "☑": KIND.GOOD, "√": KIND.GOOD, "✗": KIND.BAD, "✘": KIND.BAD, "❌": KIND.BAD, "×": KIND.BAD, ")": KIND.CLOSE,
    "\n": KIND.LINE, "]": KIND.CLOSE, ">": KIND.CLOSE, "}": KIND.CLOSE, "=": KIND.IS, "≠": KIND.NEG,
}  # fmt: skip
_MARK_TOKENS = {mark: Token(kind, 0, mark) for mark, kind in _MARKS.items()}
_STOP = Token(KIND.STOP, 0, ".")
_PHRASES = {phrase: Token(kind, 0, phrase) for phrase, kind in LEXICON.items()}
_OPENERS = frozenset("(<[{\"'")
_CLOSERS = frozenset(")>]}\"'")


def write_trie(phrases: list[str]) -> str:
    """One pattern for sorted phrases, branching letter by letter: tried once a word, however many phrases there are."""
    ends = phrases[0] == ""
    groups: dict[str, list[str]] = {}
    for phrase in phrases[1:] if ends else phrases:
        groups.setdefault(phrase[0], []).append(phrase[1:])
    if not groups:
        return ""
    body = "|".join(re.escape(first) + write_trie(rest) for first, rest in groups.items())
    return f"(?:{body})?" if ends else f"(?:{body})"


_ALTERNATIVES = rf"""(?P<text>[\ue000-\uf8ff])
    |(?P<ordinal>(?:the\ )?(?:{"|".join(PLACES)}|last)
            \ (?:option|choice|answer(?!s|\ (?:is|was)))(?![a-z])
        |(?:is\ )?(?:option|choice)\ (?:number\ |no\.?\ |\#\ ?)?(?:[1-8](?![\d.]*[a-z\d])
            |(?:{"|".join(_CARDINALS)})(?![a-z]))
        |(?:最后一|(?<!倒数)第[{_CHINESE_ORDINALS}1-8])[个项条种]?(?:选项|答案|说法|陈述|描述)|最后一项(?!目)
        |(?<!倒数)(?:选项|第)[{_CHINESE_ORDINALS}1-8](?:个?选项|项(?!目)|(?![^\W_])|(?<=选项.)(?=[都均全也对错正成不是符])))
    |(?P<place>(?:the\ )?(?:{"|".join(PLACES)}|last)\ one(?![a-z])
        |the\ (?:{"|".join(_ORDINALS)}|last)(?=[\ )"']*(?:[.!。\n]|$))
        |(?<!倒数)第[{_CHINESE_ORDINALS}1-8][个项](?![^\W_])|最后一[个项](?![^\W_]))
    |(?P<phrase>{write_trie(sorted(ENGLISH))}(?![a-z0-9]))
    |(?P<letter>(?<![a-z0-9]')[a-z](?![a-z0-9_\#]|'[a-z]|-[a-z]|\.[a-z](?![a-z])))
    |(?P<word>[a-z0-9]+(?:['.,_-][a-z0-9]+)*\#?)
    |(?P<chinese>{write_trie(sorted(CHINESE))})
    |(?P<stop>[.!。…]+)
    |(?P<mark>[\n,/|\\&+;:?✓✔✅☑√✗✘❌×)\]>}}=≠-])
    |(?P<other>[^\W_])"""


@lru_cache(maxsize=1)
def _compile_alternatives() -> re.Pattern[str]:
    """Compile at the first answer: most processes read none, and this takes a tenth of a second."""
    return re.compile(_ALTERNATIVES, re.VERBOSE)


# "No sound of rails", "没有听到雨声": an observation about one thing, not a refusal to answer about the recording.
_OBSERVED = re.compile(
    r" (?:of |any |an? |the |that |this )*+(?!(?:any|audios?|recordings?|clips?|files?|sounds?"
    r"|anything|it|you|this|that|what"
    r"|whether|which|where|who|how|if|clearly|well|enough|because|since|so|and|or|in|on|at|from|is|was"
    r"|attached|provided"
    r"|content|attachments?)(?![a-z]))[a-z]{2}"
    r"|(?:任何)?+(?!什么|音频|录音|声音|内容|附件|文件|你|您|清|这|该|上述|题)[\u4e00-\u9fff]{2}"
)
_PERCEPTIONS = WORD_LISTS["PERCEPTIONS"]

# Words of at least two letters with a blank behind each, and a look at the next one. At most eight: where only the
# first of them can be used, the others are matched again.
_RUN = re.compile(r"((?:[a-z0-9]{2,} (?=[a-z0-9])){1,8})(?=([a-z0-9]+))")
# A word without inner signs, and a look at the next one; most words are read by this and a table.
_SIMPLE = re.compile(r"([a-z0-9]{2,})(?![a-z0-9#]|['.,_-][a-z0-9])(?:(?= ([a-z0-9]+)))?")
_FIRST_WORDS = re.compile(r"([a-z0-9]+)(?: ([a-z0-9]+))?(.?)")
# A letter that cannot be the start of anything longer.
_PHRASES_OF_LETTERS = "".join(sorted({phrase[0] for phrase in ENGLISH if not phrase[1:2].isalnum()}))
_LONE_LETTER = re.compile(rf"[a-z](?<![{_PHRASES_OF_LETTERS}])(?=[ ,:)\n]|\.?(?:[ \n]|\Z))")
_STOPS = frozenset(".!。…")
# Whatever Chinese token has more than one character starts with one of these.
_CHINESE_FIRST = frozenset(phrase[0] for phrase in CHINESE) | frozenset("最第选")
_ANY = None


def _list_seconds() -> dict[str, set[str] | None]:
    """Return word → the words that can continue it to a longer phrase, or _ANY where signs can."""
    seconds: dict[str, set[str]] = {word: {"option", "choice", "answer", "one"} for word in (*PLACES, "last")}
    seconds["the"] = {*PLACES, "last"}
    signs = {"option", "choice"}
    for match in filter(None, map(_FIRST_WORDS.match, ENGLISH)):
        if match[2]:
            seconds.setdefault(match[1], set()).add(match[2])
        elif match[3]:
            signs.add(match[1])
    return {**seconds, **dict.fromkeys(signs, _ANY)}


_SECONDS = _list_seconds()
_NO_SECONDS: frozenset[str] = frozenset()
_WORD_MEMO_SIZE = 8_192


@lru_cache(maxsize=_WORD_MEMO_SIZE)
def _single_word(word: str) -> Token:
    return _PHRASES[word] if word in ENGLISH else Token(KIND.WORD, 0, word)


@lru_cache(maxsize=_WORD_MEMO_SIZE)
def _make_word(word: str) -> Token:
    return Token(KIND.WORD, 0, word)


def _add_run(words: list[str], following: str, tokens: list[Token]) -> int:
    """Add the tokens of words in a row, up to one that is more than a word by itself; return how many were added."""
    for place, (word, second) in enumerate(zip(words, [*words[1:], following], strict=True)):
        seconds = _SECONDS.get(word, _NO_SECONDS)
        if seconds is _ANY or second in seconds:
            return place
        token = _single_word(word)
        if token[0] is KIND.REFUSE:
            return place
        tokens.append(token)
    return len(words)


@lru_cache(maxsize=64)
def _ordinal(text: str) -> int:
    """The place an ordinal names, LAST_OPTION for "the last option"."""
    for place, word in enumerate(_ORDINALS):
        if word in text or str(place + 1) in text or _CHINESE_ORDINALS[place] in text.removeprefix("最后一"):
            return place
    named = [place for place, word in enumerate(_CARDINALS) if text.endswith(f" {word}") and "last" not in text]
    return named[0] if named else LAST_OPTION


@lru_cache(maxsize=128)
def _make_label(letter: str, capital: bool, enclosed: bool) -> Token:
    return Token(KIND.LABEL, ord(letter) - 97, letter, capital, enclosed)


def _letter(text: str, lowered: str, start: int) -> Token:
    end = start + 1
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    enclosed = before in _OPENERS and (after in _CLOSERS or "一" <= after <= "鿿")
    return _make_label(lowered[start], text[start] != lowered[start], enclosed)


def _token(match: re.Match[str], text: str, lowered: str) -> Token:
    group, word = match.lastgroup, match.group()
    if group == "phrase" or group == "chinese":
        return _PHRASES[word]
    if group == "word" or group == "other":
        return _make_word(word)
    if group == "letter":
        return _letter(text, lowered, match.start())
    if group == "text":
        sure = ord(word) >= SURE_BASE
        return Token(KIND.TEXT, ord(word) - (SURE_BASE if sure else PLACEHOLDER_BASE), word, capital=sure)
    if group == "ordinal":
        return Token(KIND.ORDINAL, _ordinal(word), word)
    if group == "place":
        return Token(KIND.ORDINAL, _ordinal(word), word, capital=True)
    return _MARK_TOKENS[word] if group == "mark" else _STOP


def tokenize(text: str) -> list[Token]:
    """Cut a cleaned text, in which option texts may stand as placeholders, into tokens."""
    lowered = lower(text)
    tokens: list[Token] = []
    position, end = 0, len(lowered)
    while position < end:
        character = lowered[position]
        if character == " ":
            position += 1
        elif (mark := _MARK_TOKENS.get(character)) is not None:
            tokens.append(mark)
            position += 1
        elif character in _STOPS and lowered[position + 1 : position + 2] not in _STOPS:
            tokens.append(_STOP)
            position += 1
        elif "一" <= character <= "鿿" and character not in _CHINESE_FIRST:
            tokens.append(_make_word(character))
            position += 1
        elif _LONE_LETTER.match(lowered, position):
            tokens.append(_letter(text, lowered, position))
            position += 1
        else:
            position = _add_words(text, lowered, position, tokens)
    return tokens


def _add_words(text: str, lowered: str, position: int, tokens: list[Token]) -> int:
    """Add the tokens of the words that stand at a place, or of what stands there otherwise; return where they end."""
    run = _RUN.match(lowered, position)
    if run is not None:
        words = run[1].split()
        n_added = _add_run(words, run[2], tokens)
        if n_added:
            return position + sum(map(len, words[:n_added])) + n_added
    match = _SIMPLE.match(lowered, position)
    token: Token | None = None
    if match is not None:
        word, following = match.groups()
        seconds = _SECONDS.get(word, _NO_SECONDS)
        if seconds is not _ANY and following not in seconds:
            token = _single_word(word)
    if match is None or token is None:
        match = _compile_alternatives().search(lowered, position)
        if match is None:
            return len(lowered)
        token = _token(match, text, lowered)
    if token[0] is KIND.REFUSE and token.text in _PERCEPTIONS and _OBSERVED.match(lowered, match.end()):
        token = Token(KIND.NEG, 0, token.text)
    tokens.append(token)
    return match.end()
