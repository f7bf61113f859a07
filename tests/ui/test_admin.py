"""Maintainer journey in a real browser: queue, hiding and restoring, merging models, re-scoring, audit log."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Dialog, Page

from tests.support.pages.expecting import expect
from tests.support.pages.opening import choose, fill, open_tab, sign_in
from tests.support.pages.participant import read_example, submit, wait_for_figures
from tests.support.pages.watched import Watched
from tests.support.samples.printed_rows import make_csv, make_line
from tests.support.servers.server import Server, wait_for


@pytest.fixture(scope="module")
def scored(server: Server) -> str:
    """Publish a row and return its id."""
    submission = submit(server, "eve", "Quince", read_example(server))
    wait_for_figures(server, submission)
    return submission


def test_maintainer_moderates_submissions_models_and_rows_and_other_users_cannot(
    watched: Watched, server: Server, scored: str, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    page = watched.page
    tab, refused = page.get_by_role("tab", name="Admin"), page.get_by_test_id("admin-refused")
    with subtests.test("a visitor who opens its address reads why not, and where to sign in"):
        page.goto(f"{server.url}/?tab=admin")
        expect(refused).to_have_text("The Admin tab is for maintainers only. Sign in on the Submit tab if you are one.")
        expect(page.get_by_test_id("overview-row").first).to_be_visible()
        expect(tab).to_have_count(0)
        refused.get_by_role("link").click()
    with subtests.test("a stranger sees nothing of it"):
        sign_in(page, "ada")
        expect(refused).to_have_count(0)
        expect(tab).to_have_count(0)
        page.goto(f"{server.url}/?tab=admin")
        expect(refused).to_have_text("The Admin tab is for maintainers only.")
        expect(page.get_by_test_id("audit-log")).to_have_count(0)
        open_tab(page, "Submit")
        page.get_by_role("button", name="Sign out").click()
    with subtests.test("a maintainer sees it without loading the page anew, and at its address"):
        sign_in(page, "local")
        expect(tab).to_be_visible()
        page.goto(f"{server.url}/?tab=admin")
        expect(tab).to_have_attribute("aria-selected", "true")
        expect(page).to_have_url(re.compile(r"\?tab=admin$"))
        expect(page.get_by_test_id("admin-name")).to_contain_text("local")
        expect(page.locator("#admin-queue")).to_contain_text("Evaluator")
    with subtests.test("a dialog that is cancelled changes nothing and is no error"):
        cancel_everything(page, scored)
    page.on("dialog", lambda dialog: dialog.accept())
    with subtests.test("a row is hidden and restored"):
        hide_and_restore(page, server, scored)
    with subtests.test("what would change is looked at"):
        choose(page, "admin-scope", "the submission above")
        fill(page, "admin-anew-reason", "To see")
        page.locator("#admin-what-would-change").click()
        expect(page.locator("#admin-asked")).to_contain_text("Requested as")
        # Neither key nor scorer has changed, so the page reports that there is nothing to do.
        expect(page.get_by_test_id("reevaluation-result")).to_contain_text("would")
    with subtests.test("two models are joined and split"):
        join_and_split(page)
    add_and_undo(page, server, tmp_path, subtests)


def add_and_undo(page: Page, server: Server, tmp_path: Path, subtests: pytest.Subtests) -> None:
    """Add a row from a file, and undo it."""
    result = page.locator("#admin-rows-result")
    with subtests.test("the links send files"), page.expect_download() as download:
        page.get_by_role("link", name="Example file").click()
    assert download.value.suggested_filename == "published-rows-example.csv"
    with subtests.test("a faulty line is named with its field and remedy"):
        choose_rows(page, tmp_path, make_line(model="Heron"), make_line(model="Heron", slice="sdt", value="43.2"))
        page.locator("#admin-rows-preview").click()
        line = result.get_by_role("row").filter(has_text="Write 0.432")
        expect(line).to_contain_text("3value")
        page.locator("#admin-rows-apply").click()
        expect(result).to_contain_text("Preview the changes first")
    with subtests.test("another file forgets the last preview"):
        page.locator("#admin-rows-file").get_by_label("Clear").click()
        choose_rows(page, tmp_path, make_line(model="Heron", value="0.987"))
        expect(result).to_have_text("")
    with subtests.test("the corrected file is previewed and applied"):
        page.locator("#admin-rows-preview").click()
        expect(result).to_contain_text("Preview: 1 added. Nothing is changed until you apply the file.")
        assert not server.rows(q="Heron")
        fill(page, "admin-rows-reason", "Table 4 of the paper")
        page.locator("#admin-rows-apply").click()
        expect(result).to_contain_text("Applied: 1 added")
        changed = page.get_by_test_id("rows-changed").get_by_role("row").filter(has_text="Heron")
        expect(changed).to_contain_text("addedlocalTable 4 of the paper")
    with subtests.test("the row is on the board"):
        rows = wait_for(lambda: find_rows_with_scores(server, "Heron"), "the row on its board")
        assert [row["scores"]["sct|accuracy"]["value"] for row in rows] == [0.987]
    with subtests.test("it is undone"):
        choose(page, "admin-rows-chosen", "Heron")
        fill(page, "admin-row-reason", "Misread")
        page.locator("#admin-rows-undo").click()
        expect(page.locator("#admin-rows-notice")).to_have_text("Undone.")
        expect(changed).to_contain_text("removedlocalMisread")
        wait_for(lambda: not server.rows(q="Heron"), "removal of the row")


def find_rows_with_scores(server: Server, model: str) -> list[dict[str, Any]]:
    return [row for row in server.rows(q=model, columns="all") if row["scores"]]


def choose_rows(page: Page, folder: Path, *lines: str) -> None:
    """Choose a file of rows with these lines."""
    path = folder / f"rows-{len(list(folder.iterdir()))}.csv"
    path.write_bytes(make_csv(*lines))
    page.locator("#admin-rows-file input[type=file]").set_input_files(path)
    expect(page.locator("#admin-rows-file")).to_contain_text(path.stem)


def cancel_everything(page: Page, submission: str) -> None:
    notice = page.locator("#admin-notice")
    # Without an ID there is nothing to confirm: the request is refused.
    page.locator("#admin-hide").click()
    expect(notice).to_contain_text("Enter a submission ID")
    asked: list[str] = []

    def cancel(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", cancel)
    fill(page, "admin-submission", submission)
    fill(page, "admin-submission-reason", "Thought better of")
    for act in ("hide", "reject"):
        page.locator("#admin-look").click()
        expect(notice).to_have_text("")
        page.locator(f"#admin-{act}").click()
        expect(notice).to_have_text("Nothing was changed.")
        expect(notice.get_by_test_id("refusal")).to_have_count(0)
    fill(page, "admin-anew-reason", "Thought better of")
    page.locator("#admin-score-anew").click()
    expect(page.locator("#admin-asked")).to_have_text("Nothing was changed.")
    expect(page.locator("#admin-asked").get_by_test_id("refusal")).to_have_count(0)
    page.remove_listener("dialog", cancel)
    assert [words.split()[0] for words in asked] == ["Hide", "Reject", "Re-score"]
    expect(page.get_by_test_id("audit-log")).not_to_contain_text("Thought better of")


def hide_and_restore(page: Page, server: Server, submission: str) -> None:
    fill(page, "admin-submission", submission)
    fill(page, "admin-submission-reason", "")
    page.locator("#admin-hide").click()
    expect(page.locator("#admin-notice")).to_contain_text("Enter a reason of 1 to 500 printable characters")
    fill(page, "admin-submission-reason", "Asked for by its owner")
    page.locator("#admin-hide").click()
    words = "Hidden by a maintainer: Asked for by its owner. Only a maintainer can restore it."
    expect(page.locator("#admin-status").get_by_test_id("hidden")).to_have_text(words)
    wait_for(lambda: not server.rows(q="Quince"), "hiding of the row")
    page.locator("#admin-restore").click()
    expect(page.locator("#admin-status")).to_contain_text("Restored: Asked for by its owner")
    expect(page.get_by_test_id("audit-log")).to_contain_text("restored")


def join_and_split(page: Page) -> None:
    fill(page, "admin-models-query", "")
    page.locator("#admin-models-query input, #admin-models-query textarea").press("Enter")
    rows = page.get_by_test_id("admin-models").locator("tbody tr")
    expect(rows.filter(has_text="Quince")).to_have_count(1)
    ids = {name: rows.filter(has_text=name).first.locator("code").inner_text() for name in ("Quince", "Gemini")}
    fill(page, "admin-model", ids["Quince"])
    fill(page, "admin-model-target", ids["Gemini"])
    fill(page, "admin-model-reason", "One model under two names")
    page.locator("#admin-join").click()
    expect(page.locator("#admin-models-notice")).to_contain_text("Merged")
    expect(page.get_by_test_id("audit-log")).to_contain_text("join-model")
    page.locator("#admin-split").click()
    expect(page.locator("#admin-models-notice")).to_contain_text("Split")
