"""Boards with many rows and random scores, written as fast as the database allows."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from sqlalchemy import Table, insert

from db.models import Board, Evaluation, Model, Standing, Submission, User
from db.repositories.boards import BoardKey
from db.session import Database
from evaluation.benchmarks import Benchmark

NOW = datetime(2026, 1, 1, tzinfo=UTC)
_AT_ONCE = 5_000
_SOURCES = ("submitted", "verified", "reported")
_KINDS = ("LALM", "OLM", "cascaded")


def fill_board(database: Database, benchmark: Benchmark, n_rows: int, score_keys: list[tuple[str, str]]) -> BoardKey:
    """Add a board of one setting; one in a thousand rows is a human baseline, and one in fifty lacks its scores.

    Args:
        database: Target database, without this board.
        benchmark: Benchmark of the board.
        n_rows: Number of submissions, each with its own model.
        score_keys: (slice, metric) of the scores of a row.
    """
    key = BoardKey(benchmark.id, benchmark.version, benchmark.settings[0])
    board = {"benchmark": key.benchmark, "version": key.version, "setting": key.setting}
    values = np.random.default_rng(0).random((n_rows, len(score_keys))).round(4)
    with database.write() as transaction:
        connection = transaction.connection()
        connection.execute(insert(User.__table__), [{"id": 1, "name": "bench", "created_at": NOW}])  # type: ignore[arg-type]
        for first in range(0, n_rows, _AT_ONCE):
            numbers = range(first, min(first + _AT_ONCE, n_rows))
            for table, rows in (
                (Model.__table__, [_model(n) for n in numbers]),
                (Submission.__table__, [board | _submission(n) for n in numbers]),
                (Evaluation.__table__, [_evaluation(n) for n in numbers]),
                (Standing.__table__, [board | row for n in numbers for row in _standings(n, score_keys, values[n])]),
            ):
                assert isinstance(table, Table)
                connection.execute(insert(table), rows)
        board_row = board | {"revision": 1, "changes": 1, "rule": "", "updated_at": NOW}
        connection.execute(insert(Board.__table__), [board_row])  # type: ignore[arg-type]
    return key


def _name(number: int) -> str:
    # IDs of real submissions are not in order, so these are not either.
    return f"s-{(number * 2_654_435_761) % 2**32:08x}"


def _model(number: int) -> dict[str, Any]:
    # Every ninth one is merged into another.
    is_alias = number % 9 == 8
    # Maintainers describe few models; merged ones and their targets are among them.
    described = number if number < 1_000 else 0
    return {
        "id": number + 1,
        "name": f"Model {number}",
        "name_key": f"model {number}",
        "public_id": f"m-{number:016x}",
        "joined_to_id": number if is_alias else None,
        "shown_as_id": number if is_alias else None,
        "created_at": NOW,
        "kind": "described" if described % 40 in (7, 8) else None,
        "organisation": "Lab 5" if described % 60 == 7 else None,
        "open_weights": True if described % 80 == 7 else None,
        "size_billions": 7.0 if described % 100 == 8 else None,
    }


def _submission(number: int) -> dict[str, Any]:
    at = NOW + timedelta(seconds=number)
    return {
        "id": _name(number),
        "source": "human" if number % 1000 == 0 else _SOURCES[number % 3],
        "owner_id": 1,
        "model_id": number + 1,
        "model_name": f"Model {number}",
        "state": "scored",
        "visibility": "public",
        "allow_missing": False,
        "created_at": at,
        "updated_at": at,
        "attempts": 1,
        "current_evaluation_id": number + 1,
        "organisation": f"Lab {number % 97}",
        # For every tenth one no facts are known; one kind is rare.
        "kind": None if number % 10 == 4 else "listener" if number % 500 == 1 else _KINDS[number % 7 % 3],
        "open_weights": None if number % 10 == 4 else number % 11 > 0,
        "size_billions": None if number % 10 == 4 else float(number % 71),
    }


def _evaluation(number: int) -> dict[str, Any]:
    return {
        "id": number + 1,
        "submission_id": _name(number),
        "started_at": NOW,
        "finished_at": NOW,
        "progress": 1.0,
        "ranking": "bench",
        "signature": "bench",
        "parts": ["sct"],
        "runs": 1,
        "expected": 100,
        "missing": 0,
        "unreadable": 0,
        "unreadable_reasons": {},
        "notes": [],
    }


def _standings(number: int, score_keys: list[tuple[str, str]], values: Any) -> Iterator[dict[str, Any]]:
    if number % 50 == 49:
        return
    for (slice_name, metric), value in zip(score_keys, values.tolist(), strict=True):
        yield {
            "submission_id": _name(number),
            "evaluation_id": number + 1,
            "slice": slice_name,
            "metric": metric,
            "value": value,
            "std": 0.01,
            "low": value - 0.02,
            "high": value + 0.02,
            "rank": number + 1,
            "rank_low": number + 1,
            "rank_high": number + 3,
        }
