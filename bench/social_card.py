"""Preview image of shared links: `python -m bench.social_card` writes assets/social-card.png.

Drawn from the logo and reported scores, so that it can be redrawn when they change.
"""

import base64
from html import escape
from pathlib import Path

from playwright.sync_api import sync_playwright

from bench.chromium import launch_chromium

_ASSETS = Path(__file__).parent.parent / "assets"
_WIDTH, _HEIGHT = 1200, 630
# Name, chance, best reported model, human baseline: headlines and parts with a human baseline, in per cent.
_LINES = (
    ("STAR-Bench", 24.3, 49.6, 79.1),
    ("Temporal", 14.3, 58.5, 88.0),
    ("Spatial", 33.3, 44.3, 73.7),
)
_STYLE = """
body { margin: 0; width: 1200px; height: 630px; box-sizing: border-box; padding: 72px 88px;
  background: #fff; color: #0f1b2d; font-family: "DejaVu Sans", sans-serif; display: flex; flex-direction: column; }
header { display: flex; align-items: center; gap: 24px; }
header svg { width: 88px; height: 88px; color: #0b6b66; }
h1 { font-size: 72px; margin: 0; }
p { font-size: 32px; line-height: 44px; color: #52627a; margin: 24px 0 40px; }
.line { display: grid; grid-template-columns: 240px 1fr; align-items: center; height: 72px; font-size: 26px; }
.track { position: relative; height: 40px; border-radius: 4px; }
.track i { position: absolute; top: 17px; height: 6px; border-radius: 3px; background: #b6c2d0; }
.track b { position: absolute; top: 20px; transform: translate(-50%, -50%); }
.chance { height: 40px; border-left: 4px dashed #5b6675; }
.best { width: 22px; height: 22px; border-radius: 50%; background: #0b6b66; }
.people { width: 30px; height: 26px; background: #b45309; clip-path: polygon(50% 0, 100% 100%, 0 100%); }
footer { margin-top: auto; font-size: 22px; color: #52627a; }
"""


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
    logo = (_ASSETS / "logo.svg").read_text(encoding="utf-8")
    lines = "".join(_draw_line(*line) for line in _LINES)
    return (
        f"<!doctype html><meta charset=utf-8><style>{_STYLE}</style><header>{logo}<h1>Earshot</h1></header>"
        "<p>What audio models hear, measured against people and chance</p>"
        f"{lines}<footer>Dashed: chance · dot: best reported model · triangle: people</footer>"
    )


def _draw_line(name: str, chance: float, best: float, people: float) -> str:
    places = {"chance": chance, "best": best, "people": people}
    marks = "".join(f'<b class="{kind}" style="left:{at}%"></b>' for kind, at in places.items())
    bar = f'<i style="left:{chance}%;width:{people - chance}%"></i>'
    return f'<div class="line"><span>{escape(name)}</span><div class="track">{bar}{marks}</div></div>'


if __name__ == "__main__":
    main()
