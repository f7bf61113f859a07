"""Orders of clips stated by places and by pairs: "clip 1 comes last, right after clip 3; clip 2 is the opening".

Every clause is a fact: a clip has a place, or comes before another one. An answer is read if exactly one order of the
three clips agrees with all facts.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import permutations

_OPTION = re.compile(r"(?:clip|audio|片段|音频) ?[1-9](?:(?: ?-> ?|, ?|、)(?:clip|audio|片段|音频) ?[1-9]){2}")
# "The last word of clip 1", "clip 2 starts with rain": no place of a clip.
_NO_NOUN = (
    r"(?! (?!(?:one|clips?|audio|segment|recording|part|place|position"
    r"|is|comes?|and|in|of|to|then|with)(?![a-z]))[a-z])"
)
_WHOLE = (
    r"(?= (?:it|things|everything|off|first|last|the (?:sequence|order|recording|story|scene|series"
    r"|chain|process|event))(?![a-z])| (?:with|by) (?:the )?(?:clip|audio|segment)| ?\Z)"
)
_ITEM = re.compile(
    r"(?:(?:clips?|audio|segment|片段|音频) ?(?P<clip>[1-9])(?![0-9.][0-9])"
    r"|(?:第|片段|音频)(?P<zh>[一二三])[段个]?|(?P<numbered>[1-9])号)"
    r"|(?P<after>(?<![a-z])(?:(?:comes?|happens?|plays?|right|directly|immediately) )*"
    r"(?:after|follows|following)(?![a-z])|之后|以后|晚于)"
    r"|(?P<before>(?<![a-z])(?:before|precede[sd]?|preceding|leads? (?:[a-z]+ly )?(?:in)?to|earlier than"
    r"|followed by)(?![a-z])"
    r"|之前|以前|先于|早于)"
    r"|(?P<next>(?<![a-z])(?:then|next|afterwards|after that)(?![a-z])|然后|接着|随后|再)"
    rf"|(?P<first>(?<![a-z])(?:first{_NO_NOUN}|(?:starts?|starting|begins?|opens?){_WHOLE}|opening|opener|beginning"
    rf"|initial{_NO_NOUN}|earliest{_NO_NOUN})(?![a-z])|最先|首先|最早|最前|开头|排第一"
    rf"|(?<![最首事原优预领早])先(?=[是有放]|听到|出现|播放|片段|音频|第))"
    rf"|(?P<middle>(?<![a-z])(?:middle|second{_NO_NOUN}|between|in between)(?![a-z])|中间|居中|其次|排第二)"
    rf"|(?P<last>(?<![a-z])(?:last{_NO_NOUN}|latest{_NO_NOUN}|final{_NO_NOUN}|finally|(?:ends?|concludes?"
    rf"|closes?|finish(?:es)?){_WHOLE}"
    rf"|ending|closing|third{_NO_NOUN})(?![a-z])|最后|结尾|末尾|收尾|殿后|排第三)"
)
_CLAUSE_END = re.compile(r"[,;.。!\n]|(?<![a-z])(?:and|while|but|whereas)(?![a-z])")
_ASIDE = re.compile(r"\([^()\n]{0,120}\)")
_DOUBT = re.compile(r"(?<![a-z])(?:not|or|if|whether|could|might|may|never|either|neither)(?![a-z])|n't|不|或|\?")
# "Clip 1 shows the plate being washed and clip 2 it being dried": what a clip is about is no place.
_DESCRIPTION = re.compile(
    r"(?:clip|audio|segment) ?[1-9],? (?:(?:shows?|features?|contains?|captures?|depicts?|describes?|sounds like) "
    r"|(?:(?:it|is) )?[a-z]+ing(?![a-z]))(?!.*(?<![a-z])(?:start|end|early|earlier|late|later|place|position)(?![a-z]))"
)
# "Clip 1 goes right before it."
_PRONOUN = re.compile(
    r"(?<![a-z])(before|after|precedes|follows|following|preceding) (?:it|that one|this one)(?![a-z])"
)
_IMMEDIATE = re.compile(r"(?<![a-z])(?:right|directly|immediately|just)(?![a-z])|紧接")
_CHINESE = {"一": 1, "二": 2, "三": 3}
_PLACES = {"first": 0, "middle": 1, "last": 2}
_SENTENCE = re.compile(r"[.!](?= |\n)|[。！\n]")
_LONGEST, _LONGEST_WITH_REASONS, _MIN_FACTS = 400, 1_500, 2

# "1. clip2", "Second: clip 1", "3rd: clip3" on lines of their own or behind commas.
_NUMBERED = re.compile(
    r"(?:^|\n|, )[^\w\n]{0,4}(?:(?P<number>[1-9])(?:[.):]|(?:st|nd|rd|th):)|(?P<word>first|second|third|fourth|fifth)"
    r"(?: clip)?:)[^\w\n]{0,4}(?:clip|segment|片段|音频) ?(?P<clip>[1-9])(?![0-9])(?P<more>[^\n,]*)"
)
_WORDS = ("first", "second", "third", "fourth", "fifth")
_LISTED = re.compile(
    r"(?:clip|segment|片段|音频) ?[1-9](?:[^\w]{1,4}(?:clip|segment|片段|音频) ?[1-9]){1,4}"
    r"|[1-9](?:[^\w.]{1,4}[1-9]){2,4}"
)
_DESCRIBED = re.compile(
    r"(?P<cue>(?:so )?(?:the )?(?:correct |right |chronological |logical )*(?:order|sequence)(?: is|:)?:? ?)?"
    r"(?P<clips>(?:clip|audio|segment|片段|音频) ?[1-9] ?\([^()\n]{1,120}\)"
    r"(?:(?:,? (?:and |then |and then |finally )?|[、,])(?:clip|audio|segment|片段|音频) ?[1-9]"
    r" ?\([^()\n]{1,120}\)){2})[.。]?"
)
_PLACE_OF_CLIP = re.compile(r"(?<=[a-z0-9,]) is the (?=(?:first|second|third|last)(?: one)?[.!]? ?(?:\n|$))")
# "3, 2, 1", "clip 3 -> clip 2 -> clip 1", "片段3→2→1".
_LINK = (
    r"(?: ?(?:->|,|、|-|;) ?(?:and )?(?:then |next |finally |lastly |last )?|,? (?:and then|then|followed by"
    r"|and finally|and) "
    r"|,?(?:然后|接着|再到|再|最后)(?:是)?)"
)
_CHAINED = r"(?:(?:the )?(?:clips?|audio|segment|片段|音频|录音) ?#?|第)?[1-9](?![0-9]|\.[0-9])[段号]?"
_CHAIN = re.compile(rf"(?<![0-9.]){_CHAINED}(?:{_LINK}{_CHAINED}){{1,4}}")
_LINKED = re.compile("->|then|followed|然后|接着|再")
_CUE_REACH = 60
# "The second clip, then the first": clips by their places.
_NAMED_PLACE = re.compile(
    rf"(?:the )?(?<![a-z])({'|'.join(_WORDS)})(?: (?:clip|one|segment|audio|recording))?(?=,? ?(?:->|and then"
    rf"|then|followed by|and|,|\.|\n|\Z))"
)
_CLIP_NUMBER = re.compile(r"[1-9]")
_CUE = re.compile(r"(?<![a-z])(?:order|sequence|sequences)(?![a-z])|顺序")

_Order = tuple[int, ...]
_Fact = Callable[[_Order], bool]


@lru_cache(maxsize=4_096)
def list_clip_orders(texts: tuple[str, ...]) -> dict[_Order, int]:
    """Return order → position of the options that are orders of three clips; none where fewer than two are."""
    orders = {}
    for place, text in enumerate(texts):
        if _OPTION.fullmatch(text):
            orders[tuple(map(int, re.findall("[1-9]", text)))] = place
    return orders if len(orders) > 1 else {}


@lru_cache(maxsize=4_096)
def list_listed_orders(texts: tuple[str, ...]) -> dict[_Order, int]:
    """Return order → position of options such as "clip2, clip1, clip3"; none where one is no such list."""
    if not all(map(_LISTED.fullmatch, texts)):
        return {}
    orders = {tuple(map(int, re.findall("[1-9]", text))): place for place, text in enumerate(texts)}
    if any(text[0].isdigit() for text in texts) and len({frozenset(order) for order in orders}) > 1:
        return {}  # "1, 2, 3" and "4, 5, 6" are no orders.
    return orders if len(orders) == len(texts) > 1 else {}


def find_numbered_order(lowered: str, texts: tuple[str, ...]) -> int | None:
    r"""The option whose order a cleaned text in lower case gives as a numbered list of clips.

    >>> find_numbered_order("1. clip2\n2. clip1", ("clip1, clip2", "clip2, clip1"))
    1
    """
    lines = list(_NUMBERED.finditer(lowered))
    numbers = [int(line["number"]) if line["number"] else _WORDS.index(line["word"]) + 1 for line in lines]
    order = tuple(int(line["clip"]) for line in lines)
    if not order or numbers != list(range(1, len(order) + 1)) or _DOUBT.search(lowered):
        return None
    # "1. Clip1 is a door\n2. Clip2 is a dog" describes clips.
    describes = list(order) == sorted(order) and any(line["more"].strip(" .*。") for line in lines)
    return None if describes and not _CUE.search(lowered) else list_listed_orders(texts).get(order)


def find_chained_order(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The option whose order a cleaned text in lower case writes as a chain of clips, and no other order.

    >>> find_chained_order("the order is 2, 1.", ("clip 1, clip 2", "clip 2, clip 1"))
    1
    """
    orders = list_listed_orders(texts)
    if not orders or _DOUBT.search(lowered):
        return None
    described = lowered
    lowered = _NAMED_PLACE.sub(lambda match: str(_WORDS.index(match[1]) + 1), _ASIDE.sub("", lowered))
    found = set[_Order]()
    for match in _CHAIN.finditer(lowered):
        order = tuple(map(int, _CLIP_NUMBER.findall(match.group())))
        if sorted(order) != sorted(next(iter(orders))):
            continue
        cued = _CUE.search(lowered, max(0, match.start() - _CUE_REACH), match.start()) is not None
        # Clips in the order of their numbers may only be listed.
        is_whole = match.end() - match.start() >= len(lowered.strip(" ."))
        cued = cued or (is_whole and ("(" not in described or list(order) != sorted(order)))
        if cued or (_LINKED.search(match.group()) and list(order) != sorted(order)):
            found.add(order)
    return orders.get(found.pop()) if len(found) == 1 else None


def find_clip_order(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The option whose order is the only one that agrees with all that a cleaned text in lower case tells."""
    stated = _ASIDE.sub("", lowered) if "(" in lowered else lowered
    place = _find_stated(stated, texts)
    if place is None and stated is not lowered:
        place = _find_described(lowered, texts)
    if place is None and len(lowered) <= _LONGEST_WITH_REASONS:
        # What clips sound like comes first: "Clip 1 is a splash. … So you start with clip 2, then …"
        place = _find_stated(_SENTENCE.split(stated.rstrip(" .。\n"))[-1], texts)
    return place


def write_clip_places(text: str, texts: tuple[str, ...]) -> str:
    """Write "clip 2 is the last." without the article by which it would be the last option, where orders are asked.

    >>> write_clip_places("Clip 2 is the last.", ("clip 1 -> clip 2 -> clip 3", "clip 3 -> clip 1 -> clip 2"))
    'Clip 2 is last.'
    """
    return _PLACE_OF_CLIP.sub(" is ", text) if " is the " in text and list_clip_orders(texts) else text


def _find_described(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The option whose clips a text lists in its order, each with what it is: "clip 2 (rain), clip 1 (thunder), …"."""
    match = _DESCRIBED.fullmatch(lowered.strip())
    order = tuple(map(int, _CLIP_NUMBER.findall(_ASIDE.sub("", match["clips"])))) if match else ()
    # Clips in the order of their numbers may only be described.
    described_only = match is not None and list(order) == sorted(order) and not match["cue"]
    return None if described_only else list_clip_orders(texts).get(order)


def _find_stated(stated: str, texts: tuple[str, ...]) -> int | None:
    if len(stated) > _LONGEST or _DOUBT.search(stated):
        return None
    facts = _list_facts(stated)
    if facts is None or len(facts) < _MIN_FACTS:
        return None
    orders = [order for order in permutations((1, 2, 3)) if all(fact(order) for fact in facts)]
    return list_clip_orders(texts).get(orders[0]) if len(orders) == 1 else None


def _list_facts(stated: str) -> list[_Fact] | None:
    """The facts of a text; None where a clause is unclear."""
    facts: list[_Fact] = []
    subject = 0
    for clause in _CLAUSE_END.split(stated):
        clause = _PRONOUN.sub(rf"\1 clip {subject}", clause) if subject else clause
        items = list(_read_items(clause))
        clips = [clip for _, clip in items if clip]
        if (not clips and not items) or (len(items) == len(clips) == 1 and _DESCRIPTION.search(clause)):
            continue
        fact = _make_fact(items, clips, subject, immediate=_IMMEDIATE.search(clause) is not None)
        if fact is None:
            return None
        facts.append(fact)
        subject = clips[0] if clips else subject
    return facts


def _read_items(clause: str) -> Iterator[tuple[str, int]]:
    """Yield kind and clip of what a clause has; a verb such as "starts" before another place says no more."""
    for match in _ITEM.finditer(clause):
        kind = match.lastgroup or ""
        if kind in {"clip", "zh", "numbered"}:
            yield "clip", _CHINESE[match["zh"]] if match["zh"] else int(match["clip"] or match["numbered"])
        else:
            yield kind, 0


def _make_fact(items: list[tuple[str, int]], clips: list[int], subject: int, *, immediate: bool) -> _Fact | None:
    kinds = [kind for kind, _ in items]
    relations = [kind for kind in kinds if kind in {"after", "before", "next"}]
    places = {_PLACES[kind] for kind in kinds if kind in _PLACES}
    if len(clips) == 1 and len(places) == 1 and set(relations) <= {"next"}:
        clip, place = clips[0], places.pop()
        return lambda order: order[place] == clip
    if len(relations) != 1 or places or not 1 <= len(clips) <= 2:
        return None
    pair = _find_pair(items, clips, subject, relations[0])
    if pair is None:
        return None
    early, late = pair
    if immediate or relations[0] == "next":
        return lambda order: order.index(late) - order.index(early) == 1
    return lambda order: order.index(early) < order.index(late)


def _find_pair(items: list[tuple[str, int]], clips: list[int], subject: int, relation: str) -> tuple[int, int] | None:
    """The earlier and the later clip of a clause such as "clip 1 after clip 3", "after clip 3 comes clip 1"."""
    position = [kind for kind, _ in items].index(relation)
    behind = [clip for _, clip in items[position + 1 :] if clip]
    if len(clips) == 1:
        first, second = subject, clips[0]
        if not behind and relation == "before":
            return None
        if not behind and relation == "after":
            first, second = second, first  # "Clip 3 follows."
    else:
        # "Clip 1 after clip 3" and "片段1在片段3之后", but "after clip 3 comes clip 1".
        first, second = (clips[1], clips[0]) if len(behind) == 2 else (clips[0], clips[1])
    if not first or first == second or not {first, second} <= {1, 2, 3}:
        return None
    return (second, first) if relation == "after" else (first, second)
