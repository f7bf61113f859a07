"""Leaving out the sentences that say nothing of any option, so that fewer words need to be read.

A sentence is neutral when whatever stands in it changes nothing outside: it names no option, takes nothing back,
refuses nothing, and has an ordinary word, so that no cue of it ("the answer is") reaches into the next sentence.
Every run of neutral sentences is written as one ordinary word and a stop, which leaves the reader in the same state.
The readings are the same, and what is left repeats from answer to answer, so that it can be remembered.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from evaluation.extraction.claims.mentions import BEFORE_NOUN, names_option
from evaluation.extraction.language.lexicon import CHINESE, ENGLISH, KIND, LEXICON
from evaluation.extraction.language.polarity import VERDICT_WORDS
from evaluation.extraction.language.symbols import CHINESE_CHARACTER
from evaluation.extraction.language.tokens import PLACES, Token, tokenize
from evaluation.extraction.option_reviews.remainders import WORDS_OF_REST
from evaluation.extraction.option_texts.options import PreparedOptions
from evaluation.extraction.option_texts.quantities import LONGEST_WITH_QUANTITIES, has_number

_SHORTEST, _SHORTEST_CHINESE = 20, 7
_MEMO_SIZE = 65_536
_LONGEST_REMEMBERED = 300
# Of a letter at the start of a sentence, the two tokens behind it decide: a word, and a phrase of up to six words.
_REACH = 8
_ASIDE = "xx"
_FULL_STOPS = (".", "。")
# Letters of options may be written as one word, "ACD".
_CAPITALS = re.compile("[A-Z][A-Z]")

_ENDS = frozenset({KIND.STOP, KIND.LINE, KIND.QUESTION})
# What a neutral sentence must not have: it says something of an option or of the whole response, or, as a cue, makes
# a letter in the next sentence an option ("… the answer. B flat").
_TELLING = frozenset({
    KIND.TEXT, KIND.ORDINAL, KIND.EVERY, KIND.NONE, KIND.REVISE, KIND.REFUSE, KIND.NO, KIND.ANSWER, KIND.CHOOSE,
    KIND.FINAL, KIND.NOUN,
})  # fmt: skip

_OPEN_ENDS = frozenset({KIND.ANSWER, KIND.IS, KIND.COLON, KIND.CHOOSE, KIND.FINAL, KIND.THEREFORE})
_SIGNS = frozenset({KIND.STOP, KIND.CLOSE, KIND.COMMA, KIND.BREAK, KIND.LINE})

# A stop ends a sentence where a blank follows; what other stops do is left to the tokens.
_SENTENCE_END = re.compile(r"([.!?。\n](?:[ \n]+|(?<=[。\n])|\Z))")
_TO_WORDS = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))
_SUFFIX = re.compile(r"'(?<=[a-z0-9]')[a-z](?![a-z0-9'])")
_ASCII_WORD = re.compile("[a-z0-9]+")
_SINGLE = re.compile(r"([aiAI])(?<![A-Za-z0-9].)(?![A-Za-z0-9])(?: ([a-z]{2,})(?: ([a-z]{2,}))?(?![a-z0-9'.,_#-]))?")
_SURELY_TELLING = re.compile("[\ue000-\uf8ffB-HJ-Z](?<![A-Za-z0-9].)(?![A-Za-z0-9'])")
# Words of a reasoning that are too frequent to tell a phrase by.
_COMMON = frozenset(
    {"with", "for", "end", "in", "the", "sound", "audio", "hear", "of", "to", "on", "i", "it", "that", "can", "right"}
    | {"not", "toward", "towards", "four", "above", "or", "rather"}
)


def _split_words(lowered: str) -> list[str]:
    """The words of a text, without what an apostrophe adds: the "s" of "it's" is no letter of an option."""
    if "'" in lowered:
        lowered = _SUFFIX.sub(" ", lowered)
    return lowered.translate(_TO_WORDS).split() if lowered.isascii() else _ASCII_WORD.findall(lowered)


def _rarest_words(phrases: list[str]) -> frozenset[str]:
    """One word of every phrase, so that a text without these words has none of the phrases."""
    chosen: set[str] = set()
    for words in sorted((_split_words(phrase) for phrase in phrases), key=len):
        rare = [word for word in words if word not in _COMMON]
        if rare and chosen.isdisjoint(words):
            chosen.add(max(reversed(rare), key=len))
    return frozenset(chosen)


_TELLING_ENGLISH = [phrase for phrase, kind in ENGLISH.items() if kind in _TELLING]
_TELLING_WORDS = _rarest_words(_TELLING_ENGLISH) | WORDS_OF_REST | frozenset("bcdefghjklmnopqrstuvwxyz")
# Where a stop inside a sentence may be the end of another one (a decimal point is none).
_INNER_END = re.compile("[!?….\ue000-\uf8ff](?:(?<=[^.])|(?<=\\.)(?:(?!\\d)|(?<!\\d\\.)))")
_COMMON_PHRASES = tuple(phrase for phrase in _TELLING_ENGLISH if _COMMON.issuperset(_split_words(phrase)))
_FILLING = frozenset({KIND.FILLER, KIND.NOUN, KIND.COLON, KIND.BREAK, KIND.CLOSE, KIND.OR})
# "The first one", and verdicts at an edge of a sentence, which may be about the option before it.
_PLACES = frozenset({*PLACES, "last"})
_PLACE = re.compile(rf"(?:{'|'.join(sorted(_PLACES))})(?: one(?![a-z])|[\"')]*[.!]|\Z|\n)")
# One word of every verdict, none of them "the": near an edge of a sentence it may be one about the option before.
_WORDS_OF_VERDICTS = frozenset(
    max(words, key=lambda word: (word != "the", len(word)))
    for phrase in VERDICT_WORDS
    if (words := _split_words(phrase))
)
# Verdicts that are a token of their own wherever they are the last word: no phrase ends in them.
_LAST_VERDICTS = frozenset(
    word
    for word in VERDICT_WORDS
    if len(word) > 1
    and _ASCII_WORD.fullmatch(word)
    and LEXICON.get(word) not in _FILLING
    and not any(phrase.endswith(f" {word}") for phrase in LEXICON)
)
_CHINESE_VERDICTS = tuple(filter(CHINESE_CHARACTER.match, VERDICT_WORDS))
_TELLING_CHINESE = re.compile(
    "选项|第|最后|其余|其他|其它|剩下|余下|另外|剩余|"
    + "|".join(phrase for phrase, kind in CHINESE.items() if kind in _TELLING)
)
_CHINESE_REST = re.compile("其余|其他|其它|剩下|余下|另外|剩余")
# The one phrase with a stop: what follows it belongs to the same sentence.
_EXAMPLE, _LAST_OF_EXAMPLE = "e.g", frozenset("gG")
_KNOWN_WORDS = frozenset(word for phrase in LEXICON for word in _split_words(phrase))
_KNOWN_CHARACTERS = frozenset("".join(CHINESE)) | frozenset("选项第一二三四五六七八")


def _has_common_phrase(lowered: str) -> bool:
    return any(map(lowered.__contains__, _COMMON_PHRASES))


def _only_articles(sentence: str) -> bool:
    """Whether every "a" stands before a noun and every "i" before a verb, as far as single words show it."""
    for place, (letter, following, beyond) in enumerate(_SINGLE.findall(sentence)):
        known = not following or following in _KNOWN_WORDS
        steered = beyond and beyond not in _KNOWN_WORDS and following in BEFORE_NOUN
        article = (letter in "aA" and steered) or (letter == "a" and following == "while") or not known
        if not article and (place or not _starts_with_article(sentence)):
            return False
    return True


def _starts_with_article(sentence: str) -> bool:
    return sentence[1] == " " and _remember_article(" ".join(sentence.split(" ", _REACH)[:_REACH]))


@lru_cache(maxsize=_MEMO_SIZE)
def _remember_article(words: str) -> bool:
    """Whether the first words of a sentence show that the letter before them names no option: "A so-called expert"."""
    tokens = tokenize(words)
    is_sure = tokens[0].kind is KIND.LABEL and len(tokens) > 1 and " " not in tokens[1].text
    return is_sure and not names_option(tokens, 0)


def _starts_with_verdict(words: list[str]) -> bool:
    """Whether a verdict may stand before the first ordinary word; the "heard" of "a bell is heard" does not."""
    for word in words:
        if word in _WORDS_OF_VERDICTS:
            return True
        if word not in _KNOWN_WORDS and len(word) > 1:
            return False
    return True


def _has_chinese_verdict_at_edge(text: str) -> bool:
    bare = text.rstrip(".!。")
    return (
        text.startswith(_CHINESE_VERDICTS)
        or bare.endswith(_CHINESE_VERDICTS)
        or (bare.endswith("的") and bare[:-1].endswith(_CHINESE_VERDICTS))
    )


def _may_judge(lowered: str, words: list[str]) -> bool:
    """Whether a sentence may start or end with a verdict, or names a place, "the first one"."""
    near_an_edge = not _WORDS_OF_VERDICTS.isdisjoint(words[:6]) or not _WORDS_OF_VERDICTS.isdisjoint(words[-4:])
    if near_an_edge and (words[-1] in _KNOWN_WORDS or _starts_with_verdict(words) or _starts_with_verdict(words[::-1])):
        return True
    if not lowered.isascii() and _has_chinese_verdict_at_edge(lowered):
        return True
    return ("one" in words or not _PLACES.isdisjoint(words[-1:])) and _PLACE.search(lowered) is not None


def _judges(tokens: list[Token]) -> bool:
    """Whether a sentence starts or ends with a verdict, which may be about the option before it."""
    told = [token for token in tokens if token.kind not in _FILLING and token.kind not in _ENDS]
    # "Not supported: nobody speaks." opens with a verdict as well.
    opening = [token.text for token in told[: 2 if told and told[0].kind is KIND.NEG else 1]]
    return bool(told) and not VERDICT_WORDS.isdisjoint((*opening, told[-1].text))


def _surely_neutral(sentence: str, *, stopped: bool) -> bool:
    """Whether a look at the single words shows that a sentence is neutral; it may be so even where this is false.

    A sentence that only a new line ends could hand a cue on by its last word, so that word must be an ordinary one.
    """
    lowered = sentence.lower()
    words = _split_words(lowered)
    if not _TELLING_WORDS.isdisjoint(words) or not lowered[0].isalnum() or _may_judge(lowered, words):
        return False
    if _has_common_phrase(lowered):
        return False
    if ("a" in words or "i" in words) and not _only_articles(sentence):
        return False
    if lowered.isascii():
        if ("." in lowered or "!" in lowered or "?" in lowered) and _INNER_END.search(lowered):
            return False
        return not _KNOWN_WORDS.issuperset(words if stopped else words[-1:]) and (stopped or lowered[-1].isalnum())
    if _INNER_END.search(lowered) or _TELLING_CHINESE.search(lowered) or not CHINESE_CHARACTER.match(lowered[-1]):
        return False
    return not _KNOWN_CHARACTERS.issuperset(CHINESE_CHARACTER.findall(lowered) if stopped else lowered[-1])


def _is_neutral(sentence: str, *, stopped: bool) -> bool:
    """Whether a sentence is neutral; its single words show that of most."""
    if _surely_neutral(sentence, stopped=stopped):
        return True
    if _SURELY_TELLING.search(sentence) or sentence.rpartition(" ")[2].lower() in _LAST_VERDICTS:
        return False
    return _has_neutral_tokens(sentence)


def _has_neutral_tokens(sentence: str) -> bool:
    tokens = tokenize(sentence)
    if not WORDS_OF_REST.isdisjoint(token.text for token in tokens) or _CHINESE_REST.search(sentence):
        return False
    if not tokens or tokens[0].kind in _SIGNS or tokens[-1].kind in _OPEN_ENDS or _judges(tokens):
        return False
    plain = False
    for position, token in enumerate(tokens):
        kind = token.kind
        if kind in _TELLING or (kind is KIND.LABEL and (token.text not in "ai" or names_option(tokens, position))):
            return False
        if kind in _ENDS and position and tokens[position - 1].kind is KIND.NEG:
            return False  # A "hardly" by itself takes back what was said before.
        plain = kind is KIND.WORD or (plain and kind not in _ENDS)
    return plain


def _judge_sentence(sentence: str) -> str | None:
    """The lower case of a sentence with a stop that is neutral; nothing where it may have joined letters, "ACD"."""
    if not _is_neutral(sentence, stopped=True):
        return None
    return "" if _CAPITALS.search(sentence) else sentence.lower()


def _is_neutral_line(sentence: str) -> bool:
    return _is_neutral(sentence, stopped=False)


# Sentences repeat: what models say of recordings has few wordings. A memo is looked up fastest by a text alone.
_remember_sentence = lru_cache(maxsize=_MEMO_SIZE)(_judge_sentence)
_remember_line = lru_cache(maxsize=_MEMO_SIZE)(_is_neutral_line)


def _is_short(sentence: str) -> bool:
    """Whether a sentence is not worth a look."""
    return len(sentence) < _SHORTEST and (len(sentence) < _SHORTEST_CHINESE or sentence.isascii())


def _says_nothing(sentence: str, end: str, _: str) -> bool:
    """Whether a sentence with such an end is neutral."""
    if _is_short(sentence):
        return False
    is_long = len(sentence) > _LONGEST_REMEMBERED
    if end > "\n":
        return (_judge_sentence if is_long else _remember_sentence)(sentence) is not None
    return (_is_neutral_line if is_long else _remember_line)(sentence)


def _is_far_reaching(text: str) -> bool:
    """Whether a text has signs of phrases for which the rest of it matters."""
    return "A:" in text or "A :" in text or "剩" in text


def leave_out_asides(text: str, prepared: PreparedOptions) -> str:
    """Condense a cleaned text in which the texts of the options are not marked yet.

    Only sentences that end in a stop are left out: an option's text may stand on two lines, but not in two sentences.
    """
    if not prepared.in_one_sentence or text[:1] in "qQ" or _is_far_reaching(text):
        return text
    counted = prepared.quantities is not None
    if counted and len(text) > LONGEST_WITH_QUANTITIES:
        return text

    def is_aside(sentence: str, end: str, before: str) -> bool:
        if end[:1] not in _FULL_STOPS or _is_short(sentence):
            return False
        lowered = (_judge_sentence if len(sentence) > _LONGEST_REMEMBERED else _remember_sentence)(sentence)
        if not lowered or (before[:1] == "\n" and _starts_with(lowered, prepared.inner_words)):
            return False
        if counted and has_number(sentence):
            return False
        hinted = any(map(lowered.__contains__, prepared.first_hints))
        return not (hinted and any(all(map(lowered.__contains__, needed)) for needed in prepared.hints))

    return _leave_out(text, is_aside)


def condense(text: str) -> str:
    """Write every run of neutral sentences of a cleaned text as one word.

    >>> condense("A bell rings twice in the hall. Then it fades very slowly. The answer is B. The echo is heard last.")
    'xx. The answer is B. xx. '
    """
    return _leave_out(text, _says_nothing)


def _leave_out(text: str, says_nothing: Callable[[str, str, str], bool]) -> str:
    """Write every run of sentences that say nothing, given their ends and the ends before them, as one word."""
    parts = [*_SENTENCE_END.split(text), ""]
    kept: list[str] = []
    skipped, before, runs_on = "", "", False
    for place in range(0, len(parts), 2):
        sentence, end = parts[place], parts[place + 1]
        after_example, runs_on = runs_on, sentence[-1:] in _LAST_OF_EXAMPLE and sentence[-3:].lower() == _EXAMPLE
        apart = sentence and not runs_on and not after_example
        if apart and (sentence == _ASIDE or says_nothing(sentence, end, before)):
            skipped = "xx.\n" if "\n" in end else "xx. "
        else:
            kept += (skipped, sentence, end)
            skipped = ""
        before = end
    kept.append(skipped[:2])
    return "".join(kept)


def _starts_with(lowered: str, words: frozenset[str]) -> bool:
    match = _ASCII_WORD.match(lowered)
    return match is not None and match.group() in words
