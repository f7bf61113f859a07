"""Styles of pages outside the tabs, which have the colours of the page and follow the reader's theme."""

import re
from pathlib import Path

from leaderboard.assets import ASSETS_DIR
from leaderboard.rendering.templating import Markup

_THEME = (ASSETS_DIR / "theme.css").read_text(encoding="utf-8")
_TOKENS = dict(re.findall(r"^(:root|\.dark) (\{.*?\})", _THEME, re.MULTILINE | re.DOTALL))


def make_style(path: Path) -> Markup:
    """Return a style sheet below the colours of both themes."""
    return Markup(
        f":root{_TOKENS[':root']}"
        f'html[data-theme="dark"]{_TOKENS[".dark"]}'
        f'@media(prefers-color-scheme:dark){{html:not([data-theme="light"]){_TOKENS[".dark"]}}}'
        f"{path.read_text(encoding='utf-8')}"
    )
