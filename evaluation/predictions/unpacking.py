"""Streaming decompression of gzip, with protection against decompression bombs.

Uses `zlib` rather than `gzip`: 100 MB can contain five million empty members, which `gzip` skips without a way to stop
it.
"""

import io
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from evaluation.predictions.problems import FileFaultError

MAX_UNPACKED_BYTES = 1_000_000_000
"""Ten times the default limit of an upload."""
FREE_BYTES = 10_000_000
"""Content that is read in a tenth of a second is never rejected for its compression ratio."""
MAX_RATIO = 200
"""Answers compress 3 to 30 times; a file that does little else than repeat itself, up to 1,000 times."""
MAX_MEMBERS = 100_000
_PIECE_BYTES = 1 << 17
_GZIP_WINDOW = 16 + zlib.MAX_WBITS


class Unpacked(io.RawIOBase):
    """A file object that yields pieces of bytes once, from beginning to end."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override] # any buffer is given as a view
        """Fill a buffer with the next bytes; return 0 at the end."""
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = memoryview(piece)
        n_bytes = min(len(buffer), len(self._rest))
        buffer[:n_bytes] = self._rest[:n_bytes]
        self._rest = self._rest[n_bytes:]
        return n_bytes


class UnpackingLimiter:
    """Counts input and output bytes, and stops if their ratio is too large."""

    def __init__(self) -> None:
        self._n_in = 0
        self._n_out = 0

    def take_in(self, n_bytes: int) -> None:
        """Count compressed bytes."""
        self._n_in += n_bytes

    def give_out(self, n_bytes: int) -> None:
        """Count decompressed bytes.

        Raises:
            FileFaultError: There are too many.
        """
        self._n_out += n_bytes
        if self._n_out > MAX_UNPACKED_BYTES:
            raise FileFaultError(
                "too-large",
                f"The file unpacks to more than {MAX_UNPACKED_BYTES:,} bytes. Send only the answers.",
            )
        if self._n_out > max(FREE_BYTES, MAX_RATIO * self._n_in):
            raise FileFaultError(
                "too-large",
                f"The file unpacks to more than {FREE_BYTES:,} bytes and {MAX_RATIO} times its size. Send it "
                "uncompressed.",
            )


def open_gzip(file: BinaryIO) -> BinaryIO:
    """Return the content of a gzip file; concatenated members form one content.

    Reading raises FileFaultError if the file is damaged or decompresses to too much.
    """
    file.seek(0)
    return io.BufferedReader(Unpacked(_gunzip(file)), _PIECE_BYTES)


def inflate(packed: Iterator[bytes], allowance: UnpackingLimiter, decompressor: "zlib._Decompress") -> Iterator[bytes]:
    """Yield the decompressed content of a deflate stream in pieces of bounded size.

    Bytes after its end in the last compressed piece stay in the decompressor's `unused_data`.

    Raises:
        FileFaultError: The stream is truncated or damaged.
    """
    while not decompressor.eof:
        data = decompressor.unconsumed_tail or next(packed, b"")
        try:
            piece = decompressor.decompress(data, _PIECE_BYTES)
        except zlib.error:
            raise _damaged("its checksum does not match") from None
        # Even without further input, output may remain.
        if not data and not piece and not decompressor.eof:
            raise _damaged("it ends in the middle")
        allowance.give_out(len(piece))
        if piece:
            yield piece


def _gunzip(file: BinaryIO) -> Iterator[bytes]:
    allowance = UnpackingLimiter()
    packed = _Pieces(file, allowance)
    for _ in range(MAX_MEMBERS):
        decompressor = zlib.decompressobj(_GZIP_WINDOW)
        yield from inflate(packed, allowance, decompressor)
        packed.push_back(decompressor.unused_data)
        if not packed.skip_zeros():
            return
        if not packed.goes_on_with(b"\x1f"):
            raise _damaged("something follows its end")
    raise _damaged(f"it is in more than {MAX_MEMBERS:,} pieces")


class _Pieces:
    """Compressed bytes, some of which can be returned."""

    def __init__(self, file: BinaryIO, allowance: UnpackingLimiter) -> None:
        self._file = file
        self._allowance = allowance
        self._returned = b""

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        data, self._returned = self._returned, b""
        if not data:
            data = self._file.read(_PIECE_BYTES)
            self._allowance.take_in(len(data))
        if not data:
            raise StopIteration
        return data

    def push_back(self, data: bytes) -> None:
        self._returned = data

    def skip_zeros(self) -> bool:
        """Skip zeros, the padding of tapes and some tools; return whether anything follows."""
        for data in self:
            rest = data.lstrip(b"\x00")
            if rest:
                self._returned = rest
                return True
        return False

    def goes_on_with(self, beginning: bytes) -> bool:
        return self._returned.startswith(beginning)


def _damaged(how: str) -> FileFaultError:
    return FileFaultError(
        "damaged", f"The compressed file is damaged: {how}. Compress it again, and send the complete file."
    )
