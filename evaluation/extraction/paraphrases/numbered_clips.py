"""Options that are the numbers of clips, "clip 3", called in another way: "the third clip", "the third has a siren"."""

import re
from functools import lru_cache

_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
_NUMERALS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_NOUN = r"(?:audio clip|clip|audio|sound|recording|segment|track|sample|file)"
_OPTION = re.compile(
    rf"(?:the )?(?:{_NOUN} ?(?P<number>[1-5]|[a-e](?![a-z]))|(?P<nth>first|second|third|fourth|fifth) {_NOUN})\.?"
)
_NAMED = re.compile(
    rf"(?<![a-z])(?:(?:the )?(?P<nth>first|second|third|fourth|fifth) {_NOUN}(?![a-z])"
    r"|the (?P<bare>first|second|third|fourth|fifth)(?: one)?"
    r"(?= (?:has|is|was|contains?|features?|does|do|sounds?|shows?|clearly)(?![a-z])|[,.;]|$)"
    rf"|{_NOUN} (?P<numeral>one|two|three|four|five)(?![a-z])|{_NOUN} ?#?(?P<number>[1-5])(?![0-9]))"
)


# "后一段明显更快" for 第二段.
_CHINESE_OPTION = re.compile("第[一二](?:段|个)(?:音频|录音|声音)?")
_CHINESE_PLACE = re.compile("(?<![之以目])(?P<place>[前后])(?:者|一?[段个](?:音频|录音|声音)?)(?![半小])")
_NUMBER_ALONE = re.compile(r"(?:the )?(?:final |correct )?answer(?: is)?:? \W{0,3}(?:number |no\. )?([1-5])\W{0,3}")


@lru_cache(maxsize=4_096)
def list_numbered_clips(texts: tuple[str, ...]) -> dict[int, str]:
    """Return number → text of the options that are numbers of clips; none where fewer than two are."""
    numbers = {}
    for text in texts:
        match = _OPTION.fullmatch(text)
        if match is not None:
            numbers[_number(match)] = text
    return numbers if len(numbers) > 1 else {}


@lru_cache(maxsize=4_096)
def list_chinese_clips(texts: tuple[str, ...]) -> dict[str, str]:
    """Return numeral → text of the options that are the first and the second clip in Chinese."""
    clips = {text[1]: text for text in texts if _CHINESE_OPTION.fullmatch(text)}
    return clips if len(clips) > 1 else {}


def _number(option: re.Match[str]) -> int:
    if option["nth"]:
        return _NTH[option["nth"]]
    return int(option["number"]) if option["number"].isdigit() else ord(option["number"]) - ord("a") + 1


def write_numbered_clips(lowered: str, texts: tuple[str, ...]) -> str:
    """Write the clips that a text in lower case names by their numbers as the options are written.

    >>> write_numbered_clips("only the third has a siren.", ("clip 1", "clip 2", "clip 3"))
    'only clip 3 has a siren.'
    """
    if clips := list_chinese_clips(texts):
        return _CHINESE_PLACE.sub(lambda named: clips["一" if named["place"] == "前" else "二"], lowered)
    numbers = list_numbered_clips(texts)
    bare = _NUMBER_ALONE.fullmatch(lowered.strip())
    if bare is not None:
        return f"the answer is {numbers[int(bare[1])]}" if int(bare[1]) in numbers else lowered

    def write(match: re.Match[str]) -> str:
        nth = match["nth"] or match["bare"]
        number = _NTH[nth] if nth else _NUMERALS[match["numeral"]] if match["numeral"] else int(match["number"])
        return numbers.get(number, match.group())

    return _NAMED.sub(write, lowered)
