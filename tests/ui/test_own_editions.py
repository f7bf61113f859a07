"""Test questions on the Submit tab in a real browser: get them, answer them, close them."""

import json
import re
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Dialog, Locator, Page

from evaluation.packs import example_predictions
from tests.support.editions.edition_places import open_on_server
from tests.support.pages.expecting import expect
from tests.support.pages.opening import choose, fill, sign_in
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server
from tests.support.servers.shared_splits import SHARED_SPLITS_ENDED
from tests.support.servers.warm_processes import WarmPython


@pytest.fixture(scope="module")
def server(ranked: Path, tmp_path_factory: pytest.TempPathFactory, warm_python: WarmPython) -> Iterator[Server]:
    """Installation with the usual settings: nobody can answer the shared test split."""
    server = Server(tmp_path_factory.mktemp("editions"), environment=SHARED_SPLITS_ENDED, warm=warm_python)
    shutil.copytree(ranked, server.data_dir)
    server.start()
    try:
        yield server.wait_until_ready()
    finally:
        server.stop()


def list_editions(page: Page) -> Locator:
    return page.locator("#own-editions [data-edition]")


def request_edition(page: Page, n_before: int) -> str:
    """Request an edition by keyboard, and return its ID."""
    page.get_by_role("button", name="Get test questions").press("Enter")
    expect(list_editions(page)).to_have_count(n_before + 1)
    return list_editions(page).first.get_attribute("data-edition") or ""


def send_file(page: Page, path: Path, model: str, *, closes: bool) -> None:
    page.locator("#submit-file input[type=file]").set_input_files(path)
    expect(page.locator("#submit-file")).to_contain_text(path.stem)
    fill(page, "model-name", model)
    page.locator("#submit-close input[type=checkbox]").set_checked(closes)
    page.locator("#submit-send").click()


def test_edition_is_requested_answered_and_closed_and_then_accepts_no_more(
    watched: Watched, server: Server, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    page = watched.page
    left, obstacle = page.get_by_test_id("editions-left"), page.get_by_test_id("editions-obstacle")
    page.goto(f"{server.url}/?tab=submit")
    expect(page.locator("#submit-check")).to_be_visible()
    with subtests.test("visitors read what they get, and that they have to sign in"):
        expect(page.locator("#own-editions")).to_contain_text("An edition is a test split that is rendered for you")
        expect(page.get_by_test_id("editions-sign-in")).to_have_text("Sign in to get test questions.")
        choose(page, "submit-benchmark", "MDAR demo")
        expect(page.locator("#own-editions")).to_be_hidden()
        choose(page, "submit-benchmark", "AudioMotionBench 1.0")
    sign_in(page, "eda")
    with subtests.test("the form says where questions are"):
        expect(page.locator("#submit-help")).to_contain_text(
            "Sign in, press “Get test questions”, run your model on each question"
        )
        expect(page.get_by_test_id("submit-pack")).to_have_count(0)
        expect(page.get_by_test_id("submit-practice-pack")).to_have_attribute("href", re.compile("split=practice"))
    with subtests.test("limits are visible before they are reached"):
        expect(left).to_have_text("0 of 2 open editions, 0 of 5 requested today.")
        expect(page.locator("#own-editions")).to_contain_text("You have no editions of AudioMotionBench 1.0 yet.")
    with subtests.test("requested, and shown by itself when it is ready"):
        edition = request_edition(page, 0)
        row = page.locator(f"[data-edition={edition}]")
        expect(row).to_contain_text(re.compile("rendered next|rendered before yours"))
        expect(left).to_have_text("1 of 2 open editions, 1 of 5 requested today.")
        content = open_on_server(server, edition)
        expect(row).to_contain_text("No files yet. Open until")
        expect(row).to_contain_text(f"--benchmark audio-motion-bench --edition {edition} --out pack.zip")
        expect(row.get_by_role("button")).to_have_count(0)
        with page.expect_download() as downloaded:
            row.get_by_role("link", name="Download pack").click()
        assert zipfile.is_zipfile(downloaded.value.path())
    with subtests.test("the last one disables the button, says why, and moves the focus on"):
        other = request_edition(page, 1)
        expect(page.get_by_role("button", name="Get test questions")).to_be_disabled()
        expect(obstacle).to_contain_text("You have 2 open editions of AudioMotionBench 1.0, the maximum:")
        expect(page.locator(f"[data-edition={other}]")).to_be_focused()
        open_on_server(server, other)
        expect(list_editions(page).first).to_contain_text("No files yet")
    answers = tmp_path / "answers.jsonl"
    answers.write_text("".join(json.dumps(line) + "\n" for line in example_predictions(content)))
    with subtests.test("a file waits"):
        send_file(page, answers, "Waiting", closes=False)
        expect(page.get_by_test_id("received")).to_contain_text(f"It is scored when you close edition {edition}.")
        expect(page.get_by_test_id("state")).to_have_text("awaiting-close")
        expect(page.get_by_test_id("status")).to_contain_text("Waiting until its edition is closed.")
        expect(page.get_by_test_id("submission-edition")).to_contain_text(edition)
        expect(row).to_contain_text("1 of 20 files")
    with subtests.test("closed after a confirmation"):
        close_edition(page, row, edition)
        expect(row).to_contain_text("closed. 1 file. Closed on")
        expect(row).to_be_focused()
        expect(page.get_by_test_id("state")).to_have_text("scored")
        with page.expect_popup() as answered:
            row.get_by_role("link", name="See every answer").click()
        expect(answered.value.get_by_role("heading", level=1)).to_contain_text(edition)
        expect(left).to_have_text("1 of 2 open editions, 2 of 5 requested today.")
        expect(page.get_by_role("button", name="Get test questions")).to_be_enabled()
    with subtests.test("a file for a closed edition is refused in the form"):
        send_file(page, answers, "Late", closes=True)
        expect(page.locator("#submit-feedback")).to_contain_text(
            f"This file answers edition {edition}, which was closed"
        )
    with subtests.test("a version without editions has no test questions"):
        choose(page, "submit-benchmark", "MDAR demo")
        expect(page.locator("#own-editions")).to_be_hidden()
        expect(page.locator("#submit-close")).to_be_hidden()


def close_edition(page: Page, row: Locator, edition: str) -> None:
    """Close an edition, after cancelling once."""
    questions: list[str] = []

    def cancel(dialog: Dialog) -> None:
        questions.append(dialog.message)
        dialog.dismiss()

    button = row.get_by_role("button", name="Score and close")
    page.once("dialog", cancel)
    button.press("Enter")
    expect(button).to_be_focused()
    assert questions == [
        f"Score and close {edition}? Its file is scored, and you see every score. The edition accepts no more files. "
        "You cannot undo this."
    ]
    page.once("dialog", lambda dialog: dialog.accept())
    button.press("Enter")
