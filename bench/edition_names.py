"""Prediction of the names and seeds of an edition from those of closed ones."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from bench.disclosed_features import DisclosedItem, cut_name
from evaluation.types import OPTION_LETTERS

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
DIGITS = "0123456789abcdef"


def cut_seed(seed: str) -> str:
    """Return the derived part of an edition's seed. Owners never see it; this attacker does."""
    return seed.rpartition(".")[2]


def list_names(items: Sequence[DisclosedItem]) -> list[str]:
    """Return the drawn letters of IDs in the order of texts and answers, which editions share."""

    def describe(item: DisclosedItem) -> tuple[object, ...]:
        question, right = item.question, item.right
        answer = question.options[OPTION_LETTERS.index(right)] if question.options and len(right) == 1 else right
        return question.task, question.text, sorted(question.options), question.steps, answer

    return [cut_name(item.question.name) for item in sorted(items, key=describe)]


def predict_letters(
    seen: Sequence[Sequence[str]], ids: Sequence[str], following: Sequence[str], own_id: str, alphabet: str
) -> Mapping[str, float]:
    """Return how often each method predicts a letter of an edition's names.

    Args:
        seen: Names of each closed edition.
        ids: Letters of the IDs of these editions.
        following: Names of the next edition.
        own_id: Letters of its ID.
        alphabet: Letters of names.
    """
    n_letters = len(alphabet)
    table = np.stack([_number_letters(names, alphabet) for names in seen])
    truth = _number_letters(following, alphabet)
    counts = np.stack([(table == letter).sum(axis=0) for letter in range(n_letters)])
    step = table[-1] - table[-2] if len(table) > 1 else np.zeros_like(truth)
    pairs = table[..., :-1] * n_letters + table[..., 1:]
    likeliest = np.bincount(pairs.ravel(), minlength=n_letters**2).reshape(n_letters, n_letters).argmax(axis=1)
    places = np.arange(truth.shape[1])
    votes = np.zeros((truth.shape[1], n_letters))
    for edition, names in zip(ids, table, strict=True):
        n_alike = sum(one == other for one, other in zip(edition, own_id, strict=True))
        np.add.at(votes, (np.broadcast_to(places, names.shape), names), n_alike)
    return {
        "same place": float((counts.argmax(axis=0) == truth).mean()),
        "step": float(((table[-1] + step) % n_letters == truth).mean()),
        "preceding letter": float((likeliest[truth[:, :-1]] == truth[:, 1:]).mean()),
        "ID of the edition": float((votes.argmax(axis=1) == truth).mean()),
    }


def _number_letters(names: Sequence[str], alphabet: str) -> NDArray[np.int64]:
    return np.array([[alphabet.index(letter) for letter in name] for name in names])
