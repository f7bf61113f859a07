"""Chinese options that are orders of the same events, "先敲门，再开门，最后说话", told with other words.

Every piece of an answer is about one event or about none; an event is known by a character that no other event has.
"""

import re
from collections import Counter
from functools import lru_cache

from evaluation.extraction.language.units import list_units

_LONGEST, _MAX_OPTIONS, _MIN_EVENTS, _MIN_LISTED = 200, 12, 2, 3
_STEP = (
    r"(?:紧接着|首先|最先|最早|最初|起初|一开始|开头|其次|接着|接下来|然后|随后|之后|后来|再来"
    r"|最后|最终|末尾|先|再|又|->|(?<![然随之最以其在背前今先向往朝])后(?![来面者方边续半退门轮视院台背]))"
)
_PIECE_END = re.compile(rf"[,、;:。\n]|{_STEP}")
_EMPTY = frozenset("听见听声音传来响起出现发生有人才是了到")
_DOUBT = re.compile(
    "不|没|或|同时|如果|可能|还是|[?？\ue000-\uf8ff]|之前|以前|先于|后于|早于|晚于|在.{1,8}(?:之后|以后)"
)
_ORDERED = re.compile(_STEP)
_LATE = re.compile("最后|最终|末尾")
_EARLY = re.compile("首先|最先|最早|最初|起初|一开始|开头|^先")
_AT_ITS_PLACE = re.compile("居中|中间|结尾|在[前后先]|[较更]早|[较更]晚|后面|前面")

_Events = tuple[frozenset[str], ...]


def _list_event(piece: str) -> frozenset[str]:
    return frozenset(list_units(piece)) - _EMPTY


def _split_pieces(text: str) -> list[str]:
    return [piece for piece in _PIECE_END.split(text) if piece.strip()]


@lru_cache(maxsize=4_096)
def list_chinese_event_orders(texts: tuple[str, ...]) -> dict[_Events, int]:
    """Return order of events → position of the options that are orders; nothing if no two are of the same events."""
    if not 2 <= len(texts) <= _MAX_OPTIONS or any(map(str.isascii, texts)):
        return {}
    split = ((tuple(map(_list_event, _split_pieces(text))), place) for place, text in enumerate(texts))
    orders = {order: place for order, place in split if all(order) and len(set(order)) == len(order) >= _MIN_EVENTS}
    return orders if len(set(map(frozenset, orders))) < len(orders) else {}


def find_chinese_event_order(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The option whose events a cleaned Chinese answer tells in their order.

    >>> texts = ("先敲门,再开门,最后说话", "先说话,再敲门,最后开门")
    >>> find_chinese_event_order("一开始有人说话,然后是敲门声,最后门开了。", texts)
    1
    """
    orders = list_chinese_event_orders(texts)
    if not orders or len(lowered) > _LONGEST or _DOUBT.search(lowered) or _AT_ITS_PLACE.search(lowered):
        return None
    events = tuple(dict.fromkeys(event for order in orders for event in order))
    shared = {unit for unit, number in Counter(unit for event in events for unit in event).items() if number > 1}
    order: list[frozenset[str]] = []
    position, late = 0, False
    for end in [*_PIECE_END.finditer(lowered), None]:
        piece = lowered[position : end.start() if end else len(lowered)]
        found = [event for event in events if (event - shared) & _list_event(piece)]
        if len(found) > 1 or (found and late and len(order) != len(events) - 1):
            return None
        order += [event for event in found if not order or event != order[-1]]
        if end is not None:
            late = late or _LATE.search(end.group()) is not None
            if _EARLY.search(end.group()) and order and not (found and len(order) == 1):
                return None
            position = end.end()
    # Two things side by side, and the beginning of a longer order, are no order.
    if len(order) < _MIN_LISTED and not _ORDERED.search(lowered):
        return None
    return None if any(set(order) < set(whole) for whole in orders) else orders.get(tuple(order))
