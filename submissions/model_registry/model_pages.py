"""Content of a model's page: rows with scores, ties, human baselines, and the best rival of each row."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple

from db.admin_records import PastEvaluation
from db.model_records import ModelRowRecord
from db.records import BoardRow, StandingRecord, UserRecord
from db.repositories import board_rows, boards, evaluations, models
from db.repositories.boards import BoardKey
from db.session import Database, Transaction
from evaluation.benchmarks import Benchmark, Column, all_benchmarks
from evaluation.benchmarks.ability_specs import Ability
from evaluation.benchmarks.error_shares import is_error_share
from submissions.accounts.credentials import Accounts
from submissions.errors import NotFoundError
from submissions.model_registry.directory import ModelDirectory, ModelSummary, merge_facts
from submissions.ranking.best_rows import find_lead, find_people, list_best_systems
from submissions.service import SubmissionService

MAX_ROWS = 60
# The best rows of a board may be this model's own.
_LOOKED_AT = 20


@dataclass(frozen=True, slots=True)
class ModelRowView:
    """A row of a model, as a viewer may see it.

    Attributes:
        benchmark: Benchmark version of the row.
        row: Submission, submitter and evaluation.
        scores: `<slice>|<metric>` → score: default columns, abilities, habits and error types, as far as available.
        n_tied: Number of other rows of the board with the same rank range in the leading score; 0 if the row has no
            leading score.
        people: The same scores of the human baseline of this version.
        people_setting: Setting of the human baseline; None if there is none.
        rival: The best other model's row of the board in the leading score; None if there is none.
    """

    benchmark: Benchmark
    row: BoardRow
    scores: Mapping[str, StandingRecord]
    n_tied: int = 0
    people: Mapping[str, float] | None = None
    people_setting: str | None = None
    rival: BoardRow | None = None

    @property
    def lead(self) -> Column:
        """The row's leading score."""
        return find_lead(self.benchmark, self.scores)


@dataclass(frozen=True, slots=True)
class ModelView:
    """A model with its rows in the order of the benchmarks; `n_rows` also counts rows beyond the limit."""

    summary: ModelSummary
    rows: tuple[ModelRowView, ...]
    n_rows: int


class _BoardContext(NamedTuple):
    """Context of a row on its board: ties, human baseline and best rows."""

    tied: Mapping[tuple[int, int], int]
    people: BoardRow | None
    best: tuple[BoardRow, ...]


def list_abilities(benchmark: Benchmark) -> tuple[Ability, ...]:
    """Return a row's abilities: those the benchmark names, otherwise its parts."""
    parts = {part.id for part in benchmark.parts}
    shown = (column for column in benchmark.columns if column.shown and column.slice in parts)
    return benchmark.abilities or tuple(Ability(column.key, column.title) for column in shown)


class ModelPages:
    """Reads model pages. A row is visible only to those who may see its submission."""

    def __init__(
        self, database: Database, directory: ModelDirectory, accounts: Accounts, service: SubmissionService
    ) -> None:
        self._database = database
        self._directory = directory
        self._accounts = accounts
        self._service = service

    def read(self, public_id: str, viewer: UserRecord | None, cited: str | None = None) -> ModelView:
        """Return a model by its id, or by the id of a model merged into it.

        Args:
            public_id: Id of the model.
            viewer: Current user; None for a visitor.
            cited: A row to include however many others there are.

        Raises:
            NotFoundError: The model does not exist, or the viewer may see none of its rows.
        """
        summary = self._directory.find_summary(public_id, viewer)
        sees_all = self._accounts.is_maintainer(viewer)
        with self._database.read() as transaction:
            found = models.find_model(transaction, public_id)
            if found is None or (summary is None and not sees_all):
                raise NotFoundError("Unknown model, or none of its results is public.")
            rows = models.list_rows(transaction, [found.shown_as], viewer.id if viewer else None, sees_all=sees_all)
            shown = summary or _describe(transaction, found.shown_as, rows)
            ids = {row.submission for row in rows[:MAX_ROWS]} | {cited}
            views = [
                view
                for benchmark in all_benchmarks()
                for view in _read_rows(transaction, benchmark, [row for row in rows if row.submission in ids])
            ]
        return ModelView(shown, tuple(views), len(rows))

    def read_row(self, submission_id: str, viewer: UserRecord | None) -> ModelRowView:
        """Return one row.

        Raises:
            NotFoundError: The row does not exist, or the viewer may not see it.
        """
        submission = self._service.get_visible(submission_id, viewer)
        known = [one for one in all_benchmarks() if (one.id, one.version) == (submission.benchmark, submission.version)]
        with self._database.read() as transaction:
            for benchmark in known if submission.has_scores else ():
                for row in board_rows.read_rows(transaction, [submission.id], _list_keys(benchmark)):
                    return _view(transaction, benchmark, row, partial(_read_context, transaction, benchmark))
        raise NotFoundError("This submission has no visible scores.")

    def list_past(self, submission_id: str, viewer: UserRecord | None) -> tuple[PastEvaluation, ...]:
        """Return the current and past evaluations of a row, newest first.

        Raises:
            NotFoundError: The row does not exist, or the viewer may not see it.
        """
        return self._service.status(submission_id, viewer).past


def _read_rows(transaction: Transaction, benchmark: Benchmark, rows: Iterable[ModelRowRecord]) -> list[ModelRowView]:
    of = (benchmark.id, benchmark.version)
    mine = [row for row in rows if (row.benchmark, row.version) == of]
    order = {setting: at for at, setting in enumerate(benchmark.settings)}
    ids = [row.submission for row in sorted(mine, key=lambda row: order.get(row.setting, len(order)))]
    found = board_rows.read_rows(transaction, ids, _list_keys(benchmark)) if ids else ()
    # Once for each board and score: a model may have many rows on one.
    read_context = cache(partial(_read_context, transaction, benchmark))
    return [_view(transaction, benchmark, row, read_context) for row in found]


def _read_context(transaction: Transaction, benchmark: Benchmark, setting: str, score_key: str) -> _BoardContext:
    key = BoardKey(benchmark.id, benchmark.version, setting)
    return _BoardContext(
        boards.count_tied(transaction, key, score_key),
        find_people(transaction, benchmark, _list_keys(benchmark), setting),
        list_best_systems(transaction, key, score_key, _LOOKED_AT),
    )


def _view(
    transaction: Transaction, benchmark: Benchmark, row: BoardRow, read_context: Callable[[str, str], _BoardContext]
) -> ModelRowView:
    scores = _read_scores(transaction, benchmark, row)
    lead = find_lead(benchmark, scores).key
    context, standing = read_context(row.submission.setting, lead), row.standings.get(lead)
    n_tied = 0
    if standing is not None and standing.rank_low is not None and standing.rank_high is not None:
        n_tied = context.tied.get((standing.rank_low, standing.rank_high), 1) - 1
    rivals = (one for one in context.best if one.model.id != row.model.id)
    people = context.people
    return ModelRowView(
        benchmark=benchmark,
        row=row,
        scores=scores,
        n_tied=n_tied,
        people=_list_values(people) if people else None,
        people_setting=people.submission.setting if people else None,
        rival=next(rivals, None),
    )


def _describe(transaction: Transaction, shown_as: int, rows: Sequence[ModelRowRecord]) -> ModelSummary:
    """Return a model without public rows, for maintainers."""
    shown = models.get_shown(transaction, shown_as)
    aliases = {row.submitted.name for row in rows} - {shown.name}
    return ModelSummary(
        shown.public_id, shown.name, tuple(sorted(aliases)), merge_facts(shown.maintainer_facts, rows), 0
    )


def _list_keys(benchmark: Benchmark) -> list[str]:
    shown = (one for setting in benchmark.settings for one in benchmark.columns_of(setting))
    named = [*(one.key for one in list_abilities(benchmark)), *(one.key for one in benchmark.habits)]
    named += [one.key for one in benchmark.columns if is_error_share(one.metric)]
    return list(dict.fromkeys([benchmark.headline.key, *(one.key for one in shown), *named]))


def _read_scores(transaction: Transaction, benchmark: Benchmark, row: BoardRow) -> dict[str, StandingRecord]:
    """Return a row's scores from its board or, if the board is not computed yet, without intervals and ranks."""
    wanted = _list_keys(benchmark)
    stand = {key: one for key, one in row.standings.items() if one.evaluation_id == row.evaluation.id}
    if stand:
        return {key: one for key, one in stand.items() if one.value is not None}
    names, least = (row.submission.id, row.evaluation.id), benchmark.min_public_items
    return {
        one.key: StandingRecord(*names, one.slice, one.metric, one.value, one.std, one.low, one.high)
        for one in evaluations.list_scores(transaction, row.evaluation.id)
        if one.key in wanted and one.value is not None and one.covers(least)
    }


def _list_values(row: BoardRow) -> dict[str, float]:
    return {name: one.value for name, one in row.standings.items() if one.value is not None}
