"""Ways to open tabs that several browser tests share."""

from playwright.sync_api import Frame, FrameLocator, Locator, Page

from leaderboard.assets import STATIC_PATH
from tests.support.servers.server import Server

# `expect` polls after 0.1, 0.25, 0.5 s and then every second; this polls in every animation frame.
_HAS_ROWS = """() => [...document.querySelectorAll("[data-testid=board]")]
  .some((board) => board.checkVisibility() && board.querySelector("[data-testid=board-row]")?.checkVisibility())"""
_IS_DRAWN = """(sign) => [...document.querySelectorAll(sign)].some((one) => one.checkVisibility())"""
_HAS_STATUS = """(board) => document.querySelector(`#board-${board} [data-testid=board-status]`)?.textContent"""
_IS_SETTLED = """() => !document.querySelector("#es-first")?.checkVisibility()"""
_IS_SIGNED_IN = """(name) => document.querySelector("[data-testid=signed-in-as]")?.textContent.includes(name)"""


def open_tab(page: Page | Frame | FrameLocator, title: str) -> None:
    page.get_by_role("tab", name=title, exact=True).click()


def open_board(page: Page, address: str) -> Locator:
    page.goto(address)
    board = page.locator("[data-testid=board]:visible").first
    page.wait_for_function(_HAS_ROWS)
    return board


def open_charts(page: Page, benchmark: str) -> Locator:
    """Scroll to the charts of the open board: they are drawn when they come into view."""
    page.wait_for_function(_HAS_STATUS, arg=benchmark)
    charts = page.locator(f"#charts-{benchmark}")
    charts.scroll_into_view_if_needed()
    return charts


def visit(page: Page, address: str) -> None:
    """Follow an address as the page's own links do, without reloading the page."""
    page.evaluate(
        "([script, address]) => import(script).then((page) => page.visit(address))",
        [f"{STATIC_PATH}/page.js", address],
    )


def expect_settled(page: Page) -> None:
    """Wait until the pre-rendered view has moved into its Gradio tab."""
    page.wait_for_function(_IS_SETTLED)


def expect_drawn(page: Page, sign: str) -> None:
    """Wait until an element matching a selector is visible."""
    page.wait_for_function(_IS_DRAWN, arg=sign)


def sign_in(page: Page, name: str) -> None:
    """Sign in on the Submit tab, which must be open."""
    page.get_by_test_id("sign-in-name").fill(name)
    page.get_by_test_id("sign-in").click()
    page.wait_for_function(_IS_SIGNED_IN, arg=name)


def open_submit(page: Page, server: Server, name: str) -> None:
    page.goto(f"{server.url}/?tab=submit")
    sign_in(page, name)


def open_admin(page: Page, server: Server, name: str) -> None:
    open_submit(page, server, name)
    open_tab(page, "Admin")


def choose_way(page: Page | Frame, way: str) -> None:
    """Choose how to submit on the Submit tab, which must be open: `api`, `predictions` or `tools`."""
    page.locator(f"#submit-how input[value={way}]").check()


def choose(page: Page | Frame, name: str, words: str) -> None:
    """Choose the first option of a dropdown that contains a text."""
    page.locator(f"#{name} input").click()
    page.get_by_role("option").filter(has_text=words).first.click()


def fill(page: Page | Frame, name: str, words: str) -> None:
    """Fill a Gradio text field, found by the id of its frame."""
    page.locator(f"#{name} input, #{name} textarea").fill(words)
