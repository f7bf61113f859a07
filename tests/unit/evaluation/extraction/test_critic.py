"""Step verdicts in sentences: any verdicts in any grouping are read back unchanged."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.extraction import read_steps
from evaluation.extraction.critic.critic_tokens import tokenize_critic
from evaluation.extraction.critic.numbers import list_numbers
from evaluation.extraction.language.normalize import MAX_LENGTH

GOOD = ("are correct", "are fine", "hold up", "contain no errors", "are not wrong", "are supported by the audio")
BAD = ("are incorrect", "are wrong", "do not hold", "contain errors", "are not correct", "are not supported")
ALL_BUT = (
    "All steps are correct except {bad}.",
    "Except for {bad}, everything is right.",
    "Only {bad} {is_} wrong.",
    "There are errors in {bad}. The rest is fine.",
    "{bad} {is_} wrong; the other steps are fine.",
    "Everything is supported apart from {bad}.",
)
CHINESE_ALL_BUT = (
    "除了{bad}，其他步骤都正确。",
    "只有{bad}有误。",
    "{bad}错误，其余正确。",
    "错误步骤：{bad}",
    "{bad}不正确，其他都没问题。",
)
GROUPS = (
    "Correct steps: {good}\nIncorrect steps: {bad}",
    "Errors: {bad}\n\nThe remaining steps are correct.",
    "Valid: {good}. Invalid: {bad}.",
    "✓: {good}\n✗: {bad}",
    "正确：{good}\n错误：{bad}",
)
verdicts_of_both_kinds = st.lists(st.booleans(), min_size=2, max_size=9).filter(lambda each: len(set(each)) == 2)


def join(numbers: list[int], word: str = "and") -> str:
    """Write numbers as prose does: "1", "1 and 2", "1, 2 and 4"."""
    *front, last = map(str, numbers)
    return f"{', '.join(front)} {word} {last}" if front else last


def name_steps(numbers: list[int]) -> str:
    return f"step{'s' * (len(numbers) > 1)} {join(numbers)}"


def split(verdicts: list[bool]) -> tuple[list[int], list[int]]:
    good = [n for n, erroneous in enumerate(verdicts, 1) if not erroneous]
    return good, [n for n, erroneous in enumerate(verdicts, 1) if erroneous]


def upper(text: str) -> str:
    return text[:1].upper() + text[1:]


@given(verdicts_of_both_kinds, st.randoms(use_true_random=False))
def test_read_steps_reads_back_sentences_on_sets_of_steps(verdicts: list[bool], rng: random.Random) -> None:
    good, bad = split(verdicts)
    is_ = "is" if len(bad) == 1 else "are"
    chinese = "、".join(f"第{n}步" for n in bad)
    responses = [
        f"{upper(name_steps(good))} {rng.choice(GOOD)}, but {name_steps(bad)} {rng.choice(BAD)}.",
        f"{upper(name_steps(bad))} {rng.choice(BAD)}. {upper(name_steps(good))} {rng.choice(GOOD)}.",
        f"{upper(name_steps(good))} hold up. {upper(name_steps(bad))} do not.",
        upper(rng.choice(ALL_BUT).format(bad=name_steps(bad), is_=is_)),
        rng.choice(CHINESE_ALL_BUT).format(bad=chinese),
        rng.choice(GROUPS).format(good=", ".join(map(str, good)), bad=", ".join(map(str, bad))),
    ]
    for response in responses:
        assert read_steps(response, len(verdicts)).verdicts == tuple(verdicts), response


@given(verdicts_of_both_kinds, st.randoms(use_true_random=False))
def test_read_steps_never_reads_open_or_contradicted_verdicts(verdicts: list[bool], rng: random.Random) -> None:
    good, bad = split(verdicts)
    wrong, right = name_steps(bad), name_steps(good)
    # If all steps but one are flagged, and that one is called wrong, true means correct.
    step = rng.choice(bad) if len(good) == 1 else rng.randint(1, len(verdicts))
    opposite = "correct" if verdicts[step - 1] else "wrong"
    flags = str(verdicts).lower()
    responses = [
        f"{upper(wrong)} might be wrong. {upper(right)} are correct.",
        f"If {wrong} are wrong, {right} are right.",
        f"{upper(right)} are correct.",
        f"All steps are correct. {upper(wrong)} are wrong.",
        f"{flags}\n\nStep {step} is {opposite}.",
        f"Step {step} is {opposite}.\n\n{flags}",
        f"第{step}步可能有误，其他步骤正确。",
        f"{len(bad)} of the {len(verdicts)} steps are wrong.",
    ]
    for response in responses:
        assert read_steps(response, len(verdicts)).verdicts is None, response


@given(verdicts_of_both_kinds, st.integers(0, 8))
def test_read_steps_replaces_earlier_verdicts_with_a_revision(verdicts: list[bool], place: int) -> None:
    place %= len(verdicts)
    first = [*verdicts[:place], not verdicts[place], *verdicts[place + 1 :]]
    words = ("correct", "incorrect")
    lines = "\n".join(f"Step {n}: {words[erroneous]}" for n, erroneous in enumerate(first, 1))
    revisions = (
        f"Wait, step {place + 1} is {words[verdicts[place]]}.",
        f"On reflection, step {place + 1} is {words[verdicts[place]]} after all.",
        f"Final answer: {str(verdicts).lower()}",
        f"更正：第{place + 1}步{'错误' if verdicts[place] else '正确'}。",
    )
    for revision in revisions:
        assert read_steps(f"{lines}\n\n{revision}", len(verdicts)).verdicts == tuple(verdicts), revision


@given(st.lists(st.integers(1, 30), min_size=1, max_size=6, unique=True))
def test_list_numbers_reads_back_lists_in_any_form(numbers: list[int]) -> None:
    assert list_numbers(f"steps {join(numbers)}") == tuple(numbers)
    assert list_numbers(f"第{'、'.join(map(str, numbers))}步") == tuple(numbers)


def test_list_numbers_fills_ranges() -> None:
    assert list_numbers("steps 2 through 4 and 6") == (2, 3, 4, 6)
    assert list_numbers("第1到3步") == (1, 2, 3)
    assert list_numbers("steps 1-9999") == (1, 9999)


@given(st.text())
def test_tokenize_critic_returns_one_letter_codes_for_any_text(text: str) -> None:
    assert all(len(token.code) == 1 for token in tokenize_critic(text, 3))


UNITS = (
    "step 1 is wrong, ", "steps 1, 2 and 3 ", "except step 2, ", "第1步、", "(step 1) ", "is step 1 wrong? ",
    "| step | correct |\n| 1 | ✓ |\n", "errors: step 2 (bad), ", "the first and ", "1, 2, ", "no other error ", "'",
    "与音频", "C = correct ", '{"1": "correct"} ', "neither step 1 nor ", "step 1:\n",
    "是、", "no, yes, ", "{0, 1, ", "<true, ", "- step: 1\n  wrong: false\n", "steps:\n- true\n",
    "since step 1 says, it is ", "two steps are wrong: step 1, ", "wouldn't mark any step ", "seemed wrong but ",
    "1: no, 2: yes, ", "erroneous: false\n",
)  # fmt: skip


@pytest.mark.parametrize("unit", UNITS)
def test_read_steps_reads_long_repetitions_in_linear_time(unit: str) -> None:
    text = (unit * (100_000 // len(unit) + 1))[:100_000]

    def seconds(text: str) -> float:
        start = time.process_time()
        read_steps(text, 5)
        return time.process_time() - start

    # A quadratic pattern takes a sixteenth of the time on a quarter of the text: if that is fast, so is the whole.
    is_fast = seconds(text[: MAX_LENGTH // 4]) < 3 / 16
    # Far above the actual time and far below that of a quadratic pattern, which is slow every time.
    assert is_fast or any(seconds(text) < 3 for _ in range(3))
