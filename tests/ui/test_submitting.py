"""The researcher's journey in a real browser: sign in, a bad file, a good file, its row with the right numbers."""

import json
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.pages.watched import Watched
from tests.support.samples.uneven_answers import write_uneven_example
from tests.support.servers.server import Server, write_example

SECONDS = 1000


@pytest.fixture
def predictions(server: Server, tmp_path: Path) -> Path:
    """Always "A" and "True": by design exactly 25 % of the options, 50 % of the statements, 5/12 = 41.67 % pooled."""
    path = tmp_path / "predictions.jsonl"
    write_example(server).replace(path)
    return path


@pytest.fixture
def uneven(server: Server, tmp_path: Path) -> Path:
    """Predictions that are right here and wrong there, so that another key would give other scores."""
    return shutil.move(write_uneven_example(server), tmp_path / "predictions.jsonl")


def open_submit(page: Page, server: Server, name: str) -> None:
    page.goto(server.url)
    page.get_by_role("tab", name="Submit").click()
    page.get_by_test_id("sign-in-name").fill(name)
    page.get_by_test_id("sign-in").click()
    expect(page.get_by_test_id("signed-in-as")).to_contain_text(name)


def choose_file(page: Page, path: Path) -> None:
    page.locator("#submit-file input[type=file]").set_input_files(path)
    expect(page.locator("#submit-file")).to_contain_text("predictions")


def cells_of(page: Page, model: str) -> dict[str, str]:
    """Return heading → text of a model's row, as a visitor reads them."""
    row = page.get_by_test_id("board-row").filter(has_text=model)
    expect(row).to_have_count(1, timeout=60 * SECONDS)
    headings = page.get_by_test_id("board-table").locator("thead tr").last.locator("th").all_inner_texts()
    cells = row.locator("th, td").all_inner_texts()
    names = (heading.strip(" ▲▼\n") for heading in headings)
    return {name: " ".join(cell.split()) for name, cell in zip(names, cells, strict=True)}


def test_uploaded_file_becomes_a_row_with_the_right_numbers(watched: Watched, server: Server, uneven: Path) -> None:
    page = watched.page
    open_submit(page, server, "ada")
    # Refused twice, each time with a remedy that is then followed.
    page.locator("#submit-send").click()
    expect(page.get_by_test_id("refusal")).to_contain_text("name")
    choose_file(page, uneven)
    page.locator("#submit-send").click()
    expect(page.get_by_test_id("refusal")).to_contain_text("name")
    page.locator("#model-name input, #model-name textarea").fill("Uneven")
    page.locator("#submit-publish input[type=checkbox]").check()
    page.locator("#submit-send").click()
    expect(page.get_by_test_id("state")).to_have_text("scored", timeout=60 * SECONDS)
    # 924 of 2,016 right: 504 of SCT's 672, 196 of SDT's, 224 of TAT's.
    expect(page.get_by_test_id("result")).to_contain_text("45.8")
    page.get_by_role("tab", name="AudioMotionBench").click()
    page.get_by_test_id("board-search").fill("Uneven")
    # The row is there at once, its figures with the board's next revision.
    row = page.get_by_test_id("board-row").filter(has_text="Uneven")
    expect(row).to_contain_text("45.8", timeout=60 * SECONDS)
    cells = cells_of(page, "Uneven")
    assert cells["Overall"].startswith("45.8")
    assert [cells[name][:4] for name in ("SCT", "SDT", "TAT")] == ["75.0", "29.2", "33.3"]
    assert cells["MCQ"].startswith("20.8")  # 140 of 672
    assert cells["T/F"].startswith("58.3")  # 784 of 1,344
    assert cells["YesBias"].startswith("50.0")  # 336 of 672 false statements
    assert "submitted" in cells["Model"]


def test_bad_file_is_refused_with_line_id_and_remedy(watched: Watched, server: Server, predictions: Path) -> None:
    lines = predictions.read_text().splitlines()
    row = json.loads(lines[811])
    right_id = row["id"]
    row["id"] = right_id[:-1] + "!"
    lines[811] = json.dumps(row)
    predictions.write_text("\n".join(lines))
    page = watched.page
    page.goto(server.url)
    page.get_by_role("tab", name="Submit").click()
    choose_file(page, predictions)
    page.locator("#submit-check").click()
    problems = page.get_by_test_id("problems")
    expect(problems).to_contain_text("812")
    expect(problems).to_contain_text(row["id"])
    expect(problems).to_contain_text(f"Did you mean `{right_id}`?")


def test_good_file_is_checked_without_an_account(watched: Watched, server: Server, predictions: Path) -> None:
    page = watched.page
    page.goto(server.url)
    page.get_by_role("tab", name="Submit").click()
    choose_file(page, predictions)
    page.locator("#submit-check").click()
    expect(page.get_by_test_id("file-ok")).to_contain_text("2,016")


def test_private_result_is_published_by_its_owner_alone(watched: Watched, server: Server, predictions: Path) -> None:
    page = watched.page
    open_submit(page, server, "bea")
    choose_file(page, predictions)
    page.locator("#model-name input, #model-name textarea").fill("Kept private")
    page.locator("#submit-send").click()
    expect(page.get_by_test_id("state")).to_have_text("scored", timeout=60 * SECONDS)
    assert not server.rows(q="Kept private".replace(" ", "%20"))
    page.locator("#publish").click()
    page.get_by_role("tab", name="AudioMotionBench").click()
    page.get_by_test_id("board-search").fill("Kept private")
    # A row stands there as soon as it is public; its figures come with the board's next revision.
    row = page.get_by_test_id("board-row").filter(has_text="Kept private")
    expect(row).to_contain_text("41.7", timeout=60 * SECONDS)
    assert cells_of(page, "Kept private")["Overall"].startswith("41.7")


def test_withdrawing_is_asked_about_and_cancel_is_no_error(watched: Watched, server: Server, predictions: Path) -> None:
    page = watched.page
    open_submit(page, server, "cora")
    predictions.write_bytes(predictions.read_bytes() + b"\n")
    choose_file(page, predictions)
    page.locator("#model-name input, #model-name textarea").fill("Nearly withdrawn")
    page.locator("#submit-send").click()
    expect(page.get_by_test_id("state")).to_have_text("scored", timeout=60 * SECONDS)
    notice = page.locator("#submission-notice")
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.locator("#withdraw").click()
    expect(notice).to_have_text("Nothing was changed.")
    expect(notice.get_by_test_id("refusal")).to_have_count(0)
    expect(page.get_by_test_id("state")).to_have_text("scored")
    page.once("dialog", lambda dialog: dialog.accept())
    page.locator("#withdraw").click()
    expect(page.get_by_test_id("state")).to_have_text("withdrawn")
    expect(notice).to_have_text("")


def test_script_in_every_field_stays_text(watched: Watched, server: Server, predictions: Path) -> None:
    owned = "document.title='owned'"
    payload = f'<img src=x onerror="{owned}"><script>{owned}</script>${{{owned}}}'
    page = watched.page
    open_submit(page, server, "mallory")
    choose_file(page, predictions)
    page.locator("#model-name input, #model-name textarea").fill(payload)
    page.locator("#model-organisation input, #model-organisation textarea").fill(payload)
    page.locator("#submit-publish input[type=checkbox]").check()
    page.locator("#submit-send").click()
    expect(page.get_by_test_id("state")).to_have_text("scored", timeout=60 * SECONDS)
    page.get_by_role("tab", name="AudioMotionBench").click()
    page.get_by_test_id("board-search").fill("document.title")
    expect(page.get_by_test_id("board-row").filter(has_text=payload)).to_have_count(1, timeout=60 * SECONDS)
    expect(page.get_by_test_id("board-row")).to_have_count(1)
    assert page.title() != "owned"
