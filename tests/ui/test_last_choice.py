"""Races of choices: the last choice is shown and in the address, even if an earlier one is still loading.

`test_models` covers models.
"""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Request, Route

from tests.support.pages.answers import EVENTS, hold, hold_first
from tests.support.pages.expecting import expect
from tests.support.pages.opening import choose, open_charts, open_tab, sign_in, visit
from tests.support.pages.participant import read_example, submit
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server


def choose_for_charts(page: Page, subtests: pytest.Subtests) -> None:
    """The last choice for the charts of the open MDAR board is drawn."""
    open_charts(page, "mdar")
    chart, tokens = page.locator("#chart-mdar-main-0"), page.locator("#chart-models-mdar .token")
    expect(chart.locator(".js-plotly-plot")).to_be_visible()
    with subtests.test("rows"):
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
    with subtests.test("setting"):
        setting = page.locator("#board-mdar").get_by_test_id("board-setting")
        let = hold_first(page, lambda: setting.select_option("cascaded"))
        setting.select_option("noise")
        expect(page.locator("#board-mdar").get_by_test_id("board-status")).to_contain_text(
            "No scores were published for this setting"
        )
        let()
        expect(page.locator("#note-mdar-main")).to_contain_text("No public results in this setting")
        expect(page.locator("#chart-models-mdar")).not_to_contain_text("+")
        page.wait_for_url(re.compile("setting=noise"))


@pytest.mark.slow
def test_last_choice_is_the_one_that_is_shown(watched: Watched, server: Server, subtests: pytest.Subtests) -> None:
    data = read_example(server)
    three = [submit(server, "ivy", "Choosy", data + b"\n" * at, publish=False) for at in range(3)]
    page = watched.page
    page.goto(f"{server.url}/?tab=mdar")
    choose_for_charts(page, subtests)
    with subtests.test("row of the radar"):
        choose_radar(page, server)
    with subtests.test("board to compare on"):
        open_tab(page, "Compare")
        expect(page.get_by_test_id("choose-two")).to_be_visible()
        let = hold_first(page, lambda: choose(page, "compare-board", "MDAR 1.0 · default"))
        choose(page, "compare-board", "STAR-Bench 1.0 · channel-wise")
        page.wait_for_url(re.compile("benchmark=star-bench"))
        let()
        page.locator("#compare-a input").click()
        expect(page.get_by_role("option", name=re.compile("GPT-4o Audio")).first).to_be_visible()
        expect(page.locator("#compare-board input")).to_have_value(re.compile("STAR-Bench"))
        page.keyboard.press("Escape")
    with subtests.test("submission"):
        open_tab(page, "Submit")
        sign_in(page, "ivy")
        status = page.locator("#submission-status")
        expect(status).to_contain_text(three[2])
        let = hold_first(page, lambda: choose(page, "chosen-submission", three[1]))
        choose(page, "chosen-submission", three[0])
        let()
        expect(status).to_contain_text(three[0])
        expect(page.locator("#chosen-submission input")).to_have_value(re.compile(three[0]))
    with subtests.test("benchmark of the form"):
        page.goto(f"{server.url}/?tab=submit")
        link = page.get_by_test_id("submit-pack")
        expect(page.locator("#submit-help")).to_contain_text("AudioMotionBench")
        let = hold_first(page, lambda: choose(page, "submit-benchmark", "STAR-Bench 1.0"))
        choose(page, "submit-benchmark", "MDAR demo")
        let()
        expect(link).to_have_attribute("href", re.compile("benchmarks/mdar/.*version=demo"))
        page.wait_for_url(re.compile("benchmark=mdar&version=demo"))
        page.reload()
        expect(link).to_have_attribute("href", re.compile("benchmarks/mdar/.*version=demo"))
        expect(page.locator("#submit-benchmark input")).to_have_value("MDAR demo")


def choose_radar(page: Page, server: Server) -> None:
    # Random baselines are in no list of models, but have rows on every board.
    chance = next(row["model"]["id"] for row in server.rows(source="random") if row["signature"])
    visit(page, f"/?tab=model&model={chance}")
    expect(page.get_by_test_id("model-name")).to_have_text("Chance")
    page.locator("#radar-as-table").get_by_role("button").click()
    expect(page.locator("#radar-table caption")).to_be_visible()
    let = hold_first(page, lambda: choose(page, "radar-row", "AudioMotionBench 1.0"))
    choose(page, "radar-row", "MDAR demo")
    let()
    expect(page.locator("#radar-table caption")).to_contain_text("MDAR demo")
    expect(page.locator("#radar-row input")).to_have_value(re.compile("MDAR demo"))


@pytest.mark.parametrize("words", ["", pytest.param("&benchmark=star-bench", marks=pytest.mark.slow)])
def test_choice_on_a_tab_that_is_still_being_filled_is_shown(watched: Watched, server: Server, words: str) -> None:
    page = watched.page
    sent = list_choices(page, server, "choose_benchmark")
    let = hold_openings(page, server)
    page.goto(f"{server.url}/?tab=submit{words}")
    choose(page, "submit-benchmark", "MDAR demo")
    page.wait_for_url(re.compile("benchmark=mdar&version=demo"))
    # Time for the response to the choice, which must not arrive first.
    page.evaluate("() => fetch('/healthz')")
    let()
    expect(page.get_by_test_id("sign-in-name")).to_be_visible()
    expect(page.get_by_test_id("submit-pack")).to_have_attribute("href", re.compile("benchmarks/mdar/.*version=demo"))
    expect(page.locator("#own-editions")).to_be_hidden()
    expect(page.locator("#submit-benchmark input")).to_have_value("MDAR demo")
    # A second event, for the same choice or for leaving the list, would reset what is changed in the form meanwhile.
    page.locator("#submit-benchmark input").press("Tab")
    page.evaluate("() => fetch('/healthz')")
    assert sent == ["mdar demo"]


def test_list_that_loses_the_focus_resets_nothing(watched: Watched, server: Server) -> None:
    page = watched.page
    sent = list_choices(page, server, "choose_endpoint_setting")
    page.goto(f"{server.url}/?tab=submit&benchmark=mdar&version=demo&how=api")
    sign_in(page, "ivy")
    choose(page, "asked-setting", "noise")
    part = page.locator("#asked-parts").get_by_role("checkbox").first
    # In the response that selects all parts.
    expect(page.locator("#run-steps")).to_contain_text("“noise”")
    part.uncheck()
    setting = page.locator("#asked-setting input")
    setting.focus()
    setting.press("Tab")
    page.evaluate("() => fetch('/healthz')")
    expect(part).not_to_be_checked()
    assert len(sent) == 1
    choose(page, "asked-setting", "default")
    expect(part).to_be_checked()
    assert len(sent) == 2


def list_choices(page: Page, server: Server, name: str) -> list[str]:
    """Return a list that takes up the first values of the events of one name that the page sends, from now on."""
    asked_for: list[str] = []
    chosen = find_events(server, name)

    def note(request: Request) -> None:
        event = json.loads(request.post_data or "{}") if EVENTS.search(request.url) else {}
        asked_for.extend(event["data"][:1] if event.get("fn_index") in chosen else [])

    page.on("request", note)
    return asked_for


def find_events(server: Server, name: str) -> list[int]:
    events = server.json("/config")["dependencies"]
    return [event["id"] for event in events if str(event["api_name"]).startswith(name)]


def hold_openings(page: Page, server: Server) -> Callable[[], None]:
    """Hold all events of a page, except the choice of a benchmark to submit to."""
    passed = find_events(server, "choose_benchmark")
    let = hold(page, EVENTS)

    def answer(route: Route) -> None:
        sent = json.loads(route.request.post_data or "{}")
        if sent["fn_index"] in passed:
            route.continue_()
        else:
            route.fallback()

    page.route(EVENTS, answer)
    return let
