"""Shared cache of compiled SQL statements: each is compiled once per test process instead of once per database.

Nearly every test has its own database, and every engine compiles its statements again, which took an eighth of the CPU
time of tests that submit and score. Engines of one kind share the cache; a dialect counts as equal to all others of its
class, because it is part of the cache key.
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
    """Make all new engines share one cache of compiled statements."""
    DefaultDialect.__hash__ = lambda self: hash(type(self))  # type: ignore[method-assign]
    DefaultDialect.__eq__ = lambda self, other: type(self) is type(other)  # type: ignore[method-assign]
    Engine.__init__ = _init  # type: ignore[method-assign]
