"""Authorisation matrix: every route of the API, called by everyone, with the answer that each must get.

The routes come from the application, hidden ones included. A new one fails here until its row is written. What the
guard lets through besides the API, `tests/integration/test_guard.py` lists.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from leaderboard.api import build_api
from tests.support.hostile.furnished_site import (
    API,
    MAINTAINER,
    OWNER,
    REASON,
    STRANGER,
    FurnishedSite,
    Make,
    Names,
    run_furnished_site,
    share,
)
from tests.support.samples.printed_rows import make_csv, make_line
from tests.support.servers.live_site import BENCHMARK, predictions, problem_of

# The columns: nobody, a user, the user who owns the target, a maintainer.
SENDERS = (None, STRANGER, OWNER, MAINTAINER)
_SITE = FurnishedSite
_FILE: dict[str, Any] = {
    "files": {"file": ("p", predictions())},
    "data": {"benchmark": BENCHMARK.id, "model": '{"name": "M"}'},
}
_REASON = {"json": REASON}
_ENDPOINT = {"base_url": "https://m.example.com/v1", "model_name": "m", "api_key": "sk-1234567"}
_DRY_RUN = {"benchmark": BENCHMARK.id, "dry_run": True}


def make_nothing(_site: FurnishedSite) -> Names:
    return {}


class Row(NamedTuple):
    """A row of the matrix.

    Attributes:
        statuses: Expected statuses, in the order of `SENDERS`.
        make: Makes the target of each request.
        more: What else is sent.
        query: What follows the address.
    """

    statuses: str
    make: Make = make_nothing
    more: dict[str, Any] = {}  # noqa: RUF012 - never changed
    query: str = ""


_BENCHMARK, _PRIVATE, _PUBLIC = _SITE.make_benchmark, _SITE.make_private_row, _SITE.make_public_row
_OPEN, _CLOSED = share(_SITE.make_open_edition), share(_SITE.make_closed_edition)
_MODEL, _RESULT, _OTHER = share(_SITE.make_model), _SITE.make_listening_result, _SITE.make_other_benchmark
EVERYONE, USERS, MAINTAINERS = "200 200 200 200", "401 200 200 200", "401 403 403 200"
# Statuses of one's own targets: others learn nothing about them, or that they may not change what is public.
OWN, OWN_OR_PUBLIC = "404 404 200 200", "401 403 200 200"
# No target is found, whoever asks: this server has no OpenID provider, and the test no name of a sound.
NOBODY = "404 404 404 404"

MATRIX: dict[str, Row] = {
    "GET /healthz": Row(EVERYONE),
    "GET /readyz": Row("503 503 503 503"),  # this server has no evaluator
    "GET /metrics": Row(EVERYONE),
    "GET /embed/{benchmark_id}": Row(EVERYONE, _BENCHMARK),
    "GET /editions/{edition_id}": Row(OWN, _CLOSED),
    "GET /auth/login": Row(NOBODY),
    "GET /login/callback": Row(NOBODY),
    "POST /auth/local": Row(EVERYONE, more={"json": {"name": STRANGER}}),
    "POST /auth/sign-out": Row(EVERYONE),
    f"GET {API}/openapi.json": Row(EVERYONE),
    f"GET {API}/docs": Row(EVERYONE),
    f"GET {API}/benchmarks": Row(EVERYONE),
    f"GET {API}/benchmarks/{{benchmark_id}}": Row(EVERYONE, _BENCHMARK),
    f"GET {API}/benchmarks/{{benchmark_id}}/pack": Row(EVERYONE, _BENCHMARK, query="?split=practice"),
    f"HEAD {API}/benchmarks/{{benchmark_id}}/pack": Row(EVERYONE, _BENCHMARK, query="?split=practice"),
    f"POST {API}/benchmarks/{{benchmark_id}}/editions": Row("401 201 201 201", _BENCHMARK),
    f"GET {API}/leaderboards": Row(EVERYONE),
    f"GET {API}/leaderboards/{{benchmark_id}}": Row(EVERYONE, _BENCHMARK),
    f"GET {API}/leaderboards/{{benchmark_id}}/filters": Row(EVERYONE, _BENCHMARK),
    f"GET {API}/leaderboards/{{benchmark_id}}/export": Row(EVERYONE, _BENCHMARK),
    f"GET {API}/overview": Row(EVERYONE),
    f"GET {API}/models": Row(EVERYONE),
    f"GET {API}/models/{{model_id}}": Row(EVERYONE, _MODEL),
    f"GET {API}/hub-models/{{organisation}}/{{repository}}": Row(EVERYONE, _SITE.make_hub_model),
    f"POST {API}/validations": Row(EVERYONE, more=_FILE),
    f"POST {API}/submissions": Row("401 201 201 201", more=_FILE),
    f"GET {API}/submissions": Row(USERS, query="?mine=true"),
    f"GET {API}/submissions/{{submission_id}}": Row(OWN, _PRIVATE),
    f"GET {API}/submissions/{{submission_id}}/citation": Row(OWN, _PRIVATE),
    f"POST {API}/submissions/{{submission_id}}/publish": Row("401 404 200 200", _PRIVATE),
    f"POST {API}/submissions/{{submission_id}}/withdraw": Row(OWN_OR_PUBLIC, _PUBLIC),
    f"POST {API}/submissions/{{submission_id}}/retry": Row("401 404 200 200", _SITE.make_failed_submission),
    # An empty address removes the link. Only owners say which request of a repository is about their row.
    f"POST {API}/submissions/{{submission_id}}/hub-pull-request": Row(
        "401 403 400 403", _PUBLIC, {"json": {"url": "https://evil.example"}}
    ),
    f"POST {API}/submissions/{{submission_id}}/practice": Row("401 403 422 403", _PUBLIC, {"files": {"file": b"x"}}),
    f"POST {API}/endpoint-submissions": Row(
        "401 201 201 201", more={"json": {"benchmark": BENCHMARK.id, "model": {"name": "M"}} | _ENDPOINT}
    ),
    f"GET {API}/editions": Row(USERS),
    f"GET {API}/editions/{{edition_id}}": Row("401 404 200 200", _OPEN),
    f"GET {API}/editions/{{edition_id}}/pack": Row("401 404 503 503", _OPEN),  # nobody has rendered it
    f"HEAD {API}/editions/{{edition_id}}/pack": Row("401 404 503 503", _OPEN),
    f"POST {API}/editions/{{edition_id}}/close": Row("401 404 200 409", _OPEN),  # the owner has
    f"GET {API}/editions/{{edition_id}}/items": Row(OWN, _CLOSED),
    f"GET {API}/editions/{{edition_id}}/audio/{{name}}": Row("404 404 503 503", _CLOSED),
    f"POST {API}/editions/{{edition_id}}/publish": Row("401 404 200 200", _CLOSED),
    f"POST {API}/editions/{{edition_id}}/hide": Row("401 404 200 200", _CLOSED),
    f"GET {API}/comparisons": Row(OWN, query=f"?benchmark={BENCHMARK.id}&a={{a}}&b={{b}}"),
    f"GET {API}/limits": Row(USERS),
    f"GET {API}/tokens": Row(USERS),
    f"POST {API}/tokens": Row("401 201 201 201", more={"json": {}}),
    f"DELETE {API}/tokens/{{token_id}}": Row("401 404 200 404", _SITE.make_token),
    f"POST {API}/tokens/exchange": Row(NOBODY, more={"json": {"id_token": "x", "access_token": "y"}}),
    f"GET {API}/sign-in": Row(EVERYONE),
    f"GET {API}/me": Row(EVERYONE),
    f"GET {API}/me/sessions": Row(USERS),
    f"DELETE {API}/me/sessions/{{session_id}}": Row("401 404 200 404", _SITE.make_session),
    f"GET {API}/listening": Row(EVERYONE),
    f"GET {API}/listening/{{benchmark_id}}": Row(EVERYONE, _BENCHMARK),
    f"GET {API}/listening/{{benchmark_id}}/audio/{{name}}": Row(NOBODY, share(_RESULT)),
    f"POST {API}/listening/{{benchmark_id}}/results": Row("400 400 400 400", _BENCHMARK, {"json": {}}),
    # A round is anonymous: whoever has its random ID may withdraw it.
    f"DELETE {API}/listening/{{benchmark_id}}/results/{{result_id}}": Row(EVERYONE, _RESULT),
    f"GET {API}/admin/audit": Row(MAINTAINERS),
    f"GET {API}/admin/queue": Row(MAINTAINERS),
    f"GET {API}/admin/judge": Row(MAINTAINERS),
    f"GET {API}/admin/models": Row(MAINTAINERS),
    f"POST {API}/admin/models/{{model_id}}": Row(
        MAINTAINERS, _MODEL, {"json": {"describe": {"kind": "LALM"}, **REASON}}
    ),
    f"GET {API}/admin/reevaluations": Row(MAINTAINERS),
    f"GET {API}/admin/reevaluations/{{reevaluation_id}}": Row(MAINTAINERS, share(_SITE.make_reevaluation)),
    f"POST {API}/admin/reevaluations": Row(
        "401 403 403 409", share(_SITE.make_reevaluation), {"json": REASON | _DRY_RUN}
    ),
    f"POST {API}/admin/submissions/{{submission_id}}/hide": Row(MAINTAINERS, _PUBLIC, _REASON),
    f"POST {API}/admin/submissions/{{submission_id}}/restore": Row(MAINTAINERS, _SITE.make_hidden_row, _REASON),
    f"POST {API}/admin/submissions/{{submission_id}}/approve": Row(MAINTAINERS, _SITE.make_endpoint, _REASON),
    f"POST {API}/admin/submissions/{{submission_id}}/reject": Row(MAINTAINERS, _SITE.make_endpoint, _REASON),
    f"POST {API}/admin/submissions/{{submission_id}}/release": Row(MAINTAINERS, _SITE.make_held_submission, _REASON),
    f"GET {API}/admin/reported-rows": Row(MAINTAINERS),
    f"GET {API}/admin/reported-rows/file": Row(MAINTAINERS),
    f"GET {API}/admin/reported-rows/example": Row(MAINTAINERS),
    f"POST {API}/admin/reported-rows": Row(
        MAINTAINERS, more={"files": {"file": ("r", make_csv(make_line()))}, "data": REASON}
    ),
    f"POST {API}/admin/reported-rows/{{row_id}}/remove": Row(MAINTAINERS, _SITE.make_reported_row, _REASON),
    f"POST {API}/admin/reported-rows/{{row_id}}/undo": Row(MAINTAINERS, _SITE.make_removed_row, _REASON),
    f"GET {API}/admin/listening": Row(MAINTAINERS),
    f"POST {API}/admin/listening/{{benchmark_id}}/show": Row(MAINTAINERS, _BENCHMARK, _REASON),
    f"POST {API}/admin/listening/{{benchmark_id}}/hide": Row(MAINTAINERS, _BENCHMARK, _REASON),
    f"POST {API}/admin/competitions/{{benchmark_id}}/start": Row(MAINTAINERS, _OTHER, _REASON, "?version=demo"),
    f"POST {API}/admin/competitions/{{benchmark_id}}/end": Row(MAINTAINERS, _OTHER, _REASON, "?version=demo"),
}
# Other targets of the same routes.
MORE = (
    (f"GET {API}/submissions/{{submission_id}}", Row(EVERYONE, _PUBLIC)),
    (f"GET {API}/submissions/{{submission_id}}/citation", Row(EVERYONE, _PUBLIC)),
    (f"POST {API}/submissions/{{submission_id}}/withdraw", Row("401 404 200 200", _PRIVATE)),
)


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FurnishedSite]:
    with run_furnished_site(tmp_path_factory.mktemp("matrix")) as made, pytest.MonkeyPatch.context() as patch:
        patch.setattr("leaderboard.api.routes.comparison_routes.WAIT_SECONDS", 0.0)
        yield made


def test_every_route_of_the_application_has_a_row(furnished: FurnishedSite) -> None:
    included: list[Any] = list(build_api(furnished.site.services).routes)
    routes = [route for one in included for route in one.original_router.routes]
    assert {f"{method} {route.path}" for route in routes for method in route.methods} == set(MATRIX)


def test_everyone_gets_the_answer_of_the_matrix(furnished: FurnishedSite, subtests: pytest.Subtests) -> None:
    for route, row in (*MATRIX.items(), *MORE):
        with subtests.test(route, target=row.make.__name__):
            assert " ".join(str(status) for status in send_to_all(furnished, route, row)) == row.statuses


def send_to_all(furnished: FurnishedSite, route: str, row: Row) -> Iterator[int]:
    """Send a request of each column to a target that no other has changed, and yield the statuses."""
    method, path = route.split()
    client = furnished.site.client
    for sender in SENDERS:
        names = row.make(furnished)
        if "{a}" in row.query:
            names = {"a": _PRIVATE(furnished)["submission_id"], "b": _PRIVATE(furnished)["submission_id"]}
        headers = {"Authorization": f"Bearer {furnished.tokens[sender]}"} if sender else {}
        response = client.request(method, (path + row.query).format(**names), headers=headers, **row.more)
        client.cookies.clear()
        if response.status_code >= 400 and path != "/readyz" and method != "HEAD":
            problem_of(response, response.status_code)
        yield response.status_code


def test_route_for_users_refuses_strangers_and_revoked_tokens_first(
    furnished: FurnishedSite, subtests: pytest.Subtests
) -> None:
    """The answer does not depend on what is asked for: a target that does not exist is refused alike."""
    revoked = furnished.site.token("former")
    furnished.site.client.delete(f"{API}/tokens/{find_last_token(furnished, revoked)}", headers=bearer(revoked))
    made_up = dict.fromkeys(("submission_id", "edition_id", "model_id", "row_id", "benchmark_id", "name"), "none")
    numbers = dict.fromkeys(("token_id", "reevaluation_id", "session_id"), "1")
    for route, row in MATRIX.items():
        if not row.statuses.startswith("401"):
            continue
        method, path = route.split()
        for headers in ({}, bearer(revoked), {"X-Earshot-Token": revoked}, bearer("esh_wrong")):
            with subtests.test(route, headers=[*headers]):
                address = path.format(**made_up, **numbers)
                response = furnished.site.client.request(method, address, headers=headers)
                assert response.status_code == 401, response.text


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def find_last_token(furnished: FurnishedSite, token: str) -> int:
    last: int = furnished.site.get(f"{API}/tokens", token).json()["tokens"][-1]["id"]
    return last
