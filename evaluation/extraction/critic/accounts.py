"""From what a critic said, one statement after another, to one verdict for each step, or to the reason why not."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from evaluation.extraction.critic.grammar import StepStatement
from evaluation.extraction.critic.labelled_lines import Critique
from evaluation.extraction.critic.rhetorical_questions import REST
from evaluation.extraction.readings import UNREAD
from evaluation.types import Reading, UnreadableReason


class Verdicts(NamedTuple):
    """What one list of verdicts says.

    Attributes:
        by_step: Step, counted from 0 → whether it is erroneous.
        problem: Why it is no complete list; None where it is one.
    """

    by_step: Mapping[int, bool]
    problem: UnreadableReason | None = None


class _Verdict(NamedTuple):
    erroneous: bool | None
    is_sure: bool
    epoch: int


def number_steps(numbers: list[int], said: list[bool], n_steps: int) -> Verdicts:
    """Lay numbered verdicts out by step; the numbers count from 1 or from 0, and all must be there."""
    by_number: dict[int, bool] = {}
    problem: UnreadableReason | None = None
    for number, erroneous in zip(numbers, said, strict=True):
        if by_number.setdefault(number, erroneous) != erroneous:
            problem = "contradiction"
    first = 0 if 0 in by_number else 1
    by_step = {number - first: erroneous for number, erroneous in by_number.items()}
    if problem is None and max(by_step) >= n_steps:
        problem = "outside-options"
    if problem is None and len(by_step) < n_steps:
        problem = "ambiguous"
    return Verdicts(by_step, problem)


def list_steps(said: list[bool | None], n_steps: int) -> Verdicts:
    """Lay verdicts out in their order; None stands for what is no verdict."""
    known = {step: erroneous for step, erroneous in enumerate(said) if erroneous is not None}
    if len(known) < len(said) or len(said) < n_steps:
        return Verdicts({}, "ambiguous")
    return Verdicts(known, "outside-options" if len(said) > n_steps else None)


class _VerdictAccount:
    """Verdicts by step; later ones replace earlier ones only after a revision."""

    def __init__(self, n_steps: int, first: int, restart: int = 0) -> None:
        self._n_steps, self._first, self._restart = n_steps, first, restart
        self._by_step: dict[int, _Verdict] = {}
        self._rest: list[_Verdict] = []
        self._edges: list[tuple[int, _Verdict]] = []
        self._is_contradictory = self._is_outside = False
        self.spoken: set[int] = set()

    def add(self, statement: StepStatement) -> None:
        """Take in a statement."""
        verdict = _Verdict(statement.erroneous, statement.is_sure, statement.epoch)
        if statement.scope == "rest":
            self._rest = [each for each in self._rest if each.epoch == verdict.epoch] + [verdict]
            if verdict.epoch >= self._restart:  # "No, wait: step 2 is wrong, the others are right".
                self._by_step = {step: each for step, each in self._by_step.items() if each.epoch >= self._restart}
            return
        if statement.scope == "edge":
            self._edges.append((self._place(statement.steps[0]), verdict))
            return
        if statement.scope == "first":
            place = self._place(statement.steps[0])
            for step in range(min(place, self._n_steps)):
                self.put(step, verdict._replace(erroneous=False, is_sure=False))
            self.put(place, verdict)
            return
        every = range(self._n_steps) if statement.scope == "all" else map(self._place, statement.steps)
        for step in every:
            self.put(step, verdict)

    def _place(self, number: int) -> int:
        return self._n_steps + number if number < 0 else number - self._first

    def put(self, step: int, verdict: _Verdict) -> None:
        """Take in the verdict of one step, counted from 0."""
        if not 0 <= step < self._n_steps:
            self._is_outside = True
            return
        earlier = self._by_step.get(step)
        if earlier is None or earlier.erroneous == verdict.erroneous:
            is_sure = verdict.is_sure or (earlier is not None and earlier.is_sure)
            self._by_step[step] = verdict._replace(is_sure=is_sure)
        elif (verdict.is_sure and not earlier.is_sure) or verdict.epoch > earlier.epoch:
            self._by_step[step] = verdict
        elif earlier.is_sure and not verdict.is_sure:
            return
        else:
            self._by_step[step] = _Verdict(None, verdict.is_sure, verdict.epoch)
            both = earlier.erroneous is not None and verdict.erroneous is not None
            self._is_contradictory = self._is_contradictory or (both and verdict.is_sure)

    def close_ranges(self) -> None:
        """Take a range to its end where the step behind it is judged otherwise: "right up to step 3; 4 is wrong"."""
        for step, verdict in self._edges:
            behind = self._by_step.get(step + 1)
            if step not in self._by_step and behind and behind.erroneous not in {None, verdict.erroneous}:
                self.put(step, verdict)

    def conclude(self, *, others_are_right: bool) -> Reading | None:
        """Return the verdicts of all steps, or the reason why there are none; None where nothing was said."""
        if self._is_contradictory:
            return UNREAD["contradiction"]
        if self._is_outside:
            return UNREAD["outside-options"]
        if not self._by_step:
            return UNREAD["ambiguous"] if self._rest else None  # "The rest is fine": but which step is not?
        rest = {verdict.erroneous for verdict in self._rest} or ({False} if others_are_right else {None})
        default = rest.pop() if len(rest) == 1 else None
        # "Incorrect: step 2; step 4 – nobody screams": a list implies that the rest is right, not the steps behind it.
        is_implied = bool(self._rest) and not any(verdict.is_sure for verdict in self._rest)
        open_ = {self._place(number) for number in self.spoken} if is_implied else set()
        said = [
            self._by_step[step].erroneous if step in self._by_step else None if step in open_ else default
            for step in range(self._n_steps)
        ]
        if any(erroneous is None for erroneous in said):
            return UNREAD["ambiguous"]
        return Reading(verdicts=tuple(erroneous is True for erroneous in said))

    def clear_start(self, contrasted: set[int]) -> None:
        """Take "the trace starts well" as the verdict of all steps before the first that is called wrong.

        "But step 3 …" leaves step 3 open where nothing else is understood of it.
        """
        left_open = {self._place(number) for number in contrasted}
        wrong = [step for step, each in self._by_step.items() if each.erroneous]
        for step in range(min(wrong, default=0)):
            if step not in self._by_step and step not in left_open:
                self.put(step, _Verdict(False, False, 0))

    def blame_mentioned(self, mentioned: set[int], n_announced: int) -> None:
        """Call the steps wrong that are spoken of and not judged, where as many are announced and the rest is right."""
        steps = {self._place(number) for number in mentioned} - self._by_step.keys()
        is_open = all(each.erroneous is False for each in (*self._by_step.values(), *self._rest))
        if is_open and self._rest and 0 < n_announced == len(steps):
            for step in steps:
                self.put(step, _Verdict(True, False, 0))

    def judges(self, spoken: set[int]) -> bool:
        """Whether every step that a clause is about has a verdict: else one was not understood."""
        return {self._place(number) for number in spoken} <= self._by_step.keys()

    def clears_all_behind(self) -> bool:
        """Whether one step is wrong and all behind it are right, and nothing is said of those before."""
        wrong = [step for step, each in self._by_step.items() if each.erroneous]
        return len(wrong) == 1 and all(
            (step in self._by_step and self._by_step[step].erroneous is (step == wrong[0])) == (step >= wrong[0])
            for step in range(self._n_steps)
        )

    def blames_surely(self) -> bool:
        """Whether all that was said is that some steps are wrong."""
        said = self._by_step.values()
        return bool(said) and not self._rest and all(each.erroneous is True and each.is_sure for each in said)


def _narrow_statements(statements: Sequence[StepStatement]) -> list[StepStatement]:
    """Apply "no error" only to the step that the sentence before mentions, if another step is wrong."""
    last_wrong = max((each.epoch for each in statements if each.erroneous), default=-1)
    return [
        each._replace(steps=each.topic, scope="steps") if each.topic and each.epoch <= last_wrong else each
        for each in statements
    ]


def decide(
    critique: Critique, brackets: Sequence[Verdicts | None], n_steps: int, *, is_whole: Callable[[], bool]
) -> Reading | None:
    """Combine what sentences and brackets say of the steps.

    Args:
        critique: What the sentences say, with the places of the brackets among them.
        brackets: What each bracketed part says.
        n_steps: Number of steps of the trace.
        is_whole: Tells whether the text judges all steps, neither cut off nor limited to some or to examples.

    Returns:
        A reading, or None where nothing is said of any step.
    """
    statements = _narrow_statements(critique.statements)
    numbers = [step for statement in statements for step in statement.steps]
    account = _VerdictAccount(n_steps, 0 if 0 in numbers else 1, critique.restart)
    account.spoken = critique.spoken
    problem: UnreadableReason | None = None
    labels = False
    perhaps: tuple[bool, ...] = ()
    for statement in statements:
        labels = labels or statement.is_label or (statement.bracket is not None)
        if statement.bracket is None:
            account.add(statement)
            continue
        verdicts = brackets[statement.bracket]
        if verdicts is None:
            continue
        problem = verdicts.problem
        perhaps = tuple(verdicts.by_step.values())
        for step, erroneous in verdicts.by_step.items() if problem is None else ():
            account.put(step, _Verdict(erroneous, True, statement.epoch))
    if critique.statements and not critique.is_worded and not brackets and account.conclude(others_are_right=False):
        return UNREAD["ambiguous"]  # "Step 1 is false. Step 2 is true.": perhaps what the prompt calls true.
    account.close_ranges()
    most = max(critique.announced, default=0)
    if critique.starts_well:
        account.clear_start(critique.contrasted)
    account.blame_mentioned(critique.mentioned, most)
    blames = not labels and not critique.names_first and account.blames_surely() and account.judges(critique.spoken)
    blames = blames or (critique.follows and not labels and account.clears_all_behind())
    reading = account.conclude(others_are_right=(blames or critique.concludes) and is_whole())
    if reading and reading.verdicts and sum(reading.verdicts) < most:
        return UNREAD["ambiguous"]  # "There are two errors": which steps they are in was not understood.
    # What true means in the last list is not clear; where sentences say the same in the usual sense, it is.
    if problem and perhaps and reading and reading.verdicts == perhaps:
        return reading
    return UNREAD[problem] if problem and (reading is None or reading.reason != "contradiction") else reading


def read_flags(
    flags: list[tuple[int, bool]], n_steps: int, key: str | None, *, are_answers: bool
) -> tuple[bool, ...] | None:
    """Read "Step 1: false" as the prompt asks: true means erroneous, unless a legend in the answer says otherwise.

    A yes may also say that a step is right, so `are_answers` wants it rarer than a no.
    """
    numbered = [(number, flag) for number, flag in flags if number != REST]
    first = min((number for number, _ in numbered), default=1)
    if rest := [flag for number, flag in flags if number == REST]:
        first = min(first, 1)
        missing = set(range(first, first + n_steps)) - {number for number, _ in numbered}
        flags = [*numbered, *((number, rest[0]) for number in sorted(missing))]
    by_step = {number - first: flag for number, flag in flags}
    if (
        len(set(rest)) > 1
        or first > 1
        or len(by_step) < len(flags)
        or sorted(by_step) != list(range(n_steps))
        or key is None
    ):
        return None
    values = tuple(by_step[step] for step in range(n_steps))
    if key == "correct":
        return tuple(not value for value in values)
    return None if are_answers and not key and 2 * sum(values) >= n_steps else values


def agrees_with(statements: Sequence[StepStatement], flags: Sequence[bool]) -> bool:
    """Whether nothing that is said in words contradicts truth values given for all steps."""
    first = 0 if any(0 in statement.steps for statement in statements) else 1
    for statement in statements:
        if statement.scope != "steps" or statement.bracket is not None or statement.erroneous is None:
            return False
        places = [step + len(flags) if step < 0 else step - first for step in statement.steps]
        if any(not 0 <= place < len(flags) or flags[place] != statement.erroneous for place in places):
            return False
    return True
