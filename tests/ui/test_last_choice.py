"""What is chosen while an earlier choice is on its way is what is shown in the end, and what the address says."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.pages.answers import hold
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server, write_example

EVENTS = re.compile(r"/gradio_api/run/")


def hold_first(page: Page, act: Callable[[], object]) -> Callable[[], None]:
    """Do something whose event waits until what is returned is called, and so does whatever is sent before that."""
    let = hold(page, EVENTS)
    with page.expect_request(EVENTS):
        act()
    return let


def choose(page: Page, name: str, words: str) -> None:
    page.locator(f"#{name} input").click()
    page.get_by_role("option", name=re.compile(words)).first.click()


def test_charts_are_those_of_the_last_setting(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=mdar")
    expect(page.locator("#charts-mdar .js-plotly-plot").first).to_be_visible()
    board = page.locator("#board-mdar")
    let = hold_first(page, lambda: board.get_by_test_id("board-setting").select_option("cascaded"))
    board.get_by_test_id("board-setting").select_option("noise")
    expect(board.get_by_test_id("board-status")).to_contain_text("Nobody has submitted to this setting")
    let()
    expect(page.locator("#note-mdar-main")).to_contain_text("Nobody has a public result under this setting")
    expect(page.locator("#chart-models-mdar")).not_to_contain_text("+")
    assert "setting=noise" in page.url


def test_charts_show_the_rows_that_were_chosen_last(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=mdar")
    chart = page.locator("#chart-mdar-main-0")
    expect(chart.locator(".js-plotly-plot")).to_be_visible()
    tokens = page.locator("#chart-models-mdar .token")
    expect(tokens).to_have_count(4)
    names = [token.split(" · ")[0].strip() for token in tokens.all_inner_texts()]
    for name in names:
        expect(chart).to_contain_text(name)
    let = hold_first(page, tokens.first.get_by_role("button").click)
    expect(tokens).to_have_count(3)
    tokens.first.get_by_role("button").click()
    expect(tokens).to_have_count(2)
    let()
    page.wait_for_url(re.compile("models=[^,&]+,[^,&]+$"))
    expect(chart).not_to_contain_text(names[1])
    expect(chart).not_to_contain_text(names[0])
    expect(chart).to_contain_text(names[2])


def test_model_is_the_last_that_was_opened(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=model")
    found = page.get_by_test_id("found-models").get_by_role("link")
    expect(found.nth(1)).to_be_visible()
    last = found.nth(1).inner_text().strip()
    let = hold_first(page, found.nth(0).click)
    found.nth(1).click()
    address = page.url
    let()
    expect(page.get_by_test_id("model-name")).to_have_text(last)
    assert page.url == address


def test_radar_is_that_of_the_row_that_was_chosen_last(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=model")
    page.get_by_test_id("found-models").get_by_role("link", name="Chance", exact=True).click()
    page.locator("#radar-as-table").get_by_role("button").click()
    expect(page.locator("#radar-table caption")).to_be_visible()
    let = hold_first(page, lambda: choose(page, "radar-row", "AudioMotionBench 1.0"))
    choose(page, "radar-row", "MDAR demo")
    let()
    expect(page.locator("#radar-table caption")).to_contain_text("MDAR demo")
    expect(page.locator("#radar-row input")).to_have_value(re.compile("MDAR demo"))


def test_comparison_is_about_the_board_that_was_chosen_last(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=compare")
    expect(page.get_by_test_id("choose-two")).to_be_visible()
    let = hold_first(page, lambda: choose(page, "compare-board", "MDAR 1.0 · default"))
    choose(page, "compare-board", "STAR-Bench 1.0 · channel-wise")
    page.wait_for_url(re.compile("benchmark=star-bench"))
    let()
    page.locator("#compare-a input").click()
    expect(page.get_by_role("option", name=re.compile("GPT-4o Audio")).first).to_be_visible()
    expect(page.locator("#compare-board input")).to_have_value(re.compile("STAR-Bench"))


def test_form_is_about_the_benchmark_that_was_chosen_last(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=submit")
    expect(page.locator("#submit-help")).to_contain_text("AudioMotionBench")
    let = hold_first(page, lambda: choose(page, "submit-benchmark", "STAR-Bench 1.0"))
    choose(page, "submit-benchmark", "MDAR demo")
    let()
    expect(page.locator("#submit-help a")).to_have_attribute("href", re.compile("benchmarks/mdar/.*version=demo"))
    page.wait_for_url(re.compile("benchmark=mdar&version=demo"))
    page.reload()
    expect(page.locator("#submit-help a")).to_have_attribute("href", re.compile("benchmarks/mdar/.*version=demo"))
    expect(page.locator("#submit-benchmark input")).to_have_value("MDAR demo")


@pytest.fixture
def three(server: Server) -> list[str]:
    """Return three submissions of one person, each with a score."""
    words = (
        "submit",
        "--benchmark",
        "audio-motion-bench",
        "--model",
        "Choosy",
        "--wait",
        "--token",
        server.token("ivy"),
    )
    for at in range(3):
        path = write_example(server)
        path.write_bytes(path.read_bytes() + b"\n" * (7 + at))  # files that no other test sends
        done = server.command("submissions", *words, str(path))
        assert done.returncode == 0, done.stderr
    mine = server.json("/api/v1/submissions?mine=true", {"Authorization": f"Bearer {server.token('ivy')}"})
    return [str(one["id"]) for one in mine["submissions"]]


def test_submission_is_the_one_that_was_chosen_last(watched: Watched, server: Server, three: list[str]) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=submit")
    page.get_by_test_id("sign-in-name").fill("ivy")
    page.get_by_test_id("sign-in").click()
    status = page.locator("#submission-status")
    expect(status).to_contain_text(three[0])
    let = hold_first(page, lambda: choose(page, "chosen-submission", three[1]))
    choose(page, "chosen-submission", three[2])
    let()
    expect(status).to_contain_text(three[2])
    expect(page.locator("#chosen-submission input")).to_have_value(re.compile(three[2]))
