"""Format of backups: a zstd-compressed tar of plain files, followed by a digest of all preceding bytes.

`manifest.json` is the first member and lists all others in order, with size and SHA-256. The digest is in a frame that
zstd readers skip, so that `tar --zstd -xf` unpacks a backup too. It detects damage, not forgery: whoever can write a
backup can write its digest.
"""

import hashlib
import io
import json
import re
import struct
import tarfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

import zstandard

from submissions.errors import BackupError
from submissions.jobs.leased_jobs import Checkpoint

FORMAT = "earshot-backup/1"
MANIFEST = "manifest.json"
DATABASE = "earshot.db"
ARTIFACTS = "artifacts"
KEYS = "answer-keys"
CHUNK_BYTES = 1 << 20

_PART = r"[A-Za-z0-9_][A-Za-z0-9._-]*"
# Plain names below known folders, so that no name can leave the folder a backup is unpacked into.
_NAMES = re.compile(
    rf"{re.escape(DATABASE)}|{ARTIFACTS}/([0-9a-f]{{2}})/\1[0-9a-f]{{62}}"
    rf"|{KEYS}/{_PART}/{_PART}/(audio/)?{_PART}\.(json|wav)"
)
_DIGEST = re.compile(r"[0-9a-f]{64}")
_SKIPPABLE_FRAME = 0x184D2A5E
_MARK = b"sha256"
_TRAILER_HEAD = struct.pack("<II", _SKIPPABLE_FRAME, len(_MARK) + hashlib.sha256().digest_size) + _MARK
_TRAILER_BYTES = len(_TRAILER_HEAD) + hashlib.sha256().digest_size
_LARGEST_MANIFEST = 1 << 28
_LEVEL = 3


@dataclass(frozen=True, slots=True)
class Member:
    """A file in a backup."""

    name: str
    n_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """Manifest of a backup.

    Attributes:
        version: Release that created it.
        schema: Schema revision of its database.
        made_at: Time of creation, as text.
        has_keys: Whether it contains the answer keys.
        members: All files except the manifest.
    """

    version: str
    schema: str
    made_at: str
    has_keys: bool
    members: tuple[Member, ...]

    def to_json(self) -> bytes:
        """Return the manifest as JSON."""
        return json.dumps({"format": FORMAT} | asdict(self), separators=(",", ":")).encode()


def check_name(name: str) -> None:
    """Raise an error for a name that a backup must not contain.

    Raises:
        BackupError: The name is not allowed.
    """
    if not _NAMES.fullmatch(name):
        raise BackupError(f"`{name[:200]!s}` is not a valid file name in a backup. Nothing was changed.")


def artifact_name(sha256: str) -> str:
    """Return the name of an upload in a folder of uploads."""
    return f"{ARTIFACTS}/{sha256[:2]}/{sha256}"


class MeasuredReader:
    """Reader that counts bytes and computes their digest."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._digest = hashlib.sha256()
        self.n_bytes = 0

    def read(self, size: int = -1) -> bytes:
        """Read bytes."""
        data = self._source.read(size)
        self._digest.update(data)
        self.n_bytes += len(data)
        return data

    def read_out(self) -> None:
        """Read to the end."""
        while self.read(CHUNK_BYTES):
            pass

    @property
    def sha256(self) -> str:
        """Digest of the bytes read so far."""
        return self._digest.hexdigest()


def write_archive(
    file: BinaryIO,
    manifest: Manifest,
    open_member: Callable[[Member], AbstractContextManager[BinaryIO]],
    checkpoint: Checkpoint,
) -> None:
    """Write a backup member by member, with only one chunk in memory.

    Raises:
        BackupError: A member differs from the manifest, or is missing.
        OSError: The file cannot be written.
    """
    digesting = _DigestingWriter(file)
    compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
    with (
        compressor.stream_writer(cast("IO[bytes]", digesting), closefd=False) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT, bufsize=CHUNK_BYTES) as archive,
    ):
        listed = manifest.to_json()
        _add(archive, MANIFEST, len(listed), io.BytesIO(listed))
        for member in manifest.members:
            with open_member(member) as source:
                _add_member(archive, member, MeasuredReader(source))
            checkpoint("member")
    file.write(_TRAILER_HEAD + digesting.digest.digest())


def _add_member(archive: tarfile.TarFile, member: Member, source: MeasuredReader) -> None:
    try:
        _add(archive, member.name, member.n_bytes, cast("BinaryIO", source))
    finally:
        source.read_out()
        if (source.n_bytes, source.sha256) != (member.n_bytes, member.sha256):
            raise BackupError(
                f"{member.name} does not match its record: it has {source.n_bytes:,} bytes with the digest "
                f"{source.sha256}. Run `python -m db check`. If that finds nothing, the file was replaced during the "
                "backup: try again."
            )


def _add(archive: tarfile.TarFile, name: str, n_bytes: int, source: BinaryIO) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = n_bytes, 0o600
    archive.addfile(entry, source)
    _forget_members(archive)


def _forget_members(archive: tarfile.TarFile) -> None:
    # The library keeps every entry for listings, which are not needed here.
    cast("Any", archive).members.clear()


class _DigestingWriter:
    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.digest = hashlib.sha256()

    def write(self, data: bytes) -> int:
        self.digest.update(data)
        self._file.write(data)
        return len(data)

    def flush(self) -> None:
        """Do nothing: the opener of the file flushes it."""


class OpenArchive:
    """A verified backup; its members can be read once, in order."""

    def __init__(self, path: Path, archive: tarfile.TarFile) -> None:
        """Take an archive that has not been read yet.

        Raises:
            BackupError: It does not begin with a manifest that this release supports.
        """
        self._path = path
        self._archive = archive
        entry = self._next()
        if entry is None or entry.name != MANIFEST or entry.size > _LARGEST_MANIFEST:
            raise BackupError(f"{path} does not begin with a manifest, so it is not an Earshot backup.")
        self.manifest = _parse_manifest(path, self._open(entry).read())

    def iter_members(self) -> Iterator[tuple[Member, MeasuredReader]]:
        """Yield each member with its bytes; they are verified once the caller has read them.

        Raises:
            BackupError: A member differs from the manifest.
        """
        for member in self.manifest.members:
            entry = self._next()
            if entry is None or (entry.name, entry.size, entry.isreg()) != (member.name, member.n_bytes, True):
                found = "nothing" if entry is None else f"`{entry.name[:200]}`"
                raise BackupError(f"{self._path} contains {found}, but its manifest lists `{member.name}`.")
            source = MeasuredReader(self._open(entry))
            yield member, source
            source.read_out()
            if source.sha256 != member.sha256:
                raise BackupError(f"{member.name} in {self._path} is damaged. Use another backup.")
        if self._next() is not None:
            raise BackupError(f"{self._path} contains files that its manifest does not list.")

    def _next(self) -> tarfile.TarInfo | None:
        entry = self._archive.next()
        _forget_members(self._archive)
        return entry

    def _open(self, entry: tarfile.TarInfo) -> BinaryIO:
        file = self._archive.extractfile(entry) if entry.isreg() else None
        if file is None:
            raise BackupError(f"`{entry.name[:200]}` in {self._path} is not a regular file.")
        return cast("BinaryIO", file)


@contextmanager
def open_archive(path: Path) -> Iterator[OpenArchive]:
    """Open a backup after verifying every byte.

    Raises:
        BackupError: The file is not a backup, or has been changed or truncated.
    """
    with path.open("rb") as file:
        size = _check_digest(path, file)
        file.seek(0)
        try:
            with (
                zstandard.ZstdDecompressor().stream_reader(
                    cast("IO[bytes]", _Limited(file, size)), closefd=False
                ) as unpacked,
                tarfile.open(fileobj=unpacked, mode="r|", bufsize=CHUNK_BYTES) as archive,
            ):
                yield OpenArchive(path, archive)
        except (tarfile.TarError, zstandard.ZstdError) as error:
            raise BackupError(f"{path} is not an Earshot backup ({error}).") from error


class _Limited:
    """The first bytes of a file."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._left = size

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(self._left if size < 0 else min(size, self._left))
        self._left -= len(data)
        return data


def _check_digest(path: Path, file: BinaryIO) -> int:
    """Verify a file against the digest at its end; return the number of bytes before it."""
    size = max(0, file.seek(0, io.SEEK_END) - _TRAILER_BYTES)
    file.seek(size)
    trailer = file.read(_TRAILER_BYTES)
    if not trailer.startswith(_TRAILER_HEAD):
        raise BackupError(
            f"{path} is not an Earshot backup, or it is truncated. Nothing was changed. Use another copy."
        )
    file.seek(0)
    source = MeasuredReader(cast("BinaryIO", _Limited(file, size)))
    source.read_out()
    if bytes.fromhex(source.sha256) != trailer[len(_TRAILER_HEAD) :]:
        raise BackupError(f"{path} was modified after it was made. Nothing was changed. Use another copy.")
    return size


def _parse_manifest(path: Path, data: bytes) -> Manifest:
    try:
        fields = json.loads(data)
        if fields["format"] != FORMAT:
            raise BackupError(
                f"{path} has format {fields['format']!s:.40}, but this release only reads format {FORMAT}."
            )
        members = tuple(_parse_member(entry) for entry in fields["members"])
        texts = [str(fields[name]) for name in ("version", "schema", "made_at")]
        manifest = Manifest(texts[0], texts[1], texts[2], fields["has_keys"] is True, members)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BackupError(f"Cannot read the manifest of {path} ({type(error).__name__}).") from None
    names = [member.name for member in members]
    if names.count(DATABASE) != 1 or len(set(names)) != len(names):
        raise BackupError(f"The manifest of {path} lists a file twice, or no database.")
    return manifest


def _parse_member(entry: Any) -> Member:
    member = Member(entry["name"], entry["n_bytes"], entry["sha256"])
    check_name(member.name)
    if type(member.n_bytes) is not int or member.n_bytes < 0 or not _DIGEST.fullmatch(member.sha256):
        raise ValueError(member.name)
    if member.name.startswith(f"{ARTIFACTS}/") and not member.name.endswith(member.sha256):
        raise ValueError(member.name)
    return member
