"""Shared test splits of rendered benchmarks, still accepted.

Most tests are about what all benchmarks have in common, and need many files for one set of questions. That these splits
have ended is shown by `tests/integration/test_ended_splits.py` and by the journeys in a browser.
"""

from datetime import date

from db.session import Database
from submissions.intake.catalogues import Catalogues

LAST_DAY = date.max
# The usual setting; an empty variable counts as none.
SHARED_SPLITS_ENDED = {"EARSHOT_SHARED_SPLITS_UNTIL": ""}
STILL_SHARED = {"EARSHOT_SHARED_SPLITS_UNTIL": LAST_DAY.isoformat()}


def make_shared_catalogues(database: Database) -> Catalogues:
    """Return catalogues that accept files for every shared test split."""
    return Catalogues(database, shared_splits_until=LAST_DAY)
