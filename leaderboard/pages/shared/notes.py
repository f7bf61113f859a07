"""Notes and headings of all tabs: explanations, results, and placeholders while a tab loads."""

from leaderboard.rendering.templating import Markup, render_macro

_TEMPLATE = "pages/shared/notes.html"


def render_heading(title: str, level: int = 3) -> Markup:
    """Return the heading of a section."""
    return render_macro(_TEMPLATE, "heading", title, level)


def render_note(words: str) -> Markup:
    """Return an explanation."""
    return render_macro(_TEMPLATE, "note", words)


def render_loading() -> Markup:
    """Return the placeholder of a tab that is loading."""
    return render_macro(_TEMPLATE, "loading")


def render_place(content: Markup) -> Markup:
    """Return the placeholder of a tab's content: inert until its script takes it, maybe before Gradio loads."""
    return render_macro(_TEMPLATE, "place", content)


def render_done(words: str) -> Markup:
    """Return the result of an action."""
    return render_macro(_TEMPLATE, "done", words)


def render_reload(refusal: Markup) -> Markup:
    """Return an error message with a button that reloads the page."""
    return render_macro(_TEMPLATE, "reload", refusal)
