"""Introductions and mistyped words that hide an option, letters with a gloss, and letters with which an answer ends."""

import pytest

from evaluation.extraction import read_choice, read_choices

VEHICLES = ("One vehicle", "Two vehicles", "Three vehicles", "Four or more vehicles")
EXCUSES = ("His car broke down", "He overslept", "He forgot the appointment", "He got the wrong address")
PEOPLE = ("一个人", "两个人", "三个人", "四个人及以上")
VISITORS = ("男主人", "快递员", "物业保安", "邻居老太太")
MOODS = ("紧张", "兴奋", "失望", "尴尬")
JOB = ("It takes place online", "The applicant has worked abroad", "The position is part-time", "She answers by Monday")


@pytest.mark.parametrize(
    ("response", "options", "letter"),
    [
        ("Only one.", VEHICLES, "A"),
        ("There is only one.", VEHICLES, "A"),
        ("I heard only three.", VEHICLES, "C"),
        ("Just two can be heard.", VEHICLES, "B"),
        ("He misheard the number. That means he got the wrong adress.", EXCUSES, "D"),
        ("I think he forgot the apointment.", EXCUSES, "C"),
        ("B（一男一女，两位说话人交替发言，没有第三个人的声音）", PEOPLE, "B"),
        ("B（一男一女）", PEOPLE, "B"),
    ],
)
def test_short_answers_are_read_without_their_introduction_and_gloss(
    response: str, options: tuple[str, ...], letter: str
) -> None:
    assert read_choice(response, options).index == ord(letter) - 65


@pytest.mark.parametrize(
    ("response", "options"),
    [
        ("说话的是一位男性，声音比较年轻。", VISITORS),
        ("说话的是快递员还是保安需要判断，首先", VISITORS),
        ("B（三个人）", PEOPLE),
        ("I hear birds singing.", ("a dog barking", "a bird singing", "rain")),
    ],
)
def test_less_than_an_option_stays_unread(response: str, options: tuple[str, ...]) -> None:
    assert read_choice(response, options).index is None


@pytest.mark.parametrize(
    ("response", "options", "letters"),
    [
        ("情绪由兴奋转为失望，故选B和C", MOODS, "BC"),
        ("从紧张到失望，选AC", MOODS, "AC"),
        ("This signals online talk (A). She says so (B), but shrugs off the rest.\n\nA, B", JOB, "AB"),
        ("The applicant has worked abroad, the job is part-time.", JOB, "BC"),
        ("答案：AB\n\n答案：CD", MOODS, None),
        ("从紧张到尴尬，选AC", MOODS, None),
        ("A or C fits (B).\nA, B", MOODS, None),
    ],
)
def test_letters_at_the_end_are_the_set_if_nothing_speaks_against_them(
    response: str, options: tuple[str, ...], letters: str | None
) -> None:
    indices = read_choices(response, options).indices
    assert (None if indices is None else "".join(chr(65 + place) for place in sorted(indices))) == letters
