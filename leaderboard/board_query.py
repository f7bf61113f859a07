"""What can be asked of a board: words of a request → a query that the database understands, or a refusal."""

import base64
import binascii
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import orjson

from db.repositories.boards import PageQuery
from evaluation.benchmarks import Benchmark, Column
from evaluation.errors import shorten, suggest
from submissions.errors import BadRequestError

SOURCES = ("verified", "submitted", "reported", "human", "random")
TEXT_SORTS = ("model", "date")
MAX_LIMIT = 500
MAX_SEARCH_CHARACTERS = 100
_NAMED_AT_MOST = 20

_Place = tuple[float | str | datetime | None, str]


@dataclass(frozen=True, slots=True)
class BoardRequest:
    """The words of a request, as they came; None where nothing was said."""

    version: str | None = None
    slice: str | None = None
    metric: str | None = None
    setting: str | None = None
    source: str | None = None
    q: str | None = None
    sort: str | None = None
    order: str | None = None
    limit: int = 50
    cursor: str | None = None
    columns: str | None = None


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """A request that was understood.

    Attributes:
        setting: Which board of the benchmark.
        ranked: The column whose ranks are shown.
        columns: The columns whose figures are shown.
        page: Rows and order.
    """

    setting: str
    ranked: Column
    columns: tuple[Column, ...]
    page: PageQuery


def parse_request(benchmark: Benchmark, request: BoardRequest) -> BoardQuery:
    """Return what is asked for.

    Raises:
        BadRequestError: A word is not one of those that are allowed; the message names them.
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
        search=_parse_search(request.q),
        limit=_parse_limit(request.limit),
        after=decode_cursor(request.cursor, sort, descending) if request.cursor else None,
    )
    return BoardQuery(setting, ranked, _parse_columns(benchmark, request.columns), page)


def parse_column(benchmark: Benchmark, request: BoardRequest) -> Column:
    """Return the column of `slice` and `metric`; each falls back to what goes with the other."""
    columns = benchmark.columns
    wanted_slice = request.slice or benchmark.headline.slice
    in_slice = [column for column in columns if column.slice == wanted_slice]
    if not in_slice:
        raise _unknown("slice", wanted_slice, {column.slice for column in columns}, benchmark)
    if request.metric is None:
        headline = [column for column in in_slice if column.metric == benchmark.headline.metric]
        return (headline or in_slice)[0]
    found = [column for column in in_slice if column.metric == request.metric]
    if not found:
        raise _unknown("metric", request.metric, {column.metric for column in in_slice}, benchmark)
    return found[0]


def _parse_sort(benchmark: Benchmark, sort: str) -> str:
    allowed = [*TEXT_SORTS, *(column.key for column in benchmark.columns)]
    if sort not in allowed:
        raise _unknown("sort", sort, allowed, benchmark)
    return sort


def _parse_order(benchmark: Benchmark, sort: str, order: str | None) -> bool:
    """Return whether the largest comes first; unless asked otherwise the best does, and the newest."""
    if order is not None:
        if order not in ("asc", "desc"):
            raise BadRequestError("order", f"order is `{shorten(order)}`; allowed are asc and desc.")
        return order == "desc"
    if sort in TEXT_SORTS:
        return sort == "date"
    metric = sort.split("|", 1)[1]
    return metric not in {known.id for known in benchmark.metrics if not known.higher_is_better}


def _parse_sources(text: str | None) -> tuple[str, ...]:
    names = {name.strip() for name in (text or "").split(",")} - {""}
    for name in sorted(names):
        if name not in SOURCES:
            raise _unknown("source", name, SOURCES)
    return tuple(source for source in SOURCES if source in names)


def _parse_search(text: str | None) -> str:
    search = (text or "").strip()
    if len(search) > MAX_SEARCH_CHARACTERS or not (search.isprintable() or not search):
        raise BadRequestError("q", f"q has at most {MAX_SEARCH_CHARACTERS} printable characters.")
    return search


def _parse_limit(limit: int) -> int:
    if not 1 <= limit <= MAX_LIMIT:
        raise BadRequestError("limit", f"limit is {limit}; allowed is 1 to {MAX_LIMIT}.")
    return limit


def _parse_columns(benchmark: Benchmark, text: str | None) -> tuple[Column, ...]:
    """Return the columns in the benchmark's order, so that equal wishes are equal queries."""
    if text is None or text == "all":
        return tuple(benchmark.columns)
    wanted = {key.strip() for key in text.split(",")} - {""}
    known = {column.key for column in benchmark.columns}
    for key in sorted(wanted - known):
        raise _unknown("columns", key, known, benchmark)
    return tuple(column for column in benchmark.columns if column.key in wanted)


def encode_cursor(sort: str, descending: bool, after: _Place) -> str:
    """Return the place after which the next page begins, as text for a URL."""
    value, row_id = after
    return base64.urlsafe_b64encode(orjson.dumps([sort, descending, value, row_id])).decode().rstrip("=")


def decode_cursor(cursor: str, sort: str, descending: bool) -> tuple[float | str | None, str]:
    """Return the place that a cursor names.

    Raises:
        BadRequestError: It is not a cursor of this order.
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
    if value is None:
        return None
    if sort == "date":
        # The database compares times with times; its type for a place does not say so. A time needs its zone.
        return datetime.fromisoformat(str(value)).astimezone(UTC)  # type: ignore[return-value]
    if sort == "model" and _is_plain(value):
        return str(value)
    if sort not in TEXT_SORTS and isinstance(value, int | float):
        return float(value)
    raise TypeError("The value is not of the kind that this order has.")


def _is_plain(value: object) -> bool:
    """Tell whether a value is a text that a database takes: PostgreSQL refuses NUL, and nothing of ours has it."""
    return isinstance(value, str) and value.isprintable()


def _bad_cursor() -> BadRequestError:
    return BadRequestError(
        "cursor",
        "The cursor is not one of this order. Send next_cursor of the page before, with the same sort and order.",
    )


def _unknown(field: str, got: str, allowed: Iterable[str], benchmark: Benchmark | None = None) -> BadRequestError:
    names: Sequence[str] = sorted(allowed)
    more = f" and {len(names) - _NAMED_AT_MOST} more" if len(names) > _NAMED_AT_MOST else ""
    where = f" All of them: /api/v1/benchmarks/{benchmark.id}." if benchmark and more else ""
    return BadRequestError(
        field,
        f"{field} is `{shorten(got)}`, which does not exist here.{suggest(got[:100], names)} "
        f"Allowed: {', '.join(names[:_NAMED_AT_MOST])}{more}.{where}",
    )
