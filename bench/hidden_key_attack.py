"""Attack on AudioMotionBench's hidden key that uses only what an owner can see.

    .venv/bin/python -m bench.hidden_key_attack [--days 2] [--keys 5]

Linking the items of a clip leaves one unknown bit per pair of clips: each of the 12 cells (variant × condition) has 28
pairs of clips with identical texts and opposite truths, 336 bits in total. Every file weights the bits of all cells at
once:

* In half of the cells, multiple choice carries weights 0 to 6 (two clips × three runs) and statements answered false
  carry others. In the other half, statements answered true carry the first weights. All other answers count the same
  whatever the truth is.
* Accuracy of a cell (168 items × 3 runs) is exact at three decimals. The accuracies of multiple choice by variant and
  by condition are sums over cells; the active cells form a spanning tree of variants and conditions, so that the seven
  sums determine each of the six cells. TPR does the same for the other six.
* If a multiple-choice answer must be wrong, one of two wrong options is chosen at random: each of the three confusions
  of a variant is another weighting of its 112 bits.

All keys that agree with the numbers of a cell are enumerated by meeting in the middle; those of the four cells of a
variant are joined by its confusions in the same way.
"""

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation import Prediction, get_benchmark
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks.audio_motion_bench.design import CONDITIONS, TRAJECTORIES, VARIANTS, describe
from evaluation.benchmarks.audio_motion_bench.slices import CONFUSIONS
from evaluation.types import Item, Score

BENCHMARK = get_benchmark("audio-motion-bench")
FILES_A_DAY = 2
N_PAIRS = 28
MOST = 6
"""Largest weight of a bit in one number: two clips, three runs."""
N_RUNS = 3
UNREADABLE = "I cannot tell."
MAX_JOINED = 8_000_000
_PATHS = {describe(path): path for path in TRAJECTORIES}

# Two disjoint spanning trees of variants and conditions: every cell is in one of them.
CHOICE_CELLS = frozenset(
    {("sct", "clean"), ("sct", "35db"), ("sdt", "35db"), ("sdt", "25db"), ("tat", "25db"), ("tat", "15db")}
)
CELLS = tuple((variant, condition) for variant in VARIANTS for condition in CONDITIONS)
N_BITS = len(CELLS) * N_PAIRS
STATEMENT_CELLS = tuple(cell for cell in CELLS if cell not in CHOICE_CELLS)

Cell = tuple[str, str]
Integers = NDArray[np.int64]
Shown = Mapping[str, Score]


@dataclass(frozen=True)
class ClipItems:
    """The three items about a recording: one with options, and a statement for each of two paths."""

    choice: Item
    statements: Mapping[str, Item]


class ClipPair(NamedTuple):
    """Two clips with the same texts. The bit is set if the first clip has the first path, and the other the second."""

    clips: tuple[ClipItems, ClipItems]
    paths: tuple[str, str]


class PairAttempt(NamedTuple):
    """The answers of a file to a pair.

    Attributes:
        predictions: The answers.
        confused: confusion × (bit not set, bit set): how often the answers are that image of the truth.
    """

    predictions: list[Prediction]
    confused: Integers


@dataclass
class Weighed:
    """Information about a cell.

    Attributes:
        weights: numbers × bits.
        sums: Sum of the weights of set bits, for each number.
        confused: files × confusions × bits: contribution of a set bit to a confusion of the variant.
    """

    weights: Integers
    sums: Integers
    confused: Integers

    def list_keys(self) -> Integers:
        """Return every assignment of the bits that agrees with the numbers: keys × bits."""
        half = N_PAIRS // 2
        left, right = _list_sums(self.weights[:, :half]), _list_sums(self.weights[:, half:])
        one, other = _match(_encode(left), _encode(self.sums[None, :] - right))
        return np.concatenate([_spell(one, half), _spell(other, half)], axis=1)


class Attack:
    """One attacker: the information so far, and the next file."""

    def __init__(self, items: Sequence[Item], seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self.pairs = link_items(items)
        self.known = {
            cell: Weighed(
                np.zeros((0, N_PAIRS), np.int64),
                np.zeros(0, np.int64),
                np.zeros((0, len(CONFUSIONS), N_PAIRS), np.int64),
            )
            for cell in CELLS
        }
        self._confusions: dict[str, list[Integers]] = {variant: [] for variant in VARIANTS}
        self.keys: dict[str, tuple[list[Integers], list[Integers]]] = {}

    def send(self, key: AnswerKey) -> None:
        """Submit a file, and learn from what its owner sees."""
        weights = {cell: self._rng.integers(0, MOST + 1, (2, N_PAIRS)) for cell in CELLS}
        answered = {
            cell: [
                self._answer_pair(pair, *weights[cell][:, number].tolist(), by_choice=cell in CHOICE_CELLS)
                for number, pair in enumerate(self.pairs[cell])
            ]
            for cell in CELLS
        }
        visible = show_owner(
            key, [prediction for pairs in answered.values() for pair in pairs for prediction in pair.predictions]
        )
        self._learn_sums(visible, weights)
        self._learn_confusions(visible, answered)

    def _answer_pair(self, pair: ClipPair, first: int, second: int, *, by_choice: bool) -> PairAttempt:
        """Return answers under which the bit counts `first` times in one number and `second` times in the other."""
        predictions, confused = [], np.zeros((len(CONFUSIONS), 2), np.int64)
        for at, clip in enumerate(pair.clips):
            own_path, other_path = pair.paths[at], pair.paths[1 - at]
            wrong = [path for path in map(_plain, clip.choice.options) if path not in pair.paths]
            for run in range(N_RUNS):
                turn = 2 * run + at
                picked = own_path if by_choice and turn < first else wrong[self._rng.integers(len(wrong))]
                predictions.append(Prediction(clip.choice.id, run, _letter(clip.choice, picked)))
                confused += _list_confusions(picked, clip.choice, (other_path, own_path))
                calls_true, calls_false = not by_choice and turn < first, turn < second
                # Answering true twice is right once, whatever the truth is, and parsed: half-unparsed files show fewer
                # scores.
                is_certain = not (calls_true or calls_false)
                answer = "True" if calls_true or is_certain else UNREADABLE
                predictions.append(Prediction(clip.statements[own_path].id, run, answer))
                answer = "True" if is_certain else "False" if calls_false else UNREADABLE
                predictions.append(Prediction(clip.statements[other_path].id, run, answer))
        return PairAttempt(predictions, confused)

    def _learn_sums(self, visible: Shown, weights: Mapping[Cell, Integers]) -> None:
        certain = {cell: _count_certain(weights[cell], by_choice=cell in CHOICE_CELLS) for cell in CELLS}
        choice = _split_sums(visible, "mcq|accuracy", CHOICE_CELLS, dict.fromkeys(CELLS, 0))
        called_true = _split_sums(visible, "tf|tpr", STATEMENT_CELLS, certain)
        for cell in CELLS:
            first = (choice | called_true)[cell]
            total = _read_count(visible, f"{cell[0]}/{cell[1]}|accuracy") - certain[cell]
            weighed = self.known[cell]
            weighed.weights = np.vstack([weighed.weights, weights[cell]])
            weighed.sums = np.append(weighed.sums, [first, total - first])

    def _learn_confusions(self, visible: Shown, answered: Mapping[Cell, Sequence[PairAttempt]]) -> None:
        for cell in CELLS:
            added = np.stack([pair.confused[:, 1] - pair.confused[:, 0] for pair in answered[cell]], axis=1)
            self.known[cell].confused = np.concatenate([self.known[cell].confused, added[None]])
        for variant in VARIANTS:
            counts = np.array([_read_count(visible, f"{variant}/mcq|{metric}") for metric in CONFUSIONS])
            of_variant = [pair.confused[:, 0] for cell in CELLS if cell[0] == variant for pair in answered[cell]]
            self._confusions[variant].append(counts - np.stack(of_variant).sum(axis=0))

    def count_unknown(self) -> float:
        """Return the number of unknown bits: log2 of the number of keys that agree with all observations.

        Confusions join the cells of a variant once these have few enough keys to be enumerated together.
        """
        return sum(self._count_unknown_of(variant) for variant in VARIANTS)

    def _count_unknown_of(self, variant: str) -> float:
        known = [self.known[cell] for cell in CELLS if cell[0] == variant]
        keys = [keys_of_cell.list_keys() for keys_of_cell in known]
        halves = (keys[0], keys[1]), (keys[2], keys[3])
        if any(len(keys_of_cell) * len(other) > MAX_JOINED for keys_of_cell, other in halves):
            return float(sum(np.log2(len(keys_of_cell)) for keys_of_cell in keys))
        effects = [
            keys_of_cell @ weighed.confused.reshape(-1, N_PAIRS).T
            for keys_of_cell, weighed in zip(keys, known, strict=True)
        ]
        left, right = (_add_all(*effects[at : at + 2]) for at in (0, 2))
        totals = np.concatenate(self._confusions[variant])
        first, second = _match(_encode(left), _encode(totals[None, :] - right))
        self.keys[variant] = keys, [first, second]
        return float(np.log2(len(first)))

    def list_best(self) -> list[Prediction]:
        """Return the file of an accomplice: the answers of one key that agrees with all observations."""
        answers = []
        for cell in CELLS:
            keys, confusions_found = self.keys.get(cell[0], ([], []))
            at = CONDITIONS.index(cell[1])
            bits = self.known[cell].list_keys()[0]
            if confusions_found:
                n_others = len(keys[at | 1])
                joined = int(confusions_found[at // 2][0])
                bits = keys[at][joined % n_others if at % 2 else joined // n_others]
            for pair, bit in zip(self.pairs[cell], bits.tolist(), strict=True):
                for clip, path in zip(pair.clips, pair.paths if bit else pair.paths[::-1], strict=True):
                    answers.append(Prediction(clip.choice.id, 0, _letter(clip.choice, path)))
                    answers += [Prediction(item.id, 0, str(claim == path)) for claim, item in clip.statements.items()]
        return answers


def link_items(items: Sequence[Item]) -> dict[tuple[str, str], list[ClipPair]]:
    """Return, for each cell, the pairs of clips with identical texts."""
    of_clip: dict[str, list[Item]] = {}
    for item in items:
        of_clip.setdefault(item.clips[0], []).append(item)
    found: dict[tuple[str, str], dict[tuple[str, ...], list[ClipItems]]] = {cell: {} for cell in CELLS}
    for group in of_clip.values():
        variant, condition, _ = group[0].task.split("/")
        (choice,) = (item for item in group if item.options)
        statements = {_name_path(item): item for item in group if not item.options}
        paths = tuple(sorted(statements))
        found[variant, condition].setdefault(paths, []).append(ClipItems(choice, statements))
    return {
        cell: [ClipPair((clips[0], clips[1]), (paths[0], paths[1])) for paths, clips in sorted(groups.items())]
        for cell, groups in found.items()
    }


def show_owner(key: AnswerKey, predictions: Sequence[Prediction]) -> Shown:
    """Score a file, and return what its owner sees."""
    report = BENCHMARK.score(key, predictions)
    return {f"{name}|{metric}": score for name, metric, score in BENCHMARK.disclose(report)}


def _count_certain(weights: Integers, *, by_choice: bool) -> int:
    """Return how often both statements of a clip are answered true."""
    counted = weights[1] if by_choice else weights.max(axis=0)
    return int((MOST - counted).sum())


def _split_sums(visible: Shown, tail: str, cells: Iterable[Cell], certain: Mapping[Cell, int]) -> dict[Cell, int]:
    """Return the count of each active cell from those of variants and conditions; others count what is certain."""
    active = sorted(cells)
    heads = [(variant, None) for variant in VARIANTS] + [(None, condition) for condition in CONDITIONS]
    rows, counts = [], []
    for variant, condition in heads:
        name = f"{variant or 'overall'}{f'/{condition}' if condition else ''}/{tail}"
        rows.append([variant in (None, cell[0]) and condition in (None, cell[1]) for cell in active])
        sure = sum(certain[cell] for cell in CELLS if variant in (None, cell[0]) and condition in (None, cell[1]))
        counts.append(_read_count(visible, name) - sure)
    solved = np.linalg.lstsq(np.array(rows, float), np.array(counts, float), rcond=None)[0]
    return {cell: round(value) for cell, value in zip(active, solved.tolist(), strict=True)}


def _read_count(visible: Shown, name: str) -> int:
    """Return the number of right answers in three runs from a rounded score: exact up to 333 items."""
    return round((visible[name].value or 0.0) * (visible[name].n or 0) * N_RUNS)


def _list_confusions(picked: str, item: Item, truths: tuple[str, str]) -> Integers:
    """Return which images of two possible truths an answer is: confusions × truths."""
    offered = [_PATHS[_plain(option)] for option in item.options]
    rows = []
    for image in CONFUSIONS.values():
        images = [image(_PATHS[truth]) for truth in truths]
        rows.append(
            [
                one in offered and one == _PATHS[picked] and one != _PATHS[t]
                for one, t in zip(images, truths, strict=True)
            ]
        )
    return np.array(rows, np.int64)


def _name_path(item: Item) -> str:
    return item.question.rpartition("The sound moves ")[2].rstrip(".")


def _plain(option: str) -> str:
    return option[0].lower() + option[1:]


def _letter(item: Item, path: str) -> str:
    return "ABCD"[[_plain(option) for option in item.options].index(path)]


def _list_sums(weights: Integers) -> Integers:
    """Return the sums of all subsets of some bits, subsets × numbers; the first bit is the highest of a subset."""
    sums = np.zeros((1, len(weights)), np.int64)
    for column in weights.T[::-1]:
        sums = np.concatenate([sums, sums + column])
    return sums


def _spell(numbers: Integers, n_bits: int) -> Integers:
    """Return numbers as bits, highest first."""
    return numbers[:, None] >> np.arange(n_bits)[::-1] & 1


def _encode(sums: Integers) -> Integers:
    """Return one number for several sums; 64 bits exceed the number of keys by far, so it may wrap around."""
    codes = np.zeros(len(sums), np.int64)
    for column in sums.T:
        codes = codes * np.int64(1_000_003) + column
    return codes


def _match(codes: Integers, targets: Integers) -> tuple[Integers, Integers]:
    """Return every pair of positions at which the codes match."""
    order = np.argsort(codes, kind="stable")
    begins, ends = (np.searchsorted(codes[order], targets, side) for side in ("left", "right"))
    counts = ends - begins
    other = np.repeat(np.arange(len(targets)), counts)
    within = np.arange(len(other)) - np.repeat(np.cumsum(counts) - counts, counts)
    return order[np.repeat(begins, counts) + within], other


def _add_all(first: Integers, second: Integers) -> Integers:
    return (first[:, None, :] + second[None, :, :]).reshape(-1, first.shape[1])


def measure(seed: int, n_files: int) -> Iterator[tuple[float, float]]:
    """Yield, for each submitted file, the number of unknown bits after it and an accomplice's score."""
    key = BENCHMARK.make_key("test", f"attacked {seed}")
    attack = Attack(BENCHMARK.content(key).items, seed)
    for _ in range(n_files):
        attack.send(key)
        unknown = attack.count_unknown()
        yield unknown, show_owner(key, attack.list_best())["overall|accuracy"].value or 0.0


def main() -> None:
    """Print the number of unknown bits after each file, over several keys."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, default=2)
    parser.add_argument("--keys", type=int, default=5)
    options = parser.parse_args()
    table = []
    for seed in range(options.keys):
        results = list(measure(seed, options.days * FILES_A_DAY))
        table.append(results)
        summary = ", ".join(f"{unknown:.1f} ({score:.1%})" for unknown, score in results)
        print(
            f"key {seed}: {N_BITS} bits unknown at first; after each file, and what an accomplice scores: {summary}",
            flush=True,
        )
    print("mean:", ", ".join(f"{unknown:.1f} ({score:.1%})" for unknown, score in np.mean(table, axis=0)))


if __name__ == "__main__":
    main()
