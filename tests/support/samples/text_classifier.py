"""Text-only classifier: logistic regression over word and character n-grams.

It stands for anyone who learns from the public practice sets which wordings tend to be wrong. It shares no code with
the generator of the texts.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from zlib import crc32

import numpy as np
import scipy.optimize
import scipy.sparse
import scipy.special
from numpy.typing import NDArray

N_FEATURES = 2**16
_WORD = re.compile(r"\w+|[^\w\s]")


def measure_auroc(scores: NDArray[np.float64], truth: NDArray[np.bool_]) -> float:
    """Return the probability that an erroneous text scores higher than a right one; ties count half.

    AUROC = (mean rank of the erroneous − (n₁ + 1)/2) / n₀, in [0, 1]; undefined where one kind is missing.
    """
    values, places, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    n_wrong = int(truth.sum())
    return float((ranks[truth].mean() - (n_wrong + 1) / 2) / (len(values[places]) - n_wrong))


def learn_and_score(
    known: Sequence[str], truth: NDArray[np.bool_], unknown: Sequence[str], penalty: float = 3.0
) -> NDArray[np.float64]:
    """Train on known texts, and return a score for each unknown text: the higher, the likelier an error."""
    return learn_features(_count_grams(known), truth, _count_grams(unknown), penalty)


def learn_features(
    known: scipy.sparse.csr_matrix,
    truth: NDArray[np.bool_],
    unknown: scipy.sparse.csr_matrix,
    penalty: float = 3.0,
    max_steps: int = 200,
) -> NDArray[np.float64]:
    """Train on rows of binary features, and return a score for each unknown row: the higher, the likelier true."""
    weight = np.log((1 + known.shape[0]) / (1 + np.bincount(known.indices, minlength=N_FEATURES))) + 1
    scaled = _normalise(known @ scipy.sparse.diags(weight))
    labels = np.where(truth, 1.0, -1.0)

    def lose(coefficients: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margins = labels * (scaled @ coefficients[:-1] + coefficients[-1])
        pulls = -labels * scipy.special.expit(-margins)
        loss = np.logaddexp(0, -margins).sum() + penalty / 2 * coefficients[:-1] @ coefficients[:-1]
        return float(loss), np.append(scaled.T @ pulls + penalty * coefficients[:-1], pulls.sum())

    start = np.zeros(N_FEATURES + 1)
    found = scipy.optimize.minimize(lose, start, jac=True, method="L-BFGS-B", options={"maxiter": max_steps}).x
    scores = _normalise(unknown @ scipy.sparse.diags(weight)) @ found[:-1]
    return np.asarray(scores, np.float64)


def cross_validate(
    texts: Sequence[str], truth: NDArray[np.bool_], groups: Sequence[str], n_folds: int = 6, penalty: float = 3.0
) -> float:
    """Return the AUROC over all texts, each scored by a model trained on other groups."""
    names = sorted(set(groups))
    fold_of = {name: place % n_folds for place, name in enumerate(names)}
    folds = np.array([fold_of[group] for group in groups])
    scores = np.zeros(len(texts))
    for fold in range(n_folds):
        inside = folds == fold
        known = [text for text, is_inside in zip(texts, inside, strict=True) if not is_inside]
        unknown = [text for text, is_inside in zip(texts, inside, strict=True) if is_inside]
        learnt = learn_and_score(known, truth[~inside], unknown, penalty)
        # Models of different folds have different scales; ranks within a fold are comparable.
        scores[inside] = (np.argsort(np.argsort(learnt)) + 0.5) / len(learnt)
    return measure_auroc(scores, truth)


def hash_features(rows: Iterable[Iterable[str]]) -> scipy.sparse.csr_matrix:
    """Return rows of named binary features as a matrix."""
    return _stack_rows(
        [np.unique([crc32(name.encode()) % N_FEATURES for name in row]).astype(np.int32) for row in rows]
    )


def _count_grams(texts: Sequence[str]) -> scipy.sparse.csr_matrix:
    return _stack_rows([_hash_grams(text.lower()) for text in texts])


def _stack_rows(columns: Sequence[NDArray[np.int32]]) -> scipy.sparse.csr_matrix:
    ends = np.cumsum([0, *map(len, columns)])
    return scipy.sparse.csr_matrix((np.ones(ends[-1]), np.concatenate(columns), ends), shape=(len(columns), N_FEATURES))


@cache
def _hash_grams(text: str) -> NDArray[np.int32]:
    """Return the features of a text in ascending order, cached because every fold needs them again."""
    return np.unique(np.array([crc32(gram.encode()) % N_FEATURES for gram in _list_grams(text)], np.int32))


def _list_grams(text: str) -> list[str]:
    """Return word n-grams of 1 to 3 and character n-grams of 2 to 5, marked by kind."""
    words = _WORD.findall(text)
    runs = ["w " + " ".join(words[at : at + n]) for n in (1, 2, 3) for at in range(len(words) - n + 1)]
    edged = f" {text} "
    return runs + ["c " + edged[at : at + n] for n in (2, 3, 4, 5) for at in range(len(edged) - n + 1)]


def _normalise(features: scipy.sparse.csr_matrix) -> scipy.sparse.csr_matrix:
    lengths = np.sqrt(np.asarray(features.multiply(features).sum(axis=1)).ravel())
    return scipy.sparse.csr_matrix(scipy.sparse.diags(1 / np.maximum(lengths, 1e-12)) @ features)
