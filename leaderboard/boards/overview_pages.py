"""Overview as JSON bytes, computed from headline scores and cached by the state of all boards."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson

from db.records import BenchmarkRecord, BoardRow
from db.repositories import board_rows, boards, catalogue, overview
from db.repositories.board_totals import BoardCounts, count_public
from db.repositories.boards import BoardKey
from db.repositories.overview import BoardState
from db.session import Database, Transaction
from evaluation.benchmarks import Benchmark, Column
from evaluation.signature import CODE_VERSION
from leaderboard.boards.board_pages import BoardPage
from leaderboard.boards.overview_summaries import BenchmarkStandings, describe_summary
from leaderboard.boards.overview_view import (
    HeadlineScale,
    describe_newest,
    describe_rows,
    describe_scale,
    list_headlines,
    scale_columns,
)
from leaderboard.http.caching.etags import matches
from leaderboard.http.caching.page_cache import PageCache
from leaderboard.http.parameters import parse_limit, parse_order, parse_search, unknown_word
from submissions.ranking.best_rows import find_people, list_best_systems
from submissions.ranking.row_sources import EVALUATED_SOURCES, RANKED_SOURCES

FIRST_ROWS = 100
_N_SYSTEMS = 5
_N_NEWEST = 10
_CACHE_BYTES = 8_000_000


@dataclass(frozen=True, slots=True)
class OverviewQuery:
    """Selection and order of models.

    Attributes:
        sort: Benchmark id, `model`, or None for the number of boards.
        descending: Largest first.
        search: Part of a name.
        limit: Number of models.
    """

    sort: str | None = None
    descending: bool = True
    search: str = ""
    limit: int = FIRST_ROWS


_Known = tuple[Sequence[BoardState], Sequence[BenchmarkRecord]]


class _Head(NamedTuple):
    """The part that does not depend on the query."""

    counts: BoardCounts
    benchmarks: list[dict[str, Any]]
    scales: list[dict[str, Any]]
    newest: list[dict[str, Any]]
    humans: dict[tuple[str, str], float | None]


class OverviewPages:
    """Reads the Overview."""

    def __init__(self, database: Database, versions: Sequence[Benchmark]) -> None:
        """Take the database, and every version of every benchmark, the current version of each first."""
        self._database = database
        self._versions = versions
        self._headlines = list_headlines(versions)
        self._cache = PageCache(_CACHE_BYTES)
        self._head: tuple[str, _Head] | None = None

    def find_page(self, query: OverviewQuery, if_none_match: str | None = None) -> BoardPage | None:
        """Return the current Overview if it is cached or the client has it.

        Args:
            query: Selection of models.
            if_none_match: Entity tags in the request's header.
        """
        etag = self.find_etag()
        if matches(if_none_match, etag):
            return BoardPage(etag, None)
        body = self.find_kept(query, etag)
        return BoardPage(etag, body) if body is not None else None

    def build_page(self, query: OverviewQuery) -> BoardPage:
        """Return the current Overview; build it unless another request did meanwhile."""
        with self._database.read() as transaction:
            states, registered = overview.list_states(transaction), catalogue.list_registered(transaction)
            etag = make_etag(states, registered)
            body = self.find_kept(query, etag)
            if body is None:
                body = self._build(transaction, query, etag, (states, registered))
                # Not cached: visitors choose the text of a search, so there is no end of them.
                if not query.search:
                    self._cache.store_page((etag, query), body)
        return BoardPage(etag, body)

    def find_etag(self) -> str:
        """Return the current entity tag of the Overview."""
        with self._database.read() as transaction:
            return make_etag(overview.list_states(transaction), catalogue.list_registered(transaction))

    def find_kept(self, query: OverviewQuery, etag: str) -> bytes | None:
        """Return the cached Overview with an entity tag, or None."""
        return self._cache.find_page((etag, query))

    def _build(self, transaction: Transaction, query: OverviewQuery, etag: str, known: _Known) -> bytes:
        head = self._find_head(transaction, etag, known)
        models = overview.find_models(
            transaction,
            self._headlines,
            RANKED_SOURCES,
            sort=query.sort,
            descending=query.descending,
            search=query.search,
            limit=query.limit + 1,
        )
        shown = models[: query.limit]
        best = overview.list_best(transaction, self._headlines, RANKED_SOURCES, [model.id for model in shown])
        body = {
            "models": head.counts.models,
            "submissions": head.counts.submissions,
            "benchmarks": head.benchmarks,
            "rows": describe_rows(shown, best, self._versions, head.humans),
            "more": len(models) > query.limit,
            "scales": head.scales,
            "newest": head.newest,
        }
        return orjson.dumps(body)

    def _find_head(self, transaction: Transaction, etag: str, known: _Known) -> _Head:
        if self._head is None or self._head[0] != etag:
            self._head = etag, self._read_head(transaction, *known)
        return self._head[1]

    def _read_head(
        self, transaction: Transaction, states: Sequence[BoardState], records: Sequence[BenchmarkRecord]
    ) -> _Head:
        scales = {(one.id, one.version): _read_scales(transaction, one) for one in self._versions}
        chosen: dict[str, tuple[list[HeadlineScale], bool]] = {}
        for one, headline in zip(self._versions, self._headlines, strict=True):
            found = scales[one.id, one.version]
            # The current version represents its benchmark, unless it has no rows and another version does.
            if one.id not in chosen or (found[0].systems and not chosen[one.id][0][0].systems):
                chosen[one.id] = found, headline.counts
        keys = [BoardKey(state.benchmark, state.version, state.setting) for state in states]
        ids = overview.list_newest(transaction, keys, EVALUATED_SOURCES, _N_NEWEST)
        score_keys = {column.key for one in self._versions for column in one.columns if column.shown}
        newest = describe_newest(board_rows.read_shown_rows(transaction, ids, sorted(score_keys)), self._versions)
        registered = {(record.id, record.version): record for record in records}
        standings = (
            BenchmarkStandings(found[0], counts, *_list_evaluated(transaction, found[0]))
            for found, counts in chosen.values()
        )
        return _Head(
            count_public(transaction, RANKED_SOURCES, EVALUATED_SOURCES),
            [describe_summary(standing, registered, self._versions) for standing in standings],
            [describe_scale(scale) for found, _ in chosen.values() for scale in found],
            list(newest),
            {name: found[0].human for name, found in scales.items()},
        )


def _read_scales(transaction: Transaction, benchmark: Benchmark) -> list[HeadlineScale]:
    board = BoardKey(benchmark.id, benchmark.version, benchmark.settings[0])
    columns = scale_columns(benchmark)
    people = find_people(transaction, benchmark, [column.key for column in columns])
    reached = people.standings if people else {}
    return [
        HeadlineScale(
            benchmark,
            column,
            reached[column.key].value if column.key in reached else None,
            list_best_systems(transaction, board, column.key, _N_SYSTEMS),
        )
        for column in columns
    ]


def _list_evaluated(transaction: Transaction, scale: HeadlineScale) -> tuple[tuple[BoardRow, ...], Column]:
    """Return the best row whose answers were scored here, and the column it is the best in; None if there is none.

    The column is the headline or, if no such row has it, the first default column that one has.
    """
    benchmark = scale.benchmark
    board = BoardKey(benchmark.id, benchmark.version, benchmark.settings[0])
    for column in (scale.column, *(column for column in benchmark.columns if column.shown)):
        rows = boards.list_best(transaction, board, column.key, EVALUATED_SOURCES, 1)
        if rows:
            return rows, column
    return (), scale.column


def make_etag(states: Sequence[BoardState], registered: Sequence[BenchmarkRecord] = ()) -> str:
    """Return the entity tag of the overview: it changes with every board, installed questions, and a release."""
    known = list(map(tuple, states)), [(one.id, one.version, one.content_digest, one.n_items) for one in registered]
    digest = hashlib.sha256(repr((CODE_VERSION, *known)).encode()).hexdigest()
    return f'"{digest[:32]}"'


def parse_query(
    sort: str | None, order: str | None, search: str | None, limit: int, ids: Sequence[str]
) -> OverviewQuery:
    """Return the query for a request.

    Args:
        sort: As in the request; None for the default order.
        order: As in the request.
        search: As in the request.
        limit: As in the request.
        ids: Ids of the benchmarks.

    Raises:
        BadRequestError: A value is not allowed; the message lists the allowed ones.
    """
    allowed = ("model", *ids)
    if sort is not None and sort not in allowed:
        raise unknown_word("sort", sort, allowed)
    descending = parse_order(order, usually_descending=sort != "model")
    return OverviewQuery(sort, descending, parse_search(search), parse_limit(limit))
