"""Columns that a board offers: those that its version can fill, and those in which a row has a value."""

from collections.abc import Iterable

from db.repositories import catalogue
from db.repositories.board_columns import list_chance_columns, list_filled_columns
from db.repositories.boards import BoardKey
from db.session import Transaction
from evaluation.benchmarks import Benchmark, Column


def list_offered_columns(transaction: Transaction, benchmark: Benchmark, settings: Iterable[str]) -> tuple[Column, ...]:
    """Return the columns that boards of a version offer, in the benchmark's order.

    Scores over few secret answers are shown to nobody, so some columns can have the scores of papers only. They are
    offered as soon as a row has a value there. Columns shown by default and judged ones are always offered, and all
    columns are until the chance row is scored, because only then is it known what the version can fill.

    Args:
        transaction: Where to read.
        benchmark: In its version.
        settings: Whose boards are meant.
    """
    chance = list_chance_columns(transaction, benchmark.id, benchmark.version)
    if not chance and catalogue.list_parts(transaction, benchmark.id, benchmark.version):
        return tuple(benchmark.columns)
    judged = {metric.id for metric in benchmark.metrics if metric.judged}
    offered = {one.key for one in benchmark.columns if one.shown or one.metric in judged} | chance
    for setting in settings:
        open_ones = [one.key for one in benchmark.columns if one.key not in offered]
        board = BoardKey(benchmark.id, benchmark.version, setting)
        offered |= list_filled_columns(transaction, board, open_ones)
    openings = {benchmark.headline_of(setting).key for setting in benchmark.settings}
    openings |= {column.key for setting in benchmark.settings for column in benchmark.columns_of(setting)}
    return tuple(column for column in benchmark.columns if column.key in offered | openings)
