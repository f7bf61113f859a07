"""Step verdicts: attachment to the step of their clause, declared codes, line marks and other languages."""

import pytest

from tests.support.samples.read_answers import read_digits

# response, one digit per step (1 for an erroneous step)
Row = tuple[str, str]


def check(rows: list[Row], subtests: pytest.Subtests) -> None:
    for response, expected in rows:
        with subtests.test(response):
            assert read_digits(response, len(expected)) == expected


def check_unread(rows: list[tuple[str, int]], subtests: pytest.Subtests) -> None:
    for response, n_steps in rows:
        with subtests.test(response):
            assert read_digits(response, n_steps) is None


def test_read_steps_attaches_a_verdict_to_the_step_of_its_clause(subtests: pytest.Subtests) -> None:
    check(
        [
            ("Errors are present in Steps 1 and 3. Steps 2 and 4 are free of errors.", "1010"),
            ("Mistakes appear in steps 2 and 4; steps 1 and 3 have none.", "0101"),
            ("错误出现在第2步和第4步，第1步和第3步没有错误。", "0101"),
            (
                "Step 2's claim of a shot is false and so is step 3's claim that somebody screams. Step 1 is fine.",
                "011",
            ),
            ("Step 1 says rain, step 2 says thunder; both are wrong. The rest is fine.", "1100"),
            ("Since step 2 inherits its mistake from step 1, both are erroneous. Step 3 is right.", "110"),
            (
                "Step 1 says that a door slams. It does. Step 2 says that a dog barks. It doesn't. Step 3 is right.",
                "010",
            ),
            ("Step 3 (step 1 is wrong): unsupported. Steps 1 and 2 are supported.", "001"),
            ("步骤1正确；步骤2声称有人在喊救命，实际并没有；步骤3据此推断发生了事故，也不成立。", "011"),
            ("前两步正确，后三步全部错误。", "00111"),
            ("四个步骤无一正确，模型所描述的内容与音频完全不符。", "1111"),
            ("除第四步之外，其余七步都是正确的。", "00010000"),
            ("Everything holds but step 3.", "0010"),
            ("The only thing wrong with this chain is step 3.", "0010"),
            ("I count two errors, one in step 2 and another in step 3.", "0110"),
            ("Steps 2/3: wrong. Steps 1/4: right.", "0110"),
        ],
        subtests,
    )


def test_read_steps_reads_the_first_error_and_the_steps_after_it(subtests: pytest.Subtests) -> None:
    check(
        [
            ("Step 2 has the first error, and every step after it is erroneous as well.", "01111"),
            ("第2步首次出错，此后每一步都受到影响而错误。", "01111"),
            ("The trace goes wrong for the first time in its final step.", "000001"),
            ("推理直到最后一步才出错。", "00001"),
            ("There is no first error to report, as none of the steps is wrong.", "0000"),
            ("第一个错误在第2步，也是唯一的错误。", "0100"),
        ],
        subtests,
    )


def test_read_steps_leaves_open_and_partial_statements_unread(subtests: pytest.Subtests) -> None:
    check_unread(
        [
            ("并不是每一步都正确。", 3),
            ("Step 2 is not necessarily wrong. Steps 1 and 3 are right.", 3),
            ("Step 2 would be wrong if the second tone were lower. Steps 1 and 3 are right.", 3),
            ("Step 2 is wrong. No wait, step 3 is wrong, or perhaps both. Step 1 is right.", 3),
            ("Step 1 is right. Steps 2 and 3 contradict each other, so one of them must be wrong.", 3),
            ("第2步好像有问题，其他正确。", 3),
            ("I would need the audio to judge step 3. The others are fine.", 4),
            ("Correct the errors in steps 2 and 3.", 4),
            ("Return a JSON array such as [false, true, false].", 3),
            ("Step 1 says the speaker is wrong. Step 2 says the caller is right.", 2),
        ],
        subtests,
    )


def test_read_steps_reads_declared_codes(subtests: pytest.Subtests) -> None:
    check(
        [
            ("1 1 0 1   (1 = correct step, 0 = incorrect step)", "0010"),
            ("Y Y N Y (Y = supported, N = not supported)", "0010"),
            ("+ + -   (+ means correct, - means wrong)", "001"),
            ("1-C, 2-C, 3-I (C = correct, I = incorrect)", "001"),
            ("Step 1: 1\nStep 2: 0\nStep 3: 1\n(1: correct, 0: incorrect)", "010"),
            ("逐步核查结论（误＝有错，妥＝无错）\n一：妥\n二：误\n三：妥\n四：妥", "0100"),
            ("Good steps are marked G, bad ones B.\nG B B G", "0110"),
            ('{"s1": "T", "s2": "F", "legend": "T = correct, F = incorrect"}', "01"),
        ],
        subtests,
    )
    check_unread([("A, B, A", 3), ("Y N Y", 3), ("C = correct, I = incorrect", 2)], subtests)


def test_read_steps_reads_marked_lines_and_verdicts_before_their_steps(subtests: pytest.Subtests) -> None:
    check(
        [
            ("PASS - step 1\nFAIL - step 2\nFAIL - step 3\nPASS - step 4", "0110"),
            ("错误——步骤1\n正确——步骤2\n正确——步骤3", "100"),
            ("Erroneous steps:\n[ ] Step 1\n[x] Step 2", "01"),
            ("Correct?\n1 Y\n2 N\n3 Y", "010"),
            ("Errors per step\n1: none\n2: temporal\n3: hallucination\n4: none", "0110"),
            ("Which of the steps are Correct\n1. yes\n2. no\n3. yes\n4. yes", "0100"),
            ("逐步判断每一步是否正确\n第1步 是\n第2步 否\n第3步 否\n第4步 是", "0110"),
            ("Step 1: 0 | Step 2: 0 | Step 3: 1", "001"),
            ("**Step 1** – They disagree about the time. ✔ Correct.\n**Step 2** – Picks A. ✘ Erroneous.", "01"),
            ('{"error_probability": [0.03, 0.08, 0.95]}', "001"),
            ('{"1": 0, "2": 1, "3": 0}', "010"),
            ("| Correct | Step |\n|---|---|\n| yes | 1 |\n| no | 2 |", "01"),
            ("| 步骤 | 有无错误 |\n|---|---|\n| 第一步 | 有 |\n| 第二步 | 无 |", "10"),
        ],
        subtests,
    )
    check_unread(
        [("[ ] Step 1\n[x] Step 2", 2), ('{"error_probability": [0.03, 0.5]}', 2), ("Step 1 - 0\nStep 2 - 1", 2)],
        subtests,
    )


def test_read_steps_reads_verdicts_in_other_languages(subtests: pytest.Subtests) -> None:
    check(
        [
            ("Les étapes 1, 2 et 3 sont correctes. L'étape 4 est erronée, car le chien n'aboie pas.", "0001"),
            ("ステップ1は正しい。ステップ2は誤り。", "01"),
            ("Schritt 1: richtig\nSchritt 2: nicht richtig", "01"),
            ("Paso 1: correcto. Paso 2: incorrecto.", "01"),
        ],
        subtests,
    )
    check_unread([("L'étape 2 parle d'un chien.", 2)], subtests)
