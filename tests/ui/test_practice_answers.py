"""Practice answers on the Submit tab in a real browser: attached, scored, and shown on the board."""

import re
from pathlib import Path

import pytest

from tests.support.editions.edition_places import open_for_user
from tests.support.editions.practice_files import PRACTICE_KEY, guess_answers
from tests.support.pages.expecting import expect
from tests.support.pages.opening import fill, open_tab, sign_in
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server


def test_practice_answers_are_attached_and_their_gap_reaches_the_board(
    watched: Watched, server: Server, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    page = watched.page
    answers, practice = tmp_path / "answers.jsonl", tmp_path / "practice.jsonl"
    answers.write_bytes(guess_answers(open_for_user(server, "pru"), 0.6))
    practice.write_bytes(guess_answers(PRACTICE_KEY, 0.95))
    page.goto(f"{server.url}/?tab=submit")
    expect(page.locator("#submit-check")).to_be_visible()
    sign_in(page, "pru")
    expect(page.locator("#practice-answers")).to_be_hidden()
    page.locator("#submit-file input[type=file]").set_input_files(answers)
    expect(page.locator("#submit-file")).to_contain_text("answers")
    fill(page, "model-name", "Learnt by heart")
    page.locator("#submit-publish input[type=checkbox]").set_checked(True)
    page.locator("#submit-send").click()
    expect(page.get_by_test_id("state")).to_have_text("scored")
    notice, attach = page.locator("#submission-notice"), page.locator("#practice-attach")
    with subtests.test("a missing or wrong file is refused with a reason"):
        attach.click()
        expect(notice).to_contain_text("Choose a file of practice answers first.")
        page.locator("#practice-file input[type=file]").set_input_files(answers)
        expect(page.locator("#practice-file")).to_contain_text("answers")
        attach.click()
        expect(notice).to_contain_text("the test questions of AudioMotionBench 1.0")
        page.locator("#practice-file").get_by_role("button", name=re.compile("Clear|Remove")).first.click()
    with subtests.test("the gap appears by itself"):
        page.locator("#practice-file input[type=file]").set_input_files(practice)
        expect(page.locator("#practice-file")).to_contain_text("practice")
        attach.click()
        shown = page.get_by_test_id("practice")
        expect(shown).to_contain_text(
            re.compile(r"Practice 9\d\.\d ± 0\.\d %\. Practice − test: 3\d\.\d points \(95 % CI 3")
        )
        expect(notice).to_have_text("")
    with subtests.test("the board shows the column"):
        open_tab(page, "AudioMotionBench")
        page.get_by_test_id("board-search").fill("Learnt by heart")
        row = page.get_by_test_id("board-row")
        expect(row).to_have_count(1)
        expect(page.locator("[data-testid=board-table] thead, thead").first).to_contain_text("Practice − test")
        expect(row).to_contain_text(re.compile(r"3\d\.\d"))
