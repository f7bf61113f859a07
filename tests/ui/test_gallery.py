"""Gallery of a closed edition in a real browser: filters, keyboard, sound, spectrogram, accessibility, phone."""

import zipfile
from collections.abc import Iterator
from pathlib import Path

import axe_playwright_python  # type: ignore[import-untyped]
import pytest
from playwright.sync_api import Browser, Page

from tests.support.editions.edition_sites import KEY, close_one
from tests.support.pages.expecting import expect
from tests.support.pages.measuring import OVERFLOW
from tests.support.pages.policy_violations import note_violations
from tests.support.samples.practice_packs import make_tone
from tests.support.servers.live_site import BENCHMARK, Site, run_site

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text()
GRAVE = ("serious", "critical")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with run_site(tmp_path_factory.mktemp("gallery")) as running:
        yield running


@pytest.fixture(scope="module")
def edition_id(site: Site) -> str:
    """A closed edition with a scored file of guesses, and a pack with tones for sounds."""
    edition_id, _ = close_one(site, site.token("ada"))
    folder = site.services.settings.edition_packs_dir
    folder.mkdir(parents=True, exist_ok=True)
    content = BENCHMARK.content(BENCHMARK.make_edition_key(KEY, edition_id))
    with zipfile.ZipFile(folder / "edition.zip", "w") as archive:
        for clip in content.clips:
            archive.writestr(f"audio/{clip}.wav", make_tone(440.0, 1.0, side=0))
    return edition_id


@pytest.fixture
def page(browser: Browser, site: Site) -> Iterator[Page]:
    token = {"X-Earshot-Token": site.token("ada")}
    with browser.new_context(viewport={"width": 1440, "height": 900}, extra_http_headers=token) as context:
        errors: list[str] = []
        page = context.new_page()
        page.set_default_timeout(60_000)
        note_violations(page, errors)
        page.on("pageerror", lambda error: errors.append(str(error)))
        yield page
        assert not errors, "a script failed"


def test_owner_filters_walks_and_listens_by_keyboard(page: Page, site: Site, edition_id: str) -> None:
    page.goto(f"http://127.0.0.1:{site.port}/editions/{edition_id}")
    expect(page.get_by_role("status")).to_contain_text("Items 1 to 20 of 2,016.")
    page.get_by_label("Outcome").select_option("unreadable")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("status")).to_contain_text("Items 1 to 1 of 1; 2,016 without filters.")
    assert "outcome=unreadable" in page.url
    expect(page.get_by_role("cell", name="=1+1")).to_be_visible()

    page.get_by_label("Outcome").select_option("wrong")
    page.get_by_label("Task").select_option("sct/clean/mcq")
    page.get_by_role("button", name="Show").click()
    items = page.get_by_role("article")
    expect(items).to_have_count(20)
    expect(items.nth(0).get_by_role("button", name="Spectrogram")).to_be_visible()  # once the script has started
    page.keyboard.press("j")
    expect(items.nth(0)).to_be_focused()
    page.keyboard.press("j")
    expect(items.nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(items.nth(0)).to_be_focused()
    page.keyboard.press("p")
    expect(items.nth(0).locator("audio")).to_have_js_property("paused", False)
    page.keyboard.press("j")
    page.keyboard.press("p")
    expect(items.nth(0).locator("audio")).to_have_js_property("paused", True)
    page.keyboard.press("s")
    expect(items.nth(1).get_by_role("img", name="waveform and spectrogram")).to_be_visible()
    expect(items.nth(1).get_by_test_id("play")).to_be_focused()
    page.get_by_role("link", name="Next items").click()
    expect(page.get_by_role("status")).to_contain_text("Items 21 to")


def test_owner_publishes_the_gallery(page: Page, site: Site) -> None:
    edition_id, submission_id = close_one(site, site.token("ada"))
    assert site.post(f"/api/v1/submissions/{submission_id}/publish", site.token("ada")).status_code == 200
    page.goto(f"http://127.0.0.1:{site.port}/editions/{edition_id}")
    assert site.get(f"/editions/{edition_id}").status_code == 404
    page.get_by_role("button", name="Publish this page").click()
    expect(page.get_by_role("button", name="Hide this page again")).to_be_visible()
    seen = site.get(f"/editions/{edition_id}").text
    assert "Everybody can see this" in seen
    assert "Hide this page" not in seen


def test_gallery_is_accessible_on_a_screen_and_a_phone(page: Page, site: Site, edition_id: str) -> None:
    page.goto(f"http://127.0.0.1:{site.port}/editions/{edition_id}?outcome=wrong")
    page.evaluate(AXE)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        violations = page.evaluate("async () => (await axe.run()).violations")
        assert [(one["id"], one["nodes"][0]["html"]) for one in violations if one["impact"] in GRAVE] == []
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate(OVERFLOW) <= 0


def test_strangers_see_nothing(site: Site, edition_id: str) -> None:
    address = f"/editions/{edition_id}"
    assert site.get(address).status_code == 404
    assert site.get(address, site.token("eve")).status_code == 404
    assert site.get(address, site.token("ada")).headers["cache-control"] == "private, no-store"
    assert site.get(f"{address}?outcome=odd", site.token("ada")).status_code == 400
