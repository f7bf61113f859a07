"""Markup of the Listen tab before its script has run."""

from functools import lru_cache

from leaderboard.assets import import_script
from leaderboard.html_elements import Markup, element

LISTEN_SCRIPT = f"""
{import_script("listen.js")}.then((listen) => listen.mount(element));
"""
_WORDS = (
    "Listen to practice questions, answer them, and compare your score with models. "
    "Nothing is stored without your consent."
)


@lru_cache(maxsize=1)
def render_listen() -> Markup:
    """Return the shell, into which the script puts the round."""
    return element(
        "section",
        element("div", element("h2", "Listen"), element("p", _WORDS, class_="es-facts-line"), class_="es-head"),
        element("div", element("p", "Loading…", class_="es-quiet"), data_place="listen"),
        class_="es-listen",
        data_listen="",
        data_testid="listen",
        aria_label="Listen to practice questions",
    )
