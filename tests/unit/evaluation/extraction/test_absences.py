"""Members that a response calls missing are no members of its set."""

import pytest

from evaluation.extraction import read_choices

WEATHER = ("wind", "rain", "hail", "thunder")
CHINESE_WEATHER = ("风声", "雨声", "冰雹", "雷声")
ABSENT = [
    *((response, WEATHER) for response in (
        "Two are absent: wind and hail", "Two are absent: A and C", "A and C are absent.",
        "Wind is missing. The others are unclear.", "Wind is silent.", "Wind is nowhere to be found.",
        "Missing:\n- wind\n- hail", "What is missing is wind.", "The recording lacks wind and hail.",
        "wind: absent, hail: missing", "Wind and hail. Both are missing.", "Wind and hail are absent.",
        "Two sounds are missing. They are wind and hail.", "A is wrong. I can't judge the others.",
        "Rain (B) and not wind (A) and thunder (D)", "B and not A and D", "Rain and not wind and thunder",
    )),
    *((response, CHINESE_WEATHER) for response in (
        "缺少风声和冰雹", "有两个没有出现：风声和冰雹", "风声缺失", "未出现：风声、冰雹", "缺失的是A和C", "风声消失了",
    )),
]  # fmt: skip
NAMED = [
    *((response, WEATHER) for response in (
        "Two are absent: wind and hail. I hear rain and thunder.", "Missing: A, C. Present: B, D.",
        "Wind and hail are nowhere to be heard; rain and thunder are.",
        "rain and thunder, while wind and hail are missing",
        "Everything is there except wind and hail.", "I hear all of them but A and C.", "B, not A, and D",
        "Rain (B) and thunder (D) but not wind (A)", "Rain and thunder but not wind and hail",
    )),
    ("雨声和雷声都有，风声和冰雹没有出现", CHINESE_WEATHER), ("雨声和雷声。缺少风声和冰雹。", CHINESE_WEATHER),
]  # fmt: skip


@pytest.mark.parametrize(("response", "options"), ABSENT)
def test_missing_members_are_no_set(response: str, options: tuple[str, ...]) -> None:
    assert read_choices(response, options).indices is None


@pytest.mark.parametrize(("response", "options"), NAMED)
def test_members_that_are_there_are_read_without_the_missing_ones(response: str, options: tuple[str, ...]) -> None:
    assert read_choices(response, options).indices == frozenset({1, 3})
