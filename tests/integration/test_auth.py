from collections.abc import Iterator
from pathlib import Path

import pytest

from leaderboard.api.auth import COOKIE, BadTokenError, find_user
from tests.support.servers.live_site import BENCHMARK, Site, problem_of, run_site

MINE = "/api/v1/submissions?mine=true"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with run_site(tmp_path_factory.mktemp("auth")) as running:
        yield running


@pytest.fixture
def site(running: Site) -> Site:
    """The shared server, with a signed-out client."""
    running.client.cookies.clear()
    return running


def test_token_identifies_its_user(site: Site) -> None:
    assert site.get(MINE, site.token("ada")).status_code == 200


@pytest.mark.parametrize("header", ["Bearer esh_wrong", "Bearer", "Basic YTpi", "esh_x", "Bearer x y"])
@pytest.mark.parametrize("path", [MINE, "/api/v1/submissions/s-x"])
def test_invalid_token_is_401_even_on_public_routes(site: Site, header: str, path: str) -> None:
    response = site.get(path, Authorization=header)
    assert "not valid" in problem_of(response, 401)["detail"]
    assert response.headers["www-authenticate"] == 'Bearer error="invalid_token"'


def test_missing_credentials_are_401_with_a_remedy(site: Site) -> None:
    for response in (site.get(MINE), site.submit(None)):
        assert "Authorization: Bearer esh_" in problem_of(response, 401)["detail"]
        assert response.headers["www-authenticate"] == "Bearer"


def test_form_sign_in_sets_a_cookie_and_redirects_to_the_page(site: Site) -> None:
    response = site.post("/auth/local", data={"name": "ada"})
    assert response.status_code == 303
    assert response.headers["location"] == "/"
    cookie = response.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}=")
    assert {"HttpOnly", "Path=/", "SameSite=lax"} <= {part.strip() for part in cookie.split(";")}
    assert "Secure" not in cookie
    assert site.get(MINE).status_code == 200


def test_json_sign_in_returns_the_name(site: Site) -> None:
    response = site.post("/auth/local", json={"name": "ada"})
    assert response.status_code == 200
    assert response.json() == {"name": "ada"}
    assert response.headers["cache-control"] == "no-store"
    assert site.submit(None).status_code == 201


@pytest.mark.parametrize("name", ["earshot", "System"])
def test_sign_in_by_a_reserved_name_is_400_with_a_reason(site: Site, name: str) -> None:
    problem = problem_of(site.post("/auth/local", json={"name": name}), 400)
    assert problem["detail"] == f"The name `{name}` is reserved. Choose another one."


def test_refusal_and_documentation_explain_how_to_create_tokens(site: Site) -> None:
    refusal = problem_of(site.get("/api/v1/submissions?mine=true"), 401)["detail"]
    assert "Account tab" in refusal
    assert "server's machine" not in refusal, "only operators can do that"
    page = site.get("/api/v1/docs").text
    assert "python -m db tokens create" in page
    assert "Account tab" in page


@pytest.mark.parametrize("name", ["", "-x", "a b", "<script>", "x" * 40])
def test_sign_in_by_an_invalid_name_is_400(site: Site, name: str) -> None:
    assert "1 to 39 letters" in problem_of(site.post("/auth/local", json={"name": name}), 400)["detail"]
    assert COOKIE not in site.client.cookies


def test_sign_in_without_a_name_is_400(site: Site) -> None:
    problem_of(site.post("/auth/local", content=b"nonsense"), 400)
    problem_of(site.post("/auth/local", json=["ada"]), 400)
    problem_of(site.post("/auth/local", data={"nmae": "ada"}), 400)
    problem_of(site.post("/auth/local", files={"name": ("x", b"ada")}), 400)


def test_sign_out_invalidates_a_copied_cookie(site: Site) -> None:
    site.post("/auth/local", json={"name": "ada"})
    kept = site.client.cookies[COOKIE]
    response = site.post("/auth/sign-out")
    assert response.json() == {"name": None}
    assert COOKIE not in site.client.cookies
    problem_of(site.get(MINE, Cookie=f"{COOKIE}={kept}"), 401)


def test_sign_out_by_form_redirects_to_the_page(site: Site) -> None:
    response = site.post("/auth/sign-out", data={"x": "y"})
    assert response.status_code == 303
    assert response.headers["location"] == "/"


def test_expired_cookie_is_anonymous_on_public_pages(site: Site) -> None:
    assert site.get(f"/api/v1/leaderboards/{BENCHMARK.id}", Cookie=f"{COOKIE}=dead").status_code == 200


def test_token_takes_precedence_over_the_cookie(site: Site) -> None:
    accounts = site.services.accounts
    _, cookie = accounts.sign_in("ada")
    token = accounts.create_token("bob")
    cookies = {COOKIE: cookie}
    for headers, name in (({}, "ada"), ({"authorization": f"Bearer {token}"}, "bob")):
        user = find_user(cookies, headers, accounts)
        assert user is not None
        assert user.name == name
    with pytest.raises(BadTokenError):
        find_user(cookies, {"authorization": "Bearer esh_x"}, accounts)


def test_sign_in_by_name_does_not_exist_under_oidc(tmp_path: Path) -> None:
    with run_site(tmp_path, auth="oidc") as site:
        response = site.post("/auth/local", json={"name": "ada"})
        problem_of(response, 404)
        assert "set-cookie" not in response.headers
        assert site.get("/healthz", Host="earshot.example").status_code == 200
