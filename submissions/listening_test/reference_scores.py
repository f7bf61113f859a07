"""Reference scores for a round's questions: published human baselines and the best models."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from db.records import BoardRow
from db.repositories.boards import BoardKey
from db.session import Transaction
from evaluation.benchmarks import Benchmark, Column, list_versions
from evaluation.types import Item
from submissions.listening_test.rounds import find_common
from submissions.ranking.best_rows import find_people, list_best_systems

# Metrics of models that are comparable to a listener's share of correct answers.
_SHARES = ("accuracy", "aa", "em")
MAX_MODELS = 3


@dataclass(frozen=True, slots=True)
class Beside:
    """Reference scores for a listener's share: the board's column, and the rows of humans and the best models in it."""

    column: Column
    human: BoardRow | None
    models: tuple[BoardRow, ...]


def find_column(benchmark: Benchmark, slice_name: str) -> Column | None:
    """Return the column of a slice that is a share of correct answers."""
    return next((one for one in benchmark.columns if one.slice == slice_name and one.metric in _SHARES), None)


def find_whole(benchmark: Benchmark, items: Sequence[Item]) -> Column | None:
    """Return the column over exactly the questions that a round can ask; None if a board has no such column."""
    is_all = {item.part for item in items} == {part.id for part in benchmark.parts}
    return find_column(benchmark, "overall" if is_all else find_common(items))


def read_beside(
    transaction: Transaction, benchmark: Benchmark, columns: Mapping[str, Column | None]
) -> dict[str, Beside]:
    """Return name → reference scores, for names with a column."""
    return {
        name: Beside(column, _find_human(transaction, benchmark, column), _list_models(transaction, benchmark, column))
        for name, column in columns.items()
        if column is not None
    }


def _list_models(transaction: Transaction, benchmark: Benchmark, column: Column) -> tuple[BoardRow, ...]:
    board = BoardKey(benchmark.id, benchmark.version, benchmark.settings[0])
    rows = list_best_systems(transaction, board, column.key, MAX_MODELS)
    return tuple(row for row in rows if _has_score(row, column))


def _find_human(transaction: Transaction, benchmark: Benchmark, column: Column) -> BoardRow | None:
    """Return the human baseline of this version or, if only another version has one, of that."""
    versions = (benchmark, *list_versions(benchmark.id))
    rows = (find_people(transaction, version, [column.key]) for version in versions)
    return next((row for row in rows if row is not None and _has_score(row, column)), None)


def _has_score(row: BoardRow, column: Column) -> bool:
    return column.key in row.standings and row.standings[column.key].value is not None
