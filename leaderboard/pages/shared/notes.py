"""One-line notes and headings of all tabs: explanations, outcomes, and what is shown while a tab loads."""

from leaderboard.templating import Markup, render_macro

_TEMPLATE = "pages/shared/notes.html"


def render_heading(title: str, level: int = 3) -> Markup:
    """Return the heading of a part of a tab."""
    return render_macro(_TEMPLATE, "heading", title, level)


def render_note(words: str) -> Markup:
    """Return an explanation."""
    return render_macro(_TEMPLATE, "note", words)


def render_loading() -> Markup:
    """Return what is shown until a tab is filled."""
    return render_macro(_TEMPLATE, "loading")


def render_done(words: str) -> Markup:
    """Return what was done."""
    return render_macro(_TEMPLATE, "done", words)


def render_reload(refusal: Markup) -> Markup:
    """Return a refusal with a button that loads the page again."""
    return render_macro(_TEMPLATE, "reload", refusal)
