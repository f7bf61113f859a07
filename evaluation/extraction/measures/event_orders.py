"""Options that are orders of the same events, "The bell rings, then the door closes", told with other verbs.

Every piece of an answer, "first you hear keys jingling", is about one event or about none. The answer stands for the
option that has its events in the order in which they happened; "X after Y" turns two of them.
"""

import re
from collections import Counter
from functools import lru_cache

from evaluation.extraction.language.glossary import write_concepts
from evaluation.extraction.language.units import list_units

_LONGEST, _MAX_OPTIONS, _MIN_EVENTS, _MIN_LISTED = 240, 12, 2, 3
_THEN = r"(?:, ?)?(?:and |which is |is )*(?:followed by|then|next|finally|lastly|afterwards|after that)(?![a-z])"
_ORDER_OF_OPTION = re.compile(rf"(?<![a-z]){_THEN}|, |, and | -> ")
_RELATION = re.compile(r"(?: (?:starts?|begins?|comes?|happens?|occurs?|is heard))? (?P<word>before|after) ")
_PIECE_END = re.compile(
    rf"(?<![a-z])(?:{_THEN}|(?P<turn>after(?!wards| that| a while))|(?P<before>before)|and|but)(?![a-z])"
    r"|[,;:\n]|\.(?![0-9])|->"
)
_ORDERED = re.compile(
    r"(?<![a-z])(?:first|then|next|followed by|before|after|afterwards|finally|lastly|later|subsequently)(?![a-z])|->"
)
_DOUBT = re.compile(
    r"(?<![a-z])(?:not|no|never|or|if|whether|could|might|may|either|neither|while|during|as|same|together|simultaneously"
    r"|both|until|twice|reverse|opposite)(?![a-z])|n't|\?|[\ue000-\uf8ff]"
)
_LATE = re.compile(r"(?<![a-z])(?:afterwards|later|subsequently|second|last|follows?|followed)(?![a-z])")
_EARLY = re.compile(r"(?<![a-z])(?:first|begins with|starts with|earlier)(?![a-z])")
_WORD = re.compile("[a-z]+")
# What any event may be said with.
_EMPTY = frozenset(
    list_units(
        "start starts begin begins come comes happen happens occur occurs set sets heard hear hears sound sounds noise"
        " first then only afterwards later follow follows followed next finally last after before there some someone"
        " somebody person people something can you audio clip recording play plays"
    )
)

_Events = tuple[frozenset[str], ...]


def _list_event(text: str) -> frozenset[str]:
    """The stems of an event; nothing where it is no more than a number."""
    units = frozenset(list_units(text)) - _EMPTY
    return units if any(map(str.isalpha, units)) else frozenset()


@lru_cache(maxsize=4_096)
def _list_concepts(texts: tuple[str, ...]) -> dict[str, str]:
    """Return stem → concept of the words of options."""
    words = {word for text in texts for word in _WORD.findall(text)}
    return {units[0]: write_concepts(word) for word in sorted(words) if (units := list_units(word))}


def _find_units(piece: str, concepts: dict[str, str]) -> frozenset[str]:
    """The stems of the options' words that a piece has in any form, or in a word of the same concept."""
    words = frozenset(list_units(piece)) | frozenset(write_concepts(piece).split())
    return frozenset(unit for unit, concept in concepts.items() if unit in words or concept in words)


def _split_option(text: str) -> _Events:
    """The events of an option in the order in which they happen; nothing if it is no order."""
    if _DOUBT.search(text):
        return ()
    relation = _RELATION.search(text)
    if relation is not None:
        pieces = [text[: relation.start()], text[relation.end() :]]
        pieces = pieces[::-1] if relation["word"] == "after" else pieces
    else:
        pieces = [piece for piece in _ORDER_OF_OPTION.split(text) if piece.strip()]
    events = tuple(map(_list_event, pieces))
    return events if len(events) >= _MIN_EVENTS and all(events) and len(set(events)) == len(events) else ()


@lru_cache(maxsize=4_096)
def list_event_orders(texts: tuple[str, ...]) -> dict[_Events, int]:
    """Return order of events → position of the options that are orders; nothing if no two are of the same events."""
    if not 2 <= len(texts) <= _MAX_OPTIONS or not all(map(str.isascii, texts)):
        return {}
    split = {place: order for place, text in enumerate(texts) if (order := _split_option(text))}
    # "The kettle is filled, boils, and is poured out": the subject of all events stands with the first one alone.
    subject = frozenset.intersection(*(order[0] for order in split.values())) if len(split) > 1 else frozenset()
    orders = {tuple(event - subject for event in order): place for place, order in split.items()}
    orders = {order: place for order, place in orders.items() if all(order) and len(set(order)) == len(order)}
    sets = {frozenset(order) for order in orders}
    return orders if len(sets) < len(orders) else {}


def find_event_order(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The option whose events a cleaned answer in lower case tells in their order.

    >>> texts = ("the door closes, then the keys jingle", "the keys jingle, then the door closes")
    >>> find_event_order("first you hear keys jingling and then a door being closed.", texts)
    1
    """
    orders = list_event_orders(texts)
    if not orders or len(lowered) > _LONGEST or not lowered.isascii() or _DOUBT.search(lowered):
        return None
    events = tuple(dict.fromkeys(event for order in orders for event in order))
    order = _find_order(lowered, events, _list_concepts(texts))
    if order is None or (not _ORDERED.search(lowered) and len(order) < _MIN_LISTED):
        return None
    # The rest of a longer order may be told in unknown words.
    return None if any(set(order) < set(whole) for whole in orders) else orders.get(tuple(order))


def _find_order(lowered: str, events: _Events, concepts: dict[str, str]) -> list[frozenset[str]] | None:
    """The events of an answer in the order in which they happened; None where a piece of it is unclear."""
    shared = {unit for unit, number in Counter(unit for event in events for unit in event).items() if number > 1}
    order: list[frozenset[str]] = []
    carried = set[str]()
    turn = leads = reverse = False
    partial = 0
    position = 0
    for end in [*_PIECE_END.finditer(lowered), None]:
        piece = lowered[position : end.start() if end else len(lowered)]
        units = _find_units(piece, concepts)
        found = [event for event in events if event - shared <= units and event & shared <= units | carried]
        if not found:
            # "Next comes the barking": the dog needs no word, if everything else is told as well.
            found = [event for event in events if (event - shared) & units]
            partial += len(found)
        if len(found) > 1 or (not found and any((event - shared) & units for event in events)):
            return None
        if found:
            late, early = _LATE.search(piece) is not None, _EARLY.search(piece) is not None
            if (
                (late and not order and not leads)
                or (early and order)
                or ((turn or reverse) and len(events) > _MIN_EVENTS)
            ):
                return None
            order.insert(len(order) - 1 if turn and order else len(order), found[0])
            turn = False
        carried |= units & shared
        if end is not None:
            reverse = reverse or (end["before"] is not None and not order)  # "Before the bell rings, a dog barks."
            if end["turn"] and order:
                turn = True
            leads = leads or (end["turn"] is not None and not order)
            position = end.end()
    order = order[::-1] if reverse else order
    if partial and (partial == len(order) or len(order) < max(len(events), _MIN_LISTED)):
        return None
    return order if len(order) >= _MIN_EVENTS and len(set(order)) == len(order) else None
