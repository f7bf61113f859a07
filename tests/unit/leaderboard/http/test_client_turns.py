"""Turns of clients: how much of one runs at once, and that nobody waits for another."""

import asyncio
import threading

import pytest

from leaderboard.http.client_turns import ClientTurns, name_client


def test_client_has_a_few_turns_at_once_and_delays_no_other() -> None:
    turns = ClientTurns(n_threads=8, n_of_client=2)
    may_end = threading.Event()
    begun: list[str] = []

    def work(name: str) -> str:
        begun.append(name)
        if name.startswith("busy"):
            assert may_end.wait(30)
        return name

    async def run_all() -> list[str]:
        busy = [asyncio.ensure_future(turns.run("busy", work, f"busy-{n}")) for n in range(5)]
        while len(begun) < 2:
            await asyncio.sleep(0.001)
        assert await turns.run("other", work, "other") == "other"
        # Threads that start together begin in any order.
        assert sorted(begun) == ["busy-0", "busy-1", "other"], "the third of the busy client waits"
        may_end.set()
        return await asyncio.gather(*busy)

    assert asyncio.run(run_all()) == [f"busy-{n}" for n in range(5)]
    assert not turns._limiters, "nothing is remembered of clients that are served"


def test_failed_and_cancelled_work_gives_its_turn_back() -> None:
    turns = ClientTurns(n_threads=1, n_of_client=1)

    async def run_all() -> None:
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                await turns.run(1, lambda: 1 // 0)
        async with turns._take_turn(1):
            waiting = asyncio.ensure_future(turns.run(1, lambda: None))
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
        await turns.run(1, lambda: None)

    asyncio.run(run_all())
    assert not turns._limiters


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("fe80::1%eth0", "fe80::"),
        ("testclient", "unknown"),
        (None, "unknown"),
    ],
)
def test_client_is_an_address_or_a_network(address: str | None, name: str) -> None:
    assert name_client(address) == name
