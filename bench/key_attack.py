"""How much of AudioMotionBench's secret key an owner reads from the scores of files that are made for it.

The attacker sends files and sees every score that an owner sees. From the texts alone he knows all but one bit for
each pair of clips with the same texts, 336 in all: which of the two moves along the first of the two paths. His file
asks for a few bits of every cell (a variant under one noise condition): its answers to those pairs are right in 6, 9,
11, 12 or 13 more items where the bit is set, and its other answers are right in a known number of items. No two choices
of these weights have the same sum, so the score of the cell says which bits are set. Whoever also recognises that the
four conditions of a path share one recording needs 84 bits only.

Usage: python -m bench.key_attack [--seeds N]
"""

import argparse
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from evaluation import Benchmark, Prediction, get_benchmark
from evaluation.answer_keys import AnswerKey
from evaluation.packs import all_runs, question
from evaluation.types import Item

PER_DAY, PER_MONTH, IN_ALL = 2, 10, 60
# How many more items are right where a bit is set, of 18 items of a pair in three runs. No two choices of these weights
# have the same sum, and no six such weights of at most 18 exist.
WEIGHTS = (6, 9, 11, 12, 13)
_CLAIM = re.compile(r"The sound moves (from [^.]+)\.")
_RUNS = 3


@dataclass(frozen=True, slots=True)
class Clip:
    """What the texts say of a clip.

    Attributes:
        cell: Variant and condition.
        choice: The multiple-choice item.
        claims: Path → the statement that says it.
    """

    cell: str
    choice: Item
    claims: Mapping[str, str]


Pair = tuple[Clip, Clip]
"""Two clips with the same texts and opposite answers: one bit, whether the first moves along the first path."""


def read_pairs(benchmark: Benchmark, key: AnswerKey) -> list[Pair]:
    """Return the pairs of clips as the public texts show them."""
    content = benchmark.content(key)
    texts = {line["id"]: str(line["prompt"]) for line in (question(run) for run in all_runs(benchmark, content))}
    about: dict[str, list[Item]] = defaultdict(list)
    for item in content.items:
        about[item.clips[0]].append(item)
    alike: dict[object, list[Clip]] = defaultdict(list)
    for items in about.values():
        (choice,) = (item for item in items if item.options)
        claims = {_read_claim(texts[item.id]): item.id for item in items if not item.options}
        clip = Clip("/".join(choice.task.split("/")[:2]), choice, claims)
        alike[clip.cell, *sorted(claims), choice.options].append(clip)
    return [pair for clips in alike.values() for pair in combinations(clips, 2)]


def _read_claim(text: str) -> str:
    found = _CLAIM.search(text)
    if found is None:
        raise ValueError(f"no claim in {text!r}")
    return found[1].capitalize()


def answer_pair(pair: Pair, weight: int, run: int) -> Iterator[Prediction]:
    """Yield answers that are right in `weight` more items over three runs where the pair's bit is set.

    Without an opinion both statements about a clip are called true, and an option is chosen that neither of them names.
    With one, 4 statements and 2 options a run can be believed.
    """
    n_choices, n_statements = _split(weight)
    first, second = sorted(pair[0].claims)
    for place, (clip, path) in enumerate(zip(pair, (first, second), strict=True)):
        turn = 2 * run + place
        believes_choice, believes_statements = turn < n_choices, turn < n_statements
        neither = next(n for n, option in enumerate(clip.choice.options) if option not in clip.claims)
        chosen = clip.choice.options.index(path) if believes_choice else neither
        yield Prediction(clip.choice.id, run, "ABCD"[chosen])
        for claim, item_id in clip.claims.items():
            yield Prediction(item_id, run, str(claim == path if believes_statements else True))


def _split(weight: int) -> tuple[int, int]:
    """Return in how many of six clips and runs an option is believed, and in how many both statements are.

    An option that is believed is right once if the bit is set, else never. Two statements that are believed are right
    twice or never, where calling both true is right once: 2 more if set than if not.
    """
    n_statements = min(6, weight // 2)
    return weight - 2 * n_statements, n_statements


class Attacker:
    """One who learns bits of the key from what he sees of his own submissions.

    Attributes:
        bits: Pair, by its place among all → whether its bit is set.
    """

    def __init__(self, pairs: Sequence[Pair]) -> None:
        """Take the pairs."""
        self._pairs = pairs
        self.bits: dict[int, bool] = {}

    def make_file(self) -> list[Prediction]:
        """Return the answers that ask for the next bits of every cell."""
        asked = self._list_asked()
        weights = {place: weight for places in asked.values() for place, weight in places.items()}
        return [
            prediction
            for place, pair in enumerate(self._pairs)
            for run in range(_RUNS)
            for prediction in answer_pair(pair, weights.get(place, 0), run)
        ]

    def learn(self, seen: Mapping[str, float]) -> None:
        """Read the bits that were asked for off the scores, where the scores of cells are shown."""
        for cell, places in self._list_asked().items():
            value = seen.get(f"{cell}|accuracy")
            if value is None:
                continue
            of_cell = [n for n, pair in enumerate(self._pairs) if pair[0].cell == cell]
            by_chance = sum(6 - _split(places.get(n, 0))[1] for n in of_cell)
            n_answers = 2 * 3 * _RUNS * len(of_cell)
            total = round(value * n_answers) - by_chance
            self.bits |= _solve(places, total)

    def guess(self) -> list[Prediction]:
        """Return the best file that follows from what is known: the known bits, and the others as if set."""
        answers = []
        for place, (first, second) in enumerate(self._pairs):
            paths = sorted(first.claims)
            right = paths if self.bits.get(place, True) else paths[::-1]
            for clip, path in zip((first, second), right, strict=True):
                said = {clip.choice.id: "ABCD"[clip.choice.options.index(path)]}
                said |= {item_id: str(claim == path) for claim, item_id in clip.claims.items()}
                answers += [Prediction(name, run, text) for name, text in said.items() for run in range(_RUNS)]
        return answers

    def _list_asked(self) -> dict[str, dict[int, int]]:
        """Return cell → place of a pair → the weight by which it is asked for next."""
        asked: dict[str, dict[int, int]] = defaultdict(dict)
        for place, (clip, _) in enumerate(self._pairs):
            places = asked[clip.cell]
            if place not in self.bits and len(places) < len(WEIGHTS):
                places[place] = WEIGHTS[len(places)]
        return asked


def _solve(weights: Mapping[int, int], total: int) -> dict[int, bool]:
    """Return which weights add up to a total."""
    for number in range(2 ** len(weights)):
        chosen = {place: bool(number >> at & 1) for at, place in enumerate(weights)}
        if sum(weights[place] for place, is_set in chosen.items() if is_set) == total:
            return chosen
    raise ValueError(f"no bits give {total}")


def list_seen(benchmark: Benchmark, key: AnswerKey, predictions: Sequence[Prediction]) -> dict[str, float]:
    """Return every score of a file that its owner sees."""
    report = benchmark.score(key, predictions)
    return {f"{name}|{metric}": one.value for name, metric, one in benchmark.disclose(report) if one.value is not None}


def attack(benchmark: Benchmark, key: AnswerKey, n_submissions: int) -> Attacker:
    """Send files one after another and return what the attacker knows in the end."""
    attacker = Attacker(read_pairs(benchmark, key))
    for _ in range(n_submissions):
        attacker.learn(list_seen(benchmark, key, attacker.make_file()))
    return attacker


def main() -> int:
    """Print what an attacker gains in a day, in a month and overall, over several keys."""
    parser = argparse.ArgumentParser(prog="python -m bench.key_attack", description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=3, help="how many keys are attacked")
    n_seeds = parser.parse_args().seeds
    benchmark = get_benchmark("audio-motion-bench")
    print("submissions  bits read, of 336  score of a second account")
    for n in (0, 1, PER_DAY, 4, 6, PER_MONTH):
        bits, scores = [], []
        for seed in range(n_seeds):
            key = benchmark.make_key("test", f"attacked-{seed}")
            attacker = attack(benchmark, key, n)
            bits.append(len(attacker.bits))
            scores.append(benchmark.score(key, attacker.guess()).scores["overall"]["accuracy"].value or 0.0)
        print(f"{n:11}  {sum(bits) / n_seeds:17.0f}  {100 * sum(scores) / n_seeds:22.1f} %")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
