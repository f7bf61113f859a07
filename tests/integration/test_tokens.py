"""Personal tokens: created, listed and revoked over HTTP, on the page and on the command line."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from db.__main__ import main
from submissions.accounts.credentials import MAX_TOKENS
from tests.support.pages.visitor import Visitor
from tests.support.servers.live_site import Site, problem_of

URL = "/api/v1/tokens"
MINE = "/api/v1/submissions?mine=true"


@pytest.fixture
def site(visitor: Visitor) -> Iterator[Site]:
    visitor.site.client.cookies.clear()
    yield visitor.site
    visitor.site.client.cookies.clear()


def ids(site: Site, token: str) -> list[int]:
    return [one["id"] for one in site.get(URL, token).json()["tokens"]]


def test_token_is_shown_once_and_works_until_it_is_revoked(site: Site) -> None:
    first = site.token("ann")
    response = site.post(URL, first, json={"label": "laptop"})
    assert response.status_code == 201
    assert response.headers["cache-control"] == "no-store"
    made = response.json()
    assert set(made) == {"id", "label", "created_at", "token"}
    assert made["label"] == "laptop"
    assert site.get(MINE, made["token"]).status_code == 200
    listed = site.get(URL, first)
    assert listed.json()["tokens"][-1] == {name: made[name] for name in ("id", "label", "created_at")}
    assert made["token"] not in listed.text
    assert "esh_" not in listed.text
    remaining = site.client.delete(f"{URL}/{made['id']}", headers={"Authorization": f"Bearer {first}"})
    assert remaining.status_code == 200
    assert made["id"] not in [one["id"] for one in remaining.json()["tokens"]]
    problem_of(site.get(MINE, made["token"]), 401)
    problem_of(site.client.delete(f"{URL}/{made['id']}", headers={"Authorization": f"Bearer {first}"}), 404)


def test_token_can_be_created_and_revoked_in_a_session(site: Site) -> None:
    site.post("/auth/local", json={"name": "sid"})
    made = site.post(URL, json={}).json()
    assert site.client.delete(f"{URL}/{made['id']}").json() == {"tokens": []}


def test_token_can_revoke_itself(site: Site) -> None:
    token = site.token("iris")
    (own,) = ids(site, token)
    assert site.client.delete(f"{URL}/{own}", headers={"Authorization": f"Bearer {token}"}).status_code == 200
    problem_of(site.get(URL, token), 401)


def test_token_of_another_user_is_neither_listed_nor_revoked(site: Site) -> None:
    ann, bob, boss = site.token("ann"), site.token("bob"), site.token("local")
    target = ids(site, bob)[-1]
    for other in (ann, boss):
        assert target not in ids(site, other)
        problem_of(site.client.delete(f"{URL}/{target}", headers={"Authorization": f"Bearer {other}"}), 404)
    assert site.get(MINE, bob).status_code == 200


def test_token_in_its_own_header_takes_precedence_over_authorization(site: Site) -> None:
    token, other = site.token("ann"), site.token("bob")
    for headers in ({"X-Earshot-Token": token}, {"X-Earshot-Token": token, "Authorization": "Bearer hf_of_the_hub"}):
        assert site.get("/api/v1/me", **headers).json()["name"] == "ann"
    problem = problem_of(site.get(MINE, **{"X-Earshot-Token": "esh_wrong", "Authorization": f"Bearer {other}"}), 401)
    assert problem["detail"].startswith("The token in the X-Earshot-Token header is not valid here.")


def test_tokens_require_sign_in(site: Site) -> None:
    for response in (site.get(URL), site.post(URL, json={}), site.client.delete(f"{URL}/1")):
        problem_of(response, 401)


def test_tokens_are_not_created_or_revoked_by_cross_site_requests(site: Site) -> None:
    site.post("/auth/local", json={"name": "sid"})
    foreign = {"Origin": "http://evil.example"}
    problem_of(site.client.post(URL, json={}, headers=foreign), 403)
    problem_of(site.client.delete(f"{URL}/1", headers=foreign), 403)
    assert site.get(URL).json() == {"tokens": []}


@pytest.mark.parametrize("label", ["x" * 101, "a\nb", "a\u202eb", 5, None, ["x"]])
def test_invalid_label_is_400(site: Site, label: Any) -> None:
    problem_of(site.post(URL, site.token("lea"), json={"label": label}), 400)


@pytest.mark.parametrize("token_id", ["0", "-1", "2147483648", "9" * 30, "-" + "9" * 30])
def test_unknown_token_id_is_404(site: Site, token_id: str) -> None:
    response = site.client.delete(f"{URL}/{token_id}", headers={"Authorization": f"Bearer {site.token('ann')}"})
    assert "no token" in problem_of(response, 404)["detail"]


def test_tokens_of_a_user_are_limited(site: Site) -> None:
    token = site.token("max")
    for _ in range(MAX_TOKENS - 1):
        assert site.post(URL, token, json={}).status_code == 201
    assert f"max has {MAX_TOKENS} tokens" in problem_of(site.post(URL, token, json={}), 400)["detail"]
    assert len(ids(site, token)) == MAX_TOKENS


# --- the page -------------------------------------------------------------------------------------------------------


def texts(response: Any) -> str:
    assert response.status_code == 200, response.text
    return str(response.json()["data"])


def test_account_tab_creates_lists_and_revokes_tokens(visitor: Visitor, site: Site) -> None:
    assert "Sign in on the Submit tab" in texts(visitor.send("open_account", []))
    site.post("/auth/local", json={"name": "penelope"})
    assert "No tokens yet." in texts(visitor.send("open_account", []))
    shown = texts(visitor.send("create_token", ["<b>cluster</b>"]))
    secret = shown.split('data-testid="new-token">')[1].split("<")[0]
    assert secret.startswith("esh_")
    assert site.get(MINE, secret).status_code == 200
    assert "<td><b>cluster" not in shown
    assert "<td>&lt;b&gt;cluster" in shown
    later = texts(visitor.send("open_account", []))
    assert secret not in later
    assert "cluster" in later
    (one,) = ids(site, secret)
    assert "No tokens yet." in texts(visitor.send("revoke_token", [str(one)]))
    problem_of(site.get(MINE, secret), 401)


@pytest.mark.parametrize("event", ["create_token", "revoke_token"])
def test_account_event_of_an_anonymous_visitor_is_refused(visitor: Visitor, site: Site, event: str) -> None:
    token = site.token("ann")
    before = ids(site, token)
    assert "esh_" not in visitor.send(event, [None]).text
    assert ids(site, token) == before


@pytest.mark.parametrize("chosen", ["", None, "x", "-1", "1.5", "9" * 5000, "99999"])
def test_revoking_an_unknown_token_has_no_effect(visitor: Visitor, site: Site, chosen: str | None) -> None:
    site.post("/auth/local", json={"name": "quin"})
    made = site.post(URL, json={}).json()
    visitor.send("revoke_token", [chosen])
    assert site.get(MINE, made["token"]).status_code == 200


# --- the command line -----------------------------------------------------------------------------------------------


@pytest.fixture
def command(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setenv("EARSHOT_DATA_DIR", str(site.services.settings.data_dir))
    return site


def test_token_is_listed_and_revoked_by_the_command(command: Site, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tokens", "create", "tess"]) == 0
    token = capsys.readouterr().out.strip()
    assert main(["tokens", "list", "tess"]) == 0
    listed = capsys.readouterr().out
    assert listed.endswith("command line\n")
    assert token not in listed
    assert "esh_" not in listed
    token_id = listed.split()[0]
    assert main(["tokens", "revoke", "tess", token_id]) == 0
    assert capsys.readouterr().out == f"Token {token_id} of tess is revoked.\n"
    problem_of(command.get(MINE, token), 401)
    assert main(["tokens", "list", "tess"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["list", "nobody-here"], 1, "Unknown user `nobody-here`."),
        (["revoke", "nobody-here", "1"], 1, "Unknown user `nobody-here`."),
        (["revoke", "ann", "99999"], 1, "no token 99999"),
        (["revoke", "ann", "9" * 30], 1, "no token"),
    ],
)
def test_failed_token_command_ends_with_one_line(
    command: Site, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, said: str
) -> None:
    command.token("ann")
    assert main(["tokens", *arguments]) == code
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_no_token_secret_is_in_the_database(command: Site) -> None:
    token = command.token("vic")
    path = command.services.settings.data_dir / "earshot.db"
    with closing(sqlite3.connect(path)) as connection:
        dump = "\n".join(connection.iterdump())
    assert "api_tokens" in dump
    assert token.removeprefix("esh_") not in dump
