"""Lock files as packages: `requirements.lock`, `requirements-dev.lock` and `package-lock.json`."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PRODUCT_LOCK = ROOT / "requirements.lock"
TOOLS_LOCK = ROOT / "requirements-dev.lock"
NPM_LOCK = ROOT / "package-lock.json"
PYPI = "PyPI"
NPM = "npm"

_PIN = re.compile(r"([A-Za-z0-9._-]+)(?:\[[\w,-]+\])?==([^\s;\\]+)(?: *;.*?)?(?: \\)?")
_HASH = re.compile(r" {4}--hash=sha256:([0-9a-f]{64})(?: \\)?")
_PARENT = re.compile(r" {4}# +(?:via )?((?:-[cr] )?[\w.-]+)")
_VIA = "    # via"
_MODULES = "node_modules/"


class LockedPackage(NamedTuple):
    """A package of a lock file.

    `ecosystem` is OSV's name for its registry. `hashes` are SHA-256 digests of all files of the version in hexadecimal.
    `parents` are the packages that need it, and files, as `-r requirements.in`, that name it. A lock file of npm gives
    `licence`, but neither hashes of this kind nor parents.
    """

    ecosystem: str
    name: str
    version: str
    hashes: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    licence: str = ""


class UnreadableLockError(Exception):
    """A line of a lock file that is neither pin, hash nor comment: it could hide a package."""


def normalize_name(name: str) -> str:
    """Return a name on PyPI in its normal form."""
    return re.sub(r"[-_.]+", "-", name).lower()


def read_python_lock(path: Path) -> list[LockedPackage]:
    """Return the packages of a file that `uv pip compile` wrote."""
    return list(_parse_python_lock(path.read_text(encoding="utf-8").splitlines(), path.name))


def read_npm_lock(path: Path) -> list[LockedPackage]:
    """Return the packages of a `package-lock.json`, each version once."""
    entries = json.loads(path.read_text(encoding="utf-8"))["packages"]
    found = {
        LockedPackage(
            NPM,
            entry.get("name", address.rpartition(_MODULES)[2]),
            entry["version"],
            licence=entry.get("license", ""),
        )
        for address, entry in entries.items()
        if _MODULES in address and not entry.get("link")
    }
    return sorted(found)


def _parse_python_lock(lines: Iterable[str], name: str) -> Iterator[LockedPackage]:
    package: LockedPackage | None = None
    for line in lines:
        if pin := _PIN.fullmatch(line):
            if package:
                yield package
            package = LockedPackage(PYPI, normalize_name(pin[1]), pin[2])
        elif package and (digest := _HASH.fullmatch(line)):
            package = package._replace(hashes=(*package.hashes, digest[1]))
        elif package and line != _VIA and (parent := _PARENT.fullmatch(line)):
            package = package._replace(parents=(*package.parents, parent[1]))
        elif line.strip() and line != _VIA and not line.startswith("#"):
            raise UnreadableLockError(f"{name}: {line[:100]!r} is no pin, hash or comment.")
    if package:
        yield package
