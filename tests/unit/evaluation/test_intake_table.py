"""Every format of prediction file × every fault, each with its exact message."""

import bz2
import gzip
import io
import lzma
import pickle
import random
import tarfile
import zipfile
import zlib
from typing import Any, NamedTuple

import pytest

from evaluation.predictions import Catalogue, CatalogueItem, Problem, validate_predictions
from tests.support.samples.intake_files import (
    FORMS,
    PACKINGS,
    patch,
    with_flags,
    with_large_end,
    with_method,
    with_overlap,
    write_lines,
    write_list,
    write_object,
    write_table,
    zip_of,
)

KNOWN = Catalogue(
    "Bench 1.0",
    {name: CatalogueItem("p", "choice", (0, 1, 2)) for name in ("amb-one", "amb-two", "amb-three")}
    | {"trace-1": CatalogueItem("t", "steps", (0,), n_steps=2)},
)
GOOD = [{"id": "amb-one", "response": "A"}, {"id": "amb-two", "response": 'B, "b"\nb'}]
ROW = ' Expected: {"id": "…", "run": 0, "response": "the model\'s raw text"}'
SUPPORTED_FORMATS = "JSON Lines, one JSON list or object, or CSV; each also gzipped, or alone in a zip"
LONG = "x" * 200_001


def problems_of(data: bytes) -> tuple[Problem, ...]:
    return validate_predictions(io.BytesIO(data), KNOWN, allow_missing=True).problems


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
                    assert problems_of(PACKINGS[packing](data)) == (Problem(fault.code, message, line, fault.id),)


def tar() -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("predictions.jsonl"))
    return packed.getvalue()


TABLE = f"Convert it to text and send that: {SUPPORTED_FORMATS}."
CODE = f"It could run programs, so Earshot does not open it. {TABLE}"
UNPACK = "Unpack it and send the file inside, plain or gzipped."
TEXT = f"Send a text file: {SUPPORTED_FORMATS}."
SHEET = 'In the spreadsheet choose "Save as" and "CSV UTF-8", and send that file.'
WIDE = 'is UTF-16 or UTF-32 text. Save it as UTF-8: in a spreadsheet as "CSV UTF-8", in PowerShell with -Encoding utf8.'
LINES = write_lines(GOOD).decode()
FOREIGN: dict[str, tuple[bytes, str, str]] = {
    **{
        f"pickle-{protocol}": (pickle.dumps(GOOD, protocol), "wrong-kind", f"is a Python pickle. {CODE}")
        for protocol in (2, 3, 4, 5)
    },
    "npy": (b"\x93NUMPY\x01\x00v\x00{'descr': '|O'}", "wrong-kind", f"is a NumPy array. {CODE}"),
    "parquet": (b"PAR1\x15\x04", "wrong-kind", f"is a Parquet table. {TABLE}"),
    "arrow": (b"ARROW1\x00\x00", "wrong-kind", f"is an Arrow table. {TABLE}"),
    "feather": (b"FEA1\x00", "wrong-kind", f"is a Feather table. {TABLE}"),
    "hdf5": (b"\x89HDF\r\n\x1a\n\x00", "wrong-kind", f"is an HDF5 file. {TABLE}"),
    "sqlite": (b"SQLite format 3\x00\x10", "wrong-kind", f"is an SQLite database. {TABLE}"),
    "xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", "wrong-kind", f"is an old Office document. {SHEET}"),
    "pdf": (b"%PDF-1.7\n", "wrong-kind", f"is a PDF document. {TEXT}"),
    "png": (b"\x89PNG\r\n\x1a\n\x00", "wrong-kind", f"is a PNG image. {TEXT}"),
    "jpeg": (b"\xff\xd8\xff\xe0", "wrong-kind", f"is a JPEG image. {TEXT}"),
    "gif": (b"GIF89a", "wrong-kind", f"is a GIF image. {TEXT}"),
    "wav": (b"RIFF\x24\x00\x00\x00WAVE", "wrong-kind", f"is an audio or image file. {TEXT}"),
    "flac": (b"fLaC\x00", "wrong-kind", f"is a FLAC audio file. {TEXT}"),
    "ogg": (b"OggS\x00", "wrong-kind", f"is an Ogg audio file. {TEXT}"),
    "elf": (b"\x7fELF\x02", "wrong-kind", f"is a program. {TEXT}"),
    "html": (b"\n <!DOCTYPE html><html>", "wrong-kind", f"is a web page or XML. {TEXT}"),
    "xml": (b"\xef\xbb\xbf<?xml version='1.0'?>", "wrong-kind", f"is a web page or XML. {TEXT}"),
    "zeros": (bytes(1000), "wrong-kind", f"is not a text file. {TEXT}"),
    "zero-in-text": (b'{"id": "a\x00"}', "wrong-kind", f"is not a text file. {TEXT}"),
    "tar": (tar(), "wrong-kind", f"is a tar archive. {UNPACK}"),
    "7z": (b"7z\xbc\xaf\x27\x1c\x00\x04", "wrong-kind", f"is a 7z archive. {UNPACK}"),
    "rar": (b"Rar!\x1a\x07\x01", "wrong-kind", f"is a RAR archive. {UNPACK}"),
    "xz": (lzma.compress(LINES.encode()), "wrong-kind", f"is packed with xz. {UNPACK}"),
    "bz2": (bz2.compress(LINES.encode()), "wrong-kind", f"is packed with bzip2. {UNPACK}"),
    "zstd": (b"\x28\xb5\x2f\xfd\x24", "wrong-kind", f"is packed with zstd. {UNPACK}"),
    "lz4": (b"\x04\x22\x4d\x18\x64", "wrong-kind", f"is packed with lz4. {UNPACK}"),
    **{name: (LINES.encode(name), "encoding", WIDE) for name in ("utf-16", "utf-16-le", "utf-16-be", "utf-32")},
    "utf-16-csv": (write_table(GOOD).decode().encode("utf-16"), "encoding", WIDE),
}


def test_unsupported_file_is_refused_with_a_supported_alternative(subtests: pytest.Subtests) -> None:
    for kind in FOREIGN:
        for packing in PACKINGS:
            with subtests.test(packing=packing, kind=kind):
                data, code, message = FOREIGN[kind]
                subject = "The file" if packing == "plain" else f"The file in the {packing} file"
                assert problems_of(PACKINGS[packing](data)) == (Problem(code, f"{subject} {message}"),)


def gzip_damage(cause: str) -> str:
    return f"The compressed file is damaged: {cause}. Compress it again, and send the complete file."


def zip_damage(cause: str) -> str:
    return f"The zip is damaged: {cause}. Create it again, and send the complete file."


def not_one_file(n_files: str) -> str:
    return f"The zip contains {n_files}. Put only the prediction file in it."


NESTED = "is compressed twice. Compress a prediction file once, or send it uncompressed."
NOT_PACKED = "its checksum does not match"
IN_THE_MIDDLE = "it ends in the middle"
NO_DIRECTORY = "its directory is missing or unreadable"
OTHER_DIRECTORY = "its directory does not match its files"
GZIPPED = gzip.compress(LINES.encode() * 40)
ZIPPED = zip_of(LINES.encode() * 40)
STORED = zip_of(LINES.encode(), zipfile.ZIP_STORED)
TOO_MUCH = "The file unpacks to more than 10,000,000 bytes and 200 times its size. Send it uncompressed."
ARCHIVES: dict[str, tuple[bytes, str, str]] = {
    "gzip-cut": (GZIPPED[:-20], "damaged", gzip_damage(IN_THE_MIDDLE)),
    "gzip-without-its-trailer": (GZIPPED[:-1], "damaged", gzip_damage(IN_THE_MIDDLE)),
    "gzip-header-only": (GZIPPED[:10], "damaged", gzip_damage(IN_THE_MIDDLE)),
    "gzip-two-bytes": (GZIPPED[:2], "damaged", gzip_damage(IN_THE_MIDDLE)),
    "gzip-wrong-checksum": (patch(GZIPPED, -8, b"\x00\x00\x00\x00"), "damaged", gzip_damage(NOT_PACKED)),
    "gzip-wrong-length": (patch(GZIPPED, -4, b"\x00\x00\x00\x00"), "damaged", gzip_damage(NOT_PACKED)),
    "gzip-wrong-method": (patch(GZIPPED, 2, b"\x07"), "damaged", gzip_damage(NOT_PACKED)),
    "gzip-then-text": (GZIPPED + b"more", "damaged", gzip_damage("something follows its end")),
    "gzip-second-cut": (GZIPPED + GZIPPED[:-9], "damaged", gzip_damage(IN_THE_MIDDLE)),
    "gzip-of-gzip": (gzip.compress(GZIPPED), "nested-archive", f"The file in the gzip file {NESTED}"),
    "gzip-of-zip": (gzip.compress(ZIPPED), "nested-archive", f"The file in the gzip file {NESTED}"),
    "zip-cut": (ZIPPED[:-30], "damaged", zip_damage(NO_DIRECTORY)),
    "zip-start-only": (ZIPPED[:40], "damaged", zip_damage(NO_DIRECTORY)),
    "zip-without-its-middle": (ZIPPED[:40] + ZIPPED[-90:], "damaged", zip_damage(OTHER_DIRECTORY)),
    "zip-wrong-checksum": (
        patch(ZIPPED, int.from_bytes(ZIPPED[-6:-2], "little") + 16, b"\x00\x00\x00\x00"),
        "damaged",
        zip_damage(NOT_PACKED),
    ),
    "zip-stored-wrong-checksum": (patch(STORED, 50, b"?"), "damaged", zip_damage(NOT_PACKED)),
    "zip-entry-cut": (patch(ZIPPED, -10, b"\x20\x00\x00\x00"), "damaged", zip_damage(NO_DIRECTORY)),
    "zip-wrong-offset": (
        patch(ZIPPED, int.from_bytes(ZIPPED[-6:-2], "little") + 42, b"\x01\x00\x00\x00"),
        "damaged",
        zip_damage(OTHER_DIRECTORY),
    ),
    "zip-overlap": (
        with_overlap(zip_of({"a": LINES.encode(), "__MACOSX/b": LINES.encode()})),
        "damaged",
        zip_damage("its entries overlap"),
    ),
    "zip-name-too-long": (
        patch(ZIPPED, 26, b"\xff\xff"),
        "damaged",
        zip_damage(OTHER_DIRECTORY),
    ),
    "zip-empty": (zip_of({}), "not-one-file", not_one_file("no file")),
    "zip-folders-only": (zip_of({"a/": b"", "a/.DS_Store": b"x"}), "not-one-file", not_one_file("no file")),
    "zip-two": (zip_of({"a": b"1", "b": b"2"}), "not-one-file", not_one_file("2 files")),
    "zip-many": (
        zip_of({f"{n}": b"" for n in range(1_001)}),
        "not-one-file",
        not_one_file("1,001 files"),
    ),
    "zip-of-gzip": (zip_of(GZIPPED), "nested-archive", f"The file in the zip file {NESTED}"),
    "zip-of-zip": (zip_of(ZIPPED), "nested-archive", f"The file in the zip file {NESTED}"),
    "zip-encrypted": (
        with_flags(ZIPPED, 0x1),
        "encrypted",
        "The zip is encrypted. Zip the file without a password.",
    ),
    "zip-strongly-encrypted": (
        with_flags(ZIPPED, 0x41),
        "encrypted",
        "The zip is encrypted. Zip the file without a password.",
    ),
    **{
        f"zip-method-{method}": (
            with_method(ZIPPED, method),
            "packing-method",
            f"The zip uses the unsupported compression method {method}. Use deflate, or gzip the file.",
        )
        for method in (9, 12, 14, 99)
    },
    "zip-not-in-zstandard": (
        with_method(ZIPPED, 93),
        "damaged",
        "The zip is damaged: its checksum does not match. Create it again, and send the complete file.",
    ),
    "zip-workbook": (
        zip_of({"[Content_Types].xml": b"<x/>", "xl/workbook.xml": b"<x/>"}),
        "damaged",
        "The workbook is damaged: a part of it is missing. Save it again, or send it as CSV UTF-8.",
    ),
}


def test_unreadable_archive_is_refused_with_one_message(subtests: pytest.Subtests) -> None:
    for name in ARCHIVES:
        with subtests.test(name=name):
            data, code, message = ARCHIVES[name]
            assert problems_of(data) == (Problem(code, message),)


def test_zip_with_changed_bytes_is_read_or_refused_with_a_message(subtests: pytest.Subtests, soak: bool) -> None:
    rng = random.Random(5)
    originals = (ZIPPED, STORED, with_large_end(ZIPPED), zip_of({"a.jsonl": LINES.encode(), "__MACOSX/b": b"x"}))
    n_refused = 0
    n_files = 1_500 if soak else 150
    for n in range(n_files):
        data = bytearray(originals[n % len(originals)])
        # Most changes hit the directory, which is at the end.
        for _ in range(rng.randint(1, 3)):
            position = (
                rng.randrange(max(0, len(data) - 130), len(data)) if rng.random() < 0.7 else rng.randrange(len(data))
            )
            data[position] = rng.choice((0, 1, 255, rng.randrange(256)))
        with subtests.test(data=data.hex()):
            codes = {problem.code for problem in problems_of(bytes(data))}
            n_refused += not codes.isdisjoint({"damaged", "encrypted", "not-one-file", "packing-method"})
    assert n_refused > n_files / 2


def test_zip_with_an_oversized_directory_is_refused_before_it_is_read() -> None:
    data = zip_of({f"{n:0>2000}": b"" for n in range(600)})
    assert problems_of(data) == (Problem("not-one-file", not_one_file("far more than one file")),)


def test_archive_that_unpacks_to_far_more_than_its_size_is_refused(subtests: pytest.Subtests) -> None:
    large = b"[" + b" " * 12_000_000
    for name, data in (("gzip", zlib.compress(large, 1, wbits=31)), ("zip", zip_of(large))):
        with subtests.test(name=name):
            assert problems_of(data) == (Problem("too-large", TOO_MUCH),)


def broken(form: str, example: str, line: int) -> str:
    return (
        f"The {form} cannot be read from line {line} on: the following text is not JSON, or is longer than 2,500,000 "
        f"bytes. {example} Write it with a JSON library."
    )


IN_LIST = "Write a list of predictions as [{…}, {…}]."
IN_OBJECT = 'Write an object of predictions as {"<id>": "<response>", …}.'
ENTRY = (
    "is neither a string, nor a list of strings (runs 0, 1, …), nor an object with a `response`. "
    'Expected: {"<id>": "the model\'s raw text", …}'
)
NO_JSON = "is not a JSON object. Write one object per line and nothing else."
NOT_JSON = NO_JSON + ROW
NAN = NO_JSON + " This one contains NaN or Infinity, which JSON does not allow. Write null or remove the field." + ROW
HALF = (
    NO_JSON + " This one has an unpaired surrogate, such as \\ud800. Remove it, or write the complete character." + ROW
)
COMMENT = NO_JSON + " This one contains a comment, which JSON does not allow. Remove it." + ROW
CUT = "The {} cannot be read from line {} on: it is cut off{}. {} Send all of it."
NO_FORM = f"Line 1 is neither JSON nor a CSV header with `id` and `response`. Send {SUPPORTED_FORMATS}."
HEADER = "Line 1: the header of the CSV file has no"
TOO_LONG_RECORD = (
    "The record that begins in line 2 is longer than 2,500,000 bytes. Check for an unclosed quote; double "
    "every quote within a cell. A response may have at most 200,000 characters."
)
OPEN_QUOTE = (
    "A quote in the record that begins in line 2 is never closed. Close it, and double every quote within a cell."
)
BAD_QUOTE = "Line 2 has a quote inside a cell. Put the whole cell in quotes, and double every quote in it."
A = b'{"id": "amb-one", "response": "x"'
DEEP = b"[" * 100_000 + b"]" * 100_000
DIGITS = b"9" * 1_000_000
TEXTS: dict[str, tuple[bytes, str, str, int | None, str | None]] = {
    # JSON Lines
    "lines-deep": (A + b', "z": ' + DEEP + b"}\n", "not-json", f"Line 1, id `amb-one` {NOT_JSON}", 1, "amb-one"),
    "lines-digits": (
        A + b', "run": ' + DIGITS + b"}\n{}",
        "wrong-type",
        "Line 1, id `amb-one` has a `run` that is not a whole number from 0." + ROW,
        1,
        "amb-one",
    ),
    "lines-nan": (A + b', "run": NaN}\n', "not-json", f"Line 1, id `amb-one` {NAN}", 1, "amb-one"),
    "lines-surrogate": (
        rb'{"id": "amb-one", "response": "\ud800"}',
        "not-json",
        f"Line 1, id `amb-one` {HALF}",
        1,
        "amb-one",
    ),
    "lines-latin": (
        '{"id": "amb-one", "response": "schön"}'.encode("latin-1"),
        "encoding",
        "Line 1, id `amb-one` is not UTF-8. Save the file as UTF-8." + ROW,
        1,
        "amb-one",
    ),
    **{
        f"lines-{field}-twice": (
            A + b', "run": 0, "' + field.encode() + b'": ' + value + b"}",
            "duplicate-field",
            f"Line 1, id `amb-one` has `{field}` more than once. Keep one of them.",
            1,
            "amb-one",
        )
        for field, value in (("id", b'"amb-two"'), ("response", b'"y"'), ("run", b"1"))
    },
    "lines-escaped-name-twice": (
        A + rb', "\u0069d": "amb-one"}',
        "duplicate-field",
        "Line 1, id `amb-one` has `id` more than once. Keep one of them.",
        1,
        "amb-one",
    ),
    "lines-respone": (
        b'{"id": "amb-one", "respone": "A"}',
        "missing-field",
        "Line 1, id `amb-one` has no `response`. Rename `respone` to `response`." + ROW,
        1,
        "amb-one",
    ),
    "lines-answer": (
        b'{"id": "amb-one", "run": 0, "answer": "A"}',
        "missing-field",
        "Line 1, id `amb-one` has no `response`. Rename `answer` to `response`." + ROW,
        1,
        "amb-one",
    ),
    "lines-bidi-name": (
        '{"id": "amb-one", "respon\u202ee": "A"}'.encode(),
        "missing-field",
        "Line 1, id `amb-one` has no `response`. Rename `respon�e` to `response`." + ROW,
        1,
        "amb-one",
    ),
    "lines-item-id": (
        b'{"item_id": "amb-one", "response": "A"}',
        "missing-field",
        "Line 1 has no `id`. Rename `item_id` to `id`." + ROW,
        1,
        None,
    ),
    "lines-too-long": (
        b'{"id": "' + b"x" * 3_000_000 + b'"}\n' + A + b"}",
        "line-too-long",
        "Line 1 is longer than 2,500,000 bytes. Write one prediction per line; a response may have at most "
        "200,000 characters.",
        1,
        None,
    ),
    "lines-comment-first": (b"// answers\n" + A + b"}", "not-json", f"Line 1 {COMMENT}", 1, None),
    # one list
    "list-deep": (b"[" + A + b', "z": ' + DEEP + b"}]", "not-json", broken("list", IN_LIST, 1), 1, None),
    "list-digits": (
        b"[" + A + b', "run": ' + DIGITS + b"}]",
        "wrong-type",
        "Line 1, id `amb-one` has a `run` that is not a whole number from 0." + ROW,
        1,
        "amb-one",
    ),
    "list-nan": (b"[\n" + A + b', "run": NaN}]', "not-json", f"Line 2, id `amb-one` {NAN}", 2, "amb-one"),
    "list-surrogate": (
        rb'[{"id": "amb-one", "response": "\udc00"}]',
        "not-json",
        f"Line 1, id `amb-one` {HALF}",
        1,
        "amb-one",
    ),
    "list-latin": (
        b'[\n{"id": "\xff"}]',
        "encoding",
        "The file is not UTF-8 from line 1 on. Save it as UTF-8.",
        1,
        None,
    ),
    "list-cut": (b"[\n" + A, "not-json", CUT.format("list", 2, "", IN_LIST), 2, None),
    "list-then-more": (
        b"[" + A + b"}]\n{}",
        "not-json",
        "Line 2: there is extra text after the end of the list. Remove it.",
        2,
        None,
    ),
    "list-of-texts": (b'[\n"A"]', "not-object", "Line 2 is not a JSON object." + ROW, 2, None),
    "list-id-twice": (
        b"[\n" + A + b', "id": "amb-two"}]',
        "duplicate-field",
        "Line 2, id `amb-one` has `id` more than once. Keep one of them.",
        2,
        "amb-one",
    ),
    # one object
    "object-deep": (b'{"amb-one": ' + DEEP + b"}", "not-json", broken("object", IN_OBJECT, 1), 1, None),
    "object-digits": (
        b'{"amb-one": ' + DIGITS + b"}",
        "wrong-type",
        f"Line 1: the value of `amb-one` {ENTRY}",
        1,
        "amb-one",
    ),
    "object-null": (
        b'{"amb-one": null}',
        "wrong-type",
        f"Line 1: the value of `amb-one` {ENTRY}",
        1,
        "amb-one",
    ),
    "object-nan": (
        b'{\n"amb-one":\nNaN}',
        "wrong-type",
        f"Line 2: the value of `amb-one` {ENTRY}",
        2,
        "amb-one",
    ),
    "object-list-of-verdicts": (
        b'{\n"trace-1": [true, 1]\n}',
        "wrong-type",
        f"Line 2: the value of `trace-1` {ENTRY}",
        2,
        "trace-1",
    ),
    "object-surrogate": (
        b'{"amb-one": "\\ud800"}',
        "wrong-type",
        f"Line 1: the value of `amb-one` {ENTRY}",
        1,
        "amb-one",
    ),
    "object-bidi": (
        '{"amb\u202eone": 1}'.encode(),
        "wrong-type",
        f"Line 1: the value of `amb�one` {ENTRY}",
        1,
        None,
    ),
    "object-surrogate-key": (
        b'{\n"amb-one": "A",\n"\\ud800": "B"}',
        "bad-id",
        "Line 3 has an id that is not a string. Copy the ids from questions.jsonl.",
        3,
        None,
    ),
    "object-key-twice": (
        b'{"amb-one": "A",\n"amb-one": "B"}',
        "duplicate",
        "Line 2: run 0 of `amb-one` was already answered (line 1). Keep one.",
        2,
        "amb-one",
    ),
    "object-field-twice": (
        b'{\n"amb-one": {"response": "A", "response": "B"}}',
        "duplicate-field",
        "Line 2, id `amb-one` has `response` more than once. Keep one of them.",
        2,
        "amb-one",
    ),
    "object-respone": (
        b'{\n"amb-one": {"respone": "A"}}',
        "missing-field",
        "Line 2, id `amb-one` has no `response`. Rename `respone` to `response`." + ROW,
        2,
        "amb-one",
    ),
    "object-run-too-many": (
        b'{"amb-one": ["A", "B", "C", "D"]}',
        "unknown-run",
        "Line 1: run 3 of `amb-one` does not exist. Its runs are 0, 1, 2.",
        1,
        "amb-one",
    ),
    "object-of-rows": (
        b'{"predictions": [' + A + b"}]}",
        "wrong-form",
        'The rows are in a list called "predictions" inside an object. Send only the list: [{…}, {…}].',
        1,
        None,
    ),
    "object-cut": (
        b'{\n"amb-one": "A",\n',
        "not-json",
        CUT.format("object", 3, ", or its closing bracket is missing", IN_OBJECT),
        3,
        None,
    ),
    "object-without-colon": (b'{\n"amb-one": "A",\n"x" 1}', "not-json", broken("object", IN_OBJECT, 3), 3, None),
    "object-without-comma": (
        b'{\n"amb-one": "A"\n"x": 1}',
        "not-json",
        f"The object cannot be read from line 3 on: a comma is missing here. {IN_OBJECT} Add it.",
        3,
        None,
    ),
    "object-then-more": (
        b'{\n"amb-one": "A"\n}\n{}',
        "not-json",
        "Line 4: there is extra text after the end of the object. Remove it.",
        4,
        None,
    ),
    # CSV
    "csv-field-of-3-MB": (
        b'id,response\namb-one,"' + b"x" * 3_000_000 + b'"\n',
        "line-too-long",
        TOO_LONG_RECORD,
        2,
        None,
    ),
    "csv-bare-field-of-3-MB": (
        b"id,response\namb-one," + b"x" * 3_000_000,
        "line-too-long",
        TOO_LONG_RECORD,
        2,
        None,
    ),
    "csv-open-quote": (b'id,response\namb-one,"x\namb-two,y\n', "open-quote", OPEN_QUOTE, 2, None),
    "csv-quote-within": (b'id,response\namb-one,say "x"\n', "bad-quotes", BAD_QUOTE, 2, None),
    "csv-quote-ends-early": (b'id,response\namb-one,"x" y\n', "bad-quotes", BAD_QUOTE, 2, None),
    "csv-extra-cell": (
        b"id,response\namb-one,x, y\n",
        "wrong-length",
        "Line 2 has 3 cells, but the header has 2. Put a text with commas, quotes or line breaks in quotes.",
        2,
        None,
    ),
    "csv-missing-cell": (
        b"id;run;response\namb-one;0\n",
        "wrong-length",
        "Line 2 has 2 cells, but the header has 3. Put a text with semicolons, quotes or line breaks in quotes.",
        2,
        None,
    ),
    **{
        f"csv-run-{run}": (
            f"id,run,response\namb-one,{run},x\n".encode(),
            "wrong-type",
            "Line 2, id `amb-one` has a `run` that is not a whole number from 0. Write 0, 1, 2, …",
            2,
            "amb-one",
        )
        for run in ("1.0", "-1", "one", "NaN", "1e0", "٣", "9" * 1_000)
    },
    "csv-python-list": (
        b'id,erroneous\ntrace-1,"[True, False]"\n',
        "wrong-type",
        "Line 2, id `trace-1` has a cell of `erroneous` that is not a JSON list such as [true, false].",
        2,
        "trace-1",
    ),
    "csv-nan-score": (
        b'id,erroneous,scores\ntrace-1,"[true, false]","[NaN, 0]"\n',
        "wrong-type",
        "Line 2, id `trace-1` has a cell of `scores` that is not a JSON list such as [0.9, 0.1].",
        2,
        "trace-1",
    ),
    "csv-deep-list": (
        b'id,erroneous\ntrace-1,"' + DEEP + b'"\n',
        "wrong-type",
        "Line 2, id `trace-1` has a cell of `erroneous` that is not a JSON list such as [true, false].",
        2,
        "trace-1",
    ),
    "csv-latin": (
        b"id,response\namb-one,sch\xf6n\n",
        "encoding",
        "Line 2 is not UTF-8. Save the file as UTF-8.",
        2,
        None,
    ),
    "csv-respone": (
        b"id,respone\namb-one,x\n",
        "missing-field",
        f"{HEADER} `response`. Rename `respone` to `response`. Expected: id,run,response",
        1,
        None,
    ),
    "csv-uppercase-header": (
        b"ID,Response\namb-one,x\n",
        "missing-field",
        f"{HEADER} `id`. Rename `ID` to `id` and `Response` to `response`. Expected: id,run,response",
        1,
        None,
    ),
    "csv-id-only": (b"id\namb-one\n", "missing-field", f"{HEADER} `response`. Expected: id,run,response", 1, None),
    "csv-column-twice": (
        b"id,response,response\namb-one,x,y\n",
        "duplicate-field",
        "Line 1: the header has `response` twice. Keep one.",
        1,
        None,
    ),
    "csv-carriage-returns": (
        b"id,response\ramb-one,x\r",
        "line-ends",
        "The lines end in carriage returns only. Save the file with standard line endings.",
        1,
        None,
    ),
    "csv-without-header": (b"amb-one,x\namb-two,y\n", "unknown-form", NO_FORM, 1, None),
    # unknown formats
    "prose": (b"The answer is A.\n", "unknown-form", NO_FORM, 1, None),
    "yaml": (b"amb-one: A\namb-two: B\n", "unknown-form", NO_FORM, 1, None),
    "number": (b"12", "unknown-form", NO_FORM, 1, None),
    "old-pickle": (pickle.dumps(GOOD, 0), "unknown-form", NO_FORM, 1, None),
    **{
        f"empty-{n}": (
            data,
            "empty-file",
            "The file is empty. Write one line per question.",
            None,
            None,
        )
        for n, data in enumerate((b"", b"\n \n", b"[]", b"\xef\xbb\xbf", b"id,response\n", b'{"amb-one": []}'))
    },
}


def test_text_with_a_fault_is_refused_with_line_id_and_remedy(subtests: pytest.Subtests) -> None:
    for name in TEXTS:
        for packing in PACKINGS:
            with subtests.test(packing=packing, name=name):
                data, code, message, line, item_id = TEXTS[name]
                assert problems_of(PACKINGS[packing](data))[0] == Problem(code, message, line, item_id)


def test_message_of_every_fault_is_short_and_on_one_line(subtests: pytest.Subtests) -> None:
    for name in TEXTS:
        with subtests.test(name=name):
            for problem in problems_of(TEXTS[name][0]):
                assert problem.message.isprintable()
                assert len(problem.message) < 400


def test_table_has_at_least_120_different_cases() -> None:
    n_cases = len(FORMS) * len(ROW_FAULTS) + len(FOREIGN) + len(ARCHIVES) + len(TEXTS)
    assert n_cases >= 120
    assert len({message for _, _, message, *_ in TEXTS.values()}) > 40


UNUSUAL = {
    "gzip-with-an-empty-member": gzip.compress(LINES.encode()) + gzip.compress(b""),
    "gzip-in-two-members-and-zeros": gzip.compress(LINES.encode()[:30])
    + gzip.compress(LINES.encode()[30:])
    + bytes(512),
    "zip-path-upwards": zip_of({"../../etc/predictions": LINES.encode()}),
    "zip-absolute-path": zip_of({"/absolute/p.csv": LINES.encode()}),
    "zip-windows-path": zip_of({"C:\\p.txt": LINES.encode()}),
    "zip-with-folders-of-a-system": zip_of(
        {"a/": b"", "a/p": LINES.encode(), "__MACOSX/a/._p": b"x", ".DS_Store": b"x"}
    ),
    "zip-of-wide-headers": zip_of(LINES.encode(), widen=True),
    "zip-with-large-end": with_large_end(zip_of(LINES.encode())),
    "zip-stored": STORED,
    "zip-misnamed": zip_of({"p.xlsx": LINES.encode()}),
    "list-with-byte-order-mark": b"\xef\xbb\xbf" + write_list(GOOD),
    "object-with-byte-order-mark": b"\xef\xbb\xbf" + write_object(GOOD),
    "table-with-byte-order-mark-and-crlf": b"\xef\xbb\xbf" + write_table(GOOD, ending="\r\n"),
    "lines-after-blank-ones": b"\n \n" + write_lines(GOOD),
    "object-of-lists": b'{"amb-one": "A", "amb-two": ["B, \\"b\\"\\nb"]}',
    "object-of-objects": b'{"amb-one": {"id": "amb-one", "response": "A"}, '
    b'"amb-two": [{"run": 0, "response": "B, \\"b\\"\\nb"}]}',
    "table-with-other-columns": b'id,model,response\namb-one,x,A\n\n"amb-two",,"B, ""b""\nb"',
}


def test_unusual_but_valid_file_is_read(subtests: pytest.Subtests) -> None:
    for name in UNUSUAL:
        with subtests.test(name=name):
            verdict = validate_predictions(io.BytesIO(UNUSUAL[name]), KNOWN, allow_missing=True)
            assert verdict.problems == ()
            assert verdict.predictions == 2


def test_truncated_file_reports_no_missing_answers() -> None:
    verdict = validate_predictions(io.BytesIO(b"[" + A + b"},"), KNOWN)
    assert [problem.code for problem in verdict.problems] == ["not-json"]


FAULTY_LINES = {
    "not-json": b"{",
    "missing-field": b"{}",
    "wrong-type": b'{"id": 1, "response": [1]}',
    "unknown-id": b'{"id": "amb-x", "response": "A"}',
    "duplicate": A + b"}",
}


def test_validation_stops_after_too_many_faults(subtests: pytest.Subtests) -> None:
    """A million faults compress to 3 kB, and took 20 to 35 seconds."""
    for code, line in FAULTY_LINES.items():
        with subtests.test(code=code):
            verdict = validate_predictions(io.BytesIO(A + b"}\n" + (line + b"\n") * 20_010), KNOWN)
            assert verdict.totals == {code: 20_001, "too-many": 1}
            assert verdict.problems[-1].message == (
                "The file has more than 20,000 problems up to line 20002; the rest was not read. Fix the first ones."
            )


@pytest.mark.parametrize("header", [b"", b"id,response\n"])
def test_validation_stops_after_too_many_empty_lines(header: bytes) -> None:
    (problem,) = validate_predictions(io.BytesIO(header + b"\n" * 1_000_010), KNOWN).problems
    line = 1_000_001 + header.count(b"\n")
    assert problem.message == (
        f"The file has more than 1,000,000 empty lines up to line {line}; the rest was not read. Remove them."
    )
