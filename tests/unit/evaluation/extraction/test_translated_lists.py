"""Responses in another language than the options."""

import pytest

from tests.support.samples.option_sets import read_letter, read_letters

WEATHER = ("Wind", "Rain", "Thunder", "Hail")
JOBS = ("Farmer", "Police officer", "Doctor", "Journalist")
TOOLS = ("电动剃须刀", "吸尘器", "吹风机", "电风扇")


@pytest.mark.parametrize(
    ("options", "response", "expected"),
    [
        (WEATHER, "答案是雨声和雷声。", "BC"),
        (WEATHER, "可以听到雨声、雷声，没有冰雹。", "BC"),
        (JOBS, "参加讨论的人有记者、医生和警察。", "BCD"),
        (TOOLS, "The sounds are a hairdryer and an electric shaver, not a vacuum cleaner.", "AC"),
        (("远处狗叫", "树叶沙沙响", "冰块碎裂"), "A dog barks in the distance while leaves are rustling.", "AB"),
        (("Confident", "Hostile", "Friendly"), "说话者的语气友好且自信。", "AC"),
        # A member that is not understood may be a further option.
        (WEATHER, "雨声、木鱼声和雷声", None),
        (WEATHER, "雨声或者雷声", None),
    ],
)
def test_a_list_names_options_in_another_language(
    options: tuple[str, ...], response: str, expected: str | None
) -> None:
    assert read_letters(options, response) == expected


@pytest.mark.parametrize(
    ("options", "response", "expected"),
    [
        (("duck", "swan", "goose", "turkey"), "这是鹅的叫声。", "C"),
        (("duck", "swan", "goose", "turkey"), "这是天鹅的叫声。", "B"),
        (("dog barking", "cat meowing", "goose honking"), "这是猫叫声。", "B"),
        (("Harpsichord", "Piano", "Celesta"), "是羽管键琴。", "A"),
        (("夫妻", "兄妹", "同事"), "The two people are husband and wife.", "A"),
    ],
)
def test_an_animal_or_a_thing_is_known_in_both_languages(
    options: tuple[str, ...], response: str, expected: str
) -> None:
    assert read_letter(options, response) == expected
