"""The database fails while a visitor opens tabs, in a real browser: he reads what to do, and it works later."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.pages.watched import Watched
from tests.support.servers.server import Server

BOARD = "audio-motion-bench"
INCIDENT = re.compile(r"Try again; if it stays, report [0-9a-f]{8}\.")
DRAWN = ".js-plotly-plot"
PATIENCE = 120_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of its own: nobody else may miss what is taken away here."""
    server = Server(tmp_path_factory.mktemp("failing")).start()
    try:
        yield server.wait_until_ready()
    finally:
        server.stop()


@contextmanager
def missing(server: Server, table: str) -> Iterator[None]:
    """Take a table away, so that whatever reads it fails, and bring it back."""
    rename(server, table, f"{table}_away")
    try:
        yield
    finally:
        rename(server, f"{table}_away", table)


def rename(server: Server, table: str, name: str) -> None:
    with closing(sqlite3.connect(server.folder / "data" / "earshot.db", timeout=60, isolation_level=None)) as database:
        # What refers to the table goes on doing so by its first name.
        database.execute("PRAGMA legacy_alter_table = ON")
        database.execute(f"ALTER TABLE {table} RENAME TO {name}")


def open_tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name).click()


def expect_incident(place: Locator) -> None:
    expect(place.get_by_role("alert")).to_contain_text(INCIDENT)
    expect(place).not_to_contain_text("no such table")


def test_tabs_that_cannot_be_opened_say_what_to_do_and_open_once_the_database_is_back(
    watched: Watched, server: Server
) -> None:
    page = watched.page
    page.goto(server.url)
    open_tab(page, "Submit")
    page.get_by_test_id("sign-in-name").fill("ada")
    page.get_by_test_id("sign-in").click()
    expect(page.get_by_test_id("signed-in-as")).to_contain_text("ada")
    places = {"Submit": "#account", "Account": "#account-who", "Admin": "#admin-who", "Model": "#model-page"}
    with missing(server, "sessions"):
        page.goto(server.url)
        for tab, place in places.items():
            open_tab(page, tab)
            expect_incident(page.locator(place))
        open_tab(page, "Compare")
        expect_incident(page.locator("#compare-result"))
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#compare-result").get_by_role("alert")).to_have_count(0)
    open_tab(page, "Account")
    expect(page.get_by_test_id("account-name")).to_contain_text("ada")
    open_tab(page, "Submit")
    expect(page.get_by_test_id("signed-in-as")).to_contain_text("ada")
    open_tab(page, "Admin")
    expect(page.get_by_test_id("admin-refused")).to_be_visible()


def test_charts_that_cannot_be_read_say_what_to_do_and_are_drawn_once_the_database_is_back(
    watched: Watched, server: Server
) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab={BOARD}")
    charts = page.locator(f"#charts-{BOARD}")
    expect(charts.locator(DRAWN).first).to_be_visible(timeout=PATIENCE)
    remove = charts.get_by_role("button", name=re.compile("Remove", re.IGNORECASE)).first
    reload = charts.get_by_role("button", name="Reload the page")
    with missing(server, "boards"):
        remove.click()
        expect_incident(charts)
        # The map is about another choice, which nobody changed.
        expect(charts.locator(DRAWN)).to_have_count(1)
        expect(charts.get_by_text("Not drawn; why is said above.")).to_have_count(2)
    remove.click()
    expect(reload).to_have_count(0)
    expect(charts.locator(DRAWN).nth(1)).to_be_visible(timeout=PATIENCE)
    with missing(server, "boards"):
        remove.click()
        expect(reload).to_be_visible()
    address = page.url
    assert "models=" in address
    reload.click()
    expect(charts.locator(DRAWN).nth(1)).to_be_visible(timeout=PATIENCE)
    assert page.url == address
