"""Ways to open a tab that several browser tests share."""

from playwright.sync_api import Locator, Page, expect

from tests.support.servers.server import Server


def open_admin(page: Page, server: Server, name: str) -> None:
    page.goto(server.url)
    page.get_by_role("tab", name="Submit").click()
    page.get_by_test_id("sign-in-name").fill(name)
    page.get_by_test_id("sign-in").click()
    expect(page.get_by_test_id("signed-in-as")).to_contain_text(name)
    page.get_by_role("tab", name="Admin").click()


def open_board(page: Page, address: str) -> Locator:
    page.goto(address)
    board = page.locator("[data-testid=board]:visible").first
    expect(board.get_by_test_id("board-row").first).to_be_visible()
    return board
