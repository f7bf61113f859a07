"""Faults shared by many lines: one problem with the count, the first lines and one remedy."""

import io
import json

import pytest

from evaluation.predictions import Catalogue, CatalogueItem, Validation, validate_predictions

ITEMS = [f"item-{number}" for number in range(60)]
OR_TICK = "or tick “Score missing answers as wrong”."
CATALOGUE = Catalogue("Bench 1.0", {item: CatalogueItem("p", "choice", (0, 1, 2)) for item in ITEMS})


def check(*rows: object) -> Validation:
    return validate_predictions(io.BytesIO("".join(json.dumps(row) + "\n" for row in rows).encode()), CATALOGUE)


def answers(runs: range, items: list[str] = ITEMS) -> list[dict[str, object]]:
    return [{"id": item, "run": run, "response": "A"} for item in items for run in runs]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"answer": "A"}, 'Every line calls its answer "answer"; rename it to "response".'),
        ({"respones": "A"}, 'Every line calls its answer "respones"; rename it to "response".'),
        ({"response": 2}, 'Every line has a number as its "response"; write it as text, such as "2".'),
        (
            {"setting": "default", "prompt": [], "options": ["A"], "answer_format": "choice"},
            "This is questions.jsonl, the questions without answers. Run your model on every question and upload one "
            'line per answer: {"id": "…", "run": 0, "response": "the model\'s raw text"}',
        ),
    ],
)
def test_fault_on_every_line_is_one_problem(fields: dict[str, object], message: str) -> None:
    verdict = check(*({"id": item, "run": run, **fields} for item in ITEMS for run in range(3)))
    (problem,) = verdict.problems
    assert (problem.message, problem.line) == (message, 1)
    assert sum(verdict.totals.values()) == 180


def test_wrong_name_of_the_id_on_every_line_is_one_problem() -> None:
    (problem,) = check(*({"item_id": item, "response": "A"} for item in ITEMS)).problems
    assert problem.message == 'Every line calls its id "item_id"; rename it to "id".'


def test_fault_on_some_lines_reports_the_first_three_and_their_number() -> None:
    rows = answers(range(3))
    for number in (4, 5, 6, 90):
        rows[number - 1]["answer"] = rows[number - 1].pop("response")
    rows[6]["response"] = 2
    renamed, numeric, *_ = check(*rows).problems
    assert renamed.message == '4 lines (4, 5, 6, …) call their answer "answer"; rename it to "response".'
    assert numeric.message.startswith("Line 7, id `item-2` has a `response` that is not a string.")


def test_runs_counted_from_one_are_one_problem() -> None:
    verdict = check(*answers(range(1, 4)))
    (problem,) = verdict.problems
    assert problem.message == "Runs start at 0; yours are 1–3. Subtract 1 from every `run`."
    assert not verdict.ok


def test_unknown_run_next_to_run_0_is_reported() -> None:
    problems = check(*answers(range(4), ITEMS[:1]), *answers(range(3), ITEMS[1:])).problems
    assert [problem.message for problem in problems] == [
        "Line 4: run 3 of `item-0` does not exist. Its runs are 0, 1, 2."
    ]


def test_missing_predictions_are_grouped_by_item() -> None:
    omitted = [*((item, run) for item in ITEMS[:10] for run in range(3)), (ITEMS[20], 1), (ITEMS[20], 2)]
    rows = [row for row in answers(range(3)) if (row["id"], row["run"]) not in omitted]
    verdict = check(*rows)
    assert [problem.message for problem in verdict.problems] == [
        f"10 items have no prediction (all runs): {', '.join(ITEMS[:10])}. Add them, {OR_TICK}",
        f"1 item has no prediction for some runs: item-20 (runs 1 and 2). Add them, {OR_TICK}",
    ]
    assert verdict.totals == {"missing": 32}


@pytest.mark.parametrize(
    ("missing", "messages"),
    [
        (
            [(0, 0), (0, 1), (0, 2), (1, 2)],
            [
                "1 item has no prediction (all runs): item-0. Add it, ",
                "1 item has no prediction for some runs: item-1 (run 2). Add it, ",
            ],
        ),
        (
            [(0, 0), (1, 2), (2, 0), (2, 1)],
            [
                "3 items have no prediction for some runs: item-0 (run 0), item-1 (run 2), item-2 (runs 0 and 1). "
                "Add them, ",
            ],
        ),
        ([(0, 0)], ["Run 0 of `item-0` has no prediction. Add it, "]),
    ],
)
def test_message_on_missing_predictions_agrees_in_number(missing: list[tuple[int, int]], messages: list[str]) -> None:
    omitted = {(ITEMS[number], run) for number, run in missing}
    verdict = check(*(row for row in answers(range(3)) if (row["id"], row["run"]) not in omitted))
    assert [problem.message for problem in verdict.problems] == [message + OR_TICK for message in messages]


def test_details_contain_the_first_fifty_missing_items() -> None:
    omitted = {(item, run) for item in ITEMS[:40] for run in range(3)} | {(item, 1) for item in ITEMS[40:59]}
    whole, partly = check(*(row for row in answers(range(3)) if (row["id"], row["run"]) not in omitted)).problems
    assert [detail.id for detail in whole.details] == ITEMS[:40]
    assert [detail.id for detail in partly.details] == ITEMS[40:50]
    assert whole.details[0].message == f"Runs 0, 1 and 2 of `item-0` have no prediction. Add them, {OR_TICK}"
    assert partly.details[0].message == f"Run 1 of `item-40` has no prediction. Add it, {OR_TICK}"


def test_details_contain_the_faults_of_a_cause() -> None:
    (problem,) = check(*({"id": item, "answer": "A"} for item in ITEMS)).problems
    assert [(detail.id, detail.line) for detail in problem.details] == list(zip(ITEMS[:50], range(1, 51), strict=True))


def test_causes_beyond_the_shown_problems_are_counted() -> None:
    answers_of_two_runs = [{"id": item, "run": run, "answer": "A"} for item in ITEMS for run in range(2)]
    outputs = [{"id": item, "run": run, "output": "A"} for item in ITEMS for run in range(3)]
    problems = check(*answers_of_two_runs, *outputs).problems
    assert [(problem.line, problem.message) for problem in problems] == [
        (121, '180 lines (121, 122, 123, …) call their answer "output"; rename it to "response".'),
        (1, '120 lines (1, 2, 3, …) call their answer "answer"; rename it to "response".'),
    ]


def test_cause_does_not_cover_every_line_if_one_line_has_another_fault() -> None:
    renamed = [{"id": item, "run": run, "answer": "A"} for item in ITEMS for run in range(3)]
    problem, other = check(*renamed, {"id": ITEMS[0]}).problems
    assert other.message.startswith("Line 181, id `item-0` has no `response`.")
    assert problem.message == '180 lines (1, 2, 3, …) call their answer "answer"; rename it to "response".'


def test_causes_are_searched_in_a_limited_number_of_kinds_of_lines() -> None:
    various = [{"id": ITEMS[0], f"field-{number}": 1, "answer": "A"} for number in range(1_000)]
    unexplained, problem = check(*various).problems
    assert unexplained.message.startswith("At least 800 lines (201, 202, 203, …) have no `response`. Expected: ")
    assert problem.message == 'At least 200 lines (1, 2, 3, …) call their answer "answer"; rename it to "response".'


def test_rows_of_a_list_on_one_line_are_counted_as_rows() -> None:
    rows = [{"id": item, "answer": "A"} for item in ITEMS]
    file = io.BytesIO(json.dumps([*rows, {"id": "item-1", "response": "A"}]).encode())
    first, *_ = validate_predictions(file, CATALOGUE, allow_missing=True).problems
    assert first.message == '60 rows (first in line 1) call their answer "answer"; rename it to "response".'


def lines_of(rows: list[dict[str, object]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def csv_of(cells: str) -> str:
    return "id,run,response\n" + "".join(f"{item},{cells}\n" for item in ITEMS)


WHOLE = answers(range(3))
HEAD = {f"setting-{number}": "x" * 100 for number in range(1_000)}
DESCRIBED = {
    "lines that are not JSON": (
        "".join(f"{line}step {number} of 180\n" for number, line in enumerate(lines_of(WHOLE).splitlines(True))),
        "180 lines (2, 4, 6, …) are plain text, not JSON.",
    ),
    "quotes within texts": (
        "".join(f'{{"id": "{item}", "response": "He said "A"."}}\n' for item in ITEMS),
        "No line is a JSON object.",
    ),
    "a file twice": (lines_of(WHOLE) * 2, "The file contains every answer twice. Remove the duplicates."),
    "a part of a file twice": (
        lines_of(WHOLE) + lines_of(WHOLE[:90]),
        "90 lines (181, 182, 183, …) answer a run that already has an answer.",
    ),
    "a list twice": (json.dumps(WHOLE) * 2, "Line 1: there is extra text after the end of the list. Remove it."),
    "results over lines": (json.dumps({"results": WHOLE}, indent=1), 'The rows are in a list called "results"'),
    "results on lines": (
        '{"results": [\n' + ",\n".join(json.dumps(row) for row in WHOLE) + "\n]}",
        'The rows are in a list called "results"',
    ),
    "results after much else": (
        json.dumps({"config": HEAD, "results": WHOLE}, indent=1),
        "180 rows (first in line 1004) have an id that differs from their key. Send only the rows",
    ),
    "cells of `run`": (csv_of("first,A"), "Every line has a `run` that is not a whole number from 0."),
    "too many cells": (csv_of("0,A, because"), "Every line has more cells than the header (3)."),
    "too few cells": (csv_of("0"), "Every line has fewer cells than the header (3)."),
    "quotes within cells": (csv_of('0,He said "A"'), "Every line has a quote inside a cell."),
}


@pytest.mark.parametrize("case", DESCRIBED)
def test_lines_with_the_same_cause_are_one_problem(case: str) -> None:
    data, start = DESCRIBED[case]
    first, *others = validate_predictions(io.BytesIO(data.encode()), CATALOGUE).problems
    assert first.message.startswith(start)
    assert len(others) <= 1, "at most one other fault, such as the line of the configuration"
