"""Page events whose handlers fail: every failure is logged and shown with a message and a remedy."""

import asyncio
import logging
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NoReturn, cast

import gradio as gr
import pytest
from gradio.blocks import BlockFunction
from sqlalchemy.exc import OperationalError
from starlette.requests import Request

from db.session import Database
from leaderboard.api.auth import COOKIE
from leaderboard.http.problem_details import DATABASE_AWAY, DATABASE_BUSY
from leaderboard.pages.inputs.event_states import EventState
from leaderboard.pages.inputs.page_events import StrictBlocks
from leaderboard.pages.page import build_page
from leaderboard.services import Services
from settings import Settings
from submissions.errors import NotAllowedError
from tests.support.pages.visitor import closing_loops

SECRET = "<img src=x onerror=alert(1)> /data/secret/earshot.db"
INCIDENT = re.compile(r"Try again, or report reference ([0-9a-f]{8})\.")


class BrokenError(Exception):
    """An unexpected error."""


class ServerGoneError(Exception):
    """Error that PostgreSQL's driver raises while the server is unavailable."""

    sqlstate = None


class Failing:
    """Service that fails on any attribute access."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __getattr__(self, name: str) -> NoReturn:
        raise self.error


class FailingServices:
    """Services that all fail."""

    def __init__(self, folder: Path, error: Exception) -> None:
        self.settings = Settings(data_dir=folder)
        self.failing = Failing(error)

    def __getattr__(self, name: str) -> Failing:
        return self.failing


@pytest.fixture(autouse=True)
def loops() -> Iterator[None]:
    with closing_loops():
        yield


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> FailingServices:
    return FailingServices(tmp_path_factory.mktemp("page"), BrokenError(SECRET))


@pytest.fixture(scope="module")
def page(services: FailingServices) -> Iterator[StrictBlocks]:
    with closing_loops():
        yield cast("StrictBlocks", build_page(cast("Services", services)))


def events_of(page: StrictBlocks) -> list[BlockFunction]:
    """Return every event that Python handles, including new ones."""
    return [event for event in page.fns.values() if event.fn is not None]


def make_value(part: Any) -> Any:
    """Return a possible input of a visitor, including an empty one."""
    if isinstance(part, gr.Dropdown):
        first = part.choices[0][1] if part.choices else "1"
        return [first] if part.multiselect else first
    return "1" if isinstance(part, gr.Textbox) else None


def answer(page: StrictBlocks, event: BlockFunction, values: Sequence[Any] = ()) -> list[Any]:
    """Call an event as Gradio does, for a visitor with a cookie."""
    cookie = (b"cookie", f"{COOKIE}=abc".encode())
    scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": [cookie]}
    data = [*values] or [make_value(part) for part in event.inputs]
    request = gr.Request(Request(scope))
    found = asyncio.run(page.process_api(event, data, state=EventState(page), request=request))
    sent: list[Any] = found["data"]
    return sent


def words_of(sent: Sequence[Any]) -> list[str]:
    """Return all HTML in a response."""
    values = (one.get("value") if isinstance(one, dict) else one for one in sent)
    return [one for one in values if isinstance(one, str) and one.startswith("<")]


@pytest.fixture
def raising(page: StrictBlocks, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace every handler by one that fails."""

    def fail(*_: Any) -> NoReturn:
        raise BrokenError(SECRET)

    for event in events_of(page):
        monkeypatch.setattr(event, "fn", fail)


@pytest.mark.usefixtures("raising")
def test_every_failing_event_shows_one_incident_and_nothing_of_the_error(
    page: StrictBlocks, caplog: pytest.LogCaptureFixture
) -> None:
    assert len(events_of(page)) > 30
    for event in events_of(page):
        caplog.clear()
        (words,) = words_of(answer(page, event))
        (incident,) = INCIDENT.findall(words)
        assert 'role="alert"' in words
        assert "data-reload" in words
        assert "BrokenError" not in words
        assert "secret" not in words
        (record,) = [one for one in caplog.records if one.levelno == logging.ERROR]
        assert incident in record.getMessage()
        assert record.exc_info is not None
        assert isinstance(record.exc_info[1], BrokenError)


# The first reads no service; the others refuse their input before they use one.
PLAIN = {"open_about", "check", "send"}


def test_every_event_shows_an_incident_if_all_services_fail(page: StrictBlocks) -> None:
    for event in events_of(page):
        said = " ".join(words_of(answer(page, event)))
        assert "secret" not in said
        assert len(INCIDENT.findall(said)) == (event.name not in PLAIN), event.name


def test_every_event_reports_a_database_outage(
    page: StrictBlocks, services: FailingServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services.failing, "error", OperationalError("select secret", {}, ServerGoneError(SECRET)))
    for event in events_of(page):
        said = " ".join(words_of(answer(page, event)))
        assert "secret" not in said
        assert said.count(DATABASE_AWAY) == (event.name not in PLAIN), event.name


def test_every_event_reports_a_write_lock_of_another_program(
    page: StrictBlocks, services: FailingServices, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "locked.db"
    with (
        closing(sqlite3.connect(path)) as holder,
        closing(Database(f"sqlite:///{path}", lock_seconds=0)) as database,
    ):
        database.revision()  # switches the journal, which needs the lock too
        holder.execute("begin immediate")
        with pytest.raises(OperationalError) as caught, database.write():
            pass
    monkeypatch.setattr(services.failing, "error", caught.value)
    for event in events_of(page):
        said = " ".join(words_of(answer(page, event)))
        assert said.count(DATABASE_BUSY) == (event.name not in PLAIN), event.name


def test_every_failing_chart_shows_the_reason_once(page: StrictBlocks) -> None:
    events = [event for event in events_of(page) if event.name == "redraw"]
    assert len(events) == 4
    for event in events:
        sent = dict(zip(event.outputs, answer(page, event), strict=True))
        notes = [value for part, value in sent.items() if str(part.elem_id).startswith("note-")]
        plots = [value for part, value in sent.items() if isinstance(part, gr.Plot)]
        assert len(INCIDENT.findall(notes[0])) == 1
        assert all("Chart not available; see the message above." in note for note in notes[1:])
        assert plots
        assert all(value["visible"] is False for value in plots)


def echo(words: str) -> StrictBlocks:
    """Return a page whose event raises its input, or returns it."""

    def raise_it(sent: str) -> NoReturn:
        raise NotAllowedError(sent)

    page = StrictBlocks()
    with page:
        typed, shown = gr.Textbox(words), gr.HTML()
        typed.submit(raise_it, typed, shown)
    return page


def test_expected_error_keeps_its_message_escaped() -> None:
    page = echo("")
    (event,) = events_of(page)
    (words,) = answer(page, event, [SECRET])
    assert "&lt;img src=x onerror=alert(1)&gt;" in words
    assert "<img" not in words
    assert "data-reload" not in words


def test_response_that_cannot_be_rendered_is_an_incident() -> None:
    with StrictBlocks() as page:
        shown, size, other = gr.HTML(), gr.Number(), gr.Number()
        shown.submit(lambda: {other: 1}, None, [size, shown])
    (event,) = events_of(page)
    (words,) = words_of(answer(page, event))
    assert INCIDENT.search(words)


def test_event_without_a_message_output_raises_the_handler_s_error() -> None:
    with StrictBlocks() as page:
        typed = gr.Textbox()
        typed.submit(lambda sent: int(sent), typed, typed)
    (event,) = events_of(page)
    with pytest.raises(ValueError, match="invalid literal"):
        answer(page, event, ["x"])
