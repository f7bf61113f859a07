"""The only file of a zip archive, read without unpacking anything to a disk and without trusting a name.

`zipfile` reads the archive through a file that refuses a directory too large for one prediction file: an archive that
lists two million entries is refused before they are read. Names only decide which entries are ignored.
"""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, BinaryIO

from evaluation.predictions.other_tools import describe_inspect_archive
from evaluation.predictions.problems import FileFaultError
from evaluation.predictions.unpacking import Unpacked, UnpackingLimiter

MAX_ENTRIES = 1_000
_MAX_READ_BYTES = 1_000_000
_PIECE_BYTES = 1 << 17
_ENCRYPTED_FLAGS = 0x0001 | 0x0040 | 0x2000
_LOCAL_HEADER_BYTES = 30
# What `zipfile` raises for a directory that it cannot read; names that are not UTF-8 are a ValueError.
_UNREADABLE = (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, struct.error)


class _BoundedFile:
    """A file for `zipfile`: counts what is read, and refuses a single read larger than any directory should be."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._n_bytes = self._at = file.seek(0, io.SEEK_END)
        self.allowance = UnpackingLimiter()

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = self._file.seek(offset, whence)
        return self._at

    def tell(self) -> int:
        return self._at

    def read(self, n_bytes: int = -1) -> bytes:
        n_left = self._n_bytes - self._at
        n_left = n_left if n_bytes < 0 else min(n_bytes, n_left)
        if n_left > _MAX_READ_BYTES:
            raise _not_one_file("far more than one file")
        pieces = []
        while n_left > 0 and (piece := self._file.read(n_left)):
            pieces.append(piece)
            n_left -= len(piece)
            self._at += len(piece)
            self.allowance.take_in(len(piece))
        return b"".join(pieces)


def open_zip(file: BinaryIO) -> BinaryIO:
    """Return the content of the only file of a zip archive.

    Folders, the contents of `__MACOSX`, and files whose names begin with a dot are ignored.

    Raises:
        FileFaultError: There is not exactly one such file, or it cannot be read; reads of the content raise it too.
    """
    bounded = _BoundedFile(file)
    try:
        archive = zipfile.ZipFile(bounded)
    except _UNREADABLE:
        raise _damaged("its directory is missing or unreadable") from None
    entries = archive.infolist()
    if len(entries) > MAX_ENTRIES:
        raise _not_one_file(f"{len(entries):,} files")
    _refuse_overlaps(entries, archive.start_dir)
    return io.BufferedReader(Unpacked(_unpack(archive, _choose(entries), bounded)), _PIECE_BYTES)


def _refuse_overlaps(entries: list[zipfile.ZipInfo], directory_at: int) -> None:
    """Refuse entries that share bytes, with which a small archive unpacks to a huge one many times over."""
    ends_at = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        if entry.header_offset < 0:
            raise _damaged("its directory does not match its files")
        if entry.header_offset < ends_at:
            raise _damaged("its entries overlap")
        ends_at = entry.header_offset + _LOCAL_HEADER_BYTES + entry.compress_size
    if ends_at > directory_at:
        raise _damaged("its directory does not match its files")


def _choose(entries: list[zipfile.ZipInfo]) -> zipfile.ZipInfo:
    names = [entry.filename for entry in entries]
    if "[Content_Types].xml" in names:
        raise FileFaultError(
            "wrong-kind",
            'The file is an Office document, such as an Excel workbook. In the spreadsheet choose "Save as" and '
            '"CSV UTF-8", and send that file.',
        )
    if any(name.startswith("_journal/") or name == "header.json" for name in names):
        raise FileFaultError("wrong-kind", describe_inspect_archive())
    wanted = [entry for entry in entries if not _is_ignored(entry.filename)]
    if len(wanted) != 1:
        raise _not_one_file(f"{len(wanted):,} files" if wanted else "no file")
    (entry,) = wanted
    if entry.flag_bits & _ENCRYPTED_FLAGS:
        raise FileFaultError("encrypted", "The zip is encrypted. Zip the file without a password.")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise FileFaultError(
            "packing-method",
            f"The zip uses the unsupported compression method {entry.compress_type}. Use deflate, or gzip the file.",
        )
    return entry


def _is_ignored(name: str) -> bool:
    folders, _, last = name.replace("\\", "/").rpartition("/")
    return not last or last.startswith(".") or "__MACOSX" in folders.split("/")


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, bounded: _BoundedFile) -> Iterator[bytes]:
    bounded.allowance = allowance = UnpackingLimiter()
    try:
        content = archive.open(entry)
    except _UNREADABLE:
        raise _damaged("its directory does not match its files") from None
    n_bytes = 0
    while piece := _read_piece(content):
        n_bytes += len(piece)
        allowance.give_out(len(piece))
        yield piece
    if n_bytes != entry.file_size:
        raise _damaged("its checksum does not match")


def _read_piece(content: IO[bytes]) -> bytes:
    try:
        return content.read(_PIECE_BYTES)
    except EOFError:
        raise _damaged("it ends in the middle") from None
    except (zipfile.BadZipFile, zlib.error):
        raise _damaged("its checksum does not match") from None


def _not_one_file(held: str) -> FileFaultError:
    return FileFaultError("not-one-file", f"The zip contains {held}. Put only the prediction file in it.")


def _damaged(how: str) -> FileFaultError:
    return FileFaultError("damaged", f"The zip is damaged: {how}. Create it again, and send the complete file.")
