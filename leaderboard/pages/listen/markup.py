"""Markup of the Listen tab before its script has run."""

from functools import lru_cache

from leaderboard.assets import import_script
from leaderboard.rendering.templating import Markup, render_template

LISTEN_SCRIPT = f"""
{import_script("listen.js")}.then((listen) => listen.mount(element));
"""


@lru_cache(maxsize=1)
def render_listen() -> Markup:
    """Return the shell that the script fills with the round."""
    return render_template("pages/listen/listen.html")
