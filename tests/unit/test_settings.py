"""Settings: every variable, its bounds, and what only an evaluator may read."""

import os
import re
from pathlib import Path

import pytest

import settings
from settings import (
    EVALUATOR_ONLY,
    OUR_FIELDS,
    EvaluatorSettings,
    Settings,
    SettingsError,
    load_evaluator_settings,
    load_settings,
)
from settings.environments import (
    CLIENT_TOKEN,
    evaluator_environment,
    list_odd_variables,
    pack_environment,
    web_environment,
)

EVERYWHERE = "0.0.0.0"  # noqa: S104 - nothing is bound here


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Remove variables of the machine, and use a separate working directory."""
    for name in list(os.environ):
        if name.upper().startswith(("EARSHOT_", "SPACE_", "OAUTH_", "OPENID_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def load(monkeypatch: pytest.MonkeyPatch, **values: str) -> Settings:
    for name, value in values.items():
        monkeypatch.setenv(f"EARSHOT_{name}", value)
    return load_settings()


def expect_refusal(monkeypatch: pytest.MonkeyPatch, **values: str) -> str:
    with pytest.raises(SettingsError) as caught:
        load(monkeypatch, **values)
    return str(caught.value)


def run_on_space(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPACE_ID", "somebody/earshot")


def test_settings_of_an_empty_environment_are_the_documented_defaults(tmp_path: Path) -> None:
    config = load_settings()
    assert config.data_dir == Path("data")
    assert config.url == f"sqlite:///{tmp_path}/data/earshot.db"
    assert config.artifacts_url == f"{tmp_path}/data/artifacts"
    assert config.packs_dir == Path("data/packs")
    assert (config.auth, config.maintainers, config.maintainer_names) == ("local", (), ("local",))
    assert (config.max_upload_mb, config.max_upload_bytes) == (100, 100_000_000)
    assert (config.submissions_per_day, config.submissions_per_month, config.submissions_in_all) == (2, 10, 60)
    assert (config.open_editions, config.editions_per_day, config.shared_splits_until) == (2, 5, None)
    assert (config.host, config.port, config.production) == ("127.0.0.1", 7860, None)
    assert config.is_durable
    config.require_fit_for_production()
    assert load_evaluator_settings().answer_keys_dir == Path("data/answer-keys")


def test_settings_have_exactly_the_expected_fields() -> None:
    assert set(EvaluatorSettings.model_fields) == {
        "data_dir",
        "hub_endpoint",
        "database_url",
        "auth",
        "maintainers",
        "editions_per_day",
        "max_upload_mb",
        "open_editions",
        "shared_splits_until",
        "submissions_per_day",
        "submissions_per_month",
        "submissions_in_all",
        "storage_url",
        "replica_url",
        "replica_lease_seconds",
        "secret_key",
        "allow_loopback_endpoints",
        "host",
        "port",
        "production",
        "trusted_proxies",
        "frame_ancestors",
        "security_contact",
        "oidc_issuer",
        "oidc_client_id",
        "oidc_client_secret",
        "maintainer_org",
        "accept_hub_tokens",
        "public_url",
        "answer_keys",
        "keys_token",
        "evaluator_memory_mb",
        "judge_base_url",
        "judge_model",
        "judge_api_key",
        "judge_repeats",
        "judge_concurrency",
        "judge_max_calls_per_day",
        "judge_max_cost_per_day",
        "judge_price_input",
        "judge_price_output",
        "judge_sort_errors",
    }


def test_every_variable_is_read_under_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EARSHOT_ANSWER_KEYS", "/keys")
    config = load(
        monkeypatch,
        DATA_DIR="/somewhere",
        DATABASE_URL="sqlite:////elsewhere/e.db",
        AUTH="oidc",
        MAINTAINERS="ann, bob",
        MAX_UPLOAD_MB="7",
        SUBMISSIONS_PER_DAY="3",
        SUBMISSIONS_PER_MONTH="0",
        SUBMISSIONS_IN_ALL="1000000",
        STORAGE_URL="memory://x",
        HOST=EVERYWHERE,
        PORT="8080",
        PRODUCTION="true",
    )
    assert config.data_dir == Path("/somewhere")
    assert config.packs_dir == Path("/somewhere/packs")
    assert (config.url, config.artifacts_url) == ("sqlite:////elsewhere/e.db", "memory://x")
    assert (config.auth, config.maintainer_names) == ("oidc", ("ann", "bob"))
    assert (config.max_upload_bytes, config.host, config.port) == (7_000_000, EVERYWHERE, 8080)
    assert config.production is True
    assert (config.submissions_per_day, config.submissions_per_month, config.submissions_in_all) == (3, 0, 1_000_000)
    assert load_evaluator_settings().answer_keys_dir == Path("/keys")


def test_data_dir_is_the_default_location_of_all_data(monkeypatch: pytest.MonkeyPatch) -> None:
    config = load(monkeypatch, DATA_DIR="/somewhere")
    assert (config.url, config.artifacts_url) == ("sqlite:////somewhere/earshot.db", "/somewhere/artifacts")
    assert load_evaluator_settings().answer_keys_dir == Path("/somewhere/answer-keys")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ("local",)),
        (" , ", ("local",)),
        ("ann", ("ann",)),
        ("ann,bob", ("ann", "bob")),
        (" ann ,, bob, ", ("ann", "bob")),
    ],
)
def test_maintainers_are_names_separated_by_commas(
    monkeypatch: pytest.MonkeyPatch, text: str, names: tuple[str, ...]
) -> None:
    assert load(monkeypatch, MAINTAINERS=text).maintainer_names == names


def test_maintainers_are_empty_by_default_without_local_sign_in(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load(monkeypatch, AUTH="oidc").maintainer_names == ()


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("PORT", ["0", "1", "65535"]),
        ("MAX_UPLOAD_MB", ["1", "2000"]),
        ("SHARED_SPLITS_UNTIL", ["2027-01-31"]),
        ("AUTH", ["local", "oidc"]),
    ],
)
def test_value_within_bounds_is_accepted(monkeypatch: pytest.MonkeyPatch, name: str, values: list[str]) -> None:
    for value in values:
        assert str(getattr(load(monkeypatch, **{name: value}), name.lower())) == value


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("PORT", "-1", "greater than or equal to 0"),
        ("PORT", "65536", "less than or equal to 65535"),
        ("PORT", "http", "valid integer"),
        ("MAX_UPLOAD_MB", "0", "greater than or equal to 1"),
        ("MAX_UPLOAD_MB", "2001", "less than or equal to 2000"),
        ("MAX_UPLOAD_MB", "1.5", "valid integer"),
        ("SUBMISSIONS_PER_DAY", "-1", "greater than or equal to 0"),
        ("SHARED_SPLITS_UNTIL", "31.1.2027", "valid date"),
        ("SUBMISSIONS_PER_MONTH", "ten", "valid integer"),
        ("SUBMISSIONS_IN_ALL", "1000001", "less than or equal to 1000000"),
        ("AUTH", "none", "'local' or 'oidc'"),
        ("PRODUCTION", "perhaps", "valid boolean"),
    ],
)
def test_value_out_of_bounds_is_refused_with_its_name(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, message: str
) -> None:
    error = expect_refusal(monkeypatch, **{name: value})
    assert error.startswith(f"EARSHOT_{name}: ")
    assert message in error
    assert error.endswith(f"(it is {value!r}).")


def test_several_faults_are_all_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    error = expect_refusal(monkeypatch, PORT="-1", MAX_UPLOAD_MB="0")
    assert "EARSHOT_PORT: " in error
    assert "EARSHOT_MAX_UPLOAD_MB: " in error


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_local_sign_in_on_loopback_is_allowed(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    assert load(monkeypatch, AUTH="local", HOST=host).host == host


@pytest.mark.parametrize("host", [EVERYWHERE, "::", "192.168.0.1", "example.org", "127.0.0.1.example.org"])
def test_local_sign_in_on_another_address_is_refused(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    error = expect_refusal(monkeypatch, AUTH="local", HOST=host)
    assert error == (
        f"EARSHOT_AUTH=local requires a loopback EARSHOT_HOST, but it is {host!r}. "
        "Set EARSHOT_AUTH=oidc, or EARSHOT_HOST to one of 127.0.0.1, localhost, ::1."
    )


def test_space_defaults_to_all_addresses_and_sign_in_with_a_provider(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run_on_space(monkeypatch)
    config = load_settings()
    assert (config.host, config.port, config.auth, config.maintainer_names) == (EVERYWHERE, 7860, "oidc", ())


def test_local_sign_in_on_a_space_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    run_on_space(monkeypatch)
    assert "'0.0.0.0'" in expect_refusal(monkeypatch, AUTH="local")


def test_public_url_defaults_to_the_host_of_the_space(monkeypatch: pytest.MonkeyPatch) -> None:
    run_on_space(monkeypatch)
    assert load_settings().public_url is None
    monkeypatch.setenv("SPACE_HOST", "not a host")
    assert load_settings().public_url is None
    monkeypatch.setenv("SPACE_HOST", "lab-earshot.hf.space, earshot.example")
    assert load_settings().public_url == "https://lab-earshot.hf.space"
    assert load(monkeypatch, PUBLIC_URL="HTTPS://Earshot.example:8443/").public_url == "https://earshot.example:8443"


@pytest.mark.parametrize(
    "url", ["earshot.example", "ftp://e.example", "https://e.example/path", "https://u:p@e.example", "https://", "x y"]
)
def test_public_url_that_is_no_origin_is_refused(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    error = "EARSHOT_PUBLIC_URL: Enter an http or https origin without a path, such as https://earshot.example"
    assert expect_refusal(monkeypatch, PUBLIC_URL=url).startswith(error)


def test_trusted_proxies_default_to_loopback_and_to_all_on_a_space(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [str(network) for network in load_settings().trusted_proxies] == ["127.0.0.0/8", "::1/128"]
    config = load(monkeypatch, TRUSTED_PROXIES="10.0.0.0/8, 2001:db8::1")
    assert [str(network) for network in config.trusted_proxies] == ["10.0.0.0/8", "2001:db8::1/128"]
    assert "EARSHOT_TRUSTED_PROXIES" in expect_refusal(monkeypatch, TRUSTED_PROXIES="proxy.example")
    everywhere = ["0.0.0.0/0", "::/0"]
    assert [str(network) for network in load(monkeypatch, TRUSTED_PROXIES="*").trusted_proxies] == everywhere
    monkeypatch.delenv("EARSHOT_TRUSTED_PROXIES")
    run_on_space(monkeypatch)
    assert [str(network) for network in load_settings().trusted_proxies] == everywhere


def test_frame_ancestors_default_to_self_and_also_to_the_hub_on_a_space(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().frame_ancestors == ("'self'",)
    monkeypatch.setenv("SPACE_HOST", "lab-earshot.hf.space")
    run_on_space(monkeypatch)
    assert load_settings().frame_ancestors == ("'self'", "https://huggingface.co")
    config = load(monkeypatch, FRAME_ANCESTORS="self https://Blog.example,https://*.lab.example:8443 'self'")
    assert config.frame_ancestors == ("'self'", "https://blog.example", "https://*.lab.example:8443", "'self'")
    assert load(monkeypatch, FRAME_ANCESTORS="none").frame_ancestors == ("'none'",)
    assert load(monkeypatch, FRAME_ANCESTORS="*").frame_ancestors == ("*",)


@pytest.mark.parametrize(
    "text",
    ["https://a.example; script-src *", "https://a.example/path", "a.example", "data:", "https:", "'unsafe'", "none *"],
)
def test_invalid_frame_ancestors_are_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    assert expect_refusal(monkeypatch, FRAME_ANCESTORS=text).startswith("EARSHOT_FRAME_ANCESTORS: ")


@pytest.mark.parametrize("contact", ["mailto:security@lab.example", "https://lab.example/report?to=us", None])
def test_security_contact_is_an_address(monkeypatch: pytest.MonkeyPatch, contact: str | None) -> None:
    config = load(monkeypatch, SECURITY_CONTACT=contact) if contact else load_settings()
    assert config.security_contact == contact


@pytest.mark.parametrize(
    "contact",
    [
        "security@lab.example",
        "http://lab.example",
        "https://",
        "mailto:a@b\nExpires: 2000-01-01",
        "javascript:x",
    ],
)
def test_invalid_security_contact_is_refused(monkeypatch: pytest.MonkeyPatch, contact: str) -> None:
    assert expect_refusal(monkeypatch, SECURITY_CONTACT=contact).startswith("EARSHOT_SECURITY_CONTACT: ")


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
            assert load(patch, **values).is_durable, "an ordinary disk is durable"
            patch.setenv("SPACE_ID", "somebody/earshot")
            patch.setattr(Path, "is_mount", lambda _self: True)
            assert load_settings().is_durable is is_durable
            assert not load_evaluator_settings().is_durable, "its answer keys would be lost"
            patch.setenv("EARSHOT_ANSWER_KEYS", "hf://datasets/lab/keys")
            assert load_evaluator_settings().is_durable is is_durable


@pytest.mark.parametrize("url", ["sqlite:////srv/earshot.db", "sqlite+pysqlite:///e.db", "sqlite:///e.db?timeout=5"])
def test_database_in_a_file_is_accepted(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    assert load(monkeypatch, DATABASE_URL=url).url == url


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
    config = load(monkeypatch, DATABASE_URL=url)
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
    config = load(monkeypatch, DATA_DIR=str(tmp_path / "a" / "b"))
    config.make_data_dir()
    config.make_data_dir()
    assert (tmp_path / "a" / "b").is_dir()


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_data_dir_that_cannot_be_created_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    config = load(monkeypatch, DATA_DIR=str(tmp_path / name))
    with pytest.raises(SettingsError, match=r"^EARSHOT_DATA_DIR: cannot write to .*file.* \(.+\)\. Set it to"):
        config.make_data_dir()


def test_data_dir_without_permission_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    config = load(monkeypatch, DATA_DIR=str(tmp_path))
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(SettingsError, match="no permission"):
        config.make_data_dir()


def test_known_variables_are_not_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in OUR_FIELDS:
        monkeypatch.setenv(f"EARSHOT_{name.upper()}", "x")
    monkeypatch.setenv("earshot_port", "1")
    assert list(list_odd_variables()) == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("EARSHOT_DATADIR", "is not an Earshot setting and has no effect. Did you mean EARSHOT_DATA_DIR?"),
        ("EARSHOT_JUDGE_MODLE", "is not an Earshot setting and has no effect. Did you mean EARSHOT_JUDGE_MODEL?"),
        ("EARSHOT_ZZZZZZ", "is not an Earshot setting and has no effect."),
        ("earshot_prot", "is not an Earshot setting and has no effect. Did you mean EARSHOT_PORT?"),
        ("EARSHOT_BACKUP_REPO", "is not an Earshot setting and has no effect."),
    ],
)
def test_variable_without_effect_is_reported(monkeypatch: pytest.MonkeyPatch, name: str, message: str) -> None:
    monkeypatch.setenv(name, "x")
    assert list(list_odd_variables()) == [f"{name} {message}"]
    assert name not in evaluator_environment()


@pytest.mark.parametrize("secret", ["short", "s" * 32 + ",short", " , "])
def test_weak_secret_is_refused_and_not_shown(monkeypatch: pytest.MonkeyPatch, secret: str) -> None:
    with pytest.raises(SettingsError, match="EARSHOT_SECRET_KEY must have at least 32 characters") as caught:
        load(monkeypatch, SECRET_KEY=secret)
    assert "short" not in str(caught.value)


def test_current_and_earlier_secrets_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    secrets = f"{'n' * 32}, {'o' * 40}"
    assert load(monkeypatch, SECRET_KEY=secrets).secret_text == secrets
    assert load(monkeypatch, SECRET_KEY="").secret_text is None


REMOTE = {"REPLICA_URL": "s3://earshot/db", "STORAGE_URL": "s3://earshot/uploads", "SECRET_KEY": "s" * 32}


def test_production_is_on_by_default_on_a_space(monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests) -> None:
    load_settings().require_fit_for_production()
    run_on_space(monkeypatch)
    for values, message in (
        ({"DATA_DIR": "/home/earshot"}, "the disk is ephemeral"),
        ({**REMOTE, "SECRET_KEY": ""}, "EARSHOT_SECRET_KEY"),
        ({**REMOTE, "ALLOW_LOOPBACK_ENDPOINTS": "1"}, "EARSHOT_ALLOW_LOOPBACK_ENDPOINTS"),
    ):
        with subtests.test(values=values), monkeypatch.context() as patch:
            config = load(patch, **values)
            with pytest.raises(SettingsError, match=message):
                config.require_fit_for_production()
    load(monkeypatch, **REMOTE).require_fit_for_production()
    with pytest.raises(SettingsError, match="EARSHOT_ANSWER_KEYS"):
        load_evaluator_settings().require_fit_for_production()


def test_production_with_local_sign_in_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    config = load(monkeypatch, PRODUCTION="1")
    with pytest.raises(SettingsError, match=r"EARSHOT_AUTH is local\. Set EARSHOT_AUTH=oidc\."):
        config.require_fit_for_production()


@pytest.mark.parametrize("value", ["0", "false", "off", "no"])
def test_disabled_production_mode_refuses_nothing(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    run_on_space(monkeypatch)
    load(monkeypatch, PRODUCTION=value).require_fit_for_production()


def test_production_on_a_volume_with_a_provider_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    load(monkeypatch, PRODUCTION="1", AUTH="oidc").require_fit_for_production()


@pytest.mark.parametrize(
    ("storage", "inherited"),
    [
        ("", set()),
        ("/mnt/uploads", set()),
        ("s3://bucket/uploads", {"AWS_ACCESS_KEY_ID"}),
        ("simplecache::S3://bucket/uploads", {"AWS_ACCESS_KEY_ID"}),
        ("hf://buckets/lab/uploads", {"HF_TOKEN"}),
    ],
)
def test_server_processes_inherit_only_the_credentials_of_the_storage_in_use(
    monkeypatch: pytest.MonkeyPatch, storage: str, inherited: set[str]
) -> None:
    credentials = {"AWS_ACCESS_KEY_ID", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"}
    credentials.add(CLIENT_TOKEN)
    for name in credentials:
        monkeypatch.setenv(name, "canary")
    monkeypatch.setenv("EARSHOT_STORAGE_URL", storage)
    for environment in (web_environment(), evaluator_environment()):
        assert (credentials & environment.keys()) - {"HUGGING_FACE_HUB_TOKEN"} == inherited


def test_credentials_of_the_replica_reach_neither_the_web_process_nor_the_evaluator(
    monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "canary")
    monkeypatch.setenv("EARSHOT_REPLICA_URL", "s3://earshot/db")
    for name, value, web, evaluator in (
        ("STORAGE_URL", "/mnt/uploads", False, False),
        ("STORAGE_URL", "s3://earshot/uploads", True, True),
        ("ANSWER_KEYS", "s3://earshot/keys", False, True),
        ("ANSWER_KEYS", "hf://datasets/lab/keys", False, False),
    ):
        with subtests.test(name=name, value=value), monkeypatch.context() as patch:
            patch.setenv(f"EARSHOT_{name}", value)
            assert ("canary" in web_environment().values()) is web
            assert ("canary" in evaluator_environment().values()) is evaluator


def test_pack_process_inherits_the_answer_keys_and_no_other_setting(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    names = [f"EARSHOT_{name.upper()}" for name in EvaluatorSettings.model_fields]
    for name in (*names, "HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "OPENAI_API_KEY", "OAUTH_CLIENT_SECRET", CLIENT_TOKEN):
        monkeypatch.setenv(name, "canary")
    environment = pack_environment(tmp_path / "keys")
    assert "canary" not in environment.values()
    assert environment["EARSHOT_ANSWER_KEYS"] == str(tmp_path / "keys")


def test_replica_requires_a_bucket_or_folder_and_a_sqlite_database(
    monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    for url in ("s3://earshot", "s3://earshot/a/b.c/", "file:///srv/replica"):
        with subtests.test(url=url):
            assert load(monkeypatch, REPLICA_URL=url).replica_url == url
    for url in ("s3://user:hidden@bucket/x", "https://hidden/x", "file://hidden", "s3://earshot/../hidden", "hidden"):
        with subtests.test(url=url):
            error = expect_refusal(monkeypatch, REPLICA_URL=url)
            assert error == "EARSHOT_REPLICA_URL must be s3://bucket/path or file:///folder."
    monkeypatch.setenv("EARSHOT_DATABASE_URL", "postgresql://earshot@db/earshot")
    assert "works with SQLite only" in expect_refusal(monkeypatch, REPLICA_URL="s3://earshot/db")


def test_database_path_is_the_file_of_the_url(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert load_settings().database_path == tmp_path / "data" / "earshot.db"
    assert load(monkeypatch, DATABASE_URL="sqlite:////srv/e.db?timeout=5").database_path == Path("/srv/e.db")


def test_web_environment_contains_no_evaluator_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in EVALUATOR_ONLY:
        monkeypatch.setenv(name, "secret-of-the-evaluator")
    monkeypatch.setenv("earshot_answer_keys", "secret-of-the-evaluator")
    monkeypatch.setenv("EARSHOT_PORT", "1")
    environment = web_environment()
    assert "secret-of-the-evaluator" not in environment.values()
    assert not set(EVALUATOR_ONLY) & {name.upper() for name in environment}
    assert environment["EARSHOT_PORT"] == "1"
    assert environment["PATH"] == os.environ["PATH"]
    assert os.environ["EARSHOT_ANSWER_KEYS"] == "secret-of-the-evaluator", "the current environment is unchanged"


def test_web_settings_have_no_evaluator_fields() -> None:
    web_variables = {f"EARSHOT_{name.upper()}" for name in Settings.model_fields}
    assert not web_variables & set(EVALUATOR_ONLY)
    evaluator_variables = {
        f"EARSHOT_{name.upper()}" for name in set(EvaluatorSettings.model_fields) - set(Settings.model_fields)
    }
    assert evaluator_variables <= set(EVALUATOR_ONLY)


def test_settings_are_immutable() -> None:
    with pytest.raises(ValueError, match="frozen"):
        load_settings().port = 1


def test_secret_of_a_wrong_type_is_not_shown() -> None:
    fault = {"loc": ("judge_api_key",), "msg": "Input should be a valid string", "input": "sk-secret"}
    assert settings._explain(fault) == "EARSHOT_JUDGE_API_KEY: Input should be a valid string."


def test_judge_settings_are_loaded_by_an_evaluator_only(monkeypatch: pytest.MonkeyPatch) -> None:
    config = load_evaluator_settings()
    assert (config.judge_base_url, config.judge_model, config.judge_api_key, config.has_judge) == (
        None,
        None,
        None,
        False,
    )
    assert (config.judge_repeats, config.judge_concurrency, config.judge_max_calls_per_day) == (1, 16, 20_000)
    values = {"BASE_URL": "https://judge.example/v1", "MODEL": "lab/judge", "API_KEY": "sk-own", "REPEATS": "3"}
    for name, value in values.items():
        monkeypatch.setenv(f"EARSHOT_JUDGE_{name}", value)
    config = load_evaluator_settings()
    assert (config.judge_base_url, config.judge_model, config.judge_repeats) == (values["BASE_URL"], values["MODEL"], 3)
    assert (config.judge_sort_errors, config.judge_max_cost_per_day) == (0, None)
    assert config.judge_api_key is not None
    assert config.judge_api_key.get_secret_value() == "sk-own"
    assert config.has_judge
    assert "sk-own" not in f"{config!r} {config}"
    assert not [name for name in web_environment() if "JUDGE" in name]
    assert evaluator_environment()["EARSHOT_JUDGE_API_KEY"] == "sk-own"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"MODEL": "m"}, "EARSHOT_JUDGE_BASE_URL is not set. Set both."),
        ({"BASE_URL": "http://127.0.0.1/v1"}, "EARSHOT_JUDGE_MODEL is not set. Set both."),
        ({"BASE_URL": "ftp://judge.example", "MODEL": "m"}, "EARSHOT_JUDGE_BASE_URL must be an http or https URL"),
        ({"BASE_URL": "https://me:pass@judge.example", "MODEL": "m"}, "without user name, query or fragment"),
        ({"BASE_URL": "https://judge.example?key=pass", "MODEL": "m"}, "without user name, query or fragment"),
        ({"REPEATS": "0"}, "EARSHOT_JUDGE_REPEATS: Input should be greater than or equal to 1"),
        ({"REPEATS": "11"}, "EARSHOT_JUDGE_REPEATS"),
        ({"CONCURRENCY": "0"}, "EARSHOT_JUDGE_CONCURRENCY"),
        ({"CONCURRENCY": "257"}, "EARSHOT_JUDGE_CONCURRENCY"),
        ({"MAX_CALLS_PER_DAY": "-1"}, "EARSHOT_JUDGE_MAX_CALLS_PER_DAY"),
        ({"SORT_ERRORS": "-1"}, "EARSHOT_JUDGE_SORT_ERRORS"),
        ({"PRICE_INPUT": "1.5"}, "EARSHOT_JUDGE_PRICE_OUTPUT is not set. Set both."),
        ({"PRICE_OUTPUT": "6"}, "EARSHOT_JUDGE_PRICE_INPUT is not set. Set both."),
        ({"PRICE_INPUT": "nan", "PRICE_OUTPUT": "6"}, "EARSHOT_JUDGE_PRICE_INPUT"),
        ({"MAX_COST_PER_DAY": "5"}, "EARSHOT_JUDGE_MAX_COST_PER_DAY requires token prices."),
    ],
)
def test_invalid_judge_settings_are_refused(
    monkeypatch: pytest.MonkeyPatch, values: dict[str, str], message: str
) -> None:
    for name, value in values.items():
        monkeypatch.setenv(f"EARSHOT_JUDGE_{name}", value)
    with pytest.raises(SettingsError) as caught:
        load_evaluator_settings()
    assert message in str(caught.value)
    assert "pass" not in str(caught.value)


def test_settings_page_lists_every_variable_with_an_effect() -> None:
    text = (Path(__file__).parents[2] / "docs" / "settings.md").read_text(encoding="utf-8")
    documented = re.findall(r"^\| `(EARSHOT_[A-Z_]+)` \|", text, flags=re.MULTILINE)
    assert len(documented) == len(set(documented))
    assert set(documented) == {f"EARSHOT_{name.upper()}" for name in OUR_FIELDS} | {CLIENT_TOKEN}


def test_hub_address_is_read_from_the_variable_of_its_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().hub_endpoint == "https://huggingface.co"
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:8000")
    assert load_settings().hub_endpoint == "http://127.0.0.1:8000"
    for invalid in ("file:///etc/passwd", "https://user:secret@hub.example", "https://hub.example?x=1", "hub.example"):
        monkeypatch.setenv("HF_ENDPOINT", invalid)
        with pytest.raises(SettingsError, match="HF_ENDPOINT") as refusal:
            load_settings()
        assert "secret" not in str(refusal.value)


def test_settings_page_states_the_defaults_of_numbers() -> None:
    text = (Path(__file__).parents[2] / "docs" / "settings.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `EARSHOT_([A-Z_]+)` \| ([0-9]+) \|", text, flags=re.MULTILINE))
    defaults = {name.upper(): field.default for name, field in EvaluatorSettings.model_fields.items()}
    numbers = {name: str(value) for name, value in defaults.items() if type(value) is int}
    assert rows == numbers
