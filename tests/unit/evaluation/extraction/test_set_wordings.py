"""Sets told by counts, numbers of options, chords, denied lists and verdicts that go on; columns with verdicts."""

import pytest

from evaluation.extraction.option_reviews.verdict_columns import keep_verdict_columns
from tests.support.samples.option_sets import GUITARS, WEATHER, read_letter, read_letters

EVENTS = ("2 coughs", "1 sneeze", "3 claps", "1 laugh")
CHORDS = ("major chord", "minor chord", "diminished chord", "augmented chord")
TEMPO = ("The tempo is above 100 BPM", "The key is minor", "There are vocals", "There is a guitar solo")
ORDER = (
    "The bell rings before the dog barks",
    "The bell rings after the dog barks",
    "The car passes last",
    "The car passes first",
)
SPEAKERS = ("Yes, a woman is speaking", "Yes, a man is speaking", "No one is speaking")
DOORS = ("脚步声由远及近", "脚步声由近及远", "门先开后关", "门一直关着")
PAIRS = ("Piano and violin", "Piano and cello", "Guitar and flute", "Guitar and cello")
LOUDER_HIGHER = ("更响且更高", "更响且更低", "更轻且更高", "更轻且更低")
VEHICLES = ("a train", "a plane", "a ship", "a tram", "a lorry")
VOICES = ("Tenor", "Baritone", "Bass", "Alto")
SETS = [
    (EVENTS, "Two coughs, one laugh and no sneeze. The number of claps is two, not three.", "AD"),
    (EVENTS, "I hear two coughs, a sneeze and two claps. Nobody laughs.", None),
    (EVENTS, "2 coughs, 1 sneeze, 3 claps and 1 laugh.", "ABCD"),
    (CHORDS, "It goes C – Am – F – Em, so there are major chords and minor chords.", "AB"),
    (WEATHER, "A – C – D", "ACD"),
    (TEMPO, "All of the above.", "ABCD"),
    (("rain", "wind", "None of the above"), "All of the above.", None),
    (ORDER, "This makes statement A true and B false; likewise C is true and D is false.", "AC"),
    (WEATHER, "A is correct and B is wrong.", "A"),
    (WEATHER, "It makes A true only if B is false.", None),
    (WEATHER, "A对；同理B也对；其余错。", "AB"),
    (SPEAKERS, "Both a woman and a man can be heard speaking.", "AB"),
    (GUITARS, "Correct: 1) acoustic guitar, 2) electric guitar, 4) synthesizer. Incorrect: 3) bass guitar.", "ABD"),
    (GUITARS, "I hear 1) an electric guitar and 2) a synthesizer.", "BD"),
    (DOORS, "起初我准备选B；但重新听后发现是由远及近。另外，“门先开后关”也成立。最后选择A和C。", "AC"),
    (WEATHER, "另外，A、B都对。", "AB"),
    (WEATHER, "D, not A, B or C.", "D"),
    (WEATHER, "C和D，不是A、B或E。", "CD"),
    (WEATHER, "Not A, B or C.", None),
    (WEATHER, "Wind (B) and hail (D) can go. The others are there.", "AC"),
    (WEATHER, "There's no rain and no wind. The others are heard.", "CD"),
    (WEATHER, "There's no rain in it. The rest is there.", "BCD"),
    (WEATHER, "Nothing like rain. The rest are there.", "BCD"),
    (WEATHER, "No rain, but wind. The others are absent.", None),
    (WEATHER, "There is no rain. The other two are heard.", None),
    (("雨声", "风声", "雷声", "鸟叫"), "没听到雨声和风声，其他都听到了。", "CD"),
    (("雨声", "风声", "雷声", "鸟叫"), "没有雨声。其余的不确定。", None),
]
CHOICES = [
    (PAIRS, "|Option|Bowed?|Piano?|Verdict|\n|---|---|---|---|\n|A|no|yes|✗|\n|B|yes|yes|✓|\n|C|no|no|✗|", "B"),
    (LOUDER_HIGHER, "第二个音和第一个相比，响度变小，音高也变低了。", "D"),
    (LOUDER_HIGHER, "第二个音响度变小，第一个音高变低了。", None),
    (VEHICLES, "B and C can go. A tram is the tricky one, but trams ring a bell. The source is a train.", "A"),
    (VEHICLES, "It's a train. A tram is tricky but right.", None),
    (("0", "1", "2", "3"), "The dog does not bark at all, so the count is zero.", "A"),
    (("0", "1", "2", "3"), "I have zero confidence in this.", None),
    (VOICES, "Option C is correct. It is too low for a tenor, an alto or most baritones.", "C"),
    (VOICES, "It is not too low for a tenor.", None),
]


@pytest.mark.parametrize(("options", "response", "expected"), SETS)
def test_set_is_read_as_it_is_worded(options: tuple[str, ...], response: str, expected: str | None) -> None:
    assert read_letters(options, response) == expected


@pytest.mark.parametrize(("options", "response", "expected"), CHOICES)
def test_choice_is_read_as_it_is_worded(options: tuple[str, ...], response: str, expected: str | None) -> None:
    assert read_letter(options, response) == expected


@pytest.mark.parametrize(
    "table",
    [
        "| Option | Verdict |\n|---|---|\n| A | ✗ |\n| B | ✓ |",
        "| Option | Bowed? | Loudness |\n|---|---|---|\n| A | no | 3 |\n| B | yes | 4 |",
        "| Option | Heard | Verdict |\n|---|---|---|\n| A | a bell | ✗ |\n| B | a horn | ✓ |",
    ],
    ids=["one column", "no verdicts", "one judging column"],
)
def test_other_table_is_kept(table: str) -> None:
    assert keep_verdict_columns(table) == table


SIGHTS = ("The church bell", "The fountain", "The street organ", "The market crier")
NOISES = ("Snoring", "Coughing", "A ticking clock", "A creaking door")
ANIMALS = ("Goat", "Hen", "Pigeon", "Donkey")


@pytest.mark.parametrize(
    ("options", "response", "expected"),
    [
        (SIGHTS, "The correct answers are:\n\n- A. The church bell\n- B. The fountain", "AB"),
        (SIGHTS, "A bell is heard, so the answers are A and B. The", None),
        (SIGHTS, "A. The church bell: it can be heard at 0:02, but it is unclear whether it comes from", None),
        (WEATHER, "C (thunder) and D (hail) are missing; the rest is there.", "AB"),
        (WEATHER, "The answers are A (rain) and D (hail); B (wind) and C (thunder) are not heard.", "AD"),
        (SIGHTS, "(B) and (C) are true, while (A) is false.", "BC"),
        (SIGHTS, "Les bonnes réponses sont A et D.", "AD"),
        (NOISES, "打鼾声和时钟的滴答声。", "AC"),
        (NOISES, "没有打鼾声和咳嗽声。", None),
        (DOORS, "A和C。录音里脚步声由远及近，B和D都不符合。", "AC"),
    ],
)
def test_usual_layouts_of_sets_are_read(options: tuple[str, ...], response: str, expected: str | None) -> None:
    assert read_letters(options, response) == expected


def test_a_comparison_with_others_denies_no_option() -> None:
    compared = "The correct answer is D. The donkey's bray is louder than the other animals; the goat is far away."
    assert read_letter(ANIMALS, compared) == "D"


@pytest.mark.parametrize(
    ("options", "response", "expected"),
    [
        (SIGHTS, "The correct answers are:\n- A. The church bell\n- C. The", None),
        (SIGHTS, "Answer: A, C\n\nExplanation: The bell is heard together with", "AC"),
        (("The rain stops", "A dog barks at a man", "A car"), "雨声和狗叫声", None),
        (SIGHTS, "A und B sind falsch.", None),
        (SIGHTS, "(A) is about a bell and (B) is about water. Neither is heard. (C) and (D) are correct.", "CD"),
        (WEATHER, "A et B ne sont pas correctes. C et D sont correctes.", None),
        (("雨声", "风声", "雷声"), "有雨声，B和C无疑也对。", "ABC"),
    ],
)
def test_lookalikes_of_sets_are_not_misread(options: tuple[str, ...], response: str, expected: str | None) -> None:
    assert read_letters(options, response) == expected
