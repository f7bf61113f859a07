"""Orders of two things told the other way round, metres in words, and single options explained behind a colon."""

import pytest

from evaluation.extraction import read_choice

PASSING = (
    "The truck passes before the sports car",
    "The sports car passes before the truck",
    "They pass at the same time",
)
METRES = ("3/4", "4/4", "6/8", "5/4")
AIMS = ("退货", "投诉", "咨询价格", "预约维修", "取消订单")


@pytest.mark.parametrize(
    ("response", "options", "letter"),
    [
        ("The truck goes by around second 2, well ahead of the sports car.", PASSING, "A"),
        ("The sports car passes first.", PASSING, "B"),
        ("The truck comes after the sports car.", PASSING, "B"),
        ("six-eight", METRES, "C"),
        ("It is in three-four time.", METRES, "A"),
        ("八六拍", METRES, "C"),
        ("四分之三拍", METRES, "A"),
        ("客户来电的目的是预约维修：她说空调不制冷，希望有师傅上门。", AIMS, "D"),
    ],
)
def test_orders_metres_and_explained_options_are_read(response: str, options: tuple[str, ...], letter: str) -> None:
    assert read_choice(response, options).index == ord(letter) - 65


@pytest.mark.parametrize(
    "response",
    ["The truck passes first. The sports car comes before the truck.", "It is not clear if the truck passes first."],
)
def test_orders_that_differ_or_are_doubted_stay_unread(response: str) -> None:
    assert read_choice(response, PASSING).index is None
