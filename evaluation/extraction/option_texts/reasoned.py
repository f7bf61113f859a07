"""Options that are a yes or no with a reason: "Yes. Two people talk at once" is "Yes, because two speak at once"."""

import re
from functools import lru_cache
from typing import NamedTuple

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


def opposes_lead(response: str, texts: tuple[str, ...], place: int) -> bool:
    """Whether a response opens with yes and an option is a no with a reason, or the other way round.

    >>> opposes_lead("No, because two speak.", ("yes, two speak", "no, one speaks", "no, nobody speaks"), 0)
    True
    """
    reasons = list_reasons(texts)
    lead = _LEAD.match(response) if reasons else None
    return lead is not None and reasons[place].is_yes != bool(lead["yes"])
