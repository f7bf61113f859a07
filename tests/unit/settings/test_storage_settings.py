"""Settings of where data is: folder, database, answer keys and replica."""

import os
from pathlib import Path

import pytest

from settings import (
    SettingsError,
    load_evaluator_settings,
    load_settings,
)
from tests.support.loaded_settings import expect_refusal, load_with, run_on_space

EVERYWHERE = "0.0.0.0"  # noqa: S104 - nothing is bound here


def test_data_dir_is_the_default_location_of_all_data(monkeypatch: pytest.MonkeyPatch) -> None:
    config = load_with(monkeypatch, DATA_DIR="/somewhere")
    assert (config.url, config.artifacts_url) == ("sqlite:////somewhere/earshot.db", "/somewhere/artifacts")
    assert load_evaluator_settings().answer_keys_dir == Path("/somewhere/answer-keys")


@pytest.mark.parametrize(("is_writable", "expected"), [(True, "/data"), (False, "data")])
def test_data_dir_of_a_space_is_its_volume_if_there_is_one(
    monkeypatch: pytest.MonkeyPatch, is_writable: bool, expected: str
) -> None:
    run_on_space(monkeypatch)
    monkeypatch.setattr(os, "access", lambda path, _mode: str(path) == "/data" and is_writable)
    assert load_settings().data_dir == Path(expected)


def test_space_is_durable_only_with_rows_and_uploads_in_remote_storage(
    monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    replica = {"REPLICA_URL": "s3://earshot/db"}
    for values, is_durable in (
        ({}, False),
        ({"DATA_DIR": "/data"}, False),
        (replica, False),
        ({**replica, "STORAGE_URL": "/data/uploads"}, False),
        ({**replica, "STORAGE_URL": "file:///data/uploads"}, False),
        ({"REPLICA_URL": "file:///data/replica", "STORAGE_URL": "s3://earshot/uploads"}, False),
        ({**replica, "STORAGE_URL": "hf://buckets/lab/earshot"}, True),
        ({"DATABASE_URL": "postgresql://earshot@db/earshot", "STORAGE_URL": "s3://earshot/uploads"}, True),
    ):
        with subtests.test(values=values), monkeypatch.context() as patch:
            assert load_with(patch, **values).is_durable, "an ordinary disk is durable"
            patch.setenv("SPACE_ID", "somebody/earshot")
            patch.setattr(Path, "is_mount", lambda _self: True)
            assert load_settings().is_durable is is_durable
            assert not load_evaluator_settings().is_durable, "its answer keys would be lost"
            patch.setenv("EARSHOT_ANSWER_KEYS", "hf://datasets/lab/keys")
            assert load_evaluator_settings().is_durable is is_durable


@pytest.mark.parametrize("url", ["sqlite:////srv/earshot.db", "sqlite+pysqlite:///e.db", "sqlite:///e.db?timeout=5"])
def test_database_in_a_file_is_accepted(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    assert load_with(monkeypatch, DATABASE_URL=url).url == url


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://earshot:secret@db/earshot",
        "postgresql+psycopg://earshot:a%40b@db.lab.org:5432/earshot?sslmode=require",
        "postgresql://earshot@[::1]:5432/earshot",
        "postgresql://postgres:@/earshot?host=/run/postgresql",
        "postgresql:///earshot",
    ],
)
def test_database_on_a_server_is_accepted(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    config = load_with(monkeypatch, DATABASE_URL=url)
    assert (config.url, config.uses_server) == (url, True)


@pytest.mark.parametrize(
    "url",
    [
        "mysql://hidden",
        "postgres://earshot:hidden@db/earshot",
        "postgresql+asyncpg://earshot:hidden@db/earshot",
        "postgresql://earshot:hidden@db",
        "postgresql://earshot:hidden@db/",
        "postgresql://earshot:hidden@db:port/earshot",
        "postgresql://earshot:hid/hidden@db/earshot",
        "postgresql://earshot:hid@hidden@db/earshot",
        "sqlite://",
        "sqlite:///",
        "sqlite:///:memory:",
        "sqlite://hidden/earshot.db",
        "sqlite+aiosqlite:///hidden.db",
        "/srv/hidden.db",
        "hidden",
    ],
)
def test_other_database_url_is_refused_without_quoting_it(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    error = expect_refusal(monkeypatch, DATABASE_URL=url)
    assert error.startswith("EARSHOT_DATABASE_URL must name a SQLite file or a PostgreSQL database.")
    assert "hidden" not in error


def test_answer_keys_are_in_a_folder_a_dataset_or_a_bucket(
    monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    for address in ("hf://datasets/lab/keys", "hf://datasets/lab/keys@main/test", "s3://earshot/keys"):
        with subtests.test(address=address):
            monkeypatch.setenv("EARSHOT_ANSWER_KEYS", address)
            assert load_evaluator_settings().answer_keys_dir == Path("data/answer-keys")
    for address in ("hf://lab/keys", "https://hidden/keys", "s3://user:hidden@bucket"):
        with subtests.test(address=address):
            monkeypatch.setenv("EARSHOT_ANSWER_KEYS", address)
            with pytest.raises(SettingsError, match=r"^EARSHOT_ANSWER_KEYS must be a folder, hf://") as caught:
                load_evaluator_settings()
            assert "hidden" not in str(caught.value)


def test_data_dir_is_created_with_its_parents(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    config = load_with(monkeypatch, DATA_DIR=str(tmp_path / "a" / "b"))
    config.make_data_dir()
    config.make_data_dir()
    assert (tmp_path / "a" / "b").is_dir()


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_data_dir_that_cannot_be_created_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    config = load_with(monkeypatch, DATA_DIR=str(tmp_path / name))
    with pytest.raises(SettingsError, match=r"^EARSHOT_DATA_DIR: cannot write to .*file.* \(.+\)\. Set it to"):
        config.make_data_dir()


def test_data_dir_without_permission_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    config = load_with(monkeypatch, DATA_DIR=str(tmp_path))
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(SettingsError, match="no permission"):
        config.make_data_dir()


def test_replica_requires_a_bucket_or_folder_and_a_sqlite_database(
    monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    for url in ("s3://earshot", "s3://earshot/a/b.c/", "file:///srv/replica"):
        with subtests.test(url=url):
            assert load_with(monkeypatch, REPLICA_URL=url).replica_url == url
    for url in ("s3://user:hidden@bucket/x", "https://hidden/x", "file://hidden", "s3://earshot/../hidden", "hidden"):
        with subtests.test(url=url):
            error = expect_refusal(monkeypatch, REPLICA_URL=url)
            assert error == "EARSHOT_REPLICA_URL must be s3://bucket/path or file:///folder."
    monkeypatch.setenv("EARSHOT_DATABASE_URL", "postgresql://earshot@db/earshot")
    assert "works with SQLite only" in expect_refusal(monkeypatch, REPLICA_URL="s3://earshot/db")


def test_database_path_is_the_file_of_the_url(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert load_settings().database_path == tmp_path / "data" / "earshot.db"
    assert load_with(monkeypatch, DATABASE_URL="sqlite:////srv/e.db?timeout=5").database_path == Path("/srv/e.db")
