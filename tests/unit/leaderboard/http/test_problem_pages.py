"""Error pages: clients that receive one instead of problem details, and their content."""

import pytest

from leaderboard.http.problem_details import NO_SUCH_ADDRESS
from leaderboard.http.problem_pages import prefers_html, render_problem

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.mark.parametrize(
    ("accept", "is_page"),
    [
        (BROWSER, True),
        ("text/html", True),
        ("Text/HTML; charset=utf-8", True),
        ("application/json;q=0.5, text/html", True),
        (None, False),
        ("*/*", False),
        ("", False),
        ("application/json", False),
        ("application/problem+json, text/html;q=0.9", False),
        ("application/json, text/html", False),
        ("text/html;q=0", False),
        ("text/html;q=high", False),
    ],
)
def test_error_page_is_sent_only_to_clients_that_prefer_html(accept: str | None, is_page: bool) -> None:
    headers = [(b"host", b"x")] + ([] if accept is None else [(b"accept", accept.encode())])
    assert prefers_html(headers) is is_page


def test_page_of_a_closed_version_links_to_the_open_version() -> None:
    problem = {"status": 409, "detail": "MDAR 1.0 <is> closed.", "open_version": "demo", "url": "/?tab=submit&a=b"}
    page = render_problem(problem, "/x")
    assert "<h1>Not available</h1><p>MDAR 1.0 &lt;is&gt; closed.</p>" in page
    assert '<a href="/?tab=submit&amp;a=b">Submit to demo</a><a href="/">Back to the leaderboards</a>' in page


def test_page_of_a_failed_sign_in_offers_another_attempt() -> None:
    kind = "/api/v1/docs#sign-in-failed"
    problem = {"type": kind, "status": 502, "detail": "It <did> not answer.", "url": "/auth/login?next=/%3Ftab%3D1"}
    page = render_problem(problem, "/login/callback?code=secret")
    assert "<h1>Sign-in failed</h1><p>It &lt;did&gt; not answer.</p>" in page
    assert '<a href="/auth/login?next=/%3Ftab%3D1" data-testid="try-again">Try again</a>' in page
    assert "secret" not in page


@pytest.mark.parametrize(
    ("status", "detail", "text"),
    [
        (404, NO_SUCH_ADDRESS, "Check the address, or start at the leaderboards."),
        (
            401,
            "Send `Authorization: Bearer esh_…`.",
            'to see this page.</p><p><a href="/?tab=submit">',
        ),
        (503, "The pack is being prepared.", 'being prepared.</p><p><a href="/pack?a=&#34;1&#34;">Try again</a>'),
        (500, "It was our fault.", "<h1>Something went wrong</h1><p>It was our fault.</p>"),
    ],
)
def test_page_states_the_next_step(status: int, detail: str, text: str) -> None:
    page = render_problem({"status": status, "detail": detail}, '/pack?a="1"')
    assert text in page
    assert "/api/v1/docs" not in page
