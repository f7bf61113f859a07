"""The best rows of a board: systems, and human baselines."""

from collections.abc import Collection, Container, Iterable, Sequence

from db.records import BoardRow
from db.repositories import boards
from db.repositories.board_order import References
from db.repositories.boards import BoardKey, PageQuery
from db.session import Transaction
from evaluation.benchmarks import Benchmark, Column
from submissions.ranking.row_sources import RANKED_SOURCES

# Badges of rows that charts and comparisons show only when a visitor selects them.
BASELINES = frozenset({"random", "reference"})


def find_lead(benchmark: Benchmark, known: Container[str]) -> Column:
    """Return the leading score of a row: the headline or, for a row without it, its first column.

    Args:
        benchmark: Benchmark version.
        known: `<slice>|<metric>` of the row's scores.
    """
    # A row of a setting that covers only some tasks of a part has none of the default columns.
    lists = (benchmark.columns_of(setting) for setting in benchmark.settings)
    return next((one for columns in lists for one in columns if one.key in known), benchmark.headline)


def find_lead_on(benchmark: Benchmark, setting: str, row: BoardRow) -> Column:
    """Return the leading score of a row on a setting's board: the column that this opens with, if the row has it."""
    known = {key for key, one in row.standings.items() if one.value is not None}
    first = benchmark.headline_of(setting)
    return first if first.key in known else find_lead(benchmark, known)


def list_by_leads(
    transaction: Transaction, benchmark: Benchmark, setting: str, limit: int, references: References = "false"
) -> list[BoardRow]:
    """Return the first rows of a board with their default columns, in the order of `order_by_leads`."""
    key = BoardKey(benchmark.id, benchmark.version, setting)
    first = benchmark.headline_of(setting).key
    shown = (column.key for column in benchmark.columns_of(setting))
    query = PageQuery(sort=first, descending=True, limit=limit, references=references)
    page = boards.read_page(transaction, key, query, [first, *shown])
    return order_by_leads(benchmark, setting, page.rows)


def list_comparable(
    transaction: Transaction, benchmark: Benchmark, setting: str, limit: int, named: Collection[str]
) -> list[BoardRow]:
    """Return rows of a board to choose from, in the order of `order_by_leads`; `BASELINES` only if named.

    Args:
        transaction: Transaction to read in.
        benchmark: Benchmark version.
        setting: Setting of the board.
        limit: Number of rows.
        named: Ids of submissions that the visitor requested.
    """
    rows = list_by_leads(transaction, benchmark, setting, limit)
    references = list_by_leads(transaction, benchmark, setting, limit, "only")
    return [row for row in [*rows, *references] if row.submission.badge not in BASELINES or row.submission.id in named]


def order_by_leads(benchmark: Benchmark, setting: str, rows: Iterable[BoardRow]) -> list[BoardRow]:
    """Return rows of a board by leading score, those without the board's opening column last.

    Args:
        benchmark: Benchmark version.
        setting: Setting of the board.
        rows: Rows with their scores, in the order of the board.
    """
    columns = {column.key: at for at, column in enumerate(benchmark.columns)}
    smaller_is_better = {metric.id for metric in benchmark.metrics if not metric.higher_is_better}
    first = benchmark.headline_of(setting)

    def place(row: BoardRow) -> tuple[int, float]:
        lead = find_lead_on(benchmark, setting, row)
        standing = row.standings.get(lead.key)
        if standing is None or standing.value is None:
            return len(columns), 0.0
        if lead == first:
            return -1, 0.0
        return columns[lead.key], standing.value if lead.metric in smaller_is_better else -standing.value

    return sorted(rows, key=place)


def list_best_systems(transaction: Transaction, board: BoardKey, score_key: str, limit: int) -> tuple[BoardRow, ...]:
    """Return the rows of systems with a score, largest first, each with this score only.

    Rows without a rank are left out unless there are no others.
    """
    return boards.list_best(transaction, board, score_key, RANKED_SOURCES, limit)


def find_people(
    transaction: Transaction, benchmark: Benchmark, score_keys: Sequence[str], setting: str | None = None
) -> BoardRow | None:
    """Return the human baseline with the best headline score, or None.

    Args:
        transaction: Transaction to read in.
        benchmark: Benchmark version.
        score_keys: Scores to return with the row.
        setting: Setting to look in first; the default setting if it has no human baseline, or None is given.
    """
    query = PageQuery(sort=benchmark.headline.key, descending=True, sources=("human",), limit=1)
    for name in dict.fromkeys((setting or benchmark.settings[0], benchmark.settings[0])):
        for row in boards.read_page(
            transaction, BoardKey(benchmark.id, benchmark.version, name), query, score_keys
        ).rows:
            return row
    return None
