"""Token timing: how long a wrong token takes to refuse says nothing about the right one.

A token is found by the digest of all of it, in an index. How far an index key agrees with the wanted one depends on the
digests, which nobody can choose; no token is compared letter by letter.
"""

import random
import secrets
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from db.session import Database
from submissions.accounts.credentials import Accounts, digest_secret
from tests.support.servers.live_site import put_database

N_MEASURED = 4_000
# Over a network, thousands of measurements tell differences of some 20 µs.
MAX_DIFFERENCE_SECONDS = 10e-6


@pytest.fixture
def accounts(tmp_path: Path) -> Iterator[Accounts]:
    put_database(tmp_path)
    with closing(Database(f"sqlite:///{tmp_path}/earshot.db")) as database:
        yield Accounts(database, ())


@contextmanager
def record_statements() -> Iterator[list[tuple[str, str]]]:
    """Yield the statements that are executed meanwhile, with their parameters."""
    found: list[tuple[str, str]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        found.append((statement, repr(parameters)))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def replace_end(token: str) -> str:
    """Return a token of which only the last letter is wrong."""
    return token[:-1] + ("a" if token[-1] != "a" else "b")


@pytest.mark.parametrize("find", [Accounts.find_by_token, Accounts.find_by_session])
def test_secret_is_looked_up_by_the_digest_of_all_of_it(
    accounts: Accounts, find: Callable[[Accounts, str], object]
) -> None:
    token = accounts.create_token("ada") if find is Accounts.find_by_token else accounts.sign_in("ada")[1]
    statements = []
    for secret in (token, replace_end(token), f"esh_{secrets.token_urlsafe(32)}"):
        with record_statements() as found:
            user = find(accounts, secret)
        assert (user is not None) is (secret == token)
        # The first use of a session is noted; that follows the look-up.
        statements.append(next(statement for statement, values in found if digest_secret(secret) in values))
        assert secret[4:12] not in str(found)
    assert len(set(statements)) == 1


@pytest.mark.slow
def test_beginning_of_a_token_does_not_change_the_time_of_its_refusal(accounts: Accounts) -> None:
    token = accounts.create_token("ada")
    kinds: dict[str, Callable[[], str]] = {
        "close": lambda: token[:-6] + secrets.token_urlsafe(32)[:6],
        "far": lambda: f"esh_{secrets.token_urlsafe(32)}",
    }
    seconds: dict[str, list[float]] = {name: [] for name in kinds}
    for name in random.Random(1).sample([*kinds] * N_MEASURED, 2 * N_MEASURED):
        wrong = kinds[name]()
        start = time.perf_counter()
        assert accounts.find_by_token(wrong) is None
        seconds[name].append(time.perf_counter() - start)
    assert abs(statistics.median(seconds["close"]) - statistics.median(seconds["far"])) < MAX_DIFFERENCE_SECONDS
