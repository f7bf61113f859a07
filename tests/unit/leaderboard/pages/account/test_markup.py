"""Account tab markup: tokens and sessions, with escaped names."""

from datetime import timedelta

from db.identity_records import SessionRecord
from db.records import TokenRecord
from leaderboard.pages.account.markup import render_new_token, render_sessions, render_tokens
from tests.support.pages.records import NOW

HOSTILE = "<img src=x onerror='alert(1)'>\""


def test_sessions_mark_this_browser_and_can_be_revoked() -> None:
    used = SessionRecord("aa", NOW - timedelta(days=2), NOW - timedelta(hours=3), NOW)
    html = render_sessions([SessionRecord("bb", NOW, None, NOW), used], "aa", NOW)
    assert "<td>2025-12-31 21:00 UTC</td><td><b>This browser</b></td>" in html
    assert ">just now</time></td><td>–</td><td>–</td>" in html
    assert html.count("This browser") == 1
    assert 'data-revoke="aa">Revoke<' in html
    assert 'data-revoke="bb">Revoke<' in html


def test_tokens_are_listed_with_id_and_escaped_name() -> None:
    html = render_tokens([TokenRecord(7, HOSTILE, NOW), TokenRecord(8, "", NOW)], NOW)
    assert "<td>7</td><td>&lt;img src=x" in html
    assert "<td>8</td><td>–</td>" in html
    assert "<img" not in html
    assert "No tokens yet." in render_tokens([], NOW)


def test_new_token_is_escaped() -> None:
    assert "<img" not in render_new_token(HOSTILE)
    assert 'data-testid="new-token">esh_secret</code></p>' in render_new_token("esh_secret")
