"""`python -m submissions login` and `logout` against a server and its provider on loopback."""

import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from submissions.__main__ import main
from submissions.cli import device_login
from submissions.cli.device_login import DeviceLogin, DeviceVerification
from submissions.cli.token_store import StoredToken, TokenStore
from submissions.client import Client, ClientError
from tests.support.servers.live_site import Site, run_site
from tests.support.servers.openid_provider import HOSTILE, OpenIdProvider, run_provider
from tests.support.servers.signed_in_site import run_signed_in_site


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, OpenIdProvider]]:
    with run_provider() as provider, run_signed_in_site(tmp_path_factory.mktemp("login"), provider) as site:
        yield site, provider


@pytest.fixture
def provider(running: tuple[Site, OpenIdProvider]) -> OpenIdProvider:
    running[1].reset()
    return running[1]


@pytest.fixture
def url(running: tuple[Site, OpenIdProvider], provider: OpenIdProvider) -> str:
    return f"http://127.0.0.1:{running[0].port}"


@pytest.fixture
def tokens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Token file of a user without tokens, whose commands do not pause."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("EARSHOT_TOKEN", raising=False)
    monkeypatch.setattr(device_login.DeviceLogin.__init__, "__defaults__", (lambda _seconds: None,))
    return tmp_path / ".config" / "earshot" / "tokens.json"


def read_token(path: Path) -> str:
    (entry,) = json.loads(path.read_text()).values()
    return str(entry["token"])


def test_login_stores_a_token_that_commands_send_until_logout(
    running: tuple[Site, OpenIdProvider],
    provider: OpenIdProvider,
    url: str,
    tokens: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    provider.user = "sub-lena"
    provider.device_answers = ["authorization_pending", "slow_down", "authorization_pending"]
    assert main(["login", "--url", url]) == 0
    shown = capsys.readouterr().out
    assert f"Open {provider.url}/device and enter the code WXYZ-1234" in shown
    assert shown.endswith(f"Logged in to {url}.\n")
    token = read_token(tokens)
    assert token not in shown
    assert stat.S_IMODE(tokens.stat().st_mode) == 0o600
    assert stat.S_IMODE(tokens.parent.stat().st_mode) == 0o700
    assert list(tokens.parent.iterdir()) == [tokens]
    own = running[0].submit(token).json()["id"]
    assert main(["status", own, "--url", url]) == 0
    assert own in capsys.readouterr().out, "a private submission of theirs"
    assert main(["logout", "--url", f"{url}/"]) == 0
    assert json.loads(tokens.read_text()) == {}
    assert running[0].get("/api/v1/tokens", token).status_code == 401
    capsys.readouterr()
    assert main(["logout", "--url", url]) == 2
    assert "You are not logged in" in capsys.readouterr().err


def test_second_login_revokes_the_token_of_the_first(
    running: tuple[Site, OpenIdProvider], provider: OpenIdProvider, url: str, tokens: Path
) -> None:
    provider.user = "sub-mona"
    assert main(["login", "--url", url]) == 0
    first = read_token(tokens)
    assert main(["login", "--url", url]) == 0
    assert running[0].get("/api/v1/tokens", first).status_code == 401
    assert len(running[0].get("/api/v1/tokens", read_token(tokens)).json()["tokens"]) == 1


def test_token_of_the_environment_takes_precedence_over_the_login(
    running: tuple[Site, OpenIdProvider], url: str, tokens: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["login", "--url", url]) == 0
    own = running[0].submit(read_token(tokens)).json()["id"]
    assert main(["status", own, "--url", url]) == 0
    monkeypatch.setenv("EARSHOT_TOKEN", "esh_wrong")
    assert main(["status", own, "--url", url]) == 1


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (["access_denied"], "The login was declined."),
        (["authorization_pending", "expired_token"], "The code has expired. Run the command again."),
        (["authorization_pending"] * 200, "The code has expired. Run the command again."),
        ([HOSTILE], "The provider refused the login."),
    ],
)
def test_unconfirmed_login_stores_nothing(
    provider: OpenIdProvider,
    url: str,
    tokens: Path,
    capsys: pytest.CaptureFixture[str],
    answers: list[str],
    said: str,
) -> None:
    provider.device_answers = list(answers)
    assert main(["login", "--url", url]) == 1
    error = capsys.readouterr().err
    assert said in error
    assert "hostile()" not in error
    assert not tokens.exists()


def test_polling_uses_the_provider_s_interval(provider: OpenIdProvider, url: str) -> None:
    provider.device_answers = ["authorization_pending", "slow_down", "slow_down", "authorization_pending"]
    pauses: list[float] = []
    client = Client(url)
    try:
        DeviceLogin(client, pauses.append).run("test", lambda _verification: None)
    finally:
        client.close()
    assert pauses == [2, 2, 7, 12, 12]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("500 device", "returned an unexpected response"),
        ("html device", "returned an unexpected response"),
        ("500 token", "returned an unexpected response"),
        ("no-tokens", "sent no ID token"),
        ("audience", "could not be verified"),
        ("other-subject", "sign-in service sent an unexpected response"),
    ],
)
def test_misbehaving_provider_signs_nobody_in(
    provider: OpenIdProvider, url: str, tokens: Path, capsys: pytest.CaptureFixture[str], fault: str, said: str
) -> None:
    provider.fault = fault
    assert main(["login", "--url", url]) == 1
    error = capsys.readouterr().err
    assert said in error
    assert "hostile()" not in error
    assert not tokens.exists()


def test_server_without_a_provider_names_the_alternative(
    tmp_path: Path, tokens: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for auth, said in (("local", "needs no login"), ("oidc", "Ask a maintainer for a token")):
        with run_site(tmp_path / auth, auth=auth) as site:
            assert main(["login", "--url", f"http://127.0.0.1:{site.port}"]) == 1
            assert said in capsys.readouterr().err


def test_provider_without_https_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    offer = {"method": "openid", "client_id": "c", "scopes": ["openid"], "token_endpoint": "http://evil.example/t"}
    offer["device_authorization_endpoint"] = "http://evil.example/device"
    client = Client("http://127.0.0.1:1")
    monkeypatch.setattr(client, "describe_sign_in", lambda: offer)
    shown: list[DeviceVerification] = []
    try:
        with pytest.raises(ClientError, match="does not use https"):
            DeviceLogin(client).run("test", shown.append)
    finally:
        client.close()
    assert shown == []


def test_token_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    store = TokenStore(tmp_path)
    store.store_token("https://a.example/", StoredToken(1, "esh_a"))
    store.store_token("https://B.example", StoredToken(2, "esh_b"))
    assert store.find_token("https://a.example") == StoredToken(1, "esh_a")
    assert store.find_token("https://b.example/") == StoredToken(2, "esh_b")
    assert store.find_token("http://a.example") is None
    path = tmp_path / "tokens.json"
    path.chmod(0o644)
    with pytest.raises(ClientError, match="chmod 600"):
        store.find_token("https://a.example")
    path.chmod(0o600)
    path.write_text("not JSON")
    with pytest.raises(ClientError, match="Delete it and log in again"):
        store.find_token("https://a.example")
