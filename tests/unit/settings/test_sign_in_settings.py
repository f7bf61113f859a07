"""Settings of sign-in with OpenID Connect: defaults on a Space, refused values and inheritance."""

import pytest

from settings import SettingsError, load_evaluator_settings, load_settings
from settings.environments import evaluator_environment, web_environment
from settings.sign_in import WEB_ONLY

PROVIDER = {
    "EARSHOT_OIDC_ISSUER": "https://accounts.example",
    "EARSHOT_OIDC_CLIENT_ID": "earshot",
    "EARSHOT_OIDC_CLIENT_SECRET": "hush",
}
OWN = {"EARSHOT_AUTH": "oidc", "EARSHOT_PUBLIC_URL": "https://earshot.example"}
SPACE = {
    "SPACE_ID": "lab/earshot",
    "SPACE_HOST": "ears.lab.example, lab-earshot.hf.space",
    "OPENID_PROVIDER_URL": "https://huggingface.co",
    "OAUTH_CLIENT_ID": "space-client",
    "OAUTH_CLIENT_SECRET": "space-secret",
}


def set_variables(monkeypatch: pytest.MonkeyPatch, values: dict[str, str]) -> None:
    for name, value in values.items():
        monkeypatch.setenv(name, value)


def test_configured_provider_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    set_variables(
        monkeypatch, PROVIDER | OWN | {"EARSHOT_MAINTAINERS": "sub-1, sub-2", "EARSHOT_MAINTAINER_ORG": "lab"}
    )
    config = load_settings()
    assert (config.oidc_issuer, config.oidc_client_id) == ("https://accounts.example", "earshot")
    assert (config.client_secret_text, config.public_url) == ("hush", "https://earshot.example")
    assert (config.uses_provider, config.is_https, config.maintainer_org) == (True, True, "lab")
    assert (config.maintainer_subjects, config.maintainer_names) == (("sub-1", "sub-2"), ())
    assert "hush" not in repr(config)


def test_space_provides_its_client_and_its_first_host(monkeypatch: pytest.MonkeyPatch) -> None:
    set_variables(monkeypatch, SPACE)
    config = load_settings()
    assert (config.oidc_issuer, config.oidc_client_id) == ("https://huggingface.co", "space-client")
    assert (config.client_secret_text, config.public_url) == ("space-secret", "https://ears.lab.example")
    assert config.uses_provider


def test_client_of_a_space_is_never_mixed_with_another_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    set_variables(monkeypatch, SPACE | PROVIDER | {"EARSHOT_PUBLIC_URL": "https://own.example/"})
    config = load_settings()
    assert (config.oidc_client_id, config.client_secret_text) == ("earshot", "hush")
    assert config.public_url == "https://own.example"
    monkeypatch.delenv("EARSHOT_OIDC_CLIENT_ID")
    with pytest.raises(SettingsError, match=r"Not set: EARSHOT_OIDC_CLIENT_ID\.$"):
        load_settings()


def test_variables_of_a_space_are_ignored_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    set_variables(monkeypatch, {name: value for name, value in SPACE.items() if name != "SPACE_ID"})
    config = load_settings()
    assert (config.oidc_issuer, config.oidc_client_id, config.public_url) == (None, None, None)


def test_space_without_a_client_accepts_only_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    set_variables(monkeypatch, {name: SPACE[name] for name in ("SPACE_ID", "SPACE_HOST", "OPENID_PROVIDER_URL")})
    monkeypatch.setenv("EARSHOT_MAINTAINERS", "ann")
    config = load_settings()
    assert not config.uses_provider
    assert (config.maintainer_names, config.maintainer_subjects) == (("ann",), ())


@pytest.mark.parametrize("missing", [*PROVIDER, "EARSHOT_PUBLIC_URL"])
def test_incomplete_provider_is_refused_with_the_missing_variable(
    monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    set_variables(monkeypatch, {name: value for name, value in (PROVIDER | OWN).items() if name != missing})
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert str(caught.value) == (
        "Sign-in with OpenID Connect requires EARSHOT_OIDC_ISSUER, EARSHOT_OIDC_CLIENT_ID, EARSHOT_OIDC_CLIENT_SECRET "
        f"and EARSHOT_PUBLIC_URL. Not set: {missing}."
    )


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("EARSHOT_MAINTAINER_ORG", "lab", "Not set: EARSHOT_OIDC_ISSUER"),
        ("EARSHOT_PUBLIC_URL", "ftp://earshot.example", "Enter an http or https origin without a path"),
        ("EARSHOT_PUBLIC_URL", "https://earshot.example/board", "without a path"),
        ("EARSHOT_PUBLIC_URL", "https://me:pass@earshot.example", "without a path"),
        ("EARSHOT_PUBLIC_URL", "earshot.example", "EARSHOT_PUBLIC_URL: "),
        ("EARSHOT_OIDC_ISSUER", "http://accounts.example", "must be an https:// URL"),
        ("EARSHOT_OIDC_ISSUER", "https://me:pass@accounts.example", "must be an https:// URL"),
        ("EARSHOT_OIDC_ISSUER", "https://accounts.example?pass=1", "must be an https:// URL without a query"),
    ],
)
def test_invalid_value_is_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str, message: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert message in str(caught.value)
    assert "me:pass" not in str(caught.value)


def test_plain_http_is_accepted_only_on_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    set_variables(monkeypatch, PROVIDER | OWN | {"EARSHOT_PUBLIC_URL": "http://127.0.0.1:7860"})
    monkeypatch.setenv("EARSHOT_OIDC_ISSUER", "http://localhost:9000/realm/")
    config = load_settings()
    assert (config.oidc_issuer, config.is_https) == ("http://localhost:9000/realm", False)
    monkeypatch.setenv("EARSHOT_PUBLIC_URL", "http://earshot.example")
    with pytest.raises(SettingsError, match="begins with https://"):
        load_settings()


def test_evaluator_inherits_no_sign_in_variables_and_can_still_start(monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"EARSHOT_MAINTAINER_ORG": "lab", "EARSHOT_ACCEPT_HUB_TOKENS": "0"}
    set_variables(monkeypatch, SPACE | PROVIDER | OWN | options)
    assert set(WEB_ONLY) <= {name.upper() for name in web_environment()}
    environment = evaluator_environment()
    assert not set(WEB_ONLY) & {name.upper() for name in environment}
    assert not {"hush", "space-secret"} & set(environment.values())
    for name in WEB_ONLY:
        monkeypatch.delenv(name)
    assert load_evaluator_settings().oidc_client_id is None


def test_hub_tokens_are_accepted_only_with_sign_in_at_the_same_hub(
    monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    hub = PROVIDER | OWN | {"EARSHOT_OIDC_ISSUER": "https://huggingface.co"}
    on = {"EARSHOT_ACCEPT_HUB_TOKENS": "1"}
    mirror = {"HF_ENDPOINT": "https://hub.example/"}
    cases: list[tuple[dict[str, str], bool]] = [
        (hub | on, True),
        (SPACE | on, True),
        (hub | on | mirror | {"EARSHOT_OIDC_ISSUER": "https://hub.example"}, True),
        (hub | on | mirror, False),
        (PROVIDER | OWN | on, False),
        (on, False),
        ({"EARSHOT_AUTH": "oidc"} | on, False),
        ({**hub, "EARSHOT_AUTH": "local"} | on, False),
    ]
    for values, is_allowed in cases:
        with subtests.test(values=values), monkeypatch.context() as patch:
            set_variables(patch, values)
            if is_allowed:
                assert load_settings().accept_hub_tokens
                continue
            with pytest.raises(SettingsError, match="requires sign-in with the Hub"):
                load_settings()
    assert not load_settings().accept_hub_tokens
