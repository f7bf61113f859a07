"""Verdicts in the prose of critics: first errors, refuted claims, other names and numbers of steps, revisions."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.extraction import critic, read_steps
from tests.support.samples.read_answers import read_digits

FIRST_ERRORS = (
    "The first error is in step {k}.",
    "Everything is correct until step {k}.",
    "The reasoning holds up until step {k}.",
    "The first erroneous step is step {k}.",
    "The error first appears in step {k}.",
    "Step {k} is the first incorrect step.",
    "The earliest mistake occurs at step {k}.",
    "首先在第{k}步出错。",
    "第一个错误出现在第{k}步。",
    "直到第{k}步才出现错误。",
    '{{"first_error": {k}}}',
    '{{"first_erroneous_step": "step {k}"}}',
)
REFUTATIONS = (
    "Step {k} claims a flute where there is a clarinet.",
    "Step {k} says that the tempo rises, but in fact it falls.",
    "Step {k} mentions a bell, but no bell is audible.",
    "Step {k} states that two people talk, whereas the recording has one.",
    "第{k}步说有鸟叫，但音频中没有。",
)
NOUNS = ("step", "paragraph", "claim", "statement", "sentence", "point")
KEYS_OF_ERROR = ("erroneous", "is_erroneous", "hasError", "step_erroneous", "wrong", "flagged")
KEYS_OF_CORRECTNESS = ("correct", "isCorrect", "valid", "correctness", "step_correctness")

_VOCABULARY = Path(critic.__file__).with_name("words.txt").read_text(encoding="utf-8")
FRAGMENTS = [
    *(line.partition(": ")[2].split(" | ")[0] for line in _VOCABULARY.splitlines() if line[1:3] == ": "),
    *(
        "step 1",
        "(step 2)",
        "steps 1 and 3",
        "the last",
        "until step 2",
        "after step 1",
        "第2步",
        "1",
        "0",
        "[true, false]",
    ),
    *(
        ",",
        ";",
        ".",
        "\n",
        ":",
        "(",
        ")",
        "?",
        "->",
        "|",
        "-1",
        "paragraph 2",
        '{"step": 1, "ok": false}',
        "0-based",
        "dog",
    ),
]


def test_read_steps_leaves_the_steps_after_a_first_error_open(subtests: pytest.Subtests) -> None:
    for template in FIRST_ERRORS:
        for n_steps in (2, 4, 7):
            for k in range(2, n_steps + 1):
                with subtests.test(template, n_steps=n_steps, k=k):
                    expected = f"{'0' * (n_steps - 1)}1" if k == n_steps else None
                    assert read_digits(template.format(k=k), n_steps) == expected


def test_read_steps_reads_a_first_error_with_the_steps_after_it(subtests: pytest.Subtests) -> None:
    for template in FIRST_ERRORS[:7]:
        for k in (2, 3):
            start = template.format(k=k).rstrip(".")
            with subtests.test(template, k=k):
                assert (
                    read_digits(f"{start}, and everything from step {k + 1} on is wrong.", 5)
                    == f"{'0' * (k - 1)}{'1' * (6 - k)}"
                )
                assert read_digits(f"{start}. Steps {k + 1} to 5 are fine.", 5) == f"{'0' * (k - 1)}1{'0' * (5 - k)}"


@given(st.integers(2, 8), st.data())
def test_read_steps_reads_a_refuted_claim_as_wrong_if_the_others_are_right(n_steps: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, n_steps))
    refuted = data.draw(st.sampled_from(REFUTATIONS)).format(k=k)
    expected = "".join("01"[n == k] for n in range(1, n_steps + 1))
    assert read_digits(f"{refuted} The other steps are correct.", n_steps) == expected, refuted
    assert read_digits(refuted, n_steps) is None or n_steps == 1, refuted


@given(st.lists(st.booleans(), min_size=2, max_size=8).filter(lambda each: len(set(each)) == 2), st.sampled_from(NOUNS))
def test_read_steps_reads_other_names_and_counts_of_steps_alike(verdicts: list[bool], noun: str) -> None:
    expected = "".join("01"[erroneous] for erroneous in verdicts)
    words = ("correct", "incorrect")
    for first, note in ((1, ""), (0, ""), (0, "Counting from zero.\n"), (0, "(0-based)\n")):
        lines = [f"{noun.title()} {n}: {words[erroneous]}" for n, erroneous in enumerate(verdicts, first)]
        assert read_digits(note + "\n".join(lines), len(verdicts)) == expected, lines
    wrong = [n for n, erroneous in enumerate(verdicts, 1) if erroneous]
    listed = ", ".join(map(str, wrong[:-1])) + (" and " if wrong[1:] else "") + str(wrong[-1])
    plural = "s" if wrong[1:] else ""
    assert read_digits(f"Only {noun}{plural} {listed} {'are' if plural else 'is'} wrong.", len(verdicts)) == expected


@given(st.lists(st.booleans(), min_size=2, max_size=8), st.sampled_from(KEYS_OF_ERROR + KEYS_OF_CORRECTNESS))
def test_read_steps_reads_json_under_any_key_alike(verdicts: list[bool], key: str) -> None:
    values = [erroneous == (key in KEYS_OF_ERROR) for erroneous in verdicts]
    numbered = list(enumerate(values, 1))
    shapes: list[object] = [
        {key: values},
        {key: {str(n): value for n, value in numbered}},
        {str(n): {key: value} for n, value in numbered},
        {f"step_{n}": {key: value} for n, value in numbered},
        [{"step": n, key: value} for n, value in numbered],
        {"steps": [{"step": n, key: value} for n, value in numbered]},
    ]
    expected = "".join("01"[erroneous] for erroneous in verdicts)
    for shape in shapes:
        assert read_digits(json.dumps(shape), len(verdicts)) == expected, shape


def test_read_steps_reads_prose_of_critics(subtests: pytest.Subtests) -> None:
    rows = [
        ("\\boxed{-1}", 3, "000"),
        ("All of it fits the recording, so the index is \\boxed{-1}.", 3, "000"),
        ('{"first_error": -1}', 3, "000"),
        ('{"first_error_step": null}', 3, "000"),
        ("First wrong step: none", 3, "000"),
        ('{"all_correct": true}', 3, "000"),
        ('{"errors": null}', 3, "000"),
        ('{"step1_erroneous": false, "step2_erroneous": true}', 2, "01"),
        ('[{"step": 1, "error_type": null}, {"step": 2, "error_type": "temporal"}]', 2, "01"),
        ('["none", "existence error"]', 2, "01"),
        ('{"result": "correct, incorrect, correct"}', 3, "010"),
        ("Step 1: Error: none\nStep 2: Error: binding", 2, "01"),
        ("Step 1 is wrong: no dog barks. Step 2 mentions the rain. No error here.", 2, "10"),
        ("Step 2 mentions the rain. There is no error. Step 1 is wrong: no dog barks. Step 3 is correct.", 3, "100"),
        ("第一步错误：没有狗叫。第二步提到下雨。没有错误。", 2, "10"),
        ("Step 1 mentions the rain. Step 2 mentions the wind. No errors.", 2, "00"),
        ("Step 1. Wrong: no\nStep 2. Wrong: yes", 2, "01"),
        ("Mistakes in 1 and 3 only.", 3, "101"),
        ("Erroneous step(s): 3", 3, "001"),
        ("The middle two steps are wrong, the others are right.", 4, "0110"),
        ("The middle step is fine; the first and the last are wrong.", 3, "101"),
        ("Steps 1 and 2 are both firmly supported. Step 3 makes an unsupported claim.", 3, "001"),
        ("The instrument in step 1 is misidentified. Step 2 is correct.", 2, "10"),
        ("I'd label 1 and 2 as correct and 3 as wrong.", 3, "001"),
        ("Wind is claimed in step 2, and that is wrong. Nothing else is wrong.", 3, "010"),
        ("It rightly hears the oboe in step 1. It wrongly places the drum in step 2.", 2, "01"),
        ("Right up to and including step 2. After that it is wrong. Steps 1 and 2 are correct.", 4, "0011"),
        ("Nothing to object to in steps 1 and 2. Step 3 is off the mark.", 3, "001"),
        ("[Wrong] Step 1\n[Right] Step 2", 2, "10"),
        ("What is wrong is step 2. The rest is right.", 3, "010"),
        ("~~[true, false]~~ [false, true]", 2, "01"),
        ("[true, false]\n\nOn a closer listen: [false, true]", 2, "01"),
        ("Wrong: 1. Actually no: step 2 is wrong, all the others are right.", 3, "010"),
        ("Step 1 sounds wrong at first glance, but it is right. Step 2 is wrong.", 2, "01"),
        ("第一步把笛声误认为哨声，其余没有问题。", 3, "100"),
        ("前两步正确，但从第三步开始推理都是错的。", 4, "0011"),
        ("Errors: 0", 3, "000"),
        ("0 mistakes.", 3, "000"),
        ("Mistakes: 1 (step 2)", 3, "010"),
        ("Total errors: 1\nErroneous steps: 2", 3, "010"),
        ("Step 1: correct\nStep 2: correct... no, wrong: the bell is lower", 2, "01"),
        ("I originally thought that all steps were fine. Step 2 misstates the key. Step 1 is fine.", 2, "01"),
        ("Steps 1 and 2 are fine. In step 3, the trace jumps to an incorrect conclusion.", 3, "001"),
        ("Step 1 is wrong, step 2 relies on the wrong step 1, and is therefore wrong too. Step 3 is right.", 3, "110"),
        ("Step 1: wrong - follows from wrong premises\nStep 2: right", 2, "10"),
        ('["C", "W"] where C = correct and W = wrong', 2, "01"),
        ('[{"step": 1, "label": 1}, {"step": 2, "label": 0}] (1 = correct, 0 = erroneous)', 2, "01"),
        ("The concluding step is wrong, the others are right.", 3, "001"),
        ("The steps are all correct.", 3, "000"),
        (
            "This trace has one error. Step 2 gives the line to him, although she says it. The rest is fine.",
            3,
            "010",
        ),
        ("Where does it go wrong? In step 2. Steps 1 and 3 are fine.", 3, "010"),
        ("Q: Is step 1 wrong?\nA: Yes\nQ: Is step 2 wrong?\nA: No", 2, "10"),
        ("Steps 1 and 2 pass. Step 3's conclusion that it is late isn't supported.", 3, "001"),
        ("Step 1 is wrong, and since all later steps build on it, they are wrong too.", 3, "111"),
        ("Step 1 says that the bell is high, and I agree. In step 2 the bell is low, making this step wrong.", 2, "01"),
        ("I would flag step 2 and accept step 1.", 2, "01"),
        ("Nothing in this reasoning is right.", 3, "111"),
        ('{"verdict_1": "correct", "verdict_2": "wrong"}', 2, "01"),
        ('{"errors_found": 0}', 3, "000"),
        ("Steps 1 and 2 are fine; the third invents a bell.", 3, "001"),
        ("It is right up to step 2. Step 3 is where it fails.", 3, "001"),
        ("After step 1, nothing is right. Step 1 is fine.", 3, "011"),
        ("Apart from step 2, all is well.", 3, "010"),
        ("The mistake first shows up in step 2 and carries over to step 3.", 3, "011"),
        ("Only step 1 is wrong. Wait, step 2 too, since it repeats the claim.", 3, "110"),
        ("I marked step 1 as wrong at first, but I was mistaken: all steps are correct.", 2, "00"),
        ("What step 1 says is true. What step 2 says is wrong.", 2, "01"),
        ("Step I: wrong\nStep II: right", 2, "10"),
        ("Step 1 (wrong? yes)\nStep 2 (wrong? no)", 2, "10"),
        ("| Step | Error |\n|---|---|\n| 1 | none |\n| 2 | Wrong key |", 2, "01"),
        ("步骤1：是否错误？否\n步骤2：是否错误？是", 2, "01"),
        ('{"answer": "Only step 2 is wrong."}', 3, "010"),
        ('{"verdict": "no erroneous steps"}', 3, "000"),
        ('[{"step": 1, "judgement": {"wrong": true}}, {"step": 2, "judgement": {"wrong": false}}]', 2, "10"),
        ("Step 1: wrong? No - it's right. Step 2: wrong.", 2, "01"),
        ("Step 1 is wrong, and step 2 follows from it and is wrong as well.", 2, "11"),
        ("Regarding step 1, she says ten, so it is wrong. Regarding the other steps, I have no objections.", 3, "100"),
        ("The audio contradicts step 2. The audio supports steps 1 and 3.", 3, "010"),
        ("The audio supports all steps except step 2.", 3, "010"),
        ("An error is introduced in step 2 and propagates to step 3.", 3, "011"),
        ("They are all wrong.", 2, "11"),
        ('["Step 1: right", "Step 2: wrong"]', 2, "01"),
        ('{"errors": ["step 2: no bell"]}', 2, "01"),
        ("I can't find anything wrong with these steps.", 2, "00"),
        ("第三步才出错，前两步都对。", 3, "001"),
        ("真正错的是第二步。第一步正确。", 2, "01"),
    ]
    for response, n_steps, expected in rows:
        with subtests.test(response):
            assert read_digits(response, n_steps) == expected


def test_read_steps_does_not_read_prose_that_leaves_a_step_open(subtests: pytest.Subtests) -> None:
    rows = [
        ("Everything is fine until step 3.", 5),
        ("Step 2 mentions the rain. There is no error here.", 3),
        ("Step 1 is wrong: no dog barks. Step 2 mentions the rain. No error here.", 3),
        ("Step 2 is wrong because it relies on step 1. No error here.", 2),
        ("I first flagged step 2.", 3),
        ('{"first_error": 2}', 4),
        ('{"erroneous_indices": [1]}', 3),
        ("Index 1 is wrong.", 3),
        ("\\boxed{2}", 3),
        ("Errors: 2", 3),
        ("第二步才出错。", 4),
        ("An error is introduced in step 2.", 3),
        ("Step 1 is right. Step 2 is wrong. Actually, I'm not sure about step 2.", 2),
        ("It is right up to step 2. Step 4 is wrong.", 4),
        ("Step 2 is where it fails.", 3),
        ("Step 1: 0\nStep 2: 1", 2),
        ("Number of errors: 1", 3),
        ("Step 1: True, there is a bell.\nStep 2: False, there is no dog.", 2),
        ("Errors begin at step 2.", 4),
        ("It starts to go wrong in step 2.", 4),
        ("The mistakes start at step 2.", 4),
        ("从第二步开始出现错误。", 4),
        ("Step 1 is wrong. Or maybe it is right. Step 2 is right.", 2),
        ("[true, false], though I am not sure which convention you want", 2),
        ("Step 2 claims a dog. The other steps are fine.", 3),
        ("Step 1 is fine. Step 2 says it rains, but I cannot tell.", 2),
        ('{"all_correct": false}', 3),
    ]
    for response, n_steps in rows:
        with subtests.test(response):
            assert read_digits(response, n_steps) is None


def test_read_steps_reads_named_lists_and_short_remarks(subtests: pytest.Subtests) -> None:
    rows = [
        ("correct = [1, 3]\nwrong = [2]", "010"),
        ("right_steps: [1]\nwrong_steps: [2, 3]", "011"),
        ("erroneous(1)=false, erroneous(2)=true", "01"),
        ("1=C, 2=E, 3=C (C: correct, E: erroneous)", "010"),
        ("Q1: correct\nQ2: incorrect", "01"),
        ("Errors found: 0 of 3 steps.", "000"),
        ("[✓] Step 1: a bell\n[✗] Step 2: a second bell", "01"),
        ("1. Accurate transcription.\n2. Wrong number of beeps (4, not 5).\n3. Same mistake as in step 2.", "011"),
        ("**Step 1 - Correct**\nRain.\n\n**Step 2 - Incorrect**\nFollows from a door that is not heard.", "01"),
        ("The trace goes astray in step 2, and steps 3 and 4, which build on it, are erroneous too.", "0111"),
        ("Step 1 is right. Step 2 is wrong, and so is step 3.", "011"),
        ("Step 1 mentions music, and there is indeed a piano. Step 2 hears a bell; this is wrong.", "01"),
        ("Step 1 is right. Step 2 is off. Step 3 builds on step 2 and is therefore off as well.", "011"),
        ("It is correct to say that it rains (step 1). It is incorrect to say that it snows (step 2).", "01"),
        ("The entire chain of reasoning is valid.", "00"),
        ("Step 1 is right. Step 2 is wrong. Step 3 builds on step 2, so it is wrong too.", "011"),
        ("Step 1 is right. I would not say that step 2 is wrong. Step 3 is dead wrong.", "001"),
        ("Steps 1 and 2 are in line with the recording; step 3 isn't.", "001"),
        ("It starts well, but step 2 makes a leap that the audio doesn't support. Step 3 is wrong too.", "011"),
        ("Step 1 is right. Step 2 contains a logical error.", "01"),
        ("It hears the piano correctly in step 1, but it invents a violin in step 2.", "01"),
        ("Step 1 is 100% correct. Step 2 is correct. The mistakes in step 3 make it wrong.", "001"),
        ("第1步成立。第2步与音频矛盾，第3步因此也不成立。", "011"),
        ("步骤1正确。步骤2说有狗叫，但实际上没有，属于错误。步骤3基于步骤2得出结论，因此也是错误的。", "011"),
    ]
    for response, expected in rows:
        with subtests.test(response):
            assert read_digits(response, len(expected)) == expected


@pytest.mark.parametrize(
    "response",
    [
        "It starts well, but step 2 is a surprise. Step 3 is wrong.",
        "I can't say that step 2 is wrong.",
        "1. I can hear the bell, so true.\n2. I can't hear the dog, so false.\n3. I can hear the cat, so true.",
        "error_indices = [1, 2]",
        "erroneous = [0, 2]",
    ],
)
def test_read_steps_does_not_read_ambiguous_remarks(response: str) -> None:
    assert read_digits(response, 3) is None


@pytest.mark.parametrize(
    "response",
    [
        '{"erroneous": [false, true, fal',
        '{"erroneous_steps": [2, 3',
        "The erroneous steps are: [1, 2",
        "Step 2 is wrong.\n\nStep 3 is",
        "Step 1 is right. Step 2 is wrong. Step 3 says that",
        "第2步有误。第3步是",
    ],
)
def test_read_steps_does_not_read_a_truncated_answer(response: str) -> None:
    assert read_digits(response, 3) is None


@given(st.lists(st.sampled_from(FRAGMENTS), min_size=2, max_size=16).map(" ".join), st.integers(1, 4))
def test_read_steps_returns_verdicts_or_a_reason_for_any_sequence_of_critic_words(response: str, n_steps: int) -> None:
    reading = read_steps(response, n_steps)
    assert (reading.verdicts is None) != (reading.reason is None)
    assert reading.verdicts is None or len(reading.verdicts) == n_steps


@pytest.mark.parametrize("heading", ["### Step {n}", "**Step {n}**", "Step {n}:", "## 步骤{n}", "第{n}步"])
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("✅ It rains from the start.", "❌ The thunder comes before the door, not after it."),
        ("Correct. Rain is heard.", "Incorrect. No door is heard."),
        ("It rains from the start. ✅", "The door is not heard. ❌"),
        ("This step is fine. Rain is heard.", "This is wrong. No thunder."),
    ],
)
def test_read_steps_attaches_a_heading_to_the_verdict_below(heading: str, right: str, wrong: str) -> None:
    flags = (False, True, True, False)
    blocks = [f"{heading.format(n=n)}\n{wrong if flag else right}" for n, flag in enumerate(flags, 1)]
    for joint in ("\n", "\n\n"):
        assert read_steps(joint.join(blocks), len(flags)).verdicts == flags
