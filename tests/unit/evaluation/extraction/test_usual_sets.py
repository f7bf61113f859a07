"""Usual sets of options in prose: what is absent, what another person does, and what a last line decides."""

import pytest

from evaluation.extraction import read_boolean
from tests.support.samples.option_sets import read_letters

FARM = ("Sheep", "Cow", "Horse", "Chicken", "Pig")
CALL = ("He apologises", "He makes an excuse", "He promises to call", "He hangs up first")
SONG = ("节奏变快", "节奏变慢", "音量变大", "音量变小")
CARS = ("汽车启动", "汽车加速", "汽车刹车", "汽车鸣笛")
ROOMS = ("Church", "Cave", "Bedroom", "Car")
CHANGES = ("The tempo doubles", "The key changes", "The singer stops", "The drums enter")
TONES = ("Louder", "Higher", "Longer", "Rougher")


@pytest.mark.parametrize(
    ("options", "response", "expected"),
    [
        (FARM, "We hear a sheep bleating, a cow mooing and chickens clucking. Horse and pig sounds are absent.", "ABD"),
        (CALL, "He apologises, makes an excuse and promises to call. It's the woman who hangs up first.", "ABC"),
        (SONG, "经过分析，这首曲子后半段的节奏变快了，音量也变大了。", "AC"),
        (CARS, "首先听到发动机点火的声音（A），接着转速升高（B），最后是刹车声（C）。没有鸣笛声，所以D不选。", "ABC"),
        (("Glass", "Metal", "Wood"), "The sounds come from metal and wooden objects. There is no glass.", "BC"),
        (ROOMS, "The tail would be consistent with a church or a cave. A car is far too dry.\n\nAnswer: A and B", "AB"),
        (CHANGES, "The drums enter. The key and tempo stay as they were, and the singer goes on.", None),
        (
            TONES,
            "Compared to the first sound, the second one is both louder and rougher, but it isn't any longer.",
            "AD",
        ),
        (FARM, "The answer is A only.", "A"),
        (FARM, "Only B and D seem plausible to me.", "BD"),
        (FARM, "Select all that apply:\n[x] A. Sheep\n[ ] B. Cow\n[ ] C. Horse\n[x] D. Chicken\n[ ] E. Pig", "AD"),
        (
            ("Above", "Behind", "Close", "Moving"),
            "It is close and moving (C and D). Neither A nor B is supported.",
            "CD",
        ),
        (("Man", "Woman"), "It might be a woman or even a man. I'm not able to tell from this recording.", None),
    ],
)
def test_usual_sets_in_prose(options: tuple[str, ...], response: str, expected: str | None) -> None:
    assert read_letters(options, response) == expected


def test_who_cannot_say_whether_it_is_true_gives_no_answer() -> None:
    response = "The first part supports it, the second seems to contradict it. I can't say whether it is true or false."
    assert read_boolean(response).reason == "refusal"


PRESENT = "- **A. Rain:** A steady rain is audible.\n- **C. Hail:** A hard patter, louder than the rain.\n"
ABSENT = "- **B. Wind**\n- **D. Thunder:** nothing rumbles."


@pytest.mark.parametrize(
    "response",
    [
        f"Here are the sounds that are present:\n\n{PRESENT}\nThe following sounds are **not** present:\n\n{ABSENT}",
        f"{PRESENT}\nNot present:\n{ABSENT}",
        f"Sounds I can hear:\n{PRESENT}",
        f"**Correct options:**\n{PRESENT}**Incorrect options:**\n{ABSENT}",
    ],
)
def test_what_describes_a_member_of_a_list_names_no_other_option(response: str) -> None:
    assert read_letters(("Rain", "Wind", "Hail", "Thunder"), response) == "AC"


def test_a_member_that_is_described_as_absent_is_left_to_the_review() -> None:
    response = "Sounds present:\n- A. Rain: it drips.\n- C. Hail: not heard."
    assert read_letters(("Rain", "Wind", "Hail", "Thunder"), response) != "AC"


@pytest.mark.parametrize(
    "response",
    [
        "Correct options:\n- A. Rain\nIncorrect options:\n- B. Wind: not a correct match\n- D. Thunder: none",
        "Present:\n- A. Rain\nNot present:\n- B. Wind: so quiet\n- D. Thunder",
        "Not present:\n- B. Wind\n- D. Thunder\nThe answer is A.",
    ],
)
def test_a_list_that_is_denied_ends_only_at_an_answer(response: str) -> None:
    assert read_letters(("Rain", "Wind", "Hail", "Thunder"), response) == "A"


def test_a_described_member_may_be_no_option() -> None:
    assert read_letters(("Rain", "Wind"), "Present:\n- A. Rain: it drips.\nNot present:\n- J. Snow: none falls.") == "A"


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("I hear all of them: the rain, the wind, the hail and the thunder.", "ABCD"),
        ("It is raining. The thunder comes late. Hence A, B and D are correct.", "ABD"),
        ("It is raining. Hence (A), (B) and (D) are correct.", "ABD"),
        ("A, B, C, and D all apply: it rains, it blows, it hails and it thunders.", "ABCD"),
        ("Rain and wind are clear. All four options are therefore present in the clip.", "ABCD"),
        ("The correct selections are B and D. It is thunder rather than hail.", "BD"),
        ("I'd be happy to help! However, I don't see any audio.", None),
        ("The answers are A and B. Rain is not heard though.", None),
        ("Hail is missing. All four options are present.", None),
    ],
)
def test_letters_in_a_conclusion_stand_for_what_the_words_describe(response: str, expected: str | None) -> None:
    assert read_letters(("Rain", "Wind", "Hail", "Thunder"), response) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("No file was attached. Please upload it so I can select all of the options that apply.", None),
        ("To select all options that are correct, I need the audio.", None),
        ("I was asked to select ALL of the options that apply, but no audio is attached.", None),
        ("All of the options that apply to the audio: Engine, Brakes", "AC"),
        ("All options that apply are A and B.", "AB"),
        ("All options are correct.", "ABC"),
        ("I'd select all of the options.", "ABC"),
    ],
)
def test_the_instruction_chooses_nothing(response: str, expected: str | None) -> None:
    assert read_letters(("Engine", "Horn", "Brakes"), response) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("可以听到的声音有:\n1. 切菜声\n2. 油炸声", "AC"),
        ("音频里有切菜声和油炸声", "AC"),
        ("音频里有切菜声、油炸声和提示音", None),
        ("音频里有切菜声，还有洗碗的声音。", None),
    ],
)
def test_the_word_for_any_sound_is_none_of_the_sounds(response: str, expected: str | None) -> None:
    assert read_letters(("切菜声", "洗碗声", "油炸声", "微波炉提示音"), response) == expected


@pytest.mark.parametrize(
    "heading",
    [
        "Here's how each statement holds up:",
        "To answer this question, let's consider each option:",
        "I will evaluate all of the given statements one by one:",
        "Let’s consider each option:",
    ],
)
def test_the_heading_of_a_review_judges_nothing(heading: str) -> None:
    review = (
        "- **A. Engine**: True. It idles.\n- **B. Horn**: False. None is heard.\n- **C. Brakes**: True. They squeal.\n"
    )
    closing = "\nTherefore, the correct statements are **A** and **C**."
    assert read_letters(("Engine", "Horn", "Brakes"), f"{heading}\n\n{review}{closing}") == "AC"


def test_an_option_may_repeat_the_instruction() -> None:
    options = ("All letters that are heard are vowels", "No digit is heard", "A digit is heard last")
    assert read_letters(options, "- All letters that are heard are vowels\n- A digit is heard last") == "AC"
