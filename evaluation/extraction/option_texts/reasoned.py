"""Options that are a yes or no with a reason: "Yes. Two people talk at once" is "Yes, because two speak at once"."""

import re
from functools import lru_cache
from typing import NamedTuple

from evaluation.extraction.language.lexicon import WORD_LISTS
from evaluation.extraction.language.units import find_opposites, is_negative, list_units, stem

_POLAR = r"(?P<no>no(?! one| sound)|否|不是|不会|没有|不|不能)|(?P<yes>yes|是的?|会|有|能)"
_OPTION = re.compile(
    rf"(?:{_POLAR})(?: ?[,:;–—-]+ ?| )(?:because |since |as |for )?(?P<reason>.+)"
    r"|(?:(?P<not>否|不是)|是)[,:;](?:因为)?(?P<zh>.+)"
)
_LEAD = re.compile(
    r"\W*(?:(?P<no>no|nope|否|不是|没有)|(?P<yes>yes|yeah|是的?))"
    r"(?: ?[.,:;!，。：；！–—-]+\s*|\s+(?=because|since|as))(?:because |since |as |因为)?",
    re.IGNORECASE,
)
_MAX_OPTIONS = 8
# What reasons about speech have in common, whatever they call it.
_ALIKE = tuple(
    (re.compile(rf"(?<![a-z])(?:{words})(?![a-z])"), written)
    for words, written in (
        ("speakers?|voices?|talkers?|people|persons?|individuals?", "person"),
        ("at the same time|at once|simultaneously|together|overlap(?:s|ping)?", "simultaneous"),
        ("speaks?|speaking|spoken|talks?|talking", "speak"),
        ("no[ -]one|nobody|there (?:is|are|was|were) no", "nobody"),
        ("a single|single", "one"),
        ("just", "only"),
        ("there(?:'s| is| are| was| were)|(?:i )?(?:can )?hear|heard|audible|here|because|since|as", ""),
    )
)
_NO_CONTENT = frozenset({"only", "both", "still", "again", *"只仅就都还声"})
_NUMERALS = frozenset(map(stem, WORD_LISTS["NUMBER_WORDS"])) | frozenset("零一二两三四五六七八九十")
_OPEN = re.compile(
    r"(?<![a-z])(?:or|but|if|whether|maybe|perhaps|might|could|may|not|never|however|although)(?![a-z])|n't|\?|？"
    "|或|但|如果|可能|也许|不"
)
# "The starter is dead", 启动器坏了.
_SUBJECT = re.compile(
    r"(?:the |an? |his |her |its |their )?(?P<subject>(?:[a-z]+ ){1,3}?)(?:is|are|was|were|has|have)"
    r" [a-z ]{2,40} ?[.!]?"
    r"|(?P<zh>[\u4e00-\u9fff]{2,4}?)(?:是|被|已经?|都)*(?:坏|断|没|空|死|掉|停|漏|堵|松|裂)[\u4e00-\u9fff]{0,3}了?[。!]?"
)
# What a reason hears, and no thing that it is about: "Yes, his voice is raised".
_PERCEIVED = re.compile(
    r"(?<![a-z])(?:it|he|she|they|this|that|these|those|there|i|we|you|which|what|voice|tone|sound|noise|pitch|volume"
    r"|speech|music|audio|recording|clip|rhythm|tempo|timbre|words?|signal|level|melody|beat|one|both|all|nobody"
    r"|someone|everyone|speaker|person|people|man|woman"
    r"|guy|lady|boy|girl|child|kid|baby|caller|singer|vocalist|narrator|driver|audience|crowd|animal|puppy|kitten|bird"
    r"|frequency|notes?|instrument|vehicle|two|three|first|second|other)s?(?![a-z])"
)
_LEAST, _LONGEST = 0.5, 160


class _Reason(NamedTuple):
    is_yes: bool
    text: str


@lru_cache(maxsize=4_096)
def list_reasons(texts: tuple[str, ...]) -> tuple[_Reason, ...]:
    """Return whether each option is a yes, and its reason; nothing unless all are a yes or no with a reason."""
    matches = [_OPTION.fullmatch(text) for text in texts[: _MAX_OPTIONS + 1]]
    reasons = tuple(
        _Reason(not (match["no"] or match["not"]), match["reason"] or match["zh"]) for match in matches if match
    )
    return reasons if len(reasons) == len(texts) > 1 and len({reason.is_yes for reason in reasons}) == 2 else ()


def list_candidates(response: str, texts: tuple[str, ...]) -> tuple[str, tuple[int, ...]] | None:
    """Return the reason of a response that opens with yes or no, and the options that answer the same.

    >>> list_candidates("No. Nobody speaks.", ("yes, two speak", "no, one speaks", "no, nobody speaks at all"))
    ('Nobody speaks.', (1, 2))
    """
    reasons = list_reasons(texts)
    lead = _LEAD.match(response) if reasons else None
    if lead is None:
        return None
    places = tuple(place for place, reason in enumerate(reasons) if reason.is_yes == bool(lead["yes"]))
    return response[lead.end() :], places


def find_shared_reason(said: str, places: tuple[int, ...], texts: tuple[str, ...]) -> int | None:
    """The one of some options whose reason has most of the words of the reason that a response gives.

    >>> find_shared_reason("Just one speaker.", (0, 1), ("no, one person talks", "no, nobody talks", "yes, two do"))
    0
    """
    lowered = said.lower()
    if len(lowered) > _LONGEST or _OPEN.search(lowered):
        return None
    reasons = list_reasons(texts)
    given, is_denial = _list_content(lowered), is_negative(_write_alike(lowered))
    contents = {
        place: _list_content(reasons[place].text)
        for place in places
        if is_negative(_write_alike(reasons[place].text)) == is_denial
    }
    fitting = [place for place, content in contents.items() if _fits(given, content)]
    if len(fitting) != 1:
        return None
    (place,) = fitting
    others = [content for other, content in contents.items() if other != place]
    foreign = frozenset[str]().union(*others)
    own = contents[place]
    return place if not given & (foreign - own) and (given & (own - foreign) or not others) else None


def differs_in_reason(response: str, texts: tuple[str, ...], place: int) -> bool:
    """Whether a response answers the other way round than an option, or gives the state of another thing as its reason.

    >>> options = ("yes, the engine runs", "no, the battery is dead")
    >>> differs_in_reason("No, the starter is dead.", options, 1), differs_in_reason("No, it's dead.", options, 1)
    (True, False)
    """
    if opposes_lead(response, texts, place):
        return True
    reasons = list_reasons(texts)
    lead = _LEAD.match(response) if reasons else None
    said = _SUBJECT.fullmatch(response[lead.end() :].lower()) if lead is not None else None
    own = _SUBJECT.fullmatch(reasons[place].text) if said is not None else None
    if said is None or own is None:
        return False
    subject = said["subject"] or said["zh"]
    if _PERCEIVED.search(subject) or _OPEN.search(said.group()):
        return False
    if said["zh"]:
        return not any(subject[place : place + 2] in text for place in range(len(subject) - 1) for text in texts)
    known = frozenset[str]().union(*(_list_content(reason.text) for reason in reasons))
    return _list_content(subject).isdisjoint(known)


def _write_alike(lowered: str) -> str:
    for pattern, written in _ALIKE:
        lowered = pattern.sub(written, lowered)
    return lowered


def _list_content(lowered: str) -> frozenset[str]:
    return frozenset(list_units(_write_alike(lowered)))


def _fits(given: frozenset[str], content: frozenset[str]) -> bool:
    """Whether the words of a response are most of a reason, and little else; both name the same numbers and things."""
    shared = given & content
    numbers = given & _NUMERALS, content & _NUMERALS
    if not shared - _NO_CONTENT - _NUMERALS or (all(numbers) and numbers[0] != numbers[1]):
        return False
    if numbers[0] - numbers[1] or find_opposites(content) & given:
        return False
    return len(shared) >= _LEAST * max(len(given), len(content))


def opposes_lead(response: str, texts: tuple[str, ...], place: int) -> bool:
    """Whether a response opens with yes and an option is a no with a reason, or the other way round.

    >>> opposes_lead("No, because two speak.", ("yes, two speak", "no, one speaks", "no, nobody speaks"), 0)
    True
    """
    reasons = list_reasons(texts)
    lead = _LEAD.match(response) if reasons else None
    return lead is not None and reasons[place].is_yes != bool(lead["yes"])
