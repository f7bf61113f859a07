"""Timers of pages that poll the server: in tests they poll five times as often, because nothing else is waited for."""

from playwright.sync_api import BrowserContext

# Gradio's timers and the revision checks of boards and the Overview repeat after 2 seconds or more.
_SHORTEN = """{
  const repeat = window.setInterval.bind(window);
  window.setInterval = (act, pause, ...values) => repeat(act, pause >= 2000 ? pause / 5 : pause, ...values);
}"""


def shorten_intervals(context: BrowserContext) -> None:
    """Let the pages of a context, which are yet to be opened, ask for news more often."""
    context.add_init_script(_SHORTEN)
