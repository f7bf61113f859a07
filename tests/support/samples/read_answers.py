"""Model answers labelled by careful readers, and the agreement of the parsers with the labels."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from evaluation.extraction import read_boolean, read_choice, read_choices, read_steps

_FOLDER = Path(__file__).parent / "answers"
SETS = ("choice", "choices", "boolean", "steps")
"""Single choice, multiple answers, true or false, verdicts of the steps of a trace."""


class ReadAnswer(NamedTuple):
    """A model answer and its label; None where careful readers would disagree.

    Attributes:
        response: Text of the answer.
        expected: Letters of options, a truth value, or one digit a step, 1 for an erroneous one.
        options: Options of a multiple-choice question.
        n_steps: Number of steps of a reasoning trace.
    """

    response: str
    expected: str | bool | None
    options: tuple[str, ...] = ()
    n_steps: int = 0


class Rates(NamedTuple):
    """Agreement of the parsers with careful readers, and the answers on which they differ."""

    n: int
    invented: list[tuple[ReadAnswer, object]]
    misread: list[tuple[ReadAnswer, object]]
    missed: list[tuple[ReadAnswer, object]]

    @property
    def agreement(self) -> float:
        """Share of answers that are parsed as expected."""
        return 1 - (len(self.invented) + len(self.misread) + len(self.missed)) / self.n


def list_answers(name: str) -> Iterator[ReadAnswer]:
    """Yield the answers of a set, from all its files."""
    for path in sorted(_FOLDER.glob(f"{name}-*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            fields: dict[str, Any] = json.loads(line)
            yield ReadAnswer(
                fields["response"], fields["expected"], tuple(fields.get("options", ())), fields.get("steps", 0)
            )


def _letters(positions: frozenset[int] | None) -> str | None:
    return None if positions is None else "".join(chr(65 + position) for position in sorted(positions))


def parse(name: str, answer: ReadAnswer) -> str | bool | None:
    """Parse an answer of a set, and return the result in the notation of `expected`."""
    if name == "choice":
        index = read_choice(answer.response, answer.options).index
        return None if index is None else chr(65 + index)
    if name == "choices":
        return _letters(read_choices(answer.response, answer.options).indices)
    if name == "boolean":
        return read_boolean(answer.response).value
    return read_digits(answer.response, answer.n_steps)


def read_digits(response: str, n_steps: int) -> str | None:
    """Read a critic's response as one digit a step, 1 for an erroneous one; None if it is not read."""
    verdicts = read_steps(response, n_steps).verdicts
    return None if verdicts is None else "".join("01"[erroneous] for erroneous in verdicts)


def compare(name: str) -> Rates:
    """Parse all answers of a set."""
    answers = list(list_answers(name))
    rates = Rates(len(answers), [], [], [])
    for answer in answers:
        parsed = parse(name, answer)
        if parsed != answer.expected:
            kind = rates.missed if parsed is None else rates.invented if answer.expected is None else rates.misread
            kind.append((answer, parsed))
    return rates
