"""Bounds of a count: "at least two" leaves open how many there are."""

import pytest

from evaluation.extraction import read_choice

COUNTS = ("One", "Two", "Three", "Four")
COUNTS_IN_CHINESE = ("一个", "两个", "三个")


@pytest.mark.parametrize(
    ("response", "options"),
    [
        ("At least two", COUNTS),
        ("At most three speakers.", COUNTS),
        ("It is not only one", COUNTS),
        ("more than two", COUNTS),
        ("Two at most", COUNTS),
        ("至少两个", COUNTS_IN_CHINESE),
        ("不止一个", COUNTS_IN_CHINESE),
        ("两个以上", COUNTS_IN_CHINESE),
    ],
)
def test_bound_is_no_count(response: str, options: tuple[str, ...]) -> None:
    assert read_choice(response, options).index is None


@pytest.mark.parametrize(
    ("response", "options", "letter"),
    [
        ("More than one, namely two.", COUNTS, "B"),
        ("There are not only one but two speakers.", COUNTS, "B"),
        ("B. At least two", COUNTS, "B"),
        ("At least two", ("At least two", "One", "None"), "A"),
        ("不是一个而是两个", COUNTS_IN_CHINESE, "B"),
    ],
)
def test_count_beside_a_bound_and_options_that_are_bounds_are_read(
    response: str, options: tuple[str, ...], letter: str
) -> None:
    assert read_choice(response, options).index == ord(letter) - 65
