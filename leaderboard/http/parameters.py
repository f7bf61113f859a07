"""Query parameters that all routes share: validation and error messages."""

from collections.abc import Collection, Iterable, Sequence

from evaluation.errors import shorten, suggest
from submissions.errors import BadRequestError

MAX_LIMIT = 500
MAX_SEARCH_CHARACTERS = 100
_NAMED_AT_MOST = 20


def refuse_unknown_words(got: Iterable[str], known: Collection[str]) -> None:
    """Raise `BadRequestError` for the first unknown query parameter; most are typos."""
    for name in got:
        if name not in known:
            meant = suggest(name[:40], known)
            raise BadRequestError(name[:40], f"Unknown parameter `{name[:40]}`.{meant} Known: {', '.join(known)}.")


def parse_order(order: str | None, *, usually_descending: bool) -> bool:
    """Return whether the order is descending."""
    if order is None:
        return usually_descending
    if order not in ("asc", "desc"):
        raise BadRequestError("order", f"Unknown order `{shorten(order)}`. Send asc or desc.")
    return order == "desc"


def parse_search(text: str | None) -> str:
    """Return the text to search for; empty if there is none."""
    return parse_printable("q", text, MAX_SEARCH_CHARACTERS)


def parse_printable(field: str, text: str | None, most: int) -> str:
    """Return a printable text without surrounding spaces; it may be empty."""
    words = (text or "").strip()
    if len(words) > most or not (words.isprintable() or not words):
        raise BadRequestError(field, f"{field} must have at most {most} printable characters.")
    return words


def parse_limit(limit: int) -> int:
    """Return a number of rows."""
    if not 1 <= limit <= MAX_LIMIT:
        raise BadRequestError("limit", f"limit is {limit}. Send a number from 1 to {MAX_LIMIT}.")
    return limit


def unknown_word(field: str, got: str, allowed: Iterable[str], all_of_them: str = "") -> BadRequestError:
    """Return the error for a value that is not allowed.

    Args:
        field: Name of the parameter.
        got: The value.
        allowed: Allowed values; the message names some of them if there are many.
        all_of_them: Where all allowed values are listed.
    """
    names: Sequence[str] = sorted(allowed)
    more = f" and {len(names) - _NAMED_AT_MOST} more" if len(names) > _NAMED_AT_MOST else ""
    where = f" All values: {all_of_them}." if all_of_them and more else ""
    return BadRequestError(
        field,
        f"Unknown {field} `{shorten(got)}`.{suggest(got[:100], names)} Allowed: "
        f"{', '.join(names[:_NAMED_AT_MOST])}{more}.{where}",
    )
