"""The edition that a file answers, by its first IDs."""

import gzip
import io
import json
from pathlib import Path

import pytest

from evaluation.predictions import find_edition_of_file
from tests.support.samples.bad_files import BadFile, list_bad_files

IDS = ["amb-7f3kq9x2-0v8h3m5c", "amb-7f3kq9x2-1v8h3m5c"]
ROWS = [{"id": item_id, "run": 0, "response": "B"} for item_id in IDS]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS).encode()


@pytest.mark.parametrize(
    "data",
    [
        LINES,
        json.dumps(ROWS).encode(),
        json.dumps(dict.fromkeys(IDS, "B")).encode(),
        f"id,run,response\n{IDS[0]},0,B\n".encode(),
        gzip.compress(LINES),
        b'{"id": "amb_7f3kq9x2", "response": "mistyped"}\n' + LINES,
        b"no JSON\n" * 50 + LINES,
    ],
    ids=["lines", "list", "object", "csv", "gzip", "mistyped first ID", "faulty lines first"],
)
def test_edition_is_read_from_any_format(data: bytes) -> None:
    assert find_edition_of_file(io.BytesIO(data)) == "e-7f3kq9x2"


@pytest.mark.parametrize(
    "data", [b"", b"\x00", b"[", b'{"id": "amb-7f3kq9x2", "response": "B"}\n', b"PK\x03\x04", b"\x1f\x8b"]
)
def test_other_files_name_no_edition(data: bytes) -> None:
    assert find_edition_of_file(io.BytesIO(data)) == ""


def test_few_lines_are_read_of_a_faulty_file(tmp_path: Path) -> None:
    path = tmp_path / "faulty.jsonl"
    path.write_bytes(b"no JSON\n" * 2_000_000)
    with path.open("rb") as file:
        assert find_edition_of_file(file) == ""
        assert file.tell() < 5_000_000


@pytest.mark.parametrize("bad", list_bad_files(), ids=lambda bad: bad.name)
def test_bad_file_names_no_edition(bad: BadFile) -> None:
    assert find_edition_of_file(io.BytesIO(bad.data)) == ""
