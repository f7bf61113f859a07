"""Prediction files in every format and compression, and malformed archives."""

import csv
import gzip
import io
import json
import struct
import zipfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
Write = Callable[[Sequence[Row]], bytes]


def write_lines(rows: Sequence[Row]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def write_list(rows: Sequence[Row]) -> bytes:
    return b"[\n" + b",\n".join(json.dumps(row).encode() for row in rows) + b"\n]\n"


def write_object(rows: Sequence[Row]) -> bytes:
    """Write one object entry per row, repeating ids: JSON libraries never write a key twice, but people do."""
    entries = (
        json.dumps(row["id"]) + ": " + json.dumps({name: value for name, value in row.items() if name != "id"})
        for row in rows
    )
    return ("{\n" + ",\n".join(entries) + "\n}\n").encode()


def write_short_object(rows: Sequence[Row]) -> bytes:
    """Write id → texts of its runs; all runs of an id must be present and in order."""
    texts: dict[str, list[str]] = {}
    for row in rows:
        texts.setdefault(row["id"], []).append(row["response"])
    return json.dumps(texts).encode()


def write_table(rows: Sequence[Row], delimiter: str = ",", ending: str = "\n") -> bytes:
    names = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    table = csv.writer(text, delimiter=delimiter, lineterminator=ending)
    table.writerow(names)
    for row in rows:
        cells = (row.get(name, "") for name in names)
        table.writerow(json.dumps(cell) if isinstance(cell, list) else cell for cell in cells)
    return text.getvalue().encode()


# Format → writer, and the line number of its first row.
FORMS: Mapping[str, tuple[Write, int]] = {
    "lines": (write_lines, 1),
    "list": (write_list, 2),
    "object": (write_object, 2),
    "csv": (write_table, 2),
    "semicolons": (lambda rows: write_table(rows, ";"), 2),
    "tabs": (lambda rows: write_table(rows, "\t", "\r\n"), 2),
}


def zip_of(files: Mapping[str, bytes] | bytes, method: int = zipfile.ZIP_DEFLATED, *, widen: bool = False) -> bytes:
    """Return a zip archive of one or several files."""
    named = {"predictions.any": files} if isinstance(files, bytes) else files
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, data in named.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            with archive.open(info, "w", force_zip64=widen) as entry:
                entry.write(data)
    return packed.getvalue()


PACKINGS: Mapping[str, Callable[[bytes], bytes]] = {
    "plain": lambda data: data,
    "gzip": gzip.compress,
    "zip": zip_of,
}


def patch(data: bytes, at: int, value: bytes) -> bytes:
    """Overwrite bytes at a position; negative positions count from the end."""
    at %= len(data)
    return data[:at] + value + data[at + len(value) :]


def directory_at(data: bytes) -> int:
    return int.from_bytes(data[-6:-2], "little")


def with_flags(data: bytes, flags: int) -> bytes:
    """Return a zip archive whose only entry has other flags."""
    return patch(patch(data, 6, struct.pack("<H", flags)), directory_at(data) + 8, struct.pack("<H", flags))


def with_method(data: bytes, method: int) -> bytes:
    """Return a zip archive whose only entry claims another compression method."""
    return patch(patch(data, 8, struct.pack("<H", method)), directory_at(data) + 10, struct.pack("<H", method))


def with_large_end(data: bytes) -> bytes:
    """Return a zip archive with a zip64 end record, as some writers always produce."""
    begin, (_, _, n_here, n, size, at) = data[:-22], struct.unpack("<4HLL", data[-18:-2])
    large = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, n_here, n, size, at)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, len(begin), 1)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return begin + large + locator + end


def with_overlap(data: bytes) -> bytes:
    """Return a zip archive of two files whose second entry points to the data of the first."""
    second = data.index(b"PK\x01\x02", directory_at(data) + 4)
    return patch(data, second + 42, bytes(4))


class SlowFile(io.RawIOBase):
    """File that returns only a few bytes per read, regardless of the requested size."""

    def __init__(self, data: bytes, sizes: Sequence[int]) -> None:
        self._file = io.BytesIO(data)
        self._sizes = sizes
        self._n_reads = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, at: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(at, whence)

    def tell(self) -> int:
        return self._file.tell()

    def readinto(self, buffer: Any) -> int:
        self._n_reads += 1
        size = self._sizes[self._n_reads % len(self._sizes)]
        return self._file.readinto(memoryview(buffer)[:size])


class RemoteFile:
    """Remote file: every read must have a size, and the size must fit in memory."""

    def __init__(self, data: bytes, max_bytes: int) -> None:
        self._file = io.BytesIO(data)
        self._most_bytes = max_bytes

    def read(self, n_bytes: int) -> bytes:
        assert 0 < n_bytes <= self._most_bytes
        return self._file.read(n_bytes)

    def seek(self, at: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(at, whence)
