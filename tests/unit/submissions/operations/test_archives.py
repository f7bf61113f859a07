"""Archive format of backups: round trip, and refusal of any other content."""

import hashlib
import io
import random
import tarfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import pytest
import zstandard

from submissions.errors import BackupError
from submissions.operations.archives import (
    DATABASE,
    MANIFEST,
    Manifest,
    Member,
    artifact_name,
    check_name,
    open_archive,
    write_archive,
)

UPLOAD = b"an upload " * 500
SHA = hashlib.sha256(UPLOAD).hexdigest()
FILES = {DATABASE: b"rows", "answer-keys/b/1.0/test.json": b"{}", artifact_name(SHA): UPLOAD}
MEMBERS = tuple(Member(name, len(data), hashlib.sha256(data).hexdigest()) for name, data in FILES.items())
COMPLETE = Manifest("0.1.0", "0006", "2026-01-02T00:00:00+00:00", True, MEMBERS)


def write(path: Path, manifest: Manifest = COMPLETE, content: Callable[[Member], bytes] | None = None) -> Path:
    @contextmanager
    def open_member(member: Member) -> Iterator[BinaryIO]:
        yield io.BytesIO(content(member) if content else FILES[member.name])

    with path.open("wb") as file:
        write_archive(file, manifest, open_member, lambda _label: None)
    return path


def read(path: Path) -> tuple[Manifest, dict[str, bytes]]:
    with open_archive(path) as archive:
        return archive.manifest, {member.name: source.read() for member, source in archive.iter_members()}


def write_forged(path: Path, entries: Sequence[tuple[tarfile.TarInfo, bytes]]) -> Path:
    """Write an archive of any entries with a valid digest at its end."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for entry, data in entries:
            entry.size = len(data) if entry.isreg() else 0
            archive.addfile(entry, io.BytesIO(data))
    body = zstandard.ZstdCompressor().compress(packed.getvalue())
    trailer = write(path).read_bytes()[-46:-32]
    path.write_bytes(body + trailer + hashlib.sha256(body).digest())
    return path


def test_archive_round_trip_preserves_manifest_and_files(tmp_path: Path) -> None:
    assert read(write(tmp_path / "b")) == (COMPLETE, FILES)


def test_archive_can_be_unpacked_by_other_programs(tmp_path: Path) -> None:
    path = write(tmp_path / "b")
    with path.open("rb") as file:
        data = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True).read()
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        assert archive.getnames() == [MANIFEST, *FILES]


def test_archive_with_any_altered_byte_is_refused(tmp_path: Path) -> None:
    original = write(tmp_path / "b").read_bytes()
    rng = random.Random(5)
    altered = tmp_path / "altered"
    for position in range(len(original)):
        data = bytearray(original)
        data[position] ^= rng.randrange(1, 256)
        altered.write_bytes(data)
        with pytest.raises(BackupError):
            read(altered)


def test_truncated_or_extended_archive_is_refused(tmp_path: Path) -> None:
    original = write(tmp_path / "b").read_bytes()
    altered = tmp_path / "altered"
    for data in (
        *(original[:size] for size in range(len(original))),
        original + b"\0",
        b"x" + original,
        original + original,
    ):
        altered.write_bytes(data)
        with pytest.raises(BackupError):
            read(altered)


@pytest.mark.parametrize(
    "name",
    [
        "../earshot.db",
        "/etc/passwd",
        "artifacts/../../x",
        "answer-keys/../../../x.json",
        "answer-keys/b/1.0/../x.json",
        "answer-keys/b/1.0/.hidden.json",
        "answer-keys/b/1.0/test.json\n",
        "answer-keys//1.0/test.json",
        "answer-keys/b/1.0/audio/a/x.wav",
        "answer-keys\\b\\1.0\\x.json",
        f"artifacts/00/{SHA}",
        f"artifacts/{SHA[:2]}/{SHA}/x",
        "earshot.db-wal",
        ".lock",
        "",
    ],
)
def test_member_name_that_leads_outside_the_archive_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BackupError):
        check_name(name)
    forged = replace(COMPLETE, members=(*MEMBERS, Member(name, 2, hashlib.sha256(b"{}").hexdigest())))
    path = write(tmp_path / "b", forged, lambda member: FILES.get(member.name, b"{}"))
    with pytest.raises(BackupError):
        read(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["b"]


@pytest.mark.parametrize(
    "members",
    [
        (),
        MEMBERS[1:],
        (*MEMBERS, MEMBERS[0]),
        (replace(MEMBERS[0], n_bytes=-1), *MEMBERS[1:]),
        (*MEMBERS[:2], replace(MEMBERS[2], sha256="0" * 64)),
        (replace(MEMBERS[0], sha256="x"), *MEMBERS[1:]),
    ],
)
def test_invalid_manifest_is_refused(tmp_path: Path, members: tuple[Member, ...]) -> None:
    manifest = replace(COMPLETE, members=members).to_json()
    with pytest.raises(BackupError):
        read(write_forged(tmp_path / "b", [(tarfile.TarInfo(MANIFEST), manifest)]))


def forge(kind: str) -> list[tuple[tarfile.TarInfo, bytes]]:
    entries = [(tarfile.TarInfo(name), data) for name, data in {MANIFEST: COMPLETE.to_json(), **FILES}.items()]
    link = tarfile.TarInfo("earshot.db")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    hard = tarfile.TarInfo("earshot.db")
    hard.type, hard.linkname = tarfile.LNKTYPE, MANIFEST
    return {
        "link": [entries[0], (link, b""), *entries[2:]],
        "hard link": [entries[0], (hard, b""), *entries[2:]],
        "other bytes": [*entries[:3], (tarfile.TarInfo(entries[3][0].name), UPLOAD[::-1])],
        "other size": [*entries[:3], (tarfile.TarInfo(entries[3][0].name), UPLOAD[:-1])],
        "other order": [entries[0], *entries[:0:-1]],
        "missing member": entries[:-1],
        "extra member": [*entries, (tarfile.TarInfo("artifacts/more"), b"")],
        "no manifest": entries[1:],
        "manifest is a link": [(_as_link(MANIFEST), b""), *entries[1:]],
        "other format": [
            (tarfile.TarInfo(MANIFEST), COMPLETE.to_json().replace(b"earshot-backup/1", b"earshot-backup/2")),
            *entries[1:],
        ],
        "invalid JSON": [(tarfile.TarInfo(MANIFEST), b"[" * 100_000), *entries[1:]],
        "empty": [],
    }[kind]


def _as_link(name: str) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname = tarfile.SYMTYPE, "/etc/passwd"
    return entry


@pytest.mark.parametrize(
    "kind",
    [
        "link",
        "hard link",
        "other bytes",
        "other size",
        "other order",
        "missing member",
        "extra member",
        "no manifest",
        "manifest is a link",
        "other format",
        "invalid JSON",
        "empty",
    ],
)
def test_forged_archive_with_a_valid_digest_is_refused(tmp_path: Path, kind: str) -> None:
    with pytest.raises(BackupError):
        read(write_forged(tmp_path / "b", forge(kind)))


def test_forged_archive_without_a_fault_is_read(tmp_path: Path) -> None:
    # Otherwise the test above would prove nothing.
    entries = [(tarfile.TarInfo(name), data) for name, data in {MANIFEST: COMPLETE.to_json(), **FILES}.items()]
    assert read(write_forged(tmp_path / "b", entries)) == (COMPLETE, FILES)


@pytest.mark.parametrize("wrong", [UPLOAD[:-1], UPLOAD + b"x", UPLOAD[::-1], b""])
def test_member_that_differs_from_the_manifest_is_not_written(tmp_path: Path, wrong: bytes) -> None:
    with pytest.raises(BackupError, match="does not match its record"):
        write(tmp_path / "b", content=lambda member: wrong if member.sha256 == SHA else FILES[member.name])


def test_file_that_is_not_a_backup_is_refused_with_a_remedy(tmp_path: Path) -> None:
    path = tmp_path / "b"
    path.write_text("Dear diary")
    with pytest.raises(BackupError) as caught:
        read(path)
    assert str(caught.value) == (
        f"{path} is not an Earshot backup, or it is truncated. Nothing was changed. Use another copy."
    )
