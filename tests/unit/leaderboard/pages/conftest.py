"""What the tests of the page share: Gradio, imported quickly before any of them imports it."""

import leaderboard.pages.shell.gradio_quickly  # noqa: F401 - before all else
