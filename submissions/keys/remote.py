"""Remote storage of answer keys: fetched into a private folder when an evaluator starts, committed when created.

A new key is stored remotely before it is used, so that no questions are published whose answers could be lost.
"""

import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path, PurePosixPath
from typing import Any, Protocol

import obstore
from huggingface_hub import CommitOperationAdd, HfApi
from huggingface_hub.errors import HfHubHTTPError
from obstore.exceptions import AlreadyExistsError, BaseError, PreconditionError
from obstore.store import S3Store

from evaluation.answer_keys import AUDIO_FOLDER, AnswerKey, key_path, parse_key
from evaluation.errors import AnswerKeyError

_DATASET = re.compile(r"hf://datasets/([\w.-]+/[\w.-]+)(?:@([\w.-]+))?(?:/([\w./-]+))?/?")
_BUCKET = re.compile(r"s3://([a-z0-9.-]+)(?:/([\w./-]+))?/?")
_CONFLICTS = frozenset({409, 412})
_TRIES = 3


class KeyStorageError(AnswerKeyError):
    """The remote storage of answer keys is unusable; the message says what to do."""


class _ConflictError(Exception):
    """Another evaluator stored a key at the same time."""


class KeyPlace(Protocol):
    """Remote storage of files."""

    def list_files(self) -> dict[str, int]:
        """Return path and size of every file."""

    def read_file(self, path: str) -> bytes:
        """Return a file."""

    def create_file(self, path: str, data: bytes) -> None:
        """Store a new file.

        Raises:
            _ConflictError: The file exists, or something else changed at the same time.
        """


class KeyStorage:
    """Answer keys in remote storage."""

    def __init__(self, place: KeyPlace) -> None:
        self._place = place

    def synchronize(self, folder: Path) -> None:
        """Copy all keys and recordings into a folder that only this user can open, and upload what exists only there.

        Raises:
            KeyStorageError: Reading or storing failed.
        """
        known = self.fetch(folder)
        with self._explaining("stored"), suppress(_ConflictError):
            for source in sorted(folder.glob("*/*/**/*")):
                path = source.relative_to(folder).as_posix()
                if source.is_file() and _is_key_file(path) and path not in known:
                    self._place.create_file(path, source.read_bytes())

    def fetch(self, folder: Path) -> dict[str, int]:
        """Copy all keys and recordings into a folder that only this user can open; return the remote files.

        Raises:
            KeyStorageError: Reading failed.
        """
        with self._explaining("read"):
            known = self._place.list_files()
            for path, n_bytes in known.items():
                target = folder / path
                # Keys are small and may be corrected; recordings are large and are verified when used.
                if _is_key_file(path) and not (path.endswith(".wav") and _has_size(target, n_bytes)):
                    _write_privately(folder, target, self._place.read_file(path))
        return known

    def publish(self, key: AnswerKey) -> AnswerKey:
        """Store a new key remotely, and return the key that is stored afterwards.

        Raises:
            KeyStorageError: Storing failed.
        """
        path = key_path(Path(), key.benchmark, key.version, key.split).as_posix()
        with self._explaining("stored"):
            for _ in range(_TRIES):
                try:
                    self._place.create_file(path, key.to_json())
                except _ConflictError:
                    if path in self._place.list_files():
                        identity = (key.benchmark, key.version, key.split)
                        return parse_key(self._place.read_file(path), Path(path), identity)
                else:
                    return key
        raise KeyStorageError("Another process is changing the answer keys in remote storage. Retrying.")

    @contextmanager
    def _explaining(self, what: str) -> Iterator[None]:
        try:
            yield
        except (BaseError, HfHubHTTPError, OSError) as error:
            # The library's message quotes the request.
            raise KeyStorageError(
                f"The answer keys in remote storage cannot be {what} ({type(error).__name__}), so nothing can be "
                "scored. Check EARSHOT_ANSWER_KEYS and EARSHOT_KEYS_TOKEN, or the credentials of the bucket."
            ) from error


def _is_key_file(path: str) -> bool:
    """Tell whether a path is that of a key or recording, `<benchmark>/<version>/…`, and leaves no folder."""
    parts = PurePosixPath(path).parts
    if any(not re.fullmatch(r"[\w-][\w. -]*", part) for part in parts):
        return False
    return (len(parts) == 3 and path.endswith(".json")) or (len(parts) == 4 and parts[2] == AUDIO_FOLDER)


def _has_size(path: Path, n_bytes: int) -> bool:
    return path.is_file() and path.stat().st_size == n_bytes


def _write_privately(folder: Path, target: Path, data: bytes) -> None:
    for private in reversed([target.parent, *target.parent.parents]):
        if private == folder or folder in private.parents:
            private.mkdir(mode=0o700, parents=True, exist_ok=True)
    written = target.with_name(f".{target.name}.new")
    written.touch(mode=0o600)
    written.write_bytes(data)
    written.replace(target)


class DatasetPlace:
    """A private dataset repository on the Hub."""

    def __init__(self, repository: str, revision: str, folder: str, api: HfApi) -> None:
        self._repository, self._revision, self._folder, self._api = repository, revision, folder, api

    def list_files(self) -> dict[str, int]:
        """Return every file in the folder."""
        tree = self._api.list_repo_tree(
            self._repository, self._folder or None, recursive=True, revision=self._revision, repo_type="dataset"
        )
        prefix = f"{self._folder}/" if self._folder else ""
        return {entry.path.removeprefix(prefix): entry.size for entry in tree if hasattr(entry, "size")}

    def read_file(self, path: str) -> bytes:
        """Return a file."""
        # Not in the library's shared cache, where a web process of the same user could read it.
        with tempfile.TemporaryDirectory() as folder:
            local = self._api.hf_hub_download(
                self._repository,
                self._full(path),
                repo_type="dataset",
                revision=self._revision,
                local_dir=Path(folder, "answer-keys"),
            )
            return Path(local).read_bytes()

    def create_file(self, path: str, data: bytes) -> None:
        """Store a file in one commit on top of the revision in which it was absent."""
        head = self._api.repo_info(self._repository, repo_type="dataset", revision=self._revision).sha
        if path in self.list_files():
            raise _ConflictError
        try:
            self._api.create_commit(
                self._repository,
                [CommitOperationAdd(self._full(path), data)],
                commit_message=f"Add the answer key {path}",
                repo_type="dataset",
                revision=self._revision,
                parent_commit=head,
            )
        except HfHubHTTPError as error:
            if getattr(error.response, "status_code", None) in _CONFLICTS:
                raise _ConflictError from error
            raise

    def _full(self, path: str) -> str:
        return f"{self._folder}/{path}" if self._folder else path


class BucketPlace:
    """A folder in a bucket."""

    def __init__(self, store: S3Store) -> None:
        self._store = store

    def list_files(self) -> dict[str, int]:
        """Return every object."""
        return {entry["path"]: entry["size"] for page in obstore.list(self._store) for entry in page}

    def read_file(self, path: str) -> bytes:
        """Return an object."""
        return bytes(self._store.get(path).bytes())

    def create_file(self, path: str, data: bytes) -> None:
        """Store an object with a conditional PUT."""
        try:
            self._store.put(path, data, mode="create", use_multipart=False)
        except (AlreadyExistsError, PreconditionError):
            raise _ConflictError from None


def open_key_storage(address: str | None, token: str | None, environment: Mapping[str, str]) -> KeyStorage | None:
    """Return the storage named by EARSHOT_ANSWER_KEYS, or None for a local folder."""
    if address is None or "://" not in address:
        return None
    if dataset := _DATASET.fullmatch(address):
        repository, revision, folder = dataset.groups()
        api = HfApi(token=token or False)
        return KeyStorage(DatasetPlace(repository, revision or "main", (folder or "").strip("/"), api))
    if bucket := _BUCKET.fullmatch(address):
        return KeyStorage(BucketPlace(_open_bucket(bucket[1], bucket[2], environment)))
    raise KeyStorageError("EARSHOT_ANSWER_KEYS must be a folder, hf://datasets/NAMESPACE/NAME or s3://bucket/path.")


def _open_bucket(bucket: str, path: str | None, environment: Mapping[str, str]) -> S3Store:
    is_plain = environment.get("AWS_ENDPOINT_URL", "").startswith("http://")
    options: dict[str, Any] = {"client_options": {"timeout": timedelta(seconds=30), "allow_http": is_plain}}
    # Credentials, endpoint and region come from the evaluator's environment.
    return S3Store(bucket, prefix=path or None, retry_config={"max_retries": 2}, **options)
