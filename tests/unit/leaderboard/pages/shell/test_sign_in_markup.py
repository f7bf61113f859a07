"""Sign-in and page header by settings, with escaped user names."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from db.records import UserRecord
from leaderboard.pages.shell.masthead import render_durability, render_masthead
from leaderboard.pages.shell.sign_in_markup import render_account, render_account_place, render_signed_in, render_who

if TYPE_CHECKING:
    from settings import Settings

HOSTILE = UserRecord(1, '"><script>alert(1)</script>')


def make_settings(auth: str = "oidc", **fields: Any) -> "Settings":
    defaults = {
        "auth": auth,
        "uses_provider": auth == "oidc",
        "maintainer_org": None,
        "public_url": "https://a.example",
    }
    storage = {"oidc_issuer": "https://id.example/x", "replica_url": None, "is_durable": True}
    return cast("Settings", SimpleNamespace(**(defaults | storage | fields)))


@pytest.mark.parametrize("auth", ["oidc", "local", "none"])
def test_user_names_are_escaped_everywhere(auth: str) -> None:
    settings = make_settings(auth)
    for html in (render_account(HOSTILE, settings), render_who(HOSTILE, settings), render_masthead(HOSTILE)):
        assert "&#34;&gt;&lt;script&gt;" in html
        assert "<script" not in html


def test_signed_in_user_is_shown_with_a_role_if_there_is_one() -> None:
    user = UserRecord(1, "ada")
    assert render_signed_in(user, "a") == '<p class="es-account" data-testid="a">Signed in as <b>ada</b>.</p>'
    assert "Signed in as maintainer <b>ada</b>." in render_signed_in(user, "a", "maintainer")


def test_visitor_signs_in_with_the_provider_and_returns_to_the_tab() -> None:
    html = render_account(None, make_settings())
    assert 'href="https://a.example/auth/login?next=/%3Ftab%3Dsubmit"' in html
    assert ">Sign in with id.example</a>" in html
    assert "for your user name. Reading boards" in html
    assert "for your user name and your organisations. Reading" in render_who(None, make_settings(maintainer_org="lab"))


def test_local_visitor_signs_in_by_name_and_others_need_a_token() -> None:
    form = render_account(None, make_settings("local"))
    assert 'action="/auth/local"' in form
    assert 'maxlength="39" autocomplete="username" pattern="[A-Za-z0-9][A-Za-z0-9._\\-]*"' in form
    assert "ask a maintainer for a token" in render_account(None, make_settings("none"))
    assert render_account_place(make_settings("local")) == f'<div class="es-kept-free" inert>{form}</div>'


def test_page_warns_of_data_loss() -> None:
    assert render_durability(make_settings()) is None
    assert "submissions are lost on restart" in str(render_durability(make_settings(is_durable=False)))
    hidden = str(render_durability(make_settings(replica_url="s3://bucket/path")))
    assert " hidden>Changes are not copied" in hidden
