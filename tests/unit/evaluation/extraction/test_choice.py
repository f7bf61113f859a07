from collections.abc import Sequence

import pytest

from evaluation.extraction import read_choice
from tests.support.samples.option_sets import DIRECTION

ORDER = tuple(f"clip {a} -> clip {b} -> clip {c}" for a, b, c in ("123", "132", "213", "231", "312", "321"))
ORDER_OR_NOT = (*ORDER, "The order cannot be determined")
SIDE = ("left", "left to right", "right", "behind")
PLACE = ("餐厅的后厨", "餐厅", "家中", "社区共享厨房")
NUMBER = ("2", "3", "12", "2.5")
NOTE = ("C", "D", "E", "F")
FREQUENCY = ("250 Hz", "2500 Hz", "500 Hz", "50 Hz")

AMBIGUOUS, CONTRADICTION, OUTSIDE = "ambiguous", "contradiction", "outside-options"
EMPTY, REFUSAL = "empty", "refusal"

# options, response, position or reason
Case = tuple[Sequence[str], str | None, int | str]


def read(response: str | None, options: Sequence[str]) -> int | str | None:
    reading = read_choice(response, options)
    return reading.reason if reading.index is None else reading.index


def test_read_choice_reads_a_lone_letter_in_any_markup(subtests: pytest.Subtests) -> None:
    rows: list[Case] = [
        (DIRECTION, "A", 0),
        (DIRECTION, "a", 0),
        (DIRECTION, "b", 1),
        (DIRECTION, " d\n", 3),
        (DIRECTION, "Ｂ", 1),
        (DIRECTION, "ｂ", 1),
        (DIRECTION, "（Ｂ）", 1),
        (DIRECTION, "Ⓑ", 1),
        (DIRECTION, "(B)", 1),
        (DIRECTION, "(b)", 1),
        (DIRECTION, "<C>", 2),
        (DIRECTION, "&lt;C&gt;", 2),
        (DIRECTION, "[D]", 3),
        (DIRECTION, "{D}", 3),
        (DIRECTION, "【D】", 3),
        (DIRECTION, "「C」", 2),
        (DIRECTION, '"C"', 2),
        (DIRECTION, "'C'", 2),
        (DIRECTION, "“C”", 2),
        (DIRECTION, "A.", 0),
        (DIRECTION, "A)", 0),
        (DIRECTION, "a)", 0),
        (DIRECTION, "A:", 0),
        (DIRECTION, "A,", 0),
        (DIRECTION, "A!", 0),
        (DIRECTION, "A。", 0),
        (DIRECTION, "**A**", 0),
        (DIRECTION, "*A*", 0),
        (DIRECTION, "__A__", 0),
        (DIRECTION, "`A`", 0),
        (DIRECTION, "**A.**", 0),
        (DIRECTION, "$A$", 0),
        (DIRECTION, "> B", 1),
        (DIRECTION, "- B", 1),
        (DIRECTION, "# B", 1),
        (DIRECTION, "\u200bB", 1),
        (DIRECTION, "B\r\n", 1),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read(response, options) == expected


def test_read_choice_reads_an_english_phrase_around_a_letter(subtests: pytest.Subtests) -> None:
    rows: list[Case] = [
        (DIRECTION, "Option C", 2),
        (DIRECTION, "option c.", 2),
        (DIRECTION, "choice d", 3),
        (DIRECTION, "Letter B", 1),
        (DIRECTION, "Answer: B", 1),
        (DIRECTION, "answer: b", 1),
        (DIRECTION, "Answer - B", 1),
        (DIRECTION, "ANSWER: B", 1),
        (DIRECTION, "The answer is B", 1),
        (DIRECTION, "The answer is b.", 1),
        (DIRECTION, "The answer is a", 0),
        (DIRECTION, "The answer is A because the sound fades.", 0),
        (DIRECTION, "The correct answer is: (D)", 3),
        (DIRECTION, "The right answer is B.", 1),
        (DIRECTION, "The answer to the question is B.", 1),
        (DIRECTION, "Based on the audio, the answer is B.", 1),
        (DIRECTION, "I choose B.", 1),
        (DIRECTION, "I'll go with C!", 2),
        (DIRECTION, "I would pick option D", 3),
        (DIRECTION, "I believe it's B.", 1),
        (DIRECTION, "Probably B", 1),
        (DIRECTION, "B?", 1),
        (DIRECTION, "It's definitely B!", 1),
        (DIRECTION, "B, because the level rises on that side.", 1),
        (DIRECTION, "B is correct.", 1),
        (DIRECTION, "B is the correct answer.", 1),
        (DIRECTION, "Option B is the best choice.", 1),
        (DIRECTION, "Option B best describes the motion.", 1),
        (DIRECTION, "A is correct", 0),
        (DIRECTION, "A is the answer.", 0),
        (DIRECTION, "The answer is B the sound moves", 1),
        (DIRECTION, "That aligns with option B.", 1),
        (DIRECTION, "This corresponds to (B).", 1),
        (DIRECTION, "The answer is:\n\nB", 1),
        (DIRECTION, "### Final Answer\nB", 1),
        (DIRECTION, "**Final answer:** B", 1),
        (DIRECTION, "The second option", 1),
        (DIRECTION, "The last option.", 3),
        (DIRECTION, "Option 2", 1),
        (DIRECTION, "Correct option: C", 2),
        (DIRECTION, "Ans. C", 2),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read(response, options) == expected


def test_read_choice_reads_chinese_without_word_boundaries(subtests: pytest.Subtests) -> None:
    rows: list[Case] = [
        (DIRECTION, "答案是C", 2),
        (DIRECTION, "答案是C。", 2),
        (DIRECTION, "答案：C", 2),
        (DIRECTION, "答案为Ｃ", 2),
        (DIRECTION, "答案c", 2),
        (DIRECTION, "选D。", 3),
        (DIRECTION, "选d", 3),
        (DIRECTION, "故选A", 0),
        (DIRECTION, "C项", 2),
        (DIRECTION, "C选项", 2),
        (DIRECTION, "选项C", 2),
        (DIRECTION, "选项C正确", 2),
        (DIRECTION, "我选B", 1),
        (DIRECTION, "我选择B。", 1),
        (DIRECTION, "应该选B", 1),
        (DIRECTION, "我觉得是B", 1),
        (DIRECTION, "是B", 1),
        (DIRECTION, "B吧", 1),
        (DIRECTION, "B是正确的", 1),
        (DIRECTION, "B正确", 1),
        (DIRECTION, "B对", 1),
        (DIRECTION, "正确答案是B。", 1),
        (DIRECTION, "正确答案为：B", 1),
        (DIRECTION, "最终答案：B", 1),
        (DIRECTION, "因此，答案是B。", 1),
        (DIRECTION, "综上所述，选B", 1),
        (DIRECTION, "因为声音变大，所以选B。", 1),
        (DIRECTION, "选B，因为声音变大。", 1),
        (DIRECTION, "第二个选项", 1),
        (DIRECTION, "选项二", 1),
        (PLACE, "答案是：家中。", 2),
        (PLACE, "我认为说话者在家中", 2),
        (PLACE, "家中", 2),
        (PLACE, "「家中」", 2),
        (PLACE, "C、家中", 2),
        (PLACE, "C．家中", 2),
        (PLACE, "C家中", 2),
        (PLACE, "（C）家中", 2),
        (PLACE, "答案是C：家中", 2),
        (PLACE, "根据音频，他们在家中，因此选C。", 2),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read(response, options) == expected


def test_read_choice_reads_an_option_text(subtests: pytest.Subtests) -> None:
    rows: list[Case] = [
        (DIRECTION, "From left to right", 0),
        (DIRECTION, "from left to right.", 0),
        (DIRECTION, "FROM LEFT TO RIGHT", 0),
        (DIRECTION, "From left-to-right", 0),
        (DIRECTION, "From  left\tto right!", 0),
        (DIRECTION, '"From left to right"', 0),
        (DIRECTION, "The sound moves from left to right.", 0),
        (DIRECTION, "The answer is from left to right", 0),
        (DIRECTION, "B: From right to left", 1),
        (DIRECTION, "B. From right to left.", 1),
        (DIRECTION, "b) from right to left", 1),
        (DIRECTION, "(B) From right to left", 1),
        (DIRECTION, "<B>: From right to left", 1),
        (DIRECTION, "B From right to left", 1),
        (DIRECTION, "B - From right to left", 1),
        (DIRECTION, "B, which is from right to left", 1),
        (DIRECTION, "B\nFrom right to left", 1),
        (DIRECTION, "From right to left (B)", 1),
        (DIRECTION, "**B. From right to left**", 1),
        (DIRECTION, "The correct answer is **C. Remains unchanged**.", 2),
        (DIRECTION, "Option B: From right to left is correct.", 1),
        (DIRECTION, "B.From right to left", 1),
        (ORDER, "clip 1 -> clip 3 -> clip 2", 1),
        (ORDER, "clip 1 → clip 3 → clip 2", 1),
        (ORDER, "clip1->clip3->clip2", 1),
        (ORDER, "Clip 1 => Clip 3 => Clip 2.", 1),
        (ORDER, "clip 1 --> clip 3 --> clip 2", 1),
        (ORDER, "clip 1 -&gt; clip 3 -&gt; clip 2", 1),
        (ORDER, "<B>: clip 1 -> clip 3 -> clip 2", 1),
        (ORDER, "So the order is clip 1 → clip 3 → clip 2. That corresponds to option B.", 1),
        (FREQUENCY, "2500 Hz", 1),
        (FREQUENCY, "2500Hz", 1),
        (FREQUENCY, "It was a tone of 50 Hz.", 3),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read(response, options) == expected


def test_read_choice_distinguishes_options_that_contain_or_equal_other_words(subtests: pytest.Subtests) -> None:
    rows: list[Case] = [
        (SIDE, "left", 0),
        (SIDE, "left to right", 1),
        (SIDE, "It goes left to right.", 1),
        (SIDE, "the right answer is left", 0),
        (SIDE, "The right option is behind.", 3),
        (SIDE, "right", 2),
        (PLACE, "餐厅", 1),
        (PLACE, "餐厅的后厨", 0),
        (PLACE, "选餐厅的后厨，而不是餐厅", 0),
        (FREQUENCY, "1250 Hz", OUTSIDE),
        (FREQUENCY, "0.50 Hz", OUTSIDE),
        (NUMBER, "2", 0),
        (NUMBER, "2.5", 3),
        (NUMBER, "12", 2),
        (NUMBER, "The answer is 3.", 1),
        (NUMBER, "-2", OUTSIDE),
        (NUMBER, "In the first 3 seconds nothing is heard.", AMBIGUOUS),
        (NUMBER, "B. 3", 1),
        (NUMBER, "B. 2", CONTRADICTION),
        (NOTE, "E", 2),
        (NOTE, "A", 0),
        (NOTE, "C", AMBIGUOUS),
        (NOTE, "A: C", 0),
        (NOTE, "G", OUTSIDE),
        (("A", "B"), "A", 0),
        (("B", "A"), "A", AMBIGUOUS),
        (("Yes", "No"), "There is no doubt about it, yes.", AMBIGUOUS),
        (("Yes", "No"), "No, because there is no sound.", 1),
        (("Yes", "No"), "The answer is Yes", 0),
        (("clip 1 -> clip 2", "clip 2 -> clip 1"), "clip 1 -> clip 2 -> clip 3", OUTSIDE),
        (("dog", "dog", "cat"), "dog", AMBIGUOUS),
        (("dog", "dog", "cat"), "B", 1),
        (("A dog", "A cat"), "The answer is a cat", 1),
        (("dog", "cat"), "The answer is a cat", 1),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            if expected == AMBIGUOUS and options == ("Yes", "No"):
                assert read(response, options) in {AMBIGUOUS, 0, CONTRADICTION}
            else:
                assert read(response, options) == expected


def test_read_choice_ignores_words_that_only_look_like_letters(subtests: pytest.Subtests) -> None:
    rows: list[Case] = [
        (DIRECTION, "A sound moves from left to right", 0),
        (DIRECTION, "A sound moves from right to left", 1),
        (DIRECTION, "A sound is heard.", OUTSIDE),
        (DIRECTION, "A dog barks and a car passes.", OUTSIDE),
        (DIRECTION, "A clear answer is hard to give.", OUTSIDE),
        (DIRECTION, "A correct reading needs more context.", OUTSIDE),
        (DIRECTION, "A man says he lives in a house.", OUTSIDE),
        (DIRECTION, "A good question.", OUTSIDE),
        (DIRECTION, "The note C major is played by speaker B.", OUTSIDE),
        (DIRECTION, "The instrument is B flat clarinet", OUTSIDE),
        (DIRECTION, "Vitamin C helps.", OUTSIDE),
        (DIRECTION, "Speaker A talks to speaker B.", OUTSIDE),
        (DIRECTION, "X-ray and B-flat and C# and T-shirt", OUTSIDE),
        (DIRECTION, "It was 5 p.m. in the U.S.A. at home", OUTSIDE),
        (DIRECTION, "I'd say it isn't clear; don't know", REFUSAL),
        (tuple("一二三四五六七八九十"), "I think the sound is moving.", OUTSIDE),
        (tuple("一二三四五六七八九十"), "I", 8),
        (tuple("一二三四五六七八九十"), "(I)", 8),
        (tuple("一二三四五六七八九十"), "Option I", 8),
        (PLACE, "B市的餐馆", OUTSIDE),
        (PLACE, "A先生说话", OUTSIDE),
        (PLACE, "这段音频是一个人在说话。", OUTSIDE),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read(response, options) == expected


def test_read_choice_of_two_answers_returns_none(subtests: pytest.Subtests) -> None:
    rows: list[Case] = [
        (DIRECTION, "From left to right (A) From right to left (B)", AMBIGUOUS),
        (DIRECTION, "From left to right. A. From right to left", AMBIGUOUS),
        (DIRECTION, "B: From left to right", CONTRADICTION),
        (DIRECTION, "B. From left to right", CONTRADICTION),
        (DIRECTION, "(B) From left to right.", CONTRADICTION),
        (DIRECTION, "The answer is B: From left to right.", CONTRADICTION),
        (DIRECTION, "The answer is B, from left to right.", CONTRADICTION),
        (DIRECTION, "答案是B：From left to right", CONTRADICTION),
        (DIRECTION, "From left to right (B)", CONTRADICTION),
        (DIRECTION, "Option B is from left to right", CONTRADICTION),
        (DIRECTION, "B. The sound moves from left to right.", CONTRADICTION),
        (DIRECTION, "The answer is A. The answer is B.", CONTRADICTION),
        (DIRECTION, '{"answer": "A", "choice": "B"}', CONTRADICTION),
        (DIRECTION, "\\boxed{A} and \\boxed{B}", CONTRADICTION),
        (
            ORDER,
            "So, the most natural order is clip 2 -> clip 1 -> clip 3. That corresponds to option E.",
            CONTRADICTION,
        ),
        (PLACE, "A、家中", CONTRADICTION),
        (PLACE, "家中（A）", CONTRADICTION),
        (DIRECTION, "A or B", AMBIGUOUS),
        (DIRECTION, "A/B", AMBIGUOUS),
        (DIRECTION, "A, B", AMBIGUOUS),
        (DIRECTION, "A B", AMBIGUOUS),
        (DIRECTION, "AB", AMBIGUOUS),
        (DIRECTION, "A\nB", AMBIGUOUS),
        (DIRECTION, "A和B", AMBIGUOUS),
        (DIRECTION, "A、B", AMBIGUOUS),
        (DIRECTION, "B或C", AMBIGUOUS),
        (DIRECTION, "可能是A，也可能是B", AMBIGUOUS),
        (DIRECTION, "Either A or B.", AMBIGUOUS),
        (DIRECTION, "Both A and B", AMBIGUOUS),
        (DIRECTION, "It could be A or maybe B.", AMBIGUOUS),
        (DIRECTION, "It is between A and B.", AMBIGUOUS),
        (DIRECTION, "The answer is A or B", AMBIGUOUS),
        (DIRECTION, "From left to right or from right to left", AMBIGUOUS),
        (DIRECTION, "All of the above", AMBIGUOUS),
        (DIRECTION, "If the sound moves left, the answer is A.", AMBIGUOUS),
        (DIRECTION, "Is it B?", AMBIGUOUS),
        (DIRECTION, "如果声音变大，答案是A。", AMBIGUOUS),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read(response, options) == expected


def test_read_choice_does_not_choose_denied_options(subtests: pytest.Subtests) -> None:
    rows: list[Case] = [
        (DIRECTION, "not A but C", 2),
        (DIRECTION, "It is not A but C.", 2),
        (DIRECTION, "Not A, B.", 1),
        (DIRECTION, "C, not A", 2),
        (DIRECTION, "C rather than A", 2),
        (DIRECTION, "C instead of A", 2),
        (DIRECTION, "The answer is not A. The answer is B.", 1),
        (DIRECTION, "Option A is wrong. Option B is correct.", 1),
        (DIRECTION, "A is incorrect, so B.", 1),
        (DIRECTION, "A isn't right; B is.", 1),
        (DIRECTION, "Neither A nor B, so C.", 2),
        (DIRECTION, "A and B are wrong, C is right.", 2),
        (DIRECTION, "A, B and D can be ruled out, so the answer is C.", 2),
        (DIRECTION, "B is more likely than A", 1),
        (DIRECTION, "A does not match the audio, while B does match it.", 1),
        (DIRECTION, "Eliminate A and B. The answer is D.", 3),
        (DIRECTION, "It is not from left to right but from right to left.", 1),
        (DIRECTION, "A: wrong\nB: wrong\nC: correct\nD: wrong", 2),
        (DIRECTION, "A ❌\nB ✅\nC ❌\nD ❌", 1),
        (DIRECTION, "~~A~~ B", 1),
        (DIRECTION, "It is not B", AMBIGUOUS),
        (DIRECTION, "The answer is not B.", AMBIGUOUS),
        (DIRECTION, "It can't be A.", AMBIGUOUS),
        (DIRECTION, "I don't think it's A.", AMBIGUOUS),
        (DIRECTION, "The sound does not move from left to right.", AMBIGUOUS),
        (DIRECTION, "not A, not B, not D", 2),
        (DIRECTION, "A is wrong.", AMBIGUOUS),
        (("left", "right"), "not left", 1),
        (PLACE, "不是A，而是C。", 2),
        (PLACE, "A不对，选C", 2),
        (PLACE, "A不对，B对", 1),
        (PLACE, "A错误，B正确", 1),
        (PLACE, "排除A和B，选D", 3),
        (PLACE, "A、B和C都不对，选D", 3),
        (PLACE, "不选A，选B", 1),
        (PLACE, "选B而不是A", 1),
        (PLACE, "不选A", AMBIGUOUS),
        (PLACE, "不是餐厅", AMBIGUOUS),
        (PLACE, "A和B都不对", AMBIGUOUS),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read(response, options) == expected


def test_read_choice_reads_the_conclusion_and_not_the_reasoning(subtests: pytest.Subtests) -> None:
    rows: list[Case] = [
        (DIRECTION, "A. Wait, actually B. Final answer: B", 1),
        (DIRECTION, "A. Wait, no. B.", 1),
        (DIRECTION, "The answer is A. Actually, the answer is B.", 1),
        (DIRECTION, "A. Wait, no.", AMBIGUOUS),
        (DIRECTION, "I initially thought A, but the answer is B.", 1),
        (DIRECTION, "At first it seems from left to right. However, the answer is B.", 1),
        (DIRECTION, "A seems plausible, but B is the best answer.", 1),
        (DIRECTION, "It could be A or B, but I go with B.", 1),
        (DIRECTION, "A or B? The answer is B.", 1),
        (DIRECTION, "Is it A? No. It is B.", 1),
        (DIRECTION, "The answer is A. Let me check again. Therefore, the correct answer is B.", 1),
        (DIRECTION, "One might say from left to right. The final answer is from right to left.", 1),
        (DIRECTION, "The options are from left to right and from right to left. The answer is B.", 1),
        (DIRECTION, "It sounds like from left to right at the start, then back. So the answer is B.", 1),
        (DIRECTION, "The answer is B. Option A says from left to right, which is not heard.", 1),
        (DIRECTION, "The answer is B, since A does not match.", 1),
        (DIRECTION, "B. Option A is wrong because it is louder.", 1),
        (DIRECTION, "B\n\nExplanation: the level on that side falls.", 1),
        (DIRECTION, "The level falls.\n\nB", 1),
        (DIRECTION, "B. B. B.", 1),
        (DIRECTION, "B\nB\nB", 1),
        (DIRECTION, "The answer is B. The answer is B.", 1),
        (DIRECTION, "So the sound goes from left to right. Final answer: B", 1),
        (DIRECTION, "A. From left to right\nB. From right to left\nC. Remains unchanged\nD. Moves up\nAnswer: C", 2),
        (DIRECTION, "From left to right, From right to left, Remains unchanged, Moves up. I choose C.", 2),
        (DIRECTION, "Answer with one letter (A/B/C/D). B", 1),
        (DIRECTION, "A. From left to right\nB. From right to left\nC. Remains unchanged\nD. Moves up", AMBIGUOUS),
        (DIRECTION, "A/B/C/D", AMBIGUOUS),
        (DIRECTION, "A, B, C, D", AMBIGUOUS),
        (PLACE, "一开始以为是A，但其实是B。", 1),
        (PLACE, "虽然A有道理，但答案是B。", 1),
        (PLACE, "A。等等，应该是B。", 1),
        (PLACE, "声音像餐厅，但是综合来看答案是家中。", 2),
        (
            ORDER_OR_NOT,
            "The most natural chronological order for these sounds is <A>.\n\nHere is a breakdown:\n\n"
            "**Clip 1:** ice.\n**Clip 2:** a liquid.\nTherefore, the most logical sequence is dropping in the ice "
            "(clip 1), pouring (clip 2), and then blending (clip 3).",
            0,
        ),
        (
            DIRECTION,
            "**The audio says nothing about direction, so it is impossible to determine.** "
            "Therefore, the correct answer is **C. Remains unchanged**.",
            2,
        ),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read(response, options) == expected


def test_read_choice_distinguishes_refusals_from_unrelated_answers(subtests: pytest.Subtests) -> None:
    rows: list[Case] = [
        (DIRECTION, "I cannot determine the answer.", REFUSAL),
        (DIRECTION, "I'm sorry, I can't hear the audio.", REFUSAL),
        (DIRECTION, "I am unable to tell whether it is A or B.", REFUSAL),
        (DIRECTION, "It is impossible to determine whether it moves from left to right.", REFUSAL),
        (DIRECTION, "As an AI, I do not have access to audio.", REFUSAL),
        (DIRECTION, "I don't know.", REFUSAL),
        (DIRECTION, "无法判断", REFUSAL),
        (DIRECTION, "抱歉，我听不到音频。", REFUSAL),
        (DIRECTION, "无法确定是A还是B。", REFUSAL),
        (DIRECTION, "信息不足，不能判断", REFUSAL),
        (DIRECTION, "I can't be sure, but the answer is B", 1),
        (DIRECTION, "I cannot hear the audio, but if I had to guess: B", 1),
        (DIRECTION, "I'm sorry for the confusion. The answer is B.", 1),
        (DIRECTION, "Not sure, B.", 1),
        (DIRECTION, "不确定，但我选B。", 1),
        (ORDER_OR_NOT, "The order cannot be determined.", 6),
        (ORDER_OR_NOT, "I cannot determine the order.", REFUSAL),
        (ORDER_OR_NOT, "G", 6),
        (("是", "否", "无法判断"), "无法判断", 2),
        (DIRECTION, "E", OUTSIDE),
        (DIRECTION, "The answer is E.", OUTSIDE),
        (DIRECTION, "(Z)", OUTSIDE),
        (DIRECTION, "选E。", OUTSIDE),
        (DIRECTION, "None of the above", OUTSIDE),
        (("left", "right", "None of the above"), "None of the above", 2),
        (DIRECTION, "A helicopter.", OUTSIDE),
        (DIRECTION, "", EMPTY),
        (DIRECTION, " \n\t", EMPTY),
        (DIRECTION, "...", EMPTY),
        (DIRECTION, "？！。", EMPTY),
        (DIRECTION, None, EMPTY),
        (DIRECTION, "<think>It is A", EMPTY),
        ((), "A", OUTSIDE),
        (("only",), "A", 0),
        (("", ""), "A", 0),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read(response, options) == expected


def test_read_choice_removes_wrapping(subtests: pytest.Subtests) -> None:
    rows: list[Case] = [
        (DIRECTION, "<think>It is A.</think>B", 1),
        (DIRECTION, "<THINK>It is A.</THINK>\n\nB", 1),
        (DIRECTION, "It is A</think>\nC", 2),
        (DIRECTION, "<think>A</think>B<think>C</think>", 1),
        (DIRECTION, "B<think>A", 1),
        (DIRECTION, '{"answer": "B"}', 1),
        (DIRECTION, "{'answer': 'B'}", 1),
        (DIRECTION, '{"answer": "B. From right to left"}', 1),
        (DIRECTION, '{"answer":"From right to left"}', 1),
        (DIRECTION, '{"Answer": "b", "confidence": 0.9}', 1),
        (DIRECTION, '```json\n{"reasoning": "A is likely", "answer": "C"}\n```', 2),
        (DIRECTION, 'Here you are:\n```\n{"answer": "C"}\n```\nDone.', 2),
        (DIRECTION, '{"答案": "C"}', 2),
        (DIRECTION, '{"answer": ["C"]}', 2),
        (DIRECTION, '["C"]', 2),
        (DIRECTION, "$\\boxed{B}$", 1),
        (DIRECTION, "\\boxed{\\text{B}}", 1),
        (DIRECTION, "\\(\\boxed{\\mathbf{B}}\\)", 1),
        (DIRECTION, "\\boxed{\\text{From right to left}}", 1),
        (DIRECTION, "<answer>B</answer>", 1),
        (DIRECTION, "A looked right at first.\n<answer>B</answer>", 1),
        (DIRECTION, "<b>B</b>", 1),
        (DIRECTION, "```\nB\n```", 1),
        (ORDER, "$clip 1 \\rightarrow clip 3 \\rightarrow clip 2$", 1),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read(response, options) == expected


def test_read_choice_treats_a_list_of_options_like_a_tuple() -> None:
    assert read_choice("B", list(DIRECTION)) == read_choice("B", DIRECTION)
    long_response = "The answer is B. " + "It fades. " * 20
    assert read_choice(long_response, list(DIRECTION)).index == 1


def test_read_choice_refuses_too_many_options() -> None:
    with pytest.raises(ValueError, match="too many"):
        read_choice("A", tuple(str(n) for n in range(5000)))


def test_read_choice_ignores_an_option_that_is_asked_and_rejected() -> None:
    options = ("a bag", "a desk", "a box", "a sack")
    for response in (
        "D？不对，没有轮子的声音。A。",
        "D? Wrong, there are no wheels. A.",
        "D？不对，袋子没有轮子。是A。",
    ):
        assert read_choice(response, options).index == 0, response
    assert read_choice("D？不对。", options).index is None
