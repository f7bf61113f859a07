"""litestream: configuration, environment, commands over its socket, and restoring a database from a replica."""

import http.client
import json
import os
import socket
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from submissions.operations.hardening import copy_unreadable
from submissions.operations.replication.errors import ReplicaAwayError
from submissions.operations.replication.folder import ReplicaFolder

SYNC_INTERVAL = "1s"
RESTORE_SECONDS = 900
# Programs, certificates and proxies; the credentials are those of S3.
_NEEDED = frozenset(
    {"PATH", "HOME", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"}
)
# S3 gateways need not support trailing checksums.
_DEFAULTS = {"AWS_REQUEST_CHECKSUM_CALCULATION": "when_required", "AWS_RESPONSE_CHECKSUM_VALIDATION": "when_required"}
# litestream fails immediately with it. SSL_CERT_FILE has the same purpose and works.
BREAKING_VARIABLE = "AWS_CA_BUNDLE"
_MAX_ANSWER_BYTES = 100_000
_MAX_SOCKET_PATH = 100


def choose_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for litestream; no other process needs the replica's credentials."""
    known = {name: value for name, value in environment.items() if name in _NEEDED or name.startswith("AWS_")}
    return _DEFAULTS | {name: value for name, value in known.items() if name != BREAKING_VARIABLE}


def find_binary() -> Path:
    """Return the litestream binary installed with this Python."""
    return Path(sysconfig.get_path("scripts"), "litestream")


def write_config(folder: ReplicaFolder, database: Path, replica: Mapping[str, Any]) -> None:
    """Write litestream's configuration, which contains no secret. JSON is valid YAML."""
    config = {
        # Relative to litestream's working folder: socket paths are limited to 107 bytes.
        "socket": {"enabled": True, "path": folder.socket.name, "permissions": 0o600},
        "logging": {"level": "warn", "stderr": True},
        "dbs": [{"path": str(database), "replica": {**replica, "sync-interval": SYNC_INTERVAL}}],
    }
    folder.config.write_text(json.dumps(config, indent=2), encoding="utf-8")


def hide_binary(folder: ReplicaFolder) -> None:
    """Copy the binary to the replication folder, unreadable, so that nobody can read its processes' credentials."""
    copy_unreadable(find_binary(), folder.binary)


def make_command(folder: ReplicaFolder) -> tuple[str, ...]:
    """Return the command that replicates; it runs in the replication folder."""
    return (_choose_binary(folder), "replicate", "-config", "litestream.yml", "-no-expand-env")


def restore_database(folder: ReplicaFolder, database: Path, environment: Mapping[str, str]) -> Path | None:
    """Restore the configured replica into a file beside the configuration; None if the replica is empty.

    Raises:
        ReplicaAwayError: The replica cannot be restored now.
    """
    target = folder.path / "restored.db"
    for path in folder.path.glob("restored.db*"):
        path.unlink()
    options = ("-config", "litestream.yml", "-no-expand-env", "-if-replica-exists", "-integrity-check", "quick")
    command = (_choose_binary(folder), "restore", *options, "-o", str(target), str(database))
    try:
        done = subprocess.run(  # noqa: S603 - our own binary and paths
            command,
            cwd=folder.path,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr,
            timeout=RESTORE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ReplicaAwayError(f"the restore took longer than {RESTORE_SECONDS} s") from None
    if done.returncode != 0:
        raise ReplicaAwayError(f"litestream restore ended with exit code {done.returncode}")
    return target if target.exists() else None


def _choose_binary(folder: ReplicaFolder) -> str:
    """Return the unreadable copy, or the installed binary if the data folder's volume does not execute programs."""
    return str(folder.binary if os.access(folder.binary, os.X_OK) else find_binary())


class LitestreamClient:
    """litestream's commands over its socket."""

    def __init__(self, path: Path, database: Path) -> None:
        self._path, self._database = path, database

    def sync(self, seconds: float) -> None:
        """Return once the replica holds everything committed before.

        Raises:
            ReplicaAwayError: The timeout passed.
        """
        wanted = {"path": str(self._database), "wait": True, "timeout": max(1, round(seconds))}
        headers = {"Content-Type": "application/json"}
        try:
            with _connect(self._path, seconds) as connection:
                connection.request("POST", "/sync", json.dumps(wanted), headers)
                answer = connection.getresponse()
                body = json.loads(answer.read(_MAX_ANSWER_BYTES))
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise ReplicaAwayError(f"litestream does not respond: {type(error).__name__}") from error
        if answer.status != http.HTTPStatus.OK or body.get("replicated_txid", 0) < body.get("txid", 1):
            raise ReplicaAwayError("litestream could not write to the replica")


@contextmanager
def _connect(path: Path, seconds: float) -> Iterator[http.client.HTTPConnection]:
    with socket.socket(socket.AF_UNIX) as plain:
        plain.settimeout(seconds)
        _connect_socket(plain, path)
        connection = http.client.HTTPConnection("localhost", timeout=seconds)
        connection.sock = plain
        try:
            yield connection
        finally:
            connection.close()


def _connect_socket(plain: socket.socket, path: Path) -> None:
    """Connect to a socket whose path may exceed the length limit of socket addresses."""
    if len(os.fsencode(path)) <= _MAX_SOCKET_PATH:
        plain.connect(str(path))
        return
    descriptor = os.open(path.parent, os.O_RDONLY)
    try:
        plain.connect(f"/proc/self/fd/{descriptor}/{path.name}")
    finally:
        os.close(descriptor)
