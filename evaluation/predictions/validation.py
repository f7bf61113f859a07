"""Checking predictions against the questions by id: what is unknown, double or missing is said, line by line."""

import difflib
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from evaluation.predictions.grouping import group_problems
from evaluation.predictions.missing import report_missing
from evaluation.predictions.problems import Parsing, PredictionFileError, Problem, Problems
from evaluation.types import ITEM_ID, AnswerFormat, Item, Prediction

_NO_LINE = -1
_NO_RUN = -2
# One id is like another by this share of its letters. All begin alike, so chance alone comes to 0.7 now and then.
_CLOSE = 0.8
# What people put between an id and what they add to it.
_SEPARATORS = re.compile(r"[/:._ ]")
# So many unknown ids and no known one are no typos.
_FEW = 5


@dataclass(frozen=True, slots=True)
class CatalogueItem:
    """What intake knows of an item. No answer, and no text: a catalogue fits in memory many times over."""

    part: str
    answer_format: AnswerFormat
    runs: tuple[int, ...]
    n_steps: int | None = None


_NOBODY = CatalogueItem("", "text", ())
"""In the place of an item that does not exist: it has no run."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The ids of one benchmark version under one setting.

    Attributes:
        title: Name and version for messages, such as `AudioMotionBench 1.0`.
        items: id → what is known of it.
        runs_are_seeds: Whether a run may be left out for all items of a part (see `Benchmark`).
    """

    title: str
    items: Mapping[str, CatalogueItem]
    runs_are_seeds: bool = False

    def of_parts(self, parts: frozenset[str]) -> Self:
        """Return what is left of the catalogue when only some parts are asked for."""
        kept = {item_id: item for item_id, item in self.items.items() if item.part in parts}
        return self if len(kept) == len(self.items) else replace(self, items=kept)


def make_catalogue(title: str, items: Iterable[Item], *, runs_are_seeds: bool = False) -> Catalogue:
    """Return the catalogue of a list of items."""
    known = {item.id: CatalogueItem(item.part, item.answer_format, item.runs, item.n_steps) for item in items}
    return Catalogue(title, known, runs_are_seeds)


@dataclass(frozen=True, slots=True)
class Validation:
    """The verdict on a file.

    Attributes:
        predictions: Number of readable predictions with a known id and run, each counted once.
        expected: Number of predictions that the parts and runs in the file call for.
        missing: Number of those that are not there.
        problems: The first faults of each kind.
        totals: Kind of fault → number.
        parsing: How many of the predictions were parsed; None where they were not.
        unparsed: Why they were not, in a sentence; None where nobody asked for it.
    """

    predictions: int
    expected: int
    missing: int
    problems: tuple[Problem, ...]
    totals: Mapping[str, int]
    parsing: Parsing | None = None
    unparsed: str | None = None

    @property
    def ok(self) -> bool:
        """Whether the file can be scored."""
        return not self.totals

    def require(self) -> None:
        """Raise when the file cannot be scored.

        Raises:
            PredictionFileError: There are problems.
        """
        if not self.ok:
            raise PredictionFileError(self.problems, sum(self.totals.values()))


class Validator:
    """Checks a stream of predictions as it passes, and gives the verdict at its end.

    Memory holds the place of each id and eight bytes a run of the benchmark, however long the file is.
    """

    def __init__(self, catalogue: Catalogue, problems: Problems, *, allow_missing: bool = False) -> None:
        """Take the ids to check against.

        Args:
            catalogue: What exists.
            problems: Where faults go, together with those of the file's reader.
            allow_missing: Whether a missing run is scored as wrong instead of being a fault.
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
        # Line on which each run was answered; 0 where it was not.
        self._lines = array("q", bytes(8 * n_places))
        if self._n_runs < n_places:
            self._close_gaps()
        self._n_taken = 0
        self._are_runs_shifted = True

    def check(self, predictions: Iterable[Prediction]) -> Iterator[Prediction]:
        """Yield the predictions that are known and new."""
        find, places, lines = self._catalogue.items.get, self._places, self._lines
        for prediction in predictions:
            run = prediction.run
            item, place = find(prediction.id, _NOBODY), places.get(prediction.id, 0)
            # The usual prediction, with which nothing is wrong, is told without a call.
            if run not in item.runs or lines[place + run] or prediction.erroneous is not None:
                problem = self._find_fault(prediction)
                if problem is not None:
                    self._problems.add(problem)
                    continue
            lines[place + run] = prediction.line or _NO_LINE
            self._n_taken += 1
            yield prediction

    def take(self, ids: Sequence[str], runs: Sequence[int], first_line: int) -> bool:
        """Take the predictions of lines that follow each other, if all of them are known and new; else take none.

        Args:
            ids: Of the predictions, which have a response and no verdicts.
            runs: Of the predictions, from 0.
            first_line: Where the first of them stands.
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
        # Of two predictions for one place, the line of one was written over.
        if (lines[places] != numbers).any():
            lines[places] = 0
            return False
        self._n_taken += len(ids)
        return True

    def verdict(self) -> Validation:
        """Return the verdict on everything that passed."""
        missing, expected = self._find_missing()
        if not self._n_taken and not self._problems.total:
            self._problems.add(Problem("empty-file", "The file holds no prediction. Expected is one line a question."))
        self._gather_unknown_ids()
        counts_from_one = self._gather_shifted_runs()
        # Nobody knows what stands in the part of a file that could not be read.
        if not self._allow_missing and not self._problems.was_cut:
            if counts_from_one and missing:
                self._problems.count("missing", len(missing))
            else:
                report_missing(missing, self._problems, is_answered=self._is_answered, has_runs=self._width > 1)
        shown = group_problems(self._problems, self._n_taken)
        return Validation(self._n_taken, expected, len(missing), shown, self._problems.totals)

    def _close_gaps(self) -> None:
        """Mark the places of runs that an item does not have, though others have them."""
        for item_id, item in self._catalogue.items.items():
            for run in set(range(self._width)).difference(item.runs):
                self._lines[self._places[item_id] + run] = _NO_RUN

    def _find_fault(self, prediction: Prediction) -> Problem | None:
        item = self._catalogue.items.get(prediction.id)
        if item is None:
            return self._unknown_id(prediction)
        if prediction.run not in item.runs:
            self._are_runs_shifted &= prediction.run == max(item.runs) + 1
            return unknown_run(prediction, item.runs)
        if self._lines[self._places[prediction.id] + prediction.run]:
            return self._duplicate(prediction)
        if prediction.erroneous is not None:
            return _wrong_verdicts(prediction, item)
        return None

    def _unknown_id(self, prediction: Prediction) -> Problem:
        close: list[str] = []
        if self._problems.has_room("unknown-id"):
            close = self._find_within(prediction.id) or difflib.get_close_matches(
                prediction.id, self._catalogue.items, n=1, cutoff=_CLOSE
            )
        meant = f" Did you mean `{close[0]}`?" if close else ""
        return Problem(
            "unknown-id",
            f"{_where(prediction)}: id `{_short(prediction.id)}` is not in {self._catalogue.title}.{meant} "
            "Ids are copied from questions.jsonl.",
            prediction.line,
            _short(prediction.id),
        )

    def _find_within(self, item_id: str) -> list[str]:
        """Return the known ids of which an unknown one is made, with something added or in capitals."""
        return [part for part in _SEPARATORS.split(item_id.lower()) if part in self._catalogue.items]

    def _gather_unknown_ids(self) -> None:
        """Say once of a file without any known id that it is about other questions."""
        total = self._problems.total
        if self._n_taken or total < _FEW or set(self._problems.totals) != {"unknown-id"}:
            return
        first = self._problems.shown[0]
        none = f"None of the file's {total:,} predictions has an id of {self._catalogue.title}"
        if self._find_within(first.id or ""):
            cause = ". Use the ids as they are, with nothing added to them"
        else:
            cause = ": perhaps they answer another pack, such as that of the practice questions or of another version"
        self._problems.show_only(replace(first, message=f"{first.message} {none}{cause}."))

    def _gather_shifted_runs(self) -> bool:
        """Say once of a file that its runs are counted from 1, and tell whether they are."""
        firsts = (self._lines[place] for place in self._places.values())
        is_other_fault = set(self._problems.totals) != {"unknown-run"} or not self._are_runs_shifted
        # Of several runs, all but the last exist and were taken.
        if is_other_fault or (self._width > 1 and not self._n_taken) or any(firsts):
            return False
        first = self._problems.shown[0]
        runs = "1" if self._width == 1 else f"1–{self._width}"
        message = f"Runs are counted from 0; yours are {runs}. Subtract 1 from every `run`."
        self._problems.show_only(replace(first, message=message))
        return True

    def _duplicate(self, prediction: Prediction) -> Problem:
        first = self._lines[self._places[prediction.id] + prediction.run]
        earlier = f"line {first}" if first != _NO_LINE else "earlier"
        return Problem(
            "duplicate",
            f"{_where(prediction)}: run {prediction.run} of `{prediction.id}` was already answered ({earlier}). "
            "Keep one of the two.",
            prediction.line,
            prediction.id,
        )

    def _find_missing(self) -> tuple[list[tuple[str, int]], int]:
        """Return the absent runs and how many there should be: all of each part in the file.

        Where runs are decoding seeds, only those numbers that the file uses in the part.
        """
        if self._n_taken == self._n_runs:
            return [], self._n_taken
        used: dict[str, set[int]] = {}
        known = [(item_id, item, self._places[item_id]) for item_id, item in self._catalogue.items.items()]
        for _, item, place in known:
            used.setdefault(item.part, set()).update(run for run in item.runs if self._lines[place + run])
        n_expected, missing = 0, []
        for item_id, item, place in known:
            for run in item.runs if used[item.part] else ():
                if run in used[item.part] or not self._catalogue.runs_are_seeds:
                    n_expected += 1
                    if not self._lines[place + run]:
                        missing.append((item_id, run))
        return missing, n_expected

    def _is_answered(self, item_id: str) -> bool:
        """Tell whether any run of an item has a prediction."""
        place = self._places[item_id]
        return any(self._lines[place + run] for run in self._catalogue.items[item_id].runs)


def unknown_run(prediction: Prediction, runs: Sequence[int]) -> Problem:
    """Return the fault of a run that the item does not have."""
    return Problem(
        "unknown-run",
        f"{_where(prediction)}: run {prediction.run} of `{_short(prediction.id)}` does not exist. "
        f"Its runs are {', '.join(str(run) for run in runs)}.",
        prediction.line,
        _short(prediction.id),
    )


def _wrong_verdicts(prediction: Prediction, item: CatalogueItem) -> Problem | None:
    """Find what is wrong with step verdicts: they answer another form of question, or are not one a step."""
    where = f"{_where(prediction)}: `{_short(prediction.id)}`"
    if item.n_steps is None:
        message = f"{where} is answered by a `response`, not by `erroneous`: nothing is judged step by step in it."
        return Problem("wrong-form", message, prediction.line, prediction.id)
    n_verdicts = len(prediction.erroneous or ())
    if n_verdicts != item.n_steps:
        message = f"{where} has {item.n_steps} steps and {n_verdicts:,} verdicts. Give one verdict a step, in order."
        return Problem("wrong-length", message, prediction.line, prediction.id)
    return None


def _where(prediction: Prediction) -> str:
    return f"Line {prediction.line}" if prediction.line is not None else "A prediction"


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"
