"""Validation of predictions by ID: reports unknown, duplicate and missing predictions by line."""

import difflib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from evaluation.predictions.grouping import group_problems
from evaluation.predictions.id_faults import FindElsewhere, UnknownIds
from evaluation.predictions.missing import report_missing
from evaluation.predictions.problems import (
    FEWEST_ALIKE,
    Cause,
    Problem,
    Problems,
    Validation,
    make_common_cause,
)
from evaluation.predictions.question_catalogue import Catalogue, CatalogueItem
from evaluation.types import ITEM_ID, Prediction

_NO_LINE = -1
_NO_RUN = -2
# Number of unknown IDs for which similar ones are looked up: each takes 30 ms among 2,353 IDs.
_N_SUGGESTED = 10
# Minimum share of common letters for similar IDs. All IDs have a common prefix, so chance alone can reach 0.7.
_CLOSE = 0.8
# A cause applies to the whole file if at most one line in this many contradicts it.
_FEW_OTHERS = 20
_NEXT_RUN = Cause("next run", "next run")
"""Placeholder for the cause of a run that is one above the highest, until the whole file is read."""
_AGAIN = Cause(
    "Every line answers a run that already has an answer. Keep one answer per run.",
    "answer a run that already has an answer. Keep one answer per run.",
    FEWEST_ALIKE,
)
_ALL_OF_RUN_0 = Cause(
    'Questions have several answers, all of run 0 (a line without "run" is run 0). Number the answers of a question '
    '"run": 0, 1, 2, or keep one per question.'
)
_NO_STEPS = make_common_cause("has verdicts for a question without steps.", "Answer it with a `response`.")
_OTHER_STEPS = make_common_cause(
    "has a different number of verdicts than its question has steps.", "Give one verdict per step, in order."
)


_NOBODY = CatalogueItem("", "text", ())
"""Placeholder for an item that does not exist: it has no run."""


class _HasResponse(Protocol):
    """Anything with a response."""

    @property
    def response(self) -> str | None:
        """The model's text, if any."""


class Validator:
    """Checks a stream of predictions, and returns the verdict at its end.

    Memory holds the position of each ID and eight bytes per run of the benchmark, however long the file is.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        problems: Problems,
        *,
        allow_missing: bool = False,
        must_answer: bool = False,
        find_elsewhere: FindElsewhere | None = None,
    ) -> None:
        """Create a validator.

        Args:
            catalogue: Catalogue of valid IDs.
            problems: Collects the errors, together with those of the file's reader.
            allow_missing: Whether missing runs are scored as wrong instead of being errors.
            must_answer: Whether to reject a file in which every response is empty.
            find_elsewhere: Finds the other questions that an unknown ID belongs to.
        """
        self._catalogue = catalogue
        self._problems = problems
        self._allow_missing = allow_missing
        n_items_of = Counter(item.runs for item in catalogue.items.values())
        self._width = 1 + max((max(runs) for runs in n_items_of), default=0)
        self._n_runs = sum(len(runs) * n_items for runs, n_items in n_items_of.items())
        n_places = self._width * len(catalogue.items)
        self._places = dict(zip(catalogue.items, range(0, n_places, self._width), strict=True))
        self._has_plain_ids = all(map(ITEM_ID.fullmatch, catalogue.items))
        # Line of each answered run; 0 for unanswered ones.
        self._lines = array("q", bytes(8 * n_places))
        if self._n_runs < n_places:
            self._close_gaps()
        self._n_taken = 0
        self._n_looked_up = 0
        self._needs_answer = must_answer
        self._unknown_ids = UnknownIds(catalogue.title, catalogue.items.keys(), find_elsewhere)
        self._unknown_run = _describe_unknown_run(self._width)

    def check(self, predictions: Iterable[Prediction]) -> Iterator[Prediction]:
        """Yield the known and unique predictions.

        Raises:
            FileFaultError: There are too many errors.
        """
        find, places, lines = self._catalogue.items.get, self._places, self._lines
        for prediction in predictions:
            run = prediction.run
            item, place = find(prediction.id, _NOBODY), places.get(prediction.id, 0)
            # Fast path without a call for the usual valid prediction.
            if run not in item.runs or lines[place + run] or prediction.erroneous is not None:
                problem = self._find_fault(prediction)
                if problem is not None:
                    self._problems.add(problem)
                    self._problems.require_patience(prediction.line or 0)
                    continue
            lines[place + run] = prediction.line or _NO_LINE
            self._n_taken += 1
            if self._needs_answer:
                self.note_answers((prediction,))
            yield prediction

    def note_answers(self, rows: Iterable[_HasResponse]) -> None:
        """Check valid predictions for a non-empty response, until one is found."""
        if self._needs_answer:
            self._needs_answer = not any(
                (row.response and not row.response.isspace()) or getattr(row, "erroneous", None) for row in rows
            )

    def accept_predictions(self, ids: Sequence[str], runs: Sequence[int], first_line: int) -> bool:
        """Accept predictions of consecutive lines if all of them are known and unique; otherwise accept none.

        Args:
            ids: IDs of the predictions, which have a response and no verdicts.
            runs: Runs of the predictions, from 0.
            first_line: Line of the first prediction.
        """
        run_of = np.fromiter(runs, np.int64, len(runs))
        try:
            places = run_of + np.fromiter(map(self._places.__getitem__, ids), np.int64, len(ids))
        except KeyError:
            return False
        lines = np.frombuffer(self._lines, np.int64)
        if not self._has_plain_ids or run_of.max() >= self._width or lines[places].any():
            return False
        numbers = np.arange(first_line, first_line + len(ids))
        lines[places] = numbers
        # If a run has two predictions, one line overwrote the other.
        if (lines[places] != numbers).any():
            lines[places] = 0
            return False
        self._n_taken += len(ids)
        return True

    def verdict(self) -> Validation:
        """Return the verdict on all predictions.

        Predictions that are missing only because all runs are shifted, or are run 0, are counted and not shown: the fix
        of these errors adds them.
        """
        missing, expected = self._find_missing()
        if not self._n_taken and not self._problems.total:
            self._problems.add(Problem("empty-file", "The file is empty. Write one line per question."))
        elif self._needs_answer and self._n_taken > self._problems.total:
            self._problems.add(_describe_empty_responses(self._n_taken))
        self._unknown_ids.merge_causes(self._problems)
        are_runs_wrong = self._explain_next_runs() | self._explain_repeats()
        # The rest of an unreadable file is unknown.
        if not self._allow_missing and not self._problems.was_cut:
            left = [(item, run) for item, run in missing if not (are_runs_wrong and self._is_answered(item))]
            report_missing(left, self._problems, is_answered=self._is_answered, has_runs=self._width > 1)
            self._problems.count("missing", len(missing) - len(left))
        grouped = group_problems(self._problems, self._n_taken)
        return Validation(self._n_taken, expected, len(missing), grouped, self._problems.totals)

    def _close_gaps(self) -> None:
        """Mark runs that an item does not have although others do."""
        for item_id, item in self._catalogue.items.items():
            for run in set(range(self._width)).difference(item.runs):
                self._lines[self._places[item_id] + run] = _NO_RUN

    def _find_fault(self, prediction: Prediction) -> Problem | None:
        item = self._catalogue.items.get(prediction.id)
        if item is None:
            return self._unknown_id(prediction)
        if prediction.run not in item.runs:
            is_next = prediction.run == max(item.runs) + 1
            return replace(unknown_run(prediction, item.runs), cause=_NEXT_RUN if is_next else self._unknown_run)
        if self._lines[self._places[prediction.id] + prediction.run]:
            return self._duplicate(prediction)
        if prediction.erroneous is not None:
            return _wrong_verdicts(prediction, item)
        return None

    def _unknown_id(self, prediction: Prediction) -> Problem:
        cause, known_id = self._unknown_ids.find_cause(prediction.id)
        if known_id is None and self._n_looked_up < _N_SUGGESTED:
            self._n_looked_up += 1
            known_id = next(
                iter(difflib.get_close_matches(prediction.id, self._catalogue.items, n=1, cutoff=_CLOSE)), None
            )
        hint = f" Did you mean `{known_id}`?" if known_id is not None else ""
        return Problem(
            "unknown-id",
            f"{_where(prediction)}: id `{_short(prediction.id)}` is not in {self._catalogue.title}.{hint} "
            "Copy the ids from questions.jsonl.",
            prediction.line,
            _short(prediction.id),
            cause,
        )

    def _list_answered(self) -> NDArray[np.bool_]:
        """Return for each item and run whether it has an answer."""
        lines = np.frombuffer(self._lines, np.int64).reshape(-1, self._width)
        answered: NDArray[np.bool_] = (lines > 0) | (lines == _NO_LINE)
        return answered

    def _explain_next_runs(self) -> bool:
        """Report that a file counts its runs from 1; return whether it does, despite a few other lines."""
        n_next = self._problems.n_of_cause.get(("unknown-run", _NEXT_RUN), 0)
        if not n_next:
            return False
        n_of_runs = self._list_answered().sum(axis=0)
        n_others = self._problems.totals["unknown-run"] - n_next
        # Of several runs, all but the last exist and were accepted.
        is_shifted = max(int(n_of_runs[0]), n_others) * _FEW_OTHERS <= n_next
        is_shifted &= self._width == 1 or bool(n_of_runs[1:].any())
        cause = self._unknown_run
        if is_shifted:
            runs = "1" if self._width == 1 else f"1–{self._width}"
            cause = Cause(f"Runs start at 0; yours are {runs}. Subtract 1 from every `run`.")
        self._problems.change_cause("unknown-run", _NEXT_RUN, cause)
        return is_shifted

    def _explain_repeats(self) -> bool:
        """Report why most answers are in the file several times; return whether all of them are of run 0."""
        n_again = self._problems.n_of_cause.get(("duplicate", _AGAIN), 0)
        if n_again < FEWEST_ALIKE or n_again * 2 < self._n_taken:
            return False
        answered = self._list_answered()
        if self._width > 1 and answered[:, 0].sum() > 1 and not answered[:, 1:].any():
            self._problems.change_cause("duplicate", _AGAIN, _ALL_OF_RUN_0)
            return True
        n_times = round(n_again / self._n_taken) + 1
        if abs(n_again - (n_times - 1) * self._n_taken) * _FEW_OTHERS <= self._n_taken:
            often = "twice" if n_times == 2 else f"{n_times:,} times"
            cause = Cause(f"The file contains every answer {often}. Remove the duplicates.")
            self._problems.change_cause("duplicate", _AGAIN, cause)
        return False

    def _duplicate(self, prediction: Prediction) -> Problem:
        first = self._lines[self._places[prediction.id] + prediction.run]
        earlier = f"line {first}" if first != _NO_LINE else "earlier"
        return Problem(
            "duplicate",
            f"{_where(prediction)}: run {prediction.run} of `{prediction.id}` was already answered ({earlier}). "
            "Keep one.",
            prediction.line,
            prediction.id,
            _AGAIN,
        )

    def _find_missing(self) -> tuple[list[tuple[str, int]], int]:
        """Return the missing runs and the expected number: all runs of each part in the file.

        If runs are decoding seeds, only the runs that the file uses in the part.
        """
        if self._n_taken == self._n_runs:
            return [], self._n_taken
        used_runs: dict[str, set[int]] = {}
        entries = [(item_id, item, self._places[item_id]) for item_id, item in self._catalogue.items.items()]
        for _, item, place in entries:
            used_runs.setdefault(item.part, set()).update(run for run in item.runs if self._lines[place + run])
        n_expected, missing = 0, []
        for item_id, item, place in entries:
            for run in item.runs if used_runs[item.part] else ():
                if run in used_runs[item.part] or not self._catalogue.runs_are_seeds:
                    n_expected += 1
                    if not self._lines[place + run]:
                        missing.append((item_id, run))
        return missing, n_expected

    def _is_answered(self, item_id: str) -> bool:
        """Return whether any run of an item has a prediction."""
        place = self._places[item_id]
        return any(self._lines[place + run] for run in self._catalogue.items[item_id].runs)


def unknown_run(prediction: Prediction, runs: Sequence[int]) -> Problem:
    """Return the error of a run that the item does not have."""
    return Problem(
        "unknown-run",
        f"{_where(prediction)}: run {prediction.run} of `{_short(prediction.id)}` does not exist. "
        f"Its runs are {', '.join(str(run) for run in runs)}.",
        prediction.line,
        _short(prediction.id),
    )


def _wrong_verdicts(prediction: Prediction, item: CatalogueItem) -> Problem | None:
    """Return the error of step verdicts for another question format, or with another number of steps."""
    where = f"{_where(prediction)}: `{_short(prediction.id)}`"
    if item.n_steps is None:
        message = f"{where} needs a `response`, not `erroneous`, because it has no steps."
        return Problem("wrong-form", message, prediction.line, prediction.id, _NO_STEPS)
    n_verdicts = len(prediction.erroneous or ())
    if n_verdicts != item.n_steps:
        message = f"{where} has {item.n_steps} steps, but {n_verdicts:,} verdicts. Give one verdict per step, in order."
        return Problem("wrong-length", message, prediction.line, prediction.id, _OTHER_STEPS)
    return None


def _describe_unknown_run(n_runs: int) -> Cause:
    remedy = 'Each question has one run, 0. Remove "run".'
    if n_runs > 1:
        remedy = f"The runs of a question are 0 to {n_runs - 1}."
    return make_common_cause("has a run that does not exist.", remedy)


def _describe_empty_responses(n: int) -> Problem:
    whose = "The response is" if n == 1 else f"All {n:,} responses are"
    return Problem("empty-responses", f'{whose} empty. Write the model output as "response".', count=n)


def _where(prediction: Prediction) -> str:
    return f"Line {prediction.line}" if prediction.line is not None else "A prediction"


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"
