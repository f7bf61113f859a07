"""Listener groups: pooled counts, intervals by listener, stored data, and permissions."""

import shutil
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from db.listening_records import ListenerRecord
from db.records import UserRecord
from db.repositories import users
from db.session import Database
from evaluation.benchmarks import get_benchmark
from evaluation.statistics import wilson_interval
from submissions.accounts.credentials import Accounts
from submissions.errors import BadRequestError, NotAllowedError, NotFoundError, NotReadyError, StateError
from submissions.listening_test import listening_tests
from submissions.listening_test.listener_groups import MIN_LISTENERS, pool_group
from submissions.listening_test.listening_tests import Answers, GroupView, ListeningTests, Result
from submissions.listening_test.practice_packs import PracticePacks
from tests.support.samples.practice_packs import write_small_pack
from tests.support.servers.postgres import KINDS, Databases

BENCHMARK = get_benchmark("mdar", "demo")


def listener(right: int, n: int = 10) -> ListenerRecord:
    return ListenerRecord(right, n, {"main": (right, n)})


def test_pool_group_pools_answers_not_listeners() -> None:
    group = pool_group([listener(10, 10), listener(10, 40)], "d")
    assert (group.whole.n_listeners, group.whole.n, group.whole.value) == (2, 50, 0.4)
    assert (group.whole.low, group.whole.high) == (None, None), "two listeners are too few for an interval"
    assert group.tasks["main"] == group.whole


def test_pool_group_interval_is_across_listeners_and_wider_than_across_answers() -> None:
    assert pool_group([listener(5) for _ in range(9)], "d").whole.low is None, "nine are too few"
    similar = pool_group([listener(4 + at % 3) for at in range(12)], "d").whole
    different = pool_group([listener(10 * (at % 2)) for at in range(12)], "d").whole
    assert similar.low is not None
    assert similar.high is not None
    assert different.low is not None
    assert different.high is not None
    low, high = wilson_interval(6, 12)
    assert similar.high - similar.low < high - low < different.high - different.low + 0.02
    assert different == pool_group([listener(10 * (at % 2)) for at in range(12)], "d").whole


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_small_pack(BENCHMARK, tmp_path / "packs")
    return tmp_path


@pytest.fixture
def database(empty: Path, folder: Path) -> Iterator[Database]:
    shutil.copy(empty, folder)
    with closing(Database(f"sqlite:///{folder}/earshot.db")) as opened:
        yield opened


@pytest.mark.parametrize("kind", KINDS)
def test_concurrent_listeners_do_not_exceed_the_daily_limit(
    databases: Databases, folder: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(listening_tests, "MAX_A_DAY", 3)
    monkeypatch.setattr(listening_tests, "MIN_LISTENERS", 3)
    (folder / "other").mkdir()
    with databases.lend(kind, folder / "other") as url, closing(Database(url)) as database:
        tests = ListeningTests(database, PracticePacks(folder / "packs"), Accounts(database, ("may",)))
        with ThreadPoolExecutor(4) as threads:
            entries = [entry.kept for entry in threads.map(lambda seed: listen(tests, seed=seed, n_right=5), range(8))]
        assert sum(entry is not None and entry.id is not None for entry in entries) == 3
        tests.set_shown(find_user(database, "may"), BENCHMARK, "Enough.", shown=True)
        group = listen(tests, seed=9).group
        assert group is not None
        assert (group.whole.n_listeners, group.whole.value) == (3, 0.5)
        (first,) = [entry for entry in entries if entry is not None and entry.id is not None][:1]
        tests.withdraw(BENCHMARK, first.id or "")
        assert view(tests, database).group.whole.n_listeners == 2


@pytest.fixture
def tests(database: Database, folder: Path) -> ListeningTests:
    return ListeningTests(database, PracticePacks(folder / "packs"), Accounts(database, ("may",)))


def find_user(database: Database, name: str) -> UserRecord:
    with database.write() as transaction:
        return users.get_or_add_user(transaction, name, datetime.now(UTC))


def listen(
    tests: ListeningTests, *, seed: int = 1, n_right: int = 10, seconds: float = 500.0, n_skipped: int = 0
) -> Result:
    """Answer a round: `n_right` answers are right, `n_skipped` are skipped, the others are wrong."""
    listening_round = tests.open_round(BENCHMARK, 10, seed)
    right = {
        item.id: sorted(truth) if isinstance(truth := listening_round.pack.truths[item.id], frozenset) else truth
        for item in listening_round.items
    }
    wrong = {name: [2] if isinstance(truth, list) else (truth + 1) % 4 for name, truth in right.items()}
    ids = [item.id for item in listening_round.items]
    answers: dict[str, Any] = {name: right[name] if at < n_right else wrong[name] for at, name in enumerate(ids)}
    answers |= dict.fromkeys(ids[10 - n_skipped :])
    return tests.mark_round(BENCHMARK, Answers(10, seed, answers, seconds, consent=True))


def rows(folder: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(folder / "earshot.db")) as connection:
        return connection.execute("select * from listening_results").fetchall()


def view(tests: ListeningTests, database: Database) -> GroupView:
    return next(
        group_view for group_view in tests.list_groups(find_user(database, "may")) if group_view.benchmark is BENCHMARK
    )


def test_mark_round_stores_only_counts(tests: ListeningTests, folder: Path) -> None:
    result = listen(tests, n_right=7)
    assert (result.shares[""].n_right, result.shares[""].n) == (7, 10)
    assert sum(share.n for name, share in result.shares.items() if name) == 10
    assert result.kept is not None
    assert result.kept.id is not None
    (row,) = rows(folder)
    assert result.kept.id not in row, "reading the database does not reveal the id that withdraws a result"
    today = datetime.now(UTC).date().isoformat()
    assert row[1:9] == ("mdar", "demo", tests.open_pack(BENCHMARK).digest, today, 500, 10, 7, row[8])
    assert len(row) == 9


def test_withdraw_deletes_one_result_once(tests: ListeningTests, folder: Path) -> None:
    first, second = listen(tests, seed=1), listen(tests, seed=2)
    assert first.kept is not None
    assert second.kept is not None
    tests.withdraw(BENCHMARK, first.kept.id or "")
    assert len(rows(folder)) == 1
    for name in (first.kept.id or "", "l-nothing", "x" * 5000):
        with pytest.raises(NotFoundError):
            tests.withdraw(BENCHMARK, name)
    with pytest.raises(NotFoundError):
        tests.withdraw(get_benchmark("star-bench"), second.kept.id or "")
    assert len(rows(folder)) == 1


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"seconds": 0.1}, "faster than the clips play"),
        ({"n_skipped": 6}, "More than half of the questions were skipped"),
    ],
)
def test_round_without_listening_is_marked_and_not_stored(
    tests: ListeningTests, folder: Path, options: dict[str, float], reason: str
) -> None:
    result = listen(tests, **options)  # type: ignore[arg-type]
    assert result.kept is not None
    assert result.kept.id is None
    assert reason in (result.kept.reason or "")
    assert result.shares[""].n == 10
    assert rows(folder) == []


def test_round_beyond_the_daily_limit_is_marked_and_not_stored(
    tests: ListeningTests, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening_tests, "MAX_A_DAY", 2)
    entries = [listen(tests, seed=seed).kept for seed in range(3)]
    assert [bool(entry and entry.id) for entry in entries] == [True, True, False]
    assert "daily limit" in (entries[2].reason or "" if entries[2] else "")
    assert len(rows(folder)) == 2


def test_group_is_shown_only_after_a_maintainer_enables_it_and_every_act_is_logged(
    tests: ListeningTests, database: Database
) -> None:
    assert listen(tests, n_right=4).group is None
    may, ann = find_user(database, "may"), find_user(database, "ann")
    for act in (
        lambda: tests.list_groups(ann),
        lambda: tests.set_shown(ann, BENCHMARK, "I want it.", shown=True),
    ):
        with pytest.raises(NotAllowedError):
            act()
    with pytest.raises(BadRequestError):
        tests.set_shown(may, BENCHMARK, " ", shown=True)
    with pytest.raises(StateError):
        tests.set_shown(may, BENCHMARK, "Why.", shown=False)
    tests.set_shown(may, BENCHMARK, "Enough people.", shown=True)
    # Counts of few listeners would reveal those of each.
    assert [listen(tests, seed=seed, n_right=8).group for seed in range(2, MIN_LISTENERS)] == [None] * 3
    group = listen(tests, seed=MIN_LISTENERS, n_right=8).group
    assert group is not None
    assert (group.whole.n_listeners, group.whole.n, group.whole.value) == (5, 50, 0.72)
    assert view(tests, database).is_shown
    tests.set_shown(may, BENCHMARK, "A doubt.", shown=False)
    assert listen(tests, seed=3).group is None
    assert view(tests, database).group.whole.n_listeners == 6
    with closing(sqlite3.connect(database.url.database or "")) as connection:
        log = connection.execute("select actor, action, subject, details from audit_log order by number").fetchall()
    assert log[-2:] == [
        ("may", "show-listeners", "mdar demo", '{"reason":"Enough people."}'),
        ("may", "hide-listeners", "mdar demo", '{"reason":"A doubt."}'),
    ]


def test_group_contains_only_results_for_the_current_questions(
    tests: ListeningTests, database: Database, folder: Path
) -> None:
    listen(tests)
    with closing(sqlite3.connect(folder / "earshot.db")) as connection:
        connection.execute("update listening_results set content = 'of other questions'")
        connection.commit()
    assert view(tests, database).group.whole.n_listeners == 0


def test_pack_is_refused_until_it_is_rendered(database: Database, tmp_path: Path) -> None:
    tests = ListeningTests(database, PracticePacks(tmp_path / "later"), Accounts(database, ()))
    with pytest.raises(NotReadyError, match="about a minute"):
        tests.open_round(BENCHMARK, 10, 1)
    write_small_pack(BENCHMARK, tmp_path / "later")
    assert len(tests.open_round(BENCHMARK, 10, 1).items) == 10
    with pytest.raises(NotFoundError):
        tests.open_pack(BENCHMARK).get_clip("../../answer-keys/key")
