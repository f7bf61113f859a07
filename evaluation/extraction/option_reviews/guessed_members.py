"""Members of a set that are only a guess: "A, maybe C", "An acoustic guitar, maybe a synth as well"."""

import re

# "A, maybe C": one of the members is only a guess.
_GUESSED = re.compile(
    r"[A-Za-z\ue000-\uf8ff](?![A-Za-z])[^\n.。]{0,12}(?:(?<![a-z])(?:maybe|perhaps|possibly|might be)"
    r"|可能|也许|或许|大概)(?:还?有|是|也是)? ?"
    r"[(]?[A-Z\ue000-\uf8ff](?![A-Za-z])"
    r"|可能[^。\n]{0,16}也可能|(?<=[。,;\n])[^。\n]{0,8}答案(?:也许|可能|或许|说不定)(?:还|会)?是?[A-Z\ue000-\uf8ff]"
    r"|(?:[Mm]aybe|[Pp]erhaps|[Pp]ossibly) (?:only )?[A-Z\ue000-\uf8ff][^.\n]{0,24}(?:,|;| or) ?(?:maybe|perhaps"
    r"|possibly) (?:only )?[A-Z\ue000-\uf8ff]"
    # "A and B. Or A and C."
    r"|(?<=[A-Za-z\ue000-\uf8ff][.。;!\n] )(?:Or|Or else|Or maybe|Alternatively),? (?:it is |it's "
    r"|option )?[A-Z\ue000-\uf8ff](?![A-Za-z])"
    r"|(?<=[A-Za-z\ue000-\uf8ff][.。;!\n])(?:或者?|要么|还是)(?:是|选)?[A-Z\ue000-\uf8ff](?![A-Za-z])"
    r"|(?:[Hh]ard|[Dd]ifficult|[Tt]ough) to (?:say|tell)[;,:] [A-Z](?![A-Za-z]),? (?:perhaps|maybe|possibly)"
    r"|(?:其他|其余|其它|the others?|the rest)[^.。\n]{0,12}(?:不(?:太)?确定|不清楚|不好说"
    r"|uncertain|unsure|unclear|not sure)"
    r"|(?<![A-Za-z])[A-Z\ue000-\uf8ff](?![A-Za-z])[)项]?(?:选项)? ?(?:(?:is|are) (?:also "
    r"|equally )?(?:a )?(?:possible|possibility|plausible)(?: too| as well)?(?= ?[.,;\n]|$)"
    r"|(?:might|may|could) (?:also|well|possibly|equally)?|(?:is|are) (?:(?:only|merely|at most) (?:implied|hinted at)"
    r"|borderline|debatable|arguable"
    r"|questionable|less certain|uncertain)"
    r"|(?:也|还|同样)(?:是)?(?:有可能|可能|说得通|不能排除)|不(?:能)?(?:完全)?排除|存疑|不太?确定|有待商榷)"
)
_FINAL = re.compile(r"(?<![a-z])final answer|最终答案|最终选择", re.IGNORECASE)
# "…, maybe a synth as well", "… there might be a flute too": a guess in other words than those of an option.
_ADDED = re.compile(
    r"(?:,|;| and| but|\.) ?(?:and |but )?(?:(?:i think |i believe )?there (?:might|may|could) (?:also )?be"
    r"|(?:maybe|perhaps|possibly)(?: (?:also|even|there is|there's))*)"
    r" (?:(?:an? |some |the )(?:[a-z]+|[\ue000-\uf8ff])(?: [a-z]+)?(?: (?:as well|too|also))?|(?:[a-z]+"
    r"|[\ue000-\uf8ff])(?: [a-z]+)? (?:as well|too))"
    r"(?= ?(?:[.,;!\n]|\Z| in | at | behind | under))",
    re.IGNORECASE,
)
_ADDING = (
    "maybe ",
    "perhaps ",
    "possibly ",
    "Maybe ",
    "Perhaps ",
    "Possibly ",
    "ight be",
    "ay be",
    "ould be",
    "also be",
)
# "Maybe a second later": a time or an interval is no member of a set.
_OF_TIME = re.compile(
    r"(?<![a-z])(?:second|minute|bit|little|while|moment|times?|octave|fifth|third|semitone)s?(?![a-z])"
)


def leaves_guess(skeleton: str) -> bool:
    r"""Whether a text with placeholders leaves a member of its set a guess.

    >>> leaves_guess("\ue002, maybe a synth as well."), leaves_guess("\ue002, maybe played live.")
    (True, False)
    """
    start = _find_final(skeleton)
    if _GUESSED.search(skeleton, start):
        return True
    added = _ADDED.search(skeleton, start) if any(map(skeleton.__contains__, _ADDING)) else None
    return added is not None and _OF_TIME.search(added.group()) is None


def _find_final(skeleton: str) -> int:
    """Where the final answer starts, if a text has one: what was only a guess before is settled by it."""
    starts = [match.start() for match in _FINAL.finditer(skeleton)]
    return starts[-1] if starts else 0
