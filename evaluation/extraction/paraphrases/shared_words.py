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
# "Louder than the speech and on the left", "quieter than before", where no option names what it compares with.
_COMPARED = re.compile(
    r"(?<![a-z])(?P<word>[a-z]{2,}er|(?:more|less) [a-z]+),? \(?(?:than|(?:as )?compared (?:to|with)|relative to)"
    r" (?:(?:at|in|on|it was|they were|that of|what) )?(?:the |an? |its |his |her |their )?[a-z0-9'-]+"
    r"(?: (?!and |but |or |on |at |in |to |while |so |also )[a-z0-9'-]+){0,3}\)?"
    r"(?=[,.;:!\n]|$| (?:and|but|on|at|in|to|while|so|also)(?![a-z]))"
)
_COMPARES = re.compile(r"(?<![a-z])(?:than|compared|relative|as [a-z]+ as)(?![a-z])")
_NOT_MORE = re.compile(
    r"(?<![a-z])(?:no|not|never|nothing|nobody|none|neither|nor|if|or|either|whether)(?![a-z])|n't|\?"
)
_COMPARED_IN_CHINESE = re.compile(
    "(?<![相对不没])比[^,。;、\n比]{1,8}?(?:更|要|还)?(?P<word>[大小高低响轻远近快慢多少长短强弱亮暗])(?![声音节])(?:一?[点些])?"
)
_ONE_OF_TWO = re.compile(
    r"(?<![a-z])(?:first|second|third|former|latter|left|right|man|woman|boy|girl|male|female|clip|tone|note|voice"
    r"|speaker)(?: [a-z]+)?(?: [0-9a-d])? (?:is|was|are|were|sounds?|gets?|has|lasts|comes)(?![a-z])"
)
_NOT_MORE_IN_CHINESE = re.compile("[不没非无]|或|如果|还是|吗|[?？]")


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


def write_comparisons(response: str, texts: tuple[str, ...]) -> str:
    """Return a response without what it compares with, where the options have a comparative but nothing behind it.

    >>> write_comparisons("Quieter than the speech and on the left.", ("louder, on the left", "quieter, on the left"))
    'Quieter and on the left.'
    """
    if " than " in response or "ompared " in response or " relative to " in response:
        lowered = response.lower()
        if len(response) > _LONGEST or _NOT_MORE.search(lowered) or any(map(_COMPARES.search, texts)):
            return response
        # "The first is higher than the second": which of them the options are about is not known.
        if _ONE_OF_TWO.search(lowered) and not any(map(_ONE_OF_TWO.search, texts)):
            return response
        matches = [match for match in _COMPARED.finditer(lowered) if _has_word(match["word"], texts)]
        for match in reversed(matches):
            response = response[: match.end("word")] + response[match.end() :]
    elif "比" in response and len(response) <= _LONGEST and not any("比" in text for text in texts):
        if _NOT_MORE_IN_CHINESE.search(response):
            return response
        response = _COMPARED_IN_CHINESE.sub(lambda match: _find_comparative(match, texts), response)
    return response


def _find_comparative(match: re.Match[str], texts: tuple[str, ...]) -> str:
    """What options have instead of "比人声小": "更小", "较小" or "小"."""
    forms = (f"{degree}{match['word']}" for degree in ("更", "较", ""))
    return next((form for form in forms if any(form in text for text in texts)), match.group())


def _has_word(word: str, texts: tuple[str, ...]) -> bool:
    return any(re.search(rf"(?<![a-z]){word}(?![a-z])", text) for text in texts)


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
