"""Options judged one by one, by elimination, and with corrections."""

import pytest

from tests.support.samples.option_sets import CHINESE_PLACES, LONGER, PATHS, PLACES, RANGES, read_letter

DIAGONALS = (
    "From the back-right to the front-left",
    "From the front-left to the back-right",
    "From the back-left to the front-right",
    "From the front-right to the back-left",
)


def test_read_choice_reads_verdicts_after_commas_and_words_of_elimination(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (PATHS, "A, yes; B, no; C, no.", "A"),
        (PATHS, "A, no; B, yes; C, no.", "B"),
        (PLACES, "A, wrong; B, wrong; C, right; D, wrong.", "C"),
        (PLACES, "A, incorrect, no books; B, incorrect; C, correct, I hear a train; D, incorrect.", "C"),
        (CHINESE_PLACES, "A选项，不符合，没有翻书声；B选项，不符合；C选项，符合，能听到列车进站；D选项，不符合。", "C"),
        (CHINESE_PLACES, "A项，错误；B项，正确，有叫号声；C项，错误；D项，错误。", "B"),
        (CHINESE_PLACES, "A，排除；B，保留；C，排除；D，排除。", "B"),
        (PATHS, "A, maybe; B, maybe.", None),
        (PATHS, "A, yes; B, yes; C, no.", None),
        (CHINESE_PLACES, "A，正确；B，正确；C，错误；D，错误。", None),
        (PLACES, "- A: eliminate\n- B: eliminate\n- C: keep\n- D: eliminate", "C"),
        (PLACES, "A: keep, B: eliminate, C: eliminate, D: eliminate", "A"),
        (PLACES, "A – eliminated. B – eliminated. C – eliminated. D – kept.", "D"),
        (PLACES, "| Option | Decision |\n|---|---|\n| A | reject |\n| B | keep |\n| C | reject |\n| D | reject |", "B"),
        (CHINESE_PLACES, "| 选项 | 判断 |\n|---|---|\n| A | 排除 |\n| B | 排除 |\n| C | 排除 |\n| D | 保留 |", "D"),
        (CHINESE_PLACES, "A：排除\nB：保留\nC：排除\nD：排除", "B"),
        (CHINESE_PLACES, "A 不成立 B 成立 C 不成立 D 不成立", "B"),
        (CHINESE_PLACES, "A 成立\nB 不成立\nC 不成立\nD 不成立", "A"),
        (CHINESE_PLACES, "保留：C\n排除：A、B、D", "C"),
        (PLACES, "Keep: C\nEliminate: A, B, D", "C"),
        (PLACES, "Kept: B. Eliminated: A, C, D.", "B"),
        (CHINESE_PLACES, "| A | 保留 |\n| B | 保留 |\n| C | 排除 |\n| D | 排除 |", None),
        (PLACES, "A: keep; B: keep; C: eliminate; D: eliminate", None),
        (CHINESE_PLACES, "不符合：A、B、D\n符合：C", "C"),
        (CHINESE_PLACES, "不成立的有A、C、D，成立的是B。", "B"),
        (PLACES, "A (discard), B (discard), C (keep), D (discard)", "C"),
        (PLACES, "A out, B out, D out. C stays.", "C"),
        (PLACES, "I eliminate A and B. I also eliminate D. I keep C.", "C"),
        (CHINESE_PLACES, "排除A、B、D，保留C。", "C"),
        (CHINESE_PLACES, "A、B、D均可排除，保留C。", "C"),
        (CHINESE_PLACES, "先排除A和B，再排除D，只保留C。", "C"),
        (PLACES, "C stays; everything else goes.", "C"),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letter(options, response) == expected


def test_read_choice_reads_verdicts_above_lists_of_texts(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (
            LONGER,
            (
                "Correct: The second sound is longer.\nIncorrect: The first sound is longer. Both sounds "
                "are the same. Unable to determine."
            ),
            "B",
        ),
        (PLACES, "Right: A library. Wrong: A hospital hall. A train station. A playground.", "A"),
        (PLACES, "Incorrect: A library. A hospital hall. A playground.\nCorrect: A train station.", "C"),
        (CHINESE_PLACES, "正确：火车站的站台。\n错误：图书馆的阅览室。医院的大厅。公园的游乐场。", "C"),
        (PLACES, "Wrong: A library; A hospital hall; A playground.\nRight: A train station.", "C"),
        (PLACES, "Wrong options: A library, A hospital hall, A playground. Right option: A train station.", "C"),
        (PLACES, "Correct: A library. A hospital hall.\nIncorrect: A train station. A playground.", None),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letter(options, response) == expected


def test_read_choice_reads_statements_on_the_rest_or_on_several_options(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (PLACES, "The correct answer is A. The remaining options (B, C and D) do not fit what is heard.", "A"),
        (PLACES, "It is B. The remaining ones (A, C, D) do not match.", "B"),
        (PLACES, "D is right; the remaining three (A, B, C) are not.", "D"),
        (CHINESE_PLACES, "选C，剩余选项（A、B、D）都不符合。", "C"),
        (CHINESE_PLACES, "C正确，剩下的三个（A、B、D）不符合。", "C"),
        (PATHS, "It is C. A and B both describe a change of position, and nothing changes here.", "C"),
        (PLACES, "It's B. A and C both mention an event that is never heard.", "B"),
        (PLACES, "C is what I hear. A and B both name a place with music.", "C"),
        (PATHS, "It is C, as A and B both require motion.", "C"),
        (PATHS, "Either A or B. Both describe a change.", None),
        (PLACES, "B. Options A and C both need music.", "B"),
        (PATHS, "选C。A和B都描述了位置的变化，而这里没有变化。", "C"),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letter(options, response) == expected


def test_read_choice_reads_the_choice_among_weighed_options(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (RANGES, "Between B and C I lean towards C.", "C"),
        (RANGES, "Between A and B I'd pick A.", "A"),
        (RANGES, "Between A and B, I would go with B.", "B"),
        (PLACES, "Torn between A and D I choose D.", "D"),
        (RANGES, "在A和B之间，我倾向于B。", "B"),
        (RANGES, "A和B之间我倾向选A。", "A"),
        (PLACES, "在B和D之间我选择D。", "D"),
        (RANGES, "Between B and C I cannot choose.", None),
        (RANGES, "I can't choose between A and B.", None),
        (RANGES, "It is hard to choose between A and C.", None),
        (PLACES, "Out of B and D I would say D.", "D"),
        (PLACES, "Of A and C, C fits better.", "C"),
        (
            DIAGONALS,
            (
                "It could be from the back-left to the front-right, or equally from the front-right to the "
                "back-left; the cues fit both."
            ),
            None,
        ),
        (PLACES, "It could be A, or just as well B.", None),
        (PLACES, "Either A or, equally, C.", None),
        (PLACES, "A library, or alternatively a train station.", None),
        (CHINESE_PLACES, "可能是A，也同样可能是B。", None),
        (PLACES, "The cues fit both A and B equally.", None),
        (CHINESE_PLACES, "A、B、C、D中只有B正确。", "B"),
        (CHINESE_PLACES, "在A、B、C、D中，我选C。", "C"),
        (CHINESE_PLACES, "A和C中，C更合理。", "C"),
        (CHINESE_PLACES, "A、B两个选项中选A。", "A"),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letter(options, response) == expected


def test_read_choice_reads_the_answer_after_a_correction(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (CHINESE_PLACES, "选A……不对，仔细听背景里有小孩的笑声，应该选D。", "D"),
        (CHINESE_PLACES, "我选A。不对，应该是C。", "C"),
        (CHINESE_PLACES, "答案是B……不，是C。", "C"),
        (CHINESE_PLACES, "先选A，不对，再听一遍，选B。", "B"),
        (CHINESE_PLACES, "A吧……哦不，是D。", "D"),
        (CHINESE_PLACES, "答案是A，等等，不对，答案是B。", "B"),
        (CHINESE_PLACES, "应该是A。哦，不对不对，是B。", "B"),
        (CHINESE_PLACES, "选A？不，选D。", "D"),
        (CHINESE_PLACES, "选A，不选B。", "A"),
        (CHINESE_PLACES, "选A。不对。", None),
        (CHINESE_PLACES, "答案是A。B不对，C也不对。", "A"),
        (PLACES, "A. No wait, it's D.", "D"),
        (PLACES, "A... no, D.", "D"),
        (PLACES, "B — sorry, I mean C.", "C"),
        (PLACES, "Scratch A. It's D.", "D"),
        (CHINESE_PLACES, "选B，哦不，说错了，选C。", "C"),
        (CHINESE_PLACES, "原来以为是A，后来发现是C。", "C"),
        (CHINESE_PLACES, "一开始觉得是B，但再听是D。", "D"),
        (CHINESE_PLACES, "A……不对，B……也不对。", None),
        (CHINESE_PLACES, "刚才说A是口误，应为C。", "C"),
        (CHINESE_PLACES, "把A改成C。", "C"),
        (CHINESE_PLACES, "改为D。", "D"),
        (PLACES, "Option A says it is a library, and option B says it is a hospital.", None),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letter(options, response) == expected


def test_read_choice_reads_remaining_options_and_answered_questions(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (PLACES, "All of the options except C can be eliminated.", "C"),
        (PLACES, "Everything but B is ruled out.", "B"),
        (PLACES, "We can cross out A, C and D.", "B"),
        (PLACES, "Ruling out A, B and C leaves D.", "D"),
        (CHINESE_PLACES, "A、B、C都划掉，剩D。", "D"),
        (PLACES, "B is the only one that survives.", "B"),
        (CHINESE_PLACES, "B是唯一保留的选项。", "B"),
        (CHINESE_PLACES, "唯一符合的是C。", "C"),
        (CHINESE_PLACES, "只剩下D没有被排除。", "D"),
        (CHINESE_PLACES, "只有B没被排除。", "B"),
        (PLACES, "A: FALSE\nB: FALSE\nC: TRUE\nD: FALSE", "C"),
        (
            PLACES,
            (
                '{"A": {"verdict": "FALSE"}, "B": {"verdict": "TRUE"}, "C": {"verdict": "FALSE"}, "D": '
                '{"verdict": "FALSE"}}'
            ),
            "B",
        ),
        (
            PLACES,
            ('{"analysis": {"A": "no books", "B": "no patients", "C": "train heard", "D": "no kids"}, "answer": "C"}'),
            "C",
        ),
        (PLACES, '{"A": 0.1, "B": 0.7, "C": 0.1, "D": 0.1}', None),
        (PLACES, '{"options": [{"id": "A", "probability": 0.2}, {"id": "B", "probability": 0.8}]}', None),
        (PLACES, '{"eliminated": ["A", "B", "D"], "answer": "C"}', "C"),
        (PLACES, '{"eliminated": ["A", "B", "D"]}', None),
        (CHINESE_PLACES, "不成立：A、B、D。成立：C。", "C"),
        (CHINESE_PLACES, "A不符；B不符；C相符；D不符。", "C"),
        (CHINESE_PLACES, "C对，其他都错。", "C"),
        (CHINESE_PLACES, "错误的是A、B、D。", "C"),
        (PLACES, "I was going to say B, but C fits better.", "C"),
        (PLACES, "My initial thought was A; however, it's D.", "D"),
        (PLACES, "B? No. C? No. D? Yes.", "D"),
        (PLACES, "Not B. Not C. Not D.", "A"),
        (PLACES, "It's A, not B.", "A"),
        (PLACES, "Rather B than A.", "B"),
        (PLACES, "B rather than A.", "B"),
        (CHINESE_PLACES, "更正：答案是C。", "C"),
        (CHINESE_PLACES, "前面说的A不对，正确答案是B。", "B"),
        (CHINESE_PLACES, "A→不对，B→对。", "B"),
        (CHINESE_PLACES, "应该不是A，是C。", "C"),
        (CHINESE_PLACES, "我收回刚才的答案B，改选D。", "D"),
        (
            PLACES,
            ("Let me listen again. Options: A. A library B. A hospital hall C. A train station D. A playground"),
            None,
        ),
        (PLACES, "Choose one of A, B, C or D.", None),
        (PLACES, "The question asks whether it is a library or", None),
        (PLACES, "First, I need to consider option A, A library. There are no pages turning. Then option B", None),
        (PLACES, "It is a hospital hall: numbers are called.", "B"),
        (PLACES, "Plan B was announced over the speaker.", None),
        (PLACES, "Vitamin C is mentioned.", None),
        (PLACES, "Platform C is announced.", None),
        (PLACES, "He got an A in maths.", None),
        (PLACES, "option two", "B"),
        (PLACES, "the third", "C"),
        (CHINESE_PLACES, "第二个", "B"),
        (CHINESE_PLACES, "最后一个选项", "D"),
        (PLACES, "the penultimate option", None),
        (PLACES, "Neither A nor B nor C.", "D"),
        (CHINESE_PLACES, "A、B、C都不是。", "D"),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letter(options, response) == expected
