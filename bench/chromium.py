"""The Chromium that benches drive, and the browser tests: one way to find it, one way to start it."""

import shutil
from collections.abc import Sequence

from playwright.sync_api import Browser, Playwright

# The first is the same browser without a window around the page: it takes half the processor time.
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Where there is a window, Chromium's own address bar is a page with scripts, which each would load beside ours: on
    # two cores that doubles what is measured.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup",
)


def find_chromium() -> str | None:
    """Return where it is; None where there is none."""
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


def launch_chromium(playwright: Playwright, flags: Sequence[str] = ()) -> Browser:
    """Start it with the usual flags and those of the caller.

    Raises:
        FileNotFoundError: There is none.
    """
    path = find_chromium()
    if path is None:
        raise FileNotFoundError(f"There is no Chromium under any of the names {', '.join(_NAMES)}.")
    return playwright.chromium.launch(executable_path=path, args=[*_FLAGS, *flags])
