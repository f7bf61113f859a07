"""Litestream binary: the verified release (docs/decisions/048-replica.md)."""

import hashlib
import platform
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

BINARY = Path(sysconfig.get_path("scripts"), "litestream")
VERSION = "0.5.17"
COMMIT = "ccd326c175b583b5e82893a6078f06dcef5fba3f"
SHA256 = {
    ("Linux", "x86_64"): "200e4248a4cc83da2ca52babe66774f1a71afa993d31373adb0ce0fe12154647",
    ("Linux", "aarch64"): "47baa971c744f3f0d3ca1f4fe82a7883fc8d4bf67ebe3d673c89ec71364920eb",
}


def test_binary_is_the_verified_release() -> None:
    process = subprocess.run([BINARY, "version"], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == VERSION
    data = BINARY.read_bytes()
    start = data.index(b"path\tgithub.com/benbjohnson/litestream/cmd/litestream\n")
    build = dict(re.findall(r"build\t([\w.]+)=(\S+)", data[start : start + 100_000].decode("latin-1")))
    assert (build["vcs.revision"], build["vcs.modified"], build["CGO_ENABLED"]) == (COMMIT, "false", "0")


def test_binary_has_the_digest_of_the_upstream_release() -> None:
    expected = SHA256.get((platform.system(), platform.machine()))
    if expected is None:
        pytest.skip(f"no digest is recorded for {platform.system()} {platform.machine()}")
    assert hashlib.sha256(BINARY.read_bytes()).hexdigest() == expected
