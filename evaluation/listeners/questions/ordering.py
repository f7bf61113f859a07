"""Ordering questions: one piece ends as the next one begins."""

import re
from itertools import pairwise, permutations

import numpy as np

from evaluation.listeners.answer_texts import Perception
from evaluation.listeners.ears import Ears
from evaluation.listeners.listener_types import Sound
from evaluation.listeners.questions.listening_task import ListeningTask, is_unknown_option
from evaluation.listeners.words import Wording

_ASKS = Wording("order | sequence | chronolog* | arrange | reorder | happen first | 顺序 | 先后 | 排列")
_NUMBERS = re.compile(r"\d+")
_WHOLE = Wording("whole recording | uncut | full recording | complete recording | entire recording | 完整")
_INDISTINCT = 1e-6


def answer_order(task: ListeningTask) -> Perception | None:
    """Answer in which order several pieces follow each other."""
    if not _ASKS.found_in(task.question.all_words) or len(task.ears) < 3:
        return None
    whole, pieces = _split_recordings(task)
    orders = {place: _parse_order(option.text, len(pieces)) for place, option in enumerate(task.question.options)}
    option_orders = {
        place: order
        for place, order in orders.items()
        if order is not None and not is_unknown_option(task.question.options[place].text)
    }
    if len(option_orders) < 2:
        return None
    costs = _find_costs(whole, pieces)
    least = min(costs[order] for order in option_orders.values())
    choice = task.break_tie([place for place, order in option_orders.items() if costs[order] <= least + _INDISTINCT])
    listed = ", then ".join(f"clip {number + 1}" for number in option_orders[choice])
    return Perception(f"It goes on most smoothly as {listed}", (choice,))


def _split_recordings(task: ListeningTask) -> tuple[Ears | None, tuple[Ears, ...]]:
    """Separate a whole recording from its pieces, by the preceding words and its length."""
    longest = max(range(len(task.ears)), key=lambda place: len(task.ears[place].sound.samples))
    if len(task.ears) > 3 and _WHOLE.found_in(task.question.introductions[longest]):
        return task.ears[longest], task.ears[:longest] + task.ears[longest + 1 :]
    return None, task.ears


def _parse_order(option: str, n: int) -> tuple[int, ...] | None:
    """Return the pieces (from 0) in the order of an option."""
    numbers = tuple(int(number) - 1 for number in _NUMBERS.findall(option))
    return numbers if sorted(numbers) == list(range(n)) else None


def _find_costs(whole: Ears | None, pieces: tuple[Ears, ...]) -> dict[tuple[int, ...], float]:
    """Return the misfit of every order."""
    orders = list(permutations(range(len(pieces))))
    if whole is not None:
        places = [_find_piece(whole.sound, piece.sound) for piece in pieces]
        return {order: sum(max(places[a] - places[b], 0.0) for a, b in pairwise(order)) for order in orders}
    edges = [piece.edges for piece in pieces]
    return {order: sum(edges[a][1].strangeness(edges[b][0]) for a, b in pairwise(order)) for order in orders}


def _find_piece(whole: Sound, piece: Sound) -> float:
    """Return where a piece starts in a recording, in seconds."""
    long, short = whole.samples.mean(axis=1), piece.samples.mean(axis=1)
    size = 1 << (len(long) + len(short)).bit_length()
    product = np.fft.irfft(np.fft.rfft(long, size) * np.conj(np.fft.rfft(short, size)), size)
    energy = np.cumsum(np.concatenate([[0.0], long**2]))
    last = max(len(long) - len(short), 0) + 1
    ends = np.minimum(np.arange(last) + len(short), len(long))
    likeness = product[:last] / np.sqrt(np.maximum(energy[ends] - energy[:last], 1e-12))
    return float(np.argmax(likeness)) / whole.rate
