"""Settings of a server that others reach: sign-in, addresses, frames, a Space and production."""

import pytest

from settings import (
    SettingsError,
    load_evaluator_settings,
    load_settings,
)
from tests.support.loaded_settings import expect_refusal, load_with, run_on_space

EVERYWHERE = "0.0.0.0"  # noqa: S104 - nothing is bound here


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_local_sign_in_on_loopback_is_allowed(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    assert load_with(monkeypatch, AUTH="local", HOST=host).host == host


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
    assert (
        load_with(monkeypatch, PUBLIC_URL="HTTPS://Earshot.example:8443/").public_url == "https://earshot.example:8443"
    )


@pytest.mark.parametrize(
    "url", ["earshot.example", "ftp://e.example", "https://e.example/path", "https://u:p@e.example", "https://", "x y"]
)
def test_public_url_that_is_no_origin_is_refused(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    error = "EARSHOT_PUBLIC_URL: Enter an http or https origin without a path, such as https://earshot.example"
    assert expect_refusal(monkeypatch, PUBLIC_URL=url).startswith(error)


def test_trusted_proxies_default_to_loopback_and_to_all_on_a_space(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [str(network) for network in load_settings().trusted_proxies] == ["127.0.0.0/8", "::1/128"]
    config = load_with(monkeypatch, TRUSTED_PROXIES="10.0.0.0/8, 2001:db8::1")
    assert [str(network) for network in config.trusted_proxies] == ["10.0.0.0/8", "2001:db8::1/128"]
    assert "EARSHOT_TRUSTED_PROXIES" in expect_refusal(monkeypatch, TRUSTED_PROXIES="proxy.example")
    everywhere = ["0.0.0.0/0", "::/0"]
    assert [str(network) for network in load_with(monkeypatch, TRUSTED_PROXIES="*").trusted_proxies] == everywhere
    monkeypatch.delenv("EARSHOT_TRUSTED_PROXIES")
    run_on_space(monkeypatch)
    assert [str(network) for network in load_settings().trusted_proxies] == everywhere


def test_frame_ancestors_default_to_self_and_also_to_the_hub_on_a_space(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().frame_ancestors == ("'self'",)
    monkeypatch.setenv("SPACE_HOST", "lab-earshot.hf.space")
    run_on_space(monkeypatch)
    assert load_settings().frame_ancestors == ("'self'", "https://huggingface.co")
    config = load_with(monkeypatch, FRAME_ANCESTORS="self https://Blog.example,https://*.lab.example:8443 'self'")
    assert config.frame_ancestors == ("'self'", "https://blog.example", "https://*.lab.example:8443", "'self'")
    assert load_with(monkeypatch, FRAME_ANCESTORS="none").frame_ancestors == ("'none'",)
    assert load_with(monkeypatch, FRAME_ANCESTORS="*").frame_ancestors == ("*",)


@pytest.mark.parametrize(
    "text",
    ["https://a.example; script-src *", "https://a.example/path", "a.example", "data:", "https:", "'unsafe'", "none *"],
)
def test_invalid_frame_ancestors_are_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    assert expect_refusal(monkeypatch, FRAME_ANCESTORS=text).startswith("EARSHOT_FRAME_ANCESTORS: ")


@pytest.mark.parametrize("contact", ["mailto:security@lab.example", "https://lab.example/report?to=us", None])
def test_security_contact_is_an_address(monkeypatch: pytest.MonkeyPatch, contact: str | None) -> None:
    config = load_with(monkeypatch, SECURITY_CONTACT=contact) if contact else load_settings()
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
            config = load_with(patch, **values)
            with pytest.raises(SettingsError, match=message):
                config.require_fit_for_production()
    load_with(monkeypatch, **REMOTE).require_fit_for_production()
    with pytest.raises(SettingsError, match="EARSHOT_ANSWER_KEYS"):
        load_evaluator_settings().require_fit_for_production()


def test_production_with_local_sign_in_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    config = load_with(monkeypatch, PRODUCTION="1")
    with pytest.raises(SettingsError, match=r"EARSHOT_AUTH is local\. Set EARSHOT_AUTH=oidc\."):
        config.require_fit_for_production()


@pytest.mark.parametrize("value", ["0", "false", "off", "no"])
def test_disabled_production_mode_refuses_nothing(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    run_on_space(monkeypatch)
    load_with(monkeypatch, PRODUCTION=value).require_fit_for_production()


def test_production_on_a_volume_with_a_provider_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    load_with(monkeypatch, PRODUCTION="1", AUTH="oidc").require_fit_for_production()
