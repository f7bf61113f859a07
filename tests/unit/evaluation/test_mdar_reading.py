"""Right answers to MDAR in usual wordings are parsed as right, in the demonstration and the released set."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import pytest

from evaluation import Prediction, Report
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks.mdar import Mdar
from tests.support.samples.mdar_sets import FOLDERS, SEED, import_set

LETTERS = "ABCDEFGHIJ"

MainWording = Callable[[str, str], str]
MultiWording = Callable[[Sequence[str], Sequence[str]], str]

# The released scripts differ: a letter never matches, and "答案是" before a right answer makes it wrong.
MAIN_WORDINGS: dict[str, MainWording] = {
    "letter": lambda letter, _: letter,
    "small letter": lambda letter, _: letter.lower(),
    "full-width letter": lambda letter, _: chr(ord(letter) + 0xFEE0),
    "chosen letter": lambda letter, _: f"选{letter}。",
    "the answer is the letter": lambda letter, _: f"答案是{letter}",
    "letter and text": lambda letter, text: f"{letter}. {text}",
    "text": lambda _, text: text,
    "text with a full stop": lambda _, text: f"{text.rstrip('。')}。",
    "text with a half-width stop": lambda _, text: f"{text}.",
    "text between lines": lambda _, text: f"\n{text}\n",
    "the answer is the text": lambda _, text: f"答案是{text}",
    "a reason, then the text": lambda _, text: f"根据音频中的声音，最合理的选项是：{text}",
}
MULTI_WORDINGS: dict[str, MultiWording] = {
    "letters": lambda letters, _: "、".join(letters),
    "letters as a word": lambda letters, _: "".join(letters),
    "letters on lines": lambda letters, _: "\n".join(letters),
    "letters with commas": lambda letters, _: ", ".join(letters),
    "list of letters": lambda letters, _: json.dumps(letters),
    "the answer is letters": lambda letters, _: f"答案是{'、'.join(letters)}。",
    "chosen letters": lambda letters, _: f"选{''.join(letters)}。",
    "texts": lambda _, texts: "、".join(texts),
    "texts on lines": lambda _, texts: "\n".join(texts),
    "texts with full stops on lines": lambda _, texts: "\n".join(f"{text.rstrip('。')}。" for text in texts),
    "letters with semicolons": lambda letters, _: f"答案：{'；'.join(letters)}",
    "texts with semicolons": lambda _, texts: "；".join(texts),
    "list of texts": lambda _, texts: json.dumps(texts, ensure_ascii=False),
}


@cache
def choose_questions(version: str, *, soak: bool) -> AnswerKey:
    """Return the key of a set, limited to every seventh question of the large released set."""
    key = import_set(version)
    chosen = key.questions[:: 1 if soak or version == "demo" else 7]
    return replace(key, questions=chosen, answers={question["id"]: key.answers[question["id"]] for question in chosen})


def answer_all(version: str, key: AnswerKey, part: str, write: Callable[[list[str], list[str]], str]) -> Report:
    """Score right answers to every question of a part, in the given wording."""
    predictions = []
    for question in key.questions:
        answer = key.answers[question["id"]]
        if question["part"] == part:
            positions = answer if isinstance(answer, tuple) else (int(str(answer)),)
            texts = [question["options"][position] for position in positions]
            predictions.append(
                Prediction(question["id"], 0, write([LETTERS[position] for position in positions], texts))
            )
    return Mdar(version).score(key, predictions)


def use_first(write: Callable[[str, str], str]) -> Callable[[list[str], list[str]], str]:
    return lambda letters, texts: write(letters[0], texts[0])


def test_right_answer_to_main_is_parsed_in_every_wording(subtests: pytest.Subtests, soak: bool) -> None:
    for version in FOLDERS:
        for wording, write in MAIN_WORDINGS.items():
            with subtests.test(wording=wording, version=version):
                report = answer_all(version, choose_questions(version, soak=soak), "main", use_first(write))
                accuracy = report.scores["main"]["accuracy"]
                right = round((accuracy.value or 0) * accuracy.n)
                assert right == accuracy.n, (
                    f"{wording}: {right} of {accuracy.n} were read, {dict(report.unreadable_reasons)}"
                )


def test_right_answer_to_multi_is_parsed_in_every_wording(subtests: pytest.Subtests, soak: bool) -> None:
    for version in FOLDERS:
        for wording in MULTI_WORDINGS:
            with subtests.test(wording=wording, version=version):
                report = answer_all(version, choose_questions(version, soak=soak), "multi", MULTI_WORDINGS[wording])
                exact_match = report.scores["multi"]["em"]
                right = round((exact_match.value or 0) * exact_match.n)
                assert right == exact_match.n, (
                    f"{wording}: {right} of {exact_match.n} were read, {dict(report.unreadable_reasons)}"
                )


@pytest.mark.parametrize("version", FOLDERS)
def test_wrong_answer_is_never_parsed_as_right(version: str) -> None:
    key = import_set(version)
    predictions = []
    for question in key.questions:
        right = key.answers[question["id"]]
        if isinstance(right, int):
            wrong = (right + 1) % len(question["options"])
            predictions.append(Prediction(question["id"], 0, f"答案是{question['options'][wrong]}。"))
    assert Mdar(version).score(key, predictions).scores["main"]["accuracy"].value == 0


@pytest.mark.parametrize("version", FOLDERS)
def test_set_is_imported_completely_and_deterministically(version: str) -> None:
    benchmark = Mdar(version)
    key = import_set(version)
    assert benchmark.import_folder(FOLDERS[version], SEED).key == key
    benchmark.check_key(key)
    assert len({item.id for item in benchmark.content(key).items}) == len(key.answers)
