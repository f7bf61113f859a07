"""Files of rated answers: both formats, and a message with the line of every fault."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from evaluation.judge import CalibrationError
from evaluation.judge.rated import MAX_BYTES, read_rated

ROW = {"id": "1", "question": "?", "reference": "三点", "answer": "两点", "human": 5}
HEADER = "id,question,reference,answer,human"


def write(folder: Path, rows: Sequence[object]) -> Path:
    path = folder / "rated.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return path


def write_text(folder: Path, text: str, name: str = "rated.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode("utf-8"))
    return path


def message_of(path: Path) -> str:
    with pytest.raises(CalibrationError) as caught:
        read_rated(path)
    return str(caught.value)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["text"], "rated.jsonl:1: not a JSON object. Write one object per line with id, question,"),
        ([[ROW]], "rated.jsonl:1: not a JSON object."),
        ([ROW | {"human": 11}], "rated.jsonl:1: `human` is 11; it must be a number from 0 to 10."),
        ([ROW | {"human": -0.1}], "`human` is -0.1; it must be a number"),
        ([ROW | {"human": "7,5"}], "`human` is 7,5; it must be a number"),
        ([ROW | {"human": "nan"}], "`human` is nan; it must be a number"),
        ([ROW | {"human": True}], "`human` is True; it must be a number"),
        ([ROW | {"human": [5, 6]}], "`human` is [5, 6]; it must be a number"),
        ([ROW | {"human": 10**400}], "`human` is 1000"),
        ([ROW | {"human": None}], "rated.jsonl:1: `human` is missing; add a score from 0 to 10."),
        ([ROW | {"expected": 5}], "rated.jsonl:1: has both `human` and `expected`; keep one."),
        ([ROW | {"kind": 3}], "`kind` is 3; it must be a string."),
        ([ROW | {"question": " "}], "`question` is empty. Add text."),
        ([ROW | {"answer": None}], "`answer` is missing; it must be a string."),
        ([{"id": "1", "question": "?"}], "rated.jsonl:1: `reference` is missing; it must be a string."),
        ([ROW, ROW], "rated.jsonl:2: duplicate id `1`. Rename one."),
        (
            [ROW, {**ROW, "id": "2", "human": None, "expected": 5}],
            "rated.jsonl:2: the other rows use a different score field.",
        ),
        ([], "rated.jsonl has no answers."),
    ],
)
def test_json_lines_with_a_fault_are_refused_with_the_line(tmp_path: Path, rows: list[object], message: str) -> None:
    assert message in message_of(write(tmp_path, rows))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "rated.csv has no answers."),
        (HEADER, "rated.csv has no answers."),
        ("id,question\n1,?", "rated.csv:1: the header lacks reference, answer. The first line names the columns"),
        ("id,question,reference,answer\n", "rated.csv:1: the header lacks human."),
        (f"{HEADER},id\n", "rated.csv:1: duplicate column `id`."),
        (
            f"{HEADER}\n1,?,三点,一，二, 两点,5",
            "rated.csv:2: 6 cells, but the header has 5. Put texts with `,` in double",
        ),
        (f"{HEADER}\n1,?,三点,两点", "rated.csv:2: 4 cells, but the header has 5."),
        (f'{HEADER}\n1,?,三点,"两"点,5', "rated.csv:2: not CSV"),
        (f"{HEADER}\n1,?,三点,两点,viel", "rated.csv:2: `human` is viel; it must be a number from 0 to 10"),
        (f"{HEADER}\n1,?,三点,两点,", "rated.csv:2: `human` is missing"),
        (f"{HEADER}\n\n1,?,三点,两点,5\n1,?,三点,两点,5", "rated.csv:4: duplicate id `1`."),
    ],
)
def test_table_with_a_fault_is_refused_with_the_line(tmp_path: Path, text: str, message: str) -> None:
    assert message in message_of(write_text(tmp_path, text))


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_table_from_a_spreadsheet_is_read(tmp_path: Path, separator: str) -> None:
    lines = [
        ["\ufeffid", "human", "question", "reference", "answer", "kind", "rater"],
        ["1", "7.5", "?", "三点", '"一, 二; ""三""\n四"', "right", "ann"],
        ["2", "0", "?", "三点", "", "", ""],
    ]
    rated = read_rated(write_text(tmp_path, "\r\n".join(separator.join(line) for line in lines) + "\r\n"))
    assert [(row.question.id, row.answer, row.score, row.kind, row.origin) for row in rated] == [
        ("1", '一, 二; "三"\n四', 7.5, "right", "people"),
        ("2", "", 0.0, "", "people"),
    ]


def test_unreadable_file_is_refused_with_a_remedy(tmp_path: Path) -> None:
    assert "cannot be read (No such file or directory)" in message_of(tmp_path / "none.jsonl")
    assert "cannot be read (Is a directory)" in message_of(tmp_path)
    (tmp_path / "latin.csv").write_bytes(HEADER.encode() + b"\n\xe9")
    assert "latin.csv is not UTF-8 (byte 36). Save it as UTF-8." in message_of(tmp_path / "latin.csv")
    with (tmp_path / "large.jsonl").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    assert "large.jsonl is larger than 200 MB" in message_of(tmp_path / "large.jsonl")


def test_unicode_line_separator_does_not_end_a_line(tmp_path: Path) -> None:
    rows = [ROW | {"answer": "one\u2028two"}, ROW | {"id": "2"}]
    assert [row.answer for row in read_rated(write(tmp_path, rows))] == ["one\u2028two", "两点"]
