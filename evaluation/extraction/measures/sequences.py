"""Options that are orders of the same things, "Dog, cat, bird": an answer may list the things in that order."""

import re
from functools import lru_cache

from evaluation.extraction.language.units import list_units

_BETWEEN = re.compile(r" ?(?:->|,|、|;) ?(?:then |and |and then |然后|再)?")
# What stands between the parts of a thing, or behind it: "门先响", "倒水的声音".
_BESIDE = re.compile("的?声音|先|再|又|也|才|被")
_LEAST, _LONGEST = 3, 600
_ORDERED = re.compile(
    r"(?:^|\n) ?1[.):]|->|(?<![a-z])(?:then|next|finally|lastly|followed by|sequence|in order|the order)(?![a-z])"
    r"|然后|接着|随后|最后|依次|顺序"
)
_TURNED = re.compile(
    r"(?<![a-z])(?:before|after|precede[sd]?|preceding|earlier|later|not|no|never|or|if|again|reverse)(?![a-z])"
    r"|n't|之前|之后|以前|以后|先于|晚于|不|没|或|如果|再次|又"
)
# "Clip 1: water is poured": a line that describes a thing gives it no place.
_DESCRIBED = re.compile(
    r"(?:^|\n)[^\w\n]{0,4}(?:clip|audio|segment|recording|片段|音频|录音) ?[1-9][^\w\n]{0,3}[:：] ?[^\W\d]"
)


@lru_cache(maxsize=4_096)
def list_orders(texts: tuple[str, ...]) -> tuple[tuple[frozenset[str], ...], ...]:
    """The things of each option, as units, in its order; none where options are no orders of the same things."""
    orders = tuple(tuple(frozenset(list_units(thing)) for thing in _BETWEEN.split(text)) for text in texts)
    things = set(orders[0]) if orders else set()
    alike = all(set(order) == things and len(order) == len(things) for order in orders)
    if not alike or len(things) < _LEAST or len(set(orders)) < len(orders) or frozenset() in things:
        return ()
    # "Dog" and "dog barking" could not be told apart.
    return orders if not any(one < other for one in things for other in things) else ()


def find_order(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The option whose order a cleaned text in lower case lists, each thing once; None where it lists none of them."""
    if len(lowered) > _LONGEST or not (orders := list_orders(texts)):
        return None
    if not _ORDERED.search(lowered) or _TURNED.search(lowered):
        return None
    if len(_DESCRIBED.findall(lowered)) >= _LEAST:
        return None
    units = list_units(_BESIDE.sub("", lowered))
    places = {}
    for thing in orders[0]:
        found = [place for place, unit in enumerate(units) if unit in thing]
        spread = len(found) != len(thing) or found[-1] - found[0] >= len(thing)
        if spread or {units[place] for place in found} != thing:
            return None
        places[thing] = found[0]
    said = tuple(sorted(places, key=lambda thing: places[thing]))
    return orders.index(said) if said in orders else None
