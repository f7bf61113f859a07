"""JSON Lines intake: every fault is reported once, with its line, its id if there is one, and the remedy."""

import io
import json
import tracemalloc
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import Prediction, read_predictions
from evaluation.errors import UnknownBenchmarkError
from evaluation.predictions import PredictionFileError, Problem, Problems
from evaluation.predictions.field_names import safe
from evaluation.predictions.jsonl import read_jsonl
from evaluation.predictions.other_tools import EXPECTED_ROW
from evaluation.predictions.problems import SHOWN_OF_A_KIND
from evaluation.predictions.row_faults import MAX_RESPONSE_CHARACTERS, MAX_RUN
from evaluation.predictions.rows import MAX_ROW_BYTES

GOOD = b'{"id": "a", "run": 0, "response": "A"}\n'
BOM = b"\xef\xbb\xbf"


class Fault(NamedTuple):
    """A line, its expected code, and its expected message after `Line 3`."""

    line: bytes
    code: str
    start: str
    id: str | None = None


def row(**fields: object) -> bytes:
    return json.dumps({"id": "a", "response": "x"} | fields).encode()


NOT_JSON = " is not a JSON object. Write one object per line and nothing else."
NOT_OBJECT = " is not a JSON object. Expected: "
NOT_UTF8 = " is not UTF-8. Save the file as UTF-8."
NO_RUN = " has a `run` that is not a whole number from 0. Expected: "
NO_TEXT = " has a `response` that is not a string. Expected: "
NO_ID = " has an `id` that is not a string. Expected: "
OF_A = ", id `a`"

FAULTS = [
    # not JSON
    Fault(b"id,run,response", "not-json", NOT_JSON),
    Fault(b"<html>", "not-json", NOT_JSON),
    Fault(b"// comment", "not-json", NOT_JSON),
    Fault(b"undefined", "not-json", NOT_JSON),
    Fault(b"True", "not-json", NOT_JSON),
    Fault(b"NaN", "not-json", NOT_JSON),
    Fault(b"\x00", "encoding", NOT_UTF8),
    Fault(b"\xe2\x80\xa8", "not-json", NOT_JSON),
    Fault(BOM + row(), "not-json", OF_A + NOT_JSON, "a"),
    Fault(b"{'id': 'a', 'response': 'x'}", "not-json", NOT_JSON),
    Fault(b'{"id": "a", "response": "x",}', "not-json", OF_A + NOT_JSON, "a"),
    Fault(b'{"id": "a" "response": "x"}', "not-json", OF_A + NOT_JSON, "a"),
    Fault(b'{"id": "a", "response": "x"', "not-json", OF_A + NOT_JSON, "a"),
    Fault(b'{"id": "a", "response": "x', "not-json", OF_A + NOT_JSON, "a"),
    Fault(b'{"id": "a', "not-json", NOT_JSON),
    Fault(row() + b" x", "not-json", OF_A + NOT_JSON, "a"),
    Fault(row() + row(), "not-json", OF_A + NOT_JSON, "a"),
    Fault(row() + b"," + row(), "not-json", OF_A + NOT_JSON, "a"),
    Fault(b'{"id": "a", "response": "x\x00"}', "not-json", OF_A + NOT_JSON, "a"),
    Fault(b'{"id": "a", "response": "x\ty"}', "not-json", OF_A + NOT_JSON, "a"),
    Fault(rb'{"id": "a", "response": "\x41"}', "not-json", OF_A + NOT_JSON, "a"),
    Fault(b'{"id": "a", "run": NaN, "response": "x"}', "not-json", OF_A + NOT_JSON, "a"),
    Fault(b'{"id": "a", "response": NaN}', "not-json", OF_A + NOT_JSON, "a"),
    Fault(b'{"id": "a", "response": "x", "score": NaN}', "not-json", OF_A + NOT_JSON, "a"),
    Fault(b'{"id": "a", "response": "x", "score": -Infinity}', "not-json", OF_A + NOT_JSON, "a"),
    Fault(b'{"id": "a", "run": 01, "response": "x"}', "not-json", OF_A + NOT_JSON, "a"),
    Fault(b'{"id": "a", "run": +1, "response": "x"}', "not-json", OF_A + NOT_JSON, "a"),
    Fault(b'{"id": "a", "run": 0x1, "response": "x"}', "not-json", OF_A + NOT_JSON, "a"),
    # lone surrogates, which no UTF-8 file can contain
    Fault(rb'{"id": "a", "response": "\ud800"}', "not-json", OF_A + NOT_JSON, "a"),
    Fault(rb'{"id": "a", "response": "\udc00\ud800"}', "not-json", OF_A + NOT_JSON, "a"),
    Fault(rb'{"id": "\ud800", "response": "x"}', "not-json", NOT_JSON),
    # a hundred thousand brackets
    Fault(b"[" * 100_000, "not-object", NOT_OBJECT),
    Fault(b'{"a":' * 100_000, "not-json", NOT_JSON),
    Fault(
        b'{"id": "a", "response": "x", "z": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        "not-json",
        OF_A + NOT_JSON,
        "a",
    ),
    Fault(b'{"id": "a", "response": ' + b"[" * 100_000 + b"}", "wrong-type", OF_A + NO_TEXT, "a"),
    # JSON, but no object
    Fault(b"[]", "not-object", NOT_OBJECT),
    Fault(b"[" + row() + b"]", "not-object", OF_A + NOT_OBJECT, "a"),
    Fault(b'"a"', "not-object", NOT_OBJECT),
    Fault(b"1", "not-object", NOT_OBJECT),
    Fault(b"null", "not-object", NOT_OBJECT),
    Fault(b"true", "not-object", NOT_OBJECT),
    # missing fields
    Fault(b"{}", "missing-field", " has no `id`."),
    Fault(b'{"response": "x"}', "missing-field", " has no `id`."),
    Fault(b'{"ID": "a", "response": "x"}', "missing-field", " has no `id`."),
    Fault(b'{"id": "a"}', "missing-field", OF_A + " has no `response`.", "a"),
    Fault(b'{"id": "a", "answer": "x"}', "missing-field", OF_A + " has no `response`.", "a"),
    # wrong types
    Fault(row(id=1), "wrong-type", NO_ID),
    Fault(row(id=None), "wrong-type", NO_ID),
    Fault(row(id=["a"]), "wrong-type", NO_ID),
    Fault(row(response=None), "wrong-type", OF_A + NO_TEXT, "a"),
    Fault(row(response=1), "wrong-type", OF_A + NO_TEXT, "a"),
    Fault(row(response=True), "wrong-type", OF_A + NO_TEXT, "a"),
    Fault(row(response=["x"]), "wrong-type", OF_A + NO_TEXT, "a"),
    Fault(row(response={"text": "x"}), "wrong-type", OF_A + NO_TEXT, "a"),
    Fault(row(run=True), "wrong-type", OF_A + NO_RUN, "a"),
    Fault(row(run=False), "wrong-type", OF_A + NO_RUN, "a"),
    Fault(row(run=0.0), "wrong-type", OF_A + NO_RUN, "a"),
    Fault(row(run=1.5), "wrong-type", OF_A + NO_RUN, "a"),
    Fault(row(run="0"), "wrong-type", OF_A + NO_RUN, "a"),
    Fault(row(run=None), "wrong-type", OF_A + NO_RUN, "a"),
    Fault(row(run=[0]), "wrong-type", OF_A + NO_RUN, "a"),
    Fault(b'{"id": "a", "run": 1e2, "response": "x"}', "wrong-type", OF_A + NO_RUN, "a"),
    Fault(b'{"id": "a", "run": 1e400, "response": "x"}', "wrong-type", OF_A + NO_RUN, "a"),
    Fault(b'{"id": "a", "run": ' + b"9" * 100_000 + b', "response": "x"}', "wrong-type", OF_A + NO_RUN, "a"),
    # runs that no benchmark has
    Fault(row(run=-1), "unknown-run", ": run -1 of `a` does not exist. Runs start at 0", "a"),
    Fault(row(run=MAX_RUN + 1), "unknown-run", ": run 1001 of `a` does not exist.", "a"),
    Fault(row(run=10**30), "unknown-run", ": run 1000000000000000000000000000000 of `a` does not exist.", "a"),
    # ids that no benchmark has
    Fault(row(id=""), "bad-id", ": the id `` is empty, too long or contains invalid characters."),
    Fault(row(id="a b"), "bad-id", ": the id `a b` is empty, too long or contains"),
    Fault(row(id="é"), "bad-id", ": the id `é` is empty, too long or contains"),
    Fault(row(id="a\u202eb"), "bad-id", ": the id `a�b` is empty, too long or contains"),
    Fault(row(id="a\n"), "bad-id", ": the id `a�` is empty, too long or contains"),
    Fault(row(id="a" * 201), "bad-id", f": the id `{'a' * 40}…` is empty, too long or contains"),
    # not UTF-8
    Fault(b'{"id": "a", "response": "\xff"}', "encoding", OF_A + NOT_UTF8, "a"),
    Fault(b'{"id": "\xff", "response": "x"}', "encoding", NOT_UTF8),
    Fault(b'{"id": "a", "response": "x\xed\xa0\x80"}', "encoding", OF_A + NOT_UTF8, "a"),
    Fault('{"id": "a", "response": "schön"}'.encode("latin-1"), "encoding", OF_A + NOT_UTF8, "a"),
    # lengths
    Fault(
        row(response="x" * (MAX_RESPONSE_CHARACTERS + 1)),
        "response-too-long",
        ": the response of `a` has 200,001 characters; 200,000 are allowed. Shorten it",
        "a",
    ),
    Fault(row(response="x" * MAX_ROW_BYTES), "line-too-long", " is longer than 2,500,000 bytes. Write one prediction"),
]


def read(data: bytes) -> tuple[list[Prediction], tuple[Problem, ...], dict[str, int]]:
    problems = Problems()
    predictions = list(read_jsonl(io.BytesIO(data), problems))
    return predictions, problems.shown, problems.totals


def read_valid(data: bytes) -> list[Prediction]:
    predictions, problems, _ = read(data)
    assert problems == ()
    return predictions


def test_fault_table_has_at_least_fifty_rows() -> None:
    assert len(FAULTS) >= 50


def test_faulty_line_is_reported_with_its_number_and_remedy(subtests: pytest.Subtests) -> None:
    for fault in FAULTS:
        with subtests.test(fault=fault):
            predictions, problems, totals = read(GOOD + b"\n" + fault.line + b"\n" + GOOD)
            assert totals == {fault.code: 1}
            (problem,) = problems
            assert problem.code == fault.code
            assert problem.message.startswith(f"Line 3{fault.start}"), problem.message
            assert problem.line == 3
            assert problem.id == fault.id
            assert len(problem.message) < 400
            assert problem.message.isprintable()
            assert [prediction.line for prediction in predictions] == [1, 4], "the good lines around it are read"


def test_message_on_the_format_of_a_line_shows_a_valid_one(subtests: pytest.Subtests) -> None:
    for code in ("not-json", "not-object", "missing-field", "wrong-type", "encoding"):
        with subtests.test(code=code):
            fault = next(fault for fault in FAULTS if fault.code == code)
            _, (problem,), _ = read(fault.line)
            assert problem.message.endswith(f"Expected: {EXPECTED_ROW}")
            assert set(json.loads(EXPECTED_ROW)) == {"id", "run", "response"}


def test_message_shows_the_expected_row_once(subtests: pytest.Subtests) -> None:
    for line in (b"plain text", b'"text"', b"12", b'[{"id": "amb-one"}]'):
        with subtests.test(line=line):
            _, (problem,), _ = read(line)
            assert problem.message.count(EXPECTED_ROW) == 1


def test_file_in_every_allowed_format_is_read(subtests: pytest.Subtests) -> None:
    rows: list[tuple[bytes, list[tuple[str, int, str, int]]]] = [
        (b"", []),
        (b"\n\n \n\t\n\r\n", []),
        (BOM, []),
        (BOM + b"\n", []),
        (GOOD, [("a", 0, "A", 1)]),
        (GOOD.rstrip(), [("a", 0, "A", 1)]),
        (BOM + GOOD, [("a", 0, "A", 1)]),
        (GOOD.replace(b"\n", b"\r\n") * 2, [("a", 0, "A", 1), ("a", 0, "A", 2)]),
        (b"\n" + GOOD + b"\n  \n" + GOOD, [("a", 0, "A", 2), ("a", 0, "A", 5)]),
        (b"  " + GOOD, [("a", 0, "A", 1)]),
        (row(), [("a", 0, "x", 1)]),
        (row(run=2), [("a", 2, "x", 1)]),
        (row(run=MAX_RUN), [("a", MAX_RUN, "x", 1)]),
        (b'{"id": "a", "run": -0, "response": "x"}', [("a", 0, "x", 1)]),
        (row(response=""), [("a", 0, "", 1)]),
        (row(response="é 鍵 \U0001f3bb\u202e\x00"), [("a", 0, "é 鍵 \U0001f3bb\u202e\x00", 1)]),
        (json.dumps({"id": "a", "response": "é 鍵"}, ensure_ascii=False).encode(), [("a", 0, "é 鍵", 1)]),
        (row(score=1.5, extra={"deep": [1, None]}), [("a", 0, "x", 1)]),
        (b'{"id": "a", "response": "x", "score": 1e999}', [("a", 0, "x", 1)]),
        (b'{"id": "a", "response": "x", "n": ' + b"9" * 10_000 + b"}", [("a", 0, "x", 1)]),
        (row(id="~!" + "a" * 198), [("~!" + "a" * 198, 0, "x", 1)]),
    ]
    for data, expected in rows:
        with subtests.test(data=data, expected=expected):
            assert read_valid(data) == [Prediction(*fields) for fields in expected]


def test_longest_allowed_response_is_read() -> None:
    (prediction,) = read_valid(row(response="x" * MAX_RESPONSE_CHARACTERS))
    assert len(prediction.response or "") == MAX_RESPONSE_CHARACTERS


def test_longest_allowed_line_is_read_and_one_byte_more_is_refused(subtests: pytest.Subtests) -> None:
    for extra in (0, 1):
        for ending in (b"\n", b""):
            with subtests.test(ending=ending, extra=extra):
                line = row(pad="x" * 1_000)
                line = (
                    line.replace(b"x" * 1_000, b"x" * (1_000 + MAX_ROW_BYTES - len(line) - len(ending) + extra))
                    + ending
                )
                assert len(line) == MAX_ROW_BYTES + extra
                predictions, problems, _ = read(line + (GOOD if ending else b""))
                assert [problem.code for problem in problems] == ["line-too-long"] * extra
                assert [prediction.line for prediction in predictions] == [1, 2][extra : 2 if ending else 1]


def test_line_of_many_times_the_limit_is_one_problem_and_the_next_is_read() -> None:
    predictions, problems, totals = read(b"x" * (3 * MAX_ROW_BYTES + 17) + b"\n" + GOOD)
    assert totals == {"line-too-long": 1}
    assert problems[0].line == 1
    assert [prediction.line for prediction in predictions] == [2]


def test_overlong_line_at_any_block_border_does_not_hide_the_next(subtests: pytest.Subtests) -> None:
    rows: list[int] = [MAX_ROW_BYTES, MAX_ROW_BYTES + 1, 2 * MAX_ROW_BYTES, 2 * MAX_ROW_BYTES + 1]
    for n_bytes in rows:
        with subtests.test(n_bytes=n_bytes):
            predictions, _, totals = read(b"x" * n_bytes + b"\n" + GOOD)
            assert totals == {"line-too-long": 1}
            assert [prediction.line for prediction in predictions] == [2]


def test_byte_order_mark_is_allowed_only_at_the_start() -> None:
    _, problems, _ = read(GOOD + BOM + GOOD)
    assert [problem.line for problem in problems] == [2]


def test_file_in_another_encoding_is_refused_line_by_line(subtests: pytest.Subtests) -> None:
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        with subtests.test(encoding=encoding):
            predictions, problems, _ = read((GOOD.decode() * 3).encode(encoding))
            assert predictions == []
            assert problems
            assert {problem.code for problem in problems} <= {"not-json", "encoding"}


def test_faults_beyond_fifty_of_a_kind_are_counted_but_not_shown() -> None:
    _, problems, totals = read(b"{\n" * 70 + b"[]\n" * 60 + row(run=-1) + b"\n")
    assert totals == {"not-json": 70, "not-object": 60, "unknown-run": 1}
    shown = [problem.code for problem in problems]
    assert (shown.count("not-json"), shown.count("not-object"), shown.count("unknown-run")) == (50, 50, 1)
    assert [problem.line for problem in problems] == [*range(1, 51), *range(71, 121), 131]
    assert SHOWN_OF_A_KIND == 50


@given(st.binary(max_size=200))
def test_any_bytes_give_predictions_or_problems_but_no_error(data: bytes) -> None:
    predictions, problems, totals = read(data)
    n_lines = data.count(b"\n") + 1
    assert len(predictions) + sum(totals.values()) <= n_lines
    assert all(problem.message.isprintable() for problem in problems)


PREDICTIONS = st.builds(
    Prediction,
    id=st.from_regex(r"[\x21-\x7e]{1,30}", fullmatch=True),
    run=st.integers(0, MAX_RUN),
    response=st.text(st.characters(exclude_categories=["Cs"]), max_size=60),
)


@given(st.lists(PREDICTIONS, max_size=6), st.booleans(), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_predictions_written_as_json_lines_are_read_back(
    predictions: list[Prediction], ascii_only: bool, ending: str, bom: bool
) -> None:
    lines = [
        json.dumps({"id": p.id, "run": p.run, "response": p.response}, ensure_ascii=ascii_only) for p in predictions
    ]
    data = (BOM if bom else b"") + ending.join(lines).encode()
    result = read_valid(data)
    assert [(p.id, p.run, p.response) for p in result] == [(p.id, p.run, p.response) for p in predictions]


def test_file_of_100_000_lines_is_read_in_bounded_memory() -> None:
    class Endless(io.RawIOBase):
        """A file that generates its lines on demand."""

        left = 100_000

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: object) -> int:
            assert isinstance(buffer, memoryview)
            n_lines = min(self.left, len(buffer) // len(GOOD))
            self.left -= n_lines
            buffer[: n_lines * len(GOOD)] = GOOD * n_lines
            return n_lines * len(GOOD)

    problems = Problems()
    tracemalloc.start()
    try:
        n_read = sum(1 for _ in read_jsonl(io.BufferedReader(Endless()), problems))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert n_read == 100_000
    assert peak < 1_000_000


def test_5_000_faults_are_counted_in_bounded_memory() -> None:
    data = io.BytesIO(b"{\n" * 5_000)
    problems = Problems()
    tracemalloc.start()
    try:
        assert list(read_jsonl(data, problems)) == []
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert problems.total == 5_000
    assert peak < 500_000


def test_safe_text_is_short_and_printable(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, str]] = [
        ("", "``"),
        ("a", "`a`"),
        ("a\x00\u202e\nb", "`a���b`"),
        ("x" * 40, f"`{'x' * 40}`"),
        ("x" * 41, f"`{'x' * 40}…`"),
    ]
    for text, shown in rows:
        with subtests.test(text=text, shown=shown):
            assert safe(text) == shown


def write(folder: Path, *lines: bytes) -> Path:
    path = folder / "predictions.jsonl"
    path.write_bytes(b"\n".join(lines))
    return path


def test_read_predictions_of_a_valid_file_yields_them_without_checking_ids(tmp_path: Path) -> None:
    predictions = list(read_predictions(write(tmp_path, row(id="nobody"), row(run=2)), "audio-motion-bench"))
    assert [(prediction.id, prediction.run, prediction.line) for prediction in predictions] == [
        ("nobody", 0, 1),
        ("a", 2, 2),
    ]


def test_read_predictions_of_a_faulty_file_raises_at_its_end(tmp_path: Path) -> None:
    lines = []
    with pytest.raises(PredictionFileError) as caught:
        for prediction in read_predictions(write(tmp_path, b"{", row(), row(run=3)), "audio-motion-bench"):
            lines.append(prediction.line)
    assert lines == [2]
    assert [(p.code, p.line) for p in caught.value.problems] == [("not-json", 1), ("unknown-run", 3)]
    assert caught.value.problems[1].message == "Line 3: run 3 of `a` does not exist. Its runs are 0, 1, 2."
    assert str(caught.value).endswith("(2 problems in total.)")


def test_read_predictions_of_an_unknown_benchmark_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownBenchmarkError, match="Did you mean `audio-motion-bench`"):
        list(read_predictions(write(tmp_path, row()), "audio-motion-bnch"))
