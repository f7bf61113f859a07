"""Every tab, empty and with something chosen, fits the narrowest screen: only tables scroll, inside their own box."""

import json
from collections.abc import Iterator
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from bench.screenshots import list_views
from tests.serving import Server

_WIDTH = 360
# What is wider than the page and not inside something that scrolls by itself.
_FIND_WIDE = """() => {
  const wide = (one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1;
  const held = (one) => /auto|scroll|hidden|clip/.test(getComputedStyle(one).overflowX);
  const scrolls = (one) => one && (held(one) || scrolls(one.parentElement));
  return [...document.querySelectorAll("main *, footer *")]
    .filter((one) => one.checkVisibility() && wide(one) && !scrolls(one.parentElement))
    .slice(0, 5).map((one) => `${one.tagName} ${one.className} ${one.dataset.testid ?? ""}`);
}"""


@pytest.fixture(scope="module")
def narrow(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": _WIDTH, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    context.close()


def test_every_tab_fits_the_narrowest_screen(narrow: Page, server: Server) -> None:
    with urlopen(f"{server.url}/api/v1/overview") as answer:  # noqa: S310 - loopback
        assert json.load(answer)["rows"], "there is something to show"
    found = {}
    for name, view in list_views(server.url).items():
        narrow.goto(f"{server.url}/?{view.query}")
        # This server renders no sounds, so its listening does not begin.
        if view.pressed is not None:
            continue
        expect(narrow.locator(view.drawn).first).to_be_visible()
        overflow = narrow.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if overflow > 0:
            found[name] = (overflow, narrow.evaluate(_FIND_WIDE))
    assert found == {}
