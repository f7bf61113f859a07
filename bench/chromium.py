"""Chromium for benchmarks and browser tests: how to find it and how to start it."""

import shutil
from collections.abc import Sequence

from playwright.sync_api import Browser, Playwright

# The first is the same browser without a window, which takes half the CPU time.
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # With a window, Chromium's own address bar is a page with scripts that each instance would load next to ours: on
    # two cores that doubles the measurement.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup",
)


def find_chromium() -> str | None:
    """Return the path of Chromium; None if it is not installed."""
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


def launch_chromium(playwright: Playwright, flags: Sequence[str] = ()) -> Browser:
    """Start Chromium with the default flags and those of the caller.

    Raises:
        FileNotFoundError: Chromium is not installed.
    """
    path = find_chromium()
    if path is None:
        raise FileNotFoundError(f"There is no Chromium under any of the names {', '.join(_NAMES)}.")
    return playwright.chromium.launch(executable_path=path, args=[*_FLAGS, *flags])
