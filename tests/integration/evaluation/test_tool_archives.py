"""Hostile logs of inspect_ai and workbooks: one clear error, in bounded time and memory."""

import io
import json
import tracemalloc
import zipfile
from collections.abc import Iterator

import pytest
import zstandard

from evaluation.predictions import Problem, Problems
from evaluation.predictions.formats import read_rows
from evaluation.predictions.tool_files import archive_members, shared_texts
from tests.support.samples.intake_files import patch, with_flags
from tests.support.samples.tool_writers import TOOL_FORMS, make_inspect_sample, zip_workbook, zip_zstandard

ROWS = [{"id": f"bell-{n}", "run": 0, "response": "(A)"} for n in range(3)]
DAMAGED = "The workbook is damaged:"
SAVE = "Save it again, or send it as CSV UTF-8."
ENTITY = '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
EXTERNAL = '<!DOCTYPE a SYSTEM "file:///etc/passwd">'
HEADER = '<row><c t="inlineStr"><is><t>id</t></is></c><c t="inlineStr"><is><t>response</t></is></c></row>'


def read(data: bytes) -> tuple[int, tuple[Problem, ...]]:
    problems = Problems()
    n_rows = sum(1 for _ in read_rows(io.BytesIO(data), problems))
    return n_rows, problems.shown


def require_one_fault(data: bytes, code: str, message: str) -> None:
    _, (problem,) = read(data)
    assert problem.code == code
    assert message in problem.message


def wrap_sheet(rows: str) -> str:
    return f"<worksheet><sheetData>{HEADER}{rows}</sheetData></worksheet>"


def make_bomb(n_megabytes: int) -> bytes:
    """Return a sample with a transcript of nothing but spaces."""
    sample = json.dumps(make_inspect_sample(ROWS[0])).encode()
    return sample[:-1] + b" " * (n_megabytes * 1_000_000) + b"}"


def test_log_that_unpacks_to_too_much_is_refused() -> None:
    data = zip_zstandard({"_journal/start.json": b"{}", "samples/a.json": make_bomb(11)})
    require_one_fault(data, "too-large", "unpacks to more than 10,000,000 bytes and 200 times its size")


def test_samples_of_a_log_count_against_one_limit() -> None:
    names = [f"samples/{n}.json" for n in range(3)]
    data = zip_zstandard({"_journal/start.json": b"{}", **dict.fromkeys(names, make_bomb(4))})
    n_rows, (problem,) = read(data)
    assert (n_rows, problem.code) == (2, "too-large")


def test_large_transcript_needs_no_memory() -> None:
    noise = "".join(f"{n * n:x}" for n in range(1_500_000))
    sample = make_inspect_sample(ROWS[0])
    data = zip_zstandard({"samples/a.json": json.dumps({"attachments": {"a": noise}} | sample).encode()})
    del noise
    tracemalloc.start()
    try:
        assert read(data) == (1, ())
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()


def break_logs() -> Iterator[tuple[str, bytes, str, str]]:
    good = TOOL_FORMS["inspect-eval"](ROWS)
    entry = zipfile.ZipFile(io.BytesIO(good)).infolist()[1]
    body = entry.header_offset + 30 + len(entry.filename) + 4
    yield "encrypted", with_flags(zip_zstandard({"samples/a.json": b"{}"}), 1), "encrypted", "The zip is encrypted."
    yield "damaged frame", patch(good, body, b"\x00\x00\x00\x00"), "damaged", "its checksum does not match"
    yield "cut directory", good[:-40], "damaged", "its directory is missing or unreadable"
    crc_at = good.index(entry.filename.encode(), good.index(b"PK\x01\x02")) - 46 + 16
    yield "wrong checksum", patch(good, crc_at, b"\x00\x00\x00\x00"), "damaged", "its checksum does not match"
    yield "no samples", zip_zstandard({"_journal/start.json": b"{}"}), "wrong-form", "has no samples"
    parameters = zstandard.ZstdCompressionParameters.from_level(3, window_log=27)
    compressor = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    frame = compressor.compress(b"{}") + compressor.flush()
    yield "huge window", zip_frame(frame, b"{}"), "damaged", "its checksum does not match"
    half = zstandard.ZstdCompressor().compress(b"{}" * 50)[:-3]
    yield "cut frame", zip_frame(half, b"{}" * 50), "damaged", "its checksum does not match"


def zip_frame(frame: bytes, content: bytes) -> bytes:
    """Return a log with one sample, packed to these bytes."""
    template = zip_zstandard({"samples/a.json": content})
    packed = zstandard.ZstdCompressor().compress(content)
    assert template.count(packed) == 1
    sizes = len(packed).to_bytes(4, "little"), len(frame).to_bytes(4, "little")
    directory = template.index(b"PK\x01\x02")
    start = template[:directory].replace(packed, frame)
    central = template[directory:].replace(sizes[0], sizes[1], 1)
    moved = central.replace(directory.to_bytes(4, "little"), len(start).to_bytes(4, "little"))
    return start + moved


def test_damaged_log_is_refused_with_one_message(subtests: pytest.Subtests) -> None:
    for name, data, code, message in break_logs():
        with subtests.test(name=name):
            require_one_fault(data, code, message)


def test_log_with_too_many_entries_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_members, "MAX_SAMPLES", 3)
    require_one_fault(TOOL_FORMS["inspect-eval"](ROWS), "not-one-file", "5 files")


def test_log_may_have_thousands_of_samples() -> None:
    rows = [{"id": f"bell-{n}", "run": 0, "response": "(A)"} for n in range(1_500)]
    assert read(TOOL_FORMS["inspect-eval"](rows)) == (1_500, ())


WORKBOOKS = {
    "entities": (zip_workbook(f"{ENTITY}<worksheet>&b;</worksheet>"), "it has a document type definition"),
    "external": (zip_workbook(f"{EXTERNAL}<worksheet/>"), "it has a document type definition"),
    "entities in texts": (zip_workbook(wrap_sheet(""), f"{ENTITY}<sst/>"), "it has a document type definition"),
    "no XML": (zip_workbook("id,response"), "a part of it is not XML"),
    "cut": (zip_workbook("<worksheet><sheetData>"), "a part of it is not XML"),
    "undefined entity": (zip_workbook("<worksheet>&b;</worksheet>"), "a part of it is not XML"),
    "deep": (zip_workbook("<a>" * 100_000), "its elements are nested too deeply"),
    "endless tag": (zip_workbook("<a " + "b" * 9_000_000), "it has a tag or comment that does not end"),
    "endless comment": (zip_workbook("<!--" + "b" * 9_000_000), "it has a tag or comment that does not end"),
    "text that does not exist": (
        zip_workbook(wrap_sheet('<row><c t="s"><v>7</v></c></row>')),
        "a cell names a text that does not exist",
    ),
    "text without number": (
        zip_workbook(wrap_sheet('<row><c t="s"><v>-1</v></c></row>')),
        "a cell names a text that does not exist",
    ),
}


def test_hostile_workbook_is_refused_with_one_message(subtests: pytest.Subtests) -> None:
    for name, (data, how) in WORKBOOKS.items():
        with subtests.test(name=name):
            assert read(data) == (0, (Problem("damaged", f"{DAMAGED} {how}. {SAVE}"),))


def test_workbook_that_unpacks_to_too_much_is_refused() -> None:
    data = zip_workbook(wrap_sheet(" " * 101_000_000))
    require_one_fault(data, "too-large", "unpacks to more than 10,000,000 bytes and 200 times its size")


def test_shared_texts_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"<si><t>{'A' * 90}</t></si>"
    data = zip_workbook(wrap_sheet(""), f"<sst>{text * 20}</sst>")
    monkeypatch.setattr(shared_texts, "MAX_SHARED_TEXTS", 20)
    require_one_fault(data, "too-large", "20 different texts")
    monkeypatch.setattr(shared_texts, "MAX_SHARED_TEXTS", 21)
    assert read(data) == (0, ())
    monkeypatch.setattr(shared_texts, "MAX_SHARED_BYTES", 1_700)
    require_one_fault(data, "too-large", "1,700 bytes")


def test_cells_that_repeat_a_long_text_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_texts, "MAX_UNPACKED_BYTES", 5_000)
    rows = '<row><c t="inlineStr"><is><t>bell-1</t></is></c><c t="s"><v>0</v></c></row>' * 20
    data = zip_workbook(wrap_sheet(rows), f"<sst><si><t>{'A' * 300}</t></si></sst>")
    n_rows, (problem,) = read(data)
    assert (n_rows, problem.code, problem.message[:46]) == (
        16,
        "too-large",
        "The cells of the workbook have more than 5,000",
    )


def test_row_with_too_much_text_is_refused() -> None:
    rows = f'<row r="7"><c t="inlineStr"><is><t>{"A" * 2_600_000}</t></is></c></row>'
    require_one_fault(zip_workbook(wrap_sheet(rows)), "line-too-long", "Row 7 of the workbook has more than 2,500,000")


def test_response_that_became_a_formula_is_reported() -> None:
    rows = '<row r="2"><c t="inlineStr"><is><t>bell-1</t></is></c><c><f>A</f><v/></c></row>'
    _, (problem,) = read(zip_workbook(wrap_sheet(rows)))
    assert problem.message.startswith("Row 2 has a formula instead of a text.")


def test_rich_text_is_joined_without_hints_for_the_pronunciation() -> None:
    rich = "<si><r><t>(</t></r><r><t>A)</t></r><rPh sb='0'><t>ei</t></rPh></si>"
    rows = '<row><c r="B2" t="s"><v>0</v></c><c r="A2" t="str"><v>bell-1</v></c></row>'
    problems = Problems()
    (prediction,) = read_rows(io.BytesIO(zip_workbook(wrap_sheet(rows), f"<sst>{rich}</sst>")), problems)
    assert (prediction.id, prediction.response, prediction.line, problems.total) == ("bell-1", "(A)", 2, 0)


def test_other_office_documents_are_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", "<document/>")
    require_one_fault(buffer.getvalue(), "wrong-kind", "an Office document, but not an Excel workbook")


def test_workbook_without_predictions_says_what_is_absent() -> None:
    sheet = "<worksheet><sheetData><row r='3'><c t='str'><v>id</v></c></row></sheetData></worksheet>"
    require_one_fault(zip_workbook(sheet), "missing-field", "Row 3: the header")
    require_one_fault(zip_workbook(wrap_sheet("").replace("response", "id")), "missing-field", "has no `response`")
