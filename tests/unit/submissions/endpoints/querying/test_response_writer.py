"""Response writer: responses are flushed even if a callback ends the run, and the number of unsaved ones is bounded."""

import asyncio
from collections.abc import Callable, Sequence

import pytest

from submissions.endpoints.querying.query_records import EndpointReply, ItemResponse, Progress
from submissions.endpoints.querying.response_writer import ResponseWriter

PROGRESS = Progress(0)


def make_response(number: int) -> ItemResponse:
    return ItemResponse(f"q{number}", 0, EndpointReply("B", "stop"), "digest", 1, 0.01)


def keep_until_told_to_end(keep: Callable[[Sequence[ItemResponse]], None], meanwhile: ItemResponse) -> None:
    """Hand one answer over, and another one while the report is made that ends the asking."""

    async def hand_over() -> None:
        loop = asyncio.get_running_loop()

        def report(_progress: Progress) -> None:
            loop.call_soon_threadsafe(keeper.add_response, meanwhile)
            raise InterruptedError("told to end")

        keeper = ResponseWriter(keep, report, lambda: PROGRESS, 0.0, lambda: keeper.close(), max_unkept=8)
        keeper.add_response(make_response(0))
        await keeper.run()

    asyncio.run(hand_over())


def test_answer_that_comes_while_a_report_fails_is_kept_before_it_is_raised() -> None:
    """An evaluator is told to end by what its report raises; a slow disk must not lose paid answers then."""
    kept: list[ItemResponse] = []
    with pytest.raises(InterruptedError, match="told to end"):
        keep_until_told_to_end(kept.extend, make_response(1))
    assert [response.id for response in kept] == ["q0", "q1"]


def test_reason_to_end_counts_though_what_came_meanwhile_cannot_be_kept() -> None:
    """Or an evaluator that is told to end while the disk is full would count it as a failed attempt."""

    def keep(responses: Sequence[ItemResponse]) -> None:
        if responses[0].id == "q1":
            raise OSError("disk full")

    with pytest.raises(InterruptedError, match="told to end") as raised:
        keep_until_told_to_end(keep, make_response(1))
    assert isinstance(raised.value.__cause__, OSError)


def test_room_is_there_while_fewer_answers_than_allowed_are_not_kept() -> None:
    """What is in the hands of a slow disk counts: whoever is killed loses it as well."""

    async def fill() -> list[bool]:
        loop = asyncio.get_running_loop()
        is_in_hand, may_go_on = asyncio.Event(), asyncio.Event()

        def keep(_responses: Sequence[ItemResponse]) -> None:
            loop.call_soon_threadsafe(is_in_hand.set)
            asyncio.run_coroutine_threadsafe(may_go_on.wait(), loop).result(30)

        keeper = ResponseWriter(keep, lambda _progress: None, lambda: PROGRESS, 60.0, lambda: None, max_unkept=3)
        keeping = asyncio.create_task(keeper.run())
        rooms = [await has_room(keeper)]
        keeper.add_response(make_response(0))
        await is_in_hand.wait()
        keeper.add_response(make_response(1))
        rooms.append(await has_room(keeper))
        keeper.add_response(make_response(2))
        rooms.append(await has_room(keeper))
        may_go_on.set()
        await keeper.wait_for_room()
        keeper.close()
        await keeping
        return rooms

    assert asyncio.run(fill()) == [True, True, False]


async def has_room(keeper: ResponseWriter) -> bool:
    waiting = asyncio.create_task(keeper.wait_for_room())
    for _ in range(5):
        await asyncio.sleep(0)
    is_there = waiting.done()
    waiting.cancel()
    return is_there
