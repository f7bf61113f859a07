"""The systems of a board that answered the same questions: their item scores, and how columns follow from these.

What depends on the questions is derived once: while an edition is resampled, its key, clusters, formulas and item
scores are here, and afterwards they are freed. If the columns of a board need several batches, what the later ones need
is kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from db.records import StandingRecord
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, Column
from evaluation.statistics import ScoreFormula, list_item_means
from submissions.ranking.board_outcomes import EditionOutcomes

_TABLE_BYTES = 200_000_000

Table = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ColumnRows:
    """The rows of a column and an edition that have outcomes.

    Attributes:
        standings: Their standings.
        systems: Index of each row among the systems of the edition.
        ranked: Which of them have a rank; the others, such as random baselines, have only an interval.
    """

    standings: Sequence[StandingRecord]
    systems: NDArray[np.intp]
    ranked: NDArray[np.bool_]

    def select_rows(self, indices: Sequence[int] | NDArray[np.intp], *, ranked: bool) -> "ColumnRows":
        """Return some of the rows, all with a rank or all without one."""
        standings = [self.standings[index] for index in indices]
        return ColumnRows(standings, self.systems[indices], np.full(len(standings), ranked))


_Formulas = Sequence[tuple[ScoreFormula, ColumnRows]]


class EditionSystems:
    """The systems of a board that answered the same questions, with their item scores."""

    def __init__(self, benchmark: Benchmark, group: EditionOutcomes, names: Mapping[int, str]) -> None:
        """Take the outcomes, and the models' names by evaluation; nothing is derived before it is needed."""
        self._benchmark = benchmark
        self._group = group
        self._names = names
        self._evaluations = {evaluation_id: system for system, evaluation_id in enumerate(sorted(group.outcomes))}
        self._outcomes = [group.outcomes[evaluation_id] for evaluation_id in self._evaluations]
        self._key: AnswerKey | None = None
        self._clusters: NDArray[np.int64] | None = None
        self._formulas: dict[str, _Formulas] = {}
        self._tables: dict[str, Table] = {}

    @property
    def seed(self) -> str:
        """Seed of the questions' key."""
        return self._group.seed

    @property
    def edition(self) -> str:
        """ID of the edition; empty for the shared test split."""
        return self._group.edition

    @property
    def key(self) -> AnswerKey:
        """Key of the questions."""
        if self._key is None:
            self._key = self._group.make_key()
        return self._key

    @property
    def clusters(self) -> NDArray[np.int64]:
        """Cluster number of each item."""
        if self._clusters is None:
            self._clusters = self._benchmark.cluster_items(self.key)
        return self._clusters

    def lay_out(self, group: Sequence[StandingRecord]) -> ColumnRows:
        """Return standings of these systems as rows of a column."""
        systems = np.array([self._evaluations[standing.evaluation_id] for standing in group])
        return ColumnRows(group, systems, np.array([standing.rank is not None for standing in group]))

    def list_formulas(self, column: Column, rows: ColumnRows) -> _Formulas:
        """Return how the scores of a column follow from items: in one way for all rows, or separately for each model.

        Accuracy on a model's own traces, for example, covers other items for every model, so its rows have intervals
        and no rank ranges. The result is kept until the column is forgotten.
        """
        found = self._formulas.get(column.key)
        if found is None:
            found = self._formulas[column.key] = self._find_formulas(column, rows)
        return found

    def _find_formulas(self, column: Column, rows: ColumnRows) -> _Formulas:
        formula = self.find_formula(column)
        if formula is not None:
            return [(formula, rows)]
        by_model: dict[str, list[int]] = {}
        for index, standing in enumerate(rows.standings):
            if name := self._names.get(standing.evaluation_id):
                by_model.setdefault(name, []).append(index)
        found = []
        for name, indices in by_model.items():
            own = self._benchmark.find_own_formula(self.key, column.slice, column.metric, name)
            if own is not None:
                found.append((own, rows.select_rows(indices, ranked=False)))
        return found

    def find_formula(self, column: Column) -> ScoreFormula | None:
        """Return how a column follows from items in the same way for all systems."""
        return self._benchmark.find_formula(self.key, column.slice, column.metric)

    def find_covered(self, formula: ScoreFormula, rows: ColumnRows) -> NDArray[np.bool_]:
        """Return which rows have every score that the column is computed from."""
        covered = np.ones(len(rows.systems), np.bool_)
        for mean in list_item_means(formula):
            scores = self.find_table(mean.score)[mean.weights > 0][:, rows.systems]
            covered &= ~np.isnan(scores).any(axis=0)
        return covered

    def find_scores(self, formula: ScoreFormula, rows: ColumnRows) -> dict[str, Table]:
        """Return the item scores of a formula: name → items × rows."""
        names = {mean.score for mean in list_item_means(formula)}
        return {name: self.find_table(name)[:, rows.systems] for name in sorted(names)}

    def find_table(self, score: str) -> Table:
        """Return a score of all systems (items × systems), from a cache of the last ones."""
        table = self._tables.pop(score, None)
        if table is None:
            scores = (self._benchmark.score_items(self.key, one, score) for one in self._outcomes)
            table = np.stack(list(scores), axis=1)
        self._tables[score] = table
        while len(self._tables) > 1 and len(self._tables) * table.nbytes > _TABLE_BYTES:
            self._tables.pop(next(iter(self._tables)))
        return table

    def forget_column(self, column: Column) -> None:
        """Free the formulas of a column."""
        self._formulas.pop(column.key, None)

    def keep_columns(self, columns: Sequence[Column], groups: Mapping[str, ColumnRows]) -> int:
        """Free everything that was derived from the questions except what these columns need; return its size in bytes.

        The key is freed in any case.
        """
        formulas = {column.key: self.list_formulas(column, groups[column.key]) for column in columns}
        means = {mean for found in formulas.values() for formula, _ in found for mean in list_item_means(formula)}
        tables = {mean.score: self.find_table(mean.score) for mean in means}
        clusters = self.clusters if columns else None
        self.forget_questions()
        self._clusters, self._formulas, self._tables = clusters, formulas, tables
        return self._count_bytes()

    def forget_questions(self) -> int:
        """Free everything that was derived from the questions, and return its size in bytes without the key.

        What is needed again is derived again.
        """
        n_bytes = self._count_bytes()
        self._key = self._clusters = None
        self._formulas, self._tables = {}, {}
        return n_bytes

    def _count_bytes(self) -> int:
        means = {mean for found in self._formulas.values() for formula, _ in found for mean in list_item_means(formula)}
        n_bytes = sum(mean.weights.nbytes for mean in means) + sum(table.nbytes for table in self._tables.values())
        return n_bytes + (0 if self._clusters is None else self._clusters.nbytes)
