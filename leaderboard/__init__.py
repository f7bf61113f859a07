"""Web application: the HTTP API and the page."""

from leaderboard.gradio_imports import skip_type_stubs

__all__ = ["skip_type_stubs"]

# Before any module of this package imports Gradio.
skip_type_stubs()
