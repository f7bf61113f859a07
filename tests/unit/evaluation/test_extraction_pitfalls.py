"""Wordings that are easily taken for the opposite of what they say, or for only a part of it."""

import pytest

from evaluation.extraction import read_choice, read_choices, read_steps

SIDE = ("left", "right", "ahead", "behind")
WEATHER = ("rain", "wind", "thunder", "hail")
SOUND = ("雨声", "风声", "雷声", "冰雹声")
TRAFFIC = ("火车——进站", "火车——出站", "汽车——起步", "汽车——刹车")
MOTION = ("left—right", "right—left", "up - down", "none")

AMBIGUOUS, CONTRADICTION, OUTSIDE = "ambiguous", "contradiction", "outside-options"


def one(response, options):
    reading = read_choice(response, options)
    return reading.reason if reading.index is None else reading.index


def several(response, options):
    reading = read_choices(response, options)
    return reading.reason if reading.indices is None else set(reading.indices)


def steps(response, n_steps=2):
    reading = read_steps(response, n_steps)
    return reading.reason or tuple(map(int, reading.verdicts))


def cases(*rows):
    return pytest.mark.parametrize(
        ("response", "options", "expected"), [pytest.param(*row, id=ascii(row[0])[:60]) for row in rows]
    )


@cases(
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
)
def test_read_choices_list_joined_by_semicolons_is_read_whole(response, options, expected):
    assert several(response, options) == expected


@cases(
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
)
def test_read_choice_text_with_dashes_is_found(response, options, expected):
    assert one(response, options) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
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
    ],
    ids=ascii,
)
def test_read_steps_label_before_a_list_says_what_true_means(response, expected):
    assert steps(response) == expected
