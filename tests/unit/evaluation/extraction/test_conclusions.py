"""Conclusions without a word for the answer, inverse comparisons, orders, eliminations and sets of what is heard."""

import pytest

from evaluation.extraction import read_choice, read_choices
from evaluation.extraction.claims.conclusions import find_conclusion

PITCH = ("The first tone is higher", "The second tone is higher", "Both have the same pitch", "Unable to determine")
LOUD = ("第一段音频更响", "第二段音频更响", "两段音频响度相同", "无法确定")
TEMPO = ("The first clip is faster", "The second clip is faster", "Both have the same tempo")
COUNT = ("两声", "三声", "四声", "五声")
INSTRUMENTS = ("Piano", "Violin", "Guitar", "Flute")
CLIPS = ("Clip 1", "Clip 2", "Clip 3")
MOODS = ("Happy", "Sad", "Angry")
ORDERS = tuple(f"clip {a} -> clip {b} -> clip {c}" for a, b, c in ("123", "132", "213", "231", "312", "321"))
CHINESE_ORDERS = tuple(text.replace("clip ", "片段").replace("->", "→") for text in ORDERS)
EVENTS = (
    "The door opens, the dog barks, the man speaks",
    "The dog barks, the door opens, the man speaks",
    "The man speaks, the dog barks, the door opens",
)
CHINESE_EVENTS = ("先敲门，再开门，最后说话", "先说话，再敲门，最后开门", "先敲门，再说话，最后开门")
SOUNDS = ("雨声", "雷声", "风声", "脚步声", "狗叫声")
STATEMENTS = ("A man speaks", "A dog barks", "It rains", "A bell rings")


@pytest.mark.parametrize(
    ("response", "options", "letter"),
    [
        ("先叫了两声，后来又叫了两声，一共四声。", COUNT, "C"),
        ("Everything here suggests sadness rather than anger.", MOODS, "B"),
        ("Her sobbing makes it sad rather than angry.", MOODS, "B"),
        ("440 Hz and 523 Hz, so the second tone is higher than the first.", PITCH, "B"),
        ("The tempo rises to 128 BPM, making the second one faster.", TEMPO, "B"),
        ("Clip 2 is played at a slower tempo than clip 1.", TEMPO, "A"),
        ("两段音频的响度几乎没有差别。", LOUD, "C"),
        ("响度上看不出明显差异。", LOUD, "C"),
        ("第一段音频比第二段更轻。", LOUD, "B"),
        ("两段音频之间差异很小，无法确定哪一段更响。", LOUD, "D"),
        ("The pitches are indistinguishable.", PITCH, "C"),
        ("Both are around 440 Hz.", PITCH, "C"),
        ("There isn't enough information to determine the pitch.", PITCH, "D"),
        ("There are no cues that would allow me to tell which is higher.", PITCH, "D"),
        ("Can't tell.", PITCH, "D"),
        ("I'd exclude the piano (no hammers), the guitar (no plucking) and the flute (no breath).", INSTRUMENTS, "B"),
        ("What remains is the violin.", INSTRUMENTS, "B"),
        ("Only the third has a siren; the rest don't.", CLIPS, "C"),
        ("Clip 1 has no cough and neither does clip 3.", CLIPS, "B"),
        ("Answer: 2", CLIPS, "B"),
    ],
)
def test_conclusions_name_the_option(response: str, options: tuple[str, ...], letter: str) -> None:
    assert read_choice(response, options).index == ord(letter) - ord("A")


@pytest.mark.parametrize(
    ("response", "options", "letter"),
    [
        ("The last one is clip 2, and the first one is clip 3.", ORDERS, "E"),
        ("Clip 2 (the engine), clip 1 (the drive), clip 3 (the crash).", ORDERS, "C"),
        ("Clip 1 must be the beginning; clip 3 leads directly into clip 2.", ORDERS, "B"),
        ("The final clip is clip 2; clip 1 goes right before it.", ORDERS, "E"),
        ("Clip 2, where the car crashes, is the last.\n\nOption: B", ORDERS, "B"),
        ("最后发生的是片段1，最先发生的是片段3，所以片段2在中间。", CHINESE_ORDERS, "F"),
        ("片段3是开头，片段2是结尾，片段1居中。", CHINESE_ORDERS, "E"),
        ("You hear the man speaking at the start. Next comes the barking. The door is opened last.", EVENTS, "C"),
        ("先听到敲门声，随后是开门的声音，最后才有人说话。", CHINESE_EVENTS, "A"),
        ("一开始有人说话，然后敲门，门最后开了。", CHINESE_EVENTS, "B"),
    ],
)
def test_orders_are_read_from_both_ends(response: str, options: tuple[str, ...], letter: str) -> None:
    assert read_choice(response, options).index == ord(letter) - ord("A")


@pytest.mark.parametrize(
    ("response", "options"),
    [
        ("It rains, so the street is wet.", INSTRUMENTS),
        ("The bow is audible, so it is the violin or the flute.", INSTRUMENTS),
        ("There is no bow, so it might be the piano or the guitar, and I can't decide between them.", INSTRUMENTS),
        ("片段1最早，片段2和片段3的先后无法判断。", CHINESE_ORDERS),
        ("Clip 1 (a dog), clip 2 (a car), clip 3 (a bell).", ORDERS),
        ("先听到敲门声，随后有人说话。", CHINESE_EVENTS),
        ("The door opens first, and then there is barking.", EVENTS),
        ("Clip 3 definitely comes last, the rest is unclear.", ORDERS),
    ],
)
def test_what_concludes_nothing_stays_unread(response: str, options: tuple[str, ...]) -> None:
    assert read_choice(response, options).index is None


@pytest.mark.parametrize(
    ("response", "conclusion"),
    [
        ("Two barks, then two more. So there are four.", "So there are four."),
        ("It has no engine, which leaves the second clip.", "which leaves the second clip."),
        ("It is loud, making the first tone the louder one.", "the first tone is the louder one."),
        ("So there are four.", None),
        ("It rains, so is it wet?", None),
        ("It was so loud that it hurt.", None),
    ],
)
def test_find_conclusion_returns_the_clause_that_concludes(response: str, conclusion: str | None) -> None:
    assert find_conclusion(response) == conclusion


@pytest.mark.parametrize(
    ("response", "options", "letters"),
    [
        ("Statement 1 is false, statement 2 is true, statement 3 is false and statement 4 is true.", STATEMENTS, "BD"),
        ("正确的有：①③", STATEMENTS, "AC"),
        ("除了风声以外，其他声音都有。", SOUNDS, "ABDE"),
        ("没有听到雷声和风声，其余三种都出现了。", SOUNDS, "ADE"),
        ("雷声和风声没有出现，其余三项都出现了。", SOUNDS, "ADE"),
        ("All but the piano and the flute are heard.", INSTRUMENTS, "BC"),
        ("There's piano and flute; no violin, no guitar.", INSTRUMENTS, "AD"),
        ("There's piano and flute; there's no trace of violin or guitar.", INSTRUMENTS, "AD"),
        ("The piano (A) and the flute (D) are audible. The rest aren't.", INSTRUMENTS, "AD"),
        ("There's a piano. I don't hear any violin, trumpet or guitar.", INSTRUMENTS, "A"),
    ],
)
def test_sets_of_what_is_heard_are_complete(response: str, options: tuple[str, ...], letters: str) -> None:
    indices = read_choices(response, options).indices
    assert indices is not None
    assert "".join(chr(ord("A") + index) for index in sorted(indices)) == letters


@pytest.mark.parametrize(
    "response",
    ["There's rain. As for the dog, I'm also certain. The rest aren't there.", "It's hard to say; B perhaps."],
)
def test_sets_that_leave_out_what_is_told_stay_unread(response: str) -> None:
    options = ("dog barking", "car horn", "rain", "church bell", "footsteps")
    assert read_choices(response, options).indices is None
