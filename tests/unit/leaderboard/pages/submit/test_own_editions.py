"""Test questions on the Submit tab: limits, states and buttons of editions."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from db.edition_records import EditionRecord
from db.records import UserRecord
from evaluation.benchmarks import get_benchmark
from leaderboard.pages.submit.markup import render_received
from leaderboard.pages.submit.own_editions.markup import is_rendering, render_editions
from submissions.editions.edition_limits import NO_EDITION_LIMITS, EditionLimits, EditionQuota
from submissions.editions.edition_service import EditionState, EditionStatus
from tests.support.pages.records import NOW, make_submission

AMB = get_benchmark("audio-motion-bench")
LATER = NOW + timedelta(days=30)
OPEN = EditionRecord(
    number=1,
    id="e-7f3kq9x2",
    benchmark=AMB.id,
    version=AMB.version,
    owner=UserRecord(1, "ada"),
    state="open",
    created_at=NOW,
    opened_at=NOW,
    expires_at=LATER,
    closed_at=None,
    design="d",
    content_digest="c",
    n_items=2016,
    pack="edition.zip",
    is_rendering=False,
    is_pack_wanted=False,
    progress=1.0,
    explanation=None,
    is_public=False,
    visitors_wanted_at=None,
)
QUEUED = replace(OPEN, state="queued", opened_at=None, expires_at=None, pack=None, is_pack_wanted=True, progress=0.0)


def make_status(
    edition: EditionRecord = OPEN,
    *,
    state: EditionState = "open",
    n_before: int | None = None,
    has_pack: bool = True,
    n_files: int = 0,
    **changed: Any,
) -> EditionStatus:
    return EditionStatus(replace(edition, **changed), state, n_before, has_pack, n_files)


def render(*statuses: EditionStatus, quota: EditionQuota | None = None, server: str = "") -> str:
    quota = quota or EditionQuota(EditionLimits(2, 5), 1, 1, LATER)
    return str(render_editions(AMB, statuses, quota, server, NOW))


def read_rows(html: str) -> list[str]:
    """Return the text of each edition."""
    return [re.sub("<[^>]+>", "", row) for row in re.findall("<li.*?</li>", html, re.DOTALL)]


def test_limits_are_shown_and_disable_the_button_once_they_are_reached(subtests: pytest.Subtests) -> None:
    with subtests.test("left"):
        html = render(make_status())
        assert "1 of 2 open editions, 1 of 5 requested today." in html
        assert "disabled" not in html
    with subtests.test("none left"):
        html = render(
            make_status(id="e-1"), make_status(id="e-2"), quota=EditionQuota(EditionLimits(2, 5), 2, 2, LATER)
        )
        assert 'data-do="request" disabled>' in html
        assert "You have 2 open editions of AudioMotionBench 1.0, the maximum: e-1, e-2." in html
    with subtests.test("none left today"):
        html = render(quota=EditionQuota(EditionLimits(2, 5), 0, 5, LATER))
        assert 'data-do="request" disabled>' in html
        assert "You have requested 5 editions of AudioMotionBench 1.0 today, the maximum." in html
    with subtests.test("no limit"):
        html = render(make_status(), quota=EditionQuota(NO_EDITION_LIMITS, 7, 9, LATER))
        assert "No limit." in html
        assert "disabled" not in html


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (make_status(QUEUED, state="queued", n_before=0), "queued. The pack is rendered next."),
        (make_status(QUEUED, state="queued", n_before=1), "queued. 1 pack is rendered before yours."),
        (make_status(QUEUED, state="queued", n_before=3), "queued. 3 packs are rendered before yours."),
        (
            make_status(QUEUED, state="queued", n_before=0, explanation="It failed."),
            "queued. It failed. The pack is rendered next.",
        ),
        (make_status(QUEUED, state="making", n_before=0, is_rendering=True), "rendering."),
        (make_status(), "open. No files yet. Open until 31 January 2026."),
        (make_status(n_files=3), "open. 3 of 20 files. Open until 31 January 2026."),
        (
            make_status(n_before=0, is_rendering=True, is_pack_wanted=True),
            "open. No files yet. Open until 31 January 2026. The pack is being rendered.",
        ),
        (make_status(state="closed", closed_at=NOW, n_files=1), "closed. 1 file. Closed on 1 January 2026."),
        (
            make_status(QUEUED, state="closed", n_files=1, closed_at=NOW, is_pack_wanted=False),
            "closed. Answered by an endpoint.",
        ),
        (make_status(state="expired", closed_at=LATER), "expired. Expired on 31 January 2026 without a file."),
    ],
)
def test_state_of_an_edition_is_said_in_words(status: EditionStatus, text: str) -> None:
    (row,) = read_rows(render(status))
    assert f"e-7f3kq9x2: {text}" in row


def test_edition_has_the_buttons_of_its_state(subtests: pytest.Subtests) -> None:
    command = "python -m submissions pack --benchmark audio-motion-bench --edition e-7f3kq9x2 --out pack.zip"
    with subtests.test("queued"):
        html = render(make_status(QUEUED, state="queued", n_before=0, has_pack=False))
        assert find_actions(html) == ["request"]
        assert 'role="progressbar"' not in html
    with subtests.test("rendered now"):
        status = make_status(QUEUED, state="making", n_before=0, has_pack=False, is_rendering=True, progress=0.4)
        html = render(status)
        assert find_actions(html) == ["request"]
        assert 'aria-valuenow="40"' in html
    with subtests.test("given up"):
        html = render(
            make_status(QUEUED, state="queued", has_pack=False, is_pack_wanted=False, explanation="It failed.")
        )
        assert find_actions(html) == ["request", "render"]
        assert "It failed." in html
    with subtests.test("open without a file"):
        html = render(make_status(), server="https://earshot.example")
        assert find_actions(html) == ["request", "download"]
        assert f"{command} --url https://earshot.example<" in html
    with subtests.test("open, and its pack was deleted"):
        html = render(make_status(has_pack=False, n_files=1))
        assert find_actions(html) == ["request", "render", "close"]
        assert "Its file is scored" in html
    with subtests.test("open with files"):
        html = render(make_status(n_files=3))
        assert find_actions(html) == ["request", "download", "close"]
        assert f"{command}<" in html
        assert "All 3 files are scored, and you see every score. The edition accepts no more files." in html
    with subtests.test("closed"):
        html = render(make_status(state="closed", n_files=3))
        assert find_actions(html) == ["request", "/editions/e-7f3kq9x2", "download"]
        assert command not in html
    with subtests.test("closed after its files were withdrawn"):
        assert find_actions(render(make_status(state="closed"))) == ["request", "download"]
    with subtests.test("expired"):
        assert find_actions(render(make_status(state="expired", has_pack=False))) == ["request"]


def find_actions(html: str) -> list[str]:
    found = re.findall(r'data-do="(\w+)"| href="(/editions/[^"]+)"| download ', html)
    return [action or gallery or "download" for action, gallery in found]


def test_newest_editions_are_listed_with_a_note_about_older_ones() -> None:
    assert "You have no editions of AudioMotionBench 1.0 yet." in render()
    statuses = [make_status(id=f"e-{number}", state="closed") for number in range(11)]
    html = render(*statuses)
    assert len(read_rows(html)) == 10
    assert "These are your newest 10 editions." in html
    assert "The API" not in render(*statuses[:10])


def test_editions_are_refreshed_only_while_a_pack_is_rendered() -> None:
    assert is_rendering([make_status(), make_status(QUEUED, state="queued", n_before=2)])
    assert not is_rendering([make_status(), make_status(state="closed")])


def test_explanation_of_a_failure_is_escaped() -> None:
    assert "<img" not in render(make_status(QUEUED, state="queued", n_before=0, explanation="<img src=x>"))


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"state": "queued"}, "Submitted (s-1). Scoring usually takes seconds."),
        (
            {"state": "queued", "edition": "e-1"},
            "Submitted (s-1). Edition e-1 is closed. Scoring usually takes seconds.",
        ),
        ({"state": "awaiting-close", "edition": "e-1"}, "Submitted (s-1). It is scored when you close edition e-1."),
    ],
)
def test_received_file_is_confirmed_with_what_happens_next(fields: dict[str, str], text: str) -> None:
    assert f">{text}<" in render_received(make_submission(**fields))


def test_closed_edition_with_files_leads_to_its_gallery() -> None:
    closed = replace(OPEN, state="closed", closed_at=NOW)
    link = 'href="/editions/e-7f3kq9x2"'
    assert link in render(make_status(closed, state="closed", n_files=2))
    assert link not in render(make_status(closed, state="closed"))
    assert link not in render(make_status(n_files=2))
