"""Words that options share, written out where a response has fewer: "It fails to start", "clips 1 and 3"."""

import re
from collections import Counter
from functools import lru_cache

_MAX_OPTIONS, _LONGEST, _FEWEST = 12, 600, 2
_SUBJECT = re.compile(r"(?:the|an?|both|his|her|their) [a-z]+ (?=[a-z])|(?:两个|这个)?[\u4e00-\u9fff]{2,3}")
# What the options compare with, or measure from: "louder than the speech", "to the left of the speech".
_OBJECT = re.compile(r"(?<= )(?:than|of) (?P<name>(?:the|an?) [a-z]+(?: [a-z]+)?)$")
_NUMBERED = re.compile("(?P<noun>[a-z]+) [0-9]{1,2}")
_OBJECT_PRONOUN = re.compile(r"(?<=(?:of|an)) it(?=[.,;!\n]|$| (?:and|but)(?![a-z]))")
_PRONOUN = r"(?:it|this|that|he|she|they)"
_HINTS = (
    "It ", " it ", "This ", "That ", " he ", "He ", " she ", "She ", "They ", " they ", "它", "他", "她", "这",
)  # fmt: skip
_PRONOUN_IN_CHINESE = "[它他她这]"


@lru_cache(maxsize=4_096)
def _list_predicates(texts: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return what options say of a subject that several of them share, with the whole text."""
    if not _FEWEST <= len(texts) <= _MAX_OPTIONS:
        return ()
    subjects = [match.group() if (match := _SUBJECT.match(text)) else "" for text in texts]
    shared = {subject for subject, number in Counter(subjects).items() if subject and number >= _FEWEST}
    predicates = [
        (text.removeprefix(subject), text)
        for text, subject in zip(texts, subjects, strict=True)
        if subject in shared and len(text) > len(subject)
    ]
    counts = Counter(predicate for predicate, _ in predicates)
    return tuple((predicate, text) for predicate, text in predicates if counts[predicate] == 1)


@lru_cache(maxsize=4_096)
def _find_object(texts: tuple[str, ...]) -> str | None:
    """The name that at least two options end in, behind "than" or "of"; None where there are several."""
    names = Counter(match["name"] for text in texts if (match := _OBJECT.search(text)))
    return next(iter(names)) if len(names) == 1 and names.total() >= _FEWEST else None


def write_subjects(response: str, texts: tuple[str, ...]) -> str | None:
    """Return a response in which clauses of a pronoun and what one option says of its subject are that option.

    Args:
        response: As it was written.
        texts: Of the options, in lower case.

    >>> texts = ("the engine starts", "the engine fails to start", "no engine is heard")
    >>> write_subjects("The starter turns. It fails to start.", texts)
    'The starter turns. the engine fails to start.'
    """
    if len(response) > _LONGEST or not any(map(response.__contains__, _HINTS)):
        return None
    lowered = response.lower()
    written = response
    for predicate, text in _list_predicates(texts):
        if predicate not in lowered:
            continue
        head = rf"(?<![a-z]){_PRONOUN} " if predicate.isascii() else _PRONOUN_IN_CHINESE
        clause = rf"(?:^|(?<=[.!?;,:。,;]|\n)|(?<=[.!?;,:\n] )){head}{re.escape(predicate)}(?=[.!?;,。,;\n]|$)"
        written = _replace(clause, text, written)
    return None if written == response else written


def _replace(clause: str, text: str, written: str) -> str:
    return re.sub(clause, lambda _: text, written, flags=re.IGNORECASE)


def write_objects(response: str, texts: tuple[str, ...]) -> str:
    """Return a response in which "than it" and "left of it" name what the options are about, as the options do.

    >>> write_objects("Softer than the bell, at the left of it.", ("softer than the bell", "to the left of the bell"))
    'Softer than the bell, to the left of the bell.'
    """
    if " of " not in response and " than it" not in response:
        return response
    name = _find_object(texts)
    if name is None or name not in response.lower():
        return response
    response = _OBJECT_PRONOUN.sub(f" {name}", response)
    for text in texts:
        if text.startswith("to the ") and text[7:] in response:
            phrase = rf"(?<![a-z])(?:(?:from|on|at|in|to) )?(?:the )?{re.escape(text[7:])}"
            response = re.sub(phrase, text, response)
    return response


def write_numbered(response: str, texts: tuple[str, ...]) -> str:
    """Return a response in which a list of numbers names each option: "clips 1, 2 and 4".

    >>> write_numbered("Clips 1 and 3 are alike.", ("clip 1", "clip 2", "clip 3"))
    'clip 1 and clip 3 are alike.'
    """
    noun = _find_numbered_noun(texts)
    if noun is None or f"{noun}s " not in response.lower():
        return response
    return re.sub(
        rf"(?<![a-z]){noun}s (?P<list>[0-9]{{1,2}}(?:(?:, (?:and )?| and | & | or )[0-9]{{1,2}})+)(?![0-9.])",
        lambda match: re.sub("[0-9]+", rf"{noun} \g<0>", match["list"]),
        response,
        flags=re.IGNORECASE,
    )


@lru_cache(maxsize=4_096)
def _find_numbered_noun(texts: tuple[str, ...]) -> str | None:
    """The noun of options such as "clip 1" and "clip 2"."""
    matches = [_NUMBERED.fullmatch(text) for text in texts]
    nouns = {match["noun"] if match else "" for match in matches}
    return next(iter(nouns)) or None if len(nouns) == 1 else None
