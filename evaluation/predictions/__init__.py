"""Prediction files: reading them, and saying what is wrong with them."""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.predictions.formats import check_rows, read_rows
from evaluation.predictions.problems import PredictionFileError, Problem, Problems
from evaluation.predictions.validation import (
    Catalogue,
    CatalogueItem,
    Validation,
    Validator,
    make_catalogue,
    unknown_run,
)
from evaluation.types import Prediction


def catalogue_of(benchmark: Benchmark, key: AnswerKey, setting: str) -> Catalogue:
    """Return the catalogue of a key's questions under a setting."""
    title = f"{benchmark.title} {benchmark.version} ({key.split})"
    items = benchmark.content(key).items
    return make_catalogue(title, items, runs_are_seeds=benchmark.runs_are_seeds).of_parts(benchmark.parts_of(setting))


def read_predictions(path: Path, benchmark: Benchmark | str) -> Iterator[Prediction]:
    """Yield the predictions of a file as they stand in it; ids are not checked, which takes a catalogue.

    Args:
        path: A prediction file.
        benchmark: What the file answers, as an object or by id.

    Raises:
        PredictionFileError: At the end of the file, when a line of it could not be read.
        UnknownBenchmarkError: No benchmark has this id.
    """
    n_runs = (get_benchmark(benchmark) if isinstance(benchmark, str) else benchmark).n_runs
    problems = Problems()
    with path.open("rb") as file:
        for prediction in read_rows(file, problems):
            if prediction.run < n_runs:
                yield prediction
            else:
                problems.add(unknown_run(prediction, range(n_runs)))
    if problems.total:
        raise PredictionFileError(problems.shown, problems.total)


def read_checked_predictions(
    file: BinaryIO, catalogue: Catalogue, *, allow_missing: bool = False
) -> Iterator[Prediction]:
    """Yield the predictions of a file that are known and new.

    Raises:
        PredictionFileError: At the end of the file, when anything was wrong with it.
    """
    problems = Problems()
    validator = Validator(catalogue, problems, allow_missing=allow_missing)
    yield from check_rows(file, problems, validator, keep=True)
    validator.verdict().require()


def validate_predictions(file: BinaryIO, catalogue: Catalogue, *, allow_missing: bool = False) -> Validation:
    """Read a file to its end and return the verdict; nothing of it is kept."""
    problems = Problems()
    validator = Validator(catalogue, problems, allow_missing=allow_missing)
    for _ in check_rows(file, problems, validator, keep=False):
        pass
    return validator.verdict()


__all__ = [
    "Catalogue",
    "CatalogueItem",
    "PredictionFileError",
    "Problem",
    "Problems",
    "Validation",
    "Validator",
    "catalogue_of",
    "make_catalogue",
    "read_checked_predictions",
    "read_predictions",
    "validate_predictions",
]
