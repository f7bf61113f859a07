"""Pages of a board as JSON bytes, computed from standings and cached by the board's revision."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import orjson

from db.model_records import ModelIdentity
from db.records import BoardRecord, BoardRow, EvaluationRecord, ModelRecord, NewModel, StandingRecord
from db.repositories import boards, catalogue
from db.repositories.boards import BoardKey, BoardTag, Page, PageQuery
from db.session import Database, Transaction
from evaluation.benchmarks import Benchmark, Column
from evaluation.signature import CODE_VERSION
from leaderboard.boards.board_query import BoardQuery, encode_cursor
from leaderboard.boards.offered_columns import OfferedColumns, OfferedColumnsCache
from leaderboard.boards.provenance.dates import describe_dates
from leaderboard.boards.provenance.papers import describe_printed
from leaderboard.http.caching.etags import matches
from leaderboard.http.caching.page_cache import PageCache
from submissions.errors import BadRequestError, NotFoundError
from submissions.ranking.detectable_difference import find_detectable_column, list_possible_columns
from submissions.ranking.row_sources import RANKED_SOURCES

_NO_CONTENT = "unregistered"
# Each takes a kilobyte of memory while a file is written.
MAX_SCORES = 500_000
_TOO_MANY_FIGURES = (
    f"The export would have more than {MAX_SCORES:,} scores. Choose fewer `columns`, or filter the rows."
)
# More would be no menu but a list; the search finds the others.
_MAX_OFFERED = 200


class BoardPage(NamedTuple):
    """A page and its entity tag; without a body if the client has this page."""

    etag: str
    body: bytes | None


class WholeBoard(NamedTuple):
    """Rows in the API's form, and their revision, if there is one yet."""

    rows: list[dict[str, Any]]
    board: BoardRecord | None


class BoardPages:
    """Reads pages of boards."""

    def __init__(self, database: Database, cache: PageCache | None = None) -> None:
        self._database = database
        self._cache = cache or PageCache()
        # (benchmark, version, content digest) → parts, which stay the same as long as the content does.
        self._parts: dict[tuple[str, str, str | None], frozenset[str]] = {}
        self._offered = OfferedColumnsCache()

    def find_page(self, benchmark: Benchmark, query: BoardQuery, if_none_match: str | None = None) -> BoardPage | None:
        """Return the current page of a board if it is cached or the client has it.

        Args:
            benchmark: Benchmark version of the board.
            query: Rows, columns and order.
            if_none_match: Entity tags in the request's header.
        """
        etag = self.find_etag(benchmark, query.setting)
        if matches(if_none_match, etag):
            return BoardPage(etag, None)
        body = self.find_kept(benchmark, query, etag)
        return BoardPage(etag, body) if body is not None else None

    def build_page(self, benchmark: Benchmark, query: BoardQuery) -> BoardPage:
        """Return the current page of a board; build it unless another request did meanwhile."""
        key = BoardKey(benchmark.id, benchmark.version, query.setting)
        # One transaction: revision and rows are of the same moment.
        with self._database.read() as transaction:
            tag = boards.find_tag(transaction, key)
            offered = self._offered.find_of_board(transaction, benchmark, query.setting, tag)
            etag = make_etag(tag, offered)
            body = self.find_kept(benchmark, query, etag)
            if body is None:
                offered_query = _drop_other_columns(benchmark, query, offered)
                body = self._build(transaction, benchmark, offered_query, tag.content_digest)
                # Not cached: visitors choose the text of a search, so there is no end of them.
                if not query.page.has_free_words:
                    self._cache.store_page(_cache_key(benchmark, key, etag, query), body)
        return BoardPage(etag, body)

    def find_etag(self, benchmark: Benchmark, setting: str) -> str:
        """Return the current entity tag of a board."""
        with self._database.read() as transaction:
            return self._find_etag(transaction, benchmark, setting)

    def _find_etag(self, transaction: Transaction, benchmark: Benchmark, setting: str) -> str:
        tag = boards.find_tag(transaction, BoardKey(benchmark.id, benchmark.version, setting))
        return make_etag(tag, self._offered.find_of_board(transaction, benchmark, setting, tag))

    def find_kept(self, benchmark: Benchmark, query: BoardQuery, etag: str) -> bytes | None:
        """Return the cached page with an entity tag, or None."""
        key = BoardKey(benchmark.id, benchmark.version, query.setting)
        return self._cache.find_page(_cache_key(benchmark, key, etag, query))

    def read_offered(self, benchmark: Benchmark, setting: str, if_none_match: str | None = None) -> BoardPage:
        """Return the values that filter a board: kinds and organisations of its rows, the most frequent first."""
        key = BoardKey(benchmark.id, benchmark.version, setting)
        with self._database.read() as transaction:
            etag = self._find_etag(transaction, benchmark, setting)
            if matches(if_none_match, etag):
                return BoardPage(etag, None)
            body = self._cache.find_page((key, etag))
            if body is None:
                shown = boards.count_shown_facts(transaction, key, RANKED_SOURCES)
                found = {"kinds": list_offered((kind, n) for kind, _, n in shown)}
                found["organisations"] = list_offered((organisation, n) for _, organisation, n in shown)
                names = {"benchmark": benchmark.id, "version": benchmark.version, "setting": setting}
                body = orjson.dumps(names | found)
                self._cache.store_page((key, etag), body)
        return BoardPage(etag, body)

    def read_all(self, benchmark: Benchmark, query: BoardQuery, submission_id: str | None = None) -> WholeBoard:
        """Return all rows of a query from its cursor on, page by page in one transaction.

        Args:
            benchmark: Benchmark version of the board.
            query: Rows, columns and order.
            submission_id: The only row to return; the query then selects only columns.

        Raises:
            NotFoundError: The board has no such row.
            BadRequestError: The file would contain too many scores.
        """
        key = BoardKey(benchmark.id, benchmark.version, query.setting)
        keys = [column.key for column in query.columns]
        with self._database.read() as transaction:
            rows = _read_all(transaction, key, query, submission_id)
            described = [describe_row(row, query.ranked.key, keys) for row in rows]
            return WholeBoard(described, boards.find_board(transaction, key))

    def list_offered_columns(self, benchmark: Benchmark) -> tuple[Column, ...]:
        """Return the columns that a version's boards offer; cached until one of them changes."""
        with self._database.read() as transaction:
            return self._offered.find_columns(transaction, benchmark, benchmark.settings).columns

    def offer_columns(self, benchmark: Benchmark, query: BoardQuery) -> BoardQuery:
        """Return a query for all columns without the columns that its board does not offer."""
        with self._database.read() as transaction:
            offered = self._offered.find_columns(transaction, benchmark, [query.setting])
        return _drop_other_columns(benchmark, query, offered)

    def _build(self, transaction: Transaction, benchmark: Benchmark, query: BoardQuery, digest: str | None) -> bytes:
        key = BoardKey(benchmark.id, benchmark.version, query.setting)
        board = boards.find_board(transaction, key)
        keys = [column.key for column in query.columns]
        page = boards.read_page(transaction, key, query.page, [query.ranked.key, *keys])
        body = {
            "benchmark": benchmark.id,
            "revision": board.revision if board else 0,
            "metric": query.ranked.key,
            "columns": describe_columns(benchmark, query.columns),
            "rows": [describe_row(row, query.ranked.key, keys) for row in page.rows],
            "next_cursor": _next_cursor(query, page),
            "detectable": board.detectable if board else None,
            "detectable_figure": None,
            "opening": self._find_opening(transaction, benchmark, key, digest).key,
        }
        if board is not None and board.detectable is not None:
            held = self._list_parts(transaction, benchmark, digest)
            column = find_detectable_column(benchmark, key.setting, held)
            body["detectable_figure"] = column.key if column is not None else None
        return orjson.dumps(body)

    def _find_opening(
        self, transaction: Transaction, benchmark: Benchmark, key: BoardKey, digest: str | None
    ) -> Column:
        """Return the column that the page sorts by initially.

        It is the headline or, if no row scored here can have it, the first column in which such rows have ranks.
        """
        usual = benchmark.headline_of(key.setting)
        possible = list(list_possible_columns(benchmark, key.setting, self._list_parts(transaction, benchmark, digest)))
        if usual in possible:
            return usual
        return next((column for column in possible if boards.has_evaluated(transaction, key, column.key)), usual)

    def _list_parts(self, transaction: Transaction, benchmark: Benchmark, digest: str | None) -> frozenset[str]:
        content = (benchmark.id, benchmark.version, digest)
        if content not in self._parts:
            self._parts[content] = catalogue.list_parts(transaction, benchmark.id, benchmark.version)
        return self._parts[content]


def list_offered(facts: Iterable[tuple[str | None, int]]) -> list[dict[str, Any]]:
    """Return metadata values with their numbers of rows, the most frequent first; case is ignored.

    >>> list_offered([("LALM", 2), ("lalm", 3), (None, 9), ("OLM", 1)])
    [{'value': 'lalm', 'rows': 5}, {'value': 'OLM', 'rows': 1}]
    """
    spelt: dict[str, Counter[str]] = {}
    for fact, n_rows in facts:
        if fact:
            spelt.setdefault(fact.lower(), Counter())[fact] += n_rows
    found = [(-one.total(), min(one, key=lambda name: (-one[name], name))) for one in spelt.values()]
    return [{"value": name, "rows": -below} for below, name in sorted(found)[:_MAX_OFFERED]]


def make_etag(tag: BoardTag, offered: OfferedColumns) -> str:
    """Return the entity tag of everything a board shows.

    The digest of the offered columns is part of it because the chance row of another setting decides them, too.

    `changes` complements the revision, because a withdrawn or hidden row disappears immediately, before an evaluator
    computes the next revision; so does `relabelled`, because models may be renamed while all scores stay; and the code
    version, because another release may encode the same content differently.
    """
    content = tag.content_digest[:8] if tag.content_digest is not None else _NO_CONTENT
    return f'"{content}-{CODE_VERSION}-{tag.revision}-{tag.changes}-{tag.relabelled}-{offered.digest}"'


def describe_columns(benchmark: Benchmark, columns: Iterable[Column]) -> list[dict[str, Any]]:
    """Return columns in the API's form."""
    metrics = {metric.id: metric for metric in benchmark.metrics}
    chance = benchmark.chance
    return [
        {
            "key": column.key,
            "slice": column.slice,
            "metric": column.metric,
            "title": column.title,
            "group": column.group,
            "definition": benchmark.define(column),
            "higher_is_better": metrics[column.metric].higher_is_better,
            "ranked": metrics[column.metric].ranked,
            "judged": metrics[column.metric].judged,
            "shown": column.shown,
            "chance": chance.get(column.key),
        }
        for column in columns
    ]


def describe_model(model: ModelRecord) -> dict[str, Any]:
    """Return a model in the API's form; `url` is the first of its links."""
    return {"id": model.public_id, **describe_fields(model), "links": model.all_links}


def describe_fields(model: ModelRecord | NewModel) -> dict[str, Any]:
    """Return model metadata from a submission's form, in the API's form."""
    return {
        "name": model.name,
        "organisation": model.organisation,
        "kind": model.kind,
        "size_billions": model.size_billions,
        "open_weights": model.open_weights,
        "url": model.url,
    }


def describe_sent_model(sent: ModelRecord, shown_as: ModelIdentity | None) -> dict[str, Any]:
    """Return a model as described by a submission, under its name on boards."""
    named = {"id": shown_as.public_id, "name": shown_as.name} if shown_as else {}
    return describe_model(sent) | named | {"sent_as": sent.name}


def describe_row(row: BoardRow, ranked_key: str, keys: Iterable[str]) -> dict[str, Any]:
    """Return a row in the API's form.

    Args:
        row: The row.
        ranked_key: The score that the row is ranked by.
        keys: The scores to show.
    """
    submission, evaluation = row.submission, row.evaluation
    ranked = row.standings.get(ranked_key)
    return {
        "rank": ranked.rank if ranked else None,
        "rank_low": ranked.rank_low if ranked else None,
        "rank_high": ranked.rank_high if ranked else None,
        "model": describe_model(row.model) | {"sent_as": submission.model.name},
        "source": submission.source,
        "reference": submission.is_reference,
        "setting": submission.setting,
        "scores": _scores(row.standings, keys),
        "ranks": {key: row.standings[key].rank for key in keys if key in row.standings},
        "parts": evaluation.parts,
        "runs": evaluation.runs,
        "missing": find_rate(evaluation, evaluation.missing),
        "unreadable": find_rate(evaluation, evaluation.unreadable),
        "open_pending": submission.is_open_pending,
        "signature": evaluation.signature,
        "submission": submission.id,
        **describe_dates(submission),
        "paper": describe_printed(submission.printed_in),
        "notes": evaluation.notes,
        "score_notes": row.score_notes,
    }


def find_rate(evaluation: EvaluationRecord, count: int | None) -> float | None:
    """Return a count as a share of the expected number; None for reported scores, whose numbers are unknown."""
    return count / evaluation.expected if count is not None and evaluation.expected else None


def _scores(standings: Mapping[str, StandingRecord], keys: Iterable[str]) -> dict[str, dict[str, float | None]]:
    found = ((key, standings[key]) for key in keys if key in standings)
    return {key: {"value": s.value, "low": s.low, "high": s.high, "std": s.std} for key, s in found}


def _read_all(transaction: Transaction, key: BoardKey, query: BoardQuery, submission_id: str | None) -> list[BoardRow]:
    score_keys = [query.ranked.key, *(column.key for column in query.columns)]
    if submission_id is not None:
        row = boards.find_row(transaction, key, submission_id, score_keys)
        if row is None:
            raise NotFoundError(
                "This board has no such row, or the row is private. Take `submission` from one of its rows."
            )
        return [row]
    rows: list[BoardRow] = []
    page_query: PageQuery | None = query.page
    while page_query is not None:
        page = boards.read_page(transaction, key, page_query, score_keys)
        rows += page.rows
        if len(rows) * len(score_keys) > MAX_SCORES:
            raise BadRequestError("columns", _TOO_MANY_FIGURES)
        page_query = replace(page_query, after=page.after) if page.after is not None else None
    return rows


def _drop_other_columns(benchmark: Benchmark, query: BoardQuery, offered: OfferedColumns) -> BoardQuery:
    """Return a query for all columns with the offered columns only.

    A query that names columns keeps them, except those that need a value and have none: pages ask for them by default.
    """
    if len(query.columns) == len(benchmark.columns):
        return replace(query, columns=offered.columns)
    held = frozenset(offered.columns)
    return replace(query, columns=tuple(one for one in query.columns if not one.needs_value or one in held))


def _cache_key(benchmark: Benchmark, key: BoardKey, etag: str, query: BoardQuery) -> object:
    # Most requests want all columns, and hashing a hundred names for each would cost more than the page.
    every = len(query.columns) == len(benchmark.columns)
    names = None if every else tuple(column.key for column in query.columns)
    return key, etag, query.ranked.key, query.page, names


def _next_cursor(query: BoardQuery, page: Page) -> str | None:
    return encode_cursor(query.page.sort, query.page.descending, page.after) if page.after is not None else None
