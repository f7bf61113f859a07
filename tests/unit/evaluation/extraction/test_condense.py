"""Condensing: sentences without options are removed before the search for option texts."""

import pytest

from evaluation.extraction import read_choice
from evaluation.extraction.language.tokens import tokenize
from evaluation.extraction.option_texts.options import prepare
from evaluation.extraction.shortcuts import condense
from evaluation.extraction.shortcuts.condense import leave_out_asides

PLACES = ("a station", "a train station", "a restaurant", "a school yard")
TIMES = ("2 seconds", "4 seconds", "12 seconds", "20 seconds")


def test_leave_out_asides_keeps_sentences_that_may_name_an_option(subtests: pytest.Subtests) -> None:
    rows = [
        ("A bell rings twice in the hall. Then it fades very slowly.\nAnswer B", PLACES, "xx.\nAnswer B"),
        ("The bell in the train rings twice. It fades very slowly in all. B", PLACES, "xx. B"),
        (
            "The bell rings in a loud restaurant. It fades very slowly. B",
            PLACES,
            "The bell rings in a loud restaurant. xx. B",
        ),
        ("All of it happens in the hall of a train\nstation master Li is heard there. B", PLACES, None),
        ("The bell rings for about four of them. Answer B", TIMES, None),
        ("The bell rings in the hall all day. Answer B", TIMES, "xx. Answer B"),
        ("The bell rings in the hall all day. Answer B", ("Mr. Li speaks", "Mr. Wu speaks"), None),
        ("A so-called expert speaks very slowly. Answer B", PLACES, "xx. Answer B"),
        ("A fits well with what is heard outside. Answer B", PLACES, None),
        ("A, so it seems, speaks of what is heard. Answer B", PLACES, None),
        ("A、B、C都正确,剩下D。音频里有海鸥在叫。没有船笛和火车的汽笛。", PLACES, None),
    ]
    for text, options, expected in rows:
        with subtests.test(text=text):
            assert leave_out_asides(text, prepare(options)) == (text if expected is None else expected)


def test_read_choice_reads_a_text_on_two_lines_between_asides() -> None:
    response = (
        "The loudspeakers echo in a large hall.\nIt sounds most like a train\nstation. Then it fades very slowly."
    )
    assert read_choice(response, PLACES).index == 1


@pytest.mark.parametrize("verdict", sorted(condense._LAST_VERDICTS))
def test_last_verdicts_are_a_token_of_their_own_that_judges(verdict: str) -> None:
    for before in ("The bell rings as time", "It is what it is not to be", "a bell, which is the most"):
        tokens = tokenize(f"{before} {verdict}")
        assert tokens[-1].text == verdict
        assert condense._judges(tokens)
