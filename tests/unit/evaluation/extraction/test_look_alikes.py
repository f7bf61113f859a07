"""Answers that look like a verdict, a list or a measure and are none."""

import pytest

from evaluation.extraction import read_choice, read_choices

PLACES = ("A library", "A hospital hall", "A train station", "A playground")
CHINESE_PLACES = ("图书馆的阅览室", "医院的大厅", "火车站的站台", "公园的游乐场")
PATHS = ("From left to right", "From right to left", "Remains unchanged")
LONGER = ("The first sound is longer", "The second sound is longer", "Both sounds are the same", "Unable to determine")
LOUD = ("The first sound is louder", "The second sound is louder", "Both sounds are the same", "Unable to determine")
RANGES = (
    "Near (within about 0-3 meters)",
    "Medium (around 3-8 meters)",
    "Far (more than 8 meters)",
    "Unable to determine",
)
SECTORS = (
    "Front-Right (0°-90°)",
    "Back-Right (90°-180°)",
    "Back-Left (180°-270°)",
    "Front-Left (270°-360°)",
    "Unable to determine",
)
DISTANCES = ("Audio 1 is farther away", "Audio 2 is farther away", "Both audios are the same", "Unable to determine")
HALVES = ("The first half", "The second half", "It is not present at all", "Unable to determine")
SIDES = (
    "The dog is to the left of the speaker",
    "The dog is to the right of the speaker",
    "The dog is right in front of the speaker",
)
ORDERS = (
    "clip 1 -> clip 2 -> clip 3",
    "clip 1 -> clip 3 -> clip 2",
    "clip 2 -> clip 1 -> clip 3",
    "clip 2 -> clip 3 -> clip 1",
    "clip 3 -> clip 1 -> clip 2",
    "clip 3 -> clip 2 -> clip 1",
    "Unable to determine",
)
KEYS = ("Major key", "Minor key", "Atonal", "Unable to determine")
SOUNDS = ("a bell rings", "the man leaves", "two people argue", "a child hides")
MEETING = ("客户对合同有异议", "双方约定下周再谈", "律师建议立即签字", "会议被迫中断")


def test_read_choice_reads_nothing_where_nothing_is_chosen(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, None]] = [
        (PLACES, "A: keep quiet. B: keep quiet.", None),
        (PLACES, "B stays in the room and A goes out.", None),
        (PATHS, "The sound stays on the left, then goes right.", None),
        (PLACES, "Is it A? Maybe. Is it B? Maybe.", None),
        (PLACES, "Which is it, A or B? No idea.", None),
        (PLACES, "Is it A? No. Is it B? I can't tell.", None),
        (PLACES, "Between A and B I hesitate.", None),
        (PLACES, "I lean towards A or B.", None),
        (PLACES, "Between A and B, both fit.", None),
        (PLACES, "Of A and B, neither fits.", None),
        (CHINESE_PLACES, "不对。", None),
        (CHINESE_PLACES, "A不对，B不对。", None),
        (CHINESE_PLACES, "不，不是A。", None),
        (CHINESE_PLACES, "A？不对。B？也不对。", None),
        (LONGER, "The first sound is not as long as the third.", None),
        (LOUD, "第一个声音没有第二个那么清楚。", None),
        (LOUD, "I can't say that the first isn't as loud as the second.", None),
        (KEYS, "It is B flat.", None),
        (KEYS, "A minor third is heard.", None),
        (KEYS, "The chord is C major and then A minor.", None),
        (SECTORS, "300", None),
        (SECTORS, "about three hundred metres", None),
        (SECTORS, "two hundred Hz", None),
        (SECTORS, "一百多度", None),
        (HALVES, "The tone is in one of the halves.", None),
        (HALVES, "Neither half is silent.", None),
        (HALVES, "I didn't listen to either half.", None),
        (HALVES, "There is no noise in either half, only the tone.", None),
        (SIDES, "The dog is on somebody's left.", None),
        (SIDES, "The dog's left paw hurts.", None),
        (ORDERS, '{"order": [1, 2, 3, 4]}', None),
        (ORDERS, '{"clips": 3}', None),
        (ORDERS, "Clip 1, clip 2 and clip 3 are given.", None),
        (ORDERS, "Clip one, clip two, clip three.", None),
        (PATHS, "It changes position.", None),
        (PATHS, "The position doesn't change much at first, but later it moves to the right.", None),
        (PATHS, "Whether anything changes is unclear.", None),
        (PATHS, "nothing changes in loudness", None),
        (DISTANCES, "Nearer to the end, audio 1 gets louder.", None),
        (RANGES, "a second", None),
        (RANGES, "a couple of seconds", None),
        (RANGES, "three metres or so", None),
        (RANGES, "Two or three metres.", None),
        (PLACES, "The remaining options (A, B, C and D) are all wrong.", None),
        (PLACES, "Correct: none. Incorrect: A library. A hospital hall. A train station. A playground.", None),
        (
            PLACES,
            ('{"A": {"present": true}, "B": {"present": true}, "C": {"present": false}, "D": {"present": false}}'),
            None,
        ),
        (ORDERS, "先有脚步声，后有关门声。", None),
        (ORDERS, "片段1里先有脚步声，片段2有雨声。", None),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_choice(response, options).index is expected


def test_read_choices_reads_no_more_than_is_chosen(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (SOUNDS, "Step 1: correct. Step 2: incorrect.", None),
        (SOUNDS, "In clip 1: yes, in clip 2: no.", None),
        (SOUNDS, "I rate A to C as follows.", None),
        (SOUNDS, "from A to C", None),
        (SOUNDS, "A to B is a fifth.", None),
        (SOUNDS, "The interval A-C is a third.", None),
        (SOUNDS, "C-D", None),
        (SOUNDS, "Not AB or CD.", None),
        (SOUNDS, "not only A but also C", "AC"),
        (MEETING, "不仅A成立，C也成立。", "AC"),
        (MEETING, "不是只有A，还有C。", None),
        (SOUNDS, "Two of the statements, A and C, hold.", "AC"),
        (SOUNDS, "Only two of A, B, C hold: A and B.", "AB"),
        (MEETING, "A、B、C三项中，A和B成立。", "AB"),
        (SOUNDS, "A bell rings, or two people argue.", None),
        (SOUNDS, "keep", None),
        (MEETING, "保留", None),
        (SOUNDS, "The other two are wrong.", None),
        (MEETING, "其余两项不成立。", None),
        (MEETING, "合理的有两点。", None),
        (MEETING, "客户提到了合同；其他三项都不成立。", "A"),
        (MEETING, "客户来了，会议开始；其余两项不成立。", None),
        (
            SOUNDS,
            ("Option A describes a bell, which is heard; so A. Option B claims he leaves, which is not heard."),
            "A",
        ),
        (MEETING, "客户有异议，还有", None),
        (MEETING, "经过分析，A项正确，B项错误，C项", None),
        (SOUNDS, '{"A": {"score": 5}, "B": {"score": 1}}', None),
        (SOUNDS, "[true, false]", None),
        (SOUNDS, "true, false, true, true", "ACD"),
        (SOUNDS, "true", None),
        (MEETING, "A就是对的吗？不确定。", None),
        (SOUNDS, "The man leaves; the rest is unclear.", None),
        (SOUNDS, "All of A, B and C, but not D.", "ABC"),
        (SOUNDS, "A through D except for B and C.", "AD"),
        (SOUNDS, "ABCD", "ABCD"),
        (SOUNDS, "A/B/C", "ABC"),
        (SOUNDS, "B / D.", "BD"),
        (SOUNDS, "A/B or C/D", None),
        (SOUNDS, "The answer is A/B.", None),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            indices = read_choices(response, options).indices
            letters = None if indices is None else "".join(chr(65 + place) for place in sorted(indices))
            assert letters == expected
