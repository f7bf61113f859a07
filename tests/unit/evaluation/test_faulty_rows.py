"""Every format of prediction file × every fault of a row, each with its exact message."""

from typing import Any, NamedTuple

import pytest

from evaluation.predictions import Problem
from tests.support.samples.faulty_files import GOOD, LONG, ROW, list_problems
from tests.support.samples.intake_files import FORMS, PACKINGS, write_table


class RowFault(NamedTuple):
    """A row, the code of its fault, and the message, in which L is the row's line and F that of the first row."""

    row: dict[str, Any]
    code: str
    message: str
    id: str | None


ROW_FAULTS = [
    RowFault(
        {"id": "amb-twoo", "response": "A"},
        "unknown-id",
        "Line L: id `amb-twoo` is not in Bench 1.0. Did you mean `amb-two`? Copy the ids from questions.jsonl.",
        "amb-twoo",
    ),
    RowFault(
        {"id": "zebra", "response": "A"},
        "unknown-id",
        "Line L: id `zebra` is not in Bench 1.0. Copy the ids from questions.jsonl.",
        "zebra",
    ),
    RowFault(
        {"id": "amb-one", "response": "again"},
        "duplicate",
        "Line L: run 0 of `amb-one` was already answered (line F). Keep one.",
        "amb-one",
    ),
    RowFault(
        {"id": "amb-one", "run": 7, "response": "A"},
        "unknown-run",
        "Line L: run 7 of `amb-one` does not exist. Its runs are 0, 1, 2.",
        "amb-one",
    ),
    RowFault(
        {"id": "amb-one", "run": 1001, "response": "A"},
        "unknown-run",
        "Line L: run 1001 of `amb-one` does not exist. Runs start at 0.",
        "amb-one",
    ),
    RowFault(
        {"id": "amb\u202eone", "response": "A"},
        "bad-id",
        "Line L: the id `amb�one` is empty, too long or contains invalid characters. "
        "Copy the ids from questions.jsonl.",
        None,
    ),
    RowFault(
        {"id": "", "response": "A"},
        "bad-id",
        "Line L: the id `` is empty, too long or contains invalid characters. Copy the ids from questions.jsonl.",
        None,
    ),
    RowFault(
        {"id": "i" * 201, "response": "A"},
        "bad-id",
        f"Line L: the id `{'i' * 40}…` is empty, too long or contains invalid characters. "
        "Copy the ids from questions.jsonl.",
        None,
    ),
    RowFault(
        {"id": "amb-three", "response": LONG},
        "response-too-long",
        "Line L: the response of `amb-three` has 200,001 characters; 200,000 are allowed. "
        "Shorten it, but keep the end with the answer.",
        "amb-three",
    ),
    RowFault(
        {"id": "amb-three", "erroneous": [True]},
        "wrong-form",
        "Line L: `amb-three` needs a `response`, not `erroneous`, because it has no steps.",
        "amb-three",
    ),
    RowFault(
        {"id": "trace-1", "erroneous": [True, False, True]},
        "wrong-length",
        "Line L: `trace-1` has 2 steps, but 3 verdicts. Give one verdict per step, in order.",
        "trace-1",
    ),
    RowFault(
        {"id": "trace-1", "erroneous": [True, False], "scores": [0.5]},
        "wrong-length",
        "Line L, id `trace-1` has 2 verdicts and 1 scores. Give one of each per step.",
        "trace-1",
    ),
    RowFault(
        {"id": "trace-1", "erroneous": [True, False], "scores": [0.5, 1.5]},
        "out-of-range",
        "Line L, id `trace-1` has a score outside 0 to 1. Write the probability that the step is erroneous.",
        "trace-1",
    ),
    RowFault(
        {"id": "trace-1", "scores": [0.5, 1]},
        "missing-field",
        "Line L, id `trace-1` has no `erroneous`, which `scores` requires." + ROW,
        "trace-1",
    ),
]


def test_faulty_row_has_the_same_message_in_every_format(subtests: pytest.Subtests) -> None:
    for form in FORMS:
        for fault in ROW_FAULTS:
            for packing in PACKINGS:
                with subtests.test(packing=packing, fault=fault, form=form):
                    write, first = FORMS[form]
                    is_table = write_table(GOOD[:1])[:2] == write(GOOD[:1])[:2]
                    data = write([*GOOD, fault.row])
                    line = first + 2 + is_table  # the second valid row takes two lines in a table
                    message = fault.message.replace("Line L", f"Line {line}").replace("line F", f"line {first}")
                    assert list_problems(PACKINGS[packing](data)) == (Problem(fault.code, message, line, fault.id),)
