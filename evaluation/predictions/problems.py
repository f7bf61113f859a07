"""What can be wrong with a prediction file, said so that its owner can mend it."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from evaluation.errors import EvaluationError

SHOWN_OF_A_KIND = 50
_MAX_CAUSES = 200
MOST_FAULTS = 1_000_000
"""After so many faults a file is no longer read: a gigabyte of broken lines would keep a core busy for minutes."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why several lines have the same fault, with the remedy.

    Attributes:
        everywhere: The sentence where every line of a file has it.
        somewhere: The rest of a sentence whose subject is some of the lines.
    """

    everywhere: str
    somewhere: str


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault.

    Attributes:
        code: Kind of fault, such as `unknown-id`.
        message: What was found, what is allowed, what to do.
        line: 1-based line in the file, or None where a line makes no sense.
        id: Item id as the file gives it, or None.
        cause: What other lines may share with this one, or None.
        details: Where it stands for several faults, the first of them, at most 50 of a kind; else nothing.
    """

    code: str
    message: str
    line: int | None = None
    id: str | None = None
    cause: Cause | None = field(default=None, compare=False)
    details: "tuple[Problem, ...]" = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class UnreadableExample:
    """An answer that cannot be read.

    Attributes:
        id: Of the item.
        run: Of the item.
        line: Where it stands in the file, 1-based, or None.
        response: Its beginning, on one line, without characters that nobody sees.
        reason: Why, in words.
    """

    id: str
    run: int
    line: int | None
    response: str
    reason: str


@dataclass(frozen=True, slots=True)
class Parsing:
    """How many answers were parsed.

    Attributes:
        parsed: Number of answers that can be read.
        unreadable: Number of those that cannot, and would count as wrong.
        examples: The first of them.
    """

    parsed: int
    unreadable: int
    examples: tuple[UnreadableExample, ...]


class Problems:
    """A collection that keeps the first faults of each kind and counts the rest, so that a bad file costs no memory.

    Attributes:
        was_cut: Whether the file could not be read to its end, so that nobody knows what it lacks.
        has_unexplained: Whether lines differ in so many ways that causes were no longer looked for.
    """

    def __init__(self) -> None:
        """Start with no faults."""
        self._shown: list[Problem] = []
        self._counts: Counter[str] = Counter()
        self._first_of_cause: dict[tuple[str, Cause], Problem] = {}
        self._n_of_cause: Counter[tuple[str, Cause]] = Counter()
        self._causes: dict[Hashable, Cause | None] = {}
        self._n_empty_lines = 0
        self.was_cut = False
        self.has_unexplained = False

    def add(self, problem: Problem) -> None:
        """Count a fault, and keep it when it is among the first of its kind."""
        self._counts[problem.code] += 1
        if self._counts[problem.code] <= SHOWN_OF_A_KIND:
            self._shown.append(problem)
        if problem.cause is not None:
            self._n_of_cause[problem.code, problem.cause] += 1
            self._first_of_cause.setdefault((problem.code, problem.cause), problem)

    def find_cause(self, key: Hashable, find: Callable[[], Cause | None]) -> Cause | None:
        """Return the cause of faults that are alike, which is looked for once and only for so many kinds of lines.

        Args:
            key: The same for faults that have the same cause.
            find: Looks for the cause.
        """
        if key not in self._causes:
            if len(self._causes) >= _MAX_CAUSES:
                self.has_unexplained = True
                return None
            self._causes[key] = find()
        return self._causes[key]

    def cut(self, problem: Problem) -> None:
        """Take the fault at which reading ended."""
        self.add(problem)
        self.was_cut = True

    def require_patience(self, line: int) -> None:
        """End the reading of a file that has nothing but faults.

        Raises:
            FileFaultError: There are more faults than anybody counts.
        """
        if self.total > MOST_FAULTS:
            raise FileFaultError(
                "too-many",
                f"The file has more than {MOST_FAULTS:,} problems up to line {line}; the rest was not read. "
                "Mend the first ones.",
                line,
            )

    def count_empty_line(self, line: int) -> None:
        """Count a line with nothing in it; a hundred million of them pack into nothing and take as long as a scoring.

        Raises:
            FileFaultError: There are more than anybody leaves.
        """
        self._n_empty_lines += 1
        if self._n_empty_lines > MOST_FAULTS:
            raise FileFaultError(
                "too-many",
                f"The file has more than {MOST_FAULTS:,} empty lines up to line {line}; the rest was not read. "
                "Remove them.",
                line,
            )

    def has_room(self, code: str) -> bool:
        """Tell whether another fault of this kind would be shown, so that costly messages are not made in vain."""
        return self._counts[code] < SHOWN_OF_A_KIND

    def count(self, code: str, n: int) -> None:
        """Count faults that are not shown one by one."""
        self._counts[code] += n

    def show_only(self, problem: Problem) -> None:
        """Show one fault in the place of all, which stay counted and are its details: they have one cause."""
        self._shown = [replace(problem, details=self.shown)]

    @property
    def total(self) -> int:
        """Number of faults, shown or not."""
        return self._counts.total()

    @property
    def totals(self) -> dict[str, int]:
        """Kind → number of faults."""
        return dict(self._counts)

    @property
    def first_of_cause(self) -> Mapping[tuple[str, Cause], Problem]:
        """Kind and cause → the first fault, shown or not."""
        return self._first_of_cause

    @property
    def n_of_cause(self) -> Mapping[tuple[str, Cause], int]:
        """Kind and cause → number of faults, shown or not."""
        return self._n_of_cause

    @property
    def shown(self) -> tuple[Problem, ...]:
        """The first faults of each kind, in the order of the file."""
        return tuple(self._shown)


class FileFaultError(EvaluationError):
    """A fault behind which a file cannot be read on; `problem` says it."""

    def __init__(self, code: str, message: str, line: int | None = None) -> None:
        """Take what is wrong, as of a `Problem`."""
        self.problem = Problem(code, message, line)
        super().__init__(message)


class PredictionFileError(EvaluationError):
    """A prediction file that cannot be scored; `problems` says where and why."""

    def __init__(self, problems: Iterable[Problem], total: int) -> None:
        """Take the faults to show and their number in all."""
        self.problems = tuple(problems)
        self.total = total
        first = self.problems[0].message if self.problems else "The file cannot be read."
        super().__init__(first if total <= 1 else f"{first} ({total:,} problems in all.)")
