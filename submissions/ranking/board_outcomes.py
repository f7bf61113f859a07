"""Item-level outcomes of a board's rows by edition: rows of one edition answered the same questions.

Outcomes are sealed with the key of the questions that a row answered, so only evaluators can open them. The seed of a
key opens them; the key itself, with its answers, is derived when an edition is resampled (`edition_systems.py`).
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Self

from db.records import SealedOutcomes
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark
from evaluation.streams import find_edition
from evaluation.types import Outcomes
from submissions.keys.sealing import SealError
from submissions.ranking.question_keys import find_question_seed
from submissions.scoring.outcomes import unseal_outcomes, unseal_with_seed
from submissions.scoring.packing import UnpackedOutcomes

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EditionOutcomes:
    """Evaluations of the same questions.

    Attributes:
        seed: Seed of the questions' key.
        make_key: Derives this key, which takes a fifth of a second for an edition.
        outcomes: Evaluation → item-level outcomes.
    """

    seed: str
    make_key: Callable[[], AnswerKey]
    outcomes: Mapping[int, Outcomes]

    @classmethod
    def of_key(cls, key: AnswerKey, outcomes: Mapping[int, Outcomes]) -> Self:
        """Return evaluations of the questions of a key."""
        return cls(key.seed, lambda: key, outcomes)

    @property
    def edition(self) -> str:
        """ID of the edition; empty for the shared test split."""
        return find_edition(self.seed)


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
        if edition:
            seed = find_question_seed(key, edition, seeds.get(edition))
            make_key = partial(benchmark.make_key, "test", seed)
            outcomes = _read_edition_outcomes(seed, make_key, by_edition[edition], benchmark.n_edition_items)
            group = EditionOutcomes(seed, make_key, outcomes)
        else:
            group = EditionOutcomes.of_key(key, read_outcomes(benchmark, key, by_edition[edition]))
        if group.outcomes:
            found[edition] = group
    return found


def read_outcomes(benchmark: Benchmark, key: AnswerKey, sealed: Mapping[int, SealedOutcomes]) -> dict[int, Outcomes]:
    """Return the outcomes that this key can open; others are logged and left out."""
    item_ids = tuple(item.id for item in benchmark.content(key).items)
    return _open_outcomes(sealed, len(item_ids), partial(unseal_outcomes, key), item_ids)


def _read_edition_outcomes(
    seed: str, make_key: Callable[[], AnswerKey], sealed: Mapping[int, SealedOutcomes], n_items: int
) -> dict[int, Outcomes]:
    """Return the outcomes of an edition without the IDs of its items, which would have to be derived."""

    def unseal(evaluation_id: int, one: SealedOutcomes) -> UnpackedOutcomes:
        try:
            return unseal_with_seed(seed, evaluation_id, one)
        except SealError:
            return unseal_outcomes(make_key(), evaluation_id, one)  # Its message names the key.

    return _open_outcomes(sealed, n_items, unseal)


def _open_outcomes(
    sealed: Mapping[int, SealedOutcomes],
    n_items: int,
    unseal: Callable[[int, SealedOutcomes], UnpackedOutcomes],
    item_ids: tuple[str, ...] = (),
) -> dict[int, Outcomes]:
    found = {}
    for evaluation_id, one in sealed.items():
        if one.n_items != n_items:
            _LOG.error("evaluation %d has outcomes of %d items, not of %d", evaluation_id, one.n_items, n_items)
            continue
        try:
            choices, correct, verdicts, scores = unseal(evaluation_id, one)
        except SealError as error:
            _LOG.error("%s", error)
            continue
        found[evaluation_id] = Outcomes(item_ids, correct, choices, verdicts, scores)
    return found
