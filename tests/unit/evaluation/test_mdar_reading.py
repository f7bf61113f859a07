"""Right answers to MDAR, written as models write them, are read as right: over our own set and the released one."""

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

One = Callable[[str, str], str]
Several = Callable[[Sequence[str], Sequence[str]], str]

# What the released scripts make of these: a letter never matches, and "答案是" before a right answer makes it wrong.
ONE: dict[str, One] = {
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
SEVERAL: dict[str, Several] = {
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
    """Return the key of a set; of the released one, which is large, that of every seventh question."""
    key = import_set(version)
    chosen = key.questions[:: 1 if soak or version == "demo" else 7]
    return replace(key, questions=chosen, answers={question["id"]: key.answers[question["id"]] for question in chosen})


def answer_all(version: str, key: AnswerKey, part: str, write: Callable[[list[str], list[str]], str]) -> Report:
    """Score a file in which every question of a part is answered rightly, in the form given."""
    predictions = []
    for question in key.questions:
        answer = key.answers[question["id"]]
        if question["part"] == part:
            places = answer if isinstance(answer, tuple) else (int(str(answer)),)
            texts = [question["options"][place] for place in places]
            predictions.append(Prediction(question["id"], 0, write([LETTERS[place] for place in places], texts)))
    return Mdar(version).score(key, predictions)


def of_the_first(write: Callable[[str, str], str]) -> Callable[[list[str], list[str]], str]:
    return lambda letters, texts: write(letters[0], texts[0])


def test_right_answer_to_main_is_read_in_every_form(subtests: pytest.Subtests, soak: bool) -> None:
    for version in FOLDERS:
        for form, write in ONE.items():
            with subtests.test(form=form, version=version):
                report = answer_all(version, choose_questions(version, soak=soak), "main", of_the_first(write))
                found = report.scores["main"]["accuracy"]
                right = round((found.value or 0) * found.n)
                assert right == found.n, f"{form}: {right} of {found.n} were read, {dict(report.unreadable_reasons)}"


def test_right_answer_to_multi_is_read_in_every_form(subtests: pytest.Subtests, soak: bool) -> None:
    for version in FOLDERS:
        for form in SEVERAL:
            with subtests.test(form=form, version=version):
                report = answer_all(version, choose_questions(version, soak=soak), "multi", SEVERAL[form])
                found = report.scores["multi"]["em"]
                right = round((found.value or 0) * found.n)
                assert right == found.n, f"{form}: {right} of {found.n} were read, {dict(report.unreadable_reasons)}"


@pytest.mark.parametrize("version", FOLDERS)
def test_wrong_answer_is_never_read_as_right(version: str) -> None:
    key = import_set(version)
    predictions = []
    for question in key.questions:
        right = key.answers[question["id"]]
        if isinstance(right, int):
            wrong = (right + 1) % len(question["options"])
            predictions.append(Prediction(question["id"], 0, f"答案是{question['options'][wrong]}。"))
    assert Mdar(version).score(key, predictions).scores["main"]["accuracy"].value == 0


@pytest.mark.parametrize("version", FOLDERS)
def test_set_is_imported_whole_and_the_same_twice(version: str) -> None:
    benchmark = Mdar(version)
    key = import_set(version)
    assert benchmark.import_folder(FOLDERS[version], SEED).key == key
    benchmark.check_key(key)
    assert len({item.id for item in benchmark.content(key).items}) == len(key.answers)
