"""Answers that look like a verdict, a list or a measure but are not."""

import pytest

from evaluation.extraction import read_choice, read_choices
from tests.support.samples.option_sets import (
    CHINESE_PLACES,
    DISTANCES,
    HALVES,
    KEYS,
    LONGER,
    LOUD,
    MEETING,
    ORDERS,
    PATHS,
    PLACES,
    RANGES,
    SECTORS,
    SIDES,
    SOUNDS,
)

ROLES = ("律师与顾客", "父亲与男孩", "司机与乘客")
NOISES = ("喜鹊叫", "蟋蟀叫", "青蛙叫", "公鸡叫")
ANIMALS = ("magpie", "cricket", "frog", "rooster")


def test_read_choice_returns_none_if_nothing_is_chosen(subtests: pytest.Subtests) -> None:
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


def test_read_choices_reads_only_chosen_options(subtests: pytest.Subtests) -> None:
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


def test_read_choice_ignores_options_that_are_only_weighed_or_withdrawn(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, int | None]] = [
        (ROLES, "The answer is A. A father with his boy.", None),
        (ROLES, "The answer is B. A father with his boy.", 1),
        (HALVES, "There's nothing in the first half and nothing in the second half either.", 2),
        (HALVES, "I hear nothing in the second half and nothing in the first half.", 2),
        (HALVES, "Nothing in the first half but a tone in the second half.", 1),
        (HALVES, "Nothing is audible in the second half.", None),
        (HALVES, "The hum is close to a C, A-weighted about 40 dB.", None),
        (SOUNDS, "The melody centres around an A, and at the end a child hides.", 3),
        (ORDERS, "The exact reverse of clip 1 -> clip 2 -> clip 3.", None),
        (ORDERS, "与clip 1 -> clip 2 -> clip 3正好相反。", None),
        (PATHS[:2], "The opposite of from left to right.", 1),
        (PATHS, "left to right – sorry, the other way round.", None),
        (PATHS, "From right to left. No, the other way around.", None),
        (PATHS, "从左到右，不对，应该反过来。", None),
        (PATHS, "It moves from left to right, not the other way around.", 0),
        (ORDERS, "So clip 1 -> clip 2 -> clip 3. Hmm. Let me revise: clip 3 -> clip 1 -> clip 2.", 4),
        (SOUNDS, "I thought A at first. Let me change my answer to C.", 2),
        (CHINESE_PLACES, "我选A。让我修正一下：B。", 1),
        (CHINESE_PLACES, "A选项有一定道理，B选项也说得通，C和D则缺少证据。", None),
        (CHINESE_PLACES, "A有些道理，B也讲得通。", None),
        (SOUNDS, "A is plausible, B makes some sense, C and D have no support.", None),
        (CHINESE_PLACES, "A有一定道理，但B更准确。", 1),
        (SOUNDS, "A is plausible, but the answer is B.", 1),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_choice(response, options).index == expected


def test_read_choices_ignores_options_that_are_only_named(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (SOUNDS, "Options A–D were presented to me together with two clips.", None),
        (SOUNDS, "Statements A, B, C and D have been given.", None),
        (SOUNDS, "Options A-D were given. I choose A and C.", "AC"),
        (MEETING, "选项A到D分别描述了四种情况。", None),
        (MEETING, "题目给出了A、B、C、D四个选项。我选B、D。", "BD"),
        (MEETING, "选项A、B分别成立。", "AB"),
        (MEETING, "如果律师在场，那么A、B、D都成立；可是我听不出他在不在。", None),
        (SOUNDS, "If the man is the owner, then A and B hold; but I can't tell whether he is.", None),
        (SOUNDS, "Assuming she is alone, A, B and D follow. However, I do not know if she is.", None),
        (SOUNDS, "You asked which of A, B, C and D can be inferred. Mine: B, D.", "BD"),
        (SOUNDS, "The question is which of A, B, C and D are true. My answer: A, C.", "AC"),
        (MEETING, "题目问的是A、B、C、D中哪些成立。我选B和D。", "BD"),
        (MEETING, "别人可能会选ABCD，但我只认可A和B。", "AB"),
        (SOUNDS, "Others might pick A, B, C and D, but I only accept A and B.", "AB"),
        (SOUNDS, "Some people would choose A and D, but I choose B and C.", "BC"),
        (MEETING, "A、B两人之间的对话充满了火药味。", None),
        (MEETING, "A、B两项成立。", "AB"),
        (SOUNDS, "The conversation between A and B is tense.", None),
        (SOUNDS, "Speakers A and B argue loudly.", None),
        (MEETING, "A和B？还是A和C？很难说。", None),
        (SOUNDS, "A and B? Or A and C? Hard to say.", None),
        (SOUNDS, "A and B? Yes: A and B.", "AB"),
        (MEETING, "A正确，B和C之中有一个正确。", None),
        (SOUNDS, "A is right, and one of B and C is right.", None),
    ]
    check_letters(rows, subtests)


def test_read_choices_reads_reviews_in_unusual_words(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (SOUNDS, "My first pick was A, B, C and D. Listening again, D has to go.", None),
        (MEETING, "一开始我选ABCD，再听一遍，D得去掉。", None),
        (SOUNDS, "A, B and C hold. D must be dropped.", "ABC"),
        (SOUNDS, "A, C. Actually B as well.", "ABC"),
        (SOUNDS, "B, D. On reflection, C too.", "BCD"),
        (MEETING, "A、C。其实B也是。", "ABC"),
        (MEETING, "A：存疑\nB：存疑\nC：存疑\nD：存疑", None),
        (MEETING, "A：存疑\nB：正确\nC：错误\nD：错误", None),
        (SOUNDS, "A: doubtful\nB: doubtful\nC: doubtful\nD: doubtful", None),
        (SOUNDS, "A: plausible\nB: plausible\nC: unclear\nD: unclear", None),
        (
            SOUNDS,
            "A is contradicted by the calm. B is explicitly stated (“我走错了”). C is clearly stated too (“吵什么”)."
            " D is contradicted by the end.",
            "BC",
        ),
        (MEETING, "A项没有依据；B项有“下周见”为证；C项没有依据；D项有“我怕等不了”为证。", "BD"),
        (MEETING, "A项，客户的话有理有据，并无异议，排除；B项，“下周见”，可以保留；C项，无人提及，排除。", "B"),
        (SOUNDS, "A, the bell is clear, kept; B, he is still there, ruled out; C, they laugh, ruled out.", "A"),
        (NOISES, "喜鹊叫：有。蟋蟀叫：没有。青蛙叫：有。公鸡叫：有。", "ACD"),
        (ANIMALS, "Magpie: present. Cricket: absent. Frog: absent. Rooster: present.", "AD"),
    ]
    check_letters(rows, subtests)


def check_letters(rows: list[tuple[tuple[str, ...], str, str | None]], subtests: pytest.Subtests) -> None:
    for options, response, expected in rows:
        with subtests.test(response):
            indices = read_choices(response, options).indices
            letters = None if indices is None else "".join(chr(65 + place) for place in sorted(indices))
            assert letters == expected


def test_read_choice_reads_a_conclusion_after_a_mention(subtests: pytest.Subtests) -> None:
    rows = (
        ("选项A到D分别描述四种声音，选C。", 2),
        ("Options A, B and C are described in the audio, so D.", 3),
        ("Options A, C and D are described incorrectly, so B.", 1),
        ("If there's rain, D; but I can't tell, so B", 1),
        ("If it were rain, D would hold; but I don't hear it, so C.", 2),
        ("如果声音来自左边，那么选A；但我听不出方向，所以选B", 1),
        ("假如有铃声，就选C，但听不清，我选C", 2),
        ("A: plausible. B: implausible. C: implausible. D: implausible.", 0),
        ("只有C说得通。", 2),
        ("A is doubtful. B is certain.", 1),
        ("A is questionable. B it is", 1),
        ("B is plausible.", None),
        ("Options A, B and C were presented to me.", None),
        ("如果声音来自左边，那么选A；但我听不出方向。", None),
    )
    for answer, expected in rows:
        with subtests.test(answer=answer):
            assert read_choice(answer, PLACES).index == expected


def test_read_choices_reads_a_set_despite_a_mention(subtests: pytest.Subtests) -> None:
    rows = (
        ("A is explicitly stated. C is also explicitly stated.", {0, 2}),
        ("Options A, C are shown to be true.", {0, 2}),
        ("You asked which of A, B, C, D fits: C.", {2}),
        ("Options A-D were presented to me together with two clips.", None),
    )
    for answer, expected in rows:
        with subtests.test(answer=answer):
            assert read_choices(answer, PLACES).indices == expected
