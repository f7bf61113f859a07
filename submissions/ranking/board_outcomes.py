"""Item-level outcomes of a board's rows by edition: rows of one edition answered the same questions.

Outcomes are sealed with the key of the questions that a row answered, so only evaluators can open them.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from db.records import SealedOutcomes, StandingRecord
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, Column
from evaluation.statistics import ScoreFormula, list_item_means
from evaluation.types import Outcomes
from submissions.keys.sealing import SealError
from submissions.ranking.question_keys import find_question_key
from submissions.scoring.outcomes import unseal_outcomes

_LOG = logging.getLogger(__name__)
_KEPT_BYTES = 200_000_000

Table = NDArray[np.float64]


class EditionOutcomes(NamedTuple):
    """Evaluations of the same questions.

    Attributes:
        key: Answer key of the questions.
        outcomes: Evaluation → item-level outcomes.
    """

    key: AnswerKey
    outcomes: Mapping[int, Outcomes]


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


class EditionSystems:
    """The systems of a board that answered the same questions, with their item scores."""

    def __init__(self, benchmark: Benchmark, group: EditionOutcomes, names: Mapping[int, str]) -> None:
        """Take the outcomes, and the models' names by evaluation."""
        self._benchmark = benchmark
        self.key = group.key
        self._names = names
        self._evaluations = {evaluation_id: system for system, evaluation_id in enumerate(sorted(group.outcomes))}
        self._outcomes = [group.outcomes[evaluation_id] for evaluation_id in self._evaluations]
        self._tables: dict[str, Table] = {}

    def lay_out(self, group: Sequence[StandingRecord]) -> ColumnRows:
        """Return standings of these systems as rows of a column."""
        systems = np.array([self._evaluations[standing.evaluation_id] for standing in group])
        return ColumnRows(group, systems, np.array([standing.rank is not None for standing in group]))

    def list_formulas(self, column: Column, rows: ColumnRows) -> list[tuple[ScoreFormula, ColumnRows]]:
        """Return how the scores of a column follow from items: in one way for all rows, or separately for each model.

        Accuracy on a model's own traces, for example, covers other items for every model, so its rows have intervals
        and no rank ranges.
        """
        formula = self._benchmark.find_formula(self.key, column.slice, column.metric)
        if formula is not None:
            return [(formula, rows)]
        by_model: dict[str, list[int]] = {}
        for index, standing in enumerate(rows.standings):
            if name := self._names.get(standing.evaluation_id):
                by_model.setdefault(name, []).append(index)
        found: list[tuple[ScoreFormula, ColumnRows]] = []
        for name, indices in by_model.items():
            own = self._benchmark.find_own_formula(self.key, column.slice, column.metric, name)
            if own is not None:
                found.append((own, rows.select_rows(indices, ranked=False)))
        return found

    def find_covered(self, formula: ScoreFormula, rows: ColumnRows) -> NDArray[np.bool_]:
        """Return which rows have every score that the column is computed from."""
        covered = np.ones(len(rows.systems), np.bool_)
        for mean in list_item_means(formula):
            scores = self._find_table(mean.score)[mean.weights > 0][:, rows.systems]
            covered &= ~np.isnan(scores).any(axis=0)
        return covered

    def find_scores(self, formula: ScoreFormula, rows: ColumnRows) -> dict[str, Table]:
        """Return the item scores of a formula: name → items × rows."""
        names = {mean.score for mean in list_item_means(formula)}
        return {name: self._find_table(name)[:, rows.systems] for name in sorted(names)}

    def forget_scores(self) -> None:
        """Free the cached item scores."""
        self._tables.clear()

    def _find_table(self, score: str) -> Table:
        """Return a score of all systems (items × systems), from a cache of the last ones."""
        table = self._tables.pop(score, None)
        if table is None:
            scores = (self._benchmark.score_items(self.key, one, score) for one in self._outcomes)
            table = np.stack(list(scores), axis=1)
        self._tables[score] = table
        while len(self._tables) > 1 and len(self._tables) * table.nbytes > _KEPT_BYTES:
            self._tables.pop(next(iter(self._tables)))
        return table


def read_board_outcomes(
    benchmark: Benchmark,
    key: AnswerKey,
    sealed: Mapping[int, SealedOutcomes],
    editions: Mapping[int, str],
    seeds: Mapping[str, str],
) -> dict[str, EditionOutcomes]:
    """Return edition (empty for the shared test split) → the outcomes that its key can open; none without outcomes.

    Args:
        benchmark: Benchmark version of the board.
        key: Answer key of the shared test split.
        sealed: Evaluation → sealed outcomes.
        editions: Evaluation → edition, for rows that answered one.
        seeds: Edition → its stored seed, for editions that were revealed.
    """
    by_edition: dict[str, dict[int, SealedOutcomes]] = {}
    for evaluation_id, one in sorted(sealed.items()):
        by_edition.setdefault(editions.get(evaluation_id, ""), {})[evaluation_id] = one
    found = {}
    for edition in sorted(by_edition):
        own = find_question_key(benchmark, key, edition, seeds.get(edition))
        outcomes = read_outcomes(benchmark, own, by_edition[edition])
        if outcomes:
            found[edition] = EditionOutcomes(own, outcomes)
    return found


def read_outcomes(benchmark: Benchmark, key: AnswerKey, sealed: Mapping[int, SealedOutcomes]) -> dict[int, Outcomes]:
    """Return the outcomes that this key can open; others are logged and left out."""
    item_ids = tuple(item.id for item in benchmark.content(key).items)
    found = {}
    for evaluation_id, one in sealed.items():
        if one.n_items != len(item_ids):
            _LOG.error("evaluation %d has outcomes of %d items, not of %d", evaluation_id, one.n_items, len(item_ids))
            continue
        try:
            choices, correct, verdicts, scores = unseal_outcomes(key, evaluation_id, one)
        except SealError as error:
            _LOG.error("%s", error)
            continue
        found[evaluation_id] = Outcomes(item_ids, correct, choices, verdicts, scores)
    return found
