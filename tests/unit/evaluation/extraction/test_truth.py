"""Properties of true/false answers: denials invert a verdict, moods withdraw it, context does not change it."""

import time
from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.extraction import read_boolean
from evaluation.extraction.truth.clauses import MAX_WORDS, split_clauses
from evaluation.extraction.truth.vocabulary import CLASSES, classify, read_phrases

SUBJECTS = ("The statement", "This claim", "The given description", "What is described", "What the statement says")
ADJECTIVES = (("true", True), ("correct", True), ("accurate", True), ("false", False), ("wrong", False))
RELATIONS = (
    ("the statement {does} match{es} the recording", True),
    ("the description {does} fit{s} what I hear", True),
    ("the audio {does} support{s} the claim", True),
    ("the claim {does} contradict{s} the audio", False),
    ("the recording {does} conflict{s} with this statement", False),
)
CHINESE = (("正确", "不正确"), ("成立", "不成立"), ("与录音一致", "与录音不一致"), ("符合录音", "不符合录音"))
NEUTRAL = (
    "The left ear is louder at first.",
    "The source passes the listener at one metre.",
    "The right channel fades out.",
    "There is a small Doppler shift.",
    "声音先出现在左耳。",
    "The statement says that the sound moves to the right.",
)
VERDICTS = (
    ("The statement is true.", True),
    ("The claim is not correct.", False),
    ("The recording contradicts the statement.", False),
    ("The sound moves as described.", True),
    ("该说法与录音不符。", False),
    ("I agree with the statement.", True),
    ("What is described is not what I hear.", False),
)
MOODS = (
    "Is it true that {}?",
    "I cannot tell whether {}.",
    "If the left ear leads, {}.",
    "At first I thought {}.",
    "It might be that {}.",
    "One could argue that {}.",
)


def test_read_boolean_inverts_a_denied_predicate(subtests: pytest.Subtests) -> None:
    for subject, (adjective, value) in product(SUBJECTS, ADJECTIVES):
        for sentence, expected in (
            (f"{subject} is {adjective}.", value),
            (f"{subject} is not {adjective}.", not value),
            (f"{subject} isn't {adjective}, I think.", not value),
            (f"I do not think that {subject.lower()} is {adjective}.", not value),
            (f"So {subject.lower()} is clearly {adjective}.", value),
        ):
            with subtests.test(sentence):
                assert read_boolean(sentence).value is expected


def test_read_boolean_inverts_a_denied_relation(subtests: pytest.Subtests) -> None:
    for template, value in RELATIONS:
        plural = template.replace("match{es}", "match").replace("{s}", "")
        for sentence, expected in (
            (template.format(does="", es="es", s="s"), value),
            (plural.format(does="does not"), not value),
            (plural.format(does="doesn't really"), not value),
            (f"It is false that {template.format(does='', es='es', s='s')}", not value),
        ):
            with subtests.test(sentence):
                assert read_boolean(sentence + ".").value is expected


def test_read_boolean_inverts_a_denied_chinese_predicate(subtests: pytest.Subtests) -> None:
    for subject, (affirmed, denied) in product(("该说法", "这个描述", "题目的说法"), CHINESE):
        for sentence, expected in ((f"{subject}{affirmed}。", True), (f"因此，{subject}{denied}。", False)):
            with subtests.test(sentence):
                assert read_boolean(sentence).value is expected


@given(
    st.sampled_from(VERDICTS), st.lists(st.sampled_from(NEUTRAL), max_size=4), st.lists(st.sampled_from(NEUTRAL[:4]))
)
def test_read_boolean_ignores_neutral_sentences_around_a_verdict(
    verdict: tuple[str, bool], before: list[str], after: list[str]
) -> None:
    sentence, value = verdict
    assert read_boolean(" ".join([*before, sentence, *after])).value is value


@given(st.lists(st.sampled_from(NEUTRAL), min_size=1, max_size=6))
def test_read_boolean_of_neutral_sentences_returns_none(sentences: list[str]) -> None:
    assert read_boolean(" ".join(sentences)).value is None


def test_read_boolean_without_a_stated_verdict_returns_none(subtests: pytest.Subtests) -> None:
    for mood, (subject, (adjective, value)) in product(MOODS, product(SUBJECTS[:3], ADJECTIVES)):
        sentence = mood.format(f"{subject.lower()} is {adjective}")
        with subtests.test(sentence):
            assert read_boolean(sentence).value is None
            assert read_boolean(f"{sentence} The statement is {adjective}.").value is value


def test_read_boolean_reads_a_statement_with_a_wrong_part_as_wrong(subtests: pytest.Subtests) -> None:
    for first, second in product(("is correct", "is as described", "matches the statement"), repeat=2):
        with subtests.test(first=first, second=second):
            assert read_boolean(f"The start {first}, and the end {second}.").value is True
            assert read_boolean(f"The start {first}, but the end is wrong.").value is False
            assert read_boolean(f"The end is wrong, although the start {first}.").value is False


def test_every_phrase_has_one_class() -> None:
    counts = Counter(phrase for _, phrase in read_phrases())
    assert [phrase for phrase, n in counts.items() if n > 1] == []
    assert len(set(CLASSES.values())) == len(CLASSES) - 1, "only FILLER and MAYBE, PLAIN and words share a class"


@given(st.text(max_size=80))
def test_classify_returns_one_class_per_word_for_any_text(text: str) -> None:
    words = classify(text)
    assert len(words.classes) == len(words.words)
    assert all(clause.classes or clause.opener for clause in split_clauses(words))


def test_split_clauses_cuts_a_run_without_punctuation() -> None:
    clauses = split_clauses(classify("sound " * 10 * MAX_WORDS))
    assert max(len(clause.words) for clause in clauses) <= MAX_WORDS


def test_read_boolean_reads_a_long_answer_in_linear_time() -> None:
    def measure(n: int) -> float:
        start = time.process_time()
        read_boolean("The statement says that what I hear does not match it and so " * n)
        return time.process_time() - start

    assert any(measure(240) < 16 * measure(60) for _ in range(5))


def test_read_boolean_does_not_read_granted_or_singled_out_parts_as_true() -> None:
    assert read_boolean("Only the start is correct.").value is False
    assert read_boolean("It is true that it starts on the left, but it ends in front.").value is None
    assert read_boolean("It is true that it starts on the left, but it ends in front. So it is false.").value is False
    assert read_boolean("The statement would be true for the other ear only.").value is None
    assert read_boolean("It is true that the sound goes from the left to the right.").value is True


# Answers without a judgement, and similar answers with one.
ASIDES = {
    "I'm sorry, but I can't listen to the audio and verify the statement.": None,
    "Sorry, I cannot hear the recording and so verify the statement.": None,
    "I am unable to play the audio file and confirm the statement.": None,
    "抱歉，我无法听取音频并核实该陈述。": None,
    "很抱歉，我不能播放音频，也无法验证该说法是否正确。": None,
    "对不起，我没有办法听这段音频来确认陈述是否属实。": None,
    "I can't hear any evidence against it, so the statement is true.": True,
    "I wouldn't go as far as calling it false, but I wouldn't call it true either.": None,
    "I would not say that it is true, but I would not say that it is false either.": None,
    "It is not true, but it is not false either.": None,
    "不能说它对，也不能说它错。": None,
    "我不会说它是错的，但也不会说它是对的。": None,
    "既不能算对，也不能算错。": None,
    "I wouldn't call it false.": True,
    "I wouldn't call it true.": False,
    "It isn't true, because the sound does not move, so it is false.": False,
    "它不正确，因为声音并没有移动，所以是错误的。": False,
    "It would be false to say that I can hear any direction in this file.": None,
    "It would be wrong to claim that I can hear where the sound comes from.": None,
    "It would be incorrect to say I could make out any movement.": None,
    "要说我能听出方向，那是错的。": None,
    "说我能听出声音的方向是不对的。": None,
    "如果说我听得到方向，那就是错误的。": None,
    "It would be false to say that the sound moves left.": False,
    "It would be wrong to say that the statement is false.": True,
    "说声音从左到右是错的。": False,
    "对了，这段音频里还有噪声。": None,
    "对了，顺便说一句，录音里有风声。": None,
    "哦对了，录音里还有狗叫声。": None,
    "Oh right, there is also noise in this clip.": None,
    "All right, the clip also has some noise.": None,
    "Right, so the audio also has some noise.": None,
    "对了。": True,
    "对，这段音频里声音从左到右。": True,
    "陈述是对的，对了，音频里还有噪声。": True,
    "对了，这个陈述是错误的。": False,
}


@pytest.mark.parametrize("answer", ASIDES)
def test_read_boolean_ignores_asides_and_remarks_on_the_listener(answer: str) -> None:
    assert read_boolean(answer).value is ASIDES[answer]


def test_read_boolean_reads_a_followed_path_as_true(subtests: pytest.Subtests) -> None:
    paths = (
        "the path described",
        "the stated path",
        "the trajectory that is described in the statement",
        "the route in the statement",
    )
    for path in paths:
        for verb, plain in (("follows", "follow"), ("takes", "take"), ("moves along", "move along")):
            with subtests.test(f"{verb} {path}"):
                assert read_boolean(f"The sound {verb} {path}.").value is True
                assert read_boolean(f"The sound doesn't {plain} {path}; it starts behind me.").value is False


def test_read_boolean_reads_a_conclusion_after_opinions_of_others(subtests: pytest.Subtests) -> None:
    rows = (
        ("Some birds call in the clip, so it is true.", True),
        ("Several people say hello, therefore the statement is true.", True),
        ("Some people answer the phone, so true.", True),
        ("I hear people claim victory, which makes the statement correct.", True),
        ("Some would say False, but True is right.", True),
        ("No truth in this statement: false.", False),
        ("It would be wrong to say that I heard a bell, so false.", False),
        ("Yes, we can help you: it's false", False),
        ("[x] False", False),
        ("☑ True", True),
        ("[ ] True", None),
        ("It would be false to say that I can hear any direction in this file.", None),
    )
    for answer, expected in rows:
        with subtests.test(answer=answer):
            assert read_boolean(answer).value is expected


def test_read_boolean_reads_words_in_tags_and_no_words_of_others(subtests: pytest.Subtests) -> None:
    rows = (
        ("Answer: <False>", False),
        ("My verdict: <<True>>.", True),
        ("答案是<正确>", True),
        ("<True or False>", None),
        ("<True> <False>", None),
        ("The woman who claims that the statement is false is mistaken.", None),
        ("Anyone who says that it is true hears another clip.", None),
        ("The man in the clip says the statement is true, but it is false.", False),
        ("The claim can't be regarded as true.", False),
        ("The description cannot be accepted as correct, so the answer is False.", False),
        ("Claimed: left -> right\nHeard: right -> left\nThe statement is false.", False),
        ("start: right; end: left; right -> False", False),
        ('The answer to whether it travels from the left to the back is "True".', True),
    )
    for answer, expected in rows:
        with subtests.test(answer=answer):
            assert read_boolean(answer).value is expected
