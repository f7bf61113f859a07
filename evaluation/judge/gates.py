"""Gates before the judge: texts that contain no answer and could only mislead it.

A gated answer scores 0, and the report counts the reasons. Gates apply only if two careful readers would agree that
there is no answer; doubtful texts go to the judge.
"""

import json
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from evaluation.extraction.language.normalize import clean, is_blank
from evaluation.judge.protocol import OpenQuestion
from evaluation.judge.text import coverage, normalize, shingles

Gate = Literal["empty", "too-long", "no-content", "refusal", "copied-question", "constant"]

MAX_ANSWER = 8_000
"""Characters without thinking. The longest reference answer of MDAR has 354."""

_COPIED_SHARE = 0.9
_SAME_LENGTH = 0.6
_MAX_NEW = 1
_FEWEST_CONSTANT = 4
_CONSTANT_SHARE = 0.01
_LONGEST_REFUSAL = 160
_WORDS = Path(__file__).with_name("empty_words.json")


def gate_answers(questions: Mapping[str, OpenQuestion], answers: Mapping[str, str]) -> dict[str, Gate]:
    """Return ID → reason for answers that are not judged.

    Args:
        questions: ID → question and reference.
        answers: ID → answer.
    """
    read = {item_id: read_answer(answer) for item_id, answer in answers.items()}
    gates = {item_id: gate for item_id, text in read.items() if (gate := _gate(text, questions[item_id]))}
    left = {item_id: text for item_id, text in read.items() if item_id not in gates}
    return gates | dict.fromkeys(_find_constant(questions, left), "constant")


def read_answer(answer: str) -> str:
    """Return the answer as shown to the judge: without thinking and markup."""
    return clean(answer)


def _gate(text: str, question: OpenQuestion) -> Gate | None:
    if is_blank(text):
        return "empty"
    if len(text) > MAX_ANSWER:
        return "too-long"
    if not _without_phrases(normalize(text), "openers"):
        return "no-content"
    if _is_copied(text, question.question):
        return "copied-question"
    if len(text) <= _LONGEST_REFUSAL and _is_refusal(text):
        return "refusal"
    return None


def _is_copied(text: str, question: str) -> bool:
    """Return whether an answer repeats the question. An answer that only uses its words may still be a choice."""
    own_shingles = shingles(text)
    is_as_long = len(normalize(text)) >= _SAME_LENGTH * len(normalize(question))
    n_new = len(own_shingles - shingles(question))
    return is_as_long and (n_new <= _MAX_NEW or coverage(text, question) >= _COPIED_SHARE)


def _is_refusal(text: str) -> bool:
    """Return whether an answer is only a refusal.

    Refusals and their usual context are removed; an answer with remaining text is not only a refusal.
    """
    essence = normalize(text)
    refused = _without_phrases(essence, "refusals")
    return refused != essence and not _without_phrases(_without_phrases(refused, "around_refusals"), "openers")


def _without_phrases(text: str, kind: str) -> str:
    for phrase in _phrases()[kind]:
        text = text.replace(phrase, "")
    return text


@cache
def _phrases() -> Mapping[str, tuple[str, ...]]:
    """Return kind → phrases, normalised, longest first."""
    lists: Mapping[str, list[str]] = json.loads(_WORDS.read_text(encoding="utf-8"))
    return {kind: tuple(sorted(set(map(normalize, texts)), key=len, reverse=True)) for kind, texts in lists.items()}


def _find_constant(questions: Mapping[str, OpenQuestion], answers: Mapping[str, str]) -> list[str]:
    """Return the IDs of answers with one text for many questions, even if it repeats each question."""
    essence = {
        item_id: _without_digits(normalize(text).replace(normalize(questions[item_id].question), ""))
        for item_id, text in answers.items()
    }
    pairs = {(essence[item_id], normalize(questions[item_id].reference)) for item_id in answers}
    counts = Counter(text for text, _ in pairs)
    most = max(_FEWEST_CONSTANT, _CONSTANT_SHARE * len(answers))
    return [item_id for item_id, text in essence.items() if counts[text] >= most]


def _without_digits(text: str) -> str:
    return "".join(character for character in text if not character.isdigit())
