"""Selection of a round's questions: determined by a seed and a number, balanced over parts and tasks. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from evaluation.streams import stream
from evaluation.types import Item
from submissions.errors import BadRequestError

LENGTHS = (10, 20, 40)
LARGEST_SEED = 999_999_999
_Value = TypeVar("_Value")


def list_lengths(n_items: int) -> tuple[int, ...]:
    """Return the lengths of round for which there are enough questions."""
    return tuple(length for length in LENGTHS if length <= n_items)


def draw_round(items: Sequence[Item], n: int, seed: int, name: str) -> tuple[Item, ...]:
    """Return the questions of a round in their order.

    Parts have equal numbers of questions, or differ by one, and so do the tasks of a part, as far as questions are
    available. A recording occurs twice only if there is no other.

    Args:
        items: Available questions.
        n: Length of the round.
        seed: Seed of the selection; equal seeds give equal rounds.
        name: Digest of the questions, on which the selection also depends.

    Raises:
        BadRequestError: No round has this length or seed.
    """
    lengths = list_lengths(len(items))
    if n not in lengths:
        allowed = ", ".join(map(str, lengths)) or "none"
        raise BadRequestError("n", f"A round of {n} questions is not available. Available lengths: {allowed}.")
    if not 0 <= seed <= LARGEST_SEED:
        raise BadRequestError("seed", f"The seed {seed} is out of range. Send a whole number from 0 to {LARGEST_SEED}.")
    rng = stream(name, f"listening|{n}|{seed}")
    parts = _gather(items, [item.part for item in items])
    chosen: list[Item] = []
    for part, n_of_part in share(n, {name: len(found) for name, found in parts.items()}, rng).items():
        tasks = _gather(parts[part], [item.task for item in parts[part]])
        for task, n_of_task in share(n_of_part, {name: len(found) for name, found in tasks.items()}, rng).items():
            chosen += _pick(tasks[task], n_of_task, {clip for item in chosen for clip in item.clips}, rng)
    return tuple(chosen[at] for at in rng.permutation(len(chosen)))


def share(n: int, capacities: Mapping[str, int], rng: np.random.Generator) -> dict[str, int]:
    """Return name → share of n: equal, or different by one, and never more than available.

    >>> sorted(share(7, {"a": 1, "b": 9, "c": 9}, np.random.default_rng(1)).values())
    [1, 3, 3]
    """
    names = sorted(capacities)
    order = [names[at] for at in rng.permutation(len(names))]
    shares = dict.fromkeys(order, 0)
    left = min(n, sum(capacities.values()))
    while left:
        for name in order:
            if left and shares[name] < capacities[name]:
                shares[name] += 1
                left -= 1
    return shares


def name_groups(items: Iterable[Item]) -> dict[str, str]:
    """Return task → displayed group: the longest path prefixes that are few, but more than one.

    >>> from types import SimpleNamespace as Of
    >>> name_groups([Of(task="a/b/c"), Of(task="a/d/e"), Of(task="a/d/f")])
    {'a/b/c': 'a/b', 'a/d/e': 'a/d', 'a/d/f': 'a/d'}
    """
    tasks = sorted({item.task for item in items})
    deepest = max((task.count("/") + 1 for task in tasks), default=1)
    for depth in range(1, deepest + 1):
        groups = {task: _cut(task, depth) for task in tasks}
        if len(set(groups.values())) > 1:
            return groups
    return {task: task for task in tasks}


def find_common(items: Iterable[Item]) -> str:
    """Return the common path prefix of all tasks; empty if there is none."""
    split = [item.task.split("/") for item in items]
    common = []
    for words in zip(*split, strict=False):
        if len(set(words)) > 1:
            break
        common.append(words[0])
    return "/".join(common)


def _cut(task: str, depth: int) -> str:
    return "/".join(task.split("/")[:depth])


def _gather(values: Sequence[_Value], names: Sequence[str]) -> dict[str, list[_Value]]:
    found: dict[str, list[_Value]] = {}
    for name, value in zip(names, values, strict=True):
        found.setdefault(name, []).append(value)
    return found


def _pick(items: Sequence[Item], n: int, heard: set[str], rng: np.random.Generator) -> list[Item]:
    """Return some questions, those with recordings not used yet first."""
    shuffled = [items[at] for at in rng.permutation(len(items))]
    fresh: list[Item] = []
    for item in shuffled:
        if not heard.intersection(item.clips):
            fresh.append(item)
            heard = heard.union(item.clips)
    first = {item.id for item in fresh}
    again = [item for item in shuffled if item.id not in first]
    return [*fresh, *again][:n]
