"""Every tab, empty and with something chosen, fits the narrowest screen: only tables scroll, inside their own box."""

import json
from collections.abc import Iterator
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from bench.screenshots import list_views
from tests.support.servers.server import Server

_WIDTH = 360
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


@pytest.fixture(scope="module")
def narrow(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": _WIDTH, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    context.close()


def test_every_tab_fits_the_narrowest_screen(narrow: Page, server: Server) -> None:
    with urlopen(f"{server.url}/api/v1/overview") as answer:
        assert json.load(answer)["rows"], "there is something to show"
    found = {}
    for name, view in list_views(server.url).items():
        narrow.goto(f"{server.url}/?{view.query}")
        # This server renders no sounds, so its listening does not begin.
        if view.pressed is not None:
            continue
        # What is drawn before the tabs are there goes when they come.
        expect(narrow.locator("#es-first")).to_be_hidden()
        expect(narrow.locator(view.drawn).first).to_be_visible()
        if wide := narrow.evaluate(_FIND_WIDE):
            found[name] = wide
    assert found == {}


def test_what_is_too_wide_is_found(narrow: Page, server: Server) -> None:
    narrow.goto(f"{server.url}/?tab=about")
    narrow.locator("#about-metrics").evaluate("heading => { heading.style.width = '700px'; }")
    assert len(narrow.evaluate(_FIND_WIDE)) == 1
