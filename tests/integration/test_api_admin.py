"""Maintainer routes over HTTP: who may call them, and the refusals for everybody else."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from db.admin_records import Scope
from db.models import Submission
from db.records import JudgeRecord
from db.repositories import evaluations, reevaluations, submissions, workers
from tests.support.servers.live_site import BENCHMARK, BOARD, Site, add_row, problem_of, rank, result, run_site

ADMIN = "/api/v1/admin"
REASON = {"reason": "A doubt."}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Site for requests that are all refused."""
    with run_site(tmp_path_factory.mktemp("shared")) as running:
        yield running


def score(site: Site) -> None:
    now = datetime.now(UTC)
    with site.services.database.write() as transaction:
        lease = evaluations.claim_next(
            transaction, worker="w/1", token="t", now=now, expires_at=now + timedelta(minutes=1)
        )
        assert lease is not None
        evaluations.record_result(transaction, lease, result(0.5), now)


# Caller → status: anonymous, other user, owner, maintainer. `{id}` is a public submission of the owner. Routes are
# called in this order on one site, those that need an unchanged site first.
PERMISSIONS = {
    ("GET", f"{ADMIN}/audit"): (401, 403, 403, 200),
    ("GET", f"{ADMIN}/models"): (401, 403, 403, 200),
    ("POST", f"{ADMIN}/models/m-nobody"): (401, 403, 403, 404),
    ("GET", f"{ADMIN}/queue"): (401, 403, 403, 200),
    ("GET", f"{ADMIN}/reevaluations"): (401, 403, 403, 200),
    ("GET", f"{ADMIN}/reevaluations/1"): (401, 403, 403, 404),
    ("POST", f"{ADMIN}/reevaluations"): (401, 403, 403, 202),
    ("POST", f"{ADMIN}/submissions/{{id}}/hide"): (401, 403, 403, 200),
    ("POST", f"{ADMIN}/submissions/{{id}}/restore"): (401, 403, 403, 409),
    ("POST", f"{ADMIN}/submissions/{{id}}/release"): (401, 403, 403, 409),
    ("POST", f"{ADMIN}/submissions/{{id}}/approve"): (401, 403, 403, 409),
    ("POST", f"{ADMIN}/submissions/{{id}}/reject"): (401, 403, 403, 409),
    ("GET", f"{ADMIN}/reported-rows"): (401, 403, 403, 200),
    ("POST", f"{ADMIN}/reported-rows"): (401, 403, 403, 400),
    ("GET", f"{ADMIN}/reported-rows/file"): (401, 403, 403, 200),
    ("GET", f"{ADMIN}/reported-rows/example"): (401, 403, 403, 200),
    ("POST", f"{ADMIN}/reported-rows/s-nobody/remove"): (401, 403, 403, 404),
    ("POST", f"{ADMIN}/reported-rows/s-nobody/undo"): (401, 403, 403, 404),
    ("GET", f"{ADMIN}/judge"): (401, 403, 403, 200),
    ("GET", f"{ADMIN}/listening"): (401, 403, 403, 200),
    ("POST", f"{ADMIN}/listening/mdar/hide"): (401, 403, 403, 409),
    ("POST", f"{ADMIN}/listening/mdar/show"): (401, 403, 403, 200),
    ("POST", f"{ADMIN}/competitions/mdar/end"): (401, 403, 403, 409),
    ("POST", f"{ADMIN}/competitions/mdar/start"): (401, 403, 403, 409),
}


def test_maintainer_routes_answer_each_caller_as_listed(site: Site, subtests: pytest.Subtests) -> None:
    tokens = {name: site.token(name) for name in ("bob", "ada", "local")}
    scored = site.submit(tokens["ada"], publish="true").json()["id"]
    score(site)
    for (method, path), statuses in PERMISSIONS.items():
        with subtests.test(method=method, path=path):
            submission = add_row(site.services, path, 0.5)
            body = None
            if method == "POST":
                more = {"submission": scored, "dry_run": True} if path.endswith("/reevaluations") else {}
                more |= {"split": True} if path.startswith(f"{ADMIN}/models") else {}
                body = REASON | more
            found = []
            for name in (None, "bob", "ada", "local"):
                headers = {"Authorization": f"Bearer {tokens[name]}"} if name else {}
                found.append(site.client.request(method, path.format(id=submission), headers=headers, json=body))
            assert tuple(response.status_code for response in found) == statuses
            for response in found[:3]:
                problem_of(response, response.status_code)


def test_permission_table_lists_every_maintainer_route(shared: Site) -> None:
    paths = shared.get("/api/v1/openapi.json").json()["paths"]
    known = {(method, path.replace("{id}", "{submission_id}")) for method, path in PERMISSIONS}
    found = {
        (
            method.upper(),
            path.replace("{reevaluation_id}", "1")
            .replace("{model_id}", "m-nobody")
            .replace("{benchmark_id}", "mdar")
            .replace("{row_id}", "s-nobody"),
        )
        for path, methods in paths.items()
        for method in methods
        if path.startswith(ADMIN)
    }
    assert found == known


def test_unauthorised_request_is_refused_before_its_body_is_read(shared: Site) -> None:
    for token, status in ((None, 401), (shared.token("bob"), 403)):
        for body in (b"no json", b'{"reason": 5}', b""):
            problem_of(shared.post(f"{ADMIN}/submissions/s-nobody/hide", token, content=body), status)
            problem_of(shared.post(f"{ADMIN}/reevaluations", token, content=body), status)


def test_hidden_submission_disappears_from_the_board_and_can_be_restored(site: Site) -> None:
    maintainer, owner = site.token("local"), site.token("ada")
    shown, private = add_row(site.services, "shown", 0.5), add_row(site.services, "own", 0.6, visibility="private")
    rank(site.services)
    board = f"/api/v1/leaderboards/{BENCHMARK.id}"
    assert [row["model"]["name"] for row in site.get(board).json()["rows"]] == ["shown"]
    etag = site.get(board).headers["etag"]
    for one in (shown, private):
        answer = site.post(f"{ADMIN}/submissions/{one}/hide", maintainer, json=REASON)
        assert answer.json()["visibility"] == "hidden"
        event = answer.json()["events"][-1]
        assert (event["actor"], event["from"], event["to"], event["text"]) == (
            "local",
            "scored",
            "scored",
            "Hidden: A doubt.",
        )
        problem_of(site.post(f"{ADMIN}/submissions/{one}/hide", maintainer, json=REASON), 409)
    assert site.get(board).json()["rows"] == []
    assert site.get(board).headers["etag"] != etag
    problem_of(site.get(f"/api/v1/submissions/{shown}"), 404)
    assert site.get(f"/api/v1/submissions/{shown}", owner).json()["events"][-1]["text"] == "Hidden: A doubt."
    refusal = problem_of(site.post(f"/api/v1/submissions/{shown}/publish", owner), 403)
    assert refusal["detail"] == "A maintainer has hidden this submission. Only a maintainer can restore it."
    for one, visibility in ((shown, "public"), (private, "private")):
        answer = site.post(f"{ADMIN}/submissions/{one}/restore", maintainer, json={"reason": "Cleared."})
        assert (answer.json()["visibility"], answer.json()["events"][-1]["text"]) == (visibility, "Restored: Cleared.")
        problem_of(site.post(f"{ADMIN}/submissions/{one}/restore", maintainer, json=REASON), 409)
    rank(site.services)
    assert [row["model"]["name"] for row in site.get(board).json()["rows"]] == ["shown"]


def test_submission_hidden_before_it_is_scored_stays_hidden(site: Site) -> None:
    maintainer = site.token("local")
    sent = site.submit(site.token("ada"), publish="true").json()
    site.post(f"{ADMIN}/submissions/{sent['id']}/hide", maintainer, json=REASON)
    score(site)
    assert site.get(sent["url"], maintainer).json()["visibility"] == "hidden"
    problem_of(site.get(sent["url"]), 404)
    site.post(f"{ADMIN}/submissions/{sent['id']}/restore", maintainer, json=REASON)
    assert site.get(sent["url"]).json()["visibility"] == "public"


def test_withdrawn_or_unknown_submission_cannot_be_hidden(site: Site) -> None:
    maintainer, owner = site.token("local"), site.token("ada")
    sent = site.submit(owner).json()
    site.post(f"{sent['url']}/withdraw", owner)
    detail = problem_of(site.post(f"{ADMIN}/submissions/{sent['id']}/hide", maintainer, json=REASON), 409)["detail"]
    assert "withdrawn" in detail
    for action in ("hide", "restore"):
        problem_of(site.post(f"{ADMIN}/submissions/s-nobody/{action}", maintainer, json=REASON), 404)


@pytest.mark.parametrize(
    "body", [{}, {"reason": ""}, {"reason": " \n"}, {"reason": "x" * 501}, {"reason": 5}, {"why": "x"}]
)
def test_action_without_a_reason_is_400(shared: Site, body: dict[str, object]) -> None:
    one = add_row(shared.services, "shown", 0.5)
    for address in (f"{ADMIN}/submissions/{one}/hide", f"{ADMIN}/reevaluations"):
        more = {"benchmark": BENCHMARK.id} if address.endswith("reevaluations") else {}
        problem_of(shared.post(address, shared.token("local"), json=body | more), 400)


def test_cost_of_error_sorting_is_estimated_before_it_is_enabled(site: Site) -> None:
    add_row(site.services, "A model", 0.5)
    now = datetime.now(UTC)
    with site.services.database.write() as transaction:
        transaction.execute(update(Submission).values(benchmark="mdar", version="demo"))
        workers.record_heartbeat(transaction, "w/1", {}, now, now, JudgeRecord("lab/judge", "j", 100))
    found = site.get(f"{ADMIN}/judge", site.token("local")).json()
    assert (found["sort_errors"], found["last_30_days"]["calls"]) == (0, 0)
    assert found["sorting_estimate"]["calls"] == 200 * 3
    with site.services.database.write() as transaction:
        workers.record_heartbeat(transaction, "w/1", {}, now, now, JudgeRecord("lab/judge", "j", 100, sort_errors=5))
    found = site.get(f"{ADMIN}/judge", site.token("local")).json()
    assert (found["sort_errors"], found["sorting_estimate"]["calls"]) == (5, 5 * 3)


def test_queue_shows_position_age_and_lease(site: Site) -> None:
    ids = [site.submit(site.token(name), model=f'{{"name": "{name}"}}').json()["id"] for name in ("ada", "bob", "eve")]
    now = datetime.now(UTC)
    with site.services.database.write() as transaction:
        evaluations.claim_next(transaction, worker="host/1", token="t", now=now, expires_at=now + timedelta(minutes=1))
        submissions.change_state(transaction, ids[2], ["queued"], now, state="awaiting-judge")
    queue = site.get(f"{ADMIN}/queue", site.token("local")).json()
    assert queue["totals"] == {"queued": 1, "running": 1, "awaiting-judge": 1}
    first, second, third = queue["submissions"]
    assert [one["id"] for one in queue["submissions"]] == ids
    assert [one["position"] for one in queue["submissions"]] == [None, 1, None]
    assert (first["state"], first["lease"]["worker"], first["attempts"], first["owner"]) == (
        "running",
        "host/1",
        1,
        "ada",
    )
    assert datetime.fromisoformat(first["lease"]["expires_at"]) > now
    assert second["lease"] is None
    assert third["lease"] is None
    assert all(0 <= one["age_seconds"] < 600 for one in queue["submissions"])
    assert site.get(f"/api/v1/submissions/{ids[1]}", site.token("bob")).json()["position"] == second["position"]
    assert len(site.get(f"{ADMIN}/queue?limit=2", site.token("local")).json()["submissions"]) == 2


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, 400),
        ({"benchmark": BENCHMARK.id, "submission": "s-1"}, 400),
        ({"submission": "s-1", "version": "1.0"}, 400),
        ({"submission": "s-1"}, 404),
        ({"benchmark": "nope"}, 404),
        ({"benchmark": BENCHMARK.id, "version": "9"}, 404),
        ({"benchmark": BENCHMARK.id, "dry_run": "yes"}, 400),
        ({"benchmark": BENCHMARK.id, "force": True}, 400),
        ({"benchmark": BENCHMARK.id, "dry_run": False}, 409),
        ({"benchmark": BENCHMARK.id}, 409),  # a real run by default
    ],
)
def test_invalid_reevaluation_request_is_a_problem(shared: Site, fields: dict[str, object], status: int) -> None:
    problem_of(shared.post(f"{ADMIN}/reevaluations", shared.token("local"), json=REASON | fields), status)


def test_reported_row_cannot_be_rescored(shared: Site) -> None:
    one = add_row(shared.services, "paper", 0.5, source="reported")
    body = {"submission": one, "dry_run": True} | REASON
    assert (
        "have none"
        in problem_of(shared.post(f"{ADMIN}/reevaluations", shared.token("local"), json=body), 409)["detail"]
    )


def test_reevaluation_is_202_and_listed_newest_first(site: Site) -> None:
    token = site.token("local")
    asked = site.post(f"{ADMIN}/reevaluations", token, json={"benchmark": BENCHMARK.id, "dry_run": True} | REASON)
    body = asked.json()
    assert asked.status_code == 202
    assert asked.headers["location"] == body["url"]
    assert (body["state"], body["progress"], body["result"], body["requested_by"]) == ("queued", 0.0, None, "local")
    assert (body["benchmark"], body["version"], body["submission"]) == (BENCHMARK.id, BENCHMARK.version, None)
    assert site.get(body["url"], token).json() == body
    problem_of(site.get(f"{ADMIN}/reevaluations/99", token), 404)
    problem_of(site.get(f"{ADMIN}/reevaluations/x", token), 400)
    scope = Scope(BOARD.benchmark, BOARD.version)
    with site.services.database.write() as transaction:
        for number in range(4):
            reevaluations.add_reevaluation(
                transaction, scope, requested_by="local", reason=str(number), dry_run=True, now=datetime.now(UTC)
            )
    pages: list[list[int]] = []
    cursor: str | None = ""
    while cursor is not None:
        page = site.get(f"{ADMIN}/reevaluations?limit=2{cursor and f'&cursor={cursor}'}", token).json()
        pages.append([one["id"] for one in page["reevaluations"]])
        cursor = page["next_cursor"]
    assert pages == [[5, 4], [3, 2], [1]]


def test_history_of_a_submission_is_in_its_status(site: Site) -> None:
    one = add_row(site.services, "shown", 0.5)
    with site.services.database.write() as transaction:
        evaluations.add_finished_evaluation(transaction, one, result(0.4, signature="t"), datetime.now(UTC))
    found = site.get(f"/api/v1/submissions/{one}").json()["evaluations"]
    assert [(e["signature"], e["current"], e["headline"]["value"], e["reason"]) for e in found] == [
        ("t", True, 0.4, None),
        ("s", False, 0.5, None),
    ]
    few = add_row(site.services, "few", 0.5, n=19)
    assert site.get(f"/api/v1/submissions/{few}").json()["evaluations"][0]["headline"]["value"] is None
    owner = site.get(f"/api/v1/submissions/{few}", site.token("ada")).json()
    assert owner["evaluations"][0]["headline"]["value"] == 0.5


def test_queue_is_paginated_with_global_positions(site: Site) -> None:
    sent = [site.submit(site.token("ada"), model=json.dumps({"name": f"model {n}"})).json()["id"] for n in range(5)]
    found: list[tuple[str, int]] = []
    cursor = ""
    while True:
        page = site.get(f"{ADMIN}/queue?limit=2{cursor}", site.token("local")).json()
        assert page["totals"] == {"queued": 5}
        found += [(one["id"], one["position"]) for one in page["submissions"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert found == [(submission_id, place) for place, submission_id in enumerate(sent)]
