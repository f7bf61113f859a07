"""Introductions and mistyped words that hide an option, letters with a gloss, and letters with which an answer ends."""

import pytest

from evaluation.extraction import read_choice, read_choices

VEHICLES = ("One vehicle", "Two vehicles", "Three vehicles", "Four or more vehicles")
EXCUSES = ("His car broke down", "He overslept", "He forgot the appointment", "He got the wrong address")
PEOPLE = ("一个人", "两个人", "三个人", "四个人及以上")
VISITORS = ("男主人", "快递员", "物业保安", "邻居老太太")
MOODS = ("紧张", "兴奋", "失望", "尴尬")
ANGLES, TONES = ("0°", "90°", "180°", "270°"), ("Rising", "Falling", "Constant", "Rising then falling")
OFFERS = ("She will accept the offer", "She will decline the offer", "She will ask for more time")
PATHS = ("Bottom to top", "Top to bottom", "Left to right", "Right to left")
DOORS = ("他忘带钥匙", "门锁坏了", "家里没人", "走错楼层")
CLIPS = ("Clip A", "Clip B", "No difference")
WEATHER = ("It rains, then it thunders, then it snows", "It thunders, then it rains, then it snows")
CHINESE_WEATHER = ("先下雨，后打雷，最后关窗", "先打雷，后下雨，最后关窗", "先关窗，后打雷，最后下雨")
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
        (r"$$\theta = 270^\circ$$", ANGLES, "D"),
        (r"$\approx 90^{\circ}$", ANGLES, "B"),
        ("It goes up and back down, like a slide whistle: rising and then falling.", TONES, "D"),
        ("She is happy where she is. I'd expect a polite no — she'll decline.", OFFERS, "B"),
        ("From the whirr, it travels from the bottom to the top.", PATHS, "A"),
        ("一出来就知道了，D呗。", PEOPLE, "D"),
        ("因此他进不了门是因为没带钥匙。", DOORS, "A"),
        ("Clip B, as clip A is much shorter.", CLIPS, "B"),
        ("Clip A is brighter than clip B, so my choice is the former.", CLIPS, "A"),
        ("First it rains, then it thunders, and finally it snows.", WEATHER, "A"),
        ("顺序是先打雷，然后下雨，最后关窗。", CHINESE_WEATHER, "B"),
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
        ("The emotion that is the least likely here: scared", ("happy", "sad", "scared")),
        ("There is only one emotion that can be ruled out: happy", ("happy", "sad", "scared")),
        ("Clip A or clip B, as clip A is long.", CLIPS),
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
        ("A and C (the mood); the rest of the moods aren't in the recording.", MOODS, "AC"),
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
