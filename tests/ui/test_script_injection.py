"""Script injection: payloads in every parameter of every address, and in every text that the page shows, never run.

Names of models are in `test_hostile_names`. The suite uses twelve payloads, one for each context; the soak uses all.
"""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import httpx2
import pytest
from playwright.sync_api import Browser, Page

from bench.screenshots import TABS
from leaderboard.boards.board_parameters import BOARD_PARAMETERS
from tests.support.editions.edition_sites import close_one
from tests.support.pages.expecting import expect
from tests.support.pages.opening import expect_drawn, expect_settled, open_tab, sign_in, visit
from tests.support.pages.script_payloads import N_IN_SUITE, PAYLOADS, Tripwire
from tests.support.servers.live_site import run_site
from tests.support.servers.server import Server

API = "/api/v1"
# Parameters of the page's addresses besides those of boards.
PAGE_PARAMETERS = (
    "benchmark",
    "a",
    "b",
    "model",
    "models",
    "map",
    "how",
    "n",
    "seed",
    "next",
    "edition",
    "embed",
    "row",
)
GALLERY_PARAMETERS = ("submission", "task", "outcome", "reason", "first")
# Addresses that the server answers without the page's scripts. `{}` is the payload, in the path or in every parameter.
SMALL_PAGES = (
    *("/{}", "/embed/{}", "/editions/{}", f"{API}/{{}}", f"{API}/models/{{}}", f"{API}/submissions/{{}}"),
    *("/embed/audio-motion-bench?{}", "/editions/e-00000000?{}", f"{API}/docs?{{}}", "/auth/login?{}"),
    *("/login/callback?code={}&state={}&error={}", "/embed/audio-motion-bench?theme={}", "/?embed=1&tab={}"),
)


@pytest.fixture(scope="module")
def payloads(request: pytest.FixtureRequest) -> tuple[str, ...]:
    return PAYLOADS if request.config.getoption("--soak") else PAYLOADS[:N_IN_SUITE]


@pytest.fixture(scope="module")
def tripwire(browser: Browser) -> Iterator[Tripwire]:
    with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        yield Tripwire(context)


@pytest.fixture
def page(tripwire: Tripwire) -> Iterator[Page]:
    page = tripwire.context.new_page()
    page.set_default_timeout(60_000)
    yield page
    page.close()
    tripwire.context.clear_cookies()
    tripwire.reports.clear()


def fill_address(address: str, payload: str) -> str:
    """Put a payload into an address: into every parameter at the placeholder behind `?`, or just there."""
    if not address.endswith("?{}"):
        return address.replace("{}", quote(payload, safe=""))
    names = (*BOARD_PARAMETERS, *PAGE_PARAMETERS, *GALLERY_PARAMETERS, "theme", "__theme")
    return address.replace("{}", urlencode(dict.fromkeys(names, payload)))


def pick_payloads(payloads: tuple[str, ...], number: int) -> tuple[str, ...]:
    """Return the payloads of an address: all in the soak, in the suite a quarter, another one for the next address."""
    return payloads if payloads == PAYLOADS else payloads[number % 4 :: 4]


def test_tripwire_reports_payloads_that_run_or_become_elements(
    tripwire: Tripwire, page: Page, payloads: tuple[str, ...]
) -> None:
    n_noticed = 0
    for payload in payloads:
        # As markup, in an attribute, and in a script.
        page.goto("about:blank")
        page.set_content(f"<p>{payload}</p><p title=\"{payload}\"></p><script>'{payload}'</script>")
        n_noticed += bool(tripwire.inspect(page))
    assert n_noticed > 0.7 * len(payloads)
    page.evaluate("setTimeout(() => alert(1))")
    page.wait_for_timeout(100)
    assert any("dialog" in report for report in tripwire.inspect(page))


def test_small_pages_escape_every_parameter(
    tripwire: Tripwire, page: Page, server: Server, payloads: tuple[str, ...], subtests: pytest.Subtests
) -> None:
    for number, address in enumerate(SMALL_PAGES):
        with subtests.test(address=address):
            for payload in pick_payloads(payloads, number):
                filled = fill_address(address, payload)
                page.goto(f"{server.url}{filled}")
                assert page.url.startswith(server.url), payload
                assert tripwire.inspect(page) == [], payload


def fill_query(tab: str, payload: str) -> str:
    """Return the address of a tab with a payload in every parameter."""
    names = (*BOARD_PARAMETERS, *PAGE_PARAMETERS)
    return f"/?{urlencode({'tab': tab} | dict.fromkeys(names, payload))}"


def test_first_view_is_sent_without_markup_from_its_address(
    server: Server, payloads: tuple[str, ...], subtests: pytest.Subtests
) -> None:
    """Scripts add the rest, in the next test."""
    with httpx2.Client(base_url=server.url, headers={"Accept": "text/html"}, trust_env=False, timeout=60) as client:
        for tab in TABS:
            with subtests.test(tab=tab):
                # One that is safe outside markup may be sent as it is, in JSON.
                sent = [client.get(fill_query(tab, payload)).text for payload in payloads if "<" in payload]
                assert not any(payload in text for payload, text in zip(payloads, sent, strict=False))


def test_tabs_escape_every_parameter_of_their_addresses(
    tripwire: Tripwire, page: Page, server: Server, payloads: tuple[str, ...], soak: bool, subtests: pytest.Subtests
) -> None:
    page.goto(server.url + fill_query("audio-motion-bench", payloads[0]))
    expect_settled(page)
    assert tripwire.inspect(page) == []
    for number, tab in enumerate(TABS):
        with subtests.test(tab=tab):
            for payload in pick_payloads(payloads, number):
                visit(page, fill_query(tab, payload))
                assert tripwire.inspect(page) == [], payload
                # One parameter at a time: an invalid one may keep the others from being shown.
                for name in (*BOARD_PARAMETERS, *PAGE_PARAMETERS) if soak else ():
                    visit(page, f"/?{urlencode({'tab': tab, name: payload})}")
                    assert tripwire.inspect(page) == [], (name, payload)


def test_answers_in_a_gallery_are_text(
    tripwire: Tripwire, page: Page, payloads: tuple[str, ...], tmp_path: Path
) -> None:
    with run_site(tmp_path) as site:
        edition_id, _ = close_one(site, site.token("ada"), payloads)
        page.set_extra_http_headers({"X-Earshot-Token": site.token("ada")})
        origin = f"http://127.0.0.1:{site.port}"
        for first in range(0, len(payloads), 20):
            page.goto(f"{origin}/editions/{edition_id}?outcome=unreadable&first={first}")
            shown = page.get_by_role("article")
            expect(shown).not_to_have_count(0)
            assert tripwire.inspect(page) == []
        for payload in payloads:
            page.goto(f"{origin}/editions/{edition_id}?{urlencode(dict.fromkeys(GALLERY_PARAMETERS[:-1], payload))}")
            assert tripwire.inspect(page) == [], payload


def test_own_entries_are_text(
    tripwire: Tripwire, page: Page, server: Server, payloads: tuple[str, ...], subtests: pytest.Subtests
) -> None:
    """Labels of tokens, names of endpoints' models, and file names, on the tabs of their owner and of a maintainer."""
    headers = {"Authorization": f"Bearer {server.token('local')}"}
    with httpx2.Client(base_url=server.url, headers=headers, trust_env=False, timeout=60) as client:
        tokens = [client.post(f"{API}/tokens", json={"label": payload[:60]}) for payload in payloads]
        endpoints = [register_endpoint(client, payload) for payload in payloads]
        # Labels with unprintable characters are refused.
        assert {answer.status_code for answer in tokens} <= {201, 400}
        made = [answer.json()["id"] for answer in tokens if answer.status_code == 201]
        assert len(made) > len(payloads) / 2
        accepted = [answer.json()["id"] for answer in endpoints if answer.status_code == 201]
        assert accepted
        page.goto(f"{server.url}/?tab=submit")
        sign_in(page, "local")
        for title, sign in (("Account", "[data-testid=account-name]"), ("Admin", "[data-testid=audit-log]")):
            with subtests.test(tab=title):
                open_tab(page, title)
                expect_drawn(page, sign)
                expect(page.locator("body")).to_contain_text(payloads[0][:20])
                assert tripwire.inspect(page) == []
        for token in made:
            client.delete(f"{API}/tokens/{token}")
        for submission in accepted:
            client.post(f"{API}/submissions/{submission}/withdraw").raise_for_status()


def register_endpoint(client: httpx2.Client, payload: str) -> httpx2.Response:
    fields = {"benchmark": "audio-motion-bench", "model": {"name": f"Asked {payload}"}, "model_name": payload}
    return client.post(f"{API}/endpoint-submissions", json=fields | {"base_url": "https://models.example.com/v1"})
