"""Answer keys in remote storage: fetched, stored before use, and never created twice."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from huggingface_hub.errors import HfHubHTTPError

from evaluation.answer_keys import AnswerKey, find_key, new_seed, save_key
from evaluation.errors import AnswerKeyError
from submissions.keys.remote import DatasetPlace, KeyStorage, KeyStorageError, open_key_storage
from tests.support.replicas.object_gateway import SECRET_KEY, run_gateway

ADDRESS = "s3://earshot/keys"


def make_key() -> AnswerKey:
    return AnswerKey("audio-motion-bench", "1.0", "test", new_seed(), {"amb-1": 1})


@pytest.fixture
def fake_hub() -> "FakeHub":
    return FakeHub()


@dataclass
class FakeHub:
    """The used methods of `HfApi`, on a dataset in memory."""

    files: dict[str, bytes] = field(default_factory=dict)
    head: int = 0
    before_commit: Any = None

    def list_repo_tree(self, *_: object, **options: object) -> list[SimpleNamespace]:
        assert options["repo_type"] == "dataset"
        return [SimpleNamespace(path=path, size=len(data)) for path, data in self.files.items()]

    def repo_info(self, *_: object, **__: object) -> SimpleNamespace:
        return SimpleNamespace(sha=str(self.head))

    def hf_hub_download(self, _repository: str, path: str, *, local_dir: Path, **_: object) -> str:
        local_dir.mkdir(parents=True)
        local_dir.joinpath("file").write_bytes(self.files[path])
        return str(local_dir / "file")

    def create_commit(self, _repository: str, operations: list[Any], *, parent_commit: str, **_: object) -> None:
        if self.before_commit is not None:
            act, self.before_commit = self.before_commit, None
            act()
        if parent_commit != str(self.head):
            request = httpx2.Request("POST", "https://hub.example")
            raise HfHubHTTPError("conflict", response=httpx2.Response(412, request=request))
        self.head += 1
        self.files |= {one.path_in_repo: one.path_or_fileobj for one in operations}


def open_dataset(hub: FakeHub) -> KeyStorage:
    return KeyStorage(DatasetPlace("lab/keys", "main", "live", hub))  # type: ignore[arg-type]


def test_key_is_stored_in_a_bucket_before_it_is_used_and_fetched_on_an_empty_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with run_gateway() as gateway:
        for name, value in gateway.environment().items():
            monkeypatch.setenv(name, value)
        storage = open_key_storage(ADDRESS, None, os.environ)
        assert storage is not None
        key = make_key()
        assert storage.publish(key) == key
        assert storage.publish(make_key()) == key, "another evaluator was faster"
        gateway.put("keys/.hidden/1.0/test.json", b"{}")
        gateway.put("keys/audio-motion-bench/1.0/notes.txt", b"x")
        storage.synchronize(tmp_path / "answer-keys")
        assert find_key(tmp_path / "answer-keys", key.benchmark, key.version, "test") == key
        files = [path for path in (tmp_path / "answer-keys").rglob("*") if path.is_file()]
        assert [path.name for path in files] == ["test.json"]
        assert [path.stat().st_mode & 0o777 for path in (files[0], files[0].parent)] == [0o600, 0o700]
        gateway.is_away = True
        with pytest.raises(KeyStorageError, match="cannot be stored") as caught:
            storage.publish(make_key())
        assert SECRET_KEY not in str(caught.value)
        with pytest.raises(KeyStorageError, match="cannot be read"):
            storage.synchronize(tmp_path / "answer-keys")


def test_key_that_exists_only_locally_is_stored_when_remote_storage_is_enabled(
    tmp_path: Path, fake_hub: FakeHub
) -> None:
    key = save_key(tmp_path / "answer-keys", make_key())
    open_dataset(fake_hub).synchronize(tmp_path / "answer-keys")
    assert list(fake_hub.files) == ["live/audio-motion-bench/1.0/test.json"]
    open_dataset(fake_hub).synchronize(tmp_path / "elsewhere")
    assert find_key(tmp_path / "elsewhere", key.benchmark, key.version, "test") == key


def test_dataset_that_changes_between_read_and_commit_gives_the_other_key(fake_hub: FakeHub) -> None:
    mine, other = make_key(), make_key()
    fake_hub.before_commit = lambda: open_dataset(fake_hub).publish(other)
    assert open_dataset(fake_hub).publish(mine) == other
    unrelated = FakeHub()

    def commit_something_else() -> None:
        unrelated.head += 1

    unrelated.before_commit = commit_something_else
    assert open_dataset(unrelated).publish(mine) == mine


def test_damaged_key_in_remote_storage_is_not_replaced_by_a_new_one(tmp_path: Path, fake_hub: FakeHub) -> None:
    fake_hub.files["live/audio-motion-bench/1.0/test.json"] = b"{"
    storage = open_dataset(fake_hub)
    storage.synchronize(tmp_path / "answer-keys")
    with pytest.raises(AnswerKeyError, match="is not an answer key"):
        find_key(tmp_path / "answer-keys", "audio-motion-bench", "1.0", "test")
    with pytest.raises(AnswerKeyError):
        storage.publish(make_key())
