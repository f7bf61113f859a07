import json
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.extraction import read_steps
from evaluation.extraction.language.normalize import MAX_LENGTH

AMBIGUOUS, CONTRADICTION, OUTSIDE = "ambiguous", "contradiction", "outside-options"
EMPTY, REFUSAL = "empty", "refusal"
GOLD = (False, True, False)


def read(response: str | None, n_steps: int = 3) -> tuple[bool, ...] | str | None:
    reading = read_steps(response, n_steps)
    assert (reading.verdicts is None) != (reading.reason is None)
    assert reading.index is None
    assert reading.indices is None
    assert reading.value is None
    return reading.reason or reading.verdicts


def test_read_steps_reads_json_of_any_shape(subtests: pytest.Subtests) -> None:
    rows = [
        "[false, true, false]",
        "[0, 1, 0]",
        "[0,1,0]",
        "[False, True, False]",
        '["correct", "incorrect", "correct"]',
        "['correct', 'error', 'correct']",
        "[correct, incorrect, correct]",
        '["Correct", "Erroneous", "CORRECT"]',
        '["正确", "错误", "正确"]',
        "[正确，错误，正确]",
        "```json\n[false, true, false]\n```",
        "<think>[true, true, true]</think>[false, true, false]",
        "The verdicts are [false, true, false].",
        "$\\boxed{[0, 1, 0]}$",
        "<answer>[0, 1, 0]</answer>",
        '{"erroneous": [false, true, false]}',
        '{"correct": [true, false, true]}',
        '{"is_correct": [1, 0, 1]}',
        '{"verdicts": ["correct", "wrong", "correct"]}',
        '{"labels": [0, 1, 0], "explanation": "The [second] step {names} a dog."}',
        '[{"step": 1, "erroneous": false}, {"step": 2, "erroneous": true}, {"step": 3, "erroneous": false}]',
        '[{"step": 0, "erroneous": false}, {"step": 1, "erroneous": true}, {"step": 2, "erroneous": false}]',
        '[{"step": 3, "label": "correct"}, {"step": 1, "label": "correct"}, {"step": 2, "label": "incorrect"}]',
        '[{"step": "Step 1", "verdict": "ok"}, {"step": "Step 2", "verdict": "wrong"}, {"step": 3, "verdict": "ok"}]',
        '[{"label": "correct"}, {"label": "incorrect"}, {"label": "correct"}]',
        '[{"step_id": 1, "correct": true}, {"step_id": 2, "correct": false}, {"step_id": 3, "correct": true}]',
        '[{"id": 1, "correct": "yes"}, {"id": 2, "correct": "no"}, {"id": 3, "correct": "yes"}]',
        "[{'step': 1, 'erroneous': False}, {'step': 2, 'erroneous': True}, {'step': 3, 'erroneous': False}]",
        '{"steps": [{"step": 1, "label": "correct"}, {"step": 2, "label": "error"}, {"step": 3, "label": "correct"}]}',
        '{"review": [{"n": 1, "label": "correct"}, {"n": 2, "label": "error"}, {"n": 3, "label": "correct"}]}',
        '{"1": "correct", "2": "incorrect", "3": "correct"}',
        '{"step 1": "correct", "step 2": "incorrect", "step 3": "correct"}',
        '{"1": {"label": "correct"}, "2": {"label": "wrong", "why": "no dog"}, "3": {"label": "correct"}}',
        '{"step": 1, "label": "correct"}\n{"step": 2, "label": "incorrect"}\n{"step": 3, "label": "correct"}',
        '{"步骤": 1, "判断": "正确"}\n{"步骤": 2, "判断": "错误"}\n{"步骤": 3, "判断": "正确"}',
        '[{"step": 1, "label": "correct", "error": null}, {"step": 2, "label": "incorrect", "error": "timing"},'
        ' {"step": 3, "label": "correct", "error": "none"}]',
    ]
    for response in rows:
        with subtests.test(response=response):
            assert read(response) == GOLD


def test_read_steps_reads_one_line_per_step(subtests: pytest.Subtests) -> None:
    rows = [
        "Step 1: correct\nStep 2: incorrect\nStep 3: correct",
        "Step 1: Correct.\nStep 2: Incorrect.\nStep 3: Correct.",
        "1. correct\n2. incorrect - the dog barks later\n3. correct",
        "1) correct\n2) wrong\n3) ok",
        "1: ✓\n2: ✗\n3: ✓",
        "Step 0: correct\nStep 1: incorrect\nStep 2: correct",
        "- Step 1: correct\n- Step 2: incorrect, because nothing is heard\n- Step 3: correct",
        "**Step 1:** correct\n**Step 2:** incorrect\n**Step 3:** correct",
        "**Step 1**: Correct — it fits\n**Step 2**: Incorrect — no dog\n**Step 3**: Correct",
        "| Step | Verdict |\n|---|---|\n| 1 | correct |\n| 2 | incorrect |\n| 3 | correct |",
        "Step 1: correct\nStep 2: isn't correct\nStep 3: correct",
        "Step 1 is correct.\nStep 2 is not correct.\nStep 3 is correct because the bell rings.",
        "Step 1 (the bell): correct\nStep 2 (the dog): erroneous\nStep 3 (the end): no error",
        "Step 1: The bell rings twice. Correct.\nStep 2: A dog barks. Incorrect.\nStep 3: So it is A. Correct.",
        "Step 1: The bell rings -> correct\nStep 2: A dog barks -> wrong\nStep 3: So A -> correct",
        "### Step 1\nThe bell rings.\nVerdict: correct\n### Step 2\nNo dog.\nVerdict: incorrect\n"
        "### Step 3\nLabel: correct",
        "Step 1: [correct]\nStep 2: [incorrect]\nStep 3: [correct]",
        "Step 1/3: correct\nStep 2/3: incorrect\nStep 3/3: correct",
        "correct\nincorrect\ncorrect",
        "correct, incorrect, correct",
        "Verdicts: correct, incorrect, correct",
        "步骤1：正确\n步骤2：错误\n步骤3：正确",
        "步骤１：正确\n步骤２：不正确\n步骤３：正确",
        "第1步：正确\n第2步：有误，没有狗叫声\n第3步：正确",
        "第一步：正确。\n第二步：错误。\n第三步：没有错误。",
        "步骤1是正确的。\n步骤2是错误的，因为没有狗叫声。\n步骤3是正确的。",
        "步骤1：【正确】\n步骤2：【错误】\n步骤3：【正确】",
        "Let me listen.\n\nStep 1: correct\n\nStep 2: incorrect\n\nStep 3: correct\n\nOverall: incorrect",
        "<think>Step 1: wrong\nStep 2: wrong\nStep 3: wrong</think>\nStep 1: correct\nStep 2: wrong\nStep 3: correct",
        "Step 1: correct\r\nStep 2: incorrect\r\nStep 3: correct\r\n",
    ]
    for response in rows:
        with subtests.test(response=response):
            assert read(response) == GOLD


def test_read_steps_reads_the_last_complete_list(subtests: pytest.Subtests) -> None:
    rows = [
        ("[true, true, true]\nOn reflection:\n[false, true, false]", GOLD),
        ("Step 1: wrong\nStep 2: wrong\nStep 3: wrong\n\nFinal:\nStep 1: ok\nStep 2: wrong\nStep 3: ok", GOLD),
        ("Step 1: wrong\nStep 2: wrong\nStep 3: wrong\n\nFinal answer: [0, 1, 0]", GOLD),
        ("Step 1: wrong\nStep 2: wrong\nStep 3: wrong\n\n[0, 1, 0]", CONTRADICTION),
        ("[1, 1, 1]\n\nStep 1: correct\nStep 2: incorrect\nStep 3: correct", CONTRADICTION),
        ("[1, 1, 1]\n\nWait.\n\nStep 1: correct\nStep 2: incorrect\nStep 3: correct", GOLD),
        ("[0, 1]\n[0, 1, 0]", GOLD),
        ("[0, 1, 0]\n\nStep 2: incorrect, because no dog is heard.", GOLD),
        ("[0, 1, 0]\n\nStep 2: correct.", CONTRADICTION),
        ('{"correct": [true, false, true], "erroneous": [false, true, false]}', GOLD),
        ('{"correct": [true, false, true], "erroneous": [true, true, false]}', CONTRADICTION),
        ('{"draft": [1, 1, 1], "verdicts": [0, 1, 0]}', GOLD),
    ]
    for response, expected in rows:
        with subtests.test(response):
            assert read(response) == expected


def test_read_steps_without_agreed_verdicts_returns_the_reason(subtests: pytest.Subtests) -> None:
    rows = [
        (None, EMPTY),
        ("", EMPTY),
        (" \n", EMPTY),
        ("...", EMPTY),
        ("<think>[0, 1, 0]", EMPTY),
        ("I cannot hear the audio.", REFUSAL),
        ("I'm sorry, I am unable to judge these steps.", REFUSAL),
        ("无法判断", REFUSAL),
        ("The recording is of a dog.", OUTSIDE),
        ("[]", EMPTY),
        ("{}", EMPTY),
        ('["dog", "cat", "bird"]', OUTSIDE),
        ('{"erroneous_steps": [1, 0, 1]}', OUTSIDE),
        ("[2, 3]", OUTSIDE),
        ("[0, 1]", AMBIGUOUS),
        ("[0, 1, 0, 0]", OUTSIDE),
        ("[true, 1, false]", AMBIGUOUS),
        ('[true, "incorrect", 0]', AMBIGUOUS),
        ('["correct", null, "correct"]', AMBIGUOUS),
        ('["correct", "unclear", "correct"]', AMBIGUOUS),
        ('["yes", "no", "yes"]', OUTSIDE),
        ("[1, -1, 1]", AMBIGUOUS),
        ("[0.1, 0.9, 0.2]", OUTSIDE),
        ("[false, true, false", OUTSIDE),
        ('[{"step": 1, "label": 1}, {"step": 2, "label": 0}, {"step": 3, "label": 1}]', OUTSIDE),
        ('[{"step": 1, "label": "correct"}, {"step": 3, "label": "correct"}]', AMBIGUOUS),
        ('[{"step": 1, "label": "correct"}, {"label": "wrong"}, {"step": 3, "label": "correct"}]', AMBIGUOUS),
        ('[{"step": 2, "label": "ok"}, {"step": 3, "label": "ok"}, {"step": 4, "label": "ok"}]', OUTSIDE),
        ('[{"step": 1, "label": "ok"}, {"step": 1, "label": "wrong"}, {"step": 2, "label": "ok"}]', CONTRADICTION),
        ('[{"label": "correct", "erroneous": true}, {"label": "ok"}, {"label": "ok"}]', CONTRADICTION),
        ("Step 1: correct\nStep 3: correct", AMBIGUOUS),
        ("Step 1: correct\nStep 2: partially correct\nStep 3: correct", AMBIGUOUS),
        ("Step 1: correct\nStep 2: correct or incorrect\nStep 3: correct", AMBIGUOUS),
        ("Step 1: correct\nStep 2: correct/incorrect\nStep 3: correct", AMBIGUOUS),
        ("Step 1: correct\nStep 2: correct. But then: incorrect\nStep 3: correct", CONTRADICTION),
        ("Step 1: correct\nStep 2: wrong\nStep 2: correct\nStep 3: correct", CONTRADICTION),
        ("Step 1: correct\nStep 2: wrong\nStep 3: correct\nStep 4: correct", OUTSIDE),
        ("1. The bell rings.\n2. A dog barks.\n3. So it is A.", OUTSIDE),
        ("The first error is in step 2.", AMBIGUOUS),
        ("correct\nincorrect", AMBIGUOUS),
        ("Acoustics: correct\nTiming: incorrect\nLogic: correct", OUTSIDE),
        ("Overall: incorrect", OUTSIDE),
        ("步骤1：正确\n步骤3：正确", AMBIGUOUS),
        ("步骤1：正确\n步骤2：部分正确\n步骤3：正确", AMBIGUOUS),
    ]
    for response, expected in rows:
        with subtests.test(response):
            assert read(response) == expected


def test_read_steps_needs_one_verdict_for_one_step() -> None:
    assert read("[true]", 1) == (True,)
    assert read("correct", 1) == (False,)
    assert read("Step 1: incorrect", 1) == (True,)
    assert read("true", 1) == OUTSIDE


def test_read_steps_without_steps_raises() -> None:
    with pytest.raises(ValueError, match="at least one step"):
        read_steps("[]", 0)


WORDS = {
    False: ("correct", "Correct", "ok", "no error", "正确", "✓"),
    True: ("incorrect", "wrong", "Error", "错误", "✗"),
}
SHAPES = (
    "Step {n}: {word}",
    "{n}. {word}",
    "**Step {n}**: {word}",
    "步骤{n}：{word}",
    "第{n}步：{word}",
    "{n}) {word}, yes",
)


@given(st.lists(st.booleans(), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_read_steps_reads_back_verdicts_in_any_notation(verdicts: list[bool], rng: random.Random) -> None:
    shape, first = rng.choice(SHAPES), rng.choice((0, 1))
    words = [rng.choice(WORDS[verdict]) for verdict in verdicts]
    lines = [shape.format(n=n + first, word=word) for n, word in enumerate(words)]
    objects = [{"step": n + first, "erroneous": verdict} for n, verdict in enumerate(verdicts)]
    rng.shuffle(objects)
    for response in ("\n".join(lines), json.dumps(verdicts), json.dumps(objects), str(objects), json.dumps(words)):
        assert read(response, len(verdicts)) == tuple(verdicts), response
        assert read(response, len(verdicts) + 1) in {AMBIGUOUS, OUTSIDE}, response


@given(st.text() | st.text(alphabet='[]{}",:01 truefalsp1\n步骤正确错误'), st.integers(1, 6))
def test_read_steps_returns_verdicts_or_a_reason_for_any_text(response: str, n_steps: int) -> None:
    reading = read_steps(response, n_steps)
    assert (reading.verdicts is None) != (reading.reason is None)
    assert reading.verdicts is None or len(reading.verdicts) == n_steps


def read_twice(text: str) -> float:
    """Read a text as verdicts on one step and on five, and return the processor time in seconds."""
    start = time.process_time()
    for n_steps in (1, 5):
        reading = read_steps(text, n_steps)
        assert reading.verdicts is None or n_steps == 1
    return time.process_time() - start


def test_read_steps_reads_long_hostile_text_in_linear_time(subtests: pytest.Subtests, soak: bool) -> None:
    length, max_seconds = (1_000_000, 5.0) if soak else (50_000, 2.0)
    units = (
        "[", "{", "[]", "{}", "[{", '"', "[0,", '{"a":', "Step 1: ", "1. ", "correct ", "correct\n",
        "Step 1: correct\n",
        "- ", "步骤1：", "不", "[" * 50 + "]" * 50, '{"step":1,"label":"ok"}', "9" * 30, "'", "\\", "<think>", "|", "*",
    )  # fmt: skip
    for unit in units:
        with subtests.test(unit=unit):
            text = (unit * (length // len(unit) + 1))[:length]
            # Only thinking is removed before a text is cut to MAX_LENGTH.
            is_fast = not soak and unit != "<think>" and estimate_seconds(text) < max_seconds
            # Far above the actual time and far below that of a quadratic pattern, which is slow every time.
            assert is_fast or any(read_twice(text) < max_seconds or grows_linearly(text) for _ in range(3))


def estimate_seconds(text: str) -> float:
    """Estimate the processor time of reading MAX_LENGTH characters twice, in seconds.

    The time has a linear and a quadratic part: 1/32 and 1/8 of the text show how large both are.
    """
    short, long = (read_twice(text[: MAX_LENGTH // parts]) for parts in (32, 8))
    linear, quadratic = (16 * short - long) / 12, (long - 4 * short) / 12
    return 32 * linear + 1024 * quadratic


def grows_linearly(text: str) -> bool:
    """Return whether eight times the text takes less than twenty times as long: 64 times if the time were quadratic.

    A measurement of coverage makes every reading several times slower, and this ratio no larger.
    """
    return read_twice(text[:MAX_LENGTH]) < 20 * read_twice(text[: MAX_LENGTH // 8])


def test_read_steps_does_not_read_numbers_of_a_million_digits_as_steps() -> None:
    digits = "9" * 1_000_000
    assert read(f"[{digits}, 1, 0]") == AMBIGUOUS
    assert read(f'{{"step": {digits}, "label": "ok"}}') in {OUTSIDE, AMBIGUOUS}
