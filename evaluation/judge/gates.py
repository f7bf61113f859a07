"""Gates before the judge: texts that hold no answer, and would only tempt it.

A gated answer scores 0, and the report says how many there were and why. A gate is for what two careful readers would
agree is no answer; whatever is doubtful goes to the judge.
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
"""Characters, thinking aside. The longest reference answer of MDAR has 354."""

_COPIED_SHARE = 0.9
_SAME_LENGTH = 0.6
_MAX_NEW = 1
_FEWEST_CONSTANT = 4
_CONSTANT_SHARE = 0.01
_LONGEST_REFUSAL = 160
_WORDS = Path(__file__).with_name("empty_words.json")


def gate_answers(questions: Mapping[str, OpenQuestion], answers: Mapping[str, str]) -> dict[str, Gate]:
    """Return id → why an answer goes to no judge, of those that do not.

    Args:
        questions: Id → what the answer is judged by.
        answers: Id → what was answered.
    """
    read = {item_id: read_answer(answer) for item_id, answer in answers.items()}
    gates = {item_id: gate for item_id, text in read.items() if (gate := _gate(text, questions[item_id]))}
    left = {item_id: text for item_id, text in read.items() if item_id not in gates}
    return gates | dict.fromkeys(_find_constant(questions, left), "constant")


def read_answer(answer: str) -> str:
    """Return what a judge is shown of an answer: the text without thinking and markup."""
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
    """Tell whether an answer is the question again. One that only uses its words may still choose between them."""
    mine = shingles(text)
    is_as_long = len(normalize(text)) >= _SAME_LENGTH * len(normalize(question))
    n_new = len(mine - shingles(question))
    return is_as_long and (n_new <= _MAX_NEW or coverage(text, question) >= _COPIED_SHARE)


def _is_refusal(text: str) -> bool:
    """Tell whether an answer is nothing but words of refusal.

    They are taken out, with what usually stands around them; an answer that goes on has more to say.
    """
    said = normalize(text)
    refused = _without_phrases(said, "refusals")
    return refused != said and not _without_phrases(_without_phrases(refused, "around_refusals"), "openers")


def _without_phrases(said: str, kind: str) -> str:
    for phrase in _phrases()[kind]:
        said = said.replace(phrase, "")
    return said


@cache
def _phrases() -> Mapping[str, tuple[str, ...]]:
    """Return kind → phrases as `normalize` leaves them, the longest first."""
    lists: Mapping[str, list[str]] = json.loads(_WORDS.read_text(encoding="utf-8"))
    return {kind: tuple(sorted(set(map(normalize, texts)), key=len, reverse=True)) for kind, texts in lists.items()}


def _find_constant(questions: Mapping[str, OpenQuestion], answers: Mapping[str, str]) -> list[str]:
    """Return the ids of answers that are one text for many questions, also where it repeats each question."""
    essence = {
        item_id: _without_digits(normalize(text).replace(normalize(questions[item_id].question), ""))
        for item_id, text in answers.items()
    }
    asked = {(essence[item_id], normalize(questions[item_id].reference)) for item_id in answers}
    counts = Counter(text for text, _ in asked)
    most = max(_FEWEST_CONSTANT, _CONSTANT_SHARE * len(answers))
    return [item_id for item_id, text in essence.items() if counts[text] >= most]


def _without_digits(text: str) -> str:
    return "".join(character for character in text if not character.isdigit())
