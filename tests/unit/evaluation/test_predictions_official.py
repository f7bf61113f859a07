"""Official result files, lists of predictions, and the verdicts of process critics."""

import io
import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import Prediction
from evaluation.predictions import Catalogue, CatalogueItem, Problem, Problems, validate_predictions
from evaluation.predictions.formats import read_rows

STEPS = Catalogue(
    "Traces",
    {"t-1": CatalogueItem("p", "steps", (0,), n_steps=3), "q-1": CatalogueItem("p", "choice", (0,))},
)


def read(data: bytes) -> tuple[list[Prediction], tuple[Problem, ...]]:
    problems = Problems()
    predictions = list(read_rows(io.BytesIO(data), problems))
    return predictions, problems.shown


def read_row(row: dict[str, Any]) -> Prediction:
    predictions, problems = read(json.dumps(row).encode())
    assert problems == ()
    (prediction,) = predictions
    return prediction


STAR = {
    "id": "x_OSM_4",
    "rotate_id": 2,
    "unique_id": "x_OSM_4@2",
    "model_response": "<B>: clip 2",
    "prediction": "<A>",
    "answer": "clip 1",
    "answer_letter": "<A>",
    "is_correct": True,
}


def test_star_bench_row_gives_id_rotation_and_raw_text_but_not_its_own_verdict() -> None:
    assert read_row(STAR) == Prediction("x_OSM_4", 2, "<B>: clip 2", 1)
    assert read_row(STAR | {"prediction": "Z", "is_correct": False, "answer_letter": "<C>"}) == read_row(STAR)


def test_star_bench_row_without_a_response_is_an_empty_answer() -> None:
    assert read_row(STAR | {"model_response": None}) == Prediction("x_OSM_4", 2, None, 1)


MAIN = {"id": "0007", "question": "?", "chosens": ["a", "b"], "answer": "a", "category": "x", "audio_path": "./a.wav"}
MULTI = {"id": "0007", "question": "?", "chosens": ["a", "b"], "answer": ["a"], "audio_path_1": "a"}
OPEN = {"id": "0007", "question": "?", "answer": "text", "audio_path": "./a.wav"}


def test_mdar_row_belongs_to_the_part_that_its_fields_show(subtests: pytest.Subtests) -> None:
    rows: list[tuple[dict[str, Any], str, str | None]] = [
        (MAIN | {"model_output": "a"}, "main-0007", "a"),
        (MULTI | {"model_output": ["a\nb", "never read"]}, "multi-0007", "a\nb"),
        (MULTI | {"model_output": []}, "multi-0007", None),
        (MULTI | {"model_output": "b"}, "multi-0007", "b"),
        (OPEN | {"model_output": "words"}, "open-0007", "words"),
        (OPEN | {"model_output": None}, "open-0007", None),
    ]
    for row, item_id, response in rows:
        with subtests.test(row=row, item_id=item_id, response=response):
            assert read_row(row) == Prediction(item_id, 0, response, 1)


def test_list_of_rows_is_read_with_their_lines(subtests: pytest.Subtests) -> None:
    for bom in (b"", b"\xef\xbb\xbf"):
        for indent in (None, 4):
            with subtests.test(indent=indent, bom=bom):
                rows = [MAIN | {"id": f"{number:04}", "model_output": "答案是a"} for number in range(3)]
                predictions, problems = read(bom + json.dumps(rows, indent=indent, ensure_ascii=False).encode())
                assert problems == ()
                lines = [1, 1, 1] if indent is None else [2, 14, 26]
                assert predictions == [
                    Prediction(f"main-{n:04}", 0, "答案是a", line) for n, line in zip(range(3), lines, strict=True)
                ]


@pytest.mark.parametrize("data", [b"[]", b" [ ] ", b"[\n]\n"])
def test_empty_list_contains_no_predictions(data: bytes) -> None:
    assert read(data) == ([], ())


ROW = b'{"id": "a", "response": "x"}'


def test_fault_of_a_list_is_located(subtests: pytest.Subtests) -> None:
    rows: list[tuple[bytes, int, str, int]] = [
        (b"[", 0, "not-json", 1),
        (b"[\n" + ROW, 1, "not-json", 2),
        (b"[\n" + ROW + b",\n", 1, "not-json", 3),
        (b"[\n" + ROW + b",\n]", 1, "not-json", 3),
        (b"[" + ROW + b" " + ROW + b"]", 1, "not-json", 1),
        (b"[" + ROW + b"]\n" + ROW, 1, "not-json", 2),
        (b"[\n{'id': 1}]", 0, "not-json", 2),
        (b"[" + ROW + b",\n1,\n" + ROW + b"]", 2, "not-object", 2),
        (b"[" + ROW + b",\n{}]", 1, "missing-field", 2),
        (b'[{"id": "a", "response": "\xff"}]', 0, "encoding", 1),
        (rb'[{"id": "a", "response": "\ud800"}]', 0, "not-json", 1),
        (b"[" + b"[" * 100_000 + b"]" * 100_000 + b"]", 0, "not-json", 1),
        (b'[{"id": "a", "response": "' + b"x" * 3_000_000 + b'"}]', 0, "not-json", 1),
        (b'[{"id": "a", "response": "x", "run": ' + b"9" * 6000 + b"}]", 0, "wrong-type", 1),
    ]
    for data, n_found, code, line in rows:
        with subtests.test(data=data, n_found=n_found, code=code, line=line):
            predictions, problems = read(data)
            assert len(predictions) == n_found
            assert [(problem.code, problem.line) for problem in problems] == [(code, line)]
            assert problems[0].message.isprintable()


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), max_size=5), st.sampled_from([None, 1]))
def test_list_written_by_a_json_library_is_read_back(responses: list[str], indent: int | None) -> None:
    rows = [{"id": f"i{number}", "response": text} for number, text in enumerate(responses)]
    predictions, problems = read(json.dumps(rows, indent=indent, ensure_ascii=False).encode())
    assert problems == ()
    assert [(prediction.id, prediction.response) for prediction in predictions] == [
        (r["id"], r["response"]) for r in rows
    ]


@given(st.binary(max_size=200))
def test_any_bytes_after_a_bracket_give_predictions_or_problems_but_no_error(data: bytes) -> None:
    _, problems = read(b"[" + data)
    assert all(problem.message.isprintable() for problem in problems)


def test_list_of_many_rows_is_read_in_bounded_memory(soak: bool) -> None:
    n_rows = 100_000 if soak else 30_000
    data = b"[" + b",\n".join([ROW] * n_rows) + b"]"
    problems = Problems()
    tracemalloc.start()
    try:
        n_read = sum(1 for _ in read_rows(io.BytesIO(data), problems))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (n_read, problems.total) == (n_rows, 0)
    assert peak < 4_000_000  # the predictions alone would take more


def validate(*rows: dict[str, Any]) -> list[tuple[str, int | None]]:
    data = "\n".join(json.dumps(row) for row in rows).encode()
    verdict = validate_predictions(io.BytesIO(data), STEPS, allow_missing=True)
    return [(problem.code, problem.line) for problem in verdict.problems]


def test_one_verdict_per_step_is_accepted_with_and_without_scores() -> None:
    assert validate({"id": "t-1", "erroneous": [True, False, True]}) == []
    assert validate({"id": "t-1", "erroneous": [True, False, True], "scores": [1, 0.25, 0]}) == []
    assert validate({"id": "t-1", "response": "[true, false, true]"}) == []
    flagged = read_row({"id": "t-1", "erroneous": [True, False], "scores": [1, 0.25]})
    assert flagged == Prediction("t-1", 0, None, 1, (True, False), (1.0, 0.25))


def test_verdicts_that_do_not_fit_are_refused(subtests: pytest.Subtests) -> None:
    rows: list[tuple[dict[str, Any], str]] = [
        ({"erroneous": [True, False]}, "wrong-length"),
        ({"erroneous": []}, "wrong-length"),
        ({"erroneous": [True] * 4}, "wrong-length"),
        ({"erroneous": [True] * 3, "scores": [0.5] * 2}, "wrong-length"),
        ({"erroneous": [True] * 3, "scores": [0.5, 0.5, 1.5]}, "out-of-range"),
        ({"erroneous": [True] * 3, "scores": [0.5, 0.5, -0.1]}, "out-of-range"),
        ({"erroneous": [True, False, 1]}, "wrong-type"),
        ({"erroneous": "true"}, "wrong-type"),
        ({"erroneous": [True] * 3, "scores": [0.5, 0.5, "1"]}, "wrong-type"),
        ({"scores": [0.5, 0.5, 0.5]}, "missing-field"),
        ({}, "missing-field"),
    ]
    for fields, code in rows:
        with subtests.test(fields=fields, code=code):
            good = {"id": "t-1", "erroneous": [True, False, True]}
            assert [problem for problem in validate({"id": "t-1"} | fields, good) if problem[0] != "empty-file"] == [
                (code, 1)
            ]


def test_verdicts_for_a_question_with_a_text_answer_are_refused() -> None:
    assert validate({"id": "q-1", "erroneous": [True]}) == [("wrong-form", 1)]
