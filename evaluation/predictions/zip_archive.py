"""The only file of a zip archive, read without extracting to disk and without trusting names.

`zipfile` reads the archive through a file object that rejects directories too large for a single prediction file, so an
archive that lists two million entries is rejected before they are read. Names only decide which entries are ignored.
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
# Errors of `zipfile` for an unreadable directory; names that are not UTF-8 raise a ValueError.
_UNREADABLE = (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, struct.error)


class _BoundedFile:
    """A file object for `zipfile` that counts reads, and rejects single reads larger than any plausible directory."""

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

    Folders, the contents of `__MACOSX`, and files whose names start with a dot are ignored.

    Raises:
        FileFaultError: There is not exactly one such file, or it is unreadable; reading the content raises it too.
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
    return io.BufferedReader(Unpacked(_unpack(archive, _choose_entry(entries), bounded)), _PIECE_BYTES)


def _refuse_overlaps(entries: list[zipfile.ZipInfo], directory_at: int) -> None:
    """Reject entries that share bytes, with which a small archive can decompress to a huge one many times over."""
    ends_at = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        if entry.header_offset < 0:
            raise _damaged("its directory does not match its files")
        if entry.header_offset < ends_at:
            raise _damaged("its entries overlap")
        ends_at = entry.header_offset + _LOCAL_HEADER_BYTES + entry.compress_size
    if ends_at > directory_at:
        raise _damaged("its directory does not match its files")


def _choose_entry(entries: list[zipfile.ZipInfo]) -> zipfile.ZipInfo:
    names = [entry.filename for entry in entries]
    if "[Content_Types].xml" in names:
        raise FileFaultError(
            "wrong-kind",
            'The file is an Office document, such as an Excel workbook. In the spreadsheet choose "Save as" and '
            '"CSV UTF-8", and send that file.',
        )
    if any(name.startswith("_journal/") or name == "header.json" for name in names):
        raise FileFaultError("wrong-kind", describe_inspect_archive())
    candidates = [entry for entry in entries if not _is_ignored(entry.filename)]
    if len(candidates) != 1:
        raise _not_one_file(f"{len(candidates):,} files" if candidates else "no file")
    (entry,) = candidates
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


def _not_one_file(contents: str) -> FileFaultError:
    return FileFaultError("not-one-file", f"The zip contains {contents}. Put only the prediction file in it.")


def _damaged(how: str) -> FileFaultError:
    return FileFaultError("damaged", f"The zip is damaged: {how}. Create it again, and send the complete file.")
