"""Page with sign-in by an OpenID provider, as visitors and users see it, without a browser."""

from collections.abc import Iterator

import pytest

from tests.support.pages.visitor import Visitor, run_page
from tests.support.servers.live_site import BENCHMARK, UNLIMITED
from tests.support.servers.openid_provider import OpenIdProvider, run_provider
from tests.support.servers.signed_in_site import make_sign_in_settings, read_cookie, sign_in

CHOSEN = f"{BENCHMARK.id} {BENCHMARK.version}"


@pytest.fixture(scope="module")
def provider() -> Iterator[OpenIdProvider]:
    with run_provider() as provider:
        yield provider


@pytest.fixture(scope="module")
def running(provider: OpenIdProvider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    with run_page(tmp_path_factory.mktemp("page"), **make_sign_in_settings(provider), **UNLIMITED) as visitor:
        yield visitor


@pytest.fixture
def visitor(running: Visitor, provider: OpenIdProvider) -> Visitor:
    provider.reset()
    running.site.client.cookies.clear()
    return running


def open_submit(visitor: Visitor) -> str:
    response = visitor.send("open", [None, CHOSEN, CHOSEN])
    assert response.status_code == 200, response.text
    return response.text


def test_visitor_sees_one_sign_in_button_and_no_forms(visitor: Visitor) -> None:
    for text in (open_submit(visitor), visitor.send("open_account", []).text):
        assert text.count("data-sign-in") == 1
        assert "Sign in with 127.0.0.1" in text
        assert f"{visitor.site.services.settings.public_url}/auth/login?next=/%3Ftab%3D" in text
        assert "your user name and your organisations" in text
    assert find_visibilities(visitor) == [False, False, False]
    file = visitor.upload().json()[0]
    sent = [{"path": file, "meta": {"_type": "gradio.FileData"}}, CHOSEN, False, BENCHMARK.settings[0]]
    refused = visitor.send("send", [*sent, "A model", "", None, "", None, "", "", "", False, True])
    assert "Sign in first." in refused.text, "what is hidden can still be called"


def find_visibilities(visitor: Visitor) -> list[bool]:
    """Return whether the model's fields, the button that submits and the form of an endpoint are shown."""
    updates = visitor.send("choose_benchmark", [CHOSEN]).json()["data"]
    described, ways, send, asked_way = updates[2:6]
    assert ways["visible"], "checking a file needs no account"
    return [described["visible"], send["visible"], asked_way["visible"]]


def test_user_sees_the_forms_their_name_and_sign_out(visitor: Visitor, provider: OpenIdProvider) -> None:
    sign_in(visitor.site, provider)
    text = open_submit(visitor)
    assert "data-sign-in" not in text
    assert "Signed in as" in text
    assert find_visibilities(visitor) == [True, True, True]
    masthead = visitor.send("admit", [""]).json()["data"][3]
    assert 'data-testid="header-user">ann<' in masthead
    assert 'action="/auth/sign-out"' in masthead
    assert visitor.site.client.post("/auth/sign-out").json() == {"name": None}
    assert "header-user" not in visitor.send("admit", [""]).text


def test_account_lists_sessions_and_marks_the_current_one(visitor: Visitor, provider: OpenIdProvider) -> None:
    provider.user = "sub-lister"
    sign_in(visitor.site, provider)
    other = read_cookie(visitor.site)
    visitor.site.client.cookies.clear()
    sign_in(visitor.site, provider)
    text = visitor.send("open_account", []).text
    assert text.count("data-revoke=") == 2
    assert text.count("This browser") == 1
    assert ":00 UTC" in text
    assert other not in text
    assert read_cookie(visitor.site) not in text


def test_name_of_a_provider_is_escaped(visitor: Visitor, provider: OpenIdProvider) -> None:
    provider.user = "sub-hostile"
    provider.people = {"sub-hostile": {"preferred_username": "<img src=x onerror=alert(1)>"}}
    sign_in(visitor.site, provider)
    for text in (open_submit(visitor), visitor.send("open_account", []).text, visitor.send("admit", [""]).text):
        assert "<img" not in text
        assert "img-src-x-onerror-alert-1" in text
