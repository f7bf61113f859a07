import pytest

from evaluation.extraction import read_choice
from tests.support.samples.option_sets import DIRECTION

LOUDER = ("The first sound is louder", "The second sound is louder", "Both are equally loud", "Cannot be determined")
SOURCE = ("a dog barking", "a cat meowing", "a bird singing", "rain")
SCENE = ("餐厅", "医院", "学校", "公园")
YES_NO_CHINESE = ("是", "否")
TRUE_FALSE = ("True", "False")


def test_read_choice_reads_whole_answers_as_labelled(subtests: pytest.Subtests) -> None:
    rows = [
        (
            DIRECTION,
            "I hear the sound on the left first and then on the right, so it moves from left to right. Answer: A",
            0,
        ),
        (DIRECTION, "Looking at options A, B, C and D, I believe B is correct.", 1),
        (DIRECTION, "Among A, B, C, and D, the best is C.", 2),
        (
            DIRECTION,
            "Let's evaluate each option:\nA. From left to right - the sound starts on the left, so this "
            "is possible.\nB. From right to left - not supported.\nC. Remains unchanged - no.\nD. Moves up"
            " - no.\n\nThe correct answer is A.",
            0,
        ),
        (
            DIRECTION,
            "Option A: From left to right\nOption B: From right to left\nOption C: Remains unchanged\n"
            "Option D: Moves up\n\nCorrect: B",
            1,
        ),
        (DIRECTION, "(A) From left to right (B) From right to left (C) Remains unchanged (D) Moves up\n(B)", 1),
        (DIRECTION, "B\n(A) From left to right (B) From right to left (C) Remains unchanged (D) Moves up", 1),
        (DIRECTION, "The answer is definitely not A, B or C. It must be D.", 3),
        (DIRECTION, "Answer: B (not A)", 1),
        (DIRECTION, "Answer:B", 1),
        (DIRECTION, "Answer：B", 1),
        (DIRECTION, "The answer is option (b).", 1),
        (DIRECTION, "My final answer is therefore B.", 1),
        (DIRECTION, "A) From left to right is the correct answer.", 0),
        (DIRECTION, "The sound moves from left to right, which corresponds to option A.", 0),
        (DIRECTION, "The sound moves from left to right, which corresponds to option B.", None),
        (
            DIRECTION,
            "Sure! The correct answer is **B**: From right to left. Let me know if you have further questions!",
            1,
        ),
        (DIRECTION, "Based on the audio provided, I would say that the answer is most likely (D) Moves up.", 3),
        (DIRECTION, "A and B are both plausible.", None),
        (DIRECTION, "A is plausible.", None),
        (DIRECTION, "B seems most likely.", 1),
        (DIRECTION, "Most likely B.", 1),
        (DIRECTION, "B, I think", 1),
        (DIRECTION, "b, i think", 1),
        (DIRECTION, "B!!!", 1),
        (DIRECTION, "B (From right to left)", 1),
        (DIRECTION, "B = From right to left", 1),
        (DIRECTION, "B -> From right to left", 1),
        (DIRECTION, "B；From right to left", 1),
        (DIRECTION, "Choose B", 1),
        (DIRECTION, "Select: B", 1),
        (DIRECTION, "Go with B", 1),
        (DIRECTION, "It has to be B", 1),
        (DIRECTION, "It must be B.", 1),
        (DIRECTION, "That would be B.", 1),
        (DIRECTION, "That's B.", 1),
        (DIRECTION, "Definitely not A. I'd go for B.", 1),
        (DIRECTION, "The answer isn't A; it's B.", 1),
        (DIRECTION, "A? No, B.", 1),
        (DIRECTION, "A... no, B", 1),
        (DIRECTION, "I was torn between A and B, but ultimately B.", 1),
        (DIRECTION, "I am torn between A and B.", None),
        (DIRECTION, "Could be any of them.", None),
        (DIRECTION, "A, although B is also possible.", 0),
        (DIRECTION, "Not sure whether A or B. Maybe A.", 0),
        (
            DIRECTION,
            "The question asks whether the sound moves from left to right or from right to left. I "
            "think it moves from right to left.",
            1,
        ),
        (DIRECTION, "While it may appear to go from left to right, it actually goes from right to left.", 1),
        (DIRECTION, "It does not go from left to right; it goes from right to left.", 1),
        (DIRECTION, "Contrary to option A, the sound moves from right to left.", 1),
        (DIRECTION, "You can't say it moves up, so it remains unchanged.", 2),
        (DIRECTION, "The sound remains unchanged in pitch but moves up in level.", None),
        (DIRECTION, "From left", None),
        (DIRECTION, "right to left", 1),
        (DIRECTION, "left", None),
        (LOUDER, "The second sound is louder.", 1),
        (LOUDER, "The first sound is louder than the second sound.", 0),
        (LOUDER, "The second.", 1),
        (LOUDER, "B: the second sound is louder", 1),
        (LOUDER, "I cannot determine which is louder.", None),
        (LOUDER, "Cannot be determined.", 3),
        (LOUDER, "D. Cannot be determined", 3),
        (SOURCE, "A dog barking", 0),
        (SOURCE, "It is a dog barking.", 0),
        (SOURCE, "A cat meowing.", 1),
        (SOURCE, "The sound is a bird singing in the rain.", None),
        (SOURCE, "I hear a cat", None),
        (SOURCE, "A: a dog barking", 0),
        (SOURCE, "The answer is A dog barking", 0),
        (SOURCE, "The answer is a cat meowing", 1),
        (SOURCE, "There is rain, and no dog.", 3),
        (YES_NO_CHINESE, "是", 0),
        (YES_NO_CHINESE, "否", 1),
        (YES_NO_CHINESE, "A", 0),
        (YES_NO_CHINESE, "不是", 1),
        (TRUE_FALSE, "True", 0),
        (TRUE_FALSE, "A", 0),
        (TRUE_FALSE, "B. False", 1),
        (TRUE_FALSE, "It is true", 0),
        (SCENE, "根据音频中的背景声音，说话者最有可能在医院。", 1),
        (SCENE, "说话者不在餐厅，而在医院。", 1),
        (SCENE, "可能是餐厅或者医院。", None),
        (SCENE, "选项A：餐厅。选项B：医院。选项C：学校。选项D：公园。答案是B。", 1),
        (SCENE, "A.餐厅 B.医院 C.学校 D.公园", None),
        (SCENE, "答案选B", 1),
        (SCENE, "答案应为B", 1),
        (SCENE, "正确选项为B：医院", 1),
        (SCENE, "我认为答案是选项B", 1),
        (SCENE, "B。因为有救护车的声音。", 1),
        (SCENE, "B，理由如下：音频中有救护车。", 1),
        (SCENE, "综合分析，A、C、D均不符合，故选B。", 1),
        (SCENE, "A选项错误，因为没有餐具声；B选项正确。", 1),
        (SCENE, "本题选B", 1),
        (SCENE, "本题应选B项。", 1),
        (SCENE, "此题答案为（B）", 1),
        (SCENE, "不能确定，可能选B", 1),
        (SCENE, "医院（B）", 1),
        (SCENE, "B医院", 1),
        (SCENE, "答案：医院（A）", None),
        (SCENE, "排除法：A、C、D都不对，所以是B", 1),
        (SCENE, "B、C都有可能", None),
        (SCENE, "B 或 C，更可能是B", 1),
        (SCENE, "难以判断，但更像医院", 1),
        (SCENE, "如果是餐厅，会有餐具声。所以是医院。", 1),
        (SCENE, "这不是医院", None),
        (SCENE, "答案不是A", None),
        (SCENE, "没有选项正确", None),
        (SCENE, "E", None),
        (SCENE, "答案是：\nB", 1),
        (SCENE, "答案是：B\n解析：音频中可以听到学校的铃声，但是主要是救护车。", 1),
        (SCENE, "首先，A项餐厅不符合；其次，C项学校也不符合。因此应选择B项医院。", 1),
        (DIRECTION, "Answer: From right to left\nReason: the sound goes from the right ear to the left ear.", 1),
        (DIRECTION, "Step 1: The sound starts left.\nStep 2: It ends right.\nConclusion: A", 0),
        (DIRECTION, "Therefore the answer is A, from left to right, not B.", 0),
        (DIRECTION, "The audio is too short. A", 0),
        (DIRECTION, "The correct answer would be B if the sound moved left.", None),
        (DIRECTION, "Between options B and C, B is the better match.", 1),
        (DIRECTION, "The answer is B or, less likely, C.", None),
        (DIRECTION, "None of the options match, but B is closest.", 1),
        (DIRECTION, "I don't see why it wouldn't be B.", None),
        (DIRECTION, "[B]\n\nThe source moves toward the left ear.", 1),
        (DIRECTION, "user: A\nassistant: B", None),
        (DIRECTION, "Correct answer: B) From right to left", 1),
        (DIRECTION, 'The answer is "From right to left".', 1),
        (DIRECTION, "The answer is 'B'.", 1),
        (DIRECTION, "The answer is “B”.", 1),
        (DIRECTION, "answer=B", 1),
        (DIRECTION, "answer = (B)", 1),
        (DIRECTION, "[[B]]", 1),
        (DIRECTION, "<<B>>", 1),
        (DIRECTION, "Answer_B", 1),
        (DIRECTION, "B.)", 1),
        (DIRECTION, "b]", 1),
        (DIRECTION, "The answer is A.\n\nThe answer is A.\n\nThe answer is A.", 0),
        (DIRECTION, "Option A and option B are incorrect. Option D is incorrect. Hence, option C.", 2),
        (DIRECTION, "A. No. B. Yes.", 1),
        (DIRECTION, "The answer is B. I am not sure about A.", 1),
        (DIRECTION, "The direction is not clear, but the most plausible answer is B.", 1),
        (DIRECTION, "I can't listen to audio files, but based on the question, the answer could be B.", 1),
        (DIRECTION, "Sorry, I cannot process audio. Please provide a transcript.", None),
        (
            DIRECTION,
            "As a language model I cannot hear. If you describe the audio I can choose between A, B, C, and D.",
            None,
        ),
        (DIRECTION, "Please choose A, B, C or D.", None),
        (DIRECTION, "Without the audio it's impossible to say, e.g., B.", None),
    ]
    for options, response, expected in rows:
        with subtests.test(options=options, response=response, expected=expected):
            assert read_choice(response, options).index == expected


def test_read_choice_leaves_known_limits_unread(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str]] = [
        (DIRECTION, "A -- sorry, B"),
        (YES_NO_CHINESE, "答案是否"),
        (TRUE_FALSE, "The statement is false."),
        (DIRECTION, "##B##"),
    ]
    for options, response in rows:
        with subtests.test(options=options, response=response):
            assert read_choice(response, options).index is None


NAMED_LIKE_POSITIONS = ("option B", "choice A", "left")


def test_read_choice_ignores_words_next_to_an_article_or_an_apostrophe(subtests: pytest.Subtests) -> None:
    rows = [
        (DIRECTION, "A low hum echoes for a while from the start.", None),
        (DIRECTION, "It lasts for a while. The answer is C.", 2),
        (DIRECTION, "A rather loud bell is heard.", None),
        (DIRECTION, "A still voice is heard.", None),
        (DIRECTION, "It has a still quality.", None),
        (DIRECTION, "A so-called expert speaks.", None),
        (DIRECTION, "A thus loud sound", None),
        (DIRECTION, "A reason for this is the echo.", None),
        (DIRECTION, "A wait of two seconds follows.", None),
        (DIRECTION, "A plus is the reverb.", None),
        (DIRECTION, "A plus B", None),
        (DIRECTION, "A, while B is wrong.", 0),
        (DIRECTION, "A. Wait, B. Final answer: B", 1),
        (DIRECTION, "A rather than B", 0),
        (DIRECTION, "A still fits best.", 0),
        (DIRECTION, "We'd say so.", None),
        (DIRECTION, "That'd be odd.", None),
        (DIRECTION, "We'd say B.", 1),
        (DIRECTION, "Notes C and D are played.", None),
        (DIRECTION, "Notes C and D are played. The answer is B.", 1),
        (DIRECTION, "<b>A</b>", 0),
        (DIRECTION, "<b>B</b>", 1),
        (DIRECTION, "<i>C</i>. Remains unchanged", 2),
        (NAMED_LIKE_POSITIONS, "option B", None),
        (NAMED_LIKE_POSITIONS, "choice A.", None),
        (NAMED_LIKE_POSITIONS, "C", 2),
    ]
    for options, response, expected in rows:
        with subtests.test(options=options, response=response, expected=expected):
            assert read_choice(response, options).index == expected


def test_read_choice_ignores_sentences_without_options(subtests: pytest.Subtests) -> None:
    rows = [
        ("Let us see e.g. A. Then it fades slowly. B", 1),
        ("In the end. B flat is played by the horn.", None),
        ("The bells ring loudly. Is it B? The organ follows. No. The answer is D.", 3),
        ("It makes sense that the bell is\nB", 1),
        ("The second half of the clip fades slowly. The second option.", 1),
        ("铃声逐渐变强。答案是B。随后掌声渐弱。", 1),
        ("铃声逐渐变强，无法判断。", None),
        ("A drum rolls twice. C or D. A drum rolls twice. D. The drum rolls twice.", None),
        ("not A, not B, not D. The bell rings loudly and long.", 2),
    ]
    for response, expected in rows:
        with subtests.test(response):
            assert read_choice(response, DIRECTION).index == expected
