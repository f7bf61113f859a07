"""HTML out of texts. Every text is escaped here and nowhere else, so that no caller can forget it."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from markupsafe import Markup, escape

from leaderboard.formatting import NONE, percent, write_interval, write_points, write_rank
from leaderboard.templating import render_age

__all__ = ["Markup", "percent", "write_interval", "write_points", "write_rank"]


def text(value: object) -> Markup:
    """Return a text fit to stand between tags or in a quoted attribute; None becomes a dash."""
    return escape(NONE if value is None else value)


def element(tag: str, *children: object, **attributes: object) -> Markup:
    """Return an element; `class_` stands for `class`, underscores for hyphens, and None leaves an attribute out."""
    named = ((name.rstrip("_").replace("_", "-"), value) for name, value in attributes.items() if value is not None)
    opening = "".join(f' {name}="{text(value)}"' for name, value in named)
    return Markup(f"<{tag}{opening}>{''.join(text(child) for child in children)}</{tag}>")  # noqa: S704 - each was escaped


def table(
    headings: Sequence[str], rows: Iterable[Sequence[object]], *, numbers_from: int = 1, caption: str = ""
) -> Markup:
    """Return a plain table; cells from column `numbers_from` on are set as figures."""

    def cell(at: int, value: object) -> Markup:
        return element("td", value, class_="es-number" if at >= numbers_from else None)

    def heading(at: int, name: str) -> Markup:
        return element("th", name, scope="col", class_="es-number" if at >= numbers_from else None)

    head = element("tr", *(heading(at, name) for at, name in enumerate(headings)))
    body = (element("tr", *(cell(at, value) for at, value in enumerate(row))) for row in rows)
    title = element("caption", caption, class_="es-hidden") if caption else Markup("")
    inner = element("table", title, element("thead", head), element("tbody", *body), class_="es-plain")
    return element("div", inner, class_="es-scroll", tabindex="0", role="region", aria_label=caption or "Table")


def link_definitions(words: str = "What the columns mean") -> Markup:
    """Return a link to what the names on boards mean."""
    return element("a", words, href="/?tab=about#about-definitions", data_visit="")


LOADING = element("p", "Loading…", class_="es-quiet")


def since(at: datetime, now: datetime) -> Markup:
    """Return a time in words, the exact one on hover."""
    return render_age(at, now)
