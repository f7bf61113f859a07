"""Usual sentences around an option that the parsers of letters and texts leave unread, written without what hides it.

"The gap between the two shots is 8 seconds", "the sound comes from above", "the woman is the older of the two". Only
responses that were not read before are written so.
"""

import re
from functools import lru_cache

from evaluation.extraction.language.spelling import lower
from evaluation.extraction.paraphrases.articles import lower_articles

_LONGEST = 400
# "The gap between the two gunshots": "between" weighs no options here.
_GAP = re.compile(
    r"(?<![a-z])(?P<gap>gap|interval|pause|silence|delay|difference|distance|spacing|time|period)(?: in time)? between"
    r" (?:the |both |each |two |these |those ){0,2}[a-z]{2,16}(?: (?!is|was|and)[a-z]{2,16})?"
    r"(?: and (?:the )?[a-z]{2,16}(?: (?!is|was)[a-z]{2,16})?)?(?= (?:is|was|lasts|takes|measures|comes)(?![a-z]))",
    re.IGNORECASE,
)
# "I'm confident it's the waves; a motorway wouldn't have that rhythm."
_SURE = re.compile(
    r"(?:(?<=, )|(?<=[.;] )|\A)I(?:'m| am) (?:quite |very |fairly )?(?:confident|sure|certain) (?:that )?(?=it)",
    re.IGNORECASE,
)
_THAN_OTHER = r"[^.;,\n]{0,40}? than the (?:first|second|third|other|last)(?: one| [a-z]+)?(?= ?[.,;:\n]|$)"
# "The one who is interrupted is Speaker 3: once by Speaker 1 …".
_THE_ONE = (
    r"(?P<said>(?:\A|(?<=[.\n] ))The (?:one|person|instrument|clip|sound) (?:who|that|which) [^.;:\n]{{1,80}}"
    r" is {text})"
    r":[^.\n]*"
)
_PLACE = r"(?P<place>above|behind|below|beneath|in front of|to the left of|to the right of)"
_OF_ME = re.compile(rf"(?<![a-z]){_PLACE} (?:me|us|you)(?![a-z])", re.IGNORECASE)
_FROM_PLACE = re.compile(
    r"(?<![a-z])from (?P<place>above|behind|below|beneath|in front)(?= ?[.,;:\n]|$)", re.IGNORECASE
)
_ANY_PLACE = re.compile(r"(?<![a-z])(?:above|behind|below|beneath|in front|left|right|ahead)(?![a-z])", re.IGNORECASE)
_TWO_PLACES = re.compile(
    rf"(?<![a-z])(?P<one>{_ANY_PLACE.pattern})[^.;\n]{{0,20}} (?:or|and) [^.;\n]{{0,12}}(?P<two>{_ANY_PLACE.pattern})",
    re.IGNORECASE,
)
_OF_TWO = re.compile(r"(?<![a-z])the (?P<more>[a-z]+er|more [a-z]+) (?:one )?of the two(?![a-z])", re.IGNORECASE)
_THAN = re.compile(r"(?P<head>.+? (?:is|are|was|were|sounds?|gets?|comes?) (?:[a-z]+er|more [a-z]+)) than .+")
# "三位说话者中,第二位的语速最快".
_OF_SEVERAL = re.compile(r"(?:\A|(?<=[。,，]))[两二三四五][位个段名][^,，。\n]{1,8}(?:之?中|里)[,，]")
# "一共有4个人说话" of "4 speakers".
_SPEAKERS = re.compile(
    r"(?<!第)(?P<count>[0-9一二两三四五六七八九十]{1,2}) ?(?:个|位|名)?人(?!以上|以下|左右|[中里声])"
)
_BOUNDED = re.compile("最多|至多|至少|不止|超过|加入|又|再")
# "最先响起的是鼓，随后钢琴和吉他才加入": what comes later answers another question.
_LATER = re.compile(
    r"(?P<first>(?:最先|最早|首先|第一个)[^,，。;；\n]{0,12}(?:是|为)[^,，。;；\n]{1,12})[,，](?:随后|然后|接着|之后|后来|再)"
    r"[^,，。;；\n]{1,20}(?:加入|出现|响起|进来|开始)"
)
# Of an option without an ordinal, the comparison says which of two things it is said of.
_ORDINAL = re.compile("(?<![a-z])(?:first|second|third|last)(?![a-z])")
_SENTENCES = re.compile(r"(?<=[.!。！])\s*")
_QUANTITY, _FEWEST = re.compile(r"[0-9]+(?:\.[0-9]+)?"), 2
# "The dog is louder, but only at first."
_PART = re.compile(
    r"(?<![a-z])(?:but|not|only|wrong|at first|half|thinks?|says?|or|if|than|might|may|could)(?![a-z])", re.IGNORECASE
)
# "The second source sounds farther than the first.": what comes later is compared with what comes before it.
_LATER_THAN = re.compile(
    r"\A(?:the second|(?P<thing>[a-z]+) (?:2|two))(?: (?:one|[a-z]{2,16}))?"
    r" (?P<verb>(?:is|sounds?|seems?(?: to be)?|appears?(?: to be)?)(?: (?:much|slightly|a bit|clearly|noticeably))?"
    r" [a-z]+)"
    r"(?: away)? than (?:the first|(?P=thing) (?:1|one))(?: (?:one|[a-z]{2,16}))?[.!]?\Z",
    re.IGNORECASE,
)
_PLACED = re.compile("(?<![a-z])(?:first|second|third|last|than|one|two|[12])(?![a-z0-9])")
_TURNS = re.compile(
    r"(?<![a-z])(?:but|however|wait|actually|or|not|no|could|might|may|if|though|although)(?![a-z])|n't|但|不过|等等|或|其实|不"
)


def write_usual(response: str, texts: tuple[str, ...]) -> str:
    """Return an unread response with such sentences in the words of the options.

    >>> write_usual("The plane flies over, so it comes from above.", ("behind the listener", "above the listener"))
    'The plane flies over, so it comes above the listener.'
    >>> write_usual("Ann is the older of the two.", ("ann is older than bob", "bob is older than ann"))
    'ann is older than bob.'
    """
    if len(response) > _LONGEST:
        return response
    response = lower_articles(response, texts)
    if " than " in response and not any(map(_PLACED.search, texts)):
        response = _LATER_THAN.sub(lambda match: _compare_later(match, texts), response)
    if " between " in response and len(_QUANTITY.findall(response)) < _FEWEST:
        response = _GAP.sub(r"\g<gap>", response)
    if "I'm " in response or "I am " in response:
        response = _SURE.sub("", response)
    if not response.isascii():
        response = _LATER.sub(r"\g<first>", _OF_SEVERAL.sub("", response))
        counts = _SPEAKERS.findall(response) if all("speaker" in text for text in texts) else []
        if len(counts) == 1 and not _BOUNDED.search(response):
            response = _SPEAKERS.sub(r"\g<count>位说话者", response)
    response = _drop_others(response, texts)
    if _ends_alike(texts) and len({place.lower() for place in _ANY_PLACE.findall(response)}) == 1:
        response = _FROM_PLACE.sub(_write_place, _OF_ME.sub(r"\g<place> the listener", response))
    for head, text in _list_heads(texts) if not _PART.search(response) else ():
        response = _OF_TWO.sub(r"\g<more>", response) if " of the two" in response else response
        response = re.sub(
            rf"(?<![a-z]){re.escape(head)}(?! than)(?= ?[.,;:\n]|$)",
            _escape(text),
            response,
            flags=re.IGNORECASE,
        )
    return response


def names_two_places(response: str, texts: tuple[str, ...]) -> bool:
    """Whether a response names two places of options around the listener next to each other.

    >>> names_two_places("From above or from behind.", ("behind the listener", "above the listener"))
    True
    """
    if not _ends_alike(texts) or (match := _TWO_PLACES.search(response)) is None:
        return False
    places = {match["one"].lower(), match["two"].lower()}
    return len(places) > 1 and all(any(place in text for text in texts) for place in places)


def _compare_later(match: re.Match[str], texts: tuple[str, ...]) -> str:
    verb = match["verb"]
    is_option = any(text.split()[:1] == [verb.split()[-1].lower()] for text in texts)
    return f"It {verb}." if is_option else match.group()


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\")


def _write_place(match: re.Match[str]) -> str:
    place = match["place"].lower()
    return f"{'in front of' if place == 'in front' else place} the listener"


def _drop_others(response: str, texts: tuple[str, ...]) -> str:
    """Leave out others behind the option that a sentence is about, or that the response opens with."""
    lowered = lower(response)
    for text in texts:
        if text not in lowered:
            continue
        written = re.escape(text)
        if " than the " in lowered and " than " not in text and _ORDINAL.search(text):
            response = re.sub(
                rf"(?<![a-z])(?P<text>{written}){_THAN_OTHER}", r"\g<text>", response, flags=re.IGNORECASE
            )
        if ":" in response and lowered.startswith("the "):
            response = re.sub(_THE_ONE.format(text=written), r"\g<said>", response, flags=re.IGNORECASE)
        first, *rest = _SENTENCES.split(response.strip(), maxsplit=2)
        behind = lower(" ".join(rest))
        if rest and lower(first).rstrip(".!。！") == text and behind.startswith(text) and not _TURNS.search(behind):
            return first
    return response


@lru_cache(maxsize=4_096)
def _ends_alike(texts: tuple[str, ...]) -> bool:
    return len(texts) > 1 and all(text.endswith(" the listener") for text in texts)


@lru_cache(maxsize=4_096)
def _list_heads(texts: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """What stands before "than" in options that compare, where it differs from option to option."""
    matches = [(match["head"], text) for text in texts if (match := _THAN.fullmatch(text))]
    heads = {head for head, _ in matches}
    return tuple(matches) if len(matches) > 1 and len(heads) == len(matches) else ()
