"""Watch for commits: an idle evaluator queries nothing until the database changes."""

import time
from collections.abc import Callable

from db.session import Database

# Retries, leases and budgets fall due without a commit.
_LOOK_ANYWAY_SECONDS = 2.0


class ChangeWatch:
    """Tells whether to look for work again: after every commit, and regularly.

    If the database does not number its commits, which only SQLite does, there may always be work.
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.monotonic) -> None:
        """Watch a database; `clock` returns the time in seconds."""
        self._database = database
        self._clock = clock
        self._version: int | None = None
        self._look_at = 0.0

    def may_find_work(self) -> bool:
        """Tell whether there was a commit since the last call that returned True, or that call was a while ago."""
        version, now = self._database.find_version(), self._clock()
        if version is not None and version == self._version and now < self._look_at:
            return False
        self._version, self._look_at = version, now + _LOOK_ANYWAY_SECONDS
        return True
