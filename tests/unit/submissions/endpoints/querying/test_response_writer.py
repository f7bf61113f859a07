"""Response writer: responses are flushed even if a callback ends the run, and the number of unsaved ones is bounded."""

import asyncio
from collections.abc import Callable, Sequence

import pytest

from submissions.endpoints.querying.query_records import EndpointReply, ItemResponse, Progress
from submissions.endpoints.querying.response_writer import ResponseWriter

PROGRESS = Progress(0)


def make_response(number: int) -> ItemResponse:
    return ItemResponse(f"q{number}", 0, EndpointReply("B", "stop"), "digest", 1, 0.01)


def save_until_interrupted(save: Callable[[Sequence[ItemResponse]], None], meanwhile: ItemResponse) -> None:
    """Add one response, and another one during the progress report that ends the run."""

    async def add_responses() -> None:
        loop = asyncio.get_running_loop()

        def report(_progress: Progress) -> None:
            loop.call_soon_threadsafe(writer.add_response, meanwhile)
            raise InterruptedError("interrupted")

        writer = ResponseWriter(save, report, lambda: PROGRESS, 0.0, lambda: writer.close(), max_unkept=8)
        writer.add_response(make_response(0))
        await writer.run()

    asyncio.run(add_responses())


def test_response_that_arrives_while_a_report_fails_is_saved_before_the_error_is_raised() -> None:
    """The progress callback ends a run by raising; a slow disk must not lose paid responses then."""
    saved: list[ItemResponse] = []
    with pytest.raises(InterruptedError, match="interrupted"):
        save_until_interrupted(saved.extend, make_response(1))
    assert [response.id for response in saved] == ["q0", "q1"]


def test_interruption_takes_precedence_over_a_failed_save() -> None:
    """Otherwise an interruption while the disk is full would count as a failed attempt."""

    def save(responses: Sequence[ItemResponse]) -> None:
        if responses[0].id == "q1":
            raise OSError("disk full")

    with pytest.raises(InterruptedError, match="interrupted") as raised:
        save_until_interrupted(save, make_response(1))
    assert isinstance(raised.value.__cause__, OSError)


def test_writer_has_room_while_fewer_responses_than_allowed_are_unsaved() -> None:
    """Responses that a slow disk is still saving count as unsaved: a kill loses them as well."""

    async def fill() -> list[bool]:
        loop = asyncio.get_running_loop()
        is_saving, may_continue = asyncio.Event(), asyncio.Event()

        def save(_responses: Sequence[ItemResponse]) -> None:
            loop.call_soon_threadsafe(is_saving.set)
            asyncio.run_coroutine_threadsafe(may_continue.wait(), loop).result(30)

        writer = ResponseWriter(save, lambda _progress: None, lambda: PROGRESS, 60.0, lambda: None, max_unkept=3)
        run = asyncio.create_task(writer.run())
        rooms = [await has_room(writer)]
        writer.add_response(make_response(0))
        await is_saving.wait()
        writer.add_response(make_response(1))
        rooms.append(await has_room(writer))
        writer.add_response(make_response(2))
        rooms.append(await has_room(writer))
        may_continue.set()
        await writer.wait_for_room()
        writer.close()
        await run
        return rooms

    assert asyncio.run(fill()) == [True, True, False]


async def has_room(writer: ResponseWriter) -> bool:
    task = asyncio.create_task(writer.wait_for_room())
    for _ in range(5):
        await asyncio.sleep(0)
    is_free = task.done()
    task.cancel()
    return is_free
