"""Faults of whole texts, in every format and packing; one clear message each, and an end to the reading."""

import io

import pytest

from evaluation.predictions import Problem, validate_predictions
from tests.support.samples.faulty_files import KNOWN, list_problems
from tests.support.samples.faulty_texts import TEXTS, A
from tests.support.samples.intake_files import PACKINGS


def test_text_with_a_fault_is_refused_with_line_id_and_remedy(subtests: pytest.Subtests) -> None:
    for name in TEXTS:
        for packing in PACKINGS:
            with subtests.test(packing=packing, name=name):
                data, code, message, line, item_id = TEXTS[name]
                assert list_problems(PACKINGS[packing](data))[0] == Problem(code, message, line, item_id)


def test_message_of_every_fault_is_short_and_on_one_line(subtests: pytest.Subtests) -> None:
    for name in TEXTS:
        with subtests.test(name=name):
            for problem in list_problems(TEXTS[name][0]):
                assert problem.message.isprintable()
                assert len(problem.message) < 400


def test_messages_of_texts_differ() -> None:
    assert len({message for _, _, message, *_ in TEXTS.values()}) > 40


def test_truncated_file_reports_no_missing_answers() -> None:
    verdict = validate_predictions(io.BytesIO(b"[" + A + b"},"), KNOWN)
    assert [problem.code for problem in verdict.problems] == ["not-json"]


FAULTY_LINES = {
    "not-json": b"{",
    "missing-field": b"{}",
    "wrong-type": b'{"id": 1, "response": [1]}',
    "unknown-id": b'{"id": "amb-x", "response": "A"}',
    "duplicate": A + b"}",
}


def test_validation_stops_after_too_many_faults(subtests: pytest.Subtests) -> None:
    """A million faults compress to 3 kB, and took 20 to 35 seconds."""
    for code, line in FAULTY_LINES.items():
        with subtests.test(code=code):
            verdict = validate_predictions(io.BytesIO(A + b"}\n" + (line + b"\n") * 20_010), KNOWN)
            assert verdict.totals == {code: 20_001, "too-many": 1}
            assert verdict.problems[-1].message == (
                "The file has more than 20,000 problems up to line 20002; the rest was not read. Fix the first ones."
            )


@pytest.mark.parametrize("header", [b"", b"id,response\n"])
def test_validation_stops_after_too_many_empty_lines(header: bytes) -> None:
    (problem,) = validate_predictions(io.BytesIO(header + b"\n" * 1_000_010), KNOWN).problems
    line = 1_000_001 + header.count(b"\n")
    assert problem.message == (
        f"The file has more than 1,000,000 empty lines up to line {line}; the rest was not read. Remove them."
    )
