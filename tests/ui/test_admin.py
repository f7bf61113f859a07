"""A maintainer's journey in a real browser: the queue, hiding and restoring, joining, scoring anew, the audit log."""

import re

import pytest
from playwright.sync_api import Dialog, Page, expect

from tests.support.pages.opening import choose, fill, open_tab, sign_in
from tests.support.pages.participant import read_example, submit, wait_for_figures
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server, wait_for


@pytest.fixture(scope="module")
def scored(server: Server) -> str:
    """Publish a row and return its id."""
    submission = submit(server, "eve", "Quince", read_example(server))
    wait_for_figures(server, submission)
    return submission


def test_maintainer_acts_on_submissions_and_models_and_a_stranger_does_not(
    watched: Watched, server: Server, scored: str, subtests: pytest.Subtests
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
        expect(page.locator("#admin-queue")).to_contain_text("evaluator")
    with subtests.test("a dialog that is cancelled changes nothing and is no error"):
        cancel_everything(page, scored)
    page.on("dialog", lambda dialog: dialog.accept())
    with subtests.test("a row is hidden and restored"):
        hide_and_restore(page, server, scored)
    with subtests.test("what would change is looked at"):
        choose(page, "admin-scope", "the submission above")
        fill(page, "admin-anew-reason", "To see")
        page.locator("#admin-what-would-change").click()
        expect(page.locator("#admin-asked")).to_contain_text("Asked for as")
        # Nothing of key or scorer has changed, so there is nothing to do, and it says so.
        expect(page.get_by_test_id("reevaluation-result")).to_contain_text("would")
    with subtests.test("two models are joined and split"):
        join_and_split(page)


def cancel_everything(page: Page, submission: str) -> None:
    notice = page.locator("#admin-notice")
    # Nothing is asked about nothing: it is refused.
    page.locator("#admin-hide").click()
    expect(notice).to_contain_text("Give the id of a submission")
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
    assert [words.split()[0] for words in asked] == ["Hide", "Reject", "Score"]
    expect(page.get_by_test_id("audit-log")).not_to_contain_text("Thought better of")


def hide_and_restore(page: Page, server: Server, submission: str) -> None:
    fill(page, "admin-submission", submission)
    fill(page, "admin-submission-reason", "")
    page.locator("#admin-hide").click()
    expect(page.locator("#admin-notice")).to_contain_text("A reason has 1 to 500 printable characters")
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
    expect(page.locator("#admin-models-notice")).to_contain_text("Joined")
    expect(page.get_by_test_id("audit-log")).to_contain_text("join-model")
    page.locator("#admin-split").click()
    expect(page.locator("#admin-models-notice")).to_contain_text("Split")
