"""Verdicts that go on to other options, said of each: "A is wrong, and so is B"."""

import pytest

from evaluation.extraction.claims.carried_verdicts import carry_in_response, carry_verdicts
from evaluation.extraction.option_texts.options import prepare
from tests.support.samples.option_sets import WEATHER, read_letter, read_letters

IN_CHINESE = ("雨声", "风声", "雷声", "鸟叫")
SETS = [
    (WEATHER, "A is wrong, and so is B.", None),
    (WEATHER, "A is right, and so is B.", "AB"),
    (WEATHER, "A is correct, as are C and D.", "ACD"),
    (WEATHER, "B is wrong, as is C. A and D are right.", "AD"),
    (WEATHER, "A is right as well as B.", "AB"),
    (WEATHER, "B is wrong for the same reason as A.", None),
    (WEATHER, "A is unsupported, and the same goes for B.", None),
    (WEATHER, "A is correct, B is wrong, C likewise, D is correct.", "AD"),
    (WEATHER, "A: correct. B: same as A. C: no. D: ditto.", "AB"),
    (WEATHER, "Rain is absent; wind too.", None),
    (WEATHER, "Rain is missing, wind as well. I hear thunder.", "C"),
    (WEATHER, "Rain is audible and so are wind and hail.", "ABD"),
    (WEATHER, "I don't hear rain. Wind, likewise.", None),
    (WEATHER, "A对，B亦然。", "AB"),
    (WEATHER, "A不对，B也是，C同样。", None),
    (IN_CHINESE, "没有雨声，风声也是。", None),
    (IN_CHINESE, "没听到雨声，风声同样。有雷声和鸟叫。", "CD"),
    (IN_CHINESE, "雨声：错误\n风声：同上\n雷声：正确", "C"),
]
CHOICES = [
    ("A is wrong, and so is B.", None),
    ("A is wrong and so are B and C.", "D"),
    ("A is false; so is C. D is true.", "D"),
    ("If A is wrong, so is B.", None),
    ("A错，B也是。", None),
    ("A不对，B也一样，选C。", "C"),
]


@pytest.mark.parametrize(("options", "response", "expected"), SETS)
def test_verdict_goes_on_in_a_set(options: tuple[str, ...], response: str, expected: str | None) -> None:
    assert read_letters(options, response) == expected


@pytest.mark.parametrize(("response", "expected"), CHOICES)
def test_verdict_goes_on_in_a_single_choice(response: str, expected: str | None) -> None:
    assert read_letter(WEATHER, response) == expected


@pytest.mark.parametrize(
    "response",
    ["A is wrong, so B is right.", "A is right, too.", "So is B.", "A is wrong, B is right as well.", "A对，B不对。"],
)
def test_other_verdict_is_kept(response: str) -> None:
    assert carry_verdicts(response) == carry_in_response(response, prepare(WEATHER)) == response
