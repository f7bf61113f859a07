"""Validation of predictions by id: unknown, duplicate and missing ones, and requirements of parts and seeds."""

import io
import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import Prediction
from evaluation.predictions import (
    Catalogue,
    CatalogueItem,
    PredictionFileError,
    Problems,
    Validation,
    Validator,
    make_catalogue,
    read_checked_predictions,
    validate_predictions,
)
from evaluation.types import Item

# Two parts of two items with three runs; one item has a single run.
CATALOGUE = Catalogue(
    "Bench 1.0",
    {
        "amb-one": CatalogueItem("p", "choice", (0, 1, 2)),
        "amb-two": CatalogueItem("p", "boolean", (0, 1, 2)),
        "amb-three": CatalogueItem("q", "choice", (0, 1, 2)),
        "amb-four": CatalogueItem("q", "choice", (0,)),
    },
    runs_are_seeds=True,
)
Row = tuple[str, int]


def file_of(*rows: Row) -> io.BytesIO:
    lines = [json.dumps({"id": item_id, "run": run, "response": "A"}) for item_id, run in rows]
    return io.BytesIO("\n".join(lines).encode())


def validate(*rows: Row, allow_missing: bool = False) -> Validation:
    return validate_predictions(file_of(*rows), CATALOGUE, allow_missing=allow_missing)


def messages(verdict: Validation) -> list[str]:
    return [problem.message for problem in verdict.problems]


def test_complete_part_in_one_run_is_valid() -> None:
    verdict = validate(("amb-one", 0), ("amb-two", 0))
    assert verdict.ok
    assert (verdict.predictions, verdict.expected, verdict.missing, verdict.problems) == (2, 2, 0, ())
    verdict.require()


# rows → (expected, missing as (id, run) in the order of the catalogue)
PLANS: list[tuple[list[Row], int, list[Row]]] = [
    ([("amb-one", 0)], 2, [("amb-two", 0)]),
    ([("amb-one", 2)], 2, [("amb-two", 2)]),
    ([("amb-one", 0), ("amb-one", 1)], 4, [("amb-two", 0), ("amb-two", 1)]),
    ([("amb-one", 0), ("amb-two", 1)], 4, [("amb-one", 1), ("amb-two", 0)]),
    ([("amb-three", 0)], 2, [("amb-four", 0)]),
    ([("amb-three", 1)], 1, []),
    ([("amb-four", 0)], 2, [("amb-three", 0)]),
    ([("amb-three", 0), ("amb-three", 2)], 3, [("amb-four", 0)]),
    ([("amb-one", 0), ("amb-two", 0), ("amb-three", 1)], 3, []),
    ([("amb-one", 1), ("amb-three", 0)], 4, [("amb-two", 1), ("amb-four", 0)]),
]


def test_missing_runs_are_those_of_the_parts_and_seeds_in_the_file(subtests: pytest.Subtests) -> None:
    for rows, expected, missing in PLANS:
        with subtests.test(rows=rows, expected=expected, missing=missing):
            verdict = validate(*rows)
            assert (verdict.predictions, verdict.expected, verdict.missing) == (len(rows), expected, len(missing))
            assert [(problem.code, problem.id, problem.line) for problem in verdict.problems] == [
                ("missing", item_id, None) for item_id, _ in missing
            ]
            assert messages(verdict) == [
                f"Run {run} of `{item_id}` has no prediction. Add it, or tick “Score missing answers as wrong”."
                for item_id, run in missing
            ]
            assert verdict.ok is not bool(missing)


def test_allowed_missing_runs_are_counted_without_a_fault(subtests: pytest.Subtests) -> None:
    for rows, expected, missing in PLANS:
        with subtests.test(rows=rows, expected=expected, missing=missing):
            verdict = validate(*rows, allow_missing=True)
            assert verdict.ok
            assert (verdict.expected, verdict.missing, verdict.problems) == (expected, len(missing), ())


@pytest.mark.parametrize("allow_missing", [False, True])
def test_file_without_predictions_is_refused_even_if_missing_ones_are_allowed(allow_missing: bool) -> None:
    for data in (b"", b"\n\n", b"\xef\xbb\xbf\n"):
        verdict = validate_predictions(io.BytesIO(data), CATALOGUE, allow_missing=allow_missing)
        assert verdict.totals == {"empty-file": 1}
        assert messages(verdict) == ["The file is empty. Write one line per question."]
        assert (verdict.predictions, verdict.expected, verdict.missing) == (0, 0, 0)


@pytest.mark.parametrize("allow_missing", [False, True])
def test_file_with_only_faults_is_not_reported_as_empty(allow_missing: bool) -> None:
    verdict = validate_predictions(io.BytesIO(b"{"), CATALOGUE, allow_missing=allow_missing)
    assert verdict.totals == {"not-json": 1}


def test_unknown_id_is_reported_with_the_nearest_known_one(subtests: pytest.Subtests) -> None:
    item_id_rows: list[tuple[str, str]] = [
        ("amb-on", " Did you mean `amb-one`?"),
        ("AMB-one", " Did you mean `amb-one`?"),
        ("test/amb-one.wav", " Did you mean `amb-one`?"),
        ("amb-thre", " Did you mean `amb-three`?"),
        ("amb-0ne", " Did you mean `amb-one`?"),
        ("zzz", ""),
    ]
    for item_id, suggestion in item_id_rows:
        for allow_missing in (False, True):
            with subtests.test(allow_missing=allow_missing, item_id=item_id, suggestion=suggestion):
                verdict = validate(("amb-one", 0), ("amb-two", 0), (item_id, 0), allow_missing=allow_missing)
                (problem,) = verdict.problems
                assert (problem.code, problem.line, problem.id) == ("unknown-id", 3, item_id)
                assert problem.message == (
                    f"Line 3: id `{item_id}` is not in Bench 1.0.{suggestion} Copy the ids from questions.jsonl."
                )
                assert verdict.predictions == 2


def test_file_without_known_ids_is_reported_once_as_from_another_pack(subtests: pytest.Subtests) -> None:
    for n_unknown in (5, 200):
        for allow_missing in (False, True):
            with subtests.test(allow_missing=allow_missing, n_unknown=n_unknown):
                verdict = validate(
                    *((f"other-{number}", 0) for number in range(n_unknown)), allow_missing=allow_missing
                )
                (problem,) = verdict.problems
                assert (problem.code, problem.line, problem.id) == ("unknown-id", 1, "other-0")
                assert problem.message == (
                    "No line has an id of Bench 1.0. They may come from another question pack, such as the "
                    "practice questions or another version. Copy the ids from questions.jsonl."
                )
                assert problem.count == n_unknown
                assert verdict.totals == {"unknown-id": n_unknown}
                assert not verdict.ok


@pytest.mark.parametrize("row", [("amb-one", 0), ("amb-one", 3)])
def test_unknown_ids_are_listed_up_to_three_and_grouped_from_four(row: Row) -> None:
    for n_unknown in (3, 4, 9):
        verdict = validate(*[("x", 0)] * n_unknown, row, allow_missing=True)
        shown = [problem for problem in verdict.problems if problem.code == "unknown-id"]
        assert [problem.line for problem in shown] == ([1, 2, 3] if n_unknown == 3 else [1])
        assert sum(problem.count for problem in shown) == n_unknown
    assert shown[0].message == (
        "9 lines (1, 2, 3, …) have ids that are not in Bench 1.0. Copy the ids from questions.jsonl."
    )
    assert [detail.line for detail in shown[0].details] == list(range(1, 10))


def test_long_unknown_id_is_shortened_in_the_message() -> None:
    (problem,) = validate(("amb-one", 0), ("amb-two", 0), ("x" * 200, 0)).problems
    assert f"`{'x' * 40}…`" in problem.message
    assert problem.id == f"{'x' * 40}…"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("amb-one", 3), "Line 3: run 3 of `amb-one` does not exist. Its runs are 0, 1, 2."),
        (("amb-four", 1), "Line 3: run 1 of `amb-four` does not exist. Its runs are 0."),
    ],
)
def test_unknown_run_is_reported_with_the_known_ones(row: Row, message: str) -> None:
    verdict = validate(("amb-one", 0), ("amb-two", 0), row)
    (problem,) = verdict.problems
    assert (problem.code, problem.message, problem.line, problem.id) == ("unknown-run", message, 3, row[0])


@pytest.mark.parametrize("allow_missing", [False, True])
def test_duplicate_is_reported_with_the_line_of_the_first(allow_missing: bool) -> None:
    verdict = validate(("amb-one", 0), ("amb-two", 0), ("amb-one", 0), ("amb-one", 0), allow_missing=allow_missing)
    assert messages(verdict) == [
        f"Line {line}: run 0 of `amb-one` was already answered (line 1). Keep one." for line in (3, 4)
    ]
    assert verdict.totals == {"duplicate": 2}
    assert verdict.predictions == 2


def test_duplicate_without_line_numbers_is_reported() -> None:
    problems = Problems()
    validator = Validator(CATALOGUE, problems)
    passed = list(validator.check([Prediction("amb-one", 0, "A"), Prediction("amb-one", 0, "B")]))
    assert [prediction.response for prediction in passed] == ["A"]
    assert problems.shown[0].message == ("A prediction: run 0 of `amb-one` was already answered (earlier). Keep one.")


def test_same_item_in_another_run_is_no_duplicate() -> None:
    assert validate(*((item_id, run) for item_id in ("amb-one", "amb-two") for run in (0, 1, 2))).ok


def test_null_response_is_refused_with_its_line_and_remedy() -> None:
    data = b'{"id": "amb-one", "response": null}\n{"id": "amb-two", "response": ""}'
    verdict = validate_predictions(io.BytesIO(data), CATALOGUE)
    assert verdict.totals == {"wrong-type": 1, "missing": 1}
    assert messages(verdict)[0].startswith("Line 1, id `amb-one` has a `response` that is not a string.")


def test_faults_of_format_and_ids_are_in_file_order() -> None:
    data = (
        b'{\n{"id": "amb-one", "response": "A"}\n{"id": "x", "response": "A"}\n[]\n{"id": "amb-one", "response": "A"}'
    )
    verdict = validate_predictions(io.BytesIO(data), CATALOGUE)
    assert [(problem.code, problem.line) for problem in verdict.problems] == [
        ("not-json", 1),
        ("unknown-id", 3),
        ("not-object", 4),
        ("duplicate", 5),
        ("missing", None),
    ]


def test_faults_of_a_kind_are_one_problem_with_fifty_details_and_the_full_count(subtests: pytest.Subtests) -> None:
    for n_faults in (49, 50, 51, 200):
        with subtests.test(n_faults=n_faults):
            unknown = [(f"nobody-{number}", 0) for number in range(n_faults)]
            double = [("amb-one", 0)] * n_faults
            verdict = validate(("amb-one", 0), ("amb-two", 0), *unknown, *double)
            assert verdict.totals == {"unknown-id": n_faults, "duplicate": n_faults}
            assert [(problem.code, problem.count) for problem in verdict.problems] == [
                ("unknown-id", n_faults),
                ("duplicate", n_faults),
            ]
            assert [len(problem.details) for problem in verdict.problems] == [min(50, n_faults)] * 2
            with pytest.raises(
                PredictionFileError, match=rf"^{n_faults} lines \(3, .* \({2 * n_faults} problems in total\.\)$"
            ) as caught:
                verdict.require()
            assert caught.value.total == 2 * n_faults


def test_missing_runs_are_one_problem_with_the_full_count(subtests: pytest.Subtests) -> None:
    for n_items in (50, 51, 52, 500):
        with subtests.test(n_items=n_items):
            catalogue = Catalogue("B", {f"i{number}": CatalogueItem("p", "choice", (0,)) for number in range(n_items)})
            verdict = validate_predictions(file_of(("i0", 0)), catalogue)
            assert verdict.missing == n_items - 1
            assert verdict.totals == {"missing": n_items - 1}
            (problem,) = verdict.problems
            assert problem.message == (
                f"{n_items - 1} items have no prediction: {', '.join(f'i{number}' for number in range(1, 11))}, … "
                "Add them, or tick “Score missing answers as wrong”."
            )


def test_error_of_one_problem_is_its_message() -> None:
    with pytest.raises(PredictionFileError, match=r"questions\.jsonl\.$") as caught:
        list(read_checked_predictions(file_of(("amb-one", 0), ("amb-two", 0), ("x", 0)), CATALOGUE))
    assert caught.value.total == 1


def test_valid_predictions_of_a_faulty_file_are_yielded_before_the_error() -> None:
    seen = []
    with pytest.raises(PredictionFileError):
        for prediction in read_checked_predictions(file_of(("amb-one", 0), ("x", 0), ("amb-one", 0)), CATALOGUE):
            seen.append((prediction.id, prediction.line))
    assert seen == [("amb-one", 1)]


def test_predictions_with_allowed_gaps_are_yielded_without_an_error() -> None:
    predictions = list(read_checked_predictions(file_of(("amb-one", 0)), CATALOGUE, allow_missing=True))
    assert predictions == [Prediction("amb-one", 0, "A", 1)]


ROWS = st.lists(st.tuples(st.sampled_from([*CATALOGUE.items, "nobody"]), st.integers(0, 3)), min_size=1, max_size=20)


@given(ROWS)
def test_verdict_on_any_file_equals_plain_loops(rows: list[Row]) -> None:
    verdict = validate(*rows)
    totals: dict[str, int] = {}
    accepted: set[Row] = set()
    for item_id, run in rows:
        item = CATALOGUE.items.get(item_id)
        code = "unknown-id" if item is None else "unknown-run" if run not in item.runs else None
        code = "duplicate" if code is None and (item_id, run) in accepted else code
        if code is None:
            accepted.add((item_id, run))
        else:
            totals[code] = totals.get(code, 0) + 1
    present = {(CATALOGUE.items[item_id].part, run) for item_id, run in accepted}
    expected = {
        (name, run) for name, item in CATALOGUE.items.items() for run in item.runs if (item.part, run) in present
    }
    missing = len(expected - accepted)
    assert (verdict.predictions, verdict.expected, verdict.missing) == (len(accepted), len(expected), missing)
    assert verdict.totals == totals | ({"missing": missing} if missing else {})


@given(ROWS, st.randoms(use_true_random=True))
def test_verdict_does_not_depend_on_the_order_of_lines(rows: list[Row], random: object) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    first, second = validate(*rows), validate(*shuffled)
    assert (first.predictions, first.expected, first.missing, first.totals) == (
        second.predictions,
        second.expected,
        second.missing,
        second.totals,
    )


def test_catalogue_contains_no_text_or_answer() -> None:
    item = Item("amb-one", "p", "p/t", "Where?", "choice", ("here", "there"), (0, 1), ("clip",))
    assert make_catalogue("B", [item]) == Catalogue("B", {"amb-one": CatalogueItem("p", "choice", (0, 1), task="p/t")})
    assert set(CatalogueItem.__slots__) == {"part", "answer_format", "runs", "n_steps", "task"}


@pytest.mark.parametrize("item_id", ["amb-one", "nobody"])
def test_file_of_many_bad_ids_is_checked_in_bounded_memory(item_id: str, soak: bool) -> None:
    # Bounds: two blocks, and the rows of one, of which few lines fill a part.
    n_lines, max_bytes = (15_000, 3_000_000) if soak else (5_000, 1_700_000)
    line = json.dumps({"id": item_id, "response": "A"}).encode() + b"\n"
    file = io.BytesIO(line * n_lines)
    tracemalloc.start()
    try:
        verdict = validate_predictions(file, CATALOGUE)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert sum(verdict.totals.values()) == n_lines
    assert len(verdict.problems) <= 100
    assert peak < max_bytes
