"""Problems of a prediction file, each with its remedy."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from evaluation.errors import EvaluationError

SHOWN_OF_A_KIND = 50
_MAX_CAUSES = 200
_N_EXAMPLES = 3
FEWEST_ALIKE = 4
"""So many faults that are only of one kind are one problem: three are listed, each with what is special about it."""
MAX_FAULTS = 1_000_000
"""After so many faults a file is no longer read: a gigabyte of broken lines would keep a core busy for minutes."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why several lines have the same fault, with the remedy.

    Attributes:
        everywhere: The sentence where every line of a file has it.
        somewhere: The rest of a sentence whose subject is some of the lines; empty where `everywhere` fits them too.
        fewest: From so many faults on they are one problem; fewer are listed one by one. A single fault of many is
            always listed as it is.
    """

    everywhere: str
    somewhere: str = ""
    fewest: int = 2


def make_common_cause(what: str, remedy: str = "") -> Cause:
    """Return the cause of faults that are alike in what is said of each line.

    Args:
        what: The predicate of one line, which begins with a verb.
        remedy: Further sentences, the same for one line and for many.

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
    """One fault.

    Attributes:
        code: Kind of fault, such as `unknown-id`.
        message: What was found, what is allowed, what to do.
        line: 1-based line in the file, or None where a line makes no sense.
        id: Item id as the file gives it, or None.
        cause: What other lines may share with this one, or None.
        details: Where it stands for several faults, the first of them, at most 50 of a kind; else nothing.
        count: Number of faults that it stands for.
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
        reasons: Reason in words → number of unreadable answers, the most frequent first.
    """

    parsed: int
    unreadable: int
    examples: tuple[UnreadableExample, ...]
    reasons: Mapping[str, int] = field(default_factory=dict)


class Problems:
    """A collection that keeps the first faults of each kind and counts the rest, so that a bad file costs no memory.

    Attributes:
        was_cut: Whether the file could not be read to its end, so that nobody knows what it lacks.
        has_unexplained: Whether lines differ in so many ways that causes were no longer looked for.
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

    def add(self, problem: Problem) -> None:
        """Count a fault, and keep it when it is among the first of its kind or of its cause."""
        cause = problem.cause
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
        """Give all faults of one cause another, which is known only when the whole file was read."""
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
        if self.total > MAX_FAULTS:
            raise FileFaultError(
                "too-many",
                f"The file has more than {MAX_FAULTS:,} problems up to line {line}; the rest was not read. "
                "Fix the first ones.",
                line,
            )

    def count_empty_line(self, line: int) -> None:
        """Count a line with nothing in it; a hundred million of them pack into nothing and take as long as a scoring.

        Raises:
            FileFaultError: There are more than anybody leaves.
        """
        self._n_empty_lines += 1
        if self._n_empty_lines > MAX_FAULTS:
            raise FileFaultError(
                "too-many",
                f"The file has more than {MAX_FAULTS:,} empty lines up to line {line}; the rest was not read. "
                "Remove them.",
                line,
            )

    def has_room(self, code: str) -> bool:
        """Tell whether another fault of this kind would be shown, so that costly messages are not made in vain."""
        return self._counts[code] < SHOWN_OF_A_KIND

    def count(self, code: str, n: int) -> None:
        """Count faults that are not shown one by one."""
        if n:
            self._counts[code] += n

    @property
    def total(self) -> int:
        """Number of faults, shown or not."""
        return self._counts.total()

    @property
    def totals(self) -> dict[str, int]:
        """Kind → number of faults."""
        return dict(self._counts)

    @property
    def first_of_cause(self) -> Mapping[tuple[str, Cause], Sequence[Problem]]:
        """Kind and cause → the first three faults, shown or not."""
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
        self.problem = Problem(code, message, line)
        super().__init__(message)


class PredictionFileError(EvaluationError):
    """A prediction file that cannot be scored; `problems` says where and why."""

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
