"""Conclusions without a cue word: arrows, totals, times, positions of clips, and truncated answers."""

import pytest

from evaluation.extraction import read_choice, read_choices

TREES = ("an oak falls", "a birch falls", "a pine falls", "a willow falls")
TIMES = ("19:40 in the evening", "20:10 in the evening", "20:25 in the evening")
SHIFTS = ("早上六点", "早上七点半", "晚上六点")
COUNTS = ("1", "2", "3", "4", "5")
TWICE = ("Once", "Twice", "Three times", "Four times")
CLIPS = (
    "clip 1 -> clip 2 -> clip 3", "clip 1 -> clip 3 -> clip 2", "clip 2 -> clip 1 -> clip 3",
    "clip 2 -> clip 3 -> clip 1", "clip 3 -> clip 1 -> clip 2", "clip 3 -> clip 2 -> clip 1",
)  # fmt: skip
LOUDER = ("The first tone is louder", "The second tone is louder", "Both are equally loud", "Unable to determine")
SOUNDS = ("The first sound", "The second sound", "Both are the same", "Unable to determine")
PEOPLE = ("The girl", "The boy", "The teacher", "Nobody")
HEARD = ("Hail", "A siren", "Footsteps", "A cow mooing")


def test_read_choice_reads_conclusions(subtests: pytest.Subtests) -> None:
    rows = [
        (TREES, "They wonder whether it should be cut down → **C**", 2),
        (TREES, "他们在讨论是否砍树 → B", 1),
        (TREES, "A -> B", None),
        (
            TREES,
            "The answer is option B.\n\n**Why the other options are wrong**\n- A: too tall\n- C: too old\n- D: no",
            1,
        ),
        (TREES, "最后一项最符合。", 3),
        (TREES, "倒数第二项", None),
        (TIMES, "20:10", 1),
        (TIMES, "It began at 7:40 pm.", 0),
        (TIMES, "7:40 in the morning", None),
        (TIMES, "Between 19:40 and 20:10.", None),
        (SHIFTS, "六点", None),
        (SHIFTS, "晚上6点", 2),
        (COUNTS, "There are five singers: three women and two men.", 4),
        (COUNTS, "一共有三个人：两男一女。", 2),
        (COUNTS, "Two women and one man.", None),
        (COUNTS, "Three dogs bark, then two cats meow, and one bird sings.", None),
        (TWICE, "I count 3 taps.", 2),
        (TWICE, "Two taps and three rings.", None),
        (CLIPS, "Clip 3 happens last, right after clip 1; clip 2 is the opening.", 2),
        (CLIPS, "Clip 3 comes first (the door), followed by clip 2, and clip 1 is the last one.", 5),
        (CLIPS, "After clip 2 comes clip 1, and clip 3 is the opening.", 5),
        (CLIPS, "The first clip is clip 3; then comes clip 2.", 5),
        (CLIPS, "Clip 1 starts with rain. Clip 2 ends abruptly.", None),
        (CLIPS, "In clip 1 the last word is loud, and clip 2 starts quietly.", None),
        (CLIPS, "Clip 1 comes before clip 2.", None),
        (CLIPS, "Clip 1 is the first and clip 1 is the last.", None),
        (LOUDER, "The first isn't any louder than the second, nor is the second any louder than the first.", 2),
        (LOUDER, "第一个音不比第二个音响，第二个也不比第一个响。", 2),
        (("Happy", "Sad", "Angry"), "He sounds furious.", 2),
        (("The first half", "The second half", "It is not present at all"), "The audio is silent in both halves.", 2),
        (PEOPLE, "It's the boy who laughs first; the girl only joins in.", 1),
    ]
    for options, response, place in rows:
        with subtests.test(response):
            assert read_choice(response, options).index == place


def test_read_choice_ignores_parts_and_fragments(subtests: pytest.Subtests) -> None:
    rows = [
        (SOUNDS, "The second part starts suddenly."),
        (SOUNDS, "The first section is quiet."),
        (LOUDER, "During the second part it gets louder."),
        (LOUDER, "Both last a second. Let me listen again. The first tone"),
        (SOUNDS, "Let me compare them. The second sound"),
    ]
    for options, response in rows:
        with subtests.test(response):
            assert read_choice(response, options).index is None


def test_read_choices_reads_numbers_exceptions_and_final_answers(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, set[int] | None]] = [
        ("1, 2 and 4", {0, 1, 3}),
        ("①③", {0, 2}),
        ("(1)(4)", {0, 3}),
        ("1 and 3", None),
        ("1-3", None),
        ("除最后一项外均合理。", {0, 1, 2}),
        ("All but the last one.", {0, 1, 2}),
        ("Everything but the siren.", {0, 2, 3}),
        ("A - yes\nB - no\nC - not sure, I'd say no\nD - yes", {0, 3}),
        ("起初我觉得D也可能成立，但并没有牛。最终答案：A、B", {0, 1}),
        ("A和C有录音作为依据；B、D无法从音频中确认。", {0, 2}),
        ("以下是对各选项的分析：\n\nA. 在录音里可以听到一阵冰雹", None),
        ("There's hail and a siren, and someone walks past. No cow anywhere.", None),
    ]
    for response, places in rows:
        with subtests.test(response):
            assert read_choices(response, HEARD).indices == (None if places is None else frozenset(places))
