"""Answer parsing, shared by scoring and file checks."""

from collections.abc import Sequence

from evaluation import extraction
from evaluation.errors import EvaluationError
from evaluation.extraction.language.normalize import clean, is_blank
from evaluation.types import AnswerFormat, Prediction, Reading


class StepVerdictError(EvaluationError):
    """Verdicts or scores do not fit the steps of their trace."""


def read_answer(
    prediction: Prediction, answer_format: AnswerFormat, options: tuple[str, ...] = (), n_steps: int | None = None
) -> Reading:
    """Parse a prediction.

    Open answers count as parsed unless they are blank: a judge scores them.

    Args:
        prediction: The prediction.
        answer_format: Answer format of the item.
        options: Options as shown in the run; empty for formats without options.
        n_steps: Number of the item's steps, for step verdicts.

    Raises:
        StepVerdictError: A list does not have the trace's number of steps, or there are scores without verdicts.
    """
    if answer_format == "choice":
        return extraction.read_choice(prediction.response, options)
    if answer_format == "boolean":
        return extraction.read_boolean(prediction.response)
    if answer_format == "choices":
        return extraction.read_choices(prediction.response, options)
    if answer_format == "steps":
        return _read_verdicts(prediction, n_steps or 0)
    is_empty = prediction.response is None or is_blank(clean(prediction.response))
    return Reading(reason="empty" if is_empty else None)


def _read_verdicts(prediction: Prediction, n_steps: int) -> Reading:
    verdicts, scores = prediction.erroneous, prediction.scores
    if scores is not None:
        _check_length(prediction, "scores", scores, n_steps)
    if verdicts is not None:
        _check_length(prediction, "verdicts", verdicts, n_steps)
        return Reading(verdicts=verdicts)
    if scores is not None and prediction.response is None:
        raise StepVerdictError(f"The prediction for `{prediction.id}` has scores but no verdicts. Add `erroneous`.")
    return extraction.read_steps(prediction.response, n_steps)


def _check_length(prediction: Prediction, what: str, values: Sequence[object], n_steps: int) -> None:
    if len(values) != n_steps:
        raise StepVerdictError(
            f"The prediction for `{prediction.id}` has {len(values)} {what}, but the trace has {n_steps} steps. Give "
            "one per step."
        )
