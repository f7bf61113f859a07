"""Sign-in with an OpenID provider over HTTP: redirects, sessions, and a misbehaving provider."""

import logging
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest

from db.__main__ import main as run_db
from leaderboard.api.auth import COOKIE, SECURE_COOKIE
from leaderboard.openid import provider as provider_client
from leaderboard.services import build_services
from settings import Settings
from tests.support.servers.live_site import Site, problem_of, run_site
from tests.support.servers.openid_provider import CLIENT_ID, HOSTILE, OpenIdProvider, run_provider
from tests.support.servers.signed_in_site import (
    ORGANISATION,
    begin,
    make_sign_in_settings,
    read_cookie,
    run_signed_in_site,
    sign_in,
    visit_provider,
)

MINE = "/api/v1/submissions?mine=true"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, OpenIdProvider]]:
    with run_provider() as provider, run_signed_in_site(tmp_path_factory.mktemp("openid"), provider) as site:
        yield site, provider


@pytest.fixture
def provider(running: tuple[Site, OpenIdProvider]) -> Iterator[OpenIdProvider]:
    running[1].reset()
    yield running[1]
    running[1].reset()


@pytest.fixture
def site(running: tuple[Site, OpenIdProvider]) -> Site:
    """The shared server with a signed-out client, whose provider has no recorded requests."""
    site = running[0]
    site.client.cookies.clear()
    forget_provider(site)
    return site


def forget_provider(site: Site) -> None:
    assert site.services.sign_in is not None
    site.services.sign_in.provider._metadata = None
    site.services.sign_in.provider._keys = None


def name_of(site: Site) -> str | None:
    user = site.services.accounts.find_by_session(read_cookie(site))
    return user.name if user else None


def is_maintainer(site: Site) -> bool:
    return site.get("/api/v1/admin/queue").status_code == 200


def refused(response: httpx2.Response, status: int) -> str:
    """Return the page of a failed sign-in, after checking that it names a reference and quotes no error text."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"].startswith("text/html")
    assert "Sign-in failed" in response.text
    assert "report reference" in response.text
    assert 'data-testid="try-again"' in response.text
    assert "hostile()" not in response.text
    assert COOKIE not in response.cookies
    return response.text


def test_visitor_signs_in_and_returns_to_the_requested_page(site: Site, provider: OpenIdProvider) -> None:
    response = sign_in(site, provider, "/?tab=submit&benchmark=mdar")
    assert (response.status_code, response.headers["location"]) == (303, "/?tab=submit&benchmark=mdar")
    assert response.headers["cache-control"] == "no-store"
    assert name_of(site) == "ann"
    assert site.get(MINE).status_code == 200
    assert [name for name in site.client.cookies if "attempt" in name] == []


def test_redirect_has_fresh_pkce_state_and_nonce(site: Site, provider: OpenIdProvider) -> None:
    queries = [parse_qs(urlsplit(begin(site).headers["location"]).query) for _ in range(2)]
    for name in ("state", "nonce", "code_challenge"):
        (first,), (second,) = (query[name] for query in queries)
        assert first != second
        assert len(first) >= 43
    assert queries[0]["code_challenge_method"] == ["S256"]
    assert queries[0]["redirect_uri"] == [f"{site.services.settings.public_url}/login/callback"]
    assert queries[0]["scope"] == ["openid profile read-memberships"]


def test_cookie_of_an_attempt_is_http_only_and_opaque(site: Site, provider: OpenIdProvider) -> None:
    response = begin(site)
    state = parse_qs(urlsplit(response.headers["location"]).query)["state"][0]
    cookie = response.headers["set-cookie"]
    assert {"HttpOnly", "Path=/", "SameSite=lax", "Max-Age=600"} <= {part.strip() for part in cookie.split(";")}
    assert state not in cookie


@pytest.mark.parametrize(
    "next_path",
    [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example",
        "/%5c..//evil.example//x",
        "javascript:alert(1)",
        "/auth/login?next=/",
        "/login/callback",
        "/ x",
        "/x\r\nSet-Cookie: a=b",
        "",
        "/" + "x" * 2_000,
    ],
)
def test_redirect_after_sign_in_stays_on_this_site(site: Site, provider: OpenIdProvider, next_path: str) -> None:
    assert sign_in(site, provider, next_path).headers["location"] == "/"


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        *((fault, 400) for fault in ("nonce", "no-nonce", "issuer", "audience", "audiences", "party", "no-subject")),
        *((fault, 400) for fault in ("expired", "future", "alg-none", "hs256", "unknown-kid", "forged")),
        *((fault, 400) for fault in ("state", "callback-issuer", "denied", "error", "expired-code")),
        *((fault, 502) for fault in ("other-subject", "no-tokens")),
        *((f"{what} {where}", 502) for what in ("500", "huge", "html", "redirect") for where in ("token", "userinfo")),
        *((f"{what} jwks", 502) for what in ("500", "huge", "html")),
    ],
)
def test_misbehaving_provider_signs_nobody_in(
    site: Site, provider: OpenIdProvider, caplog: pytest.LogCaptureFixture, fault: str, status: int
) -> None:
    provider.fault = fault
    with caplog.at_level(logging.WARNING):
        page = refused(sign_in(site, provider, "/?tab=account"), status)
    assert COOKIE not in site.client.cookies
    assert HOSTILE not in caplog.text
    (logged,) = [record.getMessage() for record in caplog.records if "sign-in failed" in record.getMessage()]
    assert logged.split()[1].rstrip(":") in page
    provider.fault = ""
    assert sign_in(site, provider).status_code == 303, "the next attempt is not spoilt"


def test_retry_link_leads_to_the_requested_page(site: Site, provider: OpenIdProvider) -> None:
    provider.fault = "denied"
    page = refused(sign_in(site, provider, "/?tab=account&x=<b>"), 400)
    assert "You declined the sign-in." in page
    link = unescape(page.split('data-testid="try-again"')[0].rpartition('href="')[2].partition('"')[0])
    provider.fault = ""
    response = site.client.get(visit_provider(provider, site.client.get(link)))
    assert response.headers["location"] == "/?tab=account&x=%3Cb%3E"


@pytest.mark.parametrize("fault", ["500 openid-configuration", "metadata-issuer", "metadata-endpoint"])
def test_sign_in_refuses_untrusted_metadata(site: Site, provider: OpenIdProvider, fault: str) -> None:
    provider.fault = fault
    refused(begin(site), 502)


@pytest.mark.parametrize("where", ["openid-configuration", "token", "jwks", "userinfo"])
def test_slow_provider_times_out(
    site: Site, provider: OpenIdProvider, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    assert site.services.sign_in is not None
    monkeypatch.setattr(site.services.sign_in.provider, "_seconds", 0.2)
    provider.fault = f"slow {where}"
    refused(begin(site) if where == "openid-configuration" else sign_in(site, provider), 502)


def test_callback_is_refused_twice_and_in_another_browser(site: Site, provider: OpenIdProvider) -> None:
    back = visit_provider(provider, begin(site))
    attempt = dict(site.client.cookies)
    html = {"Accept": "text/html"}
    site.client.cookies.clear()
    refused(site.client.get(back, headers=html), 400)
    refused(site.client.get(back, headers=html | {"Cookie": f"{next(iter(attempt))}=AAAA"}), 400)
    for name, value in attempt.items():
        site.client.cookies.set(name, value)
    assert site.client.get(back, headers=html).status_code == 303
    site.client.cookies.clear()
    for name, value in attempt.items():
        site.client.cookies.set(name, value)
    refused(site.client.get(back, headers=html), 400)


def test_parallel_attempts_in_several_tabs_succeed(site: Site, provider: OpenIdProvider) -> None:
    backs = [visit_provider(provider, begin(site, f"/?tab={tab}")) for tab in ("submit", "account")]
    found = [site.client.get(back).headers["location"] for back in backs]
    assert found == ["/?tab=submit", "/?tab=account"]


def test_abandoned_attempts_do_not_accumulate(site: Site, provider: OpenIdProvider) -> None:
    for _ in range(12):
        begin(site)
    assert len([name for name in site.client.cookies if "attempt" in name]) <= 6


def test_attempt_survives_a_restart_but_expires(
    site: Site, provider: OpenIdProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    back = visit_provider(provider, begin(site))
    state = parse_qs(urlsplit(back).query)["state"][0]
    restarted = build_services(site.services.settings)
    restarted.database.close()
    assert restarted.sign_in is not None
    found = restarted.sign_in.cookies.find_attempt(dict(site.client.cookies), state)
    assert found is not None
    clock = time.time
    monkeypatch.setattr("leaderboard.openid.attempts.time.time", lambda: clock() + 601)
    assert restarted.sign_in.cookies.find_attempt(dict(site.client.cookies), state) is None


def test_unsolicited_callback_is_refused(site: Site, provider: OpenIdProvider, subtests: pytest.Subtests) -> None:
    for query in ("", "?state=", "?state=a;b", "?state=%0d%0aSet-Cookie:x", "?code=x&state=" + "s" * 5_000):
        with subtests.test(query=query[:40]):
            refused(site.client.get(f"/login/callback{query}", headers={"Accept": "text/html"}), 400)
    assert provider.asked == []


def test_failure_is_a_problem_for_programs(site: Site, provider: OpenIdProvider) -> None:
    problem = problem_of(site.client.get("/login/callback"), 400)
    assert problem["type"].endswith("#sign-in-failed")
    assert problem["url"] == "/auth/login?next=/"
    assert problem["incident"] in problem["detail"]


def test_metadata_and_keys_are_cached_and_reloaded_for_a_new_key(site: Site, provider: OpenIdProvider) -> None:
    for _ in range(2):
        assert sign_in(site, provider).status_code == 303
    assert provider.asked.count("/.well-known/openid-configuration") == 1
    assert provider.asked.count("/oauth/jwks") == 1
    provider.rotate_keys()
    assert sign_in(site, provider).status_code == 303
    assert provider.asked.count("/oauth/jwks") == 2
    provider.fault = "unknown-kid"
    refused(sign_in(site, provider), 400)
    assert provider.asked.count("/oauth/jwks") == 3


def test_metadata_and_keys_are_reloaded_after_an_hour(
    site: Site, provider: OpenIdProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in(site, provider)
    monkeypatch.setattr(provider_client, "CACHE_SECONDS", -1.0)
    sign_in(site, provider)
    assert provider.asked.count("/oauth/jwks") == 2


def test_renamed_user_keeps_their_identity_and_a_reused_name_inherits_nothing(
    site: Site, provider: OpenIdProvider
) -> None:
    provider.user = "sub-first"
    provider.people = {"sub-first": {"preferred_username": "reused"}, "sub-second": {"preferred_username": "reused"}}
    sign_in(site, provider)
    received = site.submit(None)
    assert received.status_code == 201, received.text
    provider.people["sub-first"]["preferred_username"] = "renamed"
    sign_in(site, provider)
    assert name_of(site) == "renamed"
    assert [one["id"] for one in site.get(MINE).json()["submissions"]] == [received.json()["id"]]
    provider.user = "sub-second"
    sign_in(site, provider)
    assert name_of(site) == "reused-2"
    assert site.get(MINE).json()["submissions"] == []


@pytest.mark.parametrize(("role", "expected"), [("admin", True), ("write", True), ("read", False), ("", False)])
def test_role_in_the_organisation_makes_a_maintainer_until_it_is_revoked(
    site: Site, provider: OpenIdProvider, role: str, expected: bool
) -> None:
    provider.user = "sub-member"
    membership = {"sub": "org-1", "preferred_username": ORGANISATION, "roleInOrg": role}
    provider.people = {"sub-member": {"orgs": [{"preferred_username": "another", "roleInOrg": "admin"}, membership]}}
    response = sign_in(site, provider)
    assert is_maintainer(site) is expected
    seconds = int(response.headers["set-cookie"].split(f"{COOKIE}=")[1].split("Max-Age=")[1].split(";")[0])
    assert seconds == (12 if expected else 30 * 24) * 3600
    kept = read_cookie(site)
    provider.people = {}
    site.client.cookies.clear()
    sign_in(site, provider)
    assert not is_maintainer(site)
    site.client.cookies.clear()
    problem_of(site.get("/api/v1/admin/queue", Cookie=f"{COOKIE}={kept}"), 403)


def test_listed_subject_is_a_maintainer_and_a_listed_name_is_not(site: Site, provider: OpenIdProvider) -> None:
    provider.user = "sub-listed"
    sign_in(site, provider)
    assert is_maintainer(site)
    provider.user, provider.people = "sub-x", {"sub-x": {"preferred_username": "sub-listed"}}
    sign_in(site, provider)
    assert not is_maintainer(site)


@pytest.mark.parametrize("orgs", ["x", {"a": 1}, [1, None, "x"], [{"preferred_username": ORGANISATION}]])
def test_malformed_memberships_grant_nothing(site: Site, provider: OpenIdProvider, orgs: object) -> None:
    provider.people = {"sub-ann": {"orgs": orgs, "preferred_username": ["x"]}}
    assert sign_in(site, provider).status_code == 303
    assert not is_maintainer(site)


def test_sign_in_ends_the_previous_session(site: Site, provider: OpenIdProvider) -> None:
    sign_in(site, provider)
    first = read_cookie(site)
    sign_in(site, provider)
    assert read_cookie(site) != first
    assert site.services.accounts.find_by_session(first) is None


def test_session_over_https_works_in_frames_and_is_bound_to_the_host(tmp_path: Path, provider: OpenIdProvider) -> None:
    settings = make_sign_in_settings(provider, public_url="https://earshot.example")
    with run_site(tmp_path, **settings) as site:
        begun = begin(site)
        attempt = begun.headers["set-cookie"]
        assert attempt.startswith("__Host-earshot_attempt_")
        assert "Secure" in attempt
        back = visit_provider(provider, begun)
        response = site.client.get(back, headers={"Cookie": attempt.split(";")[0]})
        assert response.status_code == 303
        set_cookie = next(one for one in response.headers.get_list("set-cookie") if one.startswith(SECURE_COOKIE))
        parts = {part.strip().lower() for part in set_cookie.split(";")}
        assert {"secure", "httponly", "samesite=none", "path=/"} <= parts
        assert not any(part.startswith("domain") for part in parts)
        session = set_cookie.split(";")[0]
        assert site.get(MINE, Cookie=session).status_code == 200
        planted = session.replace(SECURE_COOKIE, COOKIE)
        problem_of(site.get(MINE, Cookie=planted), 401)
        foreign = {"Cookie": session, "Origin": "https://evil.example"}
        problem_of(site.client.post("/api/v1/tokens", json={}, headers=foreign), 403)
        problem_of(site.client.post("/auth/sign-out", headers=foreign), 403)
        gone = site.client.post("/auth/sign-out", headers={"Cookie": session})
        assert gone.headers["set-cookie"].startswith(f'{SECURE_COOKIE}="";')
        problem_of(site.get(MINE, Cookie=session), 401)


def test_sign_in_does_not_exist_without_a_provider(tmp_path: Path) -> None:
    with run_site(tmp_path) as site:
        for path in ("/auth/login", "/login/callback"):
            assert "no OpenID provider" in problem_of(site.client.get(path), 404)["detail"]


def test_client_secret_is_never_printed(provider: OpenIdProvider) -> None:
    settings = Settings(**make_sign_in_settings(provider))
    assert (
        "secret-of-the-client"
        not in f"{settings!r} {provider_client.ClientCredentials('id', 'secret-of-the-client')!r}"
    )


def test_linked_user_signs_in_with_their_earlier_rows(
    site: Site, provider: OpenIdProvider, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    token = site.token("olga")
    received = site.submit(token).json()["id"]
    monkeypatch.setenv("EARSHOT_DATA_DIR", str(site.services.settings.data_dir))
    command = ["link-account", "olga", "--subject", "sub-of-olga"]
    assert run_db(command) == 2
    assert "Pass --issuer" in capsys.readouterr().err
    assert run_db([*command, "--issuer", provider.url]) == 0
    assert capsys.readouterr().out == f"olga now signs in as sub-of-olga of {provider.url}.\n"
    provider.user = "sub-of-olga"
    sign_in(site, provider)
    assert [one["id"] for one in site.get(MINE).json()["submissions"]] == [received]
    assert site.get(MINE, token).status_code == 200


# --- sessions and tokens over the API ---------------------------------------------------------------------------------


def test_sessions_are_listed_marked_and_revoked(site: Site, provider: OpenIdProvider) -> None:
    provider.user = "sub-sessions"
    sign_in(site, provider)
    first = read_cookie(site)
    site.client.cookies.clear()
    sign_in(site, provider)
    listed = site.get("/api/v1/me/sessions").json()["sessions"]
    assert [one["is_current"] for one in listed] == [True, False]
    left = site.client.delete(f"/api/v1/me/sessions/{listed[1]['id']}").json()["sessions"]
    assert [one["id"] for one in left] == [listed[0]["id"]]
    assert site.services.accounts.find_by_session(first) is None
    problem_of(site.client.delete(f"/api/v1/me/sessions/{listed[1]['id']}"), 404)
    foreign = {"Origin": "https://evil.example"}
    problem_of(site.client.delete(f"/api/v1/me/sessions/{listed[0]['id']}", headers=foreign), 403)
    provider.user = "sub-ann"
    sign_in(site, provider)
    problem_of(site.client.delete(f"/api/v1/me/sessions/{listed[0]['id']}"), 404)


def test_account_names_the_signed_in_user(site: Site, provider: OpenIdProvider) -> None:
    assert site.get("/api/v1/me").json() == {"name": None, "is_maintainer": False}
    provider.user = "sub-listed"
    sign_in(site, provider)
    assert site.get("/api/v1/me").json() == {"name": "listed", "is_maintainer": True}


def test_server_describes_how_programs_sign_in(site: Site, provider: OpenIdProvider) -> None:
    assert site.get("/api/v1/sign-in").json() == {
        "method": "openid",
        "login_url": f"{site.services.settings.public_url}/auth/login",
        "issuer": provider.url,
        "client_id": CLIENT_ID,
        "scopes": ["openid", "profile", "read-memberships"],
        "device_authorization_endpoint": f"{provider.url}/oauth/device",
        "token_endpoint": f"{provider.url}/oauth/token",
    }
    forget_provider(site)
    provider.fault = "500 openid-configuration"
    problem_of(site.get("/api/v1/sign-in"), 502)


def exchange(site: Site, tokens: dict[str, str]) -> httpx2.Response:
    fields = {name: tokens[name] for name in ("id_token", "access_token") if name in tokens}
    return site.post("/api/v1/tokens/exchange", json=fields | {"label": "laptop"})


def test_provider_tokens_are_exchanged_once_for_one_of_ours(site: Site, provider: OpenIdProvider) -> None:
    tokens = provider.make_tokens("sub-device", None)
    made = exchange(site, tokens).json()
    assert site.get("/api/v1/me", made["token"]).json()["name"] == "device"
    assert "already exchanged" in problem_of(exchange(site, tokens), 409)["detail"]
    assert [one["label"] for one in site.get("/api/v1/tokens", made["token"]).json()["tokens"]] == ["laptop"]


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        *((fault, 400) for fault in ("audience", "audiences", "party", "issuer", "expired", "alg-none", "hs256")),
        *((fault, 400) for fault in ("forged", "unknown-kid")),
        ("other-subject", 502),
    ],
)
def test_token_for_another_client_is_not_exchanged(
    site: Site, provider: OpenIdProvider, fault: str, status: int
) -> None:
    provider.fault = fault
    problem_of(exchange(site, provider.make_tokens("sub-device", None)), status)


def test_tokens_of_two_users_or_of_a_browser_are_not_exchanged(site: Site, provider: OpenIdProvider) -> None:
    ann, bob = provider.make_tokens("sub-ann", None), provider.make_tokens("sub-bob", None)
    problem_of(exchange(site, ann | {"access_token": bob["access_token"]}), 502)
    problem_of(exchange(site, ann | {"access_token": "made up"}), 502)
    problem_of(exchange(site, provider.make_tokens("sub-ann", "nonce of a browser")), 400)
    for wrong in ({"id_token": "x"}, {"id_token": "a.b.c"}, {"id_token": "x" * 20_000}, {"id_token": ""}):
        problem_of(exchange(site, ann | wrong), 400)
    problem_of(exchange(site, {}), 400)
