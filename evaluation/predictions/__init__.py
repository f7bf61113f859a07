"""Prediction files: reading and validation."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.predictions.formats import check_rows, read_rows
from evaluation.predictions.id_faults import FindElsewhere
from evaluation.predictions.missing import ALLOW_MISSING_LABEL
from evaluation.predictions.problems import (
    Cause,
    FileFaultError,
    Parsing,
    PredictionFileError,
    Problem,
    Problems,
    UnreadableExample,
    Validation,
)
from evaluation.predictions.question_catalogue import Catalogue, CatalogueItem, make_catalogue
from evaluation.predictions.unreadable_answers import TOO_LONG, Options, Parser
from evaluation.predictions.validation import Validator, unknown_run
from evaluation.streams import find_edition_of_name
from evaluation.types import Prediction

_LOOKED_AT = 10
"""Answers whose IDs are looked at: the first may have a mistyped one."""
_MAX_FAULTS = 100
"""Faulty lines before the first answers, after which no more are read: the check itself reports them."""


class _FewProblems(Problems):
    """Counts errors, and ends the reading after a few."""

    def add(self, problem: Problem) -> None:
        """Count an error.

        Raises:
            FileFaultError: There are too many.
        """
        super().add(problem)
        if self.total > _MAX_FAULTS:
            raise FileFaultError("faulty", "Too many faulty lines.")


def catalogue_of(benchmark: Benchmark, key: AnswerKey, setting: str) -> Catalogue:
    """Return the catalogue of a key's questions in a setting."""
    title = f"{benchmark.title} {benchmark.version} ({key.split})"
    items = benchmark.content(key).items
    whole = make_catalogue(title, items, runs_are_seeds=benchmark.runs_are_seeds)
    return whole.select_setting(benchmark, setting)


def read_predictions(path: Path, benchmark: Benchmark | str) -> Iterator[Prediction]:
    """Yield the predictions of a file in order; checking IDs needs a catalogue.

    Args:
        path: A prediction file.
        benchmark: Benchmark of the file, as an object or by ID.

    Raises:
        PredictionFileError: At the end of the file, if a line could not be read.
        UnknownBenchmarkError: No benchmark has this ID.
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


def find_edition_of_file(file: BinaryIO) -> str:
    """Return the edition that the first readable answers of a file claim to belong to; empty if they name none."""
    answers = itertools.islice(read_rows(file, _FewProblems()), _LOOKED_AT)
    try:
        return next(filter(None, (find_edition_of_name(answer.id) for answer in answers)), "")
    except FileFaultError:  # too many faults; the check reports them
        return ""


def read_checked_predictions(
    file: BinaryIO, catalogue: Catalogue, *, allow_missing: bool = False, must_answer: bool = False
) -> Iterator[Prediction]:
    """Yield the known and unique predictions of a file.

    Args:
        file: A prediction file.
        catalogue: Catalogue of valid IDs.
        allow_missing: Whether missing runs are scored as wrong instead of being errors.
        must_answer: Whether a file of empty responses is rejected, as it is at submission; files accepted earlier stay
            scored.

    Raises:
        PredictionFileError: At the end of the file, if it has errors.
    """
    problems = Problems()
    validator = Validator(catalogue, problems, allow_missing=allow_missing, must_answer=must_answer)
    yield from check_rows(file, problems, validator, keep=True)
    validator.verdict().require()


def validate_predictions(
    file: BinaryIO,
    catalogue: Catalogue,
    *,
    allow_missing: bool = False,
    options: Options | None = None,
    find_elsewhere: FindElsewhere | None = None,
) -> Validation:
    """Read a whole file and return the verdict without storing predictions.

    Args:
        file: A prediction file.
        catalogue: Catalogue of valid IDs.
        allow_missing: Whether missing runs are scored as wrong instead of being errors.
        options: Options of the runs, for parsing the predictions; None to skip parsing.
        find_elsewhere: Finds the other questions that an unknown ID belongs to.
    """
    problems = Problems()
    validator = Validator(
        catalogue, problems, allow_missing=allow_missing, must_answer=True, find_elsewhere=find_elsewhere
    )
    predictions = check_rows(file, problems, validator, keep=options is not None)
    if options is None:
        for _ in predictions:
            pass
        return validator.verdict()
    parser = Parser(catalogue, options)
    parser.parse(predictions)
    parsing = parser.result()
    return replace(validator.verdict(), parsing=parsing, unparsed=TOO_LONG if parsing is None else None)


__all__ = [
    "ALLOW_MISSING_LABEL",
    "Catalogue",
    "CatalogueItem",
    "Cause",
    "FindElsewhere",
    "Options",
    "Parsing",
    "PredictionFileError",
    "Problem",
    "Problems",
    "UnreadableExample",
    "Validation",
    "Validator",
    "catalogue_of",
    "find_edition_of_file",
    "make_catalogue",
    "read_checked_predictions",
    "read_predictions",
    "validate_predictions",
]
