"""The only file of a zip archive, read without extracting to disk and without trusting names.

`zipfile` reads the archive through a file object that rejects directories too large for a single prediction file, so an
archive that lists two million entries is rejected before they are read. Names only decide which entries are ignored.
"""

import copy
import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, BinaryIO

import zstandard

from evaluation.predictions.problems import FileFaultError
from evaluation.predictions.unpacking import Unpacked, UnpackingLimiter

MAX_ENTRIES = 1_000
ZSTANDARD = 93
"""Number of the compression method in zip files."""
_MAX_READ_BYTES = 1_000_000
_MAX_WINDOW_BYTES = 1 << 25
_PIECE_BYTES = 1 << 17
_ENCRYPTED_FLAGS = 0x0001 | 0x0040 | 0x2000
_LOCAL_HEADER_BYTES = 30
# Errors of `zipfile` for an unreadable directory; names that are not UTF-8 raise a ValueError.
_UNREADABLE = (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, struct.error)


class _BoundedFile:
    """A file object for `zipfile` that counts reads, and rejects single reads larger than any plausible directory."""

    def __init__(self, file: BinaryIO, max_read_bytes: int) -> None:
        self._file = file
        self._max_read_bytes = max_read_bytes
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
        if n_left > self._max_read_bytes:
            raise _not_one_file("far more than one file")
        pieces = []
        while n_left > 0 and (piece := self._file.read(n_left)):
            pieces.append(piece)
            n_left -= len(piece)
            self._at += len(piece)
            self.allowance.take_in(len(piece))
        return b"".join(pieces)


class ZipEntries:
    """The entries of a zip archive that does not contradict itself; all of their content counts against one limit.

    Attributes:
        entries: The entries, in the order of the directory.
    """

    def __init__(
        self, file: BinaryIO, *, max_entries: int = MAX_ENTRIES, max_directory_bytes: int = _MAX_READ_BYTES
    ) -> None:
        """Read the directory.

        Raises:
            FileFaultError: It is unreadable, too large, or lists entries that overlap.
        """
        self._bounded = _BoundedFile(file, max_directory_bytes)
        try:
            self._archive = zipfile.ZipFile(self._bounded)
        except _UNREADABLE:
            raise _damaged("its directory is missing or unreadable") from None
        self.entries = self._archive.infolist()
        if len(self.entries) > max_entries:
            raise _not_one_file(f"{len(self.entries):,} files")
        _refuse_overlaps(self.entries, self._archive.start_dir)
        self._bounded.allowance = UnpackingLimiter()

    def open_entry(self, entry: zipfile.ZipInfo) -> BinaryIO:
        """Return the content of an entry.

        Raises:
            FileFaultError: It is encrypted, or packed in an unsupported way; reading the content raises it too.
        """
        if entry.flag_bits & _ENCRYPTED_FLAGS:
            raise FileFaultError("encrypted", "The zip is encrypted. Zip the file without a password.")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, ZSTANDARD):
            raise FileFaultError(
                "packing-method",
                f"The zip uses the unsupported compression method {entry.compress_type}. Use deflate, or gzip the "
                "file.",
            )
        return io.BufferedReader(Unpacked(self._unpack(entry)), _PIECE_BYTES)

    def _unpack(self, entry: zipfile.ZipInfo) -> Iterator[bytes]:
        is_zstandard = entry.compress_type == ZSTANDARD
        try:
            packed = self._archive.open(_as_stored(entry) if is_zstandard else entry)
        except _UNREADABLE:
            raise _damaged("its directory does not match its files") from None
        content = _open_zstandard(packed) if is_zstandard else packed
        n_bytes = checksum = 0
        while piece := _read_piece(content):
            n_bytes += len(piece)
            checksum = zlib.crc32(piece, checksum) if is_zstandard else entry.CRC
            self._bounded.allowance.give_out(len(piece))
            yield piece
        if n_bytes != entry.file_size or (n_bytes and checksum != entry.CRC):
            raise _damaged("its checksum does not match")


def open_zip(file: BinaryIO) -> BinaryIO:
    """Return the content of the only file of a zip archive.

    Folders, the contents of `__MACOSX`, and files whose names start with a dot are ignored.

    Raises:
        FileFaultError: There is not exactly one such file, or it is unreadable; reading the content raises it too.
    """
    archive = ZipEntries(file)
    return archive.open_entry(_choose_entry(archive.entries))


def _as_stored(entry: zipfile.ZipInfo) -> zipfile.ZipInfo:
    """Return an entry whose content is its packed bytes, because `zipfile` does not know the method."""
    stored = copy.copy(entry)
    stored.compress_type = zipfile.ZIP_STORED
    stored.file_size = entry.compress_size
    # `zipfile` checks no checksum then; that of the entry is of the unpacked bytes.
    stored.CRC = None  # type: ignore[assignment]
    return stored


def _open_zstandard(packed: IO[bytes]) -> IO[bytes]:
    decompressor = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW_BYTES)
    return decompressor.stream_reader(packed, read_size=_PIECE_BYTES, read_across_frames=True)


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
    candidates = [entry for entry in entries if not _is_ignored(entry.filename)]
    if len(candidates) != 1:
        raise _not_one_file(f"{len(candidates):,} files" if candidates else "no file")
    (entry,) = candidates
    return entry


def _is_ignored(name: str) -> bool:
    folders, _, last = name.replace("\\", "/").rpartition("/")
    return not last or last.startswith(".") or "__MACOSX" in folders.split("/")


def _read_piece(content: IO[bytes]) -> bytes:
    try:
        return content.read(_PIECE_BYTES)
    except EOFError:
        raise _damaged("it ends in the middle") from None
    except (zipfile.BadZipFile, zlib.error, zstandard.ZstdError):
        raise _damaged("its checksum does not match") from None


def _not_one_file(contents: str) -> FileFaultError:
    return FileFaultError("not-one-file", f"The zip contains {contents}. Put only the prediction file in it.")


def _damaged(how: str) -> FileFaultError:
    return FileFaultError("damaged", f"The zip is damaged: {how}. Create it again, and send the complete file.")
