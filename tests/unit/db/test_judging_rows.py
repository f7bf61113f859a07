"""Tables of judging, on both databases: verdict cache, call counts, holds and releases."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from db.judge_records import JudgeBudget, JudgePrice, JudgeSpend
from db.repositories import judging
from db.session import Database
from submissions.judging import DatabaseAllowance, DatabaseCache
from tests.support.servers.postgres import KINDS, Databases

NOW = datetime(2026, 1, 31, 12, tzinfo=UTC)


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Iterator[Database]:
    with databases.lend(request.param, tmp_path) as url, closing(Database(url)) as opened:
        yield opened


def test_concurrent_evaluators_make_no_more_calls_than_the_daily_limit(database: Database) -> None:
    allowances = [DatabaseAllowance(database, JudgeBudget(20), lambda: NOW) for _ in range(4)]
    with ThreadPoolExecutor(4) as threads:
        granted = list(threads.map(lambda number: allowances[number % 4].spend_call(), range(40)))
    assert sum(granted) == 20
    tomorrow = DatabaseAllowance(database, JudgeBudget(20), lambda: datetime(2026, 2, 1, tzinfo=UTC))
    assert tomorrow.spend_call()
    tomorrow.note_tokens(7, 3)
    assert not DatabaseAllowance(database, JudgeBudget(0), lambda: NOW).spend_call()
    with database.read() as transaction:
        assert judging.find_spend(transaction, date(2026, 1, 31)) == JudgeSpend(20, 0, 0)
        assert judging.find_spend(transaction, date(2026, 2, 1), 2) == JudgeSpend(21, 7, 3)
        assert judging.find_spend(transaction, date(2026, 3, 15), 30) == JudgeSpend()


def test_day_ends_when_its_budget_is_spent(database: Database) -> None:
    price = JudgePrice(prompt=1.5, completion=6.0)
    allowance = DatabaseAllowance(database, JudgeBudget(20, 0.003, price), lambda: NOW)
    assert allowance.spend_call()
    allowance.note_tokens(1_000, 249)
    assert allowance.spend_call(), "0.002994 is spent"
    allowance.note_tokens(0, 1)
    assert not allowance.spend_call()
    assert not DatabaseAllowance(
        database, JudgeBudget(20, 0.0, price), lambda: datetime(2026, 2, 1, tzinfo=UTC)
    ).spend_call()
    with database.read() as transaction:
        spend = judging.find_spend(transaction, NOW.date())
    assert spend.calls == 2
    assert price.cost(spend) == pytest.approx(0.003)


def test_first_verdict_under_a_digest_is_kept(database: Database) -> None:
    cache = DatabaseCache(database)
    assert cache.find_verdict("k") is None
    for value in (1, 2):
        DatabaseCache(database).store_verdict("k", {"candidate": value, "quotes": ["三点"]})
    assert cache.find_verdict("k") == {"candidate": 1, "quotes": ["三点"]}
    with database.read() as transaction:
        assert judging.count_judgements(transaction, {"k", *(str(number) for number in range(1_200))}) == 1
