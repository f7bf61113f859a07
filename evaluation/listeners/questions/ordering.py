"""In which order were the pieces? One piece ends as the next begins."""

import re
from itertools import pairwise, permutations

import numpy as np

from evaluation.listeners.answer_texts import Perception
from evaluation.listeners.ears import Ears
from evaluation.listeners.listener_types import Sound
from evaluation.listeners.questions.listening_task import ListeningTask, is_way_out
from evaluation.listeners.words import Wording

_ASKS = Wording("order | sequence | chronolog* | arrange | reorder | happen first | 顺序 | 先后 | 排列")
_NUMBERS = re.compile(r"\d+")
_WHOLE = Wording("whole recording | uncut | full recording | complete recording | entire recording | 完整")
_INDISTINCT = 1e-6


def answer_order(asked: ListeningTask) -> Perception | None:
    """Answer in which order several pieces follow each other."""
    if not _ASKS.found_in(asked.question.all_words) or len(asked.ears) < 3:
        return None
    whole, pieces = _split(asked)
    orders = {place: _order(option.text, len(pieces)) for place, option in enumerate(asked.question.options)}
    known = {
        place: order
        for place, order in orders.items()
        if order is not None and not is_way_out(asked.question.options[place].text)
    }
    if len(known) < 2:
        return None
    costs = _costs(whole, pieces)
    least = min(costs[order] for order in known.values())
    choice = asked.guess([place for place, order in known.items() if costs[order] <= least + _INDISTINCT])
    listed = ", then ".join(f"clip {number + 1}" for number in known[choice])
    return Perception(f"It goes on most smoothly as {listed}", (choice,))


def _split(asked: ListeningTask) -> tuple[Ears | None, tuple[Ears, ...]]:
    """Tell a whole recording from its pieces, by the words before it and its length."""
    longest = max(range(len(asked.ears)), key=lambda place: len(asked.ears[place].sound.samples))
    if len(asked.ears) > 3 and _WHOLE.found_in(asked.question.introductions[longest]):
        return asked.ears[longest], asked.ears[:longest] + asked.ears[longest + 1 :]
    return None, asked.ears


def _order(option: str, n: int) -> tuple[int, ...] | None:
    """Return the pieces (from 0) in the order that an option names."""
    numbers = tuple(int(number) - 1 for number in _NUMBERS.findall(option))
    return numbers if sorted(numbers) == list(range(n)) else None


def _costs(whole: Ears | None, pieces: tuple[Ears, ...]) -> dict[tuple[int, ...], float]:
    """Return for every order how little it fits."""
    orders = list(permutations(range(len(pieces))))
    if whole is not None:
        places = [_find_piece(whole.sound, piece.sound) for piece in pieces]
        return {order: sum(max(places[a] - places[b], 0.0) for a, b in pairwise(order)) for order in orders}
    edges = [piece.edges for piece in pieces]
    return {order: sum(edges[a][1].strangeness(edges[b][0]) for a, b in pairwise(order)) for order in orders}


def _find_piece(whole: Sound, piece: Sound) -> float:
    """Return where in a recording a piece of it begins, in seconds."""
    long, short = whole.samples.mean(axis=1), piece.samples.mean(axis=1)
    size = 1 << (len(long) + len(short)).bit_length()
    product = np.fft.irfft(np.fft.rfft(long, size) * np.conj(np.fft.rfft(short, size)), size)
    energy = np.cumsum(np.concatenate([[0.0], long**2]))
    last = max(len(long) - len(short), 0) + 1
    ends = np.minimum(np.arange(last) + len(short), len(long))
    likeness = product[:last] / np.sqrt(np.maximum(energy[ends] - energy[:last], 1e-12))
    return float(np.argmax(likeness)) / whole.rate
