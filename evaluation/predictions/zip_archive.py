"""The only file of a zip, read without unpacking anything to a disk and without trusting a name.

The directory at the end of the archive is read here, in bounded memory: a library that lists two million entries before
anybody can say no is a door left open. Names decide only which entries are not looked at.
"""

import io
import struct
import zlib
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from evaluation.predictions.other_tools import describe_inspect_archive
from evaluation.predictions.problems import FileFaultError
from evaluation.predictions.unpacking import Allowance, Unpacked, inflate

MAX_ENTRIES = 1_000
_MAX_DIRECTORY_BYTES = 1_000_000
_PIECE_BYTES = 1 << 17
_STORED, _DEFLATED = 0, 8
_ENCRYPTED_FLAGS = 0x0001 | 0x0040 | 0x2000
_END = struct.Struct("<4s4H2LH")
_LOCATOR = struct.Struct("<4sLQL")
_LARGE_END = struct.Struct("<4sQ2H2L4Q")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_MAX_COMMENT_BYTES = 65_535
_FULL_16, _FULL_32 = 0xFFFF, 0xFFFFFFFF
_LARGE_FIELDS = 1  # number of the extra field of zip64


class Entry(NamedTuple):
    """One file of an archive, as its directory has it."""

    name: bytes
    flags: int
    method: int
    crc: int
    n_packed: int
    n_bytes: int
    begins_at: int


class _Directory(NamedTuple):
    n_entries: int
    begins_at: int
    n_bytes: int


def open_zip(file: BinaryIO) -> BinaryIO:
    """Return the content of the only file of a zip.

    Folders, what is in `__MACOSX`, and files whose names begin with a dot do not count.

    Raises:
        FileFaultError: There is not one such file, or it cannot be read; reads of the content raise it too.
    """
    directory = _find_directory(file)
    entries = list(_read_entries(file, directory))
    _refuse_overlaps(entries, directory.begins_at)
    entry = _choose(entries)
    return io.BufferedReader(Unpacked(_unpack(file, entry, directory.begins_at)), _PIECE_BYTES)


def _find_directory(file: BinaryIO) -> _Directory:
    size = file.seek(0, io.SEEK_END)
    tail_at = max(0, size - _END.size - _MAX_COMMENT_BYTES)
    file.seek(tail_at)
    tail = file.read(size - tail_at)
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or at + _END.size > len(tail):
        raise _damaged("its end is missing")
    _, disk, first_disk, n_here, n_entries, n_bytes, begins_at, _ = _END.unpack_from(tail, at)
    if _FULL_16 in (n_entries, disk) or _FULL_32 in (n_bytes, begins_at):
        disk, first_disk, n_here, n_entries, n_bytes, begins_at = _find_large_end(file, tail_at + at)
    if disk or first_disk or n_here != n_entries:
        raise _damaged("it is one of several pieces")
    if n_entries > MAX_ENTRIES or n_bytes > _MAX_DIRECTORY_BYTES:
        raise FileFaultError("not-one-file", f"The zip holds {n_entries:,} files. Put the prediction file alone in it.")
    if begins_at + n_bytes > tail_at + at:
        raise _damaged("its directory lies outside it")
    return _Directory(n_entries, begins_at, n_bytes)


def _find_large_end(file: BinaryIO, end_at: int) -> tuple[int, int, int, int, int, int]:
    """Return what the end record of zip64 says: disk, first disk, entries here and in all, size and place of them."""
    if end_at < _LOCATOR.size:
        raise _damaged("its end is missing")
    signature, _, at, _ = _LOCATOR.unpack(_read_at(file, end_at - _LOCATOR.size, _LOCATOR.size))
    if signature != b"PK\x06\x07" or at > end_at:
        raise _damaged("its end is missing")
    record = _LARGE_END.unpack(_read_at(file, at, _LARGE_END.size))
    if record[0] != b"PK\x06\x06":
        raise _damaged("its end is missing")
    return record[4:10]


def _read_at(file: BinaryIO, at: int, n_bytes: int) -> bytes:
    file.seek(at)
    data = file.read(n_bytes)
    if len(data) < n_bytes:
        raise _damaged("it ends in the middle")
    return data


def _read_entries(file: BinaryIO, directory: _Directory) -> Iterator[Entry]:
    data = _read_at(file, directory.begins_at, directory.n_bytes)
    at = 0
    for _ in range(directory.n_entries):
        if at + _ENTRY.size > len(data):
            raise _damaged("its directory is cut")
        field = _ENTRY.unpack_from(data, at)
        n_name, n_extra, n_comment = field[10:13]
        name_at = at + _ENTRY.size
        at = name_at + n_name + n_extra + n_comment
        if field[0] != b"PK\x01\x02" or at > len(data):
            raise _damaged("its directory is cut")
        extra = data[name_at + n_name : name_at + n_name + n_extra]
        n_bytes, n_packed, begins_at = _widen((field[9], field[8], field[16]), extra)
        yield Entry(data[name_at : name_at + n_name], field[3], field[4], field[7], n_packed, n_bytes, begins_at)


def _widen(sizes: tuple[int, int, int], extra: bytes) -> list[int]:
    """Return sizes and place of an entry; those that need more than 32 bits stand in an extra field."""
    wide = _find_extra(extra)
    found = []
    for size in sizes:
        if size == _FULL_32:
            if len(wide) < 8:
                raise _damaged("its directory is cut")
            size, wide = int.from_bytes(wide[:8], "little"), wide[8:]
        found.append(size)
    return found


def _find_extra(extra: bytes) -> bytes:
    at = 0
    while at + 4 <= len(extra):
        number, n_bytes = struct.unpack_from("<HH", extra, at)
        if number == _LARGE_FIELDS:
            return extra[at + 4 : at + 4 + n_bytes]
        at += 4 + n_bytes
    return b""


def _refuse_overlaps(entries: list[Entry], end: int) -> None:
    """Refuse entries that share bytes, with which a small archive unpacks to a huge one many times over."""
    ends_at = 0
    for entry in sorted(entries, key=lambda entry: entry.begins_at):
        if entry.begins_at < ends_at:
            raise _damaged("entries of it overlap")
        ends_at = entry.begins_at + _LOCAL.size + len(entry.name) + entry.n_packed
    if ends_at > end:
        raise _damaged("entries of it overlap")


def _choose(entries: list[Entry]) -> Entry:
    if any(entry.name == b"[Content_Types].xml" for entry in entries):
        raise FileFaultError(
            "wrong-kind",
            'The file is an Office document, such as an Excel workbook. In the spreadsheet choose "Save as" and '
            '"CSV UTF-8", and send that file.',
        )
    if any(entry.name.startswith(b"_journal/") or entry.name == b"header.json" for entry in entries):
        raise FileFaultError("wrong-kind", describe_inspect_archive())
    wanted = [entry for entry in entries if not _is_passed_over(entry.name)]
    if len(wanted) != 1:
        held = f"{len(wanted):,} files" if wanted else "no file"
        raise FileFaultError("not-one-file", f"The zip holds {held}. Put the prediction file alone in it.")
    (entry,) = wanted
    if entry.flags & _ENCRYPTED_FLAGS:
        raise FileFaultError("encrypted", "The zip is encrypted. Zip the file without a password.")
    if entry.method not in (_STORED, _DEFLATED):
        raise FileFaultError(
            "packing-method",
            f"The zip is packed by method {entry.method}, which is not read here. Zip the file the usual way "
            "(deflate), or gzip it.",
        )
    return entry


def _is_passed_over(name: bytes) -> bool:
    folders, _, last = name.replace(b"\\", b"/").rpartition(b"/")
    return not last or last.startswith(b".") or b"__MACOSX" in folders.split(b"/")


def _unpack(file: BinaryIO, entry: Entry, end: int) -> Iterator[bytes]:
    local = _LOCAL.unpack(_read_at(file, entry.begins_at, _LOCAL.size))
    begins_at = entry.begins_at + _LOCAL.size + local[9] + local[10]
    if local[0] != b"PK\x03\x04" or begins_at + entry.n_packed > end:
        raise _damaged("its directory does not fit its files")
    allowance = Allowance()
    file.seek(begins_at)
    pieces = _read_pieces(file, entry.n_packed, allowance)
    if entry.method == _DEFLATED:
        pieces = inflate(pieces, allowance, zlib.decompressobj(-zlib.MAX_WBITS))
    crc = n_bytes = 0
    for piece in pieces:
        crc, n_bytes = zlib.crc32(piece, crc), n_bytes + len(piece)
        yield piece
    if (crc, n_bytes) != (entry.crc, entry.n_bytes):
        raise _damaged("its bytes are not what was packed")


def _read_pieces(file: BinaryIO, n_bytes: int, allowance: Allowance) -> Iterator[bytes]:
    while n_bytes:
        piece = file.read(min(_PIECE_BYTES, n_bytes))
        if not piece:
            raise _damaged("it ends in the middle")
        n_bytes -= len(piece)
        allowance.take_in(len(piece))
        yield piece


def _damaged(how: str) -> FileFaultError:
    return FileFaultError("damaged", f"The zip is damaged: {how}. Make it again, and send all of it.")
