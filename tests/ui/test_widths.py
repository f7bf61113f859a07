"""Every tab, empty and with something chosen, fits the narrowest screen: only tables scroll, inside their own box."""

from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from bench.screenshots import TABS
from tests.support.pages.opening import expect_settled
from tests.support.servers.server import Server

_WIDTH = 360
SCHEMES: tuple[Literal["dark"], Literal["light"]] = ("dark", "light")
# What reaches beyond the window, though no box of its own lets one scroll to it and nothing says that it was cut off.
_FIND_WIDE = """() => {
  const edge = document.documentElement.clientWidth + 1;
  const style = (one) => getComputedStyle(one);
  const isReached = (one) =>
    one !== null && one !== document.body && (/auto|scroll/.test(style(one).overflowX)
      || style(one).textOverflow === "ellipsis" || isReached(one.parentElement));
  const says = (one) => /^(INPUT|SELECT|BUTTON|TEXTAREA|IMG|CANVAS)$/.test(one.tagName)
    || [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  return [...document.querySelectorAll("body *")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && says(one))
    .filter((one) => one.getBoundingClientRect().right > edge && one.getBoundingClientRect().left < 2 * edge)
    .filter((one) => !isReached(one.parentElement) && !one.closest(".visually-hidden, .es-hidden"))
    .slice(0, 5).map((one) => `${one.tagName} ${one.className} ${one.textContent.slice(0, 40)}`);
}"""
_OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def narrow(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": _WIDTH, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    context.close()


def list_places(server: Server) -> dict[str, str]:
    """Return what is looked at, with the sign that it is drawn: tabs, a model, two rows compared."""
    first, second = server.json("/api/v1/leaderboards/star-bench?source=reported")["rows"][:2]
    rows = f"benchmark=star-bench&a={first['submission']}&b={second['submission']}"
    places = {f"tab={tab}": f"#tab-{tab} :is({sign})" for tab, sign in TABS.items()}
    places[f"tab=model&model={first['model']['id']}"] = "[data-testid=model-name]"
    return {**places, f"tab=compare&{rows}": "[data-testid=verdict]"}


def test_every_tab_fits_the_narrowest_screen(narrow: Page, server: Server, subtests: pytest.Subtests) -> None:
    for address, sign in list_places(server).items():
        with subtests.test(address=address):
            narrow.goto(f"{server.url}/?{address}")
            expect_settled(narrow)
            expect(narrow.locator(sign).first).to_be_visible()
            for scheme in SCHEMES:
                narrow.emulate_media(color_scheme=scheme)
                assert narrow.evaluate(_FIND_WIDE) == [], scheme
                assert narrow.evaluate(_OVERFLOW) <= 0, scheme
    with subtests.test("what is too wide is found"):
        narrow.goto(f"{server.url}/?tab=about")
        expect(narrow.locator(TABS["about"])).to_be_visible()
        narrow.locator("#about-metrics").evaluate("heading => { heading.style.width = '700px'; }")
        assert len(narrow.evaluate(_FIND_WIDE)) == 1
