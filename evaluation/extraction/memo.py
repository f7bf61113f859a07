"""Bounded memo of a function: one look at a table, without the record of every use that `lru_cache` keeps."""

from collections.abc import Callable
from typing import TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Memo(dict[_Key, _Value]):
    """Results of a function by its argument; a full memo starts again empty.

    A large `lru_cache` relinks entries at every hit, which costs more than the results of short answers are worth.

    >>> lengths = Memo(len, maxsize=2)
    >>> [lengths["ab"], lengths["abc"], lengths["a"]], list(lengths)
    ([2, 3, 1], ['a'])
    """

    __slots__ = ("_compute", "maxsize")

    def __init__(self, compute: Callable[[_Key], _Value], maxsize: int) -> None:
        super().__init__()
        self._compute = compute
        self.maxsize = maxsize

    def __missing__(self, key: _Key) -> _Value:
        value = self._compute(key)
        if len(self) >= self.maxsize:
            self.clear()
        self[key] = value
        return value
