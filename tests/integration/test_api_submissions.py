import json
from datetime import UTC, datetime, timedelta

import pytest

from db.lease_records import SubmissionJob
from db.repositories import boards, evaluations, submissions, workers
from leaderboard.pages.shared.status_outputs import show_status
from tests.support.servers.live_site import (
    BENCHMARK,
    BOARD,
    ITEMS,
    Site,
    add_row,
    predictions,
    problem_of,
    result,
)

HEADLINE = "overall|accuracy"


def claim(site: Site) -> SubmissionJob:
    now = datetime.now(UTC)
    with site.services.database.write() as transaction:
        job = evaluations.claim_next(transaction, worker="w", token="t", now=now, expires_at=now + timedelta(minutes=1))
    assert job is not None
    return job


def score(site: Site, value: float = 0.5) -> None:
    job = claim(site)
    now = datetime.now(UTC)
    with site.services.database.write() as transaction:
        evaluations.record_result(transaction, job, result(value), now)
        boards.touch_board(transaction, BOARD, now)


def fail(site: Site, *, retryable: bool) -> None:
    job = claim(site)
    with site.services.database.write() as transaction:
        submissions.change_state(
            transaction,
            job.work.id,
            ["running"],
            datetime.now(UTC),
            state="failed",
            reason_code="internal",
            reason="We could not score this.",
            retryable=retryable,
            fault="ours",
        )


@pytest.mark.parametrize(("code", "is_shown"), [("judge-stopped", False), ("judge-error", False), ("held", True)])
def test_only_maintainers_see_why_replies_of_a_judge_have_no_verdict(site: Site, code: str, is_shown: bool) -> None:
    reason = "The judge's last 20 replies hold no verdict."
    sent = site.submit(site.token("ada")).json()
    held = {"state": "awaiting-judge", "lane": "held", "reason_code": code, "reason": reason}
    with site.services.database.write() as transaction:
        assert submissions.change_state(transaction, sent["id"], ["queued"], datetime.now(UTC), **held)
    own = site.get(sent["url"], site.token("ada")).json()
    (listed,) = site.get("/api/v1/submissions?mine=true", site.token("ada")).json()["submissions"]
    assert own["reason"] == listed["reason"] == (reason if is_shown else None)
    assert own["reason_code"] == code
    assert own["outlook"]
    assert site.get(sent["url"], site.token("local")).json()["reason"] == reason
    with site.services.database.read() as transaction:
        submission = submissions.find_submission(transaction, sent["id"])
    assert submission is not None
    page = show_status(site.services, sent["id"], submission.owner)
    assert ("hold no verdict" in page) is is_shown
    assert own["outlook"].split(".")[0] in page


def test_submit_is_201_and_the_submission_can_be_read(site: Site) -> None:
    token = site.token("ada")
    model = {"name": " Hear-7B ", "organisation": "Lab", "size_billions": 7, "open_weights": True, "kind": "LALM"}
    response = site.submit(token, model=json.dumps(model))
    assert response.status_code == 201
    body = response.json()
    assert set(body) == {"id", "state", "sha256", "edition", "url"}
    assert body["state"] == "queued"
    assert body["url"] == f"/api/v1/submissions/{body['id']}"
    assert response.headers["location"] == body["url"]
    status = site.get(body["url"], token).json()
    known = {"name": "Hear-7B", "size_billions": 7.0, "url": None, "links": [], "id": status["model"]["id"]}
    assert status["model"] == model | known
    assert status["position"] == 0
    assert status["progress"] is None
    assert status["scores"] == {}
    assert [(event["from"], event["to"]) for event in status["events"]] == [(None, "received"), ("received", "queued")]
    assert status["sha256"] == body["sha256"]
    assert status["visibility"] == "private"


def test_scored_submission_shows_scores_and_an_estimate_for_the_next(site: Site) -> None:
    token = site.token("ada")
    first = site.submit(token).json()
    assert site.get(first["url"], token).json()["eta"] is None
    score(site)
    status = site.get(first["url"], token).json()
    assert status["state"] == "scored"
    assert status["scores"][HEADLINE] == {
        "value": 0.5,
        "n": 100,
        "std": 0.01,
        "note": None,
    }
    assert status["missing"] == 0.01
    assert status["unreadable_reasons"] == {"empty": 2}
    second = site.submit(token, model='{"name": "Another"}').json()
    waits = site.get(second["url"], token).json()
    assert (waits["eta"], waits["stalled"]) == (None, True)
    assert waits["outlook"].startswith("Stalled: the evaluator has not started yet.")
    with site.services.database.write() as transaction:
        workers.record_heartbeat(transaction, "w", {}, datetime.now(UTC), datetime.now(UTC))
    waits = site.get(second["url"], token).json()
    assert (waits["eta"] >= 0, waits["stalled"]) == (True, False)
    assert waits["outlook"].startswith("Next in the queue; about ")
    assert (status["eta"], status["stalled"], status["outlook"]) == (None, False, None)
    mine = site.get("/api/v1/submissions?mine=true", token).json()["submissions"]
    assert [entry["id"] for entry in mine] == [second["id"], first["id"]]


def test_list_without_mine_is_400_and_without_a_name_401(site: Site) -> None:
    problem_of(site.get("/api/v1/submissions", site.token("ada")), 400)
    problem_of(site.get("/api/v1/submissions?mine=true"), 401)


def test_private_submission_is_404_for_all_but_owner_and_maintainer(site: Site) -> None:
    owner, other, maintainer = site.token("ada"), site.token("bob"), site.token("local")
    url = site.submit(owner).json()["url"]
    score(site)
    for token in (None, other):
        problem_of(site.get(url, token), 404)
    problem_of(site.post(f"{url}/publish", other), 404)
    problem_of(site.get("/api/v1/submissions/s-nothing", other), 404)
    assert site.get(url, maintainer).json()["scores"]
    assert site.post(f"{url}/publish", owner).json()["visibility"] == "public"
    assert site.get(url).status_code == 200
    problem_of(site.post(f"{url}/withdraw", other), 403)


def test_digest_of_a_file_is_shown_only_to_owner_and_maintainer(site: Site) -> None:
    owner = site.token("ada")
    sent = site.submit(owner).json()
    score(site)
    site.post(f"{sent['url']}/publish", owner)
    for token in (None, site.token("bob")):
        status = site.get(sent["url"], token)
        assert status.json()["sha256"] is None
        assert sent["sha256"] not in status.text
    for token in (owner, site.token("local")):
        assert site.get(sent["url"], token).json()["sha256"] == sent["sha256"]


def test_public_view_omits_scores_over_few_items(site: Site) -> None:
    submission = add_row(site.services, "few", 0.5, n=19)
    url = f"/api/v1/submissions/{submission}"
    assert site.get(url).json()["scores"] == {}
    assert site.get(url, site.token("ada")).json()["scores"]


def test_same_idempotency_key_returns_the_same_submission(site: Site) -> None:
    token = site.token("ada")
    headers = {"Idempotency-Key": "run-1"}
    first, second = (site.submit(token, headers=headers).json() for _ in range(2))
    assert first == second
    other = site.submit(token, predictions(ITEMS[::-1]), headers={"Idempotency-Key": "run-2"}).json()
    assert other["id"] != first["id"]
    assert site.submit(site.token("bob"), headers=headers).json()["id"] != first["id"]
    problem_of(site.submit(token, headers={"Idempotency-Key": "a b"}), 400)


def test_duplicate_file_is_409_and_names_the_earlier_submission(site: Site) -> None:
    token = site.token("ada")
    first = site.submit(token, headers={"Idempotency-Key": "run-1"}).json()
    problem = problem_of(site.submit(token, headers={"Idempotency-Key": "run-2"}), 409)
    assert problem["type"] == "/api/v1/docs#already-submitted"
    assert (problem["submission"], problem["url"]) == (first["id"], first["url"])
    assert problem["detail"] == (
        "You already submitted this file for AudioMotionBench 1.0, setting default, model A model: see "
        f"{first['id']} (queued). Nothing was added. To submit the file again, withdraw that submission first."
    )
    assert site.submit(site.token("bob")).status_code == 201
    site.post(f"{first['url']}/withdraw", token)
    assert site.submit(token).status_code == 201


def test_rejected_file_is_422_with_lines_and_not_stored(site: Site) -> None:
    token = site.token("ada")
    lines = b"".join(b'{"id": "amb-%d", "response": "A"}\n' % number for number in range(10, 90))
    known = b'{"id": "%s", "response": "A"}\n' % ITEMS[0].encode()
    problem = problem_of(site.submit(token, lines + known), 422)
    unknown = problem["errors"][0]
    assert problem["total"] > 80
    assert (unknown["code"], unknown["count"], len(unknown["details"])) == ("unknown-id", 80, 50)
    assert (unknown["line"], unknown["id"]) == (1, "amb-10")
    other = problem_of(site.submit(token, lines), 422)
    assert other["total"] == 80
    assert [(error["line"], error["id"]) for error in other["errors"]] == [(1, "amb-10")]
    assert site.get("/api/v1/submissions?mine=true", token).json() == {"submissions": [], "next_cursor": None}


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ('{"name": "x", "nmae": 1}', "Unknown"),
        ('{"name": "x", "organization": "y"}', "Did you mean `organisation`?"),
        ("{}", "name"),
        ("[]", "must be a JSON object"),
        ("no json", "must be a JSON object"),
        ('{"name": ""}', "1 to 120 printable"),
        ('{"name": "a\\u202eb"}', "printable"),
        ('{"name": 5}', "name"),
        ('{"name": "x", "url": "javascript:alert(1)"}', "https://"),
        ('{"name": "x", "size_billions": -1}', "above 0"),
        ('{"name": "x", "size_billions": NaN}', "size_billions"),
        ('{"name": "x", "open_weights": "yes"}', "open_weights"),
    ],
)
def test_submit_bad_model_is_400_and_says_what_is_allowed(board: Site, model: str, said: str) -> None:
    problem = problem_of(board.submit(board.token("ada"), model=model), 400)
    assert said in problem["detail"]
    assert problem["errors"][0]["code"].startswith("bad-model")


def test_submit_without_file_or_with_unknown_setting_is_a_problem(board: Site) -> None:
    token = board.token("ada")
    problem_of(board.post("/api/v1/submissions", token, data={"benchmark": BENCHMARK.id, "model": "{}"}), 400)
    problem_of(board.submit(token, setting="fast"), 400)
    problem_of(board.submit(token, benchmark="nope"), 404)
    problem_of(board.post("/api/v1/submissions", token, json={"benchmark": BENCHMARK.id}), 400)


def test_publish_withdraw_retry_in_the_wrong_state_is_409(site: Site) -> None:
    token = site.token("ada")
    url = site.submit(token).json()["url"]
    problem_of(site.post(f"{url}/retry", token), 409)
    assert site.post(f"{url}/withdraw", token).json()["state"] == "withdrawn"
    for action in ("withdraw", "publish", "retry"):
        problem_of(site.post(f"{url}/{action}", token), 409)
    problem_of(site.post(f"{url}/publish"), 401)
    problem_of(site.post("/api/v1/submissions/s-nothing/publish", token), 404)


def test_retry_requires_a_system_failure(site: Site) -> None:
    token = site.token("ada")
    first = site.submit(token).json()["url"]
    fail(site, retryable=False)
    status = site.get(first, token).json()
    assert (status["state"], status["retryable"]) == ("failed", False)
    assert (status["fault"], status["whose_fault"]) == ("system", "ours")
    problem_of(site.post(f"{first}/retry", token), 409)
    second = site.submit(token).json()["url"]
    fail(site, retryable=True)
    assert site.post(f"{second}/retry", token).json()["state"] == "queued"


def test_own_submissions_are_paginated_newest_first(site: Site) -> None:
    token = site.token("ada")
    sent = [site.submit(token, model=json.dumps({"name": f"model {n}"})).json()["id"] for n in range(5)]
    found: list[str] = []
    cursor = ""
    while True:
        page = site.get(f"/api/v1/submissions?mine=true&limit=2{cursor}", token).json()
        assert len(page["submissions"]) <= 2
        found += [one["id"] for one in page["submissions"]]
        if len(found) == 2:
            site.submit(token, model='{"name": "came meanwhile"}')
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert found == sent[::-1]


@pytest.mark.parametrize("cursor", ["x", "", "%00", "WzFd", "bnVsbA", "A" * 2_000])
@pytest.mark.parametrize("path", ["submissions?mine=true&", "admin/queue?"])
def test_cursor_of_another_list_is_refused(board: Site, path: str, cursor: str) -> None:
    token = board.token("local")
    problem = problem_of(board.get(f"/api/v1/{path}cursor={cursor}", token), 400)
    assert problem["errors"][0]["code"] == "bad-cursor"


def test_watched_submission_is_304_until_it_changes_and_private(site: Site) -> None:
    token = site.token("ada")
    sent = site.submit(token).json()
    first = site.get(sent["url"], token)
    assert first.headers["cache-control"] == "private, no-cache"
    assert first.headers["vary"] == "Authorization, X-Earshot-Token, Cookie"
    assert site.get(sent["url"], token, if_none_match=first.headers["etag"]).status_code == 304
    problem_of(site.get(sent["url"], if_none_match=first.headers["etag"]), 404)
    site.post(f"{sent['url']}/withdraw", token)
    again = site.get(sent["url"], token, if_none_match=first.headers["etag"])
    assert again.status_code == 200
    assert again.json()["state"] == "withdrawn"
