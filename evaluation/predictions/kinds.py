"""File type detection by the first bytes: text, compressed text, or an unsupported file."""

import re

from evaluation.predictions.problems import FileFaultError

GZIP = b"\x1f\x8b"
ZIP_BEGINNINGS = (b"PK\x03\x04", b"PK\x05\x06")
LOOK_BYTES = 1 << 16
FORMS = "JSON Lines, one JSON list or object, or CSV; each also gzipped, or alone in a zip"

_TABLE = f"Convert it to text and send that: {FORMS}."
_PACKED = "Unpack it and send the file inside, plain or gzipped."
_NO_TEXT = f"Send a text file: {FORMS}."
_CODE = f"It could run programs, so Earshot does not open it. {_TABLE}"
_WORKBOOK = 'In the spreadsheet choose "Save as" and "CSV UTF-8", and send that file.'
# First bytes → file type and fix.
_FOREIGN: tuple[tuple[bytes, str, str], ...] = (
    (b"\x93NUMPY", "a NumPy array", _CODE),
    (b"PAR1", "a Parquet table", _TABLE),
    (b"ARROW1", "an Arrow table", _TABLE),
    (b"FEA1", "a Feather table", _TABLE),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file", _TABLE),
    (b"SQLite format 3\x00", "an SQLite database", _TABLE),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document", _WORKBOOK),
    (b"%PDF-", "a PDF document", _NO_TEXT),
    (b"\x89PNG\r\n\x1a\n", "a PNG image", _NO_TEXT),
    (b"\xff\xd8\xff", "a JPEG image", _NO_TEXT),
    (b"GIF8", "a GIF image", _NO_TEXT),
    (b"RIFF", "an audio or image file", _NO_TEXT),
    (b"fLaC", "a FLAC audio file", _NO_TEXT),
    (b"OggS", "an Ogg audio file", _NO_TEXT),
    (b"\x7fELF", "a program", _NO_TEXT),
    (b"\xfd7zXZ\x00", "packed with xz", _PACKED),
    (b"\x28\xb5\x2f\xfd", "packed with zstd", _PACKED),
    (b"\x04\x22\x4d\x18", "packed with lz4", _PACKED),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", _PACKED),
    (b"Rar!\x1a\x07", "a RAR archive", _PACKED),
)
_BZIP2 = re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)")
_PICKLE = re.compile(rb"\x80[\x02-\x05]")
_PAGE = re.compile(rb"<(!doctype|html|head|body|\?xml)\b", re.IGNORECASE)
_TAR_AT = slice(257, 262)
_BLANK_OR_MARK = b"\xef\xbb\xbf \t\r\n"


def refuse_foreign(beginning: bytes, *, inside: str = "") -> None:
    """Reject files that are not text.

    Args:
        beginning: The first bytes, up to `LOOK_BYTES`.
        inside: Format that the file was extracted from, `zip` or `gzip`; empty for the upload itself.

    Raises:
        FileFaultError: The file is not text; the message says what it is and what to send.
    """
    what = f"The file in the {inside} file" if inside else "The file"
    if inside and (beginning.startswith(GZIP) or beginning.startswith(ZIP_BEGINNINGS)):
        raise FileFaultError(
            "nested-archive", f"{what} is compressed twice. Compress a prediction file once, or send it uncompressed."
        )
    foreign_kind = _find_foreign(beginning)
    if foreign_kind is not None:
        raise FileFaultError("wrong-kind", f"{what} is {foreign_kind[0]}. {foreign_kind[1]}")
    _refuse_encoding(beginning, what)


def _find_foreign(beginning: bytes) -> tuple[str, str] | None:
    for signature, name, remedy in _FOREIGN:
        if beginning.startswith(signature):
            return name, remedy
    if _PICKLE.match(beginning):
        return "a Python pickle", _CODE
    if _BZIP2.match(beginning):
        return "packed with bzip2", _PACKED
    if beginning[_TAR_AT] == b"ustar":
        return "a tar archive", _PACKED
    if _PAGE.match(beginning.lstrip(_BLANK_OR_MARK)):
        return "a web page or XML", _NO_TEXT
    return None


def _refuse_encoding(beginning: bytes, what: str) -> None:
    """Reject UTF-16 and UTF-32, detected by byte order marks or zeros, and bytes that text never contains."""
    if beginning.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")) or _has_wide_letters(beginning):
        raise FileFaultError(
            "encoding",
            f"{what} is UTF-16 or UTF-32 text. Save it as UTF-8: in a spreadsheet as "
            '"CSV UTF-8", in PowerShell with -Encoding utf8.',
        )
    if b"\x00" in beginning:
        raise FileFaultError("wrong-kind", f"{what} is not a text file. {_NO_TEXT}")


def _has_wide_letters(beginning: bytes) -> bool:
    """Return whether every other byte is zero, as in English text with two or four bytes per character."""
    look = beginning[:64]
    return len(look) > 1 and any(look[::2]) != any(look[1::2])
