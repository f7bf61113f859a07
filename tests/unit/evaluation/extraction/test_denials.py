"""Opinions against options: "I don't think A is right" denies A in any wording, and implies nothing about others."""

from itertools import product

import pytest

from evaluation.extraction.choice import read_choice
from evaluation.extraction.choices import read_choices

OPTIONS = ["a dog barks", "a bell rings", "a car passes", "rain falls"]
OPINIONS = (
    *("I don't think {} is right", "I do not believe that {} is correct", "I wouldn't say option {} is true"),
    *("I doubt that {} is right", "It is not true that {} is correct", "It's not the case that {} is supported"),
)
PAIR_OPINIONS = (
    *("I don't think either of A and B is right", "I don't think A and B are right", "Neither of A and B is right"),
    *("We do not believe that any of A or B is correct", "It is not true that A or B is right"),
)
CHINESE_OPINIONS = ("我不认为{}是对的", "我不觉得选项{}正确", "我们并不认为{}是正确的")
ENDINGS = ("; {} is right.", ". {} is right.", ". The answer is {}.")
CHINESE_ENDINGS = (";{}是对的。", "。{}正确。", "。答案是{}。")


@pytest.mark.parametrize(
    ("opinions", "endings"), [(OPINIONS, ENDINGS), (CHINESE_OPINIONS, CHINESE_ENDINGS)], ids=["english", "chinese"]
)
def test_denied_option_is_not_chosen_and_the_other_is(
    opinions: tuple[str, ...], endings: tuple[str, ...], subtests: pytest.Subtests
) -> None:
    for opinion, ending, (denied, chosen) in product(opinions, endings, [("A", "C"), ("B", "A"), ("D", "B")]):
        response = opinion.format(denied) + ending.format(chosen)
        with subtests.test(response=response):
            index = ord(chosen) - ord("A")
            assert read_choice(response, OPTIONS).index == index
            assert read_choices(response, OPTIONS).indices == frozenset({index})


def test_pair_of_denied_options_is_not_chosen(subtests: pytest.Subtests) -> None:
    for opinion, ending in product(PAIR_OPINIONS, ENDINGS):
        response = opinion + ending.format("C")
        with subtests.test(response=response):
            assert read_choice(response, OPTIONS).index == 2
            assert read_choices(response, OPTIONS).indices == frozenset({2})


@pytest.mark.parametrize("response", ["I don't think A is right.", "I don't think A is wrong.", "我不认为A是对的。"])
def test_denial_alone_chooses_nothing(response: str) -> None:
    assert read_choice(response, OPTIONS).index is None
    assert read_choices(response, OPTIONS).indices is None


def test_option_that_is_not_right_alone_is_not_denied() -> None:
    response = "I don't think A is right alone. C is right."
    assert read_choices(response, OPTIONS).indices != frozenset({2})


def test_option_accepted_before_a_denial_stays_chosen() -> None:
    assert read_choices("I think A is right; I don't think B is right.", OPTIONS).indices == frozenset({0})
