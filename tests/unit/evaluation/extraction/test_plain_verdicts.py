"""Verdicts of critics in the words of a conversation, with counts, marks, remarks and codes."""

import pytest

from tests.support.samples.read_answers import read_digits


@pytest.mark.parametrize(
    ("response", "n_steps", "expected"),
    [
        ("Step 1: two bells ring → correct\nStep 2: the order is wrong but the timbre is right → incorrect", 2, "01"),
        ("1：√ 吉他独奏在先。\n2：× 这里说口哨在吉他之前结束，和第一步自相矛盾，也不符合录音。", 2, "01"),
        ("1. ✓ Two dogs bark, which can't be doubted.\n2. ✗ It depends on step 1, but perhaps misreads it.", 2, "01"),
    ],
)
def test_marks_and_arrows_at_an_edge_of_a_line_judge_its_step(
    response: str, n_steps: int, expected: str | None
) -> None:
    assert read_digits(response, n_steps) == expected


@pytest.mark.parametrize(
    ("response", "n_steps", "expected"),
    [
        (
            "听完整段音频，六个步骤中有五个成立。不成立的是第5步：“警笛声一直保持同一音量”，事实上音量在后半段明显减弱。",
            6,
            "000010",
        ),
        ("四步中有三步正确，只有第2步错误。", 4, "0100"),
        ("Five of the six steps hold. The one that does not is step 5.", 6, "000010"),
        ("Three of the four steps are correct; only step 2 is wrong.", 4, "0100"),
        ("Number of erroneous steps: 0 of 3.", 3, "000"),
        ("Number of erroneous steps: 0", 3, "000"),
        ("Number of erroneous steps: 4 of 4. The model has evidently described a different recording.", 4, "1111"),
        ("Number of erroneous steps: 1 of 4.", 4, None),
    ],
)
def test_counts_of_steps_judge_where_they_are_none_or_all(response: str, n_steps: int, expected: str | None) -> None:
    assert read_digits(response, n_steps) == expected


@pytest.mark.parametrize(
    ("response", "n_steps", "expected"),
    [
        ("Step 1: Erroneous\nStep 2: Correct\n\nOne error in total.", 2, "10"),
    ],
)
def test_totals_below_verdicts_judge_no_step(response: str, n_steps: int, expected: str | None) -> None:
    assert read_digits(response, n_steps) == expected


@pytest.mark.parametrize(
    ("response", "n_steps", "expected"),
    [
        ("错误的步骤有第1步（把女低音当成男声）和第2步（年龄判断错误），其余三步正确。", 5, "11000"),
        ("Errors: step 2 (wrong instrument), step 4 (wrong order).", 5, "01010"),
    ],
)
def test_remarks_behind_steps_leave_a_list_whole(response: str, n_steps: int, expected: str | None) -> None:
    assert read_digits(response, n_steps) == expected


@pytest.mark.parametrize(
    ("response", "n_steps", "expected"),
    [
        ("No. 1 is right. No. 2 is wrong.", 2, "01"),
        ("No. Step 2 is wrong, the others are right.", 3, "010"),
        (
            "Step one holds: two phones ring. So does step two: the first is a landline. Step three doesn't hold.",
            3,
            "001",
        ),
        ("Step 1? Fine. Step 2? Nope. Step 3? Fine.", 3, "010"),
    ],
)
def test_spoken_verdicts_are_read(response: str, n_steps: int, expected: str | None) -> None:
    assert read_digits(response, n_steps) == expected


def test_denied_verdicts_are_turned_round() -> None:
    assert read_digits("It's not the case that step 1 is wrong. Step 2 is wrong.", 2) == "01"
    assert read_digits("It is not true that step 2 is right. All other steps are right.", 3) == "010"


@pytest.mark.parametrize(
    ("response", "n_steps", "expected"),
    [
        (
            "我认为这段推理里，只有开头那一步站不住脚：它说鼓声由快到慢，可我听到的是由慢到快。后面三步关于音色、响度和结尾的说法都是准确的。",
            4,
            "1000",
        ),
        ("开头那一步是错的，其余都对。", 4, "1000"),
        ("Of the four steps, just the second survives scrutiny. The others are erroneous.", 4, "1011"),
        ("Only the third withstands scrutiny; the others are wrong.", 4, "1101"),
        ("The fourth step is where it goes astray – and nowhere else.", 5, "00010"),
        ("Step 3 is where the model goes wrong, and nowhere else.", 4, "0010"),
        ("Step 3 is where it goes wrong.", 4, None),
    ],
)
def test_only_step_is_named_in_other_words(response: str, n_steps: int, expected: str | None) -> None:
    assert read_digits(response, n_steps) == expected


@pytest.mark.parametrize(
    ("response", "n_steps", "expected"),
    [
        ("1 .... correct\n2 .... incorrect", 2, "01"),
        ("判断结果（0 表示正确，1 表示错误）：0110", 4, "0110"),
        ("Result (1 = erroneous): 0110", 4, "0110"),
    ],
)
def test_codes_and_digits_mean_what_the_response_says(response: str, n_steps: int, expected: str | None) -> None:
    assert read_digits(response, n_steps) == expected


@pytest.mark.parametrize(
    ("response", "n_steps", "expected"),
    [
        ('{"first_error": 3, "later_errors": [], "num_steps": 4}', 4, "0010"),
        ('{"first_error": 2, "other_errors": [4]}', 4, "0101"),
        ('{"first_error_step": 2, "additional_errors": []}', 4, "0100"),
        ('{"first_error": 3}', 4, None),
    ],
)
def test_first_error_with_all_others_judges_every_step(response: str, n_steps: int, expected: str | None) -> None:
    assert read_digits(response, n_steps) == expected


@pytest.mark.parametrize(("verdict", "expected"), [("wrong", "110"), ("right", "001")])
def test_step_that_is_so_too_has_the_verdict_before_it(verdict: str, expected: str) -> None:
    other = "right" if verdict == "wrong" else "wrong"
    for tail in (".", ": there are two of them."):
        assert read_digits(f"Step 1 is {verdict}. So is step 2{tail} Step 3 is {other}.", 3) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("1. ✗ Wait, no, this one is correct.\n2. ✓", "00"),
        ("1. ✓ But actually it is wrong.\n2. ✓", "10"),
        ("Step 1: if the violin leads -> correct\nStep 2: wrong", None),
        ("前面那一步是错的，第2步对。", None),
    ],
)
def test_edges_of_lines_hide_nothing_that_a_remark_revises_or_supposes(response: str, expected: str | None) -> None:
    assert read_digits(response, 2) == expected


def test_thoughts_that_are_not_closed_are_not_read() -> None:
    assert read_digits("<think>Step 1 is fine.\nFinal: 1 correct, 2 incorrect", 2) is None
    assert read_digits("<think>Step 2 is wrong, the others are right. [true, false, true]", 3) is None


def test_quoted_claims_have_verdicts() -> None:
    assert read_digits('1) "A bell tolls" OK. 2) "It tolls nine times" NOT OK, as it tolls ten times.', 2) == "01"


def test_task_in_front_of_the_verdicts_judges_no_step() -> None:
    response = "You asked me to judge each of the two steps as correct.\n\nStep 1 holds. Step 2 doesn't hold."
    assert read_digits(response, 2) == "01"
