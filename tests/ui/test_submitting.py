"""Submission journey in a real browser: sign in, a faulty file, a valid file, and its row with the right scores."""

import json
import re
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.support.pages.expecting import expect
from tests.support.pages.opening import choose, expect_settled, fill, open_submit, open_tab, sign_in, visit
from tests.support.pages.participant import read_example
from tests.support.pages.watched import Watched
from tests.support.samples.question_packs import lay_question_pack
from tests.support.samples.uneven_answers import write_uneven_example
from tests.support.servers.server import Server


@pytest.fixture
def predictions(server: Server, tmp_path: Path) -> Path:
    """Constant answers "A" and "True": 41.67 % pooled."""
    path = tmp_path / "predictions.jsonl"
    path.write_bytes(read_example(server))
    return path


def choose_file(page: Page, path: Path) -> None:
    page.locator("#submit-file input[type=file]").set_input_files(path)
    expect(page.locator("#submit-file")).to_contain_text(path.stem)


def cells_of(page: Page, model: str) -> dict[str, str]:
    """Return heading → text of a model's row, as displayed."""
    row = page.get_by_test_id("board-row").filter(has_text=model)
    headings = page.get_by_test_id("board-table").locator("thead tr").last.locator("th").all_inner_texts()
    cells = row.locator("th, td").all_inner_texts()
    names = (heading.strip(" ▲▼\n") for heading in headings)
    return {name: " ".join(cell.split()) for name, cell in zip(names, cells, strict=True)}


def test_uploaded_file_is_checked_refused_scored_and_becomes_a_row_with_the_right_numbers(
    watched: Watched, server: Server, predictions: Path, subtests: pytest.Subtests
) -> None:
    page = watched.page
    # Predictions of uneven quality, so that another key would give other scores.
    uneven = predictions.with_name("uneven.jsonl")
    uneven.write_bytes(write_uneven_example(server).read_bytes())
    bad, written, right = write_bad(predictions)
    page.goto(f"{server.url}/?tab=submit")
    with subtests.test("checked without an account"):
        choose_file(page, bad)
        page.locator("#submit-check").click()
        problems = page.get_by_test_id("problems")
        expect(problems).to_contain_text("812")
        expect(problems).to_contain_text(written)
        expect(problems).to_contain_text(f"Did you mean `{right}`?")
        remove_file(page)
        choose_file(page, predictions)
        page.locator("#submit-check").click()
        expect(page.get_by_test_id("file-ok")).to_contain_text("2,016")
        remove_file(page)
    with subtests.test("checked, with answers that cannot be read"):
        check_unreadable(page, server, predictions)
    sign_in(page, "ada")
    with subtests.test("refused twice, each time with a remedy that is then followed"):
        page.locator("#submit-send").click()
        expect(page.get_by_test_id("refusal")).to_contain_text("name")
        fill(page, "model-name", "Uneven")
        # Different text from before: while a click is being processed, further clicks are ignored.
        page.locator("#submit-send").click()
        expect(page.get_by_test_id("refusal")).to_contain_text("Choose a file first.")
        choose_file(page, uneven)
    page.locator("#submit-publish input[type=checkbox]").check()
    page.locator("#submit-send").click()
    expect(page.get_by_test_id("state")).to_have_text("scored")
    # 924 of 2,016 right: 504 of SCT's 672, 196 of SDT's, 224 of TAT's.
    expect(page.get_by_test_id("result")).to_contain_text("45.8")
    open_tab(page, "AudioMotionBench")
    page.get_by_test_id("board-search").fill("Uneven")
    # The row appears immediately, its scores with the board's next revision.
    row = page.get_by_test_id("board-row")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("45.8")
    cells = cells_of(page, "Uneven")
    assert cells["Overall"].startswith("45.8")
    assert [cells[name][:4] for name in ("SCT", "SDT", "TAT")] == ["75.0", "29.2", "33.3"]
    assert cells["MCQ clean"].startswith("20.8")  # 35 of 168
    assert cells["T/F clean"].startswith("83.3")  # 280 of 336
    assert cells["TPR clean"].startswith("100")  # 168 of 168 true statements
    assert cells["TNR clean"].startswith("66.7")  # 112 of 168 false ones
    assert "submitted" in cells["Model"]


def check_unreadable(page: Page, server: Server, predictions: Path) -> None:
    """The check warns about unreadable answers, with examples whose markup is shown as text."""
    rows = [json.loads(line) for line in predictions.read_text().splitlines()]
    payload = "<img src=x onerror=\"document.title='owned'\"> nothing is heard"
    for row in rows[100:150]:
        row["response"] = payload
    unreadable = predictions.with_name("unreadable.jsonl")
    unreadable.write_text("\n".join(map(json.dumps, rows)))
    choose_file(page, unreadable)
    with lay_question_pack(server):
        page.locator("#submit-check").click()
        valid, warning = page.get_by_test_id("file-ok"), page.get_by_test_id("unreadable")
        expect(valid).to_have_text("✓ Valid: 2,016 of 2,016 answers, 1,966 parsed.")
        expect(warning).to_contain_text("50 answers (2.5 %) cannot be parsed and would count as wrong. Reasons: ")
        expect(warning).to_have_class("es-warning")
        examples = page.get_by_role("region", name="Unreadable answers").locator("tbody tr")
        expect(examples).to_have_count(5)
        cells = examples.first.locator("td")
        expect(cells).to_have_count(5)
        assert cells.all_inner_texts()[:4] == ["101", "0", rows[100]["id"], payload]
        remove_file(page)
        choose_file(page, predictions)
        page.locator("#submit-check").click()
        expect(valid).to_have_text("✓ Valid: 2,016 of 2,016 answers, 2,016 parsed.")
        expect(warning).to_have_count(0)
        remove_file(page)
    assert page.title() != "owned"


def write_bad(predictions: Path) -> tuple[Path, str, str]:
    """Misspell an ID in line 812, and return the file with the wrong and the right ID."""
    lines = predictions.read_text().splitlines()
    row = json.loads(lines[811])
    right = row["id"]
    row["id"] = right[:-1] + "!"
    lines[811] = json.dumps(row)
    path = predictions.with_name("misspelt.jsonl")
    path.write_text("\n".join(lines))
    return path, row["id"], right


def remove_file(page: Page) -> None:
    page.locator("#submit-file").get_by_role("button", name=re.compile("Clear|Remove")).first.click()
    expect(page.locator("#submit-file input[type=file]")).to_be_attached()


def test_private_result_is_published_and_withdrawn_only_by_its_owner(
    watched: Watched, server: Server, predictions: Path, subtests: pytest.Subtests
) -> None:
    owned = "document.title='owned'"
    payload = f'Private <img src=x onerror="{owned}"><script>{owned}</script>${{{owned}}}'
    page = watched.page
    open_submit(page, server, "bea")
    choose_file(page, predictions)
    fill(page, "model-name", payload)
    fill(page, "model-organisation", payload)
    page.locator("#submit-send").click()
    state, notice = page.get_by_test_id("state"), page.locator("#submission-notice")
    expect(state).to_have_text("scored")
    expect(page.get_by_test_id("result")).to_contain_text("41.7")
    assert not server.rows(q="Private")
    with subtests.test("published, and script in every field stays text"):
        page.locator("#publish").click()
        open_tab(page, "AudioMotionBench")
        page.get_by_test_id("board-search").fill("document.title")
        row = page.get_by_test_id("board-row")
        expect(row).to_have_count(1)
        expect(row).to_contain_text(payload)
        assert not page.title().startswith("owned")
    with subtests.test("withdrawing is asked about, and cancel is no error"):
        open_tab(page, "Submit")
        page.once("dialog", lambda dialog: dialog.dismiss())
        page.locator("#withdraw").click()
        expect(notice).to_have_text("Nothing was changed.")
        expect(notice.get_by_test_id("refusal")).to_have_count(0)
        expect(state).to_have_text("scored")
        page.once("dialog", lambda dialog: dialog.accept())
        page.locator("#withdraw").click()
        expect(state).to_have_text("withdrawn")
        expect(notice).to_have_text("")


def test_form_follows_board_and_address_completes_model_names_and_links_to_the_open_version(
    watched: Watched, server: Server, subtests: pytest.Subtests
) -> None:
    page = watched.page
    chosen, pack = page.locator("#submit-benchmark input"), page.locator("#submit-help a").first
    page.goto(f"{server.url}/?tab=submit&benchmark=audio-process-bench")
    expect_settled(page)
    page.evaluate("window.isSamePage = true")
    with subtests.test("the benchmark of an address"):
        expect(chosen).to_have_value("AudioProcessBench synthetic-3")
        expect(pack).to_have_attribute("href", re.compile("benchmarks/audio-process-bench/"))
    visit(page, "/?tab=star-bench")
    board = page.locator("#board-star-bench")
    with subtests.test("the button of a board"):
        board.get_by_test_id("board-submit").click()
        expect(chosen).to_have_value("STAR-Bench 1.0")
        expect(pack).to_have_attribute("href", re.compile("benchmarks/star-bench/.*version=1.0"))
        page.go_back()
        board.get_by_test_id("board-version").select_option("demo")
        expect(board.get_by_test_id("board-facts")).to_contain_text("78 items")
        board.get_by_test_id("board-submit").click()
        expect(chosen).to_have_value("STAR-Bench demo")
        expect(pack).to_have_attribute("href", re.compile("benchmarks/star-bench/.*version=demo"))
        assert page.evaluate("window.isSamePage") is True
    with subtests.test("a known name is offered, taken over and described"):
        type_known_name(page, server)
    with subtests.test("who chooses another benchmark keeps it, whatever happens on this tab"):
        choose(page, "submit-benchmark", "MDAR demo")
        page.wait_for_url(re.compile("tab=submit&benchmark=mdar&version=demo"))
        sign_in(page, "ada")
        expect(chosen).to_have_value("MDAR demo")
    lead_to_open_version(page, server, subtests)


def type_known_name(page: Page, server: Server) -> None:
    """A typed name is completed; an alias is resolved to its display name and leaves filled fields unchanged."""
    one, other = (row["model"] for row in server.rows(source="reported")[:2])
    name = page.locator("#model-name input, #model-name textarea")
    typed = one["name"][:-1]
    name.press_sequentially(typed[:-1])
    with page.expect_response(lambda answer: f'"{typed}"' in (answer.request.post_data or "")):
        name.press(typed[-1])
    offered = page.locator("[data-model-name]")
    # Suggestions for fewer letters are gone, so nothing moves under the pointer.
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(offered.filter(has_not_text=typed)).to_have_count(0)
    expect(offered.filter(has_text=typed)).not_to_have_count(0)
    page.locator(f"[data-model-name='{one['name']}']").click()
    expect(name).to_have_value(one["name"])
    expect(page.get_by_test_id("model-known")).to_contain_text(f"{one['name']} has ")
    weights = {True: "open", False: "closed", None: "unknown"}[one["open_weights"]]
    expect(page.locator("#model-weights input")).to_have_value(weights)
    fill(page, "model-size", "123")
    path = f"/api/v1/admin/models/{one['id']}"
    token = server.token("local")
    post(server, path, token, {"join_to": other["id"], "reason": "A test."})
    try:
        name.fill(one["name"].upper())
        expect(page.get_by_test_id("model-known")).to_contain_text(f"will be shown as {other['name']}")
        expect(page.locator("#model-size input, #model-size textarea")).to_have_value("123")
        open_tab(page, "AudioMotionBench")
        shown = page.get_by_test_id("board-row").filter(has_text=f"as {one['name']}")
        expect(shown).to_contain_text(other["name"])
        open_tab(page, "Submit")
    finally:
        post(server, path, token, {"split": True, "reason": "The test is over."})


def post(server: Server, path: str, token: str, body: dict[str, Any]) -> None:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(server.url + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert answer.status == 200


def lead_to_open_version(page: Page, server: Server, subtests: pytest.Subtests) -> None:
    """A closed version links to the open one: from its board, from an address and from the form."""
    closed, check = page.get_by_test_id("submit-closed"), page.locator("#submit-check")
    chosen = page.locator("#submit-benchmark input")
    with subtests.test("board"):
        visit(page, "/?tab=mdar")
        board = page.locator("#board-mdar")
        needs = board.get_by_test_id("board-needs")
        expect(needs).to_contain_text("Published scores only. Submissions are open for demo.")
        expect(board.get_by_test_id("pack-test")).to_be_hidden()
        board.get_by_test_id("submit-to-open").click()
        expect(chosen).to_have_value("MDAR demo")
        expect(check).to_be_visible()
        expect(closed).to_have_count(0)
    with subtests.test("address of a closed version"):
        page.goto(f"{server.url}/?tab=submit&benchmark=mdar&version=1.0")
        expect(chosen).to_have_value("MDAR demo")
        expect(page.get_by_test_id("submit-pack")).to_have_attribute("href", re.compile("version=demo"))
    with subtests.test("a closed version that is chosen has no form"):
        choose(page, "submit-benchmark", "MDAR 1.0")
        expect(closed).to_contain_text("Published scores only. Submissions are open for demo.")
        for name in ("#submit-check", "#submit-file", "#submit-send", "#model-name", "[data-testid=submit-pack]"):
            expect(page.locator(name)).to_be_hidden()
        page.get_by_role("button", name="Submit to MDAR demo").click()
        expect(chosen).to_have_value("MDAR demo")
        expect(check).to_be_visible()
        expect(page.get_by_test_id("submit-pack")).to_have_attribute("href", re.compile("version=demo"))
