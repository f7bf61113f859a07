"""Parser of judge replies: a verdict, or an error with the reason. It neither guesses nor repairs."""

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from evaluation.extraction.language.normalize import strip_thinking
from evaluation.judge.errors import JudgeVerdictError
from evaluation.judge.protocol import FULL_SCORE, Call, JudgeVerdict
from evaluation.judge.text import is_quoted_from, normalize

MAX_REPLY = 50_000
UNQUOTED_POINTS = 1.0
"""Maximum score of an answer without a quote that earned it."""

_MAX_OBJECTS = 200
_DECODER = json.JSONDecoder()


def parse_verdict(reply: str, call: Call, seal: str) -> JudgeVerdict:
    """Parse the last verdict with the code of its message.

    Args:
        reply: The judge's reply.
        call: The request.
        seal: Code of the message.

    Raises:
        JudgeVerdictError: There is none, or its scores or quotes are invalid.
    """
    verdict = find_sealed(reply, seal)
    names = ("assistant_1", "assistant_2") if call.candidate_first else ("assistant_2", "assistant_1")
    candidate, quotes = _read_side(verdict, names[0])
    reference, _ = _read_side(verdict, names[1])
    if reference == 0:
        raise JudgeVerdictError("The judge gave the reference 0 points, so the ratio is undefined.")
    kept_quotes = tuple(quote for quote in quotes if normalize(quote))
    if candidate > UNQUOTED_POINTS and not any(is_quoted_from(quote, call.answer) for quote in kept_quotes):
        raise JudgeVerdictError(f"The judge gave {candidate:g} points for words that are not in the answer.")
    return JudgeVerdict(
        candidate, reference, tuple(quote for quote in kept_quotes if is_quoted_from(quote, call.answer))
    )


def find_sealed(reply: str, seal: str) -> Mapping[str, Any]:
    """Return the last JSON object with the code of its message.

    Raises:
        JudgeVerdictError: There is none.
    """
    if len(reply) > MAX_REPLY:
        raise JudgeVerdictError(f"The judge's reply has {len(reply):,} characters; at most {MAX_REPLY:,} are allowed.")
    sealed = [value for value in _find_objects(strip_thinking(reply)) if value.get("code") == seal]
    if not sealed:
        raise JudgeVerdictError("The judge's reply has no JSON object with the code of its message.")
    return sealed[-1]


def _find_objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the outermost consecutive JSON objects of a text."""
    position, tried = text.find("{"), 0
    while position >= 0 and tried < _MAX_OBJECTS:
        tried += 1
        try:
            value, end = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            end = position + 1
        else:
            yield value
        position = text.find("{", end)


def _read_side(verdict: Mapping[str, Any], name: str) -> tuple[float, tuple[str, ...]]:
    side = verdict.get(name)
    if not isinstance(side, dict):
        raise JudgeVerdictError(f"The judge's verdict has no {name}.")
    score, quotes = side.get("score"), side.get("earned_by")
    # In Python, True is a number.
    if isinstance(score, bool) or not isinstance(score, int | float) or not _in_range(score):
        raise JudgeVerdictError(f"The judge's score of {name} is {str(score)[:40]}; it must be a number from 0 to 10.")
    if not isinstance(quotes, list) or not all(isinstance(quote, str) for quote in quotes):
        raise JudgeVerdictError(f"The judge's quotes from {name} are not a list of strings.")
    return float(score), tuple(quotes)


def _in_range(score: float) -> bool:
    return math.isfinite(score) and 0 <= score <= FULL_SCORE
