"""Orders of clips told by the place of each: "clip 2 comes last, clip 3 starts and clip 1 is in between"."""

import re
from functools import lru_cache

_OPTION = re.compile(r"clip ([1-9])(?: ?-> ?clip ([1-9])){2}")
_CLIP = re.compile(r"(?:clips?|audio|片段|音频) ?([1-9])(?![0-9.])|第([一二三])[段个]")
_CLAUSE_END = re.compile(r"[,;.。!\n]|(?<![a-z])(?:and|while|but|then)(?![a-z])")
_PLACES = (
    re.compile(
        r"(?<![a-z])(?:first|starts?|starting|begins?|opens?|opening|beginning|initial|earliest)(?![a-z])|最先|首先|最早|开头|排第一"
    ),
    re.compile(r"(?<![a-z])(?:middle|second|between|next|follows|in between)(?![a-z])|中间|其次|排第二"),
    re.compile(
        r"(?<![a-z])(?:last|final|finally|ends?|ending|concludes?|closes?|third|finish(?:es)?)(?![a-z])|最后|结尾|末尾|排第三"
    ),
)
_DOUBT = re.compile(
    r"(?<![a-z])(?:not|or|if|whether|could|might|may|never|before|after)(?![a-z])|n't|不|或|之前|之后|\?"
)
_CHINESE = {"一": 1, "二": 2, "三": 3}
_LONGEST, _N_CLIPS = 400, 3


@lru_cache(maxsize=4_096)
def list_clip_orders(texts: tuple[str, ...]) -> dict[tuple[int, ...], int]:
    """Return order → position of the options that are orders of three clips; none where fewer than two are."""
    orders = {}
    for place, text in enumerate(texts):
        if _OPTION.fullmatch(text):
            orders[tuple(map(int, re.findall("[1-9]", text)))] = place
    return orders if len(orders) > 1 else {}


def find_clip_order(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The option whose order a cleaned text in lower case tells by the place of each clip, or of all but one."""
    if len(lowered) > _LONGEST or _DOUBT.search(lowered):
        return None
    told: dict[int, set[int]] = {}
    for clause in _CLAUSE_END.split(lowered):
        clips = {int(match[1]) if match[1] else _CHINESE[match[2]] for match in _CLIP.finditer(clause)}
        rest = _CLIP.sub(" ", clause)
        places = [place for place, pattern in enumerate(_PLACES) if pattern.search(rest)]
        if len(clips) == 1 and len(places) == 1:
            told.setdefault(clips.pop(), set()).add(places[0])
        elif len(clips) > 1 or (clips and places):
            return None
    if any(len(places) > 1 for places in told.values()) or len(told) < _N_CLIPS - 1:
        return None
    order = _complete({places.pop(): clip for clip, places in told.items()})
    return list_clip_orders(texts).get(order) if order is not None else None


def _complete(clips: dict[int, int]) -> tuple[int, ...] | None:
    """The order of three clips of which two or three places are known."""
    missing = {1, 2, 3} - set(clips.values())
    free = [place for place in range(_N_CLIPS) if place not in clips]
    if len(missing) != len(free) or len(free) > 1:
        return None
    clips |= dict(zip(free, missing, strict=True))
    return tuple(clips[place] for place in range(_N_CLIPS))
