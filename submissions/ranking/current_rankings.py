"""Current rankings of a board: what the signatures of rows share that are ranked together."""

from dataclasses import replace

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark
from evaluation.signature import Signature

_ANY_EDITION = "any"


def find_rankings(benchmark: Benchmark, key: AnswerKey | None, setting: str) -> tuple[str, ...]:
    """Return what the signatures of today's rows share: of the shared test split first, then of editions.

    Both rank together, because the shared test split is rendered from the design of the editions. The result is empty
    if no row can be scored here.

    Args:
        benchmark: Benchmark version.
        key: Answer key of the shared test split.
        setting: Setting of the board.
    """
    if key is None:
        return ()
    shared = benchmark.sign(key, setting=setting, runs=1)
    return (
        (shared.ranking, sign_any_edition(benchmark, shared).ranking) if benchmark.has_editions else (shared.ranking,)
    )


def sign_any_edition(benchmark: Benchmark, shared: Signature) -> Signature:
    """Return the signature of a score on editions of today's design; questions, answers and edition are placeholders.

    Args:
        benchmark: Benchmark version with editions.
        shared: Signature of the same score on the shared test split.
    """
    return replace(shared, design_digest=benchmark.design_digest[:8], edition=_ANY_EDITION)
