"""Corrections of single answers in an answer key, with a log next to it."""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from evaluation.answer_keys import AnswerKey, AnswerValue, find_key, key_path, plain_answers, replace_key
from evaluation.benchmarks import Benchmark
from evaluation.benchmarks.official import DEMO
from evaluation.errors import AnswerKeyError, suggest
from evaluation.types import Item

LOG_NAME = "corrections.jsonl"
_TRUTHS: Mapping[str, bool] = {"true": True, "false": False}


def correct_key(
    folder: Path, benchmark: Benchmark, corrections: Mapping[str, str], reason: str, now: datetime
) -> AnswerKey:
    """Correct single answers of a test split. The seed stays, and with it every question and encrypted outcome.

    Args:
        folder: Folder of all answer keys.
        benchmark: Benchmark of the key.
        corrections: Item ID → right answer: a letter, several (`A,C`), `true` or `false`, or a text.
        reason: Reason, for the log next to the key.
        now: Current time, for that log.

    Raises:
        AnswerKeyError: There is no key, an ID or answer is invalid, or nothing would change.
    """
    key = find_key(folder, benchmark.id, benchmark.version, "test")
    if key is None:
        raise AnswerKeyError(
            f"There is no key of {benchmark.id} {benchmark.version} test. Import one before you correct it."
        )
    if benchmark.version == DEMO:
        raise AnswerKeyError(
            "The key of a demonstration set cannot be corrected, because Earshot regenerates it. "
            "Correct another version."
        )
    items = {item.id: item for item in benchmark.content(key).items}
    right = {item_id: _parse_answer(items, item_id, text) for item_id, text in corrections.items()}
    changed = {item_id: answer for item_id, answer in right.items() if key.answers[item_id] != answer}
    if not changed:
        raise AnswerKeyError("The key already has these answers, so nothing was changed. Check the ids and answers.")
    corrected = replace(key, answers={**key.answers, **changed})
    benchmark.check_key(corrected)
    _log_changes(folder, key, corrected, changed, reason, now)
    return replace_key(folder, corrected, key)


def parse_corrections(texts: Iterable[str]) -> dict[str, str]:
    """Parse texts of the form `ID=ANSWER` to item ID → answer.

    Raises:
        AnswerKeyError: A text has another form, or two refer to the same item.
    """
    corrections: dict[str, str] = {}
    for text in texts:
        item_id, sign, answer = text.partition("=")
        if not sign or not item_id or not answer:
            raise AnswerKeyError(f"`{text}` is not a correction. Write ID=ANSWER, for example amb-7f3kq9x2=C.")
        if item_id in corrections:
            raise AnswerKeyError(f"The id `{item_id}` appears twice. Give each id once.")
        corrections[item_id] = answer
    return corrections


def _parse_answer(items: Mapping[str, Item], item_id: str, text: str) -> AnswerValue:
    item = items.get(item_id)
    if item is None:
        raise AnswerKeyError(f"Unknown item `{item_id}`.{suggest(item_id, items)} Copy the id from questions.jsonl.")
    if item.answer_format == "boolean" and text.lower() in _TRUTHS:
        return _TRUTHS[text.lower()]
    if item.answer_format == "text":
        return text
    letters = [letter.strip().upper() for letter in text.split(",")]
    by_letter = {chr(ord("A") + place): place for place in range(len(item.options))}
    if item.answer_format == "choice" and len(letters) == 1 and letters[0] in by_letter:
        return by_letter[letters[0]]
    if item.answer_format == "choices" and len(set(letters)) == len(letters) and by_letter.keys() >= set(letters):
        return tuple(sorted(by_letter[letter] for letter in letters))
    raise AnswerKeyError(f"`{text}` cannot be the answer to `{item_id}`. {_allowed(item, by_letter)}")


def _allowed(item: Item, letters: Mapping[str, int]) -> str:
    if item.answer_format == "boolean":
        return "Write true or false."
    if item.answer_format == "steps":
        return "Correct the labels of a trace in the organiser's files, then import them again."
    several = " or several, such as A,C" if item.answer_format == "choices" else ""
    return f"Write one of {', '.join(letters)}{several}."


def _log_changes(
    folder: Path,
    key: AnswerKey,
    corrected: AnswerKey,
    changed: Mapping[str, AnswerValue],
    reason: str,
    now: datetime,
) -> None:
    """Log the planned changes in a place that only evaluators can read."""
    line = {
        "at": now.astimezone(UTC).isoformat(timespec="seconds"),
        "reason": reason,
        "from": key.digest[:8],
        "to": corrected.digest[:8],
        "old": plain_answers({item_id: key.answers[item_id] for item_id in changed}),
        "new": plain_answers(changed),
    }
    path = key_path(folder, key.benchmark, key.version, key.split).with_name(LOG_NAME)
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "a", encoding="utf-8") as file:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")
        file.flush()
        os.fsync(file.fileno())
