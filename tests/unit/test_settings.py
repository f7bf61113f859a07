"""Settings: every variable, its bounds, and what only an evaluator may read."""

import os
import re
from pathlib import Path

import pytest

import settings
from settings import (
    EVALUATOR_ONLY,
    EvaluatorSettings,
    Settings,
    SettingsError,
    evaluator_environment,
    list_odd_variables,
    load_evaluator_settings,
    load_settings,
    web_environment,
)

EVERYWHERE = "0.0.0.0"  # noqa: S104 - nothing is bound here


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No variable of the machine, and a working directory of our own."""
    for name in list(os.environ):
        if name.upper().startswith(("EARSHOT_", "SPACE_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def load(monkeypatch: pytest.MonkeyPatch, **values: str) -> Settings:
    for name, value in values.items():
        monkeypatch.setenv(f"EARSHOT_{name}", value)
    return load_settings()


def refuse(monkeypatch: pytest.MonkeyPatch, **values: str) -> str:
    with pytest.raises(SettingsError) as caught:
        load(monkeypatch, **values)
    return str(caught.value)


def on_space(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPACE_ID", "somebody/earshot")


def test_settings_of_an_empty_environment_are_the_documented_defaults(tmp_path: Path) -> None:
    found = load_settings()
    assert found.data_dir == Path("data")
    assert found.url == f"sqlite:///{tmp_path}/data/earshot.db"
    assert found.artifacts_url == f"{tmp_path}/data/artifacts"
    assert found.packs_dir == Path("data/packs")
    assert (found.auth, found.maintainers, found.maintainer_names) == ("local", (), ("local",))
    assert (found.max_upload_mb, found.max_upload_bytes) == (100, 100_000_000)
    assert (found.submissions_per_day, found.submissions_per_month, found.submissions_in_all) == (2, 10, 60)
    assert (found.host, found.port, found.production) == ("127.0.0.1", 7860, None)
    assert found.is_durable
    found.require_fit_for_production()
    assert load_evaluator_settings().answer_keys_dir == Path("data/answer-keys")


def test_settings_are_all_covered_here() -> None:
    assert set(EvaluatorSettings.model_fields) == {
        "data_dir",
        "hub_endpoint",
        "database_url",
        "auth",
        "maintainers",
        "max_upload_mb",
        "submissions_per_day",
        "submissions_per_month",
        "submissions_in_all",
        "storage_url",
        "secret_key",
        "allow_loopback_endpoints",
        "host",
        "port",
        "production",
        "answer_keys",
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
    found = load(
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
    assert found.data_dir == Path("/somewhere")
    assert found.packs_dir == Path("/somewhere/packs")
    assert (found.url, found.artifacts_url) == ("sqlite:////elsewhere/e.db", "memory://x")
    assert (found.auth, found.maintainer_names) == ("oidc", ("ann", "bob"))
    assert (found.max_upload_bytes, found.host, found.port) == (7_000_000, EVERYWHERE, 8080)
    assert found.production is True
    assert (found.submissions_per_day, found.submissions_per_month, found.submissions_in_all) == (3, 0, 1_000_000)
    assert load_evaluator_settings().answer_keys_dir == Path("/keys")


def test_data_dir_is_where_everything_lies_that_is_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    found = load(monkeypatch, DATA_DIR="/somewhere")
    assert (found.url, found.artifacts_url) == ("sqlite:////somewhere/earshot.db", "/somewhere/artifacts")
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
def test_maintainers_are_names_between_commas(
    monkeypatch: pytest.MonkeyPatch, text: str, names: tuple[str, ...]
) -> None:
    assert load(monkeypatch, MAINTAINERS=text).maintainer_names == names


def test_maintainers_without_local_sign_in_are_nobody_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load(monkeypatch, AUTH="oidc").maintainer_names == ()


@pytest.mark.parametrize(
    ("name", "good"),
    [("PORT", ["0", "1", "65535"]), ("MAX_UPLOAD_MB", ["1", "2000"]), ("AUTH", ["local", "oidc"])],
)
def test_value_within_bounds_is_taken(monkeypatch: pytest.MonkeyPatch, name: str, good: list[str]) -> None:
    for value in good:
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
        ("SUBMISSIONS_PER_MONTH", "ten", "valid integer"),
        ("SUBMISSIONS_IN_ALL", "1000001", "less than or equal to 1000000"),
        ("AUTH", "none", "'local' or 'oidc'"),
        ("PRODUCTION", "perhaps", "valid boolean"),
    ],
)
def test_value_out_of_bounds_is_refused_by_name(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, message: str
) -> None:
    said = refuse(monkeypatch, **{name: value})
    assert said.startswith(f"EARSHOT_{name}: ")
    assert message in said
    assert said.endswith(f"(it is {value!r}).")


def test_several_faults_are_all_said(monkeypatch: pytest.MonkeyPatch) -> None:
    said = refuse(monkeypatch, PORT="-1", MAX_UPLOAD_MB="0")
    assert "EARSHOT_PORT: " in said
    assert "EARSHOT_MAX_UPLOAD_MB: " in said


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_local_sign_in_on_loopback_is_allowed(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    assert load(monkeypatch, AUTH="local", HOST=host).host == host


@pytest.mark.parametrize("host", [EVERYWHERE, "::", "192.168.0.1", "example.org", "127.0.0.1.example.org"])
def test_local_sign_in_on_another_address_is_refused(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    said = refuse(monkeypatch, AUTH="local", HOST=host)
    assert said == (
        f"EARSHOT_AUTH=local needs a loopback EARSHOT_HOST, and it is {host!r}. "
        "Set EARSHOT_AUTH=oidc, or EARSHOT_HOST to one of 127.0.0.1, localhost, ::1."
    )


def test_settings_of_a_space_are_bound_to_all_addresses_and_signed_in_by_a_provider(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    on_space(monkeypatch)
    found = load_settings()
    assert (found.host, found.port, found.auth, found.maintainer_names) == (EVERYWHERE, 7860, "oidc", ())


def test_settings_of_a_space_with_local_sign_in_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    on_space(monkeypatch)
    assert "'0.0.0.0'" in refuse(monkeypatch, AUTH="local")


@pytest.mark.parametrize(("is_writable", "expected"), [(True, "/data"), (False, "data")])
def test_data_of_a_space_lies_on_its_volume_where_there_is_one(
    monkeypatch: pytest.MonkeyPatch, is_writable: bool, expected: str
) -> None:
    on_space(monkeypatch)
    monkeypatch.setattr(os, "access", lambda path, _mode: str(path) == "/data" and is_writable)
    assert load_settings().data_dir == Path(expected)


@pytest.mark.parametrize("is_mount", [True, False])
def test_space_is_durable_on_a_volume_only(monkeypatch: pytest.MonkeyPatch, is_mount: bool) -> None:
    on_space(monkeypatch)
    monkeypatch.setattr(Path, "is_mount", lambda _self: is_mount)
    assert load(monkeypatch, DATA_DIR="/data").is_durable is is_mount


@pytest.mark.parametrize("url", ["sqlite:////srv/earshot.db", "sqlite+pysqlite:///e.db", "sqlite:///e.db?timeout=5"])
def test_database_in_a_file_is_taken(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
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
def test_database_of_a_server_is_taken(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    found = load(monkeypatch, DATABASE_URL=url)
    assert (found.url, found.uses_server) == (url, True)


@pytest.mark.parametrize(("storage", "is_durable"), [("s3://uploads", True), (None, False)])
def test_space_without_a_volume_is_durable_with_rows_and_uploads_elsewhere(
    monkeypatch: pytest.MonkeyPatch, storage: str | None, is_durable: bool
) -> None:
    on_space(monkeypatch)
    monkeypatch.setattr(Path, "is_mount", lambda _self: False)
    values = {} if storage is None else {"STORAGE_URL": storage}
    url = "postgresql://earshot@db/earshot"
    found = load(monkeypatch, DATABASE_URL=url, PRODUCTION="1", SECRET_KEY="s" * 32, **values)
    assert found.is_durable is is_durable
    assert not load_evaluator_settings().is_durable, "its answer keys would be lost"
    monkeypatch.setenv("EARSHOT_ANSWER_KEYS", "/srv/keys")
    assert load_evaluator_settings().is_durable is is_durable
    if is_durable:
        found.require_fit_for_production()
        return
    with pytest.raises(SettingsError, match="would not survive a restart"):
        found.require_fit_for_production()


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
def test_database_elsewhere_is_refused_in_one_sentence_that_hides_it(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    said = refuse(monkeypatch, DATABASE_URL=url)
    assert said.startswith("EARSHOT_DATABASE_URL names neither a SQLite file nor a PostgreSQL database.")
    assert "hidden" not in said


def test_answer_keys_at_an_address_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EARSHOT_ANSWER_KEYS", "hf://datasets/lab/keys")
    with pytest.raises(SettingsError, match=r"^EARSHOT_ANSWER_KEYS is an address, .* from a folder only\.$"):
        load_evaluator_settings()


def test_data_dir_is_made_with_its_parents(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = load(monkeypatch, DATA_DIR=str(tmp_path / "a" / "b"))
    found.make_data_dir()
    found.make_data_dir()
    assert (tmp_path / "a" / "b").is_dir()


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_data_dir_that_cannot_be_made_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    found = load(monkeypatch, DATA_DIR=str(tmp_path / name))
    with pytest.raises(SettingsError, match=r"^EARSHOT_DATA_DIR: .*file.* cannot be written \(.+\)\. Set it to"):
        found.make_data_dir()


def test_data_dir_without_permission_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = load(monkeypatch, DATA_DIR=str(tmp_path))
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(SettingsError, match="no permission"):
        found.make_data_dir()


def test_variables_that_are_known_are_not_odd(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in settings._OURS:
        monkeypatch.setenv(f"EARSHOT_{name.upper()}", "x")
    monkeypatch.setenv("earshot_port", "1")
    monkeypatch.setenv("EARSHOT_BACKUP_REPO", "")
    assert list(list_odd_variables()) == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("EARSHOT_DATADIR", "is no variable of Earshot and has no effect. Did you mean EARSHOT_DATA_DIR?"),
        ("EARSHOT_JUDGE_MODLE", "is no variable of Earshot and has no effect. Did you mean EARSHOT_JUDGE_MODEL?"),
        ("EARSHOT_ZZZZZZ", "is no variable of Earshot and has no effect."),
        ("earshot_prot", "is no variable of Earshot and has no effect. Did you mean EARSHOT_PORT?"),
        *((name, "is for a later release and has no effect yet.") for name in settings._LATER),
    ],
)
def test_variable_without_effect_is_named(monkeypatch: pytest.MonkeyPatch, name: str, said: str) -> None:
    monkeypatch.setenv(name, "x")
    assert list(list_odd_variables()) == [f"{name} {said}"]
    assert name not in evaluator_environment()


@pytest.mark.parametrize("secret", ["short", "s" * 32 + ",short", " , "])
def test_secret_that_keeps_nothing_secret_is_refused_and_not_shown(
    monkeypatch: pytest.MonkeyPatch, secret: str
) -> None:
    with pytest.raises(SettingsError, match="EARSHOT_SECRET_KEY must have 32 characters") as caught:
        load(monkeypatch, SECRET_KEY=secret)
    assert "short" not in str(caught.value)


def test_secret_and_an_earlier_one_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    secrets = f"{'n' * 32}, {'o' * 40}"
    assert load(monkeypatch, SECRET_KEY=secrets).secret_text == secrets
    assert load(monkeypatch, SECRET_KEY="").secret_text is None


def test_production_refuses_endpoints_on_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    on_space(monkeypatch)
    monkeypatch.setattr(Path, "is_mount", lambda _self: True)
    found = load(monkeypatch, PRODUCTION="1", ALLOW_LOOPBACK_ENDPOINTS="1")
    with pytest.raises(SettingsError, match="EARSHOT_ALLOW_LOOPBACK_ENDPOINTS"):
        found.require_fit_for_production()


def test_production_refuses_a_secret_that_would_be_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    on_space(monkeypatch)
    monkeypatch.setattr(Path, "is_mount", lambda _self: False)
    url = "postgresql://earshot@db/earshot"
    found = load(monkeypatch, DATABASE_URL=url, PRODUCTION="1", STORAGE_URL="s3://uploads")
    with pytest.raises(SettingsError, match="EARSHOT_SECRET_KEY"):
        found.require_fit_for_production()


def test_production_with_data_that_would_be_lost_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    on_space(monkeypatch)
    monkeypatch.setattr(Path, "is_mount", lambda _self: False)
    found = load(monkeypatch, PRODUCTION="1", DATA_DIR="/home/earshot")
    with pytest.raises(SettingsError, match=r"/home/earshot would not survive a restart\. Mount a volume there, set "):
        found.require_fit_for_production()


def test_production_with_local_sign_in_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    found = load(monkeypatch, PRODUCTION="1")
    with pytest.raises(SettingsError, match=r"EARSHOT_AUTH is local\. Set EARSHOT_AUTH=oidc\."):
        found.require_fit_for_production()


@pytest.mark.parametrize("value", ["0", "false", "off", "no"])
def test_production_that_is_off_refuses_nothing(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    on_space(monkeypatch)
    load(monkeypatch, PRODUCTION=value).require_fit_for_production()


def test_production_on_a_volume_with_a_provider_is_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    load(monkeypatch, PRODUCTION="1", AUTH="oidc").require_fit_for_production()


@pytest.mark.parametrize(
    ("storage", "kept"),
    [
        ("", set()),
        ("/mnt/uploads", set()),
        ("s3://bucket/uploads", {"AWS_ACCESS_KEY_ID"}),
        ("simplecache::S3://bucket/uploads", {"AWS_ACCESS_KEY_ID"}),
        ("hf://buckets/lab/uploads", {"HF_TOKEN"}),
    ],
)
def test_web_environment_keeps_credentials_of_the_storage_in_use_alone(
    monkeypatch: pytest.MonkeyPatch, storage: str, kept: set[str]
) -> None:
    credentials = {"AWS_ACCESS_KEY_ID", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"}
    for name in credentials:
        monkeypatch.setenv(name, "canary")
    monkeypatch.setenv("EARSHOT_STORAGE_URL", storage)
    found = credentials & web_environment().keys()
    assert found - {"HUGGING_FACE_HUB_TOKEN"} == kept


def test_web_environment_has_nothing_that_only_an_evaluator_may_know(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in EVALUATOR_ONLY:
        monkeypatch.setenv(name, "secret-of-the-evaluator")
    monkeypatch.setenv("earshot_answer_keys", "secret-of-the-evaluator")
    monkeypatch.setenv("EARSHOT_PORT", "1")
    found = web_environment()
    assert "secret-of-the-evaluator" not in found.values()
    assert not set(EVALUATOR_ONLY) & {name.upper() for name in found}
    assert found["EARSHOT_PORT"] == "1"
    assert found["PATH"] == os.environ["PATH"]
    assert os.environ["EARSHOT_ANSWER_KEYS"] == "secret-of-the-evaluator", "its own environment is left alone"


def test_settings_of_the_web_process_have_no_field_that_only_an_evaluator_may_know() -> None:
    web = {f"EARSHOT_{name.upper()}" for name in Settings.model_fields}
    assert not web & set(EVALUATOR_ONLY)
    own = {f"EARSHOT_{name.upper()}" for name in set(EvaluatorSettings.model_fields) - set(Settings.model_fields)}
    assert own <= set(EVALUATOR_ONLY)


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        load_settings().port = 1


def test_secret_of_a_wrong_kind_is_not_shown() -> None:
    fault = {"loc": ("judge_api_key",), "msg": "Input should be a valid string", "input": "sk-secret"}
    assert settings._explain(fault) == "EARSHOT_JUDGE_API_KEY: Input should be a valid string."


def test_judge_is_read_by_an_evaluator_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    found = load_evaluator_settings()
    assert (found.judge_base_url, found.judge_model, found.judge_api_key, found.has_judge) == (None, None, None, False)
    assert (found.judge_repeats, found.judge_concurrency, found.judge_max_calls_per_day) == (1, 16, 20_000)
    values = {"BASE_URL": "https://judge.example/v1", "MODEL": "lab/judge", "API_KEY": "sk-own", "REPEATS": "3"}
    for name, value in values.items():
        monkeypatch.setenv(f"EARSHOT_JUDGE_{name}", value)
    found = load_evaluator_settings()
    assert (found.judge_base_url, found.judge_model, found.judge_repeats) == (values["BASE_URL"], values["MODEL"], 3)
    assert (found.judge_sort_errors, found.judge_max_cost_per_day) == (0, None)
    assert found.judge_api_key is not None
    assert found.judge_api_key.get_secret_value() == "sk-own"
    assert found.has_judge
    assert "sk-own" not in f"{found!r} {found}"
    assert not [name for name in web_environment() if "JUDGE" in name]
    assert evaluator_environment()["EARSHOT_JUDGE_API_KEY"] == "sk-own"


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"MODEL": "m"}, "EARSHOT_JUDGE_BASE_URL is not set. Set both."),
        ({"BASE_URL": "http://127.0.0.1/v1"}, "EARSHOT_JUDGE_MODEL is not set. Set both."),
        ({"BASE_URL": "ftp://judge.example", "MODEL": "m"}, "EARSHOT_JUDGE_BASE_URL is no http or https address"),
        ({"BASE_URL": "https://me:pass@judge.example", "MODEL": "m"}, "without user name, query and fragment"),
        ({"BASE_URL": "https://judge.example?key=pass", "MODEL": "m"}, "without user name, query and fragment"),
        ({"REPEATS": "0"}, "EARSHOT_JUDGE_REPEATS: Input should be greater than or equal to 1"),
        ({"REPEATS": "11"}, "EARSHOT_JUDGE_REPEATS"),
        ({"CONCURRENCY": "0"}, "EARSHOT_JUDGE_CONCURRENCY"),
        ({"CONCURRENCY": "257"}, "EARSHOT_JUDGE_CONCURRENCY"),
        ({"MAX_CALLS_PER_DAY": "-1"}, "EARSHOT_JUDGE_MAX_CALLS_PER_DAY"),
        ({"SORT_ERRORS": "-1"}, "EARSHOT_JUDGE_SORT_ERRORS"),
        ({"PRICE_INPUT": "1.5"}, "EARSHOT_JUDGE_PRICE_OUTPUT is not set. Set both."),
        ({"PRICE_OUTPUT": "6"}, "EARSHOT_JUDGE_PRICE_INPUT is not set. Set both."),
        ({"PRICE_INPUT": "nan", "PRICE_OUTPUT": "6"}, "EARSHOT_JUDGE_PRICE_INPUT"),
        ({"MAX_COST_PER_DAY": "5"}, "EARSHOT_JUDGE_MAX_COST_PER_DAY needs the price of tokens."),
    ],
)
def test_judge_that_cannot_be_used_is_refused(
    monkeypatch: pytest.MonkeyPatch, values: dict[str, str], said: str
) -> None:
    for name, value in values.items():
        monkeypatch.setenv(f"EARSHOT_JUDGE_{name}", value)
    with pytest.raises(SettingsError) as caught:
        load_evaluator_settings()
    assert said in str(caught.value)
    assert "pass" not in str(caught.value)


def test_table_of_settings_has_every_variable_that_has_an_effect() -> None:
    text = (Path(__file__).parents[2] / "docs" / "settings.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(EARSHOT_[A-Z_]+)` \|", text, flags=re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert set(listed) == {f"EARSHOT_{name.upper()}" for name in settings._OURS} | {settings._TOKEN}


def test_address_of_the_hub_has_the_name_that_its_clients_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().hub_endpoint == "https://huggingface.co"
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:8000")
    assert load_settings().hub_endpoint == "http://127.0.0.1:8000"
    for odd in ("file:///etc/passwd", "https://user:secret@hub.example", "https://hub.example?x=1", "hub.example"):
        monkeypatch.setenv("HF_ENDPOINT", odd)
        with pytest.raises(SettingsError, match="HF_ENDPOINT") as refusal:
            load_settings()
        assert "secret" not in str(refusal.value)


def test_table_of_settings_gives_the_defaults_of_numbers() -> None:
    text = (Path(__file__).parents[2] / "docs" / "settings.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `EARSHOT_([A-Z_]+)` \| ([0-9]+) \|", text, flags=re.MULTILINE))
    known = {name.upper(): field.default for name, field in EvaluatorSettings.model_fields.items()}
    numbers = {name: str(value) for name, value in known.items() if type(value) is int}
    assert rows == numbers
