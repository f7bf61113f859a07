"""Fast path for JSON Lines: same result as the general path on every file, and used for plain files."""

import gzip
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evaluation import Prediction
from evaluation.predictions import (
    Catalogue,
    CatalogueItem,
    PredictionFileError,
    Problems,
    Validation,
    Validator,
    jsonl,
    plain_lines,
    read_checked_predictions,
    validate_predictions,
)
from evaluation.predictions.jsonl import read_block
from evaluation.predictions.plain_lines import check_lines, decode_plain
from evaluation.predictions.row_faults import MAX_RESPONSE_CHARACTERS
from evaluation.predictions.rows import MAX_ROW_BYTES

# Items with all runs or only some, an item with verdicts, and an id that no prediction can have.
KNOWN = Catalogue(
    "Bench 1.0",
    {f"i{n}": CatalogueItem("p", "choice", (0, 1, 2)) for n in range(40)}
    | {"gap": CatalogueItem("q", "text", (0, 2)), "one": CatalogueItem("q", "choices", (0,))}
    | {"trace": CatalogueItem("t", "steps", (0,), n_steps=2)},
)
ODD_IDS = Catalogue("Odd", {"a b": CatalogueItem("p", "choice", (0,)), "a": CatalogueItem("p", "choice", (0, 3))})
Outcome = tuple[list[Prediction], Validation]


def read_on_general_path(data: bytes, known: Catalogue = KNOWN) -> Outcome:
    problems = Problems()
    validator = Validator(known, problems)
    return list(validator.check(read_block(data, 1, problems))), validator.verdict()


def read_on_fast_path(data: bytes, known: Catalogue = KNOWN, *, keep: bool = True) -> Outcome:
    problems = Problems()
    validator = Validator(known, problems)
    return list(check_lines(io.BytesIO(data), problems, validator, keep=keep)), validator.verdict()


def require_same(data: bytes, n_bytes_a_block: int, known: Catalogue = KNOWN) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "_BLOCK_BYTES", n_bytes_a_block)
        expected = read_on_general_path(data, known)
        assert read_on_fast_path(data, known) == expected
        assert read_on_fast_path(data, known, keep=False)[1] == expected[1]


def dump(fields: dict[str, object], *, is_compact: bool, is_ascii: bool) -> bytes:
    separators = (",", ":") if is_compact else None
    return json.dumps(fields, separators=separators, ensure_ascii=is_ascii).encode()


IDS = st.sampled_from([*KNOWN.items, "i1", "i1", "nobody", "", "a b", "i\u202e1", "x" * 201])
TEXTS = st.one_of(
    st.sampled_from(
        ["", "A", '"id"', '\\"id":"', "run", "id", '{"id": "i1"}\n{"id": "i2"}', "\u202e", "\u0069d", "é鍵\U0001f3bb"]
    ),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
)
ANY = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 5), st.just(10**30), st.floats(), TEXTS, st.just([True, False])
)
OTHER_NAMES = ("run", "erroneous", "scores", "rotate_id", "model_response", "model_output", "x", "Id", "")
GOOD_ROWS = st.fixed_dictionaries({"id": st.sampled_from([*KNOWN.items]), "run": st.integers(0, 2), "response": TEXTS})
ROWS = st.one_of(
    GOOD_ROWS,
    GOOD_ROWS.map(lambda row: {name: row[name] for name in ("response", "id")}),
    st.fixed_dictionaries(
        {"id": IDS, "response": TEXTS},
        optional=dict.fromkeys(OTHER_NAMES, ANY),
    ),
    st.dictionaries(st.sampled_from(["id", "run", "response", "erroneous", "chosens"]), ANY, max_size=5),
)
JSON_LINES = st.builds(dump, ROWS, is_compact=st.booleans(), is_ascii=st.booleans())
ODD_LINES = [
    b"",
    b" ",
    b"\t",
    b"{}",
    b"[]",
    b"null",
    b"{",
    b"\xef\xbb\xbf",
    b'\xef\xbb\xbf{"id":"i1","response":""}',
    b'{"id":"i1","response":"A"}{"id":"i2","response":"A"}',
    b'{"id":"i1","response":"A"} {"id":"i2","response":"A"}',
    b'{"id":"i1","response":"A"}\r{"id":"i2","response":"A"}',
    b'{"id":\n"i1","response":"A"}',
    b'{"id":"i1","z":{}\n,"response":"A"}',
    b'{"id":"i1","z":\n{},"response":"A"}{"id":"i2","response":"A"}',
    b'{"id":"i1","z":{}\n,"response":"A"}{"id":"i2","response":"A"}',
    b'{"id":"i1","z":[{}\n,{}],"response":"A"}',
    b'\n{"id":"i1","response":"A"}{"id":"i2","response":"A"}',
    b'\r\n{"id":"i1","response":"A"}{"id":"i2","response":"A"}',
    b'{"id":"i1","id":"i2","response":""}',
    b'{"id":"i1","response":"","run":0,"run":1}',
    b'{"id":"i1","response":"","run":0,"run":0}',
    b'{"id":"i1","response":"","response":""}',
    b'{"id":"i1","run":0,"response":"","id":"i2"}',
    rb'{"id":"i1","run":0,"response":"a","\u0069d":"i2"}',
    rb'{"id":"i1","run":0,"response":"a","r\u0075n":1}',
    rb'{"id":"i1","response":"\ud800"}',
    rb'{"id":"i1","response":"\ud83c\udfbb"}',
    b'{"id":"i1","response":"\xff"}',
    b'{"id":"i1","response":"\xed\xa0\x80"}',
    b'{"id":"i1","response":"a\x00"}',
    b'{"id":"i1","response":NaN}',
    b'{"id":"i1","response":"","x":NaN}',
    b'{"id":"i1","response":"","x":1e999}',
    b'{"id":"i1","response":"","run":-0}',
    b'{"id":"i1","response":"","run":1e0}',
    b'{"id":"i1","response":"","run":3}',
    b'{"id":"gap","response":"","run":1}',
    b'{"id":"one","response":"","run":2}',
    b'{"id":"i39","response":"","run":1000}',
    b'{"id":"i1","response":"","run":' + b"9" * 5_000 + b"}",
    b'{"id":"i1","response":"","x":' + b"[" * 5_000 + b"]" * 5_000 + b"}",
    b'{"id":"i1","response":"' + b"x" * (MAX_RESPONSE_CHARACTERS + 1) + b'"}',
    b'{"id":"i1","response":"' + b"x" * MAX_RESPONSE_CHARACTERS + b'"}',
    b'{"id":"i1","response":"","x":"' + b"x" * MAX_ROW_BYTES + b'"}',
    b'{"id":"i1","rotate_id":1,"model_response":"A"}',
    b'{"id":"i1","response":"A","rotate_id":"1"}',
    b'{"id":"i1","response":"A","model_response":1}',
    b'{"id":"i1","response":"A","model_output":1}',
    b'{"id":"1","chosens":[],"model_output":["A"]}',
    b'{"id":"trace","erroneous":[true,false],"scores":[1,0]}',
    b'{"id":"trace","erroneous":[true]}',
    b'{"id":"i1","response":"","scores":null}',
]
ENDS = st.sampled_from([b"\n"] * 8 + [b"\r\n"] * 4 + [b"", b"\r", b"\n\n", b" \n", b"\n ", b"\n\r\n", b"\x0b\n"])
SIZES = st.sampled_from([1, 7, 60, 200, 1 << 17])


@given(st.lists(st.tuples(st.one_of(JSON_LINES, st.sampled_from(ODD_LINES)), ENDS), max_size=10), SIZES)
def test_any_lines_with_any_line_ends_give_the_same_on_both_paths(lines: list[tuple[bytes, bytes]], size: int) -> None:
    # Files with uniform line ends take the fast path more often.
    data = b"".join(line + end for line, end in lines)
    require_same(data, size if len(data) < 10_000 else 1 << 17)


@given(
    st.lists(JSON_LINES, min_size=1, max_size=12),
    st.sampled_from([b"\n", b"\r\n"]),
    st.booleans(),
    st.sampled_from([KNOWN, ODD_IDS]),
    SIZES,
)
@example([b'{"id":"a b","response":""}'], b"\n", False, ODD_IDS, 200)
@example([b'{"id":"a","response":"","run":1}'], b"\n", False, ODD_IDS, 200)
def test_objects_on_separate_lines_give_the_same_on_both_paths(
    lines: list[bytes], end: bytes, is_ended: bool, known: Catalogue, size: int
) -> None:
    require_same(end.join(lines) + end * is_ended, size, known)


@given(st.permutations(range(40)), st.integers(0, 119), st.integers(0, 119), st.booleans())
def test_duplicate_prediction_is_reported_with_the_line_of_the_first(
    order: list[int], first: int, second: int, is_compact: bool
) -> None:
    rows = [{"id": f"i{n}", "run": run, "response": "A"} for n in order for run in range(3)]
    rows[second] = rows[first]
    data = b"\n".join(dump(row, is_compact=is_compact, is_ascii=True) for row in rows)
    require_same(data, 1_000)


def test_odd_line_among_plain_ones_gives_the_same_on_both_paths(subtests: pytest.Subtests, soak: bool) -> None:
    for end in (b"\n", b"\r\n"):
        for number, odd in enumerate(ODD_LINES):
            with subtests.test(odd=odd, end=end):
                plain = [dump({"id": f"i{n}", "response": "A"}, is_compact=True, is_ascii=True) for n in range(3, 40)]
                # In the suite, the three positions take turns.
                for at in (0, 20, 37) if soak else [(0, 20, 37)[(number + len(end)) % 3]]:
                    require_same(end.join([*plain[:at], odd, *plain[at:]]), 1 << 17 if len(odd) > 10_000 else 400)


STYLES: dict[str, tuple[dict[str, Any], bool, bytes]] = {
    "compact": ({"run": 1, "response": "A"}, True, b"\n"),
    "spaced": ({"run": 2, "response": "A"}, False, b"\n"),
    "no run": ({"response": "A"}, False, b"\n"),
    "carriage returns": ({"run": 0, "response": "A"}, False, b"\r\n"),
    "line breaks": ({"run": 0, "response": 'He said:\n\n"B"\\'}, True, b"\n"),
    "non-ASCII text": ({"response": "schön 鍵 \U0001f3bb"}, False, b"\n"),
    "extra fields": ({"run": 0, "response": "A", "prompt": {"n": [1, None]}, "seconds": 0.5}, False, b"\n"),
    "other order": ({"seconds": 0.5, "response": "A"}, True, b"\n"),
}


def test_plain_file_in_any_style_uses_only_the_fast_path(
    monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    def refuse(*_: object) -> Iterator[Prediction]:
        raise AssertionError

    monkeypatch.setattr(plain_lines, "read_block", refuse)
    for is_gzipped in (False, True):
        for style, (fields, is_compact, end) in STYLES.items():
            with subtests.test(style=style, is_gzipped=is_gzipped):
                rows = [dump({"id": f"i{n}", **fields}, is_compact=is_compact, is_ascii=False) for n in range(40)]
                data = end.join(rows)
                data = gzip.compress(data) if is_gzipped else data
                predictions = list(read_checked_predictions(io.BytesIO(data), KNOWN, allow_missing=True))
                assert predictions == [
                    Prediction(f"i{n}", fields.get("run", 0), fields["response"], n + 1) for n in range(40)
                ]
                assert validate_predictions(io.BytesIO(data), KNOWN, allow_missing=True).predictions == 40


def test_faults_across_blocks_are_reported_in_file_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "_BLOCK_BYTES", 300)
    rows = [
        dump({"id": f"i{n % 40}", "run": n // 40, "response": "A"}, is_compact=True, is_ascii=True) for n in range(120)
    ]
    rows[50], rows[80], rows[110] = b"{", rows[3], b'{"id":"i1o","response":"A"}'
    with pytest.raises(PredictionFileError) as caught:
        list(read_checked_predictions(io.BytesIO(b"\n".join(rows)), KNOWN, allow_missing=True))
    assert [(problem.code, problem.line) for problem in caught.value.problems] == [
        ("not-json", 51),
        ("duplicate", 81),
        ("unknown-id", 111),
    ]
    assert "(line 4)" in caught.value.problems[1].message
    assert "Did you mean `i1`?" in caught.value.problems[2].message


def test_block_with_anything_but_rows_is_not_plain(subtests: pytest.Subtests) -> None:
    rows: list[bytes] = [b"", b"\n", b"{}\n", b'{"id":"a","response":"x"}\n\n', b' {"id":"a","response":"x"}']
    for block in rows:
        with subtests.test(block=block):
            assert decode_plain(block) is None
