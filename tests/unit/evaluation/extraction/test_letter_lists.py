"""Sets of options stated by lists of letters, by verdicts and by elimination."""

import pytest

from tests.support.samples.option_sets import MEETING, SOUNDS, read_letters

MORE_SOUNDS = ("a bell rings", "the man leaves", "two people argue", "a child hides", "a dog barks", "the phone rings")
LONGER_MEETING = ("客户对合同有异议", "双方约定下周再谈", "律师建议立即签字", "会议被迫中断", "经理最后道歉")
LONGEST_MEETING = (
    "客户对合同有异议",
    "双方约定下周再谈",
    "律师建议立即签字",
    "会议被迫中断",
    "经理最后道歉",
    "秘书送来文件",
)


def test_read_choices_reads_slashes_and_counted_lists(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (MEETING, "B/D", "BD"),
        (LONGEST_MEETING, "B/E/F", "BEF"),
        (SOUNDS, "A / C", "AC"),
        (SOUNDS, "Answer: B/D", "BD"),
        (SOUNDS, "(A)/(C)", "AC"),
        (SOUNDS, "A/B/C/D", None),
        (MEETING, "答案：A/D", "AD"),
        (MEETING, "选B/D", "BD"),
        (SOUNDS, "A or C", None),
        (SOUNDS, "B/C?", None),
        (SOUNDS, "either B/D", None),
        (MEETING, "综上所述，B、C两项推断与音频相符。", "BC"),
        (MEETING, "A、D两个推论成立。", "AD"),
        (MEETING, "A、B、D三项结论都能从音频中得出。", "ABD"),
        (MEETING, "B、C两项推断与音频不符。", None),
        (MEETING, "只有A、C两个结论站得住脚。", "AC"),
        (MEETING, "A和C两点可以推断。", "AC"),
        (MEETING, "B、C这两个推断成立，其余不成立。", "BC"),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letters(options, response) == expected


def test_read_choices_reads_objects_that_judge_options(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (
            MEETING,
            (
                '{"options": [{"id": "A", "keep": true}, {"id": "B", "keep": false}, {"id": "C", "keep": '
                'false}, {"id": "D", "keep": true}]}'
            ),
            "AD",
        ),
        (
            SOUNDS,
            (
                '{"options": [{"option": "A", "selected": true}, {"option": "B", "selected": false}, '
                '{"option": "C", "selected": true}, {"option": "D", "selected": false}]}'
            ),
            "AC",
        ),
        (SOUNDS, '{"A": true, "B": false, "C": true, "D": false}', "AC"),
        (SOUNDS, '{"A": {"keep": true}, "B": {"keep": false}, "C": {"keep": true}, "D": {"keep": false}}', "AC"),
        (
            SOUNDS,
            (
                '{"A": {"eliminate": true}, "B": {"eliminate": false}, "C": {"eliminate": true}, "D": '
                '{"eliminate": false}}'
            ),
            "BD",
        ),
        (
            SOUNDS,
            (
                '[{"id": "A", "rejected": true}, {"id": "B", "rejected": false}, {"id": "C", "rejected": '
                'false}, {"id": "D", "rejected": true}]'
            ),
            "BC",
        ),
        (
            SOUNDS,
            (
                '[{"id": "A", "verdict": "keep"}, {"id": "B", "verdict": "eliminate"}, {"id": "C", '
                '"verdict": "keep"}, {"id": "D", "verdict": "eliminate"}]'
            ),
            "AC",
        ),
        (
            SOUNDS,
            ('[{"id": "A", "score": 3}, {"id": "B", "score": 1}, {"id": "C", "score": 4}, {"id": "D", "score": 2}]'),
            None,
        ),
        (SOUNDS, '{"options": [{"id": "A", "text": "a bell rings"}, {"id": "B", "text": "the man leaves"}]}', None),
        (SOUNDS, '{"judgments": {"A": "TRUE", "B": "FALSE", "C": "TRUE", "D": "FALSE"}}', "AC"),
        (
            MEETING,
            (
                '{"evaluation": {"A": {"result": "成立"}, "B": {"result": "不成立"}, "C": {"result": '
                '"成立"}, "D": {"result": "不成立"}}}'
            ),
            "AC",
        ),
        (MEETING, '{"选项": {"A": "保留", "B": "排除", "C": "保留", "D": "排除"}}', "AC"),
        (SOUNDS, '{"A": "keep", "B": "drop", "C": "keep", "D": "drop"}', "AC"),
        (
            SOUNDS,
            (
                '{"A": {"reason": "a bell", "verdict": true}, "B": {"reason": "nobody", "verdict": false}, '
                '"C": {"reason": "x", "verdict": false}, "D": {"reason": "y", "verdict": true}}'
            ),
            "AD",
        ),
        (
            SOUNDS,
            ('[{"id": "A", "reason": "heard", "keep": true}, {"id": "B", "reason": "not heard", "keep": false}]'),
            "A",
        ),
        (
            SOUNDS,
            (
                '[{"letter": "A", "holds": "yes"}, {"letter": "B", "holds": "no"}, {"letter": "C", '
                '"holds": "no"}, {"letter": "D", "holds": "yes"}]'
            ),
            "AD",
        ),
        (SOUNDS, '{"correct": ["A", "C"], "incorrect": ["B", "D"]}', "AC"),
        (SOUNDS, '{"keep": ["A", "C"], "eliminate": ["B", "D"]}', "AC"),
        (SOUNDS, '{"selected": ["B"], "rejected": ["A", "C", "D"]}', "B"),
        (SOUNDS, '{"incorrect": ["B", "D"]}', None),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letters(options, response) == expected


def test_read_choices_reads_positions_and_ranges(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (LONGER_MEETING, "第一、第二和第五项。", "ABE"),
        (MEETING, "第一项和第四项。", "AD"),
        (MEETING, "第二、四项", "BD"),
        (LONGER_MEETING, "The first, second and fifth.", "ABE"),
        (LONGER_MEETING, "The first, second and fifth statements.", "ABE"),
        (SOUNDS, "the first and the third", "AC"),
        (SOUNDS, "1st and 4th", "AD"),
        (SOUNDS, "Statements one, two and four", "ABD"),
        (SOUNDS, "Number one and number three are true.", "AC"),
        (MEETING, "第1、3项正确", "AC"),
        (MEETING, "选第一个和第三个", "AC"),
        (MEETING, "一、三、四", "ACD"),
        (MEETING, "①③④", "ACD"),
        (MEETING, "（1）（3）", "AC"),
        (MEETING, "第一段和第二段音频", None),
        (SOUNDS, "In the first and the second clip", None),
        (MEETING, "A-C都成立。", "ABC"),
        (MORE_SOUNDS, "B through D, plus F", "BCDF"),
        (SOUNDS, "A through C are right.", "ABC"),
        (SOUNDS, "Options A to C are supported.", "ABC"),
        (SOUNDS, "Statements B-D hold.", "BCD"),
        (MEETING, "A至C成立，D不成立。", "ABC"),
        (MEETING, "A到C都能推断出来。", "ABC"),
        (MORE_SOUNDS, "B–E are all correct.", "BCDE"),
        (MORE_SOUNDS, "A–C and E", "ABCE"),
        (SOUNDS, "A through C, but not B", "AC"),
        (MORE_SOUNDS, "A through C and also E", "ABCE"),
        (SOUNDS, "B to D are wrong, A is right.", "A"),
        (SOUNDS, "A-C are false; D is true.", "D"),
        (MEETING, "A~D全部正确", "ABCD"),
        (MEETING, "选项A至D中只有两项成立。", None),
        (SOUNDS, "A to C", None),
        (SOUNDS, "All but C.", "ABD"),
        (MORE_SOUNDS, "All but C and D", "ABEF"),
        (SOUNDS, "Everything except B.", "ACD"),
        (MEETING, "除C外都成立。", "ABD"),
        (MEETING, "除C外，其余均成立。", "ABD"),
        (MEETING, "除了B和D，其他都对。", "AC"),
        (MEETING, "除A以外全选。", "BCD"),
        (SOUNDS, "All except the third.", "ABD"),
        (MEETING, "除第三项外都正确。", "ABD"),
        (MEETING, "全部，除了C。", "ABD"),
        (SOUNDS, "all of A-D except C", "ABD"),
        (SOUNDS, "A to D, excluding B", "ACD"),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letters(options, response) == expected


def test_read_choices_reads_the_only_wrong_option(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (MEETING, "C是唯一的错误选项。", "ABD"),
        (MEETING, "唯一的错误选项是C。", "ABD"),
        (MEETING, "唯一不成立的是D。", "ABC"),
        (MEETING, "C是唯一不成立的一项。", "ABD"),
        (SOUNDS, "C is the only wrong option.", "ABD"),
        (SOUNDS, "The only one that fails is B.", "ACD"),
        (MEETING, "B是唯一正确的选项。", "B"),
        (SOUNDS, "The only false statement is D.", "ABC"),
        (MEETING, "唯一可以排除的是B。", "ACD"),
        (MEETING, "只有B是错的。", "ACD"),
        (MEETING, "只有C不能选。", "ABD"),
        (SOUNDS, "C is the odd one out; the others hold.", "ABD"),
        (SOUNDS, "The only ones that hold are A and D.", "AD"),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letters(options, response) == expected


def test_read_choices_does_not_read_counts_alone(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (MEETING, "A、B、C、D中有两项正确。", None),
        (SOUNDS, "Two of A, B, C and D are correct.", None),
        (SOUNDS, "Two of the four are correct.", None),
        (MEETING, "四个选项中有三个正确。", None),
        (SOUNDS, "Of A, B, C and D, three are correct.", None),
        (MEETING, "有两项成立。", None),
        (SOUNDS, "A, B, C, D: two of them hold.", None),
        (MEETING, "A、B、C、D四项中，A和C成立。", "AC"),
        (SOUNDS, "Of A, B, C and D, only A and C hold.", "AC"),
        (MEETING, "A、B、C、D四个选项里，B和D可以推断。", "BD"),
        (SOUNDS, "Among A, B, C and D, I choose A and B.", "AB"),
        (MEETING, "三个选项正确", None),
        (MEETING, "B、C、D中至少有一项是错的。", None),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letters(options, response) == expected


def test_read_choices_reads_denied_and_alternative_combinations(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (MEETING, "答案不是ACD，而是AB。", "AB"),
        (SOUNDS, "Not ACD but AB.", "AB"),
        (SOUNDS, "The answer is not BCD, it is AB.", "AB"),
        (MEETING, "不是AB，是ABC。", "ABC"),
        (SOUNDS, "Not A, C and D, but A and B.", "AB"),
        (MEETING, "不选A和C，选B和D。", "BD"),
        (MEETING, "答案不是AC。", None),
        (SOUNDS, "Not AB.", None),
        (SOUNDS, "My first answer was ACD; the right one is AB.", "AB"),
        (SOUNDS, "AB, not ACD.", "AB"),
        (MEETING, "AB而不是ACD", "AB"),
        (MEETING, "答案：AB\n\n或者：AD", None),
        (SOUNDS, "AB or AD", None),
        (SOUNDS, "Answer: AB\nor: AD", None),
        (MEETING, "AB\n或\nAD", None),
        (SOUNDS, "Answer: A, B\nAlternatively: A, D", None),
        (MEETING, "AB，或者ABC。", None),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letters(options, response) == expected


def test_read_choices_does_not_read_quoted_option_texts(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (
            MEETING,
            ("我们逐项分析。选项A认为客户有异议，音频里确实有争执；选项B认为双方约定再谈，这一点需要结合音频2的"),
            None,
        ),
        (
            SOUNDS,
            (
                "Option A says a bell rings, and there is a ringing sound; option B claims that the man "
                "leaves, which needs the second clip's"
            ),
            None,
        ),
        (MEETING, "选项A说的是客户有异议，选项B说的是双方再谈。", None),
        (SOUNDS, "Option A states that a bell rings. Option B states that the man leaves.", None),
        (SOUNDS, "Let me check each option. A: a bell rings. B: the man leaves", None),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letters(options, response) == expected


def test_read_choices_reads_the_verdict_after_a_quoted_option(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (SOUNDS, "Option A says that a bell rings, which is right.", "A"),
        (
            SOUNDS,
            "Option A says there is a bell, which is right. Option C mentions an argument, which is right too.",
            "AC",
        ),
        (SOUNDS, "Option A says that a bell rings, which is right, but option B says he leaves, which is wrong.", "A"),
        (
            SOUNDS,
            "A claims that a bell rings, and that is not supported. C describes a quarrel, and that is true.",
            "C",
        ),
        (MEETING, "选项A说客户有异议，这是对的。选项C提到签字，这也对。选项D认为中断了，这不对。", "AC"),
        (
            SOUNDS,
            "Option A says that a bell rings, which is right, but it also says who rings it, which is wrong.",
            None,
        ),
        (SOUNDS, "Option A says that a bell rings, which is right. However, it names no one.", None),
        (SOUNDS, "Option A says that a bell rings, which is right; option B claims that he leaves, which needs", None),
        (MEETING, "选项A说客户有异议，这是对的，但没有人中断。", None),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letters(options, response) == expected


def test_read_choices_treats_stated_and_implied_options_alike(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (SOUNDS, "A is directly stated. D is implied.", "AD"),
        (SOUNDS, "A is stated explicitly. D is strongly implied by the second speaker.", "AD"),
        (SOUNDS, "D is implied. A is stated.", "AD"),
        (SOUNDS, "A and C are directly stated. D is implied by the tone.", "ACD"),
        (SOUNDS, "A is not directly stated. D is implied.", "D"),
        (SOUNDS, "A is directly stated. D is only implied.", None),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letters(options, response) == expected


def test_read_choices_returns_none_if_one_of_several_options_is_left_open(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (SOUNDS, "One of A and B is right, and C is right.", None),
        (SOUNDS, "One of A, B and C is right, and D is right.", None),
        (SOUNDS, "Only one of options A or B could hold, whereas D is right.", None),
        (SOUNDS, "One of A and B is right. It is A. C is right too.", None),
        (MEETING, "A和B中有一个正确，C正确。", None),
        (MEETING, "A、B中只有一个正确，应该是A。C也正确。", "AC"),
        (SOUNDS, "Neither one of A and B is right, so C.", "C"),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letters(options, response) == expected


def test_read_choices_reads_the_rest(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (MEETING, "除了“律师要求签字”这一条没有依据之外，其他三条都说得通。", "ABD"),
        (MEETING, "“律师建议签字”这一项没有依据，其余三项成立。", "ABD"),
        (MEETING, "只有“律师建议立即签字”不成立。", "ABD"),
        (MEETING, "D项与音频结尾新娘独自离开的内容相矛盾，应排除，其余各项都可以成立。", "ABC"),
        (MEETING, "B与第二段音频里男子说的话相矛盾，其余成立。", "ACD"),
        (MEETING, "C和录音中经理所说的时间安排明显冲突，应当排除；其他三项都成立。", "ABD"),
        (MEETING, "A应排除，其余保留。", "BCD"),
        (SOUNDS, "D should be eliminated; keep the rest.", "ABC"),
        (SOUNDS, "Eliminate B. The others stay.", "ACD"),
        (SOUNDS, "Drop C, keep the others.", "ABD"),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letters(options, response) == expected


def test_read_choices_reads_kept_and_eliminated_options(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (MEETING, "A不成立，因为没有证据表明是同一天；B成立；C成立；D无法从音频中得到支持，不成立。", "BC"),
        (MEETING, "A成立，B无法得到证实，C成立，D缺乏依据。", "AC"),
        (MEETING, "A无法从录音中得到印证，B、C成立，D不成立。", "BC"),
        (SOUNDS, "A: keep\nB: drop\nC: keep\nD: drop", "AC"),
        (MEETING, "A 保留；B 排除；C 保留；D 排除。", "AC"),
        (MEETING, "保留A、C，排除B、D。", "AC"),
        (SOUNDS, "Keep A and C; eliminate B and D.", "AC"),
        (SOUNDS, "I keep A and C.", "AC"),
        (SOUNDS, "A, true; B, false; C, true; D, false", "AC"),
        (SOUNDS, "True: A, C. False: B, D.", "AC"),
        (SOUNDS, "TRUE — A\nFALSE — B\nTRUE — C\nFALSE — D", "AC"),
        (SOUNDS, "✓ A ✗ B ✓ C ✗ D", "AC"),
        (SOUNDS, "Supported are A and C, while B and D are not.", "AC"),
        (MEETING, "A能推断，B不能，C能推断，D不能。", "AC"),
        (MEETING, "A可以，B不行，C可以，D不行。", "AC"),
        (MEETING, "A✔ B✘ C✔ D✘", "AC"),
        (SOUNDS, "A: in\nB: out\nC: in\nD: out", "AC"),
        (MEETING, "A通过，B不通过，C通过，D不通过。", "AC"),
        (MEETING, "成立：A、C；不成立：B、D", "AC"),
        (MEETING, "A选，B不选，C选，D不选。", "AC"),
        (MEETING, "A符合，因为有争执声。B不符合，没有人提到下周。C不符合。D符合，警报响了。", "AD"),
        (SOUNDS, "Correct: a bell rings. two people argue.\nIncorrect: the man leaves. a child hides.", "AC"),
        (SOUNDS, "Yes to A and D, no to B and C.", "AD"),
        (SOUNDS, "A and D yes, B and C no.", "AD"),
        (SOUNDS, "A, D: yes. B, C: no.", "AD"),
        (SOUNDS, "I accept A and D and reject B and C.", "AD"),
        (SOUNDS, "A holds up, B doesn't, C doesn't, D does.", "AD"),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letters(options, response) == expected
