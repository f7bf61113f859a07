"""A maintainer's journey in a real browser: the queue, hiding and restoring, scoring anew, the audit log."""

from pathlib import Path

import pytest
from playwright.sync_api import Dialog, Page, expect

from tests.support.pages.opening import open_admin
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server, write_example

SECONDS = 1000


def fill(page: Page, name: str, words: str) -> None:
    page.locator(f"#admin-{name} input, #admin-{name} textarea").fill(words)


@pytest.fixture
def scored(server: Server, tmp_path: Path) -> str:
    """Submit a file by the command line and return its id once it has a score."""
    path = write_example(server)
    own = tmp_path / "predictions.jsonl"
    own.write_bytes(path.read_bytes() + b"\n")  # a file that no other test sends
    sent = server.command(
        "submissions", "submit", str(own), "--benchmark", "audio-motion-bench", "--model", "Quince",
        "--publish", "--wait", "--token", server.token("eve"),
    )  # fmt: skip
    assert sent.returncode == 0, sent.stderr
    rows = server.rows(q="Quince")
    submission: str = rows[0]["submission"]
    return submission


def test_stranger_sees_nothing_of_the_queue(watched: Watched, server: Server) -> None:
    open_admin(watched.page, server, "ada")
    expect(watched.page.get_by_test_id("admin-refused")).to_contain_text("for maintainers")
    expect(watched.page.locator("#admin-own")).to_be_hidden()
    assert watched.page.get_by_test_id("audit-log").count() == 0


def test_maintainer_hides_restores_and_looks_at_what_would_change(
    watched: Watched, server: Server, scored: str
) -> None:
    page = watched.page
    page.on("dialog", lambda dialog: dialog.accept())
    open_admin(page, server, "local")
    expect(page.get_by_test_id("admin-name")).to_contain_text("local")
    expect(page.locator("#admin-queue")).to_contain_text("evaluator")
    fill(page, "submission", scored)
    page.locator("#admin-hide").click()
    expect(page.locator("#admin-notice")).to_contain_text("A reason has 1 to 500 printable characters")
    fill(page, "submission-reason", "Asked for by its owner")
    page.locator("#admin-hide").click()
    expect(page.locator("#admin-status")).to_contain_text("Hidden: Asked for by its owner")
    assert server.rows(q="Quince") == [] or wait_gone(page, server)
    page.locator("#admin-restore").click()
    expect(page.locator("#admin-status")).to_contain_text("Restored: Asked for by its owner")
    expect(page.get_by_test_id("audit-log")).to_contain_text("restored")
    page.locator("#admin-scope input").click()
    page.get_by_role("option", name="the submission above").click()
    fill(page, "anew-reason", "To see")
    page.locator("#admin-what-would-change").click()
    expect(page.locator("#admin-asked")).to_contain_text("Asked for as")
    # Nothing of key or scorer has changed, so there is nothing to do, and it says so.
    expect(page.get_by_test_id("reevaluation-result")).to_contain_text("would", timeout=60 * SECONDS)


def wait_gone(page: Page, server: Server) -> bool:
    for _ in range(100):
        if not server.rows(q="Quince"):
            return True
        page.wait_for_timeout(100)
    return False


def test_maintainer_joins_two_models_and_splits_them(watched: Watched, server: Server, scored: str) -> None:
    page = watched.page
    open_admin(page, server, "local")
    fill(page, "models-query", "")
    page.locator("#admin-models-query input, #admin-models-query textarea").press("Enter")
    rows = page.get_by_test_id("admin-models").locator("tbody tr")
    expect(rows.filter(has_text="Quince")).to_have_count(1)
    ids = {name: rows.filter(has_text=name).first.locator("code").inner_text() for name in ("Quince", "Gemini")}
    fill(page, "model", ids["Quince"])
    fill(page, "model-target", ids["Gemini"])
    fill(page, "model-reason", "One model under two names")
    page.locator("#admin-join").click()
    expect(page.locator("#admin-models-notice")).to_contain_text("Joined")
    expect(page.get_by_test_id("audit-log")).to_contain_text("join-model")
    page.locator("#admin-split").click()
    expect(page.locator("#admin-models-notice")).to_contain_text("Split")


def test_cancel_changes_nothing_and_is_no_error(watched: Watched, server: Server, scored: str) -> None:
    page = watched.page
    open_admin(page, server, "local")
    expect(page.get_by_test_id("admin-name")).to_contain_text("local")
    notice = page.locator("#admin-notice")
    # Nothing is asked about nothing: it is refused.
    page.locator("#admin-hide").click()
    expect(notice).to_contain_text("Give the id of a submission")
    asked: list[str] = []

    def cancel(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", cancel)
    fill(page, "submission", scored)
    fill(page, "submission-reason", "Thought better of")
    for act in ("hide", "reject"):
        page.locator("#admin-look").click()
        expect(notice).to_have_text("")
        page.locator(f"#admin-{act}").click()
        expect(notice).to_have_text("Nothing was changed.")
        expect(notice.get_by_test_id("refusal")).to_have_count(0)
    fill(page, "anew-reason", "Thought better of")
    page.locator("#admin-score-anew").click()
    expect(page.locator("#admin-asked")).to_have_text("Nothing was changed.")
    expect(page.locator("#admin-asked").get_by_test_id("refusal")).to_have_count(0)
    assert [words.split()[0] for words in asked] == ["Hide", "Reject", "Score"]
    expect(page.get_by_test_id("audit-log")).not_to_contain_text("Thought better of")
