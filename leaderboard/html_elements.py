"""HTML out of texts. Every text is escaped here and nowhere else, so that no caller can forget it."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from html import escape

_NONE = "–"
_SECONDS_OF = (("day", 86_400), ("hour", 3_600), ("minute", 60))


class Markup(str):
    """HTML that is finished: `text` lets it through as it is."""

    __slots__ = ()


def text(value: object) -> Markup:
    """Return a text fit to stand between tags or in a quoted attribute; None becomes a dash."""
    if isinstance(value, Markup):
        return value
    return Markup(escape(_NONE if value is None else str(value), quote=True))


def element(tag: str, *children: object, **attributes: object) -> Markup:
    """Return an element; `class_` stands for `class`, underscores for hyphens, and None leaves an attribute out."""
    named = ((name.rstrip("_").replace("_", "-"), value) for name, value in attributes.items() if value is not None)
    opening = "".join(f' {name}="{text(value)}"' for name, value in named)
    return Markup(f"<{tag}{opening}>{''.join(text(child) for child in children)}</{tag}>")


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


def percent(fraction: float | None) -> str:
    """Return a fraction as a percentage with one decimal, or a dash."""
    return _NONE if fraction is None else f"{100 * fraction:.1f}"


def write_rank(rank: int | None, low: int | None, high: int | None) -> str | None:
    """Return a rank, as its range where one is known: `4`, `3–6`; None where there is none.

    >>> write_rank(4, 3, 6), write_rank(1, 1, 1), write_rank(2, None, None)
    ('3–6', '1', '2')
    """
    if rank is None or low is None or high is None:
        return None if rank is None else str(rank)
    return str(low) if low == high else f"{low}–{high}"


def write_interval(low: float | None, high: float | None) -> str:
    """Return a confidence interval in percent, such as `45.1–52.0`; empty where there is none."""
    return "" if low is None or high is None else f"{percent(low)}–{percent(high)}"


def write_points(fraction: float | None, decimals: int = 1) -> str:
    """Return a difference in points with its sign; 0 has none."""
    if fraction is None:
        return _NONE
    words = f"{100 * fraction:+.{decimals}f}"
    return words[1:] if float(words) == 0 else words.replace("-", "−")


def since(at: datetime, now: datetime) -> Markup:
    """Return a time in words, the exact one on hover."""
    moment = at if at.tzinfo else at.replace(tzinfo=UTC)
    seconds = (now - moment).total_seconds()
    words = "just now"
    for unit, length in _SECONDS_OF:
        if seconds >= length:
            n = int(seconds // length)
            words = f"{n} {unit}{'s' if n > 1 else ''} ago"
            break
    return element("time", words, datetime=moment.isoformat(), title=f"{moment:%Y-%m-%d %H:%M:%S} UTC")
