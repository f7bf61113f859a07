"""Messages of the check of a valid file."""

import pytest

from submissions.intake.validation_texts import describe_unreadable, describe_valid, is_warned


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        ((6_048, 6_048, 0, 5_981), "✓ Valid: 6,048 of 6,048 answers, 5,981 parsed."),
        ((6_048, 6_048, 0, None), "✓ Valid: 6,048 of 6,048 answers."),
        ((665, 672, 7, 665), "✓ Valid: 665 of 672 answers, 665 parsed. 7 are missing and would count as wrong."),
    ],
)
def test_valid_file_is_described_by_its_counts(counts: tuple[int, int, int, int | None], text: str) -> None:
    assert describe_valid(*counts) == text


@pytest.mark.parametrize(
    ("unreadable", "text", "warned"),
    [
        (67, "67 answers (1.1 %) cannot be parsed and would count as wrong.", True),
        (61, "61 answers (1.0 %) cannot be parsed and would count as wrong.", True),
        (60, "60 answers (1.0 %) cannot be parsed and would count as wrong.", False),
        (1, "1 answer (under 0.1 %) cannot be parsed and would count as wrong.", False),
        (6_048, "6,048 answers (100.0 %) cannot be parsed and would count as wrong.", True),
    ],
)
def test_unreadable_answers_are_a_warning_above_one_percent(unreadable: int, text: str, warned: bool) -> None:
    assert describe_unreadable(unreadable, 6_048, {"refusal": unreadable}) == text
    assert is_warned(unreadable, 6_048) == warned


def test_exactly_one_percent_is_no_warning() -> None:
    assert not is_warned(1, 100)
    assert is_warned(2, 100)


def test_reasons_for_unreadable_answers_are_counted() -> None:
    text = describe_unreadable(67, 6_048, {"empty response": 60, "refusal": 7})
    assert (
        text
        == "67 answers (1.1 %) cannot be parsed and would count as wrong. Reasons: empty response (60), refusal (7)."
    )
