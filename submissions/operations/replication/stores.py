"""Replica stores: a bucket or a folder that contains the lease and the generations of the database.

A generation is one holder's replica of the database: every new holder of the lease writes a new one. What an earlier
holder uploads after its machine was paused ends up in its own generation and cannot damage the current one.
"""

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from urllib.parse import unquote

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, PreconditionError
from obstore.store import S3Store

from submissions.operations.replication.errors import LeaseConflictError, ReplicaAwayError, ReplicaError

LEASE = "lease.json"
GENERATIONS = "generations"
_REQUEST_TIMEOUT = timedelta(seconds=5)
_DIGITS = 8
_KEPT_LEASES = 50


class LeaseObject(NamedTuple):
    """Content of the lease, and the version to replace."""

    content: bytes
    version: str


class ReplicaStore(Protocol):
    """Location of a replica. Every method raises `ReplicaAwayError` if it is unreachable."""

    def read_lease(self) -> LeaseObject | None:
        """Return the lease, or None when there is none."""

    def write_lease(self, content: bytes, version: str | None) -> str:
        """Create the lease (version None) or replace that version of it; return the new version.

        Raises:
            LeaseConflictError: Another holder was faster.
        """

    def list_generations(self) -> list[int]:
        """Return the numbers of all non-empty generations in ascending order."""

    def delete_generation(self, generation: int) -> None:
        """Delete a generation."""

    def describe_generation(self, generation: int) -> dict[str, Any]:
        """Return a generation's replica in the form of litestream's configuration."""


def open_store(url: str, environment: Mapping[str, str]) -> ReplicaStore:
    """Return the store named by `s3://bucket/path` or `file:///folder`.

    Raises:
        ReplicaError: A required variable is not set.
    """
    if url.startswith("file://"):
        return FolderStore(Path(unquote(url.removeprefix("file://"))))
    bucket, _, path = url.removeprefix("s3://").partition("/")
    return BucketStore(bucket, path.strip("/"), environment)


def name_generation(generation: int) -> str:
    """Return a generation's name within the replica."""
    return f"{GENERATIONS}/{generation:0{_DIGITS}d}"


def _read_numbers(names: Iterator[str]) -> list[int]:
    return sorted(int(name) for name in names if re.fullmatch(rf"\d{{{_DIGITS}}}", name))


@dataclass(frozen=True, slots=True)
class _Access:
    """Access to a bucket."""

    endpoint: str | None
    region: str
    key_id: str
    secret: str
    session: str | None


def _read_access(environment: Mapping[str, str]) -> _Access:
    missing = [name for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY") if not environment.get(name)]
    if missing:
        raise ReplicaError(f"EARSHOT_REPLICA_URL is a bucket, but {' and '.join(missing)} is not set. Set it.")
    endpoint = environment.get("AWS_ENDPOINT_URL")
    if endpoint is not None and not re.fullmatch(r"https?://[^\s@?#]+", endpoint):
        raise ReplicaError("AWS_ENDPOINT_URL must be an http or https URL without user name or query.")
    region = environment.get("AWS_REGION") or environment.get("AWS_DEFAULT_REGION") or "us-east-1"
    return _Access(
        endpoint,
        region,
        environment["AWS_ACCESS_KEY_ID"],
        environment["AWS_SECRET_ACCESS_KEY"],
        environment.get("AWS_SESSION_TOKEN"),
    )


@contextmanager
def _translating() -> Iterator[None]:
    """Raise our errors instead of the library's, whose messages quote requests."""
    try:
        yield
    except (AlreadyExistsError, PreconditionError):
        raise LeaseConflictError from None
    except BaseError as error:
        raise ReplicaAwayError(type(error).__name__) from error


class BucketStore:
    """A replica in a bucket, whose lease is written by conditional PUT."""

    def __init__(self, bucket: str, path: str, environment: Mapping[str, str]) -> None:
        self._bucket, self._path = bucket, path
        self._access = access = _read_access(environment)
        known = {"endpoint": access.endpoint, "session_token": access.session}
        self._store = S3Store(
            bucket,
            prefix=path or None,
            region=access.region,
            access_key_id=access.key_id,
            secret_access_key=access.secret,
            virtual_hosted_style_request=False,
            client_options={"allow_http": (access.endpoint or "").startswith("http://"), "timeout": _REQUEST_TIMEOUT},
            # The caller decides how long to wait.
            retry_config={"max_retries": 0},
            **{name: value for name, value in known.items() if value},  # type: ignore[arg-type]
        )

    def read_lease(self) -> LeaseObject | None:
        """Return the lease, or None when there is none."""
        with _translating():
            try:
                answer = self._store.get(LEASE)
                return LeaseObject(bytes(answer.bytes()), answer.meta["e_tag"] or "")
            except FileNotFoundError:
                return None

    def write_lease(self, content: bytes, version: str | None) -> str:
        """Create the lease, or replace a version of it."""
        with _translating():
            mode: Any = "create" if version is None else {"e_tag": version}
            return self._store.put(LEASE, content, mode=mode, use_multipart=False)["e_tag"] or ""

    def list_generations(self) -> list[int]:
        """Return the numbers of all generations."""
        with _translating():
            found = self._store.list_with_delimiter(GENERATIONS)["common_prefixes"]
        return _read_numbers(prefix.rstrip("/").rpartition("/")[2] for prefix in found)

    def delete_generation(self, generation: int) -> None:
        """Delete a generation."""
        with _translating():
            for page in obstore.list(self._store, name_generation(generation)):
                obstore.delete(self._store, [entry["path"] for entry in page])

    def describe_generation(self, generation: int) -> dict[str, Any]:
        """Return a generation's replica in the form of litestream's configuration."""
        path = "/".join(part for part in (self._path, name_generation(generation)) if part)
        place = {"type": "s3", "bucket": self._bucket, "path": path, "region": self._access.region}
        if self._access.endpoint is None:
            return place
        return place | {"endpoint": self._access.endpoint, "force-path-style": True}


@contextmanager
def _reaching(folder: Path) -> Iterator[None]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise ReplicaAwayError(f"{folder}: {error.strerror}") from error


class FolderStore:
    """A replica in a folder. Every version of its lease is a file created exclusively."""

    def __init__(self, folder: Path) -> None:
        """Take the folder, which is created at its first use."""
        self._folder = folder
        self._leases = folder / "lease"

    def read_lease(self) -> LeaseObject | None:
        """Return the lease, or None when there is none."""
        with _reaching(self._leases):
            for number in reversed(self._list_versions()):
                with suppress(FileNotFoundError):
                    return LeaseObject(self._name(number).read_bytes(), str(number))
        return None

    def write_lease(self, content: bytes, version: str | None) -> str:
        """Create the lease, or replace a version of it."""
        number = int(version or 0) + 1
        with _reaching(self._leases):
            try:
                descriptor = os.open(self._name(number), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            except FileExistsError:
                raise LeaseConflictError from None
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            versions = self._list_versions()
            if versions[-1] != number:
                raise LeaseConflictError  # a late writer of a version that was deleted long ago
            for old in versions:
                if old <= number - _KEPT_LEASES:
                    self._name(old).unlink(missing_ok=True)
        return str(number)

    def list_generations(self) -> list[int]:
        """Return the numbers of all generations."""
        with _reaching(self._folder / GENERATIONS):
            return _read_numbers(path.name for path in (self._folder / GENERATIONS).iterdir())

    def delete_generation(self, generation: int) -> None:
        """Delete a generation."""
        with _reaching(self._folder), suppress(FileNotFoundError):
            shutil.rmtree(self._folder / name_generation(generation))

    def describe_generation(self, generation: int) -> dict[str, Any]:
        """Return a generation's replica in the form of litestream's configuration."""
        return {"type": "file", "path": str(self._folder / name_generation(generation))}

    def _name(self, number: int) -> Path:
        return self._leases / f"{number:012d}"

    def _list_versions(self) -> list[int]:
        return sorted(int(path.name) for path in self._leases.iterdir() if path.name.isdecimal())
