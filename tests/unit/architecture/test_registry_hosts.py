"""No file of a commit names a host of a package registry: installers may use any."""

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

from tests.support.sources.source_files import ROOT

# Joined at run time, so that this file does not contain the names itself.
HOSTS = [
    ".".join(parts).encode()
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("yarnpkg", "com"),
        ("debian", "org"),
        ("ubuntu", "com"),
        ("crates", "io"),
        ("rubygems", "org"),
        ("proxy", "golang", "org"),
        ("repo1", "maven", "org"),
        ("conda", "anaconda", "org"),
        ("hub", "docker", "com"),
    )
]


def list_tracked() -> list[Path]:
    """Return the files that are, or would be, in a commit."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=60).stdout
    return [path for name in output.split(b"\0") if name and (path := ROOT / os.fsdecode(name)).is_file()]


def find_registry_hosts(paths: Iterable[Path]) -> list[str]:
    matches = []
    for path in paths:
        data = path.read_bytes().lower()
        matches += [f"{path}: {host.decode()}" for host in HOSTS if host in data]
    return matches


def test_repository_names_no_host_of_a_package_registry(tmp_path: Path) -> None:
    tracked = list_tracked()
    assert len(tracked) > 50, "the search finds files"
    assert find_registry_hosts(tracked) == []
    (tmp_path / "naming").write_bytes(b"See https://" + HOSTS[0].upper() + b"/simple.")
    assert find_registry_hosts([tmp_path / "naming"]) == [f"{tmp_path}/naming: {HOSTS[0].decode()}"]
