"""Kinds of wrong answers: the one kind that is decided without a judge."""

from evaluation.extraction.normalize import clean, is_blank
from evaluation.types import Reading


def is_formatting_error(response: str | None, reading: Reading) -> bool:
    """Return whether a wrong answer is wrong in form: nothing can be read in it, or only part of an option.

    Part of an option names no option for certain, so that the readers give no answer for it, as for a refusal, a
    contradiction or a text that is about none of the options. An open answer is wrong in form where it is blank.

    Args:
        response: What the system wrote; None where it gave nothing.
        reading: What a reader understood from it; for an open answer, one without answer and reason.

    Source: MDAR, section 4.2 ("formatting errors") and appendix J.2, where a judge decides; ours needs none.

    >>> is_formatting_error("the left one or so", Reading(reason="outside-options"))
    True
    >>> is_formatting_error("B", Reading(index=1))
    False
    """
    return reading.reason is not None or response is None or is_blank(clean(response))
