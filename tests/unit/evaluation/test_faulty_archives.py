"""Files that are not text, and archives that are damaged or unusual: what is read, and what is refused."""

import bz2
import gzip
import io
import lzma
import pickle
import random
import tarfile
import zipfile
import zlib

import pytest

from evaluation.predictions import Problem, validate_predictions
from tests.support.samples.faulty_files import GOOD, KNOWN, LINES, SUPPORTED_FORMATS, list_problems
from tests.support.samples.intake_files import (
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
                assert list_problems(PACKINGS[packing](data)) == (Problem(code, f"{subject} {message}"),)


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
            assert list_problems(data) == (Problem(code, message),)


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
            codes = {problem.code for problem in list_problems(bytes(data))}
            n_refused += not codes.isdisjoint({"damaged", "encrypted", "not-one-file", "packing-method"})
    assert n_refused > n_files / 2


def test_zip_with_an_oversized_directory_is_refused_before_it_is_read() -> None:
    data = zip_of({f"{n:0>2000}": b"" for n in range(600)})
    assert list_problems(data) == (Problem("not-one-file", not_one_file("far more than one file")),)


def test_archive_that_unpacks_to_far_more_than_its_size_is_refused(subtests: pytest.Subtests) -> None:
    large = b"[" + b" " * 12_000_000
    for name, data in (("gzip", zlib.compress(large, 1, wbits=31)), ("zip", zip_of(large))):
        with subtests.test(name=name):
            assert list_problems(data) == (Problem("too-large", TOO_MUCH),)


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
