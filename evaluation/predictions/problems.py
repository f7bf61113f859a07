"""Problems of a prediction file with their fixes."""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from evaluation.errors import EvaluationError

SHOWN_OF_A_KIND = 50
_MAX_CAUSES = 200
_N_EXAMPLES = 3
FEWEST_ALIKE = 4
"""Number of errors from which one kind is one problem: three are listed, each with its details."""
MAX_FAULTS = 20_000
"""Number of errors after which reading stops. Each takes 15 to 35 µs, and a million of them compress to 3 kB."""
MAX_EMPTY_LINES = 1_000_000
"""Number of empty lines after which reading stops: they are skipped a hundred times as fast as errors are explained."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Shared cause of the same error on several lines, with the fix.

    Attributes:
        everywhere: The sentence if every line of a file has the error.
        somewhere: The predicate of a sentence about some of the lines; empty if `everywhere` fits them too.
        fewest: Number of errors from which they become one problem; fewer are listed one by one. A single error of many
            is always listed as it is.
    """

    everywhere: str
    somewhere: str = ""
    fewest: int = 2


def make_common_cause(what: str, remedy: str = "") -> Cause:
    """Return the cause of errors with the same statement about each line.

    Args:
        what: The predicate for one line, starting with a verb.
        remedy: Further sentences, the same for one and for many lines.

    >>> make_common_cause("has no `id`.").somewhere
    'have no `id`.'
    """
    verb, _, rest = what.partition(" ")
    end = f" {remedy}" if remedy else ""
    return Cause(f"Every line {what}{end}", f"{_PLURALS.get(verb, verb.removesuffix('s'))} {rest}{end}", FEWEST_ALIKE)


_PLURALS = {"has": "have", "is": "are", "was": "were"}


_MIXED = Cause(
    "The lines have many different problems of one kind. Fix the first ones, then check again.",
    "have other problems of this kind. Fix the first ones, then check again.",
)


@dataclass(frozen=True, slots=True)
class Problem:
    """One error.

    Attributes:
        code: Kind of error, such as `unknown-id`.
        message: Finding, allowed values and fix.
        line: 1-based line in the file, or None if there is none.
        id: Item ID in the file, or None.
        cause: Cause that other lines may share, or None.
        details: For a group of errors, the first of them, at most 50 per kind; otherwise empty.
        count: Number of errors in the group.
    """

    code: str
    message: str
    line: int | None = None
    id: str | None = None
    cause: Cause | None = field(default=None, compare=False)
    details: "tuple[Problem, ...]" = field(default=(), compare=False)
    count: int = field(default=1, compare=False)


@dataclass(frozen=True, slots=True)
class UnreadableExample:
    """An unparsed answer as an example.

    Attributes:
        id: ID of the item.
        run: Number of the run.
        line: Line in the file, 1-based, or None.
        response: Its beginning, on one line, without invisible characters.
        reason: Reason in words.
    """

    id: str
    run: int
    line: int | None
    response: str
    reason: str


@dataclass(frozen=True, slots=True)
class Parsing:
    """Numbers of parsed answers.

    Attributes:
        parsed: Number of parsed answers.
        unreadable: Number of unparsed answers, which would count as wrong.
        examples: First unparsed answers.
        reasons: Reason in words → number of unparsed answers, most frequent first.
    """

    parsed: int
    unreadable: int
    examples: tuple[UnreadableExample, ...]
    reasons: Mapping[str, int] = field(default_factory=dict)


_LINE = re.compile(r"\b[Ll]ine(?=s? [0-9])|(?<=\bEvery )line\b|(?<=[0-9] )line(?=s \()|(?<=first in )line\b")


def _write_alike(word: str, original: str) -> str:
    return word.capitalize() if original[0].isupper() else word


class Problems:
    """Collects the first errors of each kind and counts the rest, so that memory stays bounded.

    Attributes:
        was_cut: Whether the file could not be read to its end, so that missing predictions are unknown.
        has_unexplained: Whether lines differ in so many ways that causes are no longer determined.
        place: What `line` counts: a line, or a row or sample of a file without lines.
    """

    def __init__(self) -> None:
        self._shown: list[Problem] = []
        self._counts: Counter[str] = Counter()
        self._first_of_cause: dict[tuple[str, Cause], list[Problem]] = {}
        self._n_of_cause: Counter[tuple[str, Cause]] = Counter()
        self._causes: dict[Hashable, Cause | None] = {}
        self._n_empty_lines = 0
        self.was_cut = False
        self.has_unexplained = False
        self.place = "line"

    def rename_places(self, text: str) -> str:
        """Return a text about lines as one about the places of this file."""
        if self.place == "line":
            return text
        return _LINE.sub(lambda match: _write_alike(self.place, match[0]), text)

    def add(self, problem: Problem) -> None:
        """Count an error, and store it if it is among the first of its kind or cause."""
        cause = problem.cause
        if self.place != "line":
            problem = replace(problem, message=self.rename_places(problem.message))
        if cause is not None and len(self._n_of_cause) >= _MAX_CAUSES and (problem.code, cause) not in self._n_of_cause:
            cause = _MIXED
            problem = replace(problem, cause=cause)
        if self.has_room(problem.code):
            self._shown.append(problem)
        self._counts[problem.code] += problem.count
        if cause is not None:
            self._n_of_cause[problem.code, cause] += 1
            if self._n_of_cause[problem.code, cause] <= _N_EXAMPLES:
                self._first_of_cause.setdefault((problem.code, cause), []).append(problem)

    def change_cause(self, code: str, old: Cause, new: Cause) -> None:
        """Replace a cause of errors by another, which is only known after reading the whole file."""
        n = self._n_of_cause.pop((code, old), 0)
        if not n:
            return
        moved = [replace(problem, cause=new) for problem in self._first_of_cause.pop((code, old))]
        there = self._first_of_cause.get((code, new), [])
        both = sorted((*there, *moved), key=lambda problem: problem.line or 0)
        self._first_of_cause[code, new] = both[:_N_EXAMPLES]
        self._n_of_cause[code, new] += n
        self._shown = [
            replace(problem, cause=new) if (problem.code, problem.cause) == (code, old) else problem
            for problem in self._shown
        ]

    def find_cause(self, key: Hashable, find: Callable[[], Cause | None]) -> Cause | None:
        """Return the cause of similar errors, determined once and only for a limited number of kinds.

        Args:
            key: Key that errors with the same cause share.
            find: Determines the cause.
        """
        if key not in self._causes:
            if len(self._causes) >= _MAX_CAUSES:
                self.has_unexplained = True
                return None
            self._causes[key] = find()
        return self._causes[key]

    def cut(self, problem: Problem) -> None:
        """Add the error that ended reading."""
        self.add(problem)
        self.was_cut = True

    def require_patience(self, line: int) -> None:
        """End reading of a file that contains only errors.

        Raises:
            FileFaultError: There are too many errors.
        """
        if self.total > MAX_FAULTS:
            raise FileFaultError(
                "too-many",
                f"The file has more than {MAX_FAULTS:,} problems up to line {line}; the rest was not read. "
                "Fix the first ones.",
                line,
            )

    def count_empty_line(self, line: int) -> None:
        """Count an empty line; a hundred million of them compress to almost nothing and take as long as a scoring.

        Raises:
            FileFaultError: There are too many empty lines.
        """
        self._n_empty_lines += 1
        if self._n_empty_lines > MAX_EMPTY_LINES:
            raise FileFaultError(
                "too-many",
                f"The file has more than {MAX_EMPTY_LINES:,} empty lines up to line {line}; the rest was not read. "
                "Remove them.",
                line,
            )

    def has_room(self, code: str) -> bool:
        """Return whether another error of this kind would be shown, to avoid building unused messages."""
        return self._counts[code] < SHOWN_OF_A_KIND

    def count(self, code: str, n: int) -> None:
        """Count errors that are not shown individually."""
        if n:
            self._counts[code] += n

    @property
    def total(self) -> int:
        """Total number of errors, shown or not."""
        return self._counts.total()

    @property
    def totals(self) -> dict[str, int]:
        """Kind → number of errors."""
        return dict(self._counts)

    @property
    def first_of_cause(self) -> Mapping[tuple[str, Cause], Sequence[Problem]]:
        """Kind and cause → the first three errors, shown or not."""
        return self._first_of_cause

    @property
    def n_of_cause(self) -> Mapping[tuple[str, Cause], int]:
        """Kind and cause → number of errors, shown or not."""
        return self._n_of_cause

    @property
    def shown(self) -> tuple[Problem, ...]:
        """First errors of each kind, in the order of the file."""
        return tuple(self._shown)


class FileFaultError(EvaluationError):
    """Reading of a file cannot continue after an error, given in `problem`."""

    def __init__(self, code: str, message: str, line: int | None = None) -> None:
        self.problem = Problem(code, message, line)
        super().__init__(message)


class PredictionFileError(EvaluationError):
    """A prediction file cannot be scored; `problems` lists the errors."""

    def __init__(self, problems: Iterable[Problem], total: int) -> None:
        self.problems = tuple(problems)
        self.total = total
        if not self.problems:
            super().__init__("The file cannot be read.")
            return
        first = self.problems[0]
        super().__init__(first.message if total <= first.count else f"{first.message} ({total:,} problems in total.)")


@dataclass(frozen=True, slots=True)
class Validation:
    """Result of validating a file.

    Attributes:
        predictions: Number of distinct valid predictions with a known ID and run.
        expected: Number of predictions that the submitted parts and runs require.
        missing: Number of missing predictions.
        problems: First errors of each kind.
        totals: Kind of error → number.
        parsing: Numbers of parsed predictions; None if parsing was skipped.
        unparsed: Why parsing was skipped, in one sentence; None if it was not requested.
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
        """Raise an error if the file cannot be scored.

        Raises:
            PredictionFileError: There are problems.
        """
        if not self.ok:
            raise PredictionFileError(self.problems, sum(self.totals.values()))
