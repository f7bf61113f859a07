"""The best rows of a board: of systems, and of people."""

from collections.abc import Container, Sequence

from db.records import BoardRow
from db.repositories import boards
from db.repositories.boards import BoardKey, PageQuery
from db.session import Transaction
from evaluation.benchmarks import Benchmark, Column

# Rows of people and of guesses have no place: they are what systems are measured against.
RANKED_SOURCES = ("verified", "submitted", "reported")


def find_lead(benchmark: Benchmark, known: Container[str]) -> Column:
    """Return the figure that a row is known by: the headline or, for a row of some parts alone, its first column.

    Args:
        benchmark: In its version.
        known: `<slice>|<metric>` of the figures that the row has.
    """
    return next((one for one in benchmark.columns if one.shown and one.key in known), benchmark.headline)


def list_best_systems(transaction: Transaction, board: BoardKey, figure: str, limit: int) -> tuple[BoardRow, ...]:
    """Return the rows of systems that have a figure, the largest first, each with this figure alone.

    Rows without a place are left out unless there are no others.
    """
    return boards.list_best(transaction, board, figure, RANKED_SOURCES, limit)


def find_people(
    transaction: Transaction, benchmark: Benchmark, figures: Sequence[str], setting: str | None = None
) -> BoardRow | None:
    """Return the row of the people who did best by the headline, or None.

    Args:
        transaction: To read in.
        benchmark: In its version.
        figures: Which the row brings along.
        setting: Whose board is looked at first; where nobody is on it, or none is named, the usual one.
    """
    query = PageQuery(sort=benchmark.headline.key, descending=True, sources=("human",), limit=1)
    for name in dict.fromkeys((setting or benchmark.settings[0], benchmark.settings[0])):
        for row in boards.read_page(transaction, BoardKey(benchmark.id, benchmark.version, name), query, figures).rows:
            return row
    return None
