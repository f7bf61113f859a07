"""Slots for work: which client is next, and that no slot is lost."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

import leaderboard.http.client_slots
from leaderboard.http.client_slots import ClientSlots
from tests.support.servers.clocks import Clock


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def use(slots: ClientSlots, client: str, clock: Clock, n_seconds: float) -> None:
    async with slots.take_slot(client):
        clock.now += n_seconds


def test_free_slot_goes_to_the_client_that_has_used_least() -> None:
    clock = Clock()
    slots = ClientSlots(1, clock)
    begun: list[str] = []

    async def work(client: str) -> None:
        async with slots.take_slot(client):
            begun.append(client)
            clock.now += 0.5

    async def run_all() -> None:
        await use(slots, "heavy", clock, 3.0)
        await use(slots, "light", clock, 0.2)
        async with slots.take_slot("other"):
            tasks = [asyncio.ensure_future(work(client)) for client in ("heavy", "heavy", "light", "light", "new")]
            await settle()
            assert begun == []
        await asyncio.gather(*tasks)

    asyncio.run(run_all())
    assert begun == ["new", "light", "light", "heavy", "heavy"]
    assert slots._n_free == 1


def test_use_is_forgotten_with_time() -> None:
    clock = Clock()
    slots = ClientSlots(1, clock)

    async def run_all() -> None:
        await use(slots, "heavy", clock, 3.0)
        clock.now += 300
        await use(slots, "light", clock, 0.2)
        assert list(slots._used) == ["light"] or slots._used["heavy"] < slots._used["light"]

    asyncio.run(run_all())


def test_long_work_gives_its_slot_back_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaderboard.http.client_slots, "LONG_SECONDS", 0.01)
    slots = ClientSlots(1)

    async def run_all() -> None:
        async with slots.take_slot("long"):
            # Begins although the first has not ended.
            async with slots.take_slot("other"):
                pass
            assert slots._n_free == 1
        assert slots._n_free == 1

    asyncio.run(run_all())


@pytest.mark.parametrize("has_turn", [False, True])
def test_cancelled_or_failed_work_loses_no_slot(has_turn: bool) -> None:
    slots = ClientSlots(1)

    async def run_all() -> None:
        with pytest.raises(ZeroDivisionError):
            async with slots.take_slot("failing"):
                raise ZeroDivisionError
        async with slots.take_slot("first"):
            waiting = asyncio.ensure_future(hold(slots, asyncio.sleep))
            await settle()
            if not has_turn:
                await cancel(waiting)
        if has_turn:
            # It has been given the slot, but has not run since.
            await cancel(waiting)
        async with slots.take_slot("last"):
            pass

    asyncio.run(asyncio.wait_for(run_all(), 30))
    assert slots._n_free == 1


async def hold(slots: ClientSlots, wait: Callable[[float], Awaitable[None]]) -> None:
    async with slots.take_slot("waiting"):
        await wait(0)


async def cancel(task: "asyncio.Future[None]") -> None:
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
