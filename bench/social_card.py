"""Preview image of shared links: `python -m bench.social_card` writes assets/social-card.png.

Drawn from the logo and reported scores, so that it can be redrawn when they change.
"""

import base64
from pathlib import Path

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup
from playwright.sync_api import sync_playwright

from bench.chromium import launch_chromium

_ASSETS = Path(__file__).parent.parent / "assets"
_TEMPLATE = Path(__file__).with_name("social_card.html")
_WIDTH, _HEIGHT = 1200, 630
# Name, chance, best reported model, human baseline: headlines and parts with a human baseline, in per cent.
_LINES = (
    ("STAR-Bench", 24.3, 49.6, 79.1),
    ("Temporal", 14.3, 58.5, 88.0),
    ("Spatial", 33.3, 44.3, 73.7),
)


def main() -> None:
    """Write the image."""
    with sync_playwright() as playwright:
        browser = launch_chromium(playwright)
        page = browser.new_page(viewport={"width": _WIDTH, "height": _HEIGHT})
        page.goto(f"data:text/html;base64,{base64.b64encode(draw().encode()).decode()}")
        page.screenshot(path=_ASSETS / "social-card.png")
        browser.close()


def draw() -> str:
    """Return the card as HTML."""
    template = Environment(autoescape=True, undefined=StrictUndefined).from_string(
        _TEMPLATE.read_text(encoding="utf-8")
    )
    return template.render(logo=Markup((_ASSETS / "logo.svg").read_text(encoding="utf-8")), lines=_LINES)  # noqa: S704 - our file


if __name__ == "__main__":
    main()
