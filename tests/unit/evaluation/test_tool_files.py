"""Result files of other tools: IDs, runs and raw responses are read, whatever else they contain."""

import gzip
import io
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import Prediction
from evaluation.predictions import (
    Problem,
    Problems,
    Validation,
    make_catalogue,
    read_checked_predictions,
    validate_predictions,
)
from evaluation.predictions.formats import read_rows
from evaluation.types import Item
from tests.support.samples.intake_files import SlowFile, zip_of
from tests.support.samples.tool_writers import RESULTS, TOOL_FORMS, make_inspect_sample, zip_zstandard

LONG = "The left bell of this made-up take rings first, then the right one answers, and both fade slowly. " * 4 + "(A)"
MOCK = "Default output from mockllm/model"
TABLE = [
    ("made-up-0", 0, "(A) The left bell, <first> & loudest."),
    ("made-up-0", 1, "Line one\nline two: (B)"),
    ("made-up-1", 0, 'She said "B"'),
]
EPOCHS = [
    ("made-up-0", 0, LONG),
    ("made-up-1", 0, "(B) take 1"),
    ("made-up-0", 1, "(A) take 2"),
    ("made-up-1", 1, "(B) take 3"),
]
OF_TOOLS = {
    "inspect-ai-0.3.285.eval": EPOCHS,
    "inspect-ai-0.3.285.json": EPOCHS,
    "evalscope-1.14.1-reviews.jsonl": [(f"made-up-{n}", run, MOCK) for n in (0, 1) for run in (0, 1)],
    "evalscope-1.14.1-predictions.jsonl": [(f"made-up-{n}", 0, MOCK) for n in (0, 0, 1, 1)],
    "lmms-eval-0.7.3.jsonl": [(f"made-up-{n}", 0, "A") for n in range(3)],
    "vlmevalkit-table-pandas-3.1.1.tsv": TABLE,
    "vlmevalkit-table-openpyxl-3.1.5.xlsx": TABLE,
    "vlmevalkit-table-xlsxwriter-3.3.1.xlsx": TABLE,
}
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"))
IDS = st.from_regex(r"[a-z0-9][a-z0-9_/.-]{0,20}", fullmatch=True)
ROWS = [{"id": f"bell-{n}", "run": run, "response": f"({'ABC'[n % 3]}) run {run}"} for n in range(6) for run in (0, 1)]
CATALOGUE = make_catalogue(
    "Bench 1.0",
    [Item(f"bell-{n}", "p", "t", "Which bell?", "choice", ("a", "b", "c"), (0, 1), ()) for n in range(6)],
    runs_are_seeds=False,
)


def read(data: bytes, sizes: list[int] | None = None) -> tuple[list[Prediction], tuple[Problem, ...]]:
    problems = Problems()
    file = io.BytesIO(data) if sizes is None else io.BufferedReader(SlowFile(data, sizes), min(sizes))
    return list(read_rows(file, problems)), problems.shown


def check(data: bytes) -> Validation:
    return validate_predictions(io.BytesIO(data), CATALOGUE)


def to_triples(predictions: list[Prediction]) -> list[tuple[str, int, str | None]]:
    return [(prediction.id, prediction.run, prediction.response) for prediction in predictions]


def test_files_that_the_tools_wrote_are_read(subtests: pytest.Subtests) -> None:
    assert {path.name for path in RESULTS.iterdir()} == set(OF_TOOLS)
    for name, expected in OF_TOOLS.items():
        with subtests.test(name=name):
            predictions, problems = read((RESULTS / name).read_bytes())
            assert (to_triples(predictions), problems) == (expected, ())


@given(
    st.lists(st.builds(lambda i, r, t: {"id": i, "run": r, "response": t}, IDS, st.integers(0, 9), TEXTS), min_size=1),
    st.sampled_from([*TOOL_FORMS]),
    st.lists(st.integers(1, 5_000), min_size=1, max_size=4),
)
def test_predictions_of_every_tool_are_read_back_from_any_chunks(
    rows: list[dict[str, Any]], form: str, sizes: list[int]
) -> None:
    predictions, problems = read(TOOL_FORMS[form](rows), sizes)
    assert problems == ()
    expected = sorted((row["id"], row["run"], row["response"]) for row in rows)
    assert sorted(to_triples(predictions)) == expected


def test_file_of_a_tool_has_the_verdict_of_plain_lines(subtests: pytest.Subtests) -> None:
    plain = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
    for form, write in TOOL_FORMS.items():
        with subtests.test(form=form):
            assert check(write(ROWS)) == check(plain)
            predictions = read_checked_predictions(io.BytesIO(write(ROWS)), CATALOGUE)
            assert sorted(to_triples([*predictions])) == [(row["id"], row["run"], row["response"]) for row in ROWS]


def test_text_file_of_a_tool_may_be_packed(subtests: pytest.Subtests) -> None:
    for form, write in TOOL_FORMS.items():
        data = write(ROWS)
        if data.startswith(b"PK"):
            continue
        for packing in (gzip.compress, zip_of):
            with subtests.test(form=form, packing=packing.__name__):
                assert check(packing(data)).ok


PLACES = {
    "inspect-eval": "Sample 3",
    "inspect-json": "Line 122",
    "vlmevalkit-xlsx": "Row 4",
    "vlmevalkit-tsv": "Line 4",
    "lmms-eval": "Line 3",
    "evalscope-predictions": "Line 3",
    "evalscope-reviews": "Line 3",
    "ultraeval": "Line 16",
    "helm": "Line 74",
}


def test_unknown_id_is_reported_with_its_place(subtests: pytest.Subtests) -> None:
    rows = [*ROWS]
    rows[2] = rows[2] | {"id": "bell-77"}
    for form, write in TOOL_FORMS.items():
        with subtests.test(form=form):
            unknown = next(problem for problem in check(write(rows)).problems if problem.code == "unknown-id")
            assert unknown.message.startswith(f"{PLACES[form]}: id `bell-77` is not in Bench 1.0.")
            assert (unknown.id, unknown.line) == ("bell-77", int(PLACES[form].split()[1]))


def test_second_answer_to_a_run_is_reported(subtests: pytest.Subtests) -> None:
    for form, write in TOOL_FORMS.items():
        with subtests.test(form=form):
            (problem,) = check(write([*ROWS, ROWS[0]])).problems
            assert problem.code == "duplicate"
            assert problem.message.startswith(PLACES[form].split()[0])


def test_numbers_as_ids_are_explained(subtests: pytest.Subtests) -> None:
    for form in ("inspect-json", "inspect-eval", "helm"):
        with subtests.test(form=form):
            data = TOOL_FORMS[form]([row | {"id": n, "run": 0} for n, row in enumerate(ROWS)])
            (problem,) = [entry for entry in check(data).problems if entry.code == "missing-field"]
            assert "must be given the ids of questions.jsonl there" in problem.message
            assert problem.count == len(ROWS)


def break_samples() -> Iterator[tuple[str, dict[str, Any], str, str]]:
    good = make_inspect_sample(ROWS[0])
    failed = good | {"error": {"message": "lost"}, "output": {"completion": ""}}
    yield "failed", failed, "missing-field", "Sample 1, id `bell-0`, failed in inspect_ai"
    yield "without output", good | {"output": {}}, "missing-field", "Sample 1, id `bell-0`, has no `output.completion`."
    yield "number", good | {"output": {"completion": 3}}, "wrong-type", "Sample 1, id `bell-0`, has a value of `ou"
    yield (
        "epoch",
        good | {"epoch": "one"},
        "wrong-type",
        "Sample 1, id `bell-0`, has a value of `epoch` that is not a whole",
    )
    yield "epoch 0", good | {"epoch": 0}, "unknown-run", "Sample 1: run -1 of `bell-0` does not exist."
    yield "no object", [], "missing-field", "Sample 1 has no text in `id`."  # type: ignore[misc]


def test_faulty_samples_of_a_log_are_reported_and_the_others_read(subtests: pytest.Subtests) -> None:
    other = json.dumps(make_inspect_sample(ROWS[2])).encode()
    for name, sample, code, message in break_samples():
        with subtests.test(name=name):
            data = zip_zstandard({"samples/a.json": json.dumps(sample).encode(), "samples/b.json": other})
            predictions, (problem,) = read(data)
            assert (problem.code, problem.message[: len(message)]) == (code, message)
            assert to_triples(predictions) == [("bell-1", 0, "(B) run 0")]


BROKEN = {
    "cut": (b'{"id": "bell-0", "output": {"completion": "A', "not-json", "Sample 1 is cut off."),
    "more": (b'{"id": "bell-0"} {}', "not-json", "Sample 1 has extra text after the object."),
    "twice": (b'{"id": "bell-0", "id": "bell-1"}', "duplicate-field", "Sample 1 has `id` more than once."),
    "escaped twice": (b'{"id": "a", "\\u0069d": "b"}', "duplicate-field", "Sample 1 has `id` more than once."),
    "text": (
        b"nothing",
        "missing-field",
        "Sample 1 has no text in `id`. inspect_ai must be given the ids of questions.jsonl there.",
    ),
    "empty": (b"", "not-json", "Sample 1 is cut off."),
    "not UTF-8": (
        b'{"id": "bell-0", "output": {"completion": "\xff"}}',
        "encoding",
        "Sample 1, id `bell-0`, has a value of `output.completion` that is not UTF-8.",
    ),
    "long name": (b'{"%s": 1}' % (b"n" * 5_000), "not-json", "Sample 1 has a field name that is too long."),
    "long value": (
        b'{"id": "bell-0", "output": {"completion": "%s"}}' % (b"A" * 3_000_000),
        "line-too-long",
        "Sample 1 has a value of more than 2,500,000 bytes.",
    ),
    "deep": (b'{"id": "bell-0", "output": {"completion": %s' % (b"[" * 200_000), "not-json", "Sample 1 is cut off."),
}


def test_broken_sample_is_one_error(subtests: pytest.Subtests, soak: bool) -> None:
    for name, (data, code, message) in BROKEN.items():
        with subtests.test(name=name):
            sample = data.replace(b"[" * 1_000, b"[" * 10_000) if soak else data
            predictions, problems = read(zip_zstandard({"_journal/start.json": b"{}", "samples/a.json": sample}))
            assert [(problem.code, problem.message) for problem in problems] == [(code, message)]
            assert predictions == []


def test_lines_after_a_broken_line_are_read() -> None:
    lines = TOOL_FORMS["lmms-eval"](ROWS).splitlines(keepends=True)
    data = b"".join([lines[0], lines[1][:60] + b"\n", b"\n", b"{}\n", lines[2], lines[3].rstrip(b"\n")])
    predictions, problems = read(b"\xef\xbb\xbf" + data)
    assert [prediction.line for prediction in predictions] == [1, 5, 6]
    assert [(problem.line, problem.code) for problem in problems] == [(2, "not-json"), (4, "missing-field")]


def test_file_of_a_tool_with_random_changes_never_raises(subtests: pytest.Subtests) -> None:
    rng = random.Random(5)
    for form, write in TOOL_FORMS.items():
        with subtests.test(form=form):
            good = write(ROWS)
            for _ in range(150):
                data = bytearray(good)
                for _ in range(rng.randrange(1, 6)):
                    data[rng.randrange(len(data))] = rng.choice(b'\x00"\\{}[],:0<>&#\xff')
                if rng.random() < 0.3:
                    del data[rng.randrange(len(data)) :]
                predictions, problems = read(bytes(data))
                assert len(predictions) <= len(ROWS)
                assert all(problem.message for problem in problems)


def test_rows_of_ultraeval_need_the_line_that_names_their_question() -> None:
    records = [json.loads(line) for line in TOOL_FORMS["ultraeval"](ROWS[:2]).splitlines()]
    for lost, code in ((1, "missing-field"), (7, "missing-field")):
        data = "".join(json.dumps(record) + "\n" for n, record in enumerate(records) if n != lost).encode()
        predictions, (problem,) = read(data)
        assert (len(predictions), problem.code) == (1, code)
    failed = {"type": "error", "id": 0, "data": {"info": "Traceback"}}
    _, problems = read(json.dumps(records[1]).encode() + b"\n" + json.dumps(failed).encode())
    assert [problem.message for problem in problems] == [
        "Line 2 says that a question failed in UltraEval-Audio. Run it again."
    ]


def test_responses_of_ultraeval_without_a_question_are_bounded() -> None:
    records = ({"type": "inference", "id": n, "data": {"content": "A"}} for n in range(3_000))
    _, (problem,) = read("".join(json.dumps(record) + "\n" for record in records).encode())
    assert problem.line == 2_001
    assert problem.message.startswith("Line 2001: too many responses have no line of type `eval`")


def test_completions_of_helm_are_runs() -> None:
    state = json.loads(TOOL_FORMS["helm"](ROWS[:1]))
    first = state["request_states"][0]
    first["train_trial_index"] = 2
    first["result"]["completions"] = [{"text": text} for text in "AB"]
    failed = first | {"result": {"success": False, "completions": []}}
    asked = first | {"reference_index": 0}
    state["request_states"] = [first, failed, asked]
    predictions, problems = read(json.dumps(state).encode())
    assert to_triples(predictions) == [("bell-0", 4, "A"), ("bell-0", 5, "B")]
    assert [problem.code for problem in problems] == ["missing-field", "wrong-form"]


def test_repeats_of_lmms_eval_are_runs(subtests: pytest.Subtests) -> None:
    forms = {"flat": ["A", "B"], "in a list": [["A", "B"]]}
    for name, responses in forms.items():
        with subtests.test(name=name):
            line = {"doc_id": 0, "doc": {"id": "bell-0"}, "target": "Z", "resps": responses, "filtered_resps": ["Z"]}
            predictions, problems = read(json.dumps(line).encode())
            assert (to_triples(predictions), problems) == ([("bell-0", 0, "A"), ("bell-0", 1, "B")], ())


def test_calls_that_failed_in_lmms_eval_are_errors() -> None:
    text = "[LMMS_EVAL_REQUEST_FAILED after 5 retries] Connection error."
    records = [
        {"doc_id": number, "target": f"bell-{number}", "resps": [response], "filtered_resps": response}
        for number, response in enumerate((text, f"No, not {text}"))
    ]
    predictions, (problem,) = read("".join(json.dumps(record) + "\n" for record in records).encode())
    assert to_triples(predictions) == [("bell-1", 0, f"No, not {text}")]
    assert problem.message.startswith(
        "Line 1, id `bell-0`, failed in lmms-eval, so it has no response. Run the task again"
    )
