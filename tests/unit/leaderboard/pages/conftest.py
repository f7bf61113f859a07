"""Accelerated import of Gradio, before any page test imports it."""

import leaderboard.pages.shell.gradio_quickly  # noqa: F401 - must be imported first
