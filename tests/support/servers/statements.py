"""SQL statements are compiled once in each process of tests, instead of once for each database.

Nearly every test has a database of its own, and every engine compiles its statements anew: an eighth of the processor
time of tests that submit and score. Engines of one kind share what they have compiled; a dialect counts as equal to
every other one of its class, because it is part of a compiled statement's key.
"""

from typing import Any

from sqlalchemy.engine import Engine
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.util import LRUCache

_MAX_STATEMENTS = 2_000
_COMPILED: dict[type, LRUCache[Any, Any]] = {}
_init_engine = Engine.__init__


def _init(self: Engine, *arguments: Any, **options: Any) -> None:
    _init_engine(self, *arguments, **options)
    self._compiled_cache = _COMPILED.setdefault(type(self.dialect), LRUCache(_MAX_STATEMENTS))


def share_compiled_statements() -> None:
    """Let every engine that is made from now on share what is compiled."""
    DefaultDialect.__hash__ = lambda self: hash(type(self))  # type: ignore[method-assign]
    DefaultDialect.__eq__ = lambda self, other: type(self) is type(other)  # type: ignore[method-assign]
    Engine.__init__ = _init  # type: ignore[method-assign]
