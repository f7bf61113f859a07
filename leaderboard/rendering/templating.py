"""Jinja2 templates: the HTML of pages, in files next to the code that renders them.

Every value is escaped, None is shown as a dash, and a name that the code does not pass is an error. A template is read
and compiled when it is first rendered, not at the start.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateSyntaxError
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from markupsafe import Markup

from leaderboard.rendering.formatting import NONE, add_zone, write_age, write_count, write_interval, write_percent

__all__ = ["Markup", "render_age", "render_macro", "render_table", "render_template"]

_FOLDER = Path(__file__).parent.parent
_LINE_BREAK = re.compile(r"\s*\n\s*")
_INLINE = r"(?:a|b|code|em|i|small|span|strong|time)\b"
_AMBIGUOUS = re.compile(rf"[^\s>][^\S\n]*\n\s*<{_INLINE}|</{_INLINE}>[^\S\n]*\n\s*[^\s<]")
_AGE = Markup('<time datetime="{}" title="{} UTC">{}</time>')


class LineBreaks(Extension):
    """Takes line breaks and indentation as layout of the source, so that they add no spaces to the page.

    A line break is a space between two words, between a word and a `{{ value }}`, and inside of a tag. Any other, with
    the indentation around it, is nothing. Between a word and an inline element it could be either, so it is an error.
    """

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """Yield the tokens of a template, texts without their layout."""
        tokens = [*stream]
        is_in_tag = False
        for at, token in enumerate(tokens):
            if token.type != "data":
                yield token
                continue
            if found := _AMBIGUOUS.search(token.value):
                line = token.lineno + token.value.count("\n", 0, found.start())
                message = 'Put the word and the element on one line, or end the line with {{ " " }}.'
                raise TemplateSyntaxError(message, line, stream.name, stream.filename)
            # A value is like a word, a statement like a tag.
            left = "x" if at and tokens[at - 1].type == "variable_end" else ">"
            right = "x" if tokens[at + 1 :] and tokens[at + 1].type == "variable_begin" else "<"
            yield Token(token.lineno, "data", _remove_layout(token.value, left, right, is_in_tag=is_in_tag))
            is_in_tag = _ends_in_tag(token.value, is_in_tag=is_in_tag)


def _remove_layout(text: str, left: str, right: str, *, is_in_tag: bool) -> str:
    def replace_break(found: re.Match[str]) -> str:
        if _ends_in_tag(text[: found.start()], is_in_tag=is_in_tag):
            return " "
        before, after = text[: found.start()][-1:], text[found.end() :][:1]
        is_between_words = (before or left) != ">" and (after or right) != "<" and (before or after)
        return " " if is_between_words else ""

    return _LINE_BREAK.sub(replace_break, text)


def _ends_in_tag(text: str, *, is_in_tag: bool) -> bool:
    opened, closed = text.rfind("<"), text.rfind(">")
    return is_in_tag if opened == closed else opened > closed


@lru_cache(maxsize=1)
def _get_environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        extensions=[LineBreaks],
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_show_none,
        auto_reload=False,
        cache_size=-1,
    )
    environment.filters |= {
        "age": render_age,
        "number_of": write_count,
        "percent": write_percent,
        "thousands": _write_thousands,
    }
    environment.globals["write_interval"] = write_interval
    return environment


def render_template(name: str, /, **context: Any) -> Markup:
    """Return a template with its values.

    Args:
        name: Its path below `leaderboard/`.
        context: Its values, all that it names.
    """
    page = _get_environment().get_template(name).render(context)
    return Markup(page)  # noqa: S704 - the template has escaped every value


def render_macro(name: str, macro: str, /, *values: Any) -> Markup:
    """Return a macro of a template with its values: small pieces share a file.

    Args:
        name: Path of the template below `leaderboard/`.
        macro: The macro.
        values: Its arguments.
    """
    piece: Markup = getattr(_get_environment().get_template(name).module, macro)(*values)
    return piece


def render_table(
    headings: Sequence[str], rows: Sequence[Sequence[object]], *, caption: str, numbers_from: int = 1
) -> Markup:
    """Return a plain table whose cells are single values; those from column `numbers_from` on are set as numbers."""
    return render_macro("rendering/tables.html", "table_of", headings, rows, caption, numbers_from)


def render_age(at: datetime | None, now: datetime) -> Markup:
    """Return how long ago something was, with the exact time in a tooltip; a dash where the time is not known."""
    if at is None:
        return Markup.escape(NONE)
    moment = add_zone(at)
    return _AGE.format(moment.isoformat(), f"{moment:%Y-%m-%d %H:%M:%S}", write_age(moment, now))


def _show_none(value: object) -> object:
    return NONE if value is None else value


def _write_thousands(number: float) -> str:
    return f"{number:,}"
