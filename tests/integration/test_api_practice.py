"""Practice answers over HTTP: attached by their owner, shown with the submission, on boards and in exports."""

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import update

from db.models import PracticeAnswers
from db.records import ScoreRecord
from db.repositories import boards, evaluations, practice_results, submissions
from evaluation.benchmarks.practice_comparison import PRACTICE_COLUMN
from leaderboard.http.guard.allowlist import Cap, find_rule
from tests.support.editions.practice_files import PRACTICE_KEY, guess_answers
from tests.support.servers.live_site import BENCHMARK, BOARD, Site, add_row, predictions, problem_of, rank, run_site

API = "/api/v1"
GAP = PRACTICE_COLUMN.key
BOARD_URL = f"{API}/leaderboards/{BENCHMARK.id}"
ANSWERS = guess_answers(PRACTICE_KEY, 0.8)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with run_site(tmp_path_factory.mktemp("practice")) as running:
        yield running


def attach(site: Site, submission_id: str, token: str | None, data: bytes = ANSWERS) -> Any:
    files = {"file": ("practice.jsonl", data)}
    return site.post(f"{API}/submissions/{submission_id}/practice", token, files=files)


def add_gap(site: Site, submission_id: str, value: float) -> None:
    """Store a gap, as the evaluator would."""
    with site.services.database.write() as transaction:
        submission = submissions.find_submission(transaction, submission_id)
        assert submission is not None
        assert submission.current_evaluation_id is not None
        ends = {"low": round(value - 0.03, 3), "high": round(value + 0.03, 3)}
        gap = ScoreRecord(PRACTICE_COLUMN.slice, PRACTICE_COLUMN.metric, value, 2016, note="Practice 80.0 %.", **ends)
        evaluations.add_scores(transaction, submission.current_evaluation_id, [gap])
        boards.touch_board(transaction, BOARD, datetime.now(UTC))
    rank(site.services)


def test_owner_attaches_practice_answers(site: Site) -> None:
    token = site.token("ann")
    sent = site.submit(token).json()
    assert site.get(sent["url"], token).json()["practice"] is None
    answer = attach(site, sent["id"], token)
    assert answer.status_code == 200, answer.text
    practice = answer.json()["practice"]
    assert practice["state"] == "queued"
    assert len(practice["sha256"]) == 64
    assert [practice[name] for name in ("value", "gap", "low", "high", "explanation")] == [None] * 5
    assert site.get(sent["url"], token).json()["practice"] == practice
    listed = site.get(f"{API}/submissions?mine=true", token).json()["submissions"]
    assert listed[0]["practice"] == practice
    assert attach(site, sent["id"], token).json()["practice"] == practice, "the same file again changes nothing"


def test_practice_answers_of_others_are_refused(site: Site) -> None:
    private = site.submit(site.token("bob")).json()["id"]
    public = add_row(site.services, "Public", 0.5, owner="bob")
    eve = site.token("eve")
    problem_of(attach(site, private, None), 401)
    problem_of(attach(site, private, eve), 404)
    problem_of(attach(site, "s-none", eve), 404)
    refused = problem_of(attach(site, public, eve), 403)
    assert refused["detail"] == "Only the owner of a submission can attach practice answers to it."


def test_file_for_other_questions_is_refused_with_its_lines(site: Site) -> None:
    token = site.token("cid")
    sent = site.submit(token).json()["id"]
    problem = problem_of(attach(site, sent, token, predictions()), 422)
    assert "the test questions of AudioMotionBench 1.0" in str(problem["errors"])
    problem = problem_of(attach(site, sent, token, b'{"id": "amb-none", "response": "A"}\n' * 2), 422)
    assert "amb-none" in str(problem["errors"])
    assert site.get(f"{API}/submissions/{sent}", token).json()["practice"] is None
    site.post(f"{API}/submissions/{sent}/withdraw", token)
    assert "withdrawn" in problem_of(attach(site, sent, token), 409)["detail"]


def test_practice_files_may_be_as_large_as_prediction_files(site: Site) -> None:
    rule = find_rule(f"{API}/submissions/s-0123456789abcd/practice")
    assert rule is not None
    assert rule.cap is Cap.UPLOAD
    for other in (f"{API}/submissions/s-1/practice/more", f"{API}/submissions/a/b/practice"):
        found = find_rule(other)
        assert found is None or found.cap is Cap.SMALL
    token = site.token("dot")
    sent = site.submit(token).json()["id"]
    padded = ANSWERS.replace(b'"response": "', b'"response": "' + b" " * 2_000)
    assert len(padded) > 2_000_000
    assert attach(site, sent, token, padded).status_code == 200


def test_board_shows_the_column_once_a_row_has_a_gap(site: Site) -> None:
    ids = [add_row(site.services, f"Row {number}", 0.5, owner="fay") for number in range(3)]
    rank(site.services)
    asked = f"{BOARD_URL}?columns=overall|accuracy,{GAP}"
    assert [column["key"] for column in site.get(asked).json()["columns"]] == ["overall|accuracy"]
    before = site.get(asked).headers["etag"]
    add_gap(site, ids[0], 0.21)
    add_gap(site, ids[1], -0.01)
    page = site.get(f"{asked}&sort={GAP}&order=desc")
    assert page.headers["etag"] != before
    column = page.json()["columns"][-1]
    assert (column["key"], column["title"], column["shown"], column["ranked"]) == (GAP, "Practice − test", True, False)
    assert "public practice questions" in column["definition"]
    rows = {row["submission"]: row["scores"].get(GAP) for row in page.json()["rows"]}
    assert rows[ids[0]] == {"value": 0.21, "low": 0.18, "high": 0.24, "std": None}
    assert GAP not in (rows[ids[2]] or {})
    order = [row["submission"] for row in page.json()["rows"]]
    assert order[:2] == [ids[0], ids[1]]
    lines = csv.DictReader(io.StringIO(site.get(f"{BOARD_URL}/export?format=csv").text))
    values = {line["submission"]: (line[GAP], line[f"{GAP}|low"], line[f"{GAP}|high"]) for line in lines}
    assert values[ids[0]] == ("0.21", "0.18", "0.24")
    assert values[ids[2]] == ("", "", "")
    exported = site.get(f"{BOARD_URL}/export?format=json").json()["rows"]
    assert {row["submission"]: row["scores"].get(GAP) for row in exported}[ids[0]]["value"] == 0.21
    assert "Practice" in site.get(f"{BOARD_URL}/export?format=latex").text
    for name in ("hub", "model-index", "eee"):
        assert "practice_gap" not in site.get(f"{BOARD_URL}/export?format={name}").text


def test_strangers_see_the_gap_of_a_public_row_but_not_its_file(site: Site) -> None:
    row = add_row(site.services, "Seen", 0.5, owner="gus")
    token = site.token("gus")
    assert attach(site, row, token).status_code == 200
    for sender, has_digest in ((token, True), (None, False)):
        practice = site.get(f"{API}/submissions/{row}", sender).json()["practice"]
        assert (practice["sha256"] is not None) is has_digest
    with site.services.database.read() as transaction:
        stored = practice_results.find_practice(transaction, row)
    assert stored is not None
    assert stored.artifact_bytes == len(ANSWERS)


def test_strangers_do_not_read_why_a_file_failed(site: Site) -> None:
    row = add_row(site.services, "Failed", 0.5, owner="hal")
    token, quoted = site.token("hal"), "Line 1: id `a secret of hal` is unknown."
    assert attach(site, row, token).status_code == 200
    with site.services.database.write() as transaction:
        values = {"state": "failed", "explanation": quoted}
        transaction.execute(update(PracticeAnswers).where(PracticeAnswers.submission_id == row).values(values))
    for sender, explanation in ((token, quoted), (None, None)):
        practice = site.get(f"{API}/submissions/{row}", sender).json()["practice"]
        assert (practice["state"], practice["explanation"]) == ("failed", explanation)
