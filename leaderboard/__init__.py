"""Web application: the HTTP API and the page."""

from leaderboard.gradio_imports import import_gradio_quickly

__all__ = ["import_gradio_quickly"]

# Before any module of this package imports Gradio.
import_gradio_quickly()
