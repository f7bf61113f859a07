"""Settings: every variable, its bounds and its default."""

import re
from pathlib import Path

import pytest

import settings
from settings import (
    OUR_FIELDS,
    EvaluatorSettings,
    SettingsError,
    load_evaluator_settings,
    load_settings,
)
from settings.environments import (
    CLIENT_TOKEN,
    evaluator_environment,
    list_odd_variables,
)
from tests.support.loaded_settings import expect_refusal, load_with
from tests.support.sources.source_files import ROOT

EVERYWHERE = "0.0.0.0"  # noqa: S104 - nothing is bound here


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
    config = load_with(
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
    assert load_with(monkeypatch, MAINTAINERS=text).maintainer_names == names


def test_maintainers_are_empty_by_default_without_local_sign_in(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_with(monkeypatch, AUTH="oidc").maintainer_names == ()


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
        assert str(getattr(load_with(monkeypatch, **{name: value}), name.lower())) == value


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
        load_with(monkeypatch, SECRET_KEY=secret)
    assert "short" not in str(caught.value)


def test_current_and_earlier_secrets_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    secrets = f"{'n' * 32}, {'o' * 40}"
    assert load_with(monkeypatch, SECRET_KEY=secrets).secret_text == secrets
    assert load_with(monkeypatch, SECRET_KEY="").secret_text is None


def test_settings_are_immutable() -> None:
    with pytest.raises(ValueError, match="frozen"):
        load_settings().port = 1


def test_secret_of_a_wrong_type_is_not_shown() -> None:
    fault = {"loc": ("judge_api_key",), "msg": "Input should be a valid string", "input": "sk-secret"}
    assert settings._explain(fault) == "EARSHOT_JUDGE_API_KEY: Input should be a valid string."


def test_settings_page_lists_every_variable_with_an_effect() -> None:
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
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
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `EARSHOT_([A-Z_]+)` \| ([0-9]+) \|", text, flags=re.MULTILINE))
    defaults = {name.upper(): field.default for name, field in EvaluatorSettings.model_fields.items()}
    numbers = {name: str(value) for name, value in defaults.items() if type(value) is int}
    assert rows == numbers
