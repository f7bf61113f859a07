"""Wordings that are easily misread as their opposite, or only in part."""

from collections.abc import Sequence

import pytest

from evaluation.extraction import read_boolean, read_choice, read_choices, read_steps
from tests.support.samples.option_sets import WEATHER

SIDE = ("left", "right", "ahead", "behind")
SOUND = ("雨声", "风声", "雷声", "冰雹声")
TRAFFIC = ("火车——进站", "火车——出站", "汽车——起步", "汽车——刹车")
MOTION = ("left—right", "right—left", "up - down", "none")

AMBIGUOUS, CONTRADICTION, OUTSIDE = "ambiguous", "contradiction", "outside-options"

# response, options, position(s) or reason
Case = tuple[str, Sequence[str], int | set[int] | str]


def read_index(response: str, options: Sequence[str]) -> int | str | None:
    reading = read_choice(response, options)
    return reading.reason if reading.index is None else reading.index


def read_indices(response: str, options: Sequence[str]) -> set[int] | str | None:
    reading = read_choices(response, options)
    return reading.reason if reading.indices is None else set(reading.indices)


def read_verdicts(response: str, n_steps: int = 2) -> tuple[int, ...] | str | None:
    reading = read_steps(response, n_steps)
    return reading.reason if reading.verdicts is None else tuple(map(int, reading.verdicts))


def test_read_choices_reads_a_list_with_semicolons_completely(subtests: pytest.Subtests) -> None:
    rows: list[Case] = [
        ("答案：A；B", SOUND, {0, 1}),
        ("答案是A；B；C", SOUND, {0, 1, 2}),
        ("答案：雨声；风声", SOUND, {0, 1}),
        ("答案是：雨声；风声。", SOUND, {0, 1}),
        ("选A；C", SOUND, {0, 2}),
        ("选A；C；因为声音很大", SOUND, {0, 2}),
        ("答案：A. 雨声；B. 风声", SOUND, {0, 1}),
        ("答案：A. 雨声；B. 风声；D. 冰雹声。", SOUND, {0, 1, 3}),
        ("Answer: A; C", WEATHER, {0, 2}),
        ("The answers are A; C", WEATHER, {0, 2}),
        ("Final answer: rain; hail.", WEATHER, {0, 3}),
        ("I choose A; B; and D.", WEATHER, {0, 1, 3}),
        ("The answer is A; C is wrong.", WEATHER, {0}),
        ("答案：A；B不对", SOUND, {0}),
        ("答案：A；B；C错误", SOUND, {0, 1}),
        ("选火车——出站；汽车——起步。", TRAFFIC, {1, 2}),
    ]
    for response, options, expected in rows:
        with subtests.test(response):
            assert read_indices(response, options) == expected


def test_read_choice_finds_texts_with_dashes(subtests: pytest.Subtests) -> None:
    rows: list[Case] = [
        ("火车——进站", TRAFFIC, 0),
        ("火车—进站", TRAFFIC, 0),
        ("火车--进站。", TRAFFIC, 0),
        ("火车进站", TRAFFIC, 0),
        ("答案是“汽车——刹车”。", TRAFFIC, 3),
        ("我认为应该选B，因为火车——出站。", TRAFFIC, 1),
        ("A：火车——进站", TRAFFIC, 0),
        ("B：火车——进站", TRAFFIC, CONTRADICTION),
        ("left—right", MOTION, 0),
        ("The answer is right-left.", MOTION, 1),
        ("left——right", MOTION, 0),
        ("a-b-c", ("d e f", "a b c"), 1),
        ("a b c", ("d-e-f", "a-b-c"), 1),
        ("T恤", ("T-恤", "裤子"), 0),
        ("-3", ("3", "-3"), 1),
    ]
    for response, options, expected in rows:
        with subtests.test(response):
            assert read_index(response, options) == expected


def test_read_steps_reads_the_meaning_of_true_from_the_label_of_a_list(subtests: pytest.Subtests) -> None:
    rows = [
        ("is_correct: [true, false]", (0, 1)),
        ("**Is correct**: [true, false]", (0, 1)),
        ("Correct: [1, 0]", (0, 1)),
        ("correctness = [true, false]", (0, 1)),
        ("是否正确：[true, false]", (0, 1)),
        ("Erroneous: [1, 0]", (1, 0)),
        ("有误：[true, false]", (1, 0)),
        ("Here 1 means correct and 0 means wrong: [1, 0]", (0, 1)),
        ("Here 1 means wrong and 0 means correct: [1, 0]", (1, 0)),
        ("Correct steps are marked 1, wrong ones 0.\n[1, 0]", (0, 1)),
        ("1表示正确，0表示错误：[1, 0]", (0, 1)),
        ("1表示错误，0表示正确：[1, 0]", (1, 0)),
        ("Labels (1 = error): [1, 0]", (1, 0)),
        ("Labels: [1, 0] (true = correct)", (0, 1)),
        ("1 means correct, but 1 means wrong too: [1, 0]", AMBIGUOUS),
        ("Are the steps correct? [true, false]", AMBIGUOUS),
        ("Which steps are right: [true, false]", AMBIGUOUS),
        ("[1, 0] where 1 is correct", AMBIGUOUS),
        ('1 means correct. {"labels": [1, 0]}', AMBIGUOUS),
        ('1 means wrong. {"labels": [1, 0]}', (1, 0)),
        ('1 means correct. {"is_correct": [1, 0]}', (0, 1)),
        ("Step 1 is correct. Step 2 is wrong. [false, true]", (0, 1)),
        ("1 = correct\n2 = incorrect\n[0, 1]", (0, 1)),
        ("Step 2 is correct as 1 bell is heard. [1, 0]", (1, 0)),
        ("The correct answer is [0, 1]", (0, 1)),
        ('Correct: ["yes", "no"]', (0, 1)),
        ('Are they correct? ["correct", "wrong"]', (0, 1)),
        ("Step 1: correct\nStep 1: incorrect\nStep 2: correct", CONTRADICTION),
        ("Step 1: correct\n\nStep 1: incorrect\nStep 2: correct", CONTRADICTION),
        ("Step 1: correct\nStep 2: wrong\nFinal:\nStep 1: wrong\nStep 2: wrong", (1, 1)),
        ("步骤1：正确\n步骤1：错误\n步骤2：正确", CONTRADICTION),
    ]
    for response, expected in rows:
        with subtests.test(response):
            assert read_verdicts(response) == expected


def test_read_choice_does_not_take_reversed_wording_literally(subtests: pytest.Subtests) -> None:
    rows: list[Case] = [
        ("与其说是朋友，不如说是恋人", ("父子", "同事", "恋人", "朋友"), 2),
        ("与其选A，不如选B", SIDE, 1),
        ("I prefer A to B.", SIDE, 0),
        ("I prefer option C to option B.", SIDE, 2),
        ("The user says the answer is A, but I hear B.", SIDE, OUTSIDE),
        ("The user says A, but the answer is B.", SIDE, 1),
        ("The reference answer is A but I disagree", SIDE, AMBIGUOUS),
        ("Most people would answer A", SIDE, OUTSIDE),
        ("他们看起来像恋人，其实不是", ("父子", "同事", "恋人", "朋友"), AMBIGUOUS),
        ("是恋人，不是。", ("父子", "同事", "恋人", "朋友"), AMBIGUOUS),
        ("left? hardly.", SIDE, AMBIGUOUS),
        ("left? Hardly. The answer is C.", SIDE, 2),
        ("Anything but A", SIDE, AMBIGUOUS),
        ("all but A", SIDE, AMBIGUOUS),
        ("nothing but A", SIDE, 0),
        ("The answer is anything but C.", SIDE, AMBIGUOUS),
        ("I doubt it's A", SIDE, AMBIGUOUS),
        ("I doubt it's A, but B fits.", SIDE, 1),
        ("There is no doubt it's A", SIDE, 0),
        ("A:0 B:1 C:0 D:0", SIDE, AMBIGUOUS),
        ("B: 3 bells ring on this side", SIDE, 1),
        ('{"answer": null, "options": ["A"]}', SIDE, OUTSIDE),
        ('{"options": ["A", "B"], "answer": "B"}', SIDE, 1),
        ("The left ear receives less energy than the right", SIDE, AMBIGUOUS),
        ("Yes, the answer is B", ("Yes", "No", "Maybe", "Unknown"), CONTRADICTION),
        ("No, the answer is yes", ("Yes", "No", "Maybe", "Unknown"), CONTRADICTION),
        ("Only B is right.", SIDE, 1),
    ]
    for response, options, expected in rows:
        with subtests.test(response):
            assert read_index(response, options) == expected


def test_read_choice_ignores_direction_words_with_another_meaning(subtests: pytest.Subtests) -> None:
    rows = [
        "The bird left the tree.",
        "The sound left the room",
        "**left** the room",
        "Only 3 sounds left",
        "Nothing is left to decide",
        "She left a message",
        "Please go ahead",
        "I'm right-handed",
        "I hear someone. I think it's right there.",
        "Plan B: we go right away.",
        "There is nothing behind this.",
        "The reasoning behind this is unclear",
    ]
    for response in rows:
        with subtests.test(response=response):
            assert isinstance(read_index(response, SIDE), str)


def test_read_choice_reads_a_direction_in_a_sentence(subtests: pytest.Subtests) -> None:
    rows: list[Case] = [
        ("It moves left.", SIDE, 0),
        ("It comes from the left", SIDE, 0),
        ("It moves left a bit.", SIDE, 0),
        ("The answer is left. The room is large.", SIDE, 0),
        ("The sound is on the right of me", SIDE, 1),
        ("It is behind me.", SIDE, 3),
        ("left, not right", SIDE, 0),
    ]
    for response, options, expected in rows:
        with subtests.test(response):
            assert read_index(response, options) == expected


def test_read_choices_does_not_take_reversed_wording_literally(subtests: pytest.Subtests) -> None:
    rows: list[Case] = [
        ("everything but B", WEATHER, {0, 2, 3}),
        ("除雨声外，其他都正确", SOUND, {1, 2, 3}),
        ("不仅A，而且B", SOUND, {0, 1}),
        ("不但雨声，而且雷声", SOUND, {0, 2}),
        ("A, B\n\nActually only B", WEATHER, {1}),
        ("Only A", WEATHER, {0}),
        ("只有A", SOUND, {0}),
        ("A and possibly C", WEATHER, AMBIGUOUS),
        ("A (and maybe B)", WEATHER, AMBIGUOUS),
        ("A to C", WEATHER, AMBIGUOUS),
        ("rain to wind", WEATHER, AMBIGUOUS),
        ("I prefer A to B.", WEATHER, {0}),
        ("A、雨声 B、风声 C、雷声 D、冰雹声", SOUND, AMBIGUOUS),
    ]
    for response, options, expected in rows:
        with subtests.test(response):
            assert read_indices(response, options) == expected


def test_read_boolean_does_not_read_half_truths(subtests: pytest.Subtests) -> None:
    rows = [
        ("It would be wrong to say it is either true or false", None),
        ("Neither true nor false", None),
        ("half true", None),
        ("partially correct", None),
        ("The statement is partially true", None),
        ("It is not entirely true.", None),
        ("hardly true", None),
        ("部分正确", None),
        ("不完全正确", None),
        ("不一定对", None),
        ("I doubt it is true.", None),
        ("No doubt it is true.", True),
        ("完全正确", True),
        ("不正确", False),
    ]
    for response, expected in rows:
        with subtests.test(response):
            assert read_boolean(response).value is expected


PATRON = ("资助她称为“孙子”的晚辈", "别的", "都不是", "一只猫")


def test_read_choices_reads_quotes_within_texts_and_lists_of_all_texts(subtests: pytest.Subtests) -> None:
    rows: list[Case] = [
        ('{"answer": "资助她称为“孙子”的晚辈"}', PATRON, {0}),
        ('{"answer": ["资助她称为“孙子”的晚辈", "别的"]}', PATRON, {0, 1}),
        ("答案是“资助她称为‘孙子’的晚辈”。", PATRON, {0}),
        ("{“answer”: “别的”}", PATRON, {1}),
        ("答案是：\n雨声\n风声\n雷声\n冰雹声", SOUND, {0, 1, 2, 3}),
        ("答案是：雨声；风声；雷声；冰雹声。", SOUND, {0, 1, 2, 3}),
        ("正确的选项有：雨声，风声，雷声，冰雹声。", SOUND, {0, 1, 2, 3}),
        ("The answers are rain, wind, thunder and hail.", WEATHER, {0, 1, 2, 3}),
        ("选项：雨声；风声；雷声；冰雹声。", SOUND, OUTSIDE),
        ("Is the answer rain, wind, thunder or hail?", WEATHER, OUTSIDE),
        ("Answer:\nA. rain\nB. wind\nC. thunder\nD. hail", WEATHER, OUTSIDE),
        ("Options: rain, wind, thunder, hail. Answer: A", WEATHER, {0}),
    ]
    for response, options, expected in rows:
        with subtests.test(response):
            assert read_indices(response, options) == expected


def test_read_steps_reads_a_sentence_on_every_step(subtests: pytest.Subtests) -> None:
    rows = [
        ("All steps are correct.", (0, 0)),
        ("**All of the steps are correct.**", (0, 0)),
        ("Every step is wrong", (1, 1)),
        ("所有步骤都正确。", (0, 0)),
        ("所有步骤都是错误的", (1, 1)),
        ("No errors found.", (0, 0)),
        ("Not all steps are correct.", OUTSIDE),
        ("All steps are correct except the second.", (0, 1)),
        ("并非所有步骤都正确", OUTSIDE),
    ]
    for response, expected in rows:
        with subtests.test(response):
            assert read_verdicts(response) == expected
