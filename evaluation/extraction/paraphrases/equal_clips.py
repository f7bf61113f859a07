"""Answers that two clips do not differ, where one option says that: "I do not notice any difference", 两段一样快."""

import re
from functools import lru_cache

_LONGEST = 160
_CLIP = re.compile(
    r"(?:the )?(?:(?:audio )?(?:clip|audio|sound|recording|sample|track|tone) ?[ab12]|(?:first|second)(?: [a-z]+)?)"
    r"|第[一二](?:段|个)(?:音频|录音|声音)?|(?:音频|录音|片段)[一二ab12]"
)
_EQUAL = re.compile(
    r"(?<![a-z])(?:same|equal|equally|identical|no (?:audible |clear )?(?:difference|change))(?![a-z])"
    r"|(?<!不)(?:一样|相同|相等)|[没无]有?(?:明显)?(?:区别|差别|差异)"
)
_SAID = re.compile(
    r"(?<![a-z])(?:(?:can ?not|can't|could not|couldn't|do not|don't|did not|didn't) (?:really )?(?:hear|notice|detect"
    r"|perceive|find|tell|make out) (?:any|a|the) (?:audible |clear |obvious |real )*difference"
    r"|(?:there is|there's|i hear|with)? ?no (?:audible |clear |obvious |real |noticeable )*difference"
    r"|(?:they|both|the two|these two|both clips|the clips|the two clips|both recordings|the two recordings)(?:'re| are"
    r"| sound| seem)? (?:exactly |about |just |almost )?(?:the same|identical|equal|equally [a-z]+))(?![a-z])"
    r"|(?:两段|两者|两个|它们|二者)[^,。;]{0,8}(?<!不)(?:一样|相同|差不多)"
    r"|(?:没有|听不出|没听出)(?:任何|明显的?|什么)?(?:区别|差别|差异)"
)
_DIFFERS = re.compile(
    r"(?<![a-z])(?:but|however|although|though|yet|than|more|less|not (?:quite |exactly )?(?:the same|equal|identical)"
    r"|if|or|maybe|perhaps|might|almost)(?![a-z])|\?|[a-z]+er(?= (?:in|for) (?:clip|the))"
    r"|但|更|比|不一样|不同|如果|可能"
)


@lru_cache(maxsize=4_096)
def list_equal_clips(texts: tuple[str, ...]) -> tuple[int, ...]:
    """Return the position of the option that two clips do not differ, where all others are clips."""
    equal = tuple(place for place, text in enumerate(texts) if _EQUAL.search(text))
    others = [text for place, text in enumerate(texts) if place not in equal]
    return equal if len(equal) == 1 and len(others) > 1 and all(map(_CLIP.fullmatch, others)) else ()


def find_equal_clips(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The option that two clips do not differ, where a cleaned response in lower case says so.

    >>> find_equal_clips("i do not notice any difference.", ("clip a", "clip b", "no difference"))
    2
    """
    places = list_equal_clips(texts)
    if not places or len(lowered) > _LONGEST or not _SAID.search(lowered) or _DIFFERS.search(lowered):
        return None
    return places[0]
