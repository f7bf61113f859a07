"""Key of the questions that a submission answers: that of the shared test split, or that of its edition.

The key of an edition is derived from that of the test split. Once a file of a closed edition is scored, the seed of the
edition is stored, and is used from then on: so closed editions can be re-scored, ranked and compared after the answer
key was replaced. Before, a replaced key loses them.
"""

from db.repositories import editions
from db.session import Transaction
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark
from evaluation.errors import AnswerKeyError
from evaluation.streams import derive_edition_seed, find_edition


class LostEditionError(AnswerKeyError):
    """The key from which an edition was rendered is gone."""


def find_question_key(benchmark: Benchmark, key: AnswerKey, edition: str | None, seed: str | None = None) -> AnswerKey:
    """Return the key of an edition; without one, the key of the shared test split.

    Args:
        benchmark: Benchmark version of the questions.
        key: Answer key of the shared test split.
        edition: ID of the edition.
        seed: Stored seed of the edition, if it was revealed. That of another edition is ignored.
    """
    return benchmark.make_key("test", find_question_seed(key, edition, seed)) if edition else key


def find_question_seed(key: AnswerKey, edition: str | None, seed: str | None = None) -> str:
    """Return the seed of the key of `find_question_key`, without deriving its questions and answers."""
    if not edition:
        return key.seed
    if seed is not None and find_edition(seed) == edition:
        return seed
    return derive_edition_seed(key.seed, edition)


def read_question_key(transaction: Transaction, benchmark: Benchmark, key: AnswerKey, edition: str | None) -> AnswerKey:
    """Return the key of an edition, or of the shared test split, for scoring.

    Raises:
        LostEditionError: Its questions were rendered from another answer key, or by another design.
    """
    record = None if edition is None else editions.find_edition(transaction, edition)
    if record is None:
        return find_question_key(benchmark, key, edition)
    own = find_question_key(benchmark, key, edition, editions.find_seed(transaction, record.id))
    require_same_questions(benchmark, own, record.content_digest)
    return own


def require_same_questions(benchmark: Benchmark, own: AnswerKey, content_digest: str | None) -> None:
    """Raise an error if the key of an edition gives other questions than those that its owner has.

    Raises:
        LostEditionError: See `read_question_key`.
    """
    if content_digest not in (None, benchmark.content(own).digest):
        raise LostEditionError(explain_loss(own.edition))


def explain_loss(edition: str) -> str:
    """Return why an edition cannot be made again."""
    return (
        f"The answer key or the design from which edition {edition} was rendered has been replaced, so its questions "
        "and answers cannot be made again. Scores that it has stay as they are."
    )
