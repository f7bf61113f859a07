"""Sets of options in forms of one line: numbers, ticks, truth values, exceptions and guesses."""

import pytest

from tests.support.samples.option_sets import MEETING, SOUNDS, read_letters


def test_read_choices_reads_verdicts_by_number_and_in_objects(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (MEETING, "A、C成立；B、D不成立。", "AC"),
        (MEETING, "成立的有两项，分别是A和D。", "AD"),
        (MEETING, "有三项成立：A、B、D。", "ABD"),
        (MEETING, "共两项：B、C", "BC"),
        (SOUNDS, "Three of them hold: A, C and D.", "ACD"),
        (SOUNDS, "Two are right, namely B and D.", "BD"),
        (SOUNDS, "Exactly two statements are supported: A, B", "AB"),
        (
            SOUNDS,
            ("A. a bell rings — TRUE\nB. the man leaves — FALSE\nC. two people argue — TRUE\nD. a child hides — FALSE"),
            "AC",
        ),
        (SOUNDS, "TRUE: a bell rings, two people argue. FALSE: the man leaves, a child hides.", "AC"),
        (SOUNDS, "Yes: 1, 3. No: 2, 4.", "AC"),
        (SOUNDS, "1: true, 2: false, 3: true, 4: false", "AC"),
        (SOUNDS, "(1) yes (2) no (3) yes (4) no", "AC"),
        (MEETING, "1对，2错，3对，4错", "AC"),
        (SOUNDS, '{"1": true, "2": false, "3": true, "4": false}', "AC"),
        (SOUNDS, "[true, false, true, false]", "AC"),
        (SOUNDS, '{"answers": ["A", "C"]}', "AC"),
        (SOUNDS, '{"answer": "A,C"}', "AC"),
        (SOUNDS, '["A","C"]', "AC"),
        (SOUNDS, '{"answer": [0, 2]}', None),
        (
            SOUNDS,
            (
                '{"statements": {"A": {"supported": true, "evidence": "bell"}, "B": {"supported": false, '
                '"evidence": ""}, "C": {"supported": true, "evidence": "quarrel"}, "D": {"supported": '
                'false, "evidence": "none"}}}'
            ),
            "AC",
        ),
        (MEETING, '{"A": "成立", "B": "不成立", "C": "成立", "D": "不成立"}', "AC"),
        (MEETING, '{"A": "符合", "B": "不符合", "C": "符合", "D": "不符合"}', "AC"),
        (SOUNDS, '{"A": "TRUE", "B": "FALSE", "C": "TRUE", "D": "FALSE"}', "AC"),
        (SOUNDS, '{"A": 1, "B": 0, "C": 1, "D": 0}', "AC"),
        (SOUNDS, '{"A": "T", "B": "F", "C": "T", "D": "F"}', "AC"),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letters(options, response) == expected


def test_read_choices_reads_all_but_some(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (MEETING, "A、B、C、D四个都成立", "ABCD"),
        (MEETING, "四项全部成立。", "ABCD"),
        (SOUNDS, "None of them.", None),
        (MEETING, "都不成立。", None),
        (SOUNDS, "All wrong.", None),
        (SOUNDS, "Everything holds apart from B and D.", "AC"),
        (SOUNDS, "All are supported save D.", "ABC"),
        (MEETING, "除B、D外均成立。", "AC"),
        (MEETING, "除了C，别的都成立。", "ABD"),
        (SOUNDS, "All are false but A.", "A"),
        (SOUNDS, "All except A and C are false.", "AC"),
        (SOUNDS, "None but B.", "B"),
        (MEETING, "只有C和D不成立。", "AB"),
        (MEETING, "C和D是错的，剩下的是对的。", "AB"),
        (SOUNDS, "Only B and C fail.", "AD"),
        (SOUNDS, "B and C alone are false.", "AD"),
        (SOUNDS, "A alone.", "A"),
        (SOUNDS, "The last two.", "CD"),
        (SOUNDS, "The first three statements.", "ABC"),
        (MEETING, "前三项。", "ABC"),
        (SOUNDS, "the first and last", "AD"),
        (MEETING, "第一项和最后一项", "AD"),
        (MEETING, "前两项和最后一项", "ABD"),
        (SOUNDS, "all but the last", "ABC"),
        (SOUNDS, "odd-numbered statements", None),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letters(options, response) == expected


def test_read_choices_reads_guesses_ticks_and_questions(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (SOUNDS, "A and either B or C", None),
        (SOUNDS, "A and probably C", None),
        (SOUNDS, "A, and perhaps also D", None),
        (MEETING, "A一定成立，C可能成立。", None),
        (SOUNDS, "Definitely A and C, D is unlikely.", "AC"),
        (MEETING, "A，也许还有B。", None),
        (SOUNDS, "AC(D)", None),
        (SOUNDS, "A+C", "AC"),
        (SOUNDS, "A & C", "AC"),
        (SOUNDS, "A-C-D", "ACD"),
        (SOUNDS, "A;C", "AC"),
        (SOUNDS, "A C", "AC"),
        (MEETING, "A、C项", "AC"),
        (MEETING, "选AC", "AC"),
        (MEETING, "AC。", "AC"),
        (SOUNDS, "a,c", "AC"),
        (SOUNDS, "A ,C", "AC"),
        (SOUNDS, "Answers: A; C; D", "ACD"),
        (SOUNDS, "A|C", "AC"),
        (SOUNDS, "A, C.", "AC"),
        (MEETING, "选ABD，不对，D没有依据，应为AB。", "AB"),
        (MEETING, "ABD……更正，AB。", "AB"),
        (SOUNDS, "Remove B from ABC: AC.", "AC"),
        (SOUNDS, "Correction: A and D.", "AD"),
        (SOUNDS, "A bell rings and two people argue. The man does not leave and no child hides.", "AC"),
        (SOUNDS, "There is a bell ringing; nothing else is supported.", "A"),
        (SOUNDS, "Only that a bell rings is supported.", "A"),
        (MEETING, "双方约定下周再谈，其他都没有依据。", "B"),
        (MEETING, "能确定的只有客户对合同有异议。", "A"),
        (MEETING, "客户对合同有异议，会议也被迫中断。", "AD"),
        (MEETING, "A成立吗？成立。B成立吗？不成立。C成立吗？不成立。D成立吗？成立。", "AD"),
        (SOUNDS, "Is A supported? Yes. Is B? No. Is C? No. Is D? Yes.", "AD"),
        (MEETING, "分析：\nA：音频里有争执，所以", None),
        (SOUNDS, "A: a bell is heard, so it holds. B: nobody leaves, so it doesn't. C: there is", None),
        (SOUNDS, "Which of A, B, C, D are right?", None),
        (SOUNDS, "Select all that apply: A, B, C, D", None),
        (SOUNDS, "AB\nAB\nAB", "AB"),
        (SOUNDS, "AB AC", None),
        (SOUNDS, "Answer: AB\nFinal answer: AC", "AC"),
        (MEETING, "A：×\nB：√\nC：×\nD：√", "BD"),
        (MEETING, "A❌B✅C❌D✅", "BD"),
        (SOUNDS, "[ ] A\n[x] B\n[ ] C\n[x] D", "BD"),
        (SOUNDS, "- [x] A\n- [ ] B\n- [x] C\n- [ ] D", "AC"),
        (SOUNDS, "☑A ☐B ☑C ☐D", "AC"),
        (SOUNDS, "B and D are the ones to keep.", "BD"),
        (MEETING, "应保留A、C。", "AC"),
        (MEETING, "需要排除B、D，其余保留。", "AC"),
        (MEETING, "A、C入选，B、D出局。", "AC"),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letters(options, response) == expected
