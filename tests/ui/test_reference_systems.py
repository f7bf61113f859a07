"""A reference system in a real browser: nowhere unless asked for, and then pinned apart, without a rank."""

import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.pages.opening import expect_drawn, expect_settled, open_board, open_charts, open_tab, visit
from tests.support.pages.watched import Watched
from tests.support.servers.installation import BENCHMARK, Installation, answers
from tests.support.servers.server import Server, wait_for

NAME = "Listener of our own"
# A model whose figures are published on the same board.
OTHER = "Qwen2-Audio-7B"


@pytest.fixture(scope="module")
def server(ranked: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a reference system that answers everything rightly: any other row like it would lead the board."""
    server = Server(tmp_path_factory.mktemp("references"), arguments=("--no-packs", "--no-evaluator"))
    shutil.copytree(ranked, server.data_dir)
    add_reference(server.data_dir)
    server.start()
    try:
        wait_for(lambda: server.get("/healthz")[0] == 200, "healthz")
        yield server
    finally:
        server.stop()


def add_reference(data_dir: Path) -> None:
    place = Installation(data_dir)
    with closing(place.database) as database:
        submission = place.submit(answers(place.key), NAME)
        with database.engine.begin() as connection:
            connection.exec_driver_sql("update submissions set is_reference = true where id = ?", (submission.id,))
        place.score_all()


def test_reference_system_is_pinned_where_asked_for_and_chosen_nowhere(
    watched: Watched, server: Server, subtests: pytest.Subtests
) -> None:
    page = watched.page
    board = open_board(page, f"{server.url}/?tab={BENCHMARK.id}")
    expect_settled(page)
    with subtests.test("hidden by default"):
        expect(board.get_by_test_id("board-row").filter(has_text=OTHER)).not_to_have_count(0)
        expect(board).not_to_contain_text(NAME)
    with subtests.test("shown by its switch, and by the address of that"):
        board.get_by_label("Show reference systems").check()
        expect_pinned(page)
        page.wait_for_url(re.compile("references=true"))
        page.reload()
        expect_settled(page)
        expect(board.get_by_label("Show reference systems")).to_be_checked()
        expect_pinned(page)
    with subtests.test("in no chart that nobody chose it for"):
        charts = open_charts(page, BENCHMARK.id)
        expect_drawn(page, f"#charts-{BENCHMARK.id} .js-plotly-plot")
        expect(page.locator(f"#chart-models-{BENCHMARK.id} .token").filter(has_text=OTHER)).not_to_have_count(0)
        expect(charts).not_to_contain_text(NAME)
    with subtests.test("hidden again"):
        board.get_by_label("Show reference systems").uncheck()
        expect(board).not_to_contain_text(NAME)
    with subtests.test("no choice on Compare"):
        visit(page, f"/?tab=compare&benchmark={BENCHMARK.id}")
        for side in ("a", "b"):
            page.locator(f"#compare-{side} input").click()
            options = page.get_by_role("option")
            expect(options.filter(has_text=OTHER)).not_to_have_count(0)
            expect(options.filter(has_text=NAME)).to_have_count(0)
            page.keyboard.press("Escape")
    with subtests.test("not on the Overview"):
        open_tab(page, "Overview")
        expect(page.get_by_test_id("overview-row").filter(has_text=OTHER)).not_to_have_count(0)
        expect(page.get_by_test_id("overview")).not_to_contain_text(NAME)


def expect_pinned(page: Page) -> None:
    """It stands below the ranked rows with its label, its score and no rank; the first rank is another's."""
    board = page.locator(f"#board-{BENCHMARK.id}")
    row = board.locator("tfoot").get_by_test_id("pinned-reference")
    expect(row).to_have_count(1)
    expect(row).to_contain_text(NAME)
    expect(row.locator(".es-badge")).to_have_text("reference")
    expect(row).to_contain_text("100.0")
    expect(row.locator(".es-rank")).to_be_empty()
    expect(board.get_by_test_id("board-row").filter(has_text=NAME)).to_have_count(0)
    expect(board.get_by_test_id("board-row").first.locator(".es-rank")).to_contain_text("1")
