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
    return reasons if len(reasons) == len(texts) > 2 and len({reason.is_yes for reason in reasons}) == 2 else ()


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
