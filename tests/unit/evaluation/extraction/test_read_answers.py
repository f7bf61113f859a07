"""Agreement of the parsers with careful readers, on answers in the style of many systems."""

import pytest

from bench import parsing
from tests.support.samples.read_answers import SETS, compare, list_answers

MIN_AGREEMENT = {"choice": 0.97, "choices": 0.97, "boolean": 0.99, "steps": 0.99}
MAX_WRONG_SETS = 2


@pytest.mark.parametrize("name", SETS)
def test_readers_agree_with_the_labels_of_careful_readers(name: str) -> None:
    rates = compare(name)
    assert rates.agreement >= MIN_AGREEMENT[name], rates.missed
    wrong = [*rates.invented, *rates.misread]
    assert len(wrong) <= (MAX_WRONG_SETS if name == "choices" else 0), wrong


def test_command_prints_a_row_for_each_set(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(parsing, "SETS", ("boolean",))
    parsing.main()
    row = capsys.readouterr().out.splitlines()[1].split()
    assert row[:2] == ["true/false", str(len(list(list_answers("boolean"))))]
    assert row[3:5] == ["0", "0"], "nothing invented or misread"


@pytest.mark.parametrize("name", SETS)
def test_labelled_answers_are_numerous_bilingual_and_partly_unreadable(name: str) -> None:
    answers = list(list_answers(name))
    assert len(answers) >= 150
    assert len({(answer.response, answer.options, answer.n_steps) for answer in answers}) == len(answers)
    assert (
        sum(any("\u4e00" <= sign <= "\u9fff" for sign in answer.response) for answer in answers) >= len(answers) // 10
    )
    assert sum(answer.expected is None for answer in answers) >= len(answers) // 20
