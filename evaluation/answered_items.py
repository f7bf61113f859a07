"""Items with their right answers and a system's responses, for those who may know the answers."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evaluation.answer_keys import AnswerKey, AnswerValue, TraceLabels
from evaluation.benchmarks import Benchmark
from evaluation.benchmarks.reading import read_answer
from evaluation.errors import AnswerKeyError
from evaluation.types import OPTION_LETTERS, Item, Prediction, Reading, Run

CORRECT, WRONG, UNREADABLE, MISSING = OUTCOMES = ("correct", "wrong", "unreadable", "missing")


@dataclass(frozen=True, slots=True)
class AnsweredRun:
    """One run of an item: what was shown, what was right, what the system said, and how that was parsed.

    Attributes:
        run: Number of the run.
        options: Options as shown.
        right: The right answer, as an answer to this run: a letter, letters, a truth value, or the erroneous steps.
        response: The response; None if there is none.
        parsed: The parsed answer in the same form; None if there is none.
        outcome: `correct`, `wrong`, `unreadable` or `missing`.
        reason: Why no answer was parsed; None if there is one, or no response.
    """

    run: int
    options: tuple[str, ...]
    right: str
    response: str | None
    parsed: str | None
    outcome: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class AnsweredItem:
    """An item with all of its answered runs."""

    item: Item
    runs: tuple[AnsweredRun, ...]


def iter_answered(
    benchmark: Benchmark, key: AnswerKey, predictions: Iterable[Prediction], setting: str | None = None
) -> Iterator[AnsweredItem]:
    """Yield the items that a system had to answer, in the order of the pack, with its answers.

    These are the items of the parts that it submitted. A run of which it answered nothing at all was not submitted if
    runs are decoding seeds.

    Args:
        benchmark: Benchmark version.
        key: Key of the questions.
        predictions: Predictions with validated IDs.
        setting: Setting of the predictions; the default one if None.
    """
    setting = setting or benchmark.settings[0]
    given: dict[str, dict[int, Prediction]] = defaultdict(dict)
    for prediction in predictions:
        given[prediction.id][prediction.run] = prediction
    items = benchmark.content(key).items
    parts = {item.part for item in items if item.id in given}
    seeds = {run for runs in given.values() for run in runs}
    for item in items:
        if item.part not in parts or not benchmark.includes_task(setting, item.part, item.task):
            continue
        expected = [run for run in item.runs if run in seeds] if benchmark.runs_are_seeds else item.runs
        answer = key.answers[item.id]
        first = benchmark.run(item, item.runs[0], setting)
        yield AnsweredItem(
            item,
            tuple(
                _answer_run(item, benchmark.run(item, run, setting), first.options, answer, given[item.id].get(run))
                for run in expected
            ),
        )


def _answer_run(
    item: Item, run: Run, first_options: Sequence[str], answer: AnswerValue, prediction: Prediction | None
) -> AnsweredRun:
    right = _write_right(item, run.options, first_options, answer)
    if prediction is None:
        return AnsweredRun(run.run, run.options, right, None, None, MISSING, None)
    reading = read_answer(prediction, item.answer_format, run.options, item.n_steps)
    if reading.reason is not None:
        response = prediction.response
        return AnsweredRun(run.run, run.options, right, response, None, UNREADABLE, reading.reason)
    parsed = _write_parsed(reading)
    outcome = CORRECT if parsed == right else WRONG
    return AnsweredRun(run.run, run.options, right, _write_response(prediction), parsed, outcome, None)


def _write_right(item: Item, shown: Sequence[str], first: Sequence[str], answer: AnswerValue) -> str:
    """Return the right answer of a run; positions in the key are those of the item's first run."""
    if isinstance(answer, TraceLabels):
        return _write_steps(answer.erroneous)
    if item.answer_format == "boolean":
        return str(bool(answer))
    if isinstance(answer, tuple):
        return _write_letters(shown.index(first[place]) for place in answer)
    if isinstance(answer, int) and item.answer_format == "choice":
        return _write_letters([shown.index(first[answer])])
    raise AnswerKeyError(f"The answer of {item.id} cannot be shown: its format is {item.answer_format}.")


def _write_parsed(reading: Reading) -> str:
    if reading.verdicts is not None:
        return _write_steps(reading.verdicts)
    if reading.value is not None:
        return str(reading.value)
    return _write_letters(reading.indices if reading.indices is not None else [reading.index or 0])


def _write_response(prediction: Prediction) -> str | None:
    if prediction.erroneous is None:
        return prediction.response
    return ", ".join("erroneous" if flag else "correct" for flag in prediction.erroneous)


def _write_letters(places: Iterable[int]) -> str:
    return ", ".join(OPTION_LETTERS[place] for place in sorted(places))


def _write_steps(erroneous: Sequence[bool]) -> str:
    wrong = [str(number) for number, flag in enumerate(erroneous, start=1) if flag]
    return f"erroneous steps: {', '.join(wrong)}" if wrong else "no erroneous step"
