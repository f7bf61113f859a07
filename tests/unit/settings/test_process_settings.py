"""Settings that only some processes may read, and what each process inherits."""

import os
from pathlib import Path

import pytest

from settings import (
    EVALUATOR_ONLY,
    EvaluatorSettings,
    Settings,
    SettingsError,
    load_evaluator_settings,
)
from settings.environments import (
    CLIENT_TOKEN,
    evaluator_environment,
    pack_environment,
    web_environment,
)

EVERYWHERE = "0.0.0.0"  # noqa: S104 - nothing is bound here


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
