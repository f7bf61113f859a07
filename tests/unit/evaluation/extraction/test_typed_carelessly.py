"""Answers that are typed carelessly, and marks, tables and brackets around letters."""

import pytest

from evaluation.extraction import read_boolean, read_choice, read_choices, read_steps
from tests.support.samples.option_sets import DRUMS

MOTION = ("Approaching", "Moving away", "It does not move")
CLIPS = ("Clip 1, Clip 2, Clip 3", "Clip 2, Clip 1, Clip 3", "Clip 3, Clip 2, Clip 1", "Clip 1, Clip 3, Clip 2")
CHINESE_CLIPS = ("片段1、片段2、片段3", "片段2、片段1、片段3", "片段3、片段1、片段2")
CLOCK = ("12点钟方向", "9点钟方向", "3点钟方向", "6点钟方向")
ROOMS = ("In an airport terminal before boarding", "In a kitchen while cooking dinner", "At a gym during a workout")
MELODY = (
    "The piano carries the main melody",
    "The guitar carries the main melody",
    "The flute carries the main melody",
)
SOUNDS = ("警笛声", "尖叫声", "玻璃碎裂", "枪声", "脚步声")
SCENES = ("孩子们在操场上做游戏", "工人在工地上施工", "学生在教室里读课文")


@pytest.mark.parametrize(
    ("response", "options", "expected"),
    [
        ("It doesnt move", MOTION, 2),
        ("I hear an engine. It isnt B", ("Louder", "Softer", "No change"), None),
        ("It pans L -> R. Choice (A).", ("From left to right", "From right to left"), 0),
        ("The correct temporal order is 3, 2, 1.", CLIPS, 2),
        ("The order: clip 2 -> clip 1 -> clip 3, since the door (clip 2) opens first.", CLIPS, 1),
        ("I listened to 1, 2, 3.", CLIPS, None),
        ("The order is not 3, 2, 1.", CLIPS, None),
        ("顺序应该是:片段2→片段1→片段3。先是开门声(片段2)。", CHINESE_CLIPS, 1),
        ("在三点钟方向", CLOCK, 2),
        ("She bought seven, gave two away, so five are left. Five.", ("2", "5", "7"), 1),
        ("I would say the piano, since the guitar is only heard in the background.", MELODY, 0),
        ("I would say the piano or the guitar.", MELODY, None),
        ("The setting is a kitchen: oil sizzles, a knife chops.", ROOMS, 1),
        ("The instrument is a piano. The main melody is played by the guitar.", MELODY, 1),
        ("lower", ("Slower", "Faster"), None),
        ("The setting is a kitchen. The setting is a gym.", ROOMS, None),
        ("这几个选项都不正确，音频里是一位老人在唱戏。", SCENES, None),
        ("None of the options is right: the pupils sleep.", ("Pupils at a school", "A lonely park"), None),
        ("The L-R difference is small. Both channels agree.", ("From left to right", "From right to left"), None),
        ("R to L. B.", ("From left to right", "From right to left"), 1),
        ("2", ("Audio 1", "Audio 2"), 1),
        ("2", ("A dog", "A cat"), None),
        ("landlord / tenant", ("A vet and an owner", "A landlord and a tenant", "Two roommates"), 1),
        ("piano / violin", ("The piano", "The violin", "The harp"), None),
        ("Clip 1 (knock), clip 3 (door), clip 2 (greeting).", CLIPS, 3),
        ("Clip 1 (knock), clip 2 (door), clip 3 (greeting).", CLIPS, None),
        (
            "The first one is brighter, the second one duller. The question asks for the brighter one: the first one.",
            ("The first one", "The second one", "Both are the same"),
            0,
        ),
        ("CCW", ("Clockwise", "Counterclockwise"), 1),
        ("The second tone is higher (880 Hz vs. 440 Hz).", ("The first tone", "The second tone"), 1),
        ("Clip 2 comes before clip 1, and clip 3 is the last one.", CLIPS, 1),
        ("先是1,然后是3,最后是2。", ("2-1-3", "3-1-2", "1-3-2"), 2),
        ("2, 3, 1", (*CLIPS, "Clip 2, Clip 3, Clip 1"), 4),
        ("The second clip, then the first, then the third.", CLIPS, 1),
        ("The first clip, then the second, then the third.", CLIPS, 0),
        ("violn", ("Trumpet", "Violin", "Harp"), 1),
        ("claps", ("Clasps", "Clamps", "Rattle"), None),
        ("3 tickets × $6 = $18", ("$12", "$15", "$18"), 2),
        (
            "She couldn't buy any because all the bread had already been sold.",
            ("Because the shop was closed", "Because she forgot her wallet", "Because the bread was sold out"),
            2,
        ),
        ("首先分析声道差异……左声道在0到1秒之间能量较高,右声道在", ("从左到右", "从右到左"), None),
    ],
)
def test_single_choice(response: str, options: tuple[str, ...], expected: int | None) -> None:
    assert read_choice(response, options).index == expected


@pytest.mark.parametrize(
    ("response", "options", "expected"),
    [
        (
            "答案:B、C\n理由:\nA. 警笛声 —— 未出现\nB. 尖叫声 —— 第3秒\nC. 玻璃碎裂 —— 第5秒\nD. 枪声 —— 未出现",
            SOUNDS,
            {1, 2},
        ),
        ("C for sure, E as well. Not A, not B. D... I don't think so.\n\nC, E", SOUNDS, {2, 4}),
        ("Selected: A ✅ B ❌ C ✅ D ✅", SOUNDS[:4], {0, 2, 3}),
        ("我听到:\n- 警笛声(A)✔\n- 尖叫声(B)✔\n- 没有听到玻璃碎裂(C)\n- 没有听到枪声(D)", SOUNDS[:4], {0, 1}),
        ("我倾向于选 A、D。起初我以为有尖叫声(B),但其实是警笛声(A);枪声(D)很明显。", SOUNDS, {0, 3}),
        ("答案是 A 和 C,也就是“警笛声”和“玻璃碎裂”。", SOUNDS, {0, 2}),
        ("答案是 A 和 C,也就是“警笛声”和“枪声”。", SOUNDS, None),
        ("A and B. Or A and C. It's one of the two.", SOUNDS, None),
        ("Let me check each. A. 警笛声: heard, so yes. B. 尖叫声:", SOUNDS, None),
        ("A is right. B is right. C is", SOUNDS, None),
        ("Snare: yes. Bass: no. Cymbals: yes. Triangle: no.", DRUMS, {0, 2}),
        ("A: 警笛声 - heard\nB: 尖叫声 -", SOUNDS, None),
        ("A：他说“不干了”，成立。B：", SOUNDS, None),
        ("I'd need to hear more of it before picking any of these.", ("More to come", "A pick", "A call"), None),
        ("I would go for A and B. C might be true later on, but nothing says so. D is false.", SOUNDS[:4], {0, 1}),
        ("The voice is hopeful → A, and ashamed → E.", SOUNDS, {0, 4}),
        ("Three statements hold: A, B, D.", SOUNDS, {0, 1, 3}),
        ("They're all supported.", SOUNDS[:3], {0, 1, 2}),
        ("Snare, bass drum and cymbals.", DRUMS, {0, 1, 2}),
        ("Drum and cymbals.", DRUMS, None),
        ("A, B, D (no glass breaks)", SOUNDS, {0, 1, 3}),
        ("A, B, D (no evidence at all)", SOUNDS, {0, 1}),
        ("A, B, C\n\n(D: I hear no shots.)", SOUNDS, {0, 1, 2}),
        ("I hear B, C and D, and nothing else.", SOUNDS, {1, 2, 3}),
        (
            "Sounds present: a scream (B); shots (D). Sounds absent: a siren (A), breaking glass (C).",
            SOUNDS[:4],
            {1, 3},
        ),
        ("Maybe A and B, maybe only A.", SOUNDS, None),
        ("除了A和E以外都有。", SOUNDS, {1, 2, 3}),
        ("Sheep (A), a stream (C) and a crow (D).", ("Sheep", "Tractor", "Stream", "Crow"), {0, 2, 3}),
        ("可能有警笛声，也可能有枪声。", SOUNDS, None),
        ("1.没有 2.没有 3.有 4.没有", SOUNDS[:4], {2}),
        ("A（“对不起来晚了”）、B（“等了你半小时”）", SOUNDS, {0, 1}),
        ("猫、鸟、羊的叫声", ("猫叫", "狗叫", "鸟叫", "羊叫"), {0, 2, 3}),
        ("It rains (1), two men talk (2) and a baby cries (4).", ("Rain", "Talk", "Train", "A baby cries"), {0, 1, 3}),
        ("First statement: true. Second: false. Third: true.", SOUNDS[:3], {0, 2}),
    ],
)
def test_several_answers(response: str, options: tuple[str, ...], expected: set[int] | None) -> None:
    assert read_choices(response, options).indices == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("tru", True),
        ("Flase", False),
        ("The statement is ture.", True),
        ("| Part | Match |\n|---|---|\n| start | no |\n| end | yes |\n\nThe statement as a whole is false.", False),
        ("| Part | Match |\n|---|---|\n| start | no |\n| end | yes |\n\nIt is hard to say.", None),
        ("It isnt true.", False),
    ],
)
def test_truth_values(response: str, expected: bool | None) -> None:
    assert read_boolean(response).value is expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("Step 1: [0]\nStep 2: [1]\nStep 3: [0]", (False, True, False)),
        ('{"step_1": {"verdict": 0}, "step_2": {"verdict": 1}, "step_3": {"verdict": 0}}', (False, True, False)),
        ('{"step_1": {"verdict": 1}, "step_2": {"verdict": 1}, "step_3": {"verdict": 0}}', None),
        ("Step 1 is correct. Step 2 isnt correct. Step 3 is correct.", (False, True, False)),
        ("Step 1 looks fine. Step 2 looks fine. Step 3 looks", None),
    ],
)
def test_verdicts_of_steps(response: str, expected: tuple[bool, ...] | None) -> None:
    assert read_steps(response, 3).verdicts == expected
