"""Hub access tokens in the Authorization header: their user, their scopes, and a misbehaving Hub."""

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from submissions.accounts.hub_tokens import HubTokens, RefusedHubTokenError, TokenLimits, is_hub_token
from submissions.errors import SubmissionError
from submissions.hub.errors import HubBusyError, HubUnavailableError
from tests.support.secrets.canaries import Canaries
from tests.support.servers.live_site import Site, problem_of
from tests.support.servers.openid_provider import HOSTILE, OpenIdProvider, run_provider
from tests.support.servers.signed_in_site import ORGANISATION, run_signed_in_site, sign_in

MINE = "/api/v1/submissions?mine=true"
WHOAMI = "/api/whoami-v2"
OWN = {"entity": {"_id": "sub-ann", "type": "user", "name": "ann"}, "permissions": ["repo.content.read", "repo.write"]}


class Clock:
    """Clock that a test advances."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def read(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, OpenIdProvider]]:
    folder = tmp_path_factory.mktemp("hub-tokens")
    with run_provider() as provider:
        settings = {"accept_hub_tokens": True, "HF_ENDPOINT": provider.url}
        with run_signed_in_site(folder, provider, **settings) as site:
            yield site, provider


@pytest.fixture
def provider(running: tuple[Site, OpenIdProvider]) -> Iterator[OpenIdProvider]:
    running[1].reset()
    yield running[1]
    running[1].reset()


@pytest.fixture
def site(running: tuple[Site, OpenIdProvider]) -> Site:
    site = running[0]
    site.client.cookies.clear()
    forget_tokens(site)
    return site


def forget_tokens(site: Site) -> None:
    """Clear the cache and the outage state."""
    tokens = site.services.hub_tokens
    assert tokens is not None
    tokens._cache.clear()
    tokens._away_until = 0.0


def describe_fine(*scopes: object) -> dict[str, Any]:
    token = {"displayName": "t", "role": "fineGrained", "fineGrained": {"global": [], "scoped": list(scopes)}}
    return {"auth": {"type": "access_token", "accessToken": token}}


def make_token(site: Site, token: str) -> str:
    """Create a personal Earshot token with a token of the Hub."""
    made = site.post("/api/v1/tokens", token, json={"label": "t"})
    assert made.status_code == 201, made.text
    return str(made.json()["token"])


def test_token_belongs_to_the_user_who_signs_in_on_the_page(site: Site, provider: OpenIdProvider) -> None:
    accounts = site.services.accounts
    provider.user = "sub-first"
    assert sign_in(site, provider).status_code == 303
    site.client.cookies.clear()
    made = accounts.find_by_token(make_token(site, provider.add_personal_token("sub-first")))
    assert made is not None
    assert (made.name, made.identity and made.identity.subject) == ("first", "sub-first")
    # Someone who has never signed in becomes the same user as in their later sign-in.
    token = provider.add_personal_token("sub-second")
    second = accounts.find_by_token(make_token(site, token))
    provider.user = "sub-second"
    sign_in(site, provider)
    later = accounts.find_by_session(site.client.cookies["earshot_session"])
    assert second is not None
    assert later is not None
    assert second.id == later.id != made.id
    # They keep their rows when the Hub renames them.
    provider.personal[token]["name"] = "renamed"
    forget_tokens(site)
    renamed = accounts.find_by_token(make_token(site, token))
    assert renamed is not None
    assert (renamed.id, renamed.name) == (second.id, "renamed")


def test_token_neither_grants_nor_removes_the_maintainer_role(site: Site, provider: OpenIdProvider) -> None:
    queue = "/api/v1/admin/queue"
    orgs = [{"type": "org", "name": ORGANISATION, "roleInOrg": "admin"}]
    assert site.get(queue, provider.add_personal_token("sub-plain", orgs=orgs)).status_code == 403
    provider.user = "sub-lead"
    provider.people["sub-lead"] = {"orgs": [{"preferred_username": ORGANISATION, "roleInOrg": "admin"}]}
    sign_in(site, provider)
    token = provider.add_personal_token("sub-lead")
    provider.personal[token]["name"] = "lead-renamed"  # store the identity
    assert [site.get(queue, token).status_code, site.get(queue).status_code] == [200, 200]
    assert site.get(queue, provider.add_personal_token("sub-listed")).status_code == 200


@pytest.mark.parametrize(
    ("claims", "status"),
    [
        ({}, 200),
        (describe_fine(OWN), 200),
        (describe_fine({**OWN, "permissions": ["repo.content.read"]}), 403),
        (describe_fine({**OWN, "entity": {"_id": "lab", "type": "org", "name": "lab"}}), 403),
        (describe_fine({**OWN, "entity": {"_id": "sub-bob", "type": "user", "name": "bob"}}), 403),
        (describe_fine({**OWN, "entity": {"_id": "sub-ann", "type": "model", "name": "ann/m"}}), 403),
        (describe_fine(1, {}, {"entity": 1, "permissions": 1}), 403),
        ({"type": "org"}, 403),
        ({"type": "app"}, 403),
        ({"auth": {"type": "oauth", "accessToken": {"role": "write"}}}, 403),
        ({"auth": {"type": "access_token", "accessToken": {"role": "read"}}}, 403),
        ({"auth": {"type": "access_token"}}, 503),
        ({"auth": None}, 503),
        ({"type": HOSTILE}, 503),
        ({"id": None}, 503),
        ({"id": "x" * 300}, 503),
        ({"id": "a\nb"}, 503),
        ({"name": {"a": 1}}, 200),
    ],
)
def test_tokens_with_write_access_suffice(
    site: Site, provider: OpenIdProvider, claims: dict[str, Any], status: int
) -> None:
    answer = site.get(MINE, provider.add_personal_token("sub-ann", **claims))
    assert answer.status_code == status, answer.text
    if status != 200:
        assert problem_of(answer, status)["detail"].count(". ") == 1, "what is wrong, and what to do"
        assert "hostile" not in answer.text


@pytest.mark.parametrize("fault", ["500", "html", "huge", "redirect"])
def test_misbehaving_hub_is_503_and_not_queried_for_a_while(
    site: Site, provider: OpenIdProvider, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    token = provider.add_personal_token("sub-ann")
    provider.fault = f"{fault} whoami-v2"
    for _ in range(3):
        answer = site.get(MINE, token)
        assert problem_of(answer, 503)["detail"].startswith("The Hub cannot confirm your token")
        assert answer.headers["retry-after"] == "10"
    assert provider.asked.count(WHOAMI) == 1
    assert "hostile" not in answer.text + caplog.text
    assert site.get("/api/v1/benchmarks").status_code == 200


def test_unknown_or_revoked_token_is_refused_in_one_sentence(site: Site, provider: OpenIdProvider) -> None:
    token = provider.add_personal_token("sub-ann")
    assert site.get(MINE, token).status_code == 200
    del provider.personal[token]
    assert site.get(MINE, token).status_code == 200, "cached"
    forget_tokens(site)
    answer = site.get(MINE, token)
    detail = problem_of(answer, 401)["detail"]
    assert detail == (
        "The Hub does not accept the token in the Authorization header. "
        f"Create a new one at {provider.url}/settings/tokens."
    )
    assert answer.headers["www-authenticate"] == 'Bearer error="invalid_token"'
    # Public routes refuse it, too, because its sender expects to be signed in.
    assert site.post("/api/v1/validations", token).status_code == 401


def test_hub_token_is_sent_to_the_hub_only_if_that_is_the_sign_in_method(site: Site, provider: OpenIdProvider) -> None:
    token, own = provider.add_personal_token("sub-ann"), site.token("someone")
    assert site.get(MINE, token, **{"X-Earshot-Token": own}).status_code == 200
    assert site.get(MINE, **{"X-Earshot-Token": token}).status_code == 401
    for odd in ("hf_", "hf_" + "x" * 300, "hf_oauth_" + "x" * 40, token + "\x80", f"{token} {token}", "esh_x"):
        assert site.client.get(MINE, headers=[(b"Authorization", f"Bearer {odd}".encode("latin-1"))]).status_code == 401
    assert WHOAMI not in provider.asked


def test_hub_token_is_refused_where_it_is_not_enabled(tmp_path: Path, provider: OpenIdProvider) -> None:
    with run_signed_in_site(tmp_path, provider, HF_ENDPOINT=provider.url) as site:
        answer = site.get(MINE, provider.add_personal_token("sub-ann"))
        assert "is not valid here" in problem_of(answer, 401)["detail"]
    assert WHOAMI not in provider.asked


def test_token_is_in_no_log_response_or_file(
    site: Site, provider: OpenIdProvider, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    canaries = Canaries()
    good, wrong = provider.add_personal_token("sub-ann"), f"hf_{'wrong' * 7}"
    canaries.add("good", good)
    canaries.add("wrong", wrong)
    answers = [site.get(MINE, good), site.get(MINE, wrong)]
    provider.fault = "500 whoami-v2"
    forget_tokens(site)
    answers.append(site.get(MINE, good))
    assert [answer.status_code for answer in answers] == [200, 401, 503]
    assert not any(canaries.find(f"{answer.headers}".encode() + answer.content) for answer in answers)
    assert canaries.find(caplog.text.encode()) == set()
    assert canaries.find_in_files(site.services.settings.data_dir) == {}
    tokens = site.services.hub_tokens
    assert tokens is not None
    assert canaries.find(repr((vars(tokens), list(tokens._cache.items()))).encode()) == set()


def identify(tokens: HubTokens, token: str) -> str:
    """Return the user of a token, or the name of the error."""
    try:
        return asyncio.run(tokens.identify(token)).subject
    except SubmissionError as error:
        return type(error).__name__


def test_token_check_is_cached_for_a_minute(provider: OpenIdProvider) -> None:
    clock = Clock()
    tokens, token = HubTokens(provider.url, clock=clock.read), provider.add_personal_token("sub-ann")
    for seconds, n_asked in ((0, 1), (59, 1), (2, 2), (59, 2)):
        clock.now += seconds
        assert identify(tokens, token) == "sub-ann"
        assert provider.asked.count(WHOAMI) == n_asked
    provider.personal.clear()
    clock.now += 2
    assert identify(tokens, token) == RefusedHubTokenError.__name__


def test_requests_with_one_token_share_a_check(provider: OpenIdProvider) -> None:
    tokens, token = HubTokens(provider.url), provider.add_personal_token("sub-ann")

    async def ask_often() -> None:
        found = await asyncio.gather(*(tokens.identify(token) for _ in range(20)))
        assert {profile.subject for profile in found} == {"sub-ann"}

    asyncio.run(ask_often())
    assert provider.asked.count(WHOAMI) == 1
    assert len(tokens._locks) == 0


def test_unknown_tokens_do_not_displace_known_ones(provider: OpenIdProvider) -> None:
    clock = Clock()
    tokens = HubTokens(provider.url, TokenLimits(max_new_per_minute=2, cached_for=10.0), clock.read)
    known = provider.add_personal_token("sub-ann")
    assert identify(tokens, known) == "sub-ann"
    strangers = [f"hf_{'x' * 30}{number}" for number in range(3)]
    assert [identify(tokens, token) for token in strangers] == [
        RefusedHubTokenError.__name__,
        HubBusyError.__name__,
        HubBusyError.__name__,
    ]
    clock.now += 11
    assert identify(tokens, known) == "sub-ann"
    clock.now += 50
    assert identify(tokens, strangers[1]) == RefusedHubTokenError.__name__


def test_cache_and_checks_are_bounded(provider: OpenIdProvider) -> None:
    tokens = HubTokens(provider.url, TokenLimits(max_cached=2, max_at_once=1))
    for subject in ("sub-a", "sub-b", "sub-c"):
        assert identify(tokens, provider.add_personal_token(subject)) == subject
    assert len(tokens._cache) == 2

    async def ask_at_once() -> list[object]:
        asked = (tokens.identify(provider.add_personal_token("sub-d")) for _ in range(3))
        return await asyncio.gather(*asked, return_exceptions=True)

    found = asyncio.run(ask_at_once())
    assert sum(isinstance(one, HubBusyError) for one in found) == 2


def test_hub_timeout_or_outage_is_unavailable(provider: OpenIdProvider) -> None:
    provider.fault = "slow whoami-v2"
    slow = HubTokens(provider.url, TokenLimits(timeout=0.2))
    assert identify(slow, provider.add_personal_token("sub-ann")) == HubUnavailableError.__name__
    provider.fault = ""
    gone = HubTokens("http://127.0.0.1:1")
    assert identify(gone, provider.add_personal_token("sub-ann")) == HubUnavailableError.__name__
    assert slow._n_under_way == gone._n_under_way == 0


def test_only_tokens_in_the_hub_s_format_are_sent_to_it() -> None:
    assert is_hub_token("hf_" + "aZ9" * 12)
    for text in ("hf_short", "hf_" + "é" * 30, "hf_" + "x" * 30 + "\n", "HF_" + "x" * 30, "hf_jwt." + "x" * 30):
        assert not is_hub_token(text)


def test_rate_limited_hub_returns_retry_after(
    site: Site, provider: OpenIdProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def send(_self: HubTokens, _token: str) -> tuple[int, httpx2.Headers, bytes]:
        return 429, httpx2.Headers({"Retry-After": "17"}), b""

    monkeypatch.setattr(HubTokens, "_send", send)
    answer = site.get(MINE, provider.add_personal_token("sub-ann"))
    assert problem_of(answer, 429)["detail"] == "The server is checking too many Hub tokens. Try again in 17 s."
    assert answer.headers["retry-after"] == "17"
