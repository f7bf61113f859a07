"""Attack on an edition that uses everything that owners of other editions see, without listening.

    .venv/bin/python -m bench.edition_attack [--editions 1 5 20 100] [--next 10] [--benchmark audio-motion-bench]

An attacker with unlimited accounts opens and closes editions, and sees all questions, options, letters, IDs, clip
names, their order, and the right answers; scores add nothing to these. From them it answers its next editions:

* *Tables* of each kind of feature (`bench/disclosed_features.py`): the log odds of what was right where it occurred.
* *Everything*: logistic regression over all features.
* *Names*: the letters of IDs and the digits of seeds, from those of the same place in earlier editions, from the step
  between the last two, from the letters of the edition's ID, and from the preceding letter.

Each result is the mean over the next editions ± its standard error. Bounds: linking is worth 50 % of AudioMotionBench,
an item alone 25 % of options and 50 % of statements; the best constant answers to STAR-Bench are those of its board;
the texts of AudioProcessBench are worth an AUROC of 0.515; a letter is guessed in 1 of 32 cases, a digit in 1 of 16.
"""

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from bench.disclosed_features import (
    KINDS,
    Decision,
    DisclosedItem,
    answer_clips,
    answer_options,
    decide_options,
    decide_steps,
    link_clips,
    read_item,
)
from bench.edition_listening import VERSIONS
from bench.edition_names import ALPHABET, DIGITS, cut_seed, list_names, predict_letters
from evaluation import Benchmark, get_benchmark
from evaluation.answer_keys import AnswerKey
from evaluation.answered_items import iter_answered
from evaluation.types import Prediction
from tests.support.samples.text_classifier import N_FEATURES, hash_features, learn_features, measure_auroc

SEED = "attacked editions"
EVERYTHING = "everything"
MAX_STEPS = 100
N_ERRORS = 4
"""Standard errors above a bound that chance explains."""

Column = NDArray[np.float64]
Alter = Callable[[Sequence[DisclosedItem]], Sequence[DisclosedItem]]
"""An attacked design: what it shows instead."""


@dataclass(frozen=True)
class AttackTarget:
    """What is attacked.

    Attributes:
        benchmark: Benchmark.
        decide: Returns the decisions about an edition.
        answer: Returns the predictions that follow from their scores; None if the AUROC of the scores is measured.
        bounds: Score → what texts alone are worth.
        errors: Score → its standard error on one edition, if the answers are guessed.
    """

    benchmark: str
    decide: Callable[[Sequence[DisclosedItem]], list[Decision]]
    answer: Callable[[Sequence[DisclosedItem], Sequence[Decision], Sequence[float]], list[Prediction]] | None
    bounds: Mapping[str, float]
    errors: Mapping[str, float]


def _read_constants() -> Mapping[str, float]:
    """Return what the board states for STAR-Bench's best constant answer."""
    baselines = get_benchmark("star-bench").baselines
    (constant,) = (baseline for baseline in baselines if baseline.id == "constant")
    return {name: constant.scores[name] for name in ("perception|aa", "perception|acr")}


_MOTION = ("overall|accuracy", "overall/mcq|accuracy", "overall/tf|accuracy")
TARGETS: Mapping[str, AttackTarget] = {
    # 336 pairs of clips are right or wrong as a whole.
    "AudioMotionBench, linked": AttackTarget(
        "audio-motion-bench",
        link_clips,
        answer_clips,
        dict.fromkeys(_MOTION, 0.5),
        dict.fromkeys(_MOTION, 0.5 / 336**0.5),
    ),
    # 672 items with four options, 1,344 statements.
    "AudioMotionBench, item by item": AttackTarget(
        "audio-motion-bench",
        decide_options,
        answer_options,
        dict(zip(_MOTION, (5 / 12, 1 / 4, 1 / 2), strict=True)),
        dict(zip(_MOTION, (0.0106, (3 / 16 / 672) ** 0.5, (1 / 4 / 1344) ** 0.5), strict=True)),
    ),
    # The mean over ten sub-tasks of 51 to 165 items, about half of which a constant gets right.
    "STAR-Bench perception": AttackTarget(
        "star-bench", decide_options, answer_options, _read_constants(), dict.fromkeys(_read_constants(), 0.015)
    ),
    # Whatever is learnt about one of 60 pairs of recordings concerns all twelve of its traces.
    "AudioProcessBench synthetic-3": AttackTarget(
        "audio-process-bench", decide_steps, None, {"AUROC": 0.515}, {"AUROC": 0.02}
    ),
}


class SeenEdition(NamedTuple):
    """An edition in the hands of its owner.

    Attributes:
        key: Its answer key, which only scores what is submitted.
        items: Its items.
        decisions: Its decisions.
        rows: Kind → features of each decision.
        truth: Whether each decision is true.
    """

    key: AnswerKey
    items: Sequence[DisclosedItem]
    decisions: Sequence[Decision]
    rows: Mapping[str, scipy.sparse.csr_matrix]
    truth: NDArray[np.bool_]


class AttackResult(NamedTuple):
    """A result of an attack.

    Attributes:
        target: What was attacked.
        method: Kind of features, or everything.
        score: The score.
        n_seen: Number of editions that the attacker closed before.
        values: The score on each next edition.
    """

    target: str
    method: str
    score: str
    n_seen: int
    values: Sequence[float]

    @property
    def excess(self) -> float:
        """Standard errors of a guess by which the mean exceeds its bound."""
        target = TARGETS[self.target]
        error = target.errors[self.score] / float(np.sqrt(len(self.values)))
        return (float(np.mean(self.values)) - target.bounds[self.score]) / error


@lru_cache(maxsize=256)
def disclose_edition(benchmark: Benchmark, number: int) -> tuple[DisclosedItem, ...]:
    """Return what the owner of a closed edition sees, in the order of the pack."""
    key = make_key(benchmark, number)
    items = benchmark.content(key).items
    submitted = {item.part: item for item in items}.values()  # One answer to each part: all of its items are disclosed.
    answers = [
        Prediction(item.id, 0, None, erroneous=(True,) * item.n_steps) if item.n_steps else Prediction(item.id, 0, "A")
        for item in submitted
    ]
    return tuple(read_item(answered) for answered in iter_answered(benchmark, key, answers))


def make_key(benchmark: Benchmark, number: int) -> AnswerKey:
    """Return the key of an edition by number."""
    return benchmark.make_edition_key(benchmark.make_key("test", SEED), name_edition(number))


def name_edition(number: int) -> str:
    """Return an ID of an edition, drawn as the service draws it, but from a number."""
    rng = np.random.default_rng([7, number])
    return "e-" + "".join(ALPHABET[letter] for letter in rng.integers(32, size=8))


def see_edition(target: AttackTarget, number: int, alter: Alter = tuple) -> SeenEdition:
    """Return an edition as an attacker sees it."""
    benchmark = get_benchmark(target.benchmark, VERSIONS[target.benchmark])
    key = make_key(benchmark, number)
    items = alter(disclose_edition(benchmark, number))
    decisions = target.decide(items)
    rows = {
        kind: hash_features([f"{kind}: {name}" for name in decision.features[kind]] for decision in decisions)
        for kind in KINDS
    }
    truth = np.array([decision.is_true for decision in decisions])
    return SeenEdition(key, items, [replace(decision, features={}) for decision in decisions], rows, truth)


def attack(name: str, seen: Sequence[SeenEdition], following: Sequence[SeenEdition]) -> Iterator[AttackResult]:
    """Learn from closed editions, and yield the scores of each method on the next ones."""
    target = TARGETS[name]
    truth = np.concatenate([edition.truth for edition in seen])
    known = {kind: scipy.sparse.vstack([edition.rows[kind] for edition in seen], "csr") for kind in KINDS}
    unknown = {kind: scipy.sparse.vstack([edition.rows[kind] for edition in following], "csr") for kind in KINDS}
    guesses = {kind: learn_table(known[kind], truth, unknown[kind]) for kind in KINDS}
    guesses[EVERYTHING] = learn_features(_join_kinds(known), truth, _join_kinds(unknown), max_steps=MAX_STEPS)
    ends = np.cumsum([len(edition.truth) for edition in following])[:-1]
    for method, guess in guesses.items():
        values: dict[str, list[float]] = defaultdict(list)
        for edition, scores in zip(following, np.split(guess, ends), strict=True):
            for score, value in score_guess(target, edition, scores).items():
                values[score].append(value)
        for score, found in values.items():
            yield AttackResult(name, method, score, len(seen), found)


def learn_table(known: scipy.sparse.csr_matrix, truth: NDArray[np.bool_], unknown: scipy.sparse.csr_matrix) -> Column:
    """Return the sum of the log odds that the features of each unknown row had, relative to those of all rows."""
    total = np.bincount(known.indices, minlength=N_FEATURES)
    right = np.bincount(known[truth].indices, minlength=N_FEATURES)
    share = truth.mean()
    odds = np.log((right + share) / (total - right + 1 - share)) - np.log(share / (1 - share))
    return np.asarray(unknown @ odds, np.float64)


def score_guess(target: AttackTarget, edition: SeenEdition, scores: Column) -> Mapping[str, float]:
    """Return the scores of an attacker on an edition."""
    if target.answer is None:
        return {"AUROC": measure_auroc(scores, edition.truth)}
    benchmark = get_benchmark(target.benchmark, VERSIONS[target.benchmark])
    report = benchmark.score(edition.key, target.answer(edition.items, edition.decisions, scores.tolist()))
    found = {}
    for name in target.bounds:
        slice_name, _, metric = name.partition("|")
        found[name] = report.scores[slice_name][metric].value or 0.0
    return found


def _join_kinds(rows: Mapping[str, scipy.sparse.csr_matrix]) -> scipy.sparse.csr_matrix:
    joined = rows[KINDS[0]].copy()
    for kind in KINDS[1:]:
        joined = joined + rows[kind]
    joined.data[:] = 1.0
    return joined


def attack_names(benchmark: Benchmark, n_seen: Sequence[int], n_following: int) -> Iterator[str]:
    """Yield how well the names and the seeds of the next editions are predicted, as texts."""
    numbers = range(max(n_seen) + n_following)
    keys = [make_key(benchmark, number) for number in numbers]
    ids = [name_edition(number).removeprefix("e-") for number in numbers]
    names = [list_names(disclose_edition(benchmark, number)) for number in numbers]
    seeds = [[cut_seed(key.seed)] for key in keys]
    for title, given, alphabet in (("letters of IDs", names, ALPHABET), ("digits of seeds", seeds, DIGITS)):
        for n_closed in n_seen:
            found: dict[str, list[float]] = defaultdict(list)
            for at in range(max(n_seen), len(keys)):
                begin = at - n_closed
                for method, share in predict_letters(
                    given[begin:at], ids[begin:at], given[at], ids[at], alphabet
                ).items():
                    found[method].append(share)
            for method, shares in found.items():
                yield f"{title} | {method} | {1 / len(alphabet):.2%} | {n_closed} | {describe_values(shares)}"


def describe_values(values: Sequence[float]) -> str:
    """Return a mean ± its standard error."""
    error = np.std(values, ddof=1) / len(values) ** 0.5 if len(values) > 1 else float("nan")
    return f"{np.mean(values):.2%} ± {error:.2%}"


def main() -> None:
    """Print the results of every method."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--editions", type=int, nargs="+", default=[1, 5, 20, 100], metavar="N", help="closed before")
    parser.add_argument("--next", type=int, default=10, metavar="N", help="editions that are attacked")
    parser.add_argument("--benchmark", choices=tuple(VERSIONS), help="one benchmark instead of all")
    options = parser.parse_args()
    most = max(options.editions)
    print("| target | score | method | bound | editions closed | mean ± standard error | excess in standard errors |")
    print("|---" * 7 + "|")
    for name, target in TARGETS.items():
        if options.benchmark in (None, target.benchmark):
            made = [see_edition(target, number) for number in range(most + options.next)]
            for n_seen in options.editions:
                for attempt in attack(name, made[most - n_seen : most], made[most:]):
                    bound = f"{target.bounds[attempt.score]:.2%}"
                    head = f"| {name} | {attempt.score.replace('|', ' ')} | {attempt.method} | {bound} | {n_seen}"
                    print(f"{head} | {describe_values(attempt.values)} | {attempt.excess:+.1f} |", flush=True)
    for benchmark_id, version in VERSIONS.items():
        if options.benchmark in (None, benchmark_id):
            for line in attack_names(get_benchmark(benchmark_id, version), options.editions, options.next):
                print(f"| {benchmark_id} | {line} |", flush=True)


if __name__ == "__main__":
    main()
