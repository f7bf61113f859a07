"""Advisories from files: OSV's exports (`all.zip` of an ecosystem), single JSON files, and folders of both.

Exports are large and mostly about packages that we do not have, so each advisory is matched while it is read.
"""

import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from bench.supply_chain.affected_versions import AffectedPackage
from bench.supply_chain.locked_packages import PYPI, normalize_name

MAX_ADVISORY_BYTES = 16 << 20
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,79}")


class Advisory(msgspec.Struct):
    """What we read of an advisory. Databases write null for what they do not know, and add facts of their own."""

    id: str
    modified: str | None = None
    withdrawn: str | None = None
    aliases: list[str] | None = None
    summary: str | None = None
    affected: list[AffectedPackage] | None = None
    database_specific: dict[str, Any] | None = None

    @property
    def severity(self) -> str:
        """How GitHub's database rates it; others rate nothing."""
        severity = (self.database_specific or {}).get("severity")
        return severity if isinstance(severity, str) else ""

    def list_names(self) -> set[str]:
        """Return its ID and its aliases."""
        return {self.id, *(self.aliases or ())}

    def list_packages(self) -> set[tuple[str, str]]:
        """Return ecosystem and name of each affected package."""
        return {name_package(entry) for entry in self.affected or () if entry.package}


class UnreadableAdvisoryError(Exception):
    """A file that is no advisory: it could hide one that concerns us."""


class AdvisoryCounts:
    """How many advisories were read for each ecosystem, and the latest change among them."""

    def __init__(self) -> None:
        self.by_ecosystem: Counter[str] = Counter()
        self.latest = ""

    def count_advisory(self, advisory: Advisory) -> None:
        """Count an advisory."""
        self.by_ecosystem.update({ecosystem for ecosystem, _ in advisory.list_packages()})
        self.latest = max(self.latest, (advisory.modified or "")[:10])


def name_package(entry: AffectedPackage) -> tuple[str, str]:
    """Return ecosystem and normal name of the package of an entry."""
    assert entry.package is not None
    ecosystem = entry.package.ecosystem.partition(":")[0]
    return ecosystem, normalize_name(entry.package.name) if ecosystem == PYPI else entry.package.name


def read_advisories(paths: Iterable[Path], counts: AdvisoryCounts) -> Iterator[Advisory]:
    """Yield the advisories of files and folders that are not withdrawn.

    Raises:
        UnreadableAdvisoryError: A file is no advisory.
    """
    for name, content in _list_contents(paths):
        advisory = _decode_advisory(name, content)
        counts.count_advisory(advisory)
        if not advisory.withdrawn:
            yield advisory


def _decode_advisory(name: str, content: bytes) -> Advisory:
    try:
        advisory = msgspec.json.decode(content, type=Advisory)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UnreadableAdvisoryError(f"{name} is no advisory in OSV format: {error}") from error
    if not all(map(_ID.fullmatch, advisory.list_names())):
        raise UnreadableAdvisoryError(f"{name} has an unusual ID.")
    return advisory


def _list_contents(paths: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    for path in paths:
        if not path.exists():
            raise UnreadableAdvisoryError(f"There is no file or folder {path}. docs/security.md says what to download.")
        if path.is_dir():
            files = [file for file in path.rglob("*") if file.suffix in (".json", ".zip")]
            yield from _list_contents(sorted(files))
        elif path.suffix == ".zip":
            yield from _list_archive(path)
        else:
            yield path.name, path.read_bytes()


def _list_archive(path: Path) -> Iterator[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist():
                if entry.file_size > MAX_ADVISORY_BYTES:
                    raise UnreadableAdvisoryError(f"{entry.filename[:100]!r} in {path.name} is too large.")
                if entry.filename.endswith(".json"):
                    yield f"{entry.filename[:100]!r} in {path.name}", archive.read(entry)
    except zipfile.BadZipFile as error:
        raise UnreadableAdvisoryError(f"{path.name} is damaged: {error}") from error
