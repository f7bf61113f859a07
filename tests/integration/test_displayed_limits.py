"""Submission limits in API responses, page events and command output."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from submissions.__main__ import main
from tests.support.pages.visitor import Visitor, file_value, run_page
from tests.support.servers.live_site import BENCHMARK, Site, predictions, problem_of

LIMITS = {"submissions_per_day": 2, "submissions_per_month": 10, "submissions_in_all": 60}
URL = "/api/v1/limits"
ONE = f"{URL}?benchmark={BENCHMARK.id}"
NAMED = f"{BENCHMARK.id} {BENCHMARK.version}"
FRESH = "2 of 2 left today, 10 of 10 this month, 60 of 60 in total"
ONE_USED = "1 of 2 left today, 9 of 10 this month, 59 of 60 in total"
SPENT = "0 of 2 left today, 8 of 10 this month, 58 of 60 in total"


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """Installation with the default limits and its page; every test uses another user."""
    folder = tmp_path_factory.mktemp("limited")
    with run_page(folder, **LIMITS) as visitor:
        yield visitor


@pytest.fixture
def site(visitor: Visitor) -> Iterator[Site]:
    visitor.site.client.cookies.clear()
    yield visitor.site
    visitor.site.client.cookies.clear()


def another(number: int) -> bytes:
    """Return a file that differs from others in blank lines; a duplicate would be recognised."""
    return predictions() + b"\n" * number


def left(site: Site, token: str) -> str:
    (found,) = site.get(ONE, token).json()["limits"]
    return str(found["text"])


# --- the API --------------------------------------------------------------------------------------------------------


def test_remaining_quota_is_reported_before_and_after_a_submission(site: Site) -> None:
    token = site.token("ann")
    before = site.get(ONE, token)
    assert before.headers["cache-control"] == "no-store"
    (found,) = before.json()["limits"]
    assert (found["benchmark"], found["version"], found["left"], found["text"]) == (BENCHMARK.id, "1.0", 2, FRESH)
    assert [(span["span"], span["limit"], span["used"], span["left"]) for span in found["spans"]] == [
        ("day", 2, 0, 2),
        ("month", 10, 0, 10),
        ("all", 60, 0, 60),
    ]
    day, month, in_all = (span["renewed_at"] for span in found["spans"])
    assert datetime.now(UTC) < datetime.fromisoformat(day) <= datetime.fromisoformat(month)
    assert in_all is None
    sent = site.submit(token).json()
    assert left(site, token) == ONE_USED
    site.post(f"{sent['url']}/withdraw", token)
    assert left(site, token) == FRESH


def test_limits_of_every_version_are_listed(site: Site) -> None:
    listed = site.get(URL, site.token("all")).json()["limits"]
    served = site.get("/api/v1/benchmarks").json()["benchmarks"]
    assert [(one["benchmark"], one["version"]) for one in listed] == [(one["id"], one["version"]) for one in served]
    assert {one["text"] for one in listed} == {FRESH}
    with_editions = {(one["benchmark"], one["version"]): one["editions"] for one in listed if one["editions"]}
    fresh = {"left": 2, "text": "0 of 2 open editions, 0 of 5 requested today"}
    assert with_editions[BENCHMARK.id, "1.0"] == fresh
    assert ("mdar", "demo") not in with_editions


def test_limits_of_editions_are_reported_before_they_are_reached(site: Site) -> None:
    token = site.token("editions")
    for left in (1, 0):
        site.post(f"/api/v1/benchmarks/{BENCHMARK.id}/editions", token)
        (found,) = site.get(ONE, token).json()["limits"]
        used = 2 - left
        text = f"{used} of 2 open editions, {used} of 5 requested today"
        assert found["editions"] == {"left": left, "text": text}
    assert found["text"] == FRESH, "editions do not count as submissions"


def test_limits_are_private_to_their_user(site: Site) -> None:
    problem_of(site.get(URL), 401)
    problem_of(site.get(f"{URL}?benchmark=nope", site.token("ann")), 404)
    problem_of(site.get(f"{ONE}&version=9.9", site.token("ann")), 404)


def test_submission_without_remaining_quota_is_429_with_the_reset_time(site: Site) -> None:
    token = site.token("bea")
    for number in range(2):
        assert site.submit(token, another(number)).status_code == 201
    response = site.submit(token, another(2))
    problem = problem_of(response, 429)
    midnight = (datetime.now(UTC) + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    assert problem["detail"] == (
        "Daily limit for AudioMotionBench 1.0 reached: 2 of 2 submissions used. "
        f"Submit again from {midnight.day} {midnight:%B %Y}, 00:00 UTC. Checking a file is always free."
    )
    assert problem["type"] == "/api/v1/docs#limit-reached"
    assert problem["limit"] | {"renewed_at": None} == {"span": "day", "limit": 2, "used": 2, "renewed_at": None}
    assert datetime.fromisoformat(problem["limit"]["renewed_at"]) == midnight
    assert 0 < int(response.headers["retry-after"]) <= 24 * 3600
    assert len(site.get("/api/v1/submissions?mine=true", token).json()["submissions"]) == 2
    assert 'id="limit-reached"' in site.get("/api/v1/docs").text
    check = {"files": {"file": ("p.jsonl", predictions())}, "data": {"benchmark": BENCHMARK.id}}
    assert site.post("/api/v1/validations", token, **check).json()["ok"], "a check stays free"


def test_repeated_key_succeeds_without_remaining_quota(site: Site) -> None:
    token = site.token("cem")
    headers = {"Idempotency-Key": "k"}
    first = site.submit(token, headers=headers).json()
    assert site.submit(token, another(1)).status_code == 201
    assert site.submit(token, headers=headers).json() == first
    assert left(site, token) == SPENT


def test_maintainer_has_no_limit(site: Site) -> None:
    token = site.token("local")
    for number in range(3):
        assert site.submit(token, another(number)).status_code == 201
    (found,) = site.get(ONE, token).json()["limits"]
    assert (found["left"], found["text"], found["spans"]) == (None, "no limit", [])


# --- the page -------------------------------------------------------------------------------------------------------


def sign_in(site: Site, name: str) -> None:
    assert site.post("/auth/local", json={"name": name}).status_code == 200


def texts(response: Any) -> str:
    assert response.status_code == 200, response.text
    return str(response.json()["data"])


def send(visitor: Visitor, data: bytes) -> str:
    reference = visitor.upload(data).json()[0]
    setting = BENCHMARK.settings[0]
    fields = [file_value(reference), NAMED, False, setting, "m", None, None, None, "unknown", None, "", "", False, True]
    return texts(visitor.send("send", fields))


def test_page_shows_the_remaining_quota_before_and_after(visitor: Visitor, site: Site) -> None:
    assert FRESH not in texts(visitor.send("open", [None, NAMED, NAMED])), "a stranger has nothing"
    sign_in(site, "dora")
    assert f"Submissions to AudioMotionBench 1.0: {FRESH}." in texts(visitor.send("open", [None, NAMED, NAMED]))
    assert f"MDAR demo: {FRESH}." in texts(visitor.send("choose_benchmark", ["mdar demo"]))
    assert ONE_USED in send(visitor, predictions())
    spent = send(visitor, another(1))
    assert SPENT in spent
    assert "Next slot: " in spent
    assert "Daily limit for AudioMotionBench 1.0 reached" in send(visitor, another(2))
    mine = site.get("/api/v1/submissions?mine=true").json()["submissions"]
    assert SPENT in texts(visitor.send("refresh_submissions", [mine[0]["id"], NAMED]))
    assert ONE_USED in texts(visitor.send("withdraw", [mine[0]["id"], NAMED]))


def test_page_tells_a_maintainer_that_there_is_no_limit(visitor: Visitor, site: Site) -> None:
    sign_in(site, "local")
    assert "No submission limit" in texts(visitor.send("open", [None, NAMED, NAMED]))


@pytest.mark.parametrize("named", [None, "", "nope 1", "audio-motion-bench 9", "x" * 1000])
def test_page_handles_a_quota_request_without_a_benchmark(visitor: Visitor, site: Site, named: str | None) -> None:
    sign_in(site, "eve")
    for event, data in (("open", [None, named, named]), ("refresh_submissions", [None, named])):
        answer = visitor.send(event, data)
        assert answer.status_code == (200 if named is None else 400)
        assert "of 2 left" not in answer.text


# --- the command line -----------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "p.jsonl"
    path.write_bytes(predictions())
    return path


def test_check_with_a_token_prints_the_remaining_quota(
    site: Site, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--benchmark", BENCHMARK.id, "--url", f"http://127.0.0.1:{site.port}"]
    token = site.token("finn")
    site.submit(token)
    assert main(["validate", str(file), *where, "--token", token]) == 0
    assert f"Submissions for audio-motion-bench 1.0: {ONE_USED}." in capsys.readouterr().out
    assert main(["validate", str(file), *where]) == 0
    assert "left" not in capsys.readouterr().out


def test_submit_without_remaining_quota_ends_with_1_and_the_message(
    site: Site, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--benchmark", BENCHMARK.id, "--url", f"http://127.0.0.1:{site.port}", "--token", site.token("gus")]
    for model in ("a", "b"):
        assert main(["submit", str(file), *where, "--model", model]) == 0
    assert main(["submit", str(file), *where, "--model", "c"]) == 1
    said = capsys.readouterr().err
    assert "Error: Daily limit for AudioMotionBench 1.0 reached: 2 of 2 submissions used." in said
    assert "Traceback" not in said
    assert main(["submit", str(file), *where, "--model", "a"]) == 0, "the same again is the same submission"
