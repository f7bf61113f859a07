"""Columns that a board offers: those that its version can fill, and those in which a row has a value."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from db.repositories import boards, catalogue
from db.repositories.board_columns import ChanceTag, find_chance_tag, list_chance_columns, list_filled_columns
from db.repositories.boards import BoardKey, BoardTag
from db.session import Transaction
from evaluation.benchmarks import Benchmark, Column


class OfferedColumns(NamedTuple):
    """Columns that boards offer, in the benchmark's order, and a digest of their keys for entity tags."""

    columns: tuple[Column, ...]
    digest: str


class _State(NamedTuple):
    """Inputs that determine the offered columns."""

    boards: tuple[BoardTag, ...]
    chance: ChanceTag


class OfferedColumnsCache:
    """Offered columns of boards, computed again when a board, the questions or the chance row change."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, tuple[str, ...]], tuple[_State, OfferedColumns]] = {}

    def find_columns(self, transaction: Transaction, benchmark: Benchmark, settings: Sequence[str]) -> OfferedColumns:
        """Return the columns that boards of a version offer; see `list_offered_columns`."""
        keys = (BoardKey(benchmark.id, benchmark.version, setting) for setting in settings)
        tags = tuple(boards.find_tag(transaction, key) for key in keys)
        return self._find_columns(transaction, benchmark, tuple(settings), tags)

    def find_of_board(
        self, transaction: Transaction, benchmark: Benchmark, setting: str, tag: BoardTag
    ) -> OfferedColumns:
        """Return the columns that a board offers in a known state."""
        return self._find_columns(transaction, benchmark, (setting,), (tag,))

    def _find_columns(
        self, transaction: Transaction, benchmark: Benchmark, settings: tuple[str, ...], tags: tuple[BoardTag, ...]
    ) -> OfferedColumns:
        chance = find_chance_tag(transaction, benchmark.id, benchmark.version, benchmark.settings)
        name, state = (benchmark.id, benchmark.version, settings), _State(tags, chance)
        known = self._known.get(name)
        if known is not None and known[0] == state:
            return known[1]
        columns = list_offered_columns(transaction, benchmark, settings, chance)
        found = OfferedColumns(columns, _digest(columns))
        self._known[name] = (state, found)
        return found


def list_offered_columns(
    transaction: Transaction, benchmark: Benchmark, settings: Sequence[str], tag: ChanceTag
) -> tuple[Column, ...]:
    """Return the columns that boards of a version offer, in the benchmark's order.

    Scores over few secret answers are hidden from everyone, so some columns can contain reported scores only. They are
    offered once a row has a value there. Default columns and judged columns are always offered, and all columns are
    until the chance row is scored, which shows what the version can fill. Columns that need a value are never offered
    without one.

    Args:
        transaction: Transaction to read in.
        benchmark: Benchmark version.
        settings: Settings of the boards.
        tag: The current chance rows of the version.
    """
    chance = list_chance_columns(transaction, tag)
    has_all = not chance and bool(catalogue.list_parts(transaction, benchmark.id, benchmark.version))
    offered = chance | {one.key for one in benchmark.columns if has_all} | _list_usual(benchmark)
    offered -= {one.key for one in benchmark.columns if one.needs_value}
    for setting in settings:
        open_ones = [one.key for one in benchmark.columns if one.key not in offered]
        board = BoardKey(benchmark.id, benchmark.version, setting)
        offered |= list_filled_columns(transaction, board, open_ones)
    return tuple(column for column in benchmark.columns if column.key in offered)


def _list_usual(benchmark: Benchmark) -> set[str]:
    """Return the judged columns, and the default columns of all settings."""
    judged = {metric.id for metric in benchmark.metrics if metric.judged}
    usual = {one.key for one in benchmark.columns if one.shown or one.metric in judged}
    usual |= {benchmark.headline_of(setting).key for setting in benchmark.settings}
    return usual | {column.key for setting in benchmark.settings for column in benchmark.columns_of(setting)}


def _digest(columns: Sequence[Column]) -> str:
    return hashlib.sha256("\n".join(column.key for column in columns).encode()).hexdigest()[:8]
