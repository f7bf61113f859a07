"""Board queries: validate a request's parameters and turn them into a database query."""

import base64
import binascii
from dataclasses import dataclass
from datetime import UTC, datetime

import orjson

from db.repositories.board_order import References
from db.repositories.boards import Filters, PageQuery
from evaluation.benchmarks import Benchmark, Column
from evaluation.errors import shorten
from leaderboard.boards.board_parameters import FILTERS, MAX_CHARACTERS, BoardRequest, split_range
from leaderboard.http.parameters import parse_limit, parse_order, parse_printable, parse_search, unknown_word
from submissions.errors import BadRequestError
from submissions.ranking.row_sources import SOURCES

TEXT_SORTS = ("model", "date")

_Place = tuple[float | str | datetime | None, str]


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """A validated request.

    Attributes:
        setting: Setting of the board.
        ranked: Column whose ranks are shown.
        columns: Columns to show.
        page: Rows and order.
    """

    setting: str
    ranked: Column
    columns: tuple[Column, ...]
    page: PageQuery


def parse_request(benchmark: Benchmark, request: BoardRequest) -> BoardQuery:
    """Return the query for a request.

    Raises:
        BadRequestError: A value is not allowed; the message lists the allowed ones.
        SettingError: The benchmark has no such setting.
    """
    setting = request.setting or benchmark.settings[0]
    benchmark.check_setting(setting)
    ranked = parse_column(benchmark, request)
    sort = _parse_sort(benchmark, request.sort or ranked.key)
    descending = _parse_order(benchmark, sort, request.order)
    page = PageQuery(
        sort=sort,
        descending=descending,
        sources=_parse_sources(request.source),
        search=parse_search(request.q),
        filters=_parse_filters(request),
        references=_parse_references(request.references),
        limit=parse_limit(request.limit),
        after=decode_cursor(request.cursor, sort, descending) if request.cursor else None,
    )
    return BoardQuery(setting, ranked, _parse_columns(benchmark, request.columns), page)


def parse_column(benchmark: Benchmark, request: BoardRequest) -> Column:
    """Return the column of `slice` and `metric`; each defaults to what fits the other."""
    columns = benchmark.columns
    wanted_slice = request.slice or benchmark.headline_of(request.setting or benchmark.settings[0]).slice
    in_slice = [column for column in columns if column.slice == wanted_slice]
    if not in_slice:
        raise unknown_word("slice", wanted_slice, {column.slice for column in columns}, _where(benchmark))
    if request.metric is None:
        headline = [column for column in in_slice if column.metric == benchmark.headline.metric]
        return (headline or in_slice)[0]
    found = [column for column in in_slice if column.metric == request.metric]
    if not found:
        raise unknown_word("metric", request.metric, {column.metric for column in in_slice}, _where(benchmark))
    return found[0]


def _parse_sort(benchmark: Benchmark, sort: str) -> str:
    allowed = [*TEXT_SORTS, *(column.key for column in benchmark.columns)]
    if sort not in allowed:
        raise unknown_word("sort", sort, allowed, _where(benchmark))
    return sort


def _parse_order(benchmark: Benchmark, sort: str, order: str | None) -> bool:
    """Return whether the order is descending; by default, the best or newest comes first."""
    if sort in TEXT_SORTS:
        return parse_order(order, usually_descending=sort == "date")
    lower_is_better = {metric.id for metric in benchmark.metrics if not metric.higher_is_better}
    return parse_order(order, usually_descending=sort.split("|", 1)[1] not in lower_is_better)


def _parse_sources(text: str | None) -> tuple[str, ...]:
    names = {name.strip() for name in (text or "").split(",")} - {""}
    for name in sorted(names):
        if name not in SOURCES:
            raise unknown_word("source", name, SOURCES)
    return tuple(source for source in SOURCES if source in names)


def _parse_references(text: str | None) -> References:
    if text and text not in ("true", "false"):
        raise unknown_word("references", text, ("true", "false"))
    return "true" if text == "true" else "false"


def _parse_filters(request: BoardRequest) -> Filters:
    return Filters(
        kind=_parse_word("kind", request.kind),
        organisation=_parse_word("organisation", request.organisation),
        open_weights=_parse_weights(request.weights),
        size=_parse_size(request.size),
    )


def _parse_word(name: str, text: str | None) -> str:
    return parse_printable(name, text, MAX_CHARACTERS[name])


def _parse_weights(text: str | None) -> bool | None:
    allowed = FILTERS["weights"].values
    if text and text not in allowed:
        raise unknown_word("weights", text, allowed)
    return text == "open" if text else None


def _parse_size(text: str | None) -> tuple[float, float | None] | None:
    """Return the bounds of a range of sizes."""
    if not text:
        return None
    size = split_range(text)
    if size is None:
        raise BadRequestError(
            "size",
            f"Invalid size `{shorten(text)}`. Send a range of billions of parameters such as `10-40` (at least 10, "
            "less than 40), `-10` or `40-`.",
        )
    return size


def _parse_columns(benchmark: Benchmark, text: str | None) -> tuple[Column, ...]:
    """Return the columns in the benchmark's order, so that equal requests give equal queries."""
    if text is None or text == "all":
        return tuple(benchmark.columns)
    wanted = {key.strip() for key in text.split(",")} - {""}
    known = {column.key for column in benchmark.columns}
    for key in sorted(wanted - known):
        raise unknown_word("columns", key, known, _where(benchmark))
    return tuple(column for column in benchmark.columns if column.key in wanted)


def encode_cursor(sort: str, descending: bool, after: _Place) -> str:
    """Return the cursor of the next page."""
    value, row_id = after
    return base64.urlsafe_b64encode(orjson.dumps([sort, descending, value, row_id])).decode().rstrip("=")


def decode_cursor(cursor: str, sort: str, descending: bool) -> tuple[float | str | None, str]:
    """Decode a cursor.

    Raises:
        BadRequestError: The cursor does not belong to this order.
    """
    try:
        made_for, was_descending, value, row_id = orjson.loads(base64.urlsafe_b64decode(cursor + "=" * 3))
        place = _read_value(sort, value)
    except (ValueError, TypeError, OverflowError, binascii.Error):
        raise _bad_cursor() from None
    if (made_for, was_descending) != (sort, descending) or not _is_plain(row_id):
        raise _bad_cursor()
    return place, str(row_id)


def _read_value(sort: str, value: object) -> float | str | None:
    if value is None and sort not in TEXT_SORTS:
        return None
    if sort == "date":
        # Times are compared with times, which the type of a cursor does not ensure. A time needs its zone.
        return datetime.fromisoformat(str(value)).astimezone(UTC)  # type: ignore[return-value]
    if sort == "model" and _is_plain(value):
        return str(value)
    if sort not in TEXT_SORTS and isinstance(value, int | float):
        return float(value)
    raise TypeError("The value does not match the type of this sort column.")


def _is_plain(value: object) -> bool:
    """Tell whether a database accepts a text: PostgreSQL refuses NUL, which never occurs in ours."""
    return isinstance(value, str) and value.isprintable()


def _bad_cursor() -> BadRequestError:
    return BadRequestError(
        "cursor",
        "Invalid cursor for this sort order. Send next_cursor of the previous page, with the same sort and order.",
    )


def _where(benchmark: Benchmark) -> str:
    """Return where all slices, metrics and columns of a benchmark are listed."""
    return f"/api/v1/benchmarks/{benchmark.id}"
